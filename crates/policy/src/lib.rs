//! The rules: what may be done, where, by whom, and what may be shown.
//!
//! Every decision is a function of its arguments: no file, clock, task or environment is here.

mod address;
pub mod boundary;
pub mod cases;
pub mod decide;
pub mod environment;
#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
pub mod fuzz;
pub mod gates;
pub mod language;
pub mod load;
mod place;
pub mod policy;
mod rating;
pub mod redact;
pub mod risk;
pub mod secret;
pub mod trail;

pub use boundary::{Boundary, DocumentKind, Judged};
pub use decide::{Decision, Question, decide};
pub use load::{LoadError, Problem};
pub use policy::{Policy, ValueSource};
pub use redact::{Redacted, Redactor};
pub use secret::{Credentials, Secret};
