//! Documents outside the boundary are not fetched, whoever asks for them (D27).

use sidestick_model::{Action, Code, Status};
use sidestick_testkit::site::Site;

use crate::bench::{Bench, Setup, click};

/// Two sites: the run's own, and one it may not load.
async fn pair(html: impl Fn(&str) -> String) -> (Bench, Site) {
    let (own, other) = (Site::start().await, Site::start().await);
    let target = own.inline(&html(other.origin()));
    (Bench::open(own, &target, Setup::default()).await, other)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_navigation_outside_is_refused_and_nothing_is_fetched() {
    let (bench, other) = pair(|_| "<title>A</title>".to_owned()).await;

    let url = format!("{}/status/200", other.origin());
    let outcome = bench.act(Action::Navigate { url }).await;

    assert_eq!((outcome.status, outcome.code), (Status::Forbidden, Some(Code::NavigationBlocked)));
    assert_eq!(other.requests(), Vec::<String>::new());
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_outside_is_blocked_before_it_is_fetched() {
    let (bench, other) =
        pair(|other| format!(r#"<title>A</title><a href="{other}/status/200">Out</a>"#)).await;

    let outcome = bench.act(click("link", "Out")).await;

    assert!(!outcome.blocked.is_empty(), "{outcome:?}");
    assert_eq!(other.requests(), Vec::<String>::new());
    bench.close().await;
}

/// Each hop of a redirect is judged.
#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_that_leads_outside_is_blocked_at_that_hop() {
    let (bench, other) = pair(|_| "<title>A</title>".to_owned()).await;

    let url = format!("{}/to?url={}/status/200", bench.site.origin(), other.origin());
    let outcome = bench.act(Action::Navigate { url }).await;

    assert_eq!(outcome.code, Some(Code::NavigationFailed), "{outcome:?}");
    assert_eq!(other.requests(), Vec::<String>::new());
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_popup_outside_is_blocked_before_its_first_request() {
    let (bench, other) = pair(|other| {
        format!(r#"<title>A</title><button onclick="open('{other}/status/200')">Pop</button>"#)
    })
    .await;

    bench.act(click("button", "Pop")).await;

    assert_eq!(other.requests(), Vec::<String>::new());
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_allowed_origin_is_inside() {
    let (own, other) = (Site::start().await, Site::start().await);
    let target = own.inline("<title>A</title>");
    let setup = Setup { allow: vec![other.origin().to_owned()], ..Setup::default() };
    let url = other.page("button-dead");
    let bench = Bench::open(own, &target, setup).await;

    let outcome = bench.act(Action::Navigate { url: url.clone() }).await;

    assert_eq!((outcome.status, outcome.page.url), (Status::Observed, url));
    bench.close().await;
}
