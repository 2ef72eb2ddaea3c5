//! A run folder to write to, and the lines that belong into it.

use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use sidestick_evidence::verify::{Verification, verify};
use sidestick_evidence::{RecordKey, Run, RunError, RunState, StateRoot};
use sidestick_model::record::{Owner, RunHead, SurfaceKind};
use sidestick_model::{ActId, RunId, Stamp};
use sidestick_policy::{Redacted, Redactor};

pub(crate) const NOW: Stamp = 1_796_120_100_000;

/// A state folder with one run in it.
pub(crate) struct Desk {
    pub(crate) root: StateRoot,
    pub(crate) id: RunId,
    _home: TempDir,
}

pub(crate) fn key() -> RecordKey {
    RecordKey::from_seed([7; 32])
}

impl Desk {
    /// Begins a run.
    pub(crate) fn begin() -> (Desk, Run) {
        let home = tempfile::tempdir().unwrap();
        let root = StateRoot::open(&home.path().join(".sidestick")).unwrap();
        let id = RunId::parse("20261201T101500-ab12").unwrap();
        let head = RunHead {
            run_id: id.clone(),
            target: "https://app.example/".to_owned(),
            surface: SurfaceKind::Web,
            owner: Owner::Yours,
            attended: false,
            request: None,
            driver: "fake".to_owned(),
            driver_version: "1".to_owned(),
            sandbox: true,
            allow: Vec::new(),
            upload_roots: Vec::new(),
            authority: "cooperative".to_owned(),
            egress: "open".to_owned(),
            started: "2026-12-01T10:15:00.000Z".to_owned(),
            ended: None,
            stopped_reason: None,
            recovered: false,
            expect_failures: Vec::new(),
            emulation: sidestick_model::emulation::Emulation::default(),
            policy: None,
            test_overrides: Vec::new(),
        };
        let state = RunState::new(head, 200, 40);
        let run = Run::create(&root, state, key(), &Redactor::default()).unwrap();
        (Desk { root, id, _home: home }, run)
    }

    /// Begins a run, acts in it, refuses in it, takes a picture and ends it.
    pub(crate) fn ended() -> Desk {
        let (desk, mut run) = Desk::begin();
        act(&mut run, 1);
        let picture = Redacted::from_masked(b"a picture".to_vec());
        run.write_picture("o1", NOW, &picture).unwrap();
        run.refuse(ActId(2), NOW, refused(2)).unwrap();
        act(&mut run, 3);
        run.finish(NOW, &Redactor::default()).unwrap();
        desk
    }

    pub(crate) fn dir(&self) -> PathBuf {
        self.root.run_dir(&self.id)
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.dir().join(name)
    }

    /// Opens the run as whoever comes after a host that died.
    pub(crate) fn recover(&self) -> Result<Run, RunError> {
        Run::recover(&self.root, &self.id, key(), NOW + 60_000)
    }

    pub(crate) fn verify(&self) -> Verification {
        verify(&self.dir(), &self.id, None).unwrap()
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        let text = std::fs::read_to_string(self.file("trace.jsonl")).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    /// Writes the trace anew, line by line as given.
    pub(crate) fn rewrite(&self, lines: &[String]) {
        let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        std::fs::write(self.file("trace.jsonl"), text).unwrap();
    }

    /// The lines of one kind, read.
    pub(crate) fn of_kind(&self, kind: &str) -> Vec<Value> {
        let lines = self.lines().into_iter();
        let read = lines.map(|line| serde_json::from_str::<Value>(&line).unwrap());
        read.filter(|line| line["kind"] == kind).collect()
    }
}

/// Writes down a whole act.
pub(crate) fn act(run: &mut Run, number: u32) {
    run.intend(ActId(number), NOW, intended(number), false).unwrap();
    run.conclude(ActId(number), NOW, told(number, "OBSERVED", "sent")).unwrap();
}

pub(crate) fn intended(number: u32) -> Redacted<Value> {
    let outcome = outcome(number, "UNKNOWN", "not_sent");
    Redacted::from_ours(json!({"asked": "click button \"Save\"", "outcome": outcome}))
}

fn told(number: u32, status: &str, fate: &str) -> Redacted<Value> {
    Redacted::from_ours(json!({"outcome": outcome(number, status, fate)}))
}

fn refused(number: u32) -> Redacted<Value> {
    let outcome = outcome(number, "STALE", "not_sent");
    Redacted::from_ours(json!({"asked": "click e9", "outcome": outcome}))
}

fn outcome(number: u32, status: &str, fate: &str) -> Value {
    json!({
        "run": "20261201T101500-ab12", "act": format!("a{number}"), "action": "click",
        "goal": null, "status": status, "code": null, "fate": fate, "message": "",
        "target": null, "expect": "any", "signals": [], "other_changes": [],
        "effect": {"looked_ms": 0, "changes": [], "read_back": null},
        "page": {"id": "p1", "url": "", "title": "", "document": 1},
        "requests": [], "pending": [], "blocked": [], "blind": [], "verified": null,
        "findings_added": [], "dialog": null, "new_pages": [], "downloads": [], "gate": null,
        "observation": {"id": null, "screenshot": null, "screenshot_withheld": false,
            "outline": null, "base": null,
            "omitted": {}},
        "budget": {"run_used": 0, "run_cap": 200, "goal_used": null, "goal_cap": 40},
        "lease": {"holder": "agent", "epoch": 1}, "elapsed_ms": 0
    })
}
