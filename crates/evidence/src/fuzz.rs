//! What must hold of a run folder, whatever somebody put into it.
//!
//! Compiled for tests and for `fuzz/` alone. It writes the folder itself, below one it is given.

use std::path::Path;

use sidestick_model::record::Report;
use sidestick_model::{RunId, Stamp};

use crate::files::{self, StateRoot};
use crate::key::RecordKey;
use crate::run::{self, Run};
use crate::trace::{self, Trace};
use crate::verify::{Verification, verify};
use crate::{RunState, report};

const NOW: Stamp = 1_796_120_100_000;
/// What stands before the contents of one file.
const BEGINS: &[u8] = b"=== ";
/// The files a folder may hold.
const NAMES: [&str; 8] = [
    "run.json",
    "observations.jsonl",
    "trace.jsonl",
    "report.json",
    "report.md",
    "report.html",
    "shots/o1.png",
    "shots/o2.png",
];

/// Reads `bytes` as a folder: `=== name` on a line of its own, then what is in that file. The line
/// `=== run ID` names the run. Everything that looks back at a run is asked about it.
///
/// # Panics
///
/// Panics when a damaged record is called whole, or a recovered run has an open act.
pub fn run_folder(root: &Path, bytes: &[u8]) {
    let Ok(state) = StateRoot::open(root) else { return };
    let Some((id, parts)) = parts(bytes) else { return };
    let dir = state.run_dir(&id);
    // What an earlier input left is no part of this one.
    let _ = std::fs::remove_dir_all(&dir);
    if files::new_run_dir(&state, &id).is_err() {
        return;
    }
    for (name, content) in &parts {
        let written = std::fs::write(dir.join(name), content);
        assert!(written.is_ok(), "the folder cannot be written");
    }

    let found = verify(&dir, &id, None);
    if let Ok(found) = &found {
        whole_only_when_chained(found, &dir);
    }
    if let Ok(state) = run::read_state(&dir, &id) {
        told(&dir, &state);
    }
    if let Ok(trace) = Trace::reopen(&dir, id.clone()) {
        drop(trace);
    }
    recovered(&state, &id, &dir);
    let _ = std::fs::remove_dir_all(&dir);
}

/// A file's name and what is in it.
type Part = (&'static str, Vec<u8>);

fn parts(bytes: &[u8]) -> Option<(RunId, Vec<Part>)> {
    let mut id = None;
    let mut parts: Vec<Part> = Vec::new();
    let mut is_known = false;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match line.strip_prefix(BEGINS).map(<[u8]>::trim_ascii) {
            Some(name) if name.starts_with(b"run ") => {
                let text = String::from_utf8_lossy(name.get(4..).unwrap_or_default()).into_owned();
                id = RunId::parse(&text).ok().or(id);
                is_known = false;
            }
            Some(name) => {
                let known = NAMES.into_iter().find(|known| known.as_bytes() == name);
                is_known = known.is_some();
                parts.extend(known.map(|known| (known, Vec::new())));
            }
            None if is_known => {
                if let Some((_, content)) = parts.last_mut() {
                    content.extend_from_slice(line);
                }
            }
            None => {}
        }
    }
    id.map(|id| (id, parts))
}

/// A record that is called whole is one: each line a document that holds the hash of the line
/// before it, and no act open.
fn whole_only_when_chained(found: &Verification, dir: &Path) {
    assert_eq!(found.whole, found.problems.is_empty(), "a problem is told, or there is none");
    assert!(found.signed_lines <= found.lines, "more is signed than there is");
    if !found.whole {
        return;
    }
    let bytes = files::read_file(&dir.join("trace.jsonl"), files::TRACE_BYTES_MAX);
    let bytes = bytes.unwrap_or_default();
    let mut head = trace::origin();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\n");
        assert!(line.is_some(), "a torn line is whole");
        let line = line.unwrap_or_default();
        let read: Result<serde_json::Value, _> = serde_json::from_slice(line);
        let prev = read.ok().and_then(|read| Some(read.get("prev")?.as_str()?.to_owned()));
        assert_eq!(prev, Some(head), "a broken chain is whole");
        head = trace::hash(line);
    }
}

/// Every form of the report is made of what can be read, and none holds what a page could run.
fn told(dir: &Path, state: &RunState) {
    // Observations have a file of their own, so what is compared is what `run.json` holds.
    let written = serde_json::to_value(state).ok();
    let again: Option<RunState> =
        written.clone().and_then(|value| serde_json::from_value(value).ok());
    let again = again.and_then(|state| serde_json::to_value(state).ok());
    assert_eq!(again, written, "the state is read as it was written");
    let Ok(whole) = run::read_report(dir, state) else { return };
    let written = serde_json::to_vec(&whole).unwrap_or_default();
    let again: Option<Report> = serde_json::from_slice(&written).ok();
    assert_eq!(again.as_ref(), Some(&whole), "a report is read as it was written");

    let read = |name: &str| files::read_file(&dir.join(name), files::PART_BYTES_MAX).ok();
    let html = report::html(&whole, &read);
    let markdown = report::markdown(&whole);
    let junit = report::junit(&whole);
    assert!(!html.contains("<script") && !html.contains("<iframe"), "a page speaks in the report");
    for (form, text) in [("html", &html), ("markdown", &markdown), ("junit", &junit)] {
        let is_odd =
            |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
        let odd = text.chars().find(|c| is_odd(*c));
        assert_eq!(odd, None, "the {form} form holds what cannot be seen");
    }
}

/// Whoever opens a run whose host is gone leaves no act without a conclusion.
fn recovered(root: &StateRoot, id: &RunId, dir: &Path) {
    let before = verify(dir, id, None).map(|found| found.whole).unwrap_or(false);
    let Ok(run) = Run::recover(root, id, RecordKey::from_seed([7; 32]), NOW) else { return };
    let has_ended = run::has_ended(&run.state.head);
    drop(run);
    let Ok(found) = verify(dir, id, None) else { return };
    whole_only_when_chained(&found, dir);
    let is_open = found.problems.iter().any(|problem| problem.contains("has no conclusion"));
    assert!(!before || has_ended || !is_open, "{:?}", found.problems);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_damaged_folder_breaks_who_looks_at_it() {
        // Memory is faster than a disk and forgets by itself.
        let memory = Path::new("/dev/shm");
        let folder = match memory.is_dir() {
            true => tempfile::tempdir_in(memory),
            false => tempfile::tempdir(),
        };
        let folder = folder.unwrap();

        sidestick_testkit::mutate::smoke("run_folder", 300, |bytes| {
            run_folder(folder.path(), bytes);
        });
    }
}
