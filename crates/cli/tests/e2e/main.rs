//! End to end: the binary alone, over the demo application and pages made for one test each.
//!
//! Nothing of our code is linked here. Every test has a [`lab::Lab`] of its own and fails when
//! anything of its runs is left behind.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "the functions shared by the tests are not covered by the settings for tests"
)]

mod actions;
mod app;
mod beginnings;
mod brake;
mod browser_death;
mod by_hand;
mod callers;
mod demo;
mod disk;
mod emulation;
mod exits;
mod faults;
mod forms;
mod host_death;
mod lab;
mod looking;
mod overrides;
mod pages;
mod policies;
mod processes;
mod racing;
mod refusals;
mod sandbox;
mod signals;
mod site;
mod strangers;
mod usage;
mod windows;
mod wire;
