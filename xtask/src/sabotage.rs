//! Breaks each invariant on purpose and sees the named test fail.
//!
//! Every patch is applied to a copy of the tree, so that an interrupted run leaves nothing behind
//! in the work tree. The copy and its target folder stay, so that the next build is small.
//!
//! A patch that does not apply, does not compile, or names no test is a harness error: it says
//! nothing about the invariant, and is never counted as caught.

mod copy;
mod patch;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail, ensure};
use serde_json::{Value, json};

use crate::bars;
use crate::run::{output, tool};
use copy::Copy;
use patch::Patch;

/// Invariants that must have a patch; the list grows with the parts that keep them.
const REQUIRED: &[&str] = &["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I11"];

/// How nextest says that a test failed, and that no test matched.
const NEXTEST_TEST_FAILED: i32 = 100;
const NEXTEST_NO_TESTS: i32 = 4;

/// What became of one patch.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Verdict {
    /// The named test failed, as it must.
    Caught,
    /// Every named test passed: nothing guards the invariant.
    Missed,
    /// The run says nothing about the invariant.
    HarnessError(String),
}

/// Runs the patches in `sabotage/`, or those whose file name contains one of `names`.
pub(crate) fn run(root: &Path, names: &[&str]) -> Result<bool> {
    let started = Instant::now();
    ensure!(
        output(tool(root, "cargo", &["nextest", "--version"])).is_ok(),
        "cargo-nextest is missing; `cargo install cargo-nextest --locked` installs it"
    );
    let patches = patch::load(&root.join("sabotage"), names)?;
    let bench = Bench::new(root)?;

    bench.copy.restore()?;
    let broken = bench.baseline(&patches)?;
    let mut rows = Vec::new();
    for patch in &patches {
        let began = Instant::now();
        let judged = match broken.contains(patch.package.as_str()) {
            true => Err(anyhow!("a test fails in the unbroken tree")),
            false => bench.judge(patch),
        };
        let verdict = judged.unwrap_or_else(|e| Verdict::HarnessError(format!("{e:#}")));
        bench.copy.restore()?;
        let seconds = began.elapsed().as_secs_f64();
        println!("{}", line(patch, &verdict, seconds));
        rows.push((patch, verdict, seconds));
    }

    let uncovered = if names.is_empty() { uncovered(&patches) } else { Vec::new() };
    let caught = rows.iter().filter(|(_, verdict, _)| *verdict == Verdict::Caught).count();
    if !uncovered.is_empty() {
        println!("without a patch: {}", uncovered.join(", "));
    }
    println!("caught {caught}/{}", rows.len());
    bars::write(root, "sabotage", &numbers(&rows, caught, &uncovered, started))?;
    Ok(caught == rows.len() && !rows.is_empty() && uncovered.is_empty())
}

fn numbers(
    rows: &[(&Patch, Verdict, f64)],
    caught: usize,
    uncovered: &[&str],
    started: Instant,
) -> Value {
    let row = |(patch, verdict, seconds): &(&Patch, Verdict, f64)| {
        let (word, detail) = words(verdict);
        json!({
            "patch": patch.name,
            "invariant": patch.invariant,
            "package": patch.package,
            "catches": patch.catches,
            "verdict": word,
            "detail": detail,
            "seconds": (seconds * 10.0).round() / 10.0,
        })
    };
    let is_error = |row: &&(&Patch, Verdict, f64)| matches!(row.1, Verdict::HarnessError(_));
    json!({
        "caught": caught,
        "total": rows.len(),
        "harness_errors": rows.iter().filter(is_error).count(),
        "uncovered": uncovered,
        "seconds": started.elapsed().as_secs(),
        "rows": rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn words(verdict: &Verdict) -> (&'static str, Option<&str>) {
    match verdict {
        Verdict::Caught => ("caught", None),
        Verdict::Missed => ("missed", None),
        Verdict::HarnessError(why) => ("harness_error", Some(why)),
    }
}

fn line(patch: &Patch, verdict: &Verdict, seconds: f64) -> String {
    let (word, detail) = words(verdict);
    let detail = detail.map(|why| format!(": {why}")).unwrap_or_default();
    format!("{word:<14} {:<4} {:<44} {seconds:>6.1} s{detail}", patch.invariant, patch.name)
}

fn uncovered(patches: &[Patch]) -> Vec<&'static str> {
    let has_patch = |invariant: &str| patches.iter().any(|patch| patch.invariant == invariant);
    REQUIRED.iter().copied().filter(|invariant| !has_patch(invariant)).collect()
}

/// The copy of the tree that patches are tried on, and where it is built.
struct Bench {
    copy: Copy,
    target: PathBuf,
}

impl Bench {
    fn new(root: &Path) -> Result<Bench> {
        let folder = root.join("target/sabotage");
        let copy = Copy::new(root, &folder.join("tree"))?;
        Ok(Bench { copy, target: folder.join("target") })
    }

    /// Runs every named test before anything is broken; returns the packages where one fails.
    fn baseline<'a>(&self, patches: &'a [Patch]) -> Result<BTreeSet<&'a str>> {
        let mut filters: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for patch in patches {
            filters.entry(&patch.package).or_default().push(format!("({})", patch.catches));
        }
        let mut broken = BTreeSet::new();
        for (package, filters) in filters {
            println!("{package}: the named tests, unbroken");
            let filter = filters.join(" | ");
            if !self.nextest("run", package, &["-E", &filter]).status()?.success() {
                broken.insert(package);
            }
        }
        Ok(broken)
    }

    fn judge(&self, patch: &Patch) -> Result<Verdict> {
        let listed = ["-E", &patch.catches, "--message-format", "json"];
        let listed = output(self.nextest("list", &patch.package, &listed))?;
        ensure!(matched(&listed)? > 0, "`{}` names no test", patch.catches);

        self.copy.apply(patch)?;
        let built = self.nextest("run", &patch.package, &["--no-run"]).output()?;
        if !built.status.success() {
            let stderr = String::from_utf8_lossy(&built.stderr).into_owned();
            let first = stderr.lines().find(|line| line.starts_with("error")).unwrap_or("error");
            bail!("the broken tree does not compile: {first}");
        }
        let ran = self.nextest("run", &patch.package, &["-E", &patch.catches]).output()?;
        verdict(ran.status.code())
    }

    /// A command in the copy, for one package; each test is bounded by the profile `sabotage`.
    fn nextest(&self, verb: &str, package: &str, more: &[&str]) -> Command {
        let mut command = tool(self.copy.path(), "cargo", &["nextest", verb, "--locked"]);
        command.args(["--cargo-quiet", "--package", package]);
        if verb == "run" {
            command.args(["--profile", "sabotage"]);
        }
        if package == "sidestick" {
            command.args(["--features", "test-root"]);
        }
        command.args(more).env("CARGO_TARGET_DIR", &self.target);
        command
    }
}

fn verdict(code: Option<i32>) -> Result<Verdict> {
    match code.context("nextest was killed")? {
        0 => Ok(Verdict::Missed),
        NEXTEST_TEST_FAILED => Ok(Verdict::Caught),
        NEXTEST_NO_TESTS => bail!("the broken tree has no such test"),
        code => bail!("nextest ended with {code}"),
    }
}

/// Counts the tests that a listing says matched its filter.
fn matched(listing: &str) -> Result<usize> {
    let listing: Value = serde_json::from_str(listing).context("nextest listed no JSON")?;
    let suites = listing["rust-suites"].as_object().context("nextest listed no suites")?;
    let cases = suites.values().filter_map(|suite| suite["testcases"].as_object());
    let is_match = |case: &&Value| case["filter-match"]["status"] == "matches";
    Ok(cases.map(|cases| cases.values().filter(is_match).count()).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_failing_test_counts_as_caught() {
        assert_eq!(verdict(Some(0)).unwrap(), Verdict::Missed);
        assert_eq!(verdict(Some(100)).unwrap(), Verdict::Caught);
        assert!(verdict(Some(4)).is_err());
        assert!(verdict(Some(101)).is_err());
        assert!(verdict(None).is_err());
    }

    #[test]
    fn counts_the_tests_a_filter_matches() {
        let listing = r#"{"rust-suites": {"gate::it": {"testcases": {
            "a": {"filter-match": {"status": "matches"}},
            "b": {"filter-match": {"status": "mismatch", "reason": "expression"}}
        }}}}"#;

        assert_eq!(matched(listing).unwrap(), 1);
        assert!(matched("{}").is_err());
    }

    #[test]
    fn an_invariant_without_a_patch_is_named() {
        assert_eq!(uncovered(&[]), REQUIRED);
    }
}
