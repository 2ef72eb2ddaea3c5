//! `target/bars/<name>.json`: the numbers behind a verdict, so that nobody must trust an exit code.

use std::path::Path;

use anyhow::{Context as _, Result};
use serde_json::Value;

/// Writes `numbers` to `target/bars/<name>.json` under `root`.
pub(crate) fn write(root: &Path, name: &str, numbers: &Value) -> Result<()> {
    let folder = root.join("target/bars");
    std::fs::create_dir_all(&folder).context("cannot create target/bars")?;

    let path = folder.join(format!("{name}.json"));
    let text = format!("{numbers:#}\n");
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}
