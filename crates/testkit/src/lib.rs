//! Test tools: a fixed clock, a fake surface, a bench that opens a session over a folder that goes
//! away with it, and a man in the middle on a browser's pipe.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up has failed")]

pub mod bench;
pub mod clock;
pub mod fake;
pub mod faulty_wire;
pub mod mutate;
pub mod site;
pub mod wild;

pub use bench::{Bench, Setup, ask, click};
pub use clock::FixedClock;
pub use fake::{FakeSurface, Halt, Hop, Written};
