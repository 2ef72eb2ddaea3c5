//! Pages that loop, block, redirect or go away.

use std::time::{Duration, Instant};

use crate::lab::{Lab, reference};

#[test]
fn an_endless_redirect_is_an_error_and_the_session_goes_on() {
    let lab = Lab::new();
    lab.begin("/");

    let navigate =
        lab.act(&["navigate", &lab.app().url("/loop")], "ERROR", Some("navigation_failed"));

    assert!(navigate["message"].as_str().unwrap().len() > 10, "{navigate:#}");
    lab.look();
    lab.act(&["navigate", &lab.app().url("/help")], "OBSERVED", None);
    assert!(lab.look().contains("heading 1 \"Help\""));
    lab.ask(&["end"]);
}

#[test]
fn begin_at_an_endless_redirect_fails_and_leaves_nothing() {
    let lab = Lab::new();
    let url = lab.app().url("/loop");
    let args: Vec<&str> = crate::lab::begin_args(&url).into_iter().chain(lab.sandbox()).collect();

    let value = lab.json(&args).refused(4, "driver_error");

    assert_eq!(value["driver_error"], "navigation_failed", "{value:#}");
    lab.assert_nothing_left();
}

#[test]
fn a_page_that_blocks_its_main_thread_does_not_hold_an_act_past_its_timeout() {
    let lab = Lab::new();
    lab.begin("/block");
    lab.ask(&["wait", "--for", "text:The index is ready.", "--timeout", "30s"]);
    let rebuild = reference(&lab.look(), "button \"Rebuild index\"");
    let started = Instant::now();

    let click = lab.ask(&["click", &rebuild, "--timeout", "2s"]);

    let took = started.elapsed();
    assert!(took < Duration::from_secs(4), "answered after {took:?}: {click:#}");
    let status = click["status"].as_str().unwrap();
    assert!(matches!(status, "UNKNOWN" | "UNSETTLED"), "{click:#}");
    assert_eq!(click["fate"].as_str(), Some(if status == "UNKNOWN" { "unknown" } else { "sent" }));
    let look = lab.json(&["observe", "--no-screenshot"]);
    assert!(matches!(look.exit, 0 | 4), "{look:?}");
    assert!(started.elapsed() < Duration::from_secs(20));
    lab.ask(&["end"]);
}

#[test]
fn end_is_not_held_up_by_a_page_that_blocks() {
    let lab = Lab::new();
    lab.begin("/block");
    lab.ask(&["wait", "--for", "text:The index is ready.", "--timeout", "30s"]);
    let rebuild = reference(&lab.look(), "button \"Rebuild index\"");
    lab.ask(&["click", &rebuild, "--timeout", "1s"]);
    let started = Instant::now();

    lab.ask(&["end"]);

    assert!(started.elapsed() < Duration::from_secs(15), "{:?}", started.elapsed());
    lab.assert_nothing_left();
}

#[test]
fn a_page_that_is_not_there_is_loaded_and_told() {
    let lab = Lab::new();
    lab.begin("/");

    let navigate = lab.act(&["navigate", &lab.app().url("/nowhere")], "OBSERVED", None);

    let outline = lab.look();
    assert!(outline.contains("heading 1 \"Page not found\""), "{outline}");
    assert!(!navigate["findings_added"].as_array().unwrap().is_empty(), "{navigate:#}");
    lab.ask(&["end"]);
}
