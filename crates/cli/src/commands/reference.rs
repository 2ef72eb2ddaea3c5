//! The reference pages, from the same tables as the program itself.

use std::fmt::Write;
use std::process::ExitCode;

use clap::CommandFactory;
use serde_json::{Map, Value};

use sidestick_model::ActionKind;
use sidestick_model::call::DoorCode;
use sidestick_model::outcome::{Code, Status};

use crate::args::Cli;
use crate::render;

/// Prints every page as one JSON object: file name to text.
pub(crate) fn print() -> ExitCode {
    let mut pages = Map::new();
    pages.insert("cli.md".into(), Value::String(command_line()));
    pages.insert("outcomes.md".into(), Value::String(outcomes()));
    pages.insert("errors.md".into(), Value::String(errors()));
    pages.insert("policy.md".into(), Value::String(sidestick_policy::language::page()));
    let schema = format!("{:#}\n", sidestick_policy::language::schema());
    pages.insert("policy.schema.json".into(), Value::String(schema));
    pages.insert("outline.md".into(), Value::String(include_str!("outline.md").to_owned()));
    render::out(&format!("{}\n", Value::Object(pages)));
    ExitCode::SUCCESS
}

fn command_line() -> String {
    let mut text = "# Command line\n\nGenerated from the program; do not edit.\n".to_owned();
    let command = Cli::command();
    for verb in command.get_subcommands().filter(|verb| !verb.is_hide_set()) {
        let mut verb = verb.clone().bin_name(format!("sidestick {}", verb.get_name()));
        let help = verb.render_long_help().to_string();
        let help: Vec<&str> = help.lines().map(str::trim_end).collect();
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n## {}\n\n```text\n{}\n```\n",
            verb.get_name(),
            help.join("\n").trim_end()
        );
    }
    text
}

fn outcomes() -> String {
    let mut text =
        "# Statuses and codes of an outcome\n\nGenerated from the program; do not edit.\n\n\
        | status | dispatched | what to do |\n| --- | --- | --- |\n"
            .to_owned();
    for status in Status::ALL {
        let dispatched = match status.dispatched() {
            Some(true) => "yes",
            Some(false) => "no",
            None => "see `fate`",
        };
        let hint = render::hint_for(*status).unwrap_or("read the message");
        let _ = writeln!(text, "| `{status}` | {dispatched} | {} |", hint.replace('|', "\\|"));
    }
    text.push_str("\nCodes, under whichever status they occur:\n\n");
    for code in Code::ALL {
        let _ = writeln!(text, "- `{code}`");
    }
    text.push_str("\nActions:\n\n");
    for kind in ActionKind::ALL {
        let _ = writeln!(text, "- `{}`", kind.as_str());
    }
    text
}

fn errors() -> String {
    let mut text = "# Errors and exit codes\n\nGenerated from the program; do not edit.\n\n\
        An action verb that reached the gate exits 0 whatever its status.\n\n\
        | code | exit |\n| --- | --- |\n"
        .to_owned();
    for code in DoorCode::ALL {
        let _ = writeln!(text, "| `{}` | {} |", code.as_str(), code.exit());
    }
    text
}
