//! Dialogs that a policy answers without being asked for (D9).
//!
//! An answer is an act like any other: it passes the same line, is judged by the dialog's text,
//! costs an action and stands in the record. What is refused leaves the dialog open.

use tokio::sync::watch;

use sidestick_model::call::ActAsk;
use sidestick_model::outcome::Outcome;
use sidestick_model::{Action, Actor};

use crate::session::Session;
use crate::surface::Surface;

/// Dialogs answered after one act. A page that opens more of them is told about, not humored.
const ANSWERS_MAX: usize = 5;

impl<S: Surface> Session<S> {
    /// Returns whether the policy answers any dialog by itself.
    pub(crate) fn answers_dialogs(&self) -> bool {
        self.policy.as_ref().is_some_and(sidestick_policy::Policy::answers_dialogs)
    }

    /// Answers the dialog an act ended with, and those its answers bring up, and says so.
    pub(crate) async fn answer_dialogs(
        &self,
        actor: Actor,
        caller: &str,
        left: &watch::Receiver<bool>,
        outcome: &mut Outcome,
    ) {
        for _ in 0..ANSWERS_MAX {
            let Some(dialog) = outcome.dialog.clone() else { return };
            let known = self.policy.as_ref().and_then(|policy| policy.answer_to(&dialog));
            let Some((answer, source)) = known else { return };
            let action = Action::Dialog { answer, text: None };
            let ask = ActAsk { goal: outcome.goal.clone(), ..ActAsk::new(action, actor, caller) };
            let Ok(answered) = self.walk(ask, left.clone()).await else { return };
            let kind = &dialog.kind;
            if answered.status.dispatched() != Some(true) {
                let why = &answered.message;
                outcome.message =
                    format!("{}; {source} does not answer the {kind}: {why}", outcome.message);
                return;
            }
            let (act, message) = (answered.act, &outcome.message);
            outcome.message = format!("{message}; the {kind} was answered by {source} ({act})");
            outcome.dialog = answered.dialog;
            outcome.budget = answered.budget;
            outcome.lease = answered.lease;
        }
    }
}
