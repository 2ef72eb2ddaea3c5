//! The language, read: every key, every problem, each with its line and column.

use sidestick_model::DialogAnswer;
use sidestick_model::observation::DialogState;

use super::*;
use crate::language::{Field, Shape, schema};
use crate::policy::ValueSource;

const WHOLE: &str = include_str!("../../../../fixtures/policies/whole.yaml");

fn problems(text: &str) -> Vec<String> {
    match policy(text) {
        Ok(_) => Vec::new(),
        Err(error) => error.problems().map(ToString::to_string).collect(),
    }
}

#[track_caller]
fn problem(text: &str) -> String {
    let mut all = problems(text);
    assert_eq!(all.len(), 1, "{text}: {all:#?}");
    all.remove(0)
}

#[test]
fn a_policy_with_every_key_is_read() {
    let policy = policy(WHOLE).unwrap();

    let caps = &policy.caps;
    assert_eq!((caps.actions, caps.goal_actions, caps.pages), (Some(100), Some(20), Some(5)));
    assert_eq!(caps.time, Some(std::time::Duration::from_secs(1_800)));
    assert_eq!((caps.download_bytes, caps.downloads_bytes), (Some(50_000_000), Some(200_000_000)));
    assert_eq!(policy.redacted_values.first(), Some(&ValueSource::Variable("SHOP_TOKEN".into())));
    assert_eq!(policy.secrets.as_ref().unwrap().len(), 3);
    assert_eq!(policy.uploads.bytes, Some(10_000_000));
    let rule = &policy.boundary.as_ref().unwrap().deny[1].0;
    assert_eq!((rule.name.as_str(), rule.line), ("boundary.deny[1]", Some(17)));
}

/// Every key of the table stands in that file, so that none is in the table alone.
#[test]
fn the_table_and_the_types_know_the_same_keys() {
    fn keys(shape: &Shape, at: &str, all: &mut Vec<String>) {
        match shape {
            Shape::Map(fields) => {
                for Field { key, shape, .. } in *fields {
                    all.push(format!("{at}{key}"));
                    keys(shape, &format!("{at}{key}."), all);
                }
            }
            Shape::List(item) | Shape::Names(item) => keys(item, at, all),
            Shape::Keys(names, value) => {
                all.extend(names.iter().map(|name| format!("{at}{name}")));
                keys(value, at, all);
            }
            _ => {}
        }
    }
    let mut all = Vec::new();
    keys(&POLICY, "", &mut all);
    assert!(80 < all.len(), "{}", all.len());

    for key in all {
        let name = key.rsplit('.').next().unwrap();
        let stands = WHOLE.contains(&format!("{name}:"));
        assert!(stands, "`{key}` is in no line of the whole policy");
    }
}

#[test]
fn the_smallest_policy_says_nothing_and_no_file_at_all_is_none() {
    assert!(policy("version: 1").is_ok());
    for text in ["", "~", "[]", "1", "\u{0}", "version: 1\n---\nversion: 1\n"] {
        assert!(!problems(text).is_empty(), "{text:?}");
    }
    assert!(problem("owner: yours").contains("`version` is missing"));
    assert!(problem("version: 2").contains("`version` is 2"));
}

#[test]
fn every_problem_is_told_at_once_in_the_order_of_the_file() {
    let text = "version: 1\nbondary:\n  allow: []\nactions:\n  agnet: {}\n  agent:\n    deny: [clik]\n\
                caps:\n  actions: lots\n  pages: 0\n";

    let found = problems(text);

    assert_eq!(
        found,
        [
            "line 2, column 1: `bondary` is no key of this language; did you mean `boundary`?",
            "line 5, column 3: `actions.agnet` is no key of this language; did you mean `agent`?",
            "line 7, column 12: `actions.agent.deny[0]` `clik` is no kind of action; did you mean \
             `click`?",
            "line 9, column 12: `caps.actions` is a text; 1 to 100000 is needed",
            "line 10, column 10: `caps.pages` is 0; 1 to 200 is needed",
        ]
    );
}

#[test]
fn hosts_are_told_how_they_are_written() {
    let allow =
        |host: &str| problem(&format!("version: 1\nboundary:\n  allow:\n    - host: \"{host}\"\n"));

    for (host, says) in [
        ("https://shop.example/x", "did you mean `shop.example`?"),
        ("shop.example:8080", "`port` is a field of its own"),
        ("0x7f.1", "did you mean `127.0.0.1`?"),
        ("*.com", "public suffix"),
        ("*", "has a `*`"),
    ] {
        let said = allow(host);
        assert!(said.starts_with("line 4, column 13: `boundary.allow[0].host` "), "{said}");
        assert!(said.contains(says), "{said}");
    }
}

/// A denial that never matches denies nothing.
#[test]
fn a_misspelled_host_of_a_denial_or_a_secret_is_told() {
    let text = "version: 1\nboundary:\n  allow:\n    - host: shop.example\n  deny:\n    \
                - host: admin.shpo.example\n";
    let secret = "version: 1\nboundary:\n  allow:\n    - host: shop.example\nsecrets:\n  \
                  - { name: p, env: P, host: shop.exampel }\n";

    assert!(problem(text).ends_with("did you mean `admin.shop.example`?"), "{}", problem(text));
    assert!(problem(secret).ends_with("did you mean `shop.example`?"), "{}", problem(secret));
    let far = text.replace("admin.shpo.example", "elsewhere.test");
    assert_eq!(problems(&far), Vec::<String>::new());
}

#[test]
fn parts_that_do_not_fit_together_are_told() {
    for (text, at, says) in [
        (
            "gates:\n  irreversible: { agent: allow }",
            "gates.irreversible.agent",
            "cannot be allowed",
        ),
        ("gates:\n  elevated: { human: hold }", "gates.elevated.human", "cannot be held"),
        ("boundary:\n  allow: []\n  deny: [{}]", "boundary.deny[0]", "denies everything"),
        ("risk:\n  rules: [{ tier: elevated, when: {} }]", "risk.rules[0].when", "no condition"),
        (
            "risk:\n  rules: [{ tier: safe, when: { role: button } }]",
            "risk.rules[0].when",
            "`name`",
        ),
        ("caps: { actions: 3, goal_actions: 4 }", "caps.goal_actions", "more than"),
        ("caps: { download: 2MB, downloads: 1MB }", "caps.download", "more than"),
        ("secrets: [{ name: a, env: A }]", "secrets[0]", "names 0 of `site`, `host`"),
        ("secrets: [{ name: a, host: a.b }]", "secrets[0]", "names 0 of `env`"),
        ("secrets: [{ name: a, env: A, file: /a, host: a.b }]", "secrets[0]", "names 2 of `env`"),
        ("secrets: [{ name: a, command: [], host: a.b }]", "secrets[0].command", "no program"),
        ("redaction: { values: [{}] }", "redaction.values[0]", "names 0 of"),
        (
            "secrets:\n  - { name: a, env: A, host: a.b }\n  - { name: a, env: A, host: a.b }",
            "secrets[1].name",
            "twice",
        ),
        ("owner: yours\nowner: yours", "owner", "stands here twice"),
        ("uploads: { names: [\"a/b\"] }", "uploads.names[0]", "is not the name of a file"),
        (
            "redaction: { patterns: [{ name: a, pattern: \"(\" }] }",
            "redaction.patterns[0].pattern",
            "unclosed group",
        ),
        (
            "boundary:\n  allow: [{ host: a.b, paths: [orders] }]",
            "boundary.allow[0].paths[0]",
            "does not begin with `/`",
        ),
        ("boundary: ~", "boundary", "is empty; a map is needed"),
        ("boundary:\n  allow: [{ host: 1 }]", "boundary.allow[0].host", "in quotes"),
        ("caps: { time: 30 }", "caps.time", "in quotes"),
    ] {
        let said = problem(&format!("version: 1\n{text}\n"));
        assert!(said.contains(&format!("`{at}` ")) && said.contains(says), "{text}: {said}");
    }
}

#[test]
fn what_is_no_yaml_is_told_with_its_place_on_one_line() {
    let said = problem("version: 1\nboundary: [\n");

    assert!(said.starts_with("line ") && said.contains("cannot be read"), "{said}");
    assert!(!said.contains('\n'), "{said}");
    // An alias that would unfold to more than anybody wrote.
    let bomb = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n\
                c: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\n\
                e: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e]\n";
    assert!(problems(bomb).len() <= sidestick_model::limits::POLICY_PROBLEMS_MAX);
    assert!(!problems(bomb).is_empty());
}

/// A terminal must not obey what stands in a file.
#[test]
fn control_characters_are_not_told_as_they_are() {
    let said = problem("version: 1\n\"\\e[31m\": 1\n");

    assert!(!said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn the_first_rule_for_a_dialog_that_fits_holds() {
    let policy = policy(WHOLE).unwrap();
    let dialog = |kind: &str, text: &str| DialogState {
        kind: kind.into(),
        text: text.into(),
        default_text: None,
        opened_by: None,
    };

    let answer = |kind, text| policy.answer_to(&dialog(kind, text)).map(|(answer, _)| answer);

    assert_eq!(answer("alert", "x"), Some(DialogAnswer::Accept));
    assert_eq!(answer("confirm", "Leave without saving?"), Some(DialogAnswer::Dismiss));
    assert_eq!(answer("confirm", "Delete it?"), None);
    assert_eq!(answer("prompt", "x"), None);
}

#[test]
fn cases_are_read_and_their_problems_told() {
    let good = "version: 1\ncases:\n  - { url: \"https://a.example/\", expect: inside }\n  \
                - { case: x, action: click, element: { name: Pay }, expect: gate }\n";

    assert_eq!(cases(good).unwrap().len(), 2);
    for (from, to, says) in [
        ("expect: inside", "expect: gate", "does not fit"),
        ("expect: gate", "expect: inside", "does not fit"),
        ("expect: gate", "expect: gaet", "did you mean `gate`?"),
        ("action: click", "frame: true", "has neither"),
        ("element:", "elemnt:", "did you mean `element`?"),
    ] {
        let error = cases(&good.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn the_schema_knows_every_key_and_refuses_others() {
    let schema = schema();

    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["required"], serde_json::json!(["version"]));
    let host = &schema["properties"]["boundary"]["properties"]["allow"]["items"];
    assert_eq!(host["required"], serde_json::json!(["host"]));
    assert!(host["properties"]["paths"]["items"]["pattern"].is_string());
    let gates = &schema["properties"]["gates"]["properties"]["elevated"]["properties"]["agent"];
    assert_eq!(gates["enum"], serde_json::json!(["allow", "gate", "hold", "refuse"]));
}
