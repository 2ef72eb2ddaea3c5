//! `sidestick demo`: every goal as the truth demands, and none of it when a truth is turned around.

use serde_json::Value;

use crate::lab::{Lab, Said};

fn demo(lab: &Lab, more: &[&str]) -> Said {
    let sandbox = lab.sandbox();
    let args: Vec<&str> = ["demo"].into_iter().chain(more.iter().copied()).chain(sandbox).collect();
    lab.json(&args)
}

#[test]
fn the_demo_ends_with_every_goal_as_the_truth_demands() {
    let lab = Lab::bare();
    let bars = lab.root().join("demo.json");

    let value = demo(&lab, &["--bars", bars.to_str().unwrap()]).good();

    let goals = value["goals"].as_array().unwrap();
    assert!(8 <= goals.len(), "{} goals", goals.len());
    assert_eq!(value["goals_met"].as_u64(), u64::try_from(goals.len()).ok());
    for goal in goals {
        assert_eq!(goal["verdict"], goal["demands"], "{goal:#}");
    }
    let written: Value = serde_json::from_slice(&std::fs::read(bars).unwrap()).unwrap();
    assert_eq!((&written["passed"], &written["goals_met"]), (&true.into(), &value["goals_met"]));
    let report = std::fs::read_to_string(value["report_html"].as_str().unwrap()).unwrap();
    assert!(report.contains("data:image/jpeg"), "a report without pictures");
    assert!(!report.contains("fixture-pass"), "the report tells the password");
    assert_eq!(lab.ask(&["verify"])["whole"], true);
    lab.assert_nothing_left();
}

#[test]
fn the_demo_prints_a_table_and_ends_with_the_path_of_the_report() {
    let lab = Lab::bare();
    let args: Vec<&str> = ["demo"].into_iter().chain(lab.sandbox()).collect();

    let said = lab.say(&args);

    assert_eq!((said.exit, said.err.lines().count()), (0, 1), "{said:?}");
    assert!(said.err.starts_with("TEST OVERRIDES ACTIVE"), "more than the warning: {said:?}");
    let last = said.out.lines().last().unwrap();
    let path = last.strip_prefix("report: ").unwrap_or_else(|| panic!("{last}"));
    assert!(std::path::Path::new(path).is_file(), "{last}");
    assert!(said.out.contains(" of 10 goals as the truth demands"), "{}", said.out);
}

/// The demo over an application with one truth turned around has to fail, on that goal alone.
#[track_caller]
fn check(flip: &str, goal: Option<&str>) {
    let lab = Lab::bare();

    let said = demo(&lab, &["--flip", flip]);

    let value = said.value();
    assert!(matches!(said.exit, 10 | 20 | 30), "{flip} exits {}: {value:#}", said.exit);
    assert_eq!((&value["ok"], &value["as_demanded"]), (&false.into(), &false.into()));
    let is_off = |goal: &&Value| goal["as_demanded"] == false;
    let off: Vec<&str> = value["goals"]
        .as_array()
        .unwrap()
        .iter()
        .filter(is_off)
        .filter_map(|goal| goal["id"].as_str())
        .collect();
    match goal {
        Some(goal) => assert_eq!(off, [goal], "{value:#}"),
        None => assert_ne!(value["problems"], Value::Array(Vec::new()), "{value:#}"),
    }
    lab.assert_nothing_left();
}

#[test]
fn the_demo_fails_when_the_counter_does_nothing() {
    check("working", Some("working"));
}

#[test]
fn the_demo_fails_when_the_notes_lose_words() {
    check("notes", Some("notes"));
}

#[test]
fn the_demo_fails_when_the_theme_springs_back() {
    check("theme", Some("theme"));
}

#[test]
fn the_demo_fails_when_the_dead_button_works() {
    check("dead", Some("dead"));
}

#[test]
fn the_demo_fails_when_the_hidden_box_can_be_seen() {
    check("hidden", Some("hidden"));
}

#[test]
fn the_demo_fails_when_the_request_under_the_toast_succeeds() {
    check("avatar", Some("avatar"));
}

#[test]
fn the_demo_fails_when_the_banner_tells_the_truth() {
    check("banner", Some("banner"));
}

#[test]
fn the_demo_fails_when_the_login_accepts_nobody() {
    check("login", Some("login"));
}

#[test]
fn the_demo_fails_when_delete_carries_an_innocent_name() {
    check("delete", Some("delete"));
}

#[test]
fn the_demo_fails_when_the_page_follows_its_own_injection() {
    check("injection", Some("injection"));
}

#[test]
fn the_demo_fails_when_the_console_is_clean() {
    check("console", None);
}

#[test]
fn an_unknown_flip_is_refused_before_anything_is_served() {
    let lab = Lab::bare();

    let value = demo(&lab, &["--flip", "moon"]).refused(2, "bad_arguments");

    assert!(value["message"].as_str().unwrap().contains("console"), "{value:#}");
}

#[test]
fn a_port_in_use_is_told() {
    let lab = Lab::bare();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();

    let value = lab.json(&["demo", "--serve", "--port", &port]).refused(2, "port_in_use");

    assert!(value["message"].as_str().unwrap().contains(&port), "{value:#}");
    assert!(value["hint"].as_str().unwrap().contains("--port 0"), "{value:#}");
}
