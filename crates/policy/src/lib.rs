//! The rules: what may be done, where, by whom, and what may be shown.
//!
//! Every decision is a function of its arguments: no file, clock, task or environment is here.

pub mod boundary;
pub mod decide;
pub mod environment;
#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
pub mod fuzz;
pub mod redact;
pub mod risk;
pub mod secret;

pub use boundary::{Boundary, DocumentKind, Judged};
pub use decide::{Decision, Question, decide};
pub use redact::{Redacted, Redactor};
pub use secret::{Credentials, Secret};
