//! From two readings to a status: what changed, and whether it is what was expected (I4, D6, D7).

use sidestick_model::Seam;
use sidestick_model::observation::{Expect, ExpectKind, Settled, Signal};
use sidestick_model::outcome::{Code, Status};

/// What the effect of a dispatched action earns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Earned {
    pub(crate) status: Status,
    pub(crate) code: Option<Code>,
    pub(crate) other_changes: Vec<Signal>,
    pub(crate) message: String,
}

/// Signals that prove nothing by themselves (VR-140).
fn is_weak(signal: Signal) -> bool {
    matches!(signal, Signal::Focus)
}

/// Classifies what was seen after a dispatch.
pub(crate) fn classify(expect: &Expect, settled: &Settled) -> Earned {
    let expected = |signal: &Signal| match expect.signal() {
        Some(named) => *signal == named,
        None => !is_weak(*signal),
    };
    let other_changes: Vec<Signal> = match expect.kind {
        ExpectKind::Any => settled.signals.iter().copied().filter(|s| is_weak(*s)).collect(),
        // A predicate names no signal, so whatever changed while it did not come true is told.
        _ if expect.is_predicate() && !settled.expect_held => settled.signals.clone(),
        _ => settled.signals.iter().copied().filter(|s| !expected(s)).collect(),
    };
    let held = if expect.is_predicate() {
        // A predicate that holds while nothing moved was not brought about (I4).
        settled.expect_held && settled.signals.iter().any(|signal| !is_weak(*signal))
    } else {
        settled.signals.iter().any(expected)
    };
    let (status, code) = status_of(expect, settled, held);
    let message = message_of(status, code, settled, &other_changes);
    Earned { status, code, other_changes, message }
}

fn status_of(expect: &Expect, settled: &Settled, held: bool) -> (Status, Option<Code>) {
    let changed = settled.signals.contains(&Signal::Value);
    if let Some(read_back) = &settled.read_back
        && !read_back.equal
        && !Seam::ReadBack.is_broken()
        && (changed || held || expect.kind == ExpectKind::ValueIs)
    {
        return (Status::Partial, None);
    }
    if held {
        return (Status::Observed, None);
    }
    if settled.still_changing
        || settled.untied
        || (expect.is_predicate() && !settled.pending.is_empty())
    {
        return (Status::Unsettled, None);
    }
    let sent = settled.requests.iter().any(|request| !is_safe(&request.method));
    let code = match (sent || settled.submitted, settled.blind.is_empty()) {
        (true, _) => Some(Code::RequestSent),
        (false, false) => Some(Code::NotObservable),
        (false, true) => None,
    };
    (Status::NoEffect, code)
}

fn is_safe(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "OPTIONS")
}

fn message_of(status: Status, code: Option<Code>, settled: &Settled, other: &[Signal]) -> String {
    let looked = settled.looked_ms;
    let others: Vec<&str> = other.iter().map(|signal| signal.as_str()).collect();
    let beside = if others.is_empty() {
        String::new()
    } else {
        format!("; {} changed, which was not expected", others.join(" and "))
    };
    let failed = settled.requests.iter().filter(|r| r.status.is_some_and(|s| 400 <= s)).count();
    let failed = if failed == 0 { String::new() } else { format!("; {failed} request(s) failed") };
    match (status, code) {
        (Status::Observed, _) => format!("seen after {looked} ms{beside}{failed}"),
        (Status::Partial, _) => format!("the field holds something else than was typed{failed}"),
        (Status::Unsettled, _) if settled.untied && !settled.still_changing => format!(
            "the page changed within {looked} ms, but nothing ties that to the action: look at \
             it again{beside}{failed}"
        ),
        (Status::Unsettled, _) => {
            format!("the page was still changing or waiting after {looked} ms{beside}{failed}")
        }
        (_, Some(Code::RequestSent)) => format!(
            "nothing expected was seen in {looked} ms, but a request went out: do not repeat \
             it{beside}{failed}"
        ),
        (_, Some(Code::NotObservable)) => format!(
            "nothing was seen in {looked} ms, and parts of the page cannot be read{beside}{failed}"
        ),
        (_, _) => format!("nothing expected was seen in {looked} ms{beside}{failed}"),
    }
}

#[cfg(test)]
mod tests {
    use sidestick_model::observation::{ReadBack, RequestSeen};

    use super::*;

    fn seen(signals: &[Signal]) -> Settled {
        Settled { signals: signals.to_vec(), ..Settled::default() }
    }

    fn status(expect: &str, settled: &Settled) -> (Status, Option<Code>) {
        let earned = classify(&Expect::parse(expect).unwrap(), settled);
        (earned.status, earned.code)
    }

    #[test]
    fn focus_alone_proves_nothing_vr_140() {
        let earned = classify(&Expect::any(), &seen(&[Signal::Focus]));

        assert_eq!(earned.status, Status::NoEffect);
        assert_eq!(earned.other_changes, [Signal::Focus]);
    }

    #[test]
    fn a_named_signal_is_the_one_that_counts_vr_144() {
        let seen = seen(&[Signal::Tree, Signal::Focus]);

        let earned = classify(&Expect::parse("url").unwrap(), &seen);
        assert_eq!(earned.status, Status::NoEffect);
        assert_eq!(earned.other_changes, [Signal::Tree, Signal::Focus]);

        let earned = classify(&Expect::parse("tree").unwrap(), &seen);
        assert_eq!(
            (earned.status, earned.other_changes.as_slice()),
            (Status::Observed, [Signal::Focus].as_slice())
        );
    }

    #[test]
    fn a_predicate_is_judged_by_itself_alone() {
        let mut settled = seen(&[Signal::Tree]);
        assert_eq!(status("text:Saved", &settled), (Status::NoEffect, None));

        settled.expect_held = true;
        assert_eq!(status("text:Saved", &settled), (Status::Observed, None));

        settled.expect_held = false;
        settled.pending = vec!["POST /save".into()];
        assert_eq!(status("text:Saved", &settled), (Status::Unsettled, None));
    }

    #[test]
    fn read_back_that_differs_is_partial_even_when_something_changed_d7() {
        let mut settled = seen(&[Signal::Value]);
        settled.read_back = Some(ReadBack { equal: false, ..ReadBack::default() });
        assert_eq!(status("any", &settled), (Status::Partial, None));

        settled.read_back = Some(ReadBack { equal: true, ..ReadBack::default() });
        assert_eq!(status("any", &settled), (Status::Observed, None));
    }

    #[test]
    fn a_field_that_took_nothing_had_no_effect() {
        let mut settled = seen(&[Signal::Focus]);
        settled.read_back = Some(ReadBack { equal: false, ..ReadBack::default() });

        assert_eq!(status("any", &settled), (Status::NoEffect, None));
    }

    #[test]
    fn a_request_that_went_out_forbids_a_repeat() {
        let mut settled = seen(&[]);
        settled.requests = vec![RequestSeen { method: "POST".into(), ..RequestSeen::default() }];
        assert_eq!(status("any", &settled), (Status::NoEffect, Some(Code::RequestSent)));

        settled.requests = vec![RequestSeen { method: "GET".into(), ..RequestSeen::default() }];
        assert_eq!(status("any", &settled), (Status::NoEffect, None));
    }

    #[test]
    fn a_change_that_nothing_ties_to_the_input_is_neither_an_effect_nor_none() {
        let settled = Settled { untied: true, ..seen(&[]) };
        assert_eq!(status("any", &settled), (Status::Unsettled, None));

        let settled = Settled { untied: true, ..seen(&[Signal::Url]) };
        assert_eq!(status("any", &settled), (Status::Observed, None));
    }

    #[test]
    fn noise_is_no_signal_and_a_moving_page_is_unsettled() {
        let mut settled = seen(&[]);
        settled.still_changing = true;

        assert_eq!(status("any", &settled), (Status::Unsettled, None));
    }
}
