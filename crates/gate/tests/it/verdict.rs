//! A pass needs an act that was observed, still holds, and is not denied (VR-174, D22).

use sidestick_gate::SurfaceEvent;
use sidestick_model::action::{Action, Direction};
use sidestick_model::call::{Answer, Call, DoorCode, DoorError, VerdictAnswer, VerdictAsk};
use sidestick_model::observation::{Change, Expect, Signal};
use sidestick_model::outcome::{Status, Verified};
use sidestick_model::record::{FindingKind, Verdict};
use sidestick_model::{ActId, Outcome, Target};
use sidestick_testkit::bench::{begun, goal};
use sidestick_testkit::fake::effect;
use sidestick_testkit::{Bench, FakeSurface, Hop, Setup, ask};

fn pass() -> VerdictAsk {
    VerdictAsk {
        goal: goal("g1"),
        verdict: Verdict::Pass,
        summary: "it was saved".to_owned(),
        proof: None,
        verified: None,
    }
}

fn check(holds: bool) -> Option<Verified> {
    let value = serde_json::json!({"saved": holds});
    let by = "http https://app.example/api".to_owned();
    Some(Verified { by, value, holds, at: "2026-12-01T10:15:00Z".to_owned() })
}

async fn accepted(bench: &Bench, ask: VerdictAsk) -> VerdictAnswer {
    match bench.call(Call::Verdict(ask)).await {
        Answer::Verdict(answer) => answer,
        other => panic!("{other:?}"),
    }
}

/// Asks for a verdict that must be refused, and sees that the goal has none.
async fn refused(bench: &Bench, ask: VerdictAsk) -> DoorError {
    let error = bench.refused(Call::Verdict(ask)).await;
    assert_eq!(verdict_of(bench).await, Verdict::Unset, "{}", error.message);
    error
}

async fn verdict_of(bench: &Bench) -> Verdict {
    let Answer::Status(status) = bench.call(Call::Status).await else { panic!("no status") };
    status.goals.iter().find(|seen| seen.goal_id == goal("g1")).unwrap().status
}

async fn act(bench: &Bench, of: &str, action: Action) -> Outcome {
    let mut asked = ask(action);
    asked.goal = Some(goal(of));
    bench.act(asked).await
}

fn target() -> Target {
    Target::Ref { id: "e1".to_owned() }
}

fn save() -> Action {
    Action::Click { target: target() }
}

#[tokio::test(start_paused = true)]
async fn a_pass_stands_on_the_last_act_of_its_goal() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let proof = act(&bench, "g1", save()).await;

    let answer = accepted(&bench, pass()).await;

    assert_eq!((answer.verdict, answer.proof), (Verdict::Pass, Some(proof.act)));
    assert_eq!(verdict_of(&bench).await, Verdict::Pass);
}

#[tokio::test(start_paused = true)]
async fn a_pass_without_an_act_is_refused_vr_174() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    let checked = VerdictAsk { verified: check(true), ..pass() };

    assert_eq!(refused(&bench, pass()).await.error, DoorCode::PassWithoutEffect);
    assert_eq!(refused(&bench, checked).await.error, DoorCode::PassWithoutEffect);
}

#[tokio::test(start_paused = true)]
async fn a_pass_after_an_act_without_effect_is_refused_vr_174() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let proof = act(&bench, "g1", save()).await;
    surface.will_do(effect(&[]));
    act(&bench, "g1", save()).await;

    let by_default = refused(&bench, pass()).await;
    let named = VerdictAsk { proof: Some(proof.act), ..pass() };

    assert_eq!(by_default.error, DoorCode::PassWithoutEffect);
    assert_eq!(accepted(&bench, named).await.proof, Some(proof.act));
}

/// Something changed, and it was not what the act was to bring about.
#[tokio::test(start_paused = true)]
async fn a_pass_after_another_effect_than_expected_is_refused_vr_174() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let mut asked = ask(save());
    (asked.goal, asked.expect) = (Some(goal("g1")), Some(Expect::parse("url").unwrap()));

    let outcome = bench.act(asked).await;
    let error = refused(&bench, pass()).await;

    assert_eq!((outcome.status, outcome.signals.is_empty()), (Status::NoEffect, false));
    assert_eq!(error.error, DoorCode::PassWithoutEffect);
}

#[tokio::test(start_paused = true)]
async fn a_pass_after_a_refused_act_is_refused() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    act(&bench, "g1", save()).await;
    act(&bench, "g1", Action::Click { target: Target::Ref { id: "e9".to_owned() } }).await;

    assert_eq!(refused(&bench, pass()).await.error, DoorCode::PassWithoutEffect);
}

#[tokio::test(start_paused = true)]
async fn the_act_of_another_goal_proves_nothing() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let other = act(&bench, "g2", save()).await;

    let named = refused(&bench, VerdictAsk { proof: Some(other.act), ..pass() }).await;
    let unknown = refused(&bench, VerdictAsk { proof: Some(ActId(77)), ..pass() }).await;

    assert_eq!(refused(&bench, pass()).await.error, DoorCode::PassWithoutEffect);
    assert_eq!(named.error, DoorCode::PassWithoutEffect);
    assert_eq!(unknown.error, DoorCode::UnknownAct);
}

#[tokio::test(start_paused = true)]
async fn hovering_scrolling_and_focus_do_no_work() {
    let hover = Action::Hover { target: target() };
    let scroll = Action::Scroll { target: None, direction: Direction::Down, amount: 1.0 };
    for (action, signal, expect) in [
        (hover, Signal::Tree, "any"),
        (scroll, Signal::Tree, "any"),
        (save(), Signal::Focus, "focus"),
    ] {
        let surface = FakeSurface::new();
        let bench = begun(&surface, Setup::default()).await;
        surface.will_do(effect(&[signal]));
        let mut asked = ask(action);
        asked.goal = Some(goal("g1"));
        asked.expect = Some(Expect::parse(expect).unwrap());

        let outcome = bench.act(asked).await;
        let error = refused(&bench, pass()).await;

        assert_eq!(outcome.status, Status::Observed);
        assert_eq!(error.error, DoorCode::PassWithoutEffect, "{expect}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_record_that_denies_the_screen_refuses_the_pass_d22() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    act(&bench, "g1", save()).await;

    let denied = refused(&bench, VerdictAsk { verified: check(false), ..pass() }).await;
    let confirmed = accepted(&bench, VerdictAsk { verified: check(true), ..pass() }).await;

    assert_eq!(denied.error, DoorCode::CheckDenied);
    assert_eq!(confirmed.verified, check(true));
}

#[tokio::test(start_paused = true)]
async fn an_effect_that_has_gone_again_refuses_the_pass() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    act(&bench, "g1", save()).await;
    surface.edit(|page| page.differs = Some(Vec::new()));

    let gone = refused(&bench, pass()).await;
    surface.edit(|page| page.differs = Some(vec![Change::default()]));
    let there = accepted(&bench, pass()).await;

    assert_eq!(gone.error, DoorCode::EffectReverted);
    assert_eq!(there.verdict, Verdict::Pass);
}

/// A message that says `Saved` for a moment is an effect, and its going is no revert.
#[tokio::test(start_paused = true)]
async fn a_message_that_came_and_went_is_still_an_effect() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let mut toast = effect(&[Signal::Tree]);
    toast.changes = vec![Change {
        kind: "appeared".to_owned(),
        role: Some("status".to_owned()),
        ..Change::default()
    }];
    surface.will_do(toast);
    act(&bench, "g1", save()).await;
    surface.edit(|page| page.differs = Some(Vec::new()));

    let answer = accepted(&bench, pass()).await;

    assert_eq!(answer.verdict, Verdict::Pass);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_fails_late_becomes_a_finding_of_the_goal_vr_171() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let proof = act(&bench, "g1", save()).await;
    surface.at(Hop::Wait, |page| {
        page.events.push(SurfaceEvent::RequestFailed {
            key: "r1".to_owned(),
            method: "POST".to_owned(),
            url: "https://app.example/save".to_owned(),
            status: Some(500),
            reason: None,
        });
    });

    let answer = accepted(&bench, pass()).await;

    assert_eq!(answer.linked_findings.len(), 1);
    let Answer::Findings { findings } = bench.call(Call::Findings).await else { panic!() };
    let found: Vec<_> = findings.iter().map(|f| (f.kind, f.goal_id.clone(), f.act)).collect();
    assert_eq!(found, [(FindingKind::Network, Some(goal("g1")), Some(proof.act))]);
    assert!(findings[0].summary.contains("POST https://app.example/save -> 500"));
}

#[tokio::test(start_paused = true)]
async fn a_verdict_replaces_the_one_before_it_and_one_that_is_refused_does_not_vr_174() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    let fail = VerdictAsk { verdict: Verdict::Fail, ..pass() };
    let blocked = VerdictAsk { verdict: Verdict::Blocked, ..pass() };
    let first = accepted(&bench, fail).await;
    let second = accepted(&bench, blocked).await;
    let error = bench.refused(Call::Verdict(pass())).await;

    assert_eq!((first.replaced, second.replaced), (None, Some(Verdict::Fail)));
    assert_eq!(error.error, DoorCode::PassWithoutEffect);
    assert_eq!(verdict_of(&bench).await, Verdict::Blocked);
}
