//! The page scripts: the one file that knows them and calls them by name.
//!
//! They live in an isolated world of each document, where page code can neither see nor patch
//! them. What they answer is checked by its type here, like any other input (see
//! docs/page-scripts.md).

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use sidestick_gate::{Held, SurfaceError};
use sidestick_model::observation::DialogState;
use sidestick_model::outcome::{Code, Refusal, Status};
use sidestick_model::{Deadline, Fate};

use crate::connection::{CallError, Connection, Sent};
use crate::frames;
use crate::page::Page;
use crate::protocol::{Act, Look, Reply};

/// The name of the isolated world.
pub(crate) const WORLD: &str = "sidestick";

const READ_BUNDLE: &str = include_str!("injected/read.js");
const ACT_BUNDLE: &str = include_str!("injected/act.js");
const CALL_READ: &str = "function(name, args) { return globalThis.sidestickRead[name](args) }";
const CALL_ACT: &str = "function(name, args) { return globalThis.sidestickAct[name](args) }";

/// Returns what each new document runs in its isolated world.
pub(crate) fn source() -> String {
    format!("{READ_BUNDLE}\n{ACT_BUNDLE}")
}

/// Why a page script has no answer.
#[derive(Debug, Clone)]
pub(crate) enum ScriptError {
    /// A dialog holds the page.
    Dialog(DialogState),
    /// The document was replaced meanwhile; nothing was changed by a read.
    Replaced,
    /// The script threw.
    Threw,
    /// The surface has no answer.
    Surface(SurfaceError),
}

impl ScriptError {
    /// Turns it into the surface's words.
    pub(crate) fn into_surface(self, what: &'static str) -> SurfaceError {
        match self {
            ScriptError::Dialog(dialog) => dialog_open(&dialog),
            ScriptError::Replaced => SurfaceError::Unresponsive { what, fate: Fate::NotSent },
            ScriptError::Threw => SurfaceError::BadAnswer { what, fate: Fate::NotSent },
            ScriptError::Surface(error) => error,
        }
    }
}

/// The refusal of everything but an answer while a dialog is open (D9).
pub(crate) fn dialog_open(dialog: &DialogState) -> SurfaceError {
    let text: String = dialog.text.chars().take(200).collect();
    let why = format!("a {} is open and has to be answered first: `{text}`", dialog.kind);
    SurfaceError::Refused(Box::new(Refusal::new(Status::NotActionable, Code::DialogOpen, why)))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Evaluated<T> {
    #[serde(default = "none")]
    result: Option<RemoteObject<T>>,
    exception_details: Option<Exception>,
}

fn none<T>() -> Option<T> {
    None
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RemoteObject<T> {
    #[serde(default = "none")]
    value: Option<T>,
    object_id: Option<String>,
}

/// What was thrown is the page's to say, and nobody's to read.
#[derive(Deserialize)]
struct Exception {}

fn params(world: i64, declaration: &str, name: &str, args: &Value, by_value: bool) -> Value {
    json!({
        "functionDeclaration": declaration,
        "executionContextId": world,
        "arguments": [{"value": name}, {"value": args}],
        "returnByValue": by_value,
        "awaitPromise": true,
    })
}

/// Tells a new document where its refs begin; what follows on the same session comes after it.
pub(crate) fn begin_document(connection: &Connection, page: &Page, world: i64) {
    let refs = page.known().refs;
    let args = json!({"ref_start": refs.start, "frame_start": refs.frames_seen.saturating_add(1),
        "own": null});
    let params = params(world, CALL_READ, "begin_document", &args, true);
    connection.reply(Some(&page.session), Reply::BeginDocument, &params);
}

/// Calls a function of `read.js` once: in the document that its ref belongs to, else in the one
/// shown.
pub(crate) async fn read_once<T: DeserializeOwned>(
    connection: &Connection,
    page: &Page,
    name: &'static str,
    args: &Value,
    deadline: Deadline,
) -> Result<T, ScriptError> {
    let frame = frames::of_args(&page.known(), args);
    read_in(connection, page, frame.as_deref(), name, args, deadline).await
}

/// Calls a function of `read.js` once, in a frame, or in the document shown.
pub(crate) async fn read_in<T: DeserializeOwned>(
    connection: &Connection,
    page: &Page,
    frame: Option<&str>,
    name: &'static str,
    args: &Value,
    deadline: Deadline,
) -> Result<T, ScriptError> {
    let spot = spot_of(connection, page, frame, name, deadline).await?;
    let params = params(spot.world, CALL_READ, name, &spot.placed(args), true);
    let sent = connection.look(Some(&spot.session), Look::CallRead, &params);
    let evaluated: Evaluated<T> = answer(page, sent, name, deadline).await?;
    evaluated
        .result
        .and_then(|object| object.value)
        .ok_or(ScriptError::Surface(SurfaceError::BadAnswer { what: name, fate: Fate::NotSent }))
}

/// Calls a function of `read.js`, again when the document was replaced meanwhile (BR-072).
pub(crate) async fn read<T: DeserializeOwned>(
    connection: &Connection,
    page: &Page,
    name: &'static str,
    args: &Value,
    deadline: Deadline,
) -> Result<T, SurfaceError> {
    loop {
        let frame = frames::of_args(&page.known(), args);
        match read_in(connection, page, frame.as_deref(), name, args, deadline).await {
            // A frame whose document is gone is not waited for: its refs are gone with it.
            Err(ScriptError::Replaced) if frame.is_some() => return Err(frame_gone()),
            Err(ScriptError::Replaced) if !deadline.has_passed() => {}
            Ok(answer) => return Ok(answer),
            Err(error) => return Err(error.into_surface(name)),
        }
    }
}

fn frame_gone() -> SurfaceError {
    let why = "the document of its frame is gone";
    SurfaceError::Refused(Box::new(Refusal::new(Status::Stale, Code::DocumentGone, why)))
}

/// Asks a question of the document shown; while the same question is under way its answer is
/// shared (BR-375). For questions whose answer does not depend on who asks.
pub(crate) async fn read_joined<T: DeserializeOwned>(
    connection: &Connection,
    page: &Page,
    name: &'static str,
    args: &Value,
    deadline: Deadline,
) -> Result<T, ScriptError> {
    let key = format!("{name} {args}");
    let lock = || page.reads.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let cell = std::sync::Arc::clone(lock().entry(key.clone()).or_default());
    let asking = || async {
        let answer = read_once::<Value>(connection, page, name, args, deadline).await;
        lock().remove(&key);
        answer
    };
    let answer = cell.get_or_init(asking).await.clone()?;
    serde_json::from_value(answer).map_err(|_| {
        ScriptError::Surface(SurfaceError::BadAnswer { what: name, fate: Fate::NotSent })
    })
}

/// Returns a handle to the element behind a ref, for the methods that want one.
pub(crate) async fn element_handle(
    connection: &Connection,
    page: &Page,
    id: &str,
    deadline: Deadline,
) -> Result<Handle, SurfaceError> {
    let frame = frames::of_ref(&page.known(), id);
    let args = json!({"ref": id});
    let found = handle(connection, page, frame.as_deref(), "element", &args, deadline);
    let found = found.await.map_err(|error| error.into_surface("element"))?;
    found.ok_or_else(|| {
        let why = "the element went away right before the act";
        SurfaceError::Refused(Box::new(Refusal::new(Status::Stale, Code::ElementGone, why)))
    })
}

/// What answers a question with a handle: the session that knows it, and its id.
#[derive(Debug, Clone)]
pub(crate) struct Handle {
    pub(crate) session: String,
    pub(crate) world: i64,
    pub(crate) object: String,
}

/// Calls a function of `read.js` that answers with something that cannot be copied.
pub(crate) async fn handle(
    connection: &Connection,
    page: &Page,
    frame: Option<&str>,
    name: &'static str,
    args: &Value,
    deadline: Deadline,
) -> Result<Option<Handle>, ScriptError> {
    let Spot { session, world, .. } = spot_of(connection, page, frame, name, deadline).await?;
    let params = params(world, CALL_READ, name, args, false);
    let sent = connection.look(Some(&session), Look::CallRead, &params);
    let evaluated: Evaluated<Value> = answer(page, sent, name, deadline).await?;
    let object = evaluated.result.and_then(|object| object.object_id);
    Ok(object.map(|object| Handle { session, world, object }))
}

/// Hands something that answered as a handle to a function of `read.js` in the same world.
pub(crate) fn hand_over(
    connection: &Connection,
    to: &Handle,
    name: &'static str,
    object: &str,
) -> Sent {
    let params = json!({
        "functionDeclaration": CALL_READ,
        "executionContextId": to.world,
        "arguments": [{"value": name}, {"objectId": object}],
        "returnByValue": true,
    });
    connection.look(Some(&to.session), Look::CallRead, &params)
}

/// Calls a function of `read.js` on a node that was handed out by the browser.
pub(crate) async fn read_node<T: DeserializeOwned>(
    connection: &Connection,
    page: &Page,
    name: &'static str,
    node: &Handle,
    deadline: Deadline,
) -> Result<T, ScriptError> {
    let sent = hand_over(connection, node, name, &node.object);
    let evaluated: Evaluated<T> = answer(page, sent, name, deadline).await?;
    evaluated
        .result
        .and_then(|object| object.value)
        .ok_or(ScriptError::Surface(SurfaceError::BadAnswer { what: name, fate: Fate::NotSent }))
}

/// Calls a function of `act.js` under a permit's lease; none when a dialog it opened holds the page.
pub(crate) async fn act<T: DeserializeOwned>(
    connection: &Connection,
    page: &Page,
    held: &Held,
    name: &'static str,
    args: &Value,
    deadline: Deadline,
) -> Result<Option<T>, SurfaceError> {
    let frame = frames::of_args(&page.known(), args);
    let spot = spot_of(connection, page, frame.as_deref(), name, deadline).await;
    let spot = spot.map_err(|error| error.into_surface(name))?;
    let params = params(spot.world, CALL_ACT, name, args, true);
    let sent = connection.act(&spot.session, Act::CallScript, &params, held);
    let evaluated: Result<Evaluated<T>, _> = answer(page, sent, name, deadline).await;
    let fate = Fate::Unknown;
    let evaluated = match evaluated {
        Ok(evaluated) => evaluated,
        Err(ScriptError::Dialog(_)) => return Ok(None),
        Err(ScriptError::Surface(
            error @ (SurfaceError::Cut { .. } | SurfaceError::Refused(_)),
        )) => {
            return Err(error);
        }
        Err(ScriptError::Surface(error)) => return Err(error.after_dispatch()),
        Err(ScriptError::Replaced | ScriptError::Threw) => {
            return Err(SurfaceError::BadAnswer { what: name, fate });
        }
    };
    let value = evaluated.result.and_then(|object| object.value);
    value.map(Some).ok_or(SurfaceError::BadAnswer { what: name, fate })
}

/// Where a page script is called: the session and the isolated world of one document.
struct Spot {
    session: String,
    world: i64,
    /// What the script of a frame is told with every call.
    outer: Value,
}

impl Spot {
    fn placed(&self, args: &Value) -> Value {
        let mut args = args.clone();
        if let (Some(fields), false) = (args.as_object_mut(), self.outer.is_null()) {
            fields.insert("outer".to_owned(), self.outer.clone());
        }
        args
    }
}

/// Finds the script of a frame's document, or waits for that of the document shown.
async fn spot_of(
    connection: &Connection,
    page: &Page,
    frame: Option<&str>,
    name: &'static str,
    deadline: Deadline,
) -> Result<Spot, ScriptError> {
    let Some(frame) = frame else {
        let world = world_of(page, name, deadline).await?;
        return Ok(Spot { session: page.session.clone(), world, outer: Value::Null });
    };
    if let Some(error) = page.gone() {
        return Err(ScriptError::Surface(error));
    }
    let mut known = page.known();
    if let Some(dialog) = known.dialog.clone() {
        return Err(ScriptError::Dialog(dialog));
    }
    let (session, world) = known.frames.world(frame).ok_or(ScriptError::Replaced)?;
    let outer = known.frames.outer(frame);
    let begins = known.frames.begin(frame);
    drop(known);
    if let Some(args) = begins {
        // Calls of one session are carried out in order.
        let params = params(world, CALL_READ, "begin_document", &args, true);
        connection.reply(Some(&session), Reply::BeginDocument, &params);
    }
    Ok(Spot { session, world, outer })
}

/// Waits for the isolated world of the document shown.
async fn world_of(page: &Page, name: &'static str, deadline: Deadline) -> Result<i64, ScriptError> {
    if let Some(error) = page.gone() {
        return Err(ScriptError::Surface(error));
    }
    if let Some(dialog) = page.known().dialog.clone() {
        return Err(ScriptError::Dialog(dialog));
    }
    let there = page
        .until(deadline, |known| {
            known.world.is_some() || known.is_closed || known.is_crashed || known.dialog.is_some()
        })
        .await;
    if let Some(error) = page.gone() {
        return Err(ScriptError::Surface(error));
    }
    let world = page.known().world;
    world
        .filter(|_| there)
        .ok_or(ScriptError::Surface(SurfaceError::Unresponsive { what: name, fate: Fate::NotSent }))
}

/// Waits for an answer, for the page to be held by a dialog, or for its end.
async fn answer<T: DeserializeOwned>(
    page: &Page,
    sent: Sent,
    name: &'static str,
    deadline: Deadline,
) -> Result<Evaluated<T>, ScriptError> {
    let held =
        page.until(deadline, |known| known.dialog.is_some() || known.is_closed || known.is_crashed);
    let answered = tokio::select! {
        biased;
        answered = sent.answer(deadline) => answered,
        _ = held => {
            if let Some(dialog) = page.known().dialog.clone() {
                return Err(ScriptError::Dialog(dialog));
            }
            let fate = Fate::NotSent;
            let error = page.gone().unwrap_or(SurfaceError::Unresponsive { what: name, fate });
            return Err(ScriptError::Surface(error));
        }
    };
    let raw = answered.map_err(|error| script_error(page, error))?;
    let evaluated: Evaluated<T> = serde_json::from_str(raw.get()).map_err(|_| {
        ScriptError::Surface(SurfaceError::BadAnswer { what: name, fate: Fate::NotSent })
    })?;
    match evaluated.exception_details {
        Some(_) => Err(ScriptError::Threw),
        None => Ok(evaluated),
    }
}

fn script_error(page: &Page, error: CallError) -> ScriptError {
    if let Some(gone) = page.gone() {
        return ScriptError::Surface(gone);
    }
    match &error {
        CallError::Rejected { message, .. } if is_replaced(message) => ScriptError::Replaced,
        _ => ScriptError::Surface(error.of_look()),
    }
}

/// Chromium's words for a world that is no more.
fn is_replaced(message: &str) -> bool {
    ["Cannot find context", "context was destroyed", "navigated or closed", "Promise was collected"]
        .iter()
        .any(|words| message.contains(words))
}
