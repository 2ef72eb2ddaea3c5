//! What runs inside pages: where it may be written, what reading may do, and that the committed
//! bundles are built from the committed sources.

use anyhow::Result;
use regex::Regex;
use sha2::{Digest as _, Sha256};

use super::Violation;
use super::tree::{Tree, matches};

const SOURCES: &str = "web/injected/src/";
const LOCK: &str = "web/package-lock.json";
/// Both carry the digest of all sources: which bundle a source ends up in is the bundler's affair.
const BUNDLES: &[&str] =
    &["crates/browser/src/injected/read.js", "crates/browser/src/injected/act.js"];
/// The one Rust file that knows the bundles.
const BRIDGE: &str = "crates/browser/src/injected.rs";

/// Reports JavaScript in Rust, page scripts that change what they read, and stale bundles.
pub(super) fn check(tree: &Tree) -> Result<Vec<Violation>> {
    let mut found = in_rust(tree)?;
    found.extend(mutations(tree)?);
    found.extend(freshness(tree));
    Ok(found)
}

fn in_rust(tree: &Tree) -> Result<Vec<Violation>> {
    let script = Regex::new(
        r"(?x)
        \bdocument\.[a-zA-Z]+(\(|\.|\[|\s*=) | \bwindow\.[a-zA-Z]+(\(|\.|\s*=)
        | =>\s*\{ | \bfunction\s*\w*\( | \bquerySelector | \bglobalThis\b",
    )?;
    let mut found = Vec::new();
    for file in tree.product().filter(|file| file.path != BRIDGE) {
        for (line, literal) in &file.split.strings {
            if script.is_match(literal) && file.is_shipped_line(*line) {
                let message = "has JavaScript in a string: it belongs in web/injected";
                found.push(Violation::at(&file.path, *line, message));
            }
        }
    }
    Ok(found)
}

/// Everything but `act*.ts` may end up in `read.js`, which observes and never changes the page.
fn mutations(tree: &Tree) -> Result<Vec<Violation>> {
    let mutation = Regex::new(
        r"(?x)
        \.(click|focus|blur|submit|requestSubmit|dispatchEvent|scrollIntoView\w*|scrollTo|scrollBy
            |setAttribute|removeAttribute|toggleAttribute|appendChild|removeChild|replaceChild
            |insertBefore|insertAdjacent\w+|replaceWith|replaceChildren|attachShadow|showModal
            |setRangeText|select|reset|execCommand)\s*\(
        | \.(value|checked|selected|disabled|innerHTML|outerHTML|innerText|textContent|scrollTop
            |scrollLeft)\s*[-+|&?*]*=[^=]
        | \b(fetch|eval|open|alert)\s*\( | \bXMLHttpRequest\b | \bWebSocket\b | \bsendBeacon\b
        | \bnew\s+Function\b | \b(local|session)Storage\b",
    )?;
    let mut found = Vec::new();
    for file in tree.files.iter().filter(|file| file.is_typescript()) {
        let Some(name) = file.path.strip_prefix(SOURCES) else { continue };
        if name.starts_with("act") || name.ends_with(".test.ts") {
            continue;
        }
        for (line, text) in matches(&file.split.code, &mutation) {
            let message = format!("`{text}` changes the page: only act*.ts may");
            found.push(Violation::at(&file.path, line, message));
        }
    }
    Ok(found)
}

/// Compares each bundle's first line with the digest of the sources it must be built from.
fn freshness(tree: &Tree) -> Vec<Violation> {
    let expected = format!("// sha256 {}", digest(tree));
    let mut found = Vec::new();
    for path in BUNDLES {
        match tree.get(path).and_then(|file| file.text.lines().next()) {
            None => found.push(Violation::at(path, 0, "is missing: run `cargo xtask web`")),
            Some(first) if first.trim_end() != expected => {
                let message = "is not built from web/injected: run `cargo xtask web`";
                found.push(Violation::at(path, 1, message));
            }
            Some(_) => (),
        }
    }
    found
}

/// SHA-256 over every source by name, then the lock file: base name, NUL, bytes, NUL.
fn digest(tree: &Tree) -> String {
    let is_source = |path: &str| {
        path.strip_prefix(SOURCES).is_some_and(|name| name.ends_with(".ts") && !name.contains('/'))
    };
    let mut sources: Vec<_> = tree.files.iter().filter(|file| is_source(&file.path)).collect();
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources.extend(tree.get(LOCK));

    let mut hasher = Sha256::new();
    for file in sources {
        let name = file.path.rsplit('/').next().unwrap_or(&file.path);
        for part in [name.as_bytes(), b"\0", file.text.as_bytes(), b"\0"] {
            hasher.update(part);
        }
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(found: Vec<Violation>) -> Vec<String> {
        found.iter().map(Violation::to_string).collect()
    }

    #[test]
    fn javascript_in_a_rust_string_is_reported() {
        let tree = Tree::of(&[
            (
                "crates/browser/src/perform.rs",
                "//! x\nlet a = \"document.querySelector('a')\";\nlet b = \"the document. Then\";\n",
            ),
            ("crates/browser/src/injected.rs", "//! x\nlet a = \"globalThis.sidestickRead\";\n"),
        ]);

        let found = texts(in_rust(&tree).unwrap());

        let path = "crates/browser/src/perform.rs:2";
        assert_eq!(
            found,
            [format!("{path}: has JavaScript in a string: it belongs in web/injected")]
        );
    }

    #[test]
    fn reading_never_changes_the_page() {
        let tree = Tree::of(&[
            (
                "web/injected/src/outline.ts",
                "// x\nel.click();\n// el.focus()\nel.value = 'a';\nif (el.value === 'a') b();\nfetch(c);\n",
            ),
            ("web/injected/src/act.ts", "// x\nel.scrollIntoView();\n"),
        ]);

        let found = texts(mutations(&tree).unwrap());

        assert_eq!(
            found,
            [
                "web/injected/src/outline.ts:2: `.click(` changes the page: only act*.ts may",
                "web/injected/src/outline.ts:4: `.value =` changes the page: only act*.ts may",
                "web/injected/src/outline.ts:6: `fetch(` changes the page: only act*.ts may",
            ]
        );
    }

    #[test]
    fn a_bundle_is_built_from_what_is_committed() {
        let sources = [
            ("web/injected/src/read.ts", "// reads\n"),
            ("web/injected/src/act.ts", "// acts\n"),
            ("web/package-lock.json", "{}\n"),
        ];
        let fresh = format!("// sha256 {}\ncode();\n", digest(&Tree::of(&sources)));
        let mut files = sources.to_vec();
        files.push((BUNDLES[0], &fresh));
        files.push((BUNDLES[1], &fresh));
        assert_eq!(texts(freshness(&Tree::of(&files))), Vec::<String>::new());

        files[0].1 = "// reads more\n";
        files.pop();
        let found = texts(freshness(&Tree::of(&files)));

        assert_eq!(
            found,
            [
                format!("{}:1: is not built from web/injected: run `cargo xtask web`", BUNDLES[0]),
                format!("{}: is missing: run `cargo xtask web`", BUNDLES[1]),
            ]
        );
    }

    /// The same bytes, hashed by another program: `printf 'a.ts\0x\0' | sha256sum`.
    #[test]
    fn the_digest_is_the_one_the_build_script_writes() {
        let tree = Tree::of(&[("web/injected/src/a.ts", "x")]);

        assert_eq!(
            digest(&tree),
            "845c5c56c666755a74c403995729d174b136538d8d39a3479303ff3b84bf4e48"
        );
    }
}
