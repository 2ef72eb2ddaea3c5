//! The browser with its sandbox on, as a user without privileges.

use std::os::unix::fs::chown;

use crate::lab::{Lab, reference};
use crate::processes;

/// The user of nobody.
const NOBODY: u32 = 65_534;

/// Makes a world that belongs to a user without privileges; the user of the tests, when that is one.
fn unprivileged() -> Lab {
    let mut lab = Lab::new();
    if !rustix::process::geteuid().is_root() {
        return lab;
    }
    for name in ["", "p", "t", "h"] {
        chown(lab.root().join(name), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    if lab.user().exists() {
        std::fs::remove_dir_all(lab.user()).unwrap();
    }
    lab.uid = Some(NOBODY);
    lab
}

#[test]
fn a_user_without_privileges_runs_with_the_browser_s_sandbox_on() {
    let lab = unprivileged();
    let run = lab.begin("/");
    let button = reference(&run.outline, "button \"Increment counter\"");

    lab.act(&["click", &button, "--expect", "text:Count: 1"], "OBSERVED", None);
    let status = lab.ask(&["status"]);
    let arguments = std::fs::read(format!("/proc/{}/status", run.host)).unwrap();
    let browsers = processes::with_argument(lab.root(), "--remote-debugging-pipe").len();
    let unsafe_ones = processes::with_argument(lab.root(), "--no-sandbox");
    lab.ask(&["end"]);

    assert!(0 < browsers, "no browser was found to look at");
    assert_eq!(unsafe_ones, [0; 0]);
    assert_eq!(lab.app().hit("/hits/working"), 1);
    assert_eq!(status["run"]["sandbox"], true);
    let uid = format!("Uid:\t{}", lab.uid.unwrap_or_else(|| rustix::process::geteuid().as_raw()));
    assert!(String::from_utf8(arguments).unwrap().contains(&uid));
    assert_eq!(run.report()["run"]["sandbox"], true);
    lab.assert_nothing_left();
}

#[test]
fn root_is_told_what_to_do_about_the_sandbox() {
    if !rustix::process::geteuid().is_root() {
        // Only root meets this; the other test of this file runs for everybody.
        return;
    }
    let lab = Lab::new();

    let value = lab.json(&crate::lab::begin_args(lab.app().origin()));

    assert!(matches!(value.exit, 4 | 5), "{value:?}");
    assert!(value.value()["hint"].as_str().unwrap().contains("--no-sandbox"), "{value:?}");
    lab.assert_nothing_left();
}
