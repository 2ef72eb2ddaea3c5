//! What has changed: between two moments, and by the last act after it was told.

use std::time::Duration;

use sidestick_model::call::{Answer, DoorError};
use sidestick_model::change::{ChangesAsk, ChangesFrom, Late};

use crate::looking::driver_error;
use crate::session::Session;
use crate::surface::Surface;

/// After this long nothing is credited to an act any more (BR-146), with room for the look itself.
const LATE_TIME_MAX: Duration = Duration::from_secs(5);
/// Callers whose last read is remembered; one more begins where the record of the page does.
const CALLERS_MAX: usize = 64;

impl<S: Surface> Session<S> {
    /// Tells what has changed since this caller's last read, or since a time ago.
    pub(crate) async fn changes(&self, ask: ChangesAsk) -> Result<Answer, DoorError> {
        let _turn = self.reader_turn().await?;
        let from = match ask.back_ms {
            Some(back_ms) => ChangesFrom::Back(back_ms),
            None => {
                let known = self.desk().changes_read.get(&ask.caller).cloned();
                known.unwrap_or(ChangesFrom::Start)
            }
        };
        let read = self.surface.changes(&from, ask.unmask, Self::read_deadline()).await;
        let seen = read.map_err(|error| driver_error(&error))?;
        let ended = ChangesFrom::Read { document: seen.document.clone(), until: seen.until };
        let mut desk = self.desk();
        if desk.changes_read.len() < CALLERS_MAX || desk.changes_read.contains_key(&ask.caller) {
            desk.changes_read.insert(ask.caller, ended);
        }
        Ok(Answer::Changes(Box::new(seen)))
    }

    /// Looks for what the last act has brought about since it was told, and writes it down.
    pub(crate) async fn late_effects(&self) -> Result<Option<Late>, DoorError> {
        let Some((act, ended)) = self.desk().late_of else { return Ok(None) };
        // A page that cannot tell is no reason not to be looked at.
        let Ok(changes) = self.surface.late(Self::read_deadline()).await else { return Ok(None) };
        let now = self.now();
        let mut desk = self.desk();
        let is_current = desk.late_of.is_some_and(|(of, _)| of == act);
        if is_current && LATE_TIME_MAX < ended.elapsed() {
            desk.late_of = None;
        }
        if !is_current || changes.is_empty() || desk.closed {
            return Ok(None);
        }
        let late = Late { act, changes };
        let written = match desk.redactor.value(&late) {
            Ok(body) => desk.run.event("late", now, body),
            Err(_) => Err(sidestick_evidence::RunError::Redaction),
        };
        written.map_err(|error| desk.record_failed(&error))?;
        Ok(Some(late))
    }
}
