//! One browser held open: its pages, what happens in them by itself, and its end.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;

use sidestick_gate::{Held, SurfaceError, SurfaceEvent};
use sidestick_model::emulation::Emulation;
use sidestick_model::observation::DialogState;
use sidestick_model::{Deadline, limits};
use sidestick_policy::{Boundary, Secret};

use crate::asides;
use crate::boundary::{self, Paused};
use crate::chooser;
use crate::connection::{AttachError, Connection, OnWire};
use crate::downloads::{self, Downloads};
use crate::emulation;
use crate::events::{self, params, parsed};
use crate::launch::{LaunchError, LaunchOptions, Process, VERSION_MIN};
use crate::page::Page;
use crate::picture::Early;
use crate::protocol::{Act, Event, Look, Reply};

/// How a browser is opened.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where documents may be loaded from.
    pub boundary: Boundary,
    /// The first address.
    pub target: String,
    /// The key of this run's read-back digests (D20).
    pub digest_key: [u8; 32],
    /// Pages that may be opened on purpose; those a site opens are never refused.
    pub pages_max: usize,
    /// The private folder the browser may write downloads into; without one none is kept.
    pub downloads: Option<PathBuf>,
}

/// Why a browser could not be opened at its target.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It could not be started.
    #[error(transparent)]
    Launch(#[from] LaunchError),
    /// It could not be reached.
    #[error(transparent)]
    Attach(#[from] AttachError),
    /// The target could not be loaded.
    #[error("the target could not be loaded: {reason}")]
    Target {
        /// The browser's word for it.
        reason: String,
    },
    /// The browser failed.
    #[error(transparent)]
    Surface(#[from] SurfaceError),
}

/// A Chromium held open.
#[derive(Debug)]
pub struct Chromium {
    pub(crate) connection: Connection,
    pub(crate) shared: Arc<Pages>,
    pub(crate) digest_key: [u8; 32],
    pub(crate) pages_max: usize,
    pub(crate) version: String,
    pub(crate) sandbox: bool,
    process: tokio::sync::Mutex<Option<Process>>,
    /// One picture at a time (BR-350).
    pub(crate) camera: tokio::sync::Mutex<()>,
    /// The picture that was begun before it was asked for.
    pub(crate) early: Mutex<Option<Early>>,
    /// What the last picture had to hide.
    pub(crate) secrets_known: Mutex<Vec<Secret>>,
}

/// What a session of the protocol speaks to.
#[derive(Debug, Clone)]
enum Speaker {
    Page(Arc<Page>),
    /// A frame in a process of its own, with the page it belongs to.
    Frame(Arc<Page>),
    Other,
}

/// The pages of a browser, and what happened by itself.
#[derive(Debug)]
pub(crate) struct Pages {
    speakers: Mutex<HashMap<String, Speaker>>,
    pages: Mutex<Vec<Arc<Page>>>,
    current: Mutex<Option<String>>,
    /// The page the last act was performed on, whatever has become of it.
    acted: Mutex<Option<Arc<Page>>>,
    events: Mutex<(VecDeque<SurfaceEvent>, u32)>,
    numbers: AtomicU64,
    boundary: Boundary,
    /// What pages are told about screen, person and network.
    pub(crate) emulation: Emulation,
    /// Whether the network has been cut.
    is_offline: AtomicBool,
    pub(crate) downloads: Downloads,
    appeared: tokio::sync::watch::Sender<u64>,
    /// Whether the browser has gone.
    is_gone: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    product: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigated {
    error_text: Option<String>,
}

impl Chromium {
    /// Starts a browser and loads the target in it.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be started, is too old, or the target does not load; whatever was
    /// started is ended then.
    pub async fn launch(
        launch: &LaunchOptions,
        options: Options,
        held: &Held,
    ) -> Result<Chromium, OpenError> {
        let (mut process, connection) = Process::start(launch)?;
        let deadline = Deadline::of_limit(limits::LAUNCH_TIME_MAX);
        let shared = Pages::new(options.boundary.clone(), launch.emulation.clone());
        Pages::listen(&shared, &connection);
        Pages::set_up_browser(&connection, options.downloads.as_deref());
        asides::deny_permissions(&connection);
        let version = connection.look(None, Look::GetVersion, &json!({})).answer(deadline).await;
        let Ok(version) = version else {
            // A browser that ended says why in its last words.
            let ended = process.has_ended() || connection.is_gone();
            let error = if ended { process.last_words() } else { LaunchError::Silent };
            connection.close();
            drop(process.end(limits::BROWSER_END_TIME_MAX).await);
            return Err(error.into());
        };
        let version = version_of(&version);
        let chromium = Chromium {
            connection,
            shared,
            digest_key: options.digest_key,
            pages_max: options.pages_max,
            version: version.clone(),
            sandbox: launch.sandbox,
            process: tokio::sync::Mutex::new(Some(process)),
            camera: tokio::sync::Mutex::new(()),
            early: Mutex::new(None),
            secrets_known: Mutex::new(Vec::new()),
        };
        let opened = match major(&version) {
            Some(major) if major < VERSION_MIN => {
                Err(LaunchError::TooOld { found: version, needed: VERSION_MIN }.into())
            }
            Some(_) | None => chromium.load(&options.target, held).await,
        };
        match opened {
            Ok(()) => Ok(chromium),
            Err(error) => {
                drop(chromium.end(false).await);
                Err(error)
            }
        }
    }

    /// Speaks to a browser that somebody else started; its end leaves it running (BR-029).
    ///
    /// # Errors
    ///
    /// Fails when the endpoint cannot be reached or the target does not load.
    pub async fn attach(
        endpoint: &str,
        options: Options,
        held: &Held,
    ) -> Result<Chromium, OpenError> {
        let connection = Connection::over_websocket(endpoint)?;
        let deadline = Deadline::of_limit(limits::LAUNCH_TIME_MAX);
        let shared = Pages::new(options.boundary.clone(), Emulation::default());
        Pages::listen(&shared, &connection);
        Pages::set_up_browser(&connection, options.downloads.as_deref());
        let version = connection.look(None, Look::GetVersion, &json!({})).answer(deadline).await;
        let version = version.map_err(|error| OpenError::Surface(error.of_look()))?;
        let chromium = Chromium {
            connection,
            shared,
            digest_key: options.digest_key,
            pages_max: options.pages_max,
            version: version_of(&version),
            sandbox: false,
            process: tokio::sync::Mutex::new(None),
            camera: tokio::sync::Mutex::new(()),
            early: Mutex::new(None),
            secrets_known: Mutex::new(Vec::new()),
        };
        let created = json!({"url": "about:blank"});
        let made = chromium.connection.act_on_browser(Act::CreateTarget, &created, held);
        let made = made.answer(deadline).await.map_err(|error| error.of_act())?;
        chromium.shared.show_created(&made, deadline).await;
        chromium.load(&options.target, held).await?;
        Ok(chromium)
    }

    /// Drives whatever speaks at the other end.
    #[cfg(any(test, feature = "fuzz"))]
    pub(crate) fn over(connection: Connection, boundary: Boundary) -> Chromium {
        let shared = Pages::new(boundary, Emulation::default());
        Pages::listen(&shared, &connection);
        Chromium {
            connection,
            shared,
            digest_key: [7; 32],
            pages_max: limits::PAGES_MAX,
            version: "unknown".to_owned(),
            sandbox: false,
            process: tokio::sync::Mutex::new(None),
            camera: tokio::sync::Mutex::new(()),
            early: Mutex::new(None),
            secrets_known: Mutex::new(Vec::new()),
        }
    }

    /// Loads the target in the first page and waits until it is parsed.
    async fn load(&self, target: &str, held: &Held) -> Result<(), OpenError> {
        let deadline = Deadline::of_limit(limits::NAVIGATION_TIME);
        let page = self.shared.first_page(deadline.within(limits::LAUNCH_TIME_MAX)).await?;
        // QUIRK: a page that is told to navigate before its first document runs scripts loses its
        // renderer in about every second start (Chromium 156).
        page.until(deadline, |known| known.world.is_some() || known.is_crashed).await;
        if page.known().is_gone {
            return Err(SurfaceError::BrowserGone { fate: sidestick_model::Fate::NotSent }.into());
        }
        page.mark(0, 0);
        let params = json!({"url": target});
        let sent = self.connection.act(&page.session, Act::Navigate, &params, held);
        let answered = sent.answer(deadline).await.map_err(|error| error.of_act())?;
        let navigated: Navigated = serde_json::from_str(answered.get())
            .unwrap_or(Navigated { error_text: Some("an unreadable answer".to_owned()) });
        if let Some(reason) = navigated.error_text {
            return Err(OpenError::Target { reason });
        }
        page.parsed(limits::NAVIGATION_TIME, deadline).await;
        if self.shared.emulation.offline {
            self.shared.cut_network(&self.connection);
        }
        Ok(())
    }

    /// Ends the browser and says what is left of it.
    pub(crate) async fn end(&self, keep_open: bool) -> Result<Vec<String>, String> {
        let mut process = self.process.lock().await;
        if keep_open {
            return Ok(vec!["connection: kept".to_owned(), "process: kept".to_owned()]);
        }
        let Some(process) = process.take() else {
            self.connection.close();
            return Ok(vec!["connection: closed".to_owned(), "process: not owned".to_owned()]);
        };
        self.connection.reply(None, Reply::Close, &json!({}));
        let limit = limits::BROWSER_END_TIME_MAX;
        // The browser closes its end of the pipe when it ends.
        let _ = tokio::time::timeout(limit, self.connection.gone()).await;
        self.connection.close();
        process.end(limit).await
    }

    /// Returns how many messages that can change the application have begun to be written: input,
    /// scripts that act, navigations.
    pub fn acts_written(&self) -> u64 {
        self.connection.acted()
    }

    /// Begins to keep what is written to the browser. It holds what was typed as it was typed, so
    /// only a test asks for it.
    pub fn record_wire(&self) {
        self.connection.begin_record();
    }

    /// Takes what was written since [`Chromium::record_wire`], or since it was last taken, in the
    /// order of the writes.
    pub fn take_wire_record(&self) -> Vec<OnWire> {
        self.connection.take_record()
    }

    /// Returns the page acts go to.
    pub(crate) fn page(&self) -> Result<Arc<Page>, SurfaceError> {
        self.shared.page().ok_or(SurfaceError::PageClosed { fate: sidestick_model::Fate::NotSent })
    }
}

fn version_of(raw: &RawValue) -> String {
    serde_json::from_str::<Version>(raw.get())
        .map_or_else(|_| "unknown".to_owned(), |version| version.product)
}

/// Reads 156 out of `HeadlessChrome/156.0.1`.
fn major(product: &str) -> Option<u32> {
    product.split_once('/')?.1.split('.').next()?.parse().ok()
}

impl Pages {
    fn new(boundary: Boundary, emulation: Emulation) -> Arc<Pages> {
        let (appeared, _) = tokio::sync::watch::channel(0);
        Arc::new(Pages {
            speakers: Mutex::new(HashMap::new()),
            pages: Mutex::new(Vec::new()),
            current: Mutex::new(None),
            acted: Mutex::new(None),
            events: Mutex::new((VecDeque::new(), 0)),
            numbers: AtomicU64::new(0),
            downloads: Downloads::new(boundary.clone()),
            boundary,
            emulation,
            is_offline: AtomicBool::new(false),
            appeared,
            is_gone: AtomicBool::new(false),
        })
    }

    fn listen(pages: &Arc<Pages>, connection: &Connection) {
        let ending = Arc::downgrade(pages);
        connection.listen_for_end(Box::new(move || {
            if let Some(pages) = ending.upgrade() {
                pages.ended();
            }
        }));
        let (pages, speaking) = (Arc::downgrade(pages), connection.clone());
        connection.listen(Box::new(move |event| {
            if let Some(pages) = pages.upgrade() {
                pages.take(&speaking, &event);
            }
        }));
    }

    fn set_up_browser(connection: &Connection, downloads: Option<&Path>) {
        let attach = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true});
        connection.guard(None, Reply::SetAutoAttach, &attach);
        connection.reply(None, Reply::SetDownloads, &downloads::behavior(downloads));
    }

    /// Cuts the network of everything that speaks, and of all that will.
    fn cut_network(&self, connection: &Connection) {
        self.is_offline.store(true, Ordering::SeqCst);
        let sessions: Vec<String> = lock(&self.speakers).keys().cloned().collect();
        for session in sessions {
            emulation::cut_network(connection, &session);
        }
    }

    /// Waits for the first page.
    async fn first_page(&self, deadline: Deadline) -> Result<Arc<Page>, SurfaceError> {
        let mut appeared = self.appeared.subscribe();
        loop {
            if let Some(page) = self.page() {
                return Ok(page);
            }
            if self.is_gone.load(Ordering::SeqCst) {
                return Err(SurfaceError::BrowserGone { fate: sidestick_model::Fate::NotSent });
            }
            let waited = tokio::time::timeout_at(deadline.instant(), appeared.changed()).await;
            if !matches!(waited, Ok(Ok(()))) {
                let fate = sidestick_model::Fate::NotSent;
                return Err(SurfaceError::Unresponsive { what: "first page", fate });
            }
        }
    }

    /// Makes a page that was just created the one acts go to.
    pub(crate) async fn show_created(&self, created: &RawValue, deadline: Deadline) {
        let Ok(target) = serde_json::from_str::<params::Target>(created.get()) else { return };
        let mut appeared = self.appeared.subscribe();
        while self.by_id(&target.target_id).is_none() && !self.is_gone.load(Ordering::SeqCst) {
            let waited = tokio::time::timeout_at(deadline.instant(), appeared.changed()).await;
            if !matches!(waited, Ok(Ok(()))) {
                return;
            }
        }
        self.show(&target.target_id);
    }

    /// Makes a page the one acts go to; false when there is no such page.
    pub(crate) fn show(&self, id: &str) -> bool {
        let is_there = self.by_id(id).is_some();
        if is_there {
            *lock(&self.current) = Some(id.to_owned());
        }
        is_there
    }

    /// Returns the page acts go to: the one that was chosen, else the oldest.
    pub(crate) fn page(&self) -> Option<Arc<Page>> {
        let chosen = lock(&self.current).clone();
        let pages = lock(&self.pages);
        let chosen = chosen.and_then(|id| pages.iter().find(|page| page.id == id).cloned());
        chosen.or_else(|| pages.first().cloned())
    }

    /// Remembers the page an act is performed on.
    pub(crate) fn acts_on(&self, page: &Arc<Page>) {
        *lock(&self.acted) = Some(Arc::clone(page));
    }

    /// Returns the page the last act was performed on; it may have closed since.
    pub(crate) fn acted_on(&self) -> Option<Arc<Page>> {
        lock(&self.acted).clone()
    }

    pub(crate) fn by_id(&self, id: &str) -> Option<Arc<Page>> {
        lock(&self.pages).iter().find(|page| page.id == id).cloned()
    }

    pub(crate) fn all(&self) -> Vec<Arc<Page>> {
        lock(&self.pages).clone()
    }

    /// Returns the number of the newest page.
    pub(crate) fn newest_number(&self) -> u64 {
        self.numbers.load(Ordering::SeqCst)
    }

    pub(crate) fn take_events(&self) -> (Vec<SurfaceEvent>, u32) {
        self.note_overdue_windows();
        let mut events = lock(&self.events);
        let dropped = std::mem::take(&mut events.1);
        (events.0.drain(..).collect(), dropped)
    }

    pub(crate) fn happened(&self, event: SurfaceEvent) {
        let mut events = lock(&self.events);
        if limits::SURFACE_EVENTS_MAX <= events.0.len() {
            events.0.pop_front();
            events.1 = events.1.saturating_add(1);
        }
        events.0.push_back(event);
    }

    /// Takes one event. Nothing here waits; what is owed to the browser is sent at once.
    fn take(&self, connection: &Connection, event: &Event<'_>) {
        match event.method {
            "Target.attachedToTarget" => self.attached(connection, event),
            "Target.detachedFromTarget" => {
                if let Some(detached) = parsed::<params::Session>(event) {
                    connection.forget(&detached.session_id);
                    self.detached(&detached.session_id);
                }
            }
            "Target.targetCrashed" => {
                let crashed = parsed::<params::Target>(event);
                if let Some(page) = crashed.and_then(|crashed| self.by_id(&crashed.target_id)) {
                    self.crashed(&page);
                }
            }
            "Browser.downloadWillBegin" => self.download_began(connection, event),
            "Browser.downloadProgress" => self.download_moved(connection, event),
            _ => {
                let speaker = event.session.and_then(|id| lock(&self.speakers).get(id).cloned());
                match speaker {
                    Some(Speaker::Page(page)) => self.of_page(connection, &page, event),
                    Some(Speaker::Frame(page)) => self.of_frame(connection, &page, event),
                    Some(Speaker::Other) | None => {}
                }
            }
        }
    }

    fn attached(&self, connection: &Connection, event: &Event<'_>) {
        let Some(attached) = parsed::<params::Attached>(event) else { return };
        let session = attached.session_id;
        let target = attached.target_info;
        let parent = event.session.and_then(|id| match lock(&self.speakers).get(id) {
            Some(Speaker::Page(page) | Speaker::Frame(page)) => Some(Arc::clone(page)),
            Some(Speaker::Other) | None => None,
        });
        let speaker = match (target.r#type.as_str(), parent) {
            ("page", _) => {
                let number = self.numbers.fetch_add(1, Ordering::SeqCst) + 1;
                let (id, opener) = (target.target_id, target.opener_id);
                if let Some(opener) = opener.as_deref().and_then(|id| self.by_id(id)) {
                    opener.update(|known| known.windows.opened += 1);
                }
                let page = Page::new(id, session.clone(), number, target.url, opener);
                Speaker::Page(Arc::new(page))
            }
            ("iframe", Some(page)) => Speaker::Frame(page),
            (kind, Some(page)) if kind.ends_with("worker") => {
                page.update(|known| known.network.worker_began());
                Speaker::Other
            }
            _ => Speaker::Other,
        };
        lock(&self.speakers).insert(session.clone(), speaker.clone());
        match &speaker {
            Speaker::Page(page) => {
                events::set_up_page(connection, &session, &self.emulation);
                lock(&self.pages).push(Arc::clone(page));
                if 1 < page.number {
                    self.happened(SurfaceEvent::PageOpened { page: page.state() });
                }
                self.appeared.send_modify(|count| *count += 1);
            }
            Speaker::Frame(_) => events::set_up_frame(connection, &session, &self.emulation),
            Speaker::Other => {}
        }
        if self.is_offline.load(Ordering::SeqCst) {
            emulation::cut_network(connection, &session);
        }
        connection.reply(Some(&session), Reply::RunIfWaiting, &json!({}));
    }

    /// The browser has gone: whoever waits for a page waits no longer. Pages are not told as
    /// closed, which an action may have wanted (BR-040).
    fn ended(&self) {
        self.is_gone.store(true, Ordering::SeqCst);
        for page in self.all() {
            page.update(|known| known.is_gone = true);
        }
        self.appeared.send_modify(|count| *count += 1);
    }

    fn detached(&self, session: &str) {
        let page = match lock(&self.speakers).remove(session) {
            Some(Speaker::Page(page)) => page,
            Some(Speaker::Frame(page)) => {
                return page.update(|known| known.frames.world_destroyed(session, None));
            }
            Some(Speaker::Other) | None => return,
        };
        // Whoever is woken by its end finds it gone.
        lock(&self.pages).retain(|other| other.id != page.id);
        page.update(|known| known.is_closed = true);
        self.happened(SurfaceEvent::PageClosed { id: page.id.clone(), crashed: false });
    }

    fn crashed(&self, page: &Arc<Page>) {
        if page.known().is_crashed {
            return;
        }
        page.update(|known| {
            known.is_crashed = true;
            known.world = None;
        });
        self.happened(SurfaceEvent::PageClosed { id: page.id.clone(), crashed: true });
    }

    fn download_began(&self, connection: &Connection, event: &Event<'_>) {
        let Some(began) = parsed::<downloads::Began>(event) else { return };
        let page = self.by_id(&began.frame_id).map(|page| page.id.clone());
        if let Some(happened) = self.downloads.began(connection, began, page) {
            self.happened(happened);
        }
    }

    fn download_moved(&self, connection: &Connection, event: &Event<'_>) {
        let Some(moved) = parsed::<downloads::Moved>(event) else { return };
        if let Some(happened) = self.downloads.moved(connection, &moved) {
            self.happened(happened);
        }
    }

    /// Takes an event of a frame in a process of its own: its documents are judged like any.
    fn of_frame(&self, connection: &Connection, page: &Arc<Page>, event: &Event<'_>) {
        let Some(session) = event.session else { return };
        match event.method {
            "Fetch.authRequired" => self.challenged(connection, page, event),
            "Fetch.requestPaused" => {
                let Some(paused) = parsed::<Paused>(event) else { return };
                let blocked =
                    boundary::answer(connection, session, &page.id, &self.boundary, &paused);
                self.blocked(page, blocked);
            }
            "Runtime.executionContextCreated" => events::world_created(connection, page, event),
            "Runtime.executionContextDestroyed"
            | "Runtime.executionContextsCleared"
            | "Page.frameDetached" => events::frame_documents(page, event),
            _ => self.of_document(page, event),
        }
    }

    /// Takes what any document may tell: errors, demands for a password, requests that failed.
    fn of_document(&self, page: &Arc<Page>, event: &Event<'_>) {
        if matches!(
            event.method,
            "Runtime.consoleAPICalled" | "Runtime.exceptionThrown" | "Log.entryAdded"
        ) {
            if let Some(message) = events::console_error(event) {
                self.happened(message);
            }
            return;
        }
        // Most answers are no demand, and are not read twice for it.
        if event.params.get().contains("\"status\":401")
            && let Some(notice) = events::challenge(page, event)
        {
            self.happened(notice);
        }
        if let Some(failed) = events::network(page, event) {
            self.happened(failed);
        }
    }

    fn challenged(&self, connection: &Connection, page: &Page, event: &Event<'_>) {
        if let (Some(session), Some(asked)) = (event.session, parsed(event)) {
            self.happened(asides::challenged(connection, session, page, &asked));
        }
    }

    fn blocked(&self, page: &Page, url: Option<String>) {
        let Some(url) = url else { return };
        page.update(|known| {
            known.blocked.push(sidestick_policy::redact::address(&url).unwrap_or_default());
        });
        self.happened(SurfaceEvent::Blocked { url });
    }

    fn of_page(&self, connection: &Connection, page: &Arc<Page>, event: &Event<'_>) {
        match event.method {
            "Fetch.requestPaused" => {
                if let Some(paused) = parsed::<Paused>(event) {
                    let session = &page.session;
                    let judged =
                        boundary::answer(connection, session, &page.id, &self.boundary, &paused);
                    self.blocked(page, judged);
                }
            }
            "Runtime.executionContextCreated" => events::world_created(connection, page, event),
            "Runtime.executionContextDestroyed"
            | "Runtime.executionContextsCleared"
            | "Page.frameDetached" => events::frame_documents(page, event),
            "Page.javascriptDialogOpening" => self.dialog_opened(page, event),
            "Page.javascriptDialogClosed" => page.update(|known| known.dialog = None),
            "Page.windowOpen" => {
                if let Some(asked) = parsed::<params::WindowOpen>(event) {
                    page.update(|known| known.windows.ask(asked.url, asked.user_gesture));
                }
            }
            "Runtime.bindingCalled" => {
                let notice = parsed(event).and_then(|told| asides::told(page, &told));
                notice.into_iter().for_each(|notice| self.happened(notice));
            }
            "Page.frameRequestedNavigation" => {
                let notice = parsed(event).and_then(|asked| asides::requested(page, &asked));
                notice.into_iter().for_each(|notice| self.happened(notice));
            }
            "Fetch.authRequired" => self.challenged(connection, page, event),
            "Page.fileChooserOpened" => {
                let opened = parsed(event).and_then(|opened| chooser::opened(page, &opened));
                if let Some(notice) = opened {
                    self.happened(notice);
                }
            }
            "Inspector.targetCrashed" => self.crashed(page),
            "Page.frameNavigated"
            | "Page.navigatedWithinDocument"
            | "Page.domContentEventFired"
            | "Page.frameStartedLoading"
            | "Page.frameStoppedLoading" => events::navigation(page, event),
            _ => self.of_document(page, event),
        }
    }

    fn dialog_opened(&self, page: &Arc<Page>, event: &Event<'_>) {
        let Some(opened) = parsed::<params::Dialog>(event) else { return };
        let cut = |text: String| text.chars().take(limits::PAGE_TEXT_MAX).collect::<String>();
        let dialog = DialogState {
            kind: opened.r#type,
            text: cut(opened.message),
            default_text: opened.default_prompt.filter(|text| !text.is_empty()).map(cut),
            opened_by: None,
        };
        page.update(|known| {
            known.dialog = Some(dialog.clone());
            known.dialogs = known.dialogs.saturating_add(1);
        });
        self.happened(SurfaceEvent::Dialog { dialog });
    }
}
