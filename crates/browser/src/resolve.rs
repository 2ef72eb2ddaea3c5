//! From a target to exactly one element that can take the action now, or a refusal (D8, I11).

use serde::Deserialize;
use serde_json::{Value, json};

use sidestick_gate::{Resolve, Resolved, SurfaceError};
use sidestick_model::observation::{ElementFacts, Expect, ExpectKind, Subject};
use sidestick_model::outcome::{Code, Match, Refusal, Status};
use sidestick_model::{Action, ActionKind, Deadline, DragEnd, Seam, TabOp, Target, Typed, limits};

use crate::chooser::{refuse_upload, refuse_without_chooser};
use crate::injected;
use crate::page::{Page, split_ref};
use crate::session::Chromium;

#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Answer {
    Found { element: Box<ElementFacts> },
    Gone { look_alike: Option<Match> },
    None,
    Several { total: u32, matches: Vec<Match> },
}

#[derive(Deserialize)]
pub(crate) struct Focus {
    #[serde(rename = "ref")]
    pub(crate) id: Option<String>,
    is_text_field: bool,
    operates: bool,
}

fn refuse(status: Status, code: impl Into<Option<Code>>, why: impl Into<String>) -> SurfaceError {
    SurfaceError::Refused(Box::new(Refusal::new(status, code, why)))
}

/// The refusal for an element that is gone, with the one that looks like it (D4).
pub(crate) fn gone(why: &str, matches: Vec<Match>) -> SurfaceError {
    let mut refusal = Refusal::new(Status::Stale, Code::ElementGone, why);
    refusal.matches = matches;
    SurfaceError::Refused(Box::new(refusal))
}

/// Writes a target the way the page script reads it.
fn target_args(target: &Target) -> Value {
    match target {
        Target::Ref { id } => json!({"ref": id}),
        Target::Described { role, name, near } => json!({"role": role, "name": name, "near": near}),
        Target::Pixel { x, y, .. } => json!({"point": [x, y]}),
    }
}

/// Writes an expectation the way the page script reads it; a signal is none there.
pub(crate) fn expect_args(expect: &Expect) -> Value {
    let (kind, value) = (expect.kind, &expect.value);
    let word = match kind {
        ExpectKind::TextIs => "text",
        ExpectKind::GoneIs => "gone",
        ExpectKind::ValueIs => "value",
        ExpectKind::UrlIs => "url",
        ExpectKind::Checked => "checked",
        ExpectKind::Appeared => {
            let (role, name) = match value.split_once(':') {
                Some((role, name)) => (role, Some(name)),
                None => (value.as_str(), None),
            };
            return json!({"kind": "appeared", "value": value, "role": role, "name": name});
        }
        ExpectKind::Any
        | ExpectKind::Url
        | ExpectKind::Title
        | ExpectKind::Tree
        | ExpectKind::Focus
        | ExpectKind::Value
        | ExpectKind::Screen => return Value::Null,
    };
    json!({"kind": word, "value": value, "role": null, "name": null})
}

/// The values an action would set, for the checks that depend on them.
fn values_of(action: &Action) -> Vec<String> {
    match action {
        Action::Select { values, .. } => values.clone(),
        Action::Fill { text: Typed::Public(text) | Typed::Sensitive(text), .. } => {
            vec![text.clone()]
        }
        _ => Vec::new(),
    }
}

impl Chromium {
    /// Finds what an action would act on, without changing anything.
    pub(crate) async fn resolve_action(
        &self,
        ask: &Resolve<'_>,
        deadline: Deadline,
    ) -> Result<Resolved, SurfaceError> {
        let page = self.page()?;
        let dialog = page.known().dialog.clone();
        let kind = ask.action.kind();
        match (&dialog, kind) {
            (Some(_), ActionKind::Dialog) => {
                let page = page.state();
                return Ok(Resolved { dialog, page, ..Resolved::default() });
            }
            (None, ActionKind::Dialog) => {
                return Err(refuse(Status::NotActionable, Code::NoDialog, "no dialog is open"));
            }
            (Some(dialog), _) if kind != ActionKind::Tab => {
                return Err(injected::dialog_open(dialog));
            }
            (Some(_) | None, _) => {}
        }
        let mut resolved = self.resolve_parts(&page, ask, deadline).await?;
        let is_about_no_element = resolved.element.is_none() && resolved.focused.is_none();
        if is_about_no_element && !matches!(kind, ActionKind::Navigate | ActionKind::Tab) {
            resolved.satisfied |= self.already_holds(&page, ask.expect, deadline).await;
        }
        resolved.page = page.state();
        Ok(resolved)
    }

    async fn resolve_parts(
        &self,
        page: &Page,
        ask: &Resolve<'_>,
        deadline: Deadline,
    ) -> Result<Resolved, SurfaceError> {
        match ask.action {
            Action::Navigate { url } => {
                self.resolve_navigation(page, url, ask.expect, deadline).await
            }
            Action::Back => self.resolve_history(page, -1, deadline).await,
            Action::Forward => self.resolve_history(page, 1, deadline).await,
            Action::Reload | Action::Dialog { .. } => Ok(Resolved::default()),
            Action::Tab { op } => self.resolve_tab(op),
            Action::Press { target: None, .. } | Action::Type { target: None, .. } => {
                self.resolve_focus(page, ask, deadline).await
            }
            Action::Scroll { target: None, .. } => Ok(Resolved::default()),
            Action::Upload { target: None, .. } => {
                refuse_without_chooser(page).map(|()| Resolved::default())
            }
            action => match action.target() {
                Some(target) => self.resolve_target(page, ask, target, deadline).await,
                None => Ok(Resolved::default()),
            },
        }
    }

    async fn resolve_target(
        &self,
        page: &Page,
        ask: &Resolve<'_>,
        target: &Target,
        deadline: Deadline,
    ) -> Result<Resolved, SurfaceError> {
        let element = self.element(page, ask, target, deadline).await?;
        let mut resolved = Resolved::default();
        if let Action::Drag { to: DragEnd::Element(end), .. } = ask.action {
            let hover = Action::Hover { target: end.clone() };
            let ask = Resolve { action: &hover, meaning: None, expect: ask.expect };
            resolved.destination = Some(self.element(page, &ask, end, deadline).await?);
        }
        let kind = ask.action.kind();
        let holds = element.expect_held && ask.expect.is_predicate();
        let filled = match ask.action {
            Action::Fill { text: Typed::Public(text), .. } => {
                !element.is_secret && element.value.as_deref() == Some(text)
            }
            _ => false,
        };
        let settable = matches!(kind, ActionKind::Check | ActionKind::Uncheck | ActionKind::Select);
        resolved.satisfied = holds || filled || settable && element.satisfied;
        if kind == ActionKind::Upload {
            refuse_upload(page, &element)?;
        } else if !resolved.satisfied {
            refuse_unready(&element, kind)?;
        }
        resolved.element = Some(element);
        Ok(resolved)
    }

    /// Asks the page for one element, and refuses none, several, a gone or a changed one.
    async fn element(
        &self,
        page: &Page,
        ask: &Resolve<'_>,
        target: &Target,
        deadline: Deadline,
    ) -> Result<ElementFacts, SurfaceError> {
        if let Target::Ref { id } = target {
            refuse_gone_document(page, id)?;
        }
        let args = json!({
            "target": target_args(target),
            "action": ask.action.kind().as_str(),
            "values": values_of(ask.action),
            "text_kind": null,
            "expect": expect_args(ask.expect),
        });
        match self.answer_everywhere(page, target, args, deadline).await? {
            Answer::Found { element } => {
                page.saw_refs(std::iter::once(element.id.as_str()));
                refuse_changed(ask.meaning, &element.subject)?;
                Ok(*element)
            }
            Answer::Gone { look_alike } => {
                let why = match &look_alike {
                    Some(other) => format!(
                        "the element is gone; {} looks like it and was not acted on",
                        other.id
                    ),
                    None => "the element is gone".to_owned(),
                };
                page.saw_refs(look_alike.iter().map(|other| other.id.as_str()));
                Err(gone(&why, look_alike.into_iter().collect()))
            }
            Answer::None => Err(refuse(Status::NotFound, None, "nothing answers the description")),
            Answer::Several { total, matches } => {
                page.saw_refs(matches.iter().map(|other| other.id.as_str()));
                let why = format!("{total} elements answer the description; name one by its ref");
                let mut refusal = Refusal::new(Status::Ambiguous, None, why);
                refusal.matches = matches.into_iter().take(limits::MATCHES_MAX).collect();
                Err(SurfaceError::Refused(Box::new(refusal)))
            }
        }
    }

    /// Keys and text without a target go to the focused element; typing refuses what a letter or a
    /// space would operate (BR-194).
    async fn resolve_focus(
        &self,
        page: &Page,
        ask: &Resolve<'_>,
        deadline: Deadline,
    ) -> Result<Resolved, SurfaceError> {
        let focus = self.focus_everywhere(page, deadline).await?;
        let types = ask.action.kind() == ActionKind::Type;
        let takes_text = focus.is_text_field && !focus.operates;
        if types && !takes_text && !Seam::TypingFocus.is_broken() {
            let why = "the focus is not on something that takes text";
            return Err(refuse(Status::NotActionable, Code::NotFocused, why));
        }
        let mut resolved = Resolved::default();
        if let Some(id) = focus.id {
            let target = Target::Ref { id };
            let ask = Resolve { action: ask.action, meaning: None, expect: ask.expect };
            let element = self.element(page, &ask, &target, deadline).await?;
            resolved.satisfied = element.expect_held && ask.expect.is_predicate();
            if types && !resolved.satisfied {
                // Editors and terminals take their keys by a field that nobody sees.
                refuse_unusable(&element)?;
            }
            resolved.focused = Some(element);
        }
        Ok(resolved)
    }

    async fn resolve_navigation(
        &self,
        page: &Page,
        url: &str,
        expect: &Expect,
        deadline: Deadline,
    ) -> Result<Resolved, SurfaceError> {
        if url::Url::parse(url).is_err() || url.contains(char::is_control) {
            let shown: String = url.chars().take(200).collect();
            let why = format!("`{shown}` is not an address");
            return Err(refuse(Status::Forbidden, Code::BadUrl, why));
        }
        let mut resolved = Resolved::default();
        if expect.kind != ExpectKind::UrlIs {
            resolved.satisfied = self.already_holds(page, expect, deadline).await;
        }
        Ok(resolved)
    }

    /// Returns whether a postcondition that is no element's holds already: it would prove nothing
    /// about an act to come (D22).
    async fn already_holds(&self, page: &Page, expect: &Expect, deadline: Deadline) -> bool {
        if !expect.is_predicate() {
            return false;
        }
        let args = json!({"target": {"role": "document"}, "action": "navigate", "values": [],
            "text_kind": null, "expect": expect_args(expect)});
        let described = Target::Described { role: "document".to_owned(), name: None, near: None };
        let answer = self.answer_of_page(page, &described, args, deadline).await;
        matches!(answer, Ok(Answer::Found { element }) if element.expect_held)
    }

    async fn resolve_history(
        &self,
        page: &Page,
        step: i64,
        deadline: Deadline,
    ) -> Result<Resolved, SurfaceError> {
        match self.history_entry(page, step, deadline).await? {
            Some(_) => Ok(Resolved::default()),
            None => {
                let way = if step < 0 { "back" } else { "forward" };
                let why = format!("the page has no entry to go {way} to");
                Err(refuse(Status::NotActionable, Code::NoHistory, why))
            }
        }
    }

    fn resolve_tab(&self, op: &TabOp) -> Result<Resolved, SurfaceError> {
        match op {
            TabOp::Open(url) if url::Url::parse(url).is_err() => {
                Err(refuse(Status::Forbidden, Code::BadUrl, "not an address"))
            }
            TabOp::Open(_) if self.pages_max <= self.shared.all().len() => {
                let open = self.shared.all().len();
                let why = format!("{open} pages are open, and {} may be", self.pages_max);
                Err(refuse(Status::NotActionable, Code::TooManyPages, why))
            }
            TabOp::Switch(id) | TabOp::Close(id) if self.shared.by_id(id).is_none() => {
                let id: String = id.chars().take(64).collect();
                let why = format!("no page `{id}` is open");
                Err(refuse(Status::NotActionable, Code::UnknownPage, why))
            }
            TabOp::Switch(id) => {
                let satisfied = self.shared.page().is_some_and(|page| page.id == *id);
                Ok(Resolved { satisfied, ..Resolved::default() })
            }
            TabOp::Open(_) | TabOp::Close(_) => Ok(Resolved::default()),
        }
    }
}

/// A ref of a document that is gone names nothing any more (D4).
fn refuse_gone_document(page: &Page, id: &str) -> Result<(), SurfaceError> {
    let (frame, number) = split_ref(id);
    let known = page.known();
    let start = known.frames.of_number(frame).map_or(known.refs.start, |(_, refs)| refs.start);
    if number < start && !Seam::DocumentGone.is_broken() {
        let why = format!("`{id}` belongs to a document that is gone");
        return Err(refuse(Status::Stale, Code::DocumentGone, why));
    }
    Ok(())
}

/// An element that lives on but means something else is refused (D4).
pub(crate) fn refuse_changed(meant: Option<&Subject>, is: &Subject) -> Result<(), SurfaceError> {
    match meant.and_then(|meant| meant.difference(is)) {
        Some(difference) if !Seam::ChangedMeaning.is_broken() => {
            let why =
                format!("the element means something else than when it was shown: {difference}");
            Err(refuse(Status::Stale, Code::Changed, why))
        }
        Some(_) | None => Ok(()),
    }
}

/// Refuses what a person could not see or use, with what is in the way (D8).
pub(crate) fn refuse_unready(element: &ElementFacts, kind: ActionKind) -> Result<(), SurfaceError> {
    let short = short_name(element);
    // Files go to inputs that pages hide on purpose, behind a button of their own.
    let needs_sight = kind != ActionKind::Upload;
    if needs_sight && !element.visible.ok && !Seam::Visibility.is_broken() {
        let word = element.visible.reason.as_deref().unwrap_or("hidden");
        let code = Code::parse(word).unwrap_or(Code::Hidden);
        let why = match (&element.visible.cover, code) {
            (Some(cover), _) => format!("`{short}` is covered by {}", cover_words(cover)),
            (None, Code::Unplaced) => format!(
                "where `{short}` is painted cannot be told: its frame is tilted too far; \
                 act in it by the keyboard, or open the frame's document by itself"
            ),
            (None, Code::Offscreen) => format!("`{short}` is where scrolling cannot reach"),
            (None, code) => format!("`{short}` cannot be seen ({code})"),
        };
        return Err(refuse(Status::NotVisible, code, why));
    }
    refuse_unusable(element)
}

/// Refuses what could not take the action, wherever it lies.
fn refuse_unusable(element: &ElementFacts) -> Result<(), SurfaceError> {
    if !element.ready.ok && !Seam::Readiness.is_broken() {
        let short = short_name(element);
        let word = element.ready.code.as_deref().unwrap_or("disabled");
        let code = Code::parse(word).unwrap_or(Code::Disabled);
        let detail = element.ready.detail.as_deref().map(|detail| format!(": {detail}"));
        let why = format!("`{short}` is {code}{}", detail.unwrap_or_default());
        return Err(refuse(Status::NotActionable, code, why));
    }
    Ok(())
}

fn short_name(element: &ElementFacts) -> String {
    element.subject.name.as_deref().unwrap_or("the element").chars().take(80).collect()
}

pub(crate) fn cover_words(cover: &sidestick_model::observation::Cover) -> String {
    let cut = |text: &str| text.chars().take(80).collect::<String>();
    let name = cover.name.as_deref().map(|name| format!(" `{}`", cut(name))).unwrap_or_default();
    let id = cover.id.as_deref().map(|id| format!(" #{}", cut(id))).unwrap_or_default();
    format!("<{}>{id}{name}", cut(&cover.tag))
}
