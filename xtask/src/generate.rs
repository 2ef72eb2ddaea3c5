//! `docs/reference/`: written by the binary itself, so that it cannot say anything else.
//!
//! The hidden verb `__reference` prints one JSON object, file name to text.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::run::{output, tool};

const FOLDER: &str = "docs/reference";

type Pages = BTreeMap<String, String>;

/// Writes every page and removes those that are no longer made.
pub(crate) fn write(root: &Path) -> Result<bool> {
    let pages = pages(root)?;
    let folder = root.join(FOLDER);
    std::fs::create_dir_all(&folder)?;

    for name in committed(root)?.keys().filter(|name| !pages.contains_key(*name)) {
        std::fs::remove_file(folder.join(name))?;
    }
    for (name, text) in &pages {
        std::fs::write(folder.join(name), text)?;
    }
    println!("{FOLDER}: {} pages", pages.len());
    Ok(true)
}

/// Says whether the committed pages are the ones the binary prints.
pub(crate) fn check(root: &Path) -> Result<bool> {
    let drifted = drift(&pages(root)?, &committed(root)?);
    for line in &drifted {
        println!("{line}; run `cargo xtask generate`");
    }
    Ok(drifted.is_empty())
}

fn pages(root: &Path) -> Result<Pages> {
    let run = ["run", "--quiet", "--locked", "--package", "sidestick", "--", "__reference"];
    parse(&output(tool(root, "cargo", &run))?)
}

fn parse(printed: &str) -> Result<Pages> {
    let pages: Pages =
        serde_json::from_str(printed).context("`__reference` did not print {name: text}")?;
    ensure!(!pages.is_empty(), "`__reference` printed no page");
    for name in pages.keys() {
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c));
        ensure!(plain && !name.starts_with('.'), "`{name}` is not a plain file name");
    }
    Ok(pages)
}

fn committed(root: &Path) -> Result<Pages> {
    let folder = root.join(FOLDER);
    let mut pages = Pages::new();
    if !folder.exists() {
        return Ok(pages);
    }
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        let name = path.file_name().context("a page has no name")?;
        pages.insert(name.to_string_lossy().into_owned(), std::fs::read_to_string(&path)?);
    }
    Ok(pages)
}

fn drift(made: &Pages, committed: &Pages) -> Vec<String> {
    let changed = made.iter().filter_map(|(name, text)| match committed.get(name) {
        None => Some(format!("{FOLDER}/{name} is missing")),
        Some(old) if old != text => Some(format!("{FOLDER}/{name} differs from the binary")),
        Some(_) => None,
    });
    let left = committed
        .keys()
        .filter(|name| !made.contains_key(*name))
        .map(|name| format!("{FOLDER}/{name} is made by nothing"));
    changed.chain(left).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(of: &[(&str, &str)]) -> Pages {
        of.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn names_every_kind_of_drift() {
        let made = pages(&[("cli.md", "new"), ("codes.md", "same"), ("outline.md", "x")]);
        let committed = pages(&[("cli.md", "old"), ("codes.md", "same"), ("gone.md", "x")]);

        assert_eq!(
            drift(&made, &committed),
            [
                "docs/reference/cli.md differs from the binary",
                "docs/reference/outline.md is missing",
                "docs/reference/gone.md is made by nothing",
            ]
        );
    }

    #[test]
    fn refuses_a_name_that_leaves_the_folder() {
        assert!(parse(r#"{"../README.md": "x"}"#).is_err());
        assert!(parse(r#"{}"#).is_err());
        assert!(parse(r#"{"cli.md": "x"}"#).is_ok());
    }
}
