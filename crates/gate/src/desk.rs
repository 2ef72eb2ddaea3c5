//! What one session knows and writes: the run's record, its redactor, and what callers were shown.

use std::collections::{BTreeMap, HashMap, HashSet};

use sidestick_evidence::format::ObservationLine;
use sidestick_evidence::run::written;
use sidestick_evidence::{Run, RunError};
use sidestick_model::call::{DoorCode, DoorError};
use sidestick_model::change::ChangesFrom;
use sidestick_model::observation::{DialogState, Omitted, Reading, RequestSeen, Signal, Subject};
use sidestick_model::outcome::{BudgetSeen, ObservationSeen, Outcome, Status};
use sidestick_model::record::{Finding, FindingKind, Severity};
use sidestick_model::{
    ActId, Action, ActionKind, FindingId, GoalId, ObservationId, Stamp, Typed, limits,
};
use sidestick_policy::policy::Caps;
use sidestick_policy::{Redactor, redact};

use crate::expected;
use crate::looks::{LookOf, Looks};
use crate::marks::Marks;
use crate::meanings::Meanings;
use crate::outline;
use crate::surface::{Looking, SurfaceEvent};

/// Names typed by the run that are remembered for the claim `created`.
const TYPED_NAMES_MAX: usize = 1_000;

/// The record and the memory of one session.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) run: Run,
    pub(crate) redactor: Redactor,
    /// How much a policy lets the run use.
    pub(crate) caps: Caps,
    /// What each caller was last shown.
    pub(crate) shown: HashMap<String, ObservationId>,
    /// Why everybody has to look before they act again, until they have.
    pub(crate) look_first: Option<&'static str>,
    /// Who has looked since.
    pub(crate) looked: HashSet<String>,
    pub(crate) meanings: Meanings,
    /// The looks a later one can be told as a difference to.
    pub(crate) looks: Looks,
    /// Names the run typed, for the claim `created`.
    pub(crate) typed_names: Vec<String>,
    /// The ref of the password field of a login under way (VR-163).
    pub(crate) login_pending: Option<Subject>,
    /// The acts of the run, for verdicts.
    pub(crate) proofs: BTreeMap<u32, Proof>,
    pub(crate) last_dispatched: Option<ActId>,
    /// The act whose late effects are still to be looked for.
    pub(crate) late_of: Option<(ActId, tokio::time::Instant)>,
    /// Where each caller's last read of the changes ended.
    pub(crate) changes_read: HashMap<String, ChangesFrom>,
    /// The newest dialog, and the act it opened during.
    pub(crate) dialog: Option<DialogState>,
    /// The observation whose picture is the newest.
    pub(crate) newest_picture: Option<ObservationId>,
    /// The marks on it, if it has any.
    pub(crate) marks: Option<Marks>,
    /// Closer looks that were taken.
    pub(crate) zooms: u32,
    /// Whether the reports are being written, or are: nothing else is written any more.
    pub(crate) closed: bool,
    pub(crate) ended: bool,
}

/// What a verdict needs to know of an act; one is kept for each act of the run.
#[derive(Debug, Clone)]
pub(crate) struct Proof {
    pub(crate) act: ActId,
    pub(crate) goal: Option<GoalId>,
    pub(crate) status: Status,
    pub(crate) action: ActionKind,
    /// Whether more than the focus or the pixels changed.
    pub(crate) is_strong: bool,
    pub(crate) ended_at: tokio::time::Instant,
    /// Whether its effect is more than something appearing for a moment.
    pub(crate) lasting: bool,
}

impl Proof {
    pub(crate) fn new(outcome: &Outcome, lasting: bool) -> Proof {
        let is_weak = |signal: &Signal| matches!(signal, Signal::Focus | Signal::Screen);
        Proof {
            act: outcome.act,
            goal: outcome.goal.clone(),
            status: outcome.status,
            action: outcome.action,
            is_strong: outcome.signals.iter().any(|signal| !is_weak(signal)),
            ended_at: tokio::time::Instant::now(),
            lasting,
        }
    }
}

impl Desk {
    pub(crate) fn new(run: Run, redactor: Redactor) -> Desk {
        Desk {
            run,
            redactor,
            caps: Caps::default(),
            shown: HashMap::new(),
            look_first: None,
            looked: HashSet::new(),
            meanings: Meanings::default(),
            looks: Looks::default(),
            typed_names: Vec::new(),
            login_pending: None,
            proofs: BTreeMap::new(),
            last_dispatched: None,
            late_of: None,
            changes_read: HashMap::new(),
            dialog: None,
            newest_picture: None,
            marks: None,
            zooms: 0,
            closed: false,
            ended: false,
        }
    }

    /// From here on every caller has to look before it acts (INTERFACE).
    pub(crate) fn demand_look(&mut self, why: &'static str) {
        self.look_first = Some(why);
        self.looked.clear();
    }

    /// A caller was shown an observation it asked for.
    pub(crate) fn has_looked(&mut self, caller: &str, id: ObservationId) {
        self.shown.insert(caller.to_owned(), id);
        self.looked.insert(caller.to_owned());
    }

    /// Returns why this caller has to look first, if it has to.
    pub(crate) fn must_look(&self, caller: &str) -> Option<&'static str> {
        self.look_first.filter(|_| !self.looked.contains(caller))
    }

    /// Remembers public text that was typed, for the claim `created`.
    pub(crate) fn name_typed(&mut self, action: &Action) {
        if let Some(Typed::Public(text)) = action.typed() {
            // LIMIT: of more, the oldest is forgotten, and claiming to have made it asks a person.
            if self.typed_names.len() == TYPED_NAMES_MAX {
                self.typed_names.remove(0);
            }
            self.typed_names.push(text.chars().take(limits::PAGE_TEXT_MAX).collect());
        }
    }

    /// Returns what is spent, for the run and this goal.
    pub(crate) fn budget(&self, goal: Option<&GoalId>) -> BudgetSeen {
        let state = &self.run.state;
        BudgetSeen {
            run_used: state.run_used,
            run_cap: state.run_cap,
            goal_used: goal.and_then(|id| state.goal(id)).map(|goal| goal.actions_used),
            goal_cap: state.goal_cap,
        }
    }

    /// Charges one action to the run and its goal (VR-148).
    pub(crate) fn charge(&mut self, goal: Option<&GoalId>) {
        self.run.state.run_used = self.run.state.run_used.saturating_add(1);
        if let Some(goal) = goal.and_then(|id| self.run.state.goal_mut(id)) {
            goal.actions_used = goal.actions_used.saturating_add(1);
        }
    }

    /// Gives the next observation its number and remembers what its refs mean.
    pub(crate) fn new_observation(
        &mut self,
        at: Stamp,
        epoch: u64,
        goal: Option<GoalId>,
        act: Option<ActId>,
        reading: Option<&Reading>,
    ) -> ObservationId {
        let state = &mut self.run.state;
        let line = ObservationLine { at: written(at), goal, act, epoch, ..Default::default() };
        let id = state.add_observation(line);
        self.meanings.begin(id);
        if let Some(reading) = reading {
            self.meanings.note(subjects_of(reading));
        }
        id
    }

    /// Returns an observation's line, to change it.
    pub(crate) fn observation_mut(&mut self, id: ObservationId) -> Option<&mut ObservationLine> {
        self.run.state.observation_mut(id)
    }

    /// Writes the outline of an observation and returns it as shown.
    pub(crate) fn write_outline(
        &mut self,
        id: ObservationId,
        reading: &Reading,
        looking: &Looking,
        findings: &str,
    ) -> Result<(String, Omitted), RunError> {
        let url = redact::address(&reading.page.url).unwrap_or_default();
        let by = self
            .dialog
            .as_ref()
            .filter(|known| reading.dialog.as_ref().is_some_and(|open| open.text == known.text));
        let dialog_by = by.and_then(|known| known.opened_by);
        let frame = outline::Frame { id: Some(id), url: &url, findings, dialog_by };
        let (text, omitted) = outline::render(reading, &frame, looking.max_chars);
        let mut clean = self.redactor.text(&text);
        let of = LookOf::new(looking, reading);
        if let Some(news) = self.news(&of, clean.get()) {
            clean = self.redactor.text(&outline::with_news(&text, &news));
        }
        self.looks.remember(id, of);
        let path = self.run.write_outline(id, &clean)?;
        if let Some(line) = self.observation_mut(id) {
            line.outline = Some(path);
            line.url = url;
        }
        Ok((clean.into_inner(), omitted))
    }

    /// Returns an observation as told to callers.
    pub(crate) fn seen(
        &self,
        id: ObservationId,
        base: Option<ObservationId>,
        omitted: Omitted,
    ) -> ObservationSeen {
        let line = self.run.state.observation(id);
        ObservationSeen {
            id: Some(id),
            screenshot: line.and_then(|line| line.screenshot.clone()),
            screenshot_withheld: line.is_some_and(|line| line.screenshot_withheld),
            outline: None,
            base,
            omitted,
        }
    }

    /// Adds a finding unless the same one is there; returns its id when it is new.
    pub(crate) fn add_finding(&mut self, finding: NewFinding) -> Option<FindingId> {
        let state = &mut self.run.state;
        let same = |known: &&Finding| {
            !finding.key.is_empty() && known.key == finding.key && known.kind == finding.kind
        };
        if state.findings.iter().any(|known| same(&known)) {
            return None;
        }
        if limits::FINDINGS_MAX <= state.findings.len() {
            state.findings_dropped = state.findings_dropped.saturating_add(1);
            return None;
        }
        let number = u32::try_from(state.findings.len()).unwrap_or(u32::MAX).saturating_add(1);
        let finding_id = FindingId(number);
        let summary: String = finding.summary.chars().take(limits::SUMMARY_CHARS_MAX).collect();
        // Only what code found can have been expected: what a caller notes it means.
        let patterns = &state.head.expect_failures;
        let expected =
            finding.source == "script" && patterns.iter().any(|p| expected::is_like(&summary, p));
        state.findings.push(Finding {
            finding_id,
            kind: finding.kind,
            summary: self.redactor.text(&summary).into_inner(),
            goal_id: finding.goal,
            act: finding.act,
            screenshot_path: finding.screenshot,
            severity: finding.severity,
            expected,
            source: finding.source.to_owned(),
            key: finding.key,
        });
        Some(finding_id)
    }

    /// Returns the finding with this key.
    pub(crate) fn finding_by_key(&self, key: &str) -> Option<FindingId> {
        let state = &self.run.state;
        state.findings.iter().find(|finding| finding.key == key).map(|f| f.finding_id)
    }

    /// Makes findings of what happened by itself (VR-170).
    pub(crate) fn take_events(
        &mut self,
        events: &[SurfaceEvent],
        goal: Option<&GoalId>,
        act: Option<ActId>,
    ) -> Vec<FindingId> {
        let mut added = Vec::new();
        for event in events {
            if let SurfaceEvent::Dialog { dialog } = event {
                self.dialog = Some(DialogState { opened_by: act, ..dialog.clone() });
            }
            let found = match event {
                SurfaceEvent::Console { key, text, severity } => Some((
                    FindingKind::Console,
                    key.clone(),
                    format!("console {}: {}", severity.as_str(), outline::quote(text)),
                    *severity,
                )),
                SurfaceEvent::RequestFailed { key, method, url, status, reason } => {
                    let url = redact::address(url).unwrap_or_else(|| "(long address)".to_owned());
                    let how = match (status, reason) {
                        (Some(status), _) => status.to_string(),
                        (None, Some(reason)) => format!("no response ({reason})"),
                        (None, None) => "no response".to_owned(),
                    };
                    let summary =
                        format!("failed request: {method} {} -> {how}", outline::address(&url));
                    let severity = expected::severity_of(*status);
                    Some((FindingKind::Network, key.clone(), summary, severity))
                }
                SurfaceEvent::PageClosed { id, crashed: true } => Some((
                    FindingKind::Other,
                    format!("crash:{id}"),
                    "the page's process crashed".to_owned(),
                    Severity::Error,
                )),
                SurfaceEvent::Blocked { url } => {
                    let url = redact::address(url).unwrap_or_else(|| "(long address)".to_owned());
                    let summary = format!("blocked by the boundary: {}", outline::address(&url));
                    Some((FindingKind::Other, format!("blocked:{url}"), summary, Severity::Warning))
                }
                SurfaceEvent::Notice { key, text } => {
                    Some((FindingKind::Other, key.clone(), text.clone(), Severity::Warning))
                }
                SurfaceEvent::PageClosed { .. }
                | SurfaceEvent::PageOpened { .. }
                | SurfaceEvent::Dialog { .. }
                | SurfaceEvent::DownloadBegan { .. }
                | SurfaceEvent::DownloadEnded { .. }
                | SurfaceEvent::DownloadDropped => None,
            };
            if let Some((kind, key, summary, severity)) = found {
                let finding = NewFinding {
                    kind,
                    summary,
                    key,
                    goal: goal.cloned(),
                    act,
                    screenshot: None,
                    severity,
                    source: "script",
                };
                added.extend(self.add_finding(finding));
            }
        }
        added
    }

    /// Says which act the open dialog opened during.
    pub(crate) fn say_who_opened(&mut self, dialog: Option<&mut DialogState>, act: ActId) {
        let Some(open) = dialog else {
            self.dialog = None;
            return;
        };
        open.opened_by = if open.kind == "filechooser" {
            Some(act)
        } else {
            let known = self.dialog.as_ref().filter(|known| known.text == open.text);
            known.and_then(|known| known.opened_by)
        };
    }

    /// Fills in which finding each failed request became.
    pub(crate) fn link_requests(&self, requests: &mut [RequestSeen]) {
        for request in requests {
            request.finding = self.finding_by_key(&request.key).map(|finding| finding.to_string());
        }
    }

    /// Adds a picture to a goal's evidence, once (VR-172).
    pub(crate) fn add_evidence(&mut self, goal: Option<&GoalId>, picture: Option<&String>) {
        let goal = goal.and_then(|id| self.run.state.goal_mut(id));
        if let (Some(goal), Some(picture)) = (goal, picture)
            && !goal.evidence.contains(picture)
        {
            goal.evidence.push(picture.clone());
        }
    }

    /// Writes `run.json`; a failure stops the run.
    pub(crate) fn save(&mut self) -> Result<(), DoorError> {
        self.run.save(&self.redactor).map_err(|error| self.record_failed(&error))
    }

    /// Stops the run because its record cannot be written (I9).
    pub(crate) fn record_failed(&mut self, error: &RunError) -> DoorError {
        self.run.state.head.stopped_reason.get_or_insert_with(|| "record_failed".to_owned());
        let why = std::error::Error::source(error).map(|source| format!(": {source}"));
        DoorError::new(DoorCode::StateUnwritable, format!("{error}{}", why.unwrap_or_default()))
    }
}

/// A finding before it has a number.
#[derive(Debug)]
pub(crate) struct NewFinding {
    pub(crate) kind: FindingKind,
    pub(crate) summary: String,
    pub(crate) key: String,
    pub(crate) goal: Option<GoalId>,
    pub(crate) act: Option<ActId>,
    pub(crate) screenshot: Option<String>,
    pub(crate) severity: Severity,
    pub(crate) source: &'static str,
}

/// What the refs of a reading mean.
fn subjects_of(reading: &Reading) -> impl Iterator<Item = (String, Subject)> {
    reading.nodes.iter().filter_map(|node| {
        let id = node.id.clone()?;
        let extra = node.extra.as_ref().and_then(|extra| extra.subject.clone());
        let subject = extra.unwrap_or_else(|| Subject {
            role: node.role.clone(),
            name: node.name.clone(),
            ..Subject::default()
        });
        Some((id, subject))
    })
}
