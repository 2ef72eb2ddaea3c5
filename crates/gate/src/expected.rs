//! How bad a failure is, and whether the run was told to expect it.

use sidestick_model::record::Severity;

/// A server that fails is worse than one that says no.
pub(crate) fn severity_of(status: Option<u16>) -> Severity {
    match status {
        Some(status) if status < 500 => Severity::Warning,
        Some(_) | None => Severity::Error,
    }
}

/// Returns whether the words of a pattern stand in a summary, in order and whatever their case;
/// `*` stands for anything between them.
pub(crate) fn is_like(summary: &str, pattern: &str) -> bool {
    let (summary, pattern) = (summary.to_lowercase(), pattern.to_lowercase());
    let mut rest = summary.as_str();
    for part in pattern.split('*').map(str::trim).filter(|part| !part.is_empty()) {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_is_found_in_order_and_whatever_its_case() {
        let summary = "failed request: POST http://a/api/orders/7 -> 404";
        for (pattern, is_it) in [
            ("post * 404", true),
            ("/api/orders", true),
            ("*/orders/*-> 404", true),
            ("404 * post", false),
            ("-> 500", false),
        ] {
            assert_eq!(is_like(summary, pattern), is_it, "{pattern}");
        }
    }

    #[test]
    fn no_answer_and_a_failing_server_are_errors() {
        let of = |status| severity_of(status);
        assert_eq!((of(None), of(Some(503))), (Severity::Error, Severity::Error));
        assert_eq!((of(Some(404)), of(Some(422))), (Severity::Warning, Severity::Warning));
    }
}
