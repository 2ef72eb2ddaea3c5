//! Reading a page: its outline, a search, its text.

use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::{Value, json};

use sidestick_gate::{Looking, SurfaceError};
use sidestick_model::call::{FindAsk, Found, TabSeen};
use sidestick_model::observation::{Node, Omitted, Reading, Scope};
use sidestick_model::{Deadline, Fate, limits};

use crate::chooser::Chooser;
use crate::closed;
use crate::frames;
use crate::injected::{self, ScriptError};
use crate::page::Page;
use crate::session::Chromium;

/// How long nothing in view may change, where a wait for stillness does not say.
const QUIET_MS: u64 = 300;
/// What is told of a PDF that is shown instead of a page.
pub(crate) const PDF: &str = "a PDF document, which is shown and not read";

#[derive(Deserialize)]
struct Outline {
    #[serde(default)]
    url: String,
    #[serde(default)]
    title: String,
    viewport: Size,
    scroll: Scrolled,
    page: Size,
    nodes: Vec<Node>,
    #[serde(default)]
    truncated: bool,
    #[serde(default)]
    omitted: OutlineOmitted,
    focus: Option<String>,
    #[serde(default)]
    blind: Vec<String>,
    /// Elements that may host a closed shadow tree and were not asked about yet.
    #[serde(default)]
    suspects: u32,
    /// What the refs of the document begin with, in a frame.
    #[serde(default)]
    own: Option<String>,
}

#[derive(Deserialize)]
struct Size {
    #[serde(default)]
    height: f64,
}

#[derive(Deserialize)]
struct Scrolled {
    #[serde(default)]
    y: f64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OutlineOmitted {
    above: u32,
    below: u32,
    hidden: u32,
    frames: u32,
    rows: u32,
    canvas: u32,
    controls: u32,
}

impl OutlineOmitted {
    fn add(&mut self, other: &OutlineOmitted) {
        for (own, more) in [
            (&mut self.above, other.above),
            (&mut self.below, other.below),
            (&mut self.hidden, other.hidden),
            (&mut self.frames, other.frames),
            (&mut self.rows, other.rows),
            (&mut self.canvas, other.canvas),
        ] {
            *own = own.saturating_add(more);
        }
    }
}

/// Puts the nodes of a frame behind the node at `at`, one deeper; cells keep naming their nodes.
fn splice(nodes: &mut Vec<Node>, at: usize, mut inner: Vec<Node>) {
    let depth = nodes.get(at).map_or(0, |node| node.depth).saturating_add(1);
    let count = u32::try_from(inner.len()).unwrap_or(u32::MAX);
    let at_index = u32::try_from(at).unwrap_or(u32::MAX);
    for node in &mut inner {
        node.depth = node.depth.saturating_add(depth);
        shift_cells(node, 0, at_index.saturating_add(1));
    }
    for node in nodes.iter_mut() {
        shift_cells(node, at_index.saturating_add(1), count);
    }
    let behind = at.saturating_add(1).min(nodes.len());
    nodes.splice(behind..behind, inner);
}

/// Adds `by` to every cell's index that is at least `from`.
fn shift_cells(node: &mut Node, from: u32, by: u32) {
    let cells = node.extra.as_mut().and_then(|extra| extra.cells.as_mut());
    for index in cells.into_iter().flatten().filter_map(|cell| cell.index.as_mut()) {
        if from <= *index {
            *index = index.saturating_add(by);
        }
    }
}

#[derive(Deserialize)]
struct FoundAll {
    matches: Vec<Found>,
    total: u32,
}

#[derive(Deserialize)]
struct TextRead {
    text: String,
    truncated: bool,
    total_chars: u64,
    found: bool,
}

#[derive(Deserialize)]
struct Waited {
    held: bool,
}

/// Keeps a coordinate in the range a page can have.
fn px(value: f64) -> u32 {
    // The clamp makes the cast exact.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let px = value.clamp(0.0, f64::from(u32::MAX)) as u32;
    px
}

impl Chromium {
    /// Lists the open pages.
    pub(crate) fn tabs_seen(&self) -> Vec<TabSeen> {
        let current = self.shared.page().map(|page| page.id.clone());
        let seen = |page: &std::sync::Arc<Page>| TabSeen {
            page: page.state(),
            current: Some(&page.id) == current.as_ref(),
        };
        self.shared.all().iter().map(seen).collect()
    }

    /// Reads the outline of the page acts go to. A page held by a dialog is told as such.
    pub(crate) async fn read_outline(
        &self,
        looking: &Looking,
        deadline: Deadline,
    ) -> Result<Reading, SurfaceError> {
        let page = self.page()?;
        let args = json!({
            "scope": looking.scope,
            "within": looking.within,
            "query": looking.query,
            "nodes_max": limits::OUTLINE_NODES_MAX,
            "chars_max": looking.max_chars,
        });
        let found = frames::find(&self.connection, &page, deadline).await;
        let mut opens = true;
        let mut outline: Outline = loop {
            let read = injected::read_joined(&self.connection, &page, "outline", &args, deadline);
            match read.await {
                Ok(Outline { suspects: 1.., .. }) if opens => {
                    opens = false;
                    let connection = &self.connection;
                    closed::open_suspects(connection, &page, None, false, deadline).await;
                }
                Ok(outline) => break outline,
                Err(ScriptError::Replaced) if !deadline.has_passed() => {}
                Err(ScriptError::Dialog(_)) => return Ok(self.held_by_dialog(&page, looking)),
                Err(ScriptError::Threw) if looking.within.is_some() => {
                    let selector = looking.within.clone().unwrap_or_default();
                    return Err(SurfaceError::BadSelector { selector });
                }
                Err(error) => return Err(error.into_surface("outline")),
            }
        };
        if looking.within.is_none() && !found.is_empty() {
            self.read_frames_into(&mut outline, &page, &found, &args, deadline).await;
        }
        page.saw_refs(outline.nodes.iter().filter_map(|node| node.id.as_deref()));
        page.saw_refs(outline.focus.as_deref().into_iter());
        page.update(|known| {
            known.title = outline.title.chars().take(limits::PAGE_TEXT_MAX).collect();
            if !outline.url.is_empty() {
                known.url.clone_from(&outline.url);
            }
        });
        let top = outline.scroll.y;
        let mut reading = self.held_by_dialog(&page, looking);
        reading.viewport = [px(top), px(top + outline.viewport.height), px(outline.page.height)];
        reading.nodes = outline.nodes;
        reading.truncated = outline.truncated;
        reading.focus = outline.focus;
        reading.blind = outline.blind;
        if page.known().is_pdf {
            reading.blind.push(PDF.to_owned());
        }
        let left = outline.omitted;
        reading.omitted = Omitted {
            above: left.above,
            below: left.below,
            hidden: left.hidden,
            frames: left.frames,
            rows: left.rows,
            canvas: left.canvas,
            budget_controls: left.controls,
            ..Omitted::default()
        };
        Ok(reading)
    }

    /// Puts what the frames show where the outline has their elements. What a frame does not
    /// answer stays counted as not read.
    async fn read_frames_into(
        &self,
        outline: &mut Outline,
        page: &Page,
        found: &[frames::Found],
        args: &Value,
        deadline: Deadline,
    ) {
        let is_viewport = args.get("scope").and_then(Value::as_str) == Some("viewport");
        for frame in found.iter().filter(|frame| !is_viewport || frame.place.is_in_view()) {
            let place =
                outline.nodes.iter().position(|node| node.id.as_ref() == Some(&frame.place.id));
            let Some(at) = place else { continue };
            let Some(inner) = self.outline_of(page, &frame.frame, args, deadline).await else {
                continue;
            };
            outline.omitted.frames = outline.omitted.frames.saturating_sub(1);
            let number = inner.own;
            if let Some(node) = outline.nodes.get_mut(at) {
                node.extra.get_or_insert_default().frame = number;
            }
            outline.truncated |= inner.truncated;
            outline.omitted.add(&inner.omitted);
            outline.blind.extend(inner.blind);
            // The focus of a frame counts when the page's is on the frame.
            if outline.focus.as_ref() == Some(&frame.place.id) && inner.focus.is_some() {
                outline.focus = inner.focus;
            }
            splice(&mut outline.nodes, at, inner.nodes);
        }
        if outline.omitted.frames == 0 {
            outline.blind.retain(|what| what != "frame");
        }
        outline.blind.sort();
        outline.blind.dedup();
    }

    async fn outline_of(
        &self,
        page: &Page,
        frame: &str,
        args: &Value,
        deadline: Deadline,
    ) -> Option<Outline> {
        let limit = deadline.within(limits::FRAME_ANSWER_TIME_MAX);
        let read = || async {
            let connection = &self.connection;
            let read = injected::read_in(connection, page, Some(frame), "outline", args, limit);
            read.await.ok()
        };
        let outline: Outline = read().await?;
        if outline.suspects == 0 {
            return Some(outline);
        }
        let opened = closed::open_suspects(&self.connection, page, Some(frame), false, limit).await;
        if opened { read().await } else { Some(outline) }
    }

    /// What is known of a page without asking it.
    fn held_by_dialog(&self, page: &Page, looking: &Looking) -> Reading {
        let dialog = {
            let known = page.known();
            known.dialog.clone().or_else(|| known.chooser.as_ref().map(Chooser::told))
        };
        let pages = self.tabs_seen().into_iter().map(|tab| (tab.page, tab.current)).collect();
        Reading {
            page: page.state(),
            scope: looking.scope,
            viewport: {
                let [_, height] = self.shared.emulation.viewport;
                [0, height, height]
            },
            dialog,
            pages,
            ..Reading::default()
        }
    }

    pub(crate) async fn search(
        &self,
        ask: &FindAsk,
        deadline: Deadline,
    ) -> Result<(Vec<Found>, u32), SurfaceError> {
        let page = self.page()?;
        let scope = match ask.scope {
            Scope::Viewport => "viewport",
            Scope::Document => "document",
        };
        let args = json!({
            "role": ask.role, "name": ask.name, "name_exact": true, "text": ask.text,
            "near": ask.near, "scope": scope, "limit": ask.limit,
        });
        let mut all: FoundAll =
            injected::read(&self.connection, &page, "find", &args, deadline).await?;
        if all.total == 0
            && closed::open_suspects(&self.connection, &page, None, true, deadline).await
        {
            all = injected::read(&self.connection, &page, "find", &args, deadline).await?;
        }
        for frame in frames::find(&self.connection, &page, deadline).await {
            let limit = deadline.within(limits::FRAME_ANSWER_TIME_MAX);
            let id = Some(frame.frame.as_str());
            let inner: Result<FoundAll, _> =
                injected::read_in(&self.connection, &page, id, "find", &args, limit).await;
            // A frame that does not answer shows nothing.
            let Ok(inner) = inner else { continue };
            all.total = all.total.saturating_add(inner.total);
            let room = ask.limit.saturating_sub(all.matches.len());
            all.matches.extend(inner.matches.into_iter().take(room));
        }
        page.saw_refs(all.matches.iter().map(|found| found.id.as_str()));
        Ok((all.matches, all.total))
    }

    pub(crate) async fn read_text(
        &self,
        target: Option<&str>,
        max_chars: usize,
        deadline: Deadline,
    ) -> Result<(String, bool, u64), SurfaceError> {
        let page = self.page()?;
        let args = json!({"ref": target, "max_chars": max_chars});
        let read: TextRead =
            injected::read(&self.connection, &page, "text", &args, deadline).await?;
        if !read.found {
            return Err(crate::resolve::gone("the ref's element is gone", Vec::new()));
        }
        let mut read = read;
        if target.is_none() {
            self.read_frame_texts_into(&mut read, &page, max_chars, deadline).await;
        }
        Ok((read.text, read.truncated, read.total_chars))
    }

    /// Adds the texts of the frames that are in view.
    async fn read_frame_texts_into(
        &self,
        read: &mut TextRead,
        page: &Page,
        max_chars: usize,
        deadline: Deadline,
    ) {
        let found = frames::find(&self.connection, page, deadline).await;
        for frame in found.iter().filter(|frame| frame.place.is_in_view()) {
            let room = max_chars.saturating_sub(read.text.chars().count());
            let args = json!({"ref": null, "max_chars": room.max(1)});
            let limit = deadline.within(limits::FRAME_ANSWER_TIME_MAX);
            let id = Some(frame.frame.as_str());
            let inner: Result<TextRead, _> =
                injected::read_in(&self.connection, page, id, "text", &args, limit).await;
            let Ok(inner) = inner else { continue };
            read.total_chars = read.total_chars.saturating_add(inner.total_chars);
            read.truncated |= inner.truncated || room == 0 && inner.total_chars != 0;
            if room != 0 && !inner.text.is_empty() {
                read.text.push('\n');
                read.text.push_str(&inner.text);
            }
        }
    }

    /// Waits in every document: for what is in one of them, or in none.
    async fn wait_everywhere(
        &self,
        page: &Page,
        kind: &str,
        args: &Value,
        deadline: Deadline,
    ) -> Result<bool, ScriptError> {
        let connection = &self.connection;
        let own = async {
            let waited: Waited =
                injected::read_in(connection, page, None, "wait", args, deadline).await?;
            Ok::<bool, ScriptError>(waited.held)
        };
        if !matches!(kind, "text" | "gone" | "change") {
            return own.await;
        }
        let found = frames::find(connection, page, deadline).await;
        if found.is_empty() {
            return own.await;
        }
        let others = found.iter().map(|frame| async {
            let id = Some(frame.frame.as_str());
            let waited: Result<Waited, _> =
                injected::read_in(connection, page, id, "wait", args, deadline).await;
            waited.map(|waited| waited.held)
        });
        if kind == "gone" {
            let (own, others) = tokio::join!(own, join_all(others));
            // What a frame that is gone showed is gone with it.
            return Ok(own? && others.into_iter().all(|held| held.unwrap_or(true)));
        }
        let mut others: futures_util::stream::FuturesUnordered<_> = others.collect();
        tokio::pin!(own);
        loop {
            tokio::select! {
                own = &mut own => return own,
                Some(held) = futures_util::StreamExt::next(&mut others) => {
                    if held.unwrap_or(false) {
                        return Ok(true);
                    }
                }
            }
        }
    }

    /// Waits in the page, again in the next document, until the deadline.
    pub(crate) async fn wait_for(
        &self,
        kind: &str,
        value: &str,
        deadline: Deadline,
    ) -> Result<bool, SurfaceError> {
        let page = self.page()?;
        if kind == "late" {
            page.until(deadline, |known| known.is_closed || known.is_crashed).await;
            return Ok(false);
        }
        loop {
            let left = deadline.left().as_millis();
            if left == 0 {
                return Ok(false);
            }
            let timeout_ms = u64::try_from(left).unwrap_or(u64::MAX);
            let quiet_ms = value.parse().unwrap_or(QUIET_MS);
            let args = json!({"kind": kind, "value": value, "timeout_ms": timeout_ms,
                "quiet_ms": quiet_ms});
            // The page answers at its own deadline; ours only bounds a page that does not.
            let patience = Deadline::of_limit(deadline.left() + std::time::Duration::from_secs(1));
            let waited = self.wait_everywhere(&page, kind, &args, patience).await;
            match waited {
                Ok(held) => return Ok(held),
                Err(ScriptError::Replaced) if kind == "change" => return Ok(true),
                Err(ScriptError::Replaced) => {}
                Err(ScriptError::Threw) => {
                    return Err(SurfaceError::BadAnswer { what: "wait", fate: Fate::NotSent });
                }
                Err(error) => return Err(error.into_surface("wait")),
            }
        }
    }
}
