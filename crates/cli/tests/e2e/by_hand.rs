//! A run by hand, verb by verb: what it says, what it writes, what reached the application.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::lab::{Lab, reference};

/// Every file and folder below a folder, the folder included.
fn all_under(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        match entry.file_type().unwrap().is_dir() {
            true => found.extend(all_under(&entry.path())),
            false => found.push(entry.path()),
        }
    }
    found
}

fn mode(path: &Path) -> u32 {
    std::fs::symlink_metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn a_run_by_hand_is_what_the_application_recorded() {
    let lab = Lab::new();
    let run = lab.begin("/");
    lab.ask(&["goal", "day", "--title", "Count an order, leave a note, go dark"]);
    let outline = lab.ask(&["observe", "--goal", "day"])["outline"].as_str().unwrap().to_owned();
    let button = reference(&outline, "button \"Increment counter\"");
    let notes = reference(&outline, "textbox \"Notes\"");
    let theme = reference(&outline, "combobox \"Theme\"");

    let click = lab.act(&["click", &button, "--expect", "text:Count: 1"], "OBSERVED", None);
    let text = "the vault code is 7319-kestrel";
    let fill =
        lab.json_with(&["fill", &notes, "--text-stdin"], format!("{text}\n").as_bytes()).good();
    let select = lab.act(&["select", &theme, "--value", "Dark"], "OBSERVED", None);
    let verdict = lab.ask(&["verdict", "day", "pass", "--summary", "all three are there"]);
    let end = lab.ask(&["end"]);

    assert_eq!((click["fate"].as_str(), click["act"].as_str()), (Some("sent"), Some("a1")));
    assert_eq!(fill["status"], "OBSERVED", "{fill:#}");
    assert_eq!(fill["effect"]["read_back"]["equal"], true);
    assert_eq!(select["effect"]["read_back"]["found"], "Dark");
    assert_eq!(verdict["proof"], "a3");
    let hits = lab.app().hits();
    assert_eq!(hits["hits"]["working"], 1);
    assert_eq!((hits["text"].as_str(), hits["theme"].as_str()), (Some(text), Some("dark")));
    assert_eq!((&hits["hits"]["dead"], &hits["hits"]["delete"]), (&0.into(), &0.into()));
    assert_eq!(end["cleanup_failed"], false);
    let report = run.report();
    assert_eq!(report["goals"][0]["status"], "pass");
    let statuses: Vec<&str> =
        report["acts"].as_array().unwrap().iter().filter_map(|a| a["status"].as_str()).collect();
    assert_eq!(statuses, ["OBSERVED"; 3]);
    assert!(run.read("report.md").contains("all three are there"));
    assert!(run.read("report.html").contains("all three are there"));
    holds_no(&run.dir, text);
    holds_no(&lab.user(), text);
    is_private(&lab.project().join(".sidestick"));
    is_private(&lab.user());
    lab.assert_nothing_left();
}

/// Sensitive text is in no file, whatever it is called.
#[track_caller]
pub(crate) fn holds_no(folder: &Path, text: &str) {
    for path in all_under(folder).into_iter().filter(|path| path.is_file()) {
        let bytes = std::fs::read(&path).unwrap();
        let is_there = bytes.windows(text.len()).any(|window| window == text.as_bytes());
        assert!(!is_there, "{path:?} holds what was typed");
    }
}

#[track_caller]
fn is_private(folder: &Path) {
    for path in all_under(folder) {
        let wanted = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&path), wanted, "{path:?} is {:o}", mode(&path));
    }
}

#[test]
fn the_files_of_an_open_run_are_private_too() {
    let lab = Lab::new();
    let run = lab.begin("/");

    is_private_but_sockets(&lab.project().join(".sidestick"));
    is_private_but_sockets(&lab.user());
    assert_eq!(mode(&lab.socket(&run.id)), 0o600);
    lab.ask(&["end"]);
}

#[track_caller]
fn is_private_but_sockets(folder: &Path) {
    for path in all_under(folder) {
        let others = mode(&path) & 0o077;
        assert_eq!(others, 0, "{path:?} is {:o}", mode(&path));
    }
}

#[test]
fn text_answers_are_short_plain_and_alone_on_standard_output() {
    let lab = Lab::new();
    let run = lab.begin("/");
    let target = lab.app().origin();
    let button = reference(&run.outline, "button \"Increment counter\"");
    let goal = lab.say(&["goal", "g", "--title", "Count"]);
    let observe = lab.say(&["observe", "--goal", "g"]);

    let click = lab.say(&["click", &button]);
    let verdict = lab.say(&["verdict", "g", "pass", "--summary", "counted"]);
    let status = lab.say(&["status"]);
    let wrong = lab.say(&["click", "not-a-ref"]);
    let end = lab.say(&["end"]);

    assert_eq!(goal.out, "goal g registered\n");
    assert!(observe.out.starts_with("o2 page \"Overview · Orderly\""), "{}", observe.out);
    let mut lines = click.out.lines();
    assert_eq!(
        lines.next().unwrap(),
        format!("OBSERVED click button \"Increment counter\" {button} (a1)")
    );
    assert!(click.out.contains("\"Count: 0\" -> \"Count: 1\""), "{}", click.out);
    assert!(click.out.contains("1 of 200 actions, goal g 1 of 40"), "{}", click.out);
    assert_eq!(verdict.out, "goal g pass, proven by a1\n");
    assert!(status.out.starts_with(&format!("run {} open\n  target {target}", run.id)));
    assert!(end.out.starts_with(&format!("run {} ended\n", run.id)), "{}", end.out);
    for said in [&goal, &observe, &click, &verdict, &status, &end] {
        assert_eq!((said.exit, said.err.as_str()), (0, ""), "{said:?}");
        let is_plain = said.out.chars().all(|c| c == '\n' || !c.is_control());
        assert!(is_plain, "{said:?}");
    }
    assert_eq!((wrong.exit, wrong.out.as_str()), (2, ""));
    assert!(wrong.err.starts_with("error: ") && wrong.err.contains("(bad_target)"), "{wrong:?}");
}

/// Every verb that looks or acts, as a person would put it in one session.
fn verbs(outline: &str) -> Vec<Vec<String>> {
    let button = reference(outline, "button \"Increment counter\"");
    let notes = reference(outline, "textbox \"Notes\"");
    let lines = [
        "goal g --title Count".to_owned(),
        "observe --goal g --scope document".to_owned(),
        "find --role button".to_owned(),
        format!("text {notes}"),
        "text".to_owned(),
        "screenshot".to_owned(),
        "screenshot --full-page".to_owned(),
        "wait --for ready".to_owned(),
        format!("click {button}"),
        format!("double-click {button}"),
        format!("right-click {button}"),
        format!("hover {button}"),
        format!("fill {notes} --text hello"),
        format!("type {notes} --text you"),
        format!("press {notes} --key ctrl+a"),
        "scroll --direction down".to_owned(),
        format!("act --action click {button} --full"),
        "act --action reload".to_owned(),
        "observe".to_owned(),
        "select --role combobox --name Theme --value Light".to_owned(),
        "back".to_owned(),
        "forward".to_owned(),
        "reload".to_owned(),
        "tab --list".to_owned(),
        "note --finding-kind other --summary Seen --goal g".to_owned(),
        "verdict g partial --summary Half".to_owned(),
        "status".to_owned(),
        "runs list".to_owned(),
    ];
    lines.iter().map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

#[test]
fn every_verb_prints_one_json_object_on_one_line() {
    let lab = Lab::new();
    let run = lab.begin("/");

    let doctor: Vec<&str> = ["doctor"].into_iter().chain(lab.sandbox()).collect();
    assert_eq!(lab.ask(&doctor)["surfaces"]["web"]["ready"], true);
    for verb in verbs(&run.outline) {
        let words: Vec<&str> = verb.iter().map(String::as_str).collect();
        let said = lab.json(&words);
        assert_eq!(said.err, "", "{words:?} writes to standard error");
        said.good();
    }
    lab.ask(&["end"]);
    for words in [
        &["runs", "show", &run.id] as &[&str],
        &["report", &run.id],
        &["report", &run.id, "--format", "html"],
        &["report", &run.id, "--format", "json"],
        &["report", &run.id, "--format", "junit"],
        &["verify", &run.id],
        &["status"],
        &["end", "--run", &run.id],
        &["pause"],
        &["stop"],
        &["runs", "prune", "--keep", "0"],
    ] {
        lab.ask(words);
    }

    assert!(!run.dir.exists(), "an ended run was not pruned");
}

#[test]
fn the_setting_for_json_is_an_environment_variable_too() {
    let lab = Lab::bare();
    let mut command = lab.command(&["runs", "list"]);
    command.env("SIDESTICK_JSON", "1");

    let said = crate::lab::finish(command, b"");

    assert_eq!(said.good()["runs"], Value::Array(Vec::new()));
}

#[test]
fn help_version_and_completions_are_answers() {
    let lab = Lab::bare();

    let help = lab.say(&["--help"]);
    let version = lab.say(&["--version"]);
    let completions = lab.say(&["completions", "bash"]);

    for said in [&help, &version, &completions] {
        assert_eq!((said.exit, said.err.as_str()), (0, ""), "{said:?}");
    }
    assert!(help.out.contains("begin") && help.out.contains("verdict"), "{}", help.out);
    assert!(!help.out.contains("__host"), "{}", help.out);
    assert!(version.out.starts_with("sidestick 0."), "{}", version.out);
    assert!(completions.out.contains("double-click"));
}
