//! The demo application over real sockets.

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::{DemoApp, DemoOptions, Flip, pages::Page, record::Record, serve};

async fn served(flips: &[Flip]) -> DemoApp {
    let flips = flips.iter().copied().collect();
    serve(DemoOptions { port: 0, flips }).await.unwrap()
}

/// Sends one request and returns the status and everything behind the head.
async fn ask(app: &DemoApp, line: &str, body: Option<Value>) -> (u16, String) {
    let body = body.map(|body| body.to_string()).unwrap_or_default();
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let request = format!(
        "{line} HTTP/1.1\r\nhost: demo\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len(),
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();

    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("cache-control: no-store"), "{line} may be stored: {head}");
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, body.to_owned())
}

async fn hits(app: &DemoApp) -> Value {
    let (status, body) = ask(app, "GET /hits", None).await;
    assert_eq!(status, 200);
    serde_json::from_str(&body).unwrap()
}

#[tokio::test]
async fn a_port_in_use_is_named_by_its_code() {
    let first = served(&[]).await;
    let port = first.address.port();

    let refused = serve(DemoOptions { port, ..DemoOptions::default() }).await.unwrap_err();

    assert_eq!(refused.code(), "port_in_use");
    assert_eq!(refused.to_string(), format!("port {port} of 127.0.0.1 is in use"));
}

#[tokio::test]
async fn a_closed_application_frees_its_port() {
    let first = served(&[]).await;
    let port = first.address.port();

    first.close().await;

    assert!(serve(DemoOptions { port, ..DemoOptions::default() }).await.is_ok());
}

#[tokio::test]
async fn the_record_begins_empty_in_the_promised_form() {
    let app = served(&[]).await;

    assert_eq!(
        hits(&app).await,
        json!({
            "hits": {
                "working": 0, "dead": 0, "hidden": 0, "verify": 0, "delete": 0, "save": 0
            },
            "text": "", "saved_path": null, "theme": "system",
            "login": {"ok": 0, "failed": 0}, "settings_posts": 0,
            "display_name": "Dana Whitfield", "avatar": null,
            "traps": {
                "focus": 0, "late": 0, "revert": 0, "second": 0, "covered": 0,
                "clock": 0, "confirm": 0, "readonly": 0, "short": 0
            }
        })
    );
}

#[tokio::test]
async fn a_counter_moves_for_its_own_control_alone() {
    let app = served(&[]).await;

    ask(&app, "POST /api/working", Some(json!({}))).await;
    ask(&app, "GET /api/seen?what=dead", None).await;
    ask(&app, "GET /verify", None).await;
    let (favicon, _) = ask(&app, "GET /favicon.ico", None).await;
    let (unknown, _) = ask(&app, "GET /api/seen?what=working", None).await;

    let counted = app.record().hits;
    assert_eq!((favicon, unknown), (204, 400));
    assert_eq!((counted.working, counted.dead, counted.verify), (1, 1, 1));
    assert_eq!((counted.hidden, counted.delete, counted.save), (0, 0, 0));
}

#[tokio::test]
async fn the_settings_answer_says_ok_and_the_record_says_no() {
    let name = Some(json!({ "display_name": "Dee" }));
    let honest = served(&[Flip::Banner]).await;
    let lying = served(&[]).await;

    let (status, body) = ask(&lying, "POST /api/settings", name.clone()).await;
    ask(&honest, "POST /api/settings", name).await;

    assert_eq!((status, body.as_str()), (200, r#"{"ok":true}"#));
    assert_eq!(lying.record().display_name, "Dana Whitfield");
    assert_eq!(lying.record().settings_posts, 1);
    assert_eq!(honest.record().display_name, "Dee");
}

#[tokio::test]
async fn the_avatar_request_fails_unless_it_is_flipped() {
    let avatar = Some(json!({ "avatar": "tide" }));
    let working = served(&[Flip::Avatar]).await;
    let failing = served(&[]).await;

    let (failed, _) = ask(&failing, "POST /api/avatar", avatar.clone()).await;
    let (saved, _) = ask(&working, "POST /api/avatar", avatar).await;

    assert_eq!((failed, saved), (500, 200));
    assert_eq!((failing.record().hits.save, failing.record().avatar), (1, None));
    assert_eq!(working.record().avatar.as_deref(), Some("tide"));
}

#[tokio::test]
async fn the_login_takes_one_password() {
    let right = json!({ "username": super::USERNAME, "password": super::PASSWORD });
    let wrong = json!({ "username": super::USERNAME, "password": "guess" });
    let app = served(&[]).await;
    let closed = served(&[Flip::Login]).await;

    let (accepted, _) = ask(&app, "POST /api/login", Some(right.clone())).await;
    let (refused, _) = ask(&app, "POST /api/login", Some(wrong)).await;
    let (turned_away, _) = ask(&closed, "POST /api/login", Some(right)).await;

    assert_eq!((accepted, refused, turned_away), (200, 401, 401));
    assert_eq!((app.record().login.ok, app.record().login.failed), (1, 1));
}

#[tokio::test]
async fn the_account_is_shown_to_its_session_alone() {
    let app = served(&[]).await;

    let (status, _) = ask(&app, "GET /account", None).await;

    assert_eq!(status, 303);
}

#[tokio::test]
async fn the_notes_are_stored_to_the_letter_unless_flipped() {
    let text = Some(json!({ "text": "hello world" }));
    let app = served(&[]).await;
    let losing = served(&[Flip::Notes]).await;

    ask(&app, "POST /api/text", text.clone()).await;
    ask(&losing, "POST /api/text", text).await;

    assert_eq!(app.record().text, "hello world");
    assert_eq!(losing.record().text, "hello");
}

#[tokio::test]
async fn a_deleted_project_is_counted_once() {
    let app = served(&[]).await;

    let (first, _) = ask(&app, "POST /api/projects/delete", Some(json!({ "id": "p2" }))).await;
    let (again, _) = ask(&app, "POST /api/projects/delete", Some(json!({ "id": "p2" }))).await;

    assert_eq!((first, again), (204, 404));
    assert_eq!(app.record().hits.delete, 1);
}

#[test]
fn every_page_fills_every_gap() {
    let record = Record::new(Flip::ALL.into_iter().collect());

    for page in Page::ALL {
        let shown = page.render(&record.hits(), &record.projects(), record.flips());
        assert!(!shown.contains("{{"), "{page:?} has an unfilled gap");
    }
}

#[test]
fn stored_text_is_never_markup() {
    let record = Record::new([Flip::Banner].into_iter().collect());
    record.save_settings("<b>{{flips}}".to_owned());

    let shown = Page::Settings.render(&record.hits(), &record.projects(), record.flips());

    assert!(shown.contains(r#"value="&lt;b&gt;{{flips}}""#));
    assert!(!shown.contains("<b>"));
}

#[test]
fn every_flip_is_found_by_its_name() {
    for flip in Flip::ALL {
        assert_eq!(Flip::parse(flip.name()), Some(flip));
    }
    assert_eq!(Flip::parse("nothing"), None);
}
