//! Whether a run folder is whole and unaltered, and what that does and does not prove.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use sidestick_model::RunId;

use crate::downloads;
use crate::files;
use crate::key;
use crate::run::{self, RunError};
use crate::trace::{self, signed_text};

/// What a check of a record found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// The run.
    pub run: RunId,
    /// Whether nothing was found to be wrong.
    pub whole: bool,
    /// Lines of the trace.
    pub lines: u64,
    /// Lines under a valid signature.
    pub signed_lines: u64,
    /// The public key of the signatures.
    pub key: Option<String>,
    /// Acts that were intended.
    pub intents: u64,
    /// Acts closed because their host died.
    pub recovered: u64,
    /// Files whose hash is in the chain and agrees.
    pub files: u64,
    /// What is wrong.
    pub problems: Vec<String>,
    /// What a whole record proves.
    pub proves: &'static str,
    /// What it does not prove.
    pub does_not_prove: &'static str,
}

const PROVES: &str = "the lines, pictures, downloads and reports are those written by this program under \
    this user's key, in this order, with none taken out before the last signature";
const DOES_NOT_PROVE: &str = "that no process with this user's rights wrote another record with \
    the same key, that lines after the last signature are complete, or that the application \
    told the truth";

/// Problems listed at most.
const PROBLEMS_MAX: usize = 50;

/// Checks the chain, its signatures, its intents, and every file bound to it; with `own_key`, that
/// it is this user's key that signed.
///
/// # Errors
///
/// Fails when the folder has no trace to check.
pub fn verify(dir: &Path, run: &RunId, own_key: Option<&str>) -> Result<Verification, RunError> {
    let bytes = files::read_file(&dir.join("trace.jsonl"), files::TRACE_BYTES_MAX)?;
    let mut check = Check::new(dir, run);
    let torn = bytes.last().is_some_and(|byte| *byte != b'\n');
    let lines = bytes.strip_suffix(b"\n").unwrap_or(&bytes);
    for line in lines.split(|byte| *byte == b'\n').filter(|_| !bytes.is_empty()) {
        check.line(line);
    }
    if torn {
        check.problem("the last line is torn".to_owned());
    }
    if let (Some(own), Some(key)) = (own_key, check.found.key.clone())
        && own != key
    {
        check.problem(format!("it is signed with the key {key}, which is not this user's"));
    }
    Ok(check.finish())
}

/// Returns whether anything beside the trace says that the run has ended.
fn has_ended(dir: &Path, run: &RunId) -> bool {
    dir.join("report.json").exists()
        || run::read_state(dir, run).is_ok_and(|state| run::has_ended(&state.head))
}

struct Check<'a> {
    dir: &'a Path,
    head: String,
    open: BTreeMap<String, u64>,
    closed: BTreeMap<String, u64>,
    found: Verification,
    ended: bool,
}

impl Check<'_> {
    fn new<'a>(dir: &'a Path, run: &RunId) -> Check<'a> {
        let found = Verification {
            run: run.clone(),
            whole: true,
            lines: 0,
            signed_lines: 0,
            key: None,
            intents: 0,
            recovered: 0,
            files: 0,
            problems: Vec::new(),
            proves: PROVES,
            does_not_prove: DOES_NOT_PROVE,
        };
        let (open, closed) = (BTreeMap::new(), BTreeMap::new());
        Check { dir, head: trace::origin(), open, closed, found, ended: false }
    }

    fn problem(&mut self, text: String) {
        self.found.whole = false;
        if self.found.problems.len() < PROBLEMS_MAX {
            self.found.problems.push(text);
        }
    }

    fn line(&mut self, bytes: &[u8]) {
        self.found.lines += 1;
        let number = self.found.lines;
        let Ok(line) = serde_json::from_slice::<Value>(bytes) else {
            self.problem(format!("line {number} is damaged"));
            self.head = trace::hash(bytes);
            return;
        };
        if line.get("n").and_then(Value::as_u64) != Some(number) {
            self.problem(format!("line {number} has another number"));
        }
        if line.get("prev").and_then(Value::as_str) != Some(self.head.as_str()) {
            self.problem(format!("line {number} does not follow the line before it"));
        }
        let act = line.get("act").and_then(Value::as_str).unwrap_or_default().to_owned();
        match line.get("kind").and_then(Value::as_str) {
            Some("intend") => self.intent(act, number),
            Some("conclude") => self.conclusion(&act, number, &line),
            Some("sign") => self.signature(number, &line, bytes),
            Some("picture") => self.file(number, &line),
            Some("download") => self.download(number, &line),
            Some("end") => self.reports(number, &line),
            _ => {}
        }
        self.head = trace::hash(bytes);
    }

    fn intent(&mut self, act: String, number: u64) {
        self.found.intents += 1;
        if self.open.insert(act, number).is_some() {
            self.problem(format!("line {number} intends an act that is open"));
        }
    }

    fn conclusion(&mut self, act: &str, number: u64, line: &Value) {
        if self.open.remove(act).is_none() || self.closed.insert(act.to_owned(), number).is_some() {
            self.problem(format!("line {number} concludes an act that is not open"));
        }
        if line.pointer("/body/code").and_then(Value::as_str) == Some("recovered") {
            self.found.recovered += 1;
        }
    }

    /// No line may follow a signature, so nothing else binds its line: it has to be, byte by byte,
    /// the one that would be written.
    fn signature(&mut self, number: u64, line: &Value, bytes: &[u8]) {
        let part = |name: &str| line.pointer(name).and_then(Value::as_str);
        let (at, key, signature) = (part("/at"), part("/body/key"), part("/body/signature"));
        let holds = match (at, key, signature) {
            (Some(at), Some(key), Some(signature)) => {
                let text = signed_text(&self.found.run, number - 1, at, &self.head);
                trace::signed_line(number - 1, &self.head, at, key, signature) == bytes
                    && key::is_signed(key, &text, signature)
            }
            _ => false,
        };
        let key = key.map(str::to_owned);
        if !holds {
            self.problem(format!("the signature in line {number} does not hold"));
            return;
        }
        if self.found.key.is_some() && self.found.key != key {
            self.problem(format!("line {number} is signed with another key"));
        }
        self.found.key = key;
        self.found.signed_lines = number;
    }

    fn file(&mut self, number: u64, line: &Value) {
        let name = line.pointer("/body/file").and_then(Value::as_str).unwrap_or_default();
        let hash = line.pointer("/body/sha256").and_then(Value::as_str).unwrap_or_default();
        let name = name.to_owned();
        if hash.is_empty() {
            self.problem(format!("line {number} binds no file"));
            return;
        }
        self.compare(number, &name, hash);
    }

    /// A download may be larger than what is read at once.
    fn download(&mut self, number: u64, line: &Value) {
        let part = |name: &str| line.pointer(name).and_then(Value::as_str).unwrap_or_default();
        let (name, hash) = (part("/body/file").to_owned(), part("/body/sha256"));
        let is_one = name.strip_prefix("downloads/").is_some_and(|rest| !rest.contains('/'));
        if !is_one || hash.is_empty() {
            self.problem(format!("line {number} binds no file"));
            return;
        }
        let found = downloads::hash_at(&self.dir.join(&name));
        self.agree(&name, found.ok().as_deref(), hash);
    }

    fn compare(&mut self, number: u64, name: &str, hash: &str) {
        if name.is_empty() || name.contains("..") || name.starts_with('/') {
            self.problem(format!("line {number} binds no file"));
            return;
        }
        let read = files::read_file(&self.dir.join(name), files::TRACE_BYTES_MAX);
        self.agree(name, read.ok().map(|bytes| trace::hash(&bytes)).as_deref(), hash);
    }

    fn agree(&mut self, name: &str, found: Option<&str>, hash: &str) {
        match found {
            Some(found) if found == hash => self.found.files += 1,
            Some(_) => self.problem(format!("`{name}` was altered")),
            None => self.problem(format!("`{name}` is missing")),
        }
    }

    fn reports(&mut self, number: u64, line: &Value) {
        self.ended = true;
        let hashes = line.get("body").and_then(Value::as_object).cloned().unwrap_or_default();
        for (name, hash) in hashes {
            if let Some(hash) = hash.as_str() {
                self.compare(number, &name, hash);
            }
        }
    }

    fn finish(mut self) -> Verification {
        let open: Vec<String> = self.open.keys().cloned().collect();
        for act in open {
            self.problem(format!("act {act} has no conclusion"));
        }
        if !self.ended && has_ended(self.dir, &self.found.run) {
            self.problem("the run has ended, and its end is not in the record".to_owned());
        }
        if self.ended && self.found.signed_lines < self.found.lines {
            self.problem("the last line of an ended run is not signed".to_owned());
        }
        self.found
    }
}
