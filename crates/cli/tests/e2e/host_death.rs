//! The host is killed in the middle of an action, without a chance to do anything.

use std::time::Duration;

use serde_json::Value;

use crate::lab::{Begun, Lab, finish, reference, start, until, wait};
use crate::processes;

/// Starts to type a long text into Notes and returns when the first of it has arrived.
fn typing(lab: &Lab, run: &Begun) -> std::process::Child {
    let notes = reference(&run.outline, "textbox \"Notes\"");
    let text = "abcdefghi ".repeat(500);
    let child = start(lab.command(&["type", &notes, "--text", &text, "--json"]));
    let has_begun = || !lab.app().hits()["text"].as_str().unwrap().is_empty();
    assert!(until(Duration::from_secs(10), has_begun), "nothing of the text arrived");
    child
}

/// Kills the host while it types; returns what the verb that waited said.
fn killed_while_typing(lab: &Lab) -> (Begun, Value) {
    let run = lab.begin("/");
    lab.ask(&["goal", "g", "--title", "Write a long note"]);
    let child = typing(lab, &run);

    processes::kill(run.host);
    let said = wait(child, "type");

    (run, said.refused(3, "host_gone"))
}

#[test]
fn kill_9_of_the_host_leaves_nothing_and_the_run_can_be_looked_at() {
    let lab = Lab::new();
    let (run, _) = killed_while_typing(&lab);

    lab.assert_nothing_left();
    let status = lab.ask(&["status"]);
    let refused = lab.json(&["observe"]);
    let report = lab.ask(&["report", "--format", "json"]);
    let end = lab.ask(&["end"]);
    let verify = lab.ask(&["verify"]);

    assert_eq!((status["state"].as_str(), &status["host"]), (Some("host gone"), &Value::Null));
    assert_eq!(status["run"]["recovered"], true);
    refused.refused(3, "host_gone");
    let soon: Value = serde_json::from_str(report["report"].as_str().unwrap()).unwrap();
    for report in [&soon, &end["report"], &run.report()] {
        let act = &report["acts"][0];
        let found = (act["act"].as_str(), act["status"].as_str(), act["code"].as_str());
        assert_eq!(found, (Some("a1"), Some("UNKNOWN"), Some("recovered")), "{act:#}");
        assert_eq!((&act["action"], &act["fate"]), (&"type".into(), &"unknown".into()));
    }
    assert_eq!((verify["whole"].as_bool(), verify["recovered"].as_u64()), (Some(true), Some(1)));
    let length = lab.app().hits()["text"].as_str().unwrap().len();
    assert!(0 < length && length < 5_000, "{length} characters arrived: not cut in the middle");
}

#[test]
fn end_alone_closes_a_run_whose_host_died() {
    let lab = Lab::new();
    let (run, _) = killed_while_typing(&lab);

    let end = lab.ask(&["end", "--fail-on", "fail"]);
    let again = lab.ask(&["end", "--run", &run.id]);
    let refused = lab.json(&["click", "e1", "--run", &run.id]);

    assert_eq!(end["report"]["acts"][0]["code"], "recovered");
    assert_eq!(again["report"]["acts"], end["report"]["acts"]);
    refused.refused(3, "run_ended");
    assert!(run.read("report.html").contains("UNKNOWN"));
    lab.assert_nothing_left();
    let next = lab.begin("/");
    assert_ne!(next.id, run.id);
    lab.ask(&["end"]);
}

#[test]
fn stop_after_the_host_died_tells_nobody_and_works() {
    let lab = Lab::new();
    let (_, said) = killed_while_typing(&lab);

    let stop = finish(lab.command(&["stop", "--json"]), b"").good();

    assert!(said["hint"].as_str().unwrap().contains("status"), "{said:#}");
    assert_eq!(stop["stopped"], Value::Array(Vec::new()));
    lab.assert_nothing_left();
}

#[test]
fn kill_9_while_the_page_holds_its_main_thread_leaves_nothing() {
    let lab = Lab::new();
    let run = lab.begin("/block");
    lab.ask(&["wait", "--for", "text:The index is ready.", "--timeout", "30s"]);
    let rebuild = reference(&lab.look(), "button \"Rebuild index\"");
    let child = start(lab.command(&["click", &rebuild, "--json"]));
    let is_intended = || run.read("trace.jsonl").contains("\"intend\"");
    assert!(until(Duration::from_secs(10), is_intended), "{}", run.read("trace.jsonl"));

    processes::kill(run.host);
    let said = wait(child, "click");

    lab.assert_nothing_left();
    said.refused(3, "host_gone");
    let act = lab.ask(&["end"])["report"]["acts"][0].clone();
    assert_eq!(
        (act["status"].as_str(), act["code"].as_str()),
        (Some("UNKNOWN"), Some("recovered"))
    );
    assert_eq!(lab.ask(&["verify"])["whole"], true);
}
