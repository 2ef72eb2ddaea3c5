//! The per-user key that signs the head of each run's chain (I3).

use std::path::Path;

use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

use crate::files::{self, FilesError};

/// Signs heads of chains. A process of the same user can read it: a signature proves that the
/// record was not altered by anyone without this user's rights.
pub struct RecordKey(SigningKey);

impl std::fmt::Debug for RecordKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RecordKey({})", self.public())
    }
}

impl RecordKey {
    /// Reads the key at `path`, or makes one from `seed`.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be read, written, or is not a key.
    pub fn load(path: &Path, seed: [u8; 32]) -> Result<RecordKey, FilesError> {
        // A key that is there is never written over: the first of two that make one wins.
        files::write_new(path, to_hex(&seed).as_bytes())?;
        let bytes = files::read_file(path, 64)?;
        let text = String::from_utf8_lossy(&bytes);
        let seed = from_hex(text.trim())
            .ok_or_else(|| FilesError::Unsafe { path: path.display().to_string() })?;
        Ok(RecordKey(SigningKey::from_bytes(&seed)))
    }

    /// Makes a key from a seed alone.
    pub fn from_seed(seed: [u8; 32]) -> RecordKey {
        RecordKey(SigningKey::from_bytes(&seed))
    }

    /// Returns the public half in hex.
    pub fn public(&self) -> String {
        to_hex(self.0.verifying_key().as_bytes())
    }

    /// Signs a text.
    pub fn sign(&self, text: &str) -> String {
        to_hex(&self.0.sign(text.as_bytes()).to_bytes())
    }
}

/// Returns whether `signature` is `public`'s over `text`.
pub fn is_signed(public: &str, text: &str, signature: &str) -> bool {
    let Some(key) = from_hex::<32>(public).and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok())
    else {
        return false;
    };
    from_hex::<64>(signature).is_some_and(|bytes| {
        key.verify_strict(text.as_bytes(), &Signature::from_bytes(&bytes)).is_ok()
    })
}

/// Writes bytes in lower-case hex.
pub fn to_hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Reads what [`to_hex`] writes and nothing else: bytes have one written form.
fn from_hex<const N: usize>(text: &str) -> Option<[u8; N]> {
    let is_hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if text.len() != N * 2 || !is_hex {
        return None;
    }
    let bytes: Option<Vec<u8>> = (0..N)
        .map(|at| text.get(at * 2..at * 2 + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok()))
        .collect();
    bytes?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_holds_for_its_text_and_key_alone() {
        let key = RecordKey::from_seed([7; 32]);
        let signature = key.sign("head");

        assert!(is_signed(&key.public(), "head", &signature));
        assert!(!is_signed(&key.public(), "heae", &signature));
        assert!(!is_signed(&RecordKey::from_seed([8; 32]).public(), "head", &signature));
        assert!(!is_signed("zz", "head", &signature));
    }
}
