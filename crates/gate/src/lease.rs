//! Who holds a session, and whether they still do.
//!
//! A session has one holder at a time. Every handover, brake and end starts a new epoch, so a
//! caller that was authorized before it is refused after it, even when the session has since come
//! back to the same holder.
//!
//! INVARIANT: a claim never waits for the act it ends. The epoch moves first, in one atomic step;
//! the connection compares it in the same critical section as each write, so nothing old is sent
//! afterwards (I6).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::watch;

use sidestick_model::outcome::{Code, Refusal, Status};
use sidestick_model::{Actor, LeaseId, Seam};

const HOLDER_BITS: u32 = 2;
const HOLDER_MASK: u64 = 0b11;

/// The holder and epoch of one session, in one word.
#[derive(Debug, Clone)]
pub struct Lease {
    word: Arc<AtomicU64>,
    moved: Arc<watch::Sender<u64>>,
}

impl Lease {
    /// Makes the lease of a new session, held by `holder` in epoch 1.
    pub fn new(holder: Actor) -> Lease {
        let word = pack(LeaseId { holder, epoch: 1 });
        let (moved, _) = watch::channel(word);
        Lease { word: Arc::new(AtomicU64::new(word)), moved: Arc::new(moved) }
    }

    /// Returns who holds the session, since which epoch.
    pub fn current(&self) -> LeaseId {
        unpack(self.word.load(Ordering::SeqCst))
    }

    /// Moves the lease to `next` at once and wakes whatever acts under the old one.
    pub fn advance(&self, next: Actor) -> LeaseId {
        let step = |word: u64| Some(pack(LeaseId { holder: next, epoch: unpack(word).epoch + 1 }));
        let old = match self.word.fetch_update(Ordering::SeqCst, Ordering::SeqCst, step) {
            Ok(old) | Err(old) => old,
        };
        let now = LeaseId { holder: next, epoch: unpack(old).epoch + 1 };
        self.moved.send_replace(pack(now));
        now
    }

    /// Holds the lease for one act if `shown` is still current; does not stop it from moving.
    ///
    /// # Errors
    ///
    /// Refuses with `LEASE_LOST` if holder or epoch differ.
    pub fn hold(&self, shown: LeaseId) -> Result<Held, Refusal> {
        let now = self.current();
        if now == shown {
            return Ok(Held { lease: self.clone(), shown, left: None });
        }
        let code = if now.holder == shown.holder { Code::OldEpoch } else { Code::OtherHolder };
        let why = format!(
            "the session is held by {} since epoch {}; this act stands on epoch {}",
            now.holder.as_str(),
            now.epoch,
            shown.epoch
        );
        Err(Refusal::new(Status::LeaseLost, code, why))
    }
}

fn pack(lease: LeaseId) -> u64 {
    (lease.epoch << HOLDER_BITS) | lease.holder.index()
}

fn unpack(word: u64) -> LeaseId {
    let holder = Actor::from_index(word & HOLDER_MASK).unwrap_or(Actor::Human);
    LeaseId { holder, epoch: word >> HOLDER_BITS }
}

/// The lease as one act holds it. The connection asks [`Held::holds`] at each write.
#[derive(Debug, Clone)]
pub struct Held {
    lease: Lease,
    shown: LeaseId,
    left: Option<watch::Receiver<bool>>,
}

impl Held {
    /// Adds the caller: when the value turns true, the caller has gone and the act is cut.
    #[must_use]
    pub fn with_caller(mut self, left: watch::Receiver<bool>) -> Held {
        self.left = Some(left);
        self
    }

    /// Returns whether the act may still send.
    pub fn holds(&self) -> bool {
        let caller_left = self.left.as_ref().is_some_and(|left| *left.borrow());
        self.lease.current() == self.shown && (!caller_left || Seam::CallerGone.is_broken())
    }

    /// Waits until the act may no longer send.
    pub async fn cut(&self) {
        let mut moved = self.lease.moved.subscribe();
        let mut left = self.left.clone();
        loop {
            if !self.holds() {
                return;
            }
            let caller = async {
                match left.as_mut() {
                    Some(left) => left.changed().await.is_ok(),
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                changed = moved.changed() => if changed.is_err() { return },
                still_there = caller => if !still_there { left = None },
            }
        }
    }

    /// Returns what the act was admitted with.
    pub fn shown(&self) -> LeaseId {
        self.shown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_that_came_back_is_another_lease() {
        let lease = Lease::new(Actor::Agent);
        let first = lease.current();
        let held = lease.hold(first).unwrap();

        lease.advance(Actor::Human);
        lease.advance(Actor::Agent);

        assert!(!held.holds());
        assert_eq!(lease.hold(first).unwrap_err().code, Some(Code::OldEpoch));
        assert!(lease.hold(lease.current()).is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_claim_wakes_what_acts_under_the_old_epoch() {
        let lease = Lease::new(Actor::Agent);
        let held = lease.hold(lease.current()).unwrap();

        let ((), claimed) = tokio::join!(held.cut(), async { lease.advance(Actor::Human) });

        assert_eq!(claimed.epoch, 2);
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_that_leaves_cuts_its_act() {
        let lease = Lease::new(Actor::Agent);
        let (leave, left) = watch::channel(false);
        let held = lease.hold(lease.current()).unwrap().with_caller(left);

        let ((), ()) = tokio::join!(held.cut(), async {
            leave.send_replace(true);
        });

        assert!(!held.holds());
        assert!(lease.hold(lease.current()).unwrap().holds());
    }
}
