//! What a door asks of a session, and what it is told: the words of the wire and of `--json`.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::actor::{Actor, LeaseId};
use crate::change::{ChangesAsk, ChangesSeen, Late};
use crate::form::HoldsAsk;
use crate::id::{ActId, FindingId, GoalId, ObservationId, RunId};
use crate::limits;
use crate::observation::{Expect, PageState, Scope, Subject};
use crate::outcome::{BudgetSeen, Code, ObservationSeen, Outcome, Verified};
use crate::record::{FindingKind, GateClaim, Report, RunHead, Verdict};

/// One act asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActAsk {
    /// What to do.
    pub action: Action,
    /// Who asks.
    pub actor: Actor,
    /// Which client asks; its last observation is what the act stands on by default.
    pub caller: String,
    /// The observation the act stands on.
    pub obs: Option<ObservationId>,
    /// What will be seen when it worked.
    pub expect: Option<Expect>,
    /// The claim at a gate.
    pub gate: GateClaim,
    /// An approval a person gave for exactly this act.
    pub approval: Option<String>,
    /// How long to wait for a precondition, in milliseconds.
    pub wait_ms: u64,
    /// How long the act may take, in milliseconds; null for the default of its kind.
    pub timeout_ms: Option<u64>,
    /// The goal it works for; null for the goal of the observation.
    pub goal: Option<GoalId>,
    /// Whether the answer carries the outline.
    pub full: bool,
}

impl ActAsk {
    /// Makes an ask with every option at its default.
    pub fn new(action: Action, actor: Actor, caller: impl Into<String>) -> ActAsk {
        ActAsk {
            action,
            actor,
            caller: caller.into(),
            obs: None,
            expect: None,
            gate: GateClaim::None,
            approval: None,
            wait_ms: 0,
            timeout_ms: None,
            goal: None,
            full: false,
        }
    }
}

/// One look asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the options of `observe` in INTERFACE")]
pub struct ObserveAsk {
    pub caller: String,
    pub actor: Actor,
    pub goal: Option<GoalId>,
    pub scope: Scope,
    pub within: Option<String>,
    pub query: Option<String>,
    pub max_chars: usize,
    pub screenshot: bool,
    /// Answer with what has changed since this observation.
    #[serde(default)]
    pub since: Option<ObservationId>,
    /// Draw a numbered box around each control in view.
    #[serde(default)]
    pub marks: bool,
}

impl ObserveAsk {
    /// Makes a look at the viewport with every option at its default.
    pub fn new(actor: Actor, caller: impl Into<String>) -> ObserveAsk {
        ObserveAsk {
            caller: caller.into(),
            actor,
            goal: None,
            scope: Scope::Viewport,
            within: None,
            query: None,
            max_chars: limits::OUTLINE_CHARS,
            screenshot: true,
            since: None,
            marks: false,
        }
    }
}

/// A search asked for (BR-098 to BR-104).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the rules of BR-100 to BR-104")]
pub struct FindAsk {
    pub role: Option<String>,
    pub name: Option<String>,
    pub text: Option<String>,
    pub near: Option<String>,
    pub scope: Scope,
    pub limit: usize,
}

/// A closer look asked for: at an element, or at a region of the viewport.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ZoomAsk {
    /// The ref of an element.
    pub target: Option<String>,
    /// Left, top, width and height in CSS pixels of the viewport.
    pub region: Option<[f64; 4]>,
    /// Picture pixels for each CSS pixel.
    pub scale: f64,
}

/// A mark on a picture, and what it stands for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkSeen {
    /// The mark: `m1`.
    pub mark: String,
    /// The ref of what it marks.
    #[serde(rename = "ref")]
    pub id: String,
    /// Its role.
    pub role: String,
    /// Its name.
    pub name: Option<String>,
}

/// What a wait is for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WaitAsk {
    /// `text`, `gone`, `url`, `ready` or `still`.
    pub kind: String,
    /// The text or pattern; for `still` how many milliseconds nothing may change.
    pub value: String,
    /// At most this long, in milliseconds.
    pub timeout_ms: u64,
}

/// A finding noted by a caller.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "VR-173")]
pub struct NoteAsk {
    pub kind: FindingKind,
    pub summary: String,
    pub obs: Option<ObservationId>,
    pub goal: Option<GoalId>,
}

/// A verdict asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "VR-174 and INTERFACE")]
pub struct VerdictAsk {
    pub goal: GoalId,
    pub verdict: Verdict,
    pub summary: String,
    pub proof: Option<ActId>,
    /// An independent check made by whoever wires the parts (D22).
    pub verified: Option<Verified>,
}

/// Everything a door can ask of a running session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
pub enum Call {
    /// Registers a goal.
    Goal { id: GoalId, title: String },
    /// Acts.
    Act(Box<ActAsk>),
    /// Notes a finding.
    Note(NoteAsk),
    /// Gives a verdict.
    Verdict(VerdictAsk),
    /// Looks.
    Observe(ObserveAsk),
    /// Searches.
    Find(FindAsk),
    /// Reads text.
    Text { target: Option<String>, max_chars: usize },
    /// Takes a picture.
    Screenshot { full_page: bool },
    /// Tells whether fields still hold what was set.
    Holds(HoldsAsk),
    /// Takes a picture of a part at a higher scale.
    Zoom(ZoomAsk),
    /// Tells what has changed.
    Changes(ChangesAsk),
    /// Waits for something.
    Wait(WaitAsk),
    /// Lists pages.
    Tabs,
    /// Lists the findings of the run.
    Findings,
    /// Tells how the run stands.
    Status,
    /// Brakes.
    Pause { by: String, why: Option<String> },
    /// Lifts a brake.
    Release { by: String },
    /// Ends the run now, without a last look.
    Stop { by: String },
    /// Ends the run.
    End { keep_open: bool },
}

impl Call {
    /// Returns the word of the record.
    pub fn verb(&self) -> &'static str {
        match self {
            Call::Goal { .. } => "goal",
            Call::Act(_) => "act",
            Call::Note(_) => "note",
            Call::Verdict(_) => "verdict",
            Call::Observe(_) => "observe",
            Call::Find(_) => "find",
            Call::Text { .. } => "text",
            Call::Screenshot { .. } => "screenshot",
            Call::Holds(_) => "holds",
            Call::Zoom(_) => "zoom",
            Call::Changes(_) => "changes",
            Call::Wait(_) => "wait",
            Call::Tabs => "tab",
            Call::Findings => "findings",
            Call::Status => "status",
            Call::Pause { .. } => "pause",
            Call::Release { .. } => "release",
            Call::Stop { .. } => "stop",
            Call::End { .. } => "end",
        }
    }

    /// Returns the longest its own limits let it take once its turn has come.
    pub fn time_max(&self) -> Duration {
        let look = limits::READ_TIME_MAX + limits::PICTURE_TIME_MAX;
        match self {
            Call::Act(ask) => {
                let kind = ask.action.kind();
                let default =
                    if kind.navigates() { limits::NAVIGATION_TIME } else { limits::ACTION_TIME };
                // The picture of the act before it comes first (D26).
                ask.timeout_ms.map_or(default, Duration::from_millis) + limits::PICTURE_TIME_MAX
            }
            Call::Wait(ask) => Duration::from_millis(ask.timeout_ms),
            Call::Verdict(_) => limits::VERDICT_LOOK_TIME_MAX + look,
            Call::Observe(_)
            | Call::Find(_)
            | Call::Text { .. }
            | Call::Changes(_)
            | Call::Zoom(_)
            | Call::Holds(_)
            | Call::Screenshot { .. } => look,
            Call::Stop { .. } | Call::End { .. } => {
                limits::CUT_ACT_TIME_MAX + look + limits::BROWSER_END_TIME_MAX * 2
            }
            Call::Goal { .. }
            | Call::Note(_)
            | Call::Tabs
            | Call::Findings
            | Call::Status
            | Call::Pause { .. }
            | Call::Release { .. } => Duration::ZERO,
        }
    }
}

/// What a door is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "snake_case")]
#[expect(missing_docs, reason = "one answer for each call of the same name")]
pub enum Answer {
    Goal { goal: GoalId },
    Act(Box<Outcome>),
    Note { finding: FindingId, goal: Option<GoalId> },
    Verdict(VerdictAnswer),
    Observe(Box<ObserveAnswer>),
    Find { matches: Vec<Found>, total: u32 },
    Text { text: String, truncated: bool, total_chars: u64 },
    Screenshot { path: Option<String>, withheld: bool, width: u32, height: u32 },
    Holds { held: Vec<bool> },
    Zoom { path: Option<String>, withheld: bool, region: [f64; 4], scale: f64 },
    Changes(Box<ChangesSeen>),
    Wait { held: bool, looked_ms: u64 },
    Tabs { pages: Vec<TabSeen> },
    Findings { findings: Vec<crate::record::Finding> },
    Status(Box<StatusAnswer>),
    Braked { paused: bool },
    End(Box<EndAnswer>),
    Refused(DoorError),
}

/// An open page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TabSeen {
    /// The page.
    #[serde(flatten)]
    pub page: PageState,
    /// Whether acts go there.
    pub current: bool,
}

/// An element that was searched for (BR-099).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the words of BR-099")]
pub struct Found {
    #[serde(rename = "ref")]
    pub id: String,
    pub subject: Subject,
    #[serde(rename = "box")]
    pub bounds: [f64; 4],
    pub in_viewport: bool,
    pub states: Vec<String>,
    pub value: Option<String>,
    pub level: Option<u32>,
}

/// The answer to a look.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the words of VR-085")]
pub struct ObserveAnswer {
    pub observation: ObservationSeen,
    pub page: PageState,
    pub outline: String,
    /// Present when it was asked for what has changed since another look.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delta: Option<DeltaSeen>,
    /// What the last act brought about after it was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<Late>,
    /// The picture with numbered boxes, when it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marked: Option<String>,
    /// What the numbers on that picture stand for; they hold for it alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<MarkSeen>,
    pub findings_added: Vec<FindingId>,
    pub lease: Option<LeaseId>,
    pub budget: BudgetSeen,
}

/// How the outline of a look relates to the one it was asked to continue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeltaSeen {
    /// The observation it continues.
    pub since: ObservationId,
    /// Whether the outline is whole all the same.
    pub whole: bool,
    /// Why it is whole: `other_page`, `other_document`, `other_scope`, `too_old`, `no_outline` or
    /// `larger`.
    pub why: Option<String>,
    /// Lines that are new.
    pub new: u32,
    /// Lines that are gone.
    pub gone: u32,
    /// Lines that changed in their place.
    pub changed: u32,
    /// Lines that stand elsewhere.
    pub moved: u32,
    /// Lines that are the same.
    pub same: u32,
}

impl DeltaSeen {
    /// Makes the head of a difference in which nothing is counted yet.
    pub fn of(since: ObservationId) -> DeltaSeen {
        let (new, gone, changed, moved, same) = (0, 0, 0, 0, 0);
        DeltaSeen { since, whole: false, why: None, new, gone, changed, moved, same }
    }

    /// Says why an outline is told whole.
    pub fn whole(since: ObservationId, why: impl Into<String>) -> DeltaSeen {
        DeltaSeen { whole: true, why: Some(why.into()), ..DeltaSeen::of(since) }
    }
}

/// The answer to a verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "VR-171, VR-174")]
pub struct VerdictAnswer {
    pub goal: GoalId,
    pub verdict: Verdict,
    pub replaced: Option<Verdict>,
    pub proof: Option<ActId>,
    pub linked_findings: Vec<FindingId>,
    pub verified: Option<Verified>,
}

/// How a run stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the parts have their own docs")]
pub struct StatusAnswer {
    pub run: RunHead,
    pub state: String,
    pub host: Option<u32>,
    pub page: Option<PageState>,
    pub goals: Vec<GoalSeen>,
    pub findings: u32,
    pub acts: u32,
    pub last_act: Option<ActSeen>,
    pub budget: BudgetSeen,
    pub lease: Option<LeaseId>,
    pub brake: Option<String>,
}

/// A goal in a status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the words of `Goal`")]
pub struct GoalSeen {
    pub goal_id: GoalId,
    pub title: String,
    pub status: Verdict,
}

/// An act in a status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the words of `Outcome`")]
pub struct ActSeen {
    pub act: ActId,
    pub status: crate::outcome::Status,
}

/// The answer to an end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "VR-193")]
pub struct EndAnswer {
    pub report: Report,
    pub report_json: String,
    pub report_md: String,
    pub report_html: String,
    pub cleanup_failed: bool,
}

/// An answer that is no outcome: a contract violation, a run state, something missing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DoorError {
    /// What.
    pub error: DoorCode,
    /// One clause in lower case.
    pub message: String,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// What belongs to it: the stopped reason, what is missing, the open runs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub detail: Vec<String>,
    /// The code of a driver failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver_error: Option<Code>,
}

impl DoorError {
    /// Makes an error without a hint.
    pub fn new(error: DoorCode, message: impl Into<String>) -> DoorError {
        DoorError {
            error,
            message: message.into(),
            hint: None,
            detail: Vec::new(),
            driver_error: None,
        }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> DoorError {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a detail.
    #[must_use]
    pub fn detail(mut self, detail: impl Into<String>) -> DoorError {
        self.detail.push(detail.into());
        self
    }
}

macro_rules! door_codes {
    ($($(#[$doc:meta])* $variant:ident = $word:literal, $exit:literal;)*) => {
        /// Codes of door errors and their exit codes: a closed list (VR-020 to VR-022, INTERFACE).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum DoorCode {
            $($(#[$doc])* #[serde(rename = $word)] $variant,)*
        }

        impl DoorCode {
            /// Every code.
            pub const ALL: &'static [DoorCode] = &[$(DoorCode::$variant,)*];

            /// Returns the word of the record.
            pub fn as_str(self) -> &'static str {
                match self { $(DoorCode::$variant => $word,)* }
            }

            /// Returns the exit code of the command line.
            pub fn exit(self) -> u8 {
                match self { $(DoorCode::$variant => $exit,)* }
            }
        }
    };
}

door_codes! {
    /// A bug of ours.
    Internal = "internal_error", 1;
    /// The command line does not parse.
    BadArguments = "bad_arguments", 2;
    /// Standard input is not UTF-8.
    BadText = "bad_text", 2;
    /// A file of ours is where a stranger could reach it, or not what it should be.
    UnsafeStatePath = "unsafe_state_path", 2;
    /// The state folder cannot be written.
    StateUnwritable = "state_unwritable", 2;
    /// The settings file cannot be used.
    BadConfig = "bad_config", 2;
    /// The policy file is named and missing, unreadable or wrong.
    BadPolicy = "bad_policy", 2;
    /// The file of policy cases cannot be used.
    BadCases = "bad_cases", 2;
    /// What was asked for goes beyond the policy of the run.
    OutsidePolicy = "outside_policy", 2;
    /// The target is not an address this surface can open.
    BadTargetUrl = "bad_target_url", 2;
    /// The target names several things or none.
    BadTarget = "bad_target", 2;
    /// The action needs a target.
    TargetRequired = "target_required", 2;
    /// A budget below 1 or over the limit.
    BadBudget = "bad_budget", 2;
    /// The goals file cannot be used.
    BadGoalsFile = "bad_goals_file", 2;
    /// The script cannot be used.
    BadScript = "bad_script", 2;
    /// The form cannot be used.
    BadForm = "bad_form", 2;
    /// Not a goal id.
    BadGoalId = "bad_goal_id", 2;
    /// The goal exists.
    DuplicateGoal = "duplicate_goal", 2;
    /// No such goal.
    UnknownGoal = "unknown_goal", 2;
    /// As many goals as may be.
    TooManyGoals = "too_many_goals", 2;
    /// A title without text.
    EmptyTitle = "empty_title", 2;
    /// A title that is too long.
    TitleTooLong = "title_too_long", 2;
    /// A summary without text.
    EmptySummary = "empty_summary", 2;
    /// A summary that is too long.
    SummaryTooLong = "summary_too_long", 2;
    /// No such observation.
    UnknownObservation = "unknown_observation", 2;
    /// No such act.
    UnknownAct = "unknown_act", 2;
    /// Text from two sources.
    TextAndSecret = "text_and_secret", 2;
    /// Text is needed.
    TextRequired = "text_required", 2;
    /// Text where none belongs.
    TextUnexpected = "text_unexpected", 2;
    /// More text than may be typed at once.
    TextTooLong = "text_too_long", 2;
    /// A value is needed.
    ValueRequired = "value_required", 2;
    /// A key is needed.
    KeyRequired = "key_required", 2;
    /// A direction is needed.
    DirectionRequired = "direction_required", 2;
    /// A file is needed.
    FileRequired = "file_required", 2;
    /// Pixels need the newest picture.
    CoordinatesNeedScreenshot = "coordinates_need_screenshot", 2;
    /// Pixels need the name of what is meant.
    TargetNameRequired = "target_name_required", 2;
    /// Not an expectation.
    BadExpect = "bad_expect", 2;
    /// Not a key or chord.
    BadKey = "bad_key", 2;
    /// Not a thing to wait for.
    BadWait = "bad_wait", 2;
    /// Not a selector.
    BadSelector = "bad_selector", 2;
    /// A timeout of zero or over the limit.
    BadTimeout = "bad_timeout", 2;
    /// `created` is for own applications.
    CreatedThirdParty = "created_third_party", 2;
    /// A pass without an effect that proves it.
    PassWithoutEffect = "pass_without_effect", 2;
    /// The effect that would prove a pass has gone again.
    EffectReverted = "effect_reverted", 2;
    /// The system of record denies what the screen says.
    CheckDenied = "check_denied", 2;
    /// An option of another surface.
    SurfaceOption = "surface_option", 2;
    /// A port that is in use.
    PortInUse = "port_in_use", 2;
    /// A build for tests was asked to leave out a guard that does not exist.
    UnknownSeam = "unknown_seam", 2;
    /// No run with this id.
    UnknownRun = "unknown_run", 3;
    /// No run is open, or several are.
    RunRequired = "run_required", 3;
    /// The run has ended.
    RunEnded = "run_ended", 3;
    /// The run is paused.
    RunPaused = "run_paused", 3;
    /// The run is stopped.
    RunStopped = "run_stopped", 3;
    /// Not paused.
    NotPaused = "not_paused", 3;
    /// The run's host is gone; only looking back and `end` go on.
    HostGone = "host_gone", 3;
    /// The host speaks another version.
    HostVersion = "host_version", 3;
    /// Too many callers wait.
    Busy = "busy", 3;
    /// The record of the run is damaged.
    RecordDamaged = "record_damaged", 3;
    /// The driver failed outside an action.
    Driver = "driver_error", 4;
    /// Cleaning up did not work.
    CleanupFailed = "cleanup_failed", 4;
    /// Something needed is missing.
    Missing = "missing", 5;
    /// Credentials are named and not there.
    Credentials = "credentials", 5;
    /// A person must decide.
    NeedsHuman = "needs_human", 10;
    /// Policy refused.
    Refused = "refused", 20;
    /// A policy does not decide as its cases demand.
    CasesNotMet = "cases_not_met", 30;
    /// A goal did not end as demanded.
    GoalsNotMet = "goals_not_met", 30;
}

/// How a run begins, as the host is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the options of `begin` in INTERFACE")]
pub struct BeginAsk {
    pub run: RunId,
    pub target: String,
    pub owner: crate::record::Owner,
    pub attended: bool,
    pub request: Option<String>,
    pub goals: Vec<(GoalId, String)>,
    pub run_actions: u32,
    pub goal_actions: u32,
    pub allow: Vec<String>,
    /// Findings whose words match one of these are expected.
    #[serde(default)]
    pub expect_failures: Vec<String>,
    /// What the pages are told about screen, person and network.
    #[serde(default)]
    pub emulation: crate::emulation::Emulation,
    /// The folders uploads may come from.
    #[serde(default)]
    pub upload_roots: Vec<String>,
    /// Pages the session may open.
    pub pages_max: usize,
    pub test_overrides: Vec<String>,
}

/// The answer to `begin`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "VR-057")]
pub struct BegunAnswer {
    pub run: RunId,
    pub run_dir: String,
    pub head: RunHead,
    pub goals: Vec<GoalId>,
    pub observation: ObserveAnswer,
    pub host: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn door_codes_are_the_words_they_serialize_as() {
        for code in DoorCode::ALL {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
            assert!(code.exit() > 0);
        }
    }

    #[test]
    fn a_call_survives_the_wire() {
        let ask = ActAsk::new(Action::Back, Actor::Agent, "cli");
        let call = Call::Act(Box::new(ask));

        let text = serde_json::to_string(&call).unwrap();

        assert_eq!(serde_json::from_str::<Call>(&text).unwrap(), call);
    }
}
