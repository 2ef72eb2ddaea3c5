//! What was written to the browser, judged by the messages themselves and their order.

use std::collections::BTreeMap;

use serde_json::Value;

use sidestick_browser::OnWire;

/// What a message does to the application, read from the message alone: the driver is not asked.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Does {
    Nothing,
    Changes,
    Presses(String),
    LetsGo(String),
}

fn does(message: &Value) -> Does {
    let params = &message["params"];
    let kind = params["type"].as_str().unwrap_or_default();
    match message["method"].as_str().unwrap_or_default() {
        "Input.dispatchMouseEvent" => {
            let button = format!("button {}", params["button"].as_str().unwrap_or_default());
            match kind {
                "mousePressed" => Does::Presses(button),
                "mouseReleased" => Does::LetsGo(button),
                _ => Does::Changes,
            }
        }
        "Input.dispatchKeyEvent" => {
            let key = format!("key {}", params["code"].as_str().unwrap_or_default());
            if kind == "keyUp" { Does::LetsGo(key) } else { Does::Presses(key) }
        }
        "Runtime.callFunctionOn" => {
            let declaration = params["functionDeclaration"].as_str().unwrap_or_default();
            if declaration.contains("sidestickAct") { Does::Changes } else { Does::Nothing }
        }
        "Input.insertText"
        | "DOM.focus"
        | "DOM.setFileInputFiles"
        | "Page.navigate"
        | "Page.navigateToHistoryEntry"
        | "Page.reload"
        | "Page.handleJavaScriptDialog"
        | "Runtime.evaluate"
        | "Target.createTarget"
        | "Target.activateTarget"
        | "Target.closeTarget" => Does::Changes,
        _ => Does::Nothing,
    }
}

/// What one round put on the wire.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Judged {
    /// Whether anybody made sure that the wire is quiet.
    pub(crate) acknowledged: bool,
    /// Messages of the old epoch that can change the application, before the acknowledgement.
    pub(crate) before: usize,
    /// The same, after it.
    pub(crate) after: usize,
    /// Releases that were owed and followed, without a lease.
    pub(crate) owed: usize,
    /// What is wrong.
    pub(crate) wrong: Vec<String>,
}

/// Judges the messages of one round, in which somebody took over epoch `old`; nobody else made the
/// wire quiet in it.
pub(crate) fn judge(entries: &[OnWire], old: u64) -> Judged {
    let mut judged = Judged::default();
    let mut held: BTreeMap<String, i32> = BTreeMap::new();
    for entry in entries {
        let OnWire::Message { epoch, text } = entry else {
            judged.acknowledged = true;
            continue;
        };
        let message: Value = serde_json::from_str(text).unwrap();
        let does = does(&message);
        let is_old = epoch.is_some_and(|epoch| epoch <= old);
        match (&does, epoch) {
            (Does::Nothing, None) => continue,
            (Does::LetsGo(_), None) => judged.owed += 1,
            (_, None) => judged.wrong.push(format!("sent without a lease: {text}")),
            (_, Some(_)) if is_old && judged.acknowledged => judged.after += 1,
            (_, Some(_)) => judged.before += usize::from(is_old),
        }
        match does {
            Does::Presses(what) => *held.entry(what).or_default() += 1,
            Does::LetsGo(what) => {
                let count = held.entry(what.clone()).or_default();
                *count -= 1;
                if *count < 0 {
                    judged.wrong.push(format!("{what} was let go, and was not held"));
                }
            }
            Does::Changes | Does::Nothing => {}
        }
    }
    if judged.after != 0 {
        judged.wrong.push(format!("{} message(s) after the acknowledgement", judged.after));
    }
    if !judged.acknowledged {
        judged.wrong.push("nobody made sure that the wire is quiet".to_owned());
    }
    let still = held.into_iter().filter(|(_, count)| 0 < *count).map(|(what, _)| what);
    judged.wrong.extend(still.map(|what| format!("{what} is held for ever")));
    judged
}

#[test]
fn a_message_of_the_old_epoch_after_the_acknowledgement_is_seen() {
    let message = |epoch: Option<u64>, text: &str| OnWire::Message { epoch, text: text.to_owned() };
    let down =
        r#"{"method":"Input.dispatchMouseEvent","params":{"type":"mousePressed","button":"left"}}"#;
    let up = down.replace("Pressed", "Released");
    let look = r#"{"method":"Page.captureScreenshot","params":{}}"#;
    let good = [message(Some(1), down), OnWire::Quiet, message(None, &up), message(None, look)];
    let late = [OnWire::Quiet, message(Some(1), down), message(None, &up)];
    let unasked = [OnWire::Quiet, message(None, down), message(None, &up)];
    let held = [message(Some(1), down), OnWire::Quiet];

    assert_eq!(judge(&good, 1).wrong, Vec::<String>::new());
    assert_eq!((judge(&good, 1).before, judge(&good, 1).owed), (1, 1));
    assert_eq!(judge(&late, 1).after, 1);
    assert!(judge(&unasked, 1).wrong[0].starts_with("sent without a lease"));
    assert_eq!(judge(&held, 1).wrong, ["button left is held for ever"]);
    assert_eq!(judge(&good[2..], 1).wrong.len(), 2);
    assert!(!judge(&good[2..], 1).acknowledged);
}
