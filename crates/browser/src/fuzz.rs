//! What must hold of a driver, whatever the browser or the page's scripts answer.
//!
//! Compiled for tests and for `fuzz/` alone. The other end of the pipe is played here; nothing is
//! launched, and time is the runtime's own, so that a wait costs none.

use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::unix::pipe;

use sidestick_gate::outline::{self, Frame};
use sidestick_gate::{
    Lease, Looking, Performed, Resolve, Resolved, SettleAsk, Surface, SurfaceError,
};
use sidestick_model::call::FindAsk;
use sidestick_model::observation::Scope;
use sidestick_model::{Action, Actor, Chord, Deadline, DragEnd, Expect, Target, Typed, limits};
use sidestick_policy::{Boundary, DocumentKind, Judged};

use crate::connection::Connection;
use crate::protocol::Look;
use crate::session::Chromium;

/// The site that may be loaded.
const TARGET: &str = "http://127.0.0.1:47311/";
/// Looks in vain before the runtime may let time pass.
const IDLE_MAX: u32 = 16;

/// Reads `bytes` as what a browser writes into its pipe.
///
/// # Panics
///
/// Panics when a document is let go on that the boundary does not allow, when something other than
/// a whole message is written back, or when a call that waits is not ended with the connection.
pub fn cdp_frames(bytes: &[u8]) {
    let Ok(boundary) = Boundary::around(TARGET, &[]) else { return };
    in_time_of_its_own(async {
        let Some((connection, mut browser, written)) = joined() else { return };
        let chromium = Chromium::over(connection.clone(), boundary.clone());
        let looks: Vec<_> =
            (0..3).map(|_| connection.look(None, Look::GetVersion, &json!({}))).collect();
        let writing = async {
            // Cut in two somewhere: where a message ends has nothing to do with where a read does.
            let (first, second) = bytes.split_at(bytes.len() / 2);
            // A reader that gave up is no fault of the writer.
            let _ = browser.write_all(first).await;
            tokio::task::yield_now().await;
            let _ = browser.write_all(second).await;
            drop(browser);
        };
        let reading = said(&written, &connection);
        let ((), said) = tokio::join!(writing, reading);

        for look in looks {
            if let Err(error) = look.answer(Deadline::of_limit(Duration::from_secs(1))).await {
                let told = error.to_string();
                assert!(!told.contains('\n') && told.chars().count() < 700, "{told}");
            }
        }
        let (events, _) = chromium.events();
        assert!(events.len() <= limits::SURFACE_EVENTS_MAX, "too many events are kept");
        judged(&said, bytes, &boundary);
    });
}

/// What goes on was asked for, and may be loaded as one kind of document at least.
fn judged(said: &[Value], heard: &[u8], boundary: &Boundary) {
    let heard: Vec<Value> = heard
        .split(|byte| *byte == 0)
        .filter_map(|frame| serde_json::from_slice(frame).ok())
        .collect();
    let is_allowed = |id: &Value| {
        heard.iter().any(|message| {
            let url = message.pointer("/params/request/url").and_then(Value::as_str);
            let kinds = [DocumentKind::TopLevel, DocumentKind::Frame];
            message.pointer("/params/requestId") == Some(id)
                && url.is_some_and(|url| {
                    kinds.iter().any(|kind| boundary.judge(url, *kind) != Judged::Blocked)
                })
        })
    };
    for message in said {
        let method = message.get("method").and_then(Value::as_str).unwrap_or_default();
        assert!(method.contains('.'), "no method is called `{method}`");
        assert!(!method.starts_with("Input."), "a browser's words lead to input");
        if method == "Fetch.continueRequest" {
            let id = message.pointer("/params/requestId").unwrap_or(&Value::Null);
            assert!(is_allowed(id), "the document {id} goes on");
        }
    }
}

/// Reads `bytes` as the answers of page scripts: on each line the name of what was called, then
/// the answer. Everything that reads a page is asked.
///
/// # Panics
///
/// Panics when an outline holds what cannot be seen, when an element that is not ready is resolved,
/// or when a picture is larger than its header says.
pub fn page_replies(bytes: &[u8]) {
    let Ok(boundary) = Boundary::around(TARGET, &[]) else { return };
    let replies = Replies::of(bytes);
    in_time_of_its_own(async {
        let Some((connection, _browser, written)) = joined() else { return };
        let chromium = Chromium::over(connection.clone(), boundary);
        begin(&connection);
        let answering = replies.answer(&written, &connection);
        tokio::select! {
            () = answering => {}
            () = asked_of_two_documents(&chromium, &connection) => {}
        }
        connection.close();
    });
}

/// A page with a document, as the browser tells of it.
fn begin(connection: &Connection) {
    let target = json!({"targetId": "T", "type": "page", "url": TARGET});
    hear(connection, "Target.attachedToTarget", &json!({"sessionId": "S", "targetInfo": target}));
    document(connection);
}

/// Another document in the page.
fn document(connection: &Connection) {
    for (method, params) in [
        ("Page.frameNavigated", json!({"frame": {"id": "T", "url": TARGET}})),
        (
            "Runtime.executionContextCreated",
            json!({"context": {"id": 7, "name": "sidestick", "auxData": {"frameId": "T"}}}),
        ),
        ("Page.domContentEventFired", json!({})),
    ] {
        hear(connection, method, &params);
    }
}

fn hear(connection: &Connection, method: &str, params: &Value) {
    let message = json!({"method": method, "params": params, "sessionId": "S"});
    connection.hear(message.to_string().as_bytes());
}

/// Asks, then asks the document that replaces the first: its refs begin after those that were seen.
async fn asked_of_two_documents(chromium: &Chromium, connection: &Connection) {
    asked(chromium).await;
    let Ok(page) = chromium.page() else { return };
    let seen = page.known().refs.seen;
    document(connection);
    let start = page.known().refs.start;
    assert!(seen < start || start == u64::MAX, "refs up to {seen} are given again from {start}");
    asked(chromium).await;
}

/// Asks everything there is to ask of a page.
async fn asked(chromium: &Chromium) {
    let deadline = || Deadline::of_limit(Duration::from_secs(3));
    for (scope, max_chars) in [(Scope::Viewport, 1_000), (Scope::Document, limits::OUTLINE_CHARS)] {
        let looking = Looking { scope, max_chars, ..Looking::default() };
        if let Ok(reading) = chromium.observe(&looking, deadline()).await {
            let frame = Frame { id: None, url: &reading.page.url, findings: "", dialog_by: None };
            let (text, _) = outline::render(&reading, &frame, max_chars);
            let odd =
                |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
            assert!(!text.contains(odd), "an outline holds what cannot be seen: {text:?}");
        }
    }
    let all = FindAsk { limit: limits::FIND_MATCHES, ..FindAsk::default() };
    told(chromium.find(&all, deadline()).await);
    told(chromium.text(None, limits::TEXT_CHARS, deadline()).await);
    told(chromium.wait("text", "Orders", deadline()).await);
    if let Ok(picture) = chromium.picture(&[], false, deadline()).await {
        assert!(picture.png.is_some() != picture.withheld.is_some(), "a picture is there or not");
    }
    for action in actions() {
        resolved(chromium, &action, deadline()).await;
    }
    settled(chromium, deadline()).await;
    told(chromium.still_differs(deadline()).await);
    told(chromium.frames(deadline()).await);
}

fn actions() -> Vec<Action> {
    let by_ref = || Target::Ref { id: "e3".to_owned() };
    let described =
        || Target::Described { role: "button".to_owned(), name: None, near: Some("x".to_owned()) };
    let text = || Typed::Public("Ada".to_owned());
    let mut actions = vec![
        Action::Click { target: by_ref() },
        Action::Fill { target: described(), text: text() },
        Action::Check { target: by_ref() },
        Action::Select { target: by_ref(), values: vec!["Small".to_owned()] },
        Action::Drag { target: by_ref(), to: DragEnd::Element(described()) },
        Action::Type { target: None, text: text() },
        Action::Navigate { url: TARGET.to_owned() },
        Action::Back,
    ];
    let pressed = Chord::parse("Enter").ok();
    actions.extend(pressed.map(|key| Action::Press { key, target: None }));
    actions
}

async fn resolved(chromium: &Chromium, action: &Action, deadline: Deadline) {
    let Ok(expect) = Expect::parse("text:Saved") else { return };
    let ask = Resolve { action, meaning: None, expect: &expect };
    let Some(Resolved { element: Some(element), satisfied, .. }) =
        told(chromium.resolve(&ask, deadline).await)
    else {
        return;
    };
    let is_ready = element.visible.ok && element.ready.ok;
    assert!(satisfied || is_ready, "what nobody can see or use is found");
}

async fn settled(chromium: &Chromium, deadline: Deadline) {
    let lease = Lease::new(Actor::Agent);
    let Ok(held) = lease.hold(lease.current()) else { return };
    let performed = Performed { point: None, method: "input", token: 0 };
    let action = Action::Fill {
        target: Target::Ref { id: "e1".to_owned() },
        text: Typed::Public("Ada".to_owned()),
    };
    let expect = Expect::any();
    let ask = SettleAsk {
        uploads: &[],
        action: &action,
        element: None,
        expect: &expect,
        text: Some("Ada"),
        is_secret: false,
        performed: &performed,
    };
    told(chromium.settle(&ask, &held, deadline).await);
}

/// Takes an answer apart: a failure has a code and one line of words.
fn told<T>(result: Result<T, SurfaceError>) -> Option<T> {
    match result {
        Ok(answer) => Some(answer),
        Err(error) => {
            let (code, words) = (error.code(), error.to_string());
            assert!(!words.contains('\n') && !code.as_str().is_empty(), "{words}");
            None
        }
    }
}

/// What page scripts answer, by their names, each answer once.
struct Replies(HashMap<String, VecDeque<String>>);

impl Replies {
    fn of(bytes: &[u8]) -> Replies {
        let mut replies: HashMap<String, VecDeque<String>> = HashMap::new();
        for line in String::from_utf8_lossy(bytes).lines() {
            if let Some((name, reply)) = line.split_once(' ') {
                replies.entry(name.to_owned()).or_default().push_back(reply.to_owned());
            }
        }
        Replies(replies)
    }

    /// Answers what is asked; never ends by itself.
    async fn answer(mut self, written: &pipe::Receiver, connection: &Connection) {
        let mut frames = Frames::default();
        loop {
            for call in frames.next(written).await {
                let name = call.pointer("/params/arguments/0/value").or(call.get("method"));
                let name = name.and_then(Value::as_str).unwrap_or_default();
                let reply = self.0.get_mut(name).and_then(VecDeque::pop_front);
                let id = call.get("id").cloned().unwrap_or_default();
                connection.hear(answered(&id, reply.as_deref().unwrap_or("{}")).as_bytes());
            }
        }
    }
}

/// Writes an answer: a result when the reply is a document, else a rejection in its words.
fn answered(id: &Value, reply: &str) -> String {
    match serde_json::from_str::<&serde_json::value::RawValue>(reply) {
        Ok(result) => format!("{{\"id\":{id},\"result\":{result}}}"),
        Err(_) => json!({"id": id, "error": {"message": reply}}).to_string(),
    }
}

/// What was written to the browser and not yet taken.
#[derive(Default)]
struct Frames(Vec<u8>);

impl Frames {
    /// Waits for whole messages. Time passes only when nothing is under way any more.
    async fn next(&mut self, written: &pipe::Receiver) -> Vec<Value> {
        let mut idle = 0;
        loop {
            let taken = self.take(written);
            if !taken.is_empty() {
                return taken;
            }
            idle += 1;
            if idle < IDLE_MAX {
                tokio::task::yield_now().await;
            } else {
                let step = Deadline::of_limit(Duration::from_millis(5));
                let _ = tokio::time::timeout_at(step.instant(), std::future::pending::<()>()).await;
            }
        }
    }

    fn take(&mut self, written: &pipe::Receiver) -> Vec<Value> {
        let mut chunk = [0; 8192];
        while let Ok(length @ 1..) = written.try_read(&mut chunk) {
            self.0.extend_from_slice(chunk.get(..length).unwrap_or_default());
        }
        let whole = self.0.iter().rposition(|byte| *byte == 0).map_or(0, |at| at + 1);
        let frames: Vec<u8> = self.0.drain(..whole).collect();
        let frames = frames.split(|byte| *byte == 0).filter(|frame| !frame.is_empty());
        frames
            .map(|frame| {
                let message: Option<Value> = serde_json::from_slice(frame).ok();
                assert!(message.is_some(), "no message: {}", frame.escape_ascii());
                message.unwrap_or_default()
            })
            .collect()
    }
}

/// Collects what is said to the browser until the connection has ended.
async fn said(written: &pipe::Receiver, connection: &Connection) -> Vec<Value> {
    let mut frames = Frames::default();
    let mut said = Vec::new();
    while !connection.is_gone() {
        tokio::select! {
            () = connection.gone() => {}
            more = frames.next(written) => said.extend(more),
        }
    }
    said.extend(frames.take(written));
    said
}

/// A connection, what the browser writes with, and what it reads from.
fn joined() -> Option<(Connection, pipe::Sender, pipe::Receiver)> {
    let (browser, reader) = pipe::pipe().ok()?;
    let (writer, written) = pipe::pipe().ok()?;
    Some((Connection::over_pipe(reader, writer), browser, written))
}

/// Runs to the end on a clock that moves only when there is nothing else to do.
fn in_time_of_its_own(running: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .event_interval(1)
        .start_paused(true)
        .build();
    if let Ok(runtime) = runtime {
        runtime.block_on(running);
    }
}

#[cfg(test)]
mod tests {
    use sidestick_testkit::mutate;

    #[test]
    fn no_words_of_a_browser_break_the_driver() {
        mutate::smoke("cdp_frames", 500, super::cdp_frames);
    }

    #[test]
    fn no_answer_of_a_page_breaks_the_driver() {
        mutate::smoke("page_replies", 300, super::page_replies);
    }
}
