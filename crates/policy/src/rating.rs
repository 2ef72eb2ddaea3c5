//! What an act can cost: the words in names, the structure of the page, the kind of action, what an
//! artifact declares, and the rules of a policy. The highest of them holds (D14).

use sidestick_model::Seam;
use sidestick_model::action::{Action, ActionKind, DialogAnswer, Typed};
use sidestick_model::observation::ElementFacts;
use sidestick_model::record::Owner;
use sidestick_model::target::Target;

use crate::boundary::{DocumentKind, Judged};
use crate::decide::Question;
use crate::policy::{Policy, RiskRule, When};
use crate::risk::{self, Hit, Tier};
use crate::trail::{Source, Trail};

/// What an act can cost, and what the gate goes by.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Rating {
    /// The tier of the record.
    pub(crate) tier: Tier,
    /// The tier the gate is asked about; without a policy that of the names alone.
    pub(crate) gated: Tier,
    /// What led to that tier; none when nothing did.
    pub(crate) hit: Option<Hit>,
    /// What a rule says to whoever is refused.
    pub(crate) why: Option<String>,
}

/// Rates one act.
pub(crate) fn rate(question: &Question<'_>, trail: &mut Trail) -> Rating {
    let names = subjects(question);
    let hit = by_name(question, &names, trail).filter(|_| !Seam::GateWords.is_broken());
    let named = hit.as_ref().map_or(Tier::Safe, |hit| hit.tier);
    let structure = by_structure(question);
    let structural = structure.map_or(Tier::Safe, |(tier, _)| tier);
    let Some(policy) = question.policy else {
        let tier = named.max(structural).max(question.annotation.unwrap_or(Tier::Safe));
        return Rating { tier, gated: named, hit, why: None };
    };
    let source = Source::fixed("structure");
    trail.note(&source, structure.is_some(), || match structure {
        Some((tier, why)) => format!("{why}: {}", tier.as_str()),
        None => "nothing in the structure of the page raises the tier".to_owned(),
    });
    let mut rating = Rating { tier: named, gated: named, hit, why: None };
    by_rules(question, policy, &names, &mut rating, trail);
    let raised = [
        structure.filter(|_| !Seam::RiskFloor.is_broken()),
        question.annotation.map(|tier| (tier, "declared by the capability")),
    ];
    for (tier, why) in raised.into_iter().flatten() {
        if rating.tier < tier {
            let (subject, word) = spoken(question, &names);
            rating.hit = Some(Hit { subject, word, pattern: why.to_owned(), tier });
            rating.tier = tier;
        }
    }
    rating.gated = rating.tier;
    rating
}

/// Returns what an act is called where no word in a name led to its tier.
pub(crate) fn spoken(question: &Question<'_>, names: &[&str]) -> (String, String) {
    let kind = question.action.kind().as_str();
    let element = question.element.or(question.focused);
    let name = names.first().copied().or_else(|| element?.subject.name.as_deref());
    let name = name.filter(|name| !name.trim().is_empty()).unwrap_or(kind);
    (name.to_owned(), name.to_owned())
}

fn by_name(question: &Question<'_>, names: &[&str], trail: &mut Trail) -> Option<Hit> {
    let known = risk::gated(question.owner, names);
    let source = Source::fixed("the words that are always known");
    trail.note(&source, known.is_some(), || match &known {
        Some(hit) => format!("the word `{}` of `{}`: {}", hit.word, hit.pattern, hit.tier.as_str()),
        None => format!("none of them is in {}", listed(names)),
    });
    let mut best = known;
    for rule in question.policy.map_or(&[][..], |policy| &policy.words) {
        let found = rule.words.iter().find_map(|word| {
            names.iter().find(|name| stands_in(name, word)).map(|name| (*name, word))
        });
        trail.note(&rule.source, found.is_some(), || match found {
            Some((_, word)) => format!("the word `{word}`: {}", rule.tier.as_str()),
            None => format!("none of its {} words", rule.words.len()),
        });
        if let Some((name, word)) = found
            && best.as_ref().is_none_or(|hit| hit.tier < rule.tier)
        {
            best = Some(Hit {
                subject: name.to_owned(),
                word: word.clone(),
                pattern: rule.source.name.clone(),
                tier: rule.tier,
            });
        }
    }
    best
}

fn listed(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    if names.is_empty() { "nothing that is judged by a name".to_owned() } else { names.join(", ") }
}

/// Returns whether a word in lower case stands in a text as a whole word. Scripts that put no
/// spaces between words have no whole ones.
pub(crate) fn stands_in(text: &str, word: &str) -> bool {
    if word.is_empty() {
        return false;
    }
    let text = text.to_lowercase();
    let joins = |c: Option<char>, edge: Option<char>| {
        c.zip(edge).is_some_and(|(c, edge)| {
            c.is_alphanumeric() && edge.is_alphanumeric() && !is_unspaced(c) && !is_unspaced(edge)
        })
    };
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|tail| tail.chars().next());
        !joins(before, word.chars().next()) && !joins(after, word.chars().next_back())
    })
}

/// Thai, Lao, Khmer, kana and Han.
fn is_unspaced(c: char) -> bool {
    matches!(u32::from(c), 0x0e00..=0x0eff | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x9fff
        | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

/// What the structure of the page says, whatever anything is called; no rule lowers it.
fn by_structure(question: &Question<'_>) -> Option<(Tier, &'static str)> {
    let element = question.element;
    let form = element.and_then(|element| element.form.as_ref());
    let posts = form.is_some_and(|form| form.method == "post");
    // A form posted to somebody else's site is more than a click, whatever its button is called.
    if question.owner == Owner::ThirdParty
        && element.is_some_and(|element| element.submits)
        && posts
    {
        return Some((Tier::Elevated, "a form is posted to somebody else's site"));
    }
    question.policy?;
    let found = found(question)?;
    if !submits(question) {
        return None;
    }
    if leaves(question) {
        return Some((Tier::Elevated, "a form goes to a place outside the boundary"));
    }
    let is_unnamed = found.subject.name.as_deref().is_none_or(|name| name.trim().is_empty());
    is_unnamed.then_some((Tier::Elevated, "what submits a form has no name"))
}

fn found<'a>(question: &Question<'a>) -> Option<&'a ElementFacts> {
    question.element.or(question.focused)
}

fn enters(question: &Question<'_>) -> bool {
    matches!(question.action, Action::Press { key, .. } if key.is_enter())
        || types_a_line_break(question.action)
}

/// Returns whether the act submits a form: a button that does, or Enter where one would be pressed.
fn submits(question: &Question<'_>) -> bool {
    let by_enter = |element: &ElementFacts| enters(question) && element.default_button.is_some();
    let moves_alone = matches!(question.action.kind(), ActionKind::Hover | ActionKind::Scroll);
    !moves_alone && found(question).is_some_and(|element| element.submits || by_enter(element))
}

/// Returns whether the form of the element goes to a place outside the boundary.
fn leaves(question: &Question<'_>) -> bool {
    let form = found(question).and_then(|element| element.form.as_ref());
    form.is_some_and(|form| {
        !form.action.is_empty()
            && form.method != "dialog"
            && question.boundary.judge(&form.action, DocumentKind::TopLevel) != Judged::Inside
    })
}

/// Rules that look at a name take the place of the tier its words lead to; others only raise.
fn by_rules(
    question: &Question<'_>,
    policy: &Policy,
    names: &[&str],
    rating: &mut Rating,
    trail: &mut Trail,
) {
    let mut highest: Option<&RiskRule> = None;
    let mut replaces = false;
    for rule in &policy.risks {
        let holds = holds(&rule.when, question, names);
        trail.note(&rule.source, holds, || format!("its tier is {}", rule.tier.as_str()));
        if !holds {
            continue;
        }
        // One name that fits does not speak for the others the act is judged by.
        let speaks_for_all = |pattern: &regex::Regex| names.iter().all(|n| pattern.is_match(n));
        let has_paths = rule.when.place.as_ref().is_some_and(|place| place.paths.is_some());
        let is_sure = !(has_paths && is_framed(question));
        replaces |= is_sure && rule.when.name.as_ref().is_some_and(speaks_for_all);
        if highest.is_none_or(|known| known.tier < rule.tier) {
            highest = Some(rule);
        }
    }
    let Some(rule) = highest.filter(|rule| replaces || rating.tier < rule.tier) else { return };
    let (subject, word) = spoken(question, names);
    let kept = rating.hit.take().filter(|hit| hit.tier == rule.tier);
    let made = || Hit { subject, word, pattern: rule.source.name.clone(), tier: rule.tier };
    rating.hit = (rule.tier != Tier::Safe).then(|| kept.unwrap_or_else(made));
    rating.tier = rule.tier;
    rating.why.clone_from(&rule.why);
}

fn holds(when: &When, question: &Question<'_>, names: &[&str]) -> bool {
    let element = found(question);
    let form = element.and_then(|element| element.form.as_ref());
    let is = |wanted: Option<bool>, found: bool| wanted.is_none_or(|wanted| wanted == found);
    let subject = element.map(|element| &element.subject);
    let near = || {
        let parts = subject.map(|s| [&s.row, &s.column, &s.label, &s.heading]);
        parts.into_iter().flatten().flatten().map(String::as_str).collect::<Vec<_>>()
    };
    let name = when.name.as_ref();
    let document = document(question);
    name.is_none_or(|name| names.iter().any(|text| name.is_match(text)))
        && when.role.as_ref().is_none_or(|role| subject.is_some_and(|s| s.role == *role))
        && when.near.as_ref().is_none_or(|near_| near().iter().any(|text| near_.is_match(text)))
        && when.kinds.as_ref().is_none_or(|kinds| kinds.contains(&question.action.kind()))
        && when.place.as_ref().is_none_or(|place| {
            let address = document.and_then(|text| crate::address::Address::plain(text).ok());
            // Of a frame the origin alone is known: any of its paths may be meant.
            address.is_some_and(|address| match is_framed(question) {
                true => place.holds_origin(&address),
                false => place.holds(&address, crate::place::Readings::One),
            })
        })
        && is(when.submits, submits(question))
        && when.method.as_ref().is_none_or(|method| form.is_some_and(|f| f.method == *method))
        && is(when.leaves, leaves(question))
        && is(when.login, form.is_some_and(|form| 0 < form.password_fields))
        && is(when.secret, element.is_some_and(|element| element.is_secret))
        && is(when.download, element.is_some_and(|element| element.download))
        && is(when.unnamed, subject.is_some_and(|s| s.name.as_deref().is_none_or(str::is_empty)))
}

/// Returns the origin of the frame an element is in; none when it is the page's own, whose whole
/// address is known.
pub(crate) fn frame_of<'a>(question: &Question<'a>, element: &'a ElementFacts) -> Option<&'a str> {
    let origin = element.frame_origin.as_deref()?;
    let page = question.page.and_then(|page| url::Url::parse(page).ok());
    let is_own = page.is_some_and(|page| page.origin().ascii_serialization() == origin);
    (!is_own).then_some(origin)
}

fn is_framed(question: &Question<'_>) -> bool {
    found(question).is_some_and(|element| frame_of(question, element).is_some())
}

/// Returns where the document of the element is.
pub(crate) fn document<'a>(question: &Question<'a>) -> Option<&'a str> {
    found(question).and_then(|element| frame_of(question, element)).or(question.page)
}

/// Returns the names the action is judged by: the real one, the one the caller gave for a pixel,
/// the default button for Enter, a dialog's text for its acceptance (VR-108, VR-112).
pub(crate) fn subjects<'a>(question: &Question<'a>) -> Vec<&'a str> {
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
pub(crate) fn without_drop(name: &str) -> impl Iterator<Item = &str> {
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

pub(crate) fn types_a_line_break(action: &Action) -> bool {
    matches!(action, Action::Type { text: Typed::Public(text) | Typed::Sensitive(text), .. }
        if text.contains(['\n', '\r']))
}
