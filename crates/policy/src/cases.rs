//! Cases a policy is held to, and questions it is asked: without an application, from what is said
//! of one.

use sidestick_model::action::{Action, ActionKind, Chord, Direction, DragEnd, Typed};
use sidestick_model::observation::{DialogState, ElementFacts, FormFacts, Subject, Visible};
use sidestick_model::outcome::Status;
use sidestick_model::record::{GateClaim, Owner};
use sidestick_model::target::Target;
use sidestick_model::{Actor, DialogAnswer, TabOp};

use crate::boundary::{Boundary, DocumentKind};
use crate::decide::{self, Decision, Question};
use crate::policy::Policy;
use crate::trail::{Considered, Trail};

/// What a policy has to say of an address or an act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the words of `Judged` and `Answer`")]
pub enum Expected {
    Inside,
    Outside,
    Blocked,
    Allow,
    Gate,
    Hold,
    Refuse,
}

impl Expected {
    /// Returns the word of the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Expected::Inside => "inside",
            Expected::Outside => "outside",
            Expected::Blocked => "blocked",
            Expected::Allow => "allow",
            Expected::Gate => "gate",
            Expected::Hold => "hold",
            Expected::Refuse => "refuse",
        }
    }
}

/// One case: an address or an act, and what the policy has to say of it.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the keys of a case, described in the table of the language")]
pub struct Case {
    pub name: String,
    /// Its line in the file.
    pub line: u64,
    pub url: Option<String>,
    pub frame: bool,
    pub action: Option<ActionKind>,
    pub actor: Actor,
    pub owner: Option<Owner>,
    pub page: Option<String>,
    pub element: Option<CaseElement>,
    pub dialog: Option<String>,
    pub secret: Option<String>,
    pub claim: GateClaim,
    pub request: Option<String>,
    pub typed: Option<String>,
    pub expect: Expected,
    pub code: Option<String>,
}

/// What is acted on.
#[derive(Debug, Clone, Default)]
#[expect(missing_docs, reason = "the keys of an element, described in the table of the language")]
pub struct CaseElement {
    pub role: String,
    pub name: Option<String>,
    pub near: Option<String>,
    pub submits: bool,
    pub method: Option<String>,
    pub form: Option<String>,
    pub login: bool,
    pub secret: bool,
    pub download: bool,
}

/// What a policy said.
#[derive(Debug, Clone)]
pub struct Said {
    /// In a word.
    pub answer: &'static str,
    /// The tier of an act.
    pub tier: Option<&'static str>,
    /// The code of a refusal.
    pub code: Option<&'static str>,
    /// The message of a refusal.
    pub message: Option<String>,
    /// The rules considered, in order.
    pub considered: Vec<Considered>,
}

impl Said {
    /// Returns the rule that decided: the last one that matched.
    pub fn decided_by(&self) -> Option<&Considered> {
        self.considered.iter().rev().find(|rule| rule.matched)
    }
}

impl Case {
    /// Asks a policy.
    pub fn ask(&self, policy: &Policy) -> Said {
        match (self.action, &self.url) {
            (None, url) => self.ask_boundary(policy, url.as_deref().unwrap_or_default()),
            (Some(kind), _) => self.ask_gate(policy, kind),
        }
    }

    /// Returns whether a policy said what it has to say.
    pub fn is_met_by(&self, said: &Said) -> bool {
        said.answer == self.expect.as_str()
            && self.code.as_deref().is_none_or(|code| said.code == Some(code))
    }

    /// The policy's own boundary; the default one around the page, or the address, when it has none.
    fn boundary(&self, policy: &Policy) -> Option<Boundary> {
        if let Some(written) = &policy.boundary {
            return Some(Boundary::written(std::sync::Arc::clone(written)));
        }
        let around = self.page.as_deref().or(self.url.as_deref())?;
        Boundary::around(around, &[]).ok()
    }

    fn ask_boundary(&self, policy: &Policy, url: &str) -> Said {
        let kind = if self.frame { DocumentKind::Frame } else { DocumentKind::TopLevel };
        let mut trail = Trail::kept();
        let judged = self.boundary(policy).map(|boundary| boundary.told(url, kind, &mut trail));
        Said {
            answer: judged.map_or("blocked", |judged| judged.as_str()),
            tier: None,
            code: None,
            message: None,
            considered: trail.into_considered(),
        }
    }

    fn ask_gate(&self, policy: &Policy, kind: ActionKind) -> Said {
        let mut trail = Trail::kept();
        let page = self.page.as_deref();
        // Without a page nothing is inside of the default boundary; an act needs one to be judged.
        let nowhere = || Boundary::around("https://page.invalid/", &[]).ok();
        let Some(boundary) = self.boundary(policy).or_else(nowhere) else {
            let considered = Vec::new();
            return Said { answer: "refuse", tier: None, code: None, message: None, considered };
        };
        let action = self.action(kind);
        let element = self.element.as_ref().map(CaseElement::facts);
        let dialog = self.dialog.as_ref().map(|text| DialogState {
            kind: "confirm".to_owned(),
            text: text.clone(),
            default_text: None,
            opened_by: None,
        });
        let requested: Vec<&str> = self.request.as_deref().into_iter().collect();
        let typed: Vec<&str> = self.typed.as_deref().into_iter().collect();
        let decision = decide::decide_told(
            &Question {
                owner: self.owner.or(policy.owner).unwrap_or(Owner::ThirdParty),
                actor: self.actor,
                attended: false,
                action: &action,
                element: element.as_ref(),
                destination: None,
                focused: None,
                dialog: dialog.as_ref(),
                boundary: &boundary,
                policy: Some(policy),
                page,
                annotation: None,
                is_approved: false,
                claim: self.claim,
                requested_words: &requested,
                typed_names: &typed,
                login_attempts: 0,
            },
            &mut trail,
        );
        Said::of(&decision, trail)
    }

    /// The action, with nothing in it that is not judged.
    fn action(&self, kind: ActionKind) -> Action {
        let target = || Target::Ref { id: "e1".to_owned() };
        let text = || match &self.secret {
            Some(name) => Typed::Secret(name.clone()),
            None => Typed::Public("text".to_owned()),
        };
        let url = || self.url.clone().unwrap_or_else(|| "about:blank".to_owned());
        match kind {
            ActionKind::Click => Action::Click { target: target() },
            ActionKind::DoubleClick => Action::DoubleClick { target: target() },
            ActionKind::RightClick => Action::RightClick { target: target() },
            ActionKind::Hover => Action::Hover { target: target() },
            ActionKind::Fill => Action::Fill { target: target(), text: text() },
            ActionKind::Type => Action::Type { target: Some(target()), text: text() },
            ActionKind::Press => Action::Press { key: enter(), target: Some(target()) },
            ActionKind::Select => Action::Select { target: target(), values: Vec::new() },
            ActionKind::Check => Action::Check { target: target() },
            ActionKind::Uncheck => Action::Uncheck { target: target() },
            ActionKind::Scroll => {
                Action::Scroll { target: None, direction: Direction::Down, amount: 1.0 }
            }
            ActionKind::Drag => Action::Drag { target: target(), to: DragEnd::Element(target()) },
            ActionKind::Upload => Action::Upload { target: Some(target()), files: Vec::new() },
            ActionKind::Dismiss => Action::Dismiss { target: target() },
            ActionKind::Dialog => Action::Dialog { answer: DialogAnswer::Accept, text: None },
            ActionKind::Navigate => Action::Navigate { url: url() },
            ActionKind::Back => Action::Back,
            ActionKind::Forward => Action::Forward,
            ActionKind::Reload => Action::Reload,
            ActionKind::Tab => Action::Tab { op: TabOp::Open(url()) },
        }
    }
}

fn enter() -> Chord {
    Chord { modifiers: sidestick_model::action::Modifiers::default(), key: "Enter".to_owned() }
}

impl CaseElement {
    fn facts(&self) -> ElementFacts {
        let has_form = self.submits || self.method.is_some() || self.form.is_some() || self.login;
        let form = has_form.then(|| FormFacts {
            method: self.method.clone().unwrap_or_else(|| "get".to_owned()),
            action: self.form.clone().unwrap_or_default(),
            password_fields: u32::from(self.login),
        });
        ElementFacts {
            id: "e1".to_owned(),
            subject: Subject {
                role: self.role.clone(),
                name: self.name.clone(),
                heading: self.near.clone(),
                ..Subject::default()
            },
            visible: Visible { ok: true, ..Visible::default() },
            submits: self.submits,
            form,
            is_secret: self.secret,
            download: self.download,
            ..ElementFacts::default()
        }
    }
}

impl Said {
    fn of(decision: &Decision, trail: Trail) -> Said {
        let refusal = decision.refusal.as_ref();
        let answer = match refusal.map(|refusal| refusal.status) {
            None => "allow",
            Some(Status::GateRequired) => "gate",
            Some(Status::NeedsHuman) => "hold",
            Some(_) => "refuse",
        };
        Said {
            answer,
            tier: Some(decision.tier.as_str()),
            code: refusal.and_then(|refusal| refusal.code).map(|code| code.as_str()),
            message: refusal.map(|refusal| refusal.message.clone()),
            considered: trail.into_considered(),
        }
    }
}
