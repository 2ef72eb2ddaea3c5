//! Who acts, and in whose hands a session is.

use serde::{Deserialize, Serialize};

/// Who asks for an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Actor {
    /// A model through one of the doors.
    Agent,
    /// A recorded script or capability, with no model.
    Replay,
    /// A model helping a replay over one step.
    Assist,
    /// A person.
    Human,
}

impl Actor {
    /// Returns the word of the record.
    pub fn as_str(self) -> &'static str {
        match self {
            Actor::Agent => "agent",
            Actor::Replay => "replay",
            Actor::Assist => "assist",
            Actor::Human => "human",
        }
    }

    pub(crate) const ALL: [Actor; 4] = [Actor::Agent, Actor::Replay, Actor::Assist, Actor::Human];

    /// Returns the actor with this number in a packed lease, if there is one.
    pub fn from_index(index: u64) -> Option<Actor> {
        usize::try_from(index).ok().and_then(|at| Actor::ALL.get(at)).copied()
    }

    /// Returns the actor's number in a packed lease.
    pub fn index(self) -> u64 {
        match self {
            Actor::Agent => 0,
            Actor::Replay => 1,
            Actor::Assist => 2,
            Actor::Human => 3,
        }
    }
}

/// A session's holder and the epoch in which they came to hold it.
///
/// Every handover starts a new epoch, so what was authorized before it is refused after it, even
/// when the session has since come back to the same holder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LeaseId {
    /// Who holds the session.
    pub holder: Actor,
    /// The number of the handover, from 1.
    pub epoch: u64,
}
