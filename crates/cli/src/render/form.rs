//! How filling a form went, in words.

use sidestick_gate::outline::{address, quote};
use sidestick_model::form::{FieldSeen, FormSeen};

/// One line for each field, then the press, then where it stopped.
pub(crate) fn form_text(seen: &FormSeen) -> String {
    let mut text: String = seen.fields.iter().map(line).collect();
    if seen.verified {
        text.push_str("every field was read again and holds\n");
    }
    text.extend(seen.submit.iter().map(line));
    match &seen.stopped {
        Some(stopped) => {
            let field = stopped.field.map(|field| format!(" {field}")).unwrap_or_default();
            let why = super::one_line(&stopped.why);
            text.push_str(&format!("stopped at {}{field}: {why}\n", stopped.at));
        }
        None if seen.submitted => text.push_str("submitted\n"),
        None => text.push_str("filled, not submitted\n"),
    }
    text
}

fn line(field: &FieldSeen) -> String {
    let code = field.code.map(|code| format!(" {code}")).unwrap_or_default();
    let parts = [
        field.role.as_deref().map(address),
        field.name.as_deref().map(quote),
        field.id.as_deref().map(address),
    ];
    let what: Vec<String> = parts.into_iter().flatten().collect();
    format!("{}{code} {} ({})\n", field.status, what.join(" "), field.act)
}
