//! The effect of a dispatch: the page says what changed, the host adds what one page cannot see
//! (D5): navigation, requests the action started, dialogs, new pages, downloads.

use std::sync::Arc;
use std::time::Duration;

use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use serde_json::json;
use sha2::Sha256;
use tokio::time::Instant;

use sidestick_gate::{Held, Performed, SettleAsk, SurfaceError};
use sidestick_model::observation::{Change, ReadBack, Settled, Signal};
use sidestick_model::{Action, ActionKind, Deadline, Expect, Fate, Seam, TabOp, Typed, limits};

use crate::baseline::Seen;
use crate::chooser::{self, Chooser};
use crate::injected::{self, ScriptError};
use crate::network::BODY_TIME;
use crate::page::{Known, Mark, Page};
use crate::protocol::Reply;
use crate::resolve::expect_args;
use crate::session::Chromium;

/// A page that cannot be read within this time is taken a picture of when it can be.
const EARLY_LOOK_TIME: Duration = Duration::from_millis(100);

/// Time a page gets to stop loading when its act is over.
const STOP_TIME: Duration = Duration::from_millis(500);

/// How looking ended.
enum Looked {
    /// The page said so.
    Page(Box<Seen>),
    /// A new document is shown.
    Document,
    /// A dialog holds the page.
    Dialog,
    /// The page is gone, as the action wanted.
    Closed,
}

#[derive(Deserialize)]
struct RawReadBack {
    found: bool,
    value: Option<String>,
    digest: Option<String>,
    checked: Option<bool>,
    selected: Option<Vec<String>>,
    selected_values: Option<Vec<String>>,
    #[serde(default)]
    is_secret: bool,
    /// Everything by which a part of a date or a time says what it holds.
    #[serde(default)]
    said: Vec<String>,
}

impl Chromium {
    /// Waits for the effect of what was performed, and says what it was.
    pub(crate) async fn settle_performed(
        &self,
        ask: &SettleAsk<'_>,
        held: &Held,
        deadline: Deadline,
    ) -> Result<Settled, SurfaceError> {
        if let Action::Tab { op } = ask.action {
            return Ok(self.settle_pages(ask, op, held, deadline).await);
        }
        let page = self.shared.acted_on().map_or_else(|| self.page(), Ok)?;
        let mark = page.known().mark.clone();
        let dispatched = mark.at.unwrap_or_else(Instant::now);
        let looked = self.look_until_settled(&page, ask, held, &mark, deadline).await;
        page.known().is_acting = false;
        let looked = looked?;
        self.wait_for_windows(held, &page, &mark, deadline).await;
        self.wait_for_downloads(ask, held, &page, &mark, deadline).await;
        let mut settled = self.gather(&page, ask, &mark, dispatched, looked, deadline).await;
        settled.looked_ms = u64::try_from(dispatched.elapsed().as_millis()).unwrap_or(u64::MAX);
        Ok(settled)
    }

    /// What pages are open, and which one acts go to, is known without looking: `perform` has
    /// waited for it.
    async fn settle_pages(
        &self,
        ask: &SettleAsk<'_>,
        op: &TabOp,
        held: &Held,
        deadline: Deadline,
    ) -> Settled {
        let shows = matches!(op, TabOp::Open(_) | TabOp::Switch(_));
        let page = self.shared.page();
        let opened = matches!(op, TabOp::Open(_));
        // The act was marked on the page that was shown before it.
        let marks = self.shared.all().into_iter().map(|page| page.known().mark.clone());
        let mark = marks.max_by_key(|mark| mark.at).unwrap_or_default();
        for page in self.shared.all() {
            page.known().is_acting = false;
        }
        let holds = match op {
            TabOp::Open(_) => true,
            TabOp::Switch(id) => page.as_ref().is_some_and(|page| page.id == *id),
            TabOp::Close(id) => self.shared.by_id(id).is_none(),
        };
        let mut settled = Settled {
            new_document: shows,
            signals: if holds { vec![Signal::Page] } else { Vec::new() },
            new_pages: page.iter().filter(|_| opened).map(|page| page.state()).collect(),
            page: page.as_ref().map(|page| page.state()).unwrap_or_default(),
            ..Settled::default()
        };
        if let Some(page) = page.filter(|_| opened) {
            self.wait_for_downloads(ask, held, &page, &mark, deadline).await;
            self.gather_downloads(&mut settled, &page, &mark);
        }
        settled
    }

    async fn look_until_settled(
        &self,
        page: &Arc<Page>,
        ask: &SettleAsk<'_>,
        held: &Held,
        mark: &Mark,
        deadline: Deadline,
    ) -> Result<Looked, SurfaceError> {
        let cap = if ask.action.kind().navigates() {
            deadline
        } else {
            deadline.within(limits::SETTLE_TIME_MAX)
        };
        let dispatched = mark.at.unwrap_or_else(Instant::now);
        // Who compares pictures waits for the one of the settled page (D26).
        let is_early = ask.expect.kind != sidestick_model::ExpectKind::Screen;
        if is_early && !ask.action.kind().navigates() {
            tokio::select! {
                () = self.capture_early(page, mark, cap.within(EARLY_LOOK_TIME)) => {}
                () = held.cut() => {}
            }
        }
        loop {
            if !held.holds() {
                let fate = Fate::Unknown;
                return Err(SurfaceError::Cut { sent: "the whole action".to_owned(), fate });
            }
            if deadline.has_passed() {
                // A page that never lets itself be read; every way round this loop ends here.
                let fate = Fate::Unknown;
                return Err(SurfaceError::Unresponsive { what: "settle", fate });
            }
            if let Some(ended) = self.ended_by_itself(page, ask, mark, deadline).await? {
                return Ok(ended);
            }
            let seen = tokio::select! {
                seen = self.look_once(page, ask, cap) => seen?,
                () = held.cut() => continue,
            };
            let Some(seen) = seen else { continue };
            let is_open = {
                let known = page.known();
                let requests = known.network.open(mark.request, dispatched);
                let works =
                    seen.shows_nothing() && known.network.ended_lately(mark.request, dispatched);
                !requests.is_empty() || Page::loads_since_mark(&known) || works
            };
            // The page was asked before a request of its was known here.
            let is_tied_now = seen.untied && page.asked_since_mark();
            let done = seen.state == "expected" || seen.state == "cap" || !is_open && !is_tied_now;
            let moved_on = page.known().document != mark.document;
            if (done || cap.has_passed()) && !moved_on {
                return Ok(Looked::Page(Box::new(seen)));
            }
            if !moved_on {
                wait_for_news(page, mark, dispatched, cap).await;
            }
        }
    }

    /// Asks the page once; none when its document was replaced or a dialog came.
    async fn look_once(
        &self,
        page: &Page,
        ask: &SettleAsk<'_>,
        cap: Deadline,
    ) -> Result<Option<Seen>, SurfaceError> {
        match self.settle_everywhere(page, &expect_args(ask.expect), cap).await {
            Ok(seen) => Ok(Some(seen)),
            Err(ScriptError::Replaced | ScriptError::Dialog(_)) => Ok(None),
            Err(ScriptError::Surface(
                SurfaceError::PageClosed { .. } | SurfaceError::PageCrashed { .. },
            )) => Ok(None),
            Err(error) => Err(error.into_surface("settle").after_dispatch()),
        }
    }

    /// Ends the looking for what ends it by itself: a dialog, a closed page, a new document.
    async fn ended_by_itself(
        &self,
        page: &Arc<Page>,
        ask: &SettleAsk<'_>,
        mark: &Mark,
        deadline: Deadline,
    ) -> Result<Option<Looked>, SurfaceError> {
        let (dialog, document, is_closed, is_crashed) = {
            let known = page.known();
            let is_new = known.dialog.is_some() && mark.dialogs < known.dialogs;
            (is_new, known.document, known.is_closed, known.is_crashed)
        };
        if is_crashed {
            return Err(SurfaceError::PageCrashed { fate: Fate::Unknown });
        }
        if is_closed {
            return Ok(Some(Looked::Closed));
        }
        if dialog {
            return Ok(Some(Looked::Dialog));
        }
        if document != mark.document {
            let mut parsed = page.parsed(limits::SETTLE_NAVIGATION_TIME_MAX, deadline).await;
            if !parsed && deadline.has_passed() {
                self.stop_loading(page);
                parsed = page.parsed(STOP_TIME, Deadline::of_limit(STOP_TIME)).await;
            }
            if parsed {
                self.paint_of_new_document(page, ask, deadline).await;
            }
            return Ok(Some(Looked::Document));
        }
        Ok(None)
    }

    /// Stops what a page still loads; what has come of it stays.
    pub(crate) fn stop_loading(&self, page: &Page) {
        self.connection.reply(Some(&page.session), Reply::StopLoading, &json!({}));
    }

    /// Gives a new document the frames it needs to show what its scripts build, or the expectation.
    async fn paint_of_new_document(&self, page: &Page, ask: &SettleAsk<'_>, deadline: Deadline) {
        let (kind, value) = match ask.expect.kind {
            sidestick_model::ExpectKind::TextIs => ("text", ask.expect.value.as_str()),
            sidestick_model::ExpectKind::GoneIs => ("gone", ask.expect.value.as_str()),
            sidestick_model::ExpectKind::UrlIs => ("url", ask.expect.value.as_str()),
            _ => ("still", ""),
        };
        let limit =
            if kind == "still" { Duration::from_millis(700) } else { limits::SETTLE_TIME_MAX };
        let cap = deadline.within(limit);
        let timeout_ms = u64::try_from(cap.left().as_millis()).unwrap_or(0).max(1);
        let args = json!({"kind": kind, "value": value, "timeout_ms": timeout_ms, "quiet_ms": 60});
        // Whatever comes of it, the document is there and is read next.
        let _: Result<serde_json::Value, _> =
            injected::read_once(&self.connection, page, "wait", &args, cap).await;
    }

    /// Puts together what the page and the host have seen.
    async fn gather(
        &self,
        page: &Arc<Page>,
        ask: &SettleAsk<'_>,
        mark: &Mark,
        dispatched: Instant,
        looked: Looked,
        deadline: Deadline,
    ) -> Settled {
        let mut settled = Settled::default();
        let shown = self.shared.page();
        let is_gone = matches!(looked, Looked::Closed);
        match looked {
            Looked::Page(seen) => settled = from_page(*seen),
            Looked::Document => {
                settled.new_document = true;
                if !page.known().is_parsed {
                    settled.pending.push("the document is still loading".to_owned());
                }
                settled.untied = page.known().leaves_by_itself && !ask.action.kind().navigates();
                if !settled.untied {
                    settled.signals.push(Signal::Tree);
                    settled.expect_held = self.holds_now(page, ask, deadline).await;
                }
            }
            Looked::Dialog => settled.signals.push(Signal::Dialog),
            Looked::Closed => settled.signals.push(Signal::Page),
        }
        if let Some(title) = self.title(page, deadline.within(Duration::from_secs(1))).await {
            page.update(|known| known.title.clone_from(&title));
        }
        let is_adrift = page.known().leaves_by_itself && !ask.action.kind().navigates();
        note_known(&mut settled, &page.known(), mark, dispatched, is_adrift);
        self.gather_downloads(&mut settled, page, mark);
        self.gather_windows(&mut settled, page, mark);
        let is_held = page.known().dialog.is_some();
        let is_gone = is_gone || page.known().is_closed;
        if is_gone {
            settled.signals.push(Signal::Page);
        }
        if !settled.new_document && !is_gone && !is_held {
            self.read_back_into(&mut settled, page, ask, deadline).await;
        }
        let ungiven = page.known().ungiven.take();
        if let Some(why) = ungiven {
            // Whatever the press has brought about instead, the files went nowhere.
            settled.read_back = Some(chooser::none_given(ask.uploads));
            settled.unmet = Some(why);
        }
        if mark.url_moves_by_itself && !settled.new_document {
            // An address that a script keeps changing proves nothing (I4).
            settled.signals.retain(|signal| *signal != Signal::Url);
        }
        if page.known().is_pdf {
            settled.blind.push(crate::observe::PDF.to_owned());
        }
        settled.signals.sort();
        settled.signals.dedup();
        settled.page =
            shown.filter(|_| is_gone).map_or_else(|| page.state(), |shown| shown.state());
        settled
    }

    /// Returns whether a predicate holds in a new document.
    async fn holds_now(&self, page: &Page, ask: &SettleAsk<'_>, deadline: Deadline) -> bool {
        let expect = expect_args(ask.expect);
        if expect.is_null() {
            return false;
        }
        #[derive(Deserialize)]
        struct Held {
            expect_held: bool,
        }
        let args = json!({"cap_ms": 1, "expect": expect, "asked": true});
        let held: Result<Held, _> =
            injected::read(&self.connection, page, "settle", &args, deadline).await;
        held.is_ok_and(|held| held.expect_held)
    }

    /// Reads back what an action set; a secret is compared by digest in the page (D6, D20).
    async fn read_back_into(
        &self,
        settled: &mut Settled,
        page: &Page,
        ask: &SettleAsk<'_>,
        deadline: Deadline,
    ) {
        let kind = ask.action.kind();
        let scrolls = page.known().scrolls.take();
        if let Some(before) = scrolls.filter(|_| kind == ActionKind::Scroll) {
            settled.read_back = self.scrolled(page, &before, deadline).await;
            if settled.read_back.as_ref().is_some_and(|back| back.equal) {
                // What shows has moved, and that is all a scroll is asked for.
                settled.signals.push(Signal::Screen);
            }
            return;
        }
        let sets = matches!(
            kind,
            ActionKind::Fill
                | ActionKind::Type
                | ActionKind::Select
                | ActionKind::Check
                | ActionKind::Uncheck
        );
        if kind == ActionKind::Upload {
            let read_back = self.read_back_upload(page, ask, deadline).await;
            if read_back.as_ref().is_some_and(|read_back| read_back.equal) {
                settled.signals.push(Signal::Value);
            }
            settled.read_back = read_back;
            return;
        }
        let Some(element) = ask.element.filter(|_| sets) else { return };
        let args = json!({"ref": element.id, "key": hex(&self.digest_key)});
        let read: Result<RawReadBack, _> =
            injected::read_once(&self.connection, page, "read_back", &args, deadline).await;
        let Some(raw) = read.ok().filter(|raw| raw.found) else { return };
        let Some(mut read_back) = self.compare(&raw, ask) else { return };
        if !read_back.equal && !read_back.secret {
            look_elsewhere(&mut read_back, &settled.changes);
        }
        let was_other = kind == ActionKind::Fill && element.value != read_back.found;
        let is_set = !matches!(kind, ActionKind::Fill | ActionKind::Type)
            || was_other && read_back.elsewhere.is_none() && !read_back.secret;
        if read_back.equal && is_set && !settled.signals.contains(&Signal::Value) {
            // It was not so at the resolve and is so now: that is the difference (I4).
            settled.signals.push(Signal::Value);
        }
        settled.read_back = Some(read_back);
    }

    /// Reads back what an action has set in a field, without acting; none when it is gone.
    pub(crate) async fn read_field_back(
        &self,
        id: &str,
        action: &Action,
        text: Option<&str>,
        deadline: Deadline,
    ) -> Result<Option<ReadBack>, SurfaceError> {
        let page = self.page()?;
        let args = json!({"ref": id, "key": hex(&self.digest_key)});
        let raw: RawReadBack =
            injected::read(&self.connection, &page, "read_back", &args, deadline).await?;
        if !raw.found || text.is_none() && action.typed().is_some() {
            return Ok(None);
        }
        let is_secret = matches!(action.typed(), Some(Typed::Secret(_) | Typed::Sensitive(_)));
        let (expect, performed) = (Expect::any(), Performed::default());
        let (element, performed) = (None, &performed);
        let ask = SettleAsk {
            action,
            element,
            expect: &expect,
            text,
            is_secret,
            performed,
            uploads: &[],
        };
        Ok(self.compare(&raw, &ask))
    }

    fn compare(&self, raw: &RawReadBack, ask: &SettleAsk<'_>) -> Option<ReadBack> {
        let state = |wanted: bool, is: Option<bool>| {
            let word = |checked: bool| if checked { "checked" } else { "unchecked" }.to_owned();
            ReadBack {
                asked: Some(word(wanted)),
                found: is.map(word),
                equal: is == Some(wanted),
                ..ReadBack::default()
            }
        };
        match ask.action {
            Action::Check { .. } => Some(state(true, raw.checked)),
            Action::Uncheck { .. } => Some(state(false, raw.checked)),
            Action::Select { values, .. } => {
                let found = raw.selected.clone().unwrap_or_default();
                let equal = are_chosen(values, &found, raw.selected_values.as_deref());
                Some(ReadBack {
                    asked: Some(values.join(", ")),
                    found: Some(found.join(", ")),
                    equal,
                    ..ReadBack::default()
                })
            }
            Action::Fill { .. } => Some(self.compare_text(raw, ask.text?, ask.is_secret, true)),
            Action::Type { .. } => Some(self.compare_text(raw, ask.text?, ask.is_secret, false)),
            _ => None,
        }
    }

    fn compare_text(
        &self,
        raw: &RawReadBack,
        text: &str,
        is_secret: bool,
        whole: bool,
    ) -> ReadBack {
        if raw.is_secret || is_secret && raw.value.is_none() {
            let equal = raw.digest.as_deref() == Some(self.digest(text).as_str());
            return ReadBack { equal, secret: true, ..ReadBack::default() };
        }
        let typed = text.trim_end_matches(['\n', '\r']);
        if !raw.said.is_empty() && !is_secret {
            return said_back(&raw.said, typed);
        }
        let found = raw.value.clone().unwrap_or_default();
        let exact = if whole { found == text } else { found.ends_with(typed) };
        let normalized = !exact && whole && only_separated(text, &found);
        if is_secret {
            let equal = exact || normalized;
            return ReadBack { equal, normalized, secret: true, ..ReadBack::default() };
        }
        ReadBack {
            asked: Some(text.to_owned()),
            found: Some(found),
            normalized,
            equal: exact || normalized,
            secret: false,
            elsewhere: None,
        }
    }

    fn digest(&self, text: &str) -> String {
        // A key of 32 bytes is a key of any length.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.digest_key) else {
            return String::new();
        };
        mac.update(text.as_bytes());
        hex(&mac.finalize().into_bytes())
    }

    /// Says what still differs from the reading before the last dispatch.
    pub(crate) async fn differs_still(
        &self,
        deadline: Deadline,
    ) -> Result<Option<Vec<Change>>, SurfaceError> {
        let page = self.page()?;
        let is_replaced = {
            let known = page.known();
            known.document != known.mark.document
        };
        if is_replaced {
            return Ok(None);
        }
        let cap = deadline.within(Duration::from_millis(150));
        let seen = self.settle_everywhere(&page, &serde_json::Value::Null, cap).await;
        let seen = seen.map_err(|error| error.into_surface("settle"))?;
        let mut changes = seen.changes;
        if seen.signals.url || seen.signals.title {
            changes.push(Change { kind: "url".to_owned(), ..Change::default() });
        }
        Ok(Some(changes))
    }
}

/// Tells what is known of a page without asking it, against what was known before the dispatch.
fn note_known(
    settled: &mut Settled,
    known: &Known,
    mark: &Mark,
    dispatched: Instant,
    is_adrift: bool,
) {
    let answered = mark.dialog_was_open && known.dialog.is_none();
    let opened = mark.dialogs < known.dialogs || mark.choosers < known.choosers;
    let moved = known.url != mark.url && !mark.url_moves_by_itself && !is_adrift;
    let changes = [
        (Signal::Url, moved),
        (Signal::Title, settled.new_document && !is_adrift && known.title != mark.title),
        (Signal::Dialog, answered || opened),
    ];
    settled.signals.extend(changes.into_iter().filter(|(_, on)| *on).map(|(signal, _)| signal));
    settled.blocked = known.blocked.since(mark.blocked);
    let chooser = known.chooser.as_ref().map(Chooser::told);
    settled.dialog = known.dialog.clone().or(chooser);
    settled.pending.extend(known.network.open(mark.request, dispatched));
    let (requests, dropped) = known.network.seen(mark.request, dispatched);
    (settled.requests, settled.requests_dropped) = (requests, dropped);
}

/// Waits until a request or a navigation moved, or the cap.
async fn wait_for_news(page: &Page, mark: &Mark, dispatched: Instant, cap: Deadline) {
    let before = {
        let known = page.known();
        (known.network.open(mark.request, dispatched), known.is_loading, known.document)
    };
    // A body that nobody reads tells nothing when it stops counting; that is looked at in time.
    page.until(cap.within(BODY_TIME), |known| {
        let now = (known.network.open(mark.request, dispatched), known.is_loading, known.document);
        now != before || known.dialog.is_some() || known.is_closed || known.is_crashed
    })
    .await;
}

fn from_page(seen: Seen) -> Settled {
    let flags = seen.signals;
    let signals = [
        (flags.url, Signal::Url),
        (flags.title, Signal::Title),
        (flags.tree || !is_silent(&seen.noise), Signal::Tree),
        (flags.focus, Signal::Focus),
        (flags.value, Signal::Value),
    ];
    Settled {
        still_changing: seen.state == "cap" && seen.still_changing,
        untied: seen.untied && !(flags.tree || flags.value),
        expect_held: seen.expect_held,
        changes: seen.changes,
        changes_dropped: seen.changes_dropped,
        noise: seen.noise,
        signals: signals.into_iter().filter(|(on, _)| *on).map(|(_, signal)| signal).collect(),
        blind: seen.blind,
        submitted: seen.submitted,
        ..Settled::default()
    }
}

/// Returns whether exactly the asked options are chosen, each by its label or by its value.
fn are_chosen(asked: &[String], labels: &[String], values: Option<&[String]>) -> bool {
    let fold = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_asked = |at: usize, label: &String| {
        let value = values.and_then(|values| values.get(at));
        asked.iter().any(|asked| fold(asked) == fold(label) || Some(asked) == value)
    };
    asked.len() == labels.len() && labels.iter().enumerate().all(|(at, label)| is_asked(at, label))
}

/// A part of a date or a time holds what was typed in one of the ways it says so: `9` as `09`, or as
/// the number beside `September`.
fn said_back(said: &[String], typed: &str) -> ReadBack {
    let is_it = |said: &&String| {
        let number = |text: &str| text.parse::<u32>().ok();
        let is_number = number(said).is_some() && number(said) == number(typed);
        // The first letters of a month or of `PM` are all that has to be typed of it.
        let is_word = !typed.is_empty()
            && typed.chars().all(char::is_alphabetic)
            && said.to_lowercase().starts_with(&typed.to_lowercase());
        said.as_str() == typed || is_number || is_word
    };
    let equal = said.iter().any(|said| is_it(&said));
    let found = said.iter().find(is_it).or(said.first()).cloned();
    ReadBack { asked: Some(typed.to_owned()), found, equal, ..ReadBack::default() }
}

/// A field may empty itself once it has passed on what it got: the page then shows that elsewhere,
/// as a chip or a line in a list.
fn look_elsewhere(read_back: &mut ReadBack, changes: &[Change]) {
    let is_empty = read_back.found.as_deref().is_none_or(|found| found.trim().is_empty());
    let asked = read_back.asked.as_deref().unwrap_or_default();
    let asked = asked.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
    if !is_empty || asked.is_empty() {
        return;
    }
    let mut came = changes.iter().filter(|change| change.kind != "gone");
    let shown = |change: &&Change| {
        let holds =
            |text: &Option<String>| text.as_deref().is_some_and(|text| text.contains(asked));
        holds(&change.after) && !holds(&change.before)
    };
    if let Some(change) = came.find(shown) {
        read_back.elsewhere = change.after.clone().or_else(|| change.name.clone());
        read_back.equal = read_back.elsewhere.is_some();
    }
}

/// What moves by itself is told apart and is no signal (VR-145).
fn is_silent(noise: &[Change]) -> bool {
    noise.is_empty() || !Seam::Noise.is_broken()
}

/// Returns whether a field holds what was typed with nothing but separators added (D7).
fn only_separated(asked: &str, found: &str) -> bool {
    if asked.is_empty() || found.is_empty() {
        return false;
    }
    // Every character that was asked for is there, in order; what was added is no letter or digit.
    let mut rest = asked.chars().peekable();
    let only_added = found.chars().all(|c| rest.next_if_eq(&c).is_some() || !c.is_alphanumeric())
        && rest.peek().is_none();
    let number = |text: &str| {
        let plain: String =
            text.chars().filter(|c| !matches!(c, ',' | ' ' | '\u{a0}' | '\'')).collect();
        plain.parse::<f64>().ok()
    };
    match (number(asked), number(found)) {
        (Some(asked), Some(found)) => (asked - found).abs() < f64::EPSILON,
        _ => only_added,
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formatter_that_only_separates_is_no_difference_d7() {
        for (asked, found) in
            [("1000", "1,000.00"), ("5551234567", "(555) 123-4567"), ("1000", "1 000")]
        {
            assert!(only_separated(asked, found), "{asked} {found}");
        }
        for (asked, found) in [
            ("abcdef", "abc"),
            ("ab12c", "ABC"),
            ("1000", "100"),
            ("x", ""),
            ("10.50", "1050"),
            ("-77.5", "775"),
            ("a-b", "ab"),
        ] {
            assert!(!only_separated(asked, found), "{asked} {found}");
        }
    }
}
