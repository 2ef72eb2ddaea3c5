//! Reads: together, behind the act in flight, recorded as observations where they are ones.

use tokio::sync::RwLockReadGuard;
use tokio::time::Instant;

use sidestick_model::call::{
    Answer, DoorCode, DoorError, FindAsk, NoteAsk, ObserveAnswer, ObserveAsk, WaitAsk,
};
use sidestick_model::observation::Reading;
use sidestick_model::record::{FindingKind, Severity};
use sidestick_model::{ActId, Deadline, FindingId, GoalId, LeaseId, ObservationId, limits};

use crate::desk::NewFinding;
use crate::session::Session;
use crate::surface::{Looking, Surface, SurfaceError};

/// A driver failure outside an action (exit 4).
pub(crate) fn driver_error(error: &SurfaceError) -> DoorError {
    if let SurfaceError::BadSelector { .. } = error {
        return DoorError::new(DoorCode::BadSelector, error.to_string());
    }
    let mut door = DoorError::new(DoorCode::Driver, error.to_string());
    door.driver_error = Some(error.code());
    door
}

impl<S: Surface> Session<S> {
    /// Refuses reads of an ended run, and an agent's reads while a brake stands (INTERFACE).
    fn refuse_unreadable(&self) -> Result<(), DoorError> {
        self.refuse_ended()?;
        if let Some(brake) = self.braked() {
            let why = format!("paused by {} since {}", brake.by, brake.since);
            return Err(DoorError::new(DoorCode::RunPaused, why)
                .hint("a person lifts the brake with `sidestick release`"));
        }
        Ok(())
    }

    /// Waits behind the act in flight; a brake or an end that came meanwhile refuses the read.
    pub(crate) async fn reader_turn(&self) -> Result<RwLockReadGuard<'_, ()>, DoorError> {
        self.refuse_unreadable()?;
        let turn = self.lane.read().await;
        self.refuse_unreadable()?;
        Ok(turn)
    }

    /// Looks: an outline, its record, a picture unless it is not wanted.
    pub(crate) async fn observe(&self, ask: ObserveAsk) -> Result<ObserveAnswer, DoorError> {
        let goal = self.known_goal(ask.goal.as_ref())?;
        self.known_observation(ask.since)?;
        let _turn = self.reader_turn().await?;
        // What is read is of the epoch in which the reading begins.
        let lease = self.lease.current();
        let looking = Looking {
            scope: ask.scope,
            within: ask.within.clone(),
            query: ask.query.clone(),
            max_chars: ask.max_chars,
        };
        let read = self.surface.observe(&looking, Self::read_deadline()).await;
        let reading = read.map_err(|error| driver_error(&error))?;
        let late = self.late_effects().await?;
        let (id, mut answer) = self.record_reading(&reading, goal, lease, &looking)?;
        {
            let mut desk = self.desk();
            desk.has_looked(&ask.caller, id);
            desk.save()?;
            if let Some(since) = ask.since {
                let (told, delta) = desk.continued(since, id, answer.outline);
                (answer.outline, answer.delta) = (told, Some(delta));
            }
        }
        answer.late = late;
        if ask.screenshot {
            if ask.marks {
                let marked = self.mark(id, &reading).await?;
                let (path, marks) = marked.map(|m| (m.path, m.marks)).unzip();
                (answer.marked, answer.marks) = (path, marks.unwrap_or_default());
            } else {
                self.picture_of(id).await?;
            }
            answer.observation.screenshot = self.picture_path(id);
            answer.observation.screenshot_withheld = self.picture_withheld(id);
        }
        Ok(answer)
    }

    /// Returns the goal a look works for: the named one, or none.
    fn known_goal(&self, goal: Option<&GoalId>) -> Result<Option<GoalId>, DoorError> {
        let Some(goal) = goal else { return Ok(None) };
        if self.desk().run.state.goal(goal).is_none() {
            let why = format!("no goal `{goal}` is registered");
            return Err(DoorError::new(DoorCode::UnknownGoal, why));
        }
        Ok(Some(goal.clone()))
    }

    /// Refuses an observation that was never made.
    fn known_observation(&self, id: Option<ObservationId>) -> Result<(), DoorError> {
        let Some(id) = id else { return Ok(()) };
        match self.desk().run.state.observation(id) {
            Some(_) => Ok(()),
            None => {
                let why = format!("no observation {id}");
                Err(DoorError::new(DoorCode::UnknownObservation, why))
            }
        }
    }

    /// Makes an observation of a reading: number, meanings, outline file, findings.
    pub(crate) fn record_reading(
        &self,
        reading: &Reading,
        goal: Option<GoalId>,
        lease: LeaseId,
        looking: &Looking,
    ) -> Result<(ObservationId, ObserveAnswer), DoorError> {
        let (events, _) = self.surface.events();
        let now = self.now();
        let mut desk = self.desk();
        desk.take_downloads(&events, now, None, &[]);
        let added = desk.take_events(&events, goal.as_ref(), None);
        let base = desk.run.state.latest_observation();
        let goal_of_budget = goal.clone();
        let id = desk.new_observation(now, lease.epoch, goal, None, Some(reading));
        let words = findings_words(&added);
        let written = desk.write_outline(id, reading, looking, &words);
        let (outline, omitted) = written.map_err(|error| desk.record_failed(&error))?;
        let answer = ObserveAnswer {
            observation: desk.seen(id, base, omitted),
            page: reading.page.clone(),
            outline,
            delta: None,
            late: None,
            marked: None,
            marks: Vec::new(),
            findings_added: added,
            lease: Some(lease),
            budget: desk.budget(goal_of_budget.as_ref()),
        };
        Ok((id, answer))
    }

    /// Takes the picture that belongs to an observation and binds it to the record (D26).
    ///
    /// # Errors
    ///
    /// Fails when the record cannot be written; a picture that cannot be taken is recorded as
    /// failed and is no error.
    pub async fn picture_of(&self, id: ObservationId) -> Result<(), DoorError> {
        match self.take_picture(&id.to_string(), false).await {
            Ok((path, withheld)) => {
                let mut desk = self.desk();
                if let Some(line) = desk.observation_mut(id) {
                    line.screenshot.clone_from(&path);
                    line.screenshot_withheld = withheld;
                }
                let goal = desk.run.state.observation(id).and_then(|o| o.goal.clone());
                desk.add_evidence(goal.as_ref(), path.as_ref());
                desk.newest_picture = path.is_some().then_some(id);
                desk.save()
            }
            Err(error) if error.error == DoorCode::Driver => {
                let now = self.now();
                let body = serde_json::json!({"observation": id.to_string(), "failed": true});
                let mut desk = self.desk();
                if desk.closed {
                    return Ok(());
                }
                let body = sidestick_policy::Redacted::from_ours(body);
                let noted = desk.run.event("picture_failed", now, body);
                noted.map_err(|error| desk.record_failed(&error))
            }
            Err(error) => Err(error),
        }
    }

    /// Takes the picture that follows an act, behind it in the lane.
    ///
    /// # Errors
    ///
    /// As [`Session::picture_of`].
    pub async fn picture_after(&self, id: ObservationId) -> Result<(), DoorError> {
        let _turn = self.lane.read().await;
        if self.desk().closed {
            // The record was closed meanwhile; nothing is written behind its last signature.
            return Ok(());
        }
        self.picture_of(id).await
    }

    /// Takes one picture; returns its path, or none and true when it is withheld.
    pub(crate) async fn take_picture(
        &self,
        name: &str,
        full_page: bool,
    ) -> Result<(Option<String>, bool), DoorError> {
        let secrets = self.desk().redactor.secrets().to_vec();
        let deadline = Deadline::of_limit(limits::PICTURE_TIME_MAX);
        let taken = self.surface.picture(&secrets, full_page, deadline).await;
        let picture = taken.map_err(|error| driver_error(&error))?;
        let now = self.now();
        let mut desk = self.desk();
        if desk.closed {
            // Nothing is written behind the seal.
            return Ok((None, false));
        }
        match picture.png {
            Some(png) => {
                let written = desk.run.write_picture(name, now, &png);
                let path = written.map_err(|error| desk.record_failed(&error))?;
                Ok((Some(path), false))
            }
            None => {
                let why = picture.withheld.unwrap_or("a secret may be in it");
                let body = serde_json::json!({"picture": name, "why": why});
                let body = sidestick_policy::Redacted::from_ours(body);
                let noted = desk.run.event("picture_withheld", now, body);
                noted.map_err(|error| desk.record_failed(&error))?;
                Ok((None, true))
            }
        }
    }

    fn picture_path(&self, id: ObservationId) -> Option<String> {
        let desk = self.desk();
        desk.run.state.observation(id).and_then(|line| line.screenshot.clone())
    }

    fn picture_withheld(&self, id: ObservationId) -> bool {
        let desk = self.desk();
        desk.run.state.observation(id).is_some_and(|line| line.screenshot_withheld)
    }

    pub(crate) async fn screenshot(&self, full_page: bool) -> Result<Answer, DoorError> {
        let _turn = self.reader_turn().await?;
        let id = {
            let (now, epoch) = (self.now(), self.lease.current().epoch);
            self.desk().new_observation(now, epoch, None, None, None)
        };
        if !full_page {
            self.picture_of(id).await?;
            let (path, withheld) = (self.picture_path(id), self.picture_withheld(id));
            let [width, height] = self.desk().run.state.head.emulation.viewport;
            return Ok(Answer::Screenshot { path, withheld, width, height });
        }
        // A picture of the whole page is no ground for pixels: it is larger than the viewport.
        let (path, withheld) = self.take_picture(&format!("{id}-full"), true).await?;
        let mut desk = self.desk();
        if let Some(line) = desk.observation_mut(id) {
            line.screenshot.clone_from(&path);
            line.screenshot_withheld = withheld;
        }
        desk.save()?;
        Ok(Answer::Screenshot { path, withheld, width: 0, height: 0 })
    }

    pub(crate) async fn find(&self, ask: FindAsk) -> Result<Answer, DoorError> {
        let _turn = self.reader_turn().await?;
        let found = self.surface.find(&ask, Self::read_deadline()).await;
        let (matches, total) = found.map_err(|error| driver_error(&error))?;
        let meanings = matches.iter().map(|found| (found.id.clone(), found.subject.clone()));
        self.desk().meanings.note(meanings);
        Ok(Answer::Find { matches, total })
    }

    pub(crate) async fn text(
        &self,
        target: Option<String>,
        max_chars: usize,
    ) -> Result<Answer, DoorError> {
        let _turn = self.reader_turn().await?;
        let read = self.surface.text(target.as_deref(), max_chars, Self::read_deadline()).await;
        let (text, truncated, total_chars) = read.map_err(|error| driver_error(&error))?;
        Ok(Answer::Text { text, truncated, total_chars })
    }

    /// Waits behind the act in flight and makes nobody wait behind it (BR-125).
    pub(crate) async fn wait(&self, ask: WaitAsk) -> Result<Answer, DoorError> {
        drop(self.reader_turn().await?);
        let limit = std::time::Duration::from_millis(ask.timeout_ms);
        if limit.is_zero() || limits::WAIT_TIME_MAX < limit {
            return Err(DoorError::new(DoorCode::BadTimeout, "a wait takes 1 ms to 120 s"));
        }
        let started = Instant::now();
        let deadline = Deadline::of_limit(limit);
        let waited = self.surface.wait(&ask.kind, &ask.value, deadline).await;
        let held = waited.map_err(|error| driver_error(&error))?;
        let looked_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(Answer::Wait { held, looked_ms })
    }

    pub(crate) fn note(&self, ask: NoteAsk) -> Result<Answer, DoorError> {
        self.refuse_ended()?;
        let summary = checked_summary(&ask.summary)?;
        if summary.is_empty() {
            return Err(DoorError::new(DoorCode::EmptySummary, "the summary is empty"));
        }
        let mut desk = self.desk();
        let run = &desk.run;
        let line = match ask.obs {
            Some(id) => Some(run.observation(id).ok_or_else(|| {
                DoorError::new(DoorCode::UnknownObservation, format!("no observation {id}"))
            })?),
            None => run.state.latest_observation().and_then(|id| run.observation(id)),
        };
        let screenshot = line.as_ref().and_then(|line| line.screenshot.clone());
        let goal = ask.goal.clone().or_else(|| line.and_then(|line| line.goal));
        if let Some(goal) = goal.as_ref().filter(|id| desk.run.state.goal(id).is_none()) {
            let why = format!("no goal `{goal}` is registered");
            return Err(DoorError::new(DoorCode::UnknownGoal, why));
        }
        let finding = NewFinding {
            kind: ask.kind,
            summary,
            key: String::new(),
            goal: goal.clone(),
            act: None,
            screenshot: screenshot.clone(),
            severity: Severity::Warning,
            source: "model",
        };
        let Some(finding) = desk.add_finding(finding) else {
            return Err(DoorError::new(DoorCode::Busy, "the run has all the findings it may"));
        };
        desk.add_evidence(goal.as_ref(), screenshot.as_ref());
        desk.save()?;
        Ok(Answer::Note { finding, goal })
    }

    /// Notes a control that a person could not see (VR-103).
    pub(crate) fn note_invisible(
        &self,
        goal: Option<&GoalId>,
        act: ActId,
        base: Option<ObservationId>,
        what: &str,
        key: String,
    ) -> Option<FindingId> {
        let mut desk = self.desk();
        let screenshot = base
            .and_then(|id| desk.run.state.observation(id))
            .and_then(|line| line.screenshot.clone());
        desk.add_evidence(goal, screenshot.as_ref());
        let finding = NewFinding {
            kind: FindingKind::Visibility,
            summary: what.to_owned(),
            key,
            goal: goal.cloned(),
            act: Some(act),
            screenshot,
            severity: Severity::Error,
            source: "script",
        };
        desk.add_finding(finding)
    }
}

pub(crate) fn checked_summary(text: &str) -> Result<String, DoorError> {
    let text = text.trim().to_owned();
    if limits::SUMMARY_CHARS_MAX < text.chars().count() {
        return Err(DoorError::new(DoorCode::SummaryTooLong, "the summary is too long"));
    }
    Ok(text)
}

/// Says in words which findings were added.
fn findings_words(added: &[FindingId]) -> String {
    if added.is_empty() {
        return String::new();
    }
    let ids: Vec<String> = added.iter().map(ToString::to_string).collect();
    format!("{} new finding(s) ({})", added.len(), ids.join(", "))
}
