//! What a policy's boundary says of plain and of tricky addresses.

use super::*;
use crate::load;

const POLICY: &str = r#"
version: 1
boundary:
  allow:
    - host: shop.example
    - host: "*.shop.example"
    - host: bücher.example
    - host: "127.0.0.1"
      scheme: http
      port: 8080
    - host: "[::1]"
      scheme: http
      port: any
    - host: docs.example
      paths: ["/shop/*"]
  deny:
    - host: admin.shop.example
    - paths: ["/admin/*", "/admin"]
  frames:
    load: [{ host: ads.example }]
    act: [{ host: pay.example, paths: ["/form/*"] }]
"#;

static BOUNDARY: std::sync::LazyLock<Boundary> = std::sync::LazyLock::new(|| {
    let policy = load::policy(POLICY).unwrap();
    Boundary::of(&policy, "https://shop.example/", &[]).unwrap()
});

fn page(address: &str) -> Judged {
    BOUNDARY.judge(address, DocumentKind::TopLevel)
}

fn frame(address: &str) -> Judged {
    BOUNDARY.judge(address, DocumentKind::Frame)
}

#[test]
fn what_is_listed_is_inside() {
    for address in [
        "https://shop.example",
        "https://SHOP.example/a/b?c#d",
        "https://shop.example:443/",
        "https://a.b.shop.example/",
        "https://xn--bcher-kva.example/",
        "http://127.0.0.1:8080/x",
        "http://[::1]:9999/",
        "https://docs.example/shop/prices",
        "about:blank",
        "about:srcdoc",
        "chrome-error://chromewebdata/",
    ] {
        assert_eq!(page(address), Judged::Inside, "{address}");
    }
}

/// Addresses of which none is inside, by what is odd about them.
const OUTSIDE: &[&str] = &[
    // Another scheme, or none.
    "",
    " ",
    "shop.example",
    "//shop.example/",
    "http://shop.example/",
    "ws://shop.example/",
    "ftp://shop.example/",
    "javascript:location='https://shop.example/'",
    "data:text/html,https://shop.example/",
    "file:///shop.example",
    "view-source:https://shop.example/",
    "filesystem:https://shop.example/temporary/x",
    "blob:https://shop.example/6f9619ff",
    "blob:null/6f9619ff",
    "about:config",
    "about:blankx",
    "ABOUT:BLANK",
    "chrome://settings",
    "chrome-error://elsewhere/",
    // Slashes, white space and control characters.
    "https:/shop.example/",
    "https:shop.example",
    "https:///shop.example/",
    "https:\\\\shop.example/",
    "https://shop.example\\",
    "https://shop.example\\@evil.example/",
    "https://evil.example\\@shop.example/",
    " https://shop.example/",
    "https://shop.example/ ",
    "ht\ttps://shop.example/",
    "https://shop.ex\nample/",
    "https://shop.example/\u{0}",
    "https://shop.example/\u{a0}",
    "\u{feff}https://shop.example/",
    // Somebody before the host.
    "https://u@shop.example/",
    "https://u:p@shop.example/",
    "https://@shop.example/",
    "https://shop.example@evil.example/",
    "https://evil.example#@shop.example/",
    // Other ways to write a host.
    "https://shop.example./",
    "https://sh%6Fp.example/",
    "https://shop%2eexample/",
    "https://shop\u{3002}example/",
    "https://\u{ff53}hop.example/",
    "https://shop\u{ad}.example/",
    "https://bücher.example/",
    "https://xn--bchr-6ua.example/",
    "https://ѕhop.example/",
    "http://127.1:8080/",
    "http://0x7f.0.0.1:8080/",
    "http://2130706433:8080/",
    "http://0177.0.0.1:8080/",
    "http://127.0.0.1.:8080/",
    "http://[0:0:0:0:0:0:0:1]:8080/",
    "http://[::ffff:127.0.0.1]:8080/",
    "http://localhost:8080/",
    // Other ports, and other ways to write one.
    "https://shop.example:8443/",
    "https://shop.example:/",
    "https://shop.example:0443/",
    "https://shop.example:99999/",
    "https://shop.example:443:80/",
    "http://127.0.0.1/",
    "http://127.0.0.1:8081/",
    // Names that only look like it.
    "https://evil-shop.example/",
    "https://shop.example.evil.example/",
    "https://xshop.example/",
    "https://example/",
    "https://.shop.example/",
    // Denied places, in every way to write their path.
    "https://admin.shop.example/",
    "https://shop.example/admin",
    "https://shop.example/admin/users",
    "https://shop.example/%61dmin/users",
    "https://shop.example/%2561dmin/users",
    "https://shop.example//admin/users",
    "https://shop.example/x/../admin/users",
    "https://shop.example/x/%2e%2e/admin/users",
    "https://shop.example/x/..%2fadmin/users",
    "https://shop.example/x/..%5cadmin/users",
    "https://shop.example/%252525252561dmin/x",
    // Beside an allowed path, in every way to write it.
    "https://docs.example/",
    "https://docs.example/shopping",
    "https://docs.example/shop/../secret",
    "https://docs.example/shop/%2e%2e/secret",
    "https://docs.example/shop/..%2fsecret",
    "https://docs.example/shop/..%252fsecret",
    // Frames alone.
    "https://pay.example/form/1",
    "https://ads.example/",
];

/// Denied, never an error and never a panic (GA-057, GA-066).
#[test]
fn addresses_that_could_mean_another_one_are_outside() {
    for address in OUTSIDE {
        assert_eq!(page(address), Judged::Blocked, "{address:?}");
    }
    let long = format!("https://shop.example/{}", "a".repeat(10_000));
    assert_eq!(page(&long), Judged::Blocked);
}

#[test]
fn frames_may_what_is_listed_for_them() {
    for (address, judged) in [
        ("https://shop.example/", Judged::Inside),
        ("https://pay.example/form/1", Judged::Inside),
        ("https://pay.example", Judged::Blocked),
        ("https://ads.example/x", Judged::Outside),
        ("https://elsewhere.example/", Judged::Blocked),
        ("https://admin.shop.example/", Judged::Blocked),
        ("https://pay.example/form/../admin/x", Judged::Blocked),
        ("data:text/html,x", Judged::Blocked),
        ("about:srcdoc", Judged::Inside),
    ] {
        assert_eq!(frame(address), judged, "{address}");
    }
}

#[test]
fn frames_of_others_load_when_the_policy_says_so_and_denied_ones_never() {
    let text = POLICY.replace("  frames:\n", "  frames:\n    others: load\n");
    let policy = load::policy(&text.replace("  deny:", "  made: [blob, data]\n  deny:")).unwrap();
    let boundary = Boundary::of(&policy, "https://shop.example/", &[]).unwrap();
    let frame = |address| boundary.judge(address, DocumentKind::Frame);

    assert_eq!(frame("https://elsewhere.example/"), Judged::Outside);
    assert_eq!(frame("https://elsewhere.example/admin/"), Judged::Blocked);
    assert_eq!(frame("data:text/html,x"), Judged::Inside);
    assert_eq!(frame("blob:https://shop.example/6f9619ff"), Judged::Inside);
    assert_eq!(frame("blob:https://elsewhere.example/6f9619ff"), Judged::Outside);
    assert_eq!(boundary.judge("data:text/html,x", DocumentKind::TopLevel), Judged::Blocked);
}

#[test]
fn an_empty_list_lets_nothing_in() {
    let policy = load::policy("version: 1\nboundary:\n  allow: []\n").unwrap();

    let error = Boundary::of(&policy, "https://shop.example/", &[]).unwrap_err();

    assert!(matches!(error, BoundaryError::Outside { .. }), "{error}");
    let boundary = Boundary::written(policy.boundary.unwrap());
    assert_eq!(boundary.judge("https://shop.example/", DocumentKind::Frame), Judged::Blocked);
    assert!(!boundary.contains_origin("https://shop.example/"));
}

/// Nothing widens a policy: what is allowed besides has to be allowed by it already (GA-067).
#[test]
fn what_is_allowed_besides_cannot_widen_a_policy() {
    let policy = load::policy(POLICY).unwrap();
    let with = |allow: &str| Boundary::of(&policy, "https://shop.example/", &[allow.to_owned()]);

    assert!(with("https://a.shop.example").is_ok());
    let error = with("https://evil.example").unwrap_err();
    assert!(error.to_string().contains("no rule allows this place"), "{error}");
    let error = with("https://admin.shop.example").unwrap_err();
    assert!(error.to_string().contains("deny http(s)://admin.shop.example"), "{error}");
    let none = load::policy("version: 1").unwrap();
    let around = Boundary::of(&none, "https://shop.example/", &["https://b.example".to_owned()]);
    assert_eq!(around, Boundary::around("https://shop.example/", &["https://b.example".into()]));
}

#[test]
fn the_trail_names_each_rule_and_the_last_one_decided() {
    let mut trail = Trail::kept();

    BOUNDARY.told("https://docs.example/shop/x", DocumentKind::TopLevel, &mut trail);

    let told = trail.into_considered();
    let names: Vec<&str> = told.iter().map(|rule| rule.source.name.as_str()).collect();
    assert_eq!(names.first(), Some(&"boundary.deny[0]"));
    assert_eq!(names.last(), Some(&"boundary.allow[5]"));
    assert!(told.last().is_some_and(|rule| rule.matched && rule.source.line == Some(14)));
}

/// Of a frame that is acted in the origin alone is known; its document was judged when it loaded.
#[test]
fn a_frame_is_acted_in_where_every_document_of_its_origin_may_be() {
    let told = |boundary: &Boundary, origin| boundary.told_frame(origin, &mut Trail::silent());
    let strict = &*BOUNDARY;
    for (origin, judged) in [
        ("https://shop.example", Judged::Inside),
        ("https://pay.example", Judged::Inside),
        ("https://docs.example", Judged::Inside),
        ("https://ads.example", Judged::Outside),
        ("https://elsewhere.example", Judged::Outside),
        ("https://admin.shop.example", Judged::Blocked),
        ("null", Judged::Blocked),
        ("", Judged::Blocked),
    ] {
        assert_eq!(told(strict, origin), judged, "{origin}");
    }
    // Where other documents of the same origin are there to be seen, nobody can tell them apart.
    let policy = load::policy(&POLICY.replace("  frames:\n", "  frames:\n    others: load\n"));
    let loose = Boundary::written(policy.unwrap().boundary.unwrap());
    assert_eq!(told(&loose, "https://pay.example"), Judged::Outside);
    assert_eq!(told(&loose, "https://shop.example"), Judged::Inside);
}
