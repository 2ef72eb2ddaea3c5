//! Steps: the one step driver behind scripted runs (D28).

pub mod drive;
pub mod form;
#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
pub mod fuzz;
pub mod script;

pub use drive::{ActAs, GoalEnd, Progress, ScriptEnd, Witness, drive};
