//! What the verbs around a policy file take.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::args::{GateArg, OwnerArg};

/// Which policy a run is held to.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PolicyFileArg {
    /// The policy file (default: `SIDESTICK_POLICY`, else the setting, else none)
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct PolicyArgs {
    #[command(subcommand)]
    pub(crate) what: PolicyVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyVerb {
    /// Tell every problem of a policy, with line and column
    Check {
        /// The policy file
        file: PathBuf,
    },
    /// Hold a policy to a file of cases
    Test {
        /// The policy file
        file: PathBuf,
        /// The cases, YAML
        cases: PathBuf,
    },
    /// Tell what a policy says of an address or an act, and by which rule
    Explain(Box<ExplainArgs>),
    /// Print the JSON Schema of policies
    Schema,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The policy file
    pub(crate) file: PathBuf,
    /// The address to judge; with `--action`, the one to navigate to
    #[arg(long, value_name = "URL", required_unless_present = "action")]
    pub(crate) url: Option<String>,
    /// The address is to be loaded in a frame
    #[arg(long)]
    pub(crate) frame: bool,
    /// The kind of action to judge
    #[arg(long, value_name = "KIND")]
    pub(crate) action: Option<String>,
    /// Who acts: agent, replay, assist or human
    #[arg(long, value_name = "ACTOR", default_value = "agent")]
    pub(crate) actor: String,
    /// Whose application it is (default: the policy's, else third-party)
    #[arg(long)]
    pub(crate) owner: Option<OwnerArg>,
    /// Where the element is
    #[arg(long, value_name = "URL")]
    pub(crate) page: Option<String>,
    /// The role of the element
    #[arg(long, value_name = "R")]
    pub(crate) role: Option<String>,
    /// The name of the element
    #[arg(long, value_name = "N")]
    pub(crate) name: Option<String>,
    /// The heading above the element
    #[arg(long, value_name = "WORDS")]
    pub(crate) near: Option<String>,
    /// The element submits a form
    #[arg(long)]
    pub(crate) submits: bool,
    /// The method of its form: get, post or dialog
    #[arg(long, value_name = "METHOD")]
    pub(crate) method: Option<String>,
    /// Where its form goes
    #[arg(long, value_name = "URL")]
    pub(crate) form: Option<String>,
    /// The element is a field the page hides
    #[arg(long)]
    pub(crate) hidden_field: bool,
    /// The named secret that is typed
    #[arg(long, value_name = "NAME")]
    pub(crate) secret: Option<String>,
    /// The text of the open dialog
    #[arg(long, value_name = "TEXT")]
    pub(crate) dialog: Option<String>,
    /// The claim at a gate
    #[arg(long, value_name = "CLAIM", default_value = "none")]
    pub(crate) gate: GateArg,
    /// What the user asked for, for `--gate requested`
    #[arg(long, value_name = "TEXT")]
    pub(crate) request: Option<String>,
    /// A name the run has typed, for `--gate created`
    #[arg(long, value_name = "TEXT")]
    pub(crate) typed: Option<String>,
}
