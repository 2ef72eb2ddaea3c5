//! The life of a run folder: made, written to, recovered, ended with its reports.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use sidestick_model::change::Late;
use sidestick_model::outcome::Outcome;
use sidestick_model::record::{ActLine, Goal, Report, RunHead, Verdict};
use sidestick_model::{ActId, GoalId, ObservationId, RunId, Stamp, limits};
use sidestick_policy::{Redacted, Redactor};

use crate::files::{self, FileLock, FilesError, StateRoot};
use crate::format::{ObservationLine, RunState, VERSION};
use crate::key::RecordKey;
use crate::report;
use crate::trace::{self, Trace, TraceError};

/// The file of the observations, one line for each time one changed.
const OBSERVATIONS: &str = "observations.jsonl";

/// Why a run's record cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be used.
    #[error(transparent)]
    Files(#[from] FilesError),
    /// The trace cannot be used.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// `run.json` is not one of ours.
    #[error("`run.json` of {run} cannot be read")]
    Unreadable {
        /// The run.
        run: RunId,
    },
    /// Something could not be redacted, so it is not written (I9).
    #[error("the record cannot be redacted")]
    Redaction,
}

impl RunError {
    /// Returns the stable code.
    pub fn code(&self) -> &'static str {
        match self {
            RunError::Files(error) => error.code(),
            RunError::Trace(TraceError::Damaged { .. }) | RunError::Unreadable { .. } => {
                "record_damaged"
            }
            RunError::Trace(_) | RunError::Redaction => "record_failed",
        }
    }
}

/// Writes a stamp in RFC 3339, UTC.
pub fn written(at: Stamp) -> String {
    let millis = i64::try_from(at).unwrap_or(i64::MAX);
    jiff::Timestamp::from_millisecond(millis)
        .map_or_else(|_| "unknown".to_owned(), |time| format!("{time:.3}"))
}

/// An open record. While it lives, nobody else can open the same run to write.
#[derive(Debug)]
pub struct Run {
    dir: PathBuf,
    trace: Trace,
    events: File,
    observations: File,
    key: RecordKey,
    /// Everything about the run that is not in its trace.
    pub state: RunState,
    _lock: FileLock,
}

impl Run {
    /// Makes the folder of a new run.
    ///
    /// # Errors
    ///
    /// Fails when it exists or cannot be written.
    pub fn create(
        root: &StateRoot,
        state: RunState,
        key: RecordKey,
        redactor: &Redactor,
    ) -> Result<Run, RunError> {
        let id = state.head.run_id.clone();
        let dir = files::new_run_dir(root, &id)?;
        let lock = FileLock::take(&dir.join("host.lock"))?;
        let trace = Trace::create(&dir, id)?;
        let events = files::append_file(&dir.join("events.jsonl"))?;
        let observations = files::append_file(&dir.join(OBSERVATIONS))?;
        let mut run = Run { dir, trace, events, observations, key, state, _lock: lock };
        let head = redactor.value(&run.state.head).map_err(|_| RunError::Redaction)?;
        let at = run.state.head.started.clone();
        run.trace.event("begin", &at, head)?;
        run.save(redactor)?;
        Ok(run)
    }

    /// Opens a run whose host is gone, closing every open act as `UNKNOWN` `recovered` (I3).
    ///
    /// # Errors
    ///
    /// Fails with `busy` while its host lives.
    pub fn recover(
        root: &StateRoot,
        id: &RunId,
        key: RecordKey,
        now: Stamp,
    ) -> Result<Run, RunError> {
        let dir = root.existing_run(id)?;
        let lock = FileLock::take(&dir.join("host.lock"))?;
        let state = read_state(&dir, id)?;
        let trace = Trace::reopen(&dir, id.clone())?;
        let events = files::append_file(&dir.join("events.jsonl"))?;
        let path = dir.join(OBSERVATIONS);
        drop(files::append_file(&path)?);
        let (observations, _) = files::reopen_lines(&path, files::TRACE_BYTES_MAX)?;
        let mut run = Run { dir, trace, events, observations, key, state, _lock: lock };
        if run.state.head.ended.is_none() {
            run.close_open_acts(now)?;
        }
        Ok(run)
    }

    fn close_open_acts(&mut self, now: Stamp) -> Result<(), RunError> {
        let at = written(now);
        let open = self.trace.open_acts();
        for act in &open {
            let body = json!({"status": "UNKNOWN", "code": "recovered", "fate": "unknown",
                "message": "the host ended before the act did; input may have reached the page"});
            self.trace.conclude(*act, &at, Redacted::from_ours(body))?;
        }
        let parted = self.state.head.stopped_reason.is_some() && open.is_empty();
        if !self.state.head.recovered && !parted {
            self.state.head.recovered = true;
            self.state.head.stopped_reason.get_or_insert_with(|| "host_died".to_owned());
            self.trace.event("recovered", &at, Redacted::from_ours(json!({})))?;
            self.trace.sign(&at, &self.key)?;
            // What was in `run.json` was redacted when it was written.
            self.save(&Redactor::default())?;
        }
        Ok(())
    }

    /// Records test overrides that the run did not have yet: it is no valid evidence any more
    /// (VR-236).
    ///
    /// # Errors
    ///
    /// Fails when they cannot be redacted or written.
    pub fn note_overrides(
        &mut self,
        overrides: &[String],
        at: Stamp,
        redactor: &Redactor,
    ) -> Result<(), RunError> {
        let known = &mut self.state.head.test_overrides;
        // LIMIT: what comes after the last that fits is not listed; the run is marked all the same.
        let room = limits::TEST_OVERRIDES_MAX.saturating_sub(known.len());
        let mut added: Vec<String> = overrides
            .iter()
            .map(|name| name.chars().take(limits::TEST_OVERRIDE_CHARS_MAX).collect())
            .filter(|name| !known.contains(name))
            .collect();
        added.sort();
        added.dedup();
        added.truncate(room);
        if added.is_empty() {
            return Ok(());
        }
        known.extend(added.iter().cloned());
        known.sort();
        let body = redactor.value(&json!({"added": added})).map_err(|_| RunError::Redaction)?;
        self.event("test_overrides", at, body)?;
        self.save(redactor)
    }

    /// Returns the run folder.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Writes down what is about to happen.
    ///
    /// # Errors
    ///
    /// On any failure nothing may be dispatched.
    pub fn intend(
        &mut self,
        act: ActId,
        at: Stamp,
        body: Redacted<Value>,
        flush: bool,
    ) -> Result<(), RunError> {
        self.trace.intend(act, &written(at), body, flush)?;
        if flush {
            // Without the state, a record that outlives a loss of power could not be opened.
            files::flush_at(&self.dir.join("run.json"))?;
        }
        Ok(())
    }

    /// Writes down how it ended, signing the chain when a signature is due.
    ///
    /// # Errors
    ///
    /// Fails when the line is not in the file.
    pub fn conclude(
        &mut self,
        act: ActId,
        at: Stamp,
        body: Redacted<Value>,
    ) -> Result<(), RunError> {
        self.trace.conclude(act, &written(at), body)?;
        self.sign_if_due(at)
    }

    /// Writes down a refusal.
    ///
    /// # Errors
    ///
    /// Fails when the line is not in the file.
    pub fn refuse(&mut self, act: ActId, at: Stamp, body: Redacted<Value>) -> Result<(), RunError> {
        self.trace.refuse(act, &written(at), body)?;
        self.sign_if_due(at)
    }

    /// Writes down something else.
    ///
    /// # Errors
    ///
    /// Fails when the line is not in the file.
    pub fn event(
        &mut self,
        kind: &'static str,
        at: Stamp,
        body: Redacted<Value>,
    ) -> Result<(), RunError> {
        self.trace.event(kind, &written(at), body)?;
        self.sign_if_due(at)
    }

    fn sign_if_due(&mut self, at: Stamp) -> Result<(), RunError> {
        if self.trace.sign_is_due() {
            self.trace.sign(&written(at), &self.key)?;
        }
        Ok(())
    }

    /// Appends one line to `events.jsonl`: a verb, how it ended, how long it took (VR-016).
    ///
    /// # Errors
    ///
    /// Fails when the line is not in the file.
    pub fn log_verb(&self, line: Redacted<Value>) -> Result<(), RunError> {
        let bytes = line.into_inner().to_string().into_bytes();
        Ok(files::append_line(&self.events, &self.dir.join("events.jsonl"), &bytes)?)
    }

    /// Writes the observations that changed, and `run.json`. Both survive the end of this process;
    /// they are on the disk when the run has ended.
    ///
    /// # Errors
    ///
    /// Fails when they cannot be redacted or written; the old `run.json` stays whole.
    pub fn save(&mut self, redactor: &Redactor) -> Result<(), RunError> {
        self.write_state(redactor, files::replace)
    }

    fn write_state(
        &mut self,
        redactor: &Redactor,
        write: fn(&Path, &[u8]) -> Result<(), FilesError>,
    ) -> Result<(), RunError> {
        while let Some(observation) = self.state.first_unsaved() {
            let line = redactor.value(&observation).map_err(|_| RunError::Redaction)?;
            let bytes = line.into_inner().to_string().into_bytes();
            files::append_line(&self.observations, &self.dir.join(OBSERVATIONS), &bytes)?;
            self.state.saved(&observation);
        }
        let state = redactor.value(&self.state).map_err(|_| RunError::Redaction)?;
        let text = format!("{:#}\n", state.into_inner());
        Ok(write(&self.dir.join("run.json"), text.as_bytes())?)
    }

    /// Reads an outline that [`Run::write_outline`] wrote, by the path it returned.
    pub fn read_outline(&self, path: &str) -> Option<String> {
        let bytes = files::read_file(&self.dir.join(path), files::PART_BYTES_MAX).ok()?;
        String::from_utf8(bytes).ok()
    }

    /// Writes an outline and returns its path relative to the run folder.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be written.
    pub fn write_outline(
        &self,
        observation: ObservationId,
        outline: &Redacted<String>,
    ) -> Result<String, RunError> {
        let name = format!("outlines/{observation}.txt");
        files::replace(&self.dir.join(&name), outline.get().as_bytes())?;
        Ok(name)
    }

    /// Writes a picture, binds it to the chain by its hash, and returns its relative path.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be written.
    pub fn write_picture(
        &mut self,
        name: &str,
        at: Stamp,
        picture: &Redacted<Vec<u8>>,
    ) -> Result<String, RunError> {
        let path = format!("shots/{name}.png");
        files::replace(&self.dir.join(&path), picture.get())?;
        let body = json!({"file": path, "sha256": trace::hash(picture.get())});
        self.event("picture", at, Redacted::from_ours(body))?;
        Ok(path)
    }

    /// Reads a picture that [`Run::write_picture`] wrote, by the path it returned.
    pub fn read_picture(&self, path: &str) -> Option<Redacted<Vec<u8>>> {
        let bytes = files::read_file(&self.dir.join(path), files::PART_BYTES_MAX).ok()?;
        Some(Redacted::from_record(bytes))
    }

    /// Builds the report from the state and the trace.
    ///
    /// # Errors
    ///
    /// Fails when the trace cannot be read.
    pub fn report(&self) -> Result<Report, RunError> {
        let mut state = self.state.clone();
        read_observations(&self.dir, &mut state)?;
        build_report(&self.dir, &state)
    }

    /// Returns an observation, from the run folder when it is an old one.
    pub fn observation(&self, id: ObservationId) -> Option<ObservationLine> {
        if let Some(line) = self.state.observation(id) {
            return Some(line.clone());
        }
        // Only a number that was given is looked for in the file.
        let is_given = self.state.latest_observation().is_some_and(|newest| id <= newest);
        let mut state = is_given.then(|| self.state.clone())?;
        read_observations(&self.dir, &mut state).ok()?;
        state.observation(id).cloned()
    }

    /// Writes the reports, binds them to the chain, and signs it.
    ///
    /// # Errors
    ///
    /// Fails when one cannot be written; writing them again is safe (VR-190).
    pub fn finish(&mut self, now: Stamp, redactor: &Redactor) -> Result<Report, RunError> {
        let report = self.close(now, redactor)?;
        let reports = write_reports(&self.dir, &report)?;
        self.seal(now, reports)?;
        Ok(report)
    }

    /// Closes what is open, puts the state on the disk, and returns what the reports say. They are
    /// written by [`write_reports`], which may take seconds and needs no hold of the run, and then
    /// bound by [`Run::seal`].
    ///
    /// # Errors
    ///
    /// Fails when something cannot be redacted or written; closing again is safe.
    pub fn close(&mut self, now: Stamp, redactor: &Redactor) -> Result<Report, RunError> {
        for act in self.trace.open_acts() {
            // Only a bug of ours leaves an act open; it gets its one conclusion all the same.
            let body = json!({"status": "UNKNOWN", "code": "internal", "fate": "unknown",
                "message": "the act was lost to a fault of this program"});
            self.trace.conclude(act, &written(now), Redacted::from_ours(body))?;
        }
        self.drop_incoming();
        self.state.head.ended.get_or_insert_with(|| written(now));
        self.write_state(redactor, files::write_atomic)?;
        files::flush(&self.observations, &self.dir.join(OBSERVATIONS))?;
        let report = self.report()?;
        let clean = redactor.value(&report).map_err(|_| RunError::Redaction)?.into_inner();
        serde_json::from_value(clean).map_err(|_| RunError::Redaction)
    }

    /// Binds the reports and the state to the chain, and signs it.
    ///
    /// # Errors
    ///
    /// Fails when the lines are not on the disk.
    pub fn seal(&mut self, now: Stamp, reports: Reports) -> Result<(), RunError> {
        let Reports(mut hashes) = reports;
        for name in ["run.json", OBSERVATIONS] {
            let bytes = files::read_file(&self.dir.join(name), files::TRACE_BYTES_MAX)?;
            hashes.insert(name.to_owned(), json!(trace::hash(&bytes)));
        }
        let hashes = Redacted::from_ours(Value::Object(hashes));
        self.trace.event("end", &written(now), hashes)?;
        Ok(self.trace.sign(&written(now), &self.key)?)
    }
}

/// The reports as they were written: the hash of each.
#[derive(Debug)]
pub struct Reports(serde_json::Map<String, Value>);

/// Writes the three reports into the run folder.
///
/// # Errors
///
/// Fails when one cannot be written.
pub fn write_reports(dir: &Path, report: &Report) -> Result<Reports, RunError> {
    let picture = |name: &str| {
        let safe = name.starts_with("shots/") && !name.contains("..");
        safe.then(|| files::read_file(&dir.join(name), files::PART_BYTES_MAX).ok()).flatten()
    };
    let json = serde_json::to_value(report).map_err(|_| RunError::Redaction)?;
    let parts = [
        ("report.md", report::markdown(report)),
        ("report.html", report::html(report, &picture)),
        // Whoever finds this one finds the others.
        ("report.json", format!("{json:#}\n")),
    ];
    let mut hashes = serde_json::Map::new();
    for (name, text) in parts {
        files::write_atomic(&dir.join(name), text.as_bytes())?;
        hashes.insert(name.to_owned(), json!(trace::hash(text.as_bytes())));
    }
    Ok(Reports(hashes))
}

/// Reads `run.json` and the observations.
///
/// # Errors
///
/// Fails when it is absent or not one of ours.
pub fn read_state(dir: &Path, id: &RunId) -> Result<RunState, RunError> {
    let bytes = files::read_file(&dir.join("run.json"), files::PART_BYTES_MAX)?;
    let unreadable = || RunError::Unreadable { run: id.clone() };
    let mut state: RunState = serde_json::from_slice(&bytes).map_err(|_| unreadable())?;
    read_observations(dir, &mut state)?;
    if state.version == VERSION && state.head.run_id == *id { Ok(state) } else { Err(unreadable()) }
}

/// Adds the observations that the run folder alone has.
fn read_observations(dir: &Path, state: &mut RunState) -> Result<(), RunError> {
    let path = dir.join(OBSERVATIONS);
    if path.exists() {
        let lines = files::read_file(&path, files::TRACE_BYTES_MAX)?;
        let run = state.head.run_id.clone();
        state.read_observations(&lines).map_err(|_| RunError::Unreadable { run })?;
    }
    Ok(())
}

/// Returns whether the record of a run was closed to its end: the reports are bound and signed.
pub fn is_sealed(dir: &Path) -> bool {
    let read = files::read_file(&dir.join("trace.jsonl"), files::TRACE_BYTES_MAX);
    let bytes = read.unwrap_or_default();
    let mut lines = bytes.split(|byte| *byte == b'\n').rev().filter(|line| !line.is_empty());
    let mut kind_is = |kind: &str| {
        let line: Option<Value> = lines.next().and_then(|line| serde_json::from_slice(line).ok());
        line.is_some_and(|line| line.get("kind").and_then(Value::as_str) == Some(kind))
    };
    kind_is("sign") && kind_is("end")
}

/// Returns whether a live process holds the run.
pub fn is_held(dir: &Path) -> bool {
    FileLock::is_held(&dir.join("host.lock"))
}

/// Builds the report of a run from its folder, alive or not.
///
/// # Errors
///
/// Fails when a file of the run cannot be read.
pub fn read_report(dir: &Path, state: &RunState) -> Result<Report, RunError> {
    if state.head.ended.is_some()
        && let Ok(bytes) = files::read_file(&dir.join("report.json"), files::PART_BYTES_MAX)
        && let Ok(report) = serde_json::from_slice(&bytes)
    {
        // The report that was written at the end is the one the chain binds.
        return Ok(report);
    }
    build_report(dir, state)
}

fn build_report(dir: &Path, state: &RunState) -> Result<Report, RunError> {
    let acts = read_acts(dir, state)?;
    let mut goals = state.goals.clone();
    for goal in &mut goals {
        goal.findings = linked_findings(state, &goal.goal_id);
        goal.acts = goal_acts(&acts, &goal.goal_id);
    }
    let run_used = state.run_used;
    Ok(Report {
        version: VERSION,
        run: state.head.clone(),
        goals,
        findings: state.findings.clone(),
        gates: state.gates.clone(),
        acts,
        state_left: state.state_left.clone(),
        budget: sidestick_model::outcome::BudgetSeen {
            run_used,
            run_cap: state.run_cap,
            goal_used: None,
            goal_cap: state.goal_cap,
        },
    })
}

fn linked_findings(state: &RunState, goal: &GoalId) -> Vec<sidestick_model::FindingId> {
    let of_goal =
        |finding: &&sidestick_model::record::Finding| finding.goal_id.as_ref() == Some(goal);
    state.findings.iter().filter(of_goal).map(|finding| finding.finding_id).collect()
}

fn goal_acts(acts: &[ActLine], goal: &GoalId) -> Vec<ActId> {
    acts.iter()
        .filter(|act| act.outcome.goal.as_ref() == Some(goal))
        .map(|act| act.outcome.act)
        .collect()
}

/// Reads the acts out of the trace: what was asked from the intent, the outcome from the end.
fn read_acts(dir: &Path, state: &RunState) -> Result<Vec<ActLine>, RunError> {
    let bytes = files::read_file(&dir.join("trace.jsonl"), files::TRACE_BYTES_MAX)?;
    let mut intents: std::collections::BTreeMap<String, Value> = std::collections::BTreeMap::new();
    let mut acts = Vec::new();
    let mut late: Vec<Late> = Vec::new();
    for (at, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        let damaged = || TraceError::Damaged { line: at as u64 + 1 };
        let value: Value = serde_json::from_slice(line).map_err(|_| damaged())?;
        if value.get("kind").and_then(Value::as_str) == Some("late") {
            let body = value.get("body").cloned().unwrap_or_default();
            late.push(serde_json::from_value(body).map_err(|_| damaged())?);
            continue;
        }
        let Some(act) = value.get("act").and_then(Value::as_str).map(str::to_owned) else {
            continue;
        };
        match value.get("kind").and_then(Value::as_str) {
            Some("intend") => drop(intents.insert(act, value)),
            Some("conclude" | "refuse") => {
                let intent = intents.remove(&act);
                acts.push(act_line(state, intent.as_ref(), &value).ok_or_else(damaged)?);
            }
            _ => {}
        }
    }
    // An act still open while its host lives is told as it stands.
    for intent in intents.into_values() {
        acts.extend(act_line(
            state,
            Some(&intent),
            &json!({"at": intent.get("at"), "body": {
            "status": "UNKNOWN", "code": null, "fate": "unknown",
            "message": "the act is under way"}}),
        ));
    }
    acts.sort_by_key(|act| act.outcome.act);
    for late in late {
        let of = acts.iter_mut().filter(|line: &&mut ActLine| line.outcome.act == late.act);
        of.for_each(|line| line.outcome.effect.late.extend(late.changes.iter().cloned()));
    }
    Ok(acts)
}

/// Joins an intent and its end. A recovered end holds a status alone, so the rest is the intent's.
fn act_line(state: &RunState, intent: Option<&Value>, end: &Value) -> Option<ActLine> {
    let started = intent.unwrap_or(end);
    let at = started.get("at")?.as_str()?.to_owned();
    let intended = intent.and_then(|line| line.get("body"));
    let mut merged = intended.and_then(|body| body.get("outcome")).cloned().unwrap_or(json!({}));
    let body = end.get("body")?;
    let ended = body.get("outcome").unwrap_or(body);
    for (key, value) in ended.as_object()? {
        merged.as_object_mut()?.insert(key.clone(), value.clone());
    }
    let outcome: Outcome = serde_json::from_value(merged).ok()?;
    let asked = intended
        .and_then(|body| body.get("asked"))
        .or_else(|| body.get("asked"))
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let shot = |id: Option<ObservationId>| {
        id.and_then(|id| state.observation(id)).and_then(|line| line.screenshot.clone())
    };
    let before = shot(outcome.observation.base);
    let after = shot(outcome.observation.id);
    Some(ActLine { at, asked, before, after, outcome })
}

/// Makes a goal nobody has worked on.
pub fn new_goal(goal_id: GoalId, title: String) -> Goal {
    Goal {
        goal_id,
        title,
        status: Verdict::Unset,
        summary: String::new(),
        evidence: Vec::new(),
        findings: Vec::new(),
        acts: Vec::new(),
        proof: None,
        verified: None,
        actions_used: 0,
    }
}

/// Returns whether a run head says that it has ended.
pub fn has_ended(head: &RunHead) -> bool {
    head.ended.is_some()
}
