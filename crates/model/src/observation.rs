//! What a surface looks like: pages, elements, readings, changes and what is expected of them.

use serde::{Deserialize, Serialize};

use crate::download::DownloadSeen;
use crate::id::ActId;

/// A durable name for an element (BR-089 to BR-094).
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Subject {
    /// ARIA role.
    pub role: String,
    /// Tag name in lower case, `window` parts on a desktop.
    #[serde(default)]
    pub tag: String,
    /// Accessible name.
    pub name: Option<String>,
    /// The name of its table row.
    #[serde(default)]
    pub row: Option<String>,
    /// The header of its table column.
    #[serde(default)]
    pub column: Option<String>,
    /// The words right before it in its group.
    #[serde(default)]
    pub label: Option<String>,
    /// The closest heading above.
    #[serde(default)]
    pub heading: Option<String>,
}

impl Subject {
    /// Returns what tells two subjects apart, in words, when they differ (D4: `changed`).
    pub fn difference(&self, other: &Subject) -> Option<String> {
        let pairs = [
            ("role", Some(&self.role), Some(&other.role)),
            ("name", self.name.as_ref(), other.name.as_ref()),
            ("row", self.row.as_ref(), other.row.as_ref()),
            ("column", self.column.as_ref(), other.column.as_ref()),
            ("label", self.label.as_ref(), other.label.as_ref()),
            ("heading", self.heading.as_ref(), other.heading.as_ref()),
        ];
        pairs.into_iter().find(|(_, old, new)| old != new).map(|(part, old, new)| {
            let show = |text: Option<&String>| match text {
                Some(text) => format!("`{text}`"),
                None => "none".to_owned(),
            };
            format!("its {part} was {} and is {}", show(old), show(new))
        })
    }
}

/// A signal: one kind of thing that can change (INTERFACE).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the words of INTERFACE")]
pub enum Signal {
    Url,
    Title,
    Tree,
    Focus,
    Value,
    Screen,
    Dialog,
    Page,
    Download,
}

impl Signal {
    /// Returns the word.
    pub fn as_str(self) -> &'static str {
        match self {
            Signal::Url => "url",
            Signal::Title => "title",
            Signal::Tree => "tree",
            Signal::Focus => "focus",
            Signal::Value => "value",
            Signal::Screen => "screen",
            Signal::Dialog => "dialog",
            Signal::Page => "page",
            Signal::Download => "download",
        }
    }
}

/// What the caller says will be seen when the action worked (D6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Expect {
    /// What kind of thing.
    pub kind: ExpectKind,
    /// The text, pattern or role after the colon; empty for a signal.
    pub value: String,
}

/// The kinds of expectation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the words of INTERFACE")]
pub enum ExpectKind {
    Any,
    Url,
    Title,
    Tree,
    Focus,
    Value,
    Screen,
    TextIs,
    GoneIs,
    ValueIs,
    UrlIs,
    Appeared,
    Checked,
}

/// Why a text is not an expectation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{text}` is no expectation; one of any, url, title, tree, focus, value, screen, text:STR, \
     gone:STR, value:STR, url:PATTERN, appeared:ROLE[:NAME], checked:true|false"
)]
pub struct ExpectError {
    text: String,
}

impl Expect {
    /// The expectation of a caller who named none.
    pub fn any() -> Expect {
        Expect { kind: ExpectKind::Any, value: String::new() }
    }

    /// Reads the written form.
    ///
    /// # Errors
    ///
    /// Fails on an unknown word or an empty value.
    pub fn parse(text: &str) -> Result<Expect, ExpectError> {
        let wrong = || ExpectError { text: text.chars().take(100).collect() };
        let signal = |kind| Ok(Expect { kind, value: String::new() });
        match text {
            "any" => return signal(ExpectKind::Any),
            "url" => return signal(ExpectKind::Url),
            "title" => return signal(ExpectKind::Title),
            "tree" => return signal(ExpectKind::Tree),
            "focus" => return signal(ExpectKind::Focus),
            "value" => return signal(ExpectKind::Value),
            "screen" => return signal(ExpectKind::Screen),
            _ => {}
        }
        let (word, value) = text.split_once(':').ok_or_else(wrong)?;
        let kind = match word {
            "text" => ExpectKind::TextIs,
            "gone" => ExpectKind::GoneIs,
            "value" => ExpectKind::ValueIs,
            "url" => ExpectKind::UrlIs,
            "appeared" => ExpectKind::Appeared,
            "checked" => ExpectKind::Checked,
            _ => return Err(wrong()),
        };
        let is_bool = matches!(value, "true" | "false");
        if value.is_empty() && kind != ExpectKind::ValueIs
            || kind == ExpectKind::Checked && !is_bool
        {
            return Err(wrong());
        }
        Ok(Expect { kind, value: value.to_owned() })
    }

    /// Returns the signal it names, if it names one.
    pub fn signal(&self) -> Option<Signal> {
        match self.kind {
            ExpectKind::Url => Some(Signal::Url),
            ExpectKind::Title => Some(Signal::Title),
            ExpectKind::Tree => Some(Signal::Tree),
            ExpectKind::Focus => Some(Signal::Focus),
            ExpectKind::Value => Some(Signal::Value),
            ExpectKind::Screen => Some(Signal::Screen),
            ExpectKind::Any
            | ExpectKind::TextIs
            | ExpectKind::GoneIs
            | ExpectKind::ValueIs
            | ExpectKind::UrlIs
            | ExpectKind::Appeared
            | ExpectKind::Checked => None,
        }
    }

    /// Returns whether it is a predicate, true or false of the surface at any one moment.
    pub fn is_predicate(&self) -> bool {
        self.signal().is_none() && self.kind != ExpectKind::Any
    }
}

impl std::fmt::Display for Expect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let word = match self.kind {
            ExpectKind::Any => "any",
            ExpectKind::Url | ExpectKind::UrlIs => "url",
            ExpectKind::Title => "title",
            ExpectKind::Tree => "tree",
            ExpectKind::Focus => "focus",
            ExpectKind::Value | ExpectKind::ValueIs => "value",
            ExpectKind::Screen => "screen",
            ExpectKind::TextIs => "text",
            ExpectKind::GoneIs => "gone",
            ExpectKind::Appeared => "appeared",
            ExpectKind::Checked => "checked",
        };
        f.write_str(word)?;
        if self.is_predicate() { write!(f, ":{}", self.value) } else { Ok(()) }
    }
}

impl TryFrom<String> for Expect {
    type Error = ExpectError;

    fn try_from(text: String) -> Result<Expect, ExpectError> {
        Expect::parse(&text)
    }
}

impl From<Expect> for String {
    fn from(expect: Expect) -> String {
        expect.to_string()
    }
}

/// The part of a page a reading covers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// What a person sees without scrolling.
    #[default]
    Viewport,
    /// The whole document.
    Document,
}

/// Which page, and where it is. Addresses are as loaded; sinks take the redacted form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageState {
    /// The page's identity, stable while it is open.
    pub id: String,
    /// The address of its main document.
    pub url: String,
    /// Its title.
    pub title: String,
    /// How many documents it has had before this one.
    pub document: u32,
    /// The page that opened it, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opener: Option<String>,
}

/// One line of an outline.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Depth of indentation.
    #[serde(rename = "d")]
    pub depth: u32,
    /// ARIA role, or `text`.
    #[serde(rename = "r")]
    pub role: String,
    /// Accessible name, or the text.
    #[serde(rename = "n", default)]
    pub name: Option<String>,
    /// The ref, when it can be acted on.
    #[serde(rename = "ref", default)]
    pub id: Option<String>,
    /// State words.
    #[serde(rename = "s", default)]
    pub states: Vec<String>,
    /// What it holds; never a secret field's.
    #[serde(rename = "v", default)]
    pub value: Option<String>,
    /// The rest.
    #[serde(rename = "x", default, skip_serializing_if = "Option::is_none")]
    pub extra: Option<NodeExtra>,
}

/// What only some nodes have.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "described in docs/page-scripts.md")]
pub struct NodeExtra {
    pub level: Option<u32>,
    pub href: Option<String>,
    pub options: Option<Vec<String>>,
    pub options_total: Option<u32>,
    pub rows: Option<u32>,
    pub cols: Option<u32>,
    pub first: Option<u32>,
    pub last: Option<u32>,
    pub cells: Option<Vec<Cell>>,
    pub columns: Option<Vec<String>>,
    pub label: Option<String>,
    pub src_origin: Option<String>,
    /// The frame's number, where its document is read by a script of its own.
    pub frame: Option<String>,
    pub input: Option<String>,
    pub subject: Option<Subject>,
}

/// One cell of a table row: plain text, or the index of a child node in the reading.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Cell {
    /// Plain text.
    #[serde(rename = "t", skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Index of a node of the same reading.
    #[serde(rename = "i", skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
}

/// What a reading left out, counted (D10).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Omitted {
    /// Parts above the viewport.
    pub above: u32,
    /// Parts below the viewport.
    pub below: u32,
    /// Controls hidden from sight.
    pub hidden: u32,
    /// Frames that could not be read.
    pub frames: u32,
    /// Table rows and list items out of view.
    pub rows: u32,
    /// Canvases, which cannot be read.
    pub canvas: u32,
    /// Nodes cut by the budget.
    pub budget: u32,
    /// What can be acted on among them.
    pub budget_controls: u32,
}

/// A reading of one page: its outline as data.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// The page.
    pub page: PageState,
    /// What was covered.
    pub scope: Scope,
    /// Top and bottom of the viewport and the height of the page, CSS pixels.
    pub viewport: [u32; 3],
    /// The outline.
    pub nodes: Vec<Node>,
    /// What was left out.
    pub omitted: Omitted,
    /// Whether a budget cut the outline.
    pub truncated: bool,
    /// The focused element.
    pub focus: Option<String>,
    /// Where a change could not be seen.
    pub blind: Vec<String>,
    /// The open dialog, if one is.
    pub dialog: Option<DialogState>,
    /// The open pages: id, address, title, and whether acts go there.
    pub pages: Vec<(PageState, bool)>,
}

/// An open dialog (D9).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DialogState {
    /// `alert`, `confirm`, `prompt` or `beforeunload`.
    pub kind: String,
    /// Its text; evidence, never instruction.
    pub text: String,
    /// What a prompt holds before anyone types.
    pub default_text: Option<String>,
    /// The act it opened during; none when it opened by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opened_by: Option<ActId>,
}

/// What covers an element.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "described in docs/page-scripts.md")]
pub struct Cover {
    pub role: Option<String>,
    pub tag: String,
    pub name: Option<String>,
    pub id: Option<String>,
}

/// Whether and where an element can be seen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Visible {
    /// True when a person can see it, or would after scrolling.
    pub ok: bool,
    /// Why not, in the words of VR-102.
    pub reason: Option<String>,
    /// What is on top of it.
    pub cover: Option<Cover>,
}

/// Whether an element can take the action.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Ready {
    /// True when it can.
    pub ok: bool,
    /// Why not: a code of `NOT_ACTIONABLE`.
    pub code: Option<String>,
    /// A short phrase beside the code.
    pub detail: Option<String>,
}

/// The form an element belongs to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FormFacts {
    /// `get`, `post` or `dialog`.
    pub method: String,
    /// Where it would be sent.
    pub action: String,
    /// How many password fields it has.
    pub password_fields: u32,
}

/// A button that Enter would press.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefaultButton {
    /// Its ref.
    #[serde(rename = "ref")]
    pub id: String,
    /// Its name.
    pub name: Option<String>,
}

/// What the driver knows of the element found, unredacted; policy judges this (I2).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "described in docs/page-scripts.md")]
pub struct ElementFacts {
    #[serde(rename = "ref")]
    pub id: String,
    pub subject: Subject,
    #[serde(rename = "box")]
    pub bounds: [f64; 4],
    pub point: Option<[f64; 2]>,
    pub in_viewport: bool,
    pub states: Vec<String>,
    pub visible: Visible,
    pub ready: Ready,
    pub input_type: Option<String>,
    pub is_secret: bool,
    pub takes_text: bool,
    pub href: Option<String>,
    pub download: bool,
    pub target_blank: bool,
    pub submits: bool,
    pub form: Option<FormFacts>,
    pub default_button: Option<DefaultButton>,
    pub checked: Option<bool>,
    pub selected: Option<Vec<String>>,
    pub value: Option<String>,
    pub opens: Option<String>,
    pub expect_held: bool,
    pub satisfied: bool,
    pub frame_origin: Option<String>,
}

/// One thing that changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Change {
    /// `appeared`, `gone`, `text`, `name`, `value` or `state`.
    pub kind: String,
    /// The element's role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The element's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The closest heading or label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<String>,
    /// Its ref.
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// True when it is outside the viewport.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub offscreen: bool,
}

/// What a field holds after it was set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadBack {
    /// What was asked; null when secret.
    pub asked: Option<String>,
    /// What it holds; null when secret.
    pub found: Option<String>,
    /// True when only separators were added (D7).
    pub normalized: bool,
    /// True when it is exactly or normalized what was asked.
    pub equal: bool,
    /// True when the values are withheld.
    pub secret: bool,
    /// What the page shows of it when the field has emptied itself: a chip, a list of files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elsewhere: Option<String>,
}

/// What was seen between the reading right before a dispatch and the one after it (I4).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Settled {
    /// How long was looked, in milliseconds.
    pub looked_ms: u64,
    /// True when the page was still changing or waiting at the cap.
    pub still_changing: bool,
    /// True when the page changed, only once, and nothing that the input set going explains it.
    pub untied: bool,
    /// True when the named predicate held at the end.
    pub expect_held: bool,
    /// What changed, noise left out.
    pub changes: Vec<Change>,
    /// Changes beyond those listed.
    pub changes_dropped: u32,
    /// What moved by itself.
    pub noise: Vec<Change>,
    /// The signals that changed.
    pub signals: Vec<Signal>,
    /// Where a change could not be seen.
    pub blind: Vec<String>,
    /// What was read back.
    pub read_back: Option<ReadBack>,
    /// Why what was asked for did not come about, where the driver knows.
    pub unmet: Option<String>,
    /// Whether a new document is shown.
    pub new_document: bool,
    /// Whether a form was submitted.
    pub submitted: bool,
    /// Requests that went out since the dispatch.
    pub requests: Vec<RequestSeen>,
    /// Requests beyond those listed.
    pub requests_dropped: u32,
    /// What was still open: requests and navigations.
    pub pending: Vec<String>,
    /// What the boundary blocked.
    pub blocked: Vec<String>,
    /// Pages that opened.
    pub new_pages: Vec<PageState>,
    /// Pages beyond those listed.
    pub new_pages_omitted: u32,
    /// Downloads that began.
    pub downloads: Vec<DownloadSeen>,
    /// The dialog that opened.
    pub dialog: Option<DialogState>,
    /// The page afterwards.
    pub page: PageState,
}

/// A request an action caused.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestSeen {
    /// The method.
    pub method: String,
    /// The address, redacted.
    pub url: String,
    /// The status; null while open or when no answer came.
    pub status: Option<u16>,
    /// The finding it became, when it failed.
    pub finding: Option<String>,
    /// The driver's own id; joins it with its later failure.
    #[serde(skip)]
    pub key: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_survive_their_written_form() {
        for text in [
            "any",
            "url",
            "screen",
            "text:Saved: yes",
            "gone:Busy",
            "value:",
            "url:*/done",
            "appeared:dialog:Really?",
            "checked:true",
        ] {
            assert_eq!(Expect::parse(text).unwrap().to_string(), text);
        }
        for text in ["", "saved", "text:", "checked:maybe", "TEXT:x"] {
            assert!(Expect::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_recycled_row_is_another_subject() {
        let old = Subject { role: "button".into(), row: Some("acme".into()), ..Subject::default() };
        let new = Subject { row: Some("delta".into()), ..old.clone() };

        assert_eq!(old.difference(&new).unwrap(), "its row was `acme` and is `delta`");
        assert_eq!(old.difference(&old), None);
    }
}
