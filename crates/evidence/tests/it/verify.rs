//! What a check of a record finds (I3).

use serde_json::Value;

use sidestick_evidence::RecordKey;
use sidestick_evidence::trace::signed_text;
use sidestick_model::ActId;

use crate::desk::{Desk, NOW, intended, key};

#[test]
fn a_record_nobody_touched_is_whole() {
    let desk = Desk::ended();

    let found = desk.verify();

    assert_eq!(found.problems, Vec::<String>::new());
    assert!(found.whole);
    assert_eq!((found.intents, found.recovered), (2, 0));
    assert_eq!(found.files, 6, "one picture, three reports, the state and the observations");
    assert_eq!(found.signed_lines, found.lines);
    assert_eq!(found.key, Some(key().public()));
}

/// Damages a record that is whole, and expects a problem that says so.
fn check(what: &str, damage: impl FnOnce(&Desk), told: &str) {
    let desk = Desk::ended();
    assert!(desk.verify().whole);

    damage(&desk);
    let found = desk.verify();

    assert!(!found.whole, "{what} was not found");
    let is_told = found.problems.iter().any(|problem| problem.contains(told));
    assert!(is_told, "{what}: none of {:?} says `{told}`", found.problems);
}

/// Rewrites the lines of the trace.
fn edited(edit: impl FnOnce(&mut Vec<String>)) -> impl FnOnce(&Desk) {
    |desk| {
        let mut lines = desk.lines();
        edit(&mut lines);
        desk.rewrite(&lines);
    }
}

#[test]
fn a_line_that_was_altered_removed_moved_or_added_is_found() {
    let follows = "does not follow the line before it";
    check(
        "an altered line",
        edited(|lines| lines[1] = lines[1].replace("Save", "Pay")),
        "line 3 does not follow the line before it",
    );
    check(
        "an altered last line but one",
        edited(|lines| {
            let at = lines.len() - 2;
            lines[at] = lines[at].replace("\"kind\":\"end\"", "\"kind\":\"and\"");
        }),
        "the signature in line",
    );
    check("a removed line", edited(|lines| drop(lines.remove(2))), follows);
    check("a removed first line", edited(|lines| drop(lines.remove(0))), follows);
    check("two lines in another order", edited(|lines| lines.swap(1, 2)), follows);
    check("a line twice", edited(|lines| lines.insert(2, lines[1].clone())), follows);
    check(
        "a line that is no line",
        edited(|lines| lines[2] = "{\"n\":".to_owned()),
        "line 3 is damaged",
    );
    check(
        "a last line that is torn",
        |desk| {
            let text = std::fs::read_to_string(desk.file("trace.jsonl")).unwrap();
            std::fs::write(desk.file("trace.jsonl"), &text[..text.len() - 9]).unwrap();
        },
        "torn",
    );
}

#[test]
fn a_picture_or_report_that_was_altered_or_taken_away_is_found() {
    for name in ["shots/o1.png", "report.json", "report.md", "report.html"] {
        check(
            name,
            |desk| {
                let mut bytes = std::fs::read(desk.file(name)).unwrap();
                bytes[0] ^= 1;
                std::fs::write(desk.file(name), bytes).unwrap();
            },
            &format!("`{name}` was altered"),
        );
        check(
            name,
            |desk| std::fs::remove_file(desk.file(name)).unwrap(),
            &format!("`{name}` is missing"),
        );
    }
}

#[test]
fn a_picture_that_is_a_link_to_the_same_bytes_is_found() {
    check(
        "a linked picture",
        |desk| {
            let (picture, elsewhere) = (desk.file("shots/o1.png"), desk.file("downloads/o1.png"));
            std::fs::rename(&picture, &elsewhere).unwrap();
            std::os::unix::fs::symlink(&elsewhere, &picture).unwrap();
        },
        "`shots/o1.png` is missing",
    );
}

/// Changes the signature of the last line, which nothing follows.
fn signed_otherwise(change: impl FnOnce(&mut Value, &str)) -> impl FnOnce(&Desk) {
    |desk| {
        let mut lines = desk.lines();
        let number = lines.len() as u64 - 1;
        let mut last: Value = serde_json::from_str(lines.last().unwrap()).unwrap();
        let head = last["body"]["head"].as_str().unwrap().to_owned();
        let at = last["at"].as_str().unwrap().to_owned();
        let text = signed_text(&desk.id, number, &at, &head);
        change(&mut last["body"], &text);
        *lines.last_mut().unwrap() = last.to_string();
        desk.rewrite(&lines);
    }
}

#[test]
fn a_signature_that_was_forged_is_found() {
    check(
        "a changed signature",
        signed_otherwise(|body, _| {
            let signature = body["signature"].as_str().unwrap();
            let first = if signature.starts_with('0') { "1" } else { "0" };
            body["signature"] = format!("{first}{}", &signature[1..]).into();
        }),
        "does not hold",
    );
    check(
        "the key of somebody else under our signature",
        signed_otherwise(|body, _| body["key"] = stranger().public().into()),
        "does not hold",
    );
    check(
        "the signature of somebody else under our key",
        signed_otherwise(|body, text| body["signature"] = stranger().sign(text).into()),
        "does not hold",
    );
    check(
        "a signature that is not one",
        signed_otherwise(|body, _| body["signature"] = Value::Null),
        "does not hold",
    );
}

fn stranger() -> RecordKey {
    RecordKey::from_seed([8; 32])
}

#[test]
fn a_signature_belongs_to_its_run_and_to_no_other() {
    let desk = Desk::ended();
    let other = sidestick_model::RunId::parse("20261201T101500-ab13").unwrap();

    let found = sidestick_evidence::verify::verify(&desk.dir(), &other, None).unwrap();

    assert!(!found.whole);
}

/// What stands after the last signature may be gone unseen; an end that is gone is seen.
#[test]
fn an_ended_record_whose_end_was_cut_off_is_found() {
    for kept in [1, 3, 5] {
        let end = "its end is not in the record";
        check(&format!("{kept} lines left"), edited(|lines| lines.truncate(kept)), end);
    }
}

#[test]
fn an_act_without_a_conclusion_is_found() {
    let (desk, mut run) = Desk::begin();
    run.intend(ActId(1), NOW, intended(1), true).unwrap();
    drop(run);

    let found = desk.verify();

    assert_eq!(found.problems, ["act a1 has no conclusion"]);
}

#[test]
fn a_folder_without_a_trace_is_not_whole_but_an_error() {
    let desk = Desk::ended();
    std::fs::remove_file(desk.file("trace.jsonl")).unwrap();

    let found = sidestick_evidence::verify::verify(&desk.dir(), &desk.id, None);

    assert_eq!(found.unwrap_err().code(), "state_unwritable");
}

/// A verdict that was edited after the end is found: the state is bound to the chain.
#[test]
fn an_altered_state_is_found() {
    let desk = Desk::ended();
    let path = desk.file("run.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("\"run_used\": ", "\"run_used\": 1", 1)).unwrap();

    assert!(desk.verify().problems.contains(&"`run.json` was altered".to_owned()));
}
