//! Guards that a build for tests can be told to leave out, so that a test can be seen to notice.
//!
//! A seam is one `if` at one guard. Without the feature `sabotage` every guard stands:
//! [`Seam::is_broken`] is the constant false, and nothing here reads anything. A release build with
//! the feature does not compile. Why it is so: `docs/decisions/0006-sabotage-seams.md`.

use serde::{Deserialize, Serialize};

/// The variable that names the guards to leave out, separated by commas; builds for tests alone.
pub const VARIABLE: &str = "SIDESTICK_SABOTAGE";

/// A name that is no seam's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no guard is called `{name}`")]
pub struct UnknownSeam {
    name: String,
}

macro_rules! seams {
    ($($(#[$doc:meta])* $variant:ident = $name:literal;)*) => {
        /// One guard that can be left out, named for what it guards.
        ///
        /// Each has a line in `sabotage/seams.toml` with the test that must fail without it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Seam {
            $($(#[$doc])* #[serde(rename = $name)] $variant,)*
        }

        impl Seam {
            /// Every seam.
            pub const ALL: &'static [Seam] = &[$(Seam::$variant,)*];

            /// Returns its stable name.
            pub fn as_str(self) -> &'static str {
                match self { $(Seam::$variant => $name,)* }
            }
        }
    };
}

seams! {
    /// Policy: an address is judged before it is navigated to.
    BoundaryAsked = "boundary_asked";
    /// Policy: nothing is acted on in a frame outside the boundary.
    BoundaryFrame = "boundary_frame";
    /// Policy: one login attempt for a run.
    LoginLimit = "login_limit";
    /// Policy: `dismiss` presses harmless dismissals alone.
    DismissList = "dismiss_list";
    /// Policy: a control with a gated name stops the act.
    GateWords = "gate_words";
    /// Policy: a claim needs the words that make it true.
    ClaimWords = "claim_words";
    /// Policy: no claim opens what cannot be taken back.
    Irreversible = "irreversible";
    /// Policy: a denied place is denied whatever else names it.
    DenyWins = "deny_wins";
    /// Policy: an address that could be read as another one is outside.
    TrickyAddress = "tricky_address";
    /// Policy: a kind of action that is denied is not done.
    ActionKinds = "action_kinds";
    /// Policy: no rule lowers what the structure of the page says.
    RiskFloor = "risk_floor";
    /// Policy: no file allows automation what cannot be taken back.
    IrreversibleFloor = "irreversible_floor";
    /// Policy: a named secret is typed at its own place alone.
    SecretPlace = "secret_place";
    /// Policy: a child process inherits no secret.
    ChildEnvironment = "child_environment";
    /// Gate: no act while a brake stands.
    Brake = "brake";
    /// Gate: no act of a run that was stopped.
    StoppedRun = "stopped_run";
    /// Gate: the run's budget.
    RunBudget = "run_budget";
    /// Gate: a goal's budget.
    GoalBudget = "goal_budget";
    /// Gate: the time a policy gives a run.
    RunTime = "run_time";
    /// Gate: names and sizes of files a policy lets out.
    UploadRules = "upload_rules";
    /// Gate: after an end nobody knows, a caller looks before it acts.
    LookFirst = "look_first";
    /// Gate: pixels hold for the newest picture alone.
    PictureAge = "picture_age";
    /// Gate: what holds already proves nothing, and is not sent.
    AlreadySatisfied = "already_satisfied";
    /// Gate: a password goes only into a field the page hides.
    SecretField = "secret_field";
    /// Gate: a page outside the boundary is left, and the run stopped.
    BoundaryLanded = "boundary_landed";
    /// Gate: what a field holds is compared with what was typed.
    ReadBack = "read_back";
    /// Gate: a pass needs an act that was observed.
    PassWithoutEffect = "pass_without_effect";
    /// Gate: a pass needs an act that does work, and a change that is more than focus or looks.
    WeakProof = "weak_proof";
    /// Gate: an effect that has gone again proves nothing.
    EffectReverted = "effect_reverted";
    /// Gate: a system of record that denies what the screen says refuses the pass.
    CheckDenied = "check_denied";
    /// Gate: only files the run may give away are given to a page.
    UploadRoots = "upload_roots";
    /// Gate: the act of a caller that went away is cut.
    CallerGone = "caller_gone";
    /// Browser: an element that means something else than when it was shown is refused.
    ChangedMeaning = "changed_meaning";
    /// Browser: a ref of a document that is gone is refused.
    DocumentGone = "document_gone";
    /// Browser: what a person could not see is refused.
    Visibility = "visibility";
    /// Browser: what cannot take the action is refused.
    Readiness = "readiness";
    /// Browser: what lies under the pointer right before the press is what is pressed.
    HitTest = "hit_test";
    /// Browser: text is typed only where text goes.
    TypingFocus = "typing_focus";
    /// Browser: what moves by itself is no effect.
    Noise = "noise";
    /// Browser: a document outside the boundary is not fetched.
    BoundaryFetch = "boundary_fetch";
    /// Browser: secrets in a picture are painted over.
    PictureMask = "picture_mask";
    /// Host: a peer of another user is closed.
    PeerUser = "peer_user";
    /// Host: a caller of another version is refused.
    ProtocolVersion = "protocol_version";
    /// Host: a frame over the limit is not read.
    FrameLength = "frame_length";
    /// Host: a brake that was set while nobody told the host is taken over.
    BrakeAdoption = "brake_adoption";
    /// Evidence: one host for a run.
    RunLock = "run_lock";
    /// Evidence: text of the page is escaped in a report.
    ReportEscaping = "report_escaping";
    /// Command line: a file of credentials that others can read is refused.
    CredentialsMode = "credentials_mode";
}

impl Seam {
    /// Returns whether the guard is left out in this process.
    #[cfg(not(feature = "sabotage"))]
    #[inline]
    pub const fn is_broken(self) -> bool {
        false
    }

    /// Returns whether the guard is left out in this process.
    #[cfg(feature = "sabotage")]
    pub fn is_broken(self) -> bool {
        broken::get().contains(&self)
    }
}

/// Reads names separated by commas; spaces around them and empty ones are passed over.
///
/// # Errors
///
/// Fails at the first name that is no seam's.
pub fn parse(text: &str) -> Result<Vec<Seam>, UnknownSeam> {
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    let seam = |name: &str| {
        let found = Seam::ALL.iter().copied().find(|seam| seam.as_str() == name);
        found.ok_or_else(|| UnknownSeam { name: name.chars().take(64).collect() })
    };
    names.map(seam).collect()
}

#[cfg(feature = "sabotage")]
pub use broken::{asked, leave_out};

/// What is left out in this process, decided once.
#[cfg(feature = "sabotage")]
mod broken {
    use std::sync::OnceLock;

    use super::{Seam, UnknownSeam, VARIABLE, parse};

    static BROKEN: OnceLock<Vec<Seam>> = OnceLock::new();

    /// Returns what the environment asks to leave out.
    ///
    /// # Errors
    ///
    /// Fails at a name that is no seam's.
    pub fn asked() -> Result<Vec<Seam>, UnknownSeam> {
        parse(&std::env::var(VARIABLE).unwrap_or_default())
    }

    /// Leaves these guards out in this process, whatever its environment asks; false when another
    /// choice was made before.
    pub fn leave_out(seams: &[Seam]) -> bool {
        BROKEN.set(seams.to_vec()).is_ok()
    }

    /// The binary refuses an unknown name at its door. A test has no door: there an unknown name
    /// breaks nothing, so the test passes and the seam counts as missed.
    pub(super) fn get() -> &'static [Seam] {
        BROKEN.get_or_init(|| asked().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_seam_is_found_by_its_name_and_by_no_other() {
        for seam in Seam::ALL {
            assert_eq!(parse(seam.as_str()), Ok(vec![*seam]));
        }
        let both = parse(" look_first, ,noise").unwrap();
        assert_eq!(both, [Seam::LookFirst, Seam::Noise]);
        let unknown = parse("look_first,everything").unwrap_err();
        assert_eq!(unknown.to_string(), "no guard is called `everything`");
    }

    #[cfg(not(feature = "sabotage"))]
    #[test]
    fn without_the_feature_every_guard_stands() {
        assert!(Seam::ALL.iter().all(|seam| !seam.is_broken()));
    }
}
