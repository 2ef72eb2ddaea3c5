//! The requests of one page: which an action started, which are open, which failed.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use tokio::time::Instant;

use sidestick_model::limits;
use sidestick_model::observation::RequestSeen;
use sidestick_policy::redact;

/// Requests kept; older ones that have ended are forgotten.
const REQUESTS_MAX: usize = 1_000;
/// A request that begins this long after a dispatch is not the action's doing, unless it follows
/// one that is.
const STARTED_BY_ACT: Duration = Duration::from_millis(400);
/// A body that nobody reads never ends: this long after its answer began, a request is not waited
/// for any more.
pub(crate) const BODY_TIME: Duration = Duration::from_millis(80);
/// A page that shows nothing gets this long after an answer to work on it: to draw, or to leave.
const ANSWER_TIME: Duration = Duration::from_millis(300);
/// A page that asked for the same address this often by itself is polling.
const POLLS_MIN: u32 = 3;

/// One request.
#[derive(Debug, Clone)]
struct Request {
    key: String,
    method: String,
    url: String,
    status: Option<u16>,
    is_open: bool,
    /// Whether the page waits for it: a document, a script, a fetch.
    counts: bool,
    /// Whether it belongs to loading a document, and is only told when it fails.
    is_part: bool,
    /// Whether it is for a document: what a page goes to, and no answer to it.
    is_document: bool,
    began: Instant,
    answered: Option<Instant>,
    ended: Option<Instant>,
    is_polling: bool,
}

/// The requests of one page, by number.
#[derive(Debug, Default)]
pub(crate) struct Network {
    requests: BTreeMap<u64, Request>,
    numbers: HashMap<String, u64>,
    last: u64,
    /// How often anything happened to a request.
    events: u64,
    /// How often the page asked for an address while nobody acted.
    polls: HashMap<String, u32>,
    messages: Messages,
    /// Whether the page has scripts in threads of their own, which are asked and answer unseen.
    has_workers: bool,
}

/// Messages on connections that stay open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Messages {
    sent: u64,
    came: u64,
}

/// A request that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failed {
    pub(crate) key: String,
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) status: Option<u16>,
    pub(crate) reason: Option<String>,
}

/// Kinds of request that an action's outcome waits for and lists. Images, fonts, media, pings and
/// streams go their own way.
fn counts(kind: &str) -> bool {
    matches!(kind, "Document" | "XHR" | "Fetch" | "Script" | "Stylesheet" | "Other")
}

/// The method and the address without what differs between polls.
fn path_of(method: &str, url: &str) -> String {
    format!("{method} {}", url.split(['?', '#']).next().unwrap_or_default())
}

impl Network {
    /// Returns the number of the newest request.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// Returns how often anything happened to a request.
    pub(crate) fn events(&self) -> u64 {
        self.events
    }

    /// Returns how many messages went out and came in on open connections.
    pub(crate) fn messages(&self) -> Messages {
        self.messages
    }

    pub(crate) fn message_sent(&mut self) {
        self.messages.sent += 1;
    }

    pub(crate) fn message_came(&mut self) {
        self.messages.came += 1;
    }

    pub(crate) fn worker_began(&mut self) {
        self.has_workers = true;
    }

    /// Returns whether anything was asked for after request `mark`, and `messages`, that the page
    /// may do its answer to later: a request that is no poll, a message that was answered, or
    /// anything at all where another thread may have been asked.
    pub(crate) fn asked_since(&self, mark: u64, messages: Messages) -> bool {
        let is_answered = messages.sent < self.messages.sent && messages.came < self.messages.came;
        let mut asked = self.requests.range(mark + 1..).map(|(_, request)| request);
        let is_asking = asked.any(|request| !request.is_polling && !request.is_document);
        self.has_workers || is_answered || is_asking
    }

    /// A request began, or was redirected.
    pub(crate) fn began(&mut self, id: &str, method: &str, url: &str, kind: &str, in_act: bool) {
        self.events += 1;
        let path = path_of(method, url);
        let is_polling = self.polls.get(&path).is_some_and(|polls| POLLS_MIN <= *polls);
        if !in_act && counts(kind) && self.polls.len() < REQUESTS_MAX {
            let polls = self.polls.entry(path).or_default();
            *polls = polls.saturating_add(1);
        }
        if let Some(request) = self.numbers.get(id).and_then(|n| self.requests.get_mut(n)) {
            url.clone_into(&mut request.url);
            method.clone_into(&mut request.method);
            return;
        }
        self.last += 1;
        self.numbers.insert(id.to_owned(), self.last);
        let request = Request {
            key: id.to_owned(),
            method: method.to_owned(),
            url: url.to_owned(),
            status: None,
            is_open: true,
            counts: counts(kind),
            is_document: kind == "Document",
            is_part: matches!(kind, "Script" | "Stylesheet" | "Other"),
            began: Instant::now(),
            answered: None,
            ended: None,
            is_polling,
        };
        self.requests.insert(self.last, request);
        while REQUESTS_MAX < self.requests.len() {
            if let Some((_, old)) = self.requests.pop_first() {
                self.numbers.remove(&old.key);
            }
        }
    }

    fn request_mut(&mut self, id: &str) -> Option<&mut Request> {
        self.events += 1;
        self.numbers.get(id).and_then(|number| self.requests.get_mut(number))
    }

    /// The head of an answer came; a failed one is returned.
    pub(crate) fn answered(&mut self, id: &str, status: u16) -> Option<Failed> {
        let request = self.request_mut(id)?;
        request.status = Some(status);
        request.answered = Some(Instant::now());
        let is_failure = 400 <= status;
        is_failure.then(|| Failed {
            key: request.key.clone(),
            method: request.method.clone(),
            url: request.url.clone(),
            status: Some(status),
            reason: None,
        })
    }

    /// The request has ended well.
    pub(crate) fn ended(&mut self, id: &str) {
        if let Some(request) = self.request_mut(id) {
            request.is_open = false;
            request.ended = Some(Instant::now());
        }
    }

    /// The request has ended without an answer; returned unless it was called off.
    pub(crate) fn failed(&mut self, id: &str, reason: &str, was_canceled: bool) -> Option<Failed> {
        let request = self.request_mut(id)?;
        request.is_open = false;
        request.ended = Some(Instant::now());
        let is_silent = was_canceled || reason == "net::ERR_ABORTED" || request.status.is_some();
        (!is_silent).then(|| Failed {
            key: request.key.clone(),
            method: request.method.clone(),
            url: request.url.clone(),
            status: None,
            reason: Some(reason.to_owned()),
        })
    }

    /// A document was left: what it waited for is nobody's any more.
    pub(crate) fn left_document(&mut self) {
        for request in self.requests.values_mut().filter(|request| request.is_open) {
            // The new document's own request is told apart by being the youngest.
            request.is_polling = true;
        }
        self.polls.clear();
        self.has_workers = false;
    }

    /// Returns the requests after `mark` that the action started: soon after it, or right after
    /// one that it started had ended.
    fn of_act(&self, mark: u64, dispatched: Instant) -> Vec<&Request> {
        let mut until = dispatched + STARTED_BY_ACT;
        let mut started = Vec::new();
        for (_, request) in self.requests.range(mark + 1..) {
            if !request.counts || request.is_polling || until < request.began {
                continue;
            }
            if let Some(ended) = request.ended {
                until = until.max(ended + Duration::from_millis(100));
            }
            started.push(request);
        }
        started
    }

    /// Returns how the action's open requests are called.
    pub(crate) fn open(&self, mark: u64, dispatched: Instant) -> Vec<String> {
        self.of_act(mark, dispatched)
            .into_iter()
            .filter(|request| request.is_open)
            .filter(|request| request.answered.is_none_or(|at| at.elapsed() < BODY_TIME))
            .map(|request| {
                let url = redact::address(&request.url).unwrap_or_else(|| "(long)".to_owned());
                format!("{} {url}", request.method)
            })
            .take(limits::REQUESTS_LISTED_MAX)
            .collect()
    }

    /// Returns whether a request of the action ended so lately that the page may still be working
    /// on its answer.
    pub(crate) fn ended_lately(&self, mark: u64, dispatched: Instant) -> bool {
        self.of_act(mark, dispatched).into_iter().any(|request| {
            let ended = request.ended.or(request.answered);
            ended.is_some_and(|at| at.elapsed() < ANSWER_TIME)
        })
    }

    /// Returns the action's requests, and how many more there were.
    pub(crate) fn seen(&self, mark: u64, dispatched: Instant) -> (Vec<RequestSeen>, u32) {
        let mut all = self.of_act(mark, dispatched);
        all.retain(|request| !request.is_part || request.status.is_none_or(|s| 400 <= s));
        let dropped = all.len().saturating_sub(limits::REQUESTS_LISTED_MAX);
        let listed = all
            .into_iter()
            .take(limits::REQUESTS_LISTED_MAX)
            .map(|request| RequestSeen {
                method: request.method.clone(),
                url: redact::address(&request.url).unwrap_or_default(),
                status: request.status,
                finding: None,
                key: request.key.clone(),
            })
            .collect();
        (listed, u32::try_from(dropped).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_poll_is_not_the_actions_doing() {
        let mut network = Network::default();
        for id in ["1", "2", "2b"] {
            network.began(id, "GET", "http://a/poll?t=1", "Fetch", false);
            network.ended(id);
        }
        let mark = network.last();
        network.began("3", "GET", "http://a/poll?t=2", "Fetch", true);
        network.began("4", "POST", "http://a/save", "Fetch", true);

        assert_eq!(network.open(mark, Instant::now()), ["POST http://a/save"]);
    }

    #[test]
    fn a_page_was_asked_by_a_request_or_an_answered_message_and_not_by_a_poll() {
        let mut network = Network::default();
        network.worker_began();
        assert!(network.asked_since(0, Messages::default()), "a worker is asked unseen");
        network.left_document();
        for id in ["1", "2", "3"] {
            network.began(id, "GET", "http://a/poll", "Fetch", false);
        }
        let (mark, messages) = (network.last(), network.messages());
        network.began("4", "GET", "http://a/poll", "Fetch", true);
        network.began("5", "GET", "http://a/next", "Document", true);
        network.message_came();
        assert!(!network.asked_since(mark, messages), "a poll, a document, news nobody asked for");

        network.message_sent();
        assert!(network.asked_since(mark, messages), "a message and its answer");
        network.began("6", "GET", "http://a/picture", "Image", true);
        assert!(network.asked_since(mark, network.messages()), "a picture");
    }

    #[test]
    fn pictures_and_streams_are_not_waited_for() {
        let mut network = Network::default();
        for kind in ["Image", "Media", "Font", "EventSource", "WebSocket", "Ping"] {
            network.began(kind, "GET", "http://a/x", kind, true);
        }

        assert!(network.open(0, Instant::now()).is_empty());
    }

    #[test]
    fn a_request_that_was_called_off_is_no_failure() {
        let mut network = Network::default();
        network.began("1", "GET", "http://a/x", "Fetch", true);
        network.began("2", "GET", "http://a/y", "Fetch", true);

        assert_eq!(network.failed("1", "net::ERR_ABORTED", true), None);
        assert!(network.failed("2", "net::ERR_CONNECTION_REFUSED", false).is_some());
        assert!(network.open(0, Instant::now()).is_empty());
    }
}
