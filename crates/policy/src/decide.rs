//! One decision for every actor and action, made on the element found (I2, D14).

use sidestick_model::action::{Action, ActionKind, Typed};
use sidestick_model::observation::{DialogState, ElementFacts};
use sidestick_model::outcome::{Code, GateSeen, Refusal, Status};
use sidestick_model::record::{GateClaim, Owner};
use sidestick_model::target::Target;
use sidestick_model::{Actor, Outcome, Seam};

use crate::boundary::{Boundary, DocumentKind, Judged};
use crate::gates::{Answer, Gates, Lift};
use crate::policy::{KindRules, Policy};
use crate::rating::{self, Rating, types_a_line_break};
use crate::risk::{self, Hit, Tier};
use crate::trail::{Source, Trail};

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
    /// The policy file, when one was named.
    pub policy: Option<&'a Policy>,
    /// Where the page is.
    pub page: Option<&'a str>,
    /// What a capability declares this step to cost.
    pub annotation: Option<Tier>,
    /// Whether a person approved exactly this act.
    pub is_approved: bool,
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

/// Judges one action: boundary, action kind, login limit, dismiss list, gate and risk, in this
/// order (D30).
pub fn decide(question: &Question<'_>) -> Decision {
    decide_told(question, &mut Trail::silent())
}

/// Judges one action, and leaves a trail of the rules considered.
pub fn decide_told(question: &Question<'_>, trail: &mut Trail) -> Decision {
    // What an act can cost is told with every answer; so it is known before any.
    let rating = rating::rate(question, &mut Trail::silent());
    let tier = rating.tier;
    if let Some(refusal) = boundary_refusal(question, trail) {
        return Decision { tier, gate: None, refusal: Some(refusal) };
    }
    if let Some(refusal) = kind_refusal(question, trail) {
        return Decision { tier, gate: None, refusal: Some(refusal) };
    }
    let uses_secret = matches!(question.action.typed(), Some(Typed::Secret(_)));
    if uses_secret && 1 <= question.login_attempts && !Seam::LoginLimit.is_broken() {
        let why = "the one login attempt of this run was made".to_owned();
        return Decision::refuse(tier, Status::Forbidden, Code::LoginAttemptLimit, why);
    }
    if let Some(refusal) = secret_refusal(question, trail) {
        return Decision { tier, gate: None, refusal: Some(refusal) };
    }
    if question.action.kind() == ActionKind::Dismiss {
        let name = question.element.and_then(|element| element.subject.name.as_deref());
        if !name.is_some_and(risk::is_dismissal) && !Seam::DismissList.is_broken() {
            let why = format!("{} is not a harmless dismissal", quoted(name));
            return Decision::refuse(tier, Status::NotAllowlisted, None, why);
        }
    }
    judge_gate(question, rating::rate(question, trail), trail)
}

/// Returns the lists of kinds that speak of this actor.
fn kind_rules<'a>(question: &Question<'a>) -> impl Iterator<Item = &'a KindRules> {
    let actor = question.actor;
    let rules = question.policy.map_or(&[][..], |policy| &policy.kinds);
    rules.iter().filter(move |rule| rule.actor.is_none_or(|of| of == actor))
}

/// Refuses a kind of action that a list denies, or that a list of allowed kinds leaves out.
fn kind_refusal(question: &Question<'_>, trail: &mut Trail) -> Option<Refusal> {
    let kind = question.action.kind();
    let mut refused: Option<&Source> = None;
    for rule in kind_rules(question) {
        let is_denied = rule.deny.contains(&kind)
            || rule.allow.as_ref().is_some_and(|allowed| !allowed.contains(&kind));
        let matched = trail.note(&rule.source, is_denied, || {
            let word = if is_denied { "not allowed" } else { "allowed" };
            format!("`{}` is {word}", kind.as_str())
        });
        if matched && refused.is_none() {
            refused = Some(&rule.source);
        }
    }
    let source = refused.filter(|_| !Seam::ActionKinds.is_broken())?;
    let (actor, kind) = (question.actor.as_str(), kind.as_str());
    let why = format!("{actor} may not `{kind}` here, says {source}");
    Some(Refusal::new(Status::Forbidden, Code::ActionNotAllowed, why))
}

/// Refuses a named secret anywhere but at the place, and in the kind of field, the policy names.
fn secret_refusal(question: &Question<'_>, trail: &mut Trail) -> Option<Refusal> {
    let Some(Typed::Secret(name)) = question.action.typed() else { return None };
    let rules = question.policy?.secrets.as_ref()?;
    let refuse = |why: String| {
        let refusal = Refusal::new(Status::Forbidden, Code::SecretNotHere, why);
        Some(refusal).filter(|_| !Seam::SecretPlace.is_broken())
    };
    let Some(rule) = rules.iter().find(|rule| rule.name == *name) else {
        let source = Source::fixed("secrets");
        trail.note(&source, true, || format!("no entry is called `{name}`"));
        return refuse(format!("the policy has no secret `{}`", short(name)));
    };
    let document = rating::document(question);
    let is_there = document.is_some_and(|document| rule.holds(document));
    let field = question.element.or(question.focused);
    let fits = !rule.is_hidden || field.is_some_and(|field| field.is_secret);
    trail.note(&rule.source, !(is_there && fits), || {
        let field = if rule.is_hidden { "a field the page hides" } else { "any field" };
        format!("goes into {field} at {}", rule.words())
    });
    match (is_there, fits) {
        (true, true) => None,
        (false, _) => {
            let here = document.map_or_else(|| "an unknown place".to_owned(), short_origin);
            refuse(format!("the secret `{name}` may not be typed at {here}, says {}", rule.source))
        }
        (true, false) => refuse(format!(
            "the secret `{name}` goes only into a field the page hides, says {}",
            rule.source
        )),
    }
}

/// Shows an address without what may be secret in its path.
fn short_origin(address: &str) -> String {
    let origin = url::Url::parse(address).map(|url| url.origin().ascii_serialization());
    format!("`{}`", short(origin.as_deref().unwrap_or("no address")))
}

fn boundary_refusal(question: &Question<'_>, trail: &mut Trail) -> Option<Refusal> {
    if let Action::Navigate { url } | Action::Tab { op: sidestick_model::TabOp::Open(url) } =
        question.action
    {
        return match question.boundary.told(url, DocumentKind::TopLevel, trail) {
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
    let frame = elements.into_iter().flatten().find_map(|element| {
        let origin = element.frame_origin.as_deref()?;
        // The page's own document is known by its whole address, a frame's by its origin.
        let judged = match (question.policy, rating::frame_of(question, element), question.page) {
            (Some(_), None, Some(page)) => {
                question.boundary.told(page, DocumentKind::TopLevel, trail)
            }
            (_, _, _) => question.boundary.told_frame(origin, trail),
        };
        (judged != Judged::Inside).then_some(origin)
    })?;
    Some(Refusal::new(
        Status::Forbidden,
        Code::FrameOutside,
        format!("the frame `{}` is outside this run's boundary", short(frame)),
    ))
}

/// The table, and what is said when it does not open.
fn judge_gate(question: &Question<'_>, rating: Rating, trail: &mut Trail) -> Decision {
    let Rating { mut tier, mut gated, mut hit, why } = rating;
    let kind_gate = kind_gate(question, trail);
    if let Some(source) = &kind_gate {
        let (subject, word) = rating::spoken(question, &rating::subjects(question));
        let pattern = source.name.clone();
        hit = hit.or(Some(Hit { subject, word, pattern, tier: Tier::Elevated }));
        tier = tier.max(Tier::Elevated);
        gated = gated.max(Tier::Elevated);
    }
    let common = Gates::default();
    let gates = question.policy.map_or(&common, |policy| &policy.gates);
    let cell = |lift| {
        let answer = gates.cell(question.owner, gated, question.actor, lift);
        let is_open = kind_gate.is_none() || lift != Lift::None;
        if is_open { answer } else { answer.max(Answer::Gate) }
    };
    let closed = cell(Lift::None);
    let source = Source::fixed(&format!("gates.{}.{}", gated.as_str(), question.actor.as_str()));
    trail.note(&source, true, || closed.as_str().to_owned());
    let hit = match (hit, closed) {
        (None, Answer::Allow) => return Decision::allow(tier),
        (Some(hit), _) => hit,
        (None, _) => {
            let (subject, word) = rating::spoken(question, &rating::subjects(question));
            Hit { subject, word, pattern: source.name.clone(), tier: gated }
        }
    };
    let seen = |gate: &str| GateSeen {
        subject: hit.subject.clone(),
        word: hit.word.clone(),
        pattern: hit.pattern.clone(),
        tier: tier.as_str().to_owned(),
        gate: gate.to_owned(),
    };
    let open = |gate: &str| Decision { tier, gate: Some(seen(gate)), refusal: None };
    if closed == Answer::Allow {
        return open(if question.actor == Actor::Human { "human" } else { "policy" });
    }
    let (lift, said) = lift(question, &hit);
    if cell(lift) == Answer::Allow {
        return open(said);
    }
    let refusal = closed_refusal(question, &hit, gated, closed, lift, why.as_deref());
    Decision { tier, gate: Some(seen("stopped")), refusal: Some(refusal) }
}

/// Returns the list that makes this kind of action a gate.
fn kind_gate(question: &Question<'_>, trail: &mut Trail) -> Option<Source> {
    let kind = question.action.kind();
    let rule = kind_rules(question).find(|rule| rule.gate.contains(&kind))?;
    trail.note(&rule.source, true, || format!("`{}` meets a gate", kind.as_str()));
    Some(Source { name: format!("{}.gate", rule.source.name), line: rule.source.line })
}

/// Returns what was said to open the gate and holds, and the word of the record for it.
fn lift(question: &Question<'_>, hit: &Hit) -> (Lift, &'static str) {
    if question.is_approved {
        return (Lift::Approved, "approved");
    }
    match question.claim {
        GateClaim::Requested if contains_word(question.requested_words, &hit.word) => {
            (Lift::Requested, "requested")
        }
        GateClaim::Created if created(question) => (Lift::Created, "created"),
        GateClaim::None | GateClaim::Requested | GateClaim::Created => (Lift::None, "stopped"),
    }
}

/// Says why a gate stays closed, and what would open it.
fn closed_refusal(
    question: &Question<'_>,
    hit: &Hit,
    gated: Tier,
    closed: Answer,
    lift: Lift,
    why: Option<&str>,
) -> Refusal {
    let because = why.map(|why| format!(": {}", short(why))).unwrap_or_default();
    let named = format!("`{}` is gated by the word `{}`", short(&hit.subject), short(&hit.word));
    let named = match hit.subject == hit.word {
        true => format!("`{}` is gated by `{}`", short(&hit.subject), hit.pattern),
        false => named,
    };
    let named = format!("{named}{because}");
    let gate = |code: Option<Code>, why: String| Refusal::new(Status::GateRequired, code, why);
    match closed {
        Answer::Refuse => {
            let actor = question.actor.as_str();
            let why = format!("{named}, and is {}: refused to {actor}", gated.as_str());
            Refusal::new(Status::Forbidden, Code::RiskRefused, why)
        }
        Answer::Hold => {
            let why = format!("{named}, and is held until a person approves exactly this act");
            Refusal::new(Status::NeedsHuman, Code::ApprovalRequired, why)
        }
        Answer::Gate | Answer::Allow => match question.claim {
            GateClaim::None => gate(None, named),
            GateClaim::Requested | GateClaim::Created if gated == Tier::Irreversible => {
                let why = format!("{named} and cannot be taken back; only a person can allow it");
                gate(Some(Code::RiskRefused), why)
            }
            GateClaim::Requested if lift == Lift::None => {
                let why = format!("{named}; neither a goal nor the request says `{}`", hit.word);
                gate(Some(Code::GateClaimFailed), why)
            }
            GateClaim::Requested | GateClaim::Created => {
                let why = format!("{named}; this run typed no name that belongs to it");
                gate(Some(Code::GateClaimFailed), why)
            }
        },
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
#[cfg(test)]
mod under_policy;
