//! Breaks each guard on purpose and sees the named test fail.
//!
//! Invariants are broken by patches, applied to a copy of the tree, so that an interrupted run
//! leaves nothing behind in the work tree. The copy and its target folder stay, so that the next
//! build is small. Every other guard has a seam: one build of the copy serves them all, and the
//! environment says which guard it leaves out.
//!
//! A patch that does not apply or compile, a seam nobody knows and a name of no test are harness
//! errors: they say nothing about the guard, and are never counted as caught.

mod copy;
mod patch;
mod seams;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, bail, ensure};
use serde_json::{Value, json};

use crate::bars;
use crate::run::{output, tool};
use copy::Copy;
use patch::Patch;
use seams::{Seam, Table};

/// Invariants that must have a patch.
const REQUIRED: &[&str] =
    &["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8", "I9", "I10", "I11", "I12"];

/// The variable that names the guards to leave out, and the features of a build that can.
const SEAM_VARIABLE: &str = "SIDESTICK_SABOTAGE";
const SEAM_FEATURES: &str = "sidestick/test-root,sidestick/sabotage";

/// How nextest says that a test failed, that nothing could be built, and that no test matched.
const NEXTEST_TEST_FAILED: i32 = 100;
const NEXTEST_BUILD_FAILED: i32 = 101;
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

/// One guard that was broken, and what came of it.
struct Row {
    kind: &'static str,
    name: String,
    invariant: String,
    package: String,
    catches: String,
    verdict: Verdict,
    seconds: f64,
}

impl Row {
    fn of_seam(seam: &Seam, verdict: Verdict, began: Instant) -> Row {
        Row {
            kind: "seam",
            name: seam.name.clone(),
            invariant: "guard".to_owned(),
            package: seam.package.clone(),
            catches: seam.catches.clone(),
            verdict,
            seconds: began.elapsed().as_secs_f64(),
        }
    }

    fn of_patch(patch: &Patch, verdict: Verdict, began: Instant) -> Row {
        Row {
            kind: "patch",
            name: patch.name.clone(),
            invariant: patch.invariant.clone(),
            package: patch.package.clone(),
            catches: patch.catches.clone(),
            verdict,
            seconds: began.elapsed().as_secs_f64(),
        }
    }
}

/// Runs the patches and seams, or those whose name contains one of `names`.
pub(crate) fn run(root: &Path, names: &[&str]) -> Result<bool> {
    let started = Instant::now();
    ensure!(
        output(tool(root, "cargo", &["nextest", "--version"])).is_ok(),
        "cargo-nextest is missing; `cargo install cargo-nextest --locked` installs it"
    );
    let patches = patch::load(&root.join("sabotage"), names)?;
    let table = seams::load(root)?;
    let chosen = table.chosen(names);
    ensure!(!patches.is_empty() || !chosen.is_empty(), "nothing is called {}", names.join(", "));
    let bench = Bench::new(root)?;

    bench.copy.restore()?;
    let mut rows = bench.try_seams(&table, &chosen)?;
    rows.extend(bench.try_patches(&patches)?);

    let uncovered = if names.is_empty() { uncovered(&patches) } else { Vec::new() };
    let caught = rows.iter().filter(|row| row.verdict == Verdict::Caught).count();
    if !uncovered.is_empty() {
        println!("without a patch: {}", uncovered.join(", "));
    }
    println!("caught {caught}/{}", rows.len());
    bars::write(root, "sabotage", &numbers(&rows, caught, &uncovered, started))?;
    Ok(caught == rows.len() && uncovered.is_empty())
}

fn numbers(rows: &[Row], caught: usize, uncovered: &[&str], started: Instant) -> Value {
    let shown = |row: &Row| {
        let (word, detail) = words(&row.verdict);
        json!({
            row.kind: row.name,
            "invariant": row.invariant,
            "package": row.package,
            "catches": row.catches,
            "verdict": word,
            "detail": detail,
            "seconds": (row.seconds * 10.0).round() / 10.0,
        })
    };
    let of = |kind: &str| {
        let rows = rows.iter().filter(|row| row.kind == kind);
        let caught = rows.clone().filter(|row| row.verdict == Verdict::Caught).count();
        json!({"caught": caught, "total": rows.count()})
    };
    let is_error = |row: &&Row| matches!(row.verdict, Verdict::HarnessError(_));
    json!({
        "caught": caught,
        "total": rows.len(),
        "patches": of("patch"),
        "seams": of("seam"),
        "harness_errors": rows.iter().filter(is_error).count(),
        "uncovered": uncovered,
        "seconds": started.elapsed().as_secs(),
        "rows": rows.iter().map(shown).collect::<Vec<_>>(),
    })
}

fn words(verdict: &Verdict) -> (&'static str, Option<&str>) {
    match verdict {
        Verdict::Caught => ("caught", None),
        Verdict::Missed => ("missed", None),
        Verdict::HarnessError(why) => ("harness_error", Some(why)),
    }
}

fn line(row: &Row) -> String {
    let (word, detail) = words(&row.verdict);
    let detail = detail.map(|why| format!(": {why}")).unwrap_or_default();
    format!("{word:<14} {:<5} {:<44} {:>6.1} s{detail}", row.invariant, row.name, row.seconds)
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

    /// Leaves out each guard in turn, in one build that is asked to by its environment.
    fn try_seams(&self, table: &Table, seams: &[Seam]) -> Result<Vec<Row>> {
        if seams.is_empty() {
            return Ok(Vec::new());
        }
        println!("seams: the build, and the named tests unbroken");
        let built = self.seamed(table, None, &["--no-run"]).output()?;
        ensure!(built.status.success(), "the build with seams fails: {}", first_error(&built));
        let filters = by_package(seams.iter().map(|seam| (&seam.package, &seam.catches)));
        let stands = |filter: &str| -> Result<bool> {
            Ok(self.seamed(table, None, &["-E", filter]).status()?.success())
        };
        let mut doubtful = BTreeSet::new();
        for (package, filter) in &filters {
            if !stands(&format!("package({package}) & ({filter})"))? {
                doubtful.insert(package.as_str());
            }
        }

        let mut rows = Vec::new();
        for seam in seams {
            let began = Instant::now();
            let filter = format!("package({}) & ({})", seam.package, seam.catches);
            // One test that fails must not keep the others of its package from being tried.
            let verdict = if doubtful.contains(seam.package.as_str()) && !stands(&filter)? {
                Verdict::HarnessError("its test fails with every guard in place".to_owned())
            } else {
                let ran = self.seamed(table, Some(&seam.name), &["-E", &filter]).output()?;
                judged(verdict(ran.status.code()))
            };
            rows.push(told(Row::of_seam(seam, verdict, began)));
        }
        let (package, tests) = &table.unbroken;
        if !stands(&format!("package({package}) & ({tests})"))? {
            let (name, began) = ("unbroken".to_owned(), Instant::now());
            let seam = Seam { name, package: package.clone(), catches: tests.clone() };
            let why = "a seam is not recorded, or an unknown one is not refused".to_owned();
            rows.push(told(Row::of_seam(&seam, Verdict::HarnessError(why), began)));
        }
        Ok(rows)
    }

    /// Applies each patch in turn to the copy.
    fn try_patches(&self, patches: &[Patch]) -> Result<Vec<Row>> {
        let unusable = self.baseline(patches)?;
        let mut rows = Vec::new();
        for patch in patches {
            let began = Instant::now();
            let verdict = match unusable.get(patch.name.as_str()) {
                Some(why) => Verdict::HarnessError(why.clone()),
                None => judged(self.judge(patch)),
            };
            self.copy.restore()?;
            rows.push(told(Row::of_patch(patch, verdict, began)));
        }
        Ok(rows)
    }

    /// Runs every named test before anything is broken; returns the patches that cannot be judged,
    /// and why. What a filter names is asked here too: later it would cost a build of its own.
    fn baseline<'a>(&self, patches: &'a [Patch]) -> Result<BTreeMap<&'a str, String>> {
        let filters = by_package(patches.iter().map(|patch| (&patch.package, &patch.catches)));
        let mut unusable: BTreeMap<&str, String> = BTreeMap::new();
        for (package, filter) in &filters {
            println!("{package}: the named tests, unbroken");
            let of_package = patches.iter().filter(|patch| patch.package == *package);
            let is_doubtful = !self.nextest("run", package, &["-E", filter]).status()?.success();
            for patch in of_package {
                let listed = ["-E", &patch.catches, "--message-format", "json"];
                let listed = output(self.nextest("list", package, &listed))?;
                if matched(&listed)? == 0 {
                    unusable.insert(&patch.name, format!("`{}` names no test", patch.catches));
                } else if is_doubtful
                    && !self.nextest("run", package, &["-E", &patch.catches]).status()?.success()
                {
                    unusable.insert(&patch.name, "its test fails in the unbroken tree".to_owned());
                }
            }
        }
        Ok(unusable)
    }

    fn judge(&self, patch: &Patch) -> Result<Verdict> {
        self.copy.apply(patch)?;
        let ran = self.nextest("run", &patch.package, &["-E", &patch.catches]).output()?;
        if ran.status.code() == Some(NEXTEST_BUILD_FAILED) {
            bail!("the broken tree does not compile: {}", first_error(&ran));
        }
        verdict(ran.status.code())
    }

    /// A run in the copy of the build with seams, with this guard left out.
    fn seamed(&self, table: &Table, seam: Option<&str>, more: &[&str]) -> Command {
        let mut command = tool(self.copy.path(), "cargo", &["nextest", "run", "--locked"]);
        command.args(["--cargo-quiet", "--profile", "sabotage", "--features", SEAM_FEATURES]);
        for package in table.packages() {
            command.args(["--package", package]);
        }
        self.here(&mut command, more);
        if let Some(seam) = seam {
            command.env(SEAM_VARIABLE, seam);
        }
        command
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
        self.here(&mut command, more);
        command
    }

    /// Builds beside the copy, without what only a debugger would read.
    fn here(&self, command: &mut Command, more: &[&str]) {
        command.args(more).env("CARGO_TARGET_DIR", &self.target).env_remove(SEAM_VARIABLE);
        command.env("CARGO_PROFILE_DEV_DEBUG", "0");
    }
}

/// What could not be judged says nothing about the guard.
fn judged(verdict: Result<Verdict>) -> Verdict {
    verdict.unwrap_or_else(|error| Verdict::HarnessError(format!("{error:#}")))
}

/// Prints a row the moment it is known.
fn told(row: Row) -> Row {
    println!("{}", line(&row));
    row
}

/// Joins the filters of each package into one.
fn by_package<'a>(
    named: impl Iterator<Item = (&'a String, &'a String)>,
) -> BTreeMap<String, String> {
    let mut filters: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (package, filter) in named {
        filters.entry(package.clone()).or_default().insert(format!("({filter})"));
    }
    let joined = |filters: BTreeSet<String>| filters.into_iter().collect::<Vec<_>>().join(" | ");
    filters.into_iter().map(|(package, filters)| (package, joined(filters))).collect()
}

fn first_error(built: &std::process::Output) -> String {
    let stderr = String::from_utf8_lossy(&built.stderr);
    stderr.lines().find(|line| line.starts_with("error")).unwrap_or("error").to_owned()
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
