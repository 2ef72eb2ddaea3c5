//! What may be shown: known secrets and credentials in addresses are taken out.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;
use serde::Serialize;
use serde_json::Value;
use url::Url;

use sidestick_model::call::DoorCode;
use sidestick_model::outcome::{Code, Status};
use sidestick_model::record::FindingKind;
use sidestick_model::target::is_ref;
use sidestick_model::{
    ActId, ActionKind, DownloadStatus, FindingId, GoalId, ObservationId, RunId, limits,
};

use crate::secret::Secret;

/// What stands where a secret stood.
pub const MARK: &str = "[REDACTED]";

/// Something that has been through a [`Redactor`], or came out of a record that had.
///
/// Sinks (disk, terminal, socket, prompt) accept nothing else (I8).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<T>(T);

impl<T> Redacted<T> {
    /// Returns what may be shown.
    pub fn into_inner(self) -> T {
        self.0
    }

    /// Shows what may be shown.
    pub fn get(&self) -> &T {
        &self.0
    }

    /// Takes a picture whose secret boxes were masked by the driver that took it (D20).
    pub fn from_masked(picture: T) -> Redacted<T> {
        Redacted(picture)
    }

    /// Takes words of ours that hold nothing from outside.
    pub fn from_ours(words: T) -> Redacted<T> {
        Redacted(words)
    }

    /// Takes what was read back from our own record, which only ever held redacted text.
    pub fn from_record(recorded: T) -> Redacted<T> {
        Redacted(recorded)
    }
}

/// Knows a run's secrets and takes them out of whatever is about to be shown.
///
/// Decisions are never made on what it returns (VR-158).
#[derive(Clone, Default)]
pub struct Redactor {
    secrets: Vec<Secret>,
    /// The secrets, and how they look where text is quoted or put into an address.
    forms: Vec<Secret>,
    /// What a policy takes out wherever it stands.
    patterns: Vec<Regex>,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Redactor({} secrets)", self.secrets.len())
    }
}

impl Redactor {
    /// Remembers a secret; an empty or known one is ignored.
    pub fn remember(&mut self, text: &str) {
        if text.is_empty() || self.secrets.iter().any(|known| known.expose() == text) {
            return;
        }
        self.secrets.push(Secret::new(text));
        self.forms.extend(forms_of(text).into_iter().map(Secret::new));
        // Pages and outlines collapse white space.
        let collapsed = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if collapsed != text && limits::REDACT_CHARS_MIN <= collapsed.chars().count() {
            self.forms.extend(forms_of(&collapsed).into_iter().map(Secret::new));
        }
        // Longest first, so that a secret inside another leaves nothing behind.
        self.secrets.sort_by_key(|secret| std::cmp::Reverse(secret.expose().len()));
        self.forms.sort_by_key(|form| std::cmp::Reverse(form.expose().len()));
    }

    /// Remembers text a caller typed, unless it is too short to be told from other text (VR-156).
    pub fn remember_typed(&mut self, text: &str) {
        if limits::REDACT_CHARS_MIN <= text.chars().count() {
            self.remember(text);
        }
    }

    /// Takes out whatever these patterns match, from here on.
    pub fn remember_patterns(&mut self, patterns: &[Regex]) {
        self.patterns.extend(patterns.iter().cloned());
    }

    /// Returns the secrets, for masking pictures.
    pub fn secrets(&self) -> &[Secret] {
        &self.secrets
    }

    /// Returns whether `text` holds a known secret.
    pub fn finds(&self, text: &str) -> bool {
        self.secrets.iter().any(|secret| text.contains(secret.expose()))
    }

    /// Takes the secrets out of a text, and credentials out of the addresses in it.
    pub fn text(&self, text: &str) -> Redacted<String> {
        Redacted(self.clean(text))
    }

    /// Takes the secrets out of every string and key of a value.
    ///
    /// # Errors
    ///
    /// Fails when the value cannot be written as JSON; then nothing may be shown (I9).
    pub fn value<T: Serialize>(&self, value: &T) -> Result<Redacted<Value>, serde_json::Error> {
        Ok(Redacted(self.walk(serde_json::to_value(value)?, "", false)))
    }

    /// Cleans one value of a document of ours. Names of fields, words of closed lists and ids are
    /// ours: text that happens to be typed like one must not break the record. Inside `value`
    /// stands what somebody else wrote, names included.
    fn walk(&self, value: Value, key: &str, is_foreign: bool) -> Value {
        match value {
            Value::String(text) if !is_foreign && is_ours(key, &text) => Value::String(text),
            Value::String(text) => Value::String(self.clean(&text)),
            Value::Array(items) => {
                items.into_iter().map(|item| self.walk(item, key, is_foreign)).collect()
            }
            Value::Object(map) => map
                .into_iter()
                .map(|(name, item)| {
                    let inside = is_foreign || key == "value";
                    let shown = if inside { self.clean(&name) } else { name.clone() };
                    (shown, self.walk(item, &name, inside))
                })
                .collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) => value,
        }
    }

    fn clean(&self, text: &str) -> String {
        // An address is written anew when credentials leave it, and then a secret in it may look
        // otherwise or appear for the first time: it is looked for before and after.
        let bare = self.without_secrets(text.to_owned());
        let clean = addresses_in(&bare);
        if clean == bare { clean } else { addresses_in(&self.without_secrets(clean)) }
    }

    /// Takes out every form of every secret, and the beginning of one where a text was cut.
    fn without_secrets(&self, mut text: String) -> String {
        for secret in &self.forms {
            if text.contains(secret.expose()) {
                text = text.replace(secret.expose(), MARK);
            }
        }
        if text.contains('…') {
            for secret in &self.forms {
                text = without_cut(&text, secret.expose());
            }
        }
        for pattern in &self.patterns {
            text = without_matches(pattern, text);
        }
        text
    }
}

/// Puts the mark where a pattern matches; what matches nothing, or a mark, is left as it is.
fn without_matches(pattern: &Regex, text: String) -> String {
    if !pattern.is_match(&text) {
        return text;
    }
    let mut clean = String::with_capacity(text.len());
    for (turn, part) in text.split(MARK).enumerate() {
        if turn != 0 {
            clean.push_str(MARK);
        }
        clean.push_str(&pattern.replace_all(part, |found: &regex::Captures<'_>| {
            let is_empty = found.get(0).is_none_or(|whole| whole.is_empty());
            if is_empty { "" } else { MARK }
        }));
    }
    clean
}

/// Characters of a secret's beginning that give it away where a text was cut.
const CUT_CHARS_MIN: usize = 8;

/// Takes out the beginning of a secret that stands right before the mark of a cut.
fn without_cut(text: &str, secret: &str) -> String {
    let longest = text.split('…').map(str::len).max().unwrap_or(0);
    let beginning = secret.as_bytes();
    let beginning = beginning.get(..longest.min(beginning.len().saturating_sub(1)));
    let beginning = Beginning::of(beginning.unwrap_or_default());
    let mut clean = String::with_capacity(text.len());
    let mut parts = text.split('…').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            clean.push_str(part);
            break;
        }
        let keep = part.len() - beginning.ends(part);
        match part.split_at_checked(keep) {
            Some((kept, head)) if CUT_CHARS_MIN <= head.chars().count() => {
                clean.extend([kept, MARK]);
            }
            Some(_) | None => clean.push_str(part),
        }
        clean.push('…');
    }
    clean
}

/// The beginning of a secret, ready to be looked for at the end of texts.
///
/// LIMIT: a secret and a text may each have 100,000 characters; the time is that of reading each
/// once (Knuth, Morris and Pratt).
struct Beginning<'a> {
    bytes: &'a [u8],
    /// For each length: how much of the beginning also ends it.
    borders: Vec<usize>,
}

impl Beginning<'_> {
    fn of(bytes: &[u8]) -> Beginning<'_> {
        let mut beginning = Beginning { bytes, borders: vec![0] };
        let mut held = 0;
        for byte in bytes.iter().skip(1) {
            held = beginning.longer(held, *byte);
            beginning.borders.push(held);
        }
        beginning
    }

    /// Returns how many bytes at the end of `text` are the beginning of the secret.
    fn ends(&self, text: &str) -> usize {
        text.bytes().fold(0, |held, byte| self.longer(held, byte))
    }

    /// Returns how much is held when `byte` follows `held` bytes of the beginning.
    fn longer(&self, mut held: usize, byte: u8) -> usize {
        loop {
            if self.bytes.get(held) == Some(&byte) {
                return held + 1;
            }
            match held.checked_sub(1).and_then(|last| self.borders.get(last)) {
                Some(border) => held = *border,
                None => return 0,
            }
        }
    }
}

/// Returns the ways in which a text stands in what we write: as it is, quoted for an outline or a
/// sentence, and encoded in the parts of an address.
fn forms_of(text: &str) -> BTreeSet<String> {
    let mut quoted = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            c if c.is_control() => quoted.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    let form: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
    let mut encoded = vec![form.replace('+', "%20"), component(text), form];
    if let Ok(mut url) = Url::parse("https://a.invalid/") {
        url.set_path(text);
        url.set_query(Some(text));
        url.set_fragment(Some(text));
        encoded.push(url.path().trim_start_matches('/').to_owned());
        encoded.extend(url.query().map(str::to_owned));
        encoded.extend(url.fragment().map(str::to_owned));
    }
    let lower: Vec<String> = encoded.iter().map(|form| lower_hex(form)).collect();
    let all = encoded.into_iter().chain(lower).chain([quoted, text.to_owned()]);
    all.filter(|form| !form.is_empty()).collect()
}

/// Encodes as a page's own `encodeURIComponent` does.
fn component(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte);
    text.bytes()
        .map(|byte| match plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}

/// Writes every `%XX` in lower case.
fn lower_hex(text: &str) -> String {
    let mut digits = 0;
    text.chars()
        .map(|c| {
            let is_digit = 0 < digits;
            digits = if c == '%' { 2 } else { i32::max(digits - 1, 0) };
            if is_digit { c.to_ascii_lowercase() } else { c }
        })
        .collect()
}

/// Fields whose text is a word of a closed list, or an id, of ours.
const OUR_FIELDS: [&str; 35] = [
    "answer",
    "call",
    "error",
    "driver_error",
    "status",
    "code",
    "fate",
    "action",
    "kind",
    "verdict",
    "replaced",
    "signals",
    "other_changes",
    "owner",
    "surface",
    "holder",
    "tier",
    "gate",
    "source",
    "method",
    "run",
    "run_id",
    "act",
    "acts",
    "proof",
    "ref",
    "id",
    "base",
    "sha256",
    "observation_id",
    "finding_id",
    "findings",
    "findings_added",
    "goal",
    "goal_id",
];

/// Words of closed lists that have no list of their own in the model.
const OUR_WORDS: [&str; 40] = [
    "pass",
    "fail",
    "blocked",
    "partial",
    "unset",
    "url",
    "title",
    "tree",
    "focus",
    "value",
    "screen",
    "dialog",
    "page",
    "download",
    "yours",
    "third-party",
    "web",
    "electron",
    "desktop",
    "agent",
    "replay",
    "assist",
    "human",
    "safe",
    "elevated",
    "irreversible",
    "stopped",
    "none",
    "requested",
    "created",
    "script",
    "model",
    "input",
    "appeared",
    "gone",
    "text",
    "name",
    "state",
    "not_sent",
    "unknown",
];

/// Returns whether a text is a word or an id of ours, and stands where such a one stands.
fn is_ours(key: &str, text: &str) -> bool {
    if !OUR_FIELDS.contains(&key) && key != "linked_findings" {
        return false;
    }
    let is_word = OUR_WORDS.contains(&text)
        || text == "sent"
        || Status::parse(text).is_some()
        || Code::parse(text).is_some()
        || ActionKind::parse(text).is_some()
        || DoorCode::ALL.iter().any(|code| code.as_str() == text)
        || FindingKind::parse(text).is_some()
        || DownloadStatus::parse(text).is_some();
    let is_id = RunId::parse(text).is_ok()
        || ActId::parse(text).is_ok()
        || ObservationId::parse(text).is_ok()
        || FindingId::parse(text).is_ok()
        || is_ref(text)
        || key == "sha256" && text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit())
        || matches!(key, "goal" | "goal_id") && GoalId::parse(text).is_ok();
    is_word || is_id
}

#[expect(clippy::expect_used, reason = "a constant pattern, built by a test")]
static ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
    // A mark made before is part of the address, so that redacting again changes nothing. What
    // ends an address in a sentence may stand in a password before its `@`.
    let user = r#"[^\s/?#"<>\\]*@"#;
    let rest = r#"\[REDACTED\]|[^\s"'<>`\\)\]}]"#;
    Regex::new(&format!("(?i)\\b(?:https?|wss?|ftp)://(?:{user})?(?:{rest})+"))
        .expect("the pattern is constant")
});

/// Redacts every address in a text.
fn addresses_in(text: &str) -> String {
    if !text.contains("://") {
        return text.to_owned();
    }
    ADDRESS
        .replace_all(text, |found: &regex::Captures<'_>| {
            let whole = found.get(0).map_or("", |part| part.as_str());
            address(whole).unwrap_or_else(|| MARK.to_owned())
        })
        .into_owned()
}

/// Returns an address without user info and with credential values marked (BR-402 to BR-408).
///
/// Null for one that is longer than [`limits::ADDRESS_MAX`]; an address that does not parse comes
/// back as it is when it holds nothing that looks like a credential, else as the mark.
pub fn address(address: &str) -> Option<String> {
    if limits::ADDRESS_MAX < address.len() {
        return None;
    }
    let Ok(mut url) = Url::parse(address) else {
        let suspicious = address.contains('@') || address.contains('=');
        return Some(if suspicious { MARK.to_owned() } else { address.to_owned() });
    };
    if url.scheme() == "data" {
        return Some("data:…".to_owned());
    }
    let mut touched = false;
    if !url.username().is_empty() || url.password().is_some() {
        touched |= url.set_username("").is_ok() & url.set_password(None).is_ok();
    }
    let query = url.query().map(pairs);
    let fragment = url.fragment().map(pairs);
    let path = path_parameters(url.path());
    if let Some(Some(query)) = query {
        url.set_query(Some(&query));
        touched = true;
    }
    if let Some(Some(fragment)) = fragment {
        url.set_fragment(Some(&fragment));
        touched = true;
    }
    if let Some(path) = path {
        url.set_path(&path);
        touched = true;
    }
    Some(if touched { url.to_string() } else { address.to_owned() })
}

/// Marks credential values in `a=b&c=d`; null when there are none.
fn pairs(text: &str) -> Option<String> {
    let mut touched = false;
    let parts: Vec<String> = text
        .split('&')
        .map(|pair| {
            let marked = without_credential(pair);
            touched |= marked.is_some();
            marked.unwrap_or_else(|| pair.to_owned())
        })
        .collect();
    touched.then(|| parts.join("&"))
}

/// Marks the credential in one pair. A name may begin after a route (`/in?name=`) or after a
/// semicolon; the value goes to the end of the pair, whatever stands in it.
fn without_credential(pair: &str) -> Option<String> {
    let begins = pair.match_indices(['?', ';']).map(|(at, _)| at + 1);
    std::iter::once(0).chain(begins).find_map(|begin| {
        let (before, part) = pair.split_at_checked(begin)?;
        let (name, value) = part.split_once('=')?;
        let is_name = !name.contains(['?', ';']);
        let first = value.split(['?', ';']).next().unwrap_or_default();
        let is_told = is_name && (is_credential(name, value) || is_credential(name, first));
        // What is marked stays as it is, so that redacting again changes nothing.
        (is_told && value != MARK).then(|| format!("{before}{name}={MARK}"))
    })
}

/// Marks credential values in `;name=value` parts of a path; null when there are none.
fn path_parameters(path: &str) -> Option<String> {
    let mut touched = false;
    let parts: Vec<String> = path
        .split('/')
        .map(|segment| {
            let pieces: Vec<String> = segment
                .split(';')
                .map(|piece| match piece.split_once('=') {
                    Some((name, value)) if value != MARK && is_credential(name, value) => {
                        touched = true;
                        format!("{name}={MARK}")
                    }
                    _ => piece.to_owned(),
                })
                .collect();
            pieces.join(";")
        })
        .collect();
    touched.then(|| parts.join("/"))
}

/// Returns whether a parameter holds a credential: by its name, or by an ambiguous name with a
/// value that looks generated (BR-403, BR-404).
fn is_credential(name: &str, value: &str) -> bool {
    // Whoever gets the address decodes the name before it is compared.
    let decoded: String = url::form_urlencoded::parse(name.as_bytes())
        .flat_map(|(name, _)| name.chars().collect::<Vec<char>>())
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect();
    let clear = [
        "password",
        "passwd",
        "passphrase",
        "secret",
        "token",
        "signature",
        "assertion",
        "sessionid",
        "jsessionid",
        "phpsessid",
        "apikey",
        "accesskey",
        "authkey",
        "privatekey",
        "verificationcode",
        "authcode",
        "authorizationcode",
        "onetimecode",
        "otp",
        "credential",
        "samlresponse",
        "authorization",
        "bearer",
        "xamzsecuritytoken",
    ];
    let exact = ["sig", "pwd", "pass", "jwt", "auth", "hmac"];
    if clear.iter().any(|word| decoded.contains(word)) || exact.contains(&decoded.as_str()) {
        return !value.is_empty();
    }
    let ambiguous: BTreeSet<&str> =
        ["ticket", "sid", "session", "key", "code", "state", "nonce"].into();
    ambiguous.contains(decoded.as_str()) && looks_generated(value)
}

fn looks_generated(value: &str) -> bool {
    // A mark made before is not the value's own.
    let value = value.replace(MARK, "");
    16 <= value.chars().count()
        && value.chars().any(|c| c.is_ascii_digit())
        && value.chars().any(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_policy_names_is_taken_out_wherever_it_stands() {
        let mut redactor = Redactor::default();
        let patterns = [r"(?i)\b\d{4}-\d{4}\b", r"x*", r"REDACTED"];
        redactor.remember_patterns(&patterns.map(|text| Regex::new(text).unwrap()));

        for (text, shown) in [
            ("card 1234-5678.", "card [REDACTED]."),
            ("1234-56789", "1234-56789"),
            ("a xx b", "a [REDACTED] b"),
            ("[REDACTED]", "[REDACTED]"),
            ("https://a.b/?q=1234-5678", "https://a.b/?q=[REDACTED]"),
        ] {
            assert_eq!(redactor.text(text).into_inner(), shown);
        }
    }

    #[test]
    fn text_typed_like_a_word_of_ours_does_not_break_the_record() {
        let mut redactor = Redactor::default();
        for typed in ["OBSERVED", "click", "pass", "status", "2026", "notes", "message"] {
            redactor.remember_typed(typed);
        }

        let value = serde_json::json!({"status": "OBSERVED", "action": "click", "goal": "notes",
            "run": "20261201T101500-ab12", "message": "2026: OBSERVED", "url": "click"});

        assert_eq!(
            redactor.value(&value).unwrap().into_inner(),
            serde_json::json!({"status": "OBSERVED", "action": "click", "goal": "notes",
                "run": "20261201T101500-ab12", "message": "[REDACTED]: [REDACTED]",
                "url": "[REDACTED]"})
        );
    }

    #[test]
    fn a_word_of_ours_is_none_where_the_page_speaks() {
        let mut redactor = Redactor::default();
        redactor.remember_typed("agent");

        let value = serde_json::json!({"name": "agent", "message": "agent"});

        assert!(!redactor.value(&value).unwrap().into_inner().to_string().contains("agent"));
    }

    #[test]
    fn the_longest_secret_goes_first_and_foreign_keys_go_too() {
        let mut redactor = Redactor::default();
        redactor.remember("abc");
        redactor.remember("abcd");
        redactor.remember("");

        let value = serde_json::json!({"value": {"abcd": ["x abcd y", {"k": "q\"abc"}]}});

        assert_eq!(
            redactor.value(&value).unwrap().into_inner(),
            serde_json::json!({"value": {"[REDACTED]": ["x [REDACTED] y", {"k": "q\"[REDACTED]"}]}})
        );
    }

    #[test]
    fn the_beginning_of_a_secret_before_a_cut_goes_too() {
        let mut redactor = Redactor::default();
        redactor.remember("sk-LIVE-0123456789-abcdefghij");
        redactor.remember("two\n  lines of it");

        let text = redactor.text("token sk-LIVE-0123456… and two lines of it…").into_inner();

        assert_eq!(text, "token [REDACTED]… and [REDACTED]…");
        assert_eq!(redactor.text("other text…").into_inner(), "other text…");
    }

    #[test]
    fn short_typed_text_stays_readable() {
        let mut redactor = Redactor::default();
        redactor.remember_typed("abc");

        assert_eq!(redactor.text("abc").into_inner(), "abc");
    }

    #[test]
    fn credentials_leave_addresses_and_other_values_stay_br_403_to_405() {
        for (address_in, expect) in [
            ("https://a.b/x?ticker=ETH&code=BTC", "https://a.b/x?ticker=ETH&code=BTC"),
            ("https://a.b/?code=123456", "https://a.b/?code=123456"),
            ("https://a.b/?sid=abc", "https://a.b/?sid=abc"),
            ("https://a.b/?sid=a1b2c3d4e5f6g7h8", "https://a.b/?sid=[REDACTED]"),
            ("https://a.b/#access_token=zzz", "https://a.b/#access_token=[REDACTED]"),
            ("https://a.b/#/in?token=zzz", "https://a.b/#/in?token=[REDACTED]"),
            ("https://a.b/x;jsessionid=12/y", "https://a.b/x;jsessionid=[REDACTED]/y"),
            ("https://a.b/?X-Amz-Signature=abc", "https://a.b/?X-Amz-Signature=[REDACTED]"),
            ("https://a.b/?api_key=k", "https://a.b/?api_key=[REDACTED]"),
            ("https://a.b/?verification_code=1", "https://a.b/?verification_code=[REDACTED]"),
            ("https://user:pass@a.b/x", "https://a.b/x"),
            ("https://a.b/?token=zzz&next=/x?y", "https://a.b/?token=[REDACTED]&next=/x?y"),
            ("https://a.b/?next=/x?token=z?z", "https://a.b/?next=/x?token=[REDACTED]"),
            ("https://a.b/?a=1;token=z;z", "https://a.b/?a=1;token=[REDACTED]"),
            ("https://a.b/?%74oken=zzz", "https://a.b/?%74oken=[REDACTED]"),
            ("https://a.b/?token=[REDACTED]&x=|", "https://a.b/?token=[REDACTED]&x=|"),
            ("data:text/html,secret", "data:…"),
            ("about:blank", "about:blank"),
        ] {
            assert_eq!(address(address_in).as_deref(), Some(expect), "{address_in}");
        }
        assert_eq!(address(&format!("https://a.b/{}", "x".repeat(9_000))), None);
    }

    #[test]
    fn a_secret_goes_in_every_form_it_is_written_in() {
        let mut redactor = Redactor::default();
        redactor.remember("a \"b\\c&é");

        for text in [
            "a \"b\\c&é",
            r#"a \"b\\c&é"#,
            "a+%22b%5Cc%26%C3%A9",
            "a%20%22b%5Cc%26%C3%A9",
            "a%20%22b%5cc%26%c3%a9",
            "a%20%22b\\c&%C3%A9",
        ] {
            assert_eq!(redactor.text(&format!("<{text}>")).into_inner(), "<[REDACTED]>", "{text}");
        }
    }

    #[test]
    fn redacting_again_changes_nothing() {
        let text = "GET https://u:p@a.b/x;token=1/?token=1&a=[b]#code (https://a.b/?sig=2) failed";
        let redactor = Redactor::default();

        let once = redactor.text(text).into_inner();

        assert_eq!(redactor.text(&once).into_inner(), once);
    }

    #[test]
    fn addresses_inside_text_are_redacted() {
        let text = Redactor::default().text("GET https://u:p@a.b/?token=1 failed");

        assert_eq!(text.into_inner(), "GET https://a.b/?token=[REDACTED] failed");
    }

    #[test]
    fn a_password_may_hold_what_ends_an_address() {
        let text = Redactor::default().text("(see https://user:pa)s]s}@a.b/x) and [https://a.b]");

        assert_eq!(text.into_inner(), "(see https://a.b/x) and [https://a.b]");
    }

    #[test]
    fn a_secret_goes_before_an_address_writes_it_otherwise() {
        let mut redactor = Redactor::default();
        redactor.remember("HunTer2");
        redactor.remember("se/../cret");

        let text = redactor.text("https://u:p@HunTer2/x https://u:p@a.b/se/../cret").into_inner();

        assert!(!text.to_lowercase().contains("hunter2") && !text.contains("cret"), "{text}");
    }

    proptest::proptest! {
        #[test]
        fn no_secret_survives_whatever_stands_around_it(
            before in "\\PC{0,40}", secret in "\\PC{4,20}", after in "\\PC{0,40}",
        ) {
            proptest::prop_assume!(!MARK.contains(&secret) && !secret.contains("://"));
            let mut redactor = Redactor::default();
            redactor.remember(&secret);
            let text = format!("{before}{secret}{after}");

            let shown = redactor.text(&text).into_inner();

            // The mark itself may join with what stands beside it.
            let without_mark = shown.replace(MARK, "\n");
            proptest::prop_assert!(!without_mark.contains(&secret), "{shown}");
        }
    }
}
