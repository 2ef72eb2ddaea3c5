//! Keys as the protocol wants them: key, code and virtual key of a US layout.

use sidestick_model::Chord;
use sidestick_model::action::Modifiers;

/// One key as dispatched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    /// The DOM `key`.
    pub(crate) key: String,
    /// The DOM `code`.
    pub(crate) code: String,
    /// The Windows virtual key code.
    pub(crate) virtual_key: u32,
    /// The text it enters, if it enters any.
    pub(crate) text: Option<String>,
    /// Whether shift is held for it.
    pub(crate) shift: bool,
}

const NAMED: [(&str, &str, u32, Option<&str>); 21] = [
    ("Enter", "Enter", 13, Some("\r")),
    ("Tab", "Tab", 9, None),
    ("Escape", "Escape", 27, None),
    ("Backspace", "Backspace", 8, None),
    ("Delete", "Delete", 46, None),
    ("Insert", "Insert", 45, None),
    ("Home", "Home", 36, None),
    ("End", "End", 35, None),
    ("PageUp", "PageUp", 33, None),
    ("PageDown", "PageDown", 34, None),
    ("ArrowLeft", "ArrowLeft", 37, None),
    ("ArrowUp", "ArrowUp", 38, None),
    ("ArrowRight", "ArrowRight", 39, None),
    ("ArrowDown", "ArrowDown", 40, None),
    ("Control", "ControlLeft", 17, None),
    ("Shift", "ShiftLeft", 16, None),
    ("Alt", "AltLeft", 18, None),
    ("Meta", "MetaLeft", 91, None),
    ("ContextMenu", "ContextMenu", 93, None),
    (" ", "Space", 32, Some(" ")),
    ("CapsLock", "CapsLock", 20, None),
];

/// Punctuation of a US keyboard: plain, shifted, code, virtual key.
const PUNCTUATION: [(char, char, &str, u32); 21] = [
    ('`', '~', "Backquote", 192),
    ('1', '!', "Digit1", 49),
    ('2', '@', "Digit2", 50),
    ('3', '#', "Digit3", 51),
    ('4', '$', "Digit4", 52),
    ('5', '%', "Digit5", 53),
    ('6', '^', "Digit6", 54),
    ('7', '&', "Digit7", 55),
    ('8', '*', "Digit8", 56),
    ('9', '(', "Digit9", 57),
    ('0', ')', "Digit0", 48),
    ('-', '_', "Minus", 189),
    ('=', '+', "Equal", 187),
    ('[', '{', "BracketLeft", 219),
    (']', '}', "BracketRight", 221),
    ('\\', '|', "Backslash", 220),
    (';', ':', "Semicolon", 186),
    ('\'', '"', "Quote", 222),
    (',', '<', "Comma", 188),
    ('.', '>', "Period", 190),
    ('/', '?', "Slash", 191),
];

/// Returns the key that enters a character, if a US keyboard has one.
pub(crate) fn of_char(c: char) -> Option<Key> {
    match c {
        '\n' | '\r' => of_name("Enter"),
        '\t' => of_name("Tab"),
        ' ' => of_name(" "),
        c if c.is_ascii_alphabetic() => {
            let upper = c.to_ascii_uppercase();
            Some(Key {
                key: c.to_string(),
                code: format!("Key{upper}"),
                virtual_key: u32::from(upper),
                text: Some(c.to_string()),
                shift: c.is_ascii_uppercase(),
            })
        }
        c => PUNCTUATION.iter().find(|(plain, shifted, _, _)| *plain == c || *shifted == c).map(
            |(_, shifted, code, virtual_key)| Key {
                key: c.to_string(),
                code: (*code).to_owned(),
                virtual_key: *virtual_key,
                text: Some(c.to_string()),
                shift: *shifted == c,
            },
        ),
    }
}

fn of_name(name: &str) -> Option<Key> {
    NAMED.iter().find(|(key, _, _, _)| *key == name).map(|(key, code, virtual_key, text)| Key {
        key: (*key).to_owned(),
        code: (*code).to_owned(),
        virtual_key: *virtual_key,
        text: text.map(str::to_owned),
        shift: false,
    })
}

/// Returns the key of a chord. A held modifier other than shift means that no text is entered.
pub(crate) fn of_chord(chord: &Chord) -> Key {
    let mut chars = chord.key.chars();
    let single = match (chars.next(), chars.next()) {
        (Some(only), None) => of_char(only),
        _ => None,
    };
    let mut key = of_name(&chord.key).or(single).unwrap_or_else(|| of_other(&chord.key));
    let Modifiers { ctrl, alt, meta, shift } = chord.modifiers;
    if ctrl || alt || meta {
        key.text = None;
    }
    if shift && let Some(lower) = key.text.as_ref().filter(|text| text.len() == 1) {
        let upper = lower.to_ascii_uppercase();
        if lower.chars().all(|c| c.is_ascii_lowercase()) {
            key.text = Some(upper.clone());
            key.key = upper;
        }
    }
    key
}

/// Function keys, and characters no US keyboard has.
fn of_other(name: &str) -> Key {
    let function = name.strip_prefix('F').and_then(|digits| digits.parse::<u32>().ok());
    match function {
        Some(number) => Key {
            key: name.to_owned(),
            code: name.to_owned(),
            virtual_key: 111 + number,
            text: None,
            shift: false,
        },
        None => Key {
            key: name.to_owned(),
            code: String::new(),
            virtual_key: 0,
            text: Some(name.to_owned()),
            shift: false,
        },
    }
}

/// Returns the protocol's bits for held modifiers: alt 1, ctrl 2, meta 4, shift 8.
pub(crate) fn bits(modifiers: Modifiers) -> u32 {
    let Modifiers { ctrl, alt, shift, meta } = modifiers;
    u32::from(alt) | u32::from(ctrl) << 1 | u32::from(meta) << 2 | u32::from(shift) << 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(chord: &str) -> Key {
        of_chord(&Chord::parse(chord).unwrap())
    }

    #[test]
    fn a_chord_with_control_enters_no_text() {
        assert_eq!(key("a").text.as_deref(), Some("a"));
        assert_eq!(key("ctrl+a").text, None);
        assert_eq!(key("shift+a").text.as_deref(), Some("A"));
        assert_eq!(key("Enter").text.as_deref(), Some("\r"));
        assert_eq!((key("F5").virtual_key, key("F5").text), (116, None));
    }

    #[test]
    fn every_printable_character_of_a_us_keyboard_has_a_key() {
        for c in ' '..='~' {
            assert!(of_char(c).is_some(), "{c:?}");
        }
        assert_eq!(of_char('é'), None);
    }
}
