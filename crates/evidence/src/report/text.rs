//! Makes text that others wrote safe to show: bounded, on one line, with nothing hidden in it.
//!
//! What comes out still has to be quoted for its form; [`esc`] and [`quoted`] do so for HTML and
//! XML, `md` has its own.

use sidestick_model::{Seam, limits};

/// Returns `text` on one line, cut to [`limits::PAGE_TEXT_MAX`], hidden characters spelled out.
pub(super) fn one_line(text: &str) -> String {
    bounded(text, limits::PAGE_TEXT_MAX, |break_| {
        let _same_for_all = break_;
        ' '
    })
}

/// Returns `text` with its line breaks, cut to [`limits::SUMMARY_CHARS_MAX`], hidden characters
/// spelled out.
pub(super) fn many_lines(text: &str) -> String {
    bounded(text, limits::SUMMARY_CHARS_MAX, |break_| if break_ == '\t' { ' ' } else { '\n' })
}

/// Returns `text` on one line, safe inside an HTML or XML text or a quoted attribute.
pub(super) fn esc(text: &str) -> String {
    entities(&one_line(text))
}

/// Returns `text` as a quotation in HTML: page words that cannot be taken for ours.
pub(super) fn quoted(text: &str) -> String {
    format!("<q>{}</q>", esc(text))
}

/// Returns `text` with the characters that HTML and XML give a meaning replaced.
pub(super) fn entities(text: &str) -> String {
    if Seam::ReportEscaping.is_broken() {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(c),
        }
    }
    out
}

/// Returns the relative link to `path` in the run folder, when it stays inside the folder.
///
/// Everything but letters, digits and `._-/` is percent-encoded, so the result carries no scheme
/// and can close no quote, bracket or parenthesis.
pub(super) fn link_to(path: &str) -> Option<String> {
    let inside = !path.is_empty()
        && path.len() <= limits::PAGE_TEXT_MAX
        && !path.contains('\\')
        && path.split('/').all(|part| !matches!(part, "" | "." | ".."));
    inside.then(|| {
        let mut out = String::with_capacity(path.len());
        for byte in path.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'-' | b'/' => {
                    out.push(char::from(byte));
                }
                _ => out.push_str(&format!("%{byte:02X}")),
            }
        }
        out
    })
}

fn bounded(text: &str, chars_max: usize, line_break: impl Fn(char) -> char) -> String {
    let mut out = String::with_capacity(text.len().min(chars_max * 4));
    let mut chars = text.chars().peekable();
    let mut taken = 0;
    while taken < chars_max {
        let Some(c) = chars.next() else { return out };
        taken += 1;
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                out.push(line_break(c));
            }
            _ if is_hidden(c) => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            _ => out.push(c),
        }
    }
    let rest = chars.count();
    if rest != 0 {
        out.push_str(&format!(" \u{2026} (cut, {rest} more characters)"));
    }
    out
}

/// Returns whether a reader could not see the character, or would see others moved by it.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0e}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_break_becomes_a_space() {
        let broken = "a\r\nb\nc\rd\u{b}e\u{c}f\u{85}g\u{2028}h\u{2029}i\tj";

        assert_eq!(one_line(broken), "a b c d e f g h i j");
    }

    #[test]
    fn hidden_characters_are_spelled_out() {
        assert_eq!(
            one_line("a\0b\u{202e}c\u{200b}d\u{e0041}"),
            "a\\u{0}b\\u{202e}c\\u{200b}d\\u{e0041}"
        );
        assert_eq!(one_line("naïve ✓ 漢字"), "naïve ✓ 漢字");
    }

    #[test]
    fn a_long_name_is_cut_and_the_cut_is_counted() {
        let cut = one_line(&"n".repeat(1_048_576));

        assert_eq!(cut, format!("{} … (cut, 1047576 more characters)", "n".repeat(1_000)));
    }

    #[test]
    fn a_text_of_exactly_the_limit_is_whole() {
        assert_eq!(one_line(&"n".repeat(1_000)), "n".repeat(1_000));
    }

    #[test]
    fn a_summary_keeps_its_lines_and_nothing_else() {
        assert_eq!(many_lines("a\r\nb\u{2028}c\td\u{7}"), "a\nb\nc d\\u{7}");
    }

    #[test]
    fn a_link_cannot_leave_the_run_folder_or_its_quotes() {
        assert_eq!(link_to("shots/o8.png").as_deref(), Some("shots/o8.png"));
        assert_eq!(link_to("a b)\"<.png").as_deref(), Some("a%20b%29%22%3C.png"));
        assert_eq!(link_to("javascript:alert(1)").as_deref(), Some("javascript%3Aalert%281%29"));
        for path in ["", "/etc/passwd", "../x", "a/../b", "a//b", "\\\\host\\x", "//host/x"] {
            assert_eq!(link_to(path), None, "{path}");
        }
    }
}
