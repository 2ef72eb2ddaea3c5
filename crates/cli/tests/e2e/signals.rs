//! Ctrl-C, a polite end and a closed terminal, sent to a verb while it works.
//!
//! The verb ends by the signal (a shell says 128 and its number); what it had asked for is cut and
//! concluded, and the run goes on.

use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command};
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use crate::lab::{Begun, Lab, begin_args, reference, start, until};
use crate::processes;
use crate::site::Site;

const SIGNALS: [Signal; 3] = [Signal::INT, Signal::TERM, Signal::HUP];
/// Time a verb may take to end when it is told to, and its act to be concluded.
const CUT: Duration = Duration::from_secs(10);

const PAGES: &[(&str, &str)] = &[(
    "/",
    "<title>Notes</title><textarea id=t aria-label=Notes></textarea>\
     <script>let told=0;t.oninput=()=>{if(!told++)got('typed')};t.onfocus=()=>{told=0}</script>\
     <button onclick=\"t.blur();t.value='';n.textContent='cleared '+ ++k\">Clear</button>\
     <p id=n>not cleared</p><script>let k=0</script>",
)];

/// Tells a verb to end, and checks that it ended by that.
#[track_caller]
fn told_to_end(mut child: Child, signal: Signal, verb: &str) {
    processes::signal(child.id(), signal);
    let mut status = None;
    let has_ended = until(CUT, || {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    assert!(has_ended, "`{verb}` goes on after {signal:?}");
    let by = status.unwrap().signal();
    assert_eq!(by, Some(signal.as_raw()), "`{verb}` ended otherwise: {status:?}");
}

/// Whether a verb has reached its host.
fn is_connected(child: &Child) -> bool {
    let entries = std::fs::read_dir(format!("/proc/{}/fd", child.id())).into_iter().flatten();
    let links = entries.flatten().filter_map(|entry| std::fs::read_link(entry.path()).ok());
    links.filter(|link| link.to_string_lossy().starts_with("socket:")).count() != 0
}

/// How many acts are intended and how many concluded.
fn acts(run: &Begun) -> (usize, usize) {
    let trace = run.read("trace.jsonl");
    let lines = trace.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let kinds: Vec<Value> = lines.map(|line| line["kind"].clone()).collect();
    let count = |kind: &str| kinds.iter().filter(|known| *known == kind).count();
    (count("intend"), count("conclude"))
}

/// The run is there, looks, and acts.
#[track_caller]
fn goes_on(lab: &Lab) {
    assert_eq!(lab.ask(&["status"])["state"], "open");
    let clear = reference(&lab.look(), "button \"Clear\"");
    lab.act(&["click", &clear], "OBSERVED", None);
}

#[test]
fn an_act_whose_caller_is_told_to_end_is_cut_and_concluded_and_the_run_goes_on() {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    let run = lab.begin_at(&site.url("/"), &[]);
    let notes = reference(&run.outline, "textbox \"Notes\"");
    let text = "abcdefghi ".repeat(2_000);

    for (round, signal) in SIGNALS.into_iter().enumerate() {
        let typing = start(lab.command(&["type", &notes, "--text", &text]));
        assert!(until(CUT, || round < site.got().len()), "nothing was typed");
        told_to_end(typing, signal, "type");
        let is_concluded = until(CUT, || matches!(acts(&run), (a, b) if a == b));
        assert!(is_concluded, "{signal:?}: {:?}", acts(&run));
        let last = lab.ask(&["status"])["last_act"].clone();
        assert_eq!(last["status"], "UNKNOWN", "{last:#}");
        goes_on(&lab);
    }

    let acts = lab.ask(&["end"])["report"]["acts"].clone();
    let cut = |act: &&Value| act["action"] == "type" && act["code"] == "interrupted";
    assert_eq!(acts.as_array().unwrap().iter().filter(cut).count(), SIGNALS.len(), "{acts:#}");
    assert_eq!(lab.ask(&["verify"])["whole"], true);
}

#[test]
fn a_verb_that_waits_or_looks_ends_when_told_to_and_the_run_goes_on() {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    lab.begin_at(&site.url("/"), &[]);

    for signal in SIGNALS {
        for args in [
            &["wait", "--for", "text:never", "--timeout", "60s"][..],
            &["click", "--role", "button", "--name", "Nobody", "--wait", "60s"],
        ] {
            let waiting = start(lab.command(args));
            assert!(until(CUT, || is_connected(&waiting)), "{args:?} did not connect");
            told_to_end(waiting, signal, args[0]);
        }
        goes_on(&lab);
    }

    lab.ask(&["end"]);
}

/// A host outlives the verb that began its run, and a verb that ends it may be interrupted: the
/// next one finds the run as it is.
#[test]
fn begin_and_end_that_are_told_to_end_leave_a_run_that_can_be_ended() {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    let url = site.url("/");
    let args: Vec<&str> = begin_args(&url).into_iter().chain(lab.sandbox()).collect();

    for signal in SIGNALS {
        let beginning = start(lab.command(&args));
        // Told before its host has heard of the run, there is none to be ended.
        let runs = lab.project().join(".sidestick/runs");
        let count = || std::fs::read_dir(&runs).map_or(0, |entries| entries.flatten().count());
        let has_run = || SIGNALS.iter().position(|other| *other == signal).unwrap() < count();
        assert!(until(CUT, has_run), "no run was begun");
        told_to_end(beginning, signal, "begin");
        let is_served = || lab.json(&["status"]).value()["host"].is_u64();
        assert!(until(Duration::from_secs(20), is_served), "{:?}", lab.json(&["status"]));

        let mut ending = start(lab.command(&["end"]));
        assert!(until(CUT, || is_connected(&ending) || ending.try_wait().unwrap().is_some()));
        processes::signal(ending.id(), signal);
        ending.wait().unwrap();
        let rows = lab.ask(&["runs", "list"])["runs"].as_array().unwrap().clone();
        let run = rows.last().unwrap()["run"].as_str().unwrap().to_owned();
        lab.ask(&["end", "--run", &run]);
        assert_eq!(lab.ask(&["verify", "--run", &run])["whole"], true);
        lab.assert_nothing_left();
    }
}

#[test]
fn a_terminal_that_closes_cuts_the_act_and_not_the_run() {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    let run = lab.begin_at(&site.url("/"), &[]);
    let notes = reference(&run.outline, "textbox \"Notes\"");
    let text = "abcdefghi ".repeat(2_000);
    std::fs::write(lab.root().join("h/text"), &text).unwrap();
    let plain = lab.command(&[]);
    let line = format!("{} type {notes} --text-stdin < ../h/text", lab.binary.display());
    let mut command = Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).env_clear().current_dir(lab.project());
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut terminal = start(command);
    assert!(until(CUT, || !site.got().is_empty()), "nothing was typed");

    processes::kill(terminal.id());
    terminal.wait().unwrap();

    let is_typing = || !processes::with_argument(lab.root(), "type").is_empty();
    assert!(until(CUT, || !is_typing()), "the verb goes on without its terminal");
    let is_concluded = until(CUT, || acts(&run) == (1, 1));
    assert!(is_concluded, "{:?}", acts(&run));
    goes_on(&lab);
    lab.ask(&["end"]);
}
