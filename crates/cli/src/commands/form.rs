//! `fill-form`: a form from standard input, filled by the one step driver.

use std::process::ExitCode;

use sidestick_capability::{ActAs, form};
use sidestick_model::Actor;
use sidestick_model::call::{DoorCode, DoorError};

use crate::args::FillFormArgs;
use crate::commands::{Context, runs, talk};
use crate::render;

pub(crate) async fn run(context: &Context, args: &FillFormArgs) -> Result<ExitCode, DoorError> {
    let goal = args.goal.as_deref().map(talk::goal_id).transpose()?;
    let form = form::read(&talk::stdin_text()?)
        .map_err(|error| DoorError::new(DoorCode::BadForm, error.to_string()))?;
    let (client, _) = runs::connect(context).await?;
    let who = ActAs { actor: Actor::Agent, caller: talk::CALLER.to_owned() };
    let filled =
        client.with_door(async |door| form::fill(&door, &form, goal.as_ref(), &who).await).await?;
    let value = serde_json::to_value(&filled)
        .map_err(|_| DoorError::new(DoorCode::Internal, "the answer cannot be written"))?;
    Ok(render::done(context.form, &render::form_text(&filled), value))
}
