//! The first message to the browser fails, the second, the third: each alone, in every way.
//!
//! One script of verbs runs over a page that records what reached it. Whatever fails, every verb
//! ends in time with a word that is documented, tells nothing that did not happen, and after the
//! end nothing is left but a record that is whole.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::lab::{Lab, Said, begin_args, until};
use crate::site::Site;
use crate::wire::FaultyWire;
use crate::{lab, processes};

const PAGES: &[(&str, &str)] = &[
    (
        "/",
        "<title>One</title><h1>One</h1>\
         <button onclick=\"got('clicked');n.textContent='saved '+ ++k\">Save</button>\
         <p id=n>not saved</p><input aria-label=Name oninput=\"got('name-'+value)\">\
         <script>let k=0</script>",
    ),
    ("/two", "<title>Two</title><h1>Two</h1>"),
];

/// Time an act of the script may take.
const ACT_TIME: &str = "3s";
/// What starting processes and writing the record may add to a verb's own time.
const MARGIN: Duration = Duration::from_secs(3);

/// One verb of the script: its arguments and the time it may take by its own limits.
struct Verb {
    name: &'static str,
    args: Vec<String>,
    limit: Duration,
}

fn verb(name: &'static str, args: &[&str], limit_s: u64) -> Verb {
    let args = std::iter::once(name).chain(args.iter().copied()).map(str::to_owned).collect();
    Verb { name, args, limit: Duration::from_secs(limit_s) }
}

/// The script after `begin`. An act waits for the picture of the one before it, 5 s at most.
fn verbs(site: &Site) -> Vec<Verb> {
    let (two, wait) = (site.url("/two"), ["--timeout", ACT_TIME]);
    let save = ["--role", "button", "--name", "Save", wait[0], wait[1]];
    let name = ["--role", "textbox", "--name", "Name", "--text", "Ada", wait[0], wait[1]];
    vec![
        verb("observe", &["--no-screenshot"], 10),
        verb("click", &save, 3 + 5),
        verb("fill", &name, 3 + 5),
        verb("observe", &["--no-screenshot"], 10 + 5),
        verb("navigate", &[&two, wait[0], wait[1]], 3 + 5),
        verb("end", &[], 5 + 3 + 3 + 2),
    ]
}

/// What one verb said, and how long it took.
struct Told {
    name: &'static str,
    said: Said,
    took: Duration,
    limit: Duration,
}

/// One pass of the script under one fault.
struct Pass {
    lab: Lab,
    site: Site,
    wire: FaultyWire,
    told: Vec<Told>,
}

fn pass(plan: &str) -> Pass {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    let wire = FaultyWire::of(&lab);
    wire.plan(plan);
    let mut told = Vec::new();
    let mut say = |name, args: &[&str], limit| {
        let started = Instant::now();
        let said = lab.json(args);
        let exit = said.exit;
        told.push(Told { name, said, took: started.elapsed(), limit });
        exit
    };
    let url = site.url("/");
    let mut args = begin_args(&url);
    args.extend(["--browser", wire.browser()]);
    args.extend(lab.sandbox());
    // The launch, the target, the first reading and its picture.
    let begun = say("begin", &args, Duration::from_secs(15 + 30 + 10 + 5));
    if begun == 0 {
        for verb in verbs(&site) {
            let args: Vec<&str> = verb.args.iter().map(String::as_str).collect();
            say(verb.name, &args, verb.limit);
        }
    }
    Pass { lab, site, wire, told }
}

/// The words that `docs/reference` knows.
struct Documented {
    errors: BTreeMap<String, i32>,
    statuses: Vec<String>,
    codes: Vec<String>,
}

impl Documented {
    fn read() -> Documented {
        let text = |name: &str| {
            let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/");
            std::fs::read_to_string(format!("{root}{name}")).unwrap()
        };
        let word = |line: &str| line.split('`').nth(1).map(str::to_owned);
        let errors = text("errors.md");
        let errors = errors.lines().filter(|line| line.starts_with("| `")).map(|line| {
            let exit = line.trim_end_matches([' ', '|']).rsplit(' ').next().unwrap();
            (word(line).unwrap(), exit.parse().unwrap())
        });
        let outcomes = text("outcomes.md");
        let (table, lists) = outcomes.split_once("\nCodes").unwrap();
        let codes = lists.split_once("\nActions").unwrap().0;
        let rows = table.lines().filter(|line| line.starts_with("| `"));
        Documented {
            errors: errors.collect(),
            statuses: rows.filter_map(word).collect(),
            codes: codes.lines().filter_map(word).collect(),
        }
    }
}

/// What is wrong with a verb's answer by itself.
fn wrong_words(told: &Told, documented: &Documented) -> Option<String> {
    let said = &told.said;
    let Ok(value) = serde_json::from_str::<Value>(&said.out) else {
        return Some(format!("no JSON object: {said:?}"));
    };
    if told.limit + MARGIN < told.took {
        return Some(format!("took {:?} of {:?}", told.took, told.limit));
    }
    if value["ok"] == false {
        let code = value["error"].as_str().unwrap_or_default();
        let exit = documented.errors.get(code);
        let is_good = exit == Some(&said.exit) && value["message"].is_string();
        let driver = value["driver_error"].as_str();
        let is_known = driver.is_none_or(|code| documented.codes.iter().any(|c| c == code));
        return (!is_good || !is_known).then(|| format!("not documented: {said:?}"));
    }
    if said.exit != 0 {
        return Some(format!("ok, and exit {}: {said:?}", said.exit));
    }
    if !matches!(told.name, "click" | "fill" | "navigate") {
        return None;
    }
    let status = value["status"].as_str().unwrap_or_default();
    let is_status = documented.statuses.iter().any(|known| known == status);
    let code = value["code"].as_str();
    let is_code = code.is_none_or(|code| documented.codes.iter().any(|known| known == code));
    let is_fate = matches!(value["fate"].as_str(), Some("not_sent" | "sent" | "unknown"));
    (!is_status || !is_code || !is_fate).then(|| format!("not documented: {value}"))
}

/// Whether an act really did what it asked for, by the record of the site.
fn happened(name: &str, site: &Site) -> bool {
    match name {
        "click" => site.got().iter().any(|word| word == "clicked"),
        "fill" => site.got().iter().any(|word| word == "name-Ada"),
        _ => site.asked("/two") != 0,
    }
}

/// Whether anything of an act reached the application.
fn reached(name: &str, site: &Site) -> bool {
    match name {
        "fill" => site.got().iter().any(|word| word.starts_with("name-")),
        _ => happened(name, site),
    }
}

/// What an act told that is not so.
fn untruth(told: &Told, site: &Site) -> Option<String> {
    let value: Value = serde_json::from_str(&told.said.out).ok()?;
    let (status, fate) = (value["status"].as_str()?, value["fate"].as_str()?);
    let soon = Duration::from_secs(2);
    let lie = match status {
        "OBSERVED" if !until(soon, || happened(told.name, site)) => "a false success",
        "NO_EFFECT" if reached(told.name, site) => "an effect that is denied",
        _ if fate == "not_sent" && reached(told.name, site) => "sent, and told as not sent",
        _ => return None,
    };
    Some(format!("{lie}: {} {value:#}", told.name))
}

/// What is wrong with a pass.
fn wrong(pass: &Pass, documented: &Documented) -> Vec<String> {
    let mut wrong = Vec::new();
    for told in &pass.told {
        let words = wrong_words(told, documented);
        wrong.extend(words.map(|why| format!("{}: {why}", told.name)));
        wrong.extend(untruth(told, &pass.site));
    }
    let clicks = pass.site.got().iter().filter(|word| *word == "clicked").count();
    if 1 < clicks {
        wrong.push(format!("{clicks} clicks arrived of one"));
    }
    wrong.extend(left_open(&pass.lab));
    wrong
}

/// What stays behind of a run: an open record, one that is not whole, a process, a file.
fn left_open(lab: &Lab) -> Vec<String> {
    let mut wrong = Vec::new();
    let listed = lab.json(&["runs", "list"]);
    let value: Value = serde_json::from_str(&listed.out).unwrap_or_default();
    let ids = value["runs"].as_array().cloned().unwrap_or_default();
    for row in &ids {
        if row["state"] != "ended" {
            wrong.push(format!("the run is open: {row}"));
        }
        let run = row["run"].as_str().unwrap_or_default();
        let verify = lab.json(&["verify", "--run", run]);
        if verify.exit != 0 || verify.value()["whole"] != true {
            wrong.push(format!("the record is not whole: {verify:?}"));
        }
    }
    if ids.is_empty() {
        wrong.push(format!("no run is listed: {listed:?}"));
    }
    if !until(lab::GONE_TIME_MAX, || lab.left().is_empty()) {
        wrong.push(format!("left behind: {:#?}", lab.left()));
        clear(lab);
    }
    wrong
}

/// Makes room for the next pass; what was left has been told.
fn clear(lab: &Lab) {
    processes::end_under(lab.root());
    for folder in [lab.temp(), lab.user().join("hosts")] {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            drop(std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path)));
        }
    }
}

/// What each verb of a pass said, in a word, and its time.
fn in_short(pass: &Pass) -> String {
    let word = |told: &Told| {
        let value: Value = serde_json::from_str(&told.said.out).unwrap_or_default();
        let part = |name: &str| value[name].as_str().map(str::to_owned);
        let words = [part("status"), part("code"), part("fate"), part("error")];
        let words: Vec<String> = words.into_iter().flatten().collect();
        format!("{} {} {} ms", told.name, words.join("/"), told.took.as_millis())
    };
    pass.told.iter().map(word).collect::<Vec<_>>().join("; ")
}

/// What a number of passes came to.
#[derive(Default)]
struct Tally {
    /// Passes, and those whose fault was reached, by the fault's word.
    passes: BTreeMap<String, (u64, u64)>,
    wrong: Vec<String>,
}

/// Runs the script once for each plan, `side` at a time.
fn judge(plans: &[String], side: usize) -> Tally {
    let documented = Documented::read();
    let left = Mutex::new(plans.iter());
    let tally = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..side {
            scope.spawn(|| {
                loop {
                    let next = left.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some(plan) = next else { return };
                    let pass = pass(plan);
                    println!("{plan}: {}", in_short(&pass));
                    let wrong = wrong(&pass, &documented);
                    let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
                    let word = plan.split(' ').next().unwrap_or_default().to_owned();
                    let counts = tally.passes.entry(word).or_default();
                    counts.0 += 1;
                    counts.1 += u64::from(pass.wire.has_failed());
                    for why in &wrong {
                        println!("{plan}: {why}");
                    }
                    tally.wrong.extend(wrong.into_iter().map(|why| format!("{plan}: {why}")));
                }
            });
        }
    });
    tally.into_inner().unwrap()
}

/// The methods of a pass in which nothing fails, in order; the pass itself has to be good.
fn clean_pass() -> Vec<String> {
    let pass = pass("");
    assert_eq!(wrong(&pass, &Documented::read()), Vec::<String>::new());
    let status = |at: usize| {
        let told: &Told = &pass.told[at];
        told.said.good()["status"].clone()
    };
    assert_eq!(
        [status(2), status(3), status(5)],
        [json!("OBSERVED"), json!("OBSERVED"), json!("OBSERVED")]
    );
    pass.wire.sent()
}

/// Every way in which one message can fail; the first ones end no wait by its deadline.
const KINDS: [&str; 13] = [
    "fail",
    "close-at",
    "garbage",
    "crash-browser",
    "half-close-out",
    "delay",
    "giant",
    "crash-page",
    "half-close-in",
    "drop-answer",
    "drop",
    "deaf",
    "stall-all",
];
/// Of [`KINDS`], those that `make test` has for every message.
const QUICK: usize = 6;

fn plan(kind: &str, place: &str) -> String {
    let time = if kind == "delay" { " 700" } else { "" };
    format!("{kind} {place}{time}")
}

/// Every message, in each of the ways that were asked for: `all`, or some kinds with commas.
fn every_plan(asked: &str, messages: usize) -> Vec<String> {
    let is_asked = |kind: &&str| asked == "all" || asked.split(',').any(|word| word == *kind);
    let kinds = KINDS.iter().copied().filter(is_asked);
    let each = |kind| (0..messages).map(move |number| plan(kind, &number.to_string()));
    kinds.flat_map(each).collect()
}

/// Every message in one quick way, so that each method meets one; and every message of the acts in
/// one of the ways that wait for a deadline, a few of them.
fn chosen_plans(methods: &[String]) -> Vec<String> {
    let quick = methods.iter().enumerate().map(|(number, _)| {
        // Not in step with the messages of one kind of act.
        plan(KINDS[(number + number / QUICK) % QUICK], &number.to_string())
    });
    let acts = methods.iter().enumerate().filter(|(_, method)| {
        method.starts_with("Input.") || *method == "Page.navigate" || *method == "DOM.focus"
    });
    let slow = acts.enumerate().map(|(at, (number, _))| {
        plan(KINDS[QUICK + at % (KINDS.len() - QUICK)], &number.to_string())
    });
    quick.chain(slow).collect()
}

/// Runs every second of the chosen plans, or every one that was asked for.
#[track_caller]
fn judge_share(share: usize) {
    let methods = clean_pass();
    let asked = std::env::var("SIDESTICK_FAULTS").unwrap_or_default();
    let plans = match asked.as_str() {
        "" => chosen_plans(&methods),
        asked => every_plan(asked, methods.len()),
    };
    let mine: Vec<String> = plans.into_iter().skip(share).step_by(2).collect();

    let tally = judge(&mine, 2);

    let numbers = json!({
        "messages": methods.len(),
        "passes": tally.passes.values().map(|(passes, _)| passes).sum::<u64>(),
        "kinds": tally.passes.iter().map(|(kind, (passes, reached))| {
            (kind.clone(), json!({"passes": passes, "reached": reached}))
        }).collect::<serde_json::Map<_, _>>(),
        "wrong": tally.wrong,
        "ok": tally.wrong.is_empty(),
    });
    if let Some(folder) = std::env::var_os("SIDESTICK_FAULTS_BARS") {
        let path = std::path::Path::new(&folder).join(format!("faults-{share}.json"));
        std::fs::write(path, format!("{numbers:#}\n")).unwrap();
    }
    println!("{:#}", numbers["kinds"]);
    assert_eq!(tally.wrong, Vec::<String>::new());
    let reached: u64 = tally.passes.values().map(|(_, reached)| reached).sum();
    assert!(0 < reached, "no fault was reached");
}

#[test]
fn whatever_message_fails_nothing_is_told_that_did_not_happen() {
    judge_share(0);
}

#[test]
fn whatever_other_message_fails_nothing_is_told_that_did_not_happen() {
    judge_share(1);
}
