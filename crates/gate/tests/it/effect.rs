//! What an effect earns (I4), and what an unknown end asks for (I5).

use sidestick_gate::SurfaceError;
use sidestick_model::observation::{Change, Expect, Settled, Signal};
use sidestick_model::outcome::{Code, Fate, Status};
use sidestick_testkit::bench::begun;
use sidestick_testkit::fake::effect;
use sidestick_testkit::{FakeSurface, Hop, Setup, ask, click};

#[tokio::test(start_paused = true)]
async fn a_driver_that_says_ok_proves_nothing_i4() {
    let moved = Change { kind: "text".to_owned(), ..Change::default() };
    let noise = Settled { noise: vec![moved], ..effect(&[]) };
    for (what, seen, expect) in [
        ("nothing", effect(&[]), "any"),
        ("focus alone", effect(&[Signal::Focus]), "any"),
        ("noise alone", noise, "any"),
        ("another signal than the one named", effect(&[Signal::Tree]), "url"),
        ("a predicate that did not come true", effect(&[Signal::Tree]), "text:Saved"),
    ] {
        let surface = FakeSurface::new();
        let bench = begun(&surface, Setup::default()).await;
        surface.will_do(seen.clone());
        let mut asked = click("e1");
        asked.expect = Some(Expect::parse(expect).unwrap());

        let outcome = bench.act(asked).await;

        assert_eq!((outcome.status, outcome.fate), (Status::NoEffect, Fate::Sent), "{what}");
        assert_eq!(outcome.signals, seen.signals, "{what}");
        assert_eq!(outcome.other_changes, seen.signals, "{what}");
        assert_eq!(surface.written().len(), 1, "{what}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_difference_that_was_expected_is_observed_i4() {
    for (signals, expect) in
        [(vec![Signal::Tree], "any"), (vec![Signal::Url, Signal::Focus], "url")]
    {
        let surface = FakeSurface::new();
        let bench = begun(&surface, Setup::default()).await;
        surface.will_do(effect(&signals));
        let mut asked = click("e1");
        asked.expect = Some(Expect::parse(expect).unwrap());

        let outcome = bench.act(asked).await;

        assert_eq!(outcome.status, Status::Observed, "{signals:?}");
    }
}

/// Every way in which a driver can lose sight of an act it has begun.
fn lost(fate: Fate) -> [SurfaceError; 6] {
    [
        SurfaceError::Unresponsive { what: "press", fate },
        SurfaceError::PageClosed { fate },
        SurfaceError::PageCrashed { fate },
        SurfaceError::BrowserGone { fate },
        SurfaceError::BadAnswer { what: "press", fate },
        SurfaceError::Cut { sent: "1 press".to_owned(), fate },
    ]
}

#[tokio::test(start_paused = true)]
async fn an_act_whose_fate_is_not_known_is_unknown_and_is_not_done_again_i5() {
    for error in lost(Fate::Unknown) {
        check_unknown(Hop::Sent, error).await;
    }
}

/// Whatever the looking says of its own messages: the input is out.
#[tokio::test(start_paused = true)]
async fn an_effect_that_cannot_be_looked_for_leaves_the_act_unknown_i5() {
    for error in lost(Fate::Unknown).into_iter().chain(lost(Fate::NotSent)) {
        check_unknown(Hop::Settle, error).await;
    }
}

async fn check_unknown(hop: Hop, error: SurfaceError) {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    bench.look_as("other").await;
    surface.fails(hop, error.clone());

    let outcome = bench.act(click("e1")).await;
    let mut by_other = click("e1");
    by_other.caller = "other".to_owned();
    let own = bench.act(click("e1")).await;
    let other = bench.act(by_other.clone()).await;
    bench.look().await;
    let after_look = bench.act(click("e1")).await;
    let other_still = bench.act(by_other).await;

    let told = (outcome.status, outcome.fate, outcome.code);
    assert_eq!(told, (Status::Unknown, Fate::Unknown, Some(error.code())), "{error:?}");
    for (who, refused) in [("its caller", own), ("another", other), ("another", other_still)] {
        let told = (refused.status, refused.code);
        assert_eq!(told, (Status::Stale, Some(Code::LookFirst)), "{who} after {error:?}");
    }
    assert_eq!(after_look.status, Status::Observed, "{error:?}");
    assert_eq!(surface.count(Hop::Perform), 2, "nothing is retried by itself: {error:?}");
    assert_eq!(outcome.budget.run_used, 1, "{error:?}");
}

#[tokio::test(start_paused = true)]
async fn a_failure_before_anything_was_sent_may_be_tried_again() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    surface.fails(Hop::Perform, SurfaceError::Unresponsive { what: "aim", fate: Fate::NotSent });

    let failed = bench.act(click("e1")).await;
    let again = bench.act(click("e1")).await;

    assert_eq!((failed.status, failed.fate), (Status::Error, Fate::NotSent));
    assert_eq!((again.status, surface.written().len()), (Status::Observed, 1));
    assert_eq!(again.budget.run_used, 1);
}

#[tokio::test(start_paused = true)]
async fn a_crash_before_the_act_makes_everybody_look_first() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    surface.fails(Hop::Resolve, SurfaceError::PageCrashed { fate: Fate::NotSent });

    let crashed = bench.act(click("e1")).await;
    let blind = bench.act(click("e1")).await;

    assert_eq!((crashed.status, crashed.code), (Status::Error, Some(Code::PageCrashed)));
    assert_eq!((blind.status, blind.code), (Status::Stale, Some(Code::LookFirst)));
    assert_eq!(surface.written(), []);
}

#[tokio::test(start_paused = true)]
async fn a_state_that_holds_already_is_satisfied_and_nothing_is_sent() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    surface.edit(|page| page.element("e1").satisfied = true);

    let outcome = bench.act(click("e1")).await;

    assert_eq!((outcome.status, outcome.fate), (Status::Satisfied, Fate::NotSent));
    assert_eq!(surface.written(), []);
}

#[tokio::test(start_paused = true)]
async fn a_page_that_left_its_boundary_is_left_and_the_run_is_stopped_d27() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let elsewhere = "https://elsewhere.example/in?token=abcdef";
    surface.at(Hop::Sent, move |page| page.state.url = elsewhere.to_owned());

    let left = bench.act(click("e1")).await;
    let next = bench.act(click("e1")).await;

    assert_eq!((left.status, left.code), (Status::Observed, Some(Code::LeftBoundary)));
    assert_eq!(left.blocked, ["https://elsewhere.example/in?token=[REDACTED]"]);
    assert_eq!(surface.left(), 1);
    assert_eq!((next.status, next.code), (Status::Drift, Some(Code::Stopped)));
    assert_eq!(surface.written().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_wait_for_a_precondition_ends_the_moment_it_holds_and_not_before_d8() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    surface.edit(|page| page.element("e1").ready.ok = false);
    let mut asked = click("e1");
    asked.wait_ms = 5_000;

    let impatient = bench.act(click("e1")).await;
    let halt = surface.halt(Hop::Wait);
    let comes_true = async {
        halt.reached().await;
        surface.edit(|page| page.element("e1").ready.ok = true);
        halt.go();
    };
    let (patient, ()) = tokio::join!(bench.act(asked), comes_true);

    assert_eq!(impatient.status, Status::NotActionable);
    assert_eq!((patient.status, surface.written().len()), (Status::Observed, 1));
}

#[tokio::test(start_paused = true)]
async fn a_wait_for_a_precondition_that_never_holds_ends_in_its_refusal() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    surface.edit(|page| page.element("e1").ready.ok = false);
    let mut asked = ask(click("e1").action);
    asked.wait_ms = 5_000;
    let started = tokio::time::Instant::now();

    let outcome = bench.act(asked).await;

    assert_eq!(outcome.status, Status::NotActionable);
    assert_eq!(started.elapsed().as_millis(), 5_000);
    assert_eq!(surface.written(), []);
}
