//! How an action ended: status, code, fate, and everything the caller is told.

use serde::{Deserialize, Serialize};

use crate::action::ActionKind;
use crate::actor::LeaseId;
use crate::download::DownloadSeen;
use crate::id::{ActId, FindingId, ObservationId, RunId};
use crate::observation::{Change, DialogState, PageState, ReadBack, RequestSeen, Signal, Subject};

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// Every member.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// Returns the word of the record.
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// Returns the member with this word, if there is one.
            pub fn parse(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|member| member.as_str() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// The status of an act: a closed list (INTERFACE).
    Status {
        /// What was expected changed.
        Observed = "OBSERVED",
        /// The asked state already held; nothing was sent.
        Satisfied = "SATISFIED",
        /// Nothing expected changed.
        NoEffect = "NO_EFFECT",
        /// It changed, but reading it back gave something else.
        Partial = "PARTIAL",
        /// Still changing or waiting at the cap.
        Unsettled = "UNSETTLED",
        /// Input may have reached the application.
        Unknown = "UNKNOWN",
        /// The act stands on an observation that no longer holds.
        Stale = "STALE",
        /// A described target matched nothing.
        NotFound = "NOT_FOUND",
        /// A described target matched several.
        Ambiguous = "AMBIGUOUS",
        /// A person could not see the target.
        NotVisible = "NOT_VISIBLE",
        /// The target cannot take the action.
        NotActionable = "NOT_ACTIONABLE",
        /// The element is gated and no gate value allows it.
        GateRequired = "GATE_REQUIRED",
        /// Policy says no.
        Forbidden = "FORBIDDEN",
        /// A person must decide or act.
        NeedsHuman = "NEEDS_HUMAN",
        /// `dismiss` on something that is not a harmless dismissal.
        NotAllowlisted = "NOT_ALLOWLISTED",
        /// Somebody else holds the session.
        LeaseLost = "LEASE_LOST",
        /// A brake stands.
        Paused = "PAUSED",
        /// The person moved the pointer or the run was stopped.
        Drift = "DRIFT",
        /// Needs the foreground.
        ForegroundRequired = "FOREGROUND_REQUIRED",
        /// Somebody else has the foreground.
        DesktopBusy = "DESKTOP_BUSY",
        /// Actions or time are spent.
        BudgetExhausted = "BUDGET_EXHAUSTED",
        /// The driver failed.
        Error = "ERROR",
    }
}

words! {
    /// What exactly stood in the way: a closed list under the statuses.
    Code {
        /// A request other than GET went out: do not repeat it.
        RequestSent = "request_sent",
        /// The effect would be where the recorder is blind.
        NotObservable = "not_observable",
        /// The postcondition already held.
        AlreadySatisfied = "already_satisfied",
        /// Closed by whoever opened the run after its host died.
        Recovered = "recovered",
        /// The caller, a claim, a brake or an end cut the act.
        Interrupted = "interrupted",
        /// The ref belongs to a document that is gone.
        DocumentGone = "document_gone",
        /// The ref's element is gone.
        ElementGone = "element_gone",
        /// The element means something else than in the observation.
        Changed = "changed",
        /// The caller has to look before it acts again.
        LookFirst = "look_first",
        /// Pixels of an old picture.
        StaleMark = "stale_mark",
        /// The ref was never given.
        UnknownRef = "unknown_ref",
        /// Not displayed.
        Display = "display",
        /// `visibility` hides it.
        Hidden = "hidden",
        /// Fully transparent.
        Opacity = "opacity",
        /// It has no size.
        ZeroSize = "zero_size",
        /// It is in a frame that is turned or tilted so that where it is painted cannot be told.
        Unplaced = "unplaced",
        /// Outside what scrolling can reach.
        Offscreen = "offscreen",
        /// Something is on top of it.
        Occluded = "occluded",
        /// Disabled.
        Disabled = "disabled",
        /// Inert, or behind an open modal.
        Inert = "inert",
        /// Read-only.
        Readonly = "readonly",
        /// Not the kind of control the action works on.
        WrongKind = "wrong_kind",
        /// Not a value the control can hold.
        InvalidValue = "invalid_value",
        /// No such option.
        OptionMissing = "option_missing",
        /// The option is disabled.
        OptionDisabled = "option_disabled",
        /// The pointer falls through it.
        PointerNone = "pointer_none",
        /// It is moving.
        Moving = "moving",
        /// A dialog has to be answered first.
        DialogOpen = "dialog_open",
        /// No dialog is open.
        NoDialog = "no_dialog",
        /// A secret may only go into a field the page hides.
        NotSecretField = "not_secret_field",
        /// The focus is not on something that takes text.
        NotFocused = "not_focused",
        /// A file cannot be read.
        FileUnreadable = "file_unreadable",
        /// The file is not one this run may give away.
        UploadNotAllowed = "upload_not_allowed",
        /// No such page.
        UnknownPage = "unknown_page",
        /// As many pages are open as may be.
        TooManyPages = "too_many_pages",
        /// The document may not be loaded here.
        NavigationBlocked = "navigation_blocked",
        /// Not an address this run may load.
        BadUrl = "bad_url",
        /// The session was found outside its boundary.
        LeftBoundary = "left_boundary",
        /// The frame is outside the boundary.
        FrameOutside = "frame_outside",
        /// This kind of action is not allowed here.
        ActionNotAllowed = "action_not_allowed",
        /// The secret may not be typed at this place, or into this kind of field.
        SecretNotHere = "secret_not_here",
        /// Only an approval of a person opens this.
        ApprovalRequired = "approval_required",
        /// The risk is not allowed for this actor.
        RiskRefused = "risk_refused",
        /// An approval is missing or does not fit.
        NotApproved = "not_approved",
        /// A claim that does not hold was made for a gate.
        GateClaimFailed = "gate_claim_failed",
        /// The one login attempt was made (VR-166).
        LoginAttemptLimit = "login_attempt_limit",
        /// Actions of the run are spent.
        RunActions = "run_actions",
        /// The time of the run is spent.
        RunTime = "run_time",
        /// Actions of the goal are spent.
        GoalActions = "goal_actions",
        /// The run was stopped.
        Stopped = "stopped",
        /// The run has ended.
        Ended = "ended",
        /// A person's or agent's brake stands.
        Braked = "braked",
        /// An older lease epoch.
        OldEpoch = "old_epoch",
        /// Another holder.
        OtherHolder = "other_holder",
        /// The record cannot be written.
        RecordFailed = "record_failed",
        /// The page does not answer.
        PageUnresponsive = "page_unresponsive",
        /// The page's process crashed.
        PageCrashed = "page_crashed",
        /// The page is closed.
        PageClosed = "page_closed",
        /// The connection to the browser is gone.
        BrowserGone = "browser_gone",
        /// The browser refused the call.
        BrowserRefused = "browser_refused",
        /// The time is over.
        Timeout = "timeout",
        /// A navigation failed: no answer, a bad certificate, too many redirects.
        NavigationFailed = "navigation_failed",
        /// No history entry that way.
        NoHistory = "no_history",
        /// A browser bug, or ours.
        Internal = "internal",
        /// The secret is not there.
        SecretMissing = "secret_missing",
        /// The surface cannot do this.
        Unsupported = "unsupported",
        /// The picture is withheld because a secret may be in it.
        Withheld = "withheld",
    }
}

/// Whether an action may have reached the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It was not sent.
    NotSent,
    /// It was sent and answered.
    Sent,
    /// It may have been sent.
    Unknown,
}

impl Status {
    /// Returns whether the act was dispatched, where the status decides it.
    pub fn dispatched(self) -> Option<bool> {
        match self {
            Status::Observed | Status::NoEffect | Status::Partial | Status::Unsettled => Some(true),
            Status::Unknown | Status::Error => None,
            Status::Satisfied
            | Status::Stale
            | Status::NotFound
            | Status::Ambiguous
            | Status::NotVisible
            | Status::NotActionable
            | Status::GateRequired
            | Status::Forbidden
            | Status::NeedsHuman
            | Status::NotAllowlisted
            | Status::LeaseLost
            | Status::Paused
            | Status::Drift
            | Status::ForegroundRequired
            | Status::DesktopBusy
            | Status::BudgetExhausted => Some(false),
        }
    }
}

/// A refusal: an expected no, with what the caller needs to go on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Refusal {
    /// The status.
    pub status: Status,
    /// What exactly.
    pub code: Option<Code>,
    /// One clause in lower case.
    pub message: String,
    /// Candidates, for an ambiguous target or a look-alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<Match>,
}

impl Refusal {
    /// Makes a refusal without candidates.
    pub fn new(
        status: Status,
        code: impl Into<Option<Code>>,
        message: impl Into<String>,
    ) -> Refusal {
        Refusal { status, code: code.into(), message: message.into(), matches: Vec::new() }
    }
}

/// An element that could have been meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// Its ref.
    #[serde(rename = "ref")]
    pub id: String,
    /// What it is.
    pub subject: Subject,
}

/// The element acted on, as told to the caller.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TargetSeen {
    /// Its ref.
    #[serde(rename = "ref")]
    pub id: String,
    /// Its role.
    pub role: String,
    /// Its name.
    pub name: Option<String>,
    /// What tells it apart.
    pub context: Context,
    /// Where it was pressed, in screenshot pixels.
    pub point: Option<[f64; 2]>,
    /// Its bounds: x, y, width, height.
    #[serde(rename = "box", default)]
    pub bounds: Option<[f64; 4]>,
}

/// The parts of a subject that tell namesakes apart.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "described at `Subject`")]
pub struct Context {
    pub row: Option<String>,
    pub column: Option<String>,
    pub label: Option<String>,
    pub heading: Option<String>,
}

impl From<&Subject> for Context {
    fn from(subject: &Subject) -> Context {
        Context {
            row: subject.row.clone(),
            column: subject.column.clone(),
            label: subject.label.clone(),
            heading: subject.heading.clone(),
        }
    }
}

/// The effect as told to the caller.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// How long was looked, in milliseconds.
    pub looked_ms: u64,
    /// What changed, at most [`crate::limits::CHANGES_CHARS_MAX`] characters.
    pub changes: Vec<Change>,
    /// Changes beyond those listed.
    #[serde(default)]
    pub changes_omitted: u32,
    /// What the act brought about after it was told, seen by a later look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub late: Vec<Change>,
    /// Elements that change by themselves; they prove nothing.
    #[serde(default)]
    pub noise: Vec<Change>,
    /// What was read back.
    pub read_back: Option<ReadBack>,
    /// `input`, or `script` for what input cannot do.
    #[serde(default)]
    pub method: Option<String>,
}

/// An independent check (D22).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verified {
    /// Who checked: `http ADDRESS`, `file PATH`.
    pub by: String,
    /// What was found there.
    pub value: serde_json::Value,
    /// Whether it is what was demanded.
    pub holds: bool,
    /// When, in RFC 3339.
    pub at: String,
}

/// The observation an outcome leads to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ObservationSeen {
    /// Its id.
    pub id: Option<ObservationId>,
    /// Its picture, relative to the run folder.
    pub screenshot: Option<String>,
    /// Whether the picture is withheld because a secret may be in it.
    pub screenshot_withheld: bool,
    /// The outline, when it is part of the answer.
    pub outline: Option<String>,
    /// The observation the act stood on.
    pub base: Option<ObservationId>,
    /// What the outline left out.
    pub omitted: crate::observation::Omitted,
}

/// What is spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the words of INTERFACE")]
pub struct BudgetSeen {
    pub run_used: u32,
    pub run_cap: u32,
    pub goal_used: Option<u32>,
    pub goal_cap: u32,
}

/// Everything the caller is told about one act (INTERFACE).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the words of INTERFACE; the parts have their own docs")]
pub struct Outcome {
    pub run: RunId,
    pub act: ActId,
    pub action: ActionKind,
    pub goal: Option<crate::id::GoalId>,
    pub status: Status,
    pub code: Option<Code>,
    pub fate: Fate,
    pub message: String,
    pub target: Option<TargetSeen>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<Match>,
    pub expect: String,
    pub signals: Vec<Signal>,
    pub other_changes: Vec<Signal>,
    pub effect: Effect,
    pub page: PageState,
    pub requests: Vec<RequestSeen>,
    #[serde(default)]
    pub requests_omitted: u32,
    pub pending: Vec<String>,
    pub blocked: Vec<String>,
    pub blind: Vec<String>,
    pub verified: Option<Verified>,
    pub findings_added: Vec<FindingId>,
    pub dialog: Option<DialogState>,
    pub new_pages: Vec<PageState>,
    #[serde(default)]
    pub new_pages_omitted: u32,
    pub downloads: Vec<DownloadSeen>,
    pub gate: Option<GateSeen>,
    pub observation: ObservationSeen,
    pub budget: BudgetSeen,
    pub lease: LeaseId,
    pub elapsed_ms: u64,
}

/// What a gate decided about an act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateSeen {
    /// The name that was judged.
    pub subject: String,
    /// The word in it that matched.
    pub word: String,
    /// The pattern that matched.
    pub pattern: String,
    /// The tier of the action.
    pub tier: String,
    /// `stopped`, or the gate value that let it pass.
    pub gate: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_leads_back_to_its_member() {
        for status in Status::ALL {
            assert_eq!(Status::parse(status.as_str()), Some(*status));
            assert_eq!(serde_json::to_value(status).unwrap(), status.as_str());
        }
        for code in Code::ALL {
            assert_eq!(Code::parse(code.as_str()), Some(*code));
        }
    }
}
