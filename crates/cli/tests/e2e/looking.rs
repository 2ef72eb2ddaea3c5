//! Looking: what has changed since a look.

use serde_json::Value;

use crate::lab::{Lab, reference};
use crate::site::Site;

const LIST: &str = r#"<title>List</title><h1>Orders</h1>
<button onclick="add()">Add</button><button onclick="last()">Move last to top</button>
<button onclick="rows.firstElementChild.remove();got('removed')">Take first</button>
<button onclick="setTimeout(add, 700)">Add later</button>
<table><thead><tr><th>Item<th>Do</thead><tbody id=rows></tbody></table>
<p>One line that stays.</p><p>Another line that stays.</p><a href="/other">Other</a>
<script>
let n = 0;
function row(name) { const tr = document.createElement('tr');
  tr.innerHTML = '<td>' + name + '</td><td><button>Edit ' + name + '</button></td>'; return tr; }
function add() { rows.append(row('new ' + (++n))); got('added'); }
function last() { rows.prepend(rows.lastElementChild); got('moved'); }
for (const name of ['pen', 'ink', 'cup', 'hat', 'map', 'key']) rows.append(row(name));
</script>"#;
const PAGES: &[(&str, &str)] =
    &[("/list", LIST), ("/other", "<title>Other</title><h1>Other</h1><button>Go</button>")];

/// The outline without its header: what a caller has in hand.
fn observe(lab: &Lab, args: &[&str]) -> Value {
    let all: Vec<&str> = ["observe", "--no-screenshot"].iter().chain(args).copied().collect();
    lab.ask(&all)
}

fn text(value: &Value) -> String {
    value["outline"].as_str().unwrap().to_owned()
}

fn id(value: &Value) -> String {
    value["observation"]["id"].as_str().unwrap().to_owned()
}

/// Follows the grammar of docs/reference/outline.md, written again from the page alone.
fn apply(old: &str, delta: &str) -> String {
    let old: Vec<&str> = old.lines().collect();
    let mut new: Vec<String> = Vec::new();
    let mut at = 1;
    let mut footer = Vec::new();
    for (number, line) in delta.lines().enumerate() {
        if number == 0 {
            new.push(line[..line.rfind("; since ").unwrap()].to_owned());
            continue;
        }
        match line.split_at(1) {
            ("@", place) => {
                let to: usize = place.split(' ').next().unwrap().parse().unwrap();
                new.extend(old[at..to].iter().map(|line| (*line).to_owned()));
                at = to;
            }
            ("-" | "<", _) => at += 1,
            ("~", rest) => {
                new.push(rest[1..].to_owned());
                at += 1;
            }
            ("+" | ">", rest) => new.push(rest[1..].to_owned()),
            _ => footer.push(line.to_owned()),
        }
    }
    let counts = old.last().unwrap().starts_with("left out: ");
    let end = old.len() - 1 - usize::from(counts);
    new.extend(old[at..end].iter().map(|line| (*line).to_owned()));
    new.extend(footer);
    format!("{}\n", new.join("\n"))
}

#[test]
fn a_delta_and_the_outline_before_it_are_the_outline_now() {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    let begun = lab.begin_at(&site.url("/list"), &[]);
    let first = observe(&lab, &[]);
    for button in ["Add", "Move last to top", "Take first"] {
        lab.act(&["click", "--role", "button", "--name", button], "OBSERVED", None);
    }

    let delta = observe(&lab, &["--since", &id(&first)]);

    assert_eq!(site.got(), ["added", "moved", "removed"]);
    let seen = &delta["delta"];
    assert_eq!((&seen["since"], &seen["whole"]), (&first["observation"]["id"], &false.into()));
    let written = begun.read(&format!("outlines/{}.txt", id(&delta)));
    assert_eq!(apply(&text(&first), &text(&delta)), written, "{}", text(&delta));
    assert!(text(&delta).len() < written.len(), "{}", text(&delta));
    assert!(!text(&delta).contains("Another line that stays"), "{}", text(&delta));
    let edit = reference(&written, "button \"Edit ink\"");
    assert_eq!(edit, reference(&text(&first), "button \"Edit ink\""), "a ref stays");
    lab.act(&["click", &edit], "NO_EFFECT", None);
    lab.ask(&["end"]);
}

#[test]
fn what_is_new_is_named_and_what_cannot_be_told_as_a_delta_is_told_whole() {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    lab.begin_at(&site.url("/list"), &[]);
    let first = observe(&lab, &[]);
    lab.act(&["click", "--role", "button", "--name", "Add"], "OBSERVED", None);

    let next = text(&observe(&lab, &[]));
    let added = reference(&next, "button \"Edit new 1\"");
    assert!(next.contains(&format!("new since {}: {added}", id(&first))), "{next}");

    let other = observe(&lab, &["--since", &id(&first), "--scope", "document"]);
    assert_eq!(other["delta"]["why"], "other_scope");
    lab.act(&["click", "--role", "link", "--name", "Other"], "OBSERVED", None);
    let other = observe(&lab, &["--since", &id(&first)]);
    assert_eq!(
        (&other["delta"]["whole"], &other["delta"]["why"]),
        (&true.into(), &"other_document".into())
    );
    assert!(text(&other).contains("heading 1 \"Other\""), "{other:#}");
    assert!(text(&other).contains(&format!("no delta to {}: other_document", id(&first))));
    lab.json(&["observe", "--since", "o99"]).refused(2, "unknown_observation");
    lab.ask(&["end"]);
}

const LATE: &[(&str, &str)] = &[(
    "/late",
    r#"<title>Late</title><form><button type=button onclick="go()">Save</button>
<output id=out></output></form><p id=clock>-</p><script>
function go() { got('pressed'); setTimeout(() => { out.textContent = 'Stored'; got('stored'); }, 1200); }
</script>"#,
)];

/// Waits for what the page itself says has happened.
fn until_got(site: &Site, word: &str) {
    let is_there = || site.got().iter().any(|got| got == word);
    assert!(crate::lab::until(std::time::Duration::from_secs(5), is_there), "{:?}", site.got());
}

#[test]
fn an_effect_that_comes_late_is_credited_to_its_act_in_the_next_look_and_in_the_report() {
    let (lab, site) = (Lab::bare(), Site::serve(LATE));
    let begun = lab.begin_at(&site.url("/late"), &[]);
    lab.act(&["click", "--role", "button", "--name", "Save"], "NO_EFFECT", None);
    until_got(&site, "stored");

    let look = observe(&lab, &[]);
    let again = observe(&lab, &[]);

    assert_eq!(look["late"]["act"], "a1", "{look:#}");
    assert_eq!(look["late"]["changes"][0]["after"], "Stored", "{look:#}");
    assert!(again["late"].is_null(), "told once: {again:#}");
    lab.ask(&["end"]);
    let act = &begun.report()["acts"][0];
    assert_eq!(act["effect"]["late"][0]["after"], "Stored", "{act:#}");
    assert!(begun.read("report.html").contains("Changed later"));
    lab.ask(&["verify"]);
}

#[test]
fn changes_tells_what_changed_since_it_was_last_asked_and_what_did_it() {
    let (lab, site) = (Lab::bare(), Site::serve(LATE));
    lab.begin_at(&site.url("/late"), &[]);
    let first = lab.ask(&["changes"]);
    lab.act(&["click", "--role", "button", "--name", "Save"], "NO_EFFECT", None);
    until_got(&site, "stored");

    let second = lab.ask(&["changes"]);
    let third = lab.ask(&["changes"]);

    assert_eq!((&first["started"], first["changes"].as_array().unwrap().len()), (&true.into(), 0));
    let change = &second["changes"][0];
    assert_eq!(
        (&change["kind"], &change["after"]),
        (&"text".into(), &"Stored".into()),
        "{second:#}"
    );
    assert_eq!((&change["cause"]["name"], &change["cause"]["act"]), (&"Save".into(), &true.into()));
    assert_eq!(second["from"], first["until"]);
    assert_eq!(
        (third["from"].clone(), &third["changes"]),
        (second["until"].clone(), &Value::from(Vec::<Value>::new()))
    );
    let said = lab.say(&["changes", "--back", "60s"]);
    assert!(said.out.contains("text text") || said.out.contains("\"\" -> \"Stored\""), "{said:?}");
    lab.ask(&["end"]);
}

const FAILS: &[(&str, &str)] = &[(
    "/fails",
    r#"<title>Fails</title><button onclick="Promise.all([fetch('/expected/7'), fetch('/other')]).then(
    () => { console.warn('low on ink'); out.textContent = 'Done' })">Go</button><output id=out></output>"#,
)];

#[test]
fn a_failure_that_was_expected_is_kept_and_marked_and_how_bad_each_is_is_said() {
    let (lab, site) = (Lab::bare(), Site::serve(FAILS));
    let begun = lab.begin_at(&site.url("/fails"), &["--expect-failure", "get */EXPECTED/* -> 404"]);
    lab.ask(&["goal", "g1", "--title", "Go"]);
    let args =
        ["click", "--role", "button", "--name", "Go", "--goal", "g1", "--expect", "text:Done"];
    lab.act(&args, "OBSERVED", None);

    let verdict = lab.ask(&["verdict", "g1", "pass"]);

    lab.ask(&["end"]);
    let report = begun.report();
    let found = |words: &str| {
        let all = report["findings"].as_array().unwrap();
        let is_it = |f: &&Value| f["summary"].as_str().unwrap().contains(words);
        all.iter().find(is_it).unwrap_or_else(|| panic!("no {words} in {all:#?}")).clone()
    };
    let (expected, other, ink) = (found("/expected/7"), found("/other"), found("low on ink"));
    assert_eq!((&expected["expected"], &expected["severity"]), (&true.into(), &"warning".into()));
    assert_eq!((&other["expected"], &ink["severity"]), (&Value::Null, &"warning".into()));
    let linked = verdict["linked_findings"].as_array().unwrap();
    assert!(!linked.contains(&expected["finding_id"]), "{verdict:#}");
    assert!(linked.contains(&other["finding_id"]), "{verdict:#}");
    assert!(begun.read("report.md").contains("network, warning, expected"));
}
