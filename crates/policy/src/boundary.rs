//! Where documents may be loaded from (D27): asked before each fetch and again after landing.
//!
//! Without a policy file a run may load top-level documents of the target's site only: scheme,
//! registrable domain and port; for loopback the exact origin; plus each allowed origin. Frames of
//! other sites load, and are not acted in. With one, its places hold, and nothing else.
//!
//! INVARIANT: whatever an address is, it is judged; a denied place is denied whatever else names
//! it, so one more of them never lets anything in.

use std::sync::Arc;

use url::{Host, Url};

use sidestick_model::Seam;

use crate::address::Address;
use crate::place::{Place as WrittenPlace, Readings};
use crate::policy::Policy;
use crate::trail::{Source, Trail};

/// What kind of document asks to be loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    /// The document of a page.
    TopLevel,
    /// The document of a frame.
    Frame,
}

/// What the boundary says of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judged {
    /// It may be loaded and acted in.
    Inside,
    /// It may be loaded; it is not acted in.
    Outside,
    /// It may not be loaded.
    Blocked,
}

impl Judged {
    /// Returns the word of the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Judged::Inside => "inside",
            Judged::Outside => "outside",
            Judged::Blocked => "blocked",
        }
    }
}

/// A pure value the driver holds and asks.
#[derive(Debug, Clone, PartialEq)]
pub struct Boundary(Kind);

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    /// The target's site and what was allowed besides.
    Around(Vec<Place>),
    /// What a policy says.
    Written(Arc<Written>),
}

/// The places of a policy, each with where it stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Written {
    pub(crate) allow: Vec<(Source, WrittenPlace)>,
    pub(crate) deny: Vec<(Source, WrittenPlace)>,
    pub(crate) frames_act: Vec<(Source, WrittenPlace)>,
    pub(crate) frames_load: Vec<(Source, WrittenPlace)>,
    /// Whether frames of any other place are loaded.
    pub(crate) others_load: bool,
    /// Whether pages may make documents as blobs, and frames as data.
    pub(crate) blobs: bool,
    pub(crate) data: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Place {
    scheme: String,
    host: Hosts,
    port: Option<u16>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Hosts {
    /// This host alone.
    Exactly(String),
    /// This registrable domain and everything under it.
    Site(String),
}

/// Why an address cannot bound a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoundaryError {
    /// It is no address that could.
    #[error("`{address}` is not an http or https address with a host")]
    NoAddress {
        /// The address, without what is secret in it.
        address: String,
    },
    /// The policy of the run does not let it be loaded.
    #[error("`{address}` is outside the policy: {why}")]
    Outside {
        /// The address, without what is secret in it.
        address: String,
        /// Which rule says so.
        why: String,
    },
}

impl Boundary {
    /// Makes the default boundary of a run: the target's site and the allowed origins.
    ///
    /// # Errors
    ///
    /// Fails when `target` or one of `allow` is no http(s) address with a host, or carries
    /// credentials.
    pub fn around(target: &str, allow: &[String]) -> Result<Boundary, BoundaryError> {
        let mut places = vec![Place::site_of(target)?];
        for origin in allow {
            places.push(Place::exact(origin)?);
        }
        Ok(Boundary(Kind::Around(places)))
    }

    /// Makes the boundary a policy writes down. A policy without one leaves the default; with one,
    /// the target and what is allowed besides have to lie inside: nothing widens a policy.
    ///
    /// # Errors
    ///
    /// As [`Boundary::around`], and when the policy blocks the target or an allowed origin.
    pub fn of(policy: &Policy, target: &str, allow: &[String]) -> Result<Boundary, BoundaryError> {
        let Some(written) = &policy.boundary else { return Boundary::around(target, allow) };
        let boundary = Boundary::written(Arc::clone(written));
        for address in std::iter::once(target).chain(allow.iter().map(String::as_str)) {
            let mut trail = Trail::kept();
            // It has to be an address at all before it can be outside.
            Place::parse(address)?;
            if boundary.told(address, DocumentKind::TopLevel, &mut trail) != Judged::Inside {
                let last = trail.into_considered().pop();
                let why = last.map_or_else(String::new, |rule| rule.says);
                return Err(BoundaryError::Outside { address: shown(address), why });
            }
        }
        Ok(boundary)
    }

    pub(crate) fn written(written: Arc<Written>) -> Boundary {
        Boundary(Kind::Written(written))
    }

    /// Says whether a document may be loaded here.
    pub fn judge(&self, address: &str, kind: DocumentKind) -> Judged {
        self.told(address, kind, &mut Trail::silent())
    }

    /// Says whether a document may be loaded here, and leaves a trail of the rules considered.
    pub fn told(&self, address: &str, kind: DocumentKind, trail: &mut Trail) -> Judged {
        match &self.0 {
            Kind::Around(places) => {
                let judged = judge_around(places, address, kind);
                let source = Source::fixed("the default boundary");
                trail.note(&source, true, || {
                    format!("the target's site and what was allowed besides: {}", judged.as_str())
                });
                judged
            }
            Kind::Written(written) => written.judge(address, kind, trail),
        }
    }

    /// Says whether a frame of this origin may be acted in. Its document was judged by its whole
    /// address when it was loaded; what is known of it now is the origin alone.
    pub fn told_frame(&self, origin: &str, trail: &mut Trail) -> Judged {
        match &self.0 {
            Kind::Around(_) => self.told(origin, DocumentKind::Frame, trail),
            Kind::Written(written) => written.judge_frame(origin, trail),
        }
    }

    /// Says whether `address` lies inside as an http(s) origin, for checks of the system of
    /// record.
    pub fn contains_origin(&self, address: &str) -> bool {
        match &self.0 {
            Kind::Around(places) => plain(address).is_some_and(|url| {
                matches!(url.scheme(), "http" | "https")
                    && places.iter().any(|place| place.holds(&url))
            }),
            Kind::Written(_) => {
                Address::plain(address).is_ok()
                    && self.judge(address, DocumentKind::TopLevel) == Judged::Inside
            }
        }
    }
}

fn judge_around(places: &[Place], address: &str, kind: DocumentKind) -> Judged {
    let Some(url) = plain(address) else { return Judged::Blocked };
    let inside = match url.scheme() {
        "http" | "https" => places.iter().any(|place| place.holds(&url)),
        "about" => matches!(url.path(), "blank" | "srcdoc"),
        "blob" => {
            Url::parse(url.path()).is_ok_and(|inner| places.iter().any(|place| place.holds(&inner)))
        }
        "data" => kind == DocumentKind::Frame,
        "chrome-error" => true,
        _ => false,
    };
    match (inside, kind) {
        (true, _) => Judged::Inside,
        (false, DocumentKind::Frame) if matches!(url.scheme(), "http" | "https" | "blob") => {
            Judged::Outside
        }
        (false, DocumentKind::Frame | DocumentKind::TopLevel) => Judged::Blocked,
    }
}

impl Written {
    /// Denied places first, then allowed ones, then what frames may have besides.
    fn judge(&self, text: &str, kind: DocumentKind, trail: &mut Trail) -> Judged {
        let fixed = |trail: &mut Trail, name: &str, says: &str, judged| {
            trail.note(&Source::fixed(name), true, || says.to_owned());
            judged
        };
        if is_of_the_browser(text) {
            let says = "a document of the browser's own, with nothing of any place in it";
            return fixed(trail, "boundary", says, Judged::Inside);
        }
        if text.starts_with("data:") {
            let may = self.data && kind == DocumentKind::Frame;
            let says = if may { "data in a frame is allowed" } else { "data is no place" };
            let judged = if may { Judged::Inside } else { Judged::Blocked };
            return fixed(trail, "boundary.made", says, judged);
        }
        let (inner, is_blob) = match text.strip_prefix("blob:") {
            Some(inner) => (inner, true),
            None => (text, false),
        };
        if is_blob && !self.blobs {
            return fixed(trail, "boundary.made", "blobs are not allowed", Judged::Blocked);
        }
        let address = match Address::plain(inner) {
            Ok(address) => address,
            Err(why) => return fixed(trail, "plain addresses", why, Judged::Blocked),
        };
        self.judge_place(&address, kind, trail)
    }

    /// Inside when every document of the origin that can be loaded in a frame may be acted in.
    fn judge_frame(&self, origin: &str, trail: &mut Trail) -> Judged {
        let Ok(address) = Address::plain(origin) else {
            return self.judge(origin, DocumentKind::Frame, trail);
        };
        let mut deny = self.deny.iter().filter(|(_, place)| place.paths.is_none());
        if let Some((source, place)) = deny.find(|(_, place)| place.holds_origin(&address)) {
            trail.note(source, true, || format!("deny {place}"));
            return Judged::Blocked;
        }
        let is_shared = self.others_load
            || self.frames_load.iter().any(|(_, place)| place.holds_origin(&address));
        for (source, place) in self.allow.iter().chain(&self.frames_act) {
            // Beside a path that may be acted in, others of the same origin may be there to be seen.
            let is_whole = place.paths.is_none() || !is_shared;
            let holds = place.holds_origin(&address) && is_whole;
            if trail.note(source, holds, || format!("act in frames of {place}")) {
                return Judged::Inside;
            }
        }
        let source = Source::fixed("boundary.frames.act");
        trail.note(&source, true, || "no rule lets this frame be acted in".to_owned());
        Judged::Outside
    }

    fn judge_place(&self, address: &Address, kind: DocumentKind, trail: &mut Trail) -> Judged {
        let mut first = |places: &[(Source, WrittenPlace)], readings, word: &str| {
            places.iter().any(|(source, place)| {
                let holds = place.holds(address, readings);
                trail.note(source, holds, || format!("{word} {place}"))
            })
        };
        if first(&self.deny, Readings::One, "deny") && !Seam::DenyWins.is_broken() {
            return Judged::Blocked;
        }
        if first(&self.allow, Readings::All, "allow") {
            return Judged::Inside;
        }
        if kind == DocumentKind::Frame {
            if first(&self.frames_act, Readings::All, "act in frames of") {
                return Judged::Inside;
            }
            if first(&self.frames_load, Readings::All, "load frames of") {
                return Judged::Outside;
            }
            let others = self.others_load;
            let source = Source::fixed("boundary.frames.others");
            if trail.note(&source, others, || "load frames of any other place".to_owned()) {
                return Judged::Outside;
            }
        }
        let source = Source::fixed("boundary.allow");
        trail.note(&source, true, || "no rule allows this place".to_owned());
        Judged::Blocked
    }
}

/// Returns whether it is an empty document, one written into its frame, or the browser's own page
/// about a document that did not load.
fn is_of_the_browser(text: &str) -> bool {
    let bare = text.split(['#', '?']).next().unwrap_or_default();
    matches!(bare, "about:blank" | "about:srcdoc" | "chrome-error://chromewebdata/")
}

/// What is shown of an address must not be the password it may carry.
fn shown(address: &str) -> String {
    crate::redact::address(address).unwrap_or_default().chars().take(200).collect()
}

/// Parses an address the way a browser would, and refuses what only looks like one.
fn plain(address: &str) -> Option<Url> {
    let url = Url::parse(address.trim()).ok()?;
    let has_user = !url.username().is_empty() || url.password().is_some();
    if has_user { None } else { Some(url) }
}

impl Place {
    fn parse(address: &str) -> Result<(Url, String), BoundaryError> {
        let wrong = || BoundaryError::NoAddress { address: shown(address) };
        let url = plain(address).ok_or_else(wrong)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(wrong());
        }
        let host = url.host_str().map(canonical_host).filter(|host| !host.is_empty());
        let host = host.ok_or_else(wrong)?;
        Ok((url, host))
    }

    fn exact(address: &str) -> Result<Place, BoundaryError> {
        let (url, host) = Place::parse(address)?;
        let port = url.port_or_known_default();
        Ok(Place { scheme: url.scheme().to_owned(), host: Hosts::Exactly(host), port })
    }

    fn site_of(address: &str) -> Result<Place, BoundaryError> {
        let (url, host) = Place::parse(address)?;
        let is_name = matches!(url.host(), Some(Host::Domain(_)));
        let site = psl::domain_str(&host).filter(|_| is_name && !is_loopback(&host));
        let hosts = match site {
            Some(site) => Hosts::Site(site.to_owned()),
            None => Hosts::Exactly(host),
        };
        let port = url.port_or_known_default();
        Ok(Place { scheme: url.scheme().to_owned(), host: hosts, port })
    }

    fn holds(&self, url: &Url) -> bool {
        let Some(host) = url.host_str().map(canonical_host) else { return false };
        let host_fits = match &self.host {
            Hosts::Exactly(only) => *only == host,
            Hosts::Site(site) => {
                host == *site || host.strip_suffix(site.as_str()).is_some_and(|h| h.ends_with('.'))
            }
        };
        host_fits && url.scheme() == self.scheme && url.port_or_known_default() == self.port
    }
}

/// Lower case, without the one trailing dot that names the same host.
fn canonical_host(host: &str) -> String {
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.ends_with(".localhost")
}

#[cfg(test)]
mod under_policy;

#[cfg(test)]
mod tests {
    use super::*;

    fn top(target: &str, address: &str) -> Judged {
        Boundary::around(target, &[]).unwrap().judge(address, DocumentKind::TopLevel)
    }

    #[test]
    fn a_run_stays_on_the_site_of_its_target() {
        let target = "https://app.example.co.uk/start";

        for inside in ["https://example.co.uk/", "https://login.example.co.uk:443/x", "about:blank"]
        {
            assert_eq!(top(target, inside), Judged::Inside, "{inside}");
        }
        for outside in [
            "http://app.example.co.uk/",
            "https://other.co.uk/",
            "https://example.co.uk.evil.com/",
            "https://evilexample.co.uk/",
            "https://app.example.co.uk:8443/",
            "https://example.co.uk@evil.com/",
            "https://evil.com\\@example.co.uk/",
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "view-source:https://app.example.co.uk/",
            "chrome://settings",
            "blob:https://evil.com/1",
            "about:config",
            "",
            "not an address",
        ] {
            assert_eq!(top(target, outside), Judged::Blocked, "{outside}");
        }
    }

    #[test]
    fn loopback_is_bounded_by_its_exact_origin() {
        let target = "http://127.0.0.1:8080/";

        assert_eq!(top(target, "http://127.0.0.1:8080/x"), Judged::Inside);
        assert_eq!(top(target, "http://127.0.0.1:8081/"), Judged::Blocked);
        assert_eq!(top(target, "http://localhost:8080/"), Judged::Blocked);
        assert_eq!(top("http://localhost:1/", "http://a.localhost:1/"), Judged::Blocked);
    }

    #[test]
    fn a_public_suffix_is_not_a_site() {
        assert_eq!(top("https://me.github.io/", "https://you.github.io/"), Judged::Blocked);
    }

    #[test]
    fn odd_spellings_of_the_same_host_are_the_same_host() {
        assert_eq!(top("https://example.com/", "https://EXAMPLE.com./"), Judged::Inside);
        assert_eq!(top("http://127.0.0.1:80/", "http://0x7f.1/"), Judged::Inside);
        assert_eq!(top("https://bücher.de/", "https://xn--bcher-kva.de/"), Judged::Inside);
    }

    #[test]
    fn frames_of_other_sites_load_and_are_outside() {
        let boundary = Boundary::around("https://a.com/", &["https://b.com".to_owned()]).unwrap();
        let frame = |address| boundary.judge(address, DocumentKind::Frame);

        assert_eq!(frame("https://b.com/x"), Judged::Inside);
        assert_eq!(frame("https://c.com/x"), Judged::Outside);
        assert_eq!(frame("about:srcdoc"), Judged::Inside);
        assert_eq!(frame("file:///etc/passwd"), Judged::Blocked);
    }

    proptest::proptest! {
        /// Whatever is written before it, only the site itself is inside.
        #[test]
        fn no_address_frees_a_boundary(address in "[a-z:/\\\\@.%?#0-9\\[\\]-]{0,60}") {
            let boundary = Boundary::around("https://only.example/", &[]).unwrap();

            let judged = boundary.judge(&address, DocumentKind::TopLevel);

            let host = Url::parse(&address).ok().and_then(|url| url.host_str().map(str::to_owned));
            let is_own = host.is_some_and(|host| canonical_host(&host).ends_with("only.example"));
            let is_blank = address.trim().starts_with("about:");
            let is_blob = address.trim().starts_with("blob:");
            let is_error = address.trim().starts_with("chrome-error:");
            proptest::prop_assert!(judged == Judged::Blocked || is_own || is_blank || is_blob || is_error);
        }
    }
}
