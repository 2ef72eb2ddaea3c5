//! Downloads: what a page handed over as a file, and what became of it.

use serde::{Deserialize, Serialize};

use crate::id::ActId;
use crate::outcome::words;

words! {
    /// How a download stands: a closed list.
    DownloadStatus {
        /// Whole, and in the run folder.
        Saved = "saved",
        /// Still on its way when it was told.
        Pending = "pending",
        /// It ended before it was whole.
        Failed = "failed",
        /// Its address is outside the boundary; nothing of it was kept.
        Blocked = "blocked",
        /// Larger than one may be; nothing of it was kept.
        TooLarge = "too_large",
        /// One more than a run may keep; nothing of it was kept.
        TooMany = "too_many",
    }
}

/// A download as told to callers and to the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DownloadSeen {
    /// The name the page gave it; page text.
    pub name: String,
    /// Where it came from.
    pub url: String,
    /// How it stands.
    pub status: DownloadStatus,
    /// The file, relative to the run folder, once it is saved.
    pub file: Option<String>,
    /// Bytes that came.
    pub bytes: u64,
    /// The SHA-256 of the file in hex, once it is saved.
    pub sha256: Option<String>,
    /// Why nothing was saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The act it began with, or the last one before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<ActId>,
    /// The driver's id of it, to find it again; never shown.
    #[serde(skip)]
    pub key: String,
}

impl DownloadSeen {
    /// Makes a download that has just begun.
    pub fn begun(key: String, name: String, url: String) -> DownloadSeen {
        DownloadSeen {
            name,
            url,
            status: DownloadStatus::Pending,
            file: None,
            bytes: 0,
            sha256: None,
            reason: None,
            act: None,
            key,
        }
    }
}
