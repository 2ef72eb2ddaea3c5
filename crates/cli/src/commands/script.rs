//! `run FILE` and `demo`: a script carried out by the one step driver, and what came of it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use sidestick_agent::HttpWitness;
use sidestick_capability::{GoalEnd, Progress, ScriptEnd, drive, script};
use sidestick_evidence::{StateRoot, files, run};
use sidestick_gate::outline::quote;
use sidestick_model::call::{BegunAnswer, DoorCode, DoorError, EndAnswer};
use sidestick_model::record::{Owner, SurfaceKind};
use sidestick_model::step::Script;
use sidestick_model::{Actor, limits};
use sidestick_policy::{Credentials, Redacted, Secret};

use crate::args::{BrowserArgs, DemoArgs, OwnerArg, PolicyFileArg, RunFileArgs};
use crate::commands::begin::{self, Beginning};
use crate::commands::policy::{self, Named};
use crate::commands::{Context, control, runs};
use crate::demo_app::{self, DemoApp, DemoAppError, DemoOptions, Flip};
use crate::render::{self, Form};
use crate::wire;

const DEMO_SCRIPT: &str = include_str!("../demo/goals.yaml");

/// What a script came to, with the run it was carried out in.
struct Carried {
    end: ScriptEnd,
    ended: Redacted<EndAnswer>,
    took: Duration,
}

pub(crate) async fn run_file(context: &Context, args: &RunFileArgs) -> Result<ExitCode, DoorError> {
    let bytes = files::read_file(&args.file, limits::FILE_BYTES_MAX)
        .map_err(|error| DoorError::new(DoorCode::BadScript, error.to_string()))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| DoorError::new(DoorCode::BadScript, "the script is not UTF-8"))?;
    let script = read(&text)?;
    let named = policy::named(&args.policy, &context.config)?;
    let of_script = script.owner.map(|owner| match owner {
        Owner::Yours => OwnerArg::Yours,
        Owner::ThirdParty => OwnerArg::ThirdParty,
    });
    let owner = begin::owner(args.owner.or(of_script), &context.config, named.as_ref())?;
    let credentials = begin::credentials(&args.credentials, &context.config)?;
    let carried = carry_out(context, &script, owner, credentials, &args.browser, named).await?;
    Ok(show(context, "run", &carried, None))
}

fn read(text: &str) -> Result<Script, DoorError> {
    let script = script::read(text)
        .map_err(|error| DoorError::new(DoorCode::BadScript, error.to_string()))?;
    match script.surface {
        Some(SurfaceKind::Electron | SurfaceKind::Desktop) => {
            Err(DoorError::new(DoorCode::Missing, "this version has the web surface alone")
                .detail("surface"))
        }
        Some(SurfaceKind::Web) | None => Ok(script),
    }
}

/// Begins a run, carries the script out, ends the run. The run is ended whatever comes of it.
async fn carry_out(
    context: &Context,
    script: &Script,
    owner: Owner,
    credentials: Option<Credentials>,
    browser: &BrowserArgs,
    named: Option<Named>,
) -> Result<Carried, DoorError> {
    let started = Instant::now();
    let config = &context.config;
    let mut allow = config.allow.clone();
    allow.extend(script.allow.iter().cloned());
    let policy = named.as_ref().map(|named| &named.policy);
    let boundary = begin::boundary(&script.target, &allow, policy)?;
    let (run_actions, goal_actions) = begin::budget(config, None, None, named.as_ref())?;
    let upload_roots = begin::upload_roots(&[], named.as_ref())?;
    let pages_max = begin::pages_max(limits::PAGES_MAX, named.as_ref())?;
    let values = begin::values(named.as_ref()).await?;
    let begun = begin::start(Beginning {
        target: script.target.clone(),
        owner,
        attended: script.attended.unwrap_or(false),
        request: None,
        goals: Vec::new(),
        run_actions,
        goal_actions,
        allow,
        expect_failures: begin::patterns(&script.expect_failures)?,
        emulation: begin::checked(script.emulation.clone().unwrap_or_default())?,
        upload_roots,
        pages_max,
        credentials,
        policy: named,
        values,
        executable: begin::browser(browser, config)?,
        sandbox: begin::sandbox(browser, config),
        holder: Actor::Replay,
    })
    .await?;
    let witness = HttpWitness::new(boundary, wire::clock(), run::written);
    let root = runs::project_state()?;
    let driven = drive_run(context, &root, &begun, script, &witness).await;
    let ended = control::end_run(&root, &begun.run, false).await;
    let (end, ended) = (driven?, ended?);
    Ok(Carried { end, ended, took: started.elapsed() })
}

async fn drive_run(
    context: &Context,
    root: &StateRoot,
    begun: &BegunAnswer,
    script: &Script,
    witness: &HttpWitness,
) -> Result<ScriptEnd, DoorError> {
    let client = runs::connect_to(root, &begun.run).await?;
    let mut show = |progress: Progress<'_>| {
        if context.form == Form::Text {
            render::out(&progress_text(&progress));
        }
    };
    Ok(client.with_door(async |door| drive(&door, script, witness, &mut show).await).await)
}

fn progress_text(progress: &Progress<'_>) -> String {
    match progress {
        Progress::Goal { id, title } => format!("\n{id}: {}\n", plain(title)),
        Progress::Step { words, as_said } => {
            let mark = if *as_said { "  ." } else { "  !" };
            format!("{mark} {}\n", plain(words))
        }
        Progress::End(_) => String::new(),
    }
}

/// One line, nothing a terminal would obey.
fn plain(text: &str) -> String {
    quote(text).trim_matches('"').replace("\\\"", "\"").replace("\\\\", "\\")
}

/// Prints the table and where the report is; the exit code says whether all is as demanded.
fn show(context: &Context, word: &str, carried: &Carried, bars: Option<&Path>) -> ExitCode {
    let end = &carried.end;
    let met = end.goals.iter().filter(|goal| goal.is_as_demanded()).count();
    let all = end.is_as_demanded();
    let seconds = carried.took.as_secs_f64();
    let report = &carried.ended.get().report_html;
    let value = json!({
        "run": carried.ended.get().report.run.run_id, "as_demanded": all, "goals_met": met,
        "goals": end.goals.iter().map(goal_value).collect::<Vec<_>>(),
        "problems": end.problems, "seconds": seconds, "report_html": report,
        "cleanup_failed": carried.ended.get().cleanup_failed,
    });
    if let Some(path) = bars {
        let mut text = value.clone();
        if let Value::Object(fields) = &mut text {
            fields.insert("passed".into(), json!(all));
        }
        if let Err(error) = std::fs::write(path, format!("{text:#}\n")) {
            render::err(&format!("the counts were not written: {error}\n"));
        }
    }
    match context.form {
        Form::Text => render::out(&table(word, carried, met)),
        Form::Json if all => drop(render::done(Form::Json, "", value)),
        Form::Json => render::not_ok(value),
    }
    ExitCode::from(exit_code(end))
}

fn exit_code(end: &ScriptEnd) -> u8 {
    match (end.is_as_demanded(), end.needs_human, end.was_refused) {
        (true, _, _) => 0,
        (false, true, _) => DoorCode::NeedsHuman.exit(),
        (false, false, true) => DoorCode::Refused.exit(),
        (false, false, false) => DoorCode::GoalsNotMet.exit(),
    }
}

fn goal_value(goal: &GoalEnd) -> Value {
    json!({"id": goal.id, "demands": goal.demands, "verdict": goal.verdict,
        "as_demanded": goal.is_as_demanded(), "record": goal.record, "problems": goal.problems})
}

fn table(word: &str, carried: &Carried, met: usize) -> String {
    let end = &carried.end;
    let report = &carried.ended.get().report;
    let mut text = format!("\n{:12} {:9} {:9} {}\n", "goal", "demanded", "ended", "");
    for goal in &end.goals {
        let mark = if goal.is_as_demanded() { "as demanded" } else { "NOT AS DEMANDED" };
        let (demands, verdict) = (goal.demands.as_str(), goal.verdict.as_str());
        text.push_str(&format!("{:12} {demands:9} {verdict:9} {mark}\n", goal.id));
        for problem in &goal.problems {
            text.push_str(&format!("             {}\n", plain(problem)));
        }
    }
    for problem in &end.problems {
        text.push_str(&format!("run          {}\n", plain(problem)));
    }
    let verdict = if end.is_as_demanded() { "as the truth demands" } else { "NOT as demanded" };
    text.push_str(&format!(
        "\n{word}: {met} of {} goals {verdict}; {} acts, {} findings, {} gates in {:.1} s\nreport: {}\n",
        end.goals.len(),
        report.acts.len(),
        report.findings.len(),
        report.gates.len(),
        carried.took.as_secs_f64(),
        carried.ended.get().report_html
    ));
    text
}

pub(crate) async fn demo(context: &Context, args: &DemoArgs) -> Result<ExitCode, DoorError> {
    let flips: Result<BTreeSet<Flip>, DoorError> =
        args.flip.iter().map(|name| flip(name)).collect();
    let options = DemoOptions { port: args.port, flips: flips? };
    let app = demo_app::serve(options).await.map_err(|error| app_error(&error))?;
    if args.serve {
        return serve_only(context, app).await;
    }
    let text = DEMO_SCRIPT.replace("${origin}", &app.origin());
    let script = read(&text)?;
    if context.form == Form::Text {
        render::out(&format!(
            "The demo application is served at {}; its planted bugs are the truth.\n",
            app.origin()
        ));
    }
    let credentials = Credentials {
        username: Secret::new(demo_app::USERNAME),
        password: Secret::new(demo_app::PASSWORD),
    };
    // A policy of the project holds for the demo too: nothing is a way around it.
    let named = policy::named(&PolicyFileArg::default(), &context.config)?;
    let owner = begin::owner(Some(OwnerArg::Yours), &context.config, named.as_ref())?;
    let carried = carry_out(context, &script, owner, Some(credentials), &args.browser, named).await;
    app.close().await;
    Ok(show(context, "demo", &carried?, args.bars.as_deref()))
}

fn flip(name: &str) -> Result<Flip, DoorError> {
    Flip::parse(name).ok_or_else(|| {
        let names: Vec<&str> = Flip::ALL.iter().map(|flip| flip.name()).collect();
        DoorError::new(DoorCode::BadArguments, format!("a flip is one of {}", names.join(", ")))
    })
}

fn app_error(error: &DemoAppError) -> DoorError {
    let code = match error.code() {
        "port_in_use" => DoorCode::PortInUse,
        _ => DoorCode::Driver,
    };
    DoorError::new(code, error.to_string()).hint("`--port 0` takes a free one")
}

/// Serves the application for whoever drives it by hand, until interrupted.
async fn serve_only(context: &Context, app: DemoApp) -> Result<ExitCode, DoorError> {
    let origin = app.origin();
    let text = format!("serving {origin} until Ctrl-C\nlogin: tester, see the README\n");
    let code = render::done(context.form, &text, json!({"origin": origin}));
    let _ = tokio::signal::ctrl_c().await;
    if context.form == Form::Text {
        render::out(&format!("what really arrived: {}\n", app.record().to_json()));
    }
    app.close().await;
    Ok(code)
}
