//! The sections of the HTML report behind the goals: findings, gates, timeline and what was left.

use sidestick_model::record::{ActLine, Finding, FindingKind, GateLine, Report, StateLeft};

use super::act;
use super::html::Page;
use super::text::{entities, esc, many_lines, quoted};
use super::words::{self, Tone, counted};

/// Returns the list of findings.
pub(super) fn findings(page: &Page<'_>) -> String {
    let items: String = page.report.findings.iter().map(|found| finding(page, found)).collect();
    let body = if items.is_empty() {
        "<p class=\"absent\">No findings.</p>\n".to_owned()
    } else {
        format!("<ul class=\"findings\">\n{items}</ul>\n")
    };
    section("findings", "Findings", &body)
}

fn finding(page: &Page<'_>, found: &Finding) -> String {
    let id = found.finding_id;
    let source = match found.source.as_str() {
        "script" => "found by Sidestick".to_owned(),
        "model" => "noted by the agent".to_owned(),
        other => esc(other),
    };
    let mut links = Vec::new();
    if let Some(goal) = &found.goal_id {
        links.push(format!("goal <a href=\"#goal-{goal}\">{goal}</a>"));
    }
    if let Some(id) = found.act {
        links.push(format!("act {}", page.act_link(id)));
    }
    let note = match found.kind {
        FindingKind::Injection => {
            "<p class=\"soft\">Text of the page that addresses agents. It is quoted as evidence; \
             it was never an instruction.</p>"
        }
        FindingKind::Visibility
        | FindingKind::Accessibility
        | FindingKind::Console
        | FindingKind::Network
        | FindingKind::Undiscoverable
        | FindingKind::Other => "",
    };
    let picture = match found.screenshot_path.as_deref() {
        Some(path) => {
            act::figure(page, Some(path), false, &format!("Finding {id}"), &|_| String::new())
        }
        None => String::new(),
    };
    format!(
        "<li id=\"finding-{id}\"><div class=\"words\"><p><strong>{id}</strong> \
         <span class=\"kind\">{kind}</span> <span class=\"soft\">{severity} · {source} · {links}\
         </span></p>\
         <blockquote>{summary}</blockquote>{note}</div>{picture}</li>\n",
        kind = found.kind.as_str(),
        severity = severity(found),
        links = links.join(" · "),
        summary = entities(&many_lines(&found.summary)),
    )
}

fn severity(found: &Finding) -> String {
    let expected = if found.expected { ", expected" } else { "" };
    format!("{}{expected}", found.severity.as_str())
}

/// Returns the list of gates that were met.
pub(super) fn gates(page: &Page<'_>) -> String {
    let items: String = page.report.gates.iter().map(|line| gate(page, line)).collect();
    let body = if items.is_empty() {
        "<p class=\"absent\">No gate was met.</p>\n".to_owned()
    } else {
        format!("<ul class=\"gates\">\n{items}</ul>\n")
    };
    section("gates", "Gates", &body)
}

fn gate(page: &Page<'_>, gate: &GateLine) -> String {
    let quote = |text: &str| quoted(text);
    let class = if gate.gate == "stopped" { "held" } else { "same" };
    let stood = gate.observation_id.map_or(String::new(), |id| format!(", standing on {id}"));
    format!(
        "<li><span class=\"status {class}\">{}</span> {} <span class=\"soft\">act {}{stood} · \
         word {} · pattern <code>{}</code> · tier {}</span></li>\n",
        words::word(&gate.gate, &quote),
        quoted(&gate.subject),
        page.act_link(gate.act),
        quoted(&gate.word),
        esc(&gate.pattern),
        words::word(&gate.tier, &quote),
    )
}

/// Returns every act in order, with its time, as a strip and as a table.
pub(super) fn timeline(page: &Page<'_>) -> String {
    let acts = &page.report.acts;
    if acts.is_empty() {
        return section("timeline", "Timeline", "<p class=\"absent\">No acts.</p>\n");
    }
    let rows: String = acts.iter().map(|line| row(page, line)).collect();
    let body = format!(
        "{}<div class=\"scroll\"><table><caption>Every act in order; times from the start of the \
         run.</caption>\n<thead><tr><th scope=\"col\">At</th><th scope=\"col\">Act</th>\
         <th scope=\"col\">Status</th><th scope=\"col\">Asked</th><th scope=\"col\">Goal</th>\
         <th scope=\"col\">Took</th></tr></thead>\n<tbody>\n{rows}</tbody></table></div>\n",
        strip(page.report),
    );
    section("timeline", "Timeline", &body)
}

fn row(page: &Page<'_>, line: &ActLine) -> String {
    let outcome = &line.outcome;
    let id = outcome.act;
    let at = words::millis_between(&page.report.run.started, &line.at)
        .map_or_else(|| esc(&line.at), |millis| format!("+{}", words::duration(millis)));
    let goal = outcome
        .goal
        .as_ref()
        .map_or(String::new(), |goal| format!("<a href=\"#goal-{goal}\">{goal}</a>"));
    format!(
        "<tr id=\"time-{id}\"><td class=\"number\">{at}</td><td>{}</td><td>{}</td><td>{}{doubt}</td>\
         <td>{goal}</td><td class=\"number\">{}</td></tr>\n",
        page.act_link(id),
        act::status(outcome),
        esc(&line.asked),
        words::duration(outcome.elapsed_ms),
        doubt =
            if act::is_doubtful(outcome) { " <span class=\"mark bad\">denied</span>" } else { "" },
    )
}

/// Returns a drawing of when the acts were made and how long each took.
fn strip(report: &Report) -> String {
    let offset = |line: &ActLine| words::millis_between(&report.run.started, &line.at);
    let end = |line: &ActLine| offset(line).map(|at| at.saturating_add(line.outcome.elapsed_ms));
    let Some(whole) = report.acts.iter().filter_map(end).max().filter(|whole| *whole > 0) else {
        return String::new();
    };
    let part = |millis: u64| u128::from(millis) * 1_000 / u128::from(whole);
    let mut bars = String::new();
    for line in &report.acts {
        let Some(at) = offset(line) else { continue };
        let outcome = &line.outcome;
        bars.push_str(&format!(
            "<rect class=\"{}\" x=\"{}\" y=\"0\" width=\"{}\" height=\"26\" rx=\"1.5\"><title>{} {}</title></rect>",
            Tone::of(outcome.status).class(),
            part(at),
            part(outcome.elapsed_ms).max(3),
            outcome.act,
            outcome.status,
        ));
    }
    format!(
        "<svg class=\"strip\" viewBox=\"0 0 1004 26\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"When the acts were made\">{bars}</svg>\n"
    )
}

/// Returns what was left behind and what was spent.
pub(super) fn left(page: &Page<'_>) -> String {
    let left = &page.report.state_left;
    let budget = &page.report.budget;
    let used = u64::from(budget.run_used) * 100 / u64::from(budget.run_cap.max(1));
    let body = format!(
        "<dl class=\"facts wide\">\n\
         <div><dt>Kept open</dt><dd>{}</dd></div>\n\
         <div><dt>Ended</dt><dd>{}</dd></div>\n\
         <div><dt>Cleanup errors</dt><dd>{}</dd></div>\n\
         <div><dt>Downloads</dt><dd>{}</dd></div>\n\
         <div><dt>Budget</dt><dd>{} of {} ({used} %) · at most {} for one goal</dd></div>\n\
         </dl>\n{}",
        listed(&left.kept_open, "nothing"),
        listed(&left.receipt, "nothing was recorded"),
        listed(&left.cleanup_errors, "none"),
        downloads(left),
        budget.run_used,
        counted(budget.run_cap as usize, "action"),
        budget.goal_cap,
        last_picture(page),
    );
    section("left", "State left", &body)
}

fn downloads(left: &StateLeft) -> String {
    let mut all: Vec<String> =
        left.downloads.iter().map(|seen| words::download(seen, &|text| quoted(text))).collect();
    if left.downloads_dropped != 0 {
        all.push(format!("{} more, called off", left.downloads_dropped));
    }
    if all.is_empty() { "none".to_owned() } else { all.join("<br>") }
}

fn last_picture(page: &Page<'_>) -> String {
    match page.report.state_left.final_screenshot.as_str() {
        "" => "<p class=\"absent\">No final picture.</p>\n".to_owned(),
        path => {
            let figure = act::figure(page, Some(path), false, "Last picture", &|_| String::new());
            format!("<div class=\"shots\">{figure}</div>\n")
        }
    }
}

/// Returns what the report proves and what it does not.
pub(super) fn limits(page: &Page<'_>) -> String {
    let report = page.report;
    let id = &report.run.run_id;
    let only_screen = report.goals.iter().filter(|goal| goal.verified.is_none()).count();
    let blind = report.acts.iter().filter(|line| !line.outcome.blind.is_empty()).count();
    let goals = counted(report.goals.len(), "goal");
    let body = format!(
        "<div class=\"two\"><div><h3>It shows</h3><ul>\n\
         <li>what the driver read of the application right before and right after each act; an act \
         counts as <em>OBSERVED</em> by what changed, never by anybody's word</li>\n\
         <li>which acts were refused: nothing was sent for them</li>\n\
         <li>where an independent check was made, what the system of record said</li>\n\
         <li>the requests each act caused, and their answers</li></ul></div>\n\
         <div><h3>It does not show</h3><ul>\n\
         <li>what the application stored, where only its screen was read: {only_screen} of \
         {goals}</li>\n\
         <li>what happened where nothing could be seen: {} had blind areas</li>\n\
         <li>that a summary is right: summaries are the agent's words</li>\n\
         <li>who sat at the machine: authority was <strong>{}</strong></li>\n\
         <li>that this file is unaltered: ask <code>sidestick verify {id}</code>, which checks the \
         record it was made from. Pictures are compressed here; the record has them as \
         taken</li></ul></div></div>\n",
        counted(blind, "act"),
        esc(&report.run.authority),
    );
    section("limits", "What this report shows, and what it does not", &body)
}

/// Returns a section of the page under its heading.
pub(super) fn section(id: &str, title: &str, body: &str) -> String {
    format!(
        "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{title}</h2>\n\
         {body}</section>\n"
    )
}

fn listed(texts: &[String], none: &str) -> String {
    let quotes: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    if quotes.is_empty() { none.to_owned() } else { quotes.join(", ") }
}
