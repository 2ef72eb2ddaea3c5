//! `sabotage/seams.toml`: each guard that can be left out, and the test that must notice.
//!
//! The names are read out of `crates/model/src/seam.rs`: a seam without a line here, and a line
//! without a seam, are both told.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use regex::Regex;

/// One guard, and the tests of which one must fail without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seam {
    pub(super) name: String,
    pub(super) package: String,
    /// A nextest filter expression.
    pub(super) catches: String,
}

/// The whole table, and what the seams themselves must keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) seams: Vec<Seam>,
    /// Package and filter of the tests of the seams, which run with none left out.
    pub(super) unbroken: (String, String),
}

impl Table {
    /// Returns the lines whose name, written `seam:NAME`, contains one of `names`; all when none
    /// is given.
    pub(super) fn chosen(&self, names: &[&str]) -> Vec<Seam> {
        let is_meant = |seam: &&Seam| {
            let name = format!("seam:{}", seam.name);
            names.is_empty() || names.iter().any(|part| name.contains(part))
        };
        self.seams.iter().filter(is_meant).cloned().collect()
    }

    /// Returns every package that holds a named test, so that one build serves every seam.
    pub(super) fn packages(&self) -> BTreeSet<&str> {
        let named = self.seams.iter().map(|seam| seam.package.as_str());
        named.chain([self.unbroken.0.as_str()]).collect()
    }
}

/// Reads the table of the repository at `root`.
///
/// # Errors
///
/// Fails when a line is not complete, names no seam or one twice, or a seam has no line.
pub(super) fn load(root: &Path) -> Result<Table> {
    let text = std::fs::read_to_string(root.join("sabotage/seams.toml"))
        .context("cannot read sabotage/seams.toml")?;
    let source = std::fs::read_to_string(root.join("crates/model/src/seam.rs"))
        .context("cannot read crates/model/src/seam.rs")?;
    let table = parse(&text)?;
    compare(&table, &known(&source)?)?;
    Ok(table)
}

fn parse(text: &str) -> Result<Table> {
    let value: toml::Value = toml::from_str(text).context("sabotage/seams.toml is no TOML")?;
    let word = |of: &toml::Value, key: &str| -> Result<String> {
        let text = of.get(key).and_then(toml::Value::as_str).unwrap_or_default().trim().to_owned();
        ensure!(!text.is_empty(), "a table of sabotage/seams.toml has no `{key}`");
        Ok(text)
    };
    let unbroken = value.get("unbroken").context("sabotage/seams.toml has no `unbroken`")?;
    let lines = value.get("seam").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    let seam = |line: &toml::Value| -> Result<Seam> {
        let (package, catches) = (word(line, "package")?, word(line, "catches")?);
        Ok(Seam { name: word(line, "name")?, package, catches })
    };
    Ok(Table {
        seams: lines.iter().map(seam).collect::<Result<_>>()?,
        unbroken: (word(unbroken, "package")?, word(unbroken, "tests")?),
    })
}

/// Returns the names in the source of the seams.
fn known(source: &str) -> Result<BTreeSet<String>> {
    let line = Regex::new(r#"(?m)^    [A-Z]\w+ = "([a-z_]+)";$"#)?;
    let names: BTreeSet<String> =
        line.captures_iter(source).map(|found| found[1].to_owned()).collect();
    ensure!(!names.is_empty(), "no seam is found in its source: nothing would be checked");
    Ok(names)
}

fn compare(table: &Table, known: &BTreeSet<String>) -> Result<()> {
    let mut listed = BTreeSet::new();
    for seam in &table.seams {
        ensure!(known.contains(&seam.name), "`{}` is an unknown seam", seam.name);
        ensure!(listed.insert(seam.name.clone()), "the seam `{}` is listed twice", seam.name);
    }
    let missing: Vec<&str> = known.difference(&listed).map(String::as_str).collect();
    ensure!(missing.is_empty(), "no test is named for the seam {}", missing.join(", "));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "[unbroken]\npackage = \"cli\"\ntests = \"all()\"\n\
        [[seam]]\nname = \"noise\"\npackage = \"a\"\ncatches = \"test(b)\"\n";

    fn names(of: &[&str]) -> BTreeSet<String> {
        of.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn every_seam_of_this_repository_has_a_test_that_must_notice() {
        let table = load(&crate::root().unwrap()).unwrap();

        assert!(30 <= table.seams.len(), "{} seams", table.seams.len());
        assert!(table.packages().contains("sidestick-gate"));
        assert_eq!(table.chosen(&["boundary_fetch"]).len(), 1);
        assert_eq!(table.chosen(&["seam:"]), table.seams);
        assert_eq!(table.chosen(&["i2"]), []);
    }

    #[test]
    fn a_seam_without_a_line_and_a_line_without_a_seam_are_told() {
        let table = parse(GOOD).unwrap();
        assert!(compare(&table, &names(&["noise"])).is_ok());

        let error = |known: &[&str]| compare(&table, &names(known)).unwrap_err().to_string();
        assert_eq!(error(&["brake"]), "`noise` is an unknown seam");
        assert_eq!(error(&["brake", "noise"]), "no test is named for the seam brake");

        let twice = parse(&format!("{GOOD}{}", &GOOD[GOOD.find("[[").unwrap()..])).unwrap();
        assert!(compare(&twice, &names(&["noise"])).unwrap_err().to_string().contains("twice"));
    }

    #[test]
    fn a_line_that_is_not_complete_is_refused() {
        for part in ["name = \"noise\"\n", "catches = \"test(b)\"\n", "tests = \"all()\"\n"] {
            assert!(parse(&GOOD.replace(part, "")).is_err(), "without {part}");
        }
    }

    #[test]
    fn a_source_without_names_is_an_error() {
        assert!(known("pub enum Seam {}").is_err());
        assert_eq!(known("    Noise = \"noise\";\n").unwrap(), names(&["noise"]));
    }
}
