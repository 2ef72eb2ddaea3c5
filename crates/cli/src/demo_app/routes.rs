//! The demo application's addresses, and what each one does to the record.

use std::{sync::Arc, time::Duration};

use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, Query, State},
    http::{
        HeaderMap, StatusCode,
        header::{CACHE_CONTROL, CONTENT_TYPE, COOKIE, HeaderValue, SET_COOKIE},
    },
    middleware::map_response,
    response::{Html, IntoResponse, Redirect, Response},
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{pages::Page, record::Record};

/// The largest request body. A larger one is answered 413 and changes nothing.
const BODY_BYTES_MAX: usize = 64 * 1024;
/// How long the failing avatar request takes, so that a person sees the button wait.
const AVATAR_TIME: Duration = Duration::from_millis(40);
const SESSION_COOKIE: &str = "orderly_session";

const ASSETS: [(&str, &str, &str); 11] = [
    ("/assets/style.css", "text/css", include_str!("assets/style.css")),
    ("/assets/common.js", "text/javascript", include_str!("assets/common.js")),
    ("/assets/dashboard.js", "text/javascript", include_str!("assets/dashboard.js")),
    ("/assets/projects.js", "text/javascript", include_str!("assets/projects.js")),
    ("/assets/profile.js", "text/javascript", include_str!("assets/profile.js")),
    ("/assets/settings.js", "text/javascript", include_str!("assets/settings.js")),
    ("/assets/login.js", "text/javascript", include_str!("assets/login.js")),
    ("/assets/account.js", "text/javascript", include_str!("assets/account.js")),
    ("/assets/help.js", "text/javascript", include_str!("assets/help.js")),
    ("/assets/traps.js", "text/javascript", include_str!("assets/traps.js")),
    ("/assets/block.js", "text/javascript", include_str!("assets/block.js")),
];

/// What every route can reach.
#[derive(Debug, Clone)]
pub(super) struct Shop {
    record: Arc<Record>,
}

#[derive(Debug, Deserialize)]
struct Seen {
    what: String,
}

#[derive(Debug, Deserialize)]
struct Lap {
    lap: Option<u64>,
}

#[derive(Debug, Deserialize)]
struct Notes {
    text: String,
}

#[derive(Debug, Deserialize)]
struct Theme {
    theme: String,
}

#[derive(Debug, Deserialize)]
struct Avatar {
    avatar: String,
}

#[derive(Debug, Deserialize)]
struct Settings {
    display_name: String,
}

#[derive(Debug, Deserialize)]
struct Login {
    username: String,
    password: String,
}

#[derive(Debug, Deserialize)]
struct Doomed {
    id: String,
}

/// Returns the whole application as one router.
pub(super) fn router(shop: Shop) -> Router {
    let mut router = Router::new()
        .route("/", page(Page::Dashboard))
        .route("/projects", page(Page::Projects))
        .route("/profile", page(Page::Profile))
        .route("/settings", page(Page::Settings))
        .route("/help", page(Page::Help))
        .route("/login", page(Page::Login))
        .route("/account", get(account))
        .route("/verify", get(verify))
        .route("/traps", page(Page::Traps))
        .route("/prices", page(Page::Prices))
        .route("/block", page(Page::Block))
        .route("/loop", get(endless))
        .route("/hits", get(hits))
        .route("/favicon.ico", get(async || StatusCode::NO_CONTENT))
        .route("/api/working", post(working))
        .route("/api/seen", get(seen))
        .route("/api/trap", get(trap))
        .route("/api/text", post(text))
        .route("/api/theme", post(theme))
        .route("/api/avatar", post(avatar))
        .route("/api/profile/record", get(profile_record))
        .route("/api/settings", post(settings))
        .route("/api/settings/record", get(settings_record))
        .route("/api/login", post(login))
        .route("/api/logout", post(logout))
        .route("/api/projects/delete", post(delete_project))
        .fallback(missing);
    for (path, kind, body) in ASSETS {
        router = router.route(path, get(async move || ([(CONTENT_TYPE, kind)], body)));
    }
    router
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(map_response(no_store))
        .with_state(shop)
}

impl Shop {
    pub(super) fn new(record: Arc<Record>) -> Shop {
        Shop { record }
    }

    fn show(&self, page: Page) -> Html<String> {
        let record = &self.record;
        Html(page.render(&record.hits(), &record.projects(), record.flips()))
    }
}

fn page(page: Page) -> axum::routing::MethodRouter<Shop> {
    get(async move |State(shop): State<Shop>| shop.show(page))
}

async fn no_store(mut response: Response) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

async fn missing(State(shop): State<Shop>) -> Response {
    (StatusCode::NOT_FOUND, shop.show(Page::Missing)).into_response()
}

async fn account(State(shop): State<Shop>, headers: HeaderMap) -> Response {
    let is_signed_in = session_token(&headers).is_some_and(|token| shop.record.is_session(token));
    if !is_signed_in {
        return Redirect::to("/login").into_response();
    }
    shop.show(Page::Account).into_response()
}

async fn verify(State(shop): State<Shop>) -> Html<String> {
    shop.record.count_verify();
    shop.show(Page::Verify)
}

/// Redirects for ever, each time to an address the browser has not seen.
async fn endless(Query(Lap { lap }): Query<Lap>) -> Redirect {
    let next = lap.unwrap_or_default().wrapping_add(1);
    Redirect::to(&format!("/loop?lap={next}"))
}

async fn hits(State(shop): State<Shop>) -> Json<Value> {
    Json(shop.record.hits().to_json())
}

async fn working(State(shop): State<Shop>) -> Json<Value> {
    Json(json!({ "count": shop.record.count_working() }))
}

async fn seen(State(shop): State<Shop>, Query(Seen { what }): Query<Seen>) -> StatusCode {
    found_or_bad(shop.record.count_seen(&what))
}

async fn trap(State(shop): State<Shop>, Query(Seen { what }): Query<Seen>) -> StatusCode {
    found_or_bad(shop.record.count_trap(&what))
}

async fn text(State(shop): State<Shop>, Json(Notes { text }): Json<Notes>) -> Json<Value> {
    shop.record.store_text(text);
    Json(json!({ "ok": true }))
}

async fn theme(State(shop): State<Shop>, Json(Theme { theme }): Json<Theme>) -> StatusCode {
    found_or_bad(shop.record.store_theme(&theme))
}

async fn avatar(State(shop): State<Shop>, Json(Avatar { avatar }): Json<Avatar>) -> Response {
    tokio::time::sleep(AVATAR_TIME).await;
    if shop.record.save_avatar(avatar) {
        return Json(json!({ "ok": true })).into_response();
    }
    let body = json!({ "ok": false, "error": "storage is not reachable" });
    (StatusCode::INTERNAL_SERVER_ERROR, Json(body)).into_response()
}

async fn profile_record(State(shop): State<Shop>) -> Json<Value> {
    Json(json!({ "avatar": shop.record.hits().avatar }))
}

/// Answers 200 whether or not the name was stored: this is the lying banner.
async fn settings(State(shop): State<Shop>, Json(form): Json<Settings>) -> Json<Value> {
    shop.record.save_settings(form.display_name);
    Json(json!({ "ok": true }))
}

async fn settings_record(State(shop): State<Shop>) -> Json<Value> {
    Json(json!({ "display_name": shop.record.hits().display_name }))
}

async fn login(State(shop): State<Shop>, Json(form): Json<Login>) -> Response {
    let Some(token) = shop.record.log_in(&form.username, &form.password) else {
        let body = json!({ "ok": false, "error": "Wrong user name or password." });
        return (StatusCode::UNAUTHORIZED, Json(body)).into_response();
    };
    let cookie = format!("{SESSION_COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
    ([(SET_COOKIE, cookie)], Json(json!({ "ok": true }))).into_response()
}

async fn logout(State(shop): State<Shop>) -> Json<Value> {
    shop.record.log_out();
    Json(json!({ "ok": true }))
}

async fn delete_project(State(shop): State<Shop>, Json(doomed): Json<Doomed>) -> StatusCode {
    if shop.record.delete_project(&doomed.id) {
        StatusCode::NO_CONTENT
    } else {
        StatusCode::NOT_FOUND
    }
}

fn found_or_bad(is_known: bool) -> StatusCode {
    if is_known { StatusCode::NO_CONTENT } else { StatusCode::BAD_REQUEST }
}

fn session_token(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get(COOKIE)?.to_str().ok()?;
    cookies.split(';').find_map(|cookie| {
        let (name, value) = cookie.trim().split_once('=')?;
        (name == SESSION_COOKIE).then_some(value)
    })
}
