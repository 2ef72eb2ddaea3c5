//! Usage errors: exit 2, a code, nothing done (VR 2.1).

use std::os::unix::fs::symlink;

use crate::lab::{Lab, begin_args, finish, reference};
use crate::site::Site;

const TARGET: &str = "http://127.0.0.1:9/";

/// `begin` with more arguments than the needed ones is refused before anything is started.
#[track_caller]
fn begin_refused(lab: &Lab, more: &[&str], code: &str) {
    let args = [begin_args(TARGET).as_slice(), more].concat();
    lab.json(&args).refused(2, code);
    assert!(!lab.project().join(".sidestick/runs").exists(), "{more:?} left a run");
}

#[test]
fn a_command_line_that_does_not_parse_is_told_in_both_forms() {
    let lab = Lab::bare();
    let wrong: &[&[&str]] = &[
        &["begn"],
        &[],
        &["begin"],
        &["click", "--teleport"],
        &["scroll", "--direction", "sideways"],
        &["begin", "--target", TARGET, "--surface", "web", "--owner", "yours"],
        &["begin", "--target", TARGET, "--surface", "moon", "--owner", "yours", "--unattended"],
        &["goal", "g"],
        &["report", "--format", "pdf"],
        &["dialog"],
        &["begin", "--target", TARGET, "--surface", "web", "--unattended"],
        &["act", "--action", "fly"],
        &["note", "--finding-kind", "gossip", "--summary", "x"],
        &["verdict", "g", "maybe"],
        &["end", "--fail-on", "everything"],
        &["demo", "--flip", "moon"],
    ];

    for args in wrong {
        lab.json(args).refused(2, "bad_arguments");
        let text = lab.say(args);
        assert_eq!((text.exit, text.out.as_str()), (2, ""), "{args:?}: {text:?}");
        assert!(!text.err.is_empty(), "{args:?}");
    }
}

/// Both forms of the answer say what is missing, not only that something is.
#[test]
fn an_argument_that_is_missing_is_named() {
    let lab = Lab::bare();

    let value = lab.json(&["begin", "--target", TARGET]).refused(2, "bad_arguments");

    let message = value["message"].as_str().unwrap();
    assert!(message.contains("--surface") && message.contains("--attended"), "{message}");
    assert!(!message.contains("Usage"), "{message}");
}

#[test]
fn begin_refuses_bad_targets_and_budgets() {
    let lab = Lab::bare();

    for target in ["not a url", "", "ftp://host/", "file:///etc/passwd", "javascript:1", "http://"]
    {
        lab.json(&begin_args(target)).refused(2, "bad_target_url");
    }
    for budget in [["--budget-run", "0"], ["--budget-goal", "0"], ["--budget-run", "100001"]] {
        begin_refused(&lab, &budget, "bad_budget");
    }
    begin_refused(&lab, &["--budget-run", "many"], "bad_arguments");
    begin_refused(&lab, &["--allow", "not an origin"], "bad_target_url");
    lab.assert_nothing_left();
}

#[test]
fn begin_refuses_goals_files_that_cannot_be_used() {
    let lab = Lab::bare();
    let write = |name: &str, text: &[u8]| {
        std::fs::write(lab.project().join(name), text).unwrap();
        name.to_owned()
    };
    let files: &[(&str, &[u8], &str)] = &[
        ("prose.json", b"count the orders", "bad_goals_file"),
        ("object.json", br#"{"id":"a","title":"A"}"#, "bad_goals_file"),
        ("field.json", br#"[{"id":"a","title":"A","proof":1}]"#, "bad_goals_file"),
        ("bytes.json", b"[{\"id\":\"a\",\"title\":\"\xff\"}]", "bad_goals_file"),
        ("id.json", br#"[{"id":"no spaces here","title":"A"}]"#, "bad_goal_id"),
        ("twice.json", br#"[{"id":"a","title":"A"},{"id":"a","title":"B"}]"#, "duplicate_goal"),
        ("empty.json", br#"[{"id":"a","title":"  "}]"#, "empty_title"),
    ];

    for (name, text, code) in files {
        begin_refused(&lab, &["--goals-file", &write(name, text)], code);
    }
    begin_refused(&lab, &["--goals-file", "absent.json"], "bad_goals_file");
    // What cannot be read as a file, whoever asks: root reads through every mode.
    begin_refused(&lab, &["--goals-file", "."], "bad_goals_file");
    let huge = write("huge.json", &vec![b' '; 2 * 1024 * 1024]);
    begin_refused(&lab, &["--goals-file", &huge], "bad_goals_file");
}

#[test]
fn begin_refuses_input_that_is_not_utf_8() {
    let lab = Lab::bare();
    let args = [begin_args(TARGET).as_slice(), &["--request-stdin"]].concat();

    lab.json_with(&args, b"order \xff\xfe paper").refused(2, "bad_text");
}

#[test]
fn begin_refuses_surfaces_it_does_not_have() {
    let lab = Lab::bare();
    for surface in ["electron", "desktop"] {
        let args = ["begin", "--target", TARGET, "--surface", surface, "--unattended"];

        let value = lab.json(&args).refused(5, "missing");

        assert_eq!(value["missing"][0], format!("surface {surface}"));
    }
}

#[test]
fn a_settings_file_with_a_typo_stops_every_verb_but_the_brakes() {
    let lab = Lab::bare();
    std::fs::write(lab.project().join("sidestick.toml"), "owner = \"yours\"\nbrwser = 1\n")
        .unwrap();

    let value = lab.json(&begin_args(TARGET)).refused(2, "bad_config");
    let stop = lab.ask(&["stop"]);
    let status = lab.json(&["status"]);
    let pause = lab.ask(&["pause"]);

    let message = value["message"].as_str().unwrap();
    assert!(message.contains("line 2") && message.contains("brwser"), "{message}");
    assert_eq!(stop["stopped"].as_array().map(Vec::len), Some(0));
    status.refused(3, "run_required");
    assert_eq!(pause["paused"], true);
    lab.json(&["runs", "list", "--config", "absent.toml"]).refused(2, "bad_config");
}

#[test]
fn a_state_folder_that_is_not_ours_is_refused() {
    let lab = Lab::bare();
    let elsewhere = lab.root().join("h/elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, lab.project().join(".sidestick")).unwrap();

    for args in [&begin_args(TARGET) as &[&str], &["status"], &["runs", "list"], &["verify"]] {
        lab.json(args).refused(2, "unsafe_state_path");
    }

    assert_eq!(
        std::fs::read_dir(&elsewhere).unwrap().count(),
        0,
        "something went through the link"
    );
    lab.assert_nothing_left();
}

#[test]
fn a_per_user_folder_that_is_not_ours_is_refused() {
    let lab = Lab::bare();
    let elsewhere = lab.root().join("h/elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    symlink(&elsewhere, lab.user()).unwrap();

    lab.json(&begin_args(TARGET)).refused(2, "unsafe_state_path");

    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0);
}

#[test]
fn a_folder_that_cannot_be_written_is_told() {
    let lab = Lab::bare();
    // Nobody makes a folder here, root included.
    let mut command = lab.command(&[begin_args(TARGET).as_slice(), &["--json"]].concat());
    command.current_dir("/proc");
    let in_proc = finish(command, b"");
    std::fs::write(lab.project().join(".sidestick"), "a file of somebody's").unwrap();

    let in_place = lab.json(&begin_args(TARGET));

    in_proc.refused(2, "state_unwritable");
    in_place.refused(2, "unsafe_state_path");
    let kept = std::fs::read_to_string(lab.project().join(".sidestick")).unwrap();
    assert_eq!(kept, "a file of somebody's");
}

/// Usage errors of a session, with `BUTTON`, `NOTES` and `LONG` to be put in.
const OF_A_SESSION: &[(&str, &str)] = &[
    ("goal no/slash --title x", "bad_goal_id"),
    ("goal g --title Again", "duplicate_goal"),
    ("goal h --title=", "empty_title"),
    ("goal h --title LONG", "title_too_long"),
    ("click BUTTON --goal nobody", "unknown_goal"),
    ("click BUTTON --goal no/slash", "bad_goal_id"),
    ("observe --goal nobody", "unknown_goal"),
    ("verdict nobody fail --summary x", "unknown_goal"),
    ("note --finding-kind other --summary x --goal nobody", "unknown_goal"),
    ("note --finding-kind other --summary=", "empty_summary"),
    ("click BUTTON --obs o99", "unknown_observation"),
    ("click BUTTON --obs 7", "unknown_observation"),
    ("note --finding-kind other --summary x --obs o99", "unknown_observation"),
    ("fill NOTES --text a --secret password", "text_and_secret"),
    ("fill NOTES --text a --text-stdin", "text_and_secret"),
    ("fill NOTES", "text_required"),
    ("type NOTES", "text_required"),
    ("act --action click BUTTON --text a", "text_unexpected"),
    ("click", "target_required"),
    ("fill --text a", "target_required"),
    ("select --value Dark", "target_required"),
    ("act --action navigate", "target_required"),
    ("drag BUTTON", "target_required"),
    ("click button7", "bad_target"),
    ("click BUTTON --role button", "bad_target"),
    ("click --name Go", "bad_target"),
    ("click --x 3", "bad_target"),
    ("drag BUTTON --to-ref e1 --to-x 3", "bad_target"),
    ("text ../etc", "bad_target"),
    ("click --x 3 --y 4", "target_name_required"),
    ("select NOTES", "value_required"),
    ("press", "key_required"),
    ("press --key Entr", "bad_key"),
    ("press --key hyper+a", "bad_key"),
    ("scroll", "direction_required"),
    ("upload NOTES", "file_required"),
    ("upload NOTES --file absent.txt", "file_required"),
    ("click BUTTON --expect sparkles", "bad_expect"),
    ("click BUTTON --expect text:", "bad_expect"),
    ("click BUTTON --expect checked:maybe", "bad_expect"),
    ("wait --for rain", "bad_wait"),
    ("wait --for text:", "bad_wait"),
    ("wait --for ready --timeout soon", "bad_timeout"),
    ("wait --for ready --timeout 999m", "bad_timeout"),
    ("click BUTTON --timeout 0s", "bad_timeout"),
    ("click BUTTON --timeout 5", "bad_timeout"),
    ("click BUTTON --wait 10h", "bad_timeout"),
    ("observe --within :::", "bad_selector"),
    ("verdict g pass --summary x", "pass_without_effect"),
    ("verdict g pass --summary x --proof a99", "unknown_act"),
    ("verdict g pass --summary x --proof 7", "unknown_act"),
    ("observe --max-chars 0", "bad_arguments"),
    ("scroll --direction down --amount 0", "bad_arguments"),
    ("act --action tab", "bad_arguments"),
];

#[test]
fn usage_errors_of_a_session_have_their_codes_and_do_nothing() {
    let lab = Lab::new();
    let run = lab.begin("/");
    lab.ask(&["goal", "g", "--title", "Count"]);
    let button = reference(&run.outline, "button \"Increment counter\"");
    let notes = reference(&run.outline, "textbox \"Notes\"");
    let long = "x".repeat(1_001);
    let before = lab.app().hits();

    for (words, code) in OF_A_SESSION {
        let put = |word| match word {
            "BUTTON" => button.as_str(),
            "NOTES" => notes.as_str(),
            "LONG" => long.as_str(),
            word => word,
        };
        let args: Vec<&str> = words.split(' ').map(put).collect();
        let said = lab.json(&args);
        let found = said.value()["error"].as_str().unwrap_or("none").to_owned();
        assert_eq!((found.as_str(), said.exit), (*code, 2), "{words}: {}", said.out);
    }

    assert_eq!(lab.app().hits(), before);
    let report = lab.ask(&["end"])["report"].clone();
    assert_eq!(report["acts"].as_array().map(Vec::len), Some(0), "{:#}", report["acts"]);
    assert_eq!(report["goals"].as_array().map(Vec::len), Some(1));
}

#[test]
fn text_that_is_not_utf_8_or_too_long_is_refused() {
    let lab = Lab::new();
    let run = lab.begin("/");
    let notes = reference(&run.outline, "textbox \"Notes\"");

    lab.json_with(&["fill", &notes, "--text-stdin"], b"caf\xe9").refused(2, "bad_text");
    lab.json_with(&["type", &notes, "--text-stdin"], b"\xff").refused(2, "bad_text");
    lab.json_with(&["goal", "g", "--title-stdin"], b"\x80").refused(2, "bad_text");
    let long = vec![b'x'; 100_001];
    lab.json_with(&["fill", &notes, "--text-stdin"], &long).refused(2, "text_too_long");

    assert_eq!(lab.app().hits()["text"], "");
    lab.ask(&["end"]);
}

/// A secret box that never stands still: no picture of it can be masked, so none is kept.
const RESTLESS: &[(&str, &str)] = &[(
    "/",
    "<title>Restless</title><input type=password id=p style='position:absolute;top:40px'>\
     <script>let x=0;function f(){x=(x+7)%400;document.getElementById('p').style.left=x+'px';\
     requestAnimationFrame(f)}f()</script>",
)];

#[test]
fn pixels_without_a_picture_are_refused() {
    let (lab, site) = (Lab::bare(), Site::serve(RESTLESS));
    lab.begin_at(&site.url("/"), &[]);
    let seen = lab.ask(&["observe"])["observation"].clone();

    let refused = lab.json(&["click", "--x", "3", "--y", "4", "--target-name", "Nothing"]);

    assert_eq!((&seen["screenshot_withheld"], &seen["screenshot"]), (&true.into(), &().into()));
    refused.refused(2, "coordinates_need_screenshot");
    lab.ask(&["end"]);
}

#[test]
fn a_script_that_cannot_be_used_is_refused_before_a_run_is_begun() {
    let lab = Lab::bare();
    let good = format!(
        "version: 1\ntarget: {TARGET}\nsurface: web\nowner: yours\ngoals:\n  - id: a\n    \
         title: A\n    demands: pass\n    steps:\n      - act: click\n        \
         target: {{ role: button, name: Go }}\n"
    );
    let path = lab.project().join("s.yaml");
    for (from, to) in [
        ("version: 1", "version: 9"),
        ("act: click", "act: clack"),
        ("demands: pass", "demands: maybe"),
        ("goals:", "golas:"),
        ("role: button", "rule: button"),
    ] {
        std::fs::write(&path, good.replacen(from, to, 1)).unwrap();
        lab.json(&["run", "s.yaml"]).refused(2, "bad_script");
    }
    std::fs::write(&path, b"version: \xff").unwrap();
    lab.json(&["run", "s.yaml"]).refused(2, "bad_script");
    lab.json(&["run", "absent.yaml"]).refused(2, "bad_script");

    assert!(!lab.project().join(".sidestick/runs").exists());
}
