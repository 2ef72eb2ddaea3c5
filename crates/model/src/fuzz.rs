//! What must hold of the written forms of words, whatever somebody writes.
//!
//! Compiled for tests and for `fuzz/` alone.

use crate::action::{Action, ActionKind, Chord};
use crate::id::{ActId, FindingId, GoalId, ObservationId, RunId};
use crate::observation::Expect;
use crate::outcome::{Code, Outcome, Status};
use crate::target::{Target, is_ref};

/// Reads `bytes` as every word there is, whole and line by line.
///
/// # Panics
///
/// Panics when the written form of what was read is read differently, or an identity could leave
/// its folder.
pub fn words(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for word in std::iter::once(&*text).chain(text.lines().take(64)) {
        leads_back(word);
        documents(word);
    }
}

/// Checks the words a person writes: a written form is read as what it was written from.
fn leads_back(word: &str) {
    if let Ok(expect) = Expect::parse(word) {
        assert_eq!(expect.to_string(), word, "an expectation is written otherwise");
    }
    if let Ok(chord) = Chord::parse(word) {
        let written = chord.to_string();
        assert_eq!(Chord::parse(&written).as_ref(), Ok(&chord), "`{written}` is another chord");
        let digits = chord.key.strip_prefix('F').filter(|digits| !digits.is_empty());
        assert!(!digits.is_some_and(|digits| digits.starts_with('0')), "no key is called {chord}");
    }
    if let Ok(run) = RunId::parse(word) {
        assert!(run.as_str() == word && !word.contains(['/', '.', '\0']), "a run id is a folder");
    }
    if let Ok(goal) = GoalId::parse(word) {
        assert!(goal.as_str() == word && !word.contains(['/', '\n']), "a goal id is one word");
    }
    if let Ok(act) = ActId::parse(word) {
        assert_eq!(act.to_string(), word, "an act has one written form");
    }
    if let Ok(observation) = ObservationId::parse(word) {
        assert_eq!(observation.to_string(), word, "an observation has one written form");
    }
    if let Ok(finding) = FindingId::parse(word) {
        assert_eq!(finding.to_string(), word, "a finding has one written form");
    }
    let words = [
        Status::parse(word).map(Status::as_str),
        Code::parse(word).map(Code::as_str),
        ActionKind::parse(word).map(ActionKind::as_str),
    ];
    assert!(words.into_iter().flatten().all(|written| written == word), "a word is itself");
    assert!(!is_ref(word) || word.is_ascii(), "a ref is letters, digits and dots");
}

/// Checks documents: what was read is written and read the same.
fn documents(text: &str) {
    same::<Target>(text);
    same::<Action>(text);
    same::<Outcome>(text);
}

fn same<T>(text: &str)
where
    T: serde::Serialize + for<'a> serde::Deserialize<'a> + PartialEq + std::fmt::Debug,
{
    let Ok(read) = serde_json::from_str::<T>(text) else { return };
    let Ok(written) = serde_json::to_string(&read) else { return };
    assert_eq!(serde_json::from_str::<T>(&written).ok(), Some(read), "{written}");
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_written_word_is_read_as_what_it_was_written_from() {
        sidestick_testkit::mutate::smoke("words", 12_000, super::words);
    }
}
