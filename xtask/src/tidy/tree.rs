//! The files the rules read, and what kind each is.

use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, Result};
use regex::Regex;

use super::lines::{self, Split};
use crate::run::{output, tool};

/// What a source file is for; each rule says which kinds it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// `crates/*/src`, without `testkit`: what is shipped.
    Product,
    /// Tests, benches and `testkit`.
    Test,
    /// `xtask`.
    Tool,
    /// Page scripts and everything else that is not Rust.
    Other,
}

/// One tracked text file.
#[derive(Debug, Clone)]
pub(super) struct File {
    /// Relative to the root, with `/`.
    pub(super) path: String,
    pub(super) text: String,
    pub(super) kind: Kind,
    pub(super) split: Split,
    /// The code that is shipped: [`Split::code`] without `#[cfg(test)]` items.
    pub(super) shipped: String,
    /// The code that only tests run.
    pub(super) tested: String,
}

impl File {
    pub(super) fn new(path: &str, text: &str) -> File {
        let kind = kind_of(path);
        let split = match path.rsplit('.').next() {
            Some("rs") => lines::rust(text),
            Some("ts" | "tsx") => lines::typescript(text),
            _ => Split::default(),
        };
        let (shipped, tested) = match kind {
            Kind::Test => (lines::blank(&split.code, &[whole(&split.code)]), split.code.clone()),
            Kind::Product | Kind::Tool | Kind::Other => {
                let ranges = test_ranges(&split.code);
                let shipped = lines::blank(&split.code, &ranges);
                (shipped, lines::blank(&split.code, &others(&ranges, split.code.len())))
            }
        };
        File { path: path.to_owned(), text: text.to_owned(), kind, split, shipped, tested }
    }

    pub(super) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    pub(super) fn is_typescript(&self) -> bool {
        self.path.ends_with(".ts") || self.path.ends_with(".tsx")
    }

    /// Whether `line` lies in a `#[cfg(test)]` item.
    pub(super) fn is_shipped_line(&self, line: usize) -> bool {
        let nth = |text: &str| text.lines().nth(line.saturating_sub(1)).map(str::to_owned);
        nth(&self.tested).is_none_or(|tested| tested.trim().is_empty())
    }
}

/// The repository as the rules see it.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    pub(super) files: Vec<File>,
}

impl Tree {
    /// Reads every tracked, or not yet tracked but not ignored, text file below `root`.
    pub(super) fn load(root: &Path) -> Result<Tree> {
        let mut files = Vec::new();
        for path in tracked_paths(root)? {
            // A binary file has no rules; a tracked file that was just removed has no text.
            if let Ok(text) = std::fs::read_to_string(root.join(&path)) {
                files.push(File::new(&path, &text));
            }
        }
        Ok(Tree { files })
    }

    /// Builds a tree for a test of a rule.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Tree {
        Tree { files: files.iter().map(|(path, text)| File::new(path, text)).collect() }
    }

    pub(super) fn get(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    pub(super) fn rust(&self) -> impl Iterator<Item = &File> {
        self.files.iter().filter(|file| file.is_rust())
    }

    pub(super) fn product(&self) -> impl Iterator<Item = &File> {
        self.rust().filter(|file| file.kind == Kind::Product)
    }
}

/// Returns the paths git tracks, or would once added, sorted.
///
/// # Errors
///
/// Fails outside a git work tree.
pub(crate) fn tracked_paths(root: &Path) -> Result<Vec<String>> {
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let printed = output(tool(root, "git", &list)).context("tidy needs a git work tree")?;
    let mut paths: Vec<String> =
        printed.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    paths.sort();
    paths.dedup();
    Ok(paths)
}

/// Returns `(line, matched text)` for every match of `pattern` in `code`.
pub(super) fn matches(code: &str, pattern: &Regex) -> Vec<(usize, String)> {
    pattern
        .find_iter(code)
        .map(|found| (lines::line_of(code, found.start()), found.as_str().trim().to_owned()))
        .collect()
}

fn kind_of(path: &str) -> Kind {
    let parts: Vec<&str> = path.split('/').collect();
    match parts.as_slice() {
        ["xtask", ..] => Kind::Tool,
        ["crates", "testkit", ..] => Kind::Test,
        ["crates", _, "tests" | "benches" | "examples", ..] => Kind::Test,
        ["crates", _, "src", .., "tests.rs"] => Kind::Test,
        ["crates", _, "src", inner @ .., _] if inner.contains(&"tests") => Kind::Test,
        ["crates", _, "src", ..] => Kind::Product,
        _ => Kind::Other,
    }
}

/// Returns the ranges of items under `#[cfg(test)]`.
fn test_ranges(code: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    for marker in ["#[cfg(test)]", "#[cfg(all(test,"] {
        for (start, _) in code.match_indices(marker) {
            let after = start + marker.len();
            let semicolon = code.get(after..).and_then(|rest| rest.find(';'));
            let end = match (lines::body(code, after), semicolon) {
                (Some(body), _) => body.end,
                (None, Some(length)) => after + length + 1,
                (None, None) => code.len(),
            };
            ranges.push(start..end);
        }
    }
    ranges.sort_by_key(|range| range.start);
    ranges
}

/// Returns what `ranges` leave out of `0..length`.
fn others(ranges: &[Range<usize>], length: usize) -> Vec<Range<usize>> {
    let mut left = Vec::new();
    let mut at = 0;
    for range in ranges {
        if at < range.start {
            left.push(at..range.start);
        }
        at = at.max(range.end);
    }
    left.push(at..length);
    left
}

fn whole(text: &str) -> Range<usize> {
    0..text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_shipped_code_from_tests() {
        let text = "fn a() { b(); }\n#[cfg(test)]\nuse c::d;\n#[cfg(test)]\nmod tests {\n    fn e() { f(); }\n}\n";

        let file = File::new("crates/gate/src/lease.rs", text);

        assert!(file.shipped.contains("b();"));
        assert!(!file.shipped.contains("f();") && !file.shipped.contains("c::d"));
        assert!(file.tested.contains("f();") && !file.tested.contains("b();"));
        assert!(file.is_shipped_line(1) && !file.is_shipped_line(6));
    }

    #[test]
    fn knows_what_a_file_is_for() {
        assert_eq!(kind_of("crates/gate/src/lease.rs"), Kind::Product);
        assert_eq!(kind_of("crates/gate/src/lease/tests.rs"), Kind::Test);
        assert_eq!(kind_of("crates/gate/tests/it/main.rs"), Kind::Test);
        assert_eq!(kind_of("crates/testkit/src/lib.rs"), Kind::Test);
        assert_eq!(kind_of("xtask/src/main.rs"), Kind::Tool);
        assert_eq!(kind_of("web/injected/src/read.ts"), Kind::Other);
    }
}
