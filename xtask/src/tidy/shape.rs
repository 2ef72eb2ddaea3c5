//! How long a file and a function may be, how a file opens, and what it may be called.

use anyhow::Result;
use regex::Regex;

use super::Violation;
use super::lines;
use super::tree::{File, Kind, Tree};

/// Lines of a file, without its tests. At the limit: split it by what it is about.
const FILE_LINES_MAX: usize = 800;
/// Lines of a function, from `fn` to its closing brace. At the limit: give a part a name.
const FUNCTION_LINES_MAX: usize = 70;
/// Names that say nothing about what is inside.
const BANNED_NAMES: &[&str] = &[
    "common",
    "data",
    "handler",
    "handlers",
    "helper",
    "helpers",
    "info",
    "manager",
    "misc",
    "processor",
    "util",
    "utils",
];

/// Reports every file that is too long, opens without a header or has a name without meaning.
pub(super) fn check(tree: &Tree) -> Result<Vec<Violation>> {
    let function = Regex::new(r"\bfn\s+(\w+)")?;
    let mut found = Vec::new();
    for file in tree.files.iter().filter(|file| file.is_rust() || file.is_typescript()) {
        found.extend(name(file));
        found.extend(header(file));
        found.extend(length(file));
        if file.is_rust() && file.kind != Kind::Test {
            found.extend(functions(file, &function));
        }
    }
    Ok(found)
}

fn name(file: &File) -> Option<Violation> {
    let parts: Vec<&str> = file.path.split('/').collect();
    if parts.last() == Some(&"mod.rs") {
        return Some(Violation::at(&file.path, 0, "is a `mod.rs`: use `foo.rs` beside `foo/`"));
    }
    let stems = parts.iter().map(|part| part.split('.').next().unwrap_or(part));
    let banned = stems.into_iter().find(|stem| BANNED_NAMES.contains(stem))?;
    Some(Violation::at(&file.path, 0, format!("is named `{banned}`: say what is inside")))
}

fn header(file: &File) -> Option<Violation> {
    // A case that must not compile is compared with its error, line by line.
    if file.path.contains("/ui/") || file.path.contains("/compile_fail/") {
        return None;
    }
    let (opens, form) = if file.is_rust() {
        (file.text.starts_with("//! "), "`//!`")
    } else {
        (file.text.starts_with("//") || file.text.starts_with("/*"), "a comment")
    };
    (!opens)
        .then(|| Violation::at(&file.path, 1, format!("does not open with {form}: what is it?")))
}

fn length(file: &File) -> Option<Violation> {
    if file.kind == Kind::Test || file.path.ends_with(".test.ts") || file.path.contains("/test/") {
        return None;
    }
    let tested = file.tested.lines().filter(|line| !line.trim().is_empty()).count();
    let lines = file.text.lines().count().saturating_sub(tested);
    (FILE_LINES_MAX < lines).then(|| {
        let message = format!("has {lines} lines without its tests; {FILE_LINES_MAX} at most");
        Violation::at(&file.path, 0, message)
    })
}

fn functions(file: &File, function: &Regex) -> Vec<Violation> {
    let mut found = Vec::new();
    for declared in function.captures_iter(&file.shipped) {
        let (Some(whole), Some(name)) = (declared.get(0), declared.get(1)) else { continue };
        let Some(body) = lines::body(&file.shipped, whole.end()) else { continue };
        let first = lines::line_of(&file.shipped, whole.start());
        let lines = lines::line_of(&file.shipped, body.end) - first + 1;
        if FUNCTION_LINES_MAX < lines {
            let name = name.as_str();
            let message = format!("`{name}` has {lines} lines; {FUNCTION_LINES_MAX} at most");
            found.push(Violation::at(&file.path, first, message));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(files: &[(&str, &str)]) -> Vec<String> {
        check(&Tree::of(files)).unwrap().iter().map(Violation::to_string).collect()
    }

    #[test]
    fn a_file_opens_by_saying_what_it_is() {
        let found = complaints(&[
            ("crates/gate/src/lease.rs", "use a::b;\n"),
            ("crates/gate/src/submit.rs", "//! The straight line.\n"),
            ("web/injected/src/read.ts", "export {};\n"),
            ("web/injected/src/act.ts", "// What input cannot do.\n"),
            ("crates/gate/tests/it/ui/forged.rs", "fn main() {}\n"),
        ]);

        assert_eq!(
            found,
            [
                "crates/gate/src/lease.rs:1: does not open with `//!`: what is it?",
                "web/injected/src/read.ts:1: does not open with a comment: what is it?",
            ]
        );
    }

    #[test]
    fn names_say_what_is_inside() {
        let found = complaints(&[
            ("crates/gate/src/utils.rs", "//! x\n"),
            ("crates/gate/src/lease/mod.rs", "//! x\n"),
            ("crates/gate/tests/common/site.rs", "//! x\n"),
        ]);

        assert_eq!(
            found,
            [
                "crates/gate/src/utils.rs: is named `utils`: say what is inside",
                "crates/gate/src/lease/mod.rs: is a `mod.rs`: use `foo.rs` beside `foo/`",
                "crates/gate/tests/common/site.rs: is named `common`: say what is inside",
            ]
        );
    }

    #[test]
    fn files_and_functions_fit_in_a_head() {
        let long = format!("//! x\nfn long() {{\n{}}}\nfn short() {{}}\n", "    a();\n".repeat(69));
        let tests = format!(
            "//! x\n#[cfg(test)]\nmod tests {{\n{}}}\n",
            "    // b\n    a();\n".repeat(500)
        );
        let huge = format!("//! x\n{}", "const A: u8 = 1;\n".repeat(800));

        let found = complaints(&[
            ("crates/gate/src/a.rs", &long),
            ("crates/gate/src/b.rs", &tests.replace("    // b\n", "")),
            ("crates/gate/src/c.rs", &huge),
        ]);

        assert_eq!(
            found,
            [
                "crates/gate/src/a.rs:2: `long` has 71 lines; 70 at most",
                "crates/gate/src/c.rs: has 801 lines without its tests; 800 at most",
            ]
        );
    }
}
