//! One more denied place never lets anything in, whatever the policy and whatever the address.
//!
//! The bytes are choices: each picks from a pool of places and of parts of addresses, tricky ones
//! among them. When they are spent the first of each pool is taken.

use std::sync::{Arc, LazyLock};

use url::Url;

use crate::boundary::{Boundary, DocumentKind, Judged, Written};
use crate::place::{HostPattern, PathPattern, Place, Ports, Readings, Schemes};
use crate::trail::Source;

const HOSTS: &[&str] = &[
    "shop.example",
    "*.shop.example",
    "admin.shop.example",
    "evil.example",
    "xn--bcher-kva.example",
    "127.0.0.1",
    "[::1]",
    "localhost",
];
const PATHS: &[&[&str]] =
    &[&[], &["/*"], &["/admin", "/admin/*"], &["/app/:part"], &["/x{/*}?"], &["*"]];

/// Every place of the pools, made once: a pattern takes its time to be compiled.
static PLACES: LazyLock<Vec<Place>> = LazyLock::new(|| {
    let hosts = HOSTS.iter().map(|host| HostPattern::parse(host).ok()).chain([None]);
    let mut places = Vec::new();
    for (number, host) in hosts.enumerate() {
        for (turn, paths) in PATHS.iter().enumerate() {
            let paths: Vec<PathPattern> =
                paths.iter().filter_map(|path| PathPattern::parse(path).ok()).collect();
            let mixed = number + turn;
            places.push(Place {
                host: host.clone(),
                schemes: match mixed % 3 {
                    0 => Schemes::Https,
                    1 => Schemes::Either,
                    _ => Schemes::Http,
                },
                ports: match (mixed / 2) % 3 {
                    0 => Ports::Own,
                    1 => Ports::Any,
                    _ => Ports::Only(8443),
                },
                paths: (!paths.is_empty()).then_some(paths),
            });
        }
    }
    places
});

const BEGINNINGS: &[&str] = &[
    // Most are plain, so that the places are asked and not the spelling alone.
    "https://",
    "https://",
    "https://",
    "https://",
    "https://",
    "https://",
    "https://",
    "https://",
    "https://",
    "https://",
    "https://",
    "https://",
    "http://",
    "http://",
    "http://",
    "http://",
    "HTTPS://",
    "https:/",
    "https:",
    "https:///",
    "https:\\\\",
    " https://",
    "ht\ttps://",
    "blob:https://",
    "blob:null/",
    "view-source:https://",
    "filesystem:https://",
    "data:text/html,https://",
    "javascript:location='https://",
    "file://",
    "about:blank",
    "about:srcdoc",
    "about:config",
    "chrome-error://chromewebdata/",
    "chrome://",
    "ws://",
    "//",
    "",
];
const USERS: &[&str] =
    &["", "", "", "", "", "", "", "", "u@", "u:p@", "shop.example@", "shop.example:443@", "@"];
const ADDRESSED: &[&str] = &[
    "shop.example",
    "shop.example",
    "a.shop.example",
    "evil.example",
    "localhost",
    "127.0.0.1",
    "admin.shop.example",
    "admin.shop.example",
    "a.b.shop.example",
    "SHOP.example",
    "shop.example.",
    "evil-shop.example",
    "shop.example.evil.example",
    "evil.example",
    "sh%6fp.example",
    "shop\u{ad}.example",
    "ｓhop.example",
    "bücher.example",
    "xn--bcher-kva.example",
    "127.0.0.1",
    "127.1",
    "0x7f.0.0.1",
    "2130706433",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "localhost",
    "",
    "shop.example\\.evil.example",
    "shop.example\u{0}",
    "shop。example",
];
const PORTS: &[&str] =
    &["", "", "", "", "", "", ":443", ":8443", ":80", ":8443", ":0443", ":", ":99999", ":8443:443"];
const PIECES: &[&str] = &[
    "",
    "/",
    "/admin",
    "/admin/users",
    "/app/one",
    "/app/one/two",
    "/%61dmin/x",
    "/%2561dmin/x",
    "/app/..%2fadmin/x",
    "/app/%2e%2e/admin/x",
    "/app/../admin/x",
    "//admin/x",
    "/\\admin",
    "/admin%00",
    "/x?/admin",
    "/x#/admin",
    "/ü",
    "/%ff",
    "\\@evil.example/",
    "/;admin",
];

/// Takes choices off the front of the bytes.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn number(&mut self) -> usize {
        self.0.next().copied().map_or(0, usize::from)
    }

    fn pick<T: Copy>(&mut self, pool: &[T]) -> Option<T> {
        pool.get(self.number().checked_rem(pool.len())?).copied()
    }

    fn text(&mut self, pool: &[&'static str]) -> &'static str {
        self.pick(pool).unwrap_or_default()
    }

    fn places(&mut self, most: usize) -> Vec<(Source, Place)> {
        let count = self.number() % (most + 1);
        (0..count).map(|_| self.place()).collect()
    }

    fn place(&mut self) -> (Source, Place) {
        let number = self.number() % PLACES.len();
        let place = PLACES.get(number).cloned();
        let everywhere =
            || Place { host: None, schemes: Schemes::Either, ports: Ports::Any, paths: None };
        (Source::fixed("place"), place.unwrap_or_else(everywhere))
    }

    fn address(&mut self) -> String {
        let mut text = self.text(BEGINNINGS).to_owned();
        for pool in [USERS, ADDRESSED, PORTS, PIECES, PIECES] {
            text.push_str(self.text(pool));
        }
        text
    }
}

/// Makes a policy, a place more to deny, and an address, and compares what is said before and after.
///
/// # Panics
///
/// Panics when the denial lets something in, or does not keep out what it names; when something is
/// inside that no place names; or when a frame may less than a page.
pub fn narrowing(bytes: &[u8]) {
    let mut choices = Choices(bytes.iter());
    let switches = choices.number();
    let before = Written {
        allow: choices.places(4),
        deny: choices.places(3),
        frames_act: choices.places(2),
        frames_load: choices.places(2),
        others_load: switches & 1 == 1,
        blobs: switches & 2 == 2,
        data: switches & 4 == 4,
    };
    let more = choices.place();
    let mut after = before.clone();
    let at = choices.number() % (after.deny.len() + 1);
    after.deny.insert(at, more.clone());
    let mut address = choices.address();
    // What is left stands as it is, for libFuzzer to find what the pools do not have.
    address.push_str(&String::from_utf8_lossy(choices.0.as_slice()));

    let (before, after) = (Arc::new(before), Arc::new(after));
    let (wide, narrow) =
        (Boundary::written(Arc::clone(&before)), Boundary::written(Arc::clone(&after)));
    let mut judged = Vec::new();
    for kind in [DocumentKind::TopLevel, DocumentKind::Frame] {
        let (was, is) = (wide.judge(&address, kind), narrow.judge(&address, kind));
        assert!(was <= is, "`{}` lets `{address}` in: {was:?} was, {is:?} is", more.1);
        judged.push(is);
    }
    let [page, frame] = judged[..] else { return };
    assert!(frame <= page, "a frame may less than a page: `{address}`");
    assert!(page != Judged::Outside, "a page outside is not loaded: `{address}`");
    named(&after, &address, &more.1, frame);
}

/// Checks what is loaded against the places, as the address parses.
fn named(written: &Written, address: &str, denied: &Place, frame: Judged) {
    let bare = address.strip_prefix("blob:").unwrap_or(address);
    let Ok(url) = Url::parse(bare) else {
        assert_eq!(frame, Judged::Blocked, "`{address}` is no address");
        return;
    };
    if !matches!(url.scheme(), "http" | "https") {
        let may = matches!(url.scheme(), "about" | "chrome-error" | "data");
        assert!(frame == Judged::Blocked || may, "`{address}` is loaded");
        return;
    }
    let host = url.host_str().unwrap_or_default();
    let is_named = |places: &[(Source, Place)]| {
        places.iter().any(|(_, place)| place.host.as_ref().is_none_or(|name| name.holds(host)))
    };
    let lists = [&written.allow, &written.frames_act, &written.frames_load];
    if frame == Judged::Inside {
        assert!(is_named(lists[0]) || is_named(lists[1]), "nobody named `{address}`");
    }
    if frame == Judged::Outside && !written.others_load {
        assert!(is_named(lists[2]), "nobody named `{address}`");
    }
    if let Ok(plain) = crate::address::Address::plain(bare) {
        let is_denied = denied.holds(&plain, Readings::One);
        assert!(!is_denied || frame == Judged::Blocked, "`{denied}` does not deny `{address}`");
    } else {
        assert_eq!(frame, Judged::Blocked, "`{address}` could mean another address");
    }
}

#[cfg(test)]
mod tests {
    use sidestick_testkit::mutate;

    use super::*;

    /// Pairs of a policy and the same one with one denial more, each with an address of its own.
    const PAIRS: u64 = 100_000;

    fn bytes(seed: u64) -> Vec<u8> {
        // SplitMix64, eight bytes at a time.
        (0..5u64)
            .flat_map(|part| {
                let mut mixed = seed.wrapping_mul(8).wrapping_add(part);
                mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                (mixed ^ (mixed >> 31)).to_le_bytes()
            })
            .take(32)
            .collect()
    }

    #[test]
    fn one_more_denial_never_lets_anything_in() {
        for seed in 0..PAIRS {
            narrowing(&bytes(seed));
        }
    }

    #[test]
    fn no_bytes_widen_a_boundary() {
        mutate::smoke("narrowing", 3_000, narrowing);
    }

    /// A generator that reaches one answer alone proves nothing.
    #[test]
    fn the_generator_reaches_every_answer() {
        let mut seen = [0u32; 3];
        for seed in 0..5_000 {
            let bytes = bytes(seed);
            let mut choices = Choices(bytes.iter());
            let written = Written {
                allow: choices.places(4),
                others_load: seed % 2 == 0,
                blobs: true,
                data: true,
                ..Written::default()
            };
            let boundary = Boundary::written(Arc::new(written));
            match boundary.judge(&choices.address(), DocumentKind::Frame) {
                Judged::Inside => seen[0] += 1,
                Judged::Outside => seen[1] += 1,
                Judged::Blocked => seen[2] += 1,
            }
        }

        assert!(seen.iter().all(|count| 100 < *count), "{seen:?}");
    }
}
