//! Brake, release, stop and end: what a person may always do (I7).

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::ExitCode;
use std::task::Poll;
use std::time::Duration;

use serde_json::json;

use sidestick_evidence::{Run, RunState, StateRoot, run};
use sidestick_host::brake::{self, BrakeFile};
use sidestick_host::{Client, ClientError, Running, client};
use sidestick_model::RunId;
use sidestick_model::call::{Answer, Call, DoorCode, DoorError, EndAnswer};
use sidestick_model::record::{Report, Verdict};
use sidestick_policy::{Redacted, Redactor};

use crate::args::EndArgs;
use crate::commands::{Context, runs};
use crate::{render, spawn, wire};

/// Who is at this door: a person at a terminal, or a program.
fn by() -> String {
    let who = if std::io::stdin().is_terminal() { "a person at a terminal" } else { "an agent" };
    who.to_owned()
}

/// Time one host gets to answer; a host that hangs must not keep the others from being told.
const TELL_TIME_MAX: Duration = Duration::from_secs(5);

/// Who was told, and which living hosts could not be.
#[derive(Debug, Default)]
struct Told {
    runs: Vec<RunId>,
    untold: Vec<RunId>,
}

/// Tells every running host of this user, or the named run's alone.
async fn tell(context: &Context, call: &Call) -> Result<Told, DoorError> {
    let registry = runs::registry()?;
    let running = registry.running().map_err(|error| runs::files_error(&error))?;
    let is_meant =
        |host: &&Running| context.run.as_ref().is_none_or(|run| run == host.run.as_str());
    let meant: Vec<&Running> = running.iter().filter(is_meant).collect();
    if let (Some(run), true) = (&context.run, meant.is_empty()) {
        let run: String = run.chars().take(64).collect();
        return Err(DoorError::new(
            DoorCode::UnknownRun,
            format!("no session of run `{run}` runs"),
        ));
    }
    let mut told = Told::default();
    // All at the same time: one that hangs keeps none of the others waiting (I6).
    let asking = meant.iter().map(|host| is_told(registry.socket(&host.run), call));
    for (host, is_told) in meant.iter().zip(all(asking).await) {
        if is_told {
            told.runs.push(host.run.clone());
        } else if !spawn::is_host(host.pid) {
            // It is dead; its keeper has cleaned up after it.
            registry.leave(&host.run);
        } else if matches!(call, Call::Stop { .. }) && spawn::end_host(host.pid) {
            told.runs.push(host.run.clone());
        } else {
            told.untold.push(host.run.clone());
        }
    }
    Ok(told)
}

/// Tells one host; false when it refused or did not answer in time.
async fn is_told(socket: PathBuf, call: &Call) -> bool {
    let asked = async {
        let mut client = Client::connect(&socket, wire::test_overrides()).await?;
        client.ask(call.clone()).await
    };
    // A host that stops answers when its reports are written.
    match tokio::time::timeout(TELL_TIME_MAX + call.time_max(), asked).await {
        Ok(Ok(answer)) => !matches!(answer.get(), Answer::Refused(_)),
        Ok(Err(_)) | Err(_) => false,
    }
}

/// Waits for all of them together; what they return is in their order.
async fn all<F: Future>(futures: impl Iterator<Item = F>) -> Vec<F::Output> {
    let mut waiting: Vec<_> = futures.map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|context| {
        for (future, done) in waiting.iter_mut().filter(|(_, done)| done.is_none()) {
            if let Poll::Ready(output) = future.as_mut().poll(context) {
                *done = Some(output);
            }
        }
        let is_done = waiting.iter().all(|(_, done)| done.is_some());
        if is_done { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    waiting.into_iter().filter_map(|(_, done)| done).collect()
}

/// A person has to know which sessions go on.
fn refuse_untold(told: &Told) -> Result<(), DoorError> {
    if told.untold.is_empty() {
        return Ok(());
    }
    let mut error = DoorError::new(DoorCode::Driver, "a session did not answer and may go on");
    error.detail = told.untold.iter().map(ToString::to_string).collect();
    Err(error.hint("`sidestick stop` ends it"))
}

fn told_text(word: &str, told: &[RunId]) -> String {
    let runs: Vec<String> = told.iter().map(ToString::to_string).collect();
    match runs.as_slice() {
        [] => format!("{word}; no session is running\n"),
        runs => format!("{word} {}\n", runs.join(", ")),
    }
}

pub(crate) async fn pause(context: &Context, why: Option<&str>) -> Result<ExitCode, DoorError> {
    let brake = BrakeFile { by: by(), why: why.map(str::to_owned) };
    // Hosts are told even when the file cannot be written; either alone stops (D16).
    let written = match &context.run {
        Some(_) => Ok(()),
        None => brake::set(&runs::registry()?, &brake),
    };
    let call = Call::Pause { by: brake.by.clone(), why: brake.why.clone() };
    let told = tell(context, &call).await?;
    written.map_err(|error| runs::files_error(&error))?;
    refuse_untold(&told)?;
    let value = json!({"paused": true, "by": brake.by, "runs": told.runs});
    Ok(render::done(context.form, &told_text("paused", &told.runs), value))
}

/// Lifts the brake. Only a person's door may: at the cooperative level that is a terminal (D25).
pub(crate) async fn release(context: &Context) -> Result<ExitCode, DoorError> {
    if !std::io::stdin().is_terminal() {
        return Err(DoorError::new(DoorCode::NeedsHuman, "only a person lifts a brake")
            .hint("run `sidestick release` at a terminal"));
    }
    let lifted = match &context.run {
        Some(_) => false,
        None => brake::lift(&runs::registry()?).map_err(|error| runs::files_error(&error))?,
    };
    let told = tell(context, &Call::Release { by: by() }).await?;
    if !lifted && told.runs.is_empty() {
        return Err(DoorError::new(DoorCode::NotPaused, "no brake stands"));
    }
    let value = json!({"paused": false, "runs": told.runs});
    Ok(render::done(context.form, &told_text("released", &told.runs), value))
}

pub(crate) async fn stop(context: &Context) -> Result<ExitCode, DoorError> {
    let told = tell(context, &Call::Stop { by: by() }).await?;
    refuse_untold(&told)?;
    let value = json!({"stopped": told.runs});
    Ok(render::done(context.form, &told_text("stopped", &told.runs), value))
}

pub(crate) async fn end(context: &Context, args: &EndArgs) -> Result<ExitCode, DoorError> {
    let fail_on: Option<Vec<Verdict>> =
        args.fail_on.iter().map(|word| Verdict::parse(word)).collect();
    let fail_on = fail_on.ok_or_else(|| {
        DoorError::new(DoorCode::BadArguments, "`--fail-on` takes fail, blocked and partial")
    })?;
    let root = runs::project_state()?;
    let id = match &context.run {
        Some(run) => runs::named(&root, run)?,
        None => runs::meant(context, &root)?,
    };
    let end = end_run(&root, &id, args.keep_open).await?;
    Ok(show_end(context, end, &fail_on))
}

/// Ends a run: through its host, or on its folder alone when the host is gone.
pub(crate) async fn end_run(
    root: &StateRoot,
    id: &RunId,
    keep_open: bool,
) -> Result<Redacted<EndAnswer>, DoorError> {
    let socket = runs::registry()?.socket(id);
    let mut client = match Client::connect(&socket, wire::test_overrides()).await {
        Ok(client) => client,
        Err(error @ ClientError::Silent) => return Err(client::door_error(error)),
        Err(_) => return end_offline(root, id).map(Redacted::from_record),
    };
    match client.ask(Call::End { keep_open }).await.map_err(client::door_error)?.into_inner() {
        Answer::End(end) => Ok(Redacted::from_record(*end)),
        Answer::Refused(error) => Err(error),
        _ => Err(DoorError::new(DoorCode::Internal, "another answer than an end")),
    }
}

/// Ends a run whose host is gone: closes what is open in its record and writes its reports.
fn end_offline(root: &StateRoot, id: &RunId) -> Result<EndAnswer, DoorError> {
    let dir = root.run_dir(id);
    let known = run::read_state(&dir, id).map_err(|error| record_error(&error))?;
    if known.head.ended.is_some() && run::is_sealed(&dir) {
        let report = read_report(&dir, &known)?;
        return Ok(end_answer(&dir, report, known.cleanup_failed));
    }
    let registry = runs::registry()?;
    let key = runs::record_key_now(&registry)?;
    let now = wire::clock().now();
    let mut record = Run::recover(root, id, key, now).map_err(|error| record_error(&error))?;
    let noted = record.note_overrides(&wire::test_overrides(), now, &Redactor::default());
    noted.map_err(|error| record_error(&error))?;
    // What the record holds was redacted when it was written.
    let report = record.finish(now, &Redactor::default()).map_err(|error| record_error(&error))?;
    registry.leave(id);
    Ok(end_answer(&dir, report, record.state.cleanup_failed))
}

/// Reads the report that was written, or builds it anew from the record.
pub(crate) fn read_report(dir: &std::path::Path, state: &RunState) -> Result<Report, DoorError> {
    run::read_report(dir, state).map_err(|error| record_error(&error))
}

/// Turns a failure of a run's record into a door's answer.
pub(crate) fn record_error(error: &sidestick_evidence::RunError) -> DoorError {
    let code = match error.code() {
        "unsafe_state_path" => DoorCode::UnsafeStatePath,
        "busy" => DoorCode::Busy,
        "record_damaged" => DoorCode::RecordDamaged,
        _ => DoorCode::StateUnwritable,
    };
    DoorError::new(code, error.to_string())
}

fn end_answer(dir: &std::path::Path, report: Report, cleanup_failed: bool) -> EndAnswer {
    let path = |name: &str| dir.join(name).display().to_string();
    EndAnswer {
        report,
        report_json: path("report.json"),
        report_md: path("report.md"),
        report_html: path("report.html"),
        cleanup_failed,
    }
}

/// Prints an end; its exit code says whether cleaning up worked and the verdicts are wanted.
pub(crate) fn show_end(
    context: &Context,
    end: Redacted<EndAnswer>,
    fail_on: &[Verdict],
) -> ExitCode {
    let failed = {
        let goals = &end.get().report.goals;
        goals.iter().any(|goal| fail_on.contains(&goal.status))
    };
    let cleanup_failed = end.get().cleanup_failed;
    let shown = Redacted::from_record(Answer::End(Box::new(end.into_inner())));
    let printed = render::answer(context.form, &shown);
    match (cleanup_failed, failed) {
        (true, _) => ExitCode::from(DoorCode::CleanupFailed.exit()),
        (false, true) => ExitCode::from(DoorCode::GoalsNotMet.exit()),
        (false, false) => printed,
    }
}
