//! The two readings around a dispatch, in every document of a page at once: `arm` before it,
//! `settle` after it (I4). What one document cannot see, another may show.

use futures_util::future::{join_all, select_all};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

use sidestick_gate::SurfaceError;
use sidestick_model::Deadline;
use sidestick_model::observation::{Change, Cover, Subject};

use crate::frames::{self, Found};
use crate::injected::{self, ScriptError};
use crate::page::Page;
use crate::session::Chromium;

/// What the reading before a dispatch is about.
pub(crate) struct ArmAsk<'a> {
    pub(crate) element: Option<&'a str>,
    pub(crate) point: Option<[f64; 2]>,
    pub(crate) focus: Option<&'a str>,
    /// As the page script reads it.
    pub(crate) expect: Value,
}

/// The reading right before a dispatch, and what would be hit.
#[derive(Debug, Deserialize)]
pub(crate) struct Armed {
    pub(crate) hit: Hit,
    pub(crate) focused_ok: bool,
    pub(crate) x: Option<f64>,
    pub(crate) y: Option<f64>,
    /// What the element means at that instant.
    #[serde(default)]
    pub(crate) subject: Option<Subject>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Hit {
    pub(crate) ok: bool,
    pub(crate) cover: Option<Cover>,
}

/// What the page scripts saw since the reading before the dispatch.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Seen {
    pub(crate) state: String,
    pub(crate) still_changing: bool,
    /// Whether the page changed and nothing ties any of it to the input.
    pub(crate) untied: bool,
    pub(crate) expect_held: bool,
    pub(crate) changes: Vec<Change>,
    pub(crate) changes_dropped: u32,
    pub(crate) signals: Flags,
    pub(crate) noise: Vec<Change>,
    pub(crate) blind: Vec<String>,
    pub(crate) focus: Option<String>,
    pub(crate) submitted: bool,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "one flag for each signal of the page")]
pub(crate) struct Flags {
    pub(crate) tree: bool,
    pub(crate) value: bool,
    pub(crate) focus: bool,
    pub(crate) title: bool,
    pub(crate) url: bool,
}

impl Seen {
    /// Returns whether nothing but the focus has moved.
    pub(crate) fn shows_nothing(&self) -> bool {
        let flags = self.signals;
        !(flags.tree || flags.value || flags.title || flags.url)
    }

    /// Returns whether looking may end with this.
    fn ends_looking(&self) -> bool {
        self.state == "expected" || self.state == "changed"
    }

    /// Adds what a frame has seen; its own address, title and focus are not the page's.
    fn add(&mut self, other: Seen, expects_absence: bool) {
        let rank = |state: &str| match state {
            "expected" => 3,
            "changed" => 2,
            "cap" => 1,
            _ => 0,
        };
        if rank(&self.state) < rank(&other.state) {
            self.state.clone_from(&other.state);
        }
        self.expect_held = if expects_absence {
            self.expect_held && other.expect_held
        } else {
            self.expect_held || other.expect_held
        };
        self.still_changing |= other.still_changing;
        self.untied |= other.untied;
        self.signals.tree |= other.signals.tree;
        self.signals.value |= other.signals.value;
        self.signals.focus |= other.signals.focus;
        self.submitted |= other.submitted;
        self.changes.extend(other.changes);
        self.changes_dropped = self.changes_dropped.saturating_add(other.changes_dropped);
        self.noise.extend(other.noise);
        self.blind.extend(other.blind);
    }
}

/// A document that has come into a frame since the reading before the dispatch.
fn replaced(by_itself: bool, found: &Found) -> Seen {
    let change = Change {
        kind: "appeared".to_owned(),
        role: Some("iframe".to_owned()),
        after: Some("a new document".to_owned()),
        id: Some(found.place.id.clone()),
        ..Change::default()
    };
    if by_itself {
        return Seen { state: "quiet".to_owned(), noise: vec![change], ..Seen::default() };
    }
    let signals = Flags { tree: true, ..Flags::default() };
    Seen { state: "changed".to_owned(), changes: vec![change], signals, ..Seen::default() }
}

impl Chromium {
    /// Takes the reading right before a dispatch in every document; what would be hit has to be
    /// hit in every one on the way to the element.
    pub(crate) async fn arm_everywhere(
        &self,
        page: &Page,
        ask: &ArmAsk<'_>,
        deadline: Deadline,
    ) -> Result<Armed, SurfaceError> {
        let all = frames::find(&self.connection, page, deadline).await;
        let args = |element: Option<&str>, focus: Option<&str>, point: Option<[f64; 2]>| json!({"ref": element, "point": point, "focus_ref": focus, "expect": ask.expect});
        if all.is_empty() {
            page.known().armed.clear();
            let args = args(ask.element, ask.focus, ask.point);
            return injected::read(&self.connection, page, "arm", &args, deadline).await;
        }
        let about = ask.element.or(ask.focus);
        let target = about.and_then(|id| frames::of_ref(&page.known(), id));
        let path = target.as_deref().map(|frame| frames::path(&all, frame)).unwrap_or_default();
        // In the documents above it the element stands behind the frame it is in.
        let stands_for = |above: Option<&str>| {
            let link = path.iter().find(|found| found.above.as_deref() == above);
            let link = link.map(|found| found.place.id.as_str());
            args(link.and(ask.element).and(link), link.and(ask.focus).and(link), ask.point)
        };
        let everywhere = std::iter::once(None).chain(all.iter().map(Some));
        let (mut armed, mut covers, mut are_hit, mut are_focused) =
            (None::<Armed>, None, true, true);
        let readings = join_all(everywhere.map(|found| {
            let frame = found.map(|found| found.frame.as_str());
            let is_target = frame == target.as_deref();
            let is_above = frame.is_none() && target.is_some()
                || path.iter().any(|on_way| on_way.above.as_deref() == frame) && !is_target;
            let args = match (is_target, is_above) {
                (true, _) => args(ask.element, ask.focus, ask.point),
                (false, true) => stands_for(frame),
                (false, false) => args(None, None, None),
            };
            async move {
                let read = injected::read_in::<Armed>(
                    &self.connection,
                    page,
                    frame,
                    "arm",
                    &args,
                    deadline,
                );
                (is_target, is_target || is_above, read.await)
            }
        }))
        .await;
        for (is_target, is_on_way, read) in readings {
            let reading = match read {
                Ok(reading) => reading,
                // Only a document on the way has to answer.
                Err(error) if is_on_way => return Err(error.into_surface("arm")),
                Err(_) => continue,
            };
            if is_on_way {
                are_hit &= reading.hit.ok;
                are_focused &= reading.focused_ok;
                covers = covers.or(reading.hit.cover.clone());
            }
            armed = if is_target { Some(reading) } else { armed };
        }
        page.known().armed = all.iter().map(|found| (found.frame.clone(), found.world)).collect();
        let mut armed =
            armed.ok_or(SurfaceError::Unsupported { what: "read a frame that went" })?;
        armed.hit = Hit { ok: are_hit, cover: covers };
        armed.focused_ok = are_focused;
        Ok(armed)
    }

    /// Looks in every document for what a dispatch has changed, until one has seen it.
    pub(crate) async fn settle_everywhere(
        &self,
        page: &Page,
        expect: &Value,
        cap: Deadline,
    ) -> Result<Seen, ScriptError> {
        let all = frames::find(&self.connection, page, cap).await;
        if all.is_empty() {
            return self.settle_in(page, None, expect, cap).await;
        }
        let mut left: Vec<_> = std::iter::once(None)
            .chain(all.iter().map(Some))
            .map(|found| {
                Box::pin(async move { (found, self.settle_of(page, found, expect, cap).await) })
            })
            .collect();
        let expects_absence = expect.get("kind").and_then(Value::as_str) == Some("gone");
        let mut seen: Option<Seen> = None;
        let mut waits = true;
        while waits && !left.is_empty() {
            let ((found, read), _, rest) = select_all(left).await;
            left = rest;
            let one = match read {
                Ok(one) => one,
                Err(error) if found.is_none() => return Err(error),
                Err(_) => continue,
            };
            waits = !one.ends_looking() || expects_absence;
            match &mut seen {
                Some(seen) => seen.add(one, expects_absence),
                None => seen = Some(one),
            }
        }
        drop(left);
        if waits {
            return Ok(seen.unwrap_or_default());
        }
        // One has seen its effect: the others are asked what they have by now.
        self.seen_by_now(page, &all, expect, expects_absence).await
    }

    async fn seen_by_now(
        &self,
        page: &Page,
        all: &[Found],
        expect: &Value,
        expects_absence: bool,
    ) -> Result<Seen, ScriptError> {
        let soon = Deadline::of_limit(Duration::from_millis(1));
        let everywhere = std::iter::once(None).chain(all.iter().map(Some));
        let read =
            join_all(everywhere.map(|found| self.settle_of(page, found, expect, soon))).await;
        let mut seen: Option<Seen> = None;
        for (at, one) in read.into_iter().enumerate() {
            match (one, &mut seen) {
                (Ok(one), Some(seen)) => seen.add(one, expects_absence),
                (Ok(one), None) => seen = Some(one),
                (Err(error), _) if at == 0 => return Err(error),
                (Err(_), _) => {}
            }
        }
        let mut seen = seen.unwrap_or_default();
        seen.state = if seen.expect_held { "expected" } else { "changed" }.to_owned();
        Ok(seen)
    }

    async fn settle_of(
        &self,
        page: &Page,
        found: Option<&Found>,
        expect: &Value,
        cap: Deadline,
    ) -> Result<Seen, ScriptError> {
        let Some(found) = found else { return self.settle_in(page, None, expect, cap).await };
        let by_itself = {
            let known = page.known();
            let was = known.armed.get(&found.frame);
            let is_new = was != Some(&found.world);
            is_new.then(|| known.frames.reloads_by_itself(&found.frame))
        };
        match by_itself {
            Some(by_itself) => Ok(replaced(by_itself, found)),
            None => self.settle_in(page, Some(&found.frame), expect, cap).await,
        }
    }

    async fn settle_in(
        &self,
        page: &Page,
        frame: Option<&str>,
        expect: &Value,
        cap: Deadline,
    ) -> Result<Seen, ScriptError> {
        let cap_ms = u64::try_from(cap.left().as_millis()).unwrap_or(0).max(1);
        let asked = page.asked_since_mark();
        let args = json!({"cap_ms": cap_ms, "expect": expect, "asked": asked});
        // The page answers at the cap; a page that does not is not waited for much longer.
        let patience = Deadline::of_limit(cap.left() + Duration::from_secs(2));
        injected::read_in(&self.connection, page, frame, "settle", &args, patience).await
    }
}
