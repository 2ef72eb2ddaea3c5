//! The straight line of one action: from what was asked to what is told.
//!
//! admit, resolve, decide, hold, intend, perform, settle, classify, landed, conclude. Every hop is
//! a plain call, in this order, for every door, actor and surface.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use sidestick_model::call::{ActAsk, DoorCode, DoorError};
use sidestick_model::observation::{Expect, ExpectKind, Settled, Signal, Subject};
use sidestick_model::outcome::{
    Code, Effect, Fate, GateSeen, ObservationSeen, Outcome, Refusal, Status,
};
use sidestick_model::record::GateLine;
use sidestick_model::{
    ActId, Action, Deadline, ElementFacts, GoalId, LeaseId, ObservationId, Seam, Stamp, Target,
    Typed, limits,
};
use sidestick_policy::decide::{self, Decision, Question};
use sidestick_policy::risk::Tier;
use sidestick_policy::{Secret, redact};

use crate::desk::Proof;
use crate::session::Session;
use crate::surface::{Performed, Permit, Resolve, Resolved, SettleAsk, Surface, SurfaceError};
use crate::telling::{asked_in_words, fill_in, is_lasting, target_seen};

/// One act on its way.
pub(crate) struct Act {
    id: ActId,
    ask: ActAsk,
    expect: Expect,
    goal: Option<GoalId>,
    base: Option<ObservationId>,
    shown: LeaseId,
    deadline: Deadline,
    started: Instant,
    at: Stamp,
    left: watch::Receiver<bool>,
    /// What stands in the record before it is known how the act ends.
    draft: Outcome,
    gate: Option<GateSeen>,
    /// The element found, with its unredacted name.
    element: Option<ElementFacts>,
    intended: bool,
}

/// Why an act ended before it had an effect to classify.
pub(crate) enum End {
    Refused(Refusal),
    Failed { status: Status, code: Code, fate: Fate, message: String },
}

impl From<Refusal> for End {
    fn from(refusal: Refusal) -> End {
        End::Refused(refusal)
    }
}

impl<S: Surface> Session<S> {
    /// Takes one action from request to outcome.
    ///
    /// # Errors
    ///
    /// A refusal is an [`Outcome`], not an error. An error means that the request broke the
    /// contract, or that the run has ended; nothing was sent then.
    pub async fn submit(
        &self,
        ask: ActAsk,
        left: watch::Receiver<bool>,
    ) -> Result<Outcome, DoorError> {
        self.refuse_ended()?;
        let _turn = self.lane.write().await;
        // The run may have ended while the act waited for its turn.
        self.refuse_ended()?;
        let by = self.answers_dialogs().then(|| (ask.actor, ask.caller.clone(), left.clone()));
        let mut outcome = self.walk(ask, left).await?;
        if let Some((actor, caller, left)) = by {
            self.answer_dialogs(actor, &caller, &left, &mut outcome).await;
        }
        Ok(outcome)
    }

    /// One act, from its request to its conclusion.
    pub(crate) async fn walk(
        &self,
        ask: ActAsk,
        left: watch::Receiver<bool>,
    ) -> Result<Outcome, DoorError> {
        let mut act = self.take_up(ask, left)?;
        let ended = self.line(&mut act).await;
        self.conclude(act, ended).await
    }

    /// The line itself; `conclude` follows whatever it returns.
    async fn line(&self, act: &mut Act) -> Result<Settled, End> {
        self.admit(act)?;
        let resolved = self.resolve(act).await?;
        let decision = self.decide(act, &resolved)?;
        let secret = self.secret_for(act, &resolved)?;
        let uploads = self.uploads_for(&act.ask.action)?;
        let held = self.lease.hold(act.shown).map_err(|_| self.cut_before(act))?;
        let held = held.with_caller(act.left.clone());
        self.intend(act, &resolved, decision.tier)?;
        let before = self.screen_before(act).await?;

        let action = act.ask.action.clone();
        let permit = Permit::new(action, resolved, act.expect.clone(), secret, held);
        let permit = permit.with_uploads(uploads);
        let performed = self.surface.perform(&permit, act.deadline).await;
        let performed = performed.map_err(|error| self.performing_failed(act, error))?;
        act.draft.fate = Fate::Sent;
        let mut settled = self.settle(act, &permit, &performed).await?;
        self.compare_screens(act, before, &mut settled).await;
        Ok(settled)
    }

    /// Hop 1: contract violations, before anything is looked at (exit 2).
    fn take_up(&self, ask: ActAsk, left: watch::Receiver<bool>) -> Result<Act, DoorError> {
        let started = Instant::now();
        let kind = ask.action.kind();
        let default = if kind.navigates() { limits::NAVIGATION_TIME } else { limits::ACTION_TIME };
        let timeout = ask.timeout_ms.map_or(default, Duration::from_millis);
        let bad = |error: sidestick_model::DeadlineError| {
            DoorError::new(DoorCode::BadTimeout, error.to_string())
        };
        let deadline = Deadline::after(timeout).map_err(bad)?;
        let mut desk = self.desk();
        let base = match ask.obs {
            Some(id) if desk.run.observation(id).is_some() => Some(id),
            Some(id) => {
                let why = format!("no observation {id}");
                return Err(DoorError::new(DoorCode::UnknownObservation, why));
            }
            None => desk.shown.get(&ask.caller).or_else(|| desk.shown.get("begin")).copied(),
        };
        let line = base.and_then(|id| desk.run.observation(id));
        let epoch = line.as_ref().map_or(0, |line| line.epoch);
        let goal = ask.goal.clone().or_else(|| line.and_then(|line| line.goal));
        if let Some(goal) = goal.as_ref().filter(|id| desk.run.state.goal(id).is_none()) {
            let why = format!("no goal `{goal}` is registered");
            return Err(DoorError::new(DoorCode::UnknownGoal, why));
        }
        if matches!(ask.action.target(), Some(Target::Pixel { .. }))
            && desk.newest_picture.is_none()
        {
            let why = "pixels need a screenshot, and there is none";
            return Err(DoorError::new(DoorCode::CoordinatesNeedScreenshot, why));
        }
        remember_typed(&mut desk, &ask.action)?;
        let expect = ask.expect.clone().unwrap_or_else(Expect::any);
        desk.run.state.last_act = desk.run.state.last_act.saturating_add(1);
        let id = ActId(desk.run.state.last_act);
        let budget = desk.budget(goal.as_ref());
        let run = desk.run.state.head.run_id.clone();
        drop(desk);
        let shown = LeaseId { holder: ask.actor, epoch };
        let draft = self.draft(run, id, &ask, &expect, goal.clone(), base, budget);
        Ok(Act {
            id,
            ask,
            expect,
            goal,
            base,
            shown,
            deadline,
            started,
            at: self.now(),
            left,
            draft,
            gate: None,
            element: None,
            intended: false,
        })
    }

    #[expect(clippy::too_many_arguments, reason = "one place that fills every field once")]
    fn draft(
        &self,
        run: sidestick_model::RunId,
        act: ActId,
        ask: &ActAsk,
        expect: &Expect,
        goal: Option<GoalId>,
        base: Option<ObservationId>,
        budget: sidestick_model::outcome::BudgetSeen,
    ) -> Outcome {
        Outcome {
            run,
            act,
            action: ask.action.kind(),
            goal,
            status: Status::Unknown,
            code: None,
            fate: Fate::NotSent,
            message: String::new(),
            target: None,
            matches: Vec::new(),
            expect: expect.to_string(),
            signals: Vec::new(),
            other_changes: Vec::new(),
            effect: Effect::default(),
            page: self.page_now(),
            requests: Vec::new(),
            requests_omitted: 0,
            pending: Vec::new(),
            blocked: Vec::new(),
            blind: Vec::new(),
            verified: None,
            findings_added: Vec::new(),
            dialog: None,
            new_pages: Vec::new(),
            new_pages_omitted: 0,
            downloads: Vec::new(),
            gate: None,
            observation: ObservationSeen { id: base, base, ..ObservationSeen::default() },
            budget,
            lease: self.lease.current(),
            elapsed_ms: 0,
        }
    }

    /// Hop 2: brake, lease and epoch, stopped, budget, in this order (D30).
    fn admit(&self, act: &Act) -> Result<(), End> {
        if let Some(brake) = self.braked().filter(|_| !Seam::Brake.is_broken()) {
            let why = format!("paused by {} since {}; a person lifts it", brake.by, brake.since);
            return Err(Refusal::new(Status::Paused, Code::Braked, why).into());
        }
        let desk = self.desk();
        // An act that stands on nothing has no epoch to compare; it is told to look below.
        if act.base.is_some() {
            self.lease.hold(act.shown).map(drop)?;
        }
        let state = &desk.run.state;
        let stopped = state.head.stopped_reason.as_ref();
        if let Some(reason) = stopped.filter(|_| !Seam::StoppedRun.is_broken()) {
            let why = format!("the run was stopped: {reason}");
            return Err(Refusal::new(Status::Drift, Code::Stopped, why).into());
        }
        if state.run_cap <= state.run_used && !Seam::RunBudget.is_broken() {
            let why = format!("the run has used its {} actions", state.run_cap);
            return Err(Refusal::new(Status::BudgetExhausted, Code::RunActions, why).into());
        }
        if let Some(why) = self.time_spent().filter(|_| !Seam::RunTime.is_broken()) {
            return Err(Refusal::new(Status::BudgetExhausted, Code::RunTime, why).into());
        }
        let goal = act.goal.as_ref().and_then(|id| state.goal(id));
        let is_spent = goal.is_some_and(|goal| state.goal_cap <= goal.actions_used);
        if is_spent && !Seam::GoalBudget.is_broken() {
            let why = format!("the goal has used its {} actions", state.goal_cap);
            return Err(Refusal::new(Status::BudgetExhausted, Code::GoalActions, why).into());
        }
        let nothing = act.base.is_none().then_some("nothing was observed yet");
        let unseen = desk.must_look(&act.ask.caller).filter(|_| !Seam::LookFirst.is_broken());
        if let Some(why) = nothing.or(unseen) {
            let why = format!("look before acting: {why}");
            return Err(Refusal::new(Status::Stale, Code::LookFirst, why).into());
        }
        Ok(())
    }

    /// Hop 3: exactly one element, the one that was meant, visible and able to take the action.
    async fn resolve(&self, act: &mut Act) -> Result<Resolved, End> {
        self.unmark(&mut act.ask.action, act.base)?;
        let meaning = self.meaning(act)?;
        let ask =
            Resolve { action: &act.ask.action, meaning: meaning.as_ref(), expect: &act.expect };
        let patience = Deadline::of_limit(Duration::from_millis(act.ask.wait_ms));
        let held = self.lease.hold(act.shown).map_err(|_| self.cut_before(act))?;
        let held = held.with_caller(act.left.clone());
        let resolved = loop {
            // A page that answers nothing holds up neither a claim nor an end (I6). What was found
            // at the very moment goes on to the lease, which refuses it.
            let resolved = tokio::select! {
                biased;
                resolved = self.surface.resolve(&ask, act.deadline) => resolved,
                () = held.cut() => return Err(self.cut_before(act)),
            };
            let is_refusal = matches!(resolved, Err(SurfaceError::Refused(_)));
            if !is_refusal || patience.has_passed() || act.deadline.has_passed() {
                break resolved;
            }
            // The page says when something changed; then it is worth asking again (D8).
            tokio::select! {
                biased;
                () = held.cut() => return Err(self.cut_before(act)),
                changed = self.surface.wait("change", "", patience.within(act.deadline.left())) => {
                    if changed.is_err() {
                        // A page that cannot be waited on will not become ready either.
                        break resolved;
                    }
                }
            }
        };
        let resolved = resolved.map_err(|error| self.resolving_failed(act, error))?;
        act.draft.page = resolved.page.clone();
        if let Some(element) = &resolved.element {
            act.draft.target = Some(target_seen(element));
        }
        act.element.clone_from(&resolved.element);
        if resolved.satisfied && !Seam::AlreadySatisfied.is_broken() {
            let why = "the asked state already held; nothing was sent and nothing is proven";
            return Err(Refusal::new(Status::Satisfied, Code::AlreadySatisfied, why).into());
        }
        Ok(resolved)
    }

    /// Returns what the ref meant where the act stands, refusing pixels of an old picture.
    fn meaning(&self, act: &Act) -> Result<Option<Subject>, End> {
        let desk = self.desk();
        match act.ask.action.target() {
            Some(Target::Pixel { .. })
                if desk.newest_picture != act.base && !Seam::PictureAge.is_broken() =>
            {
                let why = "pixels hold for the newest screenshot alone; look again";
                Err(Refusal::new(Status::Stale, Code::StaleMark, why).into())
            }
            Some(Target::Ref { id }) => {
                let base = act.base.filter(|base| desk.meanings.are_known(*base));
                let base = base.ok_or_else(|| {
                    let why = "the observation is too old; look again";
                    Refusal::new(Status::Stale, Code::LookFirst, why)
                })?;
                let known = desk.meanings.of(base, id).cloned().ok_or_else(|| {
                    let why = format!("no ref `{id}` was given");
                    Refusal::new(Status::Stale, Code::UnknownRef, why)
                })?;
                Ok(Some(known))
            }
            Some(Target::Pixel { .. } | Target::Described { .. }) | None => Ok(None),
        }
    }

    /// Hop 4: policy on the element found (I2).
    fn decide(&self, act: &mut Act, resolved: &Resolved) -> Result<Decision, End> {
        let desk = self.desk();
        let mut requested: Vec<&str> =
            desk.run.state.goals.iter().map(|goal| goal.title.as_str()).collect();
        requested.extend(self.request.as_deref());
        let typed: Vec<&str> = desk.typed_names.iter().map(String::as_str).collect();
        let decision = decide::decide(&Question {
            owner: self.owner,
            actor: act.ask.actor,
            attended: self.attended,
            action: &act.ask.action,
            element: resolved.element.as_ref(),
            destination: resolved.destination.as_ref(),
            focused: resolved.focused.as_ref(),
            dialog: resolved.dialog.as_ref(),
            boundary: &self.boundary,
            policy: self.policy.as_ref(),
            page: Some(&resolved.page.url),
            annotation: None,
            is_approved: false,
            claim: act.ask.gate,
            requested_words: &requested,
            typed_names: &typed,
            login_attempts: desk.run.state.login_attempts,
        });
        act.gate.clone_from(&decision.gate);
        if let Some(approval) = &act.ask.approval {
            let id: String = approval.chars().take(64).collect();
            let why = format!("no person gave the approval `{id}`");
            return Err(Refusal::new(Status::Forbidden, Code::NotApproved, why).into());
        }
        match &decision.refusal {
            Some(refusal) => Err(refusal.clone().into()),
            None => Ok(decision),
        }
    }

    /// Fetches the secret the action names; a password goes into a field the page hides, and
    /// nowhere else (BR-196).
    fn secret_for(&self, act: &Act, resolved: &Resolved) -> Result<Option<Secret>, End> {
        let Some(Typed::Secret(name)) = act.ask.action.typed() else { return Ok(None) };
        let of_policy = self.secrets.iter().find(|(known, _)| known == name);
        let of_login = || self.credentials.as_ref().and_then(|known| known.named(name));
        let secret = of_policy.map(|(_, secret)| secret).or_else(of_login).cloned();
        let secret = secret.ok_or_else(|| {
            let why = format!("this run has no secret `{name}`");
            Refusal::new(Status::NotActionable, Code::SecretMissing, why)
        })?;
        let into = resolved.element.as_ref().or(resolved.focused.as_ref());
        let is_hidden = into.is_some_and(|element| element.is_secret);
        if self.hides(name) && !is_hidden && !Seam::SecretField.is_broken() {
            let why = "a secret goes only into a field the page hides";
            return Err(Refusal::new(Status::NotActionable, Code::NotSecretField, why).into());
        }
        Ok(Some(secret))
    }

    /// Returns whether a secret goes only into a field the page hides: all but a user name, and but
    /// those a policy says otherwise of.
    fn hides(&self, name: &str) -> bool {
        let rules = self.policy.as_ref().and_then(|policy| policy.secrets.as_ref());
        let rule = rules.and_then(|rules| rules.iter().find(|rule| rule.name == name));
        rule.map_or(name != "username", |rule| rule.is_hidden)
    }

    /// Hop 6: on disk before anything is sent; flushed when it cannot be taken back (I3).
    fn intend(&self, act: &mut Act, resolved: &Resolved, tier: Tier) -> Result<(), End> {
        let asked = asked_in_words(&act.ask.action, resolved);
        let failed = |why: String| End::Failed {
            status: Status::Error,
            code: Code::RecordFailed,
            fate: Fate::NotSent,
            message: why,
        };
        let mut desk = self.desk();
        if let Some(gate) = &act.gate {
            let line = gate_line(act, gate);
            desk.run.state.gates.push(line);
        }
        act.draft.gate.clone_from(&act.gate);
        let body = serde_json::json!({"asked": asked, "tier": tier.as_str(),
            "actor": act.ask.actor, "claim": act.ask.gate, "outcome": act.draft});
        let body = desk.redactor.value(&body).map_err(|error| failed(error.to_string()))?;
        let flush = tier != Tier::Safe;
        if let Err(error) = desk.run.intend(act.id, act.at, body, flush) {
            return Err(failed(desk.record_failed(&error).message));
        }
        act.intended = true;
        Ok(())
    }

    async fn screen_before(&self, act: &Act) -> Result<Option<Vec<u8>>, End> {
        if act.expect.kind != ExpectKind::Screen {
            return Ok(None);
        }
        let held = self.lease.hold(act.shown).map_err(|_| self.cut_before(act))?;
        let held = held.with_caller(act.left.clone());
        let taken = tokio::select! {
            biased;
            taken = self.surface.picture(&[], false, act.deadline) => taken,
            () = held.cut() => return Err(self.cut_before(act)),
        };
        let picture = taken.map_err(|error| self.resolving_failed(act, error))?;
        Ok(picture.png.map(sidestick_policy::Redacted::into_inner))
    }

    async fn compare_screens(&self, act: &Act, before: Option<Vec<u8>>, settled: &mut Settled) {
        let Some(before) = before else { return };
        let Ok(picture) = self.surface.picture(&[], false, act.deadline).await else { return };
        let Some(after) = picture.png else { return };
        if sidestick_evidence::report::changed_region(&before, after.get()).is_some() {
            settled.signals.push(Signal::Screen);
        }
    }

    async fn settle(
        &self,
        act: &mut Act,
        permit: &Permit,
        performed: &Performed,
    ) -> Result<Settled, End> {
        if let (Some(target), Some(point)) = (act.draft.target.as_mut(), performed.point) {
            target.point = Some(point);
        }
        act.draft.effect.method = Some(performed.method.to_owned());
        let ask = SettleAsk {
            action: permit.action(),
            element: permit.resolved().element.as_ref(),
            expect: permit.expect(),
            text: permit.text(),
            is_secret: matches!(
                permit.action().typed(),
                Some(Typed::Secret(_) | Typed::Sensitive(_))
            ),
            uploads: permit.uploads(),
            performed,
        };
        let settled = tokio::select! {
            biased;
            settled = self.surface.settle(&ask, permit.held(), act.deadline) => settled,
            () = permit.held().cut() => {
                Err(SurfaceError::Cut { sent: "the whole action".to_owned(), fate: Fate::Unknown })
            }
        };
        settled.map_err(|error| {
            // Input is out: whatever stops the looking, the answer is that nobody knows (I5).
            let error = error.after_dispatch();
            self.desk().demand_look("the last act may have reached the page");
            let (code, message) = (error.code(), error.to_string());
            End::Failed { status: Status::Unknown, code, fate: Fate::Unknown, message }
        })
    }

    fn resolving_failed(&self, act: &Act, error: SurfaceError) -> End {
        match error {
            SurfaceError::Refused(refusal) => End::Refused(*refusal),
            SurfaceError::Cut { .. } => self.cut_before(act),
            error => {
                self.after_unknown(&error);
                End::Failed {
                    status: Status::Error,
                    code: error.code(),
                    fate: Fate::NotSent,
                    message: error.to_string(),
                }
            }
        }
    }

    fn performing_failed(&self, act: &Act, error: SurfaceError) -> End {
        match error {
            SurfaceError::Refused(refusal) => End::Refused(*refusal),
            SurfaceError::Cut { fate: Fate::NotSent, .. } => self.cut_before(act),
            error => {
                self.after_unknown(&error);
                failure(error)
            }
        }
    }

    /// The act was cut before anything was sent: by a brake, or by a claim.
    fn cut_before(&self, act: &Act) -> End {
        if let Some(brake) = self.braked() {
            let why = format!("paused by {} before anything was sent", brake.by);
            return Refusal::new(Status::Paused, Code::Braked, why).into();
        }
        match self.lease.hold(act.shown) {
            Err(refusal) => refusal.into(),
            Ok(_) => Refusal::new(
                Status::LeaseLost,
                Code::Interrupted,
                "the caller left before anything was sent",
            )
            .into(),
        }
    }

    /// After a crash or an unknown end every caller has to look before it acts (INTERFACE).
    fn after_unknown(&self, error: &SurfaceError) {
        let why = match error {
            SurfaceError::PageCrashed { .. } => "the page crashed",
            _ if error.fate() == Fate::Unknown => "the last act may have reached the page",
            _ => return,
        };
        self.desk().demand_look(why);
    }

    /// Hops 8 and 9: where it ended up, and the conclusion on disk, whatever happened.
    async fn conclude(&self, act: Act, ended: Result<Settled, End>) -> Result<Outcome, DoorError> {
        let action = act.ask.action.clone();
        let mut outcome = act.draft.clone();
        let mut fresh_document = false;
        let mut lasting = false;
        match ended {
            Ok(settled) => {
                fresh_document = settled.new_document;
                lasting = is_lasting(&settled);
                fill_in(&mut outcome, &act.expect, settled);
            }
            Err(End::Refused(refusal)) => self.refused(&act, &mut outcome, refusal),
            Err(End::Failed { status, code, fate, message }) => {
                (outcome.status, outcome.code) = (status, Some(code));
                (outcome.fate, outcome.message) = (fate, message);
            }
        }
        let dispatched = outcome.fate != Fate::NotSent;
        if dispatched {
            self.after_dispatch(&act, &mut outcome).await;
            self.desk().charge(act.goal.as_ref());
            self.desk().name_typed(&action);
            self.login_after(&act, &action, &outcome).await;
            self.observe_after(&act, &mut outcome, fresh_document).await;
        }
        self.write_down(&act, &mut outcome)?;
        let mut desk = self.desk();
        if outcome.status.dispatched() == Some(true) {
            desk.last_dispatched = Some(act.id);
        }
        if dispatched {
            // What comes now is of another act, or of one that nobody can be sure of.
            let known = outcome.fate == Fate::Sent && !fresh_document;
            desk.late_of = known.then(|| (act.id, Instant::now()));
        }
        let proof = Proof::new(&outcome, lasting);
        desk.proofs.insert(act.id.0, proof);
        drop(desk);
        Ok(outcome)
    }

    /// The boundary and the findings after a dispatch.
    async fn after_dispatch(&self, act: &Act, outcome: &mut Outcome) {
        let outside = self.landed(Self::read_deadline()).await;
        if let Some(first) = outside.first() {
            outcome.message =
                format!("{}; the page left its boundary for {first}", outcome.message);
            outcome.blocked.extend(outside.iter().cloned());
            outcome.code = Some(Code::LeftBoundary);
        }
        let (events, _) = self.surface.events();
        let now = self.now();
        let mut desk = self.desk();
        desk.take_downloads(&events, now, Some(act.id), &outcome.downloads);
        desk.fill_in_downloads(&mut outcome.downloads);
        let added = desk.take_events(&events, act.goal.as_ref(), Some(act.id));
        outcome.findings_added = added;
        desk.say_who_opened(outcome.dialog.as_mut(), act.id);
        desk.link_requests(&mut outcome.requests);
    }

    fn refused(&self, act: &Act, outcome: &mut Outcome, refusal: Refusal) {
        outcome.status = refusal.status;
        outcome.code = refusal.code;
        outcome.message = refusal.message;
        outcome.matches = refusal.matches;
        // What is listed to the caller is given: it can be named by its ref from now on.
        let listed = outcome.matches.iter().map(|other| (other.id.clone(), other.subject.clone()));
        self.desk().meanings.note(listed);
        outcome.fate = Fate::NotSent;
        outcome.gate.clone_from(&act.gate);
        if outcome.code == Some(Code::DialogOpen) {
            self.tell_dialog(act, outcome);
        }
        if outcome.status == Status::NotVisible {
            let target = outcome.target.as_ref();
            let name = target.and_then(|t| t.name.clone()).unwrap_or_else(|| "an element".into());
            let id = target.map(|target| target.id.clone()).unwrap_or_default();
            let why = outcome.code.map_or("unknown", Code::as_str);
            let what = format!(
                "{} can be reached by programs but not seen by a person ({why})",
                crate::outline::quote(&name)
            );
            let goal = act.goal.as_ref();
            let key = format!("visibility:{id}:{}", goal.map_or("", |goal| goal.as_str()));
            let added = self.note_invisible(goal, act.id, act.base, &what, key);
            outcome.findings_added.extend(added);
        }
        let mut desk = self.desk();
        if outcome.status == Status::GateRequired {
            if let Some(gate) = &act.gate {
                let line = gate_line(act, gate);
                desk.run.state.gates.push(line);
            }
            let shot = act.base.and_then(|id| desk.run.state.observation(id));
            let shot = shot.and_then(|line| line.screenshot.clone());
            desk.add_evidence(act.goal.as_ref(), shot.as_ref());
        }
    }

    /// A dialog that stands in the way is told like one that just opened.
    fn tell_dialog(&self, act: &Act, outcome: &mut Outcome) {
        let (events, _) = self.surface.events();
        let now = self.now();
        let mut desk = self.desk();
        desk.take_downloads(&events, now, None, &[]);
        outcome.findings_added = desk.take_events(&events, act.goal.as_ref(), None);
        outcome.dialog.clone_from(&desk.dialog);
    }

    /// Counts a login attempt when the password field is still there after the submit (VR-165).
    async fn login_after(&self, act: &Act, action: &Action, outcome: &Outcome) {
        let fills_password =
            matches!(action.typed(), Some(Typed::Secret(name)) if self.hides(name));
        if fills_password {
            let subject = outcome.target.as_ref().map(|target| Subject {
                role: target.role.clone(),
                name: target.name.clone(),
                ..Subject::default()
            });
            self.desk().login_pending = subject;
            return;
        }
        let Some(pending) = self.desk().login_pending.clone() else { return };
        if !decide::submits_login(action, act.element.as_ref(), outcome) {
            return;
        }
        let ask = sidestick_model::call::FindAsk {
            role: Some(pending.role.clone()),
            name: pending.name.clone(),
            limit: limits::MATCHES_MAX,
            ..sidestick_model::call::FindAsk::default()
        };
        let found = self.surface.find(&ask, Self::read_deadline()).await;
        // A page that cannot be read, or an end nobody knows, counts as an attempt (I9).
        let is_there = match found {
            Ok((matches, _)) => {
                matches.iter().any(|found| found.states.iter().any(|state| state == "secret"))
            }
            Err(_) => true,
        };
        let is_there = is_there || outcome.fate == Fate::Unknown;
        let mut desk = self.desk();
        desk.login_pending = None;
        if is_there {
            desk.run.state.login_attempts = desk.run.state.login_attempts.saturating_add(1);
        }
    }

    /// Gives the act its observation: a number and a picture to come, and the outline when the
    /// caller asked for it or a new document is shown.
    async fn observe_after(&self, act: &Act, outcome: &mut Outcome, fresh_document: bool) {
        let wants_outline = act.ask.full || fresh_document;
        let looking = crate::surface::Looking {
            max_chars: limits::OUTLINE_CHARS,
            ..crate::surface::Looking::default()
        };
        let known = outcome.fate == Fate::Sent;
        let reading = if wants_outline && known {
            self.surface.observe(&looking, act.deadline.within(limits::READ_TIME_MAX)).await.ok()
        } else {
            None
        };
        // It carries the epoch the act was admitted in: nothing fills in a newer one for a caller.
        let (now, epoch) = (self.now(), act.shown.epoch);
        let mut desk = self.desk();
        let goal = act.goal.clone();
        let id = desk.new_observation(now, epoch, goal, Some(act.id), reading.as_ref());
        let mut outline = None;
        let mut omitted = sidestick_model::observation::Omitted::default();
        if let Some(reading) = &reading
            && let Ok((text, left)) = desk.write_outline(id, reading, &looking, "")
        {
            (outline, omitted) = (Some(text), left);
        } else if let Some(line) = desk.observation_mut(id) {
            line.url = redact::address(&outcome.page.url).unwrap_or_default();
        }
        outcome.observation = desk.seen(id, act.base, omitted);
        outcome.observation.outline = outline;
        outcome.observation.screenshot = Some(format!("shots/{id}.png"));
        desk.shown.insert(act.ask.caller.clone(), id);
    }

    /// The conclusion, or the refusal, and the state, on disk.
    fn write_down(&self, act: &Act, outcome: &mut Outcome) -> Result<(), DoorError> {
        let now = self.now();
        let mut desk = self.desk();
        let desk = &mut *desk;
        outcome.budget = desk.budget(act.goal.as_ref());
        outcome.lease = self.lease.current();
        outcome.elapsed_ms = u64::try_from(act.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        outcome.page.url = redact::address(&outcome.page.url).unwrap_or_default();
        let mut told = outcome.clone();
        told.observation.outline = None;
        let mut body = serde_json::json!({"outcome": told});
        if !act.intended {
            let asked = asked_in_words(&act.ask.action, &Resolved::default());
            body = serde_json::json!({"outcome": told, "asked": asked});
        }
        let written = match desk.redactor.value(&body) {
            Ok(body) if act.intended => desk.run.conclude(act.id, now, body),
            Ok(body) => desk.run.refuse(act.id, act.at, body),
            Err(_) => Err(sidestick_evidence::RunError::Redaction),
        };
        if let Err(error) = written.and_then(|()| desk.run.save(&desk.redactor)) {
            // The act happened or did not; either way its record is gone, and so is the run.
            let failed = desk.record_failed(&error);
            (outcome.status, outcome.code) = (Status::Error, Some(Code::RecordFailed));
            outcome.message = format!("{}; {}", failed.message, outcome.message);
        }
        Ok(())
    }
}

/// A failure after a permit was used: known to be sent, known not to be, or unknown (I5).
fn failure(error: SurfaceError) -> End {
    let (code, fate) = (error.code(), error.fate());
    let was_cut = matches!(error, SurfaceError::Cut { .. });
    let status = match fate {
        Fate::Unknown => Status::Unknown,
        Fate::Sent if was_cut => Status::Unknown,
        Fate::NotSent | Fate::Sent => Status::Error,
    };
    End::Failed { status, code, fate, message: error.to_string() }
}

/// Remembers sensitive text for redaction, before anything can show it.
fn remember_typed(desk: &mut crate::desk::Desk, action: &Action) -> Result<(), DoorError> {
    let text = match action.typed() {
        Some(Typed::Public(text) | Typed::Sensitive(text)) => text,
        Some(Typed::Secret(_)) | None => return Ok(()),
    };
    if limits::TYPED_CHARS_MAX < text.chars().count() {
        let why = format!("more than {} characters", limits::TYPED_CHARS_MAX);
        return Err(DoorError::new(DoorCode::TextTooLong, why));
    }
    match action.typed() {
        Some(Typed::Sensitive(text)) => desk.redactor.remember_typed(text),
        Some(Typed::Public(_) | Typed::Secret(_)) | None => {}
    }
    Ok(())
}

fn gate_line(act: &Act, gate: &GateSeen) -> GateLine {
    GateLine {
        observation_id: act.base,
        act: act.id,
        subject: gate.subject.clone(),
        word: gate.word.clone(),
        pattern: gate.pattern.clone(),
        tier: gate.tier.clone(),
        gate: gate.gate.clone(),
    }
}
