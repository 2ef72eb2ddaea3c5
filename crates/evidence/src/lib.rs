//! The record: run folder, hash-chained trace, pictures, reports.
//!
//! The only writer of run files. It records what it is told and never acts.

pub mod downloads;
pub mod files;
pub mod format;
#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
pub mod fuzz;
pub mod key;
pub mod marks;
pub mod report;
pub mod run;
pub mod trace;
pub mod uploads;
pub mod verify;

pub use downloads::Kept;
pub use files::{FilesError, StateRoot};
pub use format::{ObservationLine, RunState};
pub use key::RecordKey;
pub use run::{Run, RunError};
pub use trace::{Trace, TraceError};
