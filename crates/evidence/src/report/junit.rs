//! The report as JUnit XML: each goal is a test case.
//!
//! A build server must not go green on what is not proven: `fail`, and a pass that the record
//! denies, are failures; `partial` and a goal without a verdict are errors; `blocked` is skipped.

use sidestick_model::record::{Goal, Report, Verdict};

use super::text::{entities, esc, many_lines};
use super::words;

/// Returns the report as JUnit XML.
pub fn junit(report: &Report) -> String {
    let cases: Vec<(Ending, String)> =
        report.goals.iter().map(|goal| (Ending::of(goal), case(report, goal))).collect();
    let count = |ending: Ending| cases.iter().filter(|(of, _)| *of == ending).count();
    let millis =
        report.acts.iter().fold(0, |sum: u64, line| sum.saturating_add(line.outcome.elapsed_ms));
    let counts = format!(
        "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\"",
        cases.len(),
        count(Ending::Failure),
        count(Ending::Error),
        count(Ending::Skipped),
        seconds(millis),
    );
    let run = &report.run;
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"sidestick\" {counts}>\n\
         <testsuite name=\"sidestick {}\" timestamp=\"{}\" {counts}>\n",
        run.run_id,
        esc(&run.started),
    );
    out.push_str(&properties(report));
    for (_, case) in &cases {
        out.push_str(case);
    }
    out.push_str("</testsuite>\n</testsuites>\n");
    out
}

/// How a test case ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Passed,
    Failure,
    Error,
    Skipped,
}

impl Ending {
    fn of(goal: &Goal) -> Ending {
        match goal.status {
            Verdict::Pass if words::is_denied(goal) => Ending::Failure,
            Verdict::Pass => Ending::Passed,
            Verdict::Fail => Ending::Failure,
            Verdict::Partial | Verdict::Unset => Ending::Error,
            Verdict::Blocked => Ending::Skipped,
        }
    }

    fn element(self) -> Option<&'static str> {
        match self {
            Ending::Passed => None,
            Ending::Failure => Some("failure"),
            Ending::Error => Some("error"),
            Ending::Skipped => Some("skipped"),
        }
    }
}

fn properties(report: &Report) -> String {
    let run = &report.run;
    let mut pairs = vec![
        ("target", run.target.clone()),
        ("owner", run.owner.as_str().to_owned()),
        ("authority", run.authority.clone()),
        ("egress", run.egress.clone()),
        ("policy", words::policy(run)),
        ("driver", format!("{} {}", run.driver, run.driver_version)),
    ];
    pairs.extend(run.stopped_reason.iter().map(|reason| ("stopped", reason.clone())));
    if !run.test_overrides.is_empty() {
        pairs.push(("warning", words::OVERRIDES.to_owned()));
    }
    pairs.extend(run.test_overrides.iter().map(|name| ("test-override", name.clone())));
    let mut out = String::from("<properties>\n");
    for (name, value) in pairs {
        out.push_str(&format!("<property name=\"{name}\" value=\"{}\"/>\n", esc(&value)));
    }
    out.push_str("</properties>\n");
    out
}

fn case(report: &Report, goal: &Goal) -> String {
    let acts = || report.acts.iter().filter(|line| goal.acts.contains(&line.outcome.act));
    let millis = acts().fold(0, |sum: u64, line| sum.saturating_add(line.outcome.elapsed_ms));
    let mut out = format!(
        "<testcase classname=\"sidestick\" name=\"{}: {}\" time=\"{}\">\n",
        goal.goal_id,
        esc(&goal.title),
        seconds(millis),
    );
    if let Some(element) = Ending::of(goal).element() {
        let status = goal.status.as_str();
        out.push_str(&format!(
            "<{element} type=\"{status}\" message=\"{}\">{}</{element}>\n",
            esc(&message(goal)),
            entities(&many_lines(&goal.summary)),
        ));
    }
    out.push_str("<system-out>");
    for line in acts() {
        let outcome = &line.outcome;
        let why = outcome.code.map_or(String::new(), |code| format!(" {}", code.as_str()));
        out.push_str(&format!("{} {}{why} {}\n", outcome.act, outcome.status, esc(&line.asked)));
    }
    let plain = |text: &str| format!("\"{}\"", esc(text));
    match &goal.verified {
        Some(check) => out.push_str(&format!(
            "checked: the record {}, {}",
            if check.holds { "agrees" } else { "denies it" },
            words::verified(check, &plain),
        )),
        None => out.push_str("checked: only the screen was read"),
    }
    out.push_str("</system-out>\n</testcase>\n");
    out
}

fn message(goal: &Goal) -> String {
    let summary = match goal.summary.as_str() {
        "" => "no summary was given",
        summary => summary,
    };
    if words::is_denied(goal) {
        return format!("the record denies the screen: {summary}");
    }
    match goal.status {
        Verdict::Unset => "no verdict was given".to_owned(),
        Verdict::Pass | Verdict::Fail | Verdict::Blocked | Verdict::Partial => summary.to_owned(),
    }
}

fn seconds(millis: u64) -> String {
    format!("{}.{:03}", millis / 1_000, millis % 1_000)
}
