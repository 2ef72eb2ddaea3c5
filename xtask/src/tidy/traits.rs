//! The closed list of traits: what is injected, and nothing for a second implementation to come.

use anyhow::Result;
use regex::Regex;

use super::Violation;
use super::tree::{Tree, matches};

/// What the program is given when it is wired.
const INJECTED: &[&str] =
    &["Surface", "Clock", "SecretSource", "Witness", "Judge", "ModelProvider", "Coordinator"];

/// Other public traits, each with its reason.
const OTHERS: &[(&str, &str)] = &[
    ("SurfaceFactory", "host opens a surface without naming a driver"),
    ("LiveFrames", "the optional part of a surface that shows frames"),
];

/// Reports every public trait that is not listed.
pub(super) fn check(tree: &Tree) -> Result<Vec<Violation>> {
    let declaration = Regex::new(r"\bpub\s+(unsafe\s+|auto\s+)?trait\s+\w+")?;
    let mut found = Vec::new();
    for file in tree.product() {
        for (line, text) in matches(&file.shipped, &declaration) {
            let name = text.rsplit(char::is_whitespace).next().unwrap_or_default();
            let is_listed =
                INJECTED.contains(&name) || OTHERS.iter().any(|(listed, _)| *listed == name);
            if !is_listed {
                let message = format!("declares the trait `{name}`, which is not on the list");
                found.push(Violation::at(&file.path, line, message));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trait_that_is_not_listed_is_reported() {
        let tree = Tree::of(&[
            ("crates/gate/src/surface.rs", "//! x\npub trait Surface: Send {}\ntrait Inner {}\n"),
            ("crates/host/src/plugin.rs", "//! x\npub trait Plugin {}\n"),
            ("crates/testkit/src/site.rs", "//! x\npub trait Site {}\n"),
        ]);

        let found: Vec<String> = check(&tree).unwrap().iter().map(Violation::to_string).collect();

        assert_eq!(
            found,
            ["crates/host/src/plugin.rs:2: declares the trait `Plugin`, which is not on the list"]
        );
    }
}
