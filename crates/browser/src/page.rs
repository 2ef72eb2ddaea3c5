//! One page: what is known of it without asking, kept up by its events.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OnceCell, watch};
use tokio::time::{Instant, timeout_at};

use sidestick_gate::SurfaceError;
use sidestick_model::observation::{DialogState, PageState};
use sidestick_model::{Deadline, Fate, limits};

use crate::chooser::Chooser;
use crate::frames::{FrameId, Frames};
use crate::injected::ScriptError;
use crate::network::{Messages, Network};
use crate::scroll::Scroller;
use crate::windows::Windows;

/// A page of the browser.
#[derive(Debug)]
pub(crate) struct Page {
    /// The target's id; the id of its main frame too.
    pub(crate) id: String,
    /// The protocol session that speaks to it.
    pub(crate) session: String,
    /// Position in the order in which pages were first seen.
    pub(crate) number: u64,
    /// The page that opened it.
    pub(crate) opener: Option<String>,
    known: Mutex<Known>,
    /// Reads under way, by question; equal ones are joined (BR-375).
    pub(crate) reads: Mutex<HashMap<String, Arc<OnceCell<Read>>>>,
    version: watch::Sender<u64>,
}

/// What a read of a page came to, shared by everyone who asked the same.
pub(crate) type Read = Result<serde_json::Value, ScriptError>;

/// What is known of a page.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) url: String,
    pub(crate) title: String,
    /// Documents before the one shown.
    pub(crate) document: u32,
    /// The isolated world of the page scripts in the document shown.
    pub(crate) world: Option<i64>,
    /// Whether the document's parsing has ended.
    pub(crate) is_parsed: bool,
    /// Whether the main frame is loading.
    pub(crate) is_loading: bool,
    /// How often the main frame began to load.
    pub(crate) loads: u32,
    /// When the address last moved inside the document while nobody acted; at most two are kept.
    pub(crate) own_moves: Vec<Instant>,
    /// Whether the page took another address since the dispatch, and its own scripts say that
    /// nothing ties that to the input.
    pub(crate) leaves_by_itself: bool,
    pub(crate) dialog: Option<DialogState>,
    /// How many dialogs have opened.
    pub(crate) dialogs: u32,
    /// The windows it has asked for.
    pub(crate) windows: Windows,
    /// Whether the page holds the pointer.
    pub(crate) has_pointer: bool,
    /// Whether a PDF is shown, which no page script reads.
    pub(crate) is_pdf: bool,
    /// The file chooser the page opened and nobody answered.
    pub(crate) chooser: Option<Chooser>,
    /// How many file choosers have opened.
    pub(crate) choosers: u32,
    /// Why the files of the act under way reached no input, though it pressed for one.
    pub(crate) ungiven: Option<String>,
    pub(crate) is_closed: bool,
    pub(crate) is_crashed: bool,
    /// Whether the browser has gone, and the page with it (BR-040).
    pub(crate) is_gone: bool,
    pub(crate) network: Network,
    pub(crate) refs: Refs,
    pub(crate) frames: Frames,
    /// The documents in frames that were read right before the last dispatch.
    pub(crate) armed: HashMap<FrameId, i64>,
    /// What the last dispatch was to scroll, as it stood before.
    pub(crate) scrolls: Option<Scroller>,
    /// Where the pointer was left.
    pub(crate) pointer: [f64; 2],
    /// The document that has seen the pointer there, and the lease epoch it was moved in.
    pub(crate) pointer_seen_in: Option<(u32, u64)>,
    /// The state right before the last dispatch.
    pub(crate) mark: Mark,
    /// Whether an act's effect is being looked for.
    pub(crate) is_acting: bool,
    pub(crate) blocked: Newest,
}

impl Known {
    /// Returns whether the page has been set going since the dispatch by what its own scripts cannot
    /// tell us of: a request, an answer on an open connection, another thread.
    pub(crate) fn asked_since_mark(&self) -> bool {
        let Mark { request, messages, .. } = self.mark;
        self.network.asked_since(request, messages)
    }

    /// Returns whether a window that has just opened has come to show something, or never will.
    pub(crate) fn shows_something(&self) -> bool {
        let is_over = self.is_closed || self.is_crashed || self.is_gone || self.dialog.is_some();
        is_over || 0 < self.document && self.is_parsed
    }
}

/// The newest of what happened by itself, and how many there were.
#[derive(Debug, Default)]
pub(crate) struct Newest {
    kept: VecDeque<String>,
    count: usize,
}

impl Newest {
    // LIMIT: the oldest is dropped for one more; whoever asks for it is told how many are missing.
    pub(crate) fn push(&mut self, text: String) {
        if self.kept.len() == limits::PAGE_EVENTS_KEPT_MAX {
            self.kept.pop_front();
        }
        self.kept.push_back(text);
        self.count += 1;
    }

    /// Returns how many there have been.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Returns what came after the first `mark`; what was dropped of it is counted in words.
    pub(crate) fn since(&self, mark: usize) -> Vec<String> {
        let wanted = self.count.saturating_sub(mark);
        let dropped = wanted.saturating_sub(self.kept.len());
        let kept = self.kept.iter().skip(self.kept.len().saturating_sub(wanted)).cloned();
        let words = (dropped != 0).then(|| format!("(and {dropped} before these)"));
        words.into_iter().chain(kept).collect()
    }
}

/// Which refs belong to which document (D4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Refs {
    /// The highest element number a caller may have seen.
    pub(crate) seen: u64,
    /// The first element number of the document shown.
    pub(crate) start: u64,
    /// The highest frame number a caller may have seen.
    pub(crate) frames_seen: u64,
}

/// What the page was right before a dispatch.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mark {
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) document: u32,
    /// Loads of the main frame that had begun.
    pub(crate) loads: u32,
    /// Requests with a higher number began after the dispatch.
    pub(crate) request: u64,
    /// Messages that had gone out and come in on open connections.
    pub(crate) messages: Messages,
    /// Pages with a higher number opened after the dispatch.
    pub(crate) page_number: u64,
    pub(crate) blocked: usize,
    /// Downloads with a higher number began after the dispatch.
    pub(crate) download: u64,
    pub(crate) dialog_was_open: bool,
    /// Dialogs that had opened.
    pub(crate) dialogs: u32,
    /// Windows that had been asked for.
    pub(crate) windows: u32,
    /// Windows that had opened.
    pub(crate) windows_opened: u32,
    /// File choosers that had opened.
    pub(crate) choosers: u32,
    /// Whether the page keeps changing its address by itself.
    pub(crate) url_moves_by_itself: bool,
    pub(crate) at: Option<Instant>,
}

impl Page {
    pub(crate) fn new(
        id: String,
        session: String,
        number: u64,
        url: String,
        opener: Option<String>,
    ) -> Page {
        let known = Known {
            url,
            title: String::new(),
            document: 0,
            world: None,
            is_parsed: false,
            is_loading: false,
            loads: 0,
            own_moves: Vec::new(),
            leaves_by_itself: false,
            dialog: None,
            dialogs: 0,
            windows: Windows::default(),
            has_pointer: false,
            is_pdf: false,
            chooser: None,
            choosers: 0,
            ungiven: None,
            is_closed: false,
            is_crashed: false,
            is_gone: false,
            network: Network::default(),
            refs: Refs { seen: 0, start: 1, frames_seen: 0 },
            frames: Frames::default(),
            armed: HashMap::new(),
            scrolls: None,
            pointer: [0.0, 0.0],
            pointer_seen_in: None,
            mark: Mark::default(),
            is_acting: false,
            blocked: Newest::default(),
        };
        let (version, _) = watch::channel(0);
        let (known, reads) = (Mutex::new(known), Mutex::new(HashMap::new()));
        Page { id, session, number, opener, known, reads, version }
    }

    /// Shows what is known; nothing may be awaited meanwhile.
    pub(crate) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes what is known and wakes whoever waits for it.
    pub(crate) fn update(&self, change: impl FnOnce(&mut Known)) {
        change(&mut self.known());
        self.version.send_modify(|version| *version += 1);
    }

    /// Waits until `holds`, the deadline, or the end of the browser; false unless it holds then.
    pub(crate) async fn until(
        &self,
        deadline: Deadline,
        mut holds: impl FnMut(&Known) -> bool,
    ) -> bool {
        let mut version = self.version.subscribe();
        loop {
            if holds(&self.known()) {
                return true;
            }
            if self.known().is_gone {
                return false;
            }
            match timeout_at(deadline.instant(), version.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return holds(&self.known()),
            }
        }
    }

    /// Returns the page as told to callers.
    pub(crate) fn state(&self) -> PageState {
        let known = self.known();
        PageState {
            id: self.id.clone(),
            url: known.url.clone(),
            title: known.title.clone(),
            document: known.document,
            opener: self.opener.clone(),
        }
    }

    /// Returns the failure of a page that is gone, if it is.
    pub(crate) fn gone(&self) -> Option<SurfaceError> {
        let known = self.known();
        let fate = Fate::NotSent;
        if known.is_gone {
            return Some(SurfaceError::BrowserGone { fate });
        }
        match (known.is_crashed, known.is_closed) {
            (true, _) => Some(SurfaceError::PageCrashed { fate }),
            (false, true) => Some(SurfaceError::PageClosed { fate }),
            (false, false) => None,
        }
    }

    /// Remembers the highest refs of an answer, so that no later document gives them again.
    pub(crate) fn saw_refs<'a>(&self, refs: impl Iterator<Item = &'a str>) {
        let mut known = self.known();
        for id in refs {
            let (frame, element) = split_ref(id);
            if known.frames.saw(frame, element) {
                continue;
            }
            known.refs.seen = known.refs.seen.max(element);
            known.refs.frames_seen = known.refs.frames_seen.max(frame);
        }
    }

    /// Sets the mark of a dispatch.
    pub(crate) fn mark(&self, page_number: u64, download: u64) {
        let mut known = self.known();
        known.is_acting = true;
        known.leaves_by_itself = false;
        known.ungiven = None;
        let lately = |at: &&Instant| at.elapsed() < Duration::from_secs(2);
        let own_moves = known.own_moves.iter().filter(lately).count();
        known.mark = Mark {
            url: known.url.clone(),
            title: known.title.clone(),
            document: known.document,
            loads: known.loads,
            request: known.network.last(),
            messages: known.network.messages(),
            page_number,
            blocked: known.blocked.count(),
            download,
            dialog_was_open: known.dialog.is_some(),
            dialogs: known.dialogs,
            windows: known.windows.asked,
            windows_opened: known.windows.opened,
            choosers: known.choosers,
            url_moves_by_itself: own_moves == 2,
            at: Some(Instant::now()),
        };
    }

    /// Returns whether the page has been set going since the dispatch by what its own scripts cannot
    /// tell us of: a request, an answer on an open connection, another thread.
    pub(crate) fn asked_since_mark(&self) -> bool {
        self.known().asked_since_mark()
    }

    /// Returns whether the main frame began to load after the dispatch and still does. A load from
    /// before, held open by a picture that never comes, is not the action's.
    pub(crate) fn loads_since_mark(known: &Known) -> bool {
        known.is_loading && known.mark.loads < known.loads
    }

    /// Waits for an open main-frame load to end, at most `limit`.
    pub(crate) async fn parsed(&self, limit: Duration, deadline: Deadline) -> bool {
        let deadline = deadline.within(limit);
        self.until(deadline, |known| {
            known.is_closed
                || known.is_crashed
                || known.dialog.is_some()
                || known.is_parsed && known.world.is_some()
        })
        .await
    }
}

/// Splits `f1e3` and `f1.2e3` into 1 and 3, `e12` into 0 and 12.
pub(crate) fn split_ref(id: &str) -> (u64, u64) {
    let number = |text: &str| text.parse().unwrap_or(0);
    match id.strip_prefix('f').and_then(|rest| rest.split_once('e')) {
        Some((frames, element)) => {
            let outer = frames.split_once('.').map_or(frames, |(outer, _)| outer);
            (number(outer), number(element))
        }
        None => (0, id.strip_prefix('e').map_or(0, number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_the_newest_are_kept_and_the_rest_is_counted() {
        let mut newest = Newest::default();
        for number in 0..limits::PAGE_EVENTS_KEPT_MAX + 3 {
            newest.push(number.to_string());
        }
        let count = newest.count();

        let all = newest.since(0);

        assert_eq!(count, limits::PAGE_EVENTS_KEPT_MAX + 3);
        assert_eq!((all.len(), all[0].as_str()), (count - 2, "(and 3 before these)"));
        assert_eq!(newest.since(count - 1), [(count - 1).to_string()]);
        assert_eq!(newest.since(count), Vec::<String>::new());
    }
}
