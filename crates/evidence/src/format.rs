//! The formats of a run's files, versioned.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use sidestick_model::record::{Finding, GateLine, Goal, RunHead, StateLeft};
use sidestick_model::{ActId, GoalId, ObservationId};

/// The version of `run.json` and `report.json` written by this build.
pub const VERSION: u32 = 1;

/// What `run.json` holds: everything about a run that is not in its trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunState {
    /// Version of this format.
    pub version: u32,
    /// The head.
    pub head: RunHead,
    /// Goals in the order they were registered (VR-042).
    pub goals: Vec<Goal>,
    /// Findings in order.
    pub findings: Vec<Finding>,
    /// Findings beyond the limit.
    pub findings_dropped: u32,
    /// Gates met.
    pub gates: Vec<GateLine>,
    /// Actions used by the run.
    pub run_used: u32,
    /// Actions the run may take.
    pub run_cap: u32,
    /// Actions each goal may take.
    pub goal_cap: u32,
    /// The newest observations, by number. They grow with every act, so they are appended to
    /// `observations.jsonl`, and the older ones are kept there alone.
    #[serde(skip)]
    observations: BTreeMap<u32, ObservationLine>,
    /// The observations that changed since they were last appended.
    #[serde(skip)]
    unsaved: BTreeSet<u32>,
    /// The number of the last act.
    pub last_act: u32,
    /// Counted login attempts (VR-165).
    pub login_attempts: u32,
    /// What was left behind.
    pub state_left: StateLeft,
    /// Whether cleaning up failed at the end.
    pub cleanup_failed: bool,
}

/// Observations held in memory; the file has them all.
const OBSERVATIONS_HELD_MAX: usize = 100;

/// One observation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ObservationLine {
    /// When.
    pub at: String,
    /// The goal it was made for.
    pub goal: Option<GoalId>,
    /// The act it followed.
    pub act: Option<ActId>,
    /// The picture, relative to the run folder.
    pub screenshot: Option<String>,
    /// Whether the picture is withheld.
    pub screenshot_withheld: bool,
    /// The outline, relative to the run folder.
    pub outline: Option<String>,
    /// The address, redacted.
    pub url: String,
    /// The lease epoch it was made in.
    pub epoch: u64,
}

/// One line of `observations.jsonl`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NumberedObservation {
    /// The number of the observation.
    n: u32,
    #[serde(flatten)]
    line: ObservationLine,
}

impl RunState {
    /// Makes the state of a new run.
    pub fn new(head: RunHead, run_cap: u32, goal_cap: u32) -> RunState {
        RunState {
            version: VERSION,
            head,
            goals: Vec::new(),
            findings: Vec::new(),
            findings_dropped: 0,
            gates: Vec::new(),
            run_used: 0,
            run_cap,
            goal_cap,
            observations: BTreeMap::new(),
            unsaved: BTreeSet::new(),
            last_act: 0,
            login_attempts: 0,
            state_left: StateLeft::default(),
            cleanup_failed: false,
        }
    }

    /// Returns the goal with this id.
    pub fn goal(&self, id: &GoalId) -> Option<&Goal> {
        self.goals.iter().find(|goal| goal.goal_id == *id)
    }

    /// Returns the goal with this id, to change it.
    pub fn goal_mut(&mut self, id: &GoalId) -> Option<&mut Goal> {
        self.goals.iter_mut().find(|goal| goal.goal_id == *id)
    }

    /// Returns the newest observation.
    pub fn latest_observation(&self) -> Option<ObservationId> {
        self.observations.last_key_value().map(|(number, _)| ObservationId(*number))
    }

    /// Returns an observation, unless it is so old that the run folder alone has it.
    pub fn observation(&self, id: ObservationId) -> Option<&ObservationLine> {
        self.observations.get(&id.0)
    }

    /// Returns an observation, to change it.
    pub fn observation_mut(&mut self, id: ObservationId) -> Option<&mut ObservationLine> {
        let line = self.observations.get_mut(&id.0)?;
        self.unsaved.insert(id.0);
        Some(line)
    }

    /// Gives an observation the next number.
    pub fn add_observation(&mut self, line: ObservationLine) -> ObservationId {
        let number =
            self.observations.last_key_value().map_or(1, |(last, _)| last.saturating_add(1));
        self.observations.insert(number, line);
        self.unsaved.insert(number);
        ObservationId(number)
    }

    /// Returns the first observation that changed and was not appended since.
    pub(crate) fn first_unsaved(&self) -> Option<NumberedObservation> {
        let n = *self.unsaved.first()?;
        self.observations.get(&n).map(|line| NumberedObservation { n, line: line.clone() })
    }

    /// Notes that it was appended; the oldest are kept in the file alone.
    pub(crate) fn saved(&mut self, observation: &NumberedObservation) {
        self.unsaved.remove(&observation.n);
        while OBSERVATIONS_HELD_MAX < self.observations.len() {
            match self.observations.first_key_value() {
                Some((oldest, _)) if !self.unsaved.contains(oldest) => {
                    self.observations.pop_first();
                }
                Some(_) | None => break,
            }
        }
    }

    /// Takes in the lines of `observations.jsonl`; of several for one number the last holds. What
    /// is held already is newer.
    ///
    /// # Errors
    ///
    /// Fails with the number of the line, from 1, that is not one of ours. A torn last line is
    /// none.
    pub(crate) fn read_observations(&mut self, bytes: &[u8]) -> Result<(), u64> {
        let held = std::mem::take(&mut self.observations);
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').unwrap_or_default();
        let lines = bytes.get(..whole).unwrap_or_default().split(|byte| *byte == b'\n');
        for (at, line) in (1_u64..).zip(lines).filter(|(_, line)| !line.is_empty()) {
            let numbered: NumberedObservation = serde_json::from_slice(line).map_err(|_| at)?;
            self.observations.insert(numbered.n, numbered.line);
        }
        self.observations.extend(held);
        Ok(())
    }
}
