//! Events of pages: what they say, and what a page learns from them. Nothing here waits.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;

use sidestick_gate::SurfaceEvent;
use sidestick_model::emulation::Emulation;
use sidestick_model::record::Severity;

use crate::asides;
use crate::boundary;
use crate::connection::Connection;
use crate::emulation;
use crate::injected;
use crate::page::Page;
use crate::protocol::{Event, Reply};

/// Parameters of the events this driver takes; unknown fields are passed over.
pub(crate) mod params {
    use serde::Deserialize;

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Attached {
        pub(crate) session_id: String,
        pub(crate) target_info: TargetInfo,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct TargetInfo {
        pub(crate) target_id: String,
        pub(crate) r#type: String,
        #[serde(default)]
        pub(crate) url: String,
        pub(crate) opener_id: Option<String>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Session {
        pub(crate) session_id: String,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Target {
        pub(crate) target_id: String,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct WindowOpen {
        #[serde(default)]
        pub(crate) url: String,
        #[serde(default)]
        pub(crate) user_gesture: bool,
    }

    #[derive(Deserialize)]
    pub(crate) struct FrameNavigated {
        pub(crate) frame: Frame,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Frame {
        pub(crate) id: String,
        #[serde(default)]
        pub(crate) url: String,
        pub(crate) url_fragment: Option<String>,
        #[serde(default)]
        pub(crate) mime_type: String,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct FrameDetached {
        pub(crate) frame_id: String,
        #[serde(default)]
        pub(crate) reason: String,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct FrameEvent {
        pub(crate) frame_id: String,
        #[serde(default)]
        pub(crate) url: String,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Dialog {
        #[serde(default)]
        pub(crate) message: String,
        pub(crate) r#type: String,
        pub(crate) default_prompt: Option<String>,
    }

    #[derive(Deserialize)]
    pub(crate) struct ContextCreated {
        pub(crate) context: Context,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Context {
        pub(crate) id: i64,
        #[serde(default)]
        pub(crate) name: String,
        pub(crate) aux_data: Option<AuxData>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct AuxData {
        #[serde(default)]
        pub(crate) frame_id: String,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct ContextDestroyed {
        pub(crate) execution_context_id: i64,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Request {
        pub(crate) request_id: String,
        pub(crate) request: RequestHead,
        pub(crate) r#type: Option<String>,
    }

    #[derive(Deserialize)]
    pub(crate) struct RequestHead {
        pub(crate) url: String,
        pub(crate) method: String,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Response {
        pub(crate) request_id: String,
        pub(crate) response: ResponseHead,
    }

    #[derive(Deserialize)]
    pub(crate) struct ResponseHead {
        pub(crate) status: u16,
        #[serde(default)]
        pub(crate) url: String,
        #[serde(default)]
        pub(crate) headers: Headers,
    }

    #[derive(Default, Deserialize)]
    pub(crate) struct Headers {
        #[serde(default, alias = "www-authenticate", alias = "Www-Authenticate")]
        #[serde(rename = "WWW-Authenticate")]
        pub(crate) challenge: Option<String>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Ended {
        pub(crate) request_id: String,
        #[serde(default)]
        pub(crate) error_text: String,
        #[serde(default)]
        pub(crate) canceled: bool,
    }

    #[derive(Deserialize)]
    pub(crate) struct ConsoleCall {
        pub(crate) r#type: String,
        #[serde(default)]
        pub(crate) args: Vec<Argument>,
        #[serde(default)]
        pub(crate) timestamp: f64,
    }

    #[derive(Deserialize)]
    pub(crate) struct Argument {
        pub(crate) value: Option<serde_json::Value>,
        pub(crate) description: Option<String>,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Thrown {
        #[serde(default)]
        pub(crate) timestamp: f64,
        pub(crate) exception_details: Details,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    pub(crate) struct Details {
        #[serde(default)]
        pub(crate) text: String,
        pub(crate) exception: Option<Argument>,
    }

    #[derive(Deserialize)]
    pub(crate) struct LogAdded {
        pub(crate) entry: LogEntry,
    }

    #[derive(Deserialize)]
    pub(crate) struct LogEntry {
        #[serde(default)]
        pub(crate) source: String,
        #[serde(default)]
        pub(crate) level: String,
        #[serde(default)]
        pub(crate) text: String,
        #[serde(default)]
        pub(crate) timestamp: f64,
    }
}

pub(crate) fn parsed<'a, T: Deserialize<'a>>(event: &Event<'a>) -> Option<T> {
    serde_json::from_str(event.params.get()).ok()
}

/// Everything a page needs before its first script runs, without a wait in between.
pub(crate) fn set_up_page(connection: &Connection, session: &str, emulation: &Emulation) {
    let script = json!({"source": injected::source(), "worldName": injected::WORLD,
        "runImmediately": true});
    let steps = [
        (Reply::PageEnable, json!({})),
        (Reply::InspectorEnable, json!({})),
        (Reply::RuntimeEnable, json!({})),
        (Reply::NetworkEnable, json!({})),
        (Reply::LogEnable, json!({})),
        (Reply::AddBinding, asides::binding()),
        (Reply::AddScript, script),
        (Reply::DeviceMetrics, emulation::screen(emulation)),
        (Reply::FocusEmulation, json!({"enabled": true})),
        (Reply::InterceptFileChooser, json!({"enabled": true})),
    ];
    set_up_boundary(connection, session);
    emulation::set_up(connection, session, emulation);
    for (method, params) in steps {
        connection.reply(Some(session), method, &params);
    }
}

/// Everything a frame in a process of its own needs before its first script runs.
pub(crate) fn set_up_frame(connection: &Connection, session: &str, emulation: &Emulation) {
    set_up_boundary(connection, session);
    emulation::set_up(connection, session, emulation);
    let script = json!({"source": injected::source(), "worldName": injected::WORLD,
        "runImmediately": true});
    let steps = [
        (Reply::PageEnable, json!({})),
        (Reply::RuntimeEnable, json!({})),
        (Reply::NetworkEnable, json!({})),
        (Reply::LogEnable, json!({})),
        (Reply::AddScript, script),
    ];
    for (method, params) in steps {
        connection.reply(Some(session), method, &params);
    }
}

/// What the boundary rests on: every document is held, and so is every frame in its own process.
fn set_up_boundary(connection: &Connection, session: &str) {
    let attach = json!({"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true});
    connection.guard(Some(session), Reply::FetchEnable, &boundary::patterns());
    connection.guard(Some(session), Reply::SetAutoAttach, &attach);
}

pub(crate) fn world_created(connection: &Connection, page: &Arc<Page>, event: &Event<'_>) {
    let Some(created) = parsed::<params::ContextCreated>(event) else { return };
    let context = created.context;
    let Some(frame) = context.aux_data.map(|data| data.frame_id) else { return };
    if context.name != injected::WORLD {
        return;
    }
    if frame != page.id {
        let session = event.session.unwrap_or(&page.session);
        page.update(|known| {
            let in_act = known.is_acting;
            known.frames.world_created(&frame, session, context.id, in_act);
        });
        return;
    }
    page.update(|known| {
        known.world = Some(context.id);
        // A page may answer with the highest number there is.
        known.refs.start = known.refs.seen.saturating_add(1);
    });
    injected::begin_document(connection, page, context.id);
}

/// Takes what becomes of the documents in frames.
pub(crate) fn frame_documents(page: &Arc<Page>, event: &Event<'_>) {
    let session = event.session.unwrap_or(&page.session);
    let is_main = session == page.session;
    match event.method {
        "Runtime.executionContextDestroyed" => {
            let Some(destroyed) = parsed::<params::ContextDestroyed>(event) else { return };
            let world = Some(destroyed.execution_context_id);
            page.update(|known| {
                if is_main && known.world == world {
                    known.world = None;
                }
                known.frames.world_destroyed(session, world);
            });
        }
        "Runtime.executionContextsCleared" => page.update(|known| {
            if is_main {
                known.world = None;
            }
            known.frames.world_destroyed(session, None);
        }),
        "Page.frameDetached" => {
            let Some(detached) = parsed::<params::FrameDetached>(event) else { return };
            // A frame that changes its process is told as detached with another reason.
            if detached.reason == "remove" {
                page.update(|known| known.frames.removed(&detached.frame_id));
            }
        }
        _ => {}
    }
}

pub(crate) fn navigation(page: &Arc<Page>, event: &Event<'_>) {
    match event.method {
        "Page.frameNavigated" => {
            let Some(navigated) = parsed::<params::FrameNavigated>(event) else { return };
            let frame = navigated.frame;
            if frame.id == page.id {
                let fragment = frame.url_fragment.unwrap_or_default();
                page.update(|known| {
                    known.is_pdf = frame.mime_type == "application/pdf";
                    known.has_pointer = false;
                    known.url = format!("{}{fragment}", frame.url);
                    known.title.clear();
                    known.document = known.document.saturating_add(1);
                    known.is_parsed = false;
                    known.dialog = None;
                    known.chooser = None;
                    known.is_crashed = false;
                    known.network.left_document();
                    known.frames.left_document();
                });
            }
        }
        "Page.domContentEventFired" => page.update(|known| known.is_parsed = true),
        _ => {
            let Some(moved) = parsed::<params::FrameEvent>(event) else { return };
            if moved.frame_id != page.id {
                return;
            }
            page.update(|known| match event.method {
                "Page.frameStartedLoading" => {
                    known.is_loading = true;
                    known.loads = known.loads.saturating_add(1);
                }
                "Page.frameStoppedLoading" => known.is_loading = false,
                _ => {
                    if !known.is_acting {
                        known.own_moves.push(tokio::time::Instant::now());
                        if 2 < known.own_moves.len() {
                            known.own_moves.remove(0);
                        }
                    }
                    known.url = moved.url;
                }
            });
        }
    }
}

/// Returns the demand of an answer for a name and a password of its own.
pub(crate) fn challenge(page: &Page, event: &Event<'_>) -> Option<SurfaceEvent> {
    if event.method != "Network.responseReceived" {
        return None;
    }
    let answered = parsed::<params::Response>(event)?.response;
    let asks = answered.status == 401 && answered.headers.challenge.is_some();
    asks.then(|| asides::auth_required(page, &answered.url))
}

pub(crate) fn network(page: &Arc<Page>, event: &Event<'_>) -> Option<SurfaceEvent> {
    let failed = match event.method {
        "Network.requestWillBeSent" => {
            let sent = parsed::<params::Request>(event)?;
            let kind = sent.r#type.unwrap_or_default();
            page.update(|known| {
                let in_act = known.is_acting;
                let request = &sent.request;
                known.network.began(&sent.request_id, &request.method, &request.url, &kind, in_act);
            });
            None
        }
        "Network.responseReceived" => {
            let answered = parsed::<params::Response>(event)?;
            let mut failed = None;
            page.update(|known| {
                let status = answered.response.status;
                failed = known.network.answered(&answered.request_id, status);
            });
            failed
        }
        "Network.loadingFinished" => {
            let ended = parsed::<params::Ended>(event)?;
            page.update(|known| known.network.ended(&ended.request_id));
            None
        }
        "Network.loadingFailed" => {
            let ended = parsed::<params::Ended>(event)?;
            let mut failed = None;
            page.update(|known| {
                let (id, why) = (&ended.request_id, &ended.error_text);
                failed = known.network.failed(id, why, ended.canceled);
            });
            failed
        }
        "Network.webSocketFrameSent" => {
            page.update(|known| known.network.message_sent());
            None
        }
        "Network.webSocketFrameReceived" | "Network.eventSourceMessageReceived" => {
            page.update(|known| known.network.message_came());
            None
        }
        _ => None,
    }?;
    Some(SurfaceEvent::RequestFailed {
        key: failed.key,
        method: failed.method,
        url: failed.url,
        status: failed.status,
        reason: failed.reason,
    })
}

pub(crate) fn console_error(event: &Event<'_>) -> Option<SurfaceEvent> {
    let (key, text, severity) = match event.method {
        "Runtime.consoleAPICalled" => {
            let call = parsed::<params::ConsoleCall>(event)?;
            let severity = match call.r#type.as_str() {
                "error" | "assert" => Severity::Error,
                "warning" => Severity::Warning,
                _ => return None,
            };
            let words: Vec<String> = call.args.into_iter().map(said).collect();
            (format!("console:{}", call.timestamp), words.join(" "), severity)
        }
        "Runtime.exceptionThrown" => {
            let thrown = parsed::<params::Thrown>(event)?;
            let details = thrown.exception_details;
            let what = details.exception.map(said).unwrap_or_default();
            let said = format!("{} {what}", details.text);
            (format!("thrown:{}", thrown.timestamp), said, Severity::Error)
        }
        _ => {
            let added = parsed::<params::LogAdded>(event)?.entry;
            // Failed requests are told by the network, with their status.
            let severity = match added.level.as_str() {
                _ if added.source == "network" => return None,
                "error" => Severity::Error,
                "warning" => Severity::Warning,
                _ => return None,
            };
            (format!("log:{}", added.timestamp), added.text, severity)
        }
    };
    let line: String =
        text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(500).collect();
    Some(SurfaceEvent::Console { key: format!("{key}:{line}"), text: line, severity })
}

fn said(argument: params::Argument) -> String {
    match argument.value {
        Some(serde_json::Value::String(text)) => text,
        Some(value) => value.to_string(),
        None => argument.description.unwrap_or_default(),
    }
}
