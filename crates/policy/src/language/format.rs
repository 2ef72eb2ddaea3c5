//! What a text of a policy has to look like, and what is said when it does not.

use std::time::Duration;

use regex::Regex;

use crate::place::{self, HostPattern, PathPattern};

/// The form of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Any text.
    Plain,
    /// A name of the writer's own: letters, digits, `_`, `-` and `.`.
    Name,
    /// A regular expression.
    Regex,
    /// A host, or one with `*.` before it.
    Host,
    /// A registrable domain.
    Site,
    /// A path in the syntax of URL patterns.
    Path,
    /// The name of a file, with `*` and `?`.
    Glob,
    /// A number of bytes with its unit.
    Bytes,
    /// A number of seconds, minutes or hours with its unit.
    Time,
    /// The name of an environment variable.
    Variable,
    /// A file or folder.
    File,
    /// An address; judged as it is, whatever it is.
    Address,
}

impl Format {
    /// Says what it looks like, for the reference and for messages.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Format::Plain => "text",
            Format::Name => "a name of letters, digits, `_`, `-` and `.`",
            Format::Regex => "a regular expression (case does not matter)",
            Format::Host => {
                "a host such as `shop.example`, or `*.shop.example` for what is below it"
            }
            Format::Site => "a registrable domain such as `shop.example`",
            Format::Path => "a path in the syntax of URL patterns, such as `/orders/*`",
            Format::Glob => "the name of a file, with `*` for anything and `?` for one character",
            Format::Bytes => "a number of bytes with its unit, such as `50MB`",
            Format::Time => "a number with its unit, such as `90s`, `30m` or `2h`",
            Format::Variable => "the name of an environment variable",
            Format::File => "a path of the file system",
            Format::Address => "an address",
        }
    }

    /// Says what is wrong with a text, and what may have been meant.
    pub(crate) fn problem(self, text: &str) -> Option<(String, Option<String>)> {
        let plain = |why: String| Some((why, None));
        match self {
            Format::Plain | Format::File if text.trim().is_empty() => plain("is empty".to_owned()),
            Format::Plain | Format::File | Format::Address => None,
            Format::Name if is_name(text) => None,
            Format::Variable if is_variable(text) => None,
            Format::Glob if !text.is_empty() && !text.contains('/') => None,
            Format::Name | Format::Variable | Format::Glob => {
                plain(format!("is not {}", self.words()))
            }
            Format::Regex => match pattern(text) {
                Ok(_) => None,
                Err(why) => plain(why),
            },
            Format::Bytes => {
                size(text).is_none().then(|| (format!("is not {}", self.words()), None))
            }
            Format::Time => {
                duration(text).is_none().then(|| (format!("is not {}", self.words()), None))
            }
            Format::Host => HostPattern::parse(text).err().map(|wrong| (wrong.why, wrong.meant)),
            Format::Path => PathPattern::parse(text).err().map(|why| (why, None)),
            Format::Site => place::site_problem(text),
        }
    }
}

fn is_name(text: &str) -> bool {
    let is_good = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    (1..=64).contains(&text.chars().count()) && text.chars().all(is_good)
}

fn is_variable(text: &str) -> bool {
    let starts = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Reads a regular expression of a policy; case does not matter.
pub(crate) fn pattern(text: &str) -> Result<Regex, String> {
    if text.is_empty() {
        return Err("is empty, and would match everything".to_owned());
    }
    let built = regex::RegexBuilder::new(text).case_insensitive(true).size_limit(1 << 20).build();
    built.map_err(|error| {
        let said = error.to_string();
        let last = said.lines().last().unwrap_or_default().trim_start_matches("error: ");
        format!("is no regular expression: {last}")
    })
}

/// Reads a number of bytes: `50MB` is 50,000,000 and `50MiB` is 52,428,800.
pub(crate) fn size(text: &str) -> Option<u64> {
    let at = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at_checked(at)?;
    let unit: u64 = match unit.trim() {
        "B" => 1,
        "KB" => 1_000,
        "KiB" => 1 << 10,
        "MB" => 1_000_000,
        "MiB" => 1 << 20,
        "GB" => 1_000_000_000,
        "GiB" => 1 << 30,
        _ => return None,
    };
    number.parse::<u64>().ok()?.checked_mul(unit)
}

/// Reads a length of time: a whole number of seconds, minutes or hours, up to 30 days.
pub(crate) fn duration(text: &str) -> Option<Duration> {
    let at = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at_checked(at)?;
    let unit = match unit.trim() {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        _ => return None,
    };
    let seconds = number.parse::<u64>().ok()?.checked_mul(unit)?;
    (1..=30 * 24 * 3_600).contains(&seconds).then(|| Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_need_their_unit() {
        assert_eq!(size("50MB"), Some(50_000_000));
        assert_eq!(size("2 KiB"), Some(2_048));
        assert_eq!(duration("30m"), Some(Duration::from_secs(1_800)));
        for text in ["", "50", "MB", "-1MB", "1.5MB", "99999999999999999999MB", "50mb"] {
            assert_eq!(size(text), None, "{text}");
        }
        for text in ["", "30", "0s", "m", "1d", "721h", "-1s"] {
            assert_eq!(duration(text), None, "{text}");
        }
    }

    #[test]
    fn a_pattern_that_is_none_says_why_on_one_line() {
        let why = pattern("(").unwrap_err();

        assert!(why.contains("unclosed group") && !why.contains('\n'), "{why}");
        assert!(pattern("").is_err());
    }
}
