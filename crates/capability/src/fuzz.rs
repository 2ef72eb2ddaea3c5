//! What must hold of scripts, whatever somebody writes into one.
//!
//! Compiled for tests and for `fuzz/` alone.

use sidestick_model::step::{Script, Step};

use crate::script::{self, ScriptError};

/// Reads `bytes` as a script.
///
/// # Panics
///
/// Panics when a script that was read is another one after it was written, when one of its steps
/// is no action, or when what is wrong with it is not said in one line.
pub fn scripts(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match script::read(&text) {
        Ok(script) => carried(&script),
        Err(error) => told(&error),
    }
}

fn carried(script: &Script) {
    assert_eq!(script.version, script::VERSION, "another version is not read");
    let written = serde_json::to_string(script).unwrap_or_default();
    let again: Option<Script> = serde_json::from_str(&written).ok();
    assert_eq!(again.as_ref(), Some(script), "a script is read as it was written");
    for step in script.goals.iter().flat_map(|goal| &goal.steps) {
        if let Step::Act(step) = step {
            let action = script::action(step);
            assert!(action.is_ok(), "a step that was checked is no action: {action:?}");
            let kind = action.map(|action| action.kind().as_str()).unwrap_or_default();
            assert_eq!(kind, step.act, "a step is another action");
        }
    }
}

fn told(error: &ScriptError) {
    let message = error.to_string();
    let is_plain = !message.contains(char::is_control);
    assert!(is_plain && message.chars().count() < 500, "not one short line: {message}");
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use sidestick_testkit::mutate;

    #[test]
    fn a_script_is_read_whole_or_refused_in_one_line() {
        mutate::smoke("scripts", 1_500, super::scripts);
    }

    /// Names for parts of a script must not make a small file large.
    #[test]
    fn a_script_that_unfolds_without_end_is_refused_in_time() {
        let names: Vec<String> = ('a'..='z').map(|letter| format!("x{letter}")).collect();
        let mut bomb = String::from("version: 1\ntarget: x\nxa: &xa [lol, lol]\n");
        for pair in names.windows(2) {
            let (old, new) = (&pair[0], &pair[1]);
            let nine = vec![format!("*{old}"); 9].join(", ");
            bomb.push_str(&format!("{new}: &{new} [{nine}]\n"));
        }
        let million = 1024 * 1024;
        for text in [
            bomb,
            "[".repeat(million),
            "- ".repeat(million / 2),
            "a: ".repeat(million / 3),
            "{a: ".repeat(million / 4),
            "&a ".repeat(million / 3),
            format!("goals: {}", "? ".repeat(million / 2)),
            format!("target: \"{}", "\\u0000".repeat(million / 6)),
            format!("target: '{}", "''".repeat(million / 2)),
            " \n".repeat(million / 2),
            "# \n".repeat(million / 3),
        ] {
            let started = Instant::now();

            super::scripts(text.as_bytes());

            let head: String = text.chars().take(12).collect();
            assert!(started.elapsed() < mutate::INPUT_TIME_MAX, "{head} {:?}", started.elapsed());
        }
    }
}
