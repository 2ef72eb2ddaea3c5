//! Beginnings that fail: a typed error, its exit code, nothing left running.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use crate::lab::{Lab, Said, begin_args, finish, start, until, wait};
use crate::processes;

const TARGET: &str = "http://127.0.0.1:9/";

/// Writes a program that stands in for a browser.
fn program(path: &Path, body: &str) -> String {
    std::fs::write(path, format!("#!/bin/bash\n{body}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Begins with a program in the browser's place.
fn begin_with(lab: &Lab, body: &str) -> Said {
    let browser = program(&lab.root().join("h/browser"), body);
    lab.json(&[begin_args(TARGET).as_slice(), &["--browser", &browser]].concat())
}

/// What a run that could not begin leaves: an ended record that says so, and nothing that runs.
#[track_caller]
fn is_a_closed_failure(lab: &Lab) {
    lab.assert_nothing_left();
    lab.json(&["observe"]).refused(3, "run_required");
    let listed = lab.ask(&["runs", "list"]);
    for run in listed["runs"].as_array().unwrap() {
        assert_eq!(run["state"], "ended", "{run:#}");
    }
}

#[test]
fn a_browser_that_is_absent_is_missing_with_the_command_that_installs_it() {
    let lab = Lab::bare();

    let args = [begin_args(TARGET).as_slice(), &["--browser", "/nowhere/chromium"]].concat();
    let value = lab.json(&args).refused(5, "missing");

    assert_eq!(value["missing"], Value::from(vec!["chromium"]));
    assert!(value["hint"].as_str().unwrap().contains("apt-get install chromium"), "{value:#}");
    is_a_closed_failure(&lab);
}

#[test]
fn an_ancient_browser_is_missing_with_the_version_needed() {
    let lab = Lab::bare();
    // It answers the one question and nothing else.
    let body = r#"
        version='{"protocolVersion":"1.3","product":"Chrome/60.0.3112.113","revision":"@0"}'
        while IFS= read -r -d '' line <&3; do
            if [[ $line == *Browser.getVersion* && $line =~ \"id\":([0-9]+) ]]; then
                printf '{"id":%s,"result":%s}\0' "${BASH_REMATCH[1]}" "$version" >&4
            fi
        done"#;

    let value = begin_with(&lab, body).refused(5, "missing");

    assert!(value["message"].as_str().unwrap().contains("60"), "{value:#}");
    assert!(value["hint"].as_str().unwrap().contains("apt-get install"), "{value:#}");
    is_a_closed_failure(&lab);
}

#[test]
fn a_browser_that_ends_at_once_fails_with_its_last_words() {
    let lab = Lab::bare();

    let said = begin_with(&lab, "echo 'ERROR: no display to be found' >&2; exit 3");

    let value = said.refused(4, "driver_error");
    assert!(value["message"].as_str().unwrap().contains("no display to be found"), "{value:#}");
    is_a_closed_failure(&lab);
}

#[test]
fn a_program_that_prints_a_version_and_ends_is_no_browser() {
    let lab = Lab::bare();

    let said = begin_with(&lab, "echo 'Chromium 156.0.1.2'");

    said.refused(4, "driver_error");
    is_a_closed_failure(&lab);
}

#[test]
fn a_file_that_is_no_program_fails() {
    let lab = Lab::bare();
    let path = lab.root().join("h/browser");
    std::fs::write(&path, "not a program").unwrap();

    let browser = path.to_str().unwrap();
    let said = lab.json(&[begin_args(TARGET).as_slice(), &["--browser", browser]].concat());

    said.refused(4, "driver_error");
    is_a_closed_failure(&lab);
}

#[test]
fn a_browser_that_never_answers_fails_in_time() {
    let lab = Lab::bare();

    let said = begin_with(&lab, "exec /bin/sleep 600");

    let value = said.refused(4, "driver_error");
    assert!(value["message"].as_str().unwrap().contains("did not answer"), "{value:#}");
    is_a_closed_failure(&lab);
}

#[test]
fn a_host_that_dies_before_the_run_has_begun_is_an_internal_error() {
    let lab = Lab::bare();
    let browser = program(&lab.root().join("h/browser"), "exec /bin/sleep 600");
    let args = [begin_args(TARGET).as_slice(), &["--browser", &browser, "--json"]].concat();
    let child = start(lab.command(&args));
    let sleeps = || !processes::with_argument(lab.root(), "600").is_empty();
    assert!(until(Duration::from_secs(10), sleeps), "the browser was not started");
    let hosts = processes::with_argument(lab.root(), "__host");

    processes::kill(hosts[0]);
    let said = wait(child, "begin");

    said.refused(1, "internal_error");
    lab.assert_nothing_left();
    lab.ask(&["end"]);
}

#[test]
fn a_target_that_nobody_serves_is_a_driver_failure() {
    let lab = Lab::bare();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", free.local_addr().unwrap());
    drop(free);
    let args: Vec<&str> = begin_args(&url).into_iter().chain(lab.sandbox()).collect();

    let value = lab.json(&args).refused(4, "driver_error");

    assert_eq!(value["driver_error"], "navigation_failed", "{value:#}");
    is_a_closed_failure(&lab);
}

#[test]
fn credentials_that_are_named_and_not_there_are_told() {
    let lab = Lab::bare();
    let env = [begin_args(TARGET).as_slice(), &["--credentials-env", "SHOP"]].concat();
    let mut half = lab.command(&[env.as_slice(), &["--json"]].concat());
    half.env("SHOP_USERNAME", "tester");

    let none = lab.json(&env).refused(5, "credentials");
    let half = finish(half, b"").refused(5, "credentials");

    for value in [none, half] {
        assert_eq!(value["missing"][0], "credentials");
        assert!(value["message"].as_str().unwrap().contains("SHOP_PASSWORD"), "{value:#}");
    }
    is_a_closed_failure(&lab);
}

#[test]
fn a_credentials_file_that_others_can_read_is_refused() {
    let lab = Lab::bare();
    let path = lab.project().join("c.json");
    std::fs::write(&path, r#"{"username":"u","password":"hunter2-hunter2"}"#).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    let args = [begin_args(TARGET).as_slice(), &["--credentials-file", "c.json"]].concat();

    let said = lab.json(&args);

    let value = said.refused(5, "credentials");
    assert_eq!(value["missing"][0], "credentials_file_mode");
    assert!(value["hint"].as_str().unwrap().contains("chmod 600"), "{value:#}");
    assert!(!said.out.contains("hunter2"), "{}", said.out);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    std::fs::write(&path, "hunter2-hunter2").unwrap();
    let said = lab.json(&args);
    said.refused(5, "credentials");
    assert!(!said.out.contains("hunter2"), "{}", said.out);
}
