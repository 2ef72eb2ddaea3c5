//! What a permit allows, carried out: one match over the actions, a last look at what would be
//! hit, then the input.

use serde::Deserialize;
use serde_json::{Value, json};

use sidestick_gate::{Held, Performed, Permit, Resolve, SurfaceError};
use sidestick_model::observation::{ElementFacts, Subject};
use sidestick_model::outcome::{Code, Refusal, Status};
use sidestick_model::{
    Action, ActionKind, Deadline, DialogAnswer, Direction, DragEnd, Fate, Seam, TabOp, Target,
    limits,
};

use crate::baseline::{ArmAsk, Armed};
use crate::frames;
use crate::injected;
use crate::input::Hand;
use crate::keys;
use crate::page::Page;
use crate::protocol::{Act, Look};
use crate::resolve::{cover_words, expect_args, refuse_changed, refuse_unready};
use crate::session::Chromium;

/// Time the browser gets to give the pointer back.
const POINTER_BACK_TIME: std::time::Duration = std::time::Duration::from_millis(500);

#[derive(Deserialize)]
struct Done {
    #[serde(default)]
    ok: bool,
    /// Nothing was done: the element had become another one.
    #[serde(default)]
    changed: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct History {
    current_index: i64,
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    id: i64,
    #[serde(default)]
    title: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Navigated {
    error_text: Option<String>,
}

pub(crate) fn refuse(status: Status, code: Code, why: impl Into<String>) -> SurfaceError {
    SurfaceError::Refused(Box::new(Refusal::new(status, code, why)))
}

pub(crate) fn input() -> Performed {
    Performed { point: None, method: "input", token: 0 }
}

pub(crate) fn script() -> Performed {
    Performed { point: None, method: "script", token: 0 }
}

impl Chromium {
    /// Performs one permitted action.
    pub(crate) async fn perform_permitted(
        &self,
        permit: &Permit,
        deadline: Deadline,
    ) -> Result<Performed, SurfaceError> {
        let page = self.page()?;
        page.mark(self.shared.newest_number(), self.shared.downloads.last());
        self.shared.acts_on(&page);
        let written = self.connection.acted();
        let performed = tokio::select! {
            biased;
            performed = self.perform_on(&page, permit, deadline) => performed,
            // A page that answers nothing does not keep an act alive that has lost its lease; what
            // is dropped here lets go of what it holds.
            () = permit.held().cut() => {
                Err(SurfaceError::Cut { sent: "nothing".to_owned(), fate: Fate::NotSent })
            }
        };
        if performed.is_err() {
            page.known().is_acting = false;
        }
        performed.map_err(|error| self.as_written(error, written))
    }

    /// A failure says whether anything had gone out by what was written since the act began: moving
    /// the pointer or the focus is not nothing (I5). A refusal is about the press alone.
    fn as_written(&self, error: SurfaceError, before: u64) -> SurfaceError {
        let nothing = SurfaceError::Cut { sent: "nothing".to_owned(), fate: Fate::NotSent };
        match (error, self.connection.acted() - before) {
            (SurfaceError::Cut { .. }, 0) => nothing,
            (SurfaceError::Cut { fate: Fate::NotSent, .. }, count) => {
                SurfaceError::Cut { sent: format!("{count} message(s)"), fate: Fate::Unknown }
            }
            // The wire went with the browser: what was not begun will never be.
            (SurfaceError::BrowserGone { .. }, 0) => {
                SurfaceError::BrowserGone { fate: Fate::NotSent }
            }
            (error @ SurfaceError::Refused(_), _) | (error, 0) => error,
            (error, _) if error.fate() == Fate::NotSent => error.after_dispatch(),
            (error, _) => error,
        }
    }

    async fn perform_on(
        &self,
        page: &Page,
        permit: &Permit,
        deadline: Deadline,
    ) -> Result<Performed, SurfaceError> {
        let step = Step { chromium: self, page, permit, deadline };
        step.take_pointer_back().await?;
        match permit.action() {
            Action::Click { .. } | Action::Dismiss { .. } => step.click("left", 1).await,
            Action::Check { .. } | Action::Uncheck { .. } => step.click("left", 1).await,
            Action::DoubleClick { .. } => step.click("left", 2).await,
            Action::RightClick { .. } => step.click("right", 1).await,
            Action::Hover { .. } => step.hover().await,
            Action::Fill { .. } => step.fill().await,
            Action::Type { .. } => step.type_text().await,
            Action::Press { key, .. } => step.press(&keys::of_chord(key), key.modifiers).await,
            Action::Select { values, .. } => step.select(values).await,
            Action::Scroll { direction, amount, .. } => step.scroll(*direction, *amount).await,
            Action::Drag { to, .. } => step.drag(to).await,
            Action::Upload { .. } => step.upload().await,
            Action::Dialog { answer, .. } => step.dialog(*answer).await,
            Action::Navigate { url } => step.navigate(url).await,
            Action::Back => step.history(-1).await,
            Action::Forward => step.history(1).await,
            Action::Reload => step.reload().await,
            Action::Tab { op } => step.tab(op).await,
        }
    }

    /// Finds the entry `step` away from the current one in the page's history.
    pub(crate) async fn history_entry(
        &self,
        page: &Page,
        step: i64,
        deadline: Deadline,
    ) -> Result<Option<i64>, SurfaceError> {
        let history = self.history(page, deadline).await?;
        let at = usize::try_from(history.current_index + step).ok();
        Ok(at.and_then(|at| history.entries.get(at)).map(|entry| entry.id))
    }

    async fn history(&self, page: &Page, deadline: Deadline) -> Result<History, SurfaceError> {
        let sent = self.connection.look(Some(&page.session), Look::GetHistory, &json!({}));
        let raw = sent.answer(deadline).await.map_err(|error| error.of_look())?;
        serde_json::from_str(raw.get())
            .map_err(|_| SurfaceError::BadAnswer { what: "history", fate: Fate::NotSent })
    }

    /// Returns the page's title from the browser's own process (BR-057).
    pub(crate) async fn title(&self, page: &Page, deadline: Deadline) -> Option<String> {
        let history = self.history(page, deadline).await.ok()?;
        let at = usize::try_from(history.current_index).ok()?;
        let title = &history.entries.get(at)?.title;
        Some(title.chars().take(limits::PAGE_TEXT_MAX).collect())
    }
}

/// One permitted action under way.
pub(crate) struct Step<'a> {
    pub(crate) chromium: &'a Chromium,
    pub(crate) page: &'a Page,
    pub(crate) permit: &'a Permit,
    pub(crate) deadline: Deadline,
}

impl<'a> Step<'a> {
    pub(crate) fn held(&self) -> &'a Held {
        self.permit.held()
    }

    pub(crate) fn hand(&self) -> Hand<'a> {
        Hand::new(&self.chromium.connection, self.page, self.permit.held(), self.deadline)
    }

    fn element(&self) -> Result<&'a ElementFacts, SurfaceError> {
        self.permit
            .resolved()
            .element
            .as_ref()
            .ok_or(SurfaceError::Unsupported { what: "act on nothing" })
    }

    /// A page that holds the pointer would get every press, whatever it was aimed at.
    async fn take_pointer_back(&self) -> Result<(), SurfaceError> {
        let presses = self.permit.resolved().element.is_some();
        if presses && self.page.known().has_pointer {
            let _: Option<Done> = self.script("free_pointer", json!({})).await?;
            let is_back = |known: &crate::page::Known| !known.has_pointer;
            self.page.until(self.deadline.within(POINTER_BACK_TIME), is_back).await;
        }
        Ok(())
    }

    /// Takes the reading right before the dispatch and looks once more at what would be hit (I4).
    pub(crate) async fn arm(
        &self,
        element: Option<&str>,
        point: Option<[f64; 2]>,
        focus: Option<&str>,
    ) -> Result<Armed, SurfaceError> {
        let asked = ArmAsk { element, point, focus, expect: expect_args(self.permit.expect()) };
        let armed = self.chromium.arm_everywhere(self.page, &asked, self.deadline).await?;
        if !self.held().holds() {
            return Err(SurfaceError::Cut { sent: "nothing".to_owned(), fate: Fate::NotSent });
        }
        Ok(armed)
    }

    /// Calls a script that acts; none when a dialog it opened holds the page.
    async fn script<T: serde::de::DeserializeOwned>(
        &self,
        name: &'static str,
        args: Value,
    ) -> Result<Option<T>, SurfaceError> {
        let connection = &self.chromium.connection;
        injected::act(connection, self.page, self.held(), name, &args, self.deadline).await
    }

    /// Brings an element into view when it is not, and returns where to press it.
    pub(crate) async fn point_of(&self, element: &ElementFacts) -> Result<[f64; 2], SurfaceError> {
        if let Some(point) = element.point {
            return Ok(point);
        }
        self.scroll_into_view(&element.id).await?;
        let target = Target::Ref { id: element.id.clone() };
        let action = Action::Hover { target };
        // A list that draws what is in view may have given the node to another row by then.
        let meaning = Some(&element.subject);
        let ask = Resolve { action: &action, meaning, expect: self.permit.expect() };
        let resolved = self.chromium.resolve_action(&ask, self.deadline).await?;
        let point = resolved.element.and_then(|element| element.point);
        point.ok_or_else(|| {
            refuse(Status::NotVisible, Code::Offscreen, "scrolling did not bring it into view")
        })
    }

    /// Scrolls an element into view, and before it the frames it is in, the outermost first.
    async fn scroll_into_view(&self, id: &str) -> Result<(), SurfaceError> {
        let Chromium { connection, .. } = self.chromium;
        let within = frames::of_ref(&self.page.known(), id);
        if let Some(frame) = within {
            let all = frames::find(connection, self.page, self.deadline).await;
            for found in frames::path(&all, &frame) {
                if !found.place.is_in_view() {
                    let args = json!({"ref": found.place.id});
                    let _: Option<Done> = self.script("scroll_into_view", args).await?;
                }
            }
        }
        let _: Option<Done> = self.script("scroll_into_view", json!({"ref": id})).await?;
        Ok(())
    }

    /// Refuses what would not be hit any more; nothing was pressed.
    pub(crate) fn refuse_missed(&self, armed: &Armed) -> Result<(), SurfaceError> {
        if armed.hit.ok || Seam::HitTest.is_broken() {
            return Ok(());
        }
        let why = match &armed.hit.cover {
            Some(cover) => {
                format!("right before the press it was covered by {}", cover_words(cover))
            }
            None => "right before the press it was gone from under the pointer".to_owned(),
        };
        Err(refuse(Status::NotVisible, Code::Occluded, why))
    }

    /// Moves the pointer to an element and looks once more at what a press there would hit.
    ///
    /// An element that the pointer itself has moved or drawn anew is looked for again; one that is
    /// gone, means something else or is covered is refused. Nothing was pressed.
    pub(crate) async fn aim(
        &self,
        hand: &mut Hand<'_>,
        element: &ElementFacts,
    ) -> Result<[f64; 2], SurfaceError> {
        const TRIES: u32 = 3;
        let mut point = self.point_of(element).await?;
        for tried in 1.. {
            hand.be_at(point).await?;
            let armed = self.arm(Some(&element.id), Some(point), None).await?;
            if let Some(subject) = &armed.subject {
                refuse_changed(Some(&element.subject), subject)?;
            }
            let is_missed = !armed.hit.ok && armed.hit.cover.is_none();
            if is_missed && !Seam::HitTest.is_broken() {
                self.rest().await;
                let fresh = self.look_again(element).await?;
                if let (Some(fresh), true) = (fresh, tried < TRIES) {
                    point = fresh;
                    continue;
                }
            }
            self.refuse_missed(&armed)?;
            return Ok(armed.x.zip(armed.y).map_or(point, |(x, y)| [x, y]));
        }
        Ok(point)
    }

    /// Returns where an element is now, or refuses it for what has become of it.
    async fn look_again(&self, element: &ElementFacts) -> Result<Option<[f64; 2]>, SurfaceError> {
        let target = Target::Ref { id: element.id.clone() };
        let action = Action::Click { target };
        let meaning = Some(&element.subject);
        let ask = Resolve { action: &action, meaning, expect: self.permit.expect() };
        let resolved = self.chromium.resolve_action(&ask, self.deadline).await?;
        Ok(resolved.element.and_then(|element| element.point))
    }

    /// Gives the page a moment to draw what the pointer has brought about.
    async fn rest(&self) {
        let deadline = self.deadline.within(std::time::Duration::from_millis(400));
        let args = json!({"kind": "still", "value": null, "timeout_ms": 200, "quiet_ms": 40});
        let connection = &self.chromium.connection;
        // A page that does not rest is looked at as it is.
        let _: Result<Value, _> =
            injected::read_in(connection, self.page, None, "wait", &args, deadline).await;
    }

    async fn click(&self, button: &'static str, presses: u32) -> Result<Performed, SurfaceError> {
        let element = self.element()?;
        let mut hand = self.hand();
        let point = self.aim(&mut hand, element).await?;
        for press in 1..=presses {
            if 1 < press {
                // Each further press is checked anew after the earlier one's handlers ran (BR-186).
                self.still_there(element).await?;
            }
            hand.click(point, button, press).await?;
            self.refuse_stopped(element).await?;
        }
        Ok(Performed { point: Some(point), ..input() })
    }

    /// Refuses when the page script has kept an input from the page, because the element had become
    /// another one by the time it arrived.
    pub(crate) async fn refuse_stopped(&self, element: &ElementFacts) -> Result<(), SurfaceError> {
        #[derive(Deserialize)]
        struct Ended {
            stopped: bool,
        }
        let args = json!({"ref": element.id});
        let frame = frames::of_ref(&self.page.known(), &element.id);
        let deadline = self.deadline.within(std::time::Duration::from_millis(500));
        let connection = &self.chromium.connection;
        // A page that has gone on, or is held by a dialog, has got its input.
        let ended: Result<Ended, _> = injected::read_in(
            connection,
            self.page,
            frame.as_deref(),
            "guard_end",
            &args,
            deadline,
        )
        .await;
        if !ended.is_ok_and(|ended| ended.stopped) {
            return Ok(());
        }
        self.look_again(element).await?;
        let why = "the element moved or changed as the input arrived; it was kept from the page";
        Err(refuse(Status::Stale, Code::Changed, why))
    }

    async fn refuse_stopped_keys(&self) -> Result<(), SurfaceError> {
        let resolved = self.permit.resolved();
        match resolved.element.as_ref().or(resolved.focused.as_ref()) {
            Some(element) => self.refuse_stopped(element).await,
            None => Ok(()),
        }
    }

    async fn still_there(&self, element: &ElementFacts) -> Result<(), SurfaceError> {
        let target = Target::Ref { id: element.id.clone() };
        let action = Action::Click { target };
        let meaning = Some(&element.subject);
        let ask = Resolve { action: &action, meaning, expect: self.permit.expect() };
        match self.chromium.resolve_action(&ask, self.deadline).await {
            Ok(_) => Ok(()),
            Err(SurfaceError::Refused(refusal)) => {
                let fate = Fate::Unknown;
                Err(SurfaceError::Cut { sent: format!("1 press; {}", refusal.message), fate })
            }
            Err(error) => Err(error.after_dispatch()),
        }
    }

    async fn hover(&self) -> Result<Performed, SurfaceError> {
        let element = self.element()?;
        let point = self.point_of(element).await?;
        let armed = self.arm(Some(&element.id), Some(point), None).await?;
        self.refuse_missed(&armed)?;
        self.hand().move_to(point).await?;
        Ok(Performed { point: Some(point), ..input() })
    }

    /// Focuses an element the way the keyboard would, and makes sure that it has the focus.
    async fn focus(&self, element: &ElementFacts) -> Result<(), SurfaceError> {
        let connection = &self.chromium.connection;
        if !element.in_viewport {
            self.scroll_into_view(&element.id).await?;
        }
        if !element.states.iter().any(|state| state == "focused") {
            let handle =
                injected::element_handle(connection, self.page, &element.id, self.deadline).await?;
            let params = json!({"objectId": handle.object});
            let sent = connection.act(&handle.session, Act::Focus, &params, self.held());
            let landed = self.hand().landed(sent).await;
            if let Err(SurfaceError::Rejected { .. }) = landed {
                // It has gone or been hidden since it was found: what has become of it is said.
                self.look_again(element).await?;
            }
            landed?;
        }
        Ok(())
    }

    /// Takes the reading with the field focused, or refuses when the page moved the focus away.
    async fn arm_focused(&self, element: &ElementFacts) -> Result<(), SurfaceError> {
        let armed = self.arm(None, None, Some(&element.id)).await?;
        if let Some(subject) = &armed.subject {
            // A field may take its hint away, and its name with it, as it gets the focus.
            let has_hint_alone = subject.name.as_deref().is_none_or(str::is_empty);
            let name = if has_hint_alone { &element.subject.name } else { &subject.name };
            let subject = Subject { name: name.clone(), ..subject.clone() };
            refuse_changed(Some(&element.subject), &subject)?;
        }
        if armed.focused_ok {
            Ok(())
        } else {
            let why = "the page moved the focus away before anything was typed";
            Err(refuse(Status::NotActionable, Code::NotFocused, why))
        }
    }

    fn text(&self) -> Result<&'a str, SurfaceError> {
        self.permit.text().ok_or(SurfaceError::Unsupported { what: "type a secret it has not" })
    }

    async fn fill(&self) -> Result<Performed, SurfaceError> {
        let element = self.element()?;
        let text = self.text()?;
        let kind = element.input_type.as_deref().unwrap_or("text");
        if is_set_by_script(kind) {
            let args = json!({"ref": element.id, "value": text});
            return self.set_by_script(element, "set_value", args).await;
        }
        self.focus(element).await?;
        self.arm_focused(element).await?;
        let selected: Option<Done> = self.script("select_text", json!({"ref": element.id})).await?;
        if !selected.is_some_and(|selected| selected.ok) {
            self.look_again(element).await?;
            // Typing now would add to the old text (VR-127).
            let why = "the field's text cannot be selected";
            return Err(refuse(Status::NotActionable, Code::WrongKind, why));
        }
        let mut hand = self.hand();
        if text.is_empty() {
            let delete = keys::of_chord(&sidestick_model::Chord {
                modifiers: sidestick_model::action::Modifiers::default(),
                key: "Delete".to_owned(),
            });
            hand.key(&delete, sidestick_model::action::Modifiers::default(), None).await?;
        } else {
            hand.insert(text).await?;
        }
        self.refuse_stopped(element).await?;
        Ok(input())
    }

    async fn type_text(&self) -> Result<Performed, SurfaceError> {
        let text = self.text()?;
        if let Some(element) = self.permit.resolved().element.as_ref() {
            self.focus(element).await?;
            let _: Option<Done> = self.script("caret_to_end", json!({"ref": element.id})).await?;
            self.arm_focused(element).await?;
        } else {
            self.arm_on_focus().await?;
        }
        let mut hand = self.hand();
        hand.type_text(text).await.map_err(|error| match (hand.sent(), error) {
            (1.., SurfaceError::Refused(_)) => hand.cut(),
            (_, error) => error,
        })?;
        self.refuse_stopped_keys().await?;
        Ok(input())
    }

    async fn press(
        &self,
        key: &keys::Key,
        modifiers: sidestick_model::action::Modifiers,
    ) -> Result<Performed, SurfaceError> {
        if let Some(element) = self.permit.resolved().element.as_ref() {
            self.focus(element).await?;
            self.arm_focused(element).await?;
        } else {
            self.arm_on_focus().await?;
        }
        let selects_all = modifiers.ctrl && key.code == "KeyA";
        let command = selects_all.then_some("selectAll");
        self.hand().key(key, modifiers, command).await?;
        self.refuse_stopped_keys().await?;
        Ok(input())
    }

    /// The focus the decision was made on still has to be the one that gets the keys.
    async fn arm_on_focus(&self) -> Result<(), SurfaceError> {
        match self.permit.resolved().focused.as_ref() {
            Some(element) => self.arm_focused(element).await,
            None => self.arm(None, None, None).await.map(drop),
        }
    }

    /// Brings into view what a script is about to set, so that its effect is seen.
    async fn show(&self, element: &ElementFacts) -> Result<(), SurfaceError> {
        if element.in_viewport { Ok(()) } else { self.scroll_into_view(&element.id).await }
    }

    async fn select(&self, values: &[String]) -> Result<Performed, SurfaceError> {
        let element = self.element()?;
        let args = json!({"ref": element.id, "values": values});
        self.set_by_script(element, "select_options", args).await
    }

    /// Sets what no input can, unless the element has become another one: looked at before, and
    /// once more by the script that sets it.
    async fn set_by_script(
        &self,
        element: &ElementFacts,
        name: &'static str,
        args: Value,
    ) -> Result<Performed, SurfaceError> {
        self.show(element).await?;
        let armed = self.arm(None, None, Some(&element.id)).await?;
        if let Some(subject) = &armed.subject {
            refuse_changed(Some(&element.subject), subject)?;
        }
        let done: Option<Done> = self.script(name, args).await?;
        if done.is_some_and(|done| done.changed) {
            self.look_again(element).await?;
            let why = "the element changed before it could be set; nothing was";
            return Err(refuse(Status::Stale, Code::Changed, why));
        }
        Ok(script())
    }

    async fn scroll(&self, direction: Direction, amount: f64) -> Result<Performed, SurfaceError> {
        let [width, height] = self.chromium.shared.emulation.viewport.map(f64::from);
        let point = match self.permit.resolved().element.as_ref() {
            Some(element) => self.point_of(element).await?,
            None => [width / 2.0, height / 2.0],
        };
        let frame = match self.permit.resolved().element.as_ref() {
            Some(element) => frames::of_ref(&self.page.known(), &element.id),
            None => None,
        };
        let scroller = self.chromium.scroller(self.page, frame, point, direction, self.deadline);
        let scroller = scroller.await?;
        // A screen is what shows of that which is scrolled.
        let (width, height) = scroller.screen();
        self.page.known().scrolls = Some(scroller);
        let delta = match direction {
            Direction::Up => [0.0, -height * amount],
            Direction::Down => [0.0, height * amount],
            Direction::Left => [-width * amount, 0.0],
            Direction::Right => [width * amount, 0.0],
        };
        self.arm(None, None, None).await?;
        self.hand().wheel(point, delta).await?;
        Ok(Performed { point: Some(point), ..input() })
    }

    /// Presses, moves in eight short steps, releases (BR-184). Whether the page takes it for a drag
    /// by the pointer or one of its own draggable elements is the page's to say: the browser turns
    /// the same moves into the events of either.
    async fn drag(&self, to: &DragEnd) -> Result<Performed, SurfaceError> {
        const STEPS: u32 = 8;
        let element = self.element()?;
        let end = self.drag_end(to)?;
        let mut hand = self.hand();
        let from = self.aim(&mut hand, element).await?;
        hand.press_button(from, "left").await?;
        self.refuse_stopped(element).await?;
        for step in 1..=STEPS {
            hand.drag_to(on_the_way(from, end, step, STEPS)).await?;
            // What was picked up, and what it is over, have to be drawn before it goes on.
            if step == 2 || step == STEPS {
                self.rest().await;
            }
        }
        hand.release_button(end).await?;
        Ok(Performed { point: Some(from), ..input() })
    }

    fn drag_end(&self, to: &DragEnd) -> Result<[f64; 2], SurfaceError> {
        Ok(match (to, self.permit.resolved().destination.as_ref()) {
            (DragEnd::Point { to_x, to_y }, _) => [*to_x, *to_y],
            (DragEnd::Element(_), Some(end)) => {
                refuse_unready(end, ActionKind::Hover)?;
                end.point.ok_or_else(|| {
                    let why = "the end of the drag is not in view together with its start";
                    refuse(Status::NotVisible, Code::Offscreen, why)
                })?
            }
            (DragEnd::Element(_), None) => {
                return Err(SurfaceError::Unsupported { what: "drag to nothing" });
            }
        })
    }

    async fn dialog(&self, answer: DialogAnswer) -> Result<Performed, SurfaceError> {
        let accepts = answer == DialogAnswer::Accept;
        let mut params = json!({"accept": accepts});
        // A prompt that is accepted as it stands gives what stands in it.
        let stands = self.page.known().dialog.as_ref().and_then(|open| open.default_text.clone());
        let text = self.permit.text().map(str::to_owned).or(stands);
        if let (true, Some(text), Value::Object(fields)) = (accepts, text, &mut params) {
            fields.insert("promptText".to_owned(), json!(text));
        }
        let connection = &self.chromium.connection;
        let sent = connection.act(&self.page.session, Act::HandleDialog, &params, self.held());
        sent.answer(self.deadline).await.map_err(|error| error.of_act())?;
        // The page goes on once the browser has told that the dialog is gone.
        let moved_on = |known: &crate::page::Known| {
            known.dialog.is_none() || known.mark.dialogs < known.dialogs
        };
        self.page.until(self.deadline, moved_on).await;
        Ok(input())
    }

    async fn navigate(&self, url: &str) -> Result<Performed, SurfaceError> {
        self.arm_if_readable().await;
        let connection = &self.chromium.connection;
        let params = json!({"url": url});
        let sent = connection.act(&self.page.session, Act::Navigate, &params, self.held());
        let dialog = self.page.until(self.deadline, |known| {
            known.dialog.is_some() || known.is_closed || known.is_crashed
        });
        tokio::select! {
            biased;
            answered = sent.answer(self.deadline) => {
                let raw = answered.map_err(|error| self.stopped(error.of_act()))?;
                let navigated: Navigated = serde_json::from_str(raw.get()).map_err(|_| {
                    SurfaceError::BadAnswer { what: "navigate", fate: Fate::Sent }
                })?;
                match navigated.error_text.filter(|text| text != "net::ERR_ABORTED") {
                    Some(reason) => Err(SurfaceError::Navigation { reason }),
                    None => Ok(input()),
                }
            }
            () = self.held().cut() => {
                Err(SurfaceError::Cut { sent: "a navigation".to_owned(), fate: Fate::Unknown })
            }
            _ = dialog => match self.page.gone() {
                Some(gone) => Err(gone.after_dispatch()),
                None if self.page.known().dialog.is_some() => Ok(input()),
                None => {
                    let fate = Fate::Unknown;
                    Err(self.stopped(SurfaceError::Unresponsive { what: "navigate", fate }))
                }
            }
        }
    }

    /// A document that does not come in time is not waited for any longer: the page keeps what it
    /// has and stays usable (BR-216).
    fn stopped(&self, error: SurfaceError) -> SurfaceError {
        if matches!(error, SurfaceError::Unresponsive { .. }) {
            self.chromium.stop_loading(self.page);
        }
        error
    }

    /// A page that cannot be read before it is left is left all the same: the new document is the
    /// effect.
    async fn arm_if_readable(&self) {
        let deadline = self.deadline.within(std::time::Duration::from_millis(500));
        let args = json!({"ref": null, "point": null, "focus_ref": null, "expect": null});
        let connection = &self.chromium.connection;
        let _: Result<Armed, _> =
            injected::read_in(connection, self.page, None, "arm", &args, deadline).await;
    }

    async fn history(&self, step: i64) -> Result<Performed, SurfaceError> {
        let entry = self.chromium.history_entry(self.page, step, self.deadline).await?;
        let entry = entry.ok_or_else(|| {
            refuse(Status::NotActionable, Code::NoHistory, "the history entry is gone")
        })?;
        self.arm_if_readable().await;
        let connection = &self.chromium.connection;
        let params = json!({"entryId": entry});
        let sent = connection.act(&self.page.session, Act::NavigateToEntry, &params, self.held());
        self.hand().landed(sent).await?;
        Ok(input())
    }

    async fn reload(&self) -> Result<Performed, SurfaceError> {
        self.arm_if_readable().await;
        let connection = &self.chromium.connection;
        let sent = connection.act(&self.page.session, Act::Reload, &json!({}), self.held());
        self.hand().landed(sent).await?;
        Ok(input())
    }

    async fn tab(&self, op: &TabOp) -> Result<Performed, SurfaceError> {
        let connection = &self.chromium.connection;
        let (method, params) = match op {
            TabOp::Open(url) => (Act::CreateTarget, json!({"url": url})),
            TabOp::Switch(id) => (Act::ActivateTarget, json!({"targetId": id})),
            TabOp::Close(id) => (Act::CloseTarget, json!({"targetId": id})),
        };
        let closing = match op {
            TabOp::Close(id) => self.chromium.shared.by_id(id),
            TabOp::Open(_) | TabOp::Switch(_) => None,
        };
        let sent = connection.act_on_browser(method, &params, self.held());
        let answered = sent.answer(self.deadline).await.map_err(|error| error.of_act())?;
        match op {
            TabOp::Open(_) => {
                self.chromium.shared.show_created(&answered, self.deadline).await;
                if let Ok(page) = self.chromium.page() {
                    page.parsed(limits::SETTLE_NAVIGATION_TIME_MAX, self.deadline).await;
                }
            }
            TabOp::Switch(id) => drop(self.chromium.shared.show(id)),
            TabOp::Close(_) => {
                if let Some(closing) = closing {
                    let cap = self.deadline.within(limits::SETTLE_TIME_MAX);
                    closing.until(cap, |known| known.is_closed || known.dialog.is_some()).await;
                }
            }
        }
        Ok(input())
    }
}

/// Returns the point of a step from start to end. The last but one is as good as there: what is
/// dragged has to be moved over a target to be taken by it, not only onto it.
fn on_the_way(from: [f64; 2], end: [f64; 2], step: u32, steps: u32) -> [f64; 2] {
    const SHORT_PX: f64 = 2.0;
    let ([x, y], [end_x, end_y]) = (from, end);
    let (across, down) = (end_x - x, end_y - y);
    let part = match steps - step {
        0 => 1.0,
        1 => (1.0 - SHORT_PX / across.hypot(down).max(SHORT_PX))
            .max(f64::from(step) / f64::from(steps)),
        _ => f64::from(step) / f64::from(steps),
    };
    [x + across * part, y + down * part]
}

/// Input kinds whose value the keyboard enters in pieces of its own (see `act.js`).
pub(crate) fn is_set_by_script(kind: &str) -> bool {
    matches!(kind, "date" | "time" | "month" | "week" | "datetime-local" | "color" | "range")
}
