//! Where documents may be loaded from (D27): asked before each fetch and again after landing.
//!
//! Without a policy file a run may load top-level documents of the target's site only: scheme,
//! registrable domain and port; for loopback the exact origin; plus each allowed origin. Frames of
//! other sites load, and are not acted in.

use url::{Host, Url};

/// What kind of document asks to be loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentKind {
    /// The document of a page.
    TopLevel,
    /// The document of a frame.
    Frame,
}

/// What the boundary says of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judged {
    /// It may be loaded and acted in.
    Inside,
    /// It may be loaded; it is not acted in.
    Outside,
    /// It may not be loaded.
    Blocked,
}

/// A pure value the driver holds and asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Boundary {
    places: Vec<Place>,
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
#[error("`{address}` is not an http or https address with a host")]
pub struct BoundaryError {
    address: String,
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
        Ok(Boundary { places })
    }

    /// Says whether a document may be loaded here.
    pub fn judge(&self, address: &str, kind: DocumentKind) -> Judged {
        let Some(url) = plain(address) else { return Judged::Blocked };
        let inside = match url.scheme() {
            "http" | "https" => self.places.iter().any(|place| place.holds(&url)),
            "about" => matches!(url.path(), "blank" | "srcdoc"),
            "blob" => Url::parse(url.path())
                .is_ok_and(|inner| self.places.iter().any(|place| place.holds(&inner))),
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

    /// Says whether `address` lies inside as an http(s) origin, for checks of the system of
    /// record.
    pub fn contains_origin(&self, address: &str) -> bool {
        plain(address).is_some_and(|url| {
            matches!(url.scheme(), "http" | "https")
                && self.places.iter().any(|place| place.holds(&url))
        })
    }
}

/// Parses an address the way a browser would, and refuses what only looks like one.
fn plain(address: &str) -> Option<Url> {
    let url = Url::parse(address.trim()).ok()?;
    let has_user = !url.username().is_empty() || url.password().is_some();
    if has_user { None } else { Some(url) }
}

impl Place {
    fn parse(address: &str) -> Result<(Url, String), BoundaryError> {
        // What is shown of it must not be the password it may carry.
        let shown = || crate::redact::address(address).unwrap_or_default();
        let wrong = || BoundaryError { address: shown().chars().take(200).collect() };
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
