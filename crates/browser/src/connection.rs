//! One connection to a browser: calls and their answers, events in order, the fence.

use std::collections::HashMap;
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use serde_json::value::RawValue;
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe;
use tokio::sync::{Notify, oneshot, watch};
use tokio::time::timeout_at;
use tungstenite::WebSocket;

use sidestick_gate::{Held, SurfaceError};
use sidestick_model::{Deadline, Fate, limits};

pub(crate) use self::wire::Begun;
pub use self::wire::OnWire;
use self::wire::{Flushed, Wire};
use crate::protocol::{Act, Event, Incoming, Look, Outgoing, Rejection, Reply};

mod wire;

/// Why a call to the browser has no answer to give.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// [`limits::CALLS_WAITING_MAX`] calls wait for their answers.
    #[error("`{method}` was not sent: too many calls are waiting")]
    QueueFull {
        /// The method that was not sent.
        method: &'static str,
    },
    /// The lease moved before the first byte.
    #[error("`{method}` was not sent: the session changed hands")]
    Fenced {
        /// The method that was not sent.
        method: &'static str,
    },
    /// The browser answered that it would not.
    #[error("the browser rejected `{method}`: {message}")]
    Rejected {
        /// The method the browser rejected.
        method: &'static str,
        /// The browser's own words, one line. Not redacted.
        message: String,
    },
    /// The deadline passed before an answer came.
    #[error("the browser did not answer `{method}` in time")]
    NoAnswer {
        /// The method that was sent.
        method: &'static str,
    },
    /// The connection closed before the first byte.
    #[error("`{method}` was not sent: the connection to the browser is closed")]
    Unwritten {
        /// The method that was not sent.
        method: &'static str,
    },
    /// The connection closed before an answer came.
    #[error("the connection to the browser closed during `{method}`")]
    Disconnected {
        /// The method that was sent.
        method: &'static str,
    },
}

impl CallError {
    /// Returns whether the browser may have carried the call out.
    pub fn fate(&self) -> Fate {
        match self {
            CallError::QueueFull { .. }
            | CallError::Fenced { .. }
            | CallError::Unwritten { .. } => Fate::NotSent,
            CallError::Rejected { .. } => Fate::Sent,
            CallError::NoAnswer { .. } | CallError::Disconnected { .. } => Fate::Unknown,
        }
    }

    /// Turns a failure of a method that only looks into the surface's words.
    pub(crate) fn of_look(self) -> SurfaceError {
        self.into_surface(Fate::NotSent)
    }

    /// Turns a failure of a method that acts into the surface's words.
    pub(crate) fn of_act(self) -> SurfaceError {
        let fate = self.fate();
        self.into_surface(fate)
    }

    fn into_surface(self, fate: Fate) -> SurfaceError {
        match self {
            CallError::QueueFull { method } | CallError::NoAnswer { method } => {
                SurfaceError::Unresponsive { what: method, fate }
            }
            CallError::Fenced { .. } => SurfaceError::Cut { sent: "nothing".to_owned(), fate },
            CallError::Rejected { method, message } => {
                SurfaceError::Rejected { method, message, fate }
            }
            CallError::Unwritten { .. } | CallError::Disconnected { .. } => {
                SurfaceError::BrowserGone { fate }
            }
        }
    }
}

/// The answer to a call: its result as it came.
pub(crate) type Answered = Result<Box<RawValue>, Refusal>;

/// Why the other side has no result.
#[derive(Debug)]
pub(crate) enum Refusal {
    Rejected(Rejection),
    Fenced,
    Full,
}

impl Refusal {
    /// Returns whether the page or frame that was spoken to had closed by then.
    fn is_of_a_session_gone(&self) -> bool {
        // QUIRK: Chromium 156 answers `Session with given id not found.` then; the test is
        // `a_guard_of_a_page_that_has_closed_ends_nothing`.
        match self {
            Refusal::Rejected(rejection) => rejection.message.contains("Session with given id"),
            Refusal::Fenced | Refusal::Full => false,
        }
    }
}

/// Who waits for the answer to a call.
enum Waiting {
    Caller(oneshot::Sender<Answered>),
    /// Nobody, but the boundary rests on it; of this session, or of the browser.
    Guard(Option<String>),
}

type Listener = Box<dyn Fn(Event<'_>) + Send + Sync>;
type EndListener = Box<dyn Fn() + Send + Sync>;

struct Shared {
    wire: Mutex<Wire>,
    blocked: Notify,
    next_id: AtomicU64,
    calls: Mutex<HashMap<u64, Waiting>>,
    listener: Mutex<Option<Arc<Listener>>>,
    end_listener: Mutex<Option<Arc<EndListener>>>,
    gone: watch::Sender<bool>,
    is_gone: AtomicBool,
}

/// A connection to one browser; clones share it.
#[derive(Clone)]
pub struct Connection {
    shared: Arc<Shared>,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Connection")
    }
}

/// A call on its way; its answer can be awaited later.
#[derive(Debug)]
pub(crate) struct Sent {
    method: &'static str,
    answered: oneshot::Receiver<Answered>,
    begun: Begun,
}

impl Sent {
    /// Returns what tells whether the first byte is out.
    pub(crate) fn begun(&self) -> Begun {
        self.begun.clone()
    }

    /// Waits for the answer until `deadline`.
    pub(crate) async fn answer(self, deadline: Deadline) -> Result<Box<RawValue>, CallError> {
        let method = self.method;
        match timeout_at(deadline.instant(), self.answered).await {
            Ok(Ok(Ok(result))) => Ok(result),
            Ok(Ok(Err(Refusal::Fenced))) => Err(CallError::Fenced { method }),
            Ok(Ok(Err(Refusal::Full))) => Err(CallError::QueueFull { method }),
            Ok(Ok(Err(Refusal::Rejected(rejection)))) => {
                let line = rejection.message.lines().next().unwrap_or_default();
                let message = line.chars().take(512).collect();
                Err(CallError::Rejected { method, message })
            }
            Ok(Err(_closed)) if !self.begun.is_out() => Err(CallError::Unwritten { method }),
            Ok(Err(_closed)) => Err(CallError::Disconnected { method }),
            Err(_elapsed) => Err(CallError::NoAnswer { method }),
        }
    }
}

impl Connection {
    /// Speaks over the two ends of a debugging pipe.
    pub(crate) fn over_pipe(reader: pipe::Receiver, writer: pipe::Sender) -> Connection {
        let connection = Connection::around(Wire::pipe(writer));
        tokio::spawn(read_pipe(reader, Arc::clone(&connection.shared)));
        tokio::spawn(write_when_writable(Arc::clone(&connection.shared)));
        connection
    }

    /// Speaks over a websocket to a browser that somebody else started.
    ///
    /// # Errors
    ///
    /// Fails when the endpoint is not `ws://` on a loopback address, or does not answer.
    pub fn over_websocket(endpoint: &str) -> Result<Connection, AttachError> {
        let (socket, readable) = dial(endpoint)?;
        let connection = Connection::around(Wire::socket(socket));
        tokio::spawn(read_socket(readable, Arc::clone(&connection.shared)));
        Ok(connection)
    }

    fn around(wire: Wire) -> Connection {
        let (gone, _) = watch::channel(false);
        let shared = Shared {
            wire: Mutex::new(wire),
            blocked: Notify::new(),
            next_id: AtomicU64::new(1),
            calls: Mutex::new(HashMap::new()),
            listener: Mutex::new(None),
            end_listener: Mutex::new(None),
            gone,
            is_gone: AtomicBool::new(false),
        };
        Connection { shared: Arc::new(shared) }
    }

    /// Takes one message as if it had been read.
    #[cfg(any(test, feature = "fuzz"))]
    pub(crate) fn hear(&self, message: &[u8]) {
        self.shared.take(message);
    }

    /// Sets who takes the events; they are taken in order, by plain calls, on the reading task.
    pub(crate) fn listen(&self, listener: Listener) {
        *lock(&self.shared.listener) = Some(Arc::new(listener));
    }

    /// Sets who is told, once, that the connection has ended.
    pub(crate) fn listen_for_end(&self, listener: EndListener) {
        *lock(&self.shared.end_listener) = Some(Arc::new(listener));
    }

    /// Sends a method that only looks.
    pub(crate) fn look(&self, session: Option<&str>, method: Look, params: &Value) -> Sent {
        self.send(session, method.name(), params, None)
    }

    /// Sends a method that can change the application, if the lease holds at the first byte.
    pub(crate) fn act(&self, session: &str, method: Act, params: &Value, held: &Held) -> Sent {
        self.send(Some(session), method.name(), params, Some(held.clone()))
    }

    /// Sends a method of the browser itself that can change the application.
    pub(crate) fn act_on_browser(&self, method: Act, params: &Value, held: &Held) -> Sent {
        self.send(None, method.name(), params, Some(held.clone()))
    }

    /// Sends what is owed: a set-up, a release, an answer. Nobody waits for the answer.
    pub(crate) fn reply(&self, session: Option<&str>, method: Reply, params: &Value) {
        let id = self.shared.next_id.fetch_add(1, Ordering::Relaxed);
        let framed = wire::framed(&Outgoing { id, method: method.name(), params, session });
        let Ok(bytes) = framed else { return };
        if !self.write(id, bytes, None, Begun::default()) {
            // LIMIT: what is owed is never left out: a browser that takes no more is let go.
            self.close();
        }
    }

    /// Sends a set-up that the boundary rests on. A browser that refuses it is let go: without it
    /// documents would be loaded that nobody has judged (I9).
    pub(crate) fn guard(&self, session: Option<&str>, method: Reply, params: &Value) {
        let id = self.shared.next_id.fetch_add(1, Ordering::Relaxed);
        let framed = wire::framed(&Outgoing { id, method: method.name(), params, session });
        let guard = Waiting::Guard(session.map(str::to_owned));
        let is_on_its_way = framed.is_ok_and(|bytes| {
            self.shared.wait_for(id, guard).is_ok() && self.write(id, bytes, None, Begun::default())
        });
        if !is_on_its_way {
            self.close();
        }
    }

    /// Forgets the guards of a session that is gone: nobody answers for it any more.
    pub(crate) fn forget(&self, session: &str) {
        lock(&self.shared.calls).retain(|_, waiting| match waiting {
            Waiting::Guard(of) => of.as_deref() != Some(session),
            Waiting::Caller(_) => true,
        });
    }

    fn send(
        &self,
        session: Option<&str>,
        method: &'static str,
        params: &Value,
        fence: Option<Held>,
    ) -> Sent {
        let id = self.shared.next_id.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        let begun = Begun::default();
        let sent = Sent { method, answered, begun: begun.clone() };
        let Ok(bytes) = wire::framed(&Outgoing { id, method, params, session }) else {
            return sent;
        };
        if self.is_gone() {
            return sent;
        }
        if let Err(Waiting::Caller(answer)) = self.shared.wait_for(id, Waiting::Caller(answer)) {
            // Nobody can have stopped waiting yet.
            let _ = answer.send(Err(Refusal::Full));
            return sent;
        }
        if !self.write(id, bytes, fence, begun) {
            self.shared.answer(id, Err(Refusal::Full));
        }
        sent
    }

    /// Hands a frame to the wire; false when too many wait there. A wire that is found gone ends
    /// every call.
    fn write(&self, id: u64, bytes: Vec<u8>, fence: Option<Held>, begun: Begun) -> bool {
        let mut wire = lock(&self.shared.wire);
        let is_taken = wire.push(id, bytes, fence, begun) || wire.is_cut();
        let flushed = if wire.is_cut() { Flushed::Gone } else { wire.flush() };
        let fenced = wire.take_fenced();
        drop(wire);
        self.shared.drop_fenced(fenced);
        match flushed {
            Flushed::All => {}
            Flushed::Blocked => self.shared.blocked.notify_one(),
            Flushed::Gone => self.shared.end(),
        }
        is_taken
    }

    /// Returns when nothing of an older lease is or will be written; cuts the wire at the limit.
    pub(crate) async fn quiet(&self) {
        let deadline = Deadline::of_limit(limits::CUT_TIME_MAX);
        while self.is_mid_frame() {
            if deadline.has_passed() {
                self.close();
                return;
            }
            // The writing task goes on when the other side takes more; this bounds the wait.
            let step = deadline.within(Duration::from_millis(2));
            let _ = timeout_at(step.instant(), std::future::pending::<()>()).await;
        }
    }

    /// Ends every critical section that began under an older lease, and says whether a frame of
    /// one is still half written.
    fn is_mid_frame(&self) -> bool {
        let (fenced, is_mid_frame) = {
            let mut wire = lock(&self.shared.wire);
            let _ = wire.flush();
            let is_mid_frame = wire.is_mid_frame();
            if !is_mid_frame {
                wire.note_quiet();
            }
            (wire.take_fenced(), is_mid_frame)
        };
        self.shared.drop_fenced(fenced);
        is_mid_frame
    }

    /// Returns how many messages that can change the application have begun to be written.
    pub(crate) fn acted(&self) -> u64 {
        lock(&self.shared.wire).acted()
    }

    pub(crate) fn begin_record(&self) {
        lock(&self.shared.wire).begin_record();
    }

    pub(crate) fn take_record(&self) -> Vec<OnWire> {
        lock(&self.shared.wire).take_record()
    }

    /// Returns whether the connection has ended.
    pub(crate) fn is_gone(&self) -> bool {
        self.shared.is_gone.load(Ordering::SeqCst)
    }

    /// Waits until the connection has ended.
    pub(crate) async fn gone(&self) {
        let mut gone = self.shared.gone.subscribe();
        // The sender lives as long as `self`.
        let _ = gone.wait_for(|gone| *gone).await;
    }

    /// Ends the connection; for a pipe this ends the browser too.
    pub(crate) fn close(&self) {
        lock(&self.shared.wire).cut();
        self.shared.end();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Takes a call in that waits for its answer, unless too many do.
    fn wait_for(&self, id: u64, waiting: Waiting) -> Result<(), Waiting> {
        let mut calls = lock(&self.calls);
        if limits::CALLS_WAITING_MAX <= calls.len() {
            // A call whose caller gave up is forgotten; its answer may never come.
            calls.retain(|_, waiting| match waiting {
                Waiting::Caller(answer) => !answer.is_closed(),
                Waiting::Guard(_) => true,
            });
        }
        if limits::CALLS_WAITING_MAX <= calls.len() {
            return Err(waiting);
        }
        calls.insert(id, waiting);
        Ok(())
    }

    fn answer(&self, id: u64, answer: Answered) {
        let waiting = lock(&self.calls).remove(&id);
        match (waiting, answer) {
            (Some(Waiting::Caller(caller)), answer) => {
                // The caller may have stopped waiting.
                let _ = caller.send(answer);
            }
            (Some(Waiting::Guard(_)), Err(refusal)) if !refusal.is_of_a_session_gone() => {
                lock(&self.wire).cut();
                self.end();
            }
            (Some(Waiting::Guard(_)) | None, _) => {}
        }
    }

    fn drop_fenced(&self, fenced: Vec<u64>) {
        for id in fenced {
            self.answer(id, Err(Refusal::Fenced));
        }
    }

    /// Takes one message: an answer to its call, an event to the listener.
    fn take(&self, bytes: &[u8]) {
        let Ok(incoming) = serde_json::from_slice::<Incoming<'_>>(bytes) else { return };
        if let Some(id) = incoming.id {
            let answer = match (incoming.result, incoming.error) {
                (_, Some(rejection)) => Err(Refusal::Rejected(rejection)),
                (Some(result), None) => Ok(result.to_owned()),
                (None, None) => Err(Refusal::Rejected(Rejection { message: "no result".into() })),
            };
            self.answer(id, answer);
            return;
        }
        let listener = lock(&self.listener).clone();
        if let (Some(listener), Some(method), Some(params)) =
            (listener, incoming.method, incoming.params)
        {
            listener(Event { method: &method, params, session: incoming.session.as_deref() });
        }
    }

    /// Ends every call that waits, and tells whoever listens for the end.
    fn end(&self) {
        self.is_gone.store(true, Ordering::SeqCst);
        lock(&self.calls).clear();
        self.gone.send_replace(true);
        self.blocked.notify_one();
        // Whoever takes the events speaks over this connection: each would keep the other for ever.
        let events = lock(&self.listener).take();
        drop(events);
        let listener = lock(&self.end_listener).take();
        if let Some(listener) = listener {
            listener();
        }
    }
}

async fn read_pipe(mut reader: pipe::Receiver, shared: Arc<Shared>) {
    let mut buffer: Vec<u8> = Vec::with_capacity(64 * 1024);
    let mut searched = 0;
    loop {
        match reader.read_buf(&mut buffer).await {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let mut begin = 0;
        while let Some(length) =
            buffer.get(searched..).and_then(|rest| rest.iter().position(|byte| *byte == 0))
        {
            let end = searched + length;
            shared.take(buffer.get(begin..end).unwrap_or_default());
            begin = end + 1;
            searched = begin;
        }
        buffer.drain(..begin);
        searched = buffer.len();
        if limits::BROWSER_FRAME_BYTES_MAX < buffer.len() {
            break;
        }
        // LIMIT: what one huge answer took is given back once it has been read.
        if buffer.is_empty() && 1024 * 1024 < buffer.capacity() {
            buffer = Vec::with_capacity(64 * 1024);
        }
    }
    lock(&shared.wire).cut();
    shared.end();
}

/// Goes on writing when the other side takes more.
async fn write_when_writable(shared: Arc<Shared>) {
    loop {
        shared.blocked.notified().await;
        if shared.is_gone.load(Ordering::SeqCst) {
            return;
        }
        loop {
            let (flushed, fenced) = {
                let mut wire = lock(&shared.wire);
                (wire.flush(), wire.take_fenced())
            };
            shared.drop_fenced(fenced);
            match flushed {
                Flushed::All => break,
                Flushed::Gone => {
                    shared.end();
                    return;
                }
                Flushed::Blocked => {
                    let ready =
                        std::future::poll_fn(|context| match lock(&shared.wire).pipe_writable() {
                            Some(sender) => sender.poll_write_ready(context).map(|_| ()),
                            None => std::task::Poll::Ready(()),
                        });
                    ready.await;
                }
            }
        }
    }
}

async fn read_socket(readable: tokio::net::TcpStream, shared: Arc<Shared>) {
    loop {
        let frame = lock(&shared.wire).read_socket();
        match frame {
            Ok(Some(bytes)) => shared.take(&bytes),
            Ok(None) => {
                if readable.readable().await.is_err() {
                    break;
                }
                // The bytes are read through the other handle; this one only forgets that they
                // are there, so that it waits for the next.
                let nothing = || Err::<(), _>(std::io::ErrorKind::WouldBlock.into());
                let _ = readable.try_io(tokio::io::Interest::READABLE, nothing);
                let _ = lock(&shared.wire).flush();
            }
            Err(()) => break,
        }
        if shared.is_gone.load(Ordering::SeqCst) {
            return;
        }
    }
    lock(&shared.wire).cut();
    shared.end();
}

/// Why a browser that somebody else started cannot be reached. The endpoint is not shown (BR-034).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AttachError {
    /// Not a browser-level websocket address on loopback (BR-035).
    #[error("the endpoint is not `ws://127.0.0.1:PORT/devtools/browser/ID`")]
    BadEndpoint,
    /// Nobody answers there.
    #[error("nobody answers at the endpoint")]
    NoAnswer,
    /// It does not speak websocket.
    #[error("the endpoint does not speak the protocol")]
    BadHandshake,
}

fn dial(endpoint: &str) -> Result<(WebSocket<TcpStream>, tokio::net::TcpStream), AttachError> {
    let url = url::Url::parse(endpoint).map_err(|_| AttachError::BadEndpoint)?;
    let is_loopback = matches!(url.host_str(), Some("127.0.0.1" | "[::1]"));
    let is_plain = url.scheme() == "ws"
        && url.username().is_empty()
        && url.query().is_none()
        && url.fragment().is_none()
        && url.path().starts_with("/devtools/browser/");
    let (true, true, Some(port)) = (is_loopback, is_plain, url.port()) else {
        return Err(AttachError::BadEndpoint);
    };
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let address = (host, port)
        .to_socket_addrs()
        .ok()
        .and_then(|mut addresses| addresses.next())
        .ok_or(AttachError::BadEndpoint)?;
    let stream = TcpStream::connect_timeout(&address, Duration::from_secs(5))
        .map_err(|_| AttachError::NoAnswer)?;
    // Small frames both ways: waiting to fill a packet would only add time.
    stream.set_nodelay(true).map_err(|_| AttachError::NoAnswer)?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).map_err(|_| AttachError::NoAnswer)?;
    let config = tungstenite::protocol::WebSocketConfig::default()
        .max_message_size(Some(limits::BROWSER_FRAME_BYTES_MAX))
        .max_frame_size(Some(limits::BROWSER_FRAME_BYTES_MAX));
    let (socket, _) = tungstenite::client::client_with_config(endpoint, stream, Some(config))
        .map_err(|_| AttachError::BadHandshake)?;
    let stream = socket.get_ref();
    stream.set_nonblocking(true).map_err(|_| AttachError::NoAnswer)?;
    let readable = stream.try_clone().map_err(|_| AttachError::NoAnswer)?;
    let readable = tokio::net::TcpStream::from_std(readable).map_err(|_| AttachError::NoAnswer)?;
    Ok((socket, readable))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A connection to a browser that never answers, and the ends it keeps open.
    fn silent() -> (Connection, (pipe::Sender, pipe::Receiver)) {
        let ((near, read), (write, far)) = (pipe::pipe().unwrap(), pipe::pipe().unwrap());
        (Connection::over_pipe(read, write), (near, far))
    }

    fn version(connection: &Connection) -> Sent {
        connection.look(None, Look::GetVersion, &Value::Null)
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_over_the_limit_is_refused_and_one_that_was_given_up_makes_room() {
        let (connection, _ends) = silent();
        let soon = || Deadline::of_limit(Duration::from_secs(1));
        // Until the runtime has looked at the pipe, frames wait on our side.
        drop(version(&connection).answer(soon()).await);
        let mut waiting: Vec<Sent> =
            (0..limits::CALLS_WAITING_MAX).map(|_| version(&connection)).collect();

        let refused = version(&connection).answer(soon()).await.unwrap_err();
        drop(waiting.pop());
        let taken = version(&connection).answer(soon()).await.unwrap_err();

        let method = "Browser.getVersion";
        assert_eq!((refused.fate(), refused), (Fate::NotSent, CallError::QueueFull { method }));
        assert_eq!(taken, CallError::NoAnswer { method });
        assert!(!connection.is_gone());
    }

    #[tokio::test(start_paused = true)]
    async fn a_guard_of_a_page_that_has_closed_ends_nothing() {
        let (connection, (near, _far)) = silent();
        let answer = |id: u64, message: &str| {
            format!("{{\"id\":{id},\"error\":{{\"code\":-1,\"message\":\"{message}\"}}}}\0")
        };
        connection.guard(Some("s"), Reply::FetchEnable, &Value::Null);
        connection.guard(Some("s"), Reply::FetchEnable, &Value::Null);
        let call = version(&connection);

        near.writable().await.unwrap();
        let texts = [answer(1, "Session with given id not found."), answer(3, "later")].concat();
        near.try_write(texts.as_bytes()).unwrap();
        let later = call.answer(Deadline::of_limit(Duration::from_secs(9))).await.unwrap_err();
        let gone_before = connection.is_gone();
        near.try_write(answer(2, "no").as_bytes()).unwrap();
        tokio::time::timeout(Duration::from_secs(9), connection.gone()).await.unwrap();

        assert_eq!((later.fate(), gone_before), (Fate::Sent, false));
        assert!(connection.is_gone());
    }

    /// The write fails, and with it every call that waits: none of them runs into its deadline.
    #[tokio::test(start_paused = true)]
    async fn a_pipe_that_takes_no_more_ends_every_call_and_is_told_once() {
        let (connection, (_near, far)) = silent();
        let told = Arc::new(AtomicU64::new(0));
        let counting = Arc::clone(&told);
        let count = move || {
            counting.fetch_add(1, Ordering::SeqCst);
        };
        connection.listen_for_end(Box::new(count));
        let first = version(&connection);
        let is_out = tokio::time::timeout(Duration::from_secs(9), async {
            while !first.begun().is_out() {
                tokio::task::yield_now().await;
            }
        });
        is_out.await.unwrap();

        drop(far);
        connection.reply(None, Reply::Close, &Value::Null);
        let started = tokio::time::Instant::now();
        let error = first.answer(Deadline::of_limit(Duration::from_secs(9))).await.unwrap_err();
        connection.close();
        let after = version(&connection).answer(Deadline::of_limit(Duration::from_secs(9))).await;

        let method = "Browser.getVersion";
        assert_eq!(error, CallError::Disconnected { method });
        assert_eq!(after.unwrap_err(), CallError::Unwritten { method });
        assert_eq!(started.elapsed(), Duration::ZERO);
        assert!(connection.is_gone());
        assert_eq!(told.load(Ordering::SeqCst), 1);
    }
}
