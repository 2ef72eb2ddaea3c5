//! Places of the web: scheme, host and port in fields of ours, paths as URL patterns.
//!
//! Hosts never go through a URL pattern, whose wildcards match more than they seem to.

use std::sync::Arc;

use url::Host;
use urlpattern::component::Component;
use urlpattern::{UrlPattern, UrlPatternInit, UrlPatternOptions};

use crate::address::Address;

/// Why a text is no host, and what may have been meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) why: String,
    pub(crate) meant: Option<String>,
}

/// A host, or everything below one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HostPattern {
    /// This host alone.
    Exactly(String),
    /// Every host below this one, and not this one.
    Below(String),
}

impl HostPattern {
    /// Reads `shop.example` or `*.shop.example`.
    pub(crate) fn parse(text: &str) -> Result<HostPattern, Wrong> {
        let wrong = |why: &str, meant: Option<String>| Wrong { why: why.to_owned(), meant };
        if let Some((_, rest)) = text.split_once("://") {
            let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
            let why = "is an address; scheme, host, port and paths are fields of their own";
            return Err(wrong(why, Some(host.to_owned()).filter(|host| !host.is_empty())));
        }
        let (is_below, name) = match text.strip_prefix("*.") {
            Some(name) => (true, name),
            None => (false, text),
        };
        if name.contains('*') {
            let meant = name.trim_start_matches(['*', '.']);
            let meant = (!meant.contains('*') && !meant.is_empty()).then(|| format!("*.{meant}"));
            return Err(wrong("has a `*` that is not the whole first part", meant));
        }
        let is_bracketed = name.starts_with('[') && name.ends_with(']');
        if let Some((host, _)) = name.split_once(':').filter(|_| !is_bracketed) {
            return Err(match name.parse::<std::net::Ipv6Addr>() {
                Ok(_) => {
                    wrong("is an IPv6 address without its brackets", Some(format!("[{name}]")))
                }
                Err(_) => wrong("has a port; `port` is a field of its own", Some(host.to_owned())),
            });
        }
        if let Some(host) = name.strip_suffix('.') {
            return Err(wrong("ends with a dot", Some(format!("{}{host}", star(is_below)))));
        }
        let host = Host::parse(name).map_err(|_| wrong("is no host", None))?;
        let canonical = host.to_string();
        let is_name = matches!(host, Host::Domain(_));
        if is_below && !is_name {
            return Err(wrong("has nothing below it: it is a number", Some(canonical)));
        }
        if name.is_ascii() && !name.eq_ignore_ascii_case(&canonical) {
            let meant = format!("{}{canonical}", star(is_below));
            return Err(wrong("is another way to write a host", Some(meant)));
        }
        Ok(if is_below { HostPattern::Below(canonical) } else { HostPattern::Exactly(canonical) })
    }

    /// Returns whether it means everything below a public suffix: no site, but all of them.
    pub(crate) fn is_too_wide(&self) -> bool {
        match self {
            HostPattern::Exactly(_) => false,
            HostPattern::Below(name) => {
                psl::domain_str(name).is_none() && name != "localhost" && !is_own_name(name)
            }
        }
    }

    /// Returns whether a host in its canonical form is meant.
    pub(crate) fn holds(&self, host: &str) -> bool {
        match self {
            HostPattern::Exactly(only) => only == host,
            HostPattern::Below(name) => host
                .strip_suffix(name.as_str())
                .and_then(|before| before.strip_suffix('.'))
                .is_some_and(|before| !before.is_empty()),
        }
    }
}

/// Returns whether a name is of a machine or network of one's own, where there is no registry.
fn is_own_name(name: &str) -> bool {
    !name.contains('.') && psl::suffix(name.as_bytes()).is_none_or(|suffix| !suffix.is_known())
}

fn star(is_below: bool) -> &'static str {
    if is_below { "*." } else { "" }
}

impl std::fmt::Display for HostPattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            HostPattern::Exactly(name) => f.write_str(name),
            HostPattern::Below(name) => write!(f, "*.{name}"),
        }
    }
}

/// Says what is wrong with a registrable domain.
pub(crate) fn site_problem(text: &str) -> Option<(String, Option<String>)> {
    match HostPattern::parse(text) {
        Err(wrong) => Some((wrong.why, wrong.meant)),
        Ok(HostPattern::Below(name)) => {
            Some(("is a pattern; a site holds all that is below it".to_owned(), Some(name)))
        }
        Ok(HostPattern::Exactly(name)) => match psl::domain_str(&name) {
            // The list of suffixes knows nothing of numbers.
            _ if !matches!(Host::parse(&name), Ok(Host::Domain(_))) => {
                Some(("is a number; `host` is for one host".to_owned(), None))
            }
            Some(site) if site == name => None,
            Some(site) => Some((
                "is below a registrable domain; `host` is for one host".to_owned(),
                Some(site.to_owned()),
            )),
            None => Some(("is no registrable domain; `host` is for one host".to_owned(), None)),
        },
    }
}

/// A path in the syntax of URL patterns.
#[derive(Debug, Clone)]
pub(crate) struct PathPattern {
    text: String,
    path: Arc<Component<regex::Regex>>,
}

impl PartialEq for PathPattern {
    fn eq(&self, other: &PathPattern) -> bool {
        self.text == other.text
    }
}

impl PathPattern {
    /// Reads a pattern; it begins with `/`, or is `*`.
    pub(crate) fn parse(text: &str) -> Result<PathPattern, String> {
        if !text.starts_with('/') && text != "*" {
            return Err("does not begin with `/`".to_owned());
        }
        let init = UrlPatternInit {
            protocol: Some("https".to_owned()),
            pathname: Some(text.to_owned()),
            ..UrlPatternInit::default()
        };
        let pattern = <UrlPattern>::parse(init, UrlPatternOptions::default()).map_err(|error| {
            let said = error.to_string();
            let first = said.lines().next().unwrap_or_default();
            format!("is no URL pattern of a path: {first}")
        })?;
        Ok(PathPattern { text: text.to_owned(), path: Arc::new(pattern.pathname) })
    }

    fn matches(&self, path: &str) -> bool {
        self.path.matcher.matches(path).is_some()
    }
}

/// Which schemes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Schemes {
    Https,
    Http,
    Either,
}

impl Schemes {
    fn holds(self, scheme: &str) -> bool {
        match self {
            Schemes::Https => scheme == "https",
            Schemes::Http => scheme == "http",
            Schemes::Either => matches!(scheme, "https" | "http"),
        }
    }
}

/// Which ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ports {
    /// The scheme's own.
    Own,
    Only(u16),
    Any,
}

/// How many of the readings of a path have to match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Readings {
    /// All: what one of them means elsewhere is not let in.
    All,
    /// One: what one of them means is kept out.
    One,
}

/// One place, or many.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    pub(crate) host: Option<HostPattern>,
    pub(crate) schemes: Schemes,
    pub(crate) ports: Ports,
    /// None for every path.
    pub(crate) paths: Option<Vec<PathPattern>>,
}

impl Place {
    /// Returns whether an address is there.
    pub(crate) fn holds(&self, address: &Address, readings: Readings) -> bool {
        self.holds_origin(address) && self.holds_path(address, readings)
    }

    /// Returns whether the origin of an address is there, whatever its path.
    pub(crate) fn holds_origin(&self, address: &Address) -> bool {
        let port_fits = match self.ports {
            Ports::Any => true,
            Ports::Only(port) => address.port == port,
            Ports::Own => address.port == if address.scheme == "https" { 443 } else { 80 },
        };
        let host_fits = self.host.as_ref().is_none_or(|host| host.holds(&address.host));
        host_fits && port_fits && self.schemes.holds(&address.scheme)
    }

    fn holds_path(&self, address: &Address, readings: Readings) -> bool {
        let Some(patterns) = &self.paths else { return true };
        let fits = |path: &String| patterns.iter().any(|pattern| pattern.matches(path));
        match readings {
            Readings::All => address.paths.iter().all(fits),
            Readings::One => address.paths.iter().any(fits),
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scheme = match self.schemes {
            Schemes::Https => "https",
            Schemes::Http => "http",
            Schemes::Either => "http(s)",
        };
        write!(f, "{scheme}://")?;
        match &self.host {
            Some(host) => write!(f, "{host}")?,
            None => f.write_str("(any host)")?,
        }
        match self.ports {
            Ports::Own => {}
            Ports::Only(port) => write!(f, ":{port}")?,
            Ports::Any => f.write_str(":(any port)")?,
        }
        match &self.paths {
            None => Ok(()),
            Some(paths) => {
                let paths: Vec<&str> = paths.iter().map(|path| path.text.as_str()).collect();
                write!(f, " {}", paths.join(" "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_written_in_one_way_and_others_say_which() {
        for (text, canonical) in [
            ("Shop.Example", "shop.example"),
            ("*.shop.example", "*.shop.example"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("127.0.0.1", "127.0.0.1"),
            ("[::1]", "[::1]"),
            ("localhost", "localhost"),
        ] {
            assert_eq!(HostPattern::parse(text).unwrap().to_string(), canonical);
        }
        for (text, meant) in [
            ("https://shop.example/x", Some("shop.example")),
            ("shop.example:8080", Some("shop.example")),
            ("shop.example.", Some("shop.example")),
            ("0x7f.1", Some("127.0.0.1")),
            ("2130706433", Some("127.0.0.1")),
            ("::1", Some("[::1]")),
            ("*shop.example", Some("*.shop.example")),
            ("*.127.0.0.1", Some("127.0.0.1")),
            ("ex%61mple.com", Some("example.com")),
            ("*", None),
            ("", None),
            ("a b", None),
            ("shop.example/x", None),
            ("u@shop.example", None),
            ("shop.*.example", None),
        ] {
            let wrong = HostPattern::parse(text).unwrap_err();
            assert_eq!(wrong.meant.as_deref(), meant, "{text}");
        }
    }

    #[test]
    fn below_a_host_is_not_the_host_and_not_a_longer_name() {
        let below = HostPattern::parse("*.a.example").unwrap();

        assert!(below.holds("x.a.example") && below.holds("y.x.a.example"));
        for host in ["a.example", "evil-a.example", ".a.example", "a.example.evil.com"] {
            assert!(!below.holds(host), "{host}");
        }
    }

    #[test]
    fn below_a_public_suffix_is_everybody() {
        for text in ["*.com", "*.co.uk", "*.github.io"] {
            assert!(HostPattern::parse(text).unwrap().is_too_wide(), "{text}");
        }
        for text in ["*.shop.co.uk", "*.localhost", "com", "*.intranet"] {
            assert!(!HostPattern::parse(text).unwrap().is_too_wide(), "{text}");
        }
    }

    #[test]
    fn a_site_is_a_registrable_domain() {
        assert_eq!(site_problem("shop.co.uk"), None);
        for (text, meant) in [
            ("www.shop.co.uk", Some("shop.co.uk")),
            ("*.shop.co.uk", Some("shop.co.uk")),
            ("co.uk", None),
            ("127.0.0.1", None),
        ] {
            assert_eq!(site_problem(text).unwrap().1.as_deref(), meant, "{text}");
        }
    }

    #[test]
    fn a_path_pattern_means_what_the_standard_says() {
        for (pattern, path, fits) in [
            ("*", "/anything/at/all", true),
            ("/orders/*", "/orders/7", true),
            ("/orders/*", "/orders", false),
            ("/orders{/*}?", "/orders", true),
            ("/orders/:id", "/orders/7", true),
            ("/orders/:id", "/orders/7/edit", false),
            (r"/orders/:id(\d+)", "/orders/x", false),
            ("/a.b", "/axb", false),
            ("/ü", "/%C3%BC", true),
        ] {
            assert_eq!(
                PathPattern::parse(pattern).unwrap().matches(path),
                fits,
                "{pattern} {path}"
            );
        }
        for pattern in ["orders", "", "https://a/", "/(", "/{a", "/:"] {
            assert!(PathPattern::parse(pattern).is_err(), "{pattern}");
        }
    }
}
