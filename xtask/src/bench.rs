//! The bench: the release build measured beside the raw protocol and the peers.
//!
//! The measuring is done by `bench/bench.mjs`; this only finds what it needs and passes on what it
//! says. What the peers are is pinned in `bench/peers`.

use std::fmt;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::run::{output, tool};

/// The exit code of the bench when something it needs is not installed.
pub(crate) const MISSING: u8 = 5;

/// Something that has to be installed first; the bench has named it.
#[derive(Debug)]
pub(crate) struct Missing;

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("something is missing; `tools/setup.sh bench` installs it, or says how")
    }
}

impl std::error::Error for Missing {}

/// Runs the bench with `options` and says whether every bar was held or its miss is explained.
///
/// # Errors
///
/// Fails with [`Missing`] when Node, a browser, the program or a peer is not there.
pub(crate) fn run(root: &Path, options: &[&str]) -> Result<bool> {
    if output(tool(root, "node", &["--version"])).is_err() {
        return Err(Missing.into());
    }

    let arguments = [&["bench/bench.mjs"], options].concat();
    let status = tool(root, "node", &arguments).status().context("cannot run node")?;

    verdict(status.code())
}

/// Turns the exit code of the bench into what a chore says.
fn verdict(code: Option<i32>) -> Result<bool> {
    match code {
        Some(0) => Ok(true),
        Some(1) => Ok(false),
        Some(code) if code == i32::from(MISSING) => Err(Missing.into()),
        code => bail!("the bench ended with {code:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_told_from_what_was_missed() {
        assert!(verdict(Some(0)).unwrap());
        assert!(!verdict(Some(1)).unwrap());
        assert!(verdict(Some(5)).unwrap_err().is::<Missing>());
        for code in [Some(2), Some(130), None] {
            assert!(!verdict(code).unwrap_err().is::<Missing>(), "{code:?}");
        }
    }
}
