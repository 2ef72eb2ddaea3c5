//! What every commit must pass; a subset of the whole suite that takes seconds when little changed.

use std::path::Path;

use anyhow::Result;

use crate::run::{succeeds, tool};
use crate::tidy;

/// Runs every check, the cheap ones first, and stops at the first that fails.
pub(crate) fn run(root: &Path) -> Result<bool> {
    if !succeeds(tool(root, "cargo", &["fmt", "--all", "--check"]))? {
        return Ok(false);
    }
    if !tidy::report(&tidy::violations(root)?)? {
        return Ok(false);
    }
    let clippy = [
        "clippy",
        "--quiet",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--locked",
        "--",
        "-D",
        "warnings",
    ];
    if !succeeds(tool(root, "cargo", &clippy))? {
        return Ok(false);
    }
    succeeds(tool(
        root,
        "cargo",
        &["test", "--quiet", "--workspace", "--lib", "--bins", "--locked"],
    ))
}
