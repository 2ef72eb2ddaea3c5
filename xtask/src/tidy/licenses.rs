//! Every dependency's license against the list in `deny.toml`, without `cargo deny` installed.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::Violation;

/// Reports every package of `metadata` whose license the list in `deny` does not allow.
///
/// # Errors
///
/// Fails when `deny` has no `licenses.allow` list, or `metadata` names no package.
pub(super) fn check(metadata: &Value, deny: &str) -> Result<Vec<Violation>> {
    let deny: toml::Value = toml::from_str(deny).context("deny.toml is not TOML")?;
    let allowed: BTreeSet<&str> = deny
        .get("licenses")
        .and_then(|licenses| licenses.get("allow"))
        .and_then(toml::Value::as_array)
        .context("deny.toml has no licenses.allow")?
        .iter()
        .filter_map(toml::Value::as_str)
        .collect();
    let packages = metadata["packages"].as_array().context("cargo metadata names no packages")?;
    ensure!(!packages.is_empty(), "cargo metadata names no packages");

    let mut found = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or("?");
        let message = match package["license"].as_str() {
            None => format!("{name} has no license expression"),
            Some(license) if !permits(license, &allowed) => {
                format!("{name} is licensed under `{license}`, which deny.toml does not allow")
            }
            Some(_) => continue,
        };
        found.push(Violation::at("Cargo.lock", 0, message));
    }
    Ok(found)
}

/// Whether `expression` can be satisfied by `allowed` alone; `/` is an old way to write `OR`.
fn permits(expression: &str, allowed: &BTreeSet<&str>) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    either(&words, &mut at, allowed) && at == words.len()
}

fn either(words: &[&str], at: &mut usize, allowed: &BTreeSet<&str>) -> bool {
    let mut held = both(words, at, allowed);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        held |= both(words, at, allowed);
    }
    held
}

fn both(words: &[&str], at: &mut usize, allowed: &BTreeSet<&str>) -> bool {
    let mut held = one(words, at, allowed);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        held &= one(words, at, allowed);
    }
    held
}

fn one(words: &[&str], at: &mut usize, allowed: &BTreeSet<&str>) -> bool {
    let Some(word) = words.get(*at) else { return false };
    *at += 1;
    if *word == "(" {
        let held = either(words, at, allowed);
        let closed = words.get(*at) == Some(&")");
        *at += 1;
        return held && closed;
    }
    if words.get(*at) == Some(&"WITH") {
        let exception = words.get(*at + 1).copied().unwrap_or_default();
        *at += 2;
        return allowed.contains(format!("{word} WITH {exception}").as_str());
    }
    allowed.contains(word)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const DENY: &str =
        "[licenses]\nallow = [\"MIT\", \"Apache-2.0\", \"Apache-2.0 WITH LLVM-exception\"]\n";

    #[test]
    fn a_license_that_is_not_allowed_is_reported() {
        let metadata = json!({"packages": [
            {"name": "a", "license": "MIT OR GPL-3.0"},
            {"name": "b", "license": "MIT AND GPL-3.0"},
            {"name": "c", "license": null},
            {"name": "d", "license": "Apache-2.0 WITH LLVM-exception"},
            {"name": "e", "license": "MIT/Apache-2.0"},
            {"name": "f", "license": "(GPL-3.0 OR MIT) AND Apache-2.0"},
            {"name": "g", "license": "(GPL-3.0 OR MIT"},
        ]});

        let found = check(&metadata, DENY).unwrap();

        let found: Vec<&str> = found.iter().map(|violation| violation.message.as_str()).collect();
        assert_eq!(
            found,
            [
                "b is licensed under `MIT AND GPL-3.0`, which deny.toml does not allow",
                "c has no license expression",
                "g is licensed under `(GPL-3.0 OR MIT`, which deny.toml does not allow",
            ]
        );
    }

    #[test]
    fn a_check_of_nothing_fails() {
        assert!(check(&json!({"packages": []}), DENY).is_err());
        assert!(check(&json!({"packages": [{"name": "a"}]}), "[licenses]\n").is_err());
    }
}
