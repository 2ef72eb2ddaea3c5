//! The rules of `docs/style.md` and `ARCHITECTURE.md` that a machine can check.
//!
//! Each rule is a module with a test that feeds it a bad input and expects the complaint: a check
//! that has never failed has not been tested. The rules read text, not syntax trees; where one can
//! be fooled its header says how, and the compiler or a reviewer holds the rest.

mod homes;
mod layers;
mod licenses;
mod lines;
mod listed;
mod marks;
mod page_scripts;
mod perform;
mod places;
mod shape;
mod traits;
mod tree;

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::run::{output, tool};
pub(crate) use tree::tracked_paths;

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Violation {
    path: String,
    /// Counted from 1; 0 when the whole file or repository is meant.
    line: usize,
    message: String,
}

impl Violation {
    fn at(path: &str, line: usize, message: impl Into<String>) -> Violation {
        Violation { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

/// Returns every broken rule in the repository at `root`, sorted.
///
/// # Errors
///
/// Fails when the repository cannot be read or cargo cannot describe it.
pub(crate) fn violations(root: &Path) -> Result<Vec<Violation>> {
    let tree = tree::Tree::load(root)?;
    let metadata = metadata(root, &["--no-deps"])?;

    let mut found = Vec::new();
    found.extend(layers::check(&metadata));
    found.extend(shape::check(&tree)?);
    found.extend(marks::check(&tree)?);
    found.extend(homes::check(&tree)?);
    found.extend(perform::check(&tree)?);
    found.extend(traits::check(&tree)?);
    found.extend(page_scripts::check(&tree)?);
    found.extend(listed::check(&tree)?);
    found.extend(places::check(&tree, root)?);
    found.extend(license_violations(root)?);
    found.sort();
    found.dedup();
    Ok(found)
}

/// Returns every dependency whose license `deny.toml` does not allow.
///
/// # Errors
///
/// Fails when `deny.toml` cannot be read or cargo cannot resolve the workspace.
pub(crate) fn license_violations(root: &Path) -> Result<Vec<Violation>> {
    let deny = std::fs::read_to_string(root.join("deny.toml")).context("cannot read deny.toml")?;
    // The platform is fixed, so that the crates of others need not be downloaded; `cargo deny`
    // looks at all of them.
    let platform = ["--locked", "--filter-platform", "x86_64-unknown-linux-gnu"];
    licenses::check(&metadata(root, &platform)?, &deny)
}

/// Prints what was found and says whether it was nothing.
pub(crate) fn report(found: &[Violation]) -> Result<bool> {
    for violation in found {
        println!("{violation}");
    }
    if found.is_empty() {
        println!("tidy: in order");
    } else {
        println!("tidy: {} violations", found.len());
    }
    Ok(found.is_empty())
}

fn metadata(root: &Path, options: &[&str]) -> Result<Value> {
    let arguments = [&["metadata", "--format-version", "1"], options].concat();
    let printed = output(tool(root, "cargo", &arguments))?;
    serde_json::from_str(&printed).context("cargo metadata did not print JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes every `cargo test` a check of the rules.
    #[test]
    fn this_repository_is_tidy() {
        let root = crate::root().unwrap();

        let found: Vec<String> =
            violations(&root).unwrap().iter().map(Violation::to_string).collect();

        assert!(found.is_empty(), "{} violations:\n{}", found.len(), found.join("\n"));
    }

    #[test]
    fn a_violation_names_its_place() {
        assert_eq!(Violation::at("a.rs", 3, "too long").to_string(), "a.rs:3: too long");
        assert_eq!(Violation::at("a.rs", 0, "too long").to_string(), "a.rs: too long");
    }
}
