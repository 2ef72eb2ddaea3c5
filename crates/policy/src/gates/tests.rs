//! One test per cell of the table, through the whole decision, and the table as a file.
//!
//! A line says owner, tier and actor, and what becomes of the act when nothing is said to open it,
//! when a claim `requested` or `created` holds, and when a person has approved it.

use sidestick_model::action::Action;
use sidestick_model::observation::{ElementFacts, Subject};
use sidestick_model::outcome::Status;
use sidestick_model::record::GateClaim;
use sidestick_model::target::Target;

use super::*;
use crate::decide::{self, Question};
use crate::policy::Policy;
use crate::{Boundary, load};

/// The name leads to the tier of the same word, whoever's application it is; the gates are those
/// that hold where a policy says nothing, or those of `strict`.
const RULES: &str = "version: 1\nrisk:\n  words:\n    en: { elevated: [elevated thing], irreversible: \
    [irreversible thing] }\n";
const STRICT: &str = "gates:\n  safe: { agent: gate, replay: hold, assist: refuse, human: allow }\n  \
    elevated: { agent: hold, replay: allow, assist: refuse, human: gate }\n  \
    irreversible: { agent: refuse, replay: hold, assist: gate, human: refuse }\n";

fn policy(strict: bool) -> Policy {
    load::policy(&format!("{RULES}{}", if strict { STRICT } else { "" })).unwrap()
}

/// Decides an act whose claim holds, by everything a session would ask.
fn decided(policy: &Policy, owner: Owner, tier: Tier, actor: Actor, lift: Lift) -> Answer {
    let name = format!("{} thing", tier.as_str());
    let element = ElementFacts {
        id: "e1".into(),
        subject: Subject { role: "button".into(), name: Some(name.clone()), ..Subject::default() },
        ..ElementFacts::default()
    };
    let claim = match lift {
        Lift::Requested => GateClaim::Requested,
        Lift::Created => GateClaim::Created,
        Lift::None | Lift::Approved => GateClaim::None,
    };
    let decision = decide::decide(&Question {
        owner,
        actor,
        attended: false,
        action: &Action::Click { target: Target::Ref { id: "e1".into() } },
        element: Some(&element),
        destination: None,
        focused: None,
        dialog: None,
        boundary: &Boundary::around("https://a.example/", &[]).unwrap(),
        policy: Some(policy),
        page: Some("https://a.example/"),
        annotation: None,
        is_approved: lift == Lift::Approved,
        claim,
        requested_words: &[&name],
        typed_names: &[&name],
        login_attempts: 0,
    });
    match decision.refusal.map(|refusal| refusal.status) {
        None => Answer::Allow,
        Some(Status::GateRequired) => Answer::Gate,
        Some(Status::NeedsHuman) => Answer::Hold,
        Some(Status::Forbidden) => Answer::Refuse,
        Some(status) => panic!("{status}"),
    }
}

macro_rules! cell {
    ($name:ident: $strict:literal $owner:ident $tier:ident $actor:ident $lift:ident $answer:ident) => {
        #[test]
        fn $name() {
            let found =
                decided(&policy($strict), Owner::$owner, Tier::$tier, Actor::$actor, Lift::$lift);

            assert_eq!(found, Answer::$answer);
        }
    };
}

macro_rules! cells {
    ($($module:ident: $strict:literal $owner:ident $tier:ident $actor:ident =>
        $none:ident $requested:ident $created:ident $approved:ident;)*) => {
        $(mod $module {
            use super::*;

            cell!(with_nothing_said: $strict $owner $tier $actor None $none);
            cell!(requested: $strict $owner $tier $actor Requested $requested);
            cell!(created: $strict $owner $tier $actor Created $created);
            cell!(approved: $strict $owner $tier $actor Approved $approved);
        })*
    };
}

cells! {
    yours_safe_agent: false Yours Safe Agent => Allow Allow Allow Allow;
    yours_safe_replay: false Yours Safe Replay => Allow Allow Allow Allow;
    yours_safe_assist: false Yours Safe Assist => Allow Allow Allow Allow;
    yours_safe_human: false Yours Safe Human => Allow Allow Allow Allow;
    yours_elevated_agent: false Yours Elevated Agent => Gate Allow Allow Allow;
    yours_elevated_replay: false Yours Elevated Replay => Gate Allow Allow Allow;
    yours_elevated_assist: false Yours Elevated Assist => Gate Allow Allow Allow;
    yours_elevated_human: false Yours Elevated Human => Allow Allow Allow Allow;
    yours_irreversible_agent: false Yours Irreversible Agent => Gate Gate Gate Allow;
    yours_irreversible_replay: false Yours Irreversible Replay => Gate Gate Gate Allow;
    yours_irreversible_assist: false Yours Irreversible Assist => Gate Gate Gate Allow;
    yours_irreversible_human: false Yours Irreversible Human => Allow Allow Allow Allow;
    others_safe_agent: false ThirdParty Safe Agent => Allow Allow Allow Allow;
    others_safe_replay: false ThirdParty Safe Replay => Allow Allow Allow Allow;
    others_safe_assist: false ThirdParty Safe Assist => Allow Allow Allow Allow;
    others_safe_human: false ThirdParty Safe Human => Allow Allow Allow Allow;
    others_elevated_agent: false ThirdParty Elevated Agent => Gate Allow Allow Allow;
    others_elevated_replay: false ThirdParty Elevated Replay => Gate Allow Allow Allow;
    others_elevated_assist: false ThirdParty Elevated Assist => Gate Allow Allow Allow;
    others_elevated_human: false ThirdParty Elevated Human => Allow Allow Allow Allow;
    others_irreversible_agent: false ThirdParty Irreversible Agent => Gate Gate Gate Allow;
    others_irreversible_replay: false ThirdParty Irreversible Replay => Gate Gate Gate Allow;
    others_irreversible_assist: false ThirdParty Irreversible Assist => Gate Gate Gate Allow;
    others_irreversible_human: false ThirdParty Irreversible Human => Allow Allow Allow Allow;
    strict_safe_agent: true Yours Safe Agent => Gate Allow Allow Allow;
    strict_safe_replay: true Yours Safe Replay => Hold Hold Hold Allow;
    strict_safe_assist: true Yours Safe Assist => Refuse Refuse Refuse Refuse;
    strict_safe_human: true Yours Safe Human => Allow Allow Allow Allow;
    strict_elevated_agent: true ThirdParty Elevated Agent => Hold Hold Hold Allow;
    strict_elevated_replay: true ThirdParty Elevated Replay => Allow Allow Allow Allow;
    strict_elevated_assist: true ThirdParty Elevated Assist => Refuse Refuse Refuse Refuse;
    strict_elevated_human: true ThirdParty Elevated Human => Gate Allow Allow Allow;
    strict_irreversible_agent: true ThirdParty Irreversible Agent => Refuse Refuse Refuse Refuse;
    strict_irreversible_replay: true ThirdParty Irreversible Replay => Hold Hold Hold Allow;
    strict_irreversible_assist: true ThirdParty Irreversible Assist => Gate Gate Gate Allow;
    strict_irreversible_human: true ThirdParty Irreversible Human => Refuse Refuse Refuse Refuse;
}

/// The whole table as it is committed: a cell that moves is seen by whoever reads the change.
#[test]
fn the_table_is_the_committed_one() {
    let table = Gates::default();
    let mut text = "owner tier actor | nothing requested created approved\n".to_owned();
    for owner in [Owner::Yours, Owner::ThirdParty] {
        for tier in Tier::ALL {
            for actor in [Actor::Agent, Actor::Replay, Actor::Assist, Actor::Human] {
                let lifts = [Lift::None, Lift::Requested, Lift::Created, Lift::Approved];
                let cells = lifts.map(|lift| table.cell(owner, tier, actor, lift).as_str());
                let (owner, tier, actor) = (owner.as_str(), tier.as_str(), actor.as_str());
                text.push_str(&format!("{owner} {tier} {actor} | {}\n", cells.join(" ")));
            }
        }
    }

    assert_eq!(text, include_str!("table.txt"));
}

/// Whatever is written into the table, automation does nothing unasked that cannot be taken back.
#[test]
fn no_file_allows_automation_what_cannot_be_taken_back() {
    let mut table = Gates::default();
    for actor in [Actor::Agent, Actor::Replay, Actor::Assist] {
        table.set(Tier::Irreversible, actor, Answer::Allow);

        for lift in [Lift::None, Lift::Requested, Lift::Created] {
            let answer = table.cell(Owner::Yours, Tier::Irreversible, actor, lift);
            assert_eq!(answer, Answer::Gate, "{actor:?} {lift:?}");
        }
    }
}

/// Saying more never closes, and no claim opens more than an approval.
#[test]
fn an_approval_opens_whatever_a_claim_opens() {
    for strict in [false, true] {
        let table = policy(strict).gates;
        for tier in Tier::ALL {
            for actor in [Actor::Agent, Actor::Replay, Actor::Assist, Actor::Human] {
                let cell = |lift| table.cell(Owner::Yours, tier, actor, lift);
                assert!(cell(Lift::Requested) <= cell(Lift::None));
                assert!(cell(Lift::Approved) <= cell(Lift::Created));
            }
        }
    }
}
