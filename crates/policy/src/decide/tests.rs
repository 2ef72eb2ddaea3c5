//! One test per cell of the gate table, and the rules around it.

use sidestick_model::action::{Action, Chord};
use sidestick_model::observation::{DefaultButton, DialogState, ElementFacts, Subject};
use sidestick_model::outcome::{Code, Status};
use sidestick_model::record::{GateClaim, Owner};
use sidestick_model::target::Target;
use sidestick_model::{Actor, DialogAnswer, DragEnd, Typed};

use super::*;

fn element(name: &str) -> ElementFacts {
    ElementFacts {
        id: "e1".into(),
        subject: Subject { role: "button".into(), name: Some(name.into()), ..Subject::default() },
        ..ElementFacts::default()
    }
}

fn target() -> Target {
    Target::Ref { id: "e1".into() }
}

struct Case {
    owner: Owner,
    actor: Actor,
    claim: GateClaim,
    action: Action,
    element: Option<ElementFacts>,
    destination: Option<ElementFacts>,
    focused: Option<ElementFacts>,
    dialog: Option<DialogState>,
    requested: Vec<&'static str>,
    typed: Vec<&'static str>,
    login_attempts: u32,
}

impl Case {
    fn new(owner: Owner, name: &str) -> Case {
        Case {
            owner,
            actor: Actor::Agent,
            claim: GateClaim::None,
            action: Action::Click { target: target() },
            element: Some(element(name)),
            destination: None,
            focused: None,
            dialog: None,
            requested: Vec::new(),
            typed: Vec::new(),
            login_attempts: 0,
        }
    }

    fn decide(&self) -> Decision {
        decide(&Question {
            owner: self.owner,
            actor: self.actor,
            attended: false,
            action: &self.action,
            element: self.element.as_ref(),
            destination: self.destination.as_ref(),
            focused: self.focused.as_ref(),
            dialog: self.dialog.as_ref(),
            boundary: &Boundary::around("https://a.com/", &[]).unwrap(),
            policy: None,
            page: Some("https://a.com/"),
            annotation: None,
            is_approved: false,
            claim: self.claim,
            requested_words: &self.requested,
            typed_names: &self.typed,
            login_attempts: self.login_attempts,
        })
    }

    fn status(&self) -> Option<Status> {
        self.decide().refusal.map(|refusal| refusal.status)
    }
}

/// Every cell: owner x tier x claim x actor, with the claim's words in place.
#[test]
fn the_gate_table_cell_by_cell() {
    let gated = [
        (Owner::Yours, "Delete project", Tier::Elevated),
        (Owner::ThirdParty, "Publish", Tier::Elevated),
        (Owner::ThirdParty, "Delete project", Tier::Irreversible),
    ];
    for (owner, name, tier) in gated {
        for actor in [Actor::Agent, Actor::Replay, Actor::Assist, Actor::Human] {
            for claim in [GateClaim::None, GateClaim::Requested, GateClaim::Created] {
                let mut case = Case::new(owner, name);
                case.actor = actor;
                case.claim = claim;
                case.requested = vec!["please publish it and delete the project"];
                case.typed = vec!["publish", "project"];

                let lifted = claim != GateClaim::None && tier != Tier::Irreversible;
                let allowed = actor == Actor::Human || lifted;
                let decision = case.decide();

                assert_eq!(
                    decision.refusal.is_none(),
                    allowed,
                    "{owner:?} {name} {actor:?} {claim:?}"
                );
                assert_eq!(decision.tier, tier);
                assert!(decision.gate.is_some());
            }
        }
    }
}

#[test]
fn an_ungated_name_records_no_gate() {
    let mut case = Case::new(Owner::ThirdParty, "Next");
    case.claim = GateClaim::Requested;

    assert_eq!(case.decide(), Decision::allow(Tier::Safe));
}

#[test]
fn a_claim_needs_its_words() {
    let mut case = Case::new(Owner::Yours, "Delete project");
    case.claim = GateClaim::Requested;
    case.requested = vec!["undelete everything"];
    assert_eq!(case.decide().refusal.unwrap().code, Some(Code::GateClaimFailed));

    case.claim = GateClaim::Created;
    case.typed = vec!["ab"];
    assert_eq!(case.decide().refusal.unwrap().code, Some(Code::GateClaimFailed));
}

#[test]
fn a_field_called_like_a_gate_takes_text_vr_297() {
    let mut case = Case::new(Owner::ThirdParty, "Confirm password");
    case.action = Action::Fill { target: target(), text: Typed::Public("x".into()) };

    assert_eq!(case.status(), None);
}

#[test]
fn enter_is_judged_as_the_default_button() {
    let mut case = Case::new(Owner::ThirdParty, "Amount");
    case.element = None;
    case.action = Action::Press { key: Chord::parse("Enter").unwrap(), target: None };
    let mut focused = element("Amount");
    focused.default_button = Some(DefaultButton { id: "e2".into(), name: Some("Pay now".into()) });
    case.focused = Some(focused);
    assert_eq!(case.status(), Some(Status::GateRequired));

    case.action = Action::Press { key: Chord::parse("a").unwrap(), target: None };
    assert_eq!(case.status(), None);

    case.action = Action::Type { target: None, text: Typed::Sensitive("5\n".into()) };
    assert_eq!(case.status(), Some(Status::GateRequired));
}

#[test]
fn a_focused_delete_button_is_gated_for_any_key_vr_297() {
    let mut case = Case::new(Owner::Yours, "x");
    case.element = None;
    case.focused = Some(element("Delete project"));
    case.action = Action::Press { key: Chord::parse("space").unwrap(), target: None };

    assert_eq!(case.status(), Some(Status::GateRequired));
}

#[test]
fn a_drag_is_judged_where_it_ends() {
    let mut case = Case::new(Owner::Yours, "invoice.pdf");
    case.action = Action::Drag { target: target(), to: DragEnd::Element(target()) };
    case.destination = Some(element("Delete forever"));

    assert_eq!(case.status(), Some(Status::GateRequired));
}

#[test]
fn a_pixel_is_judged_by_what_is_there_and_by_what_was_said() {
    let pixel = |label: &str| Action::Click {
        target: Target::Pixel { x: 1.0, y: 1.0, label: label.into() },
    };
    let mut case = Case::new(Owner::Yours, "Delete project");
    case.action = pixel("Open");
    assert_eq!(case.status(), Some(Status::GateRequired));

    case.element = Some(element("Open"));
    case.action = pixel("Delete project");
    assert_eq!(case.status(), Some(Status::GateRequired));
}

#[test]
fn accepting_a_dialog_is_judged_by_its_text() {
    let mut case = Case::new(Owner::Yours, "x");
    case.element = None;
    case.dialog = Some(DialogState {
        kind: "confirm".into(),
        text: "Delete everything?".into(),
        default_text: None,
        opened_by: None,
    });
    case.action = Action::Dialog { answer: DialogAnswer::Accept, text: None };
    assert_eq!(case.status(), Some(Status::GateRequired));

    case.action = Action::Dialog { answer: DialogAnswer::Dismiss, text: None };
    assert_eq!(case.status(), None);
}

#[test]
fn dismiss_works_on_the_real_name_alone_vr_114() {
    let mut case = Case::new(Owner::ThirdParty, "Accept all");
    case.action = Action::Dismiss { target: target() };
    assert_eq!(case.status(), Some(Status::NotAllowlisted));

    case.action =
        Action::Dismiss { target: Target::Pixel { x: 1.0, y: 1.0, label: "Close".into() } };
    assert_eq!(case.status(), Some(Status::NotAllowlisted));

    case.element = Some(element("Reject all"));
    assert_eq!(case.status(), None);
}

#[test]
fn a_second_login_is_refused_for_every_secret_vr_166() {
    let mut case = Case::new(Owner::Yours, "Password");
    case.login_attempts = 1;
    case.action = Action::Fill { target: target(), text: Typed::Secret("username".into()) };
    assert_eq!(case.decide().refusal.unwrap().code, Some(Code::LoginAttemptLimit));

    case.action = Action::Fill { target: target(), text: Typed::Public("x".into()) };
    assert_eq!(case.status(), None);
}

#[test]
fn navigation_is_judged_before_anything_is_sent() {
    let mut case = Case::new(Owner::Yours, "x");
    case.element = None;
    case.action = Action::Navigate { url: "https://b.com/".into() };

    assert_eq!(case.decide().refusal.unwrap().code, Some(Code::NavigationBlocked));
}

#[test]
fn a_frame_of_another_site_is_not_acted_in() {
    let mut case = Case::new(Owner::Yours, "Pay");
    case.element.as_mut().unwrap().frame_origin = Some("https://pay.example".into());

    assert_eq!(case.decide().refusal.unwrap().code, Some(Code::FrameOutside));
}

/// Removing the claim, or adding a gated word, never turns a no into a yes.
#[test]
fn less_authority_never_allows_more() {
    for name in ["Open", "Delete project", "Submit", "Pay now", "Skip"] {
        for owner in [Owner::Yours, Owner::ThirdParty] {
            for claim in [GateClaim::Requested, GateClaim::Created] {
                let mut with = Case::new(owner, name);
                with.claim = claim;
                with.requested = vec!["delete submit pay"];
                let mut without = Case::new(owner, name);
                without.requested.clone_from(&with.requested);

                assert!(with.status().is_none() || without.status().is_some(), "{name}");
            }
        }
    }
}

#[test]
fn a_place_to_drop_files_is_not_gated_for_its_name_and_another_word_is() {
    let parts = |name| crate::rating::without_drop(name).collect::<Vec<_>>();

    assert_eq!(parts("Drag and drop files"), ["Drag and ", " files"]);
    assert_eq!(parts("Drop here to delete"), ["", " here to delete"]);
    assert_eq!(parts("Dropbox"), ["Dropbox"]);
    assert_eq!(parts("drop"), ["", ""]);
}
