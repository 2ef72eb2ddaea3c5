//! A run under test overrides says so everywhere, whichever verb brought them (VR-234 to VR-237).
//!
//! Every test here has one: the per-user root that a build for tests takes from its environment.
//! What names a seam needs a build with the feature `sabotage`; `cargo xtask sabotage` makes one.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;

use serde_json::{Value, json};

use crate::lab::{Begun, Lab, begin_args};

const BANNER: &str = "TEST OVERRIDES ACTIVE — results are not valid evidence";
const ROOT: &str = "SIDESTICK_TEST_USER_ROOT";

/// What the report of an ended run says of its overrides, in every form.
#[track_caller]
fn assert_told(run: &Begun, names: &[&str]) {
    assert_eq!(run.report()["run"]["test_overrides"], json!(names));
    let lines = run.read("report.md");
    assert_eq!(lines.lines().next(), Some(BANNER));
    let page = run.read("report.html");
    let banner = page.find(BANNER).unwrap_or_else(|| panic!("no banner in report.html"));
    assert!(banner < page.find("<header>").unwrap(), "the banner comes late");
    for name in names {
        assert!(lines.contains(name) && page.contains(name), "{name}");
    }
}

#[test]
fn begin_warns_and_the_end_and_every_report_carry_the_list_vr_235() {
    let lab = Lab::new();
    let url = lab.app().url("/");
    let args: Vec<&str> = begin_args(&url).into_iter().chain(lab.sandbox()).collect();

    let begin = lab.json(&args);
    let text = lab.say(&["end"]);
    let end = lab.ask(&["end", "--run", begin.good()["run"].as_str().unwrap()]);

    assert!(begin.err.starts_with(BANNER) && begin.err.contains(ROOT), "{}", begin.err);
    assert_eq!(begin.good()["head"]["test_overrides"].as_array().unwrap().len(), overrides());
    assert_eq!(text.out.lines().nth(1), Some(begin.err.trim_end()), "{}", text.out);
    assert_eq!(end["report"]["run"]["test_overrides"].as_array().unwrap().len(), overrides());
}

/// One, and the guard that is left out, when this runs in a build that can leave one out.
fn overrides() -> usize {
    1 + usize::from(std::env::var_os("SIDESTICK_SABOTAGE").is_some())
}

/// Says the first frame of a caller and reads the answer.
fn hello(lab: &Lab, run: &Begun, hello: &Value) -> Value {
    let mut stream = UnixStream::connect(lab.socket(&run.id)).unwrap();
    let body = hello.to_string();
    stream.write_all(&u32::try_from(body.len()).unwrap().to_be_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    let mut head = [0; 4];
    stream.read_exact(&mut head).unwrap();
    let mut answer = vec![0; usize::try_from(u32::from_be_bytes(head)).unwrap()];
    stream.read_exact(&mut answer).unwrap();
    serde_json::from_slice(&answer).unwrap()
}

#[test]
fn an_override_that_came_with_a_later_verb_is_recorded_vr_236() {
    let lab = Lab::new();
    let run = lab.begin("/");
    let later = json!({"sidestick": 1, "program": "x",
        "test_overrides": ["seam:look_first", "x".repeat(500)]});

    let welcome = hello(&lab, &run, &later);
    let status = lab.ask(&["status"]);
    lab.ask(&["end"]);

    assert_eq!(welcome["ready"]["run"], run.id, "{welcome:#}");
    let long = "x".repeat(80);
    let names = [ROOT, "seam:look_first", long.as_str()];
    assert_eq!(status["run"]["test_overrides"], json!(names), "{status:#}");
    assert_told(&run, &names);
    assert!(run.read("trace.jsonl").contains("\"test_overrides\""), "not in the trace");
    assert_eq!(lab.ask(&["verify"])["whole"], true);
}

#[test]
fn a_flood_of_overrides_is_bounded() {
    let lab = Lab::new();
    let run = lab.begin("/");
    let many: Vec<String> = (0..1_000).map(|n| format!("o{n}")).collect();

    hello(&lab, &run, &json!({"sidestick": 1, "program": "x", "test_overrides": many}));

    let status = lab.ask(&["status"]);
    assert_eq!(status["run"]["test_overrides"].as_array().unwrap().len(), 64);
    lab.ask(&["end"]);
}

#[cfg(feature = "sabotage")]
mod seams {
    use super::*;

    fn with(lab: &Lab, seams: &str, args: &[&str]) -> crate::lab::Said {
        let args: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
        let mut command = lab.command(&args);
        command.env("SIDESTICK_SABOTAGE", seams);
        crate::lab::finish(command, b"")
    }

    #[test]
    fn an_unknown_seam_is_refused_by_every_verb_vr_237() {
        let lab = Lab::new();
        let run = lab.begin("/");

        for verb in ["observe", "status", "end", "pause", "stop", "doctor", "runs list", "verify"] {
            let words: Vec<&str> = verb.split(' ').collect();
            let refused = with(&lab, "look_first,nonsense", &words).refused(2, "unknown_seam");
            assert!(refused["message"].as_str().unwrap().contains("nonsense"), "{verb}");
        }

        assert_eq!(lab.ask(&["status"])["run"]["test_overrides"], json!([ROOT]));
        lab.ask(&["end", "--run", &run.id]);
    }

    #[test]
    fn a_seam_of_begin_reaches_the_host_and_the_report() {
        let lab = Lab::new();
        let url = lab.app().url("/");
        let begin: Vec<&str> = begin_args(&url)
            .into_iter()
            .chain(["--budget-run", "1"])
            .chain(lab.sandbox())
            .collect();
        let begun = with(&lab, "run_budget", &begin);
        let outline = begun.good()["observation"]["outline"].as_str().unwrap().to_owned();
        let button = crate::lab::reference(&outline, "button \"Increment counter\"");

        lab.act(&["click", &button], "OBSERVED", None);
        lab.act(&["click", &button], "OBSERVED", None);
        let end = lab.ask(&["end"]);

        assert!(begun.err.contains("seam:run_budget"), "{}", begun.err);
        let names = json!([ROOT, "seam:run_budget"]);
        assert_eq!(end["report"]["run"]["test_overrides"], names);
    }

    #[test]
    fn a_seam_of_a_later_verb_marks_the_run_and_breaks_nothing_in_its_host() {
        let lab = Lab::new();
        let run = lab.begin_at(&lab.app().url("/"), &["--budget-run", "1"]);
        let button = crate::lab::reference(&run.outline, "button \"Increment counter\"");

        with(&lab, "run_budget", &["click", &button]).good();
        lab.act(&["click", &button], "BUDGET_EXHAUSTED", Some("run_actions"));
        lab.ask(&["end"]);

        assert_told(&run, &[ROOT, "seam:run_budget"]);
    }

    #[test]
    fn a_seam_of_the_end_alone_marks_a_run_whose_host_died() {
        let lab = Lab::new();
        let run = lab.begin("/");
        crate::processes::kill(run.host);
        let is_gone = || lab.left().is_empty();
        assert!(crate::lab::until(std::time::Duration::from_secs(20), is_gone), "{:?}", lab.left());

        with(&lab, "noise", &["end"]).good();

        assert_told(&run, &[ROOT, "seam:noise"]);
        assert_eq!(lab.ask(&["verify"])["whole"], true);
    }
}
