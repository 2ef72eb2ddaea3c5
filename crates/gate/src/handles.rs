//! The three ways to a session: acts one at a time, reads together, control at once.
//!
//! A [`Door`] is what every front door holds; it cannot tell a session in its own process from one
//! behind a socket.

use tokio::sync::{mpsc, oneshot, watch};

use sidestick_model::call::{Answer, Call, DoorCode, DoorError};
use sidestick_policy::Redacted;

/// Which of the three ways a call takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// One at a time, in order: acts, goals, notes, verdicts.
    Acts,
    /// Together, behind the act in flight.
    Reader,
    /// At once, whatever is in flight.
    Control,
}

impl Control {
    /// Returns the way a call takes.
    pub fn of(call: &Call) -> Control {
        match call {
            Call::Act(_) | Call::Goal { .. } | Call::Note(_) | Call::Verdict(_) => Control::Acts,
            Call::Observe(_)
            | Call::Find(_)
            | Call::Text { .. }
            | Call::Screenshot { .. }
            | Call::Changes(_)
            | Call::Zoom(_)
            | Call::Holds(_)
            | Call::Wait(_)
            | Call::Tabs => Control::Reader,
            Call::Findings
            | Call::Status
            | Call::Pause { .. }
            | Call::Release { .. }
            | Call::Stop { .. }
            | Call::End { .. } => Control::Control,
        }
    }
}

/// One call on its way: what is asked, whether the caller is still there, where the answer goes.
#[derive(Debug)]
pub struct Asked {
    /// What is asked.
    pub call: Call,
    /// Turns true when the caller goes away.
    pub left: watch::Receiver<bool>,
    /// Where the answer goes.
    pub answer: oneshot::Sender<Redacted<Answer>>,
}

/// A line to one session.
#[derive(Debug, Clone)]
pub struct Door {
    line: mpsc::Sender<Asked>,
}

impl Door {
    /// Makes a line and its other end.
    pub fn new(waiting_max: usize) -> (Door, mpsc::Receiver<Asked>) {
        let (line, asked) = mpsc::channel(waiting_max);
        (Door { line }, asked)
    }

    /// Asks and waits for the answer. Dropping the future tells the session that the caller left.
    pub async fn ask(&self, call: Call) -> Answer {
        let (answer, answered) = oneshot::channel();
        let (gone, left) = watch::channel(false);
        let _leave = Leave(gone);
        if self.line.send(Asked { call, left, answer }).await.is_err() {
            return Answer::Refused(host_gone());
        }
        match answered.await {
            Ok(answer) => answer.into_inner(),
            Err(_) => Answer::Refused(host_gone()),
        }
    }
}

/// Says that the caller left when it is dropped.
struct Leave(watch::Sender<bool>);

impl Drop for Leave {
    fn drop(&mut self) {
        self.0.send_replace(true);
    }
}

fn host_gone() -> DoorError {
    DoorError::new(DoorCode::HostGone, "the session's host is gone")
        .hint("`sidestick status` and `sidestick end` still work on the run")
}
