//! `begin`: everything that can be refused is refused before anything is started (VR-049).

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Deserialize;

use sidestick_evidence::{StateRoot, files};
use sidestick_host::protocol::{HostSaid, HostStart};
use sidestick_model::call::{BeginAsk, BegunAnswer, DoorCode, DoorError};
use sidestick_model::emulation::Emulation;
use sidestick_model::record::Owner;
use sidestick_model::{Actor, GoalId, limits};
use sidestick_policy::boundary::BoundaryError;
use sidestick_policy::{Boundary, Credentials, Policy};

use crate::args::{BeginArgs, BrowserArgs, CredentialArgs, EmulationArgs, OwnerArg, SurfaceArg};
use crate::commands::policy::{self, Named, Values};
use crate::commands::{Context, runs, talk};
use crate::config::{self, Config};
use crate::{render, spawn, wire};

/// What a run begins with, checked.
#[derive(Debug)]
pub(crate) struct Beginning {
    pub(crate) target: String,
    pub(crate) owner: Owner,
    pub(crate) attended: bool,
    pub(crate) request: Option<String>,
    pub(crate) goals: Vec<(GoalId, String)>,
    pub(crate) run_actions: u32,
    pub(crate) goal_actions: u32,
    pub(crate) allow: Vec<String>,
    pub(crate) expect_failures: Vec<String>,
    pub(crate) emulation: Emulation,
    pub(crate) upload_roots: Vec<String>,
    pub(crate) pages_max: usize,
    pub(crate) credentials: Option<Credentials>,
    pub(crate) policy: Option<Named>,
    pub(crate) values: Values,
    pub(crate) executable: PathBuf,
    pub(crate) sandbox: bool,
    pub(crate) holder: Actor,
}

pub(crate) async fn run(context: &Context, args: &BeginArgs) -> Result<ExitCode, DoorError> {
    let beginning = check(context, args).await?;
    let begun = start(beginning).await?;
    let text = render::begun_text(&begun);
    let value = serde_json::to_value(&begun)
        .map_err(|_| DoorError::new(DoorCode::Internal, "the answer cannot be written"))?;
    Ok(render::done(context.form, &text, value))
}

async fn check(context: &Context, args: &BeginArgs) -> Result<Beginning, DoorError> {
    let config = &context.config;
    web_only(args.surface)?;
    let named = policy::named(&args.policy, config)?;
    let owner = owner(args.owner, config, named.as_ref())?;
    let mut allow = config.allow.clone();
    allow.extend(args.allow.iter().cloned());
    boundary(&args.target, &allow, named.as_ref().map(|named| &named.policy))?;
    let (run_actions, goal_actions) =
        budget(config, args.budget_run, args.budget_goal, named.as_ref())?;
    let goals = match &args.goals_file {
        Some(path) => goals_file(path)?,
        None => Vec::new(),
    };
    let request = if args.request_stdin { Some(talk::stdin_text()?) } else { None };
    let executable = browser(&args.browser, config)?;
    let credentials = config::credentials(&args.credentials, config)?;
    let upload_roots = upload_roots(&args.upload_roots, named.as_ref())?;
    let pages_max = pages_max(args.max_pages, named.as_ref())?;
    let values = values(named.as_ref()).await?;
    Ok(Beginning {
        target: args.target.clone(),
        owner,
        attended: args.attended,
        request,
        goals,
        run_actions,
        goal_actions,
        allow,
        expect_failures: patterns(&args.expect_failure)?,
        emulation: emulation(&args.emulation)?,
        upload_roots,
        pages_max,
        credentials,
        policy: named,
        values,
        executable,
        sandbox: sandbox(&args.browser, config),
        holder: Actor::Agent,
    })
}

/// Refuses surfaces this program does not have.
pub(crate) fn web_only(surface: SurfaceArg) -> Result<(), DoorError> {
    let name = match surface {
        SurfaceArg::Web => return Ok(()),
        SurfaceArg::Electron => "electron",
        SurfaceArg::Desktop => "desktop",
    };
    Err(DoorError::new(DoorCode::Missing, format!("this version has no {name} surface"))
        .detail(format!("surface {name}")))
}

/// What the pages are to be told, checked.
fn emulation(args: &EmulationArgs) -> Result<Emulation, DoorError> {
    let plain = Emulation::default();
    let bad = |why: String| DoorError::new(DoorCode::BadArguments, why);
    let viewport = match args.viewport.as_deref() {
        Some(text) => Emulation::parse_viewport(text)
            .ok_or_else(|| bad("a viewport is written `390x844`".to_owned()))?,
        None => plain.viewport,
    };
    checked(Emulation {
        viewport,
        scale: args.device_scale.unwrap_or(plain.scale),
        dark: args.dark,
        reduced_motion: args.reduced_motion,
        locale: args.locale.clone(),
        timezone: args.timezone.clone(),
        offline: args.offline,
    })
}

pub(crate) fn checked(emulation: Emulation) -> Result<Emulation, DoorError> {
    match emulation.problem() {
        Some(why) => Err(DoorError::new(DoorCode::BadArguments, why)),
        None => Ok(emulation),
    }
}

/// The patterns of failures that are expected, checked.
pub(crate) fn patterns(patterns: &[String]) -> Result<Vec<String>, DoorError> {
    let is_good = |text: &&String| {
        !text.trim_matches(['*', ' ']).is_empty() && text.len() <= limits::PAGE_TEXT_MAX
    };
    let are_few = patterns.len() <= limits::EXPECTED_FAILURES_MAX;
    if are_few && patterns.iter().filter(is_good).count() == patterns.len() {
        return Ok(patterns.to_vec());
    }
    let why = format!(
        "at most {} patterns of expected failures, each with some words",
        limits::EXPECTED_FAILURES_MAX
    );
    Err(DoorError::new(DoorCode::BadArguments, why))
}

/// Reads the values a policy names.
pub(crate) async fn values(named: Option<&Named>) -> Result<Values, DoorError> {
    match named {
        Some(named) => named.values().await,
        None => Ok(Values::default()),
    }
}

/// Whose application it is; it has to be said somewhere.
pub(crate) fn owner(
    said: Option<OwnerArg>,
    config: &Config,
    named: Option<&Named>,
) -> Result<Owner, DoorError> {
    let said = match said {
        Some(OwnerArg::Yours) => Some(Owner::Yours),
        Some(OwnerArg::ThirdParty) => Some(Owner::ThirdParty),
        None => config.owner,
    };
    let owner = match named {
        Some(named) => named.owner(said)?,
        None => said,
    };
    match owner {
        Some(owner) => Ok(owner),
        None => Err(DoorError::new(DoorCode::BadArguments, "nobody said whose application it is")
            .hint("`--owner yours` for a local or disposable one, else `--owner third-party`")),
    }
}

/// The boundary of a run, which its target has to have.
pub(crate) fn boundary(
    target: &str,
    allow: &[String],
    policy: Option<&Policy>,
) -> Result<Boundary, DoorError> {
    let boundary = match policy {
        Some(policy) => Boundary::of(policy, target, allow),
        None => Boundary::around(target, allow),
    };
    boundary.map_err(|error| {
        let code = match error {
            BoundaryError::NoAddress { .. } => DoorCode::BadTargetUrl,
            BoundaryError::Outside { .. } => DoorCode::OutsidePolicy,
        };
        DoorError::new(code, error.to_string())
    })
}

/// The folders uploads may come from: the asked ones, else those of the policy, else the project.
pub(crate) fn upload_roots(
    asked: &[PathBuf],
    named: Option<&Named>,
) -> Result<Vec<String>, DoorError> {
    let project = wire::project();
    let of_policy = named.map(|named| named.upload_roots(asked)).transpose()?.flatten();
    let roots = match &of_policy {
        Some(roots) => roots.as_slice(),
        None if asked.is_empty() => project.as_slice(),
        None => asked,
    };
    let whole = |root: &PathBuf| {
        let found = root.canonicalize().ok().filter(|root| root.is_dir());
        let text = found.and_then(|root| root.to_str().map(str::to_owned));
        let why = format!("`{}` is not a folder that uploads can come from", root.display());
        text.ok_or_else(|| DoorError::new(DoorCode::BadArguments, why))
    };
    roots.iter().map(whole).collect()
}

pub(crate) fn pages_max(asked: usize, named: Option<&Named>) -> Result<usize, DoorError> {
    if (1..=limits::PAGES_ASKED_MAX).contains(&asked) {
        let cap = named.and_then(|named| named.policy.caps.pages);
        let asked = Some(asked).filter(|asked| *asked != limits::PAGES_MAX);
        return Named::capped("`--max-pages`", cap, asked, limits::PAGES_MAX);
    }
    let why = format!("`--max-pages` is 1 to {}", limits::PAGES_ASKED_MAX);
    Err(DoorError::new(DoorCode::BadArguments, why))
}

pub(crate) fn budget(
    config: &Config,
    run: Option<u32>,
    goal: Option<u32>,
    named: Option<&Named>,
) -> Result<(u32, u32), DoorError> {
    let caps = named.map(|named| named.policy.caps.clone()).unwrap_or_default();
    let default = config.budget.run.unwrap_or(limits::RUN_ACTIONS);
    let run = Named::capped("the budget of the run", caps.actions, run, default)?;
    let default = config.budget.goal.unwrap_or(limits::GOAL_ACTIONS);
    let goal = Named::capped("the budget of a goal", caps.goal_actions, goal, default)?;
    let is_good = |actions: u32| (1..=limits::RUN_ACTIONS_MAX).contains(&actions);
    if is_good(run) && is_good(goal) {
        return Ok((run, goal));
    }
    let why = format!("a budget is 1 to {} actions", limits::RUN_ACTIONS_MAX);
    Err(DoorError::new(DoorCode::BadBudget, why))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GoalLine {
    id: String,
    title: String,
}

/// Reads a goals file (VR-051).
fn goals_file(path: &Path) -> Result<Vec<(GoalId, String)>, DoorError> {
    let bad = |why: String| {
        DoorError::new(DoorCode::BadGoalsFile, format!("`{}`: {why}", path.display()))
    };
    let bytes =
        files::read_file(path, limits::FILE_BYTES_MAX).map_err(|error| bad(error.to_string()))?;
    let lines: Vec<GoalLine> =
        serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string()))?;
    if limits::GOALS_MAX < lines.len() {
        let why = format!("`{}` has {} goals", path.display(), lines.len());
        return Err(DoorError::new(DoorCode::TooManyGoals, why));
    }
    let mut goals: Vec<(GoalId, String)> = Vec::new();
    for line in lines {
        let id = GoalId::parse(&line.id)
            .map_err(|error| DoorError::new(DoorCode::BadGoalId, error.to_string()))?;
        if goals.iter().any(|(known, _)| *known == id) {
            return Err(DoorError::new(
                DoorCode::DuplicateGoal,
                format!("the goal `{id}` stands twice"),
            ));
        }
        if line.title.trim().is_empty() {
            return Err(DoorError::new(DoorCode::EmptyTitle, format!("goal `{id}` has no title")));
        }
        goals.push((id, line.title));
    }
    Ok(goals)
}

/// Finds the browser.
pub(crate) fn browser(args: &BrowserArgs, config: &Config) -> Result<PathBuf, DoorError> {
    let named = args.browser.as_deref().or(config.browser.as_deref());
    sidestick_browser::executable(named).map_err(|error| {
        DoorError::new(DoorCode::Missing, error.to_string()).detail("chromium").hint(error.hint())
    })
}

/// Whether the browser's sandbox is on: unless a flag or a setting says no (D3).
pub(crate) fn sandbox(args: &BrowserArgs, config: &Config) -> bool {
    !args.no_sandbox && config.sandbox.unwrap_or(true)
}

/// Credentials for a script or the demo.
pub(crate) fn credentials(
    args: &CredentialArgs,
    config: &Config,
) -> Result<Option<Credentials>, DoorError> {
    config::credentials(args, config)
}

/// Starts the host of a new run and waits until the run has begun.
pub(crate) async fn start(beginning: Beginning) -> Result<BegunAnswer, DoorError> {
    let registry = runs::registry()?;
    let path = wire::state_root().ok_or_else(|| {
        DoorError::new(DoorCode::StateUnwritable, "the current folder cannot be found")
    })?;
    let root = StateRoot::open(&path).map_err(|error| runs::files_error(&error))?;
    drop(registry);
    let none =
        || DoorError::new(DoorCode::Missing, "the system has no randomness").detail("/dev/urandom");
    let run = wire::new_run_id().ok_or_else(none)?;
    let seeds = (wire::seed().ok_or_else(none)?, wire::seed().ok_or_else(none)?);
    let user_root = wire::user_root().ok_or_else(|| {
        DoorError::new(DoorCode::Missing, "this user has no home folder").detail("home folder")
    })?;
    let start = HostStart {
        ask: BeginAsk {
            run,
            target: beginning.target,
            owner: beginning.owner,
            attended: beginning.attended,
            request: beginning.request,
            goals: beginning.goals,
            run_actions: beginning.run_actions,
            goal_actions: beginning.goal_actions,
            allow: beginning.allow,
            expect_failures: beginning.expect_failures,
            emulation: beginning.emulation,
            upload_roots: beginning.upload_roots,
            pages_max: beginning.pages_max,
            test_overrides: wire::test_overrides(),
        },
        state_root: root.path().to_owned(),
        user_root,
        profiles: wire::profiles(),
        executable: beginning.executable,
        sandbox: beginning.sandbox,
        holder: beginning.holder,
        credentials: beginning
            .credentials
            .map(|known| (known.username.expose().to_owned(), known.password.expose().to_owned())),
        policy_seen: beginning.policy.as_ref().map(|named| named.seen.clone()),
        policy: beginning.policy.map(|named| named.text),
        secrets: beginning.values.secrets,
        redacted: beginning.values.redacted,
        seeds,
        idle_s: limits::IDLE_TIME_MAX.as_secs(),
        seams: wire::seams()?,
    };
    render::overrides(&start.ask.test_overrides);
    match spawn::host(&start).await? {
        HostSaid::Begun(begun) => Ok(*begun),
        HostSaid::Failed(error) => Err(error),
    }
}
