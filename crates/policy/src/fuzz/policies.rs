//! Whatever stands in a policy or in a file of cases: it is read whole, or told why not.

use sidestick_model::limits;

use crate::boundary::DocumentKind;
use crate::cases::Case;
use crate::load::{self, LoadError};
use crate::policy::Policy;

/// Reads the bytes as a policy and as cases; what can be read is asked.
///
/// # Panics
///
/// Panics when a problem has no place or more than a line, or when asking a policy does.
pub fn policies(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match load::policy(&text) {
        Ok(policy) => ask(&policy, &text),
        Err(error) => told(&error),
    }
    match load::cases(&text) {
        Ok(cases) => cases.iter().take(16).for_each(answered),
        Err(error) => told(&error),
    }
}

fn told(error: &LoadError) {
    assert!(error.problems().count() <= 2 * limits::POLICY_PROBLEMS_MAX);
    for problem in error.problems() {
        assert!(1 <= problem.line && 1 <= problem.column, "{problem:?}");
        let said = problem.to_string();
        assert!(!said.contains(char::is_control), "{said:?}");
    }
}

fn ask(policy: &Policy, text: &str) {
    let Some(written) = policy.boundary.as_ref() else { return };
    let boundary = crate::Boundary::written(std::sync::Arc::clone(written));
    for address in text.lines().take(32).chain(["https://shop.example/", "about:blank"]) {
        let page = boundary.judge(address, DocumentKind::TopLevel);
        assert!(boundary.judge(address, DocumentKind::Frame) <= page, "{address}");
    }
}

fn answered(case: &Case) {
    let Ok(policy) = load::policy("version: 1\n") else { return };
    let said = case.ask(&policy);
    assert!(!said.answer.is_empty());
}

#[cfg(test)]
mod tests {
    use sidestick_testkit::mutate;

    use super::*;

    #[test]
    fn no_file_is_half_read() {
        mutate::smoke("policies", 400, policies);
    }
}
