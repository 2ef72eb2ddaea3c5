//! The whole suite, with its counts on disk.
//!
//! nextest does not run doc tests, so they run on their own, first: the last thing printed is the
//! summary of the tests. Without nextest the same tests run under `cargo test`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use regex::Regex;
use serde_json::json;

use crate::run::{output, succeeds, tee, tool};
use crate::{bars, generate, tidy};

/// How a suite ended.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
}

/// Runs tidy, doc tests and every test of the workspace under the nextest `profile`.
pub(crate) fn run(root: &Path, profile: &str) -> Result<bool> {
    let started = Instant::now();
    let tidy = tidy::report(&tidy::violations(root)?)?;
    let doc = ["test", "--quiet", "--workspace", "--features", "sidestick/test-root", "--doc"];
    let doc = succeeds(tool(root, "cargo", &doc))?;
    let reference = !root.join("docs/reference").exists() || generate::check(root)?;

    let has_nextest = output(tool(root, "cargo", &["nextest", "--version"])).is_ok();
    let own = own_folder()?;
    let (tests, counts) =
        if has_nextest { nextest(root, profile, &own)? } else { cargo_test(root, &own)? };
    let left = left_running(&own);
    std::fs::remove_dir_all(&own).with_context(|| format!("cannot remove {}", own.display()))?;

    let good = tidy && doc && reference && tests && left.is_empty();
    let passed = good && counts.failed == 0 && counts.passed > 0;
    let numbers = json!({
        "passed": counts.passed,
        "failed": counts.failed,
        "skipped": counts.skipped,
        "seconds": started.elapsed().as_secs(),
        "runner": if has_nextest { "nextest" } else { "cargo test" },
        "tidy": tidy,
        "doc_tests": doc,
        "reference": reference,
        "left_running": left,
        "ok": passed,
    });
    bars::write(root, "test", &numbers)?;

    for (held, what) in [(tidy, "tidy"), (doc, "doc tests"), (reference, "docs/reference")] {
        if !held {
            println!("{what}: failed, see above");
        }
    }
    for process in &left {
        println!("left running: {process}");
    }
    println!("{} passed, {} failed, {} skipped", counts.passed, counts.failed, counts.skipped);
    Ok(passed)
}

/// Makes the folder in which the tests have their temporary files: whatever process names it
/// afterwards was started by a test and outlived it. Short, because sockets are made below it.
fn own_folder() -> Result<PathBuf> {
    let folder = std::env::temp_dir().join(format!("st-{}", std::process::id()));
    std::fs::create_dir(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// Returns the processes that name `folder` and do not end by themselves within some seconds.
fn left_running(folder: &Path) -> Vec<String> {
    let until = Instant::now() + Duration::from_secs(5);
    loop {
        let left = naming(folder);
        if left.is_empty() || until < Instant::now() {
            return left;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// Returns the command lines of the processes that name `folder`.
fn naming(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let line = |entry: std::fs::DirEntry| {
        let bytes = std::fs::read(entry.path().join("cmdline")).ok()?;
        let line = String::from_utf8_lossy(&bytes).replace('\0', " ");
        let pid = entry.file_name().to_string_lossy().into_owned();
        let end = line.char_indices().nth(200).map_or(line.len(), |(end, _)| end);
        line.contains(&*folder.to_string_lossy()).then(|| format!("{pid} {}", &line[..end]))
    };
    entries.filter_map(|entry| line(entry.ok()?)).collect()
}

fn nextest(root: &Path, profile: &str, own: &Path) -> Result<(bool, Counts)> {
    let features = "sidestick/test-root";
    let arguments = ["nextest", "run", "--workspace", "--features", features, "--profile", profile];
    let (succeeded, text) = tee(in_folder(tool(root, "cargo", &arguments), own))?;
    Ok((succeeded, nextest_counts(&text).unwrap_or_default()))
}

fn in_folder(mut command: Command, own: &Path) -> Command {
    command.env("TMPDIR", own);
    command
}

fn cargo_test(root: &Path, own: &Path) -> Result<(bool, Counts)> {
    println!("cargo-nextest is not installed: running under `cargo test`, one binary at a time");
    let features = "sidestick/test-root";
    let arguments = [
        "test",
        "--workspace",
        "--features",
        features,
        "--lib",
        "--bins",
        "--examples",
        "--tests",
        "--no-fail-fast",
        "--",
        "--test-threads",
        "2",
    ];
    let (succeeded, text) = tee(in_folder(tool(root, "cargo", &arguments), own))?;
    Ok((succeeded, cargo_counts(&text)?))
}

/// Reads nextest's `Summary [ 1.2s] 9 tests run: 7 passed (1 slow), 1 failed, 1 timed out, ...`.
fn nextest_counts(text: &str) -> Option<Counts> {
    let summary = text.lines().rev().find(|line| line.trim_start().starts_with("Summary ["))?;
    let (_, tally) = summary.split_once("run:")?;
    let count = |word: &str| {
        let found = Regex::new(&format!(r"(\d+) {word}")).ok()?.captures(tally)?;
        found.get(1)?.as_str().parse::<u64>().ok()
    };
    Some(Counts {
        passed: count("passed").unwrap_or(0),
        failed: ["failed", "timed out", "exec failed"].into_iter().filter_map(count).sum(),
        skipped: count("skipped").unwrap_or(0),
    })
}

/// Adds up every `test result: ok. 5 passed; 0 failed; 0 ignored; ...`.
fn cargo_counts(text: &str) -> Result<Counts> {
    let result = Regex::new(r"test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored")?;
    let mut counts = Counts::default();
    for found in result.captures_iter(text) {
        let [passed, failed, skipped] = found.extract().1.map(str::parse::<u64>);
        counts.passed += passed.context("a count is not a number")?;
        counts.failed += failed.context("a count is not a number")?;
        counts.skipped += skipped.context("a count is not a number")?;
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn reads_the_summary_of_a_run_with_failures() {
        let text = "------------\n     Summary [   4.120s] 12 tests run: 9 passed (1 slow), \
                    2 failed, 1 timed out, 3 skipped\n        FAIL [   0.1s] gate it::x\n";

        let counts = nextest_counts(text).unwrap();

        assert_eq!(counts, Counts { passed: 9, failed: 3, skipped: 3 });
    }

    #[test]
    fn a_process_that_names_the_folder_is_found_until_it_has_ended() {
        let folder = std::env::temp_dir().join(format!("named-by-nobody-{}", std::process::id()));
        assert_eq!(naming(&folder), Vec::<String>::new());

        let script = "echo there; read -r line; exit 0";
        let mut child = Command::new("sh")
            .args(["-c", script, folder.to_str().unwrap()])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // What has not begun to run may still be listed by its parent's command line.
        let mut said = [0; 6];
        child.stdout.as_mut().unwrap().read_exact(&mut said).unwrap();
        let found = naming(&folder);
        drop(child.stdin.take());
        child.wait().unwrap();

        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(naming(&folder), Vec::<String>::new());
    }

    #[test]
    fn a_run_without_a_summary_has_no_counts() {
        assert_eq!(nextest_counts("error: could not compile `sidestick-gate`"), None);
    }

    #[test]
    fn adds_up_the_binaries_of_cargo_test() {
        let text = "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured\n\
                    test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured\n";

        let counts = cargo_counts(text).unwrap();

        assert_eq!(counts, Counts { passed: 7, failed: 3, skipped: 1 });
    }
}
