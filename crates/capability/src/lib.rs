//! Steps: the one step driver behind scripted runs (D28).

pub mod drive;
#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
pub mod fuzz;
pub mod script;

pub use drive::{GoalEnd, Progress, ScriptEnd, Witness, drive};
