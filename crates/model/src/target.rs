//! How an element is named by whoever wants to act on it.

use serde::{Deserialize, Serialize};

/// One way to name an element.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Target {
    /// A ref of an observation: `e12`, `f1e3`.
    Ref {
        /// The ref as it stood in the outline.
        #[serde(rename = "ref")]
        id: String,
    },
    /// A role and an accessible name, with words of its context when several match.
    Described {
        /// An ARIA role.
        role: String,
        /// The accessible name, compared without case and extra space.
        #[serde(default)]
        name: Option<String>,
        /// Whole words of the row, column, label or heading.
        #[serde(default)]
        near: Option<String>,
    },
    /// A pixel of the surface's newest screenshot, with the words of what is meant to be there.
    Pixel {
        /// From the left edge, in screenshot pixels.
        x: f64,
        /// From the top edge, in screenshot pixels.
        y: f64,
        /// What the caller believes is there; judged like a name, beside the real one.
        label: String,
    },
}

/// Returns whether `text` has the shape of a ref: `e12`, `f1e3`, `f1.2e3`, `n12`.
pub fn is_ref(text: &str) -> bool {
    if mark_number(text).is_some() {
        return true;
    }
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let element = |part: &str| part.strip_prefix('e').is_some_and(digits);
    if let Some(rest) = text.strip_prefix('f') {
        let numbers = |frames: &str| frames.split('.').all(digits);
        return rest.split_once('e').is_some_and(|(frames, n)| numbers(frames) && digits(n));
    }
    element(text) || text.strip_prefix('n').is_some_and(digits)
}

/// Returns the number of a mark on a picture, such as `m12`.
pub fn mark_number(text: &str) -> Option<usize> {
    let digits = text.strip_prefix('m')?;
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_written_forms_are_refs() {
        for good in ["e12", "f1e3", "f1.2e3", "n4"] {
            assert!(is_ref(good), "{good}");
        }
        for bad in ["", "e", "12", "e1x", "f1", "fe3", "f1e", "e-1", "f1.e3", "f.1e3"] {
            assert!(!is_ref(bad), "{bad}");
        }
    }
}
