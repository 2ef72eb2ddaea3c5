//! The trace: intend and conclude lines, appended, each holding the hash of the line before it.
//!
//! INVARIANT: an act is dispatched only after its intent is in the file (one `write`), and every
//! intent gets exactly one conclusion (I3). Whoever opens a run whose host is dead closes what is
//! open with `UNKNOWN` `recovered`.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use sidestick_model::{ActId, RunId, limits};
use sidestick_policy::Redacted;

use crate::files::{self, FilesError};
use crate::key::{RecordKey, to_hex};

/// Why the record cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be used.
    #[error("the record cannot be written")]
    Files(#[from] FilesError),
    /// An intent for an act that has one, or a conclusion for an act that has none open.
    #[error("act {act} has no open intent to {what}")]
    OutOfOrder {
        /// The act.
        act: ActId,
        /// What was tried.
        what: &'static str,
    },
    /// A line is not what was written.
    #[error("line {line} of the record is damaged")]
    Damaged {
        /// The line, from 1.
        line: u64,
    },
}

/// Returns the SHA-256 of bytes in hex.
pub fn hash(bytes: &[u8]) -> String {
    to_hex(&Sha256::digest(bytes))
}

/// The hash that stands before the first line.
pub fn origin() -> String {
    "0".repeat(64)
}

/// An open trace.
#[derive(Debug)]
pub struct Trace {
    path: PathBuf,
    file: File,
    run: RunId,
    lines: u64,
    head: String,
    /// Lines when the head was last signed.
    signed: u64,
    open: BTreeMap<u32, ()>,
}

impl Trace {
    /// Starts the trace of a new run.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be made.
    pub fn create(dir: &Path, run: RunId) -> Result<Trace, TraceError> {
        let path = dir.join("trace.jsonl");
        let file = files::append_file(&path)?;
        Ok(Trace { path, file, run, lines: 0, head: origin(), signed: 0, open: BTreeMap::new() })
    }

    /// Opens the trace of a run that has one, cutting off a torn last line.
    ///
    /// # Errors
    ///
    /// Fails when a whole line is damaged.
    pub fn reopen(dir: &Path, run: RunId) -> Result<Trace, TraceError> {
        let path = dir.join("trace.jsonl");
        let (file, text) = files::reopen_lines(&path, files::TRACE_BYTES_MAX)?;
        let (head, open) = (origin(), BTreeMap::new());
        let mut trace = Trace { path, file, run, lines: 0, head, signed: 0, open };
        for line in text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            trace.lines += 1;
            let value: Value = serde_json::from_slice(line)
                .map_err(|_| TraceError::Damaged { line: trace.lines })?;
            trace.head = hash(line);
            let act = value.get("act").and_then(Value::as_str).and_then(|a| ActId::parse(a).ok());
            match (value.get("kind").and_then(Value::as_str), act) {
                (Some("intend"), Some(act)) => drop(trace.open.insert(act.0, ())),
                (Some("conclude"), Some(act)) => drop(trace.open.remove(&act.0)),
                (Some("sign"), _) => trace.signed = trace.lines,
                _ => {}
            }
        }
        Ok(trace)
    }

    /// Writes down what is about to happen; on disk when this returns with `flush`.
    ///
    /// # Errors
    ///
    /// On any failure nothing may be dispatched.
    pub fn intend(
        &mut self,
        act: ActId,
        at: &str,
        body: Redacted<Value>,
        flush: bool,
    ) -> Result<(), TraceError> {
        if self.open.contains_key(&act.0) {
            return Err(TraceError::OutOfOrder { act, what: "open again" });
        }
        self.append("intend", at, Some(act), body)?;
        self.open.insert(act.0, ());
        if flush { self.flush() } else { Ok(()) }
    }

    /// Writes down how it ended.
    ///
    /// # Errors
    ///
    /// Fails when the act has no open intent, or the file cannot be written.
    pub fn conclude(
        &mut self,
        act: ActId,
        at: &str,
        body: Redacted<Value>,
    ) -> Result<(), TraceError> {
        if !self.open.contains_key(&act.0) {
            return Err(TraceError::OutOfOrder { act, what: "conclude" });
        }
        self.append("conclude", at, Some(act), body)?;
        self.open.remove(&act.0);
        Ok(())
    }

    /// Writes down an act that was refused before anything was intended. For an act whose intent is
    /// in the file though it could not be flushed, this is its one conclusion (I3).
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub fn refuse(
        &mut self,
        act: ActId,
        at: &str,
        body: Redacted<Value>,
    ) -> Result<(), TraceError> {
        if self.open.contains_key(&act.0) {
            return self.conclude(act, at, body);
        }
        self.append("refuse", at, Some(act), body)
    }

    /// Writes down anything else that belongs in the chain.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub fn event(
        &mut self,
        kind: &'static str,
        at: &str,
        body: Redacted<Value>,
    ) -> Result<(), TraceError> {
        self.append(kind, at, None, body)
    }

    /// Signs the head of the chain and puts it on the disk.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub fn sign(&mut self, at: &str, key: &RecordKey) -> Result<(), TraceError> {
        let signature = key.sign(&signed_text(&self.run, self.lines, at, &self.head));
        let body = signed_body(self.lines, &self.head, &key.public(), &signature);
        self.append("sign", at, None, Redacted::from_ours(body))?;
        self.signed = self.lines;
        self.flush()
    }

    /// Returns whether a signature is due (I3: every [`limits::SIGN_LINES`] lines).
    pub fn sign_is_due(&self) -> bool {
        // Counted from the last one: intents are not followed by a check, so a fixed beat would
        // be missed.
        limits::SIGN_LINES <= self.lines - self.signed
    }

    /// Returns the acts that were intended and not concluded.
    pub fn open_acts(&self) -> Vec<ActId> {
        self.open.keys().copied().map(ActId).collect()
    }

    fn append(
        &mut self,
        kind: &'static str,
        at: &str,
        act: Option<ActId>,
        body: Redacted<Value>,
    ) -> Result<(), TraceError> {
        let bytes = line(self.lines + 1, &self.head, at, kind, act, body.into_inner());
        files::append_line(&self.file, &self.path, &bytes)?;
        self.lines += 1;
        self.head = hash(&bytes);
        Ok(())
    }

    fn flush(&self) -> Result<(), TraceError> {
        Ok(files::flush(&self.file, &self.path)?)
    }
}

fn line(number: u64, prev: &str, at: &str, kind: &str, act: Option<ActId>, body: Value) -> Vec<u8> {
    let mut line = Map::new();
    line.insert("n".into(), json!(number));
    line.insert("prev".into(), json!(prev));
    line.insert("at".into(), json!(at));
    line.insert("kind".into(), json!(kind));
    if let Some(act) = act {
        line.insert("act".into(), json!(act.to_string()));
    }
    line.insert("body".into(), body);
    Value::Object(line).to_string().into_bytes()
}

fn signed_body(lines: u64, head: &str, key: &str, signature: &str) -> Value {
    json!({"head": head, "lines": lines, "key": key, "signature": signature})
}

/// Returns the one line that holds a signature over what stands before it.
pub(crate) fn signed_line(lines: u64, head: &str, at: &str, key: &str, signature: &str) -> Vec<u8> {
    line(lines + 1, head, at, "sign", None, signed_body(lines, head, key, signature))
}

/// The text a signature is made over: everything its own line says, because no line may follow it.
pub fn signed_text(run: &RunId, lines: u64, at: &str, head: &str) -> String {
    format!("sidestick-record-2\n{run}\n{lines}\n{at}\n{head}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> RunId {
        RunId::parse("20261201T101500-ab12").unwrap()
    }

    fn body() -> Redacted<Value> {
        Redacted::from_ours(json!({"x": 1}))
    }

    #[test]
    fn an_intent_gets_exactly_one_conclusion() {
        let dir = tempfile::tempdir().unwrap();
        let mut trace = Trace::create(dir.path(), run()).unwrap();

        assert!(trace.conclude(ActId(1), "t", body()).is_err());
        trace.intend(ActId(1), "t", body(), true).unwrap();
        assert!(trace.intend(ActId(1), "t", body(), false).is_err());
        trace.conclude(ActId(1), "t", body()).unwrap();
        assert!(trace.conclude(ActId(1), "t", body()).is_err());
    }

    /// A pipe takes lines and cannot be flushed.
    #[test]
    fn an_intent_that_could_not_be_flushed_has_one_conclusion_and_no_refusal_beside_it() {
        let dir = tempfile::tempdir().unwrap();
        let mut trace = Trace::create(dir.path(), run()).unwrap();
        let (read, write) = rustix::pipe::pipe().unwrap();
        trace.file = write.into();

        trace.intend(ActId(1), "t", body(), true).unwrap_err();
        trace.refuse(ActId(1), "t", body()).unwrap();

        assert_eq!(trace.open_acts(), []);
        drop(trace);
        let mut text = String::new();
        std::io::Read::read_to_string(&mut File::from(read), &mut text).unwrap();
        let kind = |line: &str| serde_json::from_str::<Value>(line).unwrap()["kind"].clone();
        assert_eq!(text.lines().map(kind).collect::<Vec<_>>(), ["intend", "conclude"]);
    }

    #[test]
    fn a_torn_last_line_is_cut_and_the_open_act_is_known() {
        let dir = tempfile::tempdir().unwrap();
        let mut trace = Trace::create(dir.path(), run()).unwrap();
        trace.intend(ActId(1), "t", body(), false).unwrap();
        trace.conclude(ActId(1), "t", body()).unwrap();
        trace.intend(ActId(2), "t", body(), false).unwrap();
        drop(trace);
        let path = dir.path().join("trace.jsonl");
        let mut bytes = std::fs::read(&path).unwrap();
        bytes.extend_from_slice(b"{\"n\":4,\"pre");
        std::fs::write(&path, &bytes).unwrap();

        let trace = Trace::reopen(dir.path(), run()).unwrap();

        assert_eq!(trace.open_acts(), [ActId(2)]);
        assert_eq!(std::fs::read(&path).unwrap().split(|b| *b == b'\n').count(), 4);
    }

    #[test]
    fn a_damaged_line_is_not_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("trace.jsonl"), "{\"n\":1}\nnot json\n{\"n\":3}\n").unwrap();

        let error = Trace::reopen(dir.path(), run()).unwrap_err();

        assert!(matches!(error, TraceError::Damaged { line: 2 }));
    }
}
