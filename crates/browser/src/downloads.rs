//! Downloads as they begin and end: judged by the boundary, held to their limits, waited for.
//!
//! The browser writes each into a private folder under a name of its own making; who takes it over
//! from there is not the driver's to know. Nothing here opens one.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::timeout_at;

use sidestick_gate::{Held, SettleAsk, SurfaceEvent};
use sidestick_model::observation::{Settled, Signal};
use sidestick_model::{Deadline, DownloadSeen, DownloadStatus, Seam, limits};
use sidestick_policy::{Boundary, DocumentKind, Judged, redact};

use crate::connection::Connection;
use crate::page::{Mark, Page};
use crate::protocol::Reply;
use crate::session::Chromium;

/// A download began.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Began {
    guid: String,
    #[serde(default)]
    url: String,
    #[serde(default)]
    suggested_filename: String,
    #[serde(default)]
    pub(crate) frame_id: String,
}

/// Bytes of it came, or it ended.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Moved {
    guid: String,
    #[serde(default)]
    total_bytes: f64,
    #[serde(default)]
    received_bytes: f64,
    #[serde(default)]
    state: String,
}

/// What the browser does with downloads: each goes into `folder` under a name of the browser's.
pub(crate) fn behavior(folder: Option<&Path>) -> Value {
    match folder {
        Some(folder) => json!({"behavior": "allowAndName", "downloadPath": folder,
            "eventsEnabled": true}),
        None => json!({"behavior": "deny", "eventsEnabled": true}),
    }
}

/// The downloads of a browser.
#[derive(Debug)]
pub(crate) struct Downloads {
    boundary: Boundary,
    inside: Mutex<Inside>,
    moved: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Inside {
    all: Vec<Download>,
    /// How many have begun.
    last: u64,
    /// Bytes of those that are whole.
    kept_bytes: u64,
}

#[derive(Debug)]
struct Download {
    number: u64,
    /// The page it belongs to, when that is known.
    page: Option<String>,
    seen: DownloadSeen,
    /// Why it was called off.
    called_off: Option<(DownloadStatus, String)>,
    is_over: bool,
}

impl Downloads {
    pub(crate) fn new(boundary: Boundary) -> Downloads {
        let (moved, _) = watch::channel(0);
        Downloads { boundary, inside: Mutex::default(), moved }
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of the newest download.
    pub(crate) fn last(&self) -> u64 {
        self.inside().last
    }

    /// Takes the beginning of a download; one that may not be kept is called off at once.
    pub(crate) fn began(
        &self,
        connection: &Connection,
        began: Began,
        page: Option<String>,
    ) -> Option<SurfaceEvent> {
        let mut inside = self.inside();
        inside.last = inside.last.saturating_add(1);
        let number = inside.last;
        let called_off = if limits::DOWNLOADS_MAX < usize::try_from(number).unwrap_or(usize::MAX) {
            let why = format!("the run has had its {} downloads", limits::DOWNLOADS_MAX);
            Some((DownloadStatus::TooMany, why))
        } else {
            self.outside(&began.url)
        };
        if called_off.is_some() {
            connection.reply(None, Reply::CancelDownload, &json!({"guid": began.guid}));
        }
        // LIMIT: of more than are told, only their number is kept.
        if limits::DOWNLOADS_TOLD_MAX <= inside.all.len() {
            return Some(SurfaceEvent::DownloadDropped);
        }
        let name: String = began.suggested_filename.chars().take(limits::PAGE_TEXT_MAX).collect();
        let seen = DownloadSeen::begun(began.guid, name, address_of(&began.url));
        let event = SurfaceEvent::DownloadBegan { download: seen.clone() };
        inside.all.push(Download { number, page, seen, called_off, is_over: false });
        drop(inside);
        self.moved.send_modify(|count| *count += 1);
        Some(event)
    }

    /// Judges where a download comes from. What a page made itself is the page's.
    fn outside(&self, url: &str) -> Option<(DownloadStatus, String)> {
        let is_own = url.starts_with("data:");
        let is_inside = self.boundary.judge(url, DocumentKind::TopLevel) == Judged::Inside;
        if is_own || is_inside || Seam::BoundaryFetch.is_broken() {
            return None;
        }
        let why = "its address is outside this run's boundary".to_owned();
        Some((DownloadStatus::Blocked, why))
    }

    /// Takes how far a download has come; one that is too large is called off.
    pub(crate) fn moved(&self, connection: &Connection, moved: &Moved) -> Option<SurfaceEvent> {
        let mut inside = self.inside();
        let kept_bytes = inside.kept_bytes;
        let download = inside.all.iter_mut().find(|one| one.seen.key == moved.guid)?;
        if download.is_over {
            return None;
        }
        download.seen.bytes = bytes_of(moved.received_bytes);
        let is_whole = moved.state == "completed";
        let bytes = download.seen.bytes.max(bytes_of(moved.total_bytes));
        if download.called_off.is_none()
            && let Some(why) = too_large(bytes, kept_bytes)
        {
            download.called_off = Some((DownloadStatus::TooLarge, why));
            connection.reply(None, Reply::CancelDownload, &json!({"guid": moved.guid}));
        }
        if !is_whole && moved.state != "canceled" {
            return None;
        }
        download.is_over = true;
        let (status, reason) = match (download.called_off.take(), is_whole) {
            (Some((status, why)), _) => (status, Some(why)),
            (None, true) => (DownloadStatus::Saved, None),
            (None, false) => {
                (DownloadStatus::Failed, Some("the browser did not get the whole of it".to_owned()))
            }
        };
        (download.seen.status, download.seen.reason) = (status, reason);
        let event = SurfaceEvent::DownloadEnded { download: download.seen.clone() };
        if status == DownloadStatus::Saved {
            inside.kept_bytes = kept_bytes.saturating_add(bytes);
        }
        drop(inside);
        self.moved.send_modify(|count| *count += 1);
        Some(event)
    }

    /// Returns the downloads after `mark` of this page, or of one it opened, as they stand.
    fn since(&self, mark: u64, is_of: impl Fn(&str) -> bool) -> Vec<DownloadSeen> {
        let inside = self.inside();
        let is_it = |one: &&Download| mark < one.number && one.page.as_deref().is_none_or(&is_of);
        inside.all.iter().filter(is_it).map(|one| one.seen.clone()).collect()
    }

    /// Returns how many downloads after `mark` are under way.
    fn open(&self, mark: u64) -> usize {
        let inside = self.inside();
        inside.all.iter().filter(|one| mark < one.number && !one.is_over).count()
    }

    /// Waits until none of those after `mark` is under way, or the deadline.
    async fn ended(&self, mark: u64, deadline: Deadline) {
        let mut moved = self.moved.subscribe();
        while self.open(mark) != 0 {
            let waited = timeout_at(deadline.instant(), moved.changed()).await;
            if !matches!(waited, Ok(Ok(()))) {
                return;
            }
        }
    }
}

/// What a page made itself has an address that is its whole text.
fn address_of(url: &str) -> String {
    if url.starts_with("data:") {
        return url.split([',', ';']).next().unwrap_or_default().chars().take(80).collect();
    }
    redact::address(url).unwrap_or_default()
}

/// Counts of the browser are floating point; the clamp makes the cast exact enough for a length.
fn bytes_of(count: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let bytes = count.clamp(0.0, 9_007_199_254_740_992.0) as u64;
    bytes
}

fn too_large(bytes: u64, kept: u64) -> Option<String> {
    if limits::DOWNLOAD_BYTES_MAX < bytes {
        return Some(format!("it is larger than {} bytes", limits::DOWNLOAD_BYTES_MAX));
    }
    if limits::DOWNLOADS_BYTES_MAX < kept.saturating_add(bytes) {
        let max = limits::DOWNLOADS_BYTES_MAX;
        return Some(format!("the downloads of the run would be larger than {max} bytes"));
    }
    None
}

impl Chromium {
    /// Waits for the downloads an act has begun, within the time its effect is looked for.
    pub(crate) async fn wait_for_downloads(
        &self,
        ask: &SettleAsk<'_>,
        held: &Held,
        page: &Page,
        mark: &Mark,
        deadline: Deadline,
    ) {
        if self.shared.downloads.last() == mark.download || page.known().is_gone {
            return;
        }
        let limit = if ask.action.kind().navigates() {
            limits::SETTLE_NAVIGATION_TIME_MAX
        } else {
            limits::SETTLE_TIME_MAX
        };
        tokio::select! {
            () = self.shared.downloads.ended(mark.download, deadline.within(limit)) => {}
            () = held.cut() => {}
        }
    }

    /// Tells the downloads an act has begun: what came of them, and what is still on its way.
    pub(crate) fn gather_downloads(&self, settled: &mut Settled, page: &Page, mark: &Mark) {
        let is_of = |id: &str| {
            let opened = || self.shared.by_id(id).is_some_and(|p| mark.page_number < p.number);
            id == page.id || opened()
        };
        settled.downloads = self.shared.downloads.since(mark.download, is_of);
        if !settled.downloads.is_empty() {
            settled.signals.push(Signal::Download);
        }
        let is_open = |seen: &&DownloadSeen| seen.status == DownloadStatus::Pending;
        let open = settled.downloads.iter().filter(is_open);
        settled.pending.extend(open.map(|seen| format!("download {}", seen.name)));
    }
}
