//! The `sidestick` command.
fn main() {}
