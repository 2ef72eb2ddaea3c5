//! One decision for every actor and action, made on the element found (I2, D14).

use sidestick_model::action::{Action, ActionKind, DialogAnswer, Typed};
use sidestick_model::observation::{DialogState, ElementFacts};
use sidestick_model::outcome::{Code, GateSeen, Refusal, Status};
use sidestick_model::record::{GateClaim, Owner};
use sidestick_model::target::Target;
use sidestick_model::{Actor, Outcome, Seam};

use crate::boundary::{Boundary, DocumentKind, Judged};
use crate::risk::{self, Hit, Tier};

/// Everything a decision depends on.
#[derive(Debug)]
#[expect(missing_docs, reason = "each is the thing of that name")]
pub struct Question<'a> {
    pub owner: Owner,
    pub actor: Actor,
    pub attended: bool,
    pub action: &'a Action,
    /// The element found, with its unredacted name.
    pub element: Option<&'a ElementFacts>,
    /// The element a drag ends on.
    pub destination: Option<&'a ElementFacts>,
    /// The focused element, for keys and text without a target.
    pub focused: Option<&'a ElementFacts>,
    pub dialog: Option<&'a DialogState>,
    pub boundary: &'a Boundary,
    pub claim: GateClaim,
    /// The goal titles and the run's request, for the claim `requested`.
    pub requested_words: &'a [&'a str],
    /// Names this run typed, for the claim `created`.
    pub typed_names: &'a [&'a str],
    pub login_attempts: u32,
}

/// What was decided.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// How much it can cost.
    pub tier: Tier,
    /// The gate that was met, and how it went.
    pub gate: Option<GateSeen>,
    /// The refusal; none when the action may go on.
    pub refusal: Option<Refusal>,
}

impl Decision {
    fn allow(tier: Tier) -> Decision {
        Decision { tier, gate: None, refusal: None }
    }

    fn refuse(tier: Tier, status: Status, code: impl Into<Option<Code>>, why: String) -> Decision {
        Decision { tier, gate: None, refusal: Some(Refusal::new(status, code, why)) }
    }
}

/// Judges one action: boundary, login limit, dismiss list, gate and risk, in this order (D30).
pub fn decide(question: &Question<'_>) -> Decision {
    let tier = tier_of(question);
    if let Some(refusal) = boundary_refusal(question) {
        return Decision { tier, gate: None, refusal: Some(refusal) };
    }
    let uses_secret = matches!(question.action.typed(), Some(Typed::Secret(_)));
    if uses_secret && 1 <= question.login_attempts && !Seam::LoginLimit.is_broken() {
        let why = "the one login attempt of this run was made".to_owned();
        return Decision::refuse(tier, Status::Forbidden, Code::LoginAttemptLimit, why);
    }
    if question.action.kind() == ActionKind::Dismiss {
        let name = question.element.and_then(|element| element.subject.name.as_deref());
        if !name.is_some_and(risk::is_dismissal) && !Seam::DismissList.is_broken() {
            let why = format!("{} is not a harmless dismissal", quoted(name));
            return Decision::refuse(tier, Status::NotAllowlisted, None, why);
        }
    }
    judge_gate(question)
}

fn tier_of(question: &Question<'_>) -> Tier {
    let by_name = gate_hit(question).map_or(Tier::Safe, |hit| hit.tier);
    let submits_elsewhere = question.owner == Owner::ThirdParty
        && question.element.is_some_and(|element| element.submits)
        && question
            .element
            .and_then(|element| element.form.as_ref())
            .is_some_and(|form| form.method == "post");
    // A form posted to somebody else's site is more than a click, whatever its button is called.
    if submits_elsewhere { by_name.max(Tier::Elevated) } else { by_name }
}

fn boundary_refusal(question: &Question<'_>) -> Option<Refusal> {
    if let Action::Navigate { url } | Action::Tab { op: sidestick_model::TabOp::Open(url) } =
        question.action
    {
        return match question.boundary.judge(url, DocumentKind::TopLevel) {
            Judged::Inside => None,
            Judged::Outside | Judged::Blocked if Seam::BoundaryAsked.is_broken() => None,
            Judged::Outside | Judged::Blocked => Some(Refusal::new(
                Status::Forbidden,
                Code::NavigationBlocked,
                format!("`{}` is outside this run's boundary", short(url)),
            )),
        };
    }
    if Seam::BoundaryFrame.is_broken() {
        return None;
    }
    let elements = [question.element, question.destination, question.focused];
    let frame =
        elements.into_iter().flatten().filter_map(|element| element.frame_origin.as_deref()).find(
            |origin| question.boundary.judge(origin, DocumentKind::Frame) != Judged::Inside,
        )?;
    Some(Refusal::new(
        Status::Forbidden,
        Code::FrameOutside,
        format!("the frame `{}` is outside this run's boundary", short(frame)),
    ))
}

/// Returns the names the action is judged by: the real one, the one the caller gave for a pixel,
/// the default button for Enter, a dialog's text for its acceptance (VR-108, VR-112).
fn subjects<'a>(question: &Question<'a>) -> Vec<&'a str> {
    let kind = question.action.kind();
    let enters_text = matches!(kind, ActionKind::Fill | ActionKind::Hover | ActionKind::Scroll)
        || kind == ActionKind::Type && !types_a_line_break(question.action);
    if enters_text {
        return Vec::new();
    }
    let mut names: Vec<&str> = Vec::new();
    let found = question.element.or(question.focused);
    let enters = matches!(question.action, Action::Press { key, .. } if key.is_enter())
        || types_a_line_break(question.action);
    if let Some(element) = found {
        let name = element.subject.name.as_deref();
        match question.action.kind() {
            // Where files go is often called after the way they get there.
            ActionKind::Upload => names.extend(name.into_iter().flat_map(without_drop)),
            _ => names.extend(name),
        }
        names.extend(element.value.as_deref().filter(|_| element.submits));
        if enters {
            names.extend(element.default_button.as_ref().and_then(|button| button.name.as_deref()));
        }
    }
    names.extend(question.destination.and_then(|element| element.subject.name.as_deref()));
    if let Some(Target::Pixel { label, .. }) = question.action.target() {
        names.push(label);
    }
    if let Action::Dialog { answer: DialogAnswer::Accept, .. } = question.action {
        names.extend(question.dialog.map(|dialog| dialog.text.as_str()));
    }
    names
}

/// Returns the parts of a name around the word by which a place for files is called.
fn without_drop(name: &str) -> impl Iterator<Item = &str> {
    let is_drop = |word: &str| word.eq_ignore_ascii_case("drop");
    let mut from = 0;
    let words = name.match_indices(|c: char| !c.is_alphanumeric()).map(|(at, _)| at);
    let ends: Vec<usize> = words.chain([name.len()]).collect();
    let mut parts = Vec::new();
    let mut start = 0;
    for end in ends {
        if name.get(start..end).is_some_and(is_drop) {
            parts.extend(name.get(from..start));
            from = end;
        }
        start = name
            .get(end..)
            .and_then(|rest| rest.chars().next())
            .map_or(end, |c| end + c.len_utf8());
    }
    parts.extend(name.get(from..));
    parts.into_iter()
}

fn types_a_line_break(action: &Action) -> bool {
    matches!(action, Action::Type { text: Typed::Public(text) | Typed::Sensitive(text), .. }
        if text.contains(['\n', '\r']))
}

fn gate_hit(question: &Question<'_>) -> Option<Hit> {
    risk::gated(question.owner, &subjects(question))
}

fn judge_gate(question: &Question<'_>) -> Decision {
    let tier = tier_of(question);
    let hit = gate_hit(question).filter(|_| !Seam::GateWords.is_broken());
    let Some(hit) = hit else { return Decision::allow(tier) };
    let seen = |gate: &str| GateSeen {
        subject: hit.subject.clone(),
        word: hit.word.clone(),
        pattern: hit.pattern.to_owned(),
        tier: tier.as_str().to_owned(),
        gate: gate.to_owned(),
    };
    if question.actor == Actor::Human {
        return Decision { tier, gate: Some(seen("human")), refusal: None };
    }
    let stop = |status, code: Option<Code>, why: String| Decision {
        tier,
        gate: Some(seen("stopped")),
        refusal: Some(Refusal::new(status, code, why)),
    };
    let named = format!("`{}` is gated by the word `{}`", short(&hit.subject), hit.word);
    match question.claim {
        GateClaim::None => stop(Status::GateRequired, None, named),
        GateClaim::Requested | GateClaim::Created
            if tier == Tier::Irreversible && !Seam::Irreversible.is_broken() =>
        {
            let why = format!("{named} and cannot be taken back; only a person can allow it");
            stop(Status::GateRequired, Some(Code::RiskRefused), why)
        }
        GateClaim::Requested if contains_word(question.requested_words, &hit.word) => {
            Decision { tier, gate: Some(seen("requested")), refusal: None }
        }
        GateClaim::Requested => {
            let why = format!("{named}; neither a goal nor the request says `{}`", hit.word);
            stop(Status::GateRequired, Some(Code::GateClaimFailed), why)
        }
        GateClaim::Created if created(question) => {
            Decision { tier, gate: Some(seen("created")), refusal: None }
        }
        GateClaim::Created => {
            let why = format!("{named}; this run typed no name that belongs to it");
            stop(Status::GateRequired, Some(Code::GateClaimFailed), why)
        }
    }
}

fn contains_word(texts: &[&str], word: &str) -> bool {
    if Seam::ClaimWords.is_broken() {
        return true;
    }
    let word = word.to_lowercase();
    texts.iter().any(|text| {
        let text = text.to_lowercase();
        text.match_indices(&word).any(|(at, _)| {
            let before = text.get(..at).and_then(|head| head.chars().next_back());
            let after = text.get(at + word.len()..).and_then(|tail| tail.chars().next());
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        })
    })
}

/// Returns whether a name this run typed stands in the element's name or context.
fn created(question: &Question<'_>) -> bool {
    let Some(element) = question.element.or(question.focused) else { return false };
    let subject = &element.subject;
    let places: Vec<String> = [&subject.name, &subject.row, &subject.label, &subject.heading]
        .into_iter()
        .flatten()
        .map(|text| text.to_lowercase())
        .collect();
    question.typed_names.iter().any(|name| {
        let name = name.trim().to_lowercase();
        3 <= name.chars().count() && places.iter().any(|place| place.contains(&name))
    })
}

fn quoted(name: Option<&str>) -> String {
    name.map_or("an element without a name".to_owned(), |name| format!("`{}`", short(name)))
}

fn short(text: &str) -> String {
    let mut cut: String = text.chars().take(120).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    cut
}

/// Returns whether an act submits a login form, for the count of attempts (VR-164, VR-168).
pub fn submits_login(action: &Action, element: Option<&ElementFacts>, outcome: &Outcome) -> bool {
    let enters = matches!(action, Action::Press { key, .. } if key.key == "Enter")
        || types_a_line_break(action);
    let clicks = matches!(action.kind(), ActionKind::Click | ActionKind::DoubleClick)
        && element.is_some_and(|element| {
            element.submits && element.form.as_ref().is_some_and(|form| 0 < form.password_fields)
                || element.subject.name.as_deref().is_some_and(risk::submits_login)
        });
    let label = match action.target() {
        Some(Target::Pixel { label, .. }) => risk::submits_login(label),
        _ => false,
    };
    outcome.status.dispatched() == Some(true) && (enters || clicks || label)
}

#[cfg(test)]
mod tests;
