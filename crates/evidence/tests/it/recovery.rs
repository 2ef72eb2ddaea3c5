//! A run whose host died: what was open is closed, and the record is whole again (I3).

use std::io::Write;

use sidestick_evidence::format::ObservationLine;
use sidestick_evidence::run::{is_held, read_report};
use sidestick_model::outcome::{Code, Fate, Status};
use sidestick_model::{ActId, ObservationId};
use sidestick_policy::{Redacted, Redactor};

use crate::desk::{Desk, NOW, act, intended};

/// A run with one whole act and one that was under way when the host died.
fn died() -> Desk {
    let (desk, mut run) = Desk::begin();
    act(&mut run, 1);
    run.intend(ActId(2), NOW, intended(2), false).unwrap();
    desk
}

#[test]
fn an_act_that_was_open_is_closed_as_unknown_and_the_record_is_whole() {
    let desk = died();

    let run = desk.recover().unwrap();

    let report = run.report().unwrap();
    let acts: Vec<_> =
        report.acts.iter().map(|act| (act.outcome.act, act.outcome.status)).collect();
    assert_eq!(acts, [(ActId(1), Status::Observed), (ActId(2), Status::Unknown)]);
    let lost = &report.acts[1];
    assert_eq!((lost.outcome.code, lost.outcome.fate), (Some(Code::Recovered), Fate::Unknown));
    assert_eq!(lost.asked, "click button \"Save\"", "what was asked is still told");
    assert_eq!(run.state.head.stopped_reason.as_deref(), Some("host_died"));
    let found = desk.verify();
    assert_eq!((found.problems, found.recovered), (Vec::<String>::new(), 1));
    assert_eq!(found.signed_lines, found.lines);
}

#[test]
fn recovering_again_changes_nothing() {
    let desk = died();
    drop(desk.recover().unwrap());
    let before = desk.lines();

    drop(desk.recover().unwrap());

    assert_eq!(desk.lines(), before);
}

#[test]
fn a_recovered_run_can_be_ended_and_reported() {
    let desk = died();
    let mut run = desk.recover().unwrap();

    let report = run.finish(NOW + 90_000, &Redactor::default()).unwrap();

    assert!(report.run.recovered);
    let found = desk.verify();
    assert_eq!((found.problems, found.files), (Vec::<String>::new(), 5));
}

/// Observations grow with every act: they are appended, and `run.json` stays as long as it was.
#[test]
fn observations_outlive_the_host_and_cost_no_more_with_every_act() {
    let (desk, mut run) = Desk::begin();
    let redactor = Redactor::default();
    let line = ObservationLine { url: "https://app.example/".to_owned(), ..Default::default() };
    let before = std::fs::read(desk.file("run.json")).unwrap().len();
    for _ in 0..40 {
        run.state.add_observation(line.clone());
        run.save(&redactor).unwrap();
    }
    let third = run.state.observation_mut(ObservationId(3)).unwrap();
    third.screenshot = Some("shots/o3.png".to_owned());
    run.save(&redactor).unwrap();
    drop(run);
    let mut file = std::fs::File::options().append(true).open(desk.file("observations.jsonl"));
    file.as_mut().unwrap().write_all(b"{\"n\":41,\"at\":\"20").unwrap();

    let run = desk.recover().unwrap();

    assert_eq!(run.state.latest_observation(), Some(ObservationId(40)), "the torn line is none");
    let read = |id| run.state.observation(ObservationId(id)).cloned().unwrap();
    assert_eq!(read(3).screenshot.as_deref(), Some("shots/o3.png"));
    assert_eq!(read(4), line);
    assert!(
        std::fs::read(desk.file("run.json")).unwrap().len() < before + 200,
        "run.json does not grow with them"
    );
    let lines = String::from_utf8(std::fs::read(desk.file("observations.jsonl")).unwrap()).unwrap();
    assert_eq!(lines.lines().count(), 41, "each change is one line; the torn one is cut off");
}

#[test]
fn a_damaged_observation_is_a_damaged_record() {
    let (desk, mut run) = Desk::begin();
    run.state.add_observation(ObservationLine::default());
    run.save(&Redactor::default()).unwrap();
    drop(run);
    std::fs::write(desk.file("observations.jsonl"), "not json\n").unwrap();

    let error = desk.recover().unwrap_err();

    assert_eq!(error.code(), "record_damaged");
}

#[test]
fn a_last_line_that_is_torn_is_cut_and_the_record_is_whole() {
    let desk = died();
    let whole = desk.lines();
    let mut file = std::fs::File::options().append(true).open(desk.file("trace.jsonl")).unwrap();
    file.write_all(b"{\"n\":5,\"prev\":\"ab").unwrap();
    assert!(!desk.verify().whole);

    drop(desk.recover().unwrap());

    assert_eq!(desk.lines()[..whole.len()], whole[..]);
    assert_eq!(desk.verify().problems, Vec::<String>::new());
}

/// An intent that never was a whole line was never followed by a dispatch.
#[test]
fn an_intent_that_is_torn_is_no_act() {
    let desk = died();
    let text = std::fs::read_to_string(desk.file("trace.jsonl")).unwrap();
    std::fs::write(desk.file("trace.jsonl"), &text[..text.len() - 5]).unwrap();

    let run = desk.recover().unwrap();

    assert_eq!(run.report().unwrap().acts.len(), 1);
    let found = desk.verify();
    assert_eq!((found.problems, found.intents), (Vec::<String>::new(), 1));
}

#[test]
fn a_line_in_the_middle_that_is_damaged_is_not_passed_over() {
    let desk = died();
    let mut lines = desk.lines();
    lines[1].truncate(20);
    desk.rewrite(&lines);

    let error = desk.recover().unwrap_err();

    assert_eq!(error.code(), "record_damaged");
    assert_eq!(desk.lines(), lines, "nothing is written to it");
}

#[test]
fn nobody_opens_a_run_whose_host_lives() {
    let (desk, run) = Desk::begin();

    assert_eq!(desk.recover().unwrap_err().code(), "busy");
    assert!(is_held(&desk.dir()));
    drop(run);

    assert!(!is_held(&desk.dir()));
    assert!(desk.recover().is_ok());
}

#[test]
fn an_ended_run_is_opened_without_a_mark_on_it() {
    let desk = Desk::ended();
    let before = desk.lines();

    let run = desk.recover().unwrap();

    assert_eq!(desk.lines(), before);
    assert!(!run.state.head.recovered);
    assert!(desk.verify().whole);
}

#[test]
fn a_report_of_a_run_under_way_tells_the_open_act_as_unknown() {
    let (desk, mut run) = Desk::begin();
    run.intend(ActId(1), NOW, intended(1), false).unwrap();

    let report = read_report(&desk.dir(), &run.state).unwrap();

    let told: Vec<_> =
        report.acts.iter().map(|act| (act.outcome.status, act.outcome.fate)).collect();
    assert_eq!(told, [(Status::Unknown, Fate::Unknown)]);
}

/// The folder is private whatever the umask, down to the last file (VR-029).
#[test]
fn every_file_of_a_run_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let (desk, mut run) = Desk::begin();
    act(&mut run, 1);
    run.write_outline(ObservationId(1), &Redacted::from_ours("o1".to_owned())).unwrap();
    run.write_picture("o1", NOW, &Redacted::from_masked(vec![1])).unwrap();
    run.finish(NOW, &Redactor::default()).unwrap();

    let mut folders = vec![desk.dir()];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        assert_eq!(mode(&folder), 0o700, "{}", folder.display());
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                assert_eq!(mode(&path), 0o600, "{}", path.display());
                count += 1;
            }
        }
    }
    assert!(8 < count, "{count} files");

    fn mode(path: &std::path::Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }
}
