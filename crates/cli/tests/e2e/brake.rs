//! The brake, its release by a person alone, and stop.

use std::process::Command;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::lab::{Begun, Lab, Said, finish, reference};
use crate::processes;

fn button(run: &Begun) -> String {
    reference(&run.outline, "button \"Increment counter\"")
}

/// Runs `release` at a terminal, as a person would.
fn release_at_a_terminal(lab: &Lab) -> Said {
    let plain = lab.command(&[]);
    let mut command = Command::new("script");
    command.args(["-qec", &format!("{} release --json", lab.binary.display()), "/dev/null"]);
    command.env_clear().current_dir(lab.project());
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    finish(command, b"")
}

#[test]
fn a_brake_stops_acts_and_reads_until_a_person_lifts_it() {
    let lab = Lab::new();
    let run = lab.begin("/");
    let button = button(&run);

    let pause = lab.ask(&["pause", "--why", "lunch"]);
    let held = lab.act(&["click", &button], "PAUSED", Some("braked"));
    let look = lab.json(&["observe"]).refused(3, "run_paused");
    let status = lab.ask(&["status"]);
    let program = lab.json(&["release"]).refused(10, "needs_human");
    lab.act(&["click", &button], "PAUSED", Some("braked"));
    let person = release_at_a_terminal(&lab);

    assert_eq!(pause["runs"], json!([run.id]));
    assert_eq!((&held["fate"], &held["observation"]["id"]), (&json!("not_sent"), &json!("o1")));
    assert!(look["hint"].as_str().unwrap().contains("release"), "{look:#}");
    assert_eq!(status["state"], "paused");
    assert!(status["brake"].as_str().unwrap().contains("lunch"), "{status:#}");
    assert!(program["hint"].as_str().unwrap().contains("terminal"), "{program:#}");
    assert_eq!(person.exit, 0, "{person:?}");
    assert_eq!(lab.app().hit("/hits/working"), 0);
    goes_on_after_looking(&lab, &button);
}

/// After a brake was lifted an act is refused until its caller has looked.
#[track_caller]
fn goes_on_after_looking(lab: &Lab, button: &str) {
    // The epoch moved with the brake, and the lease is looked at before anything else (D30).
    lab.act(&["click", button], "LEASE_LOST", Some("old_epoch"));
    let text = lab.say(&["click", button]).out;
    assert!(text.contains("hint: look again"), "{text}");
    assert_eq!(lab.app().hit("/hits/working"), 0);
    lab.look();
    lab.act(&["click", button], "OBSERVED", None);
    assert_eq!(lab.app().hit("/hits/working"), 1);
    lab.ask(&["end"]);
}

#[test]
fn a_brake_holds_for_runs_that_begin_under_it() {
    let lab = Lab::new();
    lab.ask(&["pause"]);

    let args: Vec<&str> =
        crate::lab::begin_args(lab.app().origin()).into_iter().chain(lab.sandbox()).collect();
    let begun = lab.json(&args);

    // A run may begin or be refused; either way nothing is done under a brake.
    if begun.exit == 0 {
        lab.act(
            &["click", "--role", "button", "--name", "Increment counter"],
            "PAUSED",
            Some("braked"),
        );
        lab.ask(&["end"]);
    }
    assert_eq!(lab.app().hit("/hits/working"), 0);
    assert!(matches!(begun.exit, 0 | 3), "{begun:?}");
}

#[test]
fn notes_verdicts_and_the_end_go_on_under_a_brake() {
    let lab = Lab::new();
    let run = lab.begin("/");
    lab.ask(&["goal", "g", "--title", "Count"]);
    lab.ask(&["pause"]);

    lab.ask(&["note", "--finding-kind", "other", "--summary", "Paused here", "--goal", "g"]);
    lab.ask(&["verdict", "g", "blocked", "--summary", "paused"]);
    let end = lab.ask(&["end"]);

    assert_eq!(end["report"]["goals"][0]["status"], "blocked");
    lab.json(&["click", "e1", "--run", &run.id]).refused(3, "run_ended");
}

#[test]
fn release_without_a_brake_says_so() {
    let lab = Lab::bare();

    let said = release_at_a_terminal(&lab);

    assert_eq!(said.exit, 3, "{said:?}");
    assert!(said.out.contains("not_paused"), "{said:?}");
}

#[test]
fn stop_ends_every_run_of_the_user() {
    let lab = Lab::new();
    let (one, two) = (lab.begin("/"), lab.begin("/traps"));

    let stopped = lab.ask(&["stop"])["stopped"].clone();

    let mut runs: Vec<&str> =
        stopped.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    runs.sort_unstable();
    let mut ids = [one.id.as_str(), two.id.as_str()];
    ids.sort_unstable();
    assert_eq!(runs, ids);
    lab.assert_nothing_left();
    for run in [&one, &two] {
        lab.json(&["observe", "--run", &run.id]).refused(3, "run_ended");
        let reason = run.report()["run"]["stopped_reason"].clone();
        assert!(reason.as_str().unwrap().starts_with("stopped by "), "{reason}");
    }
}

#[test]
fn stop_ends_a_host_that_hangs() {
    let lab = Lab::new();
    let run = lab.begin("/");
    processes::signal(run.host, Signal::STOP);

    let stopped = lab.ask(&["stop"])["stopped"].clone();

    assert_eq!(stopped, json!([run.id]));
    lab.assert_nothing_left();
    let end = lab.ask(&["end"]);
    assert_eq!(end["report"]["run"]["recovered"], true);
}

/// Starts to type a long text into Notes and returns when the first of it has arrived.
fn typing(lab: &Lab, run: &Begun) -> std::process::Child {
    let notes = reference(&run.outline, "textbox \"Notes\"");
    let text = "abcdefghi ".repeat(500);
    let child = crate::lab::start(lab.command(&["type", &notes, "--text", &text, "--json"]));
    let has_begun = || !lab.app().hits()["text"].as_str().unwrap().is_empty();
    assert!(crate::lab::until(Duration::from_secs(10), has_begun), "nothing of the text arrived");
    child
}

fn arrived(lab: &Lab) -> usize {
    lab.app().hits()["text"].as_str().unwrap().len()
}

#[test]
fn a_brake_cuts_the_act_in_flight() {
    let lab = Lab::new();
    let run = lab.begin("/");
    let child = typing(&lab, &run);

    lab.ask(&["pause"]);
    let act = crate::lab::wait(child, "type").good();

    // What was sent before the cut may still be on its way from the page to its server.
    let quiet = || {
        arrived(&lab) == {
            lab.ask(&["status"]);
            arrived(&lab)
        }
    };
    assert!(crate::lab::until(Duration::from_secs(5), quiet));
    let then = arrived(&lab);
    assert!(0 < then && then < 5_000, "{then} characters arrived");
    let found = (act["status"].as_str(), act["code"].as_str(), act["fate"].as_str());
    assert_eq!(found, (Some("UNKNOWN"), Some("interrupted"), Some("unknown")), "{act:#}");
    lab.act(&["press", "--key", "z"], "PAUSED", Some("braked"));
    lab.ask(&["end"]);
}

#[test]
fn stop_in_the_middle_of_an_act_concludes_it_and_ends_the_run() {
    let lab = Lab::new();
    let run = lab.begin("/");
    let child = typing(&lab, &run);

    let stopped = lab.ask(&["stop"])["stopped"].clone();
    let said = crate::lab::wait(child, "type");

    assert_eq!(stopped, json!([run.id]));
    lab.assert_nothing_left();
    let act = run.report()["acts"][0].clone();
    assert_eq!((&act["status"], &act["fate"]), (&json!("UNKNOWN"), &json!("unknown")), "{act:#}");
    let value = said.value();
    assert!(value["status"] == "UNKNOWN" || value["error"] == "host_gone", "{value:#}");
    assert!(arrived(&lab) < 5_000);
    assert_eq!(lab.ask(&["verify"])["whole"], true);
}
