//! How much an action can cost: name patterns by owner, and the tier they lead to (D14).

use std::sync::LazyLock;

use regex::Regex;

use sidestick_model::record::Owner;

/// How much an action can cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// Nothing that cannot be undone by the same hand.
    Safe,
    /// Something others may see or that changes what is kept; a claim may lift it.
    Elevated,
    /// Something that cannot be taken back; only a person lifts it.
    Irreversible,
}

impl Tier {
    /// Every tier, from the lowest.
    pub const ALL: [Tier; 3] = [Tier::Safe, Tier::Elevated, Tier::Irreversible];

    /// Returns the word of the record.
    pub fn as_str(self) -> &'static str {
        match self {
            Tier::Safe => "safe",
            Tier::Elevated => "elevated",
            Tier::Irreversible => "irreversible",
        }
    }
}

/// A word in a name that makes its control a gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The name that was judged.
    pub subject: String,
    /// The word in it.
    pub word: String,
    /// The pattern that matched.
    pub pattern: String,
    /// The tier it leads to.
    pub tier: Tier,
}

#[expect(clippy::expect_used, reason = "constant patterns, built by tests")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("the pattern is constant")
}

/// VR-274, the part that cannot be taken back.
static THIRD_PARTY_IRREVERSIBLE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i)\b(pay|buy|purchase|order|transfer|delete|remove|deactivate|close account)\b")
});
/// VR-274, the rest.
static THIRD_PARTY_ELEVATED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)\b(submit|send|post|publish|share|checkout|subscribe|confirm|authori[sz]e|grant",
        r"|revoke|save changes|update (?:password|email|payment))\b"
    ))
});
/// VR-275.
static OWN: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(delete|remove|destroy|drop|purge|wipe|erase)\b"));
/// VR-276: whole names of harmless dismissals.
static DISMISSAL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(concat!(
        r"(?i)^(reject all|reject|decline|necessary only|only necessary|essential only|not now",
        r"|later|no thanks|dismiss|close|maybe later|skip)$"
    ))
});
/// VR-277.
static LOGIN_SUBMIT: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?i)\b(sign[\s-]?in|log[\s-]?in|submit|continue|next)\b"));

/// Returns the first gated name among `subjects` for this owner.
pub fn gated(owner: Owner, subjects: &[&str]) -> Option<Hit> {
    let rules: [(&LazyLock<Regex>, &'static str, Tier); 2] = match owner {
        // A user's own or disposable application: a claim may lift every gate (VR-110).
        Owner::Yours => [(&OWN, "own", Tier::Elevated), (&OWN, "own", Tier::Elevated)],
        Owner::ThirdParty => [
            (&THIRD_PARTY_IRREVERSIBLE, "third-party-irreversible", Tier::Irreversible),
            (&THIRD_PARTY_ELEVATED, "third-party-elevated", Tier::Elevated),
        ],
    };
    rules.into_iter().find_map(|(regex, name, tier)| {
        subjects.iter().find_map(|subject| {
            regex.find(subject).map(|word| Hit {
                subject: (*subject).to_owned(),
                word: word.as_str().to_owned(),
                pattern: name.to_owned(),
                tier,
            })
        })
    })
}

/// Returns whether this is the whole name of a harmless dismissal.
pub fn is_dismissal(name: &str) -> bool {
    DISMISSAL.is_match(name.trim())
}

/// Returns whether a control with this name submits a login form.
pub fn submits_login(name: &str) -> bool {
    LOGIN_SUBMIT.is_match(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn third_party_names_are_gated_vr_109() {
        for name in [
            "Submit",
            "Send",
            "Post",
            "Publish",
            "Share",
            "Pay now",
            "Buy",
            "Purchase",
            "Place order",
            "Checkout",
            "Subscribe",
            "Transfer funds",
            "Delete project",
            "Remove",
            "Deactivate",
            "Close account",
            "Confirm",
            "Authorize",
            "Authorise app",
            "Grant access",
            "Revoke",
            "Save changes",
            "Update password",
            "Update email",
            "Update payment method",
            "SEND",
        ] {
            assert!(gated(Owner::ThirdParty, &[name]).is_some(), "{name}");
        }
        for name in [
            "Settings",
            "Search",
            "Next",
            "Open menu",
            "Rejected items",
            "Sender name",
            "Reposted",
            "Close",
            "Cancel",
            "Profile",
            "Save",
            "Update",
        ] {
            assert_eq!(gated(Owner::ThirdParty, &[name]), None, "{name}");
        }
    }

    #[test]
    fn own_names_are_gated_vr_109() {
        for name in ["Delete project", "Remove", "Destroy", "Drop table", "Wipe data", "DELETE"] {
            assert!(gated(Owner::Yours, &[name]).is_some(), "{name}");
        }
        for name in ["Save changes", "Send", "Close account", "Deleted items", "Submit", "Pay"] {
            assert_eq!(gated(Owner::Yours, &[name]), None, "{name}");
        }
    }

    #[test]
    fn the_costlier_word_decides() {
        let hit = gated(Owner::ThirdParty, &["Submit order"]).unwrap();

        assert_eq!((hit.tier, hit.word.as_str()), (Tier::Irreversible, "order"));
    }

    #[test]
    fn only_whole_harmless_names_are_dismissals_vr_114() {
        for name in ["Reject all", "  Reject All  ", "SKIP", "Not now", "Close", "Maybe later"] {
            assert!(is_dismissal(name), "{name}");
        }
        for name in [
            "Rejected items",
            "Accept all",
            "Close account",
            "Skip to content",
            "Delete",
            "",
            "Reject all cookies",
            "Not now, thanks",
            "Decline invitation",
            "Close\nDelete",
        ] {
            assert!(!is_dismissal(name), "{name}");
        }
    }

    #[test]
    fn login_submits_are_known_vr_164() {
        for name in ["Sign in", "Log in", "Login", "Submit", "Continue", "Next", "sign-in"] {
            assert!(submits_login(name), "{name}");
        }
        for name in ["Dead button", "Increment counter", "Save avatar", "Cancel", ""] {
            assert!(!submits_login(name), "{name}");
        }
    }
}
