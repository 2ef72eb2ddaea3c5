//! Claims, brakes and ends against an act in flight (I6), and that nothing stands in their way
//! (I7).

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::timeout;

use sidestick_evidence::verify::verify;
use sidestick_model::call::{Answer, Call, DoorCode};
use sidestick_model::observation::Expect;
use sidestick_model::outcome::{Code, Fate, Outcome, Status};
use sidestick_model::{Actor, Clock, LeaseId};
use sidestick_testkit::bench::begun;
use sidestick_testkit::{Bench, FakeSurface, Hop, Setup, click};

/// More than anything here takes; a paused clock gets there at once when everything is stuck.
const STUCK: Duration = Duration::from_secs(60);

/// Clicks `e1` while `meanwhile` happens at `hop`, where the act is held up.
async fn during(
    (bench, surface): (&Bench, &FakeSurface),
    hop: Hop,
    meanwhile: impl Future<Output = ()>,
) -> Outcome {
    let halt = surface.halt(hop);
    let other = async {
        halt.reached().await;
        meanwhile.await;
        halt.go();
    };
    let both = async { tokio::join!(bench.act(click("e1")), other).0 };
    timeout(STUCK, both).await.unwrap()
}

fn lines(bench: &Bench, act: &Outcome) -> [usize; 3] {
    let act = act.act.to_string();
    ["intend", "conclude", "refuse"].map(|kind| bench.lines_of(kind, &act))
}

/// Deadlines and times are measured on the monotonic clock; the wall clock only dates the record.
#[tokio::test(start_paused = true)]
async fn a_wall_clock_that_jumps_during_an_act_changes_neither_its_deadline_nor_its_time() {
    for jump in [-86_400_000, 86_400_000_i64] {
        let surface = FakeSurface::new();
        let bench = begun(&surface, Setup::default()).await;
        let (before, clock) = (bench.clock.now(), bench.clock.clone());

        let set = async {
            clock.set(before.saturating_add_signed(jump));
            tokio::time::advance(Duration::from_millis(1_500)).await;
        };
        let outcome = during((&bench, &surface), Hop::Perform, set).await;
        bench.call(Call::End { keep_open: false }).await;

        assert_eq!((outcome.status, outcome.fate), (Status::Observed, Fate::Sent), "{jump}");
        assert!((1_500..2_000).contains(&outcome.elapsed_ms), "{jump}: {}", outcome.elapsed_ms);
        assert_eq!(verify(&bench.dir(), &bench.run, None).unwrap().problems, [""; 0], "{jump}");
    }
}

/// A check on entry would pass here: a person takes over while the page is being read.
#[tokio::test(start_paused = true)]
async fn refuses_when_the_session_changes_hands_during_resolve() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    let claim = async {
        bench.lease.advance(Actor::Human);
    };
    let outcome = during((&bench, &surface), Hop::Resolve, claim).await;

    assert_eq!((outcome.status, outcome.code), (Status::LeaseLost, Some(Code::OtherHolder)));
    assert_eq!(outcome.fate, Fate::NotSent);
    assert_eq!(surface.written(), []);
    assert_eq!(lines(&bench, &outcome), [0, 0, 1]);
}

#[tokio::test(start_paused = true)]
async fn refuses_when_the_session_went_and_came_back_during_resolve() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    let claim = async {
        bench.lease.advance(Actor::Human);
        bench.lease.advance(Actor::Agent);
    };
    let outcome = during((&bench, &surface), Hop::Resolve, claim).await;

    assert_eq!((outcome.status, outcome.code), (Status::LeaseLost, Some(Code::OldEpoch)));
    assert_eq!(surface.written(), []);
}

#[tokio::test(start_paused = true)]
async fn a_brake_during_resolve_is_told_as_a_brake_and_nothing_is_sent() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    let outcome =
        during((&bench, &surface), Hop::Resolve, async { drop(bench.pause().await) }).await;

    assert_eq!((outcome.status, outcome.code), (Status::Paused, Some(Code::Braked)));
    assert_eq!(surface.written(), []);
    assert_eq!(lines(&bench, &outcome), [0, 0, 1]);
}

#[tokio::test(start_paused = true)]
async fn a_claim_between_the_intent_and_the_write_leaves_nothing_sent_and_one_conclusion() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    let claim = async {
        bench.lease.advance(Actor::Human);
    };
    let outcome = during((&bench, &surface), Hop::Perform, claim).await;

    assert_eq!((outcome.status, outcome.fate), (Status::LeaseLost, Fate::NotSent));
    assert_eq!(surface.written(), []);
    assert_eq!(lines(&bench, &outcome), [1, 1, 0]);
    assert_eq!(outcome.budget.run_used, 0);
}

/// Between the check of the lease and the act lies one more look; the permit is of before it.
#[tokio::test(start_paused = true)]
async fn a_claim_while_the_picture_before_is_taken_leaves_nothing_sent() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let mut asked = click("e1");
    asked.expect = Some(Expect::parse("screen").unwrap());
    let halt = surface.halt(Hop::Picture);

    let claim = async {
        halt.reached().await;
        bench.lease.advance(Actor::Human);
        halt.go();
    };
    let (outcome, ()) = tokio::join!(bench.act(asked), claim);

    assert_eq!((outcome.status, outcome.code), (Status::LeaseLost, Some(Code::OtherHolder)));
    assert_eq!(surface.written(), []);
    assert_eq!(lines(&bench, &outcome), [1, 1, 0]);
}

/// A page that answers nothing holds up nobody but itself (I6).
#[tokio::test(start_paused = true)]
async fn an_act_that_is_cut_while_the_page_answers_nothing_concludes_at_once() {
    for hop in [Hop::Resolve, Hop::Picture] {
        let surface = FakeSurface::new();
        let bench = begun(&surface, Setup::default()).await;
        let mut asked = click("e1");
        asked.expect = Some(Expect::parse("screen").unwrap());
        let halt = surface.halt(hop);

        let claim = async {
            halt.reached().await;
            bench.lease.advance(Actor::Human);
        };
        let both = async { tokio::join!(bench.act(asked), claim).0 };
        let outcome = timeout(STUCK, both).await.unwrap();

        assert_eq!((outcome.status, outcome.fate), (Status::LeaseLost, Fate::NotSent), "{hop:?}");
        assert_eq!(surface.written(), []);
    }
}

#[tokio::test(start_paused = true)]
async fn a_brake_between_the_intent_and_the_write_is_told_as_a_brake() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    let outcome =
        during((&bench, &surface), Hop::Perform, async { drop(bench.pause().await) }).await;

    assert_eq!((outcome.status, outcome.code), (Status::Paused, Some(Code::Braked)));
    assert_eq!(surface.written(), []);
    assert_eq!(lines(&bench, &outcome), [1, 1, 0]);
}

#[tokio::test(start_paused = true)]
async fn an_end_while_input_is_out_concludes_the_act_as_unknown_once() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    let end = async { assert!(matches!(bench.end().await, Answer::End(_))) };
    let halt = surface.halt(Hop::Sent);
    let other = async {
        halt.reached().await;
        end.await;
    };
    let both = async { tokio::join!(bench.act(click("e1")), other).0 };
    let outcome = timeout(STUCK, both).await.unwrap();

    assert_eq!((outcome.status, outcome.code), (Status::Unknown, Some(Code::Interrupted)));
    assert_eq!((outcome.fate, surface.written().len()), (Fate::Unknown, 1));
    assert_eq!(lines(&bench, &outcome), [1, 1, 0]);
    let found = verify(&bench.dir(), &bench.run, None).unwrap();
    assert_eq!((found.problems, found.intents), (Vec::<String>::new(), 1));
}

#[tokio::test(start_paused = true)]
async fn a_claim_while_the_effect_is_looked_for_concludes_as_unknown() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    let claim = async {
        bench.lease.advance(Actor::Human);
    };
    let outcome = during((&bench, &surface), Hop::Settle, claim).await;

    assert_eq!((outcome.status, outcome.code), (Status::Unknown, Some(Code::Interrupted)));
    assert_eq!((outcome.fate, surface.written().len()), (Fate::Unknown, 1));
    assert_eq!(lines(&bench, &outcome), [1, 1, 0]);
}

/// The act's own observation is made after the claim; it must not carry the new epoch.
#[tokio::test(start_paused = true)]
async fn an_act_never_gives_its_caller_the_epoch_of_a_claim_made_meanwhile() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    let there_and_back = async {
        bench.lease.advance(Actor::Human);
        bench.lease.advance(Actor::Agent);
    };
    let first = during((&bench, &surface), Hop::Frames, there_and_back).await;
    let second = bench.act(click("e1")).await;

    assert_eq!(first.status, Status::Observed);
    assert_eq!((second.status, second.code), (Status::LeaseLost, Some(Code::OldEpoch)));
    assert_eq!(surface.written().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_look_during_which_the_session_changed_hands_is_of_the_old_epoch() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    let halt = surface.halt(Hop::Observe);
    let there_and_back = async {
        halt.reached().await;
        bench.lease.advance(Actor::Human);
        bench.lease.advance(Actor::Agent);
        halt.go();
    };
    tokio::join!(bench.look(), there_and_back);
    let outcome = bench.act(click("e1")).await;

    assert_eq!((outcome.status, outcome.code), (Status::LeaseLost, Some(Code::OldEpoch)));
    assert_eq!(surface.written(), []);
}

#[tokio::test(start_paused = true)]
async fn a_caller_that_leaves_cuts_its_act_and_the_act_still_concludes() {
    for (hop, status, written) in
        [(Hop::Perform, Status::LeaseLost, 0), (Hop::Sent, Status::Unknown, 1)]
    {
        let surface = FakeSurface::new();
        let bench = begun(&surface, Setup::default()).await;
        let halt = surface.halt(hop);
        let (leave, left) = watch::channel(false);

        let act = bench.session.answer(Call::Act(Box::new(click("e1"))), left);
        let leaving = async {
            halt.reached().await;
            leave.send_replace(true);
        };
        let both = async { tokio::join!(act, leaving).0 };
        let answer = timeout(STUCK, both).await.unwrap().into_inner();

        let Answer::Act(outcome) = answer else { panic!("{answer:?}") };
        assert_eq!((outcome.status, outcome.code), (status, Some(Code::Interrupted)), "{hop:?}");
        assert_eq!(surface.written().len(), written, "{hop:?}");
        assert_eq!(lines(&bench, &outcome), [1, 1, 0], "{hop:?}");
    }
}

/// The act is held up where nothing can cut it; whoever waited for it would wait for ever.
#[tokio::test(start_paused = true)]
async fn a_brake_does_not_wait_for_the_act_in_flight() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    let brake = async {
        let answer = timeout(Duration::from_secs(1), bench.pause()).await;
        assert_eq!(answer.unwrap(), Answer::Braked { paused: true });
    };
    let outcome = during((&bench, &surface), Hop::Resolve, brake).await;

    assert_eq!(outcome.fate, Fate::NotSent);
}

#[tokio::test(start_paused = true)]
async fn a_brake_and_an_end_move_the_epoch_before_they_wait_for_the_wire() {
    let brake = Call::Pause { by: "pat".to_owned(), why: None };
    let stop = Call::Stop { by: "pat".to_owned() };
    for call in [brake, stop, Call::End { keep_open: false }] {
        let surface = FakeSurface::new();
        let bench = begun(&surface, Setup::default()).await;
        let halt = surface.halt(Hop::Quiet);
        let verb = call.verb();

        let looking = async {
            halt.reached().await;
            let seen = (bench.lease.current(), bench.session.braked().is_some());
            halt.go();
            seen
        };
        let (_, (lease, braked)) = tokio::join!(bench.call(call), looking);

        assert_eq!(lease, LeaseId { holder: Actor::Agent, epoch: 2 }, "{verb}");
        assert_eq!(braked, verb == "pause");
    }
}

/// The act is held up where nothing can cut it: the epoch has to move all the same.
#[tokio::test(start_paused = true)]
async fn a_stop_and_an_end_move_the_epoch_while_an_act_is_in_flight() {
    let stop = Call::Stop { by: "pat".to_owned() };
    for call in [stop, Call::End { keep_open: false }] {
        let surface = FakeSurface::new();
        let bench = begun(&surface, Setup::default()).await;
        let (act, wire) = (surface.halt(Hop::Resolve), surface.halt(Hop::Quiet));
        let verb = call.verb();

        let ending = async {
            act.reached().await;
            let looking = async {
                let is_soon = timeout(Duration::from_secs(1), wire.reached()).await.is_ok();
                let epoch = bench.lease.current().epoch;
                wire.go();
                act.go();
                (is_soon, epoch)
            };
            tokio::join!(bench.call(call), looking).1
        };
        let both = async { tokio::join!(bench.act(click("e1")), ending) };
        let (outcome, (is_soon, epoch)) = timeout(STUCK, both).await.unwrap();

        assert!(is_soon, "{verb} waited for the act");
        assert_eq!((epoch, outcome.fate), (2, Fate::NotSent), "{verb}");
        assert_eq!(surface.written(), [], "{verb}");
    }
}

#[tokio::test(start_paused = true)]
async fn under_a_brake_nothing_is_read_for_an_agent_and_a_release_brings_it_back() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    bench.pause().await;
    let read = bench.refused(Call::Text { target: None, max_chars: 100 }).await;
    let held = bench.act(click("e1")).await;
    bench.release().await;
    let old = bench.act(click("e1")).await;
    bench.look().await;
    let fresh = bench.act(click("e1")).await;

    assert_eq!(read.error, DoorCode::RunPaused);
    assert_eq!(held.status, Status::Paused);
    assert_eq!(old.status, Status::LeaseLost);
    assert_eq!(fresh.status, Status::Observed);
    assert_eq!(surface.written().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_read_that_waited_behind_the_act_a_brake_cut_is_refused() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let halt = surface.halt(Hop::Sent);

    let read = bench.call(Call::Text { target: None, max_chars: 100 });
    let brake = async {
        halt.reached().await;
        bench.pause().await;
    };
    let all = async { tokio::join!(bench.act(click("e1")), read, brake).1 };
    let answer = timeout(STUCK, all).await.unwrap();

    let Answer::Refused(error) = answer else { panic!("{answer:?}") };
    assert_eq!(error.error, DoorCode::RunPaused);
}

#[tokio::test(start_paused = true)]
async fn a_person_can_brake_and_end_whatever_state_the_run_is_in() {
    let surface = FakeSurface::new();
    let setup = Setup { stopped: Some("drift"), run_cap: 0, ..Setup::default() };
    let bench = begun(&surface, setup).await;
    bench.lease.advance(Actor::Replay);
    let filled = bench.fill_trace();

    let paused = bench.pause().await;
    let again = bench.pause().await;
    let released = bench.release().await;
    let stopped = bench.call(Call::Stop { by: "pat".to_owned() }).await;

    assert_eq!([&paused, &again], [&Answer::Braked { paused: true }; 2]);
    assert_eq!(released, Answer::Braked { paused: false });
    let Answer::Refused(error) = stopped else { panic!("{stopped:?}") };
    assert_eq!(error.error, DoorCode::StateUnwritable);
    assert_eq!(surface.count(Hop::Close), 1, "the surface is closed though nothing is recorded");

    drop(filled);
    assert!(matches!(bench.end().await, Answer::End(_)));
    assert!(bench.session.has_ended());
}

#[tokio::test(start_paused = true)]
async fn an_end_waits_for_no_precondition_an_act_waits_for() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    surface.edit(|page| page.element("e1").ready.ok = false);
    let mut asked = click("e1");
    asked.wait_ms = 100_000;
    asked.timeout_ms = Some(120_000);
    let halt = surface.halt(Hop::Wait);

    let end = async {
        halt.reached().await;
        halt.go();
        timeout(Duration::from_secs(1), bench.end()).await
    };
    let (outcome, ended) = tokio::join!(bench.act(asked), end);

    assert!(matches!(ended, Ok(Answer::End(_))), "the end waited for the act's patience");
    assert_eq!(outcome.fate, Fate::NotSent);
    assert_eq!(surface.written(), []);
}

#[tokio::test(start_paused = true)]
async fn ending_again_gives_the_same_answer_and_a_whole_record() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    bench.act(click("e1")).await;

    let (first, second) = (bench.end().await, bench.end().await);

    assert_eq!(first, second);
    assert_eq!(surface.count(Hop::Close), 1);
    assert!(verify(&bench.dir(), &bench.run, None).unwrap().whole);
    let release = bench.refused(Call::Release { by: "pat".to_owned() }).await;
    assert_eq!(release.error, DoorCode::NotPaused);
}
