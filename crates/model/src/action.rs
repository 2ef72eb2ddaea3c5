//! Every action there is, one closed enum.

use serde::{Deserialize, Serialize};

use crate::target::Target;

/// One thing to do to an application.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "kebab-case")]
pub enum Action {
    /// Press and release the primary button on the target.
    Click { target: Target },
    /// Two presses of the primary button at one point.
    DoubleClick { target: Target },
    /// Press and release the secondary button on the target.
    RightClick { target: Target },
    /// Move the pointer onto the target.
    Hover { target: Target },
    /// Replace what a field holds.
    Fill { target: Target, text: Typed },
    /// Type at the end of a field, or into the focused element, key by key.
    Type { target: Option<Target>, text: Typed },
    /// Press one key or chord.
    Press { key: Chord, target: Option<Target> },
    /// Choose options of a native select by their label.
    Select { target: Target, values: Vec<String> },
    /// Make a checkbox, radio or switch checked.
    Check { target: Target },
    /// Make a checkbox or switch unchecked.
    Uncheck { target: Target },
    /// Turn the wheel over the target or the middle of the viewport.
    Scroll { target: Option<Target>, direction: Direction, amount: f64 },
    /// Press on the target, move in steps, release at the end point.
    Drag { target: Target, to: DragEnd },
    /// Give files to a file input.
    Upload { target: Option<Target>, files: Vec<String> },
    /// Click a harmless dismissal, and nothing else (VR-114).
    Dismiss { target: Target },
    /// Answer the open dialog (D9).
    Dialog { answer: DialogAnswer, text: Option<Typed> },
    /// Load an address in the page.
    Navigate { url: String },
    /// Go one entry back in the page's history.
    Back,
    /// Go one entry forward in the page's history.
    Forward,
    /// Load the page's address again.
    Reload,
    /// Open, show or close a page.
    Tab { op: TabOp },
}

/// The kind of an action, without what it carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each is the variant of `Action` with the same name")]
pub enum ActionKind {
    Click,
    DoubleClick,
    RightClick,
    Hover,
    Fill,
    Type,
    Press,
    Select,
    Check,
    Uncheck,
    Scroll,
    Drag,
    Upload,
    Dismiss,
    Dialog,
    Navigate,
    Back,
    Forward,
    Reload,
    Tab,
}

impl ActionKind {
    /// Every kind, in the order of the reference.
    pub const ALL: [ActionKind; 20] = [
        ActionKind::Click,
        ActionKind::DoubleClick,
        ActionKind::RightClick,
        ActionKind::Hover,
        ActionKind::Fill,
        ActionKind::Type,
        ActionKind::Press,
        ActionKind::Select,
        ActionKind::Check,
        ActionKind::Uncheck,
        ActionKind::Scroll,
        ActionKind::Drag,
        ActionKind::Upload,
        ActionKind::Dismiss,
        ActionKind::Dialog,
        ActionKind::Navigate,
        ActionKind::Back,
        ActionKind::Forward,
        ActionKind::Reload,
        ActionKind::Tab,
    ];

    /// Returns the word of the command line and the record.
    pub fn as_str(self) -> &'static str {
        match self {
            ActionKind::Click => "click",
            ActionKind::DoubleClick => "double-click",
            ActionKind::RightClick => "right-click",
            ActionKind::Hover => "hover",
            ActionKind::Fill => "fill",
            ActionKind::Type => "type",
            ActionKind::Press => "press",
            ActionKind::Select => "select",
            ActionKind::Check => "check",
            ActionKind::Uncheck => "uncheck",
            ActionKind::Scroll => "scroll",
            ActionKind::Drag => "drag",
            ActionKind::Upload => "upload",
            ActionKind::Dismiss => "dismiss",
            ActionKind::Dialog => "dialog",
            ActionKind::Navigate => "navigate",
            ActionKind::Back => "back",
            ActionKind::Forward => "forward",
            ActionKind::Reload => "reload",
            ActionKind::Tab => "tab",
        }
    }

    /// Returns the kind with this word, if there is one.
    pub fn parse(word: &str) -> Option<ActionKind> {
        ActionKind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// Returns whether the action loads a document by itself.
    pub fn navigates(self) -> bool {
        matches!(
            self,
            ActionKind::Navigate | ActionKind::Back | ActionKind::Forward | ActionKind::Reload
        )
    }

    /// Returns whether an effect of this action can prove that work was done (INTERFACE: a pass
    /// needs more than focus, scroll, hover, or another page being shown).
    pub fn can_prove(self) -> bool {
        !matches!(self, ActionKind::Hover | ActionKind::Scroll | ActionKind::Tab)
    }
}

impl Action {
    /// Returns the kind.
    pub fn kind(&self) -> ActionKind {
        match self {
            Action::Click { .. } => ActionKind::Click,
            Action::DoubleClick { .. } => ActionKind::DoubleClick,
            Action::RightClick { .. } => ActionKind::RightClick,
            Action::Hover { .. } => ActionKind::Hover,
            Action::Fill { .. } => ActionKind::Fill,
            Action::Type { .. } => ActionKind::Type,
            Action::Press { .. } => ActionKind::Press,
            Action::Select { .. } => ActionKind::Select,
            Action::Check { .. } => ActionKind::Check,
            Action::Uncheck { .. } => ActionKind::Uncheck,
            Action::Scroll { .. } => ActionKind::Scroll,
            Action::Drag { .. } => ActionKind::Drag,
            Action::Upload { .. } => ActionKind::Upload,
            Action::Dismiss { .. } => ActionKind::Dismiss,
            Action::Dialog { .. } => ActionKind::Dialog,
            Action::Navigate { .. } => ActionKind::Navigate,
            Action::Back => ActionKind::Back,
            Action::Forward => ActionKind::Forward,
            Action::Reload => ActionKind::Reload,
            Action::Tab { .. } => ActionKind::Tab,
        }
    }

    /// Returns the element it is aimed at, if it is aimed at one.
    pub fn target(&self) -> Option<&Target> {
        match self {
            Action::Click { target }
            | Action::DoubleClick { target }
            | Action::RightClick { target }
            | Action::Hover { target }
            | Action::Fill { target, .. }
            | Action::Select { target, .. }
            | Action::Check { target }
            | Action::Uncheck { target }
            | Action::Drag { target, .. }
            | Action::Dismiss { target } => Some(target),
            Action::Type { target, .. }
            | Action::Press { target, .. }
            | Action::Scroll { target, .. }
            | Action::Upload { target, .. } => target.as_ref(),
            Action::Dialog { .. }
            | Action::Navigate { .. }
            | Action::Back
            | Action::Forward
            | Action::Reload
            | Action::Tab { .. } => None,
        }
    }

    /// Returns every element it names, to name it otherwise.
    pub fn targets_mut(&mut self) -> Vec<&mut Target> {
        match self {
            Action::Drag { target, to: DragEnd::Element(end) } => vec![target, end],
            Action::Click { target }
            | Action::DoubleClick { target }
            | Action::RightClick { target }
            | Action::Hover { target }
            | Action::Fill { target, .. }
            | Action::Select { target, .. }
            | Action::Check { target }
            | Action::Uncheck { target }
            | Action::Drag { target, .. }
            | Action::Dismiss { target } => vec![target],
            Action::Type { target, .. }
            | Action::Upload { target, .. }
            | Action::Press { target, .. }
            | Action::Scroll { target, .. } => target.iter_mut().collect(),
            Action::Dialog { .. }
            | Action::Navigate { .. }
            | Action::Back
            | Action::Forward
            | Action::Reload
            | Action::Tab { .. } => Vec::new(),
        }
    }

    /// Returns the text it types, if it types one.
    pub fn typed(&self) -> Option<&Typed> {
        match self {
            Action::Fill { text, .. } | Action::Type { text, .. } => Some(text),
            Action::Dialog { text, .. } => text.as_ref(),
            _ => None,
        }
    }
}

/// Text to type. Its `Debug` form shows no text but a public one's length.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "source", content = "text", rename_all = "lowercase")]
pub enum Typed {
    /// Text the caller calls not sensitive; it may stand in the record.
    Public(String),
    /// Text that never stands in the record.
    Sensitive(String),
    /// The value of a named secret, read by the host itself (VR-153).
    Secret(String),
}

impl std::fmt::Debug for Typed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Typed::Public(text) => write!(f, "Public({} chars)", text.chars().count()),
            Typed::Sensitive(_) => f.write_str("Sensitive"),
            Typed::Secret(name) => write!(f, "Secret({name})"),
        }
    }
}

/// A key or chord as written: `Enter`, `ctrl+s`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Chord {
    /// Modifiers held while the key is pressed.
    pub modifiers: Modifiers,
    /// The key in DOM words (`Enter`, `ArrowLeft`, `a`).
    pub key: String,
}

/// Modifier keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Modifiers {
    /// Control.
    pub ctrl: bool,
    /// Alt or Option.
    pub alt: bool,
    /// Shift.
    pub shift: bool,
    /// Meta, Command or Super.
    pub meta: bool,
}

/// Why a text is not a chord.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a key or chord")]
pub struct ChordError {
    text: String,
}

/// Named keys and the other words for them (VR-126).
const NAMED_KEYS: [(&str, &str); 30] = [
    ("enter", "Enter"),
    ("return", "Enter"),
    ("tab", "Tab"),
    ("escape", "Escape"),
    ("esc", "Escape"),
    ("space", " "),
    ("backspace", "Backspace"),
    ("delete", "Delete"),
    ("del", "Delete"),
    ("insert", "Insert"),
    ("home", "Home"),
    ("end", "End"),
    ("pageup", "PageUp"),
    ("pagedown", "PageDown"),
    ("up", "ArrowUp"),
    ("down", "ArrowDown"),
    ("left", "ArrowLeft"),
    ("right", "ArrowRight"),
    ("arrowup", "ArrowUp"),
    ("arrowdown", "ArrowDown"),
    ("arrowleft", "ArrowLeft"),
    ("arrowright", "ArrowRight"),
    ("ctrl", "Control"),
    ("control", "Control"),
    ("shift", "Shift"),
    ("alt", "Alt"),
    ("option", "Alt"),
    ("meta", "Meta"),
    ("cmd", "Meta"),
    ("contextmenu", "ContextMenu"),
];

impl Chord {
    /// Reads a chord; the last part is the key, the parts before it are modifiers.
    ///
    /// # Errors
    ///
    /// Fails on an unknown modifier, an unknown named key, or no key.
    pub fn parse(text: &str) -> Result<Chord, ChordError> {
        let wrong = || ChordError { text: text.chars().take(64).collect() };
        if text == "+" {
            return Ok(Chord { modifiers: Modifiers::default(), key: "+".to_owned() });
        }
        let (held, key) = match text.strip_suffix("++") {
            Some(held) => (held, "+"),
            None => text.rsplit_once('+').unwrap_or(("", text)),
        };
        let mut modifiers = Modifiers::default();
        for part in held.split('+').filter(|part| !part.is_empty()) {
            match part.to_ascii_lowercase().as_str() {
                "ctrl" | "control" => modifiers.ctrl = true,
                "alt" | "opt" | "option" => modifiers.alt = true,
                "shift" => modifiers.shift = true,
                "meta" | "cmd" | "command" | "super" => modifiers.meta = true,
                _ => return Err(wrong()),
            }
        }
        Chord::key_of(key).map(|key| Chord { modifiers, key }).ok_or_else(wrong)
    }

    fn key_of(word: &str) -> Option<String> {
        let lower = word.to_ascii_lowercase();
        if let Some((_, key)) = NAMED_KEYS.iter().find(|(name, _)| *name == lower) {
            return Some((*key).to_owned());
        }
        let is_function_key = lower
            .strip_prefix('f')
            .filter(|digits| !digits.starts_with('0'))
            .and_then(|digits| digits.parse::<u8>().ok())
            .is_some_and(|number| (1..=24).contains(&number));
        if is_function_key {
            return Some(lower.to_ascii_uppercase());
        }
        let mut chars = word.chars();
        match (chars.next(), chars.next()) {
            (Some(only), None) if !only.is_control() => Some(only.to_string()),
            _ => None,
        }
    }

    /// Returns whether it is Enter without a modifier that changes its meaning.
    pub fn is_enter(&self) -> bool {
        self.key == "Enter" && !self.modifiers.ctrl && !self.modifiers.alt && !self.modifiers.meta
    }

    /// Returns whether it is a space or Enter, which operate a focused control.
    pub fn operates(&self) -> bool {
        self.is_enter() || self.key == " "
    }
}

impl TryFrom<String> for Chord {
    type Error = ChordError;

    fn try_from(text: String) -> Result<Chord, ChordError> {
        Chord::parse(&text)
    }
}

impl std::fmt::Display for Chord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Modifiers { ctrl, alt, shift, meta } = self.modifiers;
        for (held, word) in [(ctrl, "ctrl+"), (alt, "alt+"), (shift, "shift+"), (meta, "meta+")] {
            if held {
                f.write_str(word)?;
            }
        }
        f.write_str(if self.key == " " { "space" } else { &self.key })
    }
}

impl From<Chord> for String {
    fn from(chord: Chord) -> String {
        chord.to_string()
    }
}

/// Which way to scroll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the four directions")]
pub enum Direction {
    Up,
    Down,
    Left,
    Right,
}

impl Direction {
    /// Returns the word.
    pub fn as_str(self) -> &'static str {
        match self {
            Direction::Up => "up",
            Direction::Down => "down",
            Direction::Left => "left",
            Direction::Right => "right",
        }
    }
}

/// Where a drag ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum DragEnd {
    /// On an element.
    Element(Target),
    /// At a pixel of the newest screenshot.
    Point {
        /// From the left edge.
        to_x: f64,
        /// From the top edge.
        to_y: f64,
    },
}

/// How a dialog is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the two answers")]
pub enum DialogAnswer {
    Accept,
    Dismiss,
}

/// What to do about pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", content = "value", rename_all = "lowercase")]
pub enum TabOp {
    /// Open an address in a page of its own.
    Open(String),
    /// Make a page the one acts go to.
    Switch(String),
    /// Close a page.
    Close(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_one_word_and_the_word_leads_back() {
        for kind in ActionKind::ALL {
            assert_eq!(ActionKind::parse(kind.as_str()), Some(kind));
        }
    }

    #[test]
    fn chords_are_normalized_and_their_written_form_leads_back() {
        for (text, written) in [
            ("Enter", "Enter"),
            ("return", "Enter"),
            ("ctrl+s", "ctrl+s"),
            ("Control+Shift+a", "ctrl+shift+a"),
            ("cmd+left", "meta+ArrowLeft"),
            ("ctrl++", "ctrl++"),
            ("+", "+"),
            ("f12", "F12"),
            ("space", "space"),
            ("ü", "ü"),
        ] {
            let chord = Chord::parse(text).unwrap();
            assert_eq!(chord.to_string(), written, "{text}");
            assert_eq!(Chord::parse(written).unwrap(), chord, "{text}");
        }
        for text in ["", "ctrl+", "hyper+a", "enterr", "f25", "f05", "\n"] {
            assert!(Chord::parse(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn debug_shows_no_typed_text() {
        let text = format!("{:?}", Typed::Sensitive("hunter2".to_owned()));

        assert!(!text.contains("hunter2"));
        assert!(!format!("{:?}", Typed::Public("hunter2".to_owned())).contains("hunter2"));
    }
}
