//! The session task: takes acts one at a time, lets reads run together, and brakes at once.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Notify, mpsc, oneshot, watch};
use tokio::time::Instant;

use sidestick_gate::handles::Asked;
use sidestick_gate::{Control, Session, Surface};
use sidestick_model::call::{Answer, Call, DoorCode, DoorError};
use sidestick_model::{Seam, limits};
use sidestick_policy::Redacted;

use crate::brake;
use crate::registry::Registry;

/// What a host needs beside its session.
#[derive(Debug)]
pub struct Host<S> {
    /// The session.
    pub session: Session<S>,
    /// This user's hosts and brake.
    pub registry: Registry,
    /// How long it may idle.
    pub idle: Duration,
    /// The line of acts.
    acts: mpsc::Sender<Asked>,
    busy: watch::Sender<(u32, Instant)>,
    /// How many clients are connected.
    pub clients: watch::Sender<usize>,
    /// Told when the run has ended.
    pub ended: Notify,
}

impl<S: Surface> Host<S> {
    /// Makes the host of a session and starts its session task.
    pub fn start(session: Session<S>, registry: Registry, idle: Duration) -> Arc<Host<S>> {
        let (acts, waiting) = mpsc::channel(limits::ACTS_WAITING_MAX);
        let (busy, _) = watch::channel((0, Instant::now()));
        let (clients, _) = watch::channel(0);
        let host = Host { session, registry, idle, acts, busy, clients, ended: Notify::new() };
        let host = Arc::new(host);
        tokio::spawn(take_acts(Arc::downgrade(&host), waiting));
        host
    }

    /// Answers one call on the way it takes; the caller's going away is told by `left`.
    pub async fn answer(&self, call: Call, left: watch::Receiver<bool>) -> Redacted<Answer> {
        let busy = Busy::new(&self.busy);
        let answer = self.answer_by_way(call, left).await;
        drop(busy);
        if self.session.is_over() {
            self.ended.notify_one();
        }
        answer
    }

    async fn answer_by_way(&self, call: Call, left: watch::Receiver<bool>) -> Redacted<Answer> {
        match Control::of(&call) {
            Control::Control => self.session.answer(call, left).await,
            Control::Reader => {
                self.adopt_brake().await;
                self.session.answer(call, left).await
            }
            Control::Acts => {
                let (answer, answered) = oneshot::channel();
                let asked = Asked { call, left, answer };
                if self.acts.try_send(asked).is_err() {
                    let why = format!("{} acts are waiting", limits::ACTS_WAITING_MAX);
                    let busy = DoorError::new(DoorCode::Busy, why);
                    return Redacted::from_ours(Answer::Refused(busy));
                }
                answered.await.unwrap_or_else(|_| {
                    let gone = DoorError::new(DoorCode::Internal, "the act was lost");
                    Redacted::from_ours(Answer::Refused(gone))
                })
            }
        }
    }

    /// Takes over a brake that was set while this host was not told (D16).
    async fn adopt_brake(&self) {
        if !Seam::BrakeAdoption.is_broken()
            && self.session.braked().is_none()
            && let Some(brake) = brake::read(&self.registry)
        {
            let (_stay, left) = watch::channel(false);
            let call = Call::Pause { by: brake.by, why: brake.why };
            drop(self.session.answer(call, left).await);
        }
    }

    /// Waits until the last client has left, or `limit` has passed.
    pub async fn left_alone(&self, limit: Duration) {
        let mut clients = self.clients.subscribe();
        // Whether they left or not, the host ends.
        let _ = tokio::time::timeout(limit, clients.wait_for(|clients| *clients == 0)).await;
    }

    /// Waits until nobody has asked for anything for the idle time.
    pub async fn idle(&self) {
        let mut busy = self.busy.subscribe();
        loop {
            let (count, since) = *busy.borrow_and_update();
            if count != 0 {
                if busy.changed().await.is_err() {
                    return;
                }
                continue;
            }
            let until = since + self.idle;
            match tokio::time::timeout_at(until, busy.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return,
            }
        }
    }
}

/// Counts a call as under way until it is dropped, however it ends.
struct Busy<'a>(&'a watch::Sender<(u32, Instant)>);

impl Busy<'_> {
    fn new(counter: &watch::Sender<(u32, Instant)>) -> Busy<'_> {
        counter.send_modify(|(count, _)| *count += 1);
        Busy(counter)
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|(count, since)| {
            *count = count.saturating_sub(1);
            *since = Instant::now();
        });
    }
}

/// Takes acts one at a time; after each answer the picture that belongs to it is taken before the
/// next act begins (D26).
async fn take_acts<S: Surface>(host: std::sync::Weak<Host<S>>, mut waiting: mpsc::Receiver<Asked>) {
    while let Some(asked) = waiting.recv().await {
        let Some(host) = host.upgrade() else { return };
        host.adopt_brake().await;
        let acting = {
            let host = Arc::clone(&host);
            tokio::spawn(async move { host.session.answer(asked.call, asked.left).await })
        };
        let Ok(answer) = acting.await else {
            // A bug of ours: it ends this session, with the act concluded as unknown.
            host.session.park("a fault of this program").await;
            host.ended.notify_one();
            return;
        };
        let observation = match answer.get() {
            Answer::Act(outcome) if outcome.observation.id != outcome.observation.base => {
                outcome.observation.id
            }
            _ => None,
        };
        // The caller may have gone.
        let _ = asked.answer.send(answer);
        if let Some(id) = observation
            && !host.session.has_ended()
        {
            // A picture that fails is in the record as failed.
            drop(host.session.picture_after(id).await);
        }
    }
}
