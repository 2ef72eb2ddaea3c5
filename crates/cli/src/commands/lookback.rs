//! Looking back: status, runs, report, verify. The run folder answers; a host is asked only for
//! what it alone knows.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::json;

use sidestick_evidence::{Run, RunState, StateRoot, files, report, run, verify};
use sidestick_host::Client;
use sidestick_model::RunId;
use sidestick_model::call::{ActSeen, Answer, Call, DoorCode, DoorError, StatusAnswer};
use sidestick_model::outcome::BudgetSeen;
use sidestick_policy::Redacted;

use crate::args::{FormatArg, ReportArgs, RunsVerb, VerifyArgs};
use crate::commands::{Context, control, runs};
use crate::{render, spawn, wire};

/// Time a host gets to tell how its run stands.
const STATUS_TIME_MAX: Duration = Duration::from_secs(5);

pub(crate) async fn status(context: &Context) -> Result<ExitCode, DoorError> {
    let root = runs::project_state()?;
    let id = match runs::meant(context, &root) {
        Ok(id) => id,
        Err(error) if error.error == DoorCode::RunRequired && error.detail.is_empty() => {
            newest(&root)?.ok_or(error)?
        }
        Err(error) => return Err(error),
    };
    let socket = runs::registry()?.socket(&id);
    let asked = async {
        let mut client = Client::connect(&socket, wire::test_overrides()).await.ok()?;
        client.ask(Call::Status).await.ok()
    };
    // A host that hangs does not keep its run from being looked at.
    if let Ok(Some(answer)) = tokio::time::timeout(STATUS_TIME_MAX, asked).await {
        return Ok(render::answer(context.form, &answer));
    }
    let state = recovered_state(&root, &id)?;
    let answer = Answer::Status(Box::new(offline_status(&root, state)));
    Ok(render::answer(context.form, &Redacted::from_record(answer)))
}

/// Reads the state of a run whose host is gone, closing what it left open (I3).
fn recovered_state(root: &StateRoot, id: &RunId) -> Result<RunState, DoorError> {
    let dir = root.run_dir(id);
    let state = run::read_state(&dir, id).map_err(|error| control::record_error(&error))?;
    if state.head.ended.is_some() || run::is_held(&dir) {
        return Ok(state);
    }
    let key = runs::record_key_now(&runs::registry()?)?;
    let record = Run::recover(root, id, key, wire::clock().now());
    record.map(|record| record.state).map_err(|error| control::record_error(&error))
}

fn offline_status(root: &StateRoot, state: RunState) -> StatusAnswer {
    let last = run::read_report(&root.run_dir(&state.head.run_id), &state)
        .ok()
        .and_then(|report| report.acts.last().map(|act| act.outcome.clone()))
        .map(|outcome| ActSeen { act: outcome.act, status: outcome.status });
    let word = if state.head.ended.is_some() { "ended" } else { "host gone" };
    StatusAnswer {
        state: word.to_owned(),
        host: None,
        page: None,
        goals: state.goals.iter().map(sidestick_gate::goal_seen).collect(),
        findings: u32::try_from(state.findings.len()).unwrap_or(u32::MAX),
        acts: state.last_act,
        last_act: last,
        budget: BudgetSeen {
            run_used: state.run_used,
            run_cap: state.run_cap,
            goal_used: None,
            goal_cap: state.goal_cap,
        },
        lease: None,
        brake: None,
        run: state.head,
    }
}

fn newest(root: &StateRoot) -> Result<Option<RunId>, DoorError> {
    Ok(root.runs().map_err(|error| runs::files_error(&error))?.pop())
}

/// Returns the run that is named here or for every verb, else the newest.
fn chosen(context: &Context, root: &StateRoot, id: Option<&String>) -> Result<RunId, DoorError> {
    match id.or(context.run.as_ref()) {
        Some(id) => runs::named(root, id),
        None => newest(root)?.ok_or_else(|| {
            DoorError::new(DoorCode::RunRequired, "no run was begun in this project")
        }),
    }
}

pub(crate) fn runs(context: &Context, what: &RunsVerb) -> Result<ExitCode, DoorError> {
    let Some(root) = runs::state()? else {
        return Ok(render::done(context.form, "no runs\n", json!({"runs": []})));
    };
    match what {
        RunsVerb::List => list(context, &root),
        RunsVerb::Show { id } => show(context, &root, id),
        RunsVerb::Prune { keep } => prune(context, &root, *keep),
    }
}

fn list(context: &Context, root: &StateRoot) -> Result<ExitCode, DoorError> {
    let ids = root.runs().map_err(|error| runs::files_error(&error))?;
    let mut text = String::new();
    let mut rows = Vec::new();
    for id in ids {
        let state = run::read_state(&root.run_dir(&id), &id);
        let (word, target, goals) = match &state {
            Ok(state) => {
                let word = match (state.head.ended.is_some(), run::is_held(&root.run_dir(&id))) {
                    (true, _) => "ended",
                    (false, true) => "open",
                    (false, false) => "host gone",
                };
                (word, state.head.target.clone(), state.goals.len())
            }
            Err(_) => ("unreadable", String::new(), 0),
        };
        let shown = sidestick_gate::outline::address(&target);
        text.push_str(&format!("{id} {word:10} {goals:2} goals {shown}\n"));
        rows.push(json!({"run": id, "state": word, "target": target, "goals": goals}));
    }
    if text.is_empty() {
        text.push_str("no runs\n");
    }
    Ok(render::done(context.form, &text, json!({"runs": rows})))
}

fn show(context: &Context, root: &StateRoot, id: &str) -> Result<ExitCode, DoorError> {
    let id = runs::named(root, id)?;
    let dir = root.run_dir(&id);
    let state = run::read_state(&dir, &id).map_err(|error| control::record_error(&error))?;
    let answer = Answer::Status(Box::new(offline_status(root, state)));
    Ok(render::answer(context.form, &Redacted::from_record(answer)))
}

/// Removes the folders of the oldest ended runs; an open run is never removed.
fn prune(context: &Context, root: &StateRoot, keep: usize) -> Result<ExitCode, DoorError> {
    let ids = root.runs().map_err(|error| runs::files_error(&error))?;
    let many = ids.len().saturating_sub(keep);
    let mut removed = Vec::new();
    for id in ids.into_iter().take(many) {
        let dir = root.existing_run(&id).map_err(|error| runs::files_error(&error))?;
        let state = run::read_state(&dir, &id);
        let has_ended = state.is_ok_and(|state| state.head.ended.is_some());
        if has_ended && !run::is_held(&dir) {
            std::fs::remove_dir_all(&dir).map_err(|error| {
                DoorError::new(DoorCode::StateUnwritable, format!("cannot remove {id}: {error}"))
            })?;
            removed.push(id);
        }
    }
    let text = format!("{} runs removed\n", removed.len());
    Ok(render::done(context.form, &text, json!({"removed": removed})))
}

pub(crate) fn report(context: &Context, args: &ReportArgs) -> Result<ExitCode, DoorError> {
    let root = runs::project_state()?;
    let id = chosen(context, &root, args.id.as_ref())?;
    let dir = root.run_dir(&id);
    let state = recovered_state(&root, &id)?;
    let whole = control::read_report(&dir, &state)?;
    let html = dir.join("report.html");
    if args.open {
        spawn::show(&written_html(&html, &dir, &whole)?).map_err(|error| {
            DoorError::new(DoorCode::Missing, format!("nothing opens files here: {error}"))
                .detail("xdg-open")
        })?;
    }
    let text = match args.format {
        FormatArg::Md => report::markdown(&whole),
        FormatArg::Html => html_of(&dir, &whole),
        FormatArg::Junit => report::junit(&whole),
        FormatArg::Json => {
            let value = serde_json::to_value(&whole)
                .map_err(|_| DoorError::new(DoorCode::Internal, "the report cannot be written"))?;
            format!("{value}\n")
        }
    };
    let value = json!({"run": id, "format": format!("{:?}", args.format).to_lowercase(),
        "report": text, "report_html": html});
    Ok(render::done(context.form, &text, value))
}

fn html_of(dir: &std::path::Path, whole: &sidestick_model::record::Report) -> String {
    let picture = |name: &str| {
        let is_shot = name.starts_with("shots/") && !name.contains("..");
        is_shot.then(|| files::read_file(&dir.join(name), files::PART_BYTES_MAX).ok()).flatten()
    };
    report::html(whole, &picture)
}

/// Returns the HTML report of an ended run, or of one that is not, written beside it.
fn written_html(
    html: &std::path::Path,
    dir: &std::path::Path,
    whole: &sidestick_model::record::Report,
) -> Result<PathBuf, DoorError> {
    if html.exists() {
        return Ok(html.to_owned());
    }
    let path = dir.join("report-so-far.html");
    files::write_atomic(&path, html_of(dir, whole).as_bytes())
        .map_err(|error| runs::files_error(&error))?;
    Ok(path)
}

pub(crate) fn verify(context: &Context, args: &VerifyArgs) -> Result<ExitCode, DoorError> {
    let root = runs::project_state()?;
    let id = chosen(context, &root, args.id.as_ref())?;
    let dir = root.run_dir(&id);
    if !run::is_held(&dir) {
        // Whoever opens a run whose host is dead closes what it left open.
        recovered_state(&root, &id)?;
    }
    let own_key = runs::record_key_now(&runs::registry()?)?.public();
    let found =
        verify::verify(&dir, &id, Some(&own_key)).map_err(|error| control::record_error(&error))?;
    let word = if found.whole { "whole and unaltered" } else { "NOT whole" };
    let mut text = format!(
        "record of {id}: {word}\n  {} lines, {} signed, {} acts intended, {} recovered, {} files\n",
        found.lines, found.signed_lines, found.intents, found.recovered, found.files
    );
    for problem in &found.problems {
        text.push_str(&format!("  problem: {}\n", problem.replace('\n', " ")));
    }
    text.push_str(&format!(
        "  proves {}\n  does not prove {}\n",
        found.proves, found.does_not_prove
    ));
    let value = json!({"run": found.run, "whole": found.whole, "lines": found.lines,
        "signed_lines": found.signed_lines, "key": found.key, "intents": found.intents,
        "recovered": found.recovered, "files": found.files, "problems": found.problems,
        "proves": found.proves, "does_not_prove": found.does_not_prove});
    if found.whole {
        return Ok(render::done(context.form, &text, value));
    }
    match context.form {
        render::Form::Text => render::out(&text),
        render::Form::Json => {
            let mut value = value;
            if let serde_json::Value::Object(fields) = &mut value {
                fields.insert("error".into(), json!(DoorCode::RecordDamaged));
                fields.insert("message".into(), json!("the record is not whole"));
            }
            render::not_ok(value);
        }
    }
    Ok(ExitCode::from(DoorCode::RecordDamaged.exit()))
}
