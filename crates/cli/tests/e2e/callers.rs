//! Callers that go away in the middle of an act, come by twos, or speak another version.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use serde_json::{Value, json};

use crate::lab::{Begun, Lab, begin_args, reference, start, until};
use crate::processes;
use crate::site::Site;

/// Shows which keys are held, and tells the record when the first is pressed.
const KEYS: &[(&str, &str)] = &[(
    "/",
    "<title>Keys</title><textarea id=t aria-label=Field></textarea><p id=held>held: none</p>\
     <script>\
     const held=new Set();let first=true;\
     function show(){document.getElementById('held').textContent='held: '+([...held].join()||'none')}\
     addEventListener('keydown',e=>{if(first){first=false;got('first')}held.add(e.code);show()});\
     addEventListener('keyup',e=>{held.delete(e.code);show()});\
     </script>",
)];

/// The lines of the trace, as far as they are written whole.
fn trace(run: &Begun) -> Vec<Value> {
    let text = run.read("trace.jsonl");
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn concluded(run: &Begun) -> Option<Value> {
    let lines = trace(run);
    let text = |line: &Value| line.to_string().contains("\"UNKNOWN\"");
    lines.into_iter().find(|line| line["kind"] == "conclude" && text(line))
}

#[test]
fn a_caller_that_goes_away_cuts_its_act_and_no_key_stays_held() {
    let (lab, site) = (Lab::bare(), Site::serve(KEYS));
    let run = lab.begin_at(&site.url("/"), &[]);
    let field = reference(&run.outline, "textbox \"Field\"");
    let text = "abcDEF ".repeat(700);
    let mut caller = start(lab.command(&["type", &field, "--text", &text]));
    let begun = until(Duration::from_secs(10), || site.got() == ["first"]);
    assert!(begun, "nothing was typed");

    processes::kill(caller.id());
    caller.wait().unwrap();

    let has_ended = until(Duration::from_secs(10), || concluded(&run).is_some());
    assert!(has_ended, "the act did not conclude: {:#?}", trace(&run).last());
    let status = lab.ask(&["status"]);
    assert_eq!(status["last_act"]["status"], "UNKNOWN", "{status:#}");
    lab.act(&["press", "--key", "a"], "STALE", Some("look_first"));
    let outline = lab.look();
    assert!(outline.contains("held: none"), "{outline}");
    let report = lab.ask(&["end"])["report"].clone();
    let act = &report["acts"][0];
    assert_eq!((&act["status"], &act["code"]), (&json!("UNKNOWN"), &json!("interrupted")));
    assert_eq!(act["fate"], "unknown");
}

#[test]
fn two_runs_side_by_side_do_not_disturb_each_other() {
    let lab = Lab::new();
    let other = Lab::new();
    let (one, two) = (lab.begin("/"), lab.begin("/"));
    let third = other.begin("/");
    let button = |run: &Begun| reference(&run.outline, "button \"Increment counter\"");

    lab.json(&["click", "e1"]).refused(3, "run_required");
    lab.act(&["click", &button(&one), "--run", &one.id], "OBSERVED", None);
    lab.ask(&["end", "--run", &one.id]);
    lab.act(&["click", &button(&two)], "OBSERVED", None);
    other.act(&["click", &button(&third)], "OBSERVED", None);

    assert_eq!((lab.app().hit("/hits/working"), other.app().hit("/hits/working")), (2, 1));
    let acts = |end: Value| end["report"]["acts"].as_array().map(Vec::len);
    assert_eq!(acts(lab.ask(&["end"])), Some(1));
    // The brake and stop of one user are none of another's.
    lab.ask(&["pause"]);
    lab.ask(&["stop"]);
    other.act(&["click", &button(&third)], "OBSERVED", None);
    other.ask(&["end"]);
}

#[test]
fn a_verb_names_the_open_runs_when_it_cannot_know_which_is_meant() {
    let lab = Lab::new();

    let none = lab.json(&["observe"]).refused(3, "run_required");
    let (one, two) = (lab.begin("/"), lab.begin("/"));
    let several = lab.json(&["status"]).refused(3, "run_required");
    lab.json(&["status", "--run", "20200101T000000-0000"]).refused(3, "unknown_run");
    lab.json(&["status", "--run", "../../etc"]).refused(3, "unknown_run");
    let mut command = lab.command(&["end", "--json"]);
    command.env("SIDESTICK_RUN", &one.id);
    let ended = crate::lab::finish(command, b"").good();

    assert!(none["hint"].as_str().unwrap().contains("begin"), "{none:#}");
    let mut listed: Vec<&str> =
        several["detail"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    listed.sort_unstable();
    let mut ids = [one.id.as_str(), two.id.as_str()];
    ids.sort_unstable();
    assert_eq!(listed, ids);
    assert_eq!(ended["report"]["run"]["run_id"], one.id);
    assert_eq!(lab.ask(&["status"])["run"]["run_id"], two.id);
    lab.ask(&["end"]);
    lab.json(&["observe", "--run", &one.id]).refused(3, "run_ended");
    lab.json(&["observe"]).refused(3, "run_required");
}

/// Sends one frame and reads one.
fn exchange(stream: &mut UnixStream, body: &[u8]) -> Option<Value> {
    let length = u32::try_from(body.len()).unwrap();
    stream.write_all(&length.to_be_bytes()).unwrap();
    stream.write_all(body).unwrap();
    let mut head = [0; 4];
    stream.read_exact(&mut head).ok()?;
    let mut answer = vec![0; usize::try_from(u32::from_be_bytes(head)).unwrap()];
    stream.read_exact(&mut answer).unwrap();
    serde_json::from_slice(&answer).ok()
}

#[test]
fn a_caller_of_another_version_is_refused_with_the_remedy() {
    let lab = Lab::new();
    let run = lab.begin("/");
    let mut stream = UnixStream::connect(lab.socket(&run.id)).unwrap();

    let answer = exchange(&mut stream, br#"{"sidestick":99,"program":"x"}"#).unwrap();

    let refused = &answer["refused"];
    assert_eq!(refused["error"], "host_version", "{answer:#}");
    assert!(refused["message"].as_str().unwrap().contains("99"), "{answer:#}");
    assert!(!refused["hint"].as_str().unwrap().is_empty(), "{answer:#}");
    let mut more = Vec::new();
    stream.read_to_end(&mut more).unwrap();
    assert_eq!(more, b"", "the connection is closed");
    lab.look();
    lab.ask(&["end"]);
}

#[test]
fn frames_that_cannot_be_read_do_not_end_a_host() {
    let lab = Lab::new();
    let run = lab.begin("/");

    let garbage: [&[u8]; 4] =
        [&[0xff; 4], &[0, 0, 0, 3, b'x', b'y', b'z'], &[0, 0], b"GET / HTTP/1.1\r\n\r\n"];
    for bytes in garbage {
        let mut stream = UnixStream::connect(lab.socket(&run.id)).unwrap();
        stream.write_all(bytes).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        // The host closes: at once, or with what it has not read.
        drop(stream.read_to_end(&mut answer));
        assert_eq!(answer, b"", "{bytes:?}");
    }

    assert!(lab.look().contains("Increment counter"));
    lab.ask(&["end"]);
}

#[test]
fn a_host_told_to_end_lets_go_of_its_browser_and_leaves_the_run_open_on_disk() {
    let lab = Lab::new();
    let run = lab.begin("/");

    processes::signal(run.host, rustix::process::Signal::TERM);

    lab.assert_nothing_left();
    lab.json(&["observe"]).refused(3, "host_gone");
    let status = lab.ask(&["status"]);
    assert_eq!((&status["state"], &status["run"]["ended"]), (&json!("host gone"), &Value::Null));
    let end = lab.ask(&["end"]);
    assert_eq!(end["report"]["run"]["stopped_reason"], "host_told_to_end", "{end:#}");
    assert_eq!(lab.ask(&["verify"])["whole"], true);
    lab.json(&["observe", "--run", &run.id]).refused(3, "run_ended");
}

#[test]
fn begin_whose_caller_is_killed_leaves_a_run_that_can_be_ended() {
    let lab = Lab::new();
    let args: Vec<&str> = begin_args(lab.app().origin()).into_iter().chain(lab.sandbox()).collect();
    let mut caller = start(lab.command(&args));
    // A host that was not told yet what to begin would begin nothing.
    let is_open = || lab.json(&["status"]).exit == 0;
    assert!(until(Duration::from_secs(20), is_open), "{:?}", lab.json(&["status"]));

    processes::kill(caller.id());
    caller.wait().unwrap();

    let is_served = || lab.ask(&["status"])["host"].is_u64();
    assert!(until(Duration::from_secs(20), is_served), "{:?}", lab.json(&["status"]));
    lab.ask(&["end"]);
}
