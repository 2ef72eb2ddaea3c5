//! A disk that is full, fills up in the middle, or cannot be written at all.
//!
//! What fills up is the host's own allowance (its limit on the size of files), so that no
//! privileges are needed and nobody else's disk is touched. A slow disk is not made here: that
//! takes a file system of one's own.

use std::os::unix::fs::{PermissionsExt, chown};
use std::process::Command;
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit};
use serde_json::{Value, json};

use crate::lab::{Begun, Lab, begin_args, finish, reference, start, until, wait};

/// The user of nobody.
const NOBODY: u32 = 65_534;

/// Begins a run whose host is told of a full disk instead of being ended by a signal.
fn begin(lab: &Lab) -> Begun {
    let args: Vec<&str> =
        begin_args(lab.app().origin()).into_iter().chain(lab.sandbox()).chain(["--json"]).collect();
    let plain = lab.command(&args);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(plain.get_program());
    command.args(plain.get_args()).env_clear().current_dir(lab.project());
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let value = finish(command, b"").good();
    Begun {
        id: value["run"].as_str().unwrap().to_owned(),
        host: u32::try_from(value["host"].as_u64().unwrap()).unwrap(),
        dir: value["run_dir"].as_str().unwrap().into(),
        outline: value["observation"]["outline"].as_str().unwrap().to_owned(),
    }
}

/// Sets how long a file of the host's may be: nothing at all is a full disk.
fn allow(run: &Begun, bytes: Option<u64>) {
    let pid = Pid::from_raw(i32::try_from(run.host).unwrap());
    let limit = Rlimit { current: bytes, maximum: None };
    rustix::process::prlimit(pid, Resource::Fsize, limit).unwrap();
}

fn button(run: &Begun) -> String {
    reference(&run.outline, "button \"Increment counter\"")
}

/// The run can be ended once there is room, and its record is whole.
#[track_caller]
fn ends_whole(lab: &Lab, run: &Begun) -> Value {
    let end = lab.ask(&["end", "--run", &run.id]);
    let verify = lab.ask(&["verify", "--run", &run.id]);
    assert_eq!(verify["whole"], true, "{verify:#}");
    lab.assert_nothing_left();
    end
}

#[test]
fn nothing_is_sent_when_the_disk_is_full_and_the_run_says_so() {
    let lab = Lab::new();
    let run = begin(&lab);
    allow(&run, Some(0));

    let first = lab.ask(&["click", &button(&run)]);
    let next = lab.ask(&["click", &button(&run)]);
    let look = lab.json(&["observe", "--no-screenshot"]);

    let found = (&first["status"], &first["code"], &first["fate"]);
    assert_eq!(found, (&json!("ERROR"), &json!("record_failed"), &json!("not_sent")), "{first:#}");
    assert_eq!(next["fate"], "not_sent", "{next:#}");
    assert!(matches!(look.exit, 2 | 3), "{look:?}");
    allow(&run, None);
    let end = ends_whole(&lab, &run);
    assert_eq!(end["report"]["run"]["stopped_reason"], "record_failed", "{end:#}");
    assert_eq!(lab.app().hit("/hits/working"), 0);
}

#[test]
fn an_act_whose_end_does_not_fit_is_no_success_and_its_record_is_closed() {
    let lab = Lab::new();
    let run = begin(&lab);
    let notes = reference(&run.outline, "textbox \"Notes\"");
    let text = "abcdefghi ".repeat(100);
    let child = start(lab.command(&["type", &notes, "--text", &text, "--json"]));
    let has_begun = || !lab.app().hits()["text"].as_str().unwrap().is_empty();
    assert!(until(Duration::from_secs(10), has_begun), "nothing of the text arrived");

    allow(&run, Some(0));
    let told = wait(child, "type").value();
    allow(&run, None);

    assert_eq!(told["code"], "record_failed", "{told:#}");
    assert_ne!(told["fate"], "not_sent", "{told:#}");
    let end = ends_whole(&lab, &run);
    let act = &end["report"]["acts"][0];
    assert!(matches!(act["status"].as_str(), Some("UNKNOWN" | "ERROR")), "{act:#}");
    assert_ne!(act["fate"], "not_sent", "{act:#}");
}

#[test]
fn an_end_without_room_for_its_report_says_so_and_can_be_asked_again() {
    let lab = Lab::new();
    let run = begin(&lab);
    lab.act(&["click", &button(&run)], "OBSERVED", None);
    allow(&run, Some(0));

    let refused = lab.json(&["end"]);

    assert!(matches!(refused.exit, 2 | 4), "{refused:?}");
    assert!(!refused.value()["message"].as_str().unwrap().is_empty(), "{refused:?}");
    if crate::processes::runs(run.host) {
        allow(&run, None);
    }
    let end = ends_whole(&lab, &run);
    assert_eq!(end["report"]["acts"][0]["status"], "OBSERVED", "{end:#}");
}

#[test]
fn a_state_folder_that_cannot_be_written_is_refused_before_anything_is_started() {
    let mut lab = Lab::new();
    if rustix::process::geteuid().is_root() {
        // Nothing is closed to root.
        for name in ["", "p", "t", "h"] {
            chown(lab.root().join(name), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        if lab.user().exists() {
            std::fs::remove_dir_all(lab.user()).unwrap();
        }
        lab.uid = Some(NOBODY);
    }
    let mode = |mode| std::fs::set_permissions(lab.project(), PermissionsExt::from_mode(mode));
    mode(0o555).unwrap();

    let refused = lab.json(&begin_args(lab.app().origin()));

    mode(0o755).unwrap();
    refused.refused(2, "state_unwritable");
    lab.assert_nothing_left();
}
