//! A session on the bench: a surface, a run folder that goes away with it, and both ends in hand.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::watch;

use sidestick_evidence::{RecordKey, Run, RunState, StateRoot};
use sidestick_gate::{Lease, Opening, Session, Surface};
use sidestick_model::call::{ActAsk, Answer, Call, DoorError, ObserveAnswer, ObserveAsk};
use sidestick_model::record::{Owner, RunHead, SurfaceKind};
use sidestick_model::{Action, Actor, Clock, GoalId, Outcome, RunId, Target, limits};
use sidestick_policy::{Boundary, Credentials, Redacted, Redactor, Secret};

use crate::clock::FixedClock;
use crate::fake::FakeSurface;

/// The caller of asks that name none.
pub const CALLER: &str = "agent";

/// What a run begins with.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the options of `begin` in INTERFACE")]
pub struct Setup {
    pub target: String,
    pub owner: Owner,
    pub attended: bool,
    pub request: Option<String>,
    pub allow: Vec<String>,
    pub run_cap: u32,
    pub goal_cap: u32,
    pub goals: Vec<(&'static str, &'static str)>,
    /// User name and password.
    pub credentials: Option<(&'static str, &'static str)>,
    /// Login attempts already made.
    pub login_attempts: u32,
    /// Why the run is already stopped.
    pub stopped: Option<&'static str>,
    /// The text of a policy file.
    pub policy: Option<&'static str>,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            target: "https://app.example/".to_owned(),
            owner: Owner::Yours,
            attended: false,
            request: None,
            allow: Vec::new(),
            run_cap: limits::RUN_ACTIONS,
            goal_cap: limits::GOAL_ACTIONS,
            goals: vec![("g1", "save the profile"), ("g2", "look around")],
            credentials: None,
            login_attempts: 0,
            stopped: None,
            policy: None,
        }
    }
}

impl Setup {
    fn state(&self, run: RunId, started: String) -> RunState {
        let head = RunHead {
            run_id: run,
            target: self.target.clone(),
            surface: SurfaceKind::Web,
            owner: self.owner,
            attended: self.attended,
            request: self.request.clone(),
            driver: "fake".to_owned(),
            driver_version: "1".to_owned(),
            sandbox: true,
            allow: self.allow.clone(),
            upload_roots: Vec::new(),
            authority: "cooperative".to_owned(),
            egress: "open".to_owned(),
            started,
            ended: None,
            stopped_reason: self.stopped.map(str::to_owned),
            recovered: false,
            expect_failures: Vec::new(),
            emulation: sidestick_model::emulation::Emulation::default(),
            policy: None,
            test_overrides: Vec::new(),
        };
        let mut state = RunState::new(head, self.run_cap, self.goal_cap);
        state.login_attempts = self.login_attempts;
        state
    }
}

/// An open session.
#[derive(Debug)]
pub struct Bench<S = FakeSurface> {
    /// The session.
    pub session: Session<S>,
    /// Its lease, to claim it as a person's door does.
    pub lease: Lease,
    /// Its clock.
    pub clock: Arc<FixedClock>,
    /// Its run.
    pub run: RunId,
    root: StateRoot,
    _home: TempDir,
}

/// Opens a session over a fake surface and takes the first look.
pub async fn begun(surface: &FakeSurface, setup: Setup) -> Bench {
    let goals = setup.goals.clone();
    let bench = Bench::open(surface.clone(), setup);
    bench.begin(&goals).await.unwrap();
    bench
}

impl<S: Surface> Bench<S> {
    /// Opens the session of a new run; nothing has been looked at yet.
    pub fn open(surface: S, setup: Setup) -> Bench<S> {
        let home = tempfile::tempdir().unwrap();
        let root = StateRoot::open(&home.path().join(".sidestick")).unwrap();
        let run = RunId::parse("20261201T101500-ab12").unwrap();
        let clock = Arc::new(FixedClock::default());
        let secret = |text: &str| Secret::new(text);
        let credentials = setup.credentials.map(|(username, password)| Credentials {
            username: secret(username),
            password: secret(password),
        });
        let started = sidestick_evidence::run::written(clock.now());
        let state = setup.state(run.clone(), started);
        let mut redactor = Redactor::default();
        if let Some((username, password)) = setup.credentials {
            redactor.remember(username);
            redactor.remember(password);
        }
        let policy = setup.policy.map(|text| sidestick_policy::load::policy(text).unwrap());
        let record = Run::create(&root, state, key(), &redactor).unwrap();
        let lease = Lease::new(Actor::Agent);
        let session = Session::open(Opening {
            surface,
            run: record,
            redactor,
            clock: Arc::clone(&clock) as _,
            boundary: match &policy {
                Some(policy) => Boundary::of(policy, &setup.target, &setup.allow).unwrap(),
                None => Boundary::around(&setup.target, &setup.allow).unwrap(),
            },
            credentials,
            lease: lease.clone(),
        })
        .with_policy(policy, Vec::new());
        Bench { session, lease, clock, run, root, _home: home }
    }

    /// Registers the goals and takes the first look.
    ///
    /// # Errors
    ///
    /// As [`Session::begin`].
    pub async fn begin(&self, goals: &[(&str, &str)]) -> Result<(), DoorError> {
        let goals = goals.iter().map(|(id, title)| (goal(id), (*title).to_owned()));
        self.session.begin(goals.collect()).await.map(drop)
    }

    /// Asks anything.
    pub async fn call(&self, call: Call) -> Answer {
        self.sealed(call).await.into_inner()
    }

    /// Asks anything, and keeps the answer as it would leave the session.
    pub async fn sealed(&self, call: Call) -> Redacted<Answer> {
        let (_stay, left) = watch::channel(false);
        self.session.answer(call, left).await
    }

    /// Acts.
    pub async fn act(&self, ask: ActAsk) -> Outcome {
        match self.call(Call::Act(Box::new(ask))).await {
            Answer::Act(outcome) => *outcome,
            other => panic!("an act was answered with {other:?}"),
        }
    }

    /// Acts where a contract violation or the end of the run must refuse.
    pub async fn refused(&self, call: Call) -> DoorError {
        match self.call(call).await {
            Answer::Refused(error) => error,
            other => panic!("a call that must be refused was answered with {other:?}"),
        }
    }

    /// Looks, as [`CALLER`].
    pub async fn look(&self) -> ObserveAnswer {
        self.look_as(CALLER).await
    }

    /// Looks.
    pub async fn look_as(&self, caller: &str) -> ObserveAnswer {
        match self.call(Call::Observe(observe(caller))).await {
            Answer::Observe(answer) => *answer,
            other => panic!("a look was answered with {other:?}"),
        }
    }

    /// Brakes.
    pub async fn pause(&self) -> Answer {
        self.call(Call::Pause { by: "pat".to_owned(), why: None }).await
    }

    /// Lifts the brake.
    pub async fn release(&self) -> Answer {
        self.call(Call::Release { by: "pat".to_owned() }).await
    }

    /// Ends the run.
    pub async fn end(&self) -> Answer {
        self.call(Call::End { keep_open: false }).await
    }

    /// Returns the run folder.
    pub fn dir(&self) -> PathBuf {
        self.root.run_dir(&self.run)
    }

    /// Returns the lines of the trace.
    pub fn trace(&self) -> Vec<Value> {
        lines(&self.dir().join("trace.jsonl"))
    }

    /// Returns the lines of one kind for one act, by its written id.
    pub fn lines_of(&self, kind: &str, act: &str) -> usize {
        let is_it = |line: &&Value| {
            line.get("kind").is_some_and(|k| k == kind) && line.get("act").is_some_and(|a| a == act)
        };
        self.trace().iter().filter(is_it).count()
    }

    /// Fills the trace to the last byte its file system can hold, so that no line fits any more.
    pub fn fill_trace(&self) -> Filled {
        fill(&self.dir().join("trace.jsonl"))
    }
}

/// A file nothing more can be appended to, until this is dropped.
#[derive(Debug)]
pub struct Filled {
    path: PathBuf,
    length: u64,
}

/// Fills a file to the last byte its file system can hold, with a hole that takes no room.
pub fn fill(path: &std::path::Path) -> Filled {
    let file = std::fs::File::options().write(true).open(path).unwrap();
    let length = file.metadata().unwrap().len();
    let (mut fits, mut too_long) = (length, 1 << 63);
    while fits + 1 < too_long {
        let between = fits + (too_long - fits) / 2;
        match file.set_len(between) {
            Ok(()) => fits = between,
            Err(_) => too_long = between,
        }
    }
    file.set_len(fits).unwrap();
    Filled { path: path.to_owned(), length }
}

impl Drop for Filled {
    fn drop(&mut self) {
        let file = std::fs::File::options().write(true).open(&self.path).unwrap();
        file.set_len(self.length).unwrap();
    }
}

/// Returns the key records on the bench are signed with.
pub fn key() -> RecordKey {
    RecordKey::from_seed([7; 32])
}

/// Reads a file of JSON lines.
pub fn lines(path: &std::path::Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Makes a goal id.
pub fn goal(id: &str) -> GoalId {
    GoalId::parse(id).unwrap()
}

/// Makes an act asked for by [`CALLER`].
pub fn ask(action: Action) -> ActAsk {
    ActAsk::new(action, Actor::Agent, CALLER)
}

/// Makes a click on a ref.
pub fn click(id: &str) -> ActAsk {
    ask(Action::Click { target: Target::Ref { id: id.to_owned() } })
}

/// Makes a look at the viewport.
pub fn observe(caller: &str) -> ObserveAsk {
    ObserveAsk::new(Actor::Agent, caller)
}
