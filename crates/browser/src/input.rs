//! Pointer and keys: what is pressed is remembered, and comes up whatever happens (BR-004).

use serde_json::{Value, json};

use sidestick_gate::{Held, SurfaceError};
use sidestick_model::action::Modifiers;
use sidestick_model::{Deadline, Fate};

use crate::connection::{Begun, Connection, Sent};
use crate::keys::{self, Key};
use crate::page::Page;
use crate::protocol::{Act, Reply};

/// The hand of one act: sends input under its lease and lets go of what it holds when dropped.
#[derive(Debug)]
pub(crate) struct Hand<'a> {
    connection: &'a Connection,
    page: &'a Page,
    held: &'a Held,
    deadline: Deadline,
    button: Option<(&'static str, u32, Down)>,
    keys: Vec<(Key, u32, Down)>,
    sent: u32,
    /// Whether the pointer has moved with a button held.
    drags: bool,
}

/// A press and its release, as far as they went out.
#[derive(Debug)]
struct Down {
    pressed: Begun,
    released: Option<Begun>,
}

impl Down {
    fn of(pressed: &Sent) -> Down {
        Down { pressed: pressed.begun(), released: None }
    }

    /// Returns whether the page was pressed and not let go: a release that went out is not sent
    /// twice, and what was never pressed is not released (I6).
    fn is_held(&self, held: &Held) -> bool {
        // A press that waits is written as long as the lease holds.
        let pressed = self.pressed.is_out() || held.holds();
        pressed && !self.released.as_ref().is_some_and(Begun::is_out)
    }
}

impl<'a> Hand<'a> {
    pub(crate) fn new(
        connection: &'a Connection,
        page: &'a Page,
        held: &'a Held,
        deadline: Deadline,
    ) -> Hand<'a> {
        Hand {
            connection,
            page,
            held,
            deadline,
            button: None,
            keys: Vec::new(),
            sent: 0,
            drags: false,
        }
    }

    /// Returns how many presses, keys and texts have gone out.
    pub(crate) fn sent(&self) -> u32 {
        self.sent
    }

    fn act(&self, method: Act, params: &Value) -> Sent {
        self.connection.act(&self.page.session, method, params, self.held)
    }

    /// Waits for an input's answer; a dialog it opened, or the page's end, ends the wait (D9).
    pub(crate) async fn landed(&self, sent: Sent) -> Result<(), SurfaceError> {
        let held_up = self.page.until(self.deadline, |known| {
            known.dialog.is_some() || known.is_closed || known.is_crashed
        });
        tokio::select! {
            biased;
            answered = sent.answer(self.deadline) => match answered {
                Ok(_) => Ok(()),
                Err(error) => Err(self.page_or(error.of_act())),
            },
            // It was handed over before it was waited for: a write that the fence dropped has
            // answered above.
            () = self.held.cut() => {
                Err(SurfaceError::Cut { sent: "an input".to_owned(), fate: Fate::Unknown })
            }
            _ = held_up => {
                if self.page.known().dialog.is_some() {
                    return Ok(());
                }
                let fate = Fate::Unknown;
                Err(match self.page.gone() {
                    Some(gone) => gone.after_dispatch(),
                    None => SurfaceError::Unresponsive { what: "input", fate },
                })
            }
        }
    }

    /// A page that closed under its input has been reached by it.
    fn page_or(&self, error: SurfaceError) -> SurfaceError {
        match (self.page.gone(), &error) {
            (Some(gone), SurfaceError::Rejected { .. } | SurfaceError::BrowserGone { .. }) => {
                gone.after_dispatch()
            }
            (Some(_) | None, _) => error,
        }
    }

    /// The failure of an act that was cut, with what had gone out.
    pub(crate) fn cut(&self) -> SurfaceError {
        let fate = if self.sent == 0 { Fate::NotSent } else { Fate::Unknown };
        SurfaceError::Cut { sent: format!("{} input(s)", self.sent), fate }
    }

    /// Moves the pointer to a point unless it rests there: the browser itself keeps what comes to
    /// lie under a resting pointer told of it.
    pub(crate) async fn be_at(&mut self, point: [f64; 2]) -> Result<(), SurfaceError> {
        let rests = {
            let known = self.page.known();
            let seen = Some((known.document, self.held.shown().epoch));
            known.pointer == point && known.pointer_seen_in == seen
        };
        if rests { Ok(()) } else { self.move_to(point).await }
    }

    /// Moves the pointer and waits until the page has seen it.
    pub(crate) async fn move_to(&mut self, point: [f64; 2]) -> Result<(), SurfaceError> {
        let sent = self.act(Act::MouseEvent, &self.mouse("mouseMoved", point, 0));
        let document = {
            let mut known = self.page.known();
            (known.pointer, known.pointer_seen_in) = (point, None);
            known.document
        };
        self.landed(sent).await?;
        self.page.known().pointer_seen_in = Some((document, self.held.shown().epoch));
        Ok(())
    }

    /// Moves the pointer while a button is held.
    pub(crate) async fn drag_to(&mut self, point: [f64; 2]) -> Result<(), SurfaceError> {
        let mut params = self.mouse("mouseMoved", point, 0);
        merge(&mut params, json!({"button": "left", "buttons": 1}));
        self.drags = true;
        let sent = self.act(Act::MouseEvent, &params);
        {
            let mut known = self.page.known();
            (known.pointer, known.pointer_seen_in) = (point, None);
        }
        self.landed(sent).await
    }

    fn mouse(&self, kind: &str, point: [f64; 2], clicks: u32) -> Value {
        json!({"type": kind, "x": point[0], "y": point[1], "clickCount": clicks,
            "pointerType": "mouse"})
    }

    /// Presses and releases a button at a point, without a pause between the two writes.
    pub(crate) async fn click(
        &mut self,
        point: [f64; 2],
        button: &'static str,
        clicks: u32,
    ) -> Result<(), SurfaceError> {
        let pressed = self.send_press(point, button, clicks);
        let released = self.send_release(point);
        self.landed(pressed).await?;
        self.landed(released).await?;
        self.button = None;
        Ok(())
    }

    /// Presses a button and waits until the page has seen it.
    pub(crate) async fn press_button(
        &mut self,
        point: [f64; 2],
        button: &'static str,
    ) -> Result<(), SurfaceError> {
        let pressed = self.send_press(point, button, 1);
        self.landed(pressed).await
    }

    /// Releases the held button and waits until the page has seen it.
    pub(crate) async fn release_button(&mut self, point: [f64; 2]) -> Result<(), SurfaceError> {
        let released = self.send_release(point);
        self.landed(released).await?;
        (self.button, self.drags) = (None, false);
        Ok(())
    }

    fn send_press(&mut self, point: [f64; 2], button: &'static str, clicks: u32) -> Sent {
        let mut params = self.mouse("mousePressed", point, clicks);
        merge(&mut params, json!({"button": button}));
        self.sent += 1;
        let sent = self.act(Act::MouseEvent, &params);
        self.button = Some((button, clicks, Down::of(&sent)));
        sent
    }

    /// Sends the release. When it is dropped with its lease, the hand lets go on its own (I6:
    /// releases are owed).
    fn send_release(&mut self, point: [f64; 2]) -> Sent {
        let known = self.button.as_ref().map(|(button, clicks, _)| (*button, *clicks));
        let (button, clicks) = known.unwrap_or(("left", 1));
        let mut params = self.mouse("mouseReleased", point, clicks);
        merge(&mut params, json!({"button": button}));
        let sent = self.act(Act::MouseEvent, &params);
        if let Some((_, _, down)) = self.button.as_mut() {
            down.released = Some(sent.begun());
        }
        sent
    }

    /// Turns the wheel.
    pub(crate) async fn wheel(
        &mut self,
        point: [f64; 2],
        delta: [f64; 2],
    ) -> Result<(), SurfaceError> {
        let mut params = self.mouse("mouseWheel", point, 0);
        merge(&mut params, json!({"deltaX": delta[0], "deltaY": delta[1]}));
        self.sent += 1;
        let sent = self.act(Act::MouseEvent, &params);
        self.landed(sent).await
    }

    /// Presses and releases one key with modifiers held.
    pub(crate) async fn key(
        &mut self,
        key: &Key,
        modifiers: Modifiers,
        command: Option<&str>,
    ) -> Result<(), SurfaceError> {
        let pair = self.send_key(key, modifiers, command);
        for sent in pair {
            self.landed(sent).await?;
        }
        self.keys.clear();
        Ok(())
    }

    fn send_key(&mut self, key: &Key, modifiers: Modifiers, command: Option<&str>) -> [Sent; 2] {
        let bits = keys::bits(modifiers) | if key.shift { 8 } else { 0 };
        let kind = if key.text.is_some() { "keyDown" } else { "rawKeyDown" };
        let mut down = key_params(kind, key, bits);
        if let Some(text) = &key.text {
            merge(&mut down, json!({"text": text, "unmodifiedText": text}));
        }
        if let Some(command) = command {
            merge(&mut down, json!({"commands": [command]}));
        }
        self.sent += 1;
        let pressed = self.act(Act::KeyEvent, &down);
        let released = self.act(Act::KeyEvent, &key_params("keyUp", key, bits));
        let down = Down { released: Some(released.begun()), ..Down::of(&pressed) };
        self.keys.push((key.clone(), bits, down));
        [pressed, released]
    }

    /// Types text key by key; what a US keyboard has no key for is inserted (BR-192).
    pub(crate) async fn type_text(&mut self, text: &str) -> Result<(), SurfaceError> {
        // LIMIT: unanswered keys are bounded; they are drained before the next window (BR-199).
        const WINDOW: usize = 16;
        let chars: Vec<char> = text.chars().filter(|c| *c != '\r').collect();
        for window in chars.chunks(WINDOW) {
            if !self.held.holds() {
                return Err(self.cut());
            }
            let mut sent = Vec::with_capacity(WINDOW * 2);
            for c in window {
                match keys::of_char(*c) {
                    Some(key) => sent.extend(self.send_key(&key, Modifiers::default(), None)),
                    None => sent.push(self.send_insertion(&c.to_string())),
                }
            }
            for sent in sent {
                self.landed(sent).await?;
            }
            self.keys.clear();
        }
        Ok(())
    }

    /// Inserts text in one piece: one `input` event, no key events (BR-193).
    pub(crate) async fn insert(&mut self, text: &str) -> Result<(), SurfaceError> {
        let sent = self.send_insertion(text);
        self.landed(sent).await
    }

    fn send_insertion(&mut self, text: &str) -> Sent {
        self.sent += 1;
        self.act(Act::InsertText, &json!({"text": text}))
    }
}

impl Drop for Hand<'_> {
    fn drop(&mut self) {
        let point = self.page.known().pointer;
        if let Some((button, clicks, down)) = self.button.take()
            && down.is_held(self.held)
        {
            if self.drags {
                // Let go of over a target it would be dropped there.
                let nothing = json!({});
                self.connection.reply(Some(&self.page.session), Reply::CancelDrag, &nothing);
            }
            let mut params = self.mouse("mouseReleased", point, clicks);
            merge(&mut params, json!({"button": button}));
            self.connection.reply(Some(&self.page.session), Reply::ReleaseMouse, &params);
        }
        for (key, bits, down) in std::mem::take(&mut self.keys) {
            if !down.is_held(self.held) {
                continue;
            }
            let up = key_params("keyUp", &key, bits);
            self.connection.reply(Some(&self.page.session), Reply::ReleaseKey, &up);
        }
    }
}

fn key_params(kind: &str, key: &Key, bits: u32) -> Value {
    json!({"type": kind, "key": key.key, "code": key.code, "modifiers": bits,
        "windowsVirtualKeyCode": key.virtual_key, "nativeVirtualKeyCode": key.virtual_key})
}

fn merge(into: &mut Value, more: Value) {
    if let (Value::Object(into), Value::Object(more)) = (into, more) {
        into.extend(more);
    }
}
