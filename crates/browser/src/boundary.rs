//! Documents before they are fetched (D27): every one, at every hop, is judged by the boundary.

use serde::Deserialize;
use serde_json::json;

use sidestick_model::Seam;
use sidestick_policy::{Boundary, DocumentKind, Judged};

use crate::connection::Connection;
use crate::protocol::Reply;

/// A document request the browser holds for us.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Paused {
    request_id: String,
    request: PausedRequest,
    frame_id: String,
}

#[derive(Debug, Deserialize)]
struct PausedRequest {
    url: String,
}

/// Lets a held document go on or fails it; returns the address of one that was blocked.
pub(crate) fn answer(
    connection: &Connection,
    session: &str,
    main_frame: &str,
    boundary: &Boundary,
    paused: &Paused,
) -> Option<String> {
    let kind =
        if paused.frame_id == main_frame { DocumentKind::TopLevel } else { DocumentKind::Frame };
    let id = &paused.request_id;
    match boundary.judge(&paused.request.url, kind) {
        Judged::Blocked if !Seam::BoundaryFetch.is_broken() => {
            let params = json!({"requestId": id, "errorReason": "BlockedByClient"});
            connection.reply(Some(session), Reply::FailRequest, &params);
            Some(paused.request.url.clone())
        }
        Judged::Inside | Judged::Outside | Judged::Blocked => {
            connection.reply(Some(session), Reply::ContinueRequest, &json!({"requestId": id}));
            None
        }
    }
}

/// The pattern that holds documents, and nothing else.
pub(crate) fn patterns() -> serde_json::Value {
    json!({
        "patterns": [{"urlPattern": "*", "resourceType": "Document", "requestStage": "Request"}],
        // A demand for a password is answered here, or it would wait for a person for ever.
        "handleAuthRequests": true,
    })
}
