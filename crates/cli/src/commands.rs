//! One module per kind of verb, and the way from the command line to them.

mod actions;
mod begin;
mod control;
mod doctor;
mod form;
mod host;
mod lookback;
mod policy;
mod reference;
mod runs;
mod script;
mod talk;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use sidestick_model::call::{DoorCode, DoorError};

use crate::args::{Cli, Verb};
use crate::config::{self, Config};
use crate::render::{self, Form};
use crate::{keeper, wire};

/// What every verb is given.
#[derive(Debug)]
pub(crate) struct Context {
    /// How answers are printed.
    pub(crate) form: Form,
    /// The run that was named.
    pub(crate) run: Option<String>,
    /// The project's settings.
    pub(crate) config: Config,
}

/// Reads the command line and does what it says.
pub(crate) fn main() -> ExitCode {
    // Whatever this process makes is private, its children's files included (VR-014).
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    let wants_json = std::env::args_os().any(|argument| argument == "--json")
        || wire::variable("SIDESTICK_JSON").is_some_and(|value| value == "1");
    let form = if wants_json { Form::Json } else { Form::Text };
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return unparsed(form, &error),
    };
    match &cli.verb {
        Verb::Host => return host::main(),
        Verb::Keeper => return keeper::run(),
        Verb::Reference => return reference::print(),
        Verb::Completions { shell } => return completions(*shell),
        _ => {}
    }
    match run(form, cli) {
        Ok(code) => code,
        Err(error) => render::failed(form, &error),
    }
}

/// Help and version are answers; anything else clap refuses is a usage error with one JSON object.
fn unparsed(form: Form, error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind;
    let is_answer = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if is_answer {
        render::out(&error.to_string());
        return ExitCode::SUCCESS;
    }
    if form == Form::Text {
        render::err(&error.to_string());
        return ExitCode::from(DoorCode::BadArguments.exit());
    }
    // What is wrong ends where the usage begins; what is missing stands in lines of its own.
    let text = error.to_string();
    let lines = text.lines().map(str::trim).take_while(|line| !line.is_empty());
    let message = lines.collect::<Vec<_>>().join(" ").trim_start_matches("error: ").to_owned();
    let error = DoorError::new(DoorCode::BadArguments, message).hint("`sidestick --help`");
    render::failed(form, &error)
}

fn completions(shell: clap_complete::Shell) -> ExitCode {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sidestick", &mut script);
    render::out(&String::from_utf8_lossy(&script));
    ExitCode::SUCCESS
}

fn run(form: Form, cli: Cli) -> Result<ExitCode, DoorError> {
    // A misspelled guard would be left standing, and a test of its absence would prove nothing.
    wire::seams()?;
    // A brake and a stop are for every session unless the command line itself names one.
    let is_for_all = matches!(cli.verb, Verb::Stop | Verb::Pause(_) | Verb::Release);
    let run = cli.run.or_else(|| wire::variable("SIDESTICK_RUN").filter(|_| !is_for_all));
    // A person's stop and pause never wait for a settings file that can be read (I7).
    let config = match &cli.verb {
        Verb::Stop | Verb::Pause(_) | Verb::Release | Verb::End(_) | Verb::Status => {
            config::load(cli.config.as_deref()).unwrap_or_default()
        }
        _ => config::load(cli.config.as_deref())?,
    };
    let context = Context { form, run, config };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime
        .map_err(|error| DoorError::new(DoorCode::Internal, format!("no runtime: {error}")))?;
    runtime.block_on(dispatch(&context, cli.verb))
}

async fn dispatch(context: &Context, verb: Verb) -> Result<ExitCode, DoorError> {
    match verb {
        Verb::Doctor(args) => doctor::run(context, &args),
        Verb::Begin(args) => begin::run(context, &args).await,
        Verb::Goal(args) => talk::goal(context, &args).await,
        Verb::Observe(args) => talk::observe(context, &args).await,
        Verb::Find(args) => talk::find(context, &args).await,
        Verb::Text(args) => talk::text(context, &args).await,
        Verb::Screenshot(args) => talk::screenshot(context, &args).await,
        Verb::FillForm(args) => form::run(context, &args).await,
        Verb::Zoom(args) => talk::zoom(context, &args).await,
        Verb::Changes(args) => talk::changes(context, &args).await,
        Verb::Wait(args) => talk::wait(context, &args).await,
        Verb::Note(args) => talk::note(context, &args).await,
        Verb::Verdict(args) => talk::verdict(context, &args).await,
        Verb::RunFile(args) => script::run_file(context, &args).await,
        Verb::Demo(args) => script::demo(context, &args).await,
        Verb::Pause(args) => control::pause(context, args.why.as_deref()).await,
        Verb::Stop => control::stop(context).await,
        Verb::Release => control::release(context).await,
        Verb::End(args) => control::end(context, &args).await,
        Verb::Status => lookback::status(context).await,
        Verb::Runs(args) => lookback::runs(context, &args.what),
        Verb::Report(args) => lookback::report(context, &args),
        Verb::Verify(args) => lookback::verify(context, &args),
        Verb::Policy(args) => policy::run(context, &args),
        verb => match actions::ask_of(verb)? {
            actions::Wanted::Act(ask) => talk::act(context, *ask).await,
            actions::Wanted::Tabs => talk::tabs(context).await,
        },
    }
}
