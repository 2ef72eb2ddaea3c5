//! What callers read: short text, or one JSON object on one line. The only place that prints.

use std::io::Write;
use std::process::ExitCode;

use serde_json::{Map, Value, json};

use sidestick_gate::outline::{address, escape, quote};
use sidestick_model::DownloadSeen;
use sidestick_model::call::{
    Answer, BegunAnswer, DoorCode, DoorError, EndAnswer, Found, ObserveAnswer, StatusAnswer,
};
use sidestick_model::observation::Change;
use sidestick_model::outcome::{Outcome, Status};
use sidestick_model::record::Verdict;
use sidestick_policy::Redacted;

mod changes;
mod form;

use changes::changes_text;
pub(crate) use form::form_text;

/// How answers are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Short text for a model or a person.
    Text,
    /// One JSON object on one line.
    Json,
}

/// Prints to standard output. A reader that went away is no failure of the verb.
pub(crate) fn out(text: &str) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes());
    let _ = stdout.flush();
}

/// Prints to standard error.
pub(crate) fn err(text: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes());
}

/// Prints an answer that is no failure: text, or `value` with `ok`.
pub(crate) fn done(form: Form, text: &str, value: Value) -> ExitCode {
    match form {
        Form::Text => out(text),
        Form::Json => out(&format!("{}\n", with_ok(value, true))),
    }
    ExitCode::SUCCESS
}

/// Prints a JSON object that says what is wrong.
pub(crate) fn not_ok(value: Value) {
    out(&format!("{}\n", with_ok(value, false)));
}

fn with_ok(value: Value, ok: bool) -> Value {
    let mut object = Map::new();
    object.insert("ok".into(), json!(ok));
    if let Value::Object(fields) = value {
        object.extend(fields);
    }
    object.remove("answer");
    Value::Object(object)
}

/// Prints a failure and returns its exit code.
pub(crate) fn failed(form: Form, error: &DoorError) -> ExitCode {
    match form {
        Form::Text => {
            let mut text =
                format!("error: {} ({})\n", one_line(&error.message), error.error.as_str());
            for detail in &error.detail {
                text.push_str(&format!("  {}\n", one_line(detail)));
            }
            if let Some(hint) = &error.hint {
                text.push_str(&format!("\nhint: {hint}\n"));
            }
            err(&text);
        }
        Form::Json => {
            let mut value = json!({"error": error.error, "message": error.message});
            if let Value::Object(fields) = &mut value {
                if let Some(hint) = &error.hint {
                    fields.insert("hint".into(), json!(hint));
                }
                if let Some(code) = error.driver_error {
                    fields.insert("driver_error".into(), json!(code));
                }
                let name = match error.error {
                    DoorCode::Missing | DoorCode::Credentials => "missing",
                    _ => "detail",
                };
                if !error.detail.is_empty() || name == "missing" {
                    fields.insert(name.into(), json!(error.detail));
                }
            }
            out(&format!("{}\n", with_ok(value, false)));
        }
    }
    ExitCode::from(error.error.exit())
}

/// Warns that a run under test overrides proves nothing (VR-235).
pub(crate) fn overrides(names: &[String]) {
    if !names.is_empty() {
        err(&overrides_line(names));
    }
}

fn overrides_line(names: &[String]) -> String {
    format!("{}: {}\n", sidestick_evidence::report::OVERRIDES, one_line(&names.join(", ")))
}

/// Stands above the text of a page, whose lines all carry a mark of their own (I12).
const MARK_HEAD: &str = "page text, quoted as it stands:";

/// Keeps a text on one line and without what a terminal would obey (I12).
pub(crate) fn one_line(text: &str) -> String {
    let quoted = quote(text);
    quoted.trim_matches('"').replace("\\\"", "\"")
}

/// Prints a session's answer.
pub(crate) fn answer(form: Form, answer: &Redacted<Answer>) -> ExitCode {
    let answer = answer.get();
    if let Answer::Refused(error) = answer {
        return failed(form, error);
    }
    let value = match serde_json::to_value(answer) {
        Ok(value) => value,
        Err(_) => {
            let error = DoorError::new(DoorCode::Internal, "the answer cannot be written");
            return failed(form, &error);
        }
    };
    done(form, &text_of(answer), value)
}

fn text_of(answer: &Answer) -> String {
    match answer {
        Answer::Act(outcome) => outcome_text(outcome),
        Answer::Observe(seen) => observation_text(seen),
        Answer::Goal { goal } => format!("goal {goal} registered\n"),
        Answer::Note { finding, goal } => {
            let goal = goal.as_ref().map(|goal| format!(" for goal {goal}")).unwrap_or_default();
            format!("{finding} noted{goal}\n")
        }
        Answer::Verdict(verdict) => {
            let proof = verdict.proof.map(|act| format!(", proven by {act}")).unwrap_or_default();
            let linked = match verdict.linked_findings.as_slice() {
                [] => String::new(),
                findings => format!("; linked findings: {}", listed(findings)),
            };
            format!("goal {} {}{proof}{linked}\n", verdict.goal, verdict.verdict.as_str())
        }
        Answer::Find { matches, total } => found_text(matches, *total),
        Answer::Text { text, truncated, total_chars } => {
            let cut = if *truncated {
                format!("\n({total_chars} characters in all)")
            } else {
                String::new()
            };
            // How much of it there is was the caller's to say: no line is cut here.
            let line = |line: &str| format!("| {}", escape(line).replace("\\\"", "\""));
            let lines: Vec<String> = text.lines().map(line).collect();
            format!("{MARK_HEAD}\n{}{cut}\n", lines.join("\n"))
        }
        Answer::Screenshot { path, withheld, .. } => match (path, withheld) {
            (Some(path), _) => format!("{path}\n"),
            (None, true) => "the picture is withheld: a secret may be in it\n".to_owned(),
            (None, false) => "the picture could not be taken\n".to_owned(),
        },
        Answer::Changes(seen) => changes_text(seen),
        Answer::Holds { held } => {
            format!("{} of {} hold\n", held.iter().filter(|held| **held).count(), held.len())
        }
        Answer::Zoom { path, region: [x, y, width, height], scale, .. } => match path {
            Some(path) => {
                format!("{path} shows {width}x{height} at {x},{y}, {scale} times as large\n")
            }
            None => "the picture is withheld: a secret may be in it\n".to_owned(),
        },
        Answer::Wait { held, looked_ms } => {
            let word = if *held { "held" } else { "did not hold" };
            format!("{word} after {looked_ms} ms\n")
        }
        Answer::Tabs { pages } => pages
            .iter()
            .map(|tab| {
                let mark = if tab.current { "*" } else { " " };
                let (id, title) = (address(&tab.page.id), quote(&tab.page.title));
                format!("{mark} {id} {title} {}\n", address(&tab.page.url))
            })
            .collect(),
        Answer::Status(status) => status_text(status),
        Answer::Braked { paused: true } => "paused\n".to_owned(),
        Answer::Braked { paused: false } => "released\n".to_owned(),
        Answer::End(end) => end_text(end),
        Answer::Findings { findings } => findings
            .iter()
            .map(|finding| format!("{} {}\n", finding.finding_id, one_line(&finding.summary)))
            .collect(),
        Answer::Refused(_) => String::new(),
    }
}

fn listed<T: std::fmt::Display>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// One outcome in a few lines: status and target first, then what changed, then what to know.
pub(crate) fn outcome_text(outcome: &Outcome) -> String {
    let code = outcome.code.map(|code| format!(" {code}")).unwrap_or_default();
    let target = outcome.target.as_ref().map(|target| {
        let name = target.name.as_deref().map(quote).unwrap_or_default();
        let row = target.context.row.as_deref().map(|row| format!(" in row {}", quote(row)));
        format!(" {} {name} {}{}", target.role, address(&target.id), row.unwrap_or_default())
    });
    let mut lines = vec![format!(
        "{}{code} {}{} ({})",
        outcome.status,
        outcome.action.as_str(),
        target.unwrap_or_default(),
        outcome.act
    )];
    lines.push(format!("  {}", one_line(&outcome.message)));
    for other in &outcome.matches {
        let name = other.subject.name.as_deref().map(quote).unwrap_or_default();
        let row = other.subject.row.as_deref().map(|row| format!(" in row {}", quote(row)));
        let (role, id) = (&other.subject.role, address(&other.id));
        lines.push(format!("  could be {role} {name} {id}{}", row.unwrap_or_default()));
    }
    lines.extend(effect_lines(outcome));
    if let Some(dialog) = &outcome.dialog {
        let by = dialog.opened_by.map(|act| format!(", opened by {act}")).unwrap_or_default();
        lines.push(format!("  {} is open{by}: {}", dialog.kind, quote(&dialog.text)));
    }
    for page in &outcome.new_pages {
        let opener = page.opener.as_deref().map(|id| format!(" opened by {}", address(id)));
        let (id, url) = (address(&page.id), address(&page.url));
        lines.push(format!("  new page {id} {url}{}", opener.unwrap_or_default()));
    }
    if outcome.new_pages_omitted != 0 {
        lines.push(format!("  and {} more new pages", outcome.new_pages_omitted));
    }
    lines.extend(outcome.downloads.iter().map(download_line));
    if !outcome.findings_added.is_empty() {
        lines.push(format!("  findings added: {}", listed(&outcome.findings_added)));
    }
    lines.push(footer(outcome));
    if let Some(outline) = &outcome.observation.outline {
        lines.push(outline.trim_end().to_owned());
    }
    if let Some(hint) = hint_for(outcome.status) {
        lines.push(format!("hint: {hint}"));
    }
    format!("{}\n", lines.join("\n"))
}

/// One change in the words of an outcome.
fn change_text(change: &Change) -> String {
    let name = change.name.as_deref().filter(|name| !name.is_empty()).map(quote);
    let what = [change.role.clone(), name].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let moved = match (&change.before, &change.after) {
        (Some(before), Some(after)) => format!(": {} -> {}", quote(before), quote(after)),
        (None, Some(after)) => format!(": {}", quote(after)),
        (Some(before), None) => format!(": was {}", quote(before)),
        (None, None) => String::new(),
    };
    let near = change.near.as_deref().map(|near| format!(" near {}", quote(near)));
    format!("{} {what}{moved}{}", change.kind, near.unwrap_or_default())
}

/// One download in one line; its name is page text.
fn download_line(seen: &DownloadSeen) -> String {
    let name = quote(&seen.name);
    let (bytes, status) = (seen.bytes, seen.status.as_str());
    match (&seen.file, &seen.sha256, &seen.reason) {
        (Some(file), Some(hash), _) => {
            format!("  download {name} {status}: {} {bytes} bytes sha256 {hash}", one_line(file))
        }
        (_, _, Some(why)) => format!("  download {name} {status}: {}", one_line(why)),
        (_, _, None) => format!("  download {name} {status} after {bytes} bytes"),
    }
}

fn effect_lines(outcome: &Outcome) -> Vec<String> {
    let mut lines = Vec::new();
    for change in &outcome.effect.changes {
        lines.push(format!("  {}", change_text(change)));
    }
    if outcome.effect.changes_omitted != 0 {
        lines.push(format!("  and {} more changes", outcome.effect.changes_omitted));
    }
    if let Some(back) = &outcome.effect.read_back {
        let elsewhere = back.elsewhere.as_deref().filter(|_| !back.secret);
        lines.push(match (back.secret, &back.asked, &back.found) {
            _ if elsewhere.is_some() => {
                let shown = elsewhere.map(&quote).unwrap_or_default();
                format!("  read back: the field is empty again; the page shows {shown}")
            }
            (true, _, _) if back.equal => "  read back: holds what was typed".to_owned(),
            (true, _, _) => "  read back: holds something else than was typed".to_owned(),
            (false, Some(asked), Some(found)) if !back.equal => {
                format!("  read back: asked {}, holds {}", quote(asked), quote(found))
            }
            (false, _, Some(found)) => format!("  read back: {}", quote(found)),
            (false, _, None) => "  read back: nothing".to_owned(),
        });
    }
    for request in &outcome.requests {
        let status = request.status.map_or("no answer yet".to_owned(), |status| status.to_string());
        let finding = request.finding.as_deref().map(|f| format!(" ({f})")).unwrap_or_default();
        lines.push(format!("  {} {} {status}{finding}", request.method, address(&request.url)));
    }
    if !outcome.pending.is_empty() {
        let open: Vec<String> = outcome.pending.iter().map(|open| one_line(open)).collect();
        lines.push(format!("  still open: {}", open.join(", ")));
    }
    if !outcome.blocked.is_empty() {
        let blocked: Vec<String> = outcome.blocked.iter().map(|url| address(url)).collect();
        lines.push(format!("  blocked by the boundary: {}", blocked.join(", ")));
    }
    if !outcome.blind.is_empty() {
        lines.push(format!("  cannot be read: {}", outcome.blind.join(", ")));
    }
    if !outcome.effect.noise.is_empty() {
        lines.push(format!("  moves by itself: {} element(s)", outcome.effect.noise.len()));
    }
    lines
}

fn footer(outcome: &Outcome) -> String {
    let budget = outcome.budget;
    let goal = match (&outcome.goal, budget.goal_used) {
        (Some(goal), Some(used)) => format!(", goal {goal} {used} of {}", budget.goal_cap),
        _ => String::new(),
    };
    let observation = outcome.observation.id.map(|id| format!("{id}; ")).unwrap_or_default();
    format!("  {observation}{} of {} actions{goal}", budget.run_used, budget.run_cap)
}

/// What to do about a status (INTERFACE, VR-101).
pub(crate) fn hint_for(status: Status) -> Option<&'static str> {
    match status {
        Status::Unknown => Some("look before asking again: `sidestick observe`"),
        Status::Stale => Some("look again: `sidestick observe`"),
        Status::NotFound => Some("`sidestick observe` or `sidestick find` shows what is there"),
        Status::Ambiguous => Some("name one by its ref, or add `--near WORDS`"),
        Status::GateRequired => {
            Some("stop at this control; `--gate requested|created` only when that is true")
        }
        Status::BudgetExhausted => Some("give open goals `partial` and end the run"),
        Status::Paused => Some("a person lifts the brake with `sidestick release`"),
        Status::LeaseLost => Some("look again to stand on the session as it is now"),
        Status::Unsettled => Some("look again: `sidestick observe`, or `sidestick wait --for ..`"),
        Status::Observed
        | Status::Satisfied
        | Status::NoEffect
        | Status::Partial
        | Status::NotVisible
        | Status::NotActionable
        | Status::Forbidden
        | Status::NeedsHuman
        | Status::NotAllowlisted
        | Status::Drift
        | Status::ForegroundRequired
        | Status::DesktopBusy
        | Status::Error => None,
    }
}

fn observation_text(seen: &ObserveAnswer) -> String {
    let picture = match (&seen.observation.screenshot, seen.observation.screenshot_withheld) {
        (Some(path), _) => format!("picture: {path}\n"),
        (None, true) => "picture withheld: a secret may be in it\n".to_owned(),
        (None, false) => String::new(),
    };
    let late: String = seen
        .late
        .iter()
        .flat_map(|late| {
            late.changes
                .iter()
                .map(|change| format!("late: {} {}\n", late.act, change_text(change)))
        })
        .collect();
    let marks: Vec<String> =
        seen.marks.iter().map(|mark| format!("{}={}", mark.mark, address(&mark.id))).collect();
    let marked = match &seen.marked {
        Some(path) => format!("marked: {path}\nmarks: {}\n", marks.join(" ")),
        None => String::new(),
    };
    format!("{}{late}{picture}{marked}", seen.outline)
}

fn found_text(matches: &[Found], total: u32) -> String {
    let mut text = format!("{total} found\n");
    for found in matches {
        let subject = &found.subject;
        let name = subject.name.as_deref().map(quote).unwrap_or_default();
        let context: Vec<String> = [
            ("row", &subject.row),
            ("column", &subject.column),
            ("label", &subject.label),
            ("heading", &subject.heading),
        ]
        .into_iter()
        .filter_map(|(word, part)| part.as_deref().map(|part| format!("{word} {}", quote(part))))
        .collect();
        let states = found.states.join(" ");
        let line = format!("{} {name} {states} {}", subject.role, context.join(", "));
        let plain = line.split_whitespace().collect::<Vec<_>>().join(" ");
        text.push_str(&format!("  {plain} {}\n", address(&found.id)));
    }
    text
}

/// A run as it stands.
pub(crate) fn status_text(status: &StatusAnswer) -> String {
    let head = &status.run;
    let mut lines = vec![format!("run {} {}", head.run_id, status.state)];
    lines.push(format!("  target {}", address(&head.target)));
    if let Some(page) = &status.page {
        lines.push(format!("  page {} {}", quote(&page.title), address(&page.url)));
    }
    for goal in &status.goals {
        let (id, verdict) = (&goal.goal_id, goal.status.as_str());
        lines.push(format!("  goal {id} {verdict}: {}", quote(&goal.title)));
    }
    let last = status.last_act.as_ref().map(|last| format!(", last {} {}", last.act, last.status));
    lines.push(format!(
        "  {} acts{}, {} findings, {} of {} actions used",
        status.acts,
        last.unwrap_or_default(),
        status.findings,
        status.budget.run_used,
        status.budget.run_cap
    ));
    if let Some(lease) = &status.lease {
        lines.push(format!("  held by {} in epoch {}", lease.holder.as_str(), lease.epoch));
    }
    if let Some(brake) = &status.brake {
        lines.push(format!("  paused {}", one_line(brake)));
    }
    if let Some(reason) = &head.stopped_reason {
        lines.push(format!("  stopped: {}", one_line(reason)));
    }
    format!("{}\n", lines.join("\n"))
}

/// A run that has begun.
pub(crate) fn begun_text(begun: &BegunAnswer) -> String {
    let head = &begun.head;
    let boundary = match head.allow.as_slice() {
        [] => String::new(),
        allow => format!(", also {}", allow.join(", ")),
    };
    let sandbox = if head.sandbox { "" } else { "; the browser's own sandbox is OFF" };
    let policy = head
        .policy
        .as_ref()
        .map(|seen| format!("  policy {} sha256 {}\n", one_line(&seen.file), seen.sha256));
    let policy = policy.unwrap_or_default();
    format!(
        "run {} begun at {}{boundary}\n{policy}  {} {}{sandbox}\n  record in {}\n{}",
        begun.run,
        address(&head.target),
        head.driver,
        head.driver_version,
        begun.run_dir,
        begun.observation.outline
    )
}

/// A run that has ended.
pub(crate) fn end_text(end: &EndAnswer) -> String {
    let report = &end.report;
    let mut lines = vec![format!("run {} ended", report.run.run_id)];
    if !report.run.test_overrides.is_empty() {
        lines.push(overrides_line(&report.run.test_overrides).trim_end().to_owned());
    }
    for goal in &report.goals {
        let summary = one_line(&goal.summary);
        let id = &goal.goal_id;
        lines.push(format!("  {:8} {id}: {} {summary}", goal.status.as_str(), quote(&goal.title)));
    }
    let unset = report.goals.iter().filter(|goal| goal.status == Verdict::Unset).count();
    if unset != 0 {
        lines.push(format!("  {unset} goal(s) without a verdict"));
    }
    lines.push(format!(
        "  {} acts, {} findings, {} gates",
        report.acts.len(),
        report.findings.len(),
        report.gates.len()
    ));
    for error in &report.state_left.cleanup_errors {
        lines.push(format!("  cleanup: {}", one_line(error)));
    }
    lines.push(format!("report {}", end.report_html));
    format!("{}\n", lines.join("\n"))
}

#[cfg(test)]
mod tests;
