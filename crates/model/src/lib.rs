//! The words every part of Sidestick agrees on: actions, targets, observations, outcomes, time.
//!
//! Nothing here acts, reads a file or knows a browser. Names are those of the glossary.

pub mod action;
pub mod actor;
pub mod call;
pub mod change;
pub mod download;
pub mod emulation;
pub mod form;
#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
pub mod fuzz;
pub mod id;
pub mod limits;
pub mod observation;
pub mod outcome;
pub mod record;
pub mod seam;
pub mod step;
pub mod target;
pub mod time;
pub mod upload;

pub use action::{Action, ActionKind, Chord, DialogAnswer, Direction, DragEnd, TabOp, Typed};
pub use actor::{Actor, LeaseId};
pub use download::{DownloadSeen, DownloadStatus};
pub use id::{ActId, FindingId, GoalId, ObservationId, RunId};
pub use observation::{ElementFacts, Expect, ExpectKind, PageState, Reading, Signal, Subject};
pub use outcome::{Code, Fate, Outcome, Status};
pub use seam::Seam;
pub use target::Target;
pub use time::{Clock, Deadline, DeadlineError, Stamp};
pub use upload::Upload;
