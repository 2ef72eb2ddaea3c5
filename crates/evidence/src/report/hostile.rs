//! Every text of a run replaced by one that tries to break out of each form of the report.

use serde_json::Value;
use sidestick_model::record::Report;

use super::md::code;
use super::{html, junit, markdown, sample};

/// Closes whatever it could stand in, opens what it should not, and hides characters.
const HOSTILE: &str = "\"'>]]></p></q></code></svg></style></title>-->\
    <script>alert(1)</script><img src=x onerror=alert(1)> a ``` b `` c ` d\r\n# Heading\n\n\
    ## Findings\n- [link](http://evil.example) ![image](http://evil.example/i.png)\n\
    \u{202e}gnp.\u{2066}\u{200b}\0\u{7}\u{1b}[31m\u{85}\u{b}\u{c}\u{2028}\u{2029}\u{feff}\u{e0041}\
    &lt; \\[x](y) \u{fffe} https://evil.example www.evil.example <https://evil.example> end";

/// A text that could be no id and no word of ours either, and does no harm.
const HARMLESS: &str = "harmless text.";

/// Returns the sample with every text replaced that may be any text at all.
fn hostile() -> Report {
    hostile_with(HOSTILE)
}

fn hostile_with(text: &str) -> Report {
    let mut report = serde_json::to_value(sample::report()).unwrap();
    let mut paths = Vec::new();
    leaves(&report, &mut String::new(), &mut paths);
    let mut replaced = 0;
    for path in paths {
        // The words of a closed list, and ids, cannot be replaced: no record could hold that.
        let mut other = report.clone();
        *other.pointer_mut(&path).unwrap() = Value::from(text);
        if serde_json::from_value::<Report>(other.clone()).is_ok() {
            report = other;
            replaced += 1;
        }
    }
    assert!(150 < replaced, "only {replaced} texts were replaced");
    serde_json::from_value(report).unwrap()
}

fn leaves(value: &Value, path: &mut String, found: &mut Vec<String>) {
    let mut below = |name: &str, value: &Value| {
        let length = path.len();
        path.push_str(&format!("/{name}"));
        leaves(value, path, found);
        path.truncate(length);
    };
    match value {
        Value::String(_) => found.push(path.clone()),
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                below(&at.to_string(), item);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                below(name, field);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Asserts that nothing is hidden in a form of the report.
fn assert_shown(text: &str) {
    for c in text.chars() {
        let is_hidden = (c.is_control() && c != '\n')
            || "\u{202e}\u{2066}\u{200b}\u{2028}\u{2029}\u{feff}\u{e0041}\u{fffe}".contains(c);
        assert!(!is_hidden, "U+{:04X}", u32::from(c));
    }
    assert!(text.contains("\\u{202e}") && text.contains("\\u{0}"));
}

/// Returns the tags of a page or document, in order, without what stands between them.
fn tags(text: &str) -> Vec<&str> {
    text.split('<').skip(1).map(|rest| rest.split_once('>').unwrap().0).collect()
}

/// Asserts that two lists of tags are the same, and tells the first that is not.
fn assert_same(found: Vec<String>, wanted: Vec<String>) {
    let differs = found.iter().zip(&wanted).position(|(found, wanted)| found != wanted);
    assert_eq!(differs, None, "{:?}", differs.map(|at| (&found[at], &wanted[at])));
    assert_eq!(found.len(), wanted.len());
}

/// Returns a line without its code spans.
fn without_code(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('`') {
        let (head, tail) = rest.split_at(at);
        out.push_str(head);
        let fence = tail.len() - tail.trim_start_matches('`').len();
        let inner = tail.trim_start_matches('`');
        rest = closing(inner, fence).unwrap_or_else(|| panic!("a span is left open: {line}"));
        out.push('·');
    }
    out.push_str(rest);
    out
}

/// Returns what follows the first run of exactly `fence` backticks.
fn closing(text: &str, fence: usize) -> Option<&str> {
    let mut rest = text;
    loop {
        let (_, tail) = rest.split_at(rest.find('`')?);
        rest = tail.trim_start_matches('`');
        let run = tail.len() - rest.len();
        if run == fence {
            return Some(rest);
        }
    }
}

#[test]
fn no_text_can_add_an_element_or_an_attribute_to_the_page() {
    let nothing = |_: &str| None;
    let page = html(&hostile_with(HARMLESS), &nothing);
    let attacked = html(&hostile(), &nothing);

    // A path that leaves the run folder loses its link; nothing else may differ in the tags.
    let kinds = |page: &str| -> Vec<String> {
        let names = tags(page).into_iter().map(|tag| {
            let quotes = tag.matches('"').count();
            format!("{} {quotes}", tag.split([' ', '\n']).next().unwrap())
        });
        names.filter(|name| name != "a 2" && name != "/a 0").collect()
    };
    assert_same(kinds(&attacked), kinds(&page));
    assert!(!attacked.contains("<script") && !attacked.contains("<img"));
    assert!(attacked.contains("&lt;script&gt;"));
    assert_shown(&attacked);
}

#[test]
fn no_text_can_add_an_element_to_the_junit_document() {
    let xml = junit(&hostile_with(HARMLESS));
    let attacked = junit(&hostile());

    let kinds = |xml: &str| -> Vec<String> {
        let names = tags(xml).into_iter();
        names
            .map(|tag| format!("{} {}", tag.split(' ').next().unwrap(), tag.matches('"').count()))
            .collect()
    };
    assert_same(kinds(&attacked), kinds(&xml));
    assert_shown(&attacked);
}

#[test]
fn no_text_can_add_a_heading_a_link_or_html_to_the_markdown() {
    let attacked = markdown(&hostile());

    let headings = |text: &str| -> Vec<String> {
        let marked = text.lines().filter(|line| line.starts_with('#'));
        marked.map(without_code).collect()
    };
    assert_eq!(headings(&attacked), headings(&markdown(&hostile_with(HARMLESS))));
    for line in attacked.lines().filter(|line| !line.starts_with('>')) {
        let outside = without_code(line);
        assert!(!outside.contains('<') && !outside.contains("]("), "{outside}");
        assert!(!outside.contains("://") && !outside.contains("www."), "{outside}");
    }
    assert_shown(&attacked);
}

#[test]
fn a_models_summary_keeps_its_markdown_and_stays_in_its_quote() {
    let mut report = sample::report();
    report.goals[0].summary =
        "It **works**.\n\n## Findings\n<b>x</b> ![i](http://e/i.png) [l](http://e) \\[m](http://e)\n\
         www.e.example"
            .into();

    let lines = markdown(&report);

    let quote: Vec<&str> = lines
        .lines()
        .skip_while(|line| !line.starts_with("### g1"))
        .filter(|line| line.starts_with('>'))
        .take(5)
        .collect();
    assert_eq!(
        quote,
        [
            "> It **works**.",
            ">",
            "> ## Findings",
            "> &lt;b&gt;x&lt;/b&gt; !&#91;i&#93;(http&#58;//e/i.png) &#91;l&#93;(http&#58;//e) \
             &#92;&#91;m&#93;(http&#58;//e)",
            "> www&#46;e.example",
        ]
    );
}

#[test]
fn a_fence_is_one_longer_than_the_longest_run_of_backticks() {
    assert_eq!(code("a ``` b `` c ` d\n# Heading"), "```` a ``` b `` c ` d # Heading ````");
    assert_eq!(code("plain"), "` plain `");
}

#[test]
fn a_finding_of_a_model_cannot_leave_a_code_span_open() {
    for (summary, shown) in
        [("see `a`", "see `a`"), ("see `a", "see \\`a"), ("see ``a` `b", "see \\`\\`a\\` \\`b")]
    {
        let mut report = sample::report();
        report.findings[2].summary = summary.into();

        let line = format!("- F3 [injection, model] {shown} (goal g8) [` shots/o11.png `]");
        assert!(markdown(&report).contains(&line), "{line}");
    }
}

#[test]
fn a_name_of_a_megabyte_is_cut_in_every_form() {
    let mut report = sample::report();
    let name = "n".repeat(1_048_576);
    report.goals[0].title.clone_from(&name);
    report.acts[0].asked.clone_from(&name);
    report.acts[0].outcome.target.as_mut().unwrap().name = Some(name);

    for form in [html(&report, &|_| None), markdown(&report), junit(&report)] {
        assert!(form.len() < 200_000, "{} bytes", form.len());
        let cut = format!("{} … (cut, 1047576 more characters)", "n".repeat(1_000));
        assert!(form.contains(&cut));
        assert!(!form.contains(&"n".repeat(1_001)));
    }
}
