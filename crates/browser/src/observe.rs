//! Reading a page: its outline, a search, its text.

use serde::Deserialize;
use serde_json::json;

use sidestick_gate::{Looking, SurfaceError};
use sidestick_model::call::{FindAsk, Found, TabSeen};
use sidestick_model::observation::{Node, Omitted, Reading, Scope};
use sidestick_model::{Deadline, Fate, limits};

use crate::chooser::Chooser;
use crate::injected::{self, ScriptError};
use crate::page::Page;
use crate::session::Chromium;

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
        let outline: Outline = loop {
            let read = injected::read_joined(&self.connection, &page, "outline", &args, deadline);
            match read.await {
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
            budget: 0,
        };
        Ok(reading)
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
            viewport: [0, limits::VIEWPORT_HEIGHT, limits::VIEWPORT_HEIGHT],
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
        let all: FoundAll =
            injected::read(&self.connection, &page, "find", &args, deadline).await?;
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
        Ok((read.text, read.truncated, read.total_chars))
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
            let args = json!({"kind": kind, "value": value, "timeout_ms": timeout_ms,
                "quiet_ms": 300});
            // The page answers at its own deadline; ours only bounds a page that does not.
            let patience = Deadline::of_limit(deadline.left() + std::time::Duration::from_secs(1));
            let waited: Result<Waited, _> =
                injected::read_once(&self.connection, &page, "wait", &args, patience).await;
            match waited {
                Ok(waited) => return Ok(waited.held),
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
