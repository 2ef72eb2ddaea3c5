//! What a page does beside its document: prints, takes the pointer or the screen, asks for another
//! program, a name and a password. It is told; none of it holds an act up.

use serde::Deserialize;
use serde_json::json;

use sidestick_gate::{SurfaceEvent, quote};
use sidestick_policy::redact;

use crate::connection::Connection;
use crate::injected;
use crate::page::Page;
use crate::protocol::Reply;

/// The binding by which the page scripts tell; only their own world has it.
const BINDING: &str = "sidestickAside";

/// What a page may ask a person to allow; all of it is denied, so that no question is left open.
const PERMISSIONS: [&str; 18] = [
    "geolocation",
    "notifications",
    "camera",
    "microphone",
    "clipboard-read",
    "midi",
    "storage-access",
    "top-level-storage-access",
    "idle-detection",
    "display-capture",
    "window-management",
    "local-fonts",
    "keyboard-lock",
    "payment-handler",
    "background-sync",
    "local-network-access",
    "speaker-selection",
    "captured-surface-control",
];

/// Denies what a page may ask for; a name this browser does not know asks nobody.
pub(crate) fn deny_permissions(connection: &Connection) {
    for name in PERMISSIONS {
        let params = json!({"permission": {"name": name}, "setting": "denied"});
        connection.reply(None, Reply::SetPermission, &params);
    }
}

/// Returns the parameters that give the page scripts their binding.
pub(crate) fn binding() -> serde_json::Value {
    json!({"name": BINDING, "executionContextName": injected::WORLD})
}

/// A page script told something.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Told {
    #[serde(default)]
    name: String,
    #[serde(default)]
    payload: String,
}

/// A frame asked to be navigated.
#[derive(Debug, Deserialize)]
pub(crate) struct Requested {
    #[serde(default)]
    url: String,
}

/// The browser asks for a name and a password.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Challenged {
    request_id: String,
    request: ChallengedRequest,
}

#[derive(Debug, Deserialize)]
struct ChallengedRequest {
    url: String,
}

fn notice(page: &Page, what: &str, text: String) -> SurfaceEvent {
    let document = page.known().document;
    SurfaceEvent::Notice { key: format!("{what}:{}:{document}", page.id), text }
}

/// Takes a word of the page scripts.
pub(crate) fn told(page: &Page, told: &Told) -> Option<SurfaceEvent> {
    if told.name != BINDING {
        return None;
    }
    let text = match told.payload.as_str() {
        "print" => "the page asked to be printed; nothing was",
        "pointer taken" => "the page took the pointer; the next press takes it back",
        "screen taken" => "the page took the whole screen",
        _ => "",
    };
    page.update(|known| match told.payload.as_str() {
        "pointer taken" => known.has_pointer = true,
        "pointer back" => known.has_pointer = false,
        // What the next document asks for is no answer to the act.
        "leaves by itself" => known.leaves_by_itself = !known.asked_since_mark(),
        "leaves" => known.leaves_by_itself = false,
        _ => {}
    });
    (!text.is_empty()).then(|| notice(page, &told.payload, text.to_owned()))
}

/// Takes a navigation to what is no document: another program is not started.
pub(crate) fn requested(page: &Page, requested: &Requested) -> Option<SurfaceEvent> {
    let scheme = requested.url.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase())?;
    let is_document = matches!(
        scheme.as_str(),
        "http"
            | "https"
            | "about"
            | "blob"
            | "data"
            | "javascript"
            | "file"
            | "filesystem"
            | "chrome"
            | "chrome-error"
            | "chrome-extension"
            | "devtools"
            | "view-source"
    );
    if is_document {
        return None;
    }
    let url = redact::address(&requested.url).unwrap_or_else(|| "a long address".to_owned());
    let shown: String = url.chars().take(200).collect();
    let text =
        format!("the page asked for another program, which was not started: {}", quote(&shown));
    Some(notice(page, &format!("program:{shown}"), text))
}

/// Answers a demand for a name and a password: nobody has one here.
pub(crate) fn challenged(
    connection: &Connection,
    session: &str,
    page: &Page,
    asked: &Challenged,
) -> SurfaceEvent {
    let params = json!({"requestId": asked.request_id,
        "authChallengeResponse": {"response": "CancelAuth"}});
    connection.reply(Some(session), Reply::ContinueWithAuth, &params);
    auth_required(page, &asked.request.url)
}

/// Tells a demand for a name and a password.
pub(crate) fn auth_required(page: &Page, url: &str) -> SurfaceEvent {
    let url = redact::address(url).unwrap_or_else(|| "a long address".to_owned());
    let text = format!(
        "auth_required: {} asks for a user name and a password of its own, and got none",
        quote(&url)
    );
    notice(page, &format!("auth:{url}"), text)
}
