//! Forms as steps of the one step driver: each field an act of its own, a look at all of them, the
//! press (BR-468 to BR-472).

use sidestick_gate::Door;
use sidestick_model::call::{Answer, Call, DoorError};
use sidestick_model::form::{Field, FieldSeen, Form, FormSeen, HoldsAsk, Stopped};
use sidestick_model::outcome::{Outcome, Status};
use sidestick_model::{Action, GoalId, Target, Typed};

use crate::drive::{ActAs, act};

/// Fields of one form; more are refused.
pub const FIELDS_MAX: usize = 32;

/// Why a form cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FormError {
    /// It is not YAML or JSON of the right shape.
    #[error("the form cannot be read: {reason}")]
    Unreadable {
        /// Where and why, on one line.
        reason: String,
    },
    /// It has no fields, or too many.
    #[error("a form has 1 to {FIELDS_MAX} fields")]
    Count,
    /// A field is not one thing to set.
    #[error("field {field}: {reason}")]
    Field {
        /// The field, from 1.
        field: usize,
        /// Why.
        reason: &'static str,
    },
}

/// Reads a form and checks every field of it before anything is done.
///
/// # Errors
///
/// Fails on the first thing that is wrong; no value is in the message.
pub fn read(text: &str) -> Result<Form, FormError> {
    let form: Form = serde_saphyr::from_str(text).map_err(|error| {
        // Where it is wrong is told, what stands there is not: it may be a password.
        let text = error.to_string();
        let number: Option<String> = text
            .split_once("line ")
            .map(|(_, after)| after.chars().take_while(char::is_ascii_digit).collect());
        let place = number.filter(|number| !number.is_empty());
        let reason = place.map_or("it is not a form".to_owned(), |line| format!("line {line}"));
        FormError::Unreadable { reason }
    })?;
    if form.fields.is_empty() || FIELDS_MAX < form.fields.len() {
        return Err(FormError::Count);
    }
    for (at, field) in form.fields.iter().enumerate() {
        let wrong = |reason| FormError::Field { field: at + 1, reason };
        action(field).ok_or(wrong("needs one of text, sensitive, secret, checked or values"))?;
        if form.fields.iter().take(at).any(|earlier| earlier.target == field.target) {
            return Err(wrong("its target stands twice"));
        }
    }
    Ok(form)
}

/// The action that sets a field; none unless it says exactly one thing to set.
fn action(field: &Field) -> Option<Action> {
    let target = field.target.clone();
    let fill = |text| Action::Fill { target: target.clone(), text };
    let mut ways: Vec<Action> = Vec::new();
    ways.extend(field.text.clone().map(|text| fill(Typed::Public(text))));
    ways.extend(field.sensitive.clone().map(|text| fill(Typed::Sensitive(text))));
    ways.extend(field.secret.clone().map(|name| fill(Typed::Secret(name))));
    ways.extend(field.checked.map(|checked| match checked {
        true => Action::Check { target: target.clone() },
        false => Action::Uncheck { target: target.clone() },
    }));
    if !field.values.is_empty() {
        ways.push(Action::Select { target: target.clone(), values: field.values.clone() });
    }
    (ways.len() == 1).then(|| ways.pop()).flatten()
}

/// Fills a form; it ends at the first step that is not as expected, and what was set stays set.
///
/// # Errors
///
/// Fails when the first field breaks the contract; later failures are where it stopped.
pub async fn fill(
    door: &Door,
    form: &Form,
    goal: Option<&GoalId>,
    actor: &ActAs,
) -> Result<FormSeen, DoorError> {
    let mut seen = FormSeen::default();
    let mut set: Vec<(String, Action)> = Vec::new();
    for (number, field) in (1_u32..).zip(&form.fields) {
        let Some(action) = action(field) else { continue };
        let done = act(door, action.clone(), goal, actor, |_| ()).await;
        let outcome = match done {
            Ok(outcome) => outcome,
            Err(error) if seen.fields.is_empty() => return Err(error),
            Err(error) => {
                seen.stopped = Some(stop("field", Some(number), &error.message));
                return Ok(seen);
            }
        };
        let (is_set, told) = (is_set(&outcome), told(&outcome));
        let id = told.id.clone();
        let why = format!("{}: {}", told.status, told.message);
        seen.fields.push(told);
        match id {
            _ if !is_set => {
                seen.stopped = Some(stop("field", Some(number), &why));
                return Ok(seen);
            }
            Some(id) if set.iter().any(|(known, _)| *known == id) => {
                let why = "it is a field that was set before";
                seen.stopped = Some(stop("field", Some(number), why));
                return Ok(seen);
            }
            Some(id) => set.push((id, action)),
            None => {}
        }
    }
    if form.verify {
        seen.stopped = lost(door, set).await;
        seen.verified = seen.stopped.is_none();
    }
    if let Some(target) = form.submit.clone().filter(|_| seen.stopped.is_none()) {
        submit(door, form, target, goal, actor, &mut seen).await;
    }
    Ok(seen)
}

async fn submit(
    door: &Door,
    form: &Form,
    target: Target,
    goal: Option<&GoalId>,
    actor: &ActAs,
    seen: &mut FormSeen,
) {
    let pressed = act(door, Action::Click { target }, goal, actor, |ask| {
        ask.expect.clone_from(&form.expect);
        ask.gate = form.gate;
    });
    match pressed.await {
        Ok(outcome) => {
            seen.submitted = outcome.status == Status::Observed;
            let told = told(&outcome);
            if !seen.submitted {
                let why = format!("{}: {}", told.status, told.message);
                seen.stopped = Some(stop("submit", None, &why));
            }
            seen.submit = Some(told);
        }
        Err(error) => seen.stopped = Some(stop("submit", None, &error.message)),
    }
}

/// Reads every field again; tells the first that has lost what its step set.
async fn lost(door: &Door, set: Vec<(String, Action)>) -> Option<Stopped> {
    match door.ask(Call::Holds(HoldsAsk { fields: set })).await {
        Answer::Holds { held } => {
            let at = held.iter().position(|held| !held)?;
            let number = u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1);
            Some(stop("verify", Some(number), "it does not hold any more what was set"))
        }
        Answer::Refused(error) => Some(stop("verify", None, &error.message)),
        _ => Some(stop("verify", None, "another answer than asked for")),
    }
}

fn stop(at: &str, field: Option<u32>, why: &str) -> Stopped {
    Stopped { at: at.to_owned(), field, why: why.to_owned() }
}

/// A field is set when it holds what was asked, whether or not it did before.
fn is_set(outcome: &Outcome) -> bool {
    let holds = outcome.effect.read_back.as_ref().is_some_and(|back| back.equal);
    match outcome.status {
        Status::Observed | Status::Satisfied => true,
        Status::NoEffect => holds,
        _ => false,
    }
}

/// What is told of an act: the field, and how it ended, without any value.
fn told(outcome: &Outcome) -> FieldSeen {
    let target = outcome.target.as_ref();
    // The words of a difference quote both values.
    let message = match outcome.status {
        Status::Partial => "it holds something else than was asked".to_owned(),
        _ => outcome.message.clone(),
    };
    FieldSeen {
        act: outcome.act,
        id: target.map(|target| target.id.clone()),
        role: target.map(|target| target.role.clone()),
        name: target.and_then(|target| target.name.clone()),
        status: outcome.status,
        code: outcome.code,
        message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_read_from_json_and_from_yaml() {
        let json = r#"{"fields": [{"target": {"ref": "e1"}, "text": "Robin"},
            {"target": {"role": "checkbox", "name": "Terms"}, "checked": true}],
            "submit": {"role": "button", "name": "Send"}}"#;

        let form = read(json).unwrap();

        assert_eq!((form.fields.len(), form.verify), (2, true));
        assert!(
            read("fields:\n  - target: { ref: e1 }\n    values: [Blue]\nverify: false\n").is_ok()
        );
    }

    #[test]
    fn what_is_wrong_is_said_without_what_was_to_be_typed() {
        let secret = "hunter2-hunter2";
        for (text, says) in [
            ("{fields: []}".to_owned(), "1 to 32"),
            (
                format!("{{fields: [{{target: {{ref: e1}}, text: {secret}, checked: true}}]}}"),
                "one of",
            ),
            ("{fields: [{target: {ref: e1}}]}".to_owned(), "field 1"),
            (
                format!(
                    "{{fields: [{{target: {{ref: e1}}, text: a}}, {{target: {{ref: e1}}, text: {secret}}}]}}"
                ),
                "twice",
            ),
            (format!("{{fields: [{{target: {{ref: e1}}, txet: {secret}}}]}}"), "cannot be read"),
        ] {
            let error = read(&text).unwrap_err().to_string();
            assert!(error.contains(says) && !error.contains(secret), "{error}");
        }
    }
}
