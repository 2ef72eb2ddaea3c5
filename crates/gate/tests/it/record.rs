//! The record comes first (I3), and without it nothing is done (I9).

use std::sync::{Arc, Mutex};

use serde_json::Value;

use sidestick_evidence::verify::verify;
use sidestick_model::call::{Answer, Call};
use sidestick_model::outcome::{Code, Fate, Status};
use sidestick_testkit::bench::{begun, lines};
use sidestick_testkit::{FakeSurface, Hop, Setup, click};

#[tokio::test(start_paused = true)]
async fn the_intent_is_in_the_record_before_anything_is_performed_i3() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let seen: Arc<Mutex<Vec<Value>>> = Arc::default();
    let (at_perform, path) = (Arc::clone(&seen), bench.dir().join("trace.jsonl"));
    surface.at(Hop::Perform, move |_| *at_perform.lock().unwrap() = lines(&path));

    let outcome = bench.act(click("e1")).await;

    let seen = seen.lock().unwrap();
    let last = seen.last().unwrap();
    assert_eq!((&last["kind"], &last["act"]), (&"intend".into(), &"a1".into()));
    assert_eq!(last["body"]["asked"], "click button \"Save\"");
    assert_eq!(outcome.status, Status::Observed);
    let concluded: Vec<Value> =
        bench.trace().into_iter().filter(|line| line["kind"] == "conclude").collect();
    assert_eq!(concluded.len(), 1);
    assert_eq!(concluded[0]["body"]["outcome"]["status"], "OBSERVED");
}

#[tokio::test(start_paused = true)]
async fn a_refusal_is_one_line_and_no_intent() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    bench.act(click("e9")).await;

    let kinds = ["intend", "conclude", "refuse"].map(|kind| bench.lines_of(kind, "a1"));
    assert_eq!(kinds, [0, 0, 1]);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_performed_when_its_intent_cannot_be_written_i3_i9() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let filled = bench.fill_trace();

    let outcome = bench.act(click("e1")).await;

    assert_eq!((outcome.status, outcome.code), (Status::Error, Some(Code::RecordFailed)));
    assert_eq!(outcome.fate, Fate::NotSent);
    assert_eq!((surface.count(Hop::Perform), outcome.budget.run_used), (0, 0));
    drop(filled);
    assert_eq!(bench.lines_of("intend", "a1"), 0, "a line that did not fit is taken back");
}

#[tokio::test(start_paused = true)]
async fn a_run_whose_record_failed_is_stopped_though_the_disk_recovers_i9() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let filled = bench.fill_trace();
    bench.act(click("e1")).await;
    drop(filled);

    let next = bench.act(click("e1")).await;
    let Answer::Status(status) = bench.call(Call::Status).await else { panic!("no status") };

    assert_eq!((next.status, next.code), (Status::Drift, Some(Code::Stopped)));
    assert_eq!(status.run.stopped_reason.as_deref(), Some("record_failed"));
    assert_eq!(surface.count(Hop::Perform), 0);
}

#[tokio::test(start_paused = true)]
async fn an_act_whose_end_cannot_be_written_is_no_success_and_stops_the_run_i9() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let path = bench.dir().join("trace.jsonl");
    let filled = Arc::new(Mutex::new(None));
    let at_sent = Arc::clone(&filled);
    surface.at(Hop::Sent, move |_| {
        at_sent.lock().unwrap().get_or_insert_with(|| sidestick_testkit::bench::fill(&path));
    });

    let outcome = bench.act(click("e1")).await;
    let next = bench.act(click("e1")).await;

    assert_eq!((outcome.status, outcome.code), (Status::Error, Some(Code::RecordFailed)));
    assert_eq!((outcome.fate, surface.written().len()), (Fate::Sent, 1));
    assert_eq!(next.fate, Fate::NotSent);
    drop(filled.lock().unwrap().take());
    assert_eq!((bench.lines_of("intend", "a1"), bench.lines_of("conclude", "a1")), (1, 0));
    assert!(!verify(&bench.dir(), &bench.run, None).unwrap().whole);
}

#[tokio::test(start_paused = true)]
async fn a_look_that_cannot_be_recorded_is_no_look_i9() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let filled = bench.fill_trace();

    let answer = bench.call(Call::Screenshot { full_page: false }).await;
    drop(filled);
    let outcome = bench.act(click("e1")).await;

    assert!(matches!(answer, Answer::Refused(_)), "{answer:?}");
    assert_eq!(outcome.status, Status::Drift);
    assert_eq!(surface.written(), []);
}

#[tokio::test(start_paused = true)]
async fn the_report_tells_each_act_once_with_its_pictures() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let first = bench.act(click("e1")).await;
    bench.session.picture_after(first.observation.id.unwrap()).await.unwrap();
    bench.act(click("e9")).await;

    let Answer::End(end) = bench.end().await else { panic!("no end") };

    let acts: Vec<_> = end
        .report
        .acts
        .iter()
        .map(|act| (act.outcome.act.to_string(), act.outcome.status, act.asked.as_str()))
        .collect();
    assert_eq!(
        acts,
        [
            ("a1".to_owned(), Status::Observed, "click button \"Save\""),
            ("a2".to_owned(), Status::Stale, "click e9"),
        ]
    );
    let (before, after) = (&end.report.acts[0].before, &end.report.acts[0].after);
    assert_eq!((before.as_deref(), after.as_deref()), (Some("shots/o1.png"), Some("shots/o2.png")));
    assert!(verify(&bench.dir(), &bench.run, None).unwrap().whole);
}
