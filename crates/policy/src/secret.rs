//! Secrets as types: no `Display`, no `Serialize`, wiped when dropped.

use zeroize::{Zeroize, ZeroizeOnDrop};

/// A text that must not be shown. Its `Debug` form says only that it is one.
#[derive(Clone, Zeroize, ZeroizeOnDrop, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Takes a text into custody.
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    /// Shows the text to the one place that has to send it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

/// The one pair of login credentials of a run (VR-151).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The user name.
    pub username: Secret,
    /// The password.
    pub password: Secret,
}

impl Credentials {
    /// Returns the secret with this name.
    pub fn named(&self, name: &str) -> Option<&Secret> {
        match name {
            "username" => Some(&self.username),
            "password" => Some(&self.password),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_never_shows_the_text() {
        assert_eq!(format!("{:?}", Secret::new("hunter2")), "Secret");
    }
}
