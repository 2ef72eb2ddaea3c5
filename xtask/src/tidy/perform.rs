//! I1: `Surface::perform` is called in one place, in `gate`.
//!
//! The compiler refuses a forged `Permit`; this rule sees that the one maker of permits has one
//! place to spend them.

use anyhow::Result;
use regex::Regex;

use super::Violation;
use super::tree::{Tree, matches};

/// Reports every call of `perform` on a surface but the one in `gate`, and its absence.
pub(super) fn check(tree: &Tree) -> Result<Vec<Violation>> {
    let call = Regex::new(
        r"(?x)
        \bsurface (\s*\(\s*\))? \s*\.\s* perform \s*\(
        | \.\s* perform \s*\( \s* &? (self\s*\.\s*)? \w*permit
        | \.\s* perform \s*\( \s* Permit\b
        | \bSurface \s*::\s* perform \b",
    )?;

    let mut calls = Vec::new();
    for file in tree.product() {
        let sites = matches(&file.shipped, &call);
        calls.extend(sites.into_iter().map(|(line, _)| (file.path.as_str(), line)));
    }
    let mut found = Vec::new();
    let (inside, outside): (Vec<_>, Vec<_>) =
        calls.into_iter().partition(|(path, _)| path.starts_with("crates/gate/src/"));
    for (path, line) in outside {
        found.push(Violation::at(path, line, "calls `Surface::perform`: only the gate may"));
    }
    for (path, line) in inside.iter().skip(1) {
        found.push(Violation::at(path, *line, "is a second call of `Surface::perform`"));
    }
    if inside.is_empty() {
        let message = "no call of `Surface::perform` was found: the rule sees nothing";
        found.push(Violation::at("crates/gate/src", 0, message));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(files: &[(&str, &str)]) -> Vec<String> {
        check(&Tree::of(files)).unwrap().iter().map(Violation::to_string).collect()
    }

    const GATE: (&str, &str) =
        ("crates/gate/src/submit.rs", "//! x\nself.surface\n    .perform(Permit::new(a), b);\n");

    #[test]
    fn one_call_in_the_gate_is_in_order() {
        assert_eq!(complaints(&[GATE]), Vec::<String>::new());
    }

    #[test]
    fn a_second_way_to_act_is_reported_wherever_it_is() {
        let found = complaints(&[
            GATE,
            ("crates/gate/src/session.rs", "//! x\nsurface().perform(again);\n"),
            ("crates/host/src/session.rs", "//! x\nself.page.perform(permit, b);\n"),
            ("crates/cli/src/wire.rs", "//! x\nSurface::perform(&mut a, b);\n"),
        ]);

        assert_eq!(
            found,
            [
                "crates/host/src/session.rs:2: calls `Surface::perform`: only the gate may",
                "crates/cli/src/wire.rs:2: calls `Surface::perform`: only the gate may",
                "crates/gate/src/session.rs:2: is a second call of `Surface::perform`",
            ]
        );
    }

    #[test]
    fn no_call_at_all_means_that_the_rule_is_blind() {
        assert_eq!(
            complaints(&[("crates/gate/src/submit.rs", "//! x\nact(b);\n")]),
            ["crates/gate/src: no call of `Surface::perform` was found: the rule sees nothing"]
        );
    }
}
