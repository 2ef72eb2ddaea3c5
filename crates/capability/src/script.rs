//! Scripts: read, checked, and turned into actions.

use sidestick_model::step::{ActStep, Script};
use sidestick_model::{Action, ActionKind, DialogAnswer, Direction, DragEnd, TabOp, Target, Typed};

/// The version of scripts this build reads.
pub const VERSION: u32 = 1;

/// Why a script cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// It is not YAML of the right shape.
    #[error("the script cannot be read: {reason}")]
    Unreadable {
        /// Where and why, on one line.
        reason: String,
    },
    /// It is of another version.
    #[error("the script is of version {found}; this program reads version {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// A step lacks something or has something that does not belong.
    #[error("goal `{goal}`, step {step}: {reason}")]
    Step {
        /// The goal.
        goal: String,
        /// The step, from 1.
        step: usize,
        /// Why.
        reason: String,
    },
}

/// Reads a script and checks every step of it before anything is done.
///
/// # Errors
///
/// Fails on the first thing that is wrong.
pub fn read(text: &str) -> Result<Script, ScriptError> {
    let script: Script = serde_saphyr::from_str(text).map_err(|error| {
        let reason = error.to_string();
        let reason = reason.lines().next().unwrap_or_default();
        ScriptError::Unreadable { reason: shown(reason.trim_start_matches("error: "), 300) }
    })?;
    if script.version != VERSION {
        return Err(ScriptError::Version { found: script.version });
    }
    for goal in &script.goals {
        for (at, step) in goal.steps.iter().enumerate() {
            if let sidestick_model::step::Step::Act(step) = step {
                let goal = shown(&goal.id, 64);
                let wrong = |reason| ScriptError::Step { goal, step: at + 1, reason };
                action(step).map_err(wrong)?;
            }
        }
    }
    Ok(script)
}

/// Shows the beginning of what a script says, without what a terminal would obey.
fn shown(text: &str, chars_max: usize) -> String {
    let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    text.chars().take(chars_max).map(plain).collect()
}

/// Turns an act step into its action.
///
/// # Errors
///
/// Says what is missing or does not belong.
pub fn action(step: &ActStep) -> Result<Action, String> {
    let kind = ActionKind::parse(&step.act).ok_or_else(|| {
        let word = shown(&step.act, 64);
        format!("no action `{word}`")
    })?;
    let target = || step.target.clone().ok_or_else(|| format!("`{}` needs a target", step.act));
    let text = || -> Result<Typed, String> {
        match (&step.text, &step.secret) {
            (Some(text), None) => Ok(Typed::Public(text.clone())),
            (None, Some(name)) => Ok(Typed::Secret(name.clone())),
            (None, None) => Err(format!("`{}` needs `text` or `secret`", step.act)),
            (Some(_), Some(_)) => Err("`text` and `secret` exclude each other".to_owned()),
        }
    };
    let url = || step.url.clone().ok_or_else(|| format!("`{}` needs a `url`", step.act));
    Ok(match kind {
        ActionKind::Click => Action::Click { target: target()? },
        ActionKind::DoubleClick => Action::DoubleClick { target: target()? },
        ActionKind::RightClick => Action::RightClick { target: target()? },
        ActionKind::Hover => Action::Hover { target: target()? },
        ActionKind::Fill => Action::Fill { target: target()?, text: text()? },
        ActionKind::Type => Action::Type { target: step.target.clone(), text: text()? },
        ActionKind::Press => Action::Press {
            key: step.key.clone().ok_or("`press` needs a `key`")?,
            target: step.target.clone(),
        },
        ActionKind::Select if step.values.is_empty() => {
            return Err("`select` needs `values`".into());
        }
        ActionKind::Select => Action::Select { target: target()?, values: step.values.clone() },
        ActionKind::Check => Action::Check { target: target()? },
        ActionKind::Uncheck => Action::Uncheck { target: target()? },
        ActionKind::Scroll => Action::Scroll {
            target: step.target.clone(),
            direction: step.direction.unwrap_or(Direction::Down),
            amount: step.amount.unwrap_or(1.0),
        },
        ActionKind::Drag => Action::Drag { target: target()?, to: drag_end(step)? },
        ActionKind::Upload => {
            Action::Upload { target: step.target.clone(), files: step.files.clone() }
        }
        ActionKind::Dismiss => Action::Dismiss { target: target()? },
        ActionKind::Dialog => Action::Dialog {
            answer: step.answer.unwrap_or(DialogAnswer::Dismiss),
            text: step.text.clone().map(Typed::Public),
        },
        ActionKind::Navigate => Action::Navigate { url: url()? },
        ActionKind::Back => Action::Back,
        ActionKind::Forward => Action::Forward,
        ActionKind::Reload => Action::Reload,
        ActionKind::Tab => Action::Tab { op: TabOp::Open(url()?) },
    })
}

fn drag_end(step: &ActStep) -> Result<DragEnd, String> {
    match step.to.clone().ok_or("`drag` needs `to`")? {
        Target::Pixel { x, y, .. } => Ok(DragEnd::Point { to_x: x, to_y: y }),
        target => Ok(DragEnd::Element(target)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
version: 1
target: "http://127.0.0.1:1/"
goals:
  - id: a
    title: A
    demands: pass
    steps:
      - act: click
        target: { role: button, name: Go }
        expect: "text:Done"
      - wait: ready
      - verdict: { status: pass, summary: ok }
"#;

    #[test]
    fn a_script_is_read_whole() {
        let script = read(GOOD).unwrap();

        assert_eq!(script.goals[0].steps.len(), 3);
    }

    #[test]
    fn what_is_wrong_is_said_before_anything_is_done() {
        for (from, to, says) in [
            ("version: 1", "version: 2", "version 2"),
            ("act: click", "act: clack", "no action `clack`"),
            ("target: { role: button, name: Go }", "gate: none", "needs a target"),
            ("act: click", "act: fill", "needs `text` or `secret`"),
            ("demands: pass", "demands: maybe", "cannot be read"),
            ("wait: ready", "wate: ready", "cannot be read"),
        ] {
            let error = read(&GOOD.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
    }
}
