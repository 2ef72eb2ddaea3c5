//! Every problem of a file at once: first its shape, against the table of the language, then what
//! its parts mean together.

use sidestick_model::{ActionKind, limits};

use crate::language::{Field, Shape};
use crate::place::HostPattern;

use super::Problem;
use super::meant::{distance, nearest};
use super::node::{Key, Kind, Node};

/// Problems so far, and how many further ones were not kept.
struct Found {
    problems: Vec<Problem>,
}

impl Found {
    fn add(&mut self, node: &Node, at: &str, message: String, meant: Option<String>) {
        self.push(Problem {
            line: node.line,
            column: node.column,
            at: at.to_owned(),
            message,
            meant,
        });
    }

    fn add_key(&mut self, key: &Key, at: &str, message: String, meant: Option<String>) {
        self.push(Problem {
            line: key.line,
            column: key.column,
            at: at.to_owned(),
            message,
            meant,
        });
    }

    fn push(&mut self, mut problem: Problem) {
        // LIMIT: of more problems the first ones found are told; a file with so many has not been
        // read by anybody yet.
        if limits::POLICY_PROBLEMS_MAX <= self.problems.len() {
            return;
        }
        let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
        let clean = |text: &str| text.chars().take(300).map(plain).collect::<String>();
        problem.at = clean(&problem.at);
        problem.message = clean(&problem.message);
        problem.meant = problem.meant.as_deref().map(clean);
        self.problems.push(problem);
    }
}

/// Checks a file against the table.
pub(super) fn shape(tree: &Node, shape: &Shape) -> Vec<Problem> {
    let mut found = Found { problems: Vec::new() };
    walk(tree, shape, "", &mut found);
    found.problems
}

fn walk(node: &Node, shape: &Shape, at: &str, found: &mut Found) {
    let wrong = |found: &mut Found, wanted: &str| {
        found.add(node, at, format!("is {}; {wanted} is needed", node.words()), None);
    };
    match (shape, &node.kind) {
        (Shape::Text(format), Kind::Text(text)) => {
            if limits::POLICY_TEXT_MAX < text.chars().count() {
                let why = format!("has more than {} characters", limits::POLICY_TEXT_MAX);
                found.add(node, at, why, None);
            } else if let Some((why, meant)) = format.problem(text) {
                found.add(node, at, format!("`{text}` {why}"), meant);
            }
        }
        (Shape::Text(format), Kind::Number(_) | Kind::Other | Kind::Flag) => {
            wrong(found, &format!("{}, in quotes,", format.words()));
        }
        (Shape::Text(format), _) => wrong(found, format.words()),
        (Shape::Word(words), Kind::Text(text)) => word(node, text, words, at, found),
        (Shape::Word(words), _) => wrong(found, &one_of(words)),
        (Shape::Kind, Kind::Text(text)) if ActionKind::parse(text).is_some() => {}
        (Shape::Kind, Kind::Text(text)) => {
            let known = ActionKind::ALL.iter().map(|kind| kind.as_str());
            let meant = nearest(text, known).map(str::to_owned);
            found.add(node, at, format!("`{text}` is no kind of action"), meant);
        }
        (Shape::Kind, _) => wrong(found, "a kind of action"),
        (Shape::Flag, Kind::Flag) => {}
        (Shape::Flag, _) => wrong(found, "`true` or `false`"),
        (Shape::Number(min, max) | Shape::NumberOr(min, max, _), Kind::Number(number)) => {
            if !(min..=max).contains(&number) {
                found.add(node, at, format!("is {number}; {min} to {max} is needed"), None);
            }
        }
        (Shape::Number(min, max), _) => wrong(found, &format!("{min} to {max}")),
        (Shape::NumberOr(_, _, words), Kind::Text(text)) => word(node, text, words, at, found),
        (Shape::NumberOr(min, max, words), _) => {
            wrong(found, &format!("{min} to {max}, or {},", one_of(words)));
        }
        (Shape::List(item), Kind::List(items)) => list(node, items, item, at, found),
        (Shape::List(_), _) => wrong(found, "a list"),
        (Shape::Keys(keys, value), Kind::Map(entries)) => {
            for (key, entry) in entries {
                match keys.contains(&key.name.as_str()) {
                    true => walk(entry, value, &below(at, &key.name), found),
                    false => unknown(key, keys, at, found),
                }
            }
            twice(entries, at, found);
        }
        (Shape::Names(value), Kind::Map(entries)) => {
            for (key, entry) in entries {
                walk(entry, value, &below(at, &key.name), found);
            }
            twice(entries, at, found);
        }
        (Shape::Map(fields), Kind::Map(entries)) => map(node, entries, fields, at, found),
        (Shape::Keys(..) | Shape::Names(_) | Shape::Map(_), _) => wrong(found, "a map"),
    }
}

fn below(at: &str, key: &str) -> String {
    if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") }
}

fn one_of(words: &[&str]) -> String {
    match words {
        [only] => format!("`{only}`"),
        _ => format!("one of `{}`", words.join("`, `")),
    }
}

fn word(node: &Node, text: &str, words: &[&str], at: &str, found: &mut Found) {
    if !words.contains(&text) {
        let meant = nearest(text, words.iter().copied()).map(str::to_owned);
        found.add(node, at, format!("is `{text}`; {} is needed", one_of(words)), meant);
    }
}

fn list(node: &Node, items: &[Node], item: &Shape, at: &str, found: &mut Found) {
    let most = if at == "cases" { limits::POLICY_CASES_MAX } else { limits::POLICY_LIST_MAX };
    if most < items.len() {
        found.add(node, at, format!("has {} entries, more than may be", items.len()), None);
        return;
    }
    for (index, entry) in items.iter().enumerate() {
        walk(entry, item, &format!("{at}[{index}]"), found);
    }
}

fn unknown(key: &Key, known: &[&str], at: &str, found: &mut Found) {
    let meant = nearest(&key.name, known.iter().copied()).map(str::to_owned);
    found.add_key(key, &below(at, &key.name), "is no key of this language".to_owned(), meant);
}

fn map(node: &Node, entries: &[(Key, Node)], fields: &[Field], at: &str, found: &mut Found) {
    let keys: Vec<&str> = fields.iter().map(|field| field.key).collect();
    for (key, value) in entries {
        match fields.iter().find(|field| field.key == key.name) {
            Some(field) => walk(value, &field.shape, &below(at, field.key), found),
            None => unknown(key, &keys, at, found),
        }
    }
    for field in fields.iter().filter(|field| field.default.is_none()) {
        if !entries.iter().any(|(key, _)| key.name == field.key) {
            found.add(node, &below(at, field.key), "is missing".to_owned(), None);
        }
    }
    twice(entries, at, found);
}

fn twice(entries: &[(Key, Node)], at: &str, found: &mut Found) {
    for (index, (key, _)) in entries.iter().enumerate() {
        if entries.iter().take(index).any(|(before, _)| before.name == key.name) {
            found.add_key(key, &below(at, &key.name), "stands here twice".to_owned(), None);
        }
    }
}

/// Checks what the parts of a policy mean together.
pub(super) fn meaning(tree: &Node) -> Vec<Problem> {
    let mut found = Found { problems: Vec::new() };
    boundary(tree, &mut found);
    risk(tree, &mut found);
    gates(tree, &mut found);
    caps(tree, &mut found);
    sources(tree, &mut found);
    found.problems
}

fn boundary(tree: &Node, found: &mut Found) {
    let Some(boundary) = tree.get("boundary") else { return };
    let frames = boundary.get("frames");
    let lists = [
        ("boundary.allow", boundary.get("allow")),
        ("boundary.frames.load", frames.and_then(|frames| frames.get("load"))),
        ("boundary.frames.act", frames.and_then(|frames| frames.get("act"))),
    ];
    for (name, list) in lists {
        for (index, place) in list.map_or(&[][..], Node::items).iter().enumerate() {
            let Some(host) = place.get("host") else { continue };
            let parsed = host.text().and_then(|text| HostPattern::parse(text).ok());
            if parsed.is_some_and(|pattern| pattern.is_too_wide()) {
                let why = "is everything below a public suffix: no site, but all of them";
                found.add(host, &format!("{name}[{index}].host"), why.to_owned(), None);
            }
        }
    }
    for (index, place) in boundary.get("deny").map_or(&[][..], Node::items).iter().enumerate() {
        let at = format!("boundary.deny[{index}]");
        if place.entries().is_empty() {
            found.add(place, &at, "denies everything; say at least one part".to_owned(), None);
        }
        if let Some(host) = place.get("host") {
            misspelled(tree, host, &format!("{at}.host"), found);
        }
    }
}

/// Tells a host that nothing allows and that is nearly one that is allowed: a rule that never
/// matches does not do what its writer thinks.
fn misspelled(tree: &Node, host: &Node, at: &str, found: &mut Found) {
    let name = |node: &Node| {
        let parsed = node.text().and_then(|text| HostPattern::parse(text).ok())?;
        Some(match parsed {
            HostPattern::Exactly(name) | HostPattern::Below(name) => name,
        })
    };
    let Some(own) = name(host) else { return };
    let allow = tree.get("boundary").and_then(|boundary| boundary.get("allow"));
    let allowed: Vec<String> = allow
        .map_or(&[][..], Node::items)
        .iter()
        .filter_map(|place| name(place.get("host")?))
        .collect();
    let is_related = |other: &String| {
        let is_below = |one: &str, above: &str| {
            one == above || one.strip_suffix(above).is_some_and(|rest| rest.ends_with('.'))
        };
        is_below(&own, other) || is_below(other, &own)
    };
    if allowed.iter().any(is_related) {
        return;
    }
    let labels = |name: &str| name.split('.').count();
    let meant = allowed.iter().find_map(|other| {
        // The same number of parts at the end of the name is what is compared.
        let parts: Vec<&str> = own.split('.').collect();
        let from = parts.len().checked_sub(labels(other))?;
        let (before, tail) = parts.split_at_checked(from)?;
        let one: Vec<char> = tail.join(".").chars().take(80).collect();
        let two: Vec<char> = other.chars().take(80).collect();
        if !(1..=2).contains(&distance(&one, &two)) {
            return None;
        }
        let before = before.join(".");
        Some(if before.is_empty() { other.clone() } else { format!("{before}.{other}") })
    });
    if let Some(meant) = meant {
        found.add(host, at, format!("`{own}` is nowhere allowed"), Some(meant));
    }
}

fn risk(tree: &Node, found: &mut Found) {
    let rules = tree.get("risk").and_then(|risk| risk.get("rules"));
    for (index, rule) in rules.map_or(&[][..], Node::items).iter().enumerate() {
        let Some(when) = rule.get("when") else { continue };
        let at = format!("risk.rules[{index}].when");
        if when.entries().is_empty() {
            found.add(when, &at, "has no condition; it would match everything".to_owned(), None);
        }
        let is_safe = rule.get("tier").and_then(Node::text) == Some("safe");
        if is_safe && when.get("name").is_none() && !when.entries().is_empty() {
            let why = "makes nothing safe without a `name`: only the words in a name are lowered";
            found.add(when, &at, why.to_owned(), None);
        }
    }
}

fn gates(tree: &Node, found: &mut Found) {
    for (tier, row) in tree.get("gates").map_or(&[][..], Node::entries) {
        for (actor, answer) in row.entries() {
            let at = format!("gates.{}.{}", tier.name, actor.name);
            match (tier.name.as_str(), actor.name.as_str(), answer.text()) {
                (_, "human", Some("hold")) => {
                    let why = "cannot be held: a person would wait for a person";
                    found.add(answer, &at, why.to_owned(), None);
                }
                ("irreversible", actor, Some("allow")) if actor != "human" => {
                    let why = "cannot be allowed: what cannot be taken back needs somebody who \
                               said so";
                    found.add(answer, &at, why.to_owned(), Some("gate".to_owned()));
                }
                (_, _, _) => {}
            }
        }
    }
}

fn caps(tree: &Node, found: &mut Found) {
    let Some(caps) = tree.get("caps") else { return };
    let number = |key| match caps.get(key)?.kind {
        Kind::Number(number) => Some(number),
        _ => None,
    };
    let bytes = |key| caps.get(key).and_then(Node::text).and_then(crate::language::size);
    let pairs = [
        ("goal_actions", number("goal_actions"), "actions", number("actions")),
        ("download", bytes("download"), "downloads", bytes("downloads")),
    ];
    for (part, of, whole, limit) in pairs {
        if let (Some(of), Some(limit), Some(node)) = (of, limit, caps.get(part))
            && limit < of
        {
            let why = format!("is more than `caps.{whole}` allows");
            found.add(node, &format!("caps.{part}"), why, None);
        }
    }
}

/// Checks that each secret and each value to take out names one source, and each secret one place.
fn sources(tree: &Node, found: &mut Found) {
    let one_of = |entry: &Node, keys: &[&str], at: &str, found: &mut Found| {
        let named = keys.iter().filter(|key| entry.get(key).is_some()).count();
        if named != 1 {
            let why = format!("names {named} of `{}`; one is needed", keys.join("`, `"));
            found.add(entry, at, why, None);
        }
    };
    let values = tree.get("redaction").and_then(|redaction| redaction.get("values"));
    for (index, value) in values.map_or(&[][..], Node::items).iter().enumerate() {
        one_of(value, &["env", "file"], &format!("redaction.values[{index}]"), found);
    }
    let mut names: Vec<&str> = Vec::new();
    for (index, secret) in tree.get("secrets").map_or(&[][..], Node::items).iter().enumerate() {
        let at = format!("secrets[{index}]");
        one_of(secret, &["env", "file", "command"], &at, found);
        one_of(secret, &["site", "host"], &at, found);
        if let Some(command) = secret.get("command").filter(|node| node.items().is_empty()) {
            found.add(command, &format!("{at}.command"), "names no program".to_owned(), None);
        }
        for key in ["site", "host"] {
            if let Some(host) = secret.get(key) {
                misspelled(tree, host, &format!("{at}.{key}"), found);
            }
        }
        if let Some((node, name)) = secret.get("name").and_then(|node| Some((node, node.text()?))) {
            if names.contains(&name) {
                found.add(node, &format!("{at}.name"), format!("`{name}` stands here twice"), None);
            }
            names.push(name);
        }
    }
}

/// Checks what the parts of a case mean together.
pub(super) fn cases(tree: &Node) -> Vec<Problem> {
    let mut found = Found { problems: Vec::new() };
    for (index, case) in tree.get("cases").map_or(&[][..], Node::items).iter().enumerate() {
        let at = format!("cases[{index}]");
        let is_act = case.get("action").is_some();
        if !is_act && case.get("url").is_none() {
            found.add(case, &at, "has neither `url` nor `action`".to_owned(), None);
        }
        let Some(expect) = case.get("expect") else { continue };
        let of_address = ["inside", "outside", "blocked"].contains(&expect.text().unwrap_or(""));
        if expect.text().is_some() && is_act == of_address {
            let wanted =
                if is_act { "allow, gate, hold or refuse" } else { "inside, outside or blocked" };
            let why = format!("does not fit: this case ends in {wanted}");
            found.add(expect, &format!("{at}.expect"), why, None);
        }
    }
    found.problems
}
