//! Files a run may hand to a page, as they were found on the disk.

use serde::{Deserialize, Serialize};

/// One file or folder, checked: it is there, and the run may give it away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Upload {
    /// Its whole path, links resolved.
    pub path: String,
    /// Its name.
    pub name: String,
    /// Its length; that of a folder is not told.
    pub bytes: u64,
    /// Whether it is a folder.
    pub is_folder: bool,
}
