//! What a page does beside its document: none of it hangs an act, and what a person would have been
//! shown is told. And loading that never ends.

use std::time::{Duration, Instant};

use sidestick_model::call::{ActAsk, Answer, Call};
use sidestick_model::{Action, Actor, Code, Fate, Outcome, Status};
use sidestick_testkit::wild::{Reply, Wild};

use crate::bench::{Bench, click};

async fn findings(bench: &Bench) -> Vec<String> {
    match bench.ask(Call::Findings).await {
        Answer::Findings { findings } => {
            findings.into_iter().map(|finding| finding.summary).collect()
        }
        other => panic!("{other:?}"),
    }
}

async fn has_finding(bench: &Bench, words: &str) -> bool {
    findings(bench).await.iter().any(|finding| finding.contains(words))
}

#[tokio::test(flavor = "multi_thread")]
async fn printing_is_told_and_prints_nothing() {
    let wild = Wild::page(
        r#"<title>P</title><p id=p>idle</p>
        <button onclick="window.print();p.textContent='went on'">Print</button>
        <button onclick="tell('next')">Next</button>"#,
    )
    .await;
    let bench = Bench::wild(&wild).await;

    let outcome = bench.act(click("button", "Print")).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert!(has_finding(&bench, "asked to be printed").await, "{:?}", findings(&bench).await);
    bench.act(click("button", "Next")).await;
    assert!(wild.was_told("next").await);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_asks_to_be_allowed_is_denied_at_once() {
    let wild = Wild::page(
        r#"<title>P</title><p id=p>idle</p>
        <button onclick="navigator.geolocation.getCurrentPosition(()=>tell('geo ok'),()=>tell('geo no'))">Where</button>
        <button onclick="Notification.requestPermission().then(r=>tell('notify '+r))">Notify</button>
        <button onclick="navigator.clipboard.readText().then(()=>tell('clip ok'),()=>tell('clip no'))">Paste</button>
        <button onclick="navigator.mediaDevices.getUserMedia({video:true}).then(()=>tell('cam ok'),()=>tell('cam no'))">Camera</button>"#,
    )
    .await;
    let wild_url = wild.url("/");
    assert!(wild_url.starts_with("http://127.0.0.1"), "a secure context");
    let bench = Bench::wild(&wild).await;

    for (name, told) in [
        ("Where", "geo no"),
        ("Notify", "notify denied"),
        ("Paste", "clip no"),
        ("Camera", "cam no"),
    ] {
        bench.act(click("button", name)).await;

        assert!(wild.was_told(told).await, "{name}: {:?}", wild.told());
    }
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_demand_for_a_password_is_told_and_holds_nothing_up() {
    let wild = Wild::page(
        r#"<title>P</title><a href=/vault>Vault</a><iframe src=/framed></iframe>
        <button onclick="fetch('/vault').then(r=>tell('fetched '+r.status))">Fetch</button>"#,
    )
    .await;
    wild.add("/vault", Reply::Challenge);
    wild.add("/framed", Reply::Challenge);
    let bench = Bench::wild(&wild).await;

    bench.act(click("button", "Fetch")).await;
    assert!(wild.was_told("fetched 401").await, "{:?}", wild.told());
    assert!(has_finding(&bench, "auth_required").await, "{:?}", findings(&bench).await);
    let outcome = bench.act(click("link", "Vault")).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert!(bench.outline().await.contains("Who are you?"));
    assert!(!outcome.findings_added.is_empty(), "{outcome:?}");
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_pointer_and_the_screen_are_taken_back() {
    let wild = Wild::page(
        r#"<title>P</title><div id=d style="height:40px" role=button tabindex=0 aria-label="Lock"
            onclick="d.requestPointerLock().catch(e=>tell('lock '+e.name))"></div>
        <button onclick="document.documentElement.requestFullscreen().catch(()=>0)">Full</button>
        <button onclick="tell('pressed')">Press</button>
        <script>document.addEventListener('pointerlockchange',()=>
            tell(document.pointerLockElement?'locked':'free'))</script>"#,
    )
    .await;
    let bench = Bench::wild(&wild).await;

    bench.act(click("button", "Lock")).await;
    assert!(wild.was_told("locked").await, "{:?}", wild.told());
    bench.act(click("button", "Full")).await;
    let outcome = bench.act(click("button", "Press")).await;

    assert_eq!(outcome.fate, Fate::Sent, "{outcome:?}");
    assert!(wild.was_told("pressed").await, "{:?}", wild.told());
    assert!(has_finding(&bench, "took the pointer").await, "{:?}", findings(&bench).await);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_program_is_not_started_and_scripts_in_links_run() {
    let wild = Wild::page(
        r#"<title>P</title><a href="mailto:a@b.example">Mail</a><a href="odd-scheme:x">Odd</a>
        <a href="javascript:tell('script ran')">Script</a>"#,
    )
    .await;
    let bench = Bench::wild(&wild).await;

    for (name, words) in [("Mail", "mailto:"), ("Odd", "odd-scheme:")] {
        let started = Instant::now();
        bench.act(click("link", name)).await;

        assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
        assert!(has_finding(&bench, words).await, "{name}: {:?}", findings(&bench).await);
    }
    bench.act(click("link", "Script")).await;
    assert!(wild.was_told("script ran").await, "{:?}", wild.told());
    bench.close().await;
}

/// A PDF is said to be one; where the browser has no viewer it is a download.
#[tokio::test(flavor = "multi_thread")]
async fn a_pdf_is_said_to_be_one() {
    let pdf = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids\
        [3 0 R]/Count 1>>endobj 3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj \
        trailer<</Root 1 0 R>>\n%%EOF";
    let wild = Wild::page("<title>P</title><a href=/paper>Paper</a>").await;
    wild.add("/paper", Reply::Bytes("application/pdf", pdf.to_vec()));
    let bench = Bench::wild(&wild).await;
    let started = Instant::now();

    let outcome = bench.act(click("link", "Paper")).await;

    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    let is_told = outcome.blind.iter().any(|what| what.contains("PDF"));
    assert!(is_told || outcome.downloads.len() == 1, "{outcome:?}");
    bench.outline().await;
    bench.close().await;
}

async fn navigate(bench: &Bench, url: String, timeout_ms: u64) -> Outcome {
    let ask = ActAsk::new(Action::Navigate { url }, Actor::Agent, "test");
    bench.act_asking(ActAsk { timeout_ms: Some(timeout_ms), ..ask }).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_never_comes_is_stopped_and_the_page_stays_usable() {
    let wild =
        Wild::page("<title>P</title><button onclick=\"tell('pressed')\">Press</button>").await;
    wild.add("/silent", Reply::Silent);
    let bench = Bench::wild(&wild).await;
    let started = Instant::now();

    let outcome = navigate(&bench, wild.url("/silent"), 1_500).await;

    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    let found = (outcome.status, outcome.code, outcome.fate);
    assert_eq!(
        found,
        (Status::Unknown, Some(Code::PageUnresponsive), Fate::Unknown),
        "{outcome:?}"
    );
    let outline = bench.outline().await;
    assert!(outline.contains("Press") && outline.contains(&wild.url("/")), "{outline}");
    bench.act(click("button", "Press")).await;
    assert!(wild.was_told("pressed").await);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_document_that_never_ends_what_came_is_there_and_the_page_is_usable() {
    let wild = Wild::page("<title>P</title>").await;
    let half = "<title>Half</title><h1>So far</h1><button onclick=\"tell('half')\">Half</button>";
    wild.add("/endless", Reply::Endless(half.into()));
    let bench = Bench::wild(&wild).await;
    let started = Instant::now();

    let outcome = navigate(&bench, wild.url("/endless"), 2_000).await;

    assert!(started.elapsed() < Duration::from_secs(6), "{:?}", started.elapsed());
    assert_eq!(outcome.page.url, wild.url("/endless"), "{outcome:?}");
    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    let outline = bench.outline().await;
    assert!(outline.contains("So far"), "{outline}");
    bench.act(click("button", "Half")).await;
    assert!(wild.was_told("half").await);
    bench.close().await;
}
