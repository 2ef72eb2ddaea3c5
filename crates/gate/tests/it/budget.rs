//! Budgets: charged once per act that was sent, run before goal (VR-147 to VR-150).

use sidestick_gate::SurfaceError;
use sidestick_model::call::ActAsk;
use sidestick_model::outcome::{Code, Fate, Status};
use sidestick_testkit::bench::{begun, goal};
use sidestick_testkit::fake::effect;
use sidestick_testkit::{FakeSurface, Hop, Setup, click};

fn for_goal(id: &str, of: &str) -> ActAsk {
    ActAsk { goal: Some(goal(of)), ..click(id) }
}

#[tokio::test(start_paused = true)]
async fn an_act_that_was_sent_is_charged_once_whatever_came_of_it_vr_148() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    surface.will_do(effect(&[]));

    let no_effect = bench.act(for_goal("e1", "g1")).await;
    let observed = bench.act(for_goal("e1", "g1")).await;
    surface.fails(Hop::Sent, SurfaceError::BrowserGone { fate: Fate::Unknown });
    let unknown = bench.act(for_goal("e1", "g1")).await;
    bench.look().await;
    let reason = "net::ERR_FAILED".to_owned();
    surface.fails(Hop::Sent, SurfaceError::Navigation { reason });
    let failed = bench.act(for_goal("e1", "g1")).await;

    let told: Vec<_> = [no_effect, observed, unknown, failed]
        .iter()
        .map(|o| (o.status, o.budget.run_used, o.budget.goal_used))
        .collect();
    assert_eq!(
        told,
        [
            (Status::NoEffect, 1, Some(1)),
            (Status::Observed, 2, Some(2)),
            (Status::Unknown, 3, Some(3)),
            (Status::Error, 4, Some(4)),
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn a_refusal_and_a_look_cost_nothing_vr_148() {
    let surface = FakeSurface::new();
    surface.edit(|page| page.element("e1").subject.name = Some("Delete".to_owned()));
    let bench = begun(&surface, Setup { run_cap: 1, ..Setup::default() }).await;

    let gated = bench.act(for_goal("e1", "g1")).await;
    let stale = bench.act(for_goal("e9", "g1")).await;
    surface.edit(|page| page.element("e2").visible.ok = false);
    let hidden = bench.act(for_goal("e2", "g1")).await;
    bench.look().await;

    let used: Vec<_> = [gated, stale, hidden]
        .iter()
        .map(|o| (o.status, o.budget.run_used, o.budget.goal_used))
        .collect();
    assert_eq!(
        used,
        [
            (Status::GateRequired, 0, Some(0)),
            (Status::Stale, 0, Some(0)),
            (Status::NotVisible, 0, Some(0)),
        ]
    );
    assert_eq!(bench.act(for_goal("e3", "g1")).await.status, Status::Observed);
}

#[tokio::test(start_paused = true)]
async fn a_goal_that_is_spent_leaves_the_others_alone_vr_149() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup { goal_cap: 1, ..Setup::default() }).await;

    bench.act(for_goal("e1", "g1")).await;
    let spent = bench.act(for_goal("e1", "g1")).await;
    let other = bench.act(for_goal("e1", "g2")).await;

    assert_eq!((spent.status, spent.code), (Status::BudgetExhausted, Some(Code::GoalActions)));
    assert_eq!((spent.budget.run_used, spent.budget.goal_used), (1, Some(1)));
    assert_eq!(other.status, Status::Observed);
    assert_eq!(surface.written().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn the_run_is_told_before_the_goal_when_both_are_spent_vr_149() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup { run_cap: 1, goal_cap: 1, ..Setup::default() }).await;

    bench.act(for_goal("e1", "g1")).await;
    let spent = bench.act(for_goal("e1", "g1")).await;
    let other = bench.act(for_goal("e1", "g2")).await;

    for refused in [spent, other] {
        let told = (refused.status, refused.code);
        assert_eq!(told, (Status::BudgetExhausted, Some(Code::RunActions)));
    }
    assert_eq!(surface.written().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_act_works_for_the_goal_of_the_observation_it_stands_on() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let look = sidestick_model::call::ObserveAsk {
        goal: Some(goal("g2")),
        ..sidestick_testkit::bench::observe("agent")
    };
    bench.call(sidestick_model::call::Call::Observe(look)).await;

    let outcome = bench.act(click("e1")).await;
    let next = bench.act(click("e1")).await;

    assert_eq!((outcome.goal, outcome.budget.goal_used), (Some(goal("g2")), Some(1)));
    assert_eq!((next.goal, next.budget.goal_used), (Some(goal("g2")), Some(2)));
}
