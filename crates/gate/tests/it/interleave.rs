//! Agents, a person and an end, in an order drawn from a seed: no action without the lease, and
//! every intent has one conclusion.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use sidestick_evidence::verify::verify;
use sidestick_model::call::{Answer, Call, DoorCode};
use sidestick_model::outcome::{Fate, Outcome, Status};
use sidestick_model::{Actor, LeaseId};
use sidestick_testkit::bench::{begun, observe};
use sidestick_testkit::fake::Seed;
use sidestick_testkit::{Bench, FakeSurface, Hop, Setup, click};

const SEEDS: u64 = 24;

#[tokio::test(start_paused = true)]
async fn no_action_without_the_lease_and_one_conclusion_for_every_intent() {
    let mut statuses: BTreeMap<Status, u32> = BTreeMap::new();
    for seed in 0..SEEDS {
        for outcome in schedule(seed).await {
            *statuses.entry(outcome.status).or_default() += 1;
        }
    }

    // The schedules met every end they are meant to meet.
    for status in [Status::Observed, Status::Unknown, Status::LeaseLost, Status::Paused] {
        assert!(statuses.contains_key(&status), "no schedule led to {status}: {statuses:?}");
    }
}

/// Runs one schedule and checks what it left; every message names its seed.
async fn schedule(seed: u64) -> Vec<Outcome> {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    surface.pace(Seed::new(seed));
    let leases = watch_the_wire(&surface, &bench, seed);

    let (first, second, ()) = tokio::join!(
        agent(&bench, "first", Seed::new(seed + 1_000)),
        agent(&bench, "second", Seed::new(seed + 2_000)),
        person(&bench, Seed::new(seed + 3_000)),
    );

    let outcomes: Vec<Outcome> = first.into_iter().chain(second).collect();
    let shown: Vec<LeaseId> = surface.written().iter().map(|write| write.shown).collect();
    assert_eq!(shown, *leases.lock().unwrap(), "seed {seed}: written under a lease that had gone");
    check(&bench, &surface, &outcomes, seed);
    outcomes
}

/// Asks, until the run has ended: a look when told to, an act otherwise.
async fn agent(bench: &Bench, caller: &str, mut seed: Seed) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    loop {
        seed.pause(15).await;
        let call = if seed.below(3) == 0 {
            let mut look = observe(caller);
            look.screenshot = false;
            Call::Observe(look)
        } else {
            let mut asked = click("e1");
            asked.caller = caller.to_owned();
            Call::Act(Box::new(asked))
        };
        match bench.call(call).await {
            Answer::Act(outcome) => outcomes.push(*outcome),
            Answer::Refused(error) if error.error == DoorCode::RunEnded => return outcomes,
            _ => {}
        }
    }
}

/// Brakes, claims, gives back, and ends.
async fn person(bench: &Bench, mut seed: Seed) {
    for _ in 0..4 {
        seed.pause(80).await;
        match seed.below(3) {
            0 => drop(bench.lease.advance(Actor::Human)),
            1 => drop(bench.pause().await),
            _ => {}
        }
        seed.pause(40).await;
        bench.release().await;
        if bench.lease.current().holder != Actor::Agent {
            bench.lease.advance(Actor::Agent);
        }
    }
    seed.pause(40).await;
    let ended = bench.end().await;
    assert!(matches!(ended, Answer::End(_)), "{ended:?}");
}

/// At the moment of each write: the intent is in the record and has no end yet. Returns the lease
/// of each of these moments.
fn watch_the_wire(surface: &FakeSurface, bench: &Bench, seed: u64) -> Arc<Mutex<Vec<LeaseId>>> {
    let leases: Arc<Mutex<Vec<LeaseId>>> = Arc::default();
    let (seen, lease) = (Arc::clone(&leases), bench.lease.clone());
    let path = bench.dir().join("trace.jsonl");
    surface.at(Hop::Sent, move |_| {
        seen.lock().unwrap().push(lease.current());
        let text = std::fs::read_to_string(&path).unwrap();
        let last = text.lines().rfind(|line| line.contains("\"act\":\"a")).unwrap();
        let is_intent = last.contains("\"kind\":\"intend\"");
        assert!(is_intent, "seed {seed}: written without an open intent: {last}");
    });
    leases
}

fn check(bench: &Bench, surface: &FakeSurface, outcomes: &[Outcome], seed: u64) {
    let trace = bench.trace();
    let mut sent = 0;
    for outcome in outcomes {
        let act = outcome.act.to_string();
        let count = |kind: &str| {
            trace.iter().filter(|line| line["kind"] == kind && line["act"] == act).count()
        };
        let [intended, concluded, refused] = ["intend", "conclude", "refuse"].map(count);
        assert_eq!(intended, concluded, "seed {seed}: {act} {}", outcome.status);
        assert_eq!(intended + refused, 1, "seed {seed}: {act} {}", outcome.status);
        if outcome.fate != Fate::NotSent {
            assert_eq!(intended, 1, "seed {seed}: {act} was sent without an intent");
            sent += 1;
        }
    }
    let written = surface.written();
    assert_eq!(written.len(), sent, "seed {seed}: what was sent is what is told as sent");
    assert!(written.iter().all(|write| write.shown.holder == Actor::Agent), "seed {seed}");
    let acts = trace.iter().filter(|line| line["kind"] == "intend").count();
    let found = verify(&bench.dir(), &bench.run, None).unwrap();
    assert_eq!(found.problems, Vec::<String>::new(), "seed {seed}");
    assert_eq!(found.intents, acts as u64, "seed {seed}");
    assert!(bench.session.has_ended(), "seed {seed}");
}
