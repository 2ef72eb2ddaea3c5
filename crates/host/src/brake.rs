//! The brake of this user: a file beside the registry; while it exists, every host is braked.
//!
//! The file and the host's memory each stop alone (D16).

use serde_json::{Value, json};

use sidestick_evidence::files::{self, FilesError};

use crate::registry::Registry;

/// A brake as its file says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrakeFile {
    /// Who set it.
    pub by: String,
    /// Why.
    pub why: Option<String>,
}

/// Sets the brake; one that stands stays as it is.
///
/// # Errors
///
/// Fails when the file cannot be written; running hosts are told all the same.
pub fn set(registry: &Registry, brake: &BrakeFile) -> Result<(), FilesError> {
    if read(registry).is_some() {
        return Ok(());
    }
    let text = json!({"by": brake.by, "why": brake.why}).to_string();
    files::write_atomic(&registry.brake_file(), text.as_bytes())
}

/// Lifts the brake; false when none stood.
///
/// # Errors
///
/// Fails when the file cannot be removed; the brake stands then.
pub fn lift(registry: &Registry) -> Result<bool, FilesError> {
    let path = registry.brake_file();
    match rustix::fs::unlink(&path) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::NOENT) => Ok(false),
        Err(source) => {
            Err(FilesError::Io { what: "remove", path: path.display().to_string(), source })
        }
    }
}

/// Returns the brake that stands. A file that cannot be read is a brake too (I9).
pub fn read(registry: &Registry) -> Option<BrakeFile> {
    let path = registry.brake_file();
    if let Err(rustix::io::Errno::NOENT) = rustix::fs::lstat(&path) {
        return None;
    }
    let text = files::read_file(&path, 65_536).unwrap_or_default();
    let value: Value = serde_json::from_slice(&text).unwrap_or_default();
    let part = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let by = part("by").unwrap_or_else(|| "an unreadable brake file".to_owned());
    Some(BrakeFile { by, why: part("why") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_brake_still_brakes_i9() {
        let home = tempfile::tempdir().unwrap();
        let registry = Registry::open(&home.path().join("a/b")).unwrap();
        assert_eq!(read(&registry), None);

        std::fs::write(registry.brake_file(), "not json").unwrap();

        assert!(read(&registry).is_some());
        assert!(lift(&registry).unwrap());
        assert!(!lift(&registry).unwrap());
    }
}
