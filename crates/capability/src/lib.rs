//! Steps: the one step driver behind scripted runs (D28).

pub mod drive;
pub mod script;

pub use drive::{GoalEnd, Progress, ScriptEnd, Witness, drive};
