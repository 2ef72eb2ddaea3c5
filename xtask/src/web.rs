//! The page scripts: built by `web/build.mjs`, committed as bundles, compared here.
//!
//! Building the product never needs Node; only changing a page script does.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::run::{succeeds, tool};

/// Where the bundles live, relative to the root.
const BUNDLES: &str = "crates/browser/src/injected";

/// Builds the bundles in place.
pub(crate) fn build(root: &Path) -> Result<bool> {
    ensure!(root.join("web/build.mjs").exists(), "web/build.mjs is missing");
    if !root.join("web/node_modules").exists() {
        let install = ["ci", "--prefix", "web", "--no-audit", "--no-fund"];
        ensure!(succeeds(tool(root, "npm", &install))?, "`npm ci` failed in web/");
    }
    succeeds(tool(root, "node", &["web/build.mjs"])).context("Node.js is needed to build web/")
}

/// Builds the bundles, compares them with the committed ones and puts those back.
pub(crate) fn check(root: &Path) -> Result<bool> {
    let committed = bundles(root)?;
    if !build(root)? {
        return Ok(false);
    }
    let built = bundles(root)?;

    for (name, text) in &committed {
        std::fs::write(root.join(BUNDLES).join(name), text)?;
    }
    let stale: Vec<&str> = built
        .iter()
        .filter(|(name, text)| committed.get(*name) != Some(text))
        .map(|(name, _)| name.as_str())
        .collect();
    for name in &stale {
        println!("{BUNDLES}/{name} differs from its sources; run `cargo xtask web`");
    }
    Ok(stale.is_empty())
}

/// Reads every bundle, by file name.
fn bundles(root: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let folder = root.join(BUNDLES);
    let mut found = BTreeMap::new();
    if !folder.exists() {
        return Ok(found);
    }
    for entry in std::fs::read_dir(&folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "js") {
            let name = path.file_name().context("a bundle has no name")?;
            found.insert(name.to_string_lossy().into_owned(), std::fs::read(&path)?);
        }
    }
    Ok(found)
}
