//! What becomes of an act: one table of owner, tier, actor and what was said to open it (D14).

use sidestick_model::record::Owner;
use sidestick_model::{Actor, Seam};

use crate::risk::Tier;

/// What becomes of an act, from the most open to the most closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// It goes on.
    Allow,
    /// A claim that holds opens it, where a claim may.
    Gate,
    /// Only an approval of a person opens it.
    Hold,
    /// Nothing opens it.
    Refuse,
}

impl Answer {
    /// Every answer.
    pub const ALL: [Answer; 4] = [Answer::Allow, Answer::Gate, Answer::Hold, Answer::Refuse];

    /// Returns the word of a policy.
    pub fn as_str(self) -> &'static str {
        match self {
            Answer::Allow => "allow",
            Answer::Gate => "gate",
            Answer::Hold => "hold",
            Answer::Refuse => "refuse",
        }
    }
}

/// What was said to open a gate, and holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lift {
    /// Nothing, or nothing that holds.
    None,
    /// The user asked for it in their own words.
    Requested,
    /// It only touches what this run made.
    Created,
    /// A person approved exactly this act.
    Approved,
}

/// The table. What a policy says replaces a cell for both owners.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gates {
    yours: [[Answer; 4]; 3],
    third_party: [[Answer; 4]; 3],
}

impl Default for Gates {
    fn default() -> Gates {
        use Answer::{Allow, Gate};
        // In the order agent, replay, assist, human.
        let rows =
            [[Allow, Allow, Allow, Allow], [Gate, Gate, Gate, Allow], [Gate, Gate, Gate, Allow]];
        Gates { yours: rows, third_party: rows }
    }
}

impl Gates {
    /// Returns what becomes of an act of this tier.
    pub fn cell(&self, owner: Owner, tier: Tier, actor: Actor, lift: Lift) -> Answer {
        let base = self.base(owner, tier, actor);
        let by_claim = tier != Tier::Irreversible || Seam::Irreversible.is_broken();
        match (base, lift) {
            (Answer::Allow, _) => Answer::Allow,
            (Answer::Gate, Lift::Requested | Lift::Created) if by_claim => Answer::Allow,
            (Answer::Gate | Answer::Hold, Lift::Approved) => Answer::Allow,
            (Answer::Gate | Answer::Hold | Answer::Refuse, _) => base,
        }
    }

    fn base(&self, owner: Owner, tier: Tier, actor: Actor) -> Answer {
        let rows = match owner {
            Owner::Yours => &self.yours,
            Owner::ThirdParty => &self.third_party,
        };
        let answer = rows.get(row(tier)).and_then(|row| row.get(column(actor))).copied();
        let answer = answer.unwrap_or(Answer::Refuse);
        // Whatever a file says: what cannot be taken back is nothing automation does unasked.
        let needs_somebody = tier == Tier::Irreversible && actor != Actor::Human;
        if needs_somebody && !Seam::IrreversibleFloor.is_broken() {
            return answer.max(Answer::Gate);
        }
        answer
    }

    /// Puts a policy's answer into the table.
    pub(crate) fn set(&mut self, tier: Tier, actor: Actor, answer: Answer) {
        for rows in [&mut self.yours, &mut self.third_party] {
            if let Some(cell) = rows.get_mut(row(tier)).and_then(|row| row.get_mut(column(actor))) {
                *cell = answer;
            }
        }
    }
}

fn row(tier: Tier) -> usize {
    match tier {
        Tier::Safe => 0,
        Tier::Elevated => 1,
        Tier::Irreversible => 2,
    }
}

fn column(actor: Actor) -> usize {
    match actor {
        Actor::Agent => 0,
        Actor::Replay => 1,
        Actor::Assist => 2,
        Actor::Human => 3,
    }
}

#[cfg(test)]
mod tests;
