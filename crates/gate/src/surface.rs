//! What a driver has to be able to do, and the permit without which it may not act.

use std::future::Future;

use sidestick_model::call::{FindAsk, Found, TabSeen};
use sidestick_model::change::{ChangesFrom, ChangesSeen};
use sidestick_model::observation::{
    Change, DialogState, ElementFacts, Expect, PageState, ReadBack, Reading, Scope, Settled,
    Subject,
};
use sidestick_model::outcome::{Code, Fate, Refusal};
use sidestick_model::record::Severity;
use sidestick_model::{Action, Deadline, DownloadSeen, Upload};
use sidestick_policy::{Redacted, Secret};

use crate::lease::Held;

/// What a surface is and can do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Features {
    /// The driver's name and the application's version.
    pub driver: String,
    /// The application's version.
    pub version: String,
    /// Whether the application's own sandbox is on.
    pub sandbox: bool,
}

/// One look asked of a surface.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the options of `observe` in INTERFACE")]
pub struct Looking {
    pub scope: Scope,
    pub within: Option<String>,
    pub query: Option<String>,
    pub max_chars: usize,
}

/// One action to find the element for.
#[derive(Debug)]
pub struct Resolve<'a> {
    /// What to do.
    pub action: &'a Action,
    /// What the element meant in the observation the act stands on (D4).
    pub meaning: Option<&'a Subject>,
    /// What will be seen when it worked.
    pub expect: &'a Expect,
}

/// What an action would act on.
#[derive(Debug, Default)]
pub struct Resolved {
    /// The element.
    pub element: Option<ElementFacts>,
    /// The element a drag ends on.
    pub destination: Option<ElementFacts>,
    /// The focused element, for keys and text without a target.
    pub focused: Option<ElementFacts>,
    /// The open dialog, for its answer.
    pub dialog: Option<DialogState>,
    /// Whether the asked state, or the expectation, already holds.
    pub satisfied: bool,
    /// The page it would happen on.
    pub page: PageState,
}

/// Leave to perform one action, once, while the session stays in the same hands.
///
/// Only the gate makes one, after the policy and the lease have had their say. A driver cannot be
/// asked to act without one, so a second way to act cannot be added by accident (I1).
#[derive(Debug)]
pub struct Permit {
    action: Action,
    resolved: Resolved,
    expect: Expect,
    secret: Option<Secret>,
    uploads: Vec<Upload>,
    held: Held,
}

impl Permit {
    pub(crate) fn new(
        action: Action,
        resolved: Resolved,
        expect: Expect,
        secret: Option<Secret>,
        held: Held,
    ) -> Permit {
        Permit { action, resolved, expect, secret, uploads: Vec::new(), held }
    }

    pub(crate) fn with_uploads(self, uploads: Vec<Upload>) -> Permit {
        Permit { uploads, ..self }
    }

    /// Returns what may be done.
    pub fn action(&self) -> &Action {
        &self.action
    }

    /// Returns what it may be done to.
    pub fn resolved(&self) -> &Resolved {
        &self.resolved
    }

    /// Returns what is expected to be seen.
    pub fn expect(&self) -> &Expect {
        &self.expect
    }

    /// Returns the text to type, whatever its source.
    pub fn text(&self) -> Option<&str> {
        match (&self.secret, self.action.typed()) {
            (Some(secret), _) => Some(secret.expose()),
            (None, Some(sidestick_model::Typed::Public(text)))
            | (None, Some(sidestick_model::Typed::Sensitive(text))) => Some(text),
            (None, Some(sidestick_model::Typed::Secret(_)) | None) => None,
        }
    }

    /// Returns the files that may be given away, checked.
    pub fn uploads(&self) -> &[Upload] {
        &self.uploads
    }

    /// Returns the lease the connection compares at each write.
    pub fn held(&self) -> &Held {
        &self.held
    }
}

/// What a driver sent.
#[derive(Debug, Clone, Default)]
pub struct Performed {
    /// Where the pointer was when it pressed.
    pub point: Option<[f64; 2]>,
    /// `input`, or `script` for what input cannot do.
    pub method: &'static str,
    /// What the driver needs to look for the effect.
    pub token: u64,
}

/// What to look for after a dispatch.
#[derive(Debug)]
pub struct SettleAsk<'a> {
    /// What was done.
    pub action: &'a Action,
    /// The element it was done to.
    pub element: Option<&'a ElementFacts>,
    /// What is expected.
    pub expect: &'a Expect,
    /// The text that was typed, to read back.
    pub text: Option<&'a str>,
    /// Whether that text is a secret.
    pub is_secret: bool,
    /// The files that were given, to read back.
    pub uploads: &'a [Upload],
    /// What was sent.
    pub performed: &'a Performed,
}

/// Where a frame of the surface is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrameAt {
    /// Its address.
    pub url: String,
    /// Whether it is a page's main frame.
    pub is_top: bool,
}

/// A picture with every secret box masked.
#[derive(Debug)]
pub struct Picture {
    /// PNG; none when withheld.
    pub png: Option<Redacted<Vec<u8>>>,
    /// Why it is withheld.
    pub withheld: Option<&'static str>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// What a closer look is at.
#[derive(Debug, Clone, PartialEq)]
pub enum ZoomArea {
    /// An element, by its ref.
    Element(String),
    /// Left, top, width and height in CSS pixels of the viewport.
    Region([f64; 4]),
}

/// Why a surface has no answer to give.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SurfaceError {
    /// An expected no.
    #[error("{}", .0.message)]
    Refused(Box<Refusal>),
    /// The act was cut; `sent` says what had gone out.
    #[error("the act was cut after {sent}")]
    Cut {
        /// What had been sent, in words.
        sent: String,
        /// Whether any of it may have reached the application.
        fate: Fate,
    },
    /// The page did not answer in time.
    #[error("the page did not answer `{what}` in time")]
    Unresponsive {
        /// What was asked.
        what: &'static str,
        /// Whether input may have reached it.
        fate: Fate,
    },
    /// The page is closed.
    #[error("the page is closed")]
    PageClosed {
        /// Whether input may have reached it.
        fate: Fate,
    },
    /// The page's process crashed.
    #[error("the page's process crashed")]
    PageCrashed {
        /// Whether input may have reached it.
        fate: Fate,
    },
    /// The browser is gone.
    #[error("the connection to the browser is gone")]
    BrowserGone {
        /// Whether input may have reached it.
        fate: Fate,
    },
    /// The browser said no.
    #[error("the browser rejected `{method}`: {message}")]
    Rejected {
        /// The method.
        method: &'static str,
        /// The browser's own words, cut to one line. Not redacted.
        message: String,
        /// Whether input may have reached it.
        fate: Fate,
    },
    /// A document could not be loaded.
    #[error("the document could not be loaded: {reason}")]
    Navigation {
        /// The browser's word for it.
        reason: String,
    },
    /// The surface cannot do this.
    #[error("this surface cannot {what}")]
    Unsupported {
        /// What.
        what: &'static str,
    },
    /// A selector the page cannot read.
    #[error("`{selector}` is not a selector")]
    BadSelector {
        /// The selector.
        selector: String,
    },
    /// An answer of the page script that is not what it should be.
    #[error("the page's answer to `{what}` cannot be read")]
    BadAnswer {
        /// What was asked.
        what: &'static str,
        /// Whether input may have reached the page.
        fate: Fate,
    },
}

impl SurfaceError {
    /// Returns the stable code.
    pub fn code(&self) -> Code {
        match self {
            SurfaceError::Refused(refusal) => refusal.code.unwrap_or(Code::Internal),
            SurfaceError::Cut { .. } => Code::Interrupted,
            SurfaceError::Unresponsive { .. } => Code::PageUnresponsive,
            SurfaceError::PageClosed { .. } => Code::PageClosed,
            SurfaceError::PageCrashed { .. } => Code::PageCrashed,
            SurfaceError::BrowserGone { .. } => Code::BrowserGone,
            SurfaceError::Rejected { .. } => Code::BrowserRefused,
            SurfaceError::Navigation { .. } => Code::NavigationFailed,
            SurfaceError::Unsupported { .. } => Code::Unsupported,
            SurfaceError::BadSelector { .. } => Code::InvalidValue,
            SurfaceError::BadAnswer { .. } => Code::Internal,
        }
    }

    /// Returns whether the action may have reached the application.
    pub fn fate(&self) -> Fate {
        match self {
            SurfaceError::Refused(_)
            | SurfaceError::Unsupported { .. }
            | SurfaceError::BadSelector { .. } => Fate::NotSent,
            SurfaceError::Navigation { .. } => Fate::Sent,
            SurfaceError::Cut { fate, .. }
            | SurfaceError::Unresponsive { fate, .. }
            | SurfaceError::PageClosed { fate }
            | SurfaceError::PageCrashed { fate }
            | SurfaceError::BrowserGone { fate }
            | SurfaceError::Rejected { fate, .. }
            | SurfaceError::BadAnswer { fate, .. } => *fate,
        }
    }

    /// Returns the same failure with the fate of a moment when input may already be out.
    #[must_use]
    pub fn after_dispatch(mut self) -> SurfaceError {
        match &mut self {
            SurfaceError::Cut { fate, .. }
            | SurfaceError::Unresponsive { fate, .. }
            | SurfaceError::PageClosed { fate }
            | SurfaceError::PageCrashed { fate }
            | SurfaceError::BrowserGone { fate }
            | SurfaceError::Rejected { fate, .. }
            | SurfaceError::BadAnswer { fate, .. } => *fate = Fate::Unknown,
            SurfaceError::Refused(_)
            | SurfaceError::Navigation { .. }
            | SurfaceError::Unsupported { .. }
            | SurfaceError::BadSelector { .. } => {}
        }
        self
    }
}

/// Everything that happens by itself (D29).
#[derive(Debug, Clone, PartialEq)]
pub enum SurfaceEvent {
    /// The page wrote an error or a warning to its console, or threw an error nobody caught.
    Console {
        /// What makes it the same message.
        key: String,
        /// The message.
        text: String,
        /// How bad the page says it is.
        severity: Severity,
    },
    /// A request failed: no answer, or a status of 400 and above.
    RequestFailed {
        /// The driver's id of the request.
        key: String,
        /// The method.
        method: String,
        /// The address.
        url: String,
        /// The status, if an answer came.
        status: Option<u16>,
        /// Why there was no answer.
        reason: Option<String>,
    },
    /// A page opened by itself.
    PageOpened {
        /// The page.
        page: PageState,
    },
    /// A page closed or crashed.
    PageClosed {
        /// Its id.
        id: String,
        /// Whether its process crashed.
        crashed: bool,
    },
    /// A dialog opened.
    Dialog {
        /// The dialog.
        dialog: DialogState,
    },
    /// The boundary blocked a document.
    Blocked {
        /// Its address.
        url: String,
    },
    /// A download began.
    DownloadBegan {
        /// The download.
        download: DownloadSeen,
    },
    /// A download ended, whole or not; a whole one lies where the browser was told to put it.
    DownloadEnded {
        /// The download.
        download: DownloadSeen,
    },
    /// A download was called off, one of too many to be told.
    DownloadDropped,
    /// The page did something beside its document that a person would have been shown.
    Notice {
        /// What makes it the same notice.
        key: String,
        /// What it was, in words of ours; page text in it is quoted.
        text: String,
    },
}

/// A driver of one application.
pub trait Surface: Send + Sync + 'static {
    /// Says what the surface is.
    fn features(&self) -> Features;

    /// Reads what the surface looks like.
    fn observe(
        &self,
        looking: &Looking,
        deadline: Deadline,
    ) -> impl Future<Output = Result<Reading, SurfaceError>> + Send;

    /// Searches for elements.
    fn find(
        &self,
        ask: &FindAsk,
        deadline: Deadline,
    ) -> impl Future<Output = Result<(Vec<Found>, u32), SurfaceError>> + Send;

    /// Reads text: of an element, or of the viewport.
    fn text(
        &self,
        target: Option<&str>,
        max_chars: usize,
        deadline: Deadline,
    ) -> impl Future<Output = Result<(String, bool, u64), SurfaceError>> + Send;

    /// Waits until something holds; false when the deadline came first.
    fn wait(
        &self,
        kind: &str,
        value: &str,
        deadline: Deadline,
    ) -> impl Future<Output = Result<bool, SurfaceError>> + Send;

    /// Takes a picture with every secret box masked.
    fn picture(
        &self,
        secrets: &[Secret],
        full_page: bool,
        deadline: Deadline,
    ) -> impl Future<Output = Result<Picture, SurfaceError>> + Send;

    /// Takes a picture of a part of the viewport with every secret box masked, and says which part.
    fn zoom(
        &self,
        area: &ZoomArea,
        scale: f64,
        secrets: &[Secret],
        deadline: Deadline,
    ) -> impl Future<Output = Result<(Picture, [f64; 4]), SurfaceError>> + Send {
        let _ = (area, scale, secrets, deadline);
        async { Err(SurfaceError::Unsupported { what: "zoom" }) }
    }

    /// Lists the open pages.
    fn tabs(&self) -> Vec<TabSeen>;

    /// Finds the element an action would act on, without changing anything.
    fn resolve(
        &self,
        ask: &Resolve<'_>,
        deadline: Deadline,
    ) -> impl Future<Output = Result<Resolved, SurfaceError>> + Send;

    /// Performs one permitted action.
    fn perform(
        &self,
        permit: &Permit,
        deadline: Deadline,
    ) -> impl Future<Output = Result<Performed, SurfaceError>> + Send;

    /// Waits for the effect of what was performed, and says what it was.
    fn settle(
        &self,
        ask: &SettleAsk<'_>,
        held: &Held,
        deadline: Deadline,
    ) -> impl Future<Output = Result<Settled, SurfaceError>> + Send;

    /// Says what still differs from the reading right before the last dispatch; none when that
    /// reading is gone.
    fn still_differs(
        &self,
        deadline: Deadline,
    ) -> impl Future<Output = Result<Option<Vec<Change>>, SurfaceError>> + Send;

    /// Reads back what an action has set in a field, without acting; none when the field is gone.
    fn read_back(
        &self,
        id: &str,
        action: &Action,
        text: Option<&str>,
        deadline: Deadline,
    ) -> impl Future<Output = Result<Option<ReadBack>, SurfaceError>> + Send {
        let _ = (id, action, text, deadline);
        async { Err(SurfaceError::Unsupported { what: "read fields back" }) }
    }

    /// Tells what the last act brought about since its effect was told.
    fn late(
        &self,
        deadline: Deadline,
    ) -> impl Future<Output = Result<Vec<Change>, SurfaceError>> + Send {
        let _ = deadline;
        async { Ok(Vec::new()) }
    }

    /// Tells what has visibly changed since `from`.
    fn changes(
        &self,
        from: &ChangesFrom,
        unmask: bool,
        deadline: Deadline,
    ) -> impl Future<Output = Result<ChangesSeen, SurfaceError>> + Send {
        let _ = (from, unmask, deadline);
        async { Err(SurfaceError::Unsupported { what: "record changes" }) }
    }

    /// Returns where every frame is.
    fn frames(
        &self,
        deadline: Deadline,
    ) -> impl Future<Output = Result<Vec<FrameAt>, SurfaceError>> + Send;

    /// Leaves a document that may not be shown, for an empty one.
    fn leave(&self, deadline: Deadline) -> impl Future<Output = Result<(), SurfaceError>> + Send;

    /// Takes what happened by itself since the last call, and how many events were dropped.
    fn events(&self) -> (Vec<SurfaceEvent>, u32);

    /// Returns when no message of an older epoch is or will be written; cuts the connection when
    /// that takes longer than [`sidestick_model::limits::CUT_TIME_MAX`] (I6).
    fn quiet(&self) -> impl Future<Output = ()> + Send;

    /// Ends the surface and says what is left of it, in words.
    fn close(&self, keep_open: bool) -> impl Future<Output = Result<Vec<String>, String>> + Send;
}
