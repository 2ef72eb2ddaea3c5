//! Claims, brakes and ends against an act in flight (I6), and that nothing stands in their way
//! (I7).

use std::time::Duration;

use tokio::sync::watch;

use sidestick_evidence::verify::verify;
use sidestick_model::call::{ActAsk, Answer, Call, DoorCode};
use sidestick_model::outcome::{Code, Fate, Status};
use sidestick_model::{Actor, LeaseId};
use sidestick_testkit::bench::{begun, observe};
use sidestick_testkit::{Bench, FakeSurface, Hop, Setup, click};

/// Acts while `meanwhile` happens at `hop`, where the act is held up.
async fn interrupted<F: Future<Output = ()>>(
    hop: Hop,
    meanwhile: impl FnOnce(Bench) -> (Bench, F),
) -> (Bench, FakeSurface, sidestick_model::Outcome)
where
    F: 'static,
{
    let _ = (hop, meanwhile);
    unimplemented!()
}
