//! The file as types (unknown keys refused once more), and the policy made of them.
//!
//! Whatever could be wrong here was told before, with its place, by `check.rs`; what is found all
//! the same still stops the file.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::Deserialize;
use serde_saphyr::Spanned;

use sidestick_model::record::{GateClaim, Owner};
use sidestick_model::{ActionKind, Actor, DialogAnswer};

use crate::boundary::Written;
use crate::cases::{Case, CaseElement, Expected};
use crate::gates::{Answer, Gates};
use crate::language::{duration, pattern, size};
use crate::place::{HostPattern, PathPattern, Place, Ports, Schemes};
use crate::policy::{
    Caps, DialogRule, KindRules, Policy, RiskRule, SecretRule, UploadRules, ValueSource, When,
    WordRule,
};
use crate::risk::Tier;
use crate::trail::Source;

use super::node::unreadable;
use super::{LoadError, Problem};

type Listed<T> = Vec<Spanned<T>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    owner: Option<Owner>,
    boundary: Option<BoundaryPart>,
    #[serde(default)]
    actions: BTreeMap<String, Spanned<KindsPart>>,
    #[serde(default)]
    risk: RiskPart,
    #[serde(default)]
    gates: BTreeMap<TierWord, HashMap<Actor, AnswerWord>>,
    #[serde(default)]
    caps: CapsPart,
    #[serde(default)]
    dialogs: Listed<DialogPart>,
    #[serde(default)]
    downloads: DownloadsPart,
    #[serde(default)]
    uploads: UploadsPart,
    #[serde(default)]
    redaction: RedactionPart,
    secrets: Option<Listed<SecretPart>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoundaryPart {
    allow: Listed<PlacePart>,
    #[serde(default)]
    deny: Listed<PlacePart>,
    #[serde(default)]
    frames: FramesPart,
    #[serde(default)]
    made: Vec<Made>,
    #[serde(default)]
    egress: Egress,
}

#[derive(Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Made {
    Blob,
    Data,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Egress {
    #[default]
    Open,
    Listed,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlacePart {
    host: Option<String>,
    scheme: Option<Schemes>,
    port: Option<PortPart>,
    paths: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum PortPart {
    Number(u16),
    Word(AnyWord),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum AnyWord {
    Any,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct FramesPart {
    others: Others,
    load: Listed<PlacePart>,
    act: Listed<PlacePart>,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Others {
    #[default]
    Block,
    Load,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct KindsPart {
    allow: Option<Vec<ActionKind>>,
    deny: Vec<ActionKind>,
    gate: Vec<ActionKind>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct RiskPart {
    words: BTreeMap<String, Spanned<WordsPart>>,
    rules: Listed<RiskRulePart>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct WordsPart {
    elevated: Vec<String>,
    irreversible: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RiskRulePart {
    tier: TierWord,
    when: WhenPart,
    why: Option<String>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "lowercase")]
enum TierWord {
    Safe,
    Elevated,
    Irreversible,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum AnswerWord {
    Allow,
    Gate,
    Hold,
    Refuse,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WhenPart {
    name: Option<String>,
    role: Option<String>,
    near: Option<String>,
    kinds: Option<Vec<ActionKind>>,
    place: Option<PlacePart>,
    submits: Option<bool>,
    method: Option<String>,
    leaves: Option<bool>,
    login: Option<bool>,
    secret: Option<bool>,
    download: Option<bool>,
    unnamed: Option<bool>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct CapsPart {
    actions: Option<u32>,
    goal_actions: Option<u32>,
    time: Option<String>,
    pages: Option<usize>,
    download: Option<String>,
    downloads: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DialogPart {
    kind: String,
    text: Option<String>,
    answer: DialogAnswer,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct DownloadsPart {
    keep: bool,
}

impl Default for DownloadsPart {
    fn default() -> DownloadsPart {
        DownloadsPart { keep: true }
    }
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct UploadsPart {
    roots: Option<Vec<String>>,
    names: Option<Vec<String>>,
    bytes: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct RedactionPart {
    patterns: Vec<PatternPart>,
    values: Vec<ValuePart>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PatternPart {
    #[expect(dead_code, reason = "for whoever reads the file")]
    name: String,
    pattern: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ValuePart {
    env: Option<String>,
    file: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SecretPart {
    name: String,
    env: Option<String>,
    file: Option<String>,
    command: Option<Vec<String>>,
    site: Option<String>,
    host: Option<String>,
    scheme: Option<Schemes>,
    port: Option<PortPart>,
    #[serde(default)]
    field: FieldWord,
}

#[derive(Deserialize, Default, PartialEq)]
#[serde(rename_all = "lowercase")]
enum FieldWord {
    #[default]
    Hidden,
    Text,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CasesFile {
    version: u32,
    cases: Listed<CasePart>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CasePart {
    case: Option<String>,
    url: Option<String>,
    #[serde(default)]
    frame: bool,
    action: Option<ActionKind>,
    actor: Option<Actor>,
    owner: Option<Owner>,
    page: Option<String>,
    element: Option<ElementPart>,
    dialog: Option<String>,
    secret: Option<String>,
    #[serde(default)]
    claim: GateClaim,
    request: Option<String>,
    typed: Option<String>,
    expect: Expected,
    code: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct ElementPart {
    role: Option<String>,
    name: Option<String>,
    near: Option<String>,
    submits: bool,
    method: Option<String>,
    form: Option<String>,
    login: bool,
    secret: bool,
    download: bool,
}

/// Why something could not be made, at which line.
type Attempt<T> = Result<T, (u64, String)>;

fn late(line: u64, message: String) -> LoadError {
    let first = Problem { line, column: 1, at: String::new(), message, meant: None };
    LoadError { first, rest: Vec::new() }
}

/// Reads a file that was checked, and makes the policy of it.
pub(super) fn policy(text: &str) -> Result<Policy, LoadError> {
    let file: File = serde_saphyr::from_str(text).map_err(|error| unreadable(&error))?;
    made(file).map_err(|(line, message)| late(line, message))
}

/// Reads a file of cases that was checked.
pub(super) fn cases(text: &str) -> Result<Vec<Case>, LoadError> {
    let file: CasesFile = serde_saphyr::from_str(text).map_err(|error| unreadable(&error))?;
    if file.version != 1 {
        return Err(late(1, format!("is of version {}", file.version)));
    }
    let case = |(index, case): (usize, Spanned<CasePart>)| {
        let line = case.referenced.line();
        let case = case.value;
        let element = case.element.map(|element| CaseElement {
            role: element.role.unwrap_or_else(|| "button".to_owned()),
            name: element.name,
            near: element.near,
            submits: element.submits,
            method: element.method,
            form: element.form,
            login: element.login,
            secret: element.secret,
            download: element.download,
        });
        Case {
            name: case.case.unwrap_or_else(|| format!("case {}", index + 1)),
            line,
            url: case.url,
            frame: case.frame,
            action: case.action,
            actor: case.actor.unwrap_or(Actor::Agent),
            owner: case.owner,
            page: case.page,
            element,
            dialog: case.dialog,
            secret: case.secret,
            claim: case.claim,
            request: case.request,
            typed: case.typed,
            expect: case.expect,
            code: case.code,
        }
    };
    Ok(file.cases.into_iter().enumerate().map(case).collect())
}

fn made(file: File) -> Attempt<Policy> {
    if file.version != 1 {
        return Err((1, format!("is of version {}", file.version)));
    }
    let contains_egress =
        file.boundary.as_ref().is_some_and(|boundary| boundary.egress == Egress::Listed);
    let mut gates = Gates::default();
    for (tier, row) in file.gates {
        for (actor, answer) in row {
            gates.set(tier.into(), actor, answer.into());
        }
    }
    Ok(Policy {
        owner: file.owner,
        boundary: file.boundary.map(boundary).transpose()?.map(Arc::new),
        contains_egress,
        kinds: file.actions.into_iter().map(kinds).collect::<Attempt<_>>()?,
        words: file.risk.words.into_iter().flat_map(words).collect(),
        risks: each("risk.rules", file.risk.rules, risk_rule)?,
        gates,
        caps: caps(&file.caps)?,
        dialogs: each("dialogs", file.dialogs, dialog)?,
        keeps_downloads: file.downloads.keep,
        uploads: UploadRules {
            roots: file.uploads.roots,
            names: file.uploads.names,
            bytes: unit(file.uploads.bytes.as_deref(), size)?,
        },
        redacted: file
            .redaction
            .patterns
            .iter()
            .map(|part| pattern(&part.pattern).map_err(|why| (1, why)))
            .collect::<Attempt<_>>()?,
        redacted_values: file
            .redaction
            .values
            .into_iter()
            .map(|part| value(part.env, part.file, None))
            .collect::<Attempt<_>>()?,
        secrets: file.secrets.map(|list| each("secrets", list, secret)).transpose()?,
    })
}

/// Makes each entry of a list, and says where it stands.
fn each<T, U>(name: &str, list: Listed<T>, make: fn(Source, T) -> Attempt<U>) -> Attempt<Vec<U>> {
    list.into_iter()
        .enumerate()
        .map(|(index, entry)| {
            let line = entry.referenced.line();
            make(Source { name: format!("{name}[{index}]"), line: Some(line) }, entry.value)
        })
        .collect()
}

fn boundary(part: BoundaryPart) -> Attempt<Written> {
    let allowed = |source: Source, part| {
        Ok((source, place(part, Schemes::Https, Ports::Own).map_err(|why| (1, why))?))
    };
    let denied = |source: Source, part| {
        Ok((source, place(part, Schemes::Either, Ports::Any).map_err(|why| (1, why))?))
    };
    Ok(Written {
        allow: each("boundary.allow", part.allow, allowed)?,
        deny: each("boundary.deny", part.deny, denied)?,
        frames_act: each("boundary.frames.act", part.frames.act, allowed)?,
        frames_load: each("boundary.frames.load", part.frames.load, allowed)?,
        others_load: part.frames.others == Others::Load,
        blobs: part.made.contains(&Made::Blob),
        data: part.made.contains(&Made::Data),
    })
}

fn place(part: PlacePart, schemes: Schemes, ports: Ports) -> Result<Place, String> {
    let host = part.host.map(|host| HostPattern::parse(&host).map_err(|wrong| wrong.why));
    let path = |path: &String| PathPattern::parse(path);
    Ok(Place {
        host: host.transpose()?,
        schemes: part.scheme.unwrap_or(schemes),
        ports: match part.port {
            Some(PortPart::Number(port)) => Ports::Only(port),
            Some(PortPart::Word(AnyWord::Any)) => Ports::Any,
            None => ports,
        },
        paths: part.paths.map(|paths| paths.iter().map(path).collect()).transpose()?,
    })
}

fn kinds((actor, part): (String, Spanned<KindsPart>)) -> Attempt<KindRules> {
    let line = part.referenced.line();
    let known = [Actor::Agent, Actor::Replay, Actor::Assist, Actor::Human];
    let found = known.into_iter().find(|known| known.as_str() == actor);
    if found.is_none() && actor != "any" {
        return Err((line, format!("`{actor}` is no actor")));
    }
    Ok(KindRules {
        actor: found,
        source: Source { name: format!("actions.{actor}"), line: Some(line) },
        allow: part.value.allow,
        deny: part.value.deny,
        gate: part.value.gate,
    })
}

fn words((language, part): (String, Spanned<WordsPart>)) -> impl Iterator<Item = WordRule> {
    let line = Some(part.referenced.line());
    let rule = |tier: Tier, words: Vec<String>| WordRule {
        source: Source { name: format!("risk.words.{language}.{}", tier.as_str()), line },
        tier,
        words: words.iter().map(|word| word.trim().to_lowercase()).collect(),
    };
    let both = [
        rule(Tier::Irreversible, part.value.irreversible),
        rule(Tier::Elevated, part.value.elevated),
    ];
    both.into_iter().filter(|rule| !rule.words.is_empty())
}

fn risk_rule(source: Source, part: RiskRulePart) -> Attempt<RiskRule> {
    let line = source.line.unwrap_or(1);
    let regex = |text: Option<String>| {
        text.map(|text| pattern(&text)).transpose().map_err(|why| (line, why))
    };
    let when = part.when;
    let place = when.place.map(|part| place(part, Schemes::Either, Ports::Any));
    Ok(RiskRule {
        source,
        tier: part.tier.into(),
        why: part.why,
        when: When {
            name: regex(when.name)?,
            role: when.role,
            near: regex(when.near)?,
            kinds: when.kinds,
            place: place.transpose().map_err(|why| (line, why))?,
            submits: when.submits,
            method: when.method,
            leaves: when.leaves,
            login: when.login,
            secret: when.secret,
            download: when.download,
            unnamed: when.unnamed,
        },
    })
}

fn caps(part: &CapsPart) -> Attempt<Caps> {
    Ok(Caps {
        actions: part.actions,
        goal_actions: part.goal_actions,
        time: unit(part.time.as_deref(), duration)?,
        pages: part.pages,
        download_bytes: unit(part.download.as_deref(), size)?,
        downloads_bytes: unit(part.downloads.as_deref(), size)?,
    })
}

/// Reads a number with its unit; one that cannot be read is no missing one.
fn unit<T>(text: Option<&str>, read: fn(&str) -> Option<T>) -> Attempt<Option<T>> {
    let Some(text) = text else { return Ok(None) };
    read(text).map(Some).ok_or_else(|| (1, format!("`{text}` has no unit that is known")))
}

fn dialog(source: Source, part: DialogPart) -> Attempt<DialogRule> {
    let line = source.line.unwrap_or(1);
    let text = part.text.map(|text| pattern(&text)).transpose().map_err(|why| (line, why))?;
    Ok(DialogRule { source, kind: part.kind, text, answer: part.answer })
}

fn value(
    env: Option<String>,
    file: Option<String>,
    command: Option<Vec<String>>,
) -> Attempt<ValueSource> {
    match (env, file, command) {
        (Some(name), None, None) => Ok(ValueSource::Variable(name)),
        (None, Some(path), None) => Ok(ValueSource::File(path)),
        (None, None, Some(words)) => Ok(ValueSource::Command(words)),
        (_, _, _) => Err((1, "a value names no source, or several".to_owned())),
    }
}

fn secret(source: Source, part: SecretPart) -> Attempt<SecretRule> {
    let line = source.line.unwrap_or(1);
    let value = value(part.env, part.file, part.command).map_err(|(_, why)| (line, why))?;
    if part.site.is_some() == part.host.is_some() {
        return Err((line, "a secret names no place, or several".to_owned()));
    }
    let placed = PlacePart { host: part.host, scheme: part.scheme, port: part.port, paths: None };
    let place = place(placed, Schemes::Https, Ports::Own).map_err(|why| (line, why))?;
    let site = part.site.map(|site| HostPattern::parse(&site).map_err(|wrong| (line, wrong.why)));
    Ok(SecretRule {
        source,
        name: part.name,
        value,
        site: site.transpose()?.map(|site| site.to_string()),
        place,
        is_hidden: part.field == FieldWord::Hidden,
    })
}

impl From<TierWord> for Tier {
    fn from(word: TierWord) -> Tier {
        match word {
            TierWord::Safe => Tier::Safe,
            TierWord::Elevated => Tier::Elevated,
            TierWord::Irreversible => Tier::Irreversible,
        }
    }
}

impl From<AnswerWord> for Answer {
    fn from(word: AnswerWord) -> Answer {
        match word {
            AnswerWord::Allow => Answer::Allow,
            AnswerWord::Gate => Answer::Gate,
            AnswerWord::Hold => Answer::Hold,
            AnswerWord::Refuse => Answer::Refuse,
        }
    }
}
