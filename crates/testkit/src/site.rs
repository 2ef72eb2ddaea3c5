//! A local site: the fixture pages, the record of what reached them, and routes that misbehave.

#![expect(clippy::unwrap_used, reason = "a test tool that cannot start fails its test")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect};
use axum::routing::{get, post};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A site on a free loopback port, served until it is dropped.
#[derive(Debug)]
pub struct Site {
    origin: String,
    shared: Arc<Shared>,
    _stop: oneshot::Sender<()>,
}

#[derive(Debug)]
struct Shared {
    pages: PathBuf,
    received: Mutex<Vec<Value>>,
    inline: Mutex<String>,
    requests: Mutex<Vec<String>>,
}

impl Shared {
    fn note(&self, request: &str) {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request.to_owned());
    }
}

impl Site {
    /// Serves the fixture pages of the repository.
    pub async fn start() -> Site {
        let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/web");
        let shared = Arc::new(Shared {
            pages,
            received: Mutex::new(Vec::new()),
            inline: Mutex::new(String::new()),
            requests: Mutex::new(Vec::new()),
        });
        let (_stop, stopped) = oneshot::channel::<()>();
        let app = router(Arc::clone(&shared));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let until = async {
                // The sender is dropped with the site.
                let _ = stopped.await;
            };
            let _ = axum::serve(listener, app).with_graceful_shutdown(until).await;
        });
        Site { origin, shared, _stop }
    }

    /// Returns the address of a fixture page.
    pub fn page(&self, fixture: &str) -> String {
        format!("{}/{fixture}", self.origin)
    }

    /// Returns the origin.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Sets what `/inline` shows, and returns its address.
    pub fn inline(&self, html: &str) -> String {
        html.clone_into(&mut self.shared.inline.lock().unwrap_or_else(PoisonError::into_inner));
        format!("{}/inline", self.origin)
    }

    /// Returns what the pages have received, in order.
    pub fn received(&self) -> Vec<Value> {
        self.shared.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the requests to the routes that misbehave or take posts.
    pub fn requests(&self) -> Vec<String> {
        self.shared.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns how many entries of this type have reached the element with this id, once at least
    /// `wanted` have or two seconds are over.
    pub async fn count(&self, kind: &str, target: &str, wanted: usize) -> usize {
        let until = tokio::time::Instant::now() + Duration::from_secs(2);
        loop {
            let is_it = |entry: &&Value| entry["type"] == kind && entry["target"] == target;
            let count = self.received().iter().filter(is_it).count();
            if wanted <= count && 0 < wanted || until < tokio::time::Instant::now() {
                return count;
            }
            tokio::task::yield_now().await;
            let soon = tokio::time::Instant::now() + Duration::from_millis(5);
            let _ = tokio::time::timeout_at(soon, std::future::pending::<()>()).await;
        }
    }
}

fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/inline", get(inline))
        .route("/received", post(received))
        .route("/report.js", get(report))
        .route("/status/{code}", get(status).post(status))
        .route("/slow/{ms}", get(slow).post(slow))
        .route("/loop", get(async || Redirect::to("/loop")))
        .route("/to", get(redirect))
        .route("/favicon.ico", get(async || StatusCode::NO_CONTENT))
        .route("/{fixture}", get(page))
        .with_state(shared)
}

async fn page(
    State(shared): State<Arc<Shared>>,
    path: axum::extract::Path<String>,
) -> impl IntoResponse {
    let file = shared.pages.join(path.0.replace(['/', '.'], "")).join("index.html");
    match std::fs::read_to_string(file) {
        Ok(html) => Html(with_report(&html)).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

fn with_report(html: &str) -> String {
    format!("{html}\n<script src=\"/report.js\"></script>\n")
}

async fn inline(State(shared): State<Arc<Shared>>) -> impl IntoResponse {
    let html = shared.inline.lock().unwrap_or_else(PoisonError::into_inner).clone();
    Html(with_report(&html))
}

async fn report(State(shared): State<Arc<Shared>>) -> impl IntoResponse {
    let script = std::fs::read_to_string(shared.pages.join("report.js")).unwrap_or_default();
    ([(header::CONTENT_TYPE, "text/javascript")], script)
}

async fn received(State(shared): State<Arc<Shared>>, body: String) -> StatusCode {
    if let Ok(entry) = serde_json::from_str(&body) {
        shared.received.lock().unwrap_or_else(PoisonError::into_inner).push(entry);
    }
    StatusCode::NO_CONTENT
}

async fn status(State(shared): State<Arc<Shared>>, code: axum::extract::Path<u16>) -> StatusCode {
    shared.note(&format!("status {}", code.0));
    StatusCode::from_u16(code.0).unwrap_or(StatusCode::IM_A_TEAPOT)
}

async fn slow(
    State(shared): State<Arc<Shared>>,
    ms: axum::extract::Path<u64>,
) -> impl IntoResponse {
    shared.note(&format!("slow {}", ms.0));
    let until = tokio::time::Instant::now() + Duration::from_millis(ms.0);
    let _ = tokio::time::timeout_at(until, std::future::pending::<()>()).await;
    Html("<title>Slow</title><p>late</p>")
}

async fn redirect(
    query: axum::extract::Query<std::collections::HashMap<String, String>>,
) -> Redirect {
    Redirect::to(query.get("url").map_or("/", String::as_str))
}
