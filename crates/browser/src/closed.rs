//! Closed shadow trees (D11): the browser is asked for the root of each element that may host one,
//! once, and the page script reads it from then on like an open one.

use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::json;

use sidestick_model::Deadline;

use crate::connection::Connection;
use crate::injected::{self, Handle};
use crate::page::Page;
use crate::protocol::Look;

#[derive(Deserialize)]
struct Properties {
    result: Vec<Property>,
}

#[derive(Deserialize)]
struct Property {
    name: String,
    value: Option<Remote>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Remote {
    object_id: Option<String>,
}

#[derive(Deserialize)]
struct Described {
    node: Node,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Node {
    #[serde(default)]
    shadow_roots: Vec<Root>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Root {
    backend_node_id: i64,
    shadow_root_type: Option<String>,
}

#[derive(Deserialize)]
struct Resolved {
    object: Remote,
}

/// Opens what the page script suspects of hosting a closed shadow tree; `all` looks at every
/// element and not only at those a reading came to. Returns whether any was found.
pub(crate) async fn open_suspects(
    connection: &Connection,
    page: &Page,
    frame: Option<&str>,
    all: bool,
    deadline: Deadline,
) -> bool {
    let asked = json!({"all": all});
    let suspects =
        injected::handle(connection, page, frame, "closed_suspects", &asked, deadline).await;
    let Ok(Some(list)) = suspects else { return false };
    let params = json!({"objectId": list.object, "ownProperties": true});
    let sent = connection.look(Some(&list.session), Look::GetProperties, &params);
    let Ok(raw) = sent.answer(deadline).await else { return false };
    let Ok(properties) = serde_json::from_str::<Properties>(raw.get()) else { return false };
    let elements = properties.result.into_iter().filter_map(|property| {
        let is_item = property.name.bytes().all(|byte| byte.is_ascii_digit());
        property.value.filter(|_| is_item)?.object_id
    });
    let opened = elements.map(|element| open(connection, &list, element, deadline));
    join_all(opened).await.into_iter().flatten().count() != 0
}

/// Hands the closed root of one element to the page script; none when it has none.
async fn open(
    connection: &Connection,
    list: &Handle,
    element: String,
    deadline: Deadline,
) -> Option<()> {
    let session = Some(list.session.as_str());
    let params = json!({"objectId": element, "depth": 0});
    let raw = connection.look(session, Look::DescribeNode, &params).answer(deadline).await.ok()?;
    let described: Described = serde_json::from_str(raw.get()).ok()?;
    let is_closed = |root: &Root| root.shadow_root_type.as_deref() == Some("closed");
    let root = described.node.shadow_roots.into_iter().find(is_closed)?;
    let params = json!({"backendNodeId": root.backend_node_id, "executionContextId": list.world});
    let raw = connection.look(session, Look::ResolveNode, &params).answer(deadline).await.ok()?;
    let resolved: Resolved = serde_json::from_str(raw.get()).ok()?;
    let object = resolved.object.object_id?;
    injected::hand_over(connection, list, "adopt_closed", &object).answer(deadline).await.ok()?;
    Some(())
}
