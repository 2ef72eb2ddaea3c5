//! The `sidestick` command: one process per verb, a thin client of the run's host.

mod args;
mod commands;
mod config;
mod demo_app;
mod keeper;
mod render;
mod spawn;
mod wire;

use std::process::ExitCode;

#[cfg(all(feature = "test-root", not(debug_assertions)))]
compile_error!("the feature `test-root` is for tests alone; release builds refuse it");
#[cfg(all(feature = "sabotage", not(debug_assertions)))]
compile_error!("the feature `sabotage` is for tests alone; release builds refuse it");

fn main() -> ExitCode {
    commands::main()
}
