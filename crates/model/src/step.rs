//! Steps: the form in which actions are written down to be carried out later (D12, D28).

use serde::{Deserialize, Serialize};

use crate::action::{Chord, DialogAnswer, Direction};
use crate::observation::Expect;
use crate::outcome::{Code, Status};
use crate::record::{FindingKind, GateClaim, Verdict};
use crate::target::Target;

/// A scripted run: goals and their steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// Version of this format: 1.
    pub version: u32,
    /// Where the run begins.
    pub target: String,
    /// What kind of application it is; web when absent.
    #[serde(default)]
    pub surface: Option<crate::record::SurfaceKind>,
    /// Whose application it is.
    #[serde(default)]
    pub owner: Option<crate::record::Owner>,
    /// Whether a person is there.
    #[serde(default)]
    pub attended: Option<bool>,
    /// Findings the run must hold, whatever goal they are linked to.
    #[serde(default)]
    pub findings: Vec<Wanted>,
    /// Further origins the run may load.
    #[serde(default)]
    pub allow: Vec<String>,
    /// Failures that are expected: findings whose words match are marked as such.
    #[serde(default)]
    pub expect_failures: Vec<String>,
    /// What the pages are told about screen, person and network.
    #[serde(default)]
    pub emulation: Option<crate::emulation::Emulation>,
    /// The goals, in order.
    pub goals: Vec<ScriptGoal>,
}

/// A goal and how it must end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptGoal {
    /// Its id.
    pub id: String,
    /// What is wanted.
    pub title: String,
    /// The verdict it must end with.
    pub demands: Verdict,
    /// Its steps, in order.
    pub steps: Vec<Step>,
    /// Findings that must be linked to it when it ends.
    #[serde(default)]
    pub findings: Vec<Wanted>,
    /// An independent check at the end (D22).
    #[serde(default)]
    pub check: Option<Check>,
}

/// A finding that must be there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wanted {
    /// What kind.
    pub kind: FindingKind,
    /// A part of its summary, compared without case.
    pub r#match: String,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Step {
    /// An action through the gate.
    Act(Box<ActStep>),
    /// A bounded wait.
    Wait(WaitStep),
    /// A finding.
    Note(NoteStep),
    /// A verdict.
    Verdict(VerdictStep),
    /// A look.
    Observe(ObserveStep),
}

/// An action, what it must lead to, and what stands in its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the arguments of INTERFACE under the same names")]
pub struct ActStep {
    pub act: String,
    #[serde(default)]
    pub target: Option<Target>,
    #[serde(default)]
    pub to: Option<Target>,
    #[serde(default)]
    pub text: Option<String>,
    #[serde(default)]
    pub secret: Option<String>,
    #[serde(default)]
    pub values: Vec<String>,
    #[serde(default)]
    pub key: Option<Chord>,
    #[serde(default)]
    pub url: Option<String>,
    #[serde(default)]
    pub direction: Option<Direction>,
    #[serde(default)]
    pub amount: Option<f64>,
    #[serde(default)]
    pub files: Vec<String>,
    #[serde(default)]
    pub answer: Option<DialogAnswer>,
    #[serde(default)]
    pub expect: Option<Expect>,
    #[serde(default)]
    pub gate: GateClaim,
    #[serde(default)]
    pub wait_ms: u64,
    /// The status demanded; `OBSERVED` by default.
    #[serde(default)]
    pub want: Option<Status>,
    /// The code demanded.
    #[serde(default)]
    pub code: Option<Code>,
}

/// A wait: `text:..`, `gone:..`, `url:..`, `ready` or `still`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitStep {
    /// What for.
    pub wait: String,
    /// At most this long.
    #[serde(default)]
    pub timeout_ms: Option<u64>,
}

/// A finding noted by the script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoteStep {
    /// The finding.
    pub note: Note,
}

/// What is noted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Note {
    /// What kind.
    pub kind: FindingKind,
    /// One sentence.
    pub summary: String,
}

/// A verdict given by the script.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictStep {
    /// The verdict.
    pub verdict: VerdictWords,
}

/// What is said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerdictWords {
    /// The verdict.
    pub status: Verdict,
    /// Why.
    #[serde(default)]
    pub summary: String,
    /// The code with which it must be refused.
    #[serde(default)]
    pub refused: Option<String>,
}

/// A look between steps.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObserveStep {
    /// `viewport` or `document`.
    pub observe: crate::observation::Scope,
}

/// An independent check of the system of record (D22).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// An address read with GET, within the boundary.
    pub http: String,
    /// A JSON pointer into the answer.
    pub pointer: String,
    /// The value that must be there.
    pub equals: serde_json::Value,
    /// True when the value may hold from the start: it is not asked before the first act.
    #[serde(default)]
    pub after: bool,
    /// True when the truth is that the record denies what the screen says.
    #[serde(default)]
    pub expect_denied: bool,
}
