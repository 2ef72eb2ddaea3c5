//! One session: a surface, its lease, its limits, and the desk that records it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::RwLock;

use sidestick_evidence::Run;
use sidestick_evidence::run::{self, new_goal, written};
use sidestick_model::call::{
    ActSeen, Answer, BegunAnswer, Call, DoorCode, DoorError, EndAnswer, GoalSeen, ObserveAsk,
    StatusAnswer,
};
use sidestick_model::observation::PageState;
use sidestick_model::record::Owner;
use sidestick_model::time::SharedClock;
use sidestick_model::{Deadline, GoalId, LeaseId, Stamp, limits};
use sidestick_policy::{Boundary, Credentials, Policy, Redacted, Redactor, Secret};

use crate::desk::Desk;
use crate::lease::Lease;
use crate::surface::Surface;

/// Everything a session is made of.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the thing of that name")]
pub struct Opening<S> {
    pub surface: S,
    pub run: Run,
    pub redactor: Redactor,
    pub clock: SharedClock,
    pub boundary: Boundary,
    pub credentials: Option<Credentials>,
    pub lease: Lease,
}

/// A brake that stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brake {
    /// Who set it.
    pub by: String,
    /// Why, in their words.
    pub why: Option<String>,
    /// Since when, RFC 3339.
    pub since: String,
}

/// One session held open.
#[derive(Debug)]
pub struct Session<S> {
    pub(crate) surface: S,
    pub(crate) lease: Lease,
    /// Acts alone, reads together, first asked first served (BR-369, BR-370).
    pub(crate) lane: RwLock<()>,
    /// Held by whoever ends the run; who ends it again waits for the answer.
    ending_alone: tokio::sync::Mutex<()>,
    desk: Mutex<Desk>,
    pub(crate) clock: SharedClock,
    pub(crate) boundary: Boundary,
    pub(crate) policy: Option<Policy>,
    /// When the session was opened.
    opened: Stamp,
    pub(crate) credentials: Option<Credentials>,
    /// Secrets a policy names, beside the login.
    pub(crate) secrets: Vec<(String, Secret)>,
    pub(crate) owner: Owner,
    pub(crate) attended: bool,
    pub(crate) request: Option<String>,
    brake: Mutex<Option<Brake>>,
    ending: AtomicBool,
    /// Whether the surface is kept open beyond the end of the run.
    keeps: AtomicBool,
}

/// A goal as told in a status.
pub fn goal_seen(goal: &sidestick_model::record::Goal) -> GoalSeen {
    GoalSeen { goal_id: goal.goal_id.clone(), title: goal.title.clone(), status: goal.status }
}

impl<S: Surface> Session<S> {
    /// Makes the session of a run that has begun.
    pub fn open(opening: Opening<S>) -> Session<S> {
        let head = &opening.run.state.head;
        let (owner, attended) = (head.owner, head.attended);
        let request = head.request.clone();
        let mut redactor = opening.redactor;
        if let Some(credentials) = &opening.credentials {
            redactor.remember(credentials.username.expose());
            redactor.remember(credentials.password.expose());
        }
        Session {
            surface: opening.surface,
            lease: opening.lease,
            lane: RwLock::new(()),
            ending_alone: tokio::sync::Mutex::new(()),
            desk: Mutex::new(Desk::new(opening.run, redactor)),
            opened: opening.clock.now(),
            clock: opening.clock,
            boundary: opening.boundary,
            policy: None,
            credentials: opening.credentials,
            secrets: Vec::new(),
            owner,
            attended,
            request,
            brake: Mutex::new(None),
            ending: AtomicBool::new(false),
            keeps: AtomicBool::new(false),
        }
    }

    /// Holds the session to a policy file, from its first act on, with the secrets it names.
    #[must_use]
    pub fn with_policy(
        mut self,
        policy: Option<Policy>,
        secrets: Vec<(String, Secret)>,
    ) -> Session<S> {
        for (_, secret) in &secrets {
            self.desk().redactor.remember(secret.expose());
        }
        self.secrets = secrets;
        self.desk().caps = policy.as_ref().map(|policy| policy.caps.clone()).unwrap_or_default();
        self.policy = policy;
        self
    }

    /// Says that the time the policy gives a run is over, when it is.
    pub(crate) fn time_spent(&self) -> Option<String> {
        let time = self.policy.as_ref()?.caps.time?;
        let since = self.now().saturating_sub(self.opened);
        let is_over = time.as_millis() <= u128::from(since);
        is_over.then(|| format!("the {} s the policy gives a run are over", time.as_secs()))
    }

    /// Registers the goals of `begin` and takes the first look.
    ///
    /// # Errors
    ///
    /// Fails when the surface cannot be read or the record cannot be written.
    pub async fn begin(&self, goals: Vec<(GoalId, String)>) -> Result<BegunAnswer, DoorError> {
        for (id, title) in goals {
            self.add_goal(id, title)?;
        }
        let ask = ObserveAsk::new(self.lease.current().holder, "begin");
        let observation = self.observe(ask).await?;
        let desk = self.desk();
        let head = desk.run.state.head.clone();
        let begun = BegunAnswer {
            run: head.run_id.clone(),
            run_dir: desk.run.dir().display().to_string(),
            head,
            goals: desk.run.state.goals.iter().map(|goal| goal.goal_id.clone()).collect(),
            observation,
            host: std::process::id(),
        };
        let unshown = || DoorError::new(DoorCode::Internal, "the answer cannot be redacted");
        let clean = desk.redactor.value(&begun).map_err(|_| unshown())?;
        serde_json::from_value(clean.into_inner()).map_err(|_| unshown())
    }

    pub(crate) fn desk(&self) -> MutexGuard<'_, Desk> {
        // A panic under the lock leaves a desk that was written line by line; it stays usable.
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn now(&self) -> Stamp {
        self.clock.now()
    }

    /// Answers one call, redacted.
    pub async fn answer(
        &self,
        call: Call,
        left: tokio::sync::watch::Receiver<bool>,
    ) -> Redacted<Answer> {
        let verb = call.verb();
        let started = tokio::time::Instant::now();
        let answer = match call {
            Call::Act(ask) => self.submit(*ask, left).await.map(|o| Answer::Act(Box::new(o))),
            Call::Goal { id, title } => self.goal(id, title),
            Call::Note(ask) => self.note(ask),
            Call::Verdict(ask) => self.verdict(ask).await.map(Answer::Verdict),
            Call::Observe(ask) => self.observe(ask).await.map(|a| Answer::Observe(Box::new(a))),
            Call::Find(ask) => self.find(ask).await,
            Call::Text { target, max_chars } => self.text(target, max_chars).await,
            Call::Screenshot { full_page } => self.screenshot(full_page).await,
            Call::Holds(ask) => self.holds(ask).await,
            Call::Zoom(ask) => self.zoom(ask).await,
            Call::Changes(ask) => self.changes(ask).await,
            Call::Wait(ask) => self.wait(ask).await,
            Call::Tabs => Ok(Answer::Tabs { pages: self.surface.tabs() }),
            Call::Findings => Ok(self.findings()),
            Call::Status => Ok(Answer::Status(Box::new(self.status()))),
            Call::Pause { by, why } => self.pause(by, why).await,
            Call::Release { by } => self.release(by),
            Call::Stop { by } => {
                self.stop(&by).await;
                self.end(false).await.map(|end| Answer::End(Box::new(end)))
            }
            Call::End { keep_open } => {
                self.end(keep_open).await.map(|end| Answer::End(Box::new(end)))
            }
        };
        self.seal(verb, started, answer.unwrap_or_else(Answer::Refused))
    }

    /// Writes the verb down and redacts its answer; what cannot be redacted is not shown (I9).
    fn seal(&self, verb: &str, started: tokio::time::Instant, answer: Answer) -> Redacted<Answer> {
        let desk = self.desk();
        let status = match &answer {
            Answer::Act(outcome) => outcome.status.as_str().to_owned(),
            Answer::Refused(error) => format!("error:{}", error.error.as_str()),
            _ => "ok".to_owned(),
        };
        let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let line = serde_json::json!({"ts": written(self.now()), "verb": verb, "status": status,
            "elapsed_ms": elapsed_ms});
        // A verb's answer does not depend on the log; the trace is the record.
        drop(desk.run.log_verb(Redacted::from_ours(line)));
        let unshown =
            || Answer::Refused(DoorError::new(DoorCode::Internal, "the answer cannot be redacted"));
        match desk.redactor.value(&answer) {
            Ok(value) => Redacted::from_record(
                serde_json::from_value(value.into_inner()).unwrap_or_else(|_| unshown()),
            ),
            Err(_) => Redacted::from_ours(unshown()),
        }
    }

    fn goal(&self, id: GoalId, title: String) -> Result<Answer, DoorError> {
        self.refuse_ended()?;
        self.add_goal(id.clone(), title)?;
        Ok(Answer::Goal { goal: id })
    }

    fn add_goal(&self, id: GoalId, title: String) -> Result<(), DoorError> {
        let title = title.trim().to_owned();
        let mut desk = self.desk();
        if title.is_empty() {
            return Err(DoorError::new(DoorCode::EmptyTitle, "the title is empty"));
        }
        if limits::TITLE_CHARS_MAX < title.chars().count() {
            return Err(DoorError::new(DoorCode::TitleTooLong, "the title is too long"));
        }
        if desk.run.state.goal(&id).is_some() {
            let why = format!("the goal `{id}` exists");
            return Err(DoorError::new(DoorCode::DuplicateGoal, why));
        }
        if limits::GOALS_MAX <= desk.run.state.goals.len() {
            return Err(DoorError::new(DoorCode::TooManyGoals, "the run has all the goals it may"));
        }
        desk.run.state.goals.push(new_goal(id, title));
        desk.save()
    }

    pub(crate) fn refuse_ended(&self) -> Result<(), DoorError> {
        if self.ending.load(Ordering::SeqCst) || self.desk().ended {
            return Err(DoorError::new(DoorCode::RunEnded, "the run has ended"));
        }
        Ok(())
    }

    /// Returns the brake that stands, if one does.
    pub fn braked(&self) -> Option<Brake> {
        self.brake.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Brakes: the epoch moves first, then nothing old is on the wire (I6). Never refused (I7).
    async fn pause(&self, by: String, why: Option<String>) -> Result<Answer, DoorError> {
        let brake = Brake { by, why, since: written(self.now()) };
        self.set_brake(Some(brake));
        let holder = self.lease.current().holder;
        self.lease.advance(holder);
        self.surface.quiet().await;
        self.note_event("pause");
        Ok(Answer::Braked { paused: true })
    }

    fn release(&self, by: String) -> Result<Answer, DoorError> {
        if self.braked().is_none() {
            return Err(DoorError::new(DoorCode::NotPaused, "no brake stands on this run"));
        }
        self.set_brake(None);
        self.desk().demand_look("the session was braked");
        self.note_event("release");
        drop(by);
        Ok(Answer::Braked { paused: false })
    }

    fn set_brake(&self, brake: Option<Brake>) {
        *self.brake.lock().unwrap_or_else(PoisonError::into_inner) = brake;
    }

    fn note_event(&self, kind: &'static str) {
        let now = self.now();
        let brake = self.braked();
        let body = match &brake {
            Some(brake) => serde_json::json!({"by": brake.by, "why": brake.why}),
            None => serde_json::json!({}),
        };
        let mut desk = self.desk();
        if desk.closed {
            // Nothing is written behind the last signature of a closed record.
            return;
        }
        // A brake stands even when it cannot be recorded (I7).
        if let Ok(body) = desk.redactor.value(&body) {
            drop(desk.run.event(kind, now, body));
        }
    }

    /// Records the test overrides of a caller: from here on the run is no valid evidence (VR-236).
    /// A closed record stays as it was signed.
    pub fn note_overrides(&self, overrides: &[String]) {
        let now = self.now();
        let mut desk = self.desk();
        if desk.closed {
            return;
        }
        let redactor = desk.redactor.clone();
        // A record that cannot say so stops the run (I9).
        if let Err(error) = desk.run.note_overrides(overrides, now, &redactor) {
            drop(desk.record_failed(&error));
        }
    }

    /// Stops the run: latch first, epoch next, then the wire is quiet. Never refused (I7).
    async fn stop(&self, by: &str) {
        self.ending.store(true, Ordering::SeqCst);
        self.lease.advance(self.lease.current().holder);
        self.surface.quiet().await;
        if self.desk().ended {
            return self.let_go().await;
        }
        let mut desk = self.desk();
        if !desk.closed {
            desk.run.state.head.stopped_reason.get_or_insert_with(|| format!("stopped by {by}"));
        }
    }

    /// Lets go of the surface and leaves the run open on disk, for a host that goes: the act in
    /// flight is cut and concluded first, and `end` still works on the folder (D1).
    pub async fn park(&self, why: &str) {
        self.ending.store(true, Ordering::SeqCst);
        self.lease.advance(self.lease.current().holder);
        self.surface.quiet().await;
        // An end under way is waited for: its reports are the record of the run.
        let ending = tokio::time::timeout(limits::REPORT_TIME_MAX, self.ending_alone.lock());
        let _alone = ending.await.ok();
        let _turn = self.turn_or_not().await;
        if self.desk().ended {
            self.let_go().await;
            return;
        }
        let closed = self.surface.close(false).await;
        let mut desk = self.desk();
        if desk.closed {
            return;
        }
        desk.run.state.head.stopped_reason.get_or_insert_with(|| why.to_owned());
        if let Err(error) = closed {
            desk.run.state.state_left.cleanup_errors.push(error);
            desk.run.state.cleanup_failed = true;
        }
        // Nobody is left to be told; whoever opens the run next finds what could be written.
        drop(desk.save());
    }

    /// Waits for the act that was just cut to conclude; one that does not is not waited for (I6).
    async fn turn_or_not(&self) -> Option<tokio::sync::RwLockWriteGuard<'_, ()>> {
        tokio::time::timeout(limits::CUT_ACT_TIME_MAX, self.lane.write()).await.ok()
    }

    /// Ends the run: a last look, cleanup, reports. Ending again gives the same answer (VR-189).
    async fn end(&self, keep_open: bool) -> Result<EndAnswer, DoorError> {
        let stopped = self.ending.swap(true, Ordering::SeqCst);
        self.lease.advance(self.lease.current().holder);
        self.surface.quiet().await;
        let _alone = self.ending_alone.lock().await;
        let _turn = self.turn_or_not().await;
        if !self.desk().ended {
            if !stopped {
                self.last_look().await;
            }
            self.clean_up(keep_open).await;
        }
        self.write_reports()
    }

    /// Writes the reports without keeping the desk: whoever asks how the run stands is answered
    /// meanwhile.
    fn write_reports(&self) -> Result<EndAnswer, DoorError> {
        let now = self.now();
        let (report, dir) = {
            let mut desk = self.desk();
            let redactor = desk.redactor.clone();
            let report = desk.run.close(now, &redactor);
            desk.closed = report.is_ok() || desk.ended;
            (report.map_err(|error| desk.record_failed(&error))?, desk.run.dir().to_owned())
        };
        let reports = run::write_reports(&dir, &report);
        let mut desk = self.desk();
        let sealed = reports.and_then(|reports| desk.run.seal(now, reports));
        if let Err(error) = sealed {
            desk.closed = desk.ended;
            return Err(desk.record_failed(&error));
        }
        desk.ended = true;
        let path = |name: &str| dir.join(name).display().to_string();
        Ok(EndAnswer {
            report,
            report_json: path("report.json"),
            report_md: path("report.md"),
            report_html: path("report.html"),
            cleanup_failed: desk.run.state.cleanup_failed,
        })
    }

    /// Takes the final picture and the last findings; its failure is told, never in the way.
    async fn last_look(&self) {
        let failed = match self.take_picture("final", false).await {
            Ok((path, _)) => {
                self.desk().run.state.state_left.final_screenshot = path.unwrap_or_default();
                None
            }
            Err(error) => Some(format!("final screenshot: {}", error.error.as_str())),
        };
        let (events, _) = self.surface.events();
        let now = self.now();
        let mut desk = self.desk();
        desk.take_downloads(&events, now, None, &[]);
        desk.take_events(&events, None, None);
        desk.run.state.state_left.cleanup_errors.extend(failed);
    }

    async fn clean_up(&self, keep_open: bool) {
        self.keeps.store(keep_open, Ordering::SeqCst);
        let closed = self.surface.close(keep_open).await;
        let mut desk = self.desk();
        let id = desk.run.state.head.run_id.clone();
        let left = &mut desk.run.state.state_left;
        if keep_open {
            left.kept_open.push(format!("browser session {id}"));
        }
        match closed {
            Ok(receipt) => left.receipt = receipt,
            Err(error) => {
                left.cleanup_errors.push(error);
                desk.run.state.cleanup_failed = true;
            }
        }
    }

    /// Takes in what happened by itself, and lists the findings.
    fn findings(&self) -> Answer {
        let (events, _) = self.surface.events();
        let now = self.now();
        let mut desk = self.desk();
        if !desk.closed {
            desk.take_downloads(&events, now, None, &[]);
            desk.take_events(&events, None, None);
        }
        Answer::Findings { findings: desk.run.state.findings.clone() }
    }

    fn status(&self) -> StatusAnswer {
        let brake = self.braked();
        let desk = self.desk();
        let state = &desk.run.state;
        let word = match (&brake, state.head.ended.is_some(), &state.head.stopped_reason) {
            (_, true, _) => "ended",
            (Some(_), false, _) => "paused",
            (None, false, Some(_)) => "stopped",
            (None, false, None) => "open",
        };
        let page = self.surface.tabs().into_iter().find(|tab| tab.current).map(|tab| tab.page);
        let last = desk
            .proofs
            .last_key_value()
            .map(|(_, proof)| ActSeen { act: proof.act, status: proof.status });
        StatusAnswer {
            run: state.head.clone(),
            state: word.to_owned(),
            host: Some(std::process::id()),
            page,
            goals: state.goals.iter().map(goal_seen).collect(),
            findings: u32::try_from(state.findings.len()).unwrap_or(u32::MAX),
            acts: state.last_act,
            last_act: last,
            budget: desk.budget(None),
            lease: Some(self.lease.current()),
            brake: brake.map(|brake| match brake.why {
                Some(why) => format!("by {} since {}: {why}", brake.by, brake.since),
                None => format!("by {} since {}", brake.by, brake.since),
            }),
        }
    }

    /// Shows the surface, to look at it; acting on it takes a permit.
    pub fn surface(&self) -> &S {
        &self.surface
    }

    /// Returns who holds the session.
    pub fn holder(&self) -> LeaseId {
        self.lease.current()
    }

    /// Closes a surface that was kept open.
    async fn let_go(&self) {
        if self.keeps.swap(false, Ordering::SeqCst) {
            // The run is over and its record closed; nobody is left to be told.
            drop(self.surface.close(false).await);
        }
    }

    /// Returns whether nothing is left to be held: the run has ended and its surface is closed.
    pub fn is_over(&self) -> bool {
        self.desk().ended && !self.keeps.load(Ordering::SeqCst)
    }

    /// Returns whether the run has ended.
    pub fn has_ended(&self) -> bool {
        self.desk().ended
    }

    pub(crate) fn read_deadline() -> Deadline {
        Deadline::of_limit(limits::READ_TIME_MAX)
    }

    pub(crate) fn page_now(&self) -> PageState {
        let tabs = self.surface.tabs();
        tabs.into_iter().find(|tab| tab.current).map(|tab| tab.page).unwrap_or_default()
    }
}
