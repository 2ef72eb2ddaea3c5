//! What the page's recorder of changes has to tell.

use serde::Deserialize;
use serde_json::json;

use sidestick_gate::SurfaceError;
use sidestick_model::Deadline;
use sidestick_model::change::{ChangeSeen, ChangesFrom, ChangesSeen};
use sidestick_model::observation::Change;

use crate::injected;
use crate::page::Page;
use crate::session::Chromium;

#[derive(Deserialize)]
struct Read {
    document: String,
    #[serde(default)]
    started: bool,
    from: f64,
    until: f64,
    #[serde(default)]
    dropped: u32,
    changes: Vec<ChangeSeen>,
}

impl Chromium {
    /// Tells what has visibly changed in the page acts go to.
    pub(crate) async fn read_changes(
        &self,
        from: &ChangesFrom,
        unmask: bool,
        deadline: Deadline,
    ) -> Result<ChangesSeen, SurfaceError> {
        let page = self.page()?;
        let (mut since, back_ms) = match from {
            ChangesFrom::Start => (None, None),
            ChangesFrom::Read { until, .. } => (Some(*until), None),
            ChangesFrom::Back(back_ms) => (None, Some(*back_ms)),
        };
        loop {
            let args = json!({"since": since, "back_ms": back_ms, "unmask": unmask});
            let read: Read =
                injected::read(&self.connection, &page, "changes", &args, deadline).await?;
            let is_other = matches!(from, ChangesFrom::Read { document, .. }
                if *document != read.document);
            if is_other && since.is_some() {
                // Times of another document mean nothing here.
                since = None;
                continue;
            }
            page.saw_refs(read.changes.iter().filter_map(|change| change.id.as_deref()));
            return Ok(ChangesSeen {
                page: page.state(),
                document: read.document,
                started: read.started,
                from: read.from,
                until: read.until,
                dropped: read.dropped,
                changes: read.changes,
            });
        }
    }

    /// Tells what the last act has brought about since its effect was told.
    pub(crate) async fn read_late(&self, deadline: Deadline) -> Result<Vec<Change>, SurfaceError> {
        let page = self.page()?;
        if is_other_document(&page) {
            return Ok(Vec::new());
        }
        let none = serde_json::Value::Null;
        let late: Vec<ChangeSeen> =
            injected::read(&self.connection, &page, "late", &none, deadline).await?;
        if is_other_document(&page) {
            return Ok(Vec::new());
        }
        page.saw_refs(late.iter().filter_map(|change| change.id.as_deref()));
        Ok(late.into_iter().map(in_words_of_an_outcome).collect())
    }
}

fn is_other_document(page: &Page) -> bool {
    let known = page.known();
    known.document != known.mark.document || known.dialog.is_some()
}

fn in_words_of_an_outcome(seen: ChangeSeen) -> Change {
    let subject = seen.subject;
    let near = [subject.row, subject.column, subject.label, subject.heading];
    let kind = if seen.kind == "disappeared" { "gone".to_owned() } else { seen.kind };
    Change {
        kind,
        role: Some(subject.role),
        name: subject.name,
        before: seen.before,
        after: seen.after,
        near: near.into_iter().flatten().next(),
        id: seen.id,
        offscreen: false,
    }
}
