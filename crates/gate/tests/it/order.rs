//! The order of checks (D30): when two reasons to refuse hold, the earlier one is told.

use sidestick_model::action::{Action, DialogAnswer, Typed};
use sidestick_model::call::{ActAsk, Call, DoorCode};
use sidestick_model::observation::{DialogState, Ready, Visible};
use sidestick_model::outcome::{Code, Status};
use sidestick_model::{Actor, Target};
use sidestick_testkit::bench::begun;
use sidestick_testkit::{Bench, FakeSurface, Hop, Setup, ask};

/// Every reason, in the order in which it is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    Ended,
    Braked,
    LeaseLost,
    Stopped,
    OutOfBudget,
    LookFirst,
    UnknownRef,
    Changed,
    Hidden,
    Disabled,
    OutsideBoundary,
    LoginLimit,
    NoDismissal,
    Gated,
}

use Reason::*;

const ALL: [Reason; 14] = [
    Ended,
    Braked,
    LeaseLost,
    Stopped,
    OutOfBudget,
    LookFirst,
    UnknownRef,
    Changed,
    Hidden,
    Disabled,
    OutsideBoundary,
    LoginLimit,
    NoDismissal,
    Gated,
];

impl Reason {
    /// What the act must be told; none for the end of the run, which is no outcome.
    fn told(self) -> Option<(Status, Option<Code>)> {
        let (status, code) = match self {
            Ended => return None,
            Braked => (Status::Paused, Some(Code::Braked)),
            LeaseLost => (Status::LeaseLost, Some(Code::OtherHolder)),
            Stopped => (Status::Drift, Some(Code::Stopped)),
            OutOfBudget => (Status::BudgetExhausted, Some(Code::RunActions)),
            LookFirst => (Status::Stale, Some(Code::LookFirst)),
            UnknownRef => (Status::Stale, Some(Code::UnknownRef)),
            Changed => (Status::Stale, Some(Code::Changed)),
            Hidden => (Status::NotVisible, Some(Code::Display)),
            Disabled => (Status::NotActionable, Some(Code::Disabled)),
            OutsideBoundary => (Status::Forbidden, Some(Code::FrameOutside)),
            LoginLimit => (Status::Forbidden, Some(Code::LoginAttemptLimit)),
            NoDismissal => (Status::NotAllowlisted, None),
            Gated => (Status::GateRequired, None),
        };
        Some((status, code))
    }
}

/// No action both names a secret and dismisses.
fn is_possible(reasons: &[Reason]) -> bool {
    !(reasons.contains(&LoginLimit) && reasons.contains(&NoDismissal))
}

#[tokio::test(start_paused = true)]
async fn of_two_reasons_that_hold_the_earlier_one_is_told_d30() {
    for (at, first) in ALL.into_iter().enumerate() {
        for second in ALL.into_iter().skip(at).filter(|second| is_possible(&[first, *second])) {
            check(first, second).await;
        }
    }
}

async fn check(first: Reason, second: Reason) {
    let reasons = [first, second];
    let surface = FakeSurface::new();
    let (bench, asked) = arrange(&surface, &reasons).await;

    match first.told() {
        None => {
            let error = bench.refused(Call::Act(Box::new(asked))).await;
            assert_eq!(error.error, DoorCode::RunEnded, "{reasons:?}");
        }
        Some(told) => {
            let outcome = bench.act(asked).await;
            assert_eq!((outcome.status, outcome.code), told, "{reasons:?}: {}", outcome.message);
        }
    }

    assert_eq!(surface.count(Hop::Perform), 0, "{reasons:?}");
}

/// Makes every one of `reasons` hold, and the act they stand in the way of.
async fn arrange(surface: &FakeSurface, reasons: &[Reason]) -> (Bench, ActAsk) {
    let has = |reason| reasons.contains(&reason);
    let id = if has(LoginLimit) { "e3" } else { "e1" };
    if has(Gated) {
        surface.edit(|page| page.element(id).subject.name = Some("Delete project".to_owned()));
    }
    let setup = Setup {
        stopped: has(Stopped).then_some("a person said so"),
        run_cap: if has(OutOfBudget) { 0 } else { 10 },
        login_attempts: u32::from(has(LoginLimit)),
        credentials: Some(("pat.example", "correct horse")),
        ..Setup::default()
    };
    let bench = begun(surface, setup).await;

    let mut asked = ask(action(reasons, if has(UnknownRef) { "e99" } else { id }));
    if has(LookFirst) {
        bench.pause().await;
        bench.release().await;
        asked.obs = bench.look_as("another").await.observation.id;
    }
    spoil(surface, reasons, id);
    if has(LeaseLost) {
        bench.lease.advance(Actor::Human);
    }
    if has(Braked) {
        bench.pause().await;
    }
    if has(Ended) {
        bench.end().await;
    }
    (bench, asked)
}

fn action(reasons: &[Reason], id: &str) -> Action {
    let target = Target::Ref { id: id.to_owned() };
    let password = Typed::Secret("password".to_owned());
    match reasons {
        [LoginLimit, Gated] => {
            Action::Dialog { answer: DialogAnswer::Accept, text: Some(password) }
        }
        _ if reasons.contains(&LoginLimit) => Action::Fill { target, text: password },
        _ if reasons.contains(&NoDismissal) => Action::Dismiss { target },
        _ => Action::Click { target },
    }
}

fn spoil(surface: &FakeSurface, reasons: &[Reason], id: &str) {
    let has = |reason| reasons.contains(&reason);
    surface.edit(|page| {
        if reasons == [LoginLimit, Gated] {
            let text = "Delete everything?".to_owned();
            page.dialog = Some(DialogState {
                kind: "prompt".into(),
                text,
                default_text: None,
                opened_by: None,
            });
        }
        let element = page.element(id);
        if has(Changed) {
            element.subject.heading = Some("Danger".to_owned());
        }
        if has(Hidden) {
            element.visible = Visible { reason: Some("display".to_owned()), ..Visible::default() };
        }
        if has(Disabled) {
            element.ready = Ready { code: Some("disabled".to_owned()), ..Ready::default() };
        }
        if has(OutsideBoundary) {
            element.frame_origin = Some("https://elsewhere.example".to_owned());
        }
    });
}
