//! What must hold of redaction and of the boundary, whatever stands in the text.
//!
//! Compiled for tests and for `fuzz/` alone.

use serde_json::{Value, json};
use url::Url;

use sidestick_model::limits;

use crate::boundary::{Boundary, DocumentKind, Judged};

mod narrowing;
mod policies;

use crate::redact::{self, MARK, Redactor};
pub use narrowing::narrowing;
pub use policies::policies;

/// A character of no text, to stand where the mark stood.
const HOLE: &str = "\u{fdd0}";

/// Reads the first line as secrets between tabs, and redacts the rest.
///
/// # Panics
///
/// Panics when a secret is still there in a form we write, or redacting again changes something.
pub fn redactor(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (first, rest) = text.split_once('\n').unwrap_or(("", &text));
    let mut redactor = Redactor::default();
    // A secret that is part of the mark cannot be told from it.
    let secrets: Vec<&str> = first
        .split('\t')
        .filter(|secret| limits::REDACT_CHARS_MIN <= secret.chars().count())
        .filter(|secret| !secret.contains(['[', ']', '…']) && !MARK.contains(secret))
        .filter(|secret| !secret.contains(HOLE))
        .take(8)
        .collect();
    for secret in &secrets {
        redactor.remember_typed(secret);
    }

    let shown = redactor.text(rest).into_inner();
    hold(&secrets, &shown);
    assert_eq!(redactor.text(&shown).into_inner(), shown, "redacting again changes something");

    let document = json!({"value": {rest: [rest]}, "message": rest, "code": rest});
    if let Ok(value) = redactor.value(&document) {
        strings(value.get(), &mut |text| hold(&secrets, text));
    }
}

/// Checks that no secret stands in what is shown, as it is or as an address writes it.
fn hold(secrets: &[&str], shown: &str) {
    let left = shown.replace(MARK, HOLE);
    for secret in secrets {
        let form: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
        let lower: String = form.replace('+', "%20");
        for written in [*secret, &form, &lower] {
            // A mark may cut a longer text so that what is left looks like a secret no more.
            assert!(!left.contains(written), "`{written}` is left in `{left}`");
        }
    }
}

fn strings(value: &Value, check: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => check(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, check)),
        Value::Object(map) => {
            map.iter().filter(|(name, _)| *name == "value").for_each(|(_, item)| {
                strings(item, check);
                keys(item, check);
            });
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn keys(value: &Value, check: &mut impl FnMut(&str)) {
    if let Value::Object(map) = value {
        for (name, item) in map {
            check(name);
            strings(item, check);
        }
    }
}

/// Reads the first line as the target of a run and every other as an address: each is judged by
/// the boundary and redacted.
///
/// # Panics
///
/// Panics when an address of another host is inside, or a credential is shown.
pub fn addresses(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (target, rest) = text.split_once('\n').unwrap_or((&text, &text));
    let boundary = Boundary::around(target, &[]).ok();
    for line in std::iter::once(rest).chain(rest.lines().take(64)) {
        if let Some(boundary) = &boundary {
            judged(boundary, target, line);
        }
        redacted(line);
    }
}

/// Checks the judgment against the hosts as they parse.
fn judged(boundary: &Boundary, target: &str, address: &str) {
    let top = boundary.judge(address, DocumentKind::TopLevel);
    let frame = boundary.judge(address, DocumentKind::Frame);
    assert!(top != Judged::Outside, "a page outside is not loaded");
    assert!(top != Judged::Inside || frame == Judged::Inside, "a frame may be what a page may");
    let Ok(url) = Url::parse(address.trim()) else {
        assert_eq!((top, frame), (Judged::Blocked, Judged::Blocked), "it is no address");
        return;
    };
    let placed = match url.scheme() {
        "blob" => Url::parse(url.path()).ok(),
        _ => Some(url.clone()),
    };
    let is_own = placed.is_some_and(|url| is_own(target, &url));
    match url.scheme() {
        "http" | "https" | "blob" => {
            assert!(top != Judged::Inside || is_own, "`{address}` is inside of `{target}`");
        }
        "about" | "chrome-error" => {}
        _ => assert_eq!(top, Judged::Blocked, "`{address}` is loaded as a page"),
    }
    if boundary.contains_origin(address) {
        assert!(is_own && top == Judged::Inside, "`{address}` is an origin of `{target}`");
    }
}

/// Whether an address has scheme, port and registrable domain of the target.
fn is_own(target: &str, url: &Url) -> bool {
    let Ok(target) = Url::parse(target.trim()) else { return false };
    let host = |url: &Url| {
        let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
        host.strip_suffix('.').map(str::to_owned).unwrap_or(host)
    };
    let (own, other) = (host(&target), host(url));
    let site = |host: &str| psl::domain_str(host).map(str::to_owned);
    target.scheme() == url.scheme()
        && target.port_or_known_default() == url.port_or_known_default()
        && !other.is_empty()
        && (own == other || site(&own).is_some() && site(&own) == site(&other))
}

/// Checks that an address is shown without credentials, at its own host, and the same again.
fn redacted(address: &str) {
    let Some(shown) = redact::address(address) else {
        assert!(limits::ADDRESS_MAX < address.len(), "a short address is shown");
        return;
    };
    let again = redact::address(&shown);
    assert!(
        again.as_ref() == Some(&shown) || limits::ADDRESS_MAX < shown.len(),
        "{shown} {again:?}"
    );
    let (Ok(url), Ok(was)) = (Url::parse(&shown), Url::parse(address)) else { return };
    assert!(url.username().is_empty() && url.password().is_none(), "{shown}");
    let is_elsewhere = was.scheme() != "data" && url.host_str() != was.host_str();
    assert!(!is_elsewhere, "`{shown}` is not where `{address}` is");
    for (name, value) in url.query_pairs() {
        let is_told = ["password", "token", "secret", "api_key"].contains(&&*name.to_lowercase());
        assert!(!is_told || value.is_empty() || value.starts_with(MARK), "{name} in {shown}");
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use sidestick_testkit::mutate;

    use super::*;

    #[test]
    fn no_text_keeps_a_secret() {
        mutate::smoke("redactor", 3_000, redactor);
    }

    #[test]
    fn no_address_frees_a_boundary_or_shows_a_credential() {
        mutate::smoke("addresses", 4_000, addresses);
    }

    /// What a page or a caller can make long is redacted in time that grows with it, no faster.
    #[test]
    fn a_hundred_thousand_characters_are_redacted_in_time() {
        let long = 100_000;
        let letters: String = ('a'..='z').cycle().take(long).collect();
        let half = letters.get(..long / 2).unwrap_or_default();
        for (secret, text) in [
            ("hunter2hunter2".to_owned(), "…".repeat(long)),
            ("a".repeat(long), "a".repeat(long)),
            ("a".repeat(long), format!("{}…", "a".repeat(long - 1)).repeat(2)),
            (letters.clone(), format!("{half}…{letters}…").repeat(4)),
            (letters, "abcdefghi…".repeat(long / 10)),
            ("%".repeat(long), "%25".repeat(long)),
            ("x".repeat(20), "https://".repeat(long / 8)),
            ("x".repeat(20), "https://u:p@a.b/?token=1&".repeat(long / 25)),
            ("x".repeat(20), format!("https://a.b/?{}", "a=b&".repeat(2_000)).repeat(12)),
            ("x".repeat(20), "https://u:p@".repeat(long / 12)),
            ("x y".repeat(long / 3), "x  y".repeat(long / 3)),
        ] {
            let started = Instant::now();

            redactor(format!("{secret}\n{text}").as_bytes());

            let head: String = text.chars().take(20).collect();
            assert!(started.elapsed() < mutate::INPUT_TIME_MAX, "{head} {:?}", started.elapsed());
        }
    }

    #[test]
    fn a_hundred_thousand_characters_are_judged_in_time() {
        let long = 100_000;
        for address in [
            format!("https://{}/", "a.".repeat(long / 2)),
            format!("https://{}@only.example/", "@".repeat(long)),
            format!("https://only.example/{}", "../".repeat(long / 3)),
            format!("https://only.example/{}", "%2e%2e/".repeat(long / 7)),
            format!("blob:{}", "blob:".repeat(long / 5)),
            format!("https://{}.example/", "xn--".repeat(long / 4)),
            format!("https://{}.example/", "ü".repeat(long / 2)),
            format!("https://[{}]/", ":".repeat(long)),
        ] {
            let started = Instant::now();

            addresses(format!("https://only.example/\n{address}").as_bytes());

            let head: String = address.chars().take(20).collect();
            assert!(started.elapsed() < mutate::INPUT_TIME_MAX, "{head} {:?}", started.elapsed());
        }
    }
}
