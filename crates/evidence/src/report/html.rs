//! The report as one HTML file that asks nobody for anything.
//!
//! It has no script, and its content security policy allows none; pictures are data in the file.
//! Each picture stands once, in a hidden drawing, and is shown by reference: unlike a background
//! that is printed too, and the marks on it are drawn in its own pixels.

use std::collections::BTreeMap;

use sidestick_model::record::{ActLine, Goal, Report, Verdict};
use sidestick_model::{ActId, FindingId, limits};

use super::act;
use super::album::Album;
use super::tail::{self, section};
use super::text::{entities, esc, link_to, many_lines, quoted};
use super::words::{self, counted};

const STYLE: &str = include_str!("style.css");
const POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

/// Acts up to which a report shows all of them opened.
const OPEN_ACTS_MAX: usize = 40;
/// Bytes that showing the pictures of one act takes, the pictures themselves apart.
const MARKS_BYTES: usize = 4 * 1024;

/// Returns the report as HTML; `picture` returns the PNG at a path of the run folder.
///
/// The file has at most [`limits::REPORT_BYTES_MAX`] bytes: pictures are made smaller until they
/// fit, and left out, with a note, when they still do not.
pub fn html(report: &Report, picture: &dyn Fn(&str) -> Option<Vec<u8>>) -> String {
    let without_pictures = Page::new(report, Album::default()).render().len();
    let marks = (report.acts.len() + report.findings.len() + 1) * MARKS_BYTES;
    let bytes_max = limits::REPORT_BYTES_MAX.saturating_sub(without_pictures + marks);
    Page::new(report, Album::new(report, picture, bytes_max)).render()
}

/// What every part of the page looks things up in.
#[derive(Debug)]
pub(super) struct Page<'a> {
    pub(super) report: &'a Report,
    pub(super) album: Album,
    /// Whether the run is short enough to show every act opened.
    pub(super) is_short: bool,
    acts: BTreeMap<ActId, &'a ActLine>,
}

impl<'a> Page<'a> {
    fn new(report: &'a Report, album: Album) -> Page<'a> {
        let acts = report.acts.iter().map(|line| (line.outcome.act, line)).collect();
        Page { report, album, is_short: report.acts.len() <= OPEN_ACTS_MAX, acts }
    }

    /// Returns the id of an act, as a link when the record has the act.
    pub(super) fn act_link(&self, id: ActId) -> String {
        if self.acts.contains_key(&id) {
            format!("<a href=\"#act-{id}\">{id}</a>")
        } else {
            id.to_string()
        }
    }

    /// Returns the id of a finding, as a link when the record has the finding.
    pub(super) fn finding_link(&self, id: FindingId) -> String {
        if self.report.findings.iter().any(|found| found.finding_id == id) {
            format!("<a href=\"#finding-{id}\">{id}</a>")
        } else {
            id.to_string()
        }
    }

    /// Returns a finding's written id as a link when it is one.
    pub(super) fn finding_named(&self, text: &str) -> String {
        FindingId::parse(text).map_or_else(|_| esc(text), |id| self.finding_link(id))
    }

    fn render(&self) -> String {
        let mut out = String::new();
        self.head(&mut out);
        self.sprite(&mut out);
        self.masthead(&mut out);
        out.push_str("<main>\n");
        out.push_str(&section("overview", "Goals at a glance", &self.overview()));
        out.push_str(&section("goals", "Goals", &self.goals()));
        out.push_str(&tail::findings(self));
        out.push_str(&tail::gates(self));
        out.push_str(&tail::timeline(self));
        out.push_str(&tail::left(self));
        out.push_str(&tail::limits(self));
        out.push_str("</main>\n<footer>Made by Sidestick from the record of run ");
        out.push_str(&format!("{}.</footer>\n</body>\n</html>\n", self.report.run.run_id));
        out
    }

    fn head(&self, out: &mut String) {
        let run = &self.report.run;
        out.push_str(&format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <link rel=\"icon\" href=\"data:,\">\n\
             <title>Run {} of {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
            run.run_id,
            esc(&run.target),
        ));
    }

    /// Writes every picture once, out of sight.
    fn sprite(&self, out: &mut String) {
        if self.album.pictures.is_empty() {
            return;
        }
        out.push_str("<svg class=\"album\" aria-hidden=\"true\" width=\"0\" height=\"0\"><defs>\n");
        for (index, picture) in self.album.pictures.iter().enumerate() {
            out.push_str(&format!(
                "<image id=\"p{index}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" href=\"",
                picture.width, picture.height,
            ));
            out.push_str(&picture.address);
            out.push_str("\"/>\n");
        }
        out.push_str("</defs></svg>\n");
    }

    fn masthead(&self, out: &mut String) {
        let run = &self.report.run;
        if !run.test_overrides.is_empty() {
            let names: Vec<String> = run
                .test_overrides
                .iter()
                .map(|name| format!("<code>{}</code>", esc(name)))
                .collect();
            out.push_str(&format!(
                "<div class=\"overrides\" role=\"alert\"><strong>{}</strong> {}</div>\n",
                words::OVERRIDES,
                names.join(" "),
            ));
        }
        out.push_str(&format!(
            "<header>\n<p class=\"brand\"><span aria-hidden=\"true\" class=\"stick\"></span>Sidestick \
             <span>run report</span></p>\n<h1>{}</h1>\n<p class=\"target\"><code>{}</code></p>\n",
            self.sentence(),
            esc(&run.target),
        ));
        if let Some(request) = &run.request {
            out.push_str(&format!("<p class=\"request\">Asked for: {}</p>\n", quoted(request)));
        }
        self.warnings(out);
        out.push_str(&self.tally());
        out.push_str(&self.particulars());
        out.push_str(
            "<nav aria-label=\"Sections\"><a href=\"#overview\">Overview</a>\
             <a href=\"#goals\">Goals</a><a href=\"#findings\">Findings</a>\
             <a href=\"#gates\">Gates</a><a href=\"#timeline\">Timeline</a>\
             <a href=\"#left\">State left</a><a href=\"#limits\">What it shows</a></nav>\n</header>\n",
        );
    }

    /// Returns how the run ended, in one sentence.
    fn sentence(&self) -> String {
        let count = |verdict| words::count(self.report, verdict);
        let all = self.report.goals.len();
        if all == 0 {
            return "No goals were set".to_owned();
        }
        let mut sentence = format!("{} of {} passed", count(Verdict::Pass), counted(all, "goal"));
        for verdict in [Verdict::Fail, Verdict::Blocked, Verdict::Partial, Verdict::Unset] {
            let word = match verdict {
                Verdict::Pass | Verdict::Fail => "failed",
                Verdict::Blocked => "blocked",
                Verdict::Partial => "partly done",
                Verdict::Unset => "without a verdict",
            };
            match count(verdict) {
                0 => {}
                count => sentence.push_str(&format!(", {count} {word}")),
            }
        }
        sentence
    }

    fn warnings(&self, out: &mut String) {
        let run = &self.report.run;
        if let Some(reason) = &run.stopped_reason {
            out.push_str(&format!("<p class=\"warning\">Stopped: {}</p>\n", quoted(reason)));
        }
        if run.recovered {
            out.push_str(
                "<p class=\"warning\">The host of this run died; another closed its record.</p>\n",
            );
        }
        let denied = self.report.goals.iter().filter(|goal| words::is_denied(goal)).count();
        if denied != 0 {
            out.push_str(&format!(
                "<p class=\"warning bad\">The record denies what the screen showed: {}.</p>\n",
                counted(denied, "goal"),
            ));
        }
    }

    fn tally(&self) -> String {
        let mut bar = String::new();
        let mut items = String::new();
        for verdict in words::VERDICTS {
            let count = words::count(self.report, verdict);
            let word = verdict.as_str();
            let empty = if count == 0 { " zero" } else { "" };
            items.push_str(&format!(
                "<li class=\"{word}{empty}\"><b>{count}</b> <span>{word}</span></li>"
            ));
            if count != 0 {
                bar.push_str(&format!(
                    "<span class=\"{word}\" style=\"flex-grow:{count}\"></span>"
                ));
            }
        }
        let others = [
            ("act", self.report.acts.len()),
            ("finding", self.report.findings.len()),
            ("gate", self.report.gates.len()),
        ];
        for (noun, count) in others {
            let plural = if count == 1 { "" } else { "s" };
            items.push_str(&format!(
                "<li class=\"plain\"><b>{count}</b> <span>{noun}{plural}</span></li>"
            ));
        }
        format!(
            "<div class=\"bar\" aria-hidden=\"true\">{bar}</div>\n<ul class=\"tally\">{items}</ul>\n"
        )
    }

    fn particulars(&self) -> String {
        let run = &self.report.run;
        let moment = |at: &str| words::moment(at, &|text: &str| quoted(text));
        let took = run
            .ended
            .as_deref()
            .and_then(|ended| words::millis_between(&run.started, ended))
            .map_or(String::new(), |millis| format!(" (took {})", words::duration(millis)));
        let ended = run.ended.as_deref().map_or("not ended".to_owned(), moment);
        let allow: Vec<String> =
            run.allow.iter().map(|entry| format!("<code>{}</code>", esc(entry))).collect();
        let facts = [
            ("Run", format!("<code>{}</code>", run.run_id)),
            ("Started", moment(&run.started)),
            ("Ended", format!("{ended}{took}")),
            ("Owner", run.owner.as_str().to_owned()),
            ("Attended", if run.attended { "yes, by a person" } else { "no" }.to_owned()),
            ("Authority", esc(&run.authority)),
            ("Egress", esc(&run.egress)),
            ("Policy", format!("<code>{}</code>", esc(&words::policy(run)))),
            (
                "Allowed",
                if allow.is_empty() { "the target only".to_owned() } else { allow.join(" ") },
            ),
            ("Browser", format!("{} {}", esc(&run.driver), esc(&run.driver_version))),
            ("Sandbox", if run.sandbox { "on" } else { "<b class=\"no\">off</b>" }.to_owned()),
        ];
        let items: String = facts
            .iter()
            .map(|(name, value)| format!("<div><dt>{name}</dt><dd>{value}</dd></div>\n"))
            .collect();
        format!("<dl class=\"particulars\">\n{items}</dl>\n")
    }

    /// Returns one line per goal: its verdict and what that rests on.
    fn overview(&self) -> String {
        if self.report.goals.is_empty() {
            return "<p class=\"absent\">No goals were set.</p>\n".to_owned();
        }
        let rows: String = self
            .report
            .goals
            .iter()
            .map(|goal| {
                format!(
                    "<li>{}<a class=\"title\" href=\"#goal-{id}\">{}</a>\
                     <span class=\"rests\">{}</span></li>\n",
                    verdict(goal.status),
                    esc(&goal.title),
                    self.rests_on(goal),
                    id = goal.goal_id,
                )
            })
            .collect();
        format!("<ol class=\"overview\">\n{rows}</ol>\n")
    }

    fn rests_on(&self, goal: &Goal) -> String {
        let mut marks = String::new();
        let acts = || goal.acts.iter().filter_map(|id| self.acts.get(id));
        let proof = goal.proof.and_then(|id| self.acts.get(&id));
        if let Some(line) = proof.copied().or_else(|| acts().next_back().copied()) {
            marks.push_str(&act::status(&line.outcome));
        }
        let failed = acts()
            .flat_map(|line| &line.outcome.requests)
            .filter(|request| words::has_failed(request))
            .count();
        if failed != 0 {
            let failed = counted(failed, "failed request");
            marks.push_str(&format!("<span class=\"mark bad\">{failed}</span>"));
        }
        marks.push_str(match &goal.verified {
            Some(check) if check.holds => "<span class=\"mark fine\">record agrees</span>",
            Some(_) => "<span class=\"mark bad\">record denies it</span>",
            None => "<span class=\"mark\">screen only</span>",
        });
        marks
    }

    fn goals(&self) -> String {
        let mut out: String = self.report.goals.iter().map(|goal| self.goal(goal)).collect();
        let unlisted = words::unlisted(self.report);
        if !unlisted.is_empty() {
            let acts: String = unlisted.iter().map(|line| act::act(self, line, false)).collect();
            out.push_str(&format!(
                "<article class=\"goal unset\"><h3>Acts of no goal</h3>\n\
                 <ol class=\"acts\">\n{acts}</ol></article>\n"
            ));
        }
        out
    }

    fn goal(&self, goal: &Goal) -> String {
        let denied = if words::is_denied(goal) { " denied" } else { "" };
        let mut out = format!(
            "<article class=\"goal {word}{denied}\" id=\"goal-{id}\">\n<div class=\"top\">{verdict}\
             <h3>{title}</h3><code class=\"id\">{id}</code></div>\n",
            word = goal.status.as_str(),
            id = goal.goal_id,
            verdict = verdict(goal.status),
            title = esc(&goal.title),
        );
        let summary = match goal.summary.as_str() {
            "" => "<p class=\"absent\">No summary was given.</p>\n".to_owned(),
            summary => format!(
                "<blockquote class=\"summary\"><p>{}</p><footer>the agent's summary</footer>\
                 </blockquote>\n",
                entities(&many_lines(summary)),
            ),
        };
        out.push_str(&summary);
        out.push_str(&self.check(goal));
        out.push_str(&self.rests(goal));
        let acts: String = goal.acts.iter().map(|id| self.goal_act(goal, *id)).collect();
        if acts.is_empty() {
            out.push_str("<p class=\"absent\">No act was made for this goal.</p>\n");
        } else {
            out.push_str(&format!("<ol class=\"acts\">\n{acts}</ol>\n"));
        }
        out.push_str("</article>\n");
        out
    }

    fn goal_act(&self, goal: &Goal, id: ActId) -> String {
        // An act that several goals list is shown with the first, so that its name stays its own.
        let first = self.report.goals.iter().find(|other| other.acts.contains(&id));
        let is_here = first.is_some_and(|first| first.goal_id == goal.goal_id);
        match self.acts.get(&id) {
            Some(line) if is_here => act::act(self, line, goal.proof == Some(id)),
            Some(_) => {
                format!("<li class=\"act\"><p>{}, shown above</p></li>\n", self.act_link(id))
            }
            None => format!("<li class=\"act\"><p>{id} is not in the record</p></li>\n"),
        }
    }

    fn check(&self, goal: &Goal) -> String {
        let Some(check) = &goal.verified else {
            return "<p class=\"check\"><strong>Only the screen was read.</strong> Nobody asked the \
                    system of record.</p>\n"
                .to_owned();
        };
        let phrase = words::verified(check, &|text: &str| quoted(text));
        if check.holds {
            format!("<p class=\"check yes\"><strong>The record agrees.</strong> {phrase}</p>\n")
        } else {
            format!(
                "<p class=\"check no\"><strong>The record denies the screen.</strong> {phrase}</p>\n"
            )
        }
    }

    /// Returns the proof, the linked findings and the other pictures of a goal.
    fn rests(&self, goal: &Goal) -> String {
        let mut facts = String::new();
        match (goal.proof, goal.status) {
            (Some(id), _) => {
                facts.push_str(&format!("<div><dt>Proof</dt><dd>{}</dd></div>", self.act_link(id)));
            }
            (None, Verdict::Pass) => {
                facts.push_str("<div><dt>Proof</dt><dd class=\"no\">no act is named</dd></div>");
            }
            (None, Verdict::Fail | Verdict::Blocked | Verdict::Partial | Verdict::Unset) => {}
        }
        if !goal.findings.is_empty() {
            let links: Vec<String> =
                goal.findings.iter().map(|id| self.finding_link(*id)).collect();
            facts.push_str(&format!("<div><dt>Findings</dt><dd>{}</dd></div>", links.join(", ")));
        }
        if !goal.evidence.is_empty() {
            let links: Vec<String> = goal.evidence.iter().map(|path| file(path)).collect();
            facts.push_str(&format!("<div><dt>Pictures</dt><dd>{}</dd></div>", links.join(" ")));
        }
        let used = counted(goal.actions_used as usize, "action");
        facts.push_str(&format!("<div><dt>Used</dt><dd>{used}</dd></div>"));
        format!("<dl class=\"facts inline\">{facts}</dl>\n")
    }
}

/// Returns a link to a file of the run folder; a path that leaves the folder is only shown.
fn file(path: &str) -> String {
    let shown = esc(path.rsplit('/').next().unwrap_or(path));
    link_to(path).map_or_else(|| esc(path), |href| format!("<a href=\"{href}\">{shown}</a>"))
}

fn verdict(verdict: Verdict) -> String {
    let word = verdict.as_str();
    format!(
        "<span class=\"verdict {word}\"><span aria-hidden=\"true\">{}</span> {word}</span>",
        words::verdict_sign(verdict),
    )
}
