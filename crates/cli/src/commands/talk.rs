//! Verbs that are one call to the run's host.

use std::io::Read;
use std::process::ExitCode;
use std::time::Duration;

use sidestick_host::client;
use sidestick_model::call::{
    ActAsk, Answer, Call, DoorCode, DoorError, FindAsk, NoteAsk, ObserveAsk, VerdictAsk, WaitAsk,
    ZoomAsk,
};
use sidestick_model::change::ChangesAsk;
use sidestick_model::observation::Scope;
use sidestick_model::record::{FindingKind, Verdict};
use sidestick_model::{ActId, Actor, GoalId, ObservationId, limits};
use sidestick_policy::Redacted;

use crate::args::{
    ChangesArgs, FindArgs, GoalArgs, NoteArgs, ObserveArgs, ScopeArg, ScreenshotArgs, TextReadArgs,
    VerdictArgs, WaitArgs, ZoomArgs,
};
use crate::commands::{Context, runs};
use crate::render;

/// The name under which the command line's observations are remembered.
pub(crate) const CALLER: &str = "cli";

/// Asks the run's host and prints its answer.
async fn ask(context: &Context, call: Call) -> Result<ExitCode, DoorError> {
    let answer = answer(context, call).await?;
    Ok(render::answer(context.form, &answer))
}

async fn answer(context: &Context, call: Call) -> Result<Redacted<Answer>, DoorError> {
    let (mut client, _) = runs::connect(context).await?;
    client.ask(call).await.map_err(client::door_error)
}

/// Reads text from standard input; one line break at its end is not part of it (VR-013).
pub(crate) fn stdin_text() -> Result<String, DoorError> {
    let mut bytes = Vec::new();
    let limit = u64::try_from(limits::TYPED_CHARS_MAX).unwrap_or(u64::MAX).saturating_mul(4) + 2;
    let read = std::io::stdin().lock().take(limit).read_to_end(&mut bytes);
    read.map_err(|_| DoorError::new(DoorCode::BadText, "standard input cannot be read"))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| DoorError::new(DoorCode::BadText, "standard input is not UTF-8"))?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    Ok(text.strip_suffix('\r').unwrap_or(text).to_owned())
}

pub(crate) fn goal_id(text: &str) -> Result<GoalId, DoorError> {
    GoalId::parse(text).map_err(|error| DoorError::new(DoorCode::BadGoalId, error.to_string()))
}

pub(crate) fn observation_id(text: &str) -> Result<ObservationId, DoorError> {
    ObservationId::parse(text)
        .map_err(|error| DoorError::new(DoorCode::UnknownObservation, error.to_string()))
}

/// Reads `5s`, `300ms` or `2m`.
pub(crate) fn duration(text: &str) -> Result<Duration, DoorError> {
    let bad = || {
        let text: String = text.chars().take(40).collect();
        DoorError::new(DoorCode::BadTimeout, format!("`{text}` is no duration such as `5s`"))
    };
    let split = text.find(|c: char| !c.is_ascii_digit()).ok_or_else(bad)?;
    let (digits, unit) = text.split_at_checked(split).ok_or_else(bad)?;
    let number: u64 = digits.parse().map_err(|_| bad())?;
    let duration = match unit {
        "ms" => Duration::from_millis(number),
        "s" => Duration::from_secs(number),
        "m" => Duration::from_secs(number.checked_mul(60).ok_or_else(bad)?),
        _ => return Err(bad()),
    };
    if limits::WAIT_TIME_MAX < duration {
        let why = format!(
            "{} s is longer than {} s",
            duration.as_secs(),
            limits::WAIT_TIME_MAX.as_secs()
        );
        return Err(DoorError::new(DoorCode::BadTimeout, why));
    }
    Ok(duration)
}

pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn scope(scope: ScopeArg) -> Scope {
    match scope {
        ScopeArg::Viewport => Scope::Viewport,
        ScopeArg::Document => Scope::Document,
    }
}

pub(crate) async fn act(context: &Context, act: ActAsk) -> Result<ExitCode, DoorError> {
    ask(context, Call::Act(Box::new(act))).await
}

pub(crate) async fn tabs(context: &Context) -> Result<ExitCode, DoorError> {
    ask(context, Call::Tabs).await
}

pub(crate) async fn goal(context: &Context, args: &GoalArgs) -> Result<ExitCode, DoorError> {
    let id = goal_id(&args.id)?;
    let title = match &args.title {
        Some(title) => title.clone(),
        None => stdin_text()?,
    };
    ask(context, Call::Goal { id, title }).await
}

pub(crate) async fn observe(context: &Context, args: &ObserveArgs) -> Result<ExitCode, DoorError> {
    let goal = args.goal.as_deref().map(goal_id).transpose()?;
    if args.max_chars == 0 || limits::OUTLINE_CHARS_MAX < args.max_chars {
        let why = format!("`--max-chars` is 1 to {}", limits::OUTLINE_CHARS_MAX);
        return Err(DoorError::new(DoorCode::BadArguments, why));
    }
    let since = args.since.as_deref().map(observation_id).transpose()?;
    let call = Call::Observe(ObserveAsk {
        goal,
        scope: scope(args.scope),
        within: args.within.clone(),
        query: args.query.clone(),
        max_chars: args.max_chars,
        screenshot: !args.no_screenshot,
        since,
        marks: args.marks,
        ..ObserveAsk::new(Actor::Agent, CALLER)
    });
    ask(context, call).await
}

pub(crate) async fn find(context: &Context, args: &FindArgs) -> Result<ExitCode, DoorError> {
    let call = Call::Find(FindAsk {
        role: args.role.clone(),
        name: args.name.clone(),
        text: args.text.clone(),
        near: args.near.clone(),
        scope: scope(args.scope),
        limit: args.limit,
    });
    ask(context, call).await
}

pub(crate) async fn text(context: &Context, args: &TextReadArgs) -> Result<ExitCode, DoorError> {
    if let Some(id) = args.target.as_deref().filter(|id| !sidestick_model::target::is_ref(id)) {
        let id: String = id.chars().take(40).collect();
        return Err(DoorError::new(DoorCode::BadTarget, format!("`{id}` is not a ref")));
    }
    ask(context, Call::Text { target: args.target.clone(), max_chars: args.max_chars }).await
}

pub(crate) async fn screenshot(
    context: &Context,
    args: &ScreenshotArgs,
) -> Result<ExitCode, DoorError> {
    ask(context, Call::Screenshot { full_page: args.full_page }).await
}

pub(crate) async fn zoom(context: &Context, args: &ZoomArgs) -> Result<ExitCode, DoorError> {
    let bad = |why: &str| DoorError::new(DoorCode::BadTarget, why);
    if args.target.as_deref().is_some_and(|id| !sidestick_model::target::is_ref(id)) {
        return Err(bad("not a ref such as `e12`"));
    }
    let region = match (args.x, args.y, args.width, args.height) {
        (Some(x), Some(y), Some(width), Some(height)) => Some([x, y, width, height]),
        _ => None,
    };
    if args.target.is_none() && region.is_none() {
        return Err(bad("zoom into a ref, or `--x --y --width --height`"));
    }
    let (target, scale) = (args.target.clone(), args.scale);
    ask(context, Call::Zoom(ZoomAsk { target, region, scale })).await
}

pub(crate) async fn changes(context: &Context, args: &ChangesArgs) -> Result<ExitCode, DoorError> {
    let back = args.back.as_deref().map(duration).transpose()?;
    let ask_for =
        ChangesAsk { caller: CALLER.to_owned(), back_ms: back.map(millis), unmask: args.unmask };
    ask(context, Call::Changes(ask_for)).await
}

pub(crate) async fn wait(context: &Context, args: &WaitArgs) -> Result<ExitCode, DoorError> {
    let (kind, value) = args.what.split_once(':').unwrap_or((args.what.as_str(), ""));
    let is_good = match kind {
        "text" | "gone" | "url" => !value.is_empty(),
        "ready" | "still" => !args.what.contains(':'),
        _ => false,
    };
    if !is_good {
        let why = "a wait is for text:STR, gone:STR, url:PATTERN, ready or still";
        return Err(DoorError::new(DoorCode::BadWait, why));
    }
    let timeout_ms = millis(duration(&args.timeout)?);
    let quiet = millis(duration(&args.quiet)?).to_string();
    let value = if kind == "still" { quiet } else { value.to_owned() };
    let kind = kind.to_owned();
    ask(context, Call::Wait(WaitAsk { kind, value, timeout_ms })).await
}

pub(crate) async fn note(context: &Context, args: &NoteArgs) -> Result<ExitCode, DoorError> {
    let kind = FindingKind::parse(&args.finding_kind).ok_or_else(|| {
        let kinds: Vec<&str> = FindingKind::ALL.iter().map(|kind| kind.as_str()).collect();
        DoorError::new(DoorCode::BadArguments, format!("a finding is one of {}", kinds.join(", ")))
    })?;
    let summary = match &args.summary {
        Some(summary) => summary.clone(),
        None => stdin_text()?,
    };
    let obs = args.obs.as_deref().map(observation_id).transpose()?;
    let goal = args.goal.as_deref().map(goal_id).transpose()?;
    ask(context, Call::Note(NoteAsk { kind, summary, obs, goal })).await
}

pub(crate) async fn verdict(context: &Context, args: &VerdictArgs) -> Result<ExitCode, DoorError> {
    let verdict = Verdict::parse(&args.verdict).ok_or_else(|| {
        DoorError::new(DoorCode::BadArguments, "a verdict is pass, fail, blocked or partial")
    })?;
    let summary = match (&args.summary, args.summary_stdin) {
        (Some(summary), _) => summary.clone(),
        (None, true) => stdin_text()?,
        (None, false) => String::new(),
    };
    let proof = args.proof.as_deref().map(ActId::parse).transpose();
    let proof = proof.map_err(|error| DoorError::new(DoorCode::UnknownAct, error.to_string()))?;
    let goal = goal_id(&args.goal)?;
    ask(context, Call::Verdict(VerdictAsk { goal, verdict, summary, proof, verified: None })).await
}
