//! Exit codes of scripts and ends: 0, 20, 30.

use crate::lab::Lab;

/// A script of one goal over the dashboard.
fn script(lab: &Lab, demands: &str, steps: &str) {
    let text = format!(
        "version: 1\ntarget: {}/projects\nsurface: web\nowner: yours\nattended: false\ngoals:\n  \
         - id: only\n    title: The only one\n    demands: {demands}\n    steps:\n{steps}",
        lab.app().origin()
    );
    std::fs::write(lab.project().join("s.yaml"), text).unwrap();
}

fn run(lab: &Lab) -> crate::lab::Said {
    let args: Vec<&str> = ["run", "s.yaml"].into_iter().chain(lab.sandbox()).collect();
    lab.json(&args)
}

const OVERVIEW: &str =
    "      - act: click\n        target: { role: link, name: Overview }\n        expect: url\n";

#[test]
fn a_script_whose_goals_end_as_demanded_exits_0() {
    let lab = Lab::new();
    let steps = format!("{OVERVIEW}      - verdict: {{ status: pass, summary: There. }}\n");
    script(&lab, "pass", &steps);

    let value = run(&lab).good();

    assert_eq!((&value["as_demanded"], &value["goals_met"]), (&true.into(), &1.into()));
    lab.assert_nothing_left();
}

#[test]
fn a_script_whose_goal_ends_otherwise_exits_30() {
    let lab = Lab::new();
    let steps = format!("{OVERVIEW}      - verdict: {{ status: fail, summary: No. }}\n");
    script(&lab, "pass", &steps);

    let said = run(&lab);

    assert_eq!(said.exit, 30, "{said:?}");
    let value = said.value();
    assert_eq!((&value["ok"], &value["goals"][0]["verdict"]), (&false.into(), &"fail".into()));
    lab.assert_nothing_left();
}

#[test]
fn a_script_that_policy_refuses_exits_20() {
    let lab = Lab::new();
    let steps = "      - act: click\n        target: { role: button, name: Delete project, \
                 near: Gift cards }\n      - verdict: { status: pass, summary: Gone. }\n";
    script(&lab, "pass", steps);

    let said = run(&lab);

    assert_eq!(said.exit, 20, "{said:?}");
    assert_eq!(lab.app().hit("/hits/delete"), 0);
    lab.assert_nothing_left();
}

#[test]
fn a_script_whose_browser_is_missing_exits_5_and_one_whose_target_is_gone_4() {
    let lab = Lab::new();
    script(&lab, "pass", OVERVIEW);
    lab.json(&["run", "s.yaml", "--browser", "/nowhere"]).refused(5, "missing");
    let text = std::fs::read_to_string(lab.project().join("s.yaml")).unwrap();
    let gone = text.replace(lab.app().origin(), "http://127.0.0.1:9");
    std::fs::write(lab.project().join("s.yaml"), gone).unwrap();

    run(&lab).refused(4, "driver_error");

    lab.assert_nothing_left();
}

#[test]
fn end_exits_30_when_a_goal_ended_with_a_named_verdict() {
    let lab = Lab::new();
    let one = lab.begin("/");
    lab.ask(&["goal", "g", "--title", "Count"]);
    lab.ask(&["verdict", "g", "fail", "--summary", "No"]);

    let unnamed = lab.json(&["end", "--fail-on", "blocked,partial"]);
    let named = lab.json(&["end", "--fail-on", "fail,blocked", "--run", &one.id]);

    assert_eq!((unnamed.exit, named.exit), (0, 30));
    assert_eq!(named.value()["report"]["goals"][0]["status"], "fail");
}

#[test]
fn a_record_that_was_altered_is_told_with_exit_3() {
    let lab = Lab::new();
    let run = lab.begin("/");
    lab.ask(&["goal", "g", "--title", "Count"]);
    lab.ask(&["observe", "--goal", "g"]);
    lab.act(&["click", "--role", "button", "--name", "Increment counter"], "OBSERVED", None);
    lab.ask(&["end"]);
    assert_eq!(lab.ask(&["verify"])["whole"], true);
    let trace = run.read("trace.jsonl");

    std::fs::write(run.dir.join("trace.jsonl"), trace.replace("Increment", "Decrement")).unwrap();

    let value = lab.json(&["verify"]).refused(3, "record_damaged");
    assert_eq!(value["whole"], false, "{value:#}");
    assert!(!value["problems"].as_array().unwrap().is_empty(), "{value:#}");
    let text = lab.say(&["verify"]);
    assert!(text.exit == 3 && text.out.contains("NOT whole"), "{text:?}");
}
