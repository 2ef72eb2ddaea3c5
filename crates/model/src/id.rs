//! Identities: runs, goals, acts, observations, findings.

use serde::{Deserialize, Serialize};

/// Why a text is not an identity of the asked kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a {kind}")]
pub struct IdError {
    kind: &'static str,
    text: String,
}

/// Names one run: `YYYYMMDDThhmmss-xxxx` in UTC (VR-038).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(String);

impl RunId {
    /// Reads a run id; accepts nothing that could leave the runs folder (VR-022).
    ///
    /// # Errors
    ///
    /// Fails unless the text is `\d{8}T\d{6}-[0-9a-f]{4}`.
    pub fn parse(text: &str) -> Result<RunId, IdError> {
        let bytes = text.as_bytes();
        let shape = bytes.len() == 20
            && bytes.iter().enumerate().all(|(at, byte)| match at {
                8 => *byte == b'T',
                15 => *byte == b'-',
                0..=14 => byte.is_ascii_digit(),
                _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(byte),
            });
        if shape {
            Ok(RunId(text.to_owned()))
        } else {
            Err(IdError { kind: "run id", text: text.chars().take(64).collect() })
        }
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for RunId {
    type Error = IdError;

    fn try_from(text: String) -> Result<RunId, IdError> {
        RunId::parse(&text)
    }
}

impl From<RunId> for String {
    fn from(id: RunId) -> String {
        id.0
    }
}

impl std::fmt::Display for RunId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Names one goal, in the caller's words: `[A-Za-z0-9][A-Za-z0-9._-]{0,63}` (VR-279).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GoalId(String);

impl GoalId {
    /// Reads a goal id.
    ///
    /// # Errors
    ///
    /// Fails unless the whole text has the shape above.
    pub fn parse(text: &str) -> Result<GoalId, IdError> {
        let mut chars = text.chars();
        let head = chars.next().is_some_and(|first| first.is_ascii_alphanumeric());
        let tail = chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'));
        if head && tail && text.len() <= 64 {
            Ok(GoalId(text.to_owned()))
        } else {
            Err(IdError { kind: "goal id", text: text.chars().take(64).collect() })
        }
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for GoalId {
    type Error = IdError;

    fn try_from(text: String) -> Result<GoalId, IdError> {
        GoalId::parse(&text)
    }
}

impl From<GoalId> for String {
    fn from(id: GoalId) -> String {
        id.0
    }
}

impl std::fmt::Display for GoalId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! counted_id {
    ($(#[$doc:meta])* $name:ident, $letter:literal, $kind:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(pub u32);

        impl $name {
            /// Reads the written form.
            ///
            /// # Errors
            ///
            /// Fails unless the text is the letter and a decimal number.
            pub fn parse(text: &str) -> Result<$name, IdError> {
                text.strip_prefix($letter)
                    .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
                    // One written form each: what is compared as text is the same act.
                    .filter(|digits| digits.len() == 1 || !digits.starts_with('0'))
                    .and_then(|digits| digits.parse().ok())
                    .map($name)
                    .ok_or_else(|| IdError { kind: $kind, text: text.chars().take(64).collect() })
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<$name, IdError> {
                $name::parse(&text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.to_string()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}{}", $letter, self.0)
            }
        }
    };
}

counted_id!(
    /// Names one act of a run: `a7`.
    ActId, 'a', "act id"
);
counted_id!(
    /// Names one observation of a run: `o8`.
    ObservationId, 'o', "observation id"
);
counted_id!(
    /// Names one finding of a run: `F2`.
    FindingId, 'F', "finding id"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_id_cannot_name_another_folder() {
        for text in ["", ".", "..", "a/b", "20261201T101500-ab1/", "20261201T101500-AB12"] {
            assert!(RunId::parse(text).is_err(), "{text}");
        }
        assert!(RunId::parse("20261201T101500-ab12").is_ok());
    }

    #[test]
    fn a_goal_id_is_judged_to_its_true_end() {
        assert!(GoalId::parse("g1\n").is_err());
        assert!(GoalId::parse(&"g".repeat(65)).is_err());
        assert!(GoalId::parse("save-avatar.2").is_ok());
    }

    #[test]
    fn counted_ids_survive_their_written_form() {
        assert_eq!(ActId::parse("a7"), Ok(ActId(7)));
        assert!(ObservationId::parse("o+7").is_err());
        assert!(ActId::parse("a007").is_err());
        assert_eq!(FindingId(3).to_string(), "F3");
    }
}
