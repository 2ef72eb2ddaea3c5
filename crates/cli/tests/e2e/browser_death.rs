//! The browser, one of its renderers or its main thread goes away in the middle of an act.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::lab::{Begun, Lab, begin_args, reference, start, until, wait};
use crate::site::Site;
use crate::wire::FaultyWire;

const PAGES: &[(&str, &str)] = &[(
    "/",
    "<title>Save</title><button onmousedown=\"got('down')\" onclick=\"got('clicked')\">Save</button>",
)];

/// A run over a page with one button, whose wire does what is planned once it is clicked.
fn begun(plan: &str) -> (Lab, Site, FaultyWire, Begun) {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    let wire = FaultyWire::of(&lab);
    let run = lab.begin_at(&site.url("/"), &["--browser", wire.browser()]);
    wire.plan(plan);
    (lab, site, wire, run)
}

fn save(lab: &Lab) -> Value {
    lab.ask(&["click", "--role", "button", "--name", "Save"])
}

/// The run ends, its record is whole, its one act is told as unknown, and nothing is left.
#[track_caller]
fn ends_clean(lab: &Lab, code: &str) {
    let end = lab.ask(&["end"]);
    let act = &end["report"]["acts"][0];
    let found = (&act["status"], &act["code"], &act["fate"]);
    assert_eq!(found, (&json!("UNKNOWN"), &json!(code), &json!("unknown")), "{act:#}");
    assert_eq!(lab.ask(&["verify"])["whole"], true);
    lab.assert_nothing_left();
}

#[test]
fn a_browser_killed_between_press_and_release_is_told_as_gone_and_the_act_as_unknown() {
    let (lab, site, wire, _) = begun("crash-browser Input.dispatchMouseEvent#2");

    let click = save(&lab);
    let look = lab.json(&["observe"]).refused(4, "driver_error");
    let next = save(&lab);

    assert!(wire.has_failed());
    let found = (&click["status"], &click["code"], &click["fate"]);
    assert_eq!(found, (&json!("UNKNOWN"), &json!("browser_gone"), &json!("unknown")), "{click:#}");
    assert_eq!(look["driver_error"], "browser_gone", "{look:#}");
    assert_eq!(next["fate"], "not_sent", "{next:#}");
    assert!(!site.got().contains(&"clicked".to_owned()), "{:?}", site.got());
    ends_clean(&lab, "browser_gone");
}

#[test]
fn a_renderer_that_crashes_under_an_act_is_told_and_another_page_can_be_loaded() {
    let (lab, site, wire, _) = begun("crash-page Input.dispatchMouseEvent#1");

    let click = save(&lab);
    let look = lab.json(&["observe"]).refused(4, "driver_error");
    let next = save(&lab);
    let found = (&click["status"], &click["code"], &click["fate"]);

    assert!(wire.has_failed());
    assert_eq!(found, (&json!("UNKNOWN"), &json!("page_crashed"), &json!("unknown")), "{click:#}");
    assert_eq!(look["driver_error"], "page_crashed", "{look:#}");
    assert_eq!(next["fate"], "not_sent", "{next:#}");
    assert_eq!(site.got(), [""; 0]);
    ends_clean(&lab, "page_crashed");
}

/// Nothing is loaded that nobody could judge (I9).
#[test]
fn a_browser_that_refuses_what_the_boundary_rests_on_loads_nothing() {
    for refused in ["Fetch.enable#0", "Target.setAutoAttach#0", "Target.setAutoAttach#1"] {
        let (lab, site) = (Lab::bare(), Site::serve(PAGES));
        let wire = FaultyWire::of(&lab);
        wire.plan(&format!("fail {refused}"));
        let url = site.url("/");
        let mut args = begin_args(&url);
        args.extend(["--browser", wire.browser()]);
        args.extend(lab.sandbox());

        let begun = lab.json(&args);

        assert!(wire.has_failed(), "{refused}");
        begun.refused(4, "driver_error");
        assert_eq!(site.asked("/"), 0, "{refused}");
        lab.assert_nothing_left();
    }
}

#[test]
fn a_brake_is_acknowledged_at_once_while_the_page_holds_its_main_thread() {
    let lab = Lab::new();
    let run = lab.begin("/block");
    lab.ask(&["wait", "--for", "text:The index is ready.", "--timeout", "30s"]);
    let rebuild = reference(&lab.look(), "button \"Rebuild index\"");
    let child = start(lab.command(&["click", &rebuild, "--timeout", "30s", "--json"]));
    let is_intended = || run.read("trace.jsonl").contains("\"intend\"");
    assert!(until(Duration::from_secs(10), is_intended), "{}", run.read("trace.jsonl"));

    let reading = start(lab.command(&["observe", "--no-screenshot", "--json"]));
    let started = Instant::now();
    lab.ask(&["pause"]);
    let took = started.elapsed();
    let click = wait(child, "click").good();
    let cut_after = started.elapsed();

    // Two processes are started meanwhile; the page would hold out for seconds.
    assert!(took < Duration::from_secs(2), "acknowledged after {took:?}");
    assert!(cut_after < Duration::from_secs(4), "cut after {cut_after:?}: {click:#}");
    assert!(matches!(click["status"].as_str(), Some("UNKNOWN" | "PAUSED")), "{click:#}");
    let read = wait(reading, "observe");
    assert!(matches!(read.exit, 0 | 3 | 4), "{read:?}");
    lab.json(&["observe"]).refused(3, "run_paused");
    lab.ask(&["end"]);
}
