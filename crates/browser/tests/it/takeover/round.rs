//! One round: something is under way, somebody takes over, and what came of it is judged.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use sidestick_browser::OnWire;
use sidestick_evidence::verify;
use sidestick_gate::Surface as _;
use sidestick_model::call::{ActAsk, Answer, Call, DoorCode};
use sidestick_model::observation::Scope;
use sidestick_model::outcome::{Code, Fate};
use sidestick_model::{Action, Actor, Outcome, RunId, Status, limits};

use super::activity::{Activity, Record, read_record};
use super::judge::{Judged, judge};
use crate::bench::Bench;

/// An act that was cut concludes before this; a page that is blocked does not hold it.
const CONCLUDES_MAX: Duration = Duration::from_millis(2_500);
/// An end is over before this, whatever the page does.
const ENDS_MAX: Duration = Duration::from_secs(18);

/// How somebody takes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Claim,
    Pause,
    Stop,
    End,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Claim => "claim",
            Kind::Pause => "pause",
            Kind::Stop => "stop",
            Kind::End => "end",
        }
    }
}

/// When.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Moment {
    /// So long after it was asked for.
    After(Duration),
    /// When so many messages that can change the application have begun to go out.
    Messages(u64),
}

/// What an activity is when nobody disturbs it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Natural {
    pub(crate) time: Duration,
    pub(crate) messages: u64,
}

/// Where in the activity the moment fell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Position {
    Before,
    Middle,
    After,
}

#[derive(Debug)]
pub(crate) struct Round {
    pub(crate) activity: Activity,
    pub(crate) kind: Kind,
    pub(crate) moment: Moment,
    pub(crate) block: Duration,
}

/// What came of it.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) judged: Judged,
    pub(crate) position: Position,
    /// From the call until nothing old can be written any more.
    pub(crate) acknowledged: Duration,
    /// From the call until it returned.
    pub(crate) returned: Duration,
    /// From the acknowledgement until the act concluded.
    pub(crate) concluded: Duration,
    pub(crate) told: Answer,
    /// Whether the page answered nothing when it was acknowledged.
    pub(crate) was_blocked: bool,
    requests_before: usize,
}

/// An act under way: its answer, and when it came.
type UnderWay = JoinHandle<(Answer, Instant)>;

fn asking(bench: &Arc<Bench>, action: Action) -> UnderWay {
    let bench = Arc::clone(bench);
    let ask = ActAsk::new(action, Actor::Agent, "test");
    tokio::spawn(async move { (bench.ask(Call::Act(Box::new(ask))).await, Instant::now()) })
}

/// Waits a moment of real time: the moment is what the round is about.
async fn moment(time: Duration) {
    let _ = tokio::time::timeout(time, std::future::pending::<()>()).await;
}

/// Brings the agent back into a session it lost, which takes a look.
async fn back_in(bench: &Bench) -> Vec<String> {
    let mut wrong = Vec::new();
    if bench.session.braked().is_some() {
        let released = bench.ask(Call::Release { by: "test".into() }).await;
        assert_eq!(released, Answer::Braked { paused: false });
    }
    if bench.lease.current().holder != Actor::Agent {
        bench.lease.advance(Actor::Agent);
    }
    let unseen = bench.act(Action::Reload).await;
    if unseen.fate != Fate::NotSent {
        wrong.push(format!("acted on without a look: {}", unseen.message));
    }
    bench.observe(Scope::Viewport).await;
    wrong
}

/// Shows the page afresh: acting works.
async fn show(bench: &Bench, activity: Activity, block: Duration) -> Vec<String> {
    let url = activity.address(bench, block);
    let shown = bench.act(Action::Navigate { url }).await;
    match shown.status {
        Status::Observed => Vec::new(),
        status => vec![format!("the page cannot be shown: {} {}", status.as_str(), shown.message)],
    }
}

/// Measures an activity that nobody disturbs.
pub(crate) async fn uncut(bench: &Arc<Bench>, activity: Activity) -> Natural {
    assert_eq!(show(bench, activity, Duration::ZERO).await, Vec::<String>::new());
    let acts = bench.session.surface().acts_written();
    let started = Instant::now();
    let outcome = bench.act(activity.action(bench)).await;
    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    let messages = bench.session.surface().acts_written() - acts;
    Natural { time: started.elapsed(), messages }
}

impl Round {
    /// Has something under way and takes over in the middle of it.
    pub(crate) async fn run(&self, bench: &Arc<Bench>) -> Taken {
        let mut wrong = show(bench, self.activity, self.block).await;
        let surface = bench.session.surface();
        drop(surface.take_wire_record());
        let requests_before = bench.site.requests().len();
        let old = bench.lease.current().epoch;
        let written = surface.acts_written();
        let act = asking(bench, self.activity.action(bench));
        self.wait_for_it(&act, || surface.acts_written() - written).await;

        let had_ended = act.is_finished();
        let mut entries = Vec::new();
        let started = Instant::now();
        let acknowledged = self.take_over(bench, &mut entries).await;
        let returned = started.elapsed();
        let was_blocked = self.is_blocked(bench).await;
        let told = tokio::time::timeout(CONCLUDES_MAX + limits::ACTION_TIME, act).await;
        let (told, told_at) = told.unwrap_or_else(|_| panic!("never concluded")).unwrap();
        let concluded = told_at.saturating_duration_since(started + acknowledged);
        if CONCLUDES_MAX < concluded {
            wrong.push(format!("the act concluded {concluded:?} after the acknowledgement"));
        }
        entries.extend(surface.take_wire_record());
        let mut judged = judge(&entries, old);
        judged.wrong.append(&mut wrong);
        let position = match (had_ended, judged.before) {
            (true, _) => Position::After,
            (false, 0) => Position::Before,
            (false, _) => Position::Middle,
        };
        Taken {
            judged,
            position,
            acknowledged,
            returned,
            concluded,
            told,
            was_blocked,
            requests_before,
        }
    }

    async fn wait_for_it(&self, act: &UnderWay, written: impl Fn() -> u64) {
        match self.moment {
            Moment::After(time) => moment(time).await,
            Moment::Messages(count) => {
                let until = Instant::now() + Duration::from_secs(3);
                while written() < count && !act.is_finished() && Instant::now() < until {
                    tokio::task::yield_now().await;
                }
            }
        }
    }

    /// Takes over and returns how long it took until nothing old can be written.
    async fn take_over(&self, bench: &Arc<Bench>, entries: &mut Vec<OnWire>) -> Duration {
        let started = Instant::now();
        let call = match self.kind {
            Kind::Claim => {
                bench.lease.advance(Actor::Human);
                bench.session.surface().quiet().await;
                return started.elapsed();
            }
            Kind::Pause => Call::Pause { by: "test".into(), why: None },
            Kind::Stop => Call::Stop { by: "test".into() },
            Kind::End => Call::End { keep_open: false },
        };
        let asked = {
            let bench = Arc::clone(bench);
            tokio::spawn(async move { bench.ask(call).await })
        };
        if self.kind == Kind::Pause {
            assert_eq!(asked.await.unwrap(), Answer::Braked { paused: true });
            return started.elapsed();
        }
        // The verb goes on with its cleanup; that the wire is quiet is seen on the wire.
        let mut acknowledged = None;
        while acknowledged.is_none() && !asked.is_finished() {
            let news = bench.session.surface().take_wire_record();
            if news.contains(&OnWire::Quiet) {
                acknowledged = Some(started.elapsed());
            }
            entries.extend(news);
            tokio::task::yield_now().await;
        }
        let answer = asked.await.unwrap();
        assert!(matches!(answer, Answer::End(_)), "{answer:?}");
        acknowledged.unwrap_or_else(|| started.elapsed())
    }

    async fn is_blocked(&self, bench: &Bench) -> bool {
        let is_over = matches!(self.kind, Kind::Stop | Kind::End);
        if is_over || !matches!(self.activity, Activity::Blocked(_)) {
            return false;
        }
        let soon = sidestick_model::Deadline::of_limit(Duration::from_millis(150));
        bench.session.surface().text(None, 100, soon).await.is_err()
    }

    /// Judges a round after which the session goes on.
    pub(crate) async fn judge_after(&self, bench: &Bench, taken: &Taken) -> Vec<String> {
        let mut wrong = back_in(bench).await;
        let mut record = read_record(bench).await;
        let until = Instant::now() + Duration::from_secs(3);
        let is_even = |record: &Record| {
            record.held.is_empty() && record.down == record.up && record.keydown == record.keyup
        };
        // What was written is on its way for a moment.
        while record.as_ref().is_some_and(|record| !is_even(record)) && Instant::now() < until {
            moment(Duration::from_millis(20)).await;
            record = read_record(bench).await;
        }
        if let Some(record) = record.as_ref().filter(|record| !is_even(record)) {
            wrong.push(format!("the page holds something down: {record:?}"));
        }
        let requests = bench.site.requests().len() - taken.requests_before;
        wrong.extend(self.judge_told(taken, record.as_ref(), requests));
        self.name(taken, wrong)
    }

    /// Judges a round that ended the run.
    pub(crate) async fn judge_end(&self, bench: &Bench, taken: &Taken) -> Vec<String> {
        let mut wrong = left_behind(bench);
        let requests = bench.site.requests().len() - taken.requests_before;
        wrong.extend(self.judge_told(taken, None, requests));
        if ENDS_MAX < taken.returned {
            wrong.push(format!("it took {:?} to end", taken.returned));
        }
        self.name(taken, wrong)
    }

    /// Judges what the cut act was told against the wire and the page's own record.
    fn judge_told(&self, taken: &Taken, record: Option<&Record>, requests: usize) -> Vec<String> {
        let sent = taken.judged.before;
        let outcome = match &taken.told {
            Answer::Act(outcome) => outcome,
            Answer::Refused(error) if error.error == DoorCode::RunEnded && sent == 0 => {
                return Vec::new();
            }
            other => return vec![format!("after {sent} message(s) it was told {other:?}")],
        };
        let said =
            || format!("told {} {:?}: {}", outcome.status.as_str(), outcome.fate, outcome.message);
        let mut wrong = Vec::new();
        match (outcome.status, outcome.fate) {
            (Status::Paused | Status::LeaseLost, Fate::NotSent) => {
                if sent != 0 {
                    wrong.push(format!("{sent} message(s) had gone out, and it was {}", said()));
                }
                if record.is_some_and(|record| *record != Record::default()) || requests != 0 {
                    wrong
                        .push(format!("{record:?} {requests} reached the page; it was {}", said()));
                }
            }
            (Status::Unknown | Status::Partial, Fate::Unknown | Fate::Sent) => {
                if sent == 0 {
                    wrong.push(format!("nothing had gone out, and it was {}", said()));
                }
            }
            (Status::Observed, Fate::Sent) => {
                // The record is gone with the page when another document is shown.
                let nothing = Record::default();
                let is_known = record.is_some() || self.activity == Activity::Navigate;
                let record = record.unwrap_or(&nothing);
                if is_known && !self.activity.is_complete(record, requests) {
                    wrong
                        .push(format!("{record:?} {requests} reached the page; it was {}", said()));
                }
            }
            _ => wrong.push(format!("it was {}", said())),
        }
        wrong
    }

    fn name(&self, taken: &Taken, wrong: Vec<String>) -> Vec<String> {
        let named = |what| format!("{:?} {:?}: {what}", self, taken.position);
        wrong.into_iter().chain(taken.judged.wrong.iter().cloned()).map(named).collect()
    }
}

/// Returns what is left of a run that has ended, and what is wrong with its record.
pub(crate) fn left_behind(bench: &Bench) -> Vec<String> {
    let mut wrong = Vec::new();
    let run = RunId::parse("20261201T101500-ab12").unwrap();
    let verified = verify::verify(&bench.run_dir(), &run, None).unwrap();
    wrong.extend(verified.problems);
    for told in bench.told.lock().unwrap().iter() {
        let profile = told["profile"].as_str().unwrap_or_default().to_owned();
        if std::path::Path::new(&profile).exists() {
            wrong.push(format!("the profile {profile} is left"));
        }
        if let Some(group) = told["group"].as_u64() {
            wrong.extend(members(group).into_iter().map(|pid| format!("process {pid} is left")));
        }
    }
    wrong
}

/// Returns the living processes of a process group.
fn members(group: u64) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        let Some((_, fields)) = stat.rsplit_once(") ") else { continue };
        let fields: Vec<&str> = fields.split(' ').collect();
        if fields[2] == group.to_string() && fields[0] != "Z" {
            found.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    found
}

/// What an outcome is counted under.
pub(crate) fn word(told: &Answer) -> String {
    match told {
        Answer::Act(outcome) => {
            let Outcome { status, code, .. } = outcome.as_ref();
            match code {
                Some(code) => format!("{} {}", status.as_str(), Code::as_str(*code)),
                None => status.as_str().to_owned(),
            }
        }
        Answer::Refused(error) => format!("refused {}", error.error.as_str()),
        other => format!("{other:?}"),
    }
}
