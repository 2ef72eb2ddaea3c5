//! What the words of the record mean to a person; shared by every form of the report.

use std::collections::BTreeSet;

use jiff::Timestamp;
use sidestick_model::observation::{Change, ReadBack, RequestSeen};
use sidestick_model::outcome::{Context, TargetSeen, Verified};
use sidestick_model::record::{ActLine, Goal, Report, Verdict};
use sidestick_model::{ActId, DownloadSeen, DownloadStatus, Fate, Status};

/// The line every form opens with when a run was made with test overrides.
pub const OVERRIDES: &str = "TEST OVERRIDES ACTIVE — results are not valid evidence";

/// How a status is to be seen: what it says about the claim that the act worked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// The effect was seen.
    Good,
    /// Nothing was needed, nothing is proven.
    Same,
    /// It was sent and nothing expected came of it.
    Nothing,
    /// It may have worked; nobody knows.
    Unsure,
    /// It was not sent: the target did not allow it.
    Refused,
    /// It was not sent: a rule or a person stands before it.
    Held,
    /// The machinery failed.
    Broken,
}

impl Tone {
    pub(super) fn of(status: Status) -> Tone {
        match status {
            Status::Observed => Tone::Good,
            Status::Satisfied => Tone::Same,
            Status::NoEffect => Tone::Nothing,
            Status::Partial | Status::Unsettled | Status::Unknown => Tone::Unsure,
            Status::Stale
            | Status::NotFound
            | Status::Ambiguous
            | Status::NotVisible
            | Status::NotActionable
            | Status::NotAllowlisted => Tone::Refused,
            Status::GateRequired
            | Status::Forbidden
            | Status::NeedsHuman
            | Status::LeaseLost
            | Status::Paused
            | Status::Drift
            | Status::ForegroundRequired
            | Status::DesktopBusy
            | Status::BudgetExhausted => Tone::Held,
            Status::Error => Tone::Broken,
        }
    }

    /// Returns the class of the style sheet.
    pub(super) fn class(self) -> &'static str {
        match self {
            Tone::Good => "good",
            Tone::Same => "same",
            Tone::Nothing => "nothing",
            Tone::Unsure => "unsure",
            Tone::Refused => "refused",
            Tone::Held => "held",
            Tone::Broken => "broken",
        }
    }

    /// Returns a sign, so that color is not the only difference.
    pub(super) fn sign(self) -> &'static str {
        match self {
            Tone::Good => "✓",
            Tone::Same => "=",
            Tone::Nothing => "∅",
            Tone::Unsure => "?",
            Tone::Refused => "⊘",
            Tone::Held => "■",
            Tone::Broken => "!",
        }
    }
}

/// Which policy file a run was held to.
pub(super) fn policy(run: &sidestick_model::record::RunHead) -> String {
    match &run.policy {
        None => "none; the boundary is the target's site".to_owned(),
        Some(seen) => {
            let owner = seen.owner.map_or("not said", |owner| owner.as_str());
            let (file, sha256, uid) = (&seen.file, &seen.sha256, seen.file_uid);
            format!("{file} sha256 {sha256}, owner {owner}, file of user {uid}")
        }
    }
}

/// Returns what a status means, as a sentence.
pub(super) fn meaning(status: Status) -> &'static str {
    match status {
        Status::Observed => "What was expected changed on the screen.",
        Status::Satisfied => {
            "The asked state already held. Nothing was sent, and nothing is proven by it."
        }
        Status::NoEffect => "It was sent, and nothing that was expected changed.",
        Status::Partial => "It changed, but reading it back gave something else than was asked.",
        Status::Unsettled => "The page was still changing or waiting when looking ended.",
        Status::Unknown => "The input may have reached the application. Nobody knows.",
        Status::Stale => "It stood on an observation that no longer held.",
        Status::NotFound => "Nothing on the page was what was described.",
        Status::Ambiguous => "Several things on the page were what was described.",
        Status::NotVisible => "A person could not have seen the target, so it was not used.",
        Status::NotActionable => "The target could not take this action.",
        Status::GateRequired => "Stopped at the gate: nobody with the authority asked for this.",
        Status::Forbidden => "The policy of this run says no.",
        Status::NeedsHuman => "A person must decide or act.",
        Status::NotAllowlisted => "It is not a harmless dismissal.",
        Status::LeaseLost => "Somebody else held the session.",
        Status::Paused => "A brake stood.",
        Status::Drift => "A person moved the pointer, or the run was stopped.",
        Status::ForegroundRequired => "It needs the foreground.",
        Status::DesktopBusy => "Somebody else had the foreground.",
        Status::BudgetExhausted => "The actions or the time of this run or goal were spent.",
        Status::Error => "The driver failed.",
    }
}

/// Returns a download as a phrase: its name, and what became of it.
pub(super) fn download(seen: &DownloadSeen, quote: &dyn Fn(&str) -> String) -> String {
    let name = quote(&seen.name);
    let bytes = seen.bytes;
    let why = seen.reason.as_deref().map(|why| format!(" ({})", quote(why))).unwrap_or_default();
    match (seen.status, &seen.file, &seen.sha256) {
        (DownloadStatus::Saved, Some(file), Some(hash)) => {
            format!("{name} saved as {}, {bytes} bytes, sha256 {}", quote(file), quote(hash))
        }
        (DownloadStatus::Pending, _, _) => {
            format!("{name} was still on its way after {bytes} bytes")
        }
        (status, _, _) => format!("{name} was not saved: {}{why}", status.as_str()),
    }
}

/// Returns whether the application was touched, in words.
pub(super) fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::NotSent => "nothing was sent",
        Fate::Sent => "sent",
        Fate::Unknown => "may have been sent",
    }
}

/// Every verdict, in the order they are counted.
pub(super) const VERDICTS: [Verdict; 5] =
    [Verdict::Pass, Verdict::Fail, Verdict::Blocked, Verdict::Partial, Verdict::Unset];

/// Returns a sign for a verdict.
pub(super) fn verdict_sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "✓",
        Verdict::Fail => "✕",
        Verdict::Blocked => "■",
        Verdict::Partial => "◐",
        Verdict::Unset => "○",
    }
}

/// Returns how many goals ended with `verdict`.
pub(super) fn count(report: &Report, verdict: Verdict) -> usize {
    report.goals.iter().filter(|goal| goal.status == verdict).count()
}

/// Returns `count` with its noun in the right number.
pub(super) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Returns whether the system of record says that this goal's screen is wrong.
pub(super) fn is_denied(goal: &Goal) -> bool {
    goal.verified.as_ref().is_some_and(|check| !check.holds)
}

/// Returns the acts that no goal lists.
pub(super) fn unlisted(report: &Report) -> Vec<&ActLine> {
    let listed: BTreeSet<ActId> =
        report.goals.iter().flat_map(|goal| goal.acts.iter().copied()).collect();
    report.acts.iter().filter(|line| !listed.contains(&line.outcome.act)).collect()
}

/// Returns whether a request was answered with an error, or became a finding.
pub(super) fn has_failed(request: &RequestSeen) -> bool {
    request.finding.is_some() || request.status.is_some_and(|status| status >= 400)
}

/// Returns the answer to a request, in words.
pub(super) fn answer(request: &RequestSeen) -> String {
    request.status.map_or_else(|| "no answer".to_owned(), |status| status.to_string())
}

/// Returns one change as a phrase; `quote` quotes what the page wrote.
pub(super) fn change(change: &Change, quote: &dyn Fn(&str) -> String) -> String {
    let mut parts = vec![word(&change.kind, quote)];
    if let Some(role) = change.role.as_deref() {
        parts.push(word(role, quote));
    }
    if let Some(name) = change.name.as_deref() {
        parts.push(quote(name));
    }
    match (change.before.as_deref(), change.after.as_deref()) {
        (Some(before), Some(after)) => {
            parts.push(format!("from {} to {}", quote(before), quote(after)));
        }
        (Some(before), None) => parts.push(format!("was {}", quote(before))),
        (None, Some(after)) => parts.push(format!("is {}", quote(after))),
        (None, None) => {}
    }
    if let Some(near) = change.near.as_deref() {
        parts.push(format!("near {}", quote(near)));
    }
    if change.offscreen {
        parts.push("(outside the viewport)".to_owned());
    }
    parts.join(" ")
}

/// Returns what a field held after it was set, as a phrase.
pub(super) fn read_back(read: &ReadBack, quote: &dyn Fn(&str) -> String) -> String {
    if let Some(shown) = read.elsewhere.as_deref().filter(|_| !read.secret) {
        return format!("the field is empty again; the page shows {}", quote(shown));
    }
    let equal = match (read.equal, read.normalized) {
        (true, true) => "is what was asked, separators apart",
        (true, false) => "is exactly what was asked",
        (false, _) => "is not what was asked",
    };
    if read.secret {
        return format!("a secret, values withheld; what was found {equal}");
    }
    let show = |text: &Option<String>| text.as_deref().map_or("nothing".to_owned(), quote);
    format!("asked {}, found {}; it {equal}", show(&read.asked), show(&read.found))
}

/// Returns the element acted on, as a phrase.
pub(super) fn target(target: &TargetSeen, quote: &dyn Fn(&str) -> String) -> String {
    let name = target.name.as_deref().map_or("without a name".to_owned(), quote);
    let mut phrase = format!("{} {name}", word(&target.role, quote));
    for (part, value) in context(&target.context) {
        phrase.push_str(&format!(", {part} {}", quote(value)));
    }
    phrase
}

fn context(context: &Context) -> impl Iterator<Item = (&'static str, &str)> {
    [
        ("in row", context.row.as_deref()),
        ("in column", context.column.as_deref()),
        ("labeled", context.label.as_deref()),
        ("under", context.heading.as_deref()),
    ]
    .into_iter()
    .filter_map(|(part, value)| value.map(|value| (part, value)))
}

/// Returns an independent check as a phrase.
pub(super) fn verified(check: &Verified, quote: &dyn Fn(&str) -> String) -> String {
    let value = match &check.value {
        serde_json::Value::String(text) => quote(text),
        value => quote(&value.to_string()),
    };
    format!("{} at {}: found {value}", quote(&check.by), moment(&check.at, quote))
}

/// Returns a word of ours as it is; a word that only the page could have made is quoted.
pub(super) fn word(text: &str, quote: &dyn Fn(&str) -> String) -> String {
    let is_plain = (1..=40).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if is_plain { text.to_owned() } else { quote(text) }
}

/// Returns an RFC 3339 moment as people read it, in UTC; anything else is quoted.
pub(super) fn moment(at: &str, quote: &dyn Fn(&str) -> String) -> String {
    match at.parse::<Timestamp>() {
        Ok(at) => at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string(),
        Err(_) => quote(at),
    }
}

/// Returns the milliseconds from one RFC 3339 moment to another; `None` if either is not one.
pub(super) fn millis_between(from: &str, to: &str) -> Option<u64> {
    let from: Timestamp = from.parse().ok()?;
    let to: Timestamp = to.parse().ok()?;
    u64::try_from(to.as_millisecond().saturating_sub(from.as_millisecond())).ok()
}

/// Returns a duration as people read it.
pub(super) fn duration(millis: u64) -> String {
    match millis {
        0..1_000 => format!("{millis} ms"),
        1_000..60_000 => format!("{}.{} s", millis / 1_000, millis % 1_000 / 100),
        60_000..3_600_000 => format!("{} min {} s", millis / 60_000, millis % 60_000 / 1_000),
        _ => format!("{} h {} min", millis / 3_600_000, millis % 3_600_000 / 60_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn angle(text: &str) -> String {
        format!("<{text}>")
    }

    #[test]
    fn a_change_says_what_was_and_what_is() {
        let seen = Change {
            kind: "value".into(),
            role: Some("textbox".into()),
            name: Some("Name".into()),
            before: Some("a".into()),
            after: Some("b".into()),
            near: Some("Profile".into()),
            ..Change::default()
        };

        assert_eq!(change(&seen, &angle), "value textbox <Name> from <a> to <b> near <Profile>");
    }

    #[test]
    fn a_role_a_page_made_up_is_quoted() {
        assert_eq!(word("menuitem-radio", &angle), "menuitem-radio");
        assert_eq!(word("a](http://x)", &angle), "<a](http://x)>");
    }

    #[test]
    fn a_secret_is_not_read_back() {
        let read = ReadBack {
            asked: Some("hunter2".into()),
            found: Some("hunter2".into()),
            secret: true,
            equal: true,
            normalized: false,
            elsewhere: None,
        };

        assert!(!read_back(&read, &angle).contains("hunter2"));
    }

    #[test]
    fn a_request_without_an_error_has_not_failed() {
        let request = |status, finding: Option<&str>| RequestSeen {
            status,
            finding: finding.map(str::to_owned),
            ..RequestSeen::default()
        };

        assert!(has_failed(&request(Some(500), None)));
        assert!(has_failed(&request(None, Some("F1"))));
        assert!(!has_failed(&request(Some(204), None)));
        assert!(!has_failed(&request(None, None)));
    }

    #[test]
    fn time_is_told_in_units() {
        assert_eq!(duration(999), "999 ms");
        assert_eq!(duration(1_999), "1.9 s");
        assert_eq!(duration(61_000), "1 min 1 s");
        assert_eq!(duration(7_260_000), "2 h 1 min");
        assert_eq!(moment("2026-12-01T10:15:00.5Z", &angle), "2026-12-01 10:15:00 UTC");
        assert_eq!(moment("<b>", &angle), "<<b>>");
        assert_eq!(millis_between("2026-12-01T10:15:00Z", "2026-12-01T10:15:02.5Z"), Some(2_500));
        assert_eq!(millis_between("2026-12-01T10:15:02Z", "2026-12-01T10:15:00Z"), None);
    }
}
