//! Work left undone, tests left out, and tests that wait by the clock.

use anyhow::Result;
use regex::Regex;

use super::Violation;
use super::tree::{File, Kind, Tree, matches};

/// Reports unfinished work, skipped tests and sleeping tests.
pub(super) fn check(tree: &Tree) -> Result<Vec<Violation>> {
    let undone = Regex::new(r"\b(TODO|FIXME|XXX|HACK)\b")?;
    let macros = Regex::new(r"\b(todo|unimplemented)!")?;
    let skipped = Regex::new(r"#\[\s*(ignore|should_panic)\b")?;
    let sleep = Regex::new(r"\b(thread|time)::sleep(_until|_ms)?\b|\bsleep\(Duration")?;

    let mut found = Vec::new();
    for file in tree.files.iter().filter(|file| file.is_rust() || file.is_typescript()) {
        for (line, comment) in &file.split.comments {
            if let Some(mark) = undone.find(comment) {
                let message =
                    format!("leaves a {} behind: do it, or say it in prose", mark.as_str());
                found.push(Violation::at(&file.path, *line, message));
            }
        }
        found.extend(complain(file, &file.split.code, &macros, "leaves work undone"));
        found.extend(complain(file, &file.split.code, &skipped, "leaves a test out of the run"));
        // `testkit` owns the one loop that looks again until a deadline.
        if !file.path.starts_with("crates/testkit/src/") && file.kind != Kind::Other {
            let why = "waits by the clock: wait for a condition, or pause the clock";
            found.extend(complain(file, &file.tested, &sleep, why));
        }
    }
    Ok(found)
}

fn complain(file: &File, code: &str, pattern: &Regex, why: &str) -> Vec<Violation> {
    let complaint =
        |(line, text): (usize, String)| Violation::at(&file.path, line, format!("`{text}` {why}"));
    matches(code, pattern).into_iter().map(complaint).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(files: &[(&str, &str)]) -> Vec<String> {
        check(&Tree::of(files)).unwrap().iter().map(Violation::to_string).collect()
    }

    #[test]
    fn nothing_is_left_undone() {
        let found = complaints(&[(
            "crates/gate/src/a.rs",
            "//! x\n// TODO: later\nfn a() { todo!() }\nconst B: &str = \"TODO\";\n",
        )]);

        assert_eq!(
            found,
            [
                "crates/gate/src/a.rs:2: leaves a TODO behind: do it, or say it in prose",
                "crates/gate/src/a.rs:3: `todo!` leaves work undone",
            ]
        );
    }

    #[test]
    fn no_test_is_left_out() {
        let found = complaints(&[(
            "crates/gate/tests/it/a.rs",
            "//! x\n#[test]\n#[ignore = \"flaky\"]\nfn a() {}\n#[test]\n#[should_panic]\nfn b() {}\n",
        )]);

        assert_eq!(
            found,
            [
                "crates/gate/tests/it/a.rs:3: `#[ignore` leaves a test out of the run",
                "crates/gate/tests/it/a.rs:6: `#[should_panic` leaves a test out of the run",
            ]
        );
    }

    #[test]
    fn a_test_waits_for_a_condition_not_for_the_clock() {
        let why = "waits by the clock: wait for a condition, or pause the clock";

        let found = complaints(&[
            ("crates/gate/tests/it/a.rs", "//! x\nfn a() { std::thread::sleep(b); }\n"),
            (
                "crates/gate/src/a.rs",
                "//! x\nasync fn a() { tokio::time::sleep(b).await }\n#[cfg(test)]\nmod tests {\n    \
                 async fn c() { tokio::time::sleep(b).await }\n}\n",
            ),
            ("crates/testkit/src/wait.rs", "//! x\nfn a() { std::thread::sleep(b); }\n"),
        ]);

        assert_eq!(
            found,
            [
                format!("crates/gate/tests/it/a.rs:2: `thread::sleep` {why}"),
                format!("crates/gate/src/a.rs:5: `time::sleep` {why}"),
            ]
        );
    }
}
