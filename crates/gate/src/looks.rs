//! The looks that a later one can be told as a difference to.

use std::collections::VecDeque;

use sidestick_model::ObservationId;
use sidestick_model::call::DeltaSeen;
use sidestick_model::observation::{Reading, Scope};

use crate::delta;
use crate::desk::Desk;
use crate::surface::Looking;

/// Looks that are remembered; one older than these is `too_old`.
const LOOKS_MAX: usize = 64;

/// What a look was of. A difference leads from one look to another of the same thing alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LookOf {
    page: String,
    document: u32,
    scope: Scope,
    within: Option<String>,
    query: Option<String>,
}

impl LookOf {
    pub(crate) fn new(looking: &Looking, reading: &Reading) -> LookOf {
        LookOf {
            page: reading.page.id.clone(),
            document: reading.page.document,
            scope: looking.scope,
            within: looking.within.clone(),
            query: looking.query.clone(),
        }
    }

    /// Says why no difference leads from `older` to this one.
    fn differs_from(&self, older: &LookOf) -> Option<&'static str> {
        if self.page != older.page {
            return Some("other_page");
        }
        if self.document != older.document {
            return Some("other_document");
        }
        (self != older).then_some("other_scope")
    }
}

/// The newest looks that have an outline.
#[derive(Debug, Default)]
pub(crate) struct Looks(VecDeque<(ObservationId, LookOf)>);

impl Looks {
    pub(crate) fn remember(&mut self, id: ObservationId, of: LookOf) {
        if self.0.len() == LOOKS_MAX {
            self.0.pop_front();
        }
        self.0.push_back((id, of));
    }

    /// Returns the newest look of the same thing.
    pub(crate) fn before(&self, of: &LookOf) -> Option<ObservationId> {
        self.0.iter().rev().find(|(_, known)| known == of).map(|(id, _)| *id)
    }

    fn find(&self, id: ObservationId) -> Option<&LookOf> {
        self.0.iter().find(|(known, _)| *known == id).map(|(_, of)| of)
    }
}

impl Desk {
    /// Returns the outline of an observation as it was written, already redacted.
    fn written_outline(&self, id: ObservationId) -> Option<String> {
        let path = self.run.state.observation(id)?.outline.as_deref()?;
        self.run.read_outline(path)
    }

    /// Says what is new in an outline since the look before it at the same thing.
    pub(crate) fn news(&self, of: &LookOf, outline: &str) -> Option<String> {
        let since = self.looks.before(of)?;
        delta::news(&self.written_outline(since)?, outline, since)
    }

    /// Tells an outline as what has changed since an older look, or whole, with the reason why.
    pub(crate) fn continued(
        &self,
        since: ObservationId,
        id: ObservationId,
        outline: String,
    ) -> (String, DeltaSeen) {
        let whole = |outline: String, why: &str| {
            let told = crate::outline::with_news(&outline, &format!("no delta to {since}: {why}"));
            (told, DeltaSeen::whole(since, why))
        };
        let (older, newer) = (self.looks.find(since), self.looks.find(id));
        let (Some(older), Some(newer)) = (older, newer) else {
            let has_one = self.run.state.observation(since).is_some_and(|o| o.outline.is_some());
            return whole(outline, if has_one { "too_old" } else { "no_outline" });
        };
        if let Some(why) = newer.differs_from(older) {
            return whole(outline, why);
        }
        let Some(before) = self.written_outline(since) else {
            return whole(outline, "no_outline");
        };
        match delta::between(&before, &outline, since) {
            Some(delta) => (delta.text, delta.seen),
            None => whole(outline, "larger"),
        }
    }
}
