//! The table as a reference page.

use std::fmt::Write;

use sidestick_model::record::Owner;
use sidestick_model::{ActionKind, Actor};

use crate::gates::{Gates, Lift};
use crate::language::{CASES, Field, POLICY, Shape};
use crate::risk::Tier;

/// Returns the reference page of `policy.yaml`.
pub fn page() -> String {
    let mut text = "# Policy\n\nGenerated from the program; do not edit.\n\
        How to write one, with an example: `docs/policy.md`.\n\
        A key that is not listed here is refused.\n"
        .to_owned();
    section(&mut text, "policy.yaml", &POLICY);
    gates(&mut text);
    text.push_str("\n# Cases\n\nWhat `sidestick policy test` reads.\n");
    section(&mut text, "cases.yaml", &CASES);
    let kinds: Vec<String> =
        ActionKind::ALL.iter().map(|kind| format!("`{}`", kind.as_str())).collect();
    // Writing to a string cannot fail.
    let _ = write!(text, "\nKinds of action: {}.\n", kinds.join(", "));
    text
}

/// Writes one map as a table, and after it each map that stands in it.
fn section(text: &mut String, title: &str, shape: &Shape) {
    let Shape::Map(fields) = shape else { return };
    let _ = write!(
        text,
        "\n## {title}\n\n| key | holds | without it | means |\n| --- | --- | --- | --- |\n"
    );
    for field in *fields {
        let default = field.default.unwrap_or("needed");
        let (holds, doc) = (words(&field.shape), field.doc);
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} |",
            field.key,
            holds.replace('|', "\\|"),
            default,
            doc.replace('|', "\\|")
        );
    }
    for field in *fields {
        let (suffix, inner) = inside(field);
        let short = title.trim_end_matches("policy.yaml").trim_end_matches("cases.yaml");
        let dot = if short.is_empty() { "" } else { "." };
        section(text, &format!("{short}{dot}{}{suffix}", field.key), inner);
    }
}

/// Returns the shape of what stands in a list or below names, and how that is written.
fn inside(field: &Field) -> (String, &Shape) {
    let mut shape = &field.shape;
    let mut suffix = String::new();
    loop {
        match shape {
            Shape::List(item) => {
                suffix.push_str("[]");
                shape = item;
            }
            Shape::Keys(_, value) | Shape::Names(value) => {
                suffix.push_str(".*");
                shape = value;
            }
            _ => return (suffix, shape),
        }
    }
}

fn words(shape: &Shape) -> String {
    let listed = |words: &[&str]| {
        words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
    };
    match shape {
        Shape::Text(format) => format.words().to_owned(),
        Shape::Word(all) => format!("one of {}", listed(all)),
        Shape::Kind => "a kind of action".to_owned(),
        Shape::Flag => "`true` or `false`".to_owned(),
        Shape::Number(min, max) if min == max => format!("`{min}`"),
        Shape::Number(min, max) => format!("{min} to {max}"),
        Shape::NumberOr(min, max, all) => format!("{min} to {max}, or {}", listed(all)),
        Shape::List(item) => format!("a list: {}", words(item)),
        Shape::Keys(keys, value) => format!("{}; each: {}", listed(keys), words(value)),
        Shape::Names(value) => format!("names of your own; each: {}", words(value)),
        Shape::Map(_) => "a map, see below".to_owned(),
    }
}

/// Writes what holds where `gates` says nothing.
fn gates(text: &mut String) {
    text.push_str(
        "\n## What holds where `gates` says nothing\n\n\
         What becomes of an act, and in brackets what opens it: a claim that holds, or an approval \
         of a person.\n\n| owner | tier | agent | replay | assist | human |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    let table = Gates::default();
    for owner in [Owner::Yours, Owner::ThirdParty] {
        for tier in Tier::ALL {
            let cells = [Actor::Agent, Actor::Replay, Actor::Assist, Actor::Human].map(|actor| {
                let answer = table.cell(owner, tier, actor, Lift::None);
                let opens = |lift| table.cell(owner, tier, actor, lift) < answer;
                match (opens(Lift::Requested), opens(Lift::Approved)) {
                    (true, _) => format!("{} (claim)", answer.as_str()),
                    (false, true) => format!("{} (approval)", answer.as_str()),
                    (false, false) => answer.as_str().to_owned(),
                }
            });
            let (owner, tier) = (owner.as_str(), tier.as_str());
            let _ = writeln!(text, "| {owner} | {tier} | {} |", cells.join(" | "));
        }
    }
}
