//! What is under way when somebody takes over, and the page's own record of it.

use std::time::Duration;

use serde::Deserialize;

use sidestick_model::call::{Answer, Call};
use sidestick_model::{Action, DragEnd, Typed};

use crate::bench::{Bench, click, named};

/// A page that counts what reaches it, and can be told to answer nothing for a while.
const PAGE: &str = r#"<title>Record</title>
<style>#from, #to { position: absolute; width: 80px; height: 40px }
#from { left: 20px; top: 300px } #to { left: 500px; top: 500px }</style>
<label>Text <textarea></textarea></label> <button id="block">Block</button>
<div id="from" role="button" tabindex="0">From</div><div id="to" role="button" tabindex="0">To</div>
<pre id="record"></pre><script>
const ask = new URLSearchParams(location.search);
const [block, blockMs] = [ask.get('block'), Number(ask.get('ms'))];
const seen = {down: 0, up: 0, dropped: 0, keydown: 0, keyup: 0, typed: 0, clicks: 0, held: []};
const buttons = new Set(), keys = new Set();
const spin = (ms) => { const t = performance.now(); while (performance.now() - t < ms); };
const show = () => {
  seen.held = [...buttons, ...keys];
  record.textContent = 'record ' + JSON.stringify(seen) + ' end';
};
let blocks = 0;
const once = (when) => { if (block === when && !blocks++) spin(blockMs); };
const on = (type, then) => addEventListener(type, (e) => { then(e); show(); }, true);
on('mousedown', (e) => { seen.down++; buttons.add('b' + e.button); if (e.target.id === 'block') once('down'); });
on('mouseup', (e) => { seen.up++; buttons.delete('b' + e.button); if (e.target.id === 'to') seen.dropped++; });
on('mousemove', (e) => { if (e.buttons) spin(12); if (e.target.id === 'block') once('move'); });
on('keydown', (e) => { seen.keydown++; keys.add(e.code); });
on('keyup', (e) => { seen.keyup++; keys.delete(e.code); });
on('input', (e) => { seen.typed = e.target.value.length; });
on('click', (e) => { if (e.target.id === 'block') seen.clicks++; });
if (block === 'soon') setTimeout(() => once('soon'), 250);
show();
</script>"#;

/// How many characters a long type types.
pub(crate) const LETTERS: usize = 240;

/// The slow document a navigation asks for.
const SLOW: &str = "slow/80";

/// What is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Activity {
    Drag,
    Type,
    Navigate,
    /// A click on a page that answers nothing: from when on.
    Blocked(&'static str),
}

/// What the page says reached it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Record {
    pub(crate) down: usize,
    pub(crate) up: usize,
    pub(crate) dropped: usize,
    pub(crate) keydown: usize,
    pub(crate) keyup: usize,
    pub(crate) typed: usize,
    pub(crate) clicks: usize,
    pub(crate) held: Vec<String>,
}

impl Activity {
    pub(crate) fn name(self) -> String {
        match self {
            Activity::Drag => "drag".to_owned(),
            Activity::Type => "type".to_owned(),
            Activity::Navigate => "navigate".to_owned(),
            Activity::Blocked(_) => "blocked".to_owned(),
        }
    }

    /// Returns the address of the page, blocked for `blocked` when that is the activity.
    pub(crate) fn address(self, bench: &Bench, blocked: Duration) -> String {
        let page = bench.site.inline(PAGE);
        match self {
            Activity::Blocked(when) => format!("{page}?block={when}&ms={}", blocked.as_millis()),
            Activity::Drag | Activity::Type | Activity::Navigate => page,
        }
    }

    pub(crate) fn action(self, bench: &Bench) -> Action {
        match self {
            Activity::Drag => {
                let to = DragEnd::Element(named("button", "To"));
                Action::Drag { target: named("button", "From"), to }
            }
            Activity::Type => {
                let text = Typed::Public("abcdefgh".repeat(LETTERS / 8));
                Action::Type { target: Some(named("textbox", "Text")), text }
            }
            Activity::Navigate => Action::Navigate { url: bench.site.page(SLOW) },
            Activity::Blocked(_) => click("button", "Block"),
        }
    }

    /// Returns whether all of it has reached the page.
    pub(crate) fn is_complete(self, record: &Record, requests: usize) -> bool {
        match self {
            Activity::Drag => record.down == 1 && record.up == 1 && record.dropped == 1,
            Activity::Type => record.typed == LETTERS,
            Activity::Navigate => requests == 1,
            Activity::Blocked(_) => record.clicks == 1,
        }
    }
}

/// Reads the page's own record, which is there unless another document is shown.
pub(crate) async fn read_record(bench: &Bench) -> Option<Record> {
    let answer = bench.ask(Call::Text { target: None, max_chars: 10_000 }).await;
    let Answer::Text { text, .. } = answer else { panic!("{answer:?}") };
    let (_, rest) = text.split_once("record ")?;
    serde_json::from_str(rest.split_once(" end")?.0).ok()
}
