//! Windows a page asks for: waited for until they are there, told with who opened them, and those
//! the browser kept from opening.

use std::time::Duration;

use sidestick_gate::{Held, SurfaceEvent, quote};
use sidestick_model::observation::{Settled, Signal};
use sidestick_model::{Deadline, PageState, limits};
use sidestick_policy::redact;
use tokio::time::Instant;

use crate::page::{Mark, Page};
use crate::session::{Chromium, Pages};

/// A window nobody pressed anything for is kept from opening; that is known at once.
const UNASKED_TIME: Duration = Duration::from_millis(200);
/// A window that has not come by then does not come.
const OVERDUE_TIME: Duration = Duration::from_secs(1);

/// The windows one page has asked for.
#[derive(Debug, Default)]
pub(crate) struct Windows {
    /// How many were asked for.
    pub(crate) asked: u32,
    /// How many have come.
    pub(crate) opened: u32,
    /// How many are known not to come.
    missing: u32,
    /// Whether the last one followed a press or a key.
    has_gesture: bool,
    /// The address of the last one.
    url: String,
    at: Option<Instant>,
}

impl Windows {
    pub(crate) fn ask(&mut self, url: String, has_gesture: bool) {
        self.asked = self.asked.saturating_add(1);
        self.has_gesture = has_gesture;
        self.url = url;
        self.at = Some(Instant::now());
    }

    fn awaited(&self) -> u32 {
        self.asked.saturating_sub(self.opened.saturating_add(self.missing))
    }

    /// Gives up on those that have not come, and says how many they are.
    fn give_up(&mut self) -> u32 {
        let missing = self.awaited();
        self.missing = self.missing.saturating_add(missing);
        missing
    }
}

fn blocked(page: &Page, missing: u32, number: u32, url: &str) -> SurfaceEvent {
    let url = redact::address(url).unwrap_or_else(|| "a long address".to_owned());
    SurfaceEvent::Notice {
        key: format!("window-blocked:{}:{number}", page.id),
        text: format!(
            "the browser kept {missing} window(s) from opening that the page asked for, the last \
             at {}",
            quote(&url)
        ),
    }
}

impl Pages {
    /// Tells the windows that were asked for a while ago and have not come.
    pub(crate) fn note_overdue_windows(&self) {
        for page in self.all() {
            let overdue = {
                let mut known = page.known();
                let due = if known.windows.has_gesture { OVERDUE_TIME } else { UNASKED_TIME };
                let is_late = known.windows.at.is_some_and(|at| due < at.elapsed());
                let missing = if is_late { known.windows.give_up() } else { 0 };
                (missing != 0).then(|| (missing, known.windows.asked, known.windows.url.clone()))
            };
            if let Some((missing, number, url)) = overdue {
                self.happened(blocked(&page, missing, number, &url));
            }
        }
    }
}

impl Chromium {
    /// Waits for the windows an act has asked for, and for what they show first.
    pub(crate) async fn wait_for_windows(
        &self,
        held: &Held,
        page: &Page,
        mark: &Mark,
        deadline: Deadline,
    ) {
        let (asked, has_gesture) = {
            let known = page.known();
            (known.windows.asked != mark.windows, known.windows.has_gesture)
        };
        let is_new = |page: &std::sync::Arc<Page>| mark.page_number < page.number;
        if !asked && !self.shared.all().iter().any(is_new) {
            return;
        }
        let limit = if has_gesture { limits::SETTLE_TIME_MAX } else { UNASKED_TIME };
        let cap = deadline.within(limit);
        let waiting = async {
            page.until(cap, |known| known.windows.awaited() == 0 || known.is_closed).await;
            let cap = deadline.within(limits::SETTLE_TIME_MAX);
            for opened in self.shared.all().into_iter().filter(is_new) {
                opened.until(cap, |known| known.shows_something()).await;
            }
        };
        tokio::select! {
            () = waiting => {}
            () = held.cut() => {}
        }
    }

    /// Tells the pages an act has opened, and how many windows did not open.
    pub(crate) fn gather_windows(&self, settled: &mut Settled, page: &Page, mark: &Mark) {
        let all = self.shared.all();
        let opened: Vec<_> = all.iter().filter(|other| mark.page_number < other.number).collect();
        for other in &opened {
            settled.blocked.extend(other.known().blocked.since(0));
        }
        let told = opened.len().min(limits::PAGES_TOLD_MAX);
        settled.new_pages_omitted = u32::try_from(opened.len() - told).unwrap_or(u32::MAX);
        let states: Vec<PageState> = opened.iter().take(told).map(|page| page.state()).collect();
        settled.new_pages = states;
        let came = page.known().windows.opened != mark.windows_opened;
        if came || !settled.new_pages.is_empty() {
            settled.signals.push(Signal::Page);
        }
        let missing = {
            let mut known = page.known();
            let missing = known.windows.give_up();
            (missing != 0).then(|| (missing, known.windows.asked, known.windows.url.clone()))
        };
        if let Some((missing, number, url)) = missing {
            self.shared.happened(blocked(page, missing, number, &url));
        }
    }
}
