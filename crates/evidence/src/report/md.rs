//! The report as Markdown (VR-195, VR-196).
//!
//! What the application wrote is one code span on one line. What the caller's model wrote keeps
//! its Markdown inside a block quote that it cannot end, without raw HTML, images and links.

use sidestick_model::record::{ActLine, Finding, Goal, Report};

use super::text::{link_to, many_lines, one_line};
use super::words::{self, counted};

/// Changes of one act that are told; the rest is counted.
const CHANGES_MAX: usize = 5;

/// Returns the report as Markdown.
pub fn markdown(report: &Report) -> String {
    let mut out = String::new();
    overrides(&mut out, report);
    head(&mut out, report);
    out.push_str("\n## Goals\n\n");
    if report.goals.is_empty() {
        out.push_str("No goals.\n");
    }
    for goal in &report.goals {
        goal_part(&mut out, report, goal);
    }
    let unlisted = words::unlisted(report);
    if !unlisted.is_empty() {
        out.push_str("### Acts of no goal\n\n");
        for line in unlisted {
            act_line(&mut out, line);
        }
        out.push('\n');
    }
    findings(&mut out, report);
    gates(&mut out, report);
    state_left(&mut out, report);
    out
}

fn overrides(out: &mut String, report: &Report) {
    if report.run.test_overrides.is_empty() {
        return;
    }
    out.push_str(&format!("{}\n\n", words::OVERRIDES));
    for name in &report.run.test_overrides {
        out.push_str(&format!("- {}\n", code(name)));
    }
    out.push('\n');
}

fn head(out: &mut String, report: &Report) {
    let run = &report.run;
    let or_none = |text: &Option<String>| text.as_deref().map_or("none".to_owned(), code);
    let moment = |at: &str| words::moment(at, &code);
    let ended = run.ended.as_deref().map_or("not ended".to_owned(), moment);
    let attended = if run.attended { "attended" } else { "unattended" };
    let sandbox = if run.sandbox { "on" } else { "off" };
    let budget = &report.budget;
    let lines = [
        ("Target", code(&run.target)),
        ("Request", or_none(&run.request)),
        ("Owner", format!("{}, {attended}", run.owner.as_str())),
        ("Authority", code(&run.authority)),
        ("Egress", code(&run.egress)),
        ("Policy", code(&words::policy(run))),
        ("Driver", format!("{} {}", code(&run.driver), code(&run.driver_version))),
        ("Sandbox", sandbox.to_owned()),
        ("Allowed", list(&run.allow, "nothing beyond the target")),
        ("Started", moment(&run.started)),
        ("Ended", ended),
        ("Stopped", or_none(&run.stopped_reason)),
        ("Budget", format!("{} of {} actions", budget.run_used, budget.run_cap)),
    ];
    out.push_str(&format!("# Run {}\n\n", run.run_id));
    for (name, value) in lines {
        out.push_str(&format!("- {name}: {value}\n"));
    }
    if run.recovered {
        out.push_str("- Recovered: the host of this run died, and another closed its record\n");
    }
}

fn goal_part(out: &mut String, report: &Report, goal: &Goal) {
    let status = goal.status.as_str();
    out.push_str(&format!("### {}: {} ({status})\n\n", goal.goal_id, code(&goal.title)));
    if !goal.summary.is_empty() {
        out.push_str(&block(&goal.summary));
        out.push('\n');
    }
    if let Some(proof) = goal.proof {
        out.push_str(&format!("- Proof: {proof}\n"));
    }
    out.push_str(&format!("- Checked: {}\n", checked(goal)));
    if !goal.findings.is_empty() {
        let ids: Vec<String> = goal.findings.iter().map(ToString::to_string).collect();
        out.push_str(&format!("- Findings: {}\n", ids.join(", ")));
    }
    if !goal.evidence.is_empty() {
        let links: Vec<String> = goal.evidence.iter().map(|path| link(path)).collect();
        out.push_str(&format!("- Evidence: {}\n", links.join(", ")));
    }
    if !goal.acts.is_empty() {
        out.push_str("- Acts:\n");
    }
    for id in &goal.acts {
        out.push_str("  ");
        match report.acts.iter().find(|line| line.outcome.act == *id) {
            Some(line) => act_line(out, line),
            None => out.push_str(&format!("- {id}: not in the record\n")),
        }
    }
    out.push('\n');
}

fn checked(goal: &Goal) -> String {
    match &goal.verified {
        None => "only the screen was read".to_owned(),
        Some(check) if check.holds => {
            format!("the record agrees, {}", words::verified(check, &code))
        }
        Some(check) => format!("**the record denies it**, {}", words::verified(check, &code)),
    }
}

fn act_line(out: &mut String, line: &ActLine) {
    let outcome = &line.outcome;
    out.push_str(&format!("- {} **{}**", outcome.act, outcome.status));
    if let Some(why) = outcome.code {
        out.push_str(&format!(" `{}`", why.as_str()));
    }
    out.push_str(&format!(" {}", code(&line.asked)));
    let seen = &outcome.effect.changes;
    let changes: Vec<String> =
        seen.iter().take(CHANGES_MAX).map(|change| words::change(change, &code)).collect();
    if !changes.is_empty() {
        out.push_str(&format!(": {}", changes.join("; ")));
    }
    let hidden = seen.len().saturating_sub(CHANGES_MAX) + outcome.effect.changes_omitted as usize;
    if hidden != 0 {
        out.push_str(&format!("; {}", counted(hidden, "more change")));
    }
    for request in outcome.requests.iter().filter(|request| words::has_failed(request)) {
        let answer = words::answer(request);
        let sent = format!("{} {}", request.method, request.url);
        out.push_str(&format!("; failed request {} -> {answer}", code(&sent)));
    }
    out.push('\n');
}

fn findings(out: &mut String, report: &Report) {
    out.push_str("## Findings\n\n");
    if report.findings.is_empty() {
        out.push_str("No findings.\n");
    }
    for found in &report.findings {
        out.push_str(&finding(found));
    }
}

fn finding(found: &Finding) -> String {
    let source = words::word(&found.source, &code);
    let summary =
        if found.source == "model" { inline(&found.summary) } else { code(&found.summary) };
    let id = found.finding_id;
    let mut line = format!("- {id} [{}, {source}] {summary}", found.kind.as_str());
    // How bad it is stands in the other forms: these lines are promised as they are.
    if found.expected {
        line.push_str(" (expected)");
    }
    if let Some(goal) = &found.goal_id {
        line.push_str(&format!(" (goal {goal})"));
    }
    if let Some(path) = &found.screenshot_path {
        line.push_str(&format!(" {}", link(path)));
    }
    line.push('\n');
    line
}

fn gates(out: &mut String, report: &Report) {
    out.push_str("\n## Gates\n\n");
    if report.gates.is_empty() {
        out.push_str("No gates met.\n");
    }
    for gate in &report.gates {
        let at = gate.observation_id.map_or("none".to_owned(), |id| id.to_string());
        let decision = words::word(&gate.gate, &code);
        out.push_str(&format!(
            "- observation {at}: {decision} on {}, act {}, word {}, pattern {}, tier {}\n",
            code(&gate.subject),
            gate.act,
            code(&gate.word),
            code(&gate.pattern),
            words::word(&gate.tier, &code),
        ));
    }
}

fn state_left(out: &mut String, report: &Report) {
    let left = &report.state_left;
    let last = match left.final_screenshot.as_str() {
        "" => "none".to_owned(),
        path => link(path),
    };
    out.push_str(&format!("\n## State left\n\n- Final screenshot: {last}\n"));
    out.push_str(&format!("- Kept open: {}\n", list(&left.kept_open, "nothing")));
    out.push_str(&format!("- Ended: {}\n", list(&left.receipt, "nothing")));
    out.push_str(&format!("- Cleanup errors: {}\n", list(&left.cleanup_errors, "none")));
    for seen in &left.downloads {
        out.push_str(&format!("- Download: {}\n", words::download(seen, &code)));
    }
    if left.downloads_dropped != 0 {
        out.push_str(&format!("- Downloads called off: {} more\n", left.downloads_dropped));
    }
}

fn list(texts: &[String], none: &str) -> String {
    let spans: Vec<String> = texts.iter().map(|text| code(text)).collect();
    if spans.is_empty() { none.to_owned() } else { spans.join(", ") }
}

/// Returns `text` as one inline code span that nothing in it can end.
pub(super) fn code(text: &str) -> String {
    let text = one_line(text);
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    format!("{fence} {text} {fence}")
}

/// Returns a model's text as a block quote, its Markdown kept and its reach taken away.
fn block(text: &str) -> String {
    let mut out = String::new();
    for line in many_lines(text).split('\n') {
        out.push_str(format!("> {}", tame(line)).trim_end());
        out.push('\n');
    }
    out
}

/// Returns a model's text within a line, its Markdown kept and its reach taken away.
fn inline(text: &str) -> String {
    let text = tame(&one_line(text));
    // A span that does not end here would take what follows on the line with it.
    let is_closed = !text.contains("``") && text.matches('`').count().is_multiple_of(2);
    if is_closed { text } else { text.replace('`', "\\`") }
}

/// Takes raw HTML, images, links and bare addresses from Markdown.
fn tame(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            // An escaped character would free the one behind it.
            '\\' => out.push_str("&#92;"),
            '[' => out.push_str("&#91;"),
            ']' => out.push_str("&#93;"),
            _ => out.push(c),
        }
    }
    out.replace("://", "&#58;//").replace("www.", "www&#46;").replace("WWW.", "WWW&#46;")
}

/// Returns a link to a picture of the run folder; a path that leaves the folder is only quoted.
fn link(path: &str) -> String {
    link_to(path).map_or_else(|| code(path), |href| format!("[{}]({href})", code(path)))
}
