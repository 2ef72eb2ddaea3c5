//! Every Rust file is a module of something: a file nobody names is a test that never runs.

use anyhow::Result;
use regex::Regex;

use super::Violation;
use super::tree::{File, Tree};

/// Reports every file below `src` and `tests` that its parent does not declare.
pub(super) fn check(tree: &Tree) -> Result<Vec<Violation>> {
    let mut found = Vec::new();
    for file in tree.rust() {
        let Some(parents) = parents(&file.path) else { continue };
        let declared = parents.iter().filter_map(|path| tree.get(path)).map(|parent| {
            let name = stem(&file.path);
            let module = Regex::new(&format!(r"\bmod\s+(r#)?{name}\s*;"))?;
            Ok::<bool, regex::Error>(declares(parent, &module, &file.path))
        });
        if !declared.collect::<Result<Vec<bool>, _>>()?.contains(&true) {
            let message =
                format!("is named by no `mod` in {}: nothing compiles it", parents.join(" or "));
            found.push(Violation::at(&file.path, 0, message));
        }
    }
    Ok(found)
}

fn declares(parent: &File, module: &Regex, child: &str) -> bool {
    let base = child.rsplit('/').next().unwrap_or(child);
    let by_path = parent.text.contains(&format!("/{base}\"]"))
        || parent.text.contains(&format!("\"{base}\"]"));
    module.is_match(&parent.split.code) || by_path
}

/// Returns the files that could declare `path`; `None` for a root or what is not compiled by name.
fn parents(path: &str) -> Option<Vec<String>> {
    let (folder, base) = path.rsplit_once('/')?;
    if path.contains("/ui/") || path.contains("/compile_fail/") || path.starts_with("fuzz/") {
        return None;
    }
    let is_root = matches!(base, "main.rs" | "lib.rs" | "build.rs");
    let in_source = folder.ends_with("/src") || folder.contains("/src/");
    let in_tests = folder.contains("/tests/");
    if is_root || !(in_source || in_tests) || folder.ends_with("/src/bin") {
        return None;
    }
    let is_top =
        folder.ends_with("/src") || (in_tests && folder.rsplit_once('/')?.0.ends_with("/tests"));
    Some(match is_top {
        true => vec![format!("{folder}/main.rs"), format!("{folder}/lib.rs")],
        false => vec![format!("{folder}.rs")],
    })
}

fn stem(path: &str) -> &str {
    let base = path.rsplit('/').next().unwrap_or(path);
    base.strip_suffix(".rs").unwrap_or(base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_nothing_names_is_reported() {
        let tree = Tree::of(&[
            ("crates/gate/tests/it/main.rs", "//! x\nmod submit;\n// mod forgotten;\n"),
            ("crates/gate/tests/it/submit.rs", "//! x\nmod order;\n"),
            ("crates/gate/tests/it/submit/order.rs", "//! x\n"),
            ("crates/gate/tests/it/forgotten.rs", "//! x\n"),
            ("crates/gate/tests/it/ui/forged.rs", "//! x\n"),
            ("crates/gate/src/lib.rs", "//! x\npub mod lease;\n"),
            ("crates/gate/src/lease.rs", "//! x\n"),
            ("crates/gate/src/lease/tests.rs", "//! x\n"),
        ]);

        let found: Vec<String> = check(&tree).unwrap().iter().map(Violation::to_string).collect();

        assert_eq!(
            found,
            [
                "crates/gate/tests/it/forgotten.rs: is named by no `mod` in \
                 crates/gate/tests/it/main.rs or crates/gate/tests/it/lib.rs: nothing compiles it",
                "crates/gate/src/lease/tests.rs: is named by no `mod` in \
                 crates/gate/src/lease.rs: nothing compiles it",
            ]
        );
    }
}
