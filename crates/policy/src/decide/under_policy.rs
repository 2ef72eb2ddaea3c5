//! What a policy file decides of an act, beside the table of gates.

use sidestick_model::action::{Action, Chord};
use sidestick_model::observation::{ElementFacts, FormFacts, Subject};
use sidestick_model::outcome::{Code, Status};
use sidestick_model::record::{GateClaim, Owner};
use sidestick_model::target::Target;
use sidestick_model::{Actor, Typed};

use super::*;
use crate::load;

const PAGE: &str = "https://shop.example/cart";

struct Ask {
    policy: Policy,
    owner: Owner,
    actor: Actor,
    action: Action,
    element: ElementFacts,
    page: &'static str,
    claim: GateClaim,
    requested: &'static str,
    annotation: Option<Tier>,
}

fn target() -> Target {
    Target::Ref { id: "e1".into() }
}

impl Ask {
    fn new(rules: &str, name: &str) -> Ask {
        let policy = load::policy(&format!("version: 1\n{rules}")).unwrap();
        let subject =
            Subject { role: "button".into(), name: Some(name.into()), ..Subject::default() };
        Ask {
            policy,
            owner: Owner::Yours,
            actor: Actor::Agent,
            action: Action::Click { target: target() },
            element: ElementFacts { id: "e1".into(), subject, ..ElementFacts::default() },
            page: PAGE,
            claim: GateClaim::None,
            requested: "",
            annotation: None,
        }
    }

    fn decide(&self) -> Decision {
        self.told(&mut Trail::silent())
    }

    fn told(&self, trail: &mut Trail) -> Decision {
        let boundary = Boundary::of(&self.policy, PAGE, &[]).unwrap();
        let question = Question {
            owner: self.owner,
            actor: self.actor,
            attended: false,
            action: &self.action,
            element: Some(&self.element),
            destination: None,
            focused: None,
            dialog: None,
            boundary: &boundary,
            policy: Some(&self.policy),
            page: Some(self.page),
            annotation: self.annotation,
            is_approved: false,
            claim: self.claim,
            requested_words: &[self.requested],
            typed_names: &[],
            login_attempts: 0,
        };
        decide_told(&question, trail)
    }

    fn tier(&self) -> Tier {
        self.decide().tier
    }

    fn end(&self) -> (Option<Status>, Option<Code>) {
        let refusal = self.decide().refusal;
        (refusal.as_ref().map(|r| r.status), refusal.and_then(|r| r.code))
    }

    fn form(&mut self, method: &str, action: &str) {
        self.element.submits = true;
        self.element.form =
            Some(FormFacts { method: method.into(), action: action.into(), password_fields: 0 });
    }
}

const FORBIDDEN: (Option<Status>, Option<Code>) =
    (Some(Status::Forbidden), Some(Code::ActionNotAllowed));

#[test]
fn a_denied_kind_is_not_done_and_no_claim_opens_it() {
    let rules = "actions:\n  any: { deny: [click] }\n  agent: { allow: [click, hover] }\n";
    let mut ask = Ask::new(rules, "Open");
    ask.claim = GateClaim::Requested;
    ask.requested = "open click";
    assert_eq!(ask.end(), FORBIDDEN);

    for actor in [Actor::Replay, Actor::Assist, Actor::Human] {
        ask.actor = actor;
        assert_eq!(ask.end(), FORBIDDEN, "{actor:?}");
    }
    ask.action = Action::Back;
    assert_eq!(ask.end(), (None, None));
    ask.actor = Actor::Agent;
    assert_eq!(ask.end(), FORBIDDEN, "what a list of allowed kinds leaves out is denied");
}

#[test]
fn a_gated_kind_meets_a_gate_whatever_the_element_is_called() {
    let mut ask = Ask::new("actions:\n  agent: { gate: [upload] }\n", "Attachment");
    ask.action = Action::Upload { target: Some(target()), files: Vec::new() };
    assert_eq!(ask.end(), (Some(Status::GateRequired), None));
    assert_eq!(ask.tier(), Tier::Elevated);

    ask.claim = GateClaim::Requested;
    ask.requested = "please upload the attachment";
    assert_eq!(ask.end(), (None, None));
    assert_eq!(ask.decide().gate.unwrap().pattern, "actions.agent.gate");
    ask.actor = Actor::Human;
    assert_eq!(ask.decide().gate, None, "the list is the agent's");
}

#[test]
fn words_of_every_language_lead_to_their_tier() {
    let rules = "risk:\n  words:\n    de: { elevated: [absenden], irreversible: [Überweisen] }\n    \
                 ja: { irreversible: [削除] }\n";
    for (name, tier) in [
        ("Jetzt ÜBERWEISEN", Tier::Irreversible),
        ("Überweisende Bank", Tier::Safe),
        ("absenden", Tier::Elevated),
        ("アカウントを削除する", Tier::Irreversible),
        ("Delete project", Tier::Elevated),
        ("Weiter", Tier::Safe),
    ] {
        assert_eq!(Ask::new(rules, name).tier(), tier, "{name}");
    }
}

#[test]
fn a_rule_with_a_name_takes_the_place_of_the_words_and_others_only_raise() {
    let rules = "risk:\n  rules:\n    - { tier: safe, when: { name: \"^order by\" } }\n    \
                 - { tier: elevated, when: { kinds: [click], near: danger } }\n    \
                 - { tier: irreversible, when: { name: \"^wire\" }, why: money leaves }\n";
    let mut ask = Ask::new(rules, "Order by price");
    ask.owner = Owner::ThirdParty;
    assert_eq!((ask.tier(), ask.end()), (Tier::Safe, (None, None)));

    ask.element.subject.heading = Some("Danger zone".into());
    assert_eq!(ask.tier(), Tier::Elevated, "a rule that raises still does");
    ask.element.subject.name = Some("Delete project".into());
    assert_eq!(ask.tier(), Tier::Irreversible, "no rule without a name lowers the words");
    ask.element.subject.name = Some("Wire it".into());
    let refusal = ask.decide().refusal.unwrap();
    assert!(refusal.message.contains("money leaves"), "{}", refusal.message);
}

/// What the caller calls a pixel does not speak for what is there.
#[test]
fn one_name_that_fits_does_not_speak_for_another() {
    let rules = "risk:\n  rules:\n    - { tier: safe, when: { name: \"^order by\" } }\n";
    let mut ask = Ask::new(rules, "Order now");
    ask.owner = Owner::ThirdParty;
    ask.action =
        Action::Click { target: Target::Pixel { x: 1.0, y: 1.0, label: "Order by price".into() } };

    assert_eq!(ask.tier(), Tier::Irreversible);
}

#[test]
fn no_rule_lowers_what_the_structure_says() {
    let rules = "risk:\n  rules:\n    - { tier: safe, when: { name: \".\" } }\n";
    let mut ask = Ask::new(rules, "Search");
    ask.owner = Owner::ThirdParty;
    ask.form("post", PAGE);
    assert_eq!((ask.tier(), ask.end().0), (Tier::Elevated, Some(Status::GateRequired)));

    let mut ask = Ask::new(rules, "Search");
    ask.form("get", PAGE);
    assert_eq!(ask.tier(), Tier::Safe);
    ask.form("get", "https://elsewhere.example/collect");
    assert_eq!(ask.tier(), Tier::Elevated, "a form that leaves");
    ask.form("get", PAGE);
    ask.element.subject.name = None;
    assert_eq!(ask.tier(), Tier::Elevated, "what submits has no name");
}

#[test]
fn what_a_capability_declares_is_a_floor_too() {
    let mut ask = Ask::new("", "Open");
    ask.annotation = Some(Tier::Irreversible);

    assert_eq!((ask.tier(), ask.end().0), (Tier::Irreversible, Some(Status::GateRequired)));
}

#[test]
fn enter_submits_like_the_button_it_would_press() {
    let rules = "risk:\n  rules:\n    - { tier: irreversible, when: { submits: true } }\n";
    let mut ask = Ask::new(rules, "Amount");
    ask.action = Action::Press { key: Chord::parse("Enter").unwrap(), target: Some(target()) };
    assert_eq!(ask.tier(), Tier::Safe);

    let button =
        sidestick_model::observation::DefaultButton { id: "e2".into(), name: Some("Go".into()) };
    ask.element.default_button = Some(button);
    assert_eq!(ask.tier(), Tier::Irreversible);
    ask.action = Action::Press { key: Chord::parse("a").unwrap(), target: Some(target()) };
    assert_eq!(ask.tier(), Tier::Safe);
}

const SECRETS: &str = "secrets:\n  - { name: password, env: P, site: shop.example }\n  \
    - { name: username, env: U, host: shop.example, field: text }\n";

fn typing(name: &str, page: &'static str, is_secret: bool) -> Ask {
    let mut ask = Ask::new(SECRETS, "Password");
    ask.action = Action::Fill { target: target(), text: Typed::Secret(name.into()) };
    ask.page = page;
    ask.element.is_secret = is_secret;
    ask
}

#[test]
fn a_secret_is_typed_at_its_own_place_and_nowhere_else() {
    let not_here = (Some(Status::Forbidden), Some(Code::SecretNotHere));

    for page in ["https://shop.example/login", "https://a.shop.example/"] {
        assert_eq!(typing("password", page, true).end(), (None, None), "{page}");
    }
    for page in [
        "http://shop.example/",
        "https://shop.example:8443/",
        "https://evil-shop.example/",
        "https://shop.example.evil.example/",
        "https://shop.example@evil.example/",
        "about:blank",
        "data:text/html,x",
        "",
    ] {
        assert_eq!(typing("password", page, true).end(), not_here, "{page}");
    }
    assert_eq!(typing("password", PAGE, false).end(), not_here, "a field that shows it");
    assert_eq!(typing("username", PAGE, false).end(), (None, None));
    assert_eq!(typing("username", "https://a.shop.example/", false).end(), not_here);
    assert_eq!(typing("token", PAGE, true).end(), not_here, "nobody declared it");
    let mut framed = typing("password", PAGE, true);
    framed.element.frame_origin = Some("https://pay.example".into());
    assert_eq!(framed.end().0, Some(Status::Forbidden));
}

#[test]
fn a_person_is_held_to_the_boundary_and_to_denied_kinds_too() {
    let rules = "boundary:\n  allow: [{ host: shop.example }]\nactions:\n  any: { deny: [drag] }\n";
    let mut ask = Ask::new(rules, "x");
    ask.actor = Actor::Human;
    ask.action = Action::Navigate { url: "https://elsewhere.example/".into() };
    assert_eq!(ask.end(), (Some(Status::Forbidden), Some(Code::NavigationBlocked)));

    ask.action = Action::Drag {
        target: target(),
        to: sidestick_model::DragEnd::Point { to_x: 1.0, to_y: 1.0 },
    };
    assert_eq!(ask.end(), FORBIDDEN);
}

#[test]
fn the_order_is_boundary_kind_secret_dismiss_gate_d30() {
    let rules = format!(
        "boundary:\n  allow: [{{ host: shop.example }}]\nactions:\n  any: {{ deny: [fill] }}\n{SECRETS}"
    );
    let mut ask = Ask::new(&rules, "Delete");
    ask.action = Action::Fill { target: target(), text: Typed::Secret("token".into()) };
    ask.element.frame_origin = Some("https://elsewhere.example".into());
    assert_eq!(ask.end().1, Some(Code::FrameOutside));

    ask.element.frame_origin = None;
    assert_eq!(ask.end().1, Some(Code::ActionNotAllowed));
    ask.action = Action::Type { target: Some(target()), text: Typed::Secret("token".into()) };
    assert_eq!(ask.end().1, Some(Code::SecretNotHere));
    ask.action = Action::Dismiss { target: target() };
    assert_eq!(ask.end().0, Some(Status::NotAllowlisted));
}

#[test]
fn the_trail_names_what_was_considered_and_ends_with_what_decided() {
    let rules = "risk:\n  rules:\n    - { tier: irreversible, when: { name: pay } }\n\
                 gates:\n  irreversible: { agent: hold }\n";
    let ask = Ask::new(rules, "Pay now");
    let mut trail = Trail::kept();

    let decision = ask.told(&mut trail);

    let told = trail.into_considered();
    let matched: Vec<&str> =
        told.iter().filter(|rule| rule.matched).map(|rule| rule.source.name.as_str()).collect();
    assert_eq!(matched, ["risk.rules[0]", "gates.irreversible.agent"]);
    let refusal = decision.refusal.unwrap();
    assert_eq!((refusal.status, refusal.code), (Status::NeedsHuman, Some(Code::ApprovalRequired)));
}

/// An allowing rule that goes, or a forbidding one that comes, never lets more happen.
#[test]
fn a_stricter_policy_never_allows_more() {
    let base = "actions:\n  agent: { allow: [click, fill] }\n";
    let stricter = [
        "actions:\n  agent: { allow: [fill] }\n",
        "actions:\n  agent: { allow: [click, fill], deny: [click] }\n",
        "actions:\n  agent: { allow: [click, fill], gate: [click] }\n",
        "actions:\n  agent: { allow: [click, fill] }\n  any: { gate: [click] }\n",
        "actions:\n  agent: { allow: [click, fill] }\ngates:\n  safe: { agent: refuse }\n",
        "actions:\n  agent: { allow: [click, fill] }\nrisk:\n  words: { x: { elevated: [open] } }\n",
    ];
    let strictness = |rules: &str, name: &str| match Ask::new(rules, name).end().0 {
        None => 0,
        Some(Status::GateRequired) => 1,
        Some(_) => 2,
    };
    for name in ["Open", "Delete", "Next"] {
        for rules in stricter {
            assert!(strictness(base, name) <= strictness(rules, name), "{name}: {rules}");
        }
    }
}

/// Every element says its origin; the page's own is known by its whole address.
#[test]
fn an_element_of_the_page_is_where_the_page_is() {
    let rules = "boundary:\n  allow: [{ host: shop.example, paths: [\"/cart\"] }]\n  \
                 frames: { others: load }\nrisk:\n  rules:\n    \
                 - { tier: irreversible, when: { place: { paths: [\"/cart\"] } } }\n";
    let mut ask = Ask::new(rules, "Open");
    ask.element.frame_origin = Some("https://shop.example".into());
    assert_eq!(ask.decide().refusal.unwrap().status, Status::GateRequired);
    assert_eq!(ask.tier(), Tier::Irreversible);

    ask.page = "https://shop.example/other";
    assert_eq!(ask.tier(), Tier::Safe);
    assert_eq!(ask.end().1, Some(Code::FrameOutside), "the page has gone elsewhere by itself");
    ask.element.frame_origin = Some("https://ads.example".into());
    assert_eq!(ask.end().1, Some(Code::FrameOutside));
    assert_eq!(ask.tier(), Tier::Irreversible, "of a frame any path may be meant");
}
