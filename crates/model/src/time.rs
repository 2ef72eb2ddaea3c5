//! Time: the deadline passed down, and the injected wall clock.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::limits;

/// The instant by which an operation must have ended.
///
/// A door turns its caller's timeout into a deadline once, on entry. Everything below passes the
/// same value along, so time spent in one step is not given again to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

/// Why a timeout cannot become a deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DeadlineError {
    /// A timeout of zero would refuse everything.
    #[error("the timeout is zero")]
    Zero,
    /// Longer than [`limits::ACTION_TIME_MAX`].
    #[error("the timeout of {} s is longer than {} s", asked.as_secs(), limits::ACTION_TIME_MAX.as_secs())]
    TooLong {
        /// The timeout that was asked for.
        asked: Duration,
    },
}

impl Deadline {
    /// Returns the deadline that lies `timeout` after now.
    ///
    /// # Errors
    ///
    /// Fails if `timeout` is zero or longer than [`limits::ACTION_TIME_MAX`].
    pub fn after(timeout: Duration) -> Result<Deadline, DeadlineError> {
        if timeout.is_zero() {
            return Err(DeadlineError::Zero);
        }
        if limits::ACTION_TIME_MAX < timeout {
            return Err(DeadlineError::TooLong { asked: timeout });
        }
        Ok(Deadline(Instant::now() + timeout))
    }

    /// Returns the deadline for a limit of ours, which is always in range.
    pub fn of_limit(limit: Duration) -> Deadline {
        Deadline(Instant::now() + limit)
    }

    /// Returns the earlier of this deadline and one `limit` after now.
    #[must_use]
    pub fn within(self, limit: Duration) -> Deadline {
        Deadline(self.0.min(Instant::now() + limit))
    }

    /// Returns the instant itself.
    pub fn instant(self) -> Instant {
        self.0
    }

    /// Returns what is left, zero when it has passed.
    pub fn left(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// Returns whether it has passed.
    pub fn has_passed(self) -> bool {
        self.left().is_zero()
    }
}

/// A moment of the wall clock, in milliseconds since 1970 in UTC.
pub type Stamp = u64;

/// The wall clock, injected so that only the wiring reads the real one.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// Returns now.
    fn now(&self) -> Stamp;
}

/// A shared clock.
pub type SharedClock = Arc<dyn Clock>;

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_deadline_never_grows_on_the_way_down() {
        let deadline = Deadline::after(Duration::from_secs(5)).unwrap();

        assert_eq!(deadline.within(Duration::from_secs(60)), deadline);
        assert!(deadline.within(Duration::from_secs(1)) < deadline);
    }

    #[test]
    fn a_timeout_out_of_range_is_refused_and_not_shortened() {
        assert_eq!(Deadline::after(Duration::ZERO), Err(DeadlineError::Zero));
        let asked = Duration::from_secs(121);
        assert_eq!(Deadline::after(asked), Err(DeadlineError::TooLong { asked }));
    }
}
