//! The chain: one intent, one conclusion, and a signature often enough.

use sidestick_evidence::RunError;
use sidestick_evidence::trace::TraceError;
use sidestick_model::{ActId, limits};
use sidestick_policy::Redactor;

use crate::desk::{Desk, NOW, act, intended};

#[test]
fn an_act_is_intended_once_and_concluded_once() {
    let (desk, mut run) = Desk::begin();
    let out_of_order = |result: Result<(), RunError>| {
        matches!(result, Err(RunError::Trace(TraceError::OutOfOrder { .. })))
    };

    let early = run.conclude(ActId(1), NOW, intended(1));
    act(&mut run, 1);
    let late = run.conclude(ActId(1), NOW, intended(1));
    run.intend(ActId(2), NOW, intended(2), false).unwrap();
    let again = run.intend(ActId(2), NOW, intended(2), false);

    assert!(out_of_order(early) && out_of_order(late) && out_of_order(again));
    assert_eq!(desk.of_kind("intend").len(), 2);
    assert_eq!(desk.of_kind("conclude").len(), 1);
}

/// Whatever stands at the hundredth line; a beat by line number would miss every intent.
#[test]
fn no_more_than_a_hundred_lines_go_unsigned_for_long() {
    for lead in [0, 1] {
        let (desk, mut run) = Desk::begin();
        for number in 0..lead {
            run.refuse(ActId(1_000 + number), NOW, intended(1)).unwrap();
        }
        for number in 1..=250 {
            act(&mut run, number);
        }
        drop(run);

        let signed: Vec<u64> =
            desk.of_kind("sign").iter().map(|line| line["n"].as_u64().unwrap()).collect();
        let gaps = std::iter::once(0).chain(signed.iter().copied()).zip(&signed);
        for (before, after) in gaps {
            assert!(after - before <= limits::SIGN_LINES + 2, "{lead}: {signed:?}");
        }
        let last = signed.last().copied().unwrap_or(0);
        assert!(desk.lines().len() as u64 - last <= limits::SIGN_LINES + 1, "{lead}: {signed:?}");
        assert!(desk.verify().whole);
    }
}

#[test]
fn a_run_that_is_opened_again_goes_on_with_its_chain() {
    let (desk, mut run) = Desk::begin();
    for number in 1..=40 {
        act(&mut run, number);
    }
    drop(run);
    let mut run = desk.recover().unwrap();

    run.finish(NOW, &Redactor::default()).unwrap();

    let found = desk.verify();
    assert_eq!((found.problems, found.intents), (Vec::<String>::new(), 40));
}

#[test]
fn finishing_twice_gives_the_same_reports_and_a_whole_record() {
    let (desk, mut run) = Desk::begin();
    act(&mut run, 1);

    let first = run.finish(NOW, &Redactor::default()).unwrap();
    let html = std::fs::read(desk.file("report.html")).unwrap();
    let second = run.finish(NOW + 5_000, &Redactor::default()).unwrap();

    assert_eq!(first, second);
    assert_eq!(std::fs::read(desk.file("report.html")).unwrap(), html);
    assert_eq!(desk.verify().problems, Vec::<String>::new());
}

/// The order of a record is its chain; a wall clock that jumps is no damage.
#[test]
fn a_record_whose_clock_jumps_back_and_forth_is_whole() {
    const DAY: u64 = 24 * 60 * 60 * 1_000;
    let (desk, mut run) = Desk::begin();

    act(&mut run, 1);
    run.intend(ActId(2), NOW - DAY, intended(2), true).unwrap();
    drop(run);
    // Opened again after the clock was set forward, and ended after it was set back.
    let mut run = desk.recover().unwrap();
    run.intend(ActId(3), NOW + 365 * DAY, intended(3), false).unwrap();
    run.finish(NOW - 2 * DAY, &Redactor::default()).unwrap();

    let found = desk.verify();
    assert_eq!((found.problems, found.intents), (Vec::<String>::new(), 3));
    assert_eq!(desk.of_kind("conclude").len(), 3);
}
