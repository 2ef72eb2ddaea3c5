//! The record's data: what `run.json` and `report.json` hold.

use serde::{Deserialize, Serialize};

use crate::download::DownloadSeen;
use crate::id::{ActId, FindingId, GoalId, ObservationId, RunId};
use crate::outcome::{BudgetSeen, Outcome, Verified};

/// Whose application it is; decides which names are gated (VR-107).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Owner {
    /// The user's own local or disposable application.
    Yours,
    /// Everything else; when unsure, this.
    ThirdParty,
}

impl Owner {
    /// Returns the word of the command line and the record.
    pub fn as_str(self) -> &'static str {
        match self {
            Owner::Yours => "yours",
            Owner::ThirdParty => "third-party",
        }
    }
}

/// What kind of application is held open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the words of INTERFACE")]
pub enum SurfaceKind {
    Web,
    Electron,
    Desktop,
}

/// The caller's claim at a gate (VR-110).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GateClaim {
    /// No claim.
    #[default]
    None,
    /// The user asked for it in their own words.
    Requested,
    /// It only touches what this run made.
    Created,
}

impl GateClaim {
    /// Returns the word of the command line and the record.
    pub fn as_str(self) -> &'static str {
        match self {
            GateClaim::None => "none",
            GateClaim::Requested => "requested",
            GateClaim::Created => "created",
        }
    }
}

/// How a goal ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The act that did the work was observed.
    Pass,
    /// The application did the wrong thing.
    Fail,
    /// It could not be finished.
    Blocked,
    /// Real progress, cut short.
    Partial,
    /// No verdict was given.
    Unset,
}

impl Verdict {
    /// Returns the word of the command line and the record.
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail => "fail",
            Verdict::Blocked => "blocked",
            Verdict::Partial => "partial",
            Verdict::Unset => "unset",
        }
    }

    /// Returns the verdict with this word; `unset` cannot be given.
    pub fn parse(word: &str) -> Option<Verdict> {
        [Verdict::Pass, Verdict::Fail, Verdict::Blocked, Verdict::Partial]
            .into_iter()
            .find(|verdict| verdict.as_str() == word)
    }
}

/// What kind of thing was noticed (VR-169).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the words of VR-169")]
pub enum FindingKind {
    Visibility,
    Accessibility,
    Console,
    Network,
    Injection,
    Undiscoverable,
    Other,
}

impl FindingKind {
    /// Every kind.
    pub const ALL: [FindingKind; 7] = [
        FindingKind::Visibility,
        FindingKind::Accessibility,
        FindingKind::Console,
        FindingKind::Network,
        FindingKind::Injection,
        FindingKind::Undiscoverable,
        FindingKind::Other,
    ];

    /// Returns the word of the command line and the record.
    pub fn as_str(self) -> &'static str {
        match self {
            FindingKind::Visibility => "visibility",
            FindingKind::Accessibility => "accessibility",
            FindingKind::Console => "console",
            FindingKind::Network => "network",
            FindingKind::Injection => "injection",
            FindingKind::Undiscoverable => "undiscoverable",
            FindingKind::Other => "other",
        }
    }

    /// Returns the kind with this word.
    pub fn parse(word: &str) -> Option<FindingKind> {
        FindingKind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// How bad something noticed is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something failed.
    Error,
    /// Something may be wrong.
    #[default]
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// Returns the word of the record.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }
}

/// Something noticed that no goal asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Its id.
    pub finding_id: FindingId,
    /// What kind.
    pub kind: FindingKind,
    /// One sentence; page text in it is quoted.
    pub summary: String,
    /// The goal it belongs to.
    pub goal_id: Option<GoalId>,
    /// The act that brought it out.
    pub act: Option<ActId>,
    /// The picture that shows it.
    pub screenshot_path: Option<String>,
    /// How bad it is.
    #[serde(default)]
    pub severity: Severity,
    /// Whether the run was told to expect it; it fails no goal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub expected: bool,
    /// `script` when code found it, `model` when a caller noted it.
    pub source: String,
    /// What makes two findings the same one; never shown.
    #[serde(default)]
    pub key: String,
}

/// A gate that was met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateLine {
    /// The observation the act stood on.
    pub observation_id: Option<ObservationId>,
    /// The act.
    pub act: ActId,
    /// The name that was judged.
    pub subject: String,
    /// The word that matched.
    pub word: String,
    /// The pattern's id.
    pub pattern: String,
    /// The tier.
    pub tier: String,
    /// `stopped`, or the claim that let it pass.
    pub gate: String,
}

/// One goal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    /// Its id.
    pub goal_id: GoalId,
    /// What is wanted, in the user's words.
    pub title: String,
    /// How it ended.
    pub status: Verdict,
    /// Why.
    pub summary: String,
    /// Pictures, relative to the run folder, in order.
    pub evidence: Vec<String>,
    /// Linked findings.
    pub findings: Vec<FindingId>,
    /// Its acts, in order.
    pub acts: Vec<ActId>,
    /// The act that proves a pass.
    pub proof: Option<ActId>,
    /// The independent check, if one was made (D22).
    pub verified: Option<Verified>,
    /// Actions it used.
    pub actions_used: u32,
}

/// The policy a run was held to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicySeen {
    /// The file it was read from.
    pub file: String,
    /// The digest of its text, in hex.
    pub sha256: String,
    /// Whose application it says it is for; none when it does not say.
    pub owner: Option<Owner>,
    /// The number of the user the file belongs to.
    pub file_uid: u32,
}

/// The head of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the words of VR-194")]
pub struct RunHead {
    pub run_id: RunId,
    pub target: String,
    pub surface: SurfaceKind,
    pub owner: Owner,
    pub attended: bool,
    pub request: Option<String>,
    pub driver: String,
    pub driver_version: String,
    pub sandbox: bool,
    pub allow: Vec<String>,
    /// Patterns of the failures the run was told to expect.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect_failures: Vec<String>,
    #[serde(default)]
    pub upload_roots: Vec<String>,
    pub authority: String,
    pub egress: String,
    pub started: String,
    pub ended: Option<String>,
    pub stopped_reason: Option<String>,
    pub recovered: bool,
    /// What was emulated; absent for a plain desktop screen.
    #[serde(default, skip_serializing_if = "crate::emulation::Emulation::is_plain")]
    pub emulation: crate::emulation::Emulation,
    /// The policy file, when one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub policy: Option<PolicySeen>,
    pub test_overrides: Vec<String>,
}

/// What was left behind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct StateLeft {
    /// The last picture; empty when there is none.
    pub final_screenshot: String,
    /// What still runs or is open.
    pub kept_open: Vec<String>,
    /// What the browser's end left: `process`, `profile`, `connection`.
    pub receipt: Vec<String>,
    /// What could not be cleaned up.
    pub cleanup_errors: Vec<String>,
    /// The downloads of the run, in the order they began.
    pub downloads: Vec<DownloadSeen>,
    /// Downloads beyond the limit, which were called off.
    pub downloads_dropped: u32,
}

/// A whole run, as `report.json` has it (VR-194).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version of this format.
    pub version: u32,
    /// The head.
    pub run: RunHead,
    /// Goals in the order they were registered.
    pub goals: Vec<Goal>,
    /// Findings in the order they were made.
    pub findings: Vec<Finding>,
    /// Gates met.
    pub gates: Vec<GateLine>,
    /// Acts in order, without outlines.
    pub acts: Vec<ActLine>,
    /// What was left.
    pub state_left: StateLeft,
    /// What was spent.
    pub budget: BudgetSeen,
}

/// One act of a report: its outcome, and when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActLine {
    /// When it was asked for, RFC 3339.
    pub at: String,
    /// What was asked, in words.
    pub asked: String,
    /// The picture before.
    pub before: Option<String>,
    /// The picture after.
    pub after: Option<String>,
    /// The outcome.
    #[serde(flatten)]
    pub outcome: Outcome,
}
