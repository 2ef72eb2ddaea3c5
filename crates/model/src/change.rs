//! What visibly changed between two moments: the answer of `changes`.

use serde::{Deserialize, Serialize};

use crate::id::ActId;
use crate::observation::{Change, PageState, Subject};

/// A read of what has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChangesAsk {
    /// Which client asks; by default it is told what came after its last read.
    pub caller: String,
    /// How far back instead, in milliseconds.
    pub back_ms: Option<u64>,
    /// Whether the contents of fields are shown, those of secret ones excepted.
    pub unmask: bool,
}

/// Where a read begins, on the clock of the page.
#[derive(Debug, Clone, PartialEq)]
pub enum ChangesFrom {
    /// Where the record of the page begins.
    Start,
    /// Where an earlier read of this document ended.
    Read {
        /// The document.
        document: String,
        /// The end of that read.
        until: f64,
    },
    /// So many milliseconds ago.
    Back(u64),
}

/// What has changed in a page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChangesSeen {
    /// The page.
    pub page: PageState,
    /// The document's own id; times of two documents cannot be compared.
    pub document: String,
    /// True when recording has only begun with this read, and nothing is known of what was before.
    pub started: bool,
    /// Where the window begins, in milliseconds of the page's clock. Later than asked for when more
    /// has changed than is kept.
    pub from: f64,
    /// Where it ends; the next read goes on exactly there.
    pub until: f64,
    /// Elements and steps that could not be kept.
    pub dropped: u32,
    /// The changes, oldest first, one for each element.
    pub changes: Vec<ChangeSeen>,
}

/// What happened to one element within a window.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ChangeSeen {
    /// `text`, `appeared`, `disappeared`, `brief`, `value` or `title`.
    pub kind: String,
    /// Its ref, when it can be acted on.
    #[serde(rename = "ref")]
    pub id: Option<String>,
    /// What it is, and where.
    pub subject: Subject,
    /// What it was at the beginning.
    pub before: Option<String>,
    /// What it was at the end.
    pub after: Option<String>,
    /// How many times it changed.
    pub count: u32,
    /// The smallest, of numbers that changed more than once.
    pub min: Option<f64>,
    /// The largest of them.
    pub max: Option<f64>,
    /// When it last changed, on the page's clock.
    pub at: f64,
    /// When it last changed before the window.
    pub last_before: Option<f64>,
    /// The input that brought it about, when that is certain (BR-144).
    pub cause: Option<CauseSeen>,
}

/// An input that brought a change about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CauseSeen {
    /// The event.
    pub kind: String,
    /// The ref of what it went to.
    #[serde(rename = "ref")]
    pub id: Option<String>,
    /// The role of what it went to.
    pub role: String,
    /// Its name.
    pub name: Option<String>,
    /// Whether it was the last act.
    pub act: bool,
}

/// What an act brought about after it was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Late {
    /// The act.
    pub act: ActId,
    /// What changed, in the words of an outcome.
    pub changes: Vec<Change>,
}
