//! Nothing in the repository may say on which machine, or from which mirror, it was made.

use std::path::Path;

use anyhow::Result;
use regex::Regex;

use super::Violation;
use super::lines::line_of;
use super::tree::Tree;

/// Reports absolute paths of a person's machine and addresses of package mirrors.
pub(super) fn check(tree: &Tree, root: &Path) -> Result<Vec<Violation>> {
    let homes =
        Regex::new(r#"(^|[\s"'`(=])(/home/[a-z]\w*/|/Users/\w+/|/root/\.?\w|[A-Z]:\\Users\\)"#)?;
    let download = Regex::new(r#"(?m)"resolved"\s*:\s*"https?:"#)?;
    let source = Regex::new(r#"(?m)^source = "(registry|sparse)\+[^"]*""#)?;
    let mirror = Regex::new(r"(?m)^\s*(registry|index-url|replace-with)\s*=|^\[source\.")?;
    let here = root.to_string_lossy().into_owned();

    let mut found = Vec::new();
    for file in &tree.files {
        let mut add = |offset: usize, message: &str| {
            found.push(Violation::at(&file.path, line_of(&file.text, offset), message));
        };
        if let Some(offset) = file.text.find(&here) {
            add(offset, "names the folder this repository lies in");
        }
        if let Some(place) = homes.find(&file.text) {
            add(place.start() + 1, "names a person's home folder");
        }
        let base = file.path.rsplit('/').next().unwrap_or(&file.path);
        match base {
            "package-lock.json" => {
                if let Some(place) = download.find(&file.text) {
                    add(
                        place.start(),
                        "names download addresses: set omit-lockfile-registry-resolved",
                    );
                }
            }
            "Cargo.lock" => {
                let public = "registry+https://github.com/rust-lang/crates.io-index";
                let foreign =
                    source.find_iter(&file.text).find(|place| !place.as_str().contains(public));
                if let Some(place) = foreign {
                    add(place.start(), "takes a crate from a registry other than crates.io");
                }
            }
            "config.toml" | ".npmrc" | "pip.conf" => {
                if let Some(place) = mirror.find(&file.text) {
                    add(place.start(), "names a package mirror");
                }
            }
            _ => (),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_leaves_no_trace() {
        let home = ["run ", "/home", "/pat/", "x\n"].concat();
        let lock = "{\n\"a\": {\"resolved\": \"https://mirror.test/a.tgz\"}}\n";
        let cargo = "[[package]]\nsource = \"registry+https://mirror.test/index\"\n";
        let tree = Tree::of(&[
            ("docs/a.md", "see /srv/checkout/docs\n"),
            ("docs/b.md", &home),
            ("docs/c.md", "see https://example.test/home/pat/x and docs/a.md\n"),
            ("web/package-lock.json", lock),
            ("Cargo.lock", cargo),
            (".npmrc", "registry=https://mirror.test/\n"),
        ]);

        let found = check(&tree, Path::new("/srv/checkout")).unwrap();

        let found: Vec<String> = found.iter().map(Violation::to_string).collect();
        assert_eq!(
            found,
            [
                "docs/a.md:1: names the folder this repository lies in",
                "docs/b.md:1: names a person's home folder",
                "web/package-lock.json:2: names download addresses: set omit-lockfile-registry-resolved",
                "Cargo.lock:2: takes a crate from a registry other than crates.io",
                ".npmrc:1: names a package mirror",
            ]
        );
    }
}
