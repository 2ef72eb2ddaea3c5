//! An address as a policy takes it: written in the one way a browser writes it, or not at all.
//!
//! Parsers agree on plain addresses and differ on the others: what one of them might read as
//! another host is outside, whoever is right. What is left is compared in parts.

use sidestick_model::{Seam, limits};
use url::Url;

/// An http or https address, in parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) scheme: String,
    pub(crate) host: String,
    pub(crate) port: u16,
    /// The path as it is, and as a server may read it: decoded, without doubled slashes.
    pub(crate) paths: Vec<String>,
}

impl Address {
    /// Reads a plain address.
    ///
    /// # Errors
    ///
    /// Says in a few words what makes it none.
    pub(crate) fn plain(text: &str) -> Result<Address, &'static str> {
        if limits::ADDRESS_MAX < text.len() {
            return Err("it is longer than any address we tell");
        }
        if text.contains(|c: char| c.is_control() || c.is_whitespace() || c == '\\')
            && !Seam::TrickyAddress.is_broken()
        {
            return Err("it has a control character, white space or a backslash in it");
        }
        let url = Url::parse(text).map_err(|_| "it is no address")?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("it is not of http or https");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("it carries a user name or password");
        }
        let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
            return Err("it has no host");
        };
        if !Seam::TrickyAddress.is_broken() {
            written_plainly(text, &url, host)?;
        }
        let paths = readings(&url).ok_or("its path is encoded over and over")?;
        let (scheme, host) = (url.scheme().to_owned(), host.to_owned());
        Ok(Address { scheme, host, port, paths })
    }
}

/// Checks that scheme, host and port stand there as they are meant, but for upper case.
fn written_plainly(text: &str, url: &Url, host: &str) -> Result<(), &'static str> {
    let rest = text.get(url.scheme().len()..).unwrap_or_default();
    let Some(rest) = rest.strip_prefix("://") else {
        return Err("its scheme is not followed by `://`");
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.contains('@') {
        return Err("it carries a user name or password");
    }
    let Some(port) = strip_prefix_ignoring_case(authority, host) else {
        return Err("its host is another way to write a host");
    };
    if host.ends_with('.') {
        return Err("its host ends with a dot");
    }
    let is_good_port = match port.strip_prefix(':') {
        None => port.is_empty(),
        Some(digits) => url.port_or_known_default().is_some_and(|port| port.to_string() == digits),
    };
    if is_good_port { Ok(()) } else { Err("its port is another way to write a port") }
}

fn strip_prefix_ignoring_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, tail) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(tail)
}

/// Returns the path as it is and as it may be read, each once; none when decoding does not end.
fn readings(url: &Url) -> Option<Vec<String>> {
    let mut paths = vec![url.path().to_owned()];
    let mut url = url.clone();
    for _ in 0..limits::PATH_DECODED_MAX {
        let before = url.path().to_owned();
        let decoded = decoded(&before);
        url.set_path(&decoded.replace('\\', "/"));
        let after = url.path().to_owned();
        if after == before {
            let slashed = single_slashes(&after);
            url.set_path(&slashed);
            let slashed = url.path().to_owned();
            for path in [after, slashed] {
                if !paths.contains(&path) {
                    paths.push(path);
                }
            }
            return Some(paths);
        }
        if !paths.contains(&after) {
            paths.push(after);
        }
    }
    None
}

/// Decodes what is percent-encoded; bytes that are no text are left as they are.
fn decoded(path: &str) -> String {
    if !path.contains('%') {
        return path.to_owned();
    }
    let bytes = path.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let hex = |offset: usize| {
            let digit = bytes.get(at + offset).copied().map(char::from)?.to_digit(16)?;
            u8::try_from(digit).ok()
        };
        match (*byte, hex(1), hex(2)) {
            (b'%', Some(high), Some(low)) => {
                out.push(high * 16 + low);
                at += 3;
            }
            (other, _, _) => {
                out.push(other);
                at += 1;
            }
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| path.to_owned())
}

fn single_slashes(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for c in path.chars() {
        if c != '/' || !text.ends_with('/') {
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_addresses_are_taken_apart() {
        let address = Address::plain("https://Shop.Example:8443/a?b#c").unwrap();

        assert_eq!((address.scheme.as_str(), address.port), ("https", 8443));
        assert_eq!((address.host.as_str(), address.paths), ("shop.example", vec!["/a".to_owned()]));
        for text in
            ["https://a.example", "HTTPS://a.example/", "http://[::1]:80/", "https://a.b:443"]
        {
            assert!(Address::plain(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_path_is_read_in_every_way_a_server_may_read_it() {
        for (path, reads) in [
            ("/%61dmin", "/admin"),
            ("/%2561dmin", "/admin"),
            ("//admin", "/admin"),
            ("/x/..%2fadmin", "/admin"),
            ("/x/%2e%2e/admin", "/admin"),
            ("/x/..%5cadmin", "/admin"),
            ("/%C3%BC", "/%C3%BC"),
        ] {
            let address = Address::plain(&format!("https://a.example{path}")).unwrap();
            assert!(address.paths.iter().any(|known| known == reads), "{path} {address:?}");
        }
        let deep = format!("https://a.example/%{}61", "25".repeat(9));
        assert!(Address::plain(&deep).is_err());
    }

    #[test]
    fn a_percent_sign_and_broken_bytes_end_the_decoding() {
        for path in ["/100%", "/%zz", "/%ff%fe", "/%25", "/a%00b", "/%", "/%2"] {
            assert!(Address::plain(&format!("https://a.example{path}")).is_ok(), "{path}");
        }
    }
}
