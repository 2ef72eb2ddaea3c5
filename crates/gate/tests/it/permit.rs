//! A permit comes from the gate alone (I1), and carries the epoch the wire checks.

use sidestick_model::{Actor, LeaseId};
use sidestick_testkit::bench::begun;
use sidestick_testkit::{FakeSurface, Setup, click};

/// Compares the compiler's words; `TRYBUILD=overwrite` writes them after a compiler changed them.
#[test]
fn a_permit_cannot_be_forged() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/it/ui/*.rs");
}

#[tokio::test(start_paused = true)]
async fn a_permit_carries_the_holder_and_epoch_it_was_given_under() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    bench.act(click("e1")).await;
    bench.lease.advance(Actor::Human);
    bench.lease.advance(Actor::Agent);
    bench.look().await;
    bench.act(click("e1")).await;

    let shown: Vec<_> = surface.written().into_iter().map(|written| written.shown).collect();
    let agent = |epoch| LeaseId { holder: Actor::Agent, epoch };
    assert_eq!(shown, [agent(1), agent(3)]);
}
