//! What an act was and did, in the words of its outcome.

use sidestick_model::observation::{Change, Expect, Settled};
use sidestick_model::outcome::{Fate, Outcome, Status, TargetSeen};
use sidestick_model::{Action, ElementFacts, Target, Typed, limits};
use sidestick_policy::redact;

use crate::classify::classify;
use crate::surface::Resolved;

pub(crate) fn target_seen(element: &ElementFacts) -> TargetSeen {
    TargetSeen {
        id: element.id.clone(),
        role: element.subject.role.clone(),
        name: element.subject.name.clone(),
        context: (&element.subject).into(),
        point: element.point,
        bounds: Some(element.bounds),
    }
}

/// Moves what was seen into the outcome and classifies it.
pub(crate) fn fill_in(outcome: &mut Outcome, expect: &Expect, settled: Settled) {
    let earned = classify(expect, &settled);
    outcome.status = earned.status;
    outcome.code = earned.code;
    outcome.message = earned.message;
    outcome.other_changes = earned.other_changes;
    outcome.fate = Fate::Sent;
    let asks = settled.dialog.as_ref().is_some_and(|dialog| dialog.kind == "beforeunload");
    if outcome.action.navigates() && asks && !settled.new_document {
        // The document that was asked for has not come: the page asks whether it may be left.
        outcome.status = Status::Unsettled;
        outcome.message =
            "the page asks whether it may be left; answer it with `dialog`".to_owned();
        outcome.other_changes.clone_from(&settled.signals);
    }
    outcome.effect.looked_ms = settled.looked_ms;
    let (changes, dropped) = within_chars(settled.changes);
    outcome.effect.changes_omitted = settled.changes_dropped.saturating_add(dropped);
    outcome.effect.changes = changes;
    outcome.effect.noise = settled.noise.into_iter().take(limits::MATCHES_MAX).collect();
    outcome.effect.read_back = settled.read_back;
    outcome.signals = settled.signals;
    outcome.page = settled.page;
    outcome.requests = settled.requests;
    outcome.requests_omitted = settled.requests_dropped;
    outcome.pending = settled.pending;
    outcome.blocked = settled.blocked;
    outcome.blind = settled.blind;
    outcome.dialog = settled.dialog;
    outcome.new_pages = settled.new_pages;
    outcome.new_pages_omitted = settled.new_pages_omitted;
    outcome.downloads = settled.downloads;
}

/// Keeps as many changes as fit into the answer and counts the rest.
fn within_chars(changes: Vec<Change>) -> (Vec<Change>, u32) {
    let total = changes.len();
    let mut room = limits::CHANGES_CHARS_MAX;
    let kept: Vec<_> = changes
        .into_iter()
        .take_while(|change| {
            let parts = [&change.name, &change.before, &change.after, &change.near];
            let chars: usize = parts.into_iter().flatten().map(|text| text.chars().count()).sum();
            let fits = chars + 40 <= room;
            room = room.saturating_sub(chars + 40);
            fits
        })
        .collect();
    let dropped = u32::try_from(total - kept.len()).unwrap_or(u32::MAX);
    (kept, dropped)
}

/// Returns whether an effect is more than a message that comes and goes by itself.
pub(crate) fn is_lasting(settled: &Settled) -> bool {
    let passing = |change: &Change| {
        change.kind == "appeared"
            && matches!(change.role.as_deref(), Some("alert" | "status" | "tooltip" | "text"))
    };
    let moved = settled.new_document || !settled.new_pages.is_empty();
    !moved && settled.changes.iter().any(|change| !passing(change))
}

/// Says what was asked in words for people; typed text only when it is public.
pub(crate) fn asked_in_words(action: &Action, resolved: &Resolved) -> String {
    let quote = crate::outline::quote;
    let target = match (&resolved.element, action.target()) {
        (Some(element), _) => {
            let name = element.subject.name.as_deref().unwrap_or_default();
            format!(" {} {}", element.subject.role, quote(name))
        }
        (None, Some(Target::Ref { id })) => format!(" {id}"),
        (None, Some(Target::Described { role, name, near })) => {
            let near = near.as_ref().map(|near| format!(" near {}", quote(near)));
            let name = name.as_deref().map(|name| format!(" {}", quote(name)));
            format!(" {role}{}{}", name.unwrap_or_default(), near.unwrap_or_default())
        }
        (None, Some(Target::Pixel { x, y, label })) => format!(" {} at {x},{y}", quote(label)),
        (None, None) => String::new(),
    };
    let what = match action {
        Action::Fill { text, .. } | Action::Type { text, .. } => match text {
            Typed::Public(text) => format!(" with {}", quote(text)),
            Typed::Sensitive(_) => " with text from standard input".to_owned(),
            Typed::Secret(name) => format!(" with the secret {name}"),
        },
        Action::Press { key, .. } => format!(" {key}"),
        Action::Select { values, .. } => {
            let values: Vec<String> = values.iter().map(|value| quote(value)).collect();
            format!(" to {}", values.join(", "))
        }
        Action::Scroll { direction, amount, .. } => {
            format!(" {} by {amount} screens", format!("{direction:?}").to_lowercase())
        }
        Action::Navigate { url } => {
            format!(" to {}", redact::address(url).unwrap_or_else(|| "a long address".to_owned()))
        }
        Action::Dialog { answer, .. } => format!(" {}", format!("{answer:?}").to_lowercase()),
        Action::Upload { files, .. } => {
            let name = |path: &String| quote(path.rsplit('/').next().unwrap_or_default());
            let names: Vec<String> = files.iter().map(name).collect();
            format!(" with {}", names.join(", "))
        }
        Action::Tab { op } => format!(" {op:?}").to_lowercase(),
        _ => String::new(),
    };
    format!("{}{target}{what}", action.kind().as_str())
}
