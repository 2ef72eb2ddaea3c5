//! What pages and frames are told about screen, person and network, before their first script runs.

use serde_json::{Value, json};

use sidestick_model::emulation::Emulation;

use crate::connection::Connection;
use crate::protocol::Reply;

/// The screen of a page; frames have that of their page.
pub(crate) fn screen(emulation: &Emulation) -> Value {
    let [width, height] = emulation.viewport;
    json!({"width": width, "height": height, "deviceScaleFactor": emulation.scale, "mobile": false})
}

/// What a page and each frame in a process of its own is told besides.
pub(crate) fn set_up(connection: &Connection, session: &str, emulation: &Emulation) {
    let mut steps = Vec::new();
    let features: Vec<Value> = [
        (emulation.dark, "prefers-color-scheme", "dark"),
        (emulation.reduced_motion, "prefers-reduced-motion", "reduce"),
    ]
    .into_iter()
    .filter(|(on, ..)| *on)
    .map(|(_, name, value)| json!({"name": name, "value": value}))
    .collect();
    if !features.is_empty() {
        steps.push((Reply::EmulateMedia, json!({"features": features})));
    }
    if let Some(locale) = &emulation.locale {
        steps.push((Reply::EmulateLocale, json!({"locale": locale.replace('-', "_")})));
    }
    if let Some(zone) = &emulation.timezone {
        steps.push((Reply::EmulateTimezone, json!({"timezoneId": zone})));
    }
    for (method, params) in steps {
        connection.reply(Some(session), method, &params);
    }
}

/// Cuts the network of whatever speaks on a session.
pub(crate) fn cut_network(connection: &Connection, session: &str) {
    let conditions = json!({"offline": true, "latency": 0, "downloadThroughput": -1,
        "uploadThroughput": -1});
    connection.reply(Some(session), Reply::NetworkEnable, &json!({}));
    connection.reply(Some(session), Reply::EmulateNetwork, &conditions);
}

/// What the browser is started with: the languages it asks for and names to scripts.
pub(crate) fn arguments(emulation: &Emulation) -> Vec<String> {
    let [width, height] = emulation.viewport;
    let mut arguments = vec![format!("--window-size={width},{height}")];
    let locale = emulation.locale.as_deref();
    arguments.push(format!("--lang={}", locale.unwrap_or("en-US")));
    arguments.extend(locale.map(|locale| format!("--accept-lang={locale}")));
    arguments
}
