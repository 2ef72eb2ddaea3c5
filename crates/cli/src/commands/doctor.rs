//! `doctor`: what is installed, what is missing, how to get it, which settings hold. It changes
//! nothing (VR-043).

use std::process::ExitCode;

use serde_json::json;

use sidestick_model::call::{DoorCode, DoorError};

use crate::args::{DoctorArgs, SurfaceArg};
use crate::commands::{Context, begin};
use crate::{render, spawn, wire};

pub(crate) fn run(context: &Context, args: &DoctorArgs) -> Result<ExitCode, DoorError> {
    let config = &context.config;
    let mut lines = vec![format!("sidestick {}", env!("CARGO_PKG_VERSION"))];
    let mut missing: Vec<String> = Vec::new();
    let wanted = args.surface.unwrap_or(SurfaceArg::Web);
    let browser = begin::browser(&args.browser, config);
    let version = browser.as_ref().ok().and_then(|path| spawn::browser_version(path));
    let sandbox = begin::sandbox(&args.browser, config);
    match (&browser, &version) {
        (Ok(path), Some(version)) => {
            lines.push(format!("browser  {version} at {}", path.display()));
        }
        (Ok(path), None) => {
            lines.push(format!("browser  {} does not tell its version", path.display()));
            missing.push("chromium (unreadable version)".to_owned());
        }
        (Err(error), _) => {
            lines.push(format!("browser  {}", error.message));
            lines.extend(error.hint.iter().map(|hint| format!("         {hint}")));
            missing.push("chromium".to_owned());
        }
    }
    let (sandbox_word, sandbox_works) = sandbox_state(sandbox);
    lines.push(format!("sandbox  {sandbox_word}"));
    if !sandbox_works {
        missing.push("a user other than root for the browser's sandbox, or `--no-sandbox`".into());
    }
    if wanted != SurfaceArg::Web {
        begin::web_only(wanted).err().into_iter().for_each(|error| {
            lines.push(format!("surface  {}", error.message));
            missing.extend(error.detail);
        });
    }
    lines.extend(places());
    lines.extend(settings(context));
    let ready = missing.is_empty();
    if ready {
        lines.push("ready    yes".to_owned());
    } else {
        lines.push("ready    no; missing:".to_owned());
        lines.extend(missing.iter().map(|what| format!("         {what}")));
    }
    let text = format!("{}\n", lines.join("\n"));
    let value = json!({
        "surfaces": {"web": {"ready": ready,
            "tools": [{"name": "chromium", "path": browser.ok(), "version": version}],
            "sandbox": sandbox, "missing": missing}},
        "missing": missing,
        "config": config.file,
        "state_root": wire::state_root(), "user_root": wire::user_root(),
    });
    if ready {
        return Ok(render::done(context.form, &text, value));
    }
    match context.form {
        render::Form::Text => render::out(&text),
        render::Form::Json => render::not_ok(value),
    }
    Ok(ExitCode::from(DoorCode::Missing.exit()))
}

/// Says whether the browser's sandbox is on and can be.
fn sandbox_state(on: bool) -> (String, bool) {
    if !on {
        return ("OFF by flag or setting: a renderer exploit has this user's rights".into(), true);
    }
    if rustix::process::geteuid().is_root() {
        return ("on, but Chromium refuses it for root; see `--no-sandbox`".into(), false);
    }
    let namespaces = std::fs::read_to_string("/proc/sys/user/max_user_namespaces");
    match namespaces.ok().and_then(|text| text.trim().parse::<u64>().ok()) {
        Some(0) => ("on, but this kernel has no user namespaces; see `--no-sandbox`".into(), false),
        Some(_) | None => ("on".to_owned(), true),
    }
}

fn places() -> Vec<String> {
    let show = |path: Option<std::path::PathBuf>| {
        path.map_or_else(|| "none".to_owned(), |path| path.display().to_string())
    };
    vec![
        format!("runs     {}", show(wire::state_root())),
        format!("user     {}", show(wire::user_root())),
    ]
}

fn settings(context: &Context) -> Vec<String> {
    let config = &context.config;
    let file = config.file.as_ref();
    let mut lines = vec![match file {
        Some(file) => format!("settings {}", file.display()),
        None => "settings none (`sidestick.toml` in the project)".to_owned(),
    }];
    let mut add = |name: &str, value: Option<String>| {
        lines.extend(value.map(|value| format!("         {name} = {value}")));
    };
    add("owner", config.owner.map(|owner| owner.as_str().to_owned()));
    add("browser", config.browser.as_ref().map(|path| path.display().to_string()));
    add("sandbox", config.sandbox.map(|on| on.to_string()));
    let variable = wire::variable("SIDESTICK_POLICY").map(std::path::PathBuf::from);
    let policy = variable.or_else(|| config.policy.clone());
    add("policy", policy.map(|path| path.display().to_string()));
    add("allow", (!config.allow.is_empty()).then(|| config.allow.join(", ")));
    add("budget.run", config.budget.run.map(|actions| actions.to_string()));
    add("budget.goal", config.budget.goal.map(|actions| actions.to_string()));
    let source = &config.credentials;
    add("credentials.env", source.env.clone());
    add("credentials.file", source.file.as_ref().map(|path| path.display().to_string()));
    lines
}
