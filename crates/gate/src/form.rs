//! Whether fields still hold what acts have set. What they hold goes nowhere (BR-471).

use sidestick_model::Typed;
use sidestick_model::call::{Answer, DoorError};
use sidestick_model::form::HoldsAsk;

use crate::looking::driver_error;
use crate::session::Session;
use crate::surface::Surface;

impl<S: Surface> Session<S> {
    pub(crate) async fn holds(&self, ask: HoldsAsk) -> Result<Answer, DoorError> {
        let _turn = self.reader_turn().await?;
        let mut held = Vec::new();
        for (id, action) in &ask.fields {
            let text = match action.typed() {
                Some(Typed::Public(text) | Typed::Sensitive(text)) => Some(text.clone()),
                Some(Typed::Secret(name)) => {
                    let secret = self.credentials.as_ref().and_then(|known| known.named(name));
                    secret.map(|secret| secret.expose().to_owned())
                }
                None => None,
            };
            let read = self.surface.read_back(id, action, text.as_deref(), Self::read_deadline());
            let back = read.await.map_err(|error| driver_error(&error))?;
            held.push(back.is_some_and(|back| back.equal));
        }
        Ok(Answer::Holds { held })
    }
}
