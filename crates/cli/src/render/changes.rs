//! What has changed, in words: one line for each element.

use sidestick_gate::outline::{address, quote};
use sidestick_model::change::{ChangeSeen, ChangesSeen};
use sidestick_model::observation::Subject;

/// The changes of a window, oldest first.
pub(super) fn changes_text(seen: &ChangesSeen) -> String {
    if seen.started {
        return "recording has begun; ask again for what changes from here on\n".to_owned();
    }
    let seconds = (seen.until - seen.from) / 1_000.0;
    let mut text = format!("{} changed in the last {seconds:.1} s\n", seen.changes.len());
    for change in &seen.changes {
        text.push_str(&format!("  {}\n", line(change, seen.until)));
    }
    if seen.dropped != 0 {
        text.push_str(&format!("  and {} more that could not be kept\n", seen.dropped));
    }
    text
}

fn line(change: &ChangeSeen, until: f64) -> String {
    let moved = match (&change.before, &change.after) {
        (Some(before), Some(after)) => format!(": {} -> {}", quote(before), quote(after)),
        (None, Some(after)) => format!(": {}", quote(after)),
        (Some(before), None) => format!(": was {}", quote(before)),
        (None, None) => String::new(),
    };
    let mut line = format!("{} {}{moved}", change.kind, subject(&change.subject));
    if 1 < change.count {
        let range = match (change.min, change.max) {
            (Some(min), Some(max)) => format!(", {min} to {max}"),
            _ => String::new(),
        };
        line.push_str(&format!(" ({} times{range})", change.count));
    }
    line.push_str(&format!(" {:.1} s ago", (until - change.at) / 1_000.0));
    if let Some(cause) = &change.cause {
        let name = cause.name.as_deref().map(|name| format!(" {}", quote(name)));
        let act = if cause.act { " of the last act" } else { "" };
        let (kind, role) = (address(&cause.kind), address(&cause.role));
        line.push_str(&format!(", by {kind} on {role}{}{act}", name.unwrap_or_default()));
    }
    if let Some(id) = &change.id {
        line.push_str(&format!(" {}", address(id)));
    }
    line
}

fn subject(subject: &Subject) -> String {
    let parts = [
        ("", &subject.name),
        ("row ", &subject.row),
        ("column ", &subject.column),
        ("label ", &subject.label),
        ("heading ", &subject.heading),
    ];
    let known = parts.iter().filter_map(|(word, part)| Some((word, part.as_deref()?)));
    let words: Vec<String> = known.map(|(word, part)| format!("{word}{}", quote(part))).collect();
    let role = address(&subject.role);
    if words.is_empty() { role } else { format!("{role} {}", words.join(" ")) }
}
