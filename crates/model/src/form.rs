//! Forms: fields to fill, and how that went.

use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::id::ActId;
use crate::observation::Expect;
use crate::outcome::{Code, Status};
use crate::record::GateClaim;
use crate::target::Target;

/// A form to fill (BR-468).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// The fields, in order.
    pub fields: Vec<Field>,
    /// What to press when all of them hold.
    #[serde(default)]
    pub submit: Option<Target>,
    /// What will be seen when that worked.
    #[serde(default)]
    pub expect: Option<Expect>,
    /// The claim at its gate.
    #[serde(default)]
    pub gate: GateClaim,
    /// Whether every field is read again before the press.
    #[serde(default = "yes")]
    pub verify: bool,
}

fn yes() -> bool {
    true
}

/// One field and what it is to hold: exactly one of these.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// The field.
    pub target: Target,
    /// Text that is not sensitive.
    #[serde(default)]
    pub text: Option<String>,
    /// Text that is shown to nobody.
    #[serde(default)]
    pub sensitive: Option<String>,
    /// A secret of the run, by its name.
    #[serde(default)]
    pub secret: Option<String>,
    /// Whether it is to be checked.
    #[serde(default)]
    pub checked: Option<bool>,
    /// The labels of the options to choose.
    #[serde(default)]
    pub values: Vec<String>,
}

/// How one field went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldSeen {
    /// The act that set it.
    pub act: ActId,
    /// Its ref.
    #[serde(rename = "ref")]
    pub id: Option<String>,
    /// Its role.
    pub role: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// How the act ended.
    pub status: Status,
    /// Why.
    pub code: Option<Code>,
    /// In words.
    pub message: String,
}

/// Where a form stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stopped {
    /// `field`, `verify` or `submit`.
    pub at: String,
    /// The field, from 1.
    pub field: Option<u32>,
    /// Why.
    pub why: String,
}

/// How filling a form went. No value that was typed or read is in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormSeen {
    /// The fields that were tried, in order; those before a stop stay set.
    pub fields: Vec<FieldSeen>,
    /// Whether every field was read again and held.
    pub verified: bool,
    /// Whether the press was made and did what was expected.
    pub submitted: bool,
    /// The press.
    pub submit: Option<FieldSeen>,
    /// Where it stopped, if it did.
    pub stopped: Option<Stopped>,
}

/// Whether fields still hold what acts have set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HoldsAsk {
    /// The refs, each with the action that set it.
    pub fields: Vec<(String, Action)>,
}
