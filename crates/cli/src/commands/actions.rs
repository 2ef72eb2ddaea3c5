//! From an action verb to what the gate is asked: every usage error has its code (VR-095).

use std::path::{Path, PathBuf};

use sidestick_model::call::{ActAsk, DoorCode, DoorError};
use sidestick_model::record::GateClaim;
use sidestick_model::target::is_ref;
use sidestick_model::{
    Action, ActionKind, Actor, Chord, DialogAnswer, Direction, DragEnd, Expect, TabOp, Target,
    Typed, limits,
};

use crate::args::{
    ActVerb, CommonArgs, DirectionArg, DragEndArgs, FilesArgs, GateArg, ScrollArgs, TargetArgs,
    TextArgs, ValuesArgs, Verb,
};
use crate::commands::talk;

/// What an action verb asks for.
#[derive(Debug)]
pub(crate) enum Wanted {
    Act(Box<ActAsk>),
    Tabs,
}

fn error(code: DoorCode, why: impl Into<String>) -> DoorError {
    DoorError::new(code, why)
}

/// Every argument an action can have, whatever verb it came with.
#[derive(Debug, Default)]
struct Parts {
    target: TargetArgs,
    text: TextArgs,
    key: Option<String>,
    values: ValuesArgs,
    scroll: ScrollArgs,
    end: DragEndArgs,
    files: FilesArgs,
    url: Option<String>,
    answer: Option<DialogAnswer>,
    tab: Option<TabOp>,
    common: CommonArgs,
}

/// Turns a verb into what the gate is asked.
pub(crate) fn ask_of(verb: Verb) -> Result<Wanted, DoorError> {
    let Some((kind, parts)) = parts_of(verb)? else { return Ok(Wanted::Tabs) };
    let action = action(kind, &parts)?;
    let mut ask = ActAsk::new(action, Actor::Agent, talk::CALLER);
    let common = &parts.common;
    ask.obs = common.obs.as_deref().map(talk::observation_id).transpose()?;
    let expect = common.expect.as_deref().map(Expect::parse).transpose();
    ask.expect = expect.map_err(|wrong| error(DoorCode::BadExpect, wrong.to_string()))?;
    ask.gate = match common.gate {
        GateArg::None => GateClaim::None,
        GateArg::Requested => GateClaim::Requested,
        GateArg::Created => GateClaim::Created,
    };
    ask.approval.clone_from(&common.approval);
    if let Some(wait) = &common.wait {
        ask.wait_ms = talk::millis(talk::duration(wait)?);
    }
    ask.timeout_ms = common.timeout.as_deref().map(talk::duration).transpose()?.map(talk::millis);
    ask.goal = common.goal.as_deref().map(talk::goal_id).transpose()?;
    ask.full = common.full;
    Ok(Wanted::Act(Box::new(ask)))
}

/// Takes a verb apart; none for `tab --list`.
fn parts_of(verb: Verb) -> Result<Option<(ActionKind, Parts)>, DoorError> {
    let plain = |kind, common| Ok(Some((kind, Parts { common, ..Parts::default() })));
    let (kind, parts) = match verb {
        Verb::Click(v) => (ActionKind::Click, aimed(v.target, v.common)),
        Verb::DoubleClick(v) => (ActionKind::DoubleClick, aimed(v.target, v.common)),
        Verb::RightClick(v) => (ActionKind::RightClick, aimed(v.target, v.common)),
        Verb::Hover(v) => (ActionKind::Hover, aimed(v.target, v.common)),
        Verb::Check(v) => (ActionKind::Check, aimed(v.target, v.common)),
        Verb::Uncheck(v) => (ActionKind::Uncheck, aimed(v.target, v.common)),
        Verb::Dismiss(v) => (ActionKind::Dismiss, aimed(v.target, v.common)),
        Verb::Fill(v) => (ActionKind::Fill, Parts { text: v.text, ..aimed(v.target, v.common) }),
        Verb::Type(v) => (ActionKind::Type, Parts { text: v.text, ..aimed(v.target, v.common) }),
        Verb::Press(v) => (ActionKind::Press, Parts { key: v.key, ..aimed(v.target, v.common) }),
        Verb::Select(v) => {
            (ActionKind::Select, Parts { values: v.values, ..aimed(v.target, v.common) })
        }
        Verb::Scroll(v) => {
            (ActionKind::Scroll, Parts { scroll: v.scroll, ..aimed(v.target, v.common) })
        }
        Verb::Drag(v) => (ActionKind::Drag, Parts { end: v.end, ..aimed(v.target, v.common) }),
        Verb::Upload(v) => {
            (ActionKind::Upload, Parts { files: v.files, ..aimed(v.target, v.common) })
        }
        Verb::Dialog(v) => {
            let text = TextArgs { text_stdin: v.text_stdin, ..TextArgs::default() };
            let answer = Some(answer(v.accept));
            (ActionKind::Dialog, Parts { text, answer, common: v.common, ..Parts::default() })
        }
        Verb::Navigate(v) => {
            let parts = Parts { url: Some(v.url), common: v.common, ..Parts::default() };
            (ActionKind::Navigate, parts)
        }
        Verb::Back(v) => return plain(ActionKind::Back, v.common),
        Verb::Forward(v) => return plain(ActionKind::Forward, v.common),
        Verb::Reload(v) => return plain(ActionKind::Reload, v.common),
        Verb::Tab(v) => {
            let tab = match (v.open, v.switch, v.close) {
                (Some(url), _, _) => TabOp::Open(url),
                (None, Some(id), _) => TabOp::Switch(id),
                (None, None, Some(id)) => TabOp::Close(id),
                (None, None, None) => return Ok(None),
            };
            let parts = Parts { tab: Some(tab), common: v.common, ..Parts::default() };
            (ActionKind::Tab, parts)
        }
        Verb::Act(v) => long_form(*v)?,
        _ => return Err(error(DoorCode::Internal, "not an action")),
    };
    Ok(Some((kind, parts)))
}

fn aimed(target: TargetArgs, common: CommonArgs) -> Parts {
    Parts { target, common, ..Parts::default() }
}

fn answer(accept: bool) -> DialogAnswer {
    if accept { DialogAnswer::Accept } else { DialogAnswer::Dismiss }
}

fn long_form(v: ActVerb) -> Result<(ActionKind, Parts), DoorError> {
    let kind = ActionKind::parse(&v.action).ok_or_else(|| {
        let kinds: Vec<&str> = ActionKind::ALL.iter().map(|kind| kind.as_str()).collect();
        error(DoorCode::BadArguments, format!("an action is one of {}", kinds.join(", ")))
    })?;
    let answered = (v.accept || v.dismiss).then(|| answer(v.accept));
    let tab = v.url.clone().filter(|_| kind == ActionKind::Tab).map(TabOp::Open);
    let parts = Parts {
        target: v.target,
        text: v.text,
        key: v.key,
        values: v.values,
        scroll: v.scroll,
        end: v.end,
        files: v.files,
        url: v.url,
        answer: answered,
        tab,
        common: v.common,
    };
    Ok((kind, parts))
}

/// Builds the action, in the order of VR-095.
fn action(kind: ActionKind, parts: &Parts) -> Result<Action, DoorError> {
    let takes_text = matches!(kind, ActionKind::Fill | ActionKind::Type | ActionKind::Dialog);
    let sources = [parts.text.text.is_some(), parts.text.text_stdin, parts.text.secret.is_some()];
    let given = sources.into_iter().filter(|given| *given).count();
    if 1 < given {
        return Err(error(DoorCode::TextAndSecret, "text comes from one source"));
    }
    let target = target(&parts.target)?;
    if matches!(kind, ActionKind::Fill | ActionKind::Type) && given == 0 {
        let why = "text is needed: `--text-stdin`, `--text T` or `--secret NAME`";
        return Err(error(DoorCode::TextRequired, why));
    }
    if !takes_text && given != 0 {
        return Err(error(DoorCode::TextUnexpected, format!("`{}` takes no text", kind.as_str())));
    }
    let needed = || {
        let hint = "a ref such as `e12`, or `--role R --name N`";
        target
            .clone()
            .ok_or_else(|| error(DoorCode::TargetRequired, "a target is needed").hint(hint))
    };
    Ok(match kind {
        ActionKind::Click => Action::Click { target: needed()? },
        ActionKind::DoubleClick => Action::DoubleClick { target: needed()? },
        ActionKind::RightClick => Action::RightClick { target: needed()? },
        ActionKind::Hover => Action::Hover { target: needed()? },
        ActionKind::Check => Action::Check { target: needed()? },
        ActionKind::Uncheck => Action::Uncheck { target: needed()? },
        ActionKind::Dismiss => Action::Dismiss { target: needed()? },
        ActionKind::Fill => Action::Fill { target: needed()?, text: typed(&parts.text)? },
        ActionKind::Type => Action::Type { target, text: typed(&parts.text)? },
        ActionKind::Press => Action::Press { key: chord(parts.key.as_deref())?, target },
        ActionKind::Select if parts.values.values.is_empty() => {
            return Err(error(DoorCode::ValueRequired, "an option is needed: `--value TEXT`"));
        }
        ActionKind::Select => {
            Action::Select { target: needed()?, values: parts.values.values.clone() }
        }
        ActionKind::Scroll => scroll(parts, target)?,
        ActionKind::Drag => Action::Drag { target: needed()?, to: drag_end(parts)? },
        ActionKind::Upload => Action::Upload { target, files: files(&parts.files.files)? },
        ActionKind::Dialog => {
            let why = "`--accept` or `--dismiss`";
            let answer = parts.answer.ok_or_else(|| error(DoorCode::BadArguments, why))?;
            let text = if given == 0 { None } else { Some(typed(&parts.text)?) };
            Action::Dialog { answer, text }
        }
        ActionKind::Navigate => {
            let why = "an address is needed";
            let url = parts.url.clone().ok_or_else(|| error(DoorCode::TargetRequired, why))?;
            Action::Navigate { url }
        }
        ActionKind::Back => Action::Back,
        ActionKind::Forward => Action::Forward,
        ActionKind::Reload => Action::Reload,
        ActionKind::Tab => {
            let why = "`--list`, `--open URL`, `--switch ID` or `--close ID`";
            Action::Tab { op: parts.tab.clone().ok_or_else(|| error(DoorCode::BadArguments, why))? }
        }
    })
}

/// Reads the one way in which the element is named.
fn target(args: &TargetArgs) -> Result<Option<Target>, DoorError> {
    let bad = |why: &str| Err(error(DoorCode::BadTarget, why));
    let described = args.role.is_some() || args.name.is_some() || args.near.is_some();
    let pixel = args.x.is_some() || args.y.is_some();
    let ways = [args.target.is_some(), described, pixel];
    if 1 < ways.into_iter().filter(|way| *way).count() {
        return bad("a target is named one way: a ref, a description, or a pixel");
    }
    if let Some(id) = &args.target {
        if !is_ref(id) {
            let id: String = id.chars().take(40).collect();
            return Err(error(DoorCode::BadTarget, format!("`{id}` is not a ref such as `e12`")));
        }
        return Ok(Some(Target::Ref { id: id.clone() }));
    }
    if described {
        let Some(role) = args.role.clone() else { return bad("a description needs `--role`") };
        let (name, near) = (args.name.clone(), args.near.clone());
        return Ok(Some(Target::Described { role, name, near }));
    }
    match (args.x, args.y, &args.target_name) {
        (Some(x), Some(y), Some(label)) if x.is_finite() && y.is_finite() => {
            Ok(Some(Target::Pixel { x, y, label: label.clone() }))
        }
        (Some(_), Some(_), None) => {
            let why = "a pixel needs `--target-name`: what is meant to be there";
            Err(error(DoorCode::TargetNameRequired, why))
        }
        (None, None, _) => Ok(None),
        (_, _, _) => bad("a pixel needs both `--x` and `--y`"),
    }
}

fn typed(args: &TextArgs) -> Result<Typed, DoorError> {
    match (&args.text, args.text_stdin, &args.secret) {
        (Some(text), _, _) => Ok(Typed::Public(text.clone())),
        (None, true, _) => talk::stdin_text().map(Typed::Sensitive),
        (None, false, Some(name)) => Ok(Typed::Secret(name.clone())),
        (None, false, None) => Err(error(DoorCode::TextRequired, "text is needed")),
    }
}

fn chord(key: Option<&str>) -> Result<Chord, DoorError> {
    let why = "a key is needed: `--key Enter`";
    let key = key.ok_or_else(|| error(DoorCode::KeyRequired, why))?;
    Chord::parse(key).map_err(|wrong| error(DoorCode::BadKey, wrong.to_string()))
}

fn scroll(parts: &Parts, target: Option<Target>) -> Result<Action, DoorError> {
    let direction = match parts.scroll.direction {
        Some(DirectionArg::Up) => Direction::Up,
        Some(DirectionArg::Down) => Direction::Down,
        Some(DirectionArg::Left) => Direction::Left,
        Some(DirectionArg::Right) => Direction::Right,
        None => return Err(error(DoorCode::DirectionRequired, "`--direction` is needed")),
    };
    if !(0.01..=50.0).contains(&parts.scroll.amount) {
        return Err(error(DoorCode::BadArguments, "`--amount` is 0.01 to 50 screens"));
    }
    Ok(Action::Scroll { target, direction, amount: parts.scroll.amount })
}

fn drag_end(parts: &Parts) -> Result<DragEnd, DoorError> {
    match (&parts.end.to_ref, parts.end.to_x, parts.end.to_y) {
        (Some(id), None, None) if is_ref(id) => {
            Ok(DragEnd::Element(Target::Ref { id: id.clone() }))
        }
        (None, Some(to_x), Some(to_y)) => Ok(DragEnd::Point { to_x, to_y }),
        (None, None, None) => {
            let why = "a drag needs an end: `--to-ref REF` or `--to-x PX --to-y PX`";
            Err(error(DoorCode::TargetRequired, why))
        }
        (_, _, _) => Err(error(DoorCode::BadTarget, "a drag ends in one place")),
    }
}

/// Files have to be there before anything is done with them.
fn files(files: &[PathBuf]) -> Result<Vec<String>, DoorError> {
    if files.is_empty() || limits::UPLOAD_FILES_MAX < files.len() {
        let why = format!("1 to {} files: `--file PATH`", limits::UPLOAD_FILES_MAX);
        return Err(error(DoorCode::FileRequired, why));
    }
    files.iter().map(|path| plain_file(path)).collect()
}

fn plain_file(path: &Path) -> Result<String, DoorError> {
    let whole = path.canonicalize().ok().filter(|path| path.is_file() || path.is_dir());
    let text = whole.and_then(|path| path.to_str().map(str::to_owned));
    text.ok_or_else(|| {
        error(
            DoorCode::FileRequired,
            format!("`{}` is not a file that can be read", path.display()),
        )
    })
}
