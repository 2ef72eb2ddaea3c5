//! A policy as it holds: everything read, compiled and checked. Made by `load.rs` alone.

use std::sync::Arc;
use std::time::Duration;

use regex::Regex;

use sidestick_model::observation::DialogState;
use sidestick_model::record::Owner;
use sidestick_model::{ActionKind, Actor, DialogAnswer, Upload};

use crate::boundary::Written;
use crate::gates::Gates;
use crate::place::Place;
use crate::risk::Tier;
use crate::trail::Source;

/// What may be done, where and by whom.
#[derive(Debug, Clone)]
pub struct Policy {
    /// Whose application it is for, when it says so.
    pub owner: Option<Owner>,
    pub(crate) boundary: Option<Arc<Written>>,
    /// Whether it asks for requests to be contained.
    pub contains_egress: bool,
    pub(crate) kinds: Vec<KindRules>,
    pub(crate) words: Vec<WordRule>,
    pub(crate) risks: Vec<RiskRule>,
    pub(crate) gates: Gates,
    /// How much a run may use.
    pub caps: Caps,
    pub(crate) dialogs: Vec<DialogRule>,
    /// Whether downloads are kept.
    pub keeps_downloads: bool,
    /// Which files may be given to a page.
    pub uploads: UploadRules,
    /// Patterns of what is taken out of everything that is shown.
    pub redacted: Vec<Regex>,
    /// Exact values that are taken out.
    pub redacted_values: Vec<ValueSource>,
    /// Named secrets; none when it does not speak of them.
    pub secrets: Option<Vec<SecretRule>>,
}

/// How much a run may use; none where the policy does not say.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the keys of `caps`, described in the table of the language")]
pub struct Caps {
    pub actions: Option<u32>,
    pub goal_actions: Option<u32>,
    pub time: Option<Duration>,
    pub pages: Option<usize>,
    pub download_bytes: Option<u64>,
    pub downloads_bytes: Option<u64>,
}

/// Where a value comes from; never the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueSource {
    /// A variable of the environment.
    Variable(String),
    /// A private file.
    File(String),
    /// A program and its arguments.
    Command(Vec<String>),
}

/// Which kinds of action an actor may take.
#[derive(Debug, Clone)]
pub(crate) struct KindRules {
    /// None for every actor.
    pub(crate) actor: Option<Actor>,
    pub(crate) source: Source,
    pub(crate) allow: Option<Vec<ActionKind>>,
    pub(crate) deny: Vec<ActionKind>,
    pub(crate) gate: Vec<ActionKind>,
}

/// A word in a name that leads to a tier.
#[derive(Debug, Clone)]
pub(crate) struct WordRule {
    pub(crate) source: Source,
    pub(crate) tier: Tier,
    /// In lower case.
    pub(crate) words: Vec<String>,
}

/// A rule that leads to a tier.
#[derive(Debug, Clone)]
pub(crate) struct RiskRule {
    pub(crate) source: Source,
    pub(crate) tier: Tier,
    pub(crate) why: Option<String>,
    pub(crate) when: When,
}

/// What has to hold, all of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct When {
    pub(crate) name: Option<Regex>,
    pub(crate) role: Option<String>,
    pub(crate) near: Option<Regex>,
    pub(crate) kinds: Option<Vec<ActionKind>>,
    pub(crate) place: Option<Place>,
    pub(crate) submits: Option<bool>,
    pub(crate) method: Option<String>,
    pub(crate) leaves: Option<bool>,
    pub(crate) login: Option<bool>,
    pub(crate) secret: Option<bool>,
    pub(crate) download: Option<bool>,
    pub(crate) unnamed: Option<bool>,
}

/// How a dialog is answered without being asked for.
#[derive(Debug, Clone)]
pub(crate) struct DialogRule {
    pub(crate) source: Source,
    pub(crate) kind: String,
    pub(crate) text: Option<Regex>,
    pub(crate) answer: DialogAnswer,
}

/// Which files may be given to a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UploadRules {
    /// Folders that files may come from; none when the policy does not say.
    pub roots: Option<Vec<String>>,
    /// Names, one of which has to match; none for every name.
    pub names: Option<Vec<String>>,
    /// Bytes of one file.
    pub bytes: Option<u64>,
}

/// A named secret, and where it may be typed.
#[derive(Debug, Clone, PartialEq)]
pub struct SecretRule {
    pub(crate) source: Source,
    /// What `--secret` calls it.
    pub name: String,
    /// Where its value comes from.
    pub value: ValueSource,
    pub(crate) site: Option<String>,
    pub(crate) place: Place,
    /// Whether it goes only into a field the page hides.
    pub is_hidden: bool,
}

impl Policy {
    /// Says how an open dialog is answered without being asked for, and by which rule.
    pub fn answer_to(&self, dialog: &DialogState) -> Option<(DialogAnswer, &Source)> {
        let fits = |rule: &&DialogRule| {
            let text = rule.text.as_ref().is_none_or(|text| text.is_match(&dialog.text));
            rule.kind == dialog.kind && text
        };
        self.dialogs.iter().find(fits).map(|rule| (rule.answer, &rule.source))
    }

    /// Returns whether it answers any dialog by itself.
    pub fn answers_dialogs(&self) -> bool {
        !self.dialogs.is_empty()
    }
}

impl UploadRules {
    /// Says why a file may not be given away, if it may not.
    pub fn refusal(&self, file: &Upload) -> Option<String> {
        let fits = |glob: &String| glob_holds(glob, &file.name);
        let is_named = self.names.as_ref().is_none_or(|names| names.iter().any(fits));
        if file.is_folder && (self.names.is_some() || self.bytes.is_some()) {
            return Some("is a folder, whose files nobody has looked at".to_owned());
        }
        if !is_named {
            return Some("has no name that `uploads.names` lists".to_owned());
        }
        self.bytes.filter(|most| *most < file.bytes).map(|most| {
            format!("has {} bytes, more than the {most} of `uploads.bytes`", file.bytes)
        })
    }
}

/// Returns whether a name fits `*` for anything and `?` for one character; case does not matter.
fn glob_holds(glob: &str, name: &str) -> bool {
    let glob: Vec<char> = glob.chars().flat_map(char::to_lowercase).collect();
    let name: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    let (mut at, mut seen) = (0, 0);
    // Where to go on when what follows the last star does not fit.
    let mut star: Option<(usize, usize)> = None;
    while seen < name.len() {
        match glob.get(at) {
            Some('*') => {
                star = Some((at + 1, seen));
                at += 1;
            }
            Some(c) if *c == '?' || Some(c) == name.get(seen) => {
                at += 1;
                seen += 1;
            }
            Some(_) | None => match star {
                Some((after, from)) => {
                    star = Some((after, from + 1));
                    (at, seen) = (after, from + 1);
                }
                None => return false,
            },
        }
    }
    glob.iter().skip(at).all(|c| *c == '*')
}

impl SecretRule {
    /// Says where it may be typed.
    pub fn words(&self) -> String {
        match &self.site {
            Some(site) => {
                let whole = self.place.to_string();
                let scheme = whole.split("://").next().unwrap_or_default();
                let port = whole.rsplit_once("(any host)").map_or("", |(_, port)| port);
                format!("{scheme}://{site}{port} and what is below it")
            }
            None => self.place.to_string(),
        }
    }

    /// Returns whether a document is where it may be typed.
    pub(crate) fn holds(&self, document: &str) -> bool {
        let Ok(address) = crate::address::Address::plain(document) else { return false };
        let site_fits = self
            .site
            .as_deref()
            .is_none_or(|site| psl::domain_str(&address.host).is_some_and(|domain| domain == site));
        site_fits && self.place.holds(&address, crate::place::Readings::All)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_fit_their_patterns() {
        for (glob, name, fits) in [
            ("*.pdf", "a.pdf", true),
            ("*.pdf", "A.PDF", true),
            ("*.pdf", "a.pdf.exe", false),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("*", "", true),
            ("*a*b*", "xxaybz", true),
            ("*a*b", "xxayb0", false),
            ("a**", "a", true),
            ("", "a", false),
        ] {
            assert_eq!(glob_holds(glob, name), fits, "{glob} {name}");
        }
    }
}
