//! One file of `sabotage/`: a header that says what it breaks and what must notice, then a diff.

use std::path::Path;

use anyhow::{Context as _, Result, ensure};

/// A patch and what it claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Patch {
    /// The file name without its extension.
    pub(super) name: String,
    pub(super) text: String,
    /// A nextest filter expression: the tests of which one must fail.
    pub(super) catches: String,
    pub(super) package: String,
    /// `I1` to `I12`, or a word for a guard that is no invariant.
    pub(super) invariant: String,
}

/// Reads the patches in `folder` whose name contains one of `names`; all when none is given.
///
/// # Errors
///
/// Fails when a header is not complete.
pub(super) fn load(folder: &Path, names: &[&str]) -> Result<Vec<Patch>> {
    let mut patches = Vec::new();
    for entry in std::fs::read_dir(folder).context("cannot read sabotage/")? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "patch") {
            continue;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if names.is_empty() || names.iter().any(|part| name.contains(part)) {
            let text = std::fs::read_to_string(&path)?;
            patches.push(parse(&name, &text)?);
        }
    }
    patches.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(patches)
}

fn parse(name: &str, text: &str) -> Result<Patch> {
    let header: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
    let field = |key: &str| {
        let value = header.iter().find_map(|line| line.strip_prefix(&format!("# {key}:")))?.trim();
        (!value.is_empty()).then(|| value.to_owned())
    };
    let require = |key: &str| field(key).with_context(|| format!("{name}: no `# {key}:` line"));

    let patch = Patch {
        name: name.to_owned(),
        text: text.to_owned(),
        catches: require("catches")?,
        package: require("package")?,
        invariant: require("invariant")?,
    };
    ensure!(text.lines().any(|line| line.starts_with("+++ ")), "{name}: no diff after the header");
    Ok(patch)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "# invariant: I2\n# package: sidestick-gate\n# catches: test(judges)\n\n\
                        --- a/crates/gate/src/submit.rs\n+++ b/crates/gate/src/submit.rs\n";

    #[test]
    fn reads_what_a_patch_claims() {
        let patch = parse("i2-judges-the-request", GOOD).unwrap();

        assert_eq!(patch.invariant, "I2");
        assert_eq!(patch.package, "sidestick-gate");
        assert_eq!(patch.catches, "test(judges)");
    }

    #[test]
    fn a_header_that_is_not_complete_is_refused() {
        for line in
            ["# invariant: I2\n", "# package: sidestick-gate\n", "# catches: test(judges)\n"]
        {
            assert!(parse("x", &GOOD.replace(line, "")).is_err(), "without {line}");
        }
        assert!(parse("x", &GOOD.replace("+++ ", "")).is_err());
        assert!(parse("x", &GOOD.replace("test(judges)", "")).is_err());
    }
}
