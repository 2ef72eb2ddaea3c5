//! A wall clock that stands still until a test moves it.

use std::sync::atomic::{AtomicU64, Ordering};

use sidestick_model::{Clock, Stamp};

/// 2026-12-01 10:15:00 UTC, the moment of the examples in the documents.
const START: Stamp = 1_796_120_100_000;

/// A clock that stands still.
#[derive(Debug)]
pub struct FixedClock(AtomicU64);

impl Default for FixedClock {
    fn default() -> FixedClock {
        FixedClock(AtomicU64::new(START))
    }
}

impl FixedClock {
    /// Sets the clock, back too, as a person or a time server does.
    pub fn set(&self, now: Stamp) {
        self.0.store(now, Ordering::SeqCst);
    }

    /// Moves the clock forward.
    pub fn advance(&self, millis: u64) {
        self.0.fetch_add(millis, Ordering::SeqCst);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Stamp {
        self.0.load(Ordering::SeqCst)
    }
}
