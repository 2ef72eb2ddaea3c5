//! Windows and tabs: told by the act that opened them, acted in, bounded, closed.

use sidestick_model::{Action, Code, Fate, Signal, Status, TabOp, limits};
use sidestick_testkit::site::Site;
use sidestick_testkit::wild::{Reply, Wild};

use crate::bench::{Bench, Setup, click};

const OPENER: &str = r#"<title>Opener</title><p id=p>here</p>
    <a target=_blank href=/popup>Blank</a>
    <button onclick="window.w=window.open('/popup')">With</button>
    <button onclick="window.open('/popup','','noopener')">Without</button>
    <button onclick="window.open()">Empty</button>"#;

const POPUP: &str = r#"<title>Popup</title><h1>Popup</h1>
    <button onclick="tell('popup pressed');if(opener)opener.p.textContent='from the popup'">Press</button>
    <button onclick="window.close()">Close me</button>
    <script>tell('popup opener '+!!window.opener)</script>"#;

async fn opener() -> (Wild, Bench) {
    let wild = Wild::page(OPENER).await;
    wild.add("/popup", Reply::Html(POPUP.into()));
    let bench = Bench::wild(&wild).await;
    (wild, bench)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_is_told_by_its_act_with_its_address_and_its_opener() {
    let (wild, bench) = opener().await;
    let home = bench.outline().await;
    assert!(home.contains("Opener"));

    for (role, name) in [("link", "Blank"), ("button", "With"), ("button", "Without")] {
        let outcome = bench.act(click(role, name)).await;

        assert_eq!(outcome.status, Status::Observed, "{name}: {outcome:?}");
        assert!(outcome.signals.contains(&Signal::Page), "{name}: {outcome:?}");
        let [popup] = outcome.new_pages.as_slice() else { panic!("{name}: {outcome:?}") };
        assert_eq!(popup.url, wild.url("/popup"), "{name}");
        assert_eq!(popup.opener.as_ref(), Some(&outcome.page.id), "{name}");
        assert_eq!(outcome.page.url, wild.url("/"), "{name}: acts still go to the opener");
        let close = Action::Tab { op: TabOp::Close(popup.id.clone()) };
        assert_eq!(bench.act(close).await.status, Status::Observed, "{name}");
    }
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_is_acted_in_after_a_switch_and_can_close_itself() {
    let (wild, bench) = opener().await;
    let outcome = bench.act(click("button", "With")).await;
    let popup = outcome.new_pages[0].id.clone();
    assert!(wild.was_told("popup opener true").await);

    let switched = bench.act(Action::Tab { op: TabOp::Switch(popup.clone()) }).await;
    assert_eq!((switched.status, switched.page.id), (Status::Observed, popup));
    let pressed = bench.act(click("button", "Press")).await;
    assert_eq!(pressed.fate, Fate::Sent, "{pressed:?}");
    assert!(wild.was_told("popup pressed").await);
    let closed = bench.act(click("button", "Close me")).await;

    assert_eq!(closed.status, Status::Observed, "{closed:?}");
    assert!(closed.signals.contains(&Signal::Page), "{closed:?}");
    assert_eq!(closed.page.url, wild.url("/"));
    let outline = bench.outline().await;
    assert!(outline.contains("from the popup") && !outline.contains("other pages"), "{outline}");
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_window_is_told_too() {
    let (_wild, bench) = opener().await;

    let outcome = bench.act(click("button", "Empty")).await;

    assert_eq!((outcome.status, outcome.new_pages.len()), (Status::Observed, 1), "{outcome:?}");
    bench.close().await;
}

/// What a popup loads first is judged before it is asked for, and told by the act.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_document_of_a_window_is_judged_before_its_request() {
    let other = Wild::page("<title>Other</title>").await;
    let wild = Wild::page(&format!(
        r#"<title>A</title><button onclick="window.open('{0}/')">With</button>
        <button onclick="window.open('{0}/','','noopener')">Without</button>
        <a target=_blank href="{0}/">Blank</a><a target=_blank href=/there>Redirected</a>"#,
        other.origin()
    ))
    .await;
    wild.add("/there", Reply::Redirect(other.url("/")));
    let bench = Bench::wild(&wild).await;

    for (role, name) in
        [("button", "With"), ("button", "Without"), ("link", "Blank"), ("link", "Redirected")]
    {
        let outcome = bench.act(click(role, name)).await;

        assert!(!outcome.blocked.is_empty(), "{name}: {outcome:?}");
    }
    assert_eq!(other.asked(), Vec::new());
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn at_the_bound_our_own_page_is_refused_and_the_sites_are_told() {
    let wild = Wild::page(OPENER).await;
    wild.add("/popup", Reply::Html(POPUP.into()));
    let setup = Setup { pages_max: 2, ..Setup::default() };
    let bench = Bench::open(Site::start().await, &wild.url("/"), setup).await;
    let open = || Action::Tab { op: TabOp::Open(wild.url("/popup")) };

    let second = bench.act(open()).await;
    assert_eq!(second.status, Status::Observed, "{second:?}");
    let third = bench.act(open()).await;
    let found = (third.status, third.code, third.fate);
    assert_eq!(found, (Status::NotActionable, Some(Code::TooManyPages), Fate::NotSent));
    let back = Action::Tab { op: TabOp::Switch(first_page(&bench).await) };
    bench.act(back).await;
    let site = bench.act(click("button", "With")).await;
    assert_eq!(site.new_pages.len(), 1, "a site's own is never refused: {site:?}");
    let close = Action::Tab { op: TabOp::Close(site.new_pages[0].id.clone()) };
    bench.act(close).await;
    let close = Action::Tab { op: TabOp::Close(second.new_pages[0].id.clone()) };
    bench.act(close).await;
    assert_eq!(bench.act(open()).await.status, Status::Observed);
    bench.close().await;
}

async fn first_page(bench: &Bench) -> String {
    match bench.ask(sidestick_model::call::Call::Tabs).await {
        sidestick_model::call::Answer::Tabs { pages } => pages[0].page.id.clone(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_windows_is_told_in_bounds_and_the_page_goes_on() {
    let wild = Wild::page(
        r#"<title>S</title><p id=p>calm</p><button onclick="let n=0;for(let i=0;i<100;i++)
        if(window.open('about:blank'))n++;p.textContent='opened '+n">Storm</button>"#,
    )
    .await;
    let bench = Bench::wild(&wild).await;

    let ask = sidestick_model::call::ActAsk::new(
        click("button", "Storm"),
        sidestick_model::Actor::Agent,
        "test",
    );
    let outcome =
        bench.act_asking(sidestick_model::call::ActAsk { timeout_ms: Some(60_000), ..ask }).await;

    assert!(outcome.new_pages.len() <= limits::PAGES_TOLD_MAX, "{}", outcome.new_pages.len());
    let all = outcome.new_pages.len() + usize::try_from(outcome.new_pages_omitted).unwrap();
    assert!(0 < all, "{outcome:?}");
    let outline = bench.outline().await;
    assert!(outline.len() < 10_000, "{}", outline.len());
    assert!(outline.contains("opened "), "{outline}");
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_that_closes_its_own_page_has_the_effect_page() {
    let (_wild, bench) = opener().await;
    let popup = bench.act(click("button", "With")).await.new_pages[0].id.clone();
    bench.act(Action::Tab { op: TabOp::Switch(popup) }).await;

    let outcome = bench.act(click("button", "Close me")).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert_eq!(outcome.signals, [Signal::Page]);
    bench.close().await;
}
