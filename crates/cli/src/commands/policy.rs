//! `policy check|test|explain|schema`, and the policy a run begins with.
//!
//! A policy that is named and cannot be used stops what was asked for, before anything is started
//! (I9). What a person does to stop a run asks for none (I7).

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};

use sidestick_evidence::trace;
use sidestick_model::call::{DoorCode, DoorError};
use sidestick_model::record::{GateClaim, Owner, PolicySeen};
use sidestick_model::{ActionKind, Actor, limits};
use sidestick_policy::cases::{Case, CaseElement, Expected, Said};
use sidestick_policy::{LoadError, Policy, Problem, ValueSource, language, load};

use crate::args::{ExplainArgs, GateArg, OwnerArg, PolicyArgs, PolicyFileArg, PolicyVerb};
use crate::commands::Context;
use crate::config::{self, Config};
use crate::render::{self, Form};
use crate::{spawn, wire};

/// A policy that was named, read and checked.
#[derive(Debug)]
pub(crate) struct Named {
    pub(crate) policy: Policy,
    pub(crate) seen: PolicySeen,
    pub(crate) text: String,
    folder: PathBuf,
}

/// Values a policy names, read from where it says they are.
#[derive(Default)]
pub(crate) struct Values {
    pub(crate) secrets: Vec<(String, String)>,
    pub(crate) redacted: Vec<String>,
}

impl std::fmt::Debug for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Values({} secrets, {} others)", self.secrets.len(), self.redacted.len())
    }
}

/// Reads the policy a run is to be held to: the flag's, else the variable's, else the setting's.
pub(crate) fn named(args: &PolicyFileArg, config: &Config) -> Result<Option<Named>, DoorError> {
    let variable = || wire::variable("SIDESTICK_POLICY").map(PathBuf::from);
    let path = args.policy.clone().or_else(variable).or_else(|| config.policy.clone());
    let Some(path) = path else { return Ok(None) };
    let (text, file_uid) = read(&path)?;
    let policy = load::policy(&text).map_err(|error| bad(&path, &error))?;
    if policy.contains_egress {
        let why = "the policy asks for `egress: listed`; this version cannot contain the browser";
        return Err(DoorError::new(DoorCode::Missing, why).detail("egress"));
    }
    let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
    let seen = PolicySeen {
        file: whole.display().to_string(),
        sha256: trace::hash(text.as_bytes()),
        owner: policy.owner,
        file_uid,
    };
    let folder = whole.parent().map(Path::to_owned).unwrap_or_default();
    Ok(Some(Named { policy, seen, text, folder }))
}

impl Named {
    /// Holds what was said of the owner to what the policy says: stricter, never laxer.
    pub(crate) fn owner(&self, said: Option<Owner>) -> Result<Option<Owner>, DoorError> {
        match (self.policy.owner, said) {
            (Some(Owner::ThirdParty), Some(Owner::Yours)) => {
                let why = "the policy is for somebody else's application, not for one of yours";
                Err(DoorError::new(DoorCode::OutsidePolicy, why))
            }
            (Some(owner), None) => Ok(Some(owner)),
            (_, said) => Ok(said),
        }
    }

    /// Holds a number to a cap: what was asked for is refused beyond it, a default is lowered.
    pub(crate) fn capped<T: Copy + PartialOrd + std::fmt::Display>(
        what: &str,
        cap: Option<T>,
        asked: Option<T>,
        default: T,
    ) -> Result<T, DoorError> {
        match (cap, asked) {
            (None, asked) => Ok(asked.unwrap_or(default)),
            (Some(cap), None) => Ok(if cap < default { cap } else { default }),
            (Some(cap), Some(asked)) if asked <= cap => Ok(asked),
            (Some(cap), Some(asked)) => {
                let why = format!("{what} is {asked}; the policy gives {cap}");
                Err(DoorError::new(DoorCode::OutsidePolicy, why))
            }
        }
    }

    /// Returns the folders uploads may come from, when the policy names them; those that were
    /// asked for have to lie inside.
    pub(crate) fn upload_roots(
        &self,
        asked: &[PathBuf],
    ) -> Result<Option<Vec<PathBuf>>, DoorError> {
        let Some(roots) = &self.policy.uploads.roots else { return Ok(None) };
        let whole = |root: &String| {
            let path = self.folder.join(root);
            let why = format!("`uploads.roots` names `{}`, which is no folder", path.display());
            let found = path.canonicalize().ok().filter(|path| path.is_dir());
            found.ok_or_else(|| DoorError::new(DoorCode::BadPolicy, why))
        };
        let roots: Vec<PathBuf> = roots.iter().map(whole).collect::<Result<_, _>>()?;
        if asked.is_empty() {
            return Ok(Some(roots));
        }
        for path in asked {
            let real = path.canonicalize().unwrap_or_else(|_| path.clone());
            if !roots.iter().any(|root| real.starts_with(root)) {
                let why = format!("`{}` is not below `uploads.roots`", path.display());
                return Err(DoorError::new(DoorCode::OutsidePolicy, why));
            }
        }
        Ok(Some(asked.to_vec()))
    }

    /// Reads every value the policy names; one that is not there stops the run.
    pub(crate) async fn values(&self) -> Result<Values, DoorError> {
        let mut values = Values::default();
        for rule in self.policy.secrets.iter().flatten() {
            let value = self.value(&rule.value, &format!("the secret `{}`", rule.name)).await?;
            values.secrets.push((rule.name.clone(), value));
        }
        for source in &self.policy.redacted_values {
            values.redacted.push(self.value(source, "a value of `redaction.values`").await?);
        }
        Ok(values)
    }

    async fn value(&self, source: &ValueSource, what: &str) -> Result<String, DoorError> {
        let missing = |why: String| {
            DoorError::new(DoorCode::Credentials, format!("{what} {why}")).detail("policy")
        };
        let text = match source {
            ValueSource::Variable(name) => wire::variable(name)
                .ok_or_else(|| missing(format!("is to be in `{name}`, which is not set")))?,
            ValueSource::File(path) => config::private_text(&self.folder.join(path))?,
            ValueSource::Command(words) => spawn::secret(words)
                .await
                .map_err(|why| missing(format!("cannot be had: {why}")))?,
        };
        let value = text.trim_end_matches(['\n', '\r']).to_owned();
        if value.is_empty() { Err(missing("is empty".to_owned())) } else { Ok(value) }
    }
}

/// Reads a file, and whose it is. One that everybody can write says nothing.
fn read(path: &Path) -> Result<(String, u32), DoorError> {
    let wrong = |why: &str| {
        DoorError::new(DoorCode::BadPolicy, format!("the policy `{}` {why}", path.display()))
    };
    let flags =
        rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, rustix::fs::Mode::empty()).map_err(|error| {
        wrong(match error {
            rustix::io::Errno::NOENT => "is not there",
            _ => "cannot be opened",
        })
    })?;
    let stat = rustix::fs::fstat(&file).map_err(|_| wrong("cannot be looked at"))?;
    if !rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file() {
        return Err(wrong("is not a plain file"));
    }
    if stat.st_mode & 0o002 != 0 {
        let hint = format!("chmod o-w {}", path.display());
        return Err(wrong("can be written by everybody").hint(hint));
    }
    if limits::FILE_BYTES_MAX < u64::try_from(stat.st_size).unwrap_or(u64::MAX) {
        return Err(wrong("is larger than any policy"));
    }
    let mut bytes = Vec::new();
    let mut file = std::io::Read::take(std::fs::File::from(file), limits::FILE_BYTES_MAX);
    std::io::Read::read_to_end(&mut file, &mut bytes).map_err(|_| wrong("cannot be read"))?;
    let text = String::from_utf8(bytes).map_err(|_| wrong("is not UTF-8"))?;
    Ok((text, stat.st_uid))
}

/// The first problem as the message, the others as details.
fn bad(path: &Path, error: &LoadError) -> DoorError {
    let why = format!("`{}`: {}", path.display(), error.first);
    let mut door = DoorError::new(DoorCode::BadPolicy, why);
    door.detail = error.rest.iter().map(ToString::to_string).collect();
    door.hint(format!("`sidestick policy check {}` tells every problem", path.display()))
}

pub(crate) fn run(context: &Context, args: &PolicyArgs) -> Result<ExitCode, DoorError> {
    match &args.what {
        PolicyVerb::Check { file } => check(context, file),
        PolicyVerb::Test { file, cases } => test(context, file, cases),
        PolicyVerb::Explain(args) => explain(context, args),
        PolicyVerb::Schema => {
            let schema = language::schema();
            let text = format!("{schema:#}\n");
            Ok(render::done(context.form, &text, json!({"schema": schema})))
        }
    }
}

fn check(context: &Context, file: &Path) -> Result<ExitCode, DoorError> {
    let (text, _) = read(file)?;
    let error = match load::policy(&text) {
        Ok(policy) => {
            let sha256 = trace::hash(text.as_bytes());
            let owner = policy.owner.map(Owner::as_str);
            let said = format!("{} is a policy, sha256 {sha256}\n", file.display());
            let value = json!({"file": file, "sha256": sha256, "owner": owner, "problems": []});
            return Ok(render::done(context.form, &said, value));
        }
        Err(error) => error,
    };
    let problems: Vec<&Problem> = error.problems().collect();
    match context.form {
        Form::Text => {
            let lines: String = problems
                .iter()
                .map(|problem| {
                    format!("{}: {}\n", file.display(), render::one_line(&problem.to_string()))
                })
                .collect();
            render::err(&format!("{lines}error: {} problem(s) (bad_policy)\n", problems.len()));
        }
        Form::Json => {
            let problem = |problem: &&Problem| {
                json!({"line": problem.line, "column": problem.column, "at": problem.at,
                    "message": problem.message, "meant": problem.meant})
            };
            render::not_ok(json!({"error": DoorCode::BadPolicy, "file": file,
                "message": error.to_string(),
                "problems": problems.iter().map(problem).collect::<Vec<_>>()}));
        }
    }
    Ok(ExitCode::from(DoorCode::BadPolicy.exit()))
}

fn test(context: &Context, file: &Path, cases: &Path) -> Result<ExitCode, DoorError> {
    let (text, _) = read(file)?;
    let policy = load::policy(&text).map_err(|error| bad(file, &error))?;
    let (text, _) = read(cases).map_err(|mut error| {
        error.error = DoorCode::BadCases;
        error
    })?;
    let all = load::cases(&text).map_err(|error| {
        let mut door = bad(cases, &error);
        (door.error, door.hint) = (DoorCode::BadCases, None);
        door
    })?;
    let said: Vec<(Case, Said)> = all
        .into_iter()
        .map(|case| {
            let said = case.ask(&policy);
            (case, said)
        })
        .collect();
    let failed = said.iter().filter(|(case, said)| !case.is_met_by(said)).count();
    let lines: String = said.iter().map(|(case, said)| case_text(case, said)).collect();
    let text = format!("{lines}{} of {} cases as demanded\n", said.len() - failed, said.len());
    let values: Vec<Value> = said.iter().map(|(case, said)| case_value(case, said)).collect();
    let value = json!({"cases": values, "failed": failed, "total": said.len()});
    if failed == 0 {
        return Ok(render::done(context.form, &text, value));
    }
    match context.form {
        Form::Text => render::out(&text),
        Form::Json => {
            let message = format!("{failed} of {} cases are not as demanded", said.len());
            let mut value = value;
            if let Value::Object(fields) = &mut value {
                fields.insert("error".into(), json!(DoorCode::CasesNotMet));
                fields.insert("message".into(), json!(message));
            }
            render::not_ok(value);
        }
    }
    Ok(ExitCode::from(DoorCode::CasesNotMet.exit()))
}

fn case_text(case: &Case, said: &Said) -> String {
    let mark = if case.is_met_by(said) { "ok  " } else { "FAIL" };
    let name = render::one_line(&case.name);
    let mut text = format!("{mark} {name} (line {}): {}", case.line, said.answer);
    if !case.is_met_by(said) {
        let code = case.code.as_ref().map(|code| format!(" {code}")).unwrap_or_default();
        let found = said.code.map(|code| format!(" {code}")).unwrap_or_default();
        text.push_str(&format!("{found}, {}{code} is demanded", case.expect.as_str()));
        if let Some(rule) = said.decided_by() {
            text.push_str(&format!("; {} says: {}", rule.source, render::one_line(&rule.says)));
        }
    }
    text.push('\n');
    text
}

fn case_value(case: &Case, said: &Said) -> Value {
    json!({"case": case.name, "line": case.line, "met": case.is_met_by(said),
        "expect": case.expect.as_str(), "decision": said.answer, "tier": said.tier,
        "code": said.code, "rule": said.decided_by().map(|rule| &rule.source.name)})
}

fn explain(context: &Context, args: &ExplainArgs) -> Result<ExitCode, DoorError> {
    let (text, _) = read(&args.file)?;
    let policy = load::policy(&text).map_err(|error| bad(&args.file, &error))?;
    let said = asked(args)?.ask(&policy);
    let decided = said.decided_by();
    let code = said.code.map(|code| format!(" {code}")).unwrap_or_default();
    let tier = said.tier.map(|tier| format!(", tier {tier}")).unwrap_or_default();
    let mut text = format!("{}{code}{tier}\n", said.answer);
    if let Some(message) = &said.message {
        text.push_str(&format!("  {}\n", render::one_line(message)));
    }
    if let Some(rule) = decided {
        text.push_str(&format!("decided by {}: {}\n", rule.source, render::one_line(&rule.says)));
    }
    text.push_str("considered, in order:\n");
    for rule in &said.considered {
        let mark = if rule.matched { "*" } else { " " };
        text.push_str(&format!("  {mark} {}: {}\n", rule.source, render::one_line(&rule.says)));
    }
    let considered: Vec<Value> = said
        .considered
        .iter()
        .map(|rule| {
            json!({"rule": rule.source.name, "line": rule.source.line, "matched": rule.matched,
                "says": rule.says})
        })
        .collect();
    let value = json!({"decision": said.answer, "tier": said.tier, "code": said.code,
        "message": said.message, "rule": decided.map(|rule| &rule.source.name),
        "line": decided.and_then(|rule| rule.source.line), "considered": considered});
    Ok(render::done(context.form, &text, value))
}

/// Makes the question of the command line.
fn asked(args: &ExplainArgs) -> Result<Case, DoorError> {
    let wrong = |why: String| DoorError::new(DoorCode::BadArguments, why);
    let kind = |word: &String| {
        ActionKind::parse(word).ok_or_else(|| {
            let kinds: Vec<&str> = ActionKind::ALL.iter().map(|kind| kind.as_str()).collect();
            wrong(format!("no action `{word}`; one of {}", kinds.join(", ")))
        })
    };
    let actors = [Actor::Agent, Actor::Replay, Actor::Assist, Actor::Human];
    let actor = actors.into_iter().find(|actor| actor.as_str() == args.actor);
    if !args.method.as_deref().is_none_or(|method| ["get", "post", "dialog"].contains(&method)) {
        return Err(wrong("a method is get, post or dialog".to_owned()));
    }
    let has_element = args.role.is_some()
        || args.name.is_some()
        || args.near.is_some()
        || args.submits
        || args.method.is_some()
        || args.form.is_some()
        || args.hidden_field;
    let element = CaseElement {
        role: args.role.clone().unwrap_or_else(|| "button".to_owned()),
        name: args.name.clone(),
        near: args.near.clone(),
        submits: args.submits,
        method: args.method.clone(),
        form: args.form.clone(),
        login: false,
        secret: args.hidden_field,
        download: false,
    };
    Ok(Case {
        name: String::new(),
        line: 1,
        url: args.url.clone(),
        frame: args.frame,
        action: args.action.as_ref().map(kind).transpose()?,
        actor: actor.ok_or_else(|| wrong(format!("`{}` is no actor", args.actor)))?,
        owner: args.owner.map(|owner| match owner {
            OwnerArg::Yours => Owner::Yours,
            OwnerArg::ThirdParty => Owner::ThirdParty,
        }),
        page: args.page.clone(),
        element: has_element.then_some(element),
        dialog: args.dialog.clone(),
        secret: args.secret.clone(),
        claim: match args.gate {
            GateArg::None => GateClaim::None,
            GateArg::Requested => GateClaim::Requested,
            GateArg::Created => GateClaim::Created,
        },
        request: args.request.clone(),
        typed: args.typed.clone(),
        expect: Expected::Allow,
        code: None,
    })
}
