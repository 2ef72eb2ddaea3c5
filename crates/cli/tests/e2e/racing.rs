//! Verbs that run at the same time: on one run they take turns, on two they do not meet.

use std::time::Duration;

use serde_json::Value;

use crate::lab::{Begun, Lab, reference, start, until, wait};
use crate::processes;

const CALLERS: usize = 8;

fn button(run: &Begun) -> String {
    reference(&run.outline, "button \"Increment counter\"")
}

#[test]
fn verbs_that_race_on_one_run_take_turns_and_each_is_told_the_truth() {
    let lab = Lab::new();
    let run = lab.begin("/");
    let args = ["click", &button(&run), "--json"];

    let callers: Vec<_> = (0..CALLERS).map(|_| start(lab.command(&args))).collect();
    let looking: Vec<_> = (0..CALLERS / 2)
        .map(|_| start(lab.command(&["observe", "--no-screenshot", "--json"])))
        .collect();
    let told: Vec<Value> = callers.into_iter().map(|child| wait(child, "click").value()).collect();
    let looked: Vec<i32> = looking.into_iter().map(|child| wait(child, "observe").exit).collect();

    let observed = told.iter().filter(|act| act["status"] == "OBSERVED").count();
    let unsent = told.iter().filter(|act| act["fate"] == "not_sent").count();
    assert_eq!(observed + unsent, CALLERS, "{told:#?}");
    assert_eq!(lab.app().hit("/hits/working"), u64::try_from(observed).unwrap());
    assert!(0 < observed, "{told:#?}");
    assert_eq!(looked, [0; CALLERS / 2]);
    let mut numbers: Vec<String> = told.iter().map(|act| act["act"].to_string()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), CALLERS, "two acts of one number: {numbers:?}");
    let report = lab.ask(&["end"])["report"].clone();
    assert_eq!(report["acts"].as_array().unwrap().len(), CALLERS);
    assert_eq!(lab.ask(&["verify"])["whole"], true);
}

#[test]
fn a_run_beside_one_that_is_killed_is_not_disturbed() {
    let lab = Lab::new();
    let (one, two) = (lab.begin("/"), lab.begin("/"));
    let notes = reference(&two.outline, "textbox \"Notes\"");
    let text = "abcdefghi ".repeat(60);
    let args = ["type", &notes, "--text", &text, "--run", &two.id, "--json"];
    let typing = start(lab.command(&args));
    let has_begun = || !lab.app().hits()["text"].as_str().unwrap().is_empty();
    assert!(until(Duration::from_secs(10), has_begun), "nothing of the text arrived");

    processes::kill(one.host);
    let typed = wait(typing, "type").good();
    let gone = lab.json(&["observe", "--run", &one.id]);

    assert_eq!(typed["status"], "OBSERVED", "{typed:#}");
    gone.refused(3, "host_gone");
    let is_whole = || lab.app().hits()["text"].as_str().unwrap().trim() == text.trim();
    assert!(until(Duration::from_secs(5), is_whole), "{}", lab.app().hits()["text"]);
    for run in [&one, &two] {
        lab.ask(&["end", "--run", &run.id]);
        assert_eq!(lab.ask(&["verify", "--run", &run.id])["whole"], true);
    }
    lab.assert_nothing_left();
}
