//! Waiting: each wait is one call and ends when it holds (BR-121, BR-133).

use std::time::{Duration, Instant};

use sidestick_model::call::{Answer, Call, WaitAsk};

use crate::bench::Bench;

async fn wait(bench: &Bench, kind: &str, value: &str, timeout_ms: u64) -> (bool, Duration) {
    let started = Instant::now();
    let ask = WaitAsk { kind: kind.into(), value: value.into(), timeout_ms };
    match bench.ask(Call::Wait(ask)).await {
        Answer::Wait { held, .. } => (held, started.elapsed()),
        other => panic!("{other:?}"),
    }
}

/// An image after 600 ms, a font after 900 and a transition: ready is when the last of them is in.
#[tokio::test(flavor = "multi_thread")]
async fn ready_is_when_pictures_fonts_and_transitions_are_done() {
    let page = r#"<title>A</title><style>@font-face { font-family: late; src: url(/slow/1500) }
        p { font-family: late, serif } img { width: 60px; height: 60px }</style>
        <p>Words</p><img src="/slow/600" alt="Picture">
        <script>addEventListener('DOMContentLoaded', () => setTimeout(() => { window.at = 1 }, 0))</script>"#;
    let begun = Instant::now();
    let bench = Bench::showing(page).await;

    let (held, _) = wait(&bench, "ready", "", 8_000).await;

    let took = begun.elapsed();
    assert!(held, "{took:?}");
    assert!(Duration::from_millis(1_500) < took, "before the font was in: {took:?}");
    assert_eq!(bench.site.requests().len(), 2, "{:?}", bench.site.requests());
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_says_it_is_busy_is_not_ready_until_it_says_otherwise() {
    let page = r#"<title>A</title><main aria-busy="true" id="main"><p>Words</p></main>
        <button onclick="main.removeAttribute('aria-busy')">Finish</button>"#;
    let bench = Bench::showing(page).await;

    let (busy, _) = wait(&bench, "ready", "", 300).await;
    bench.act(crate::bench::click("button", "Finish")).await;
    let (done, took) = wait(&bench, "ready", "", 3_000).await;

    assert_eq!((busy, done), (false, true));
    assert!(took < Duration::from_millis(1_000), "{took:?}");
    bench.close().await;
}

/// What ticks out of view does not keep the view from being still; what ticks in it does.
#[tokio::test(flavor = "multi_thread")]
async fn still_is_about_what_is_in_view() {
    for (space, is_still) in [("2000px", true), ("0", false)] {
        let page = format!(
            r#"<title>A</title><p>Words</p><div style="height: {space}"></div><p id="at">0</p><script>
            let n = 0; setInterval(() => {{ at.textContent = 'Tick ' + ++n }}, 200)</script>"#
        );
        let bench = Bench::showing(&page).await;

        let (held, took) = wait(&bench, "still", "500", 2_500).await;

        assert_eq!(held, is_still, "{space} {took:?}");
        assert!(!held || took < Duration::from_millis(2_000), "{took:?}");
        bench.close().await;
    }
}

/// The wait ends with the change, not at a poll or a fixed time.
#[tokio::test(flavor = "multi_thread")]
async fn a_wait_ends_the_moment_it_holds_and_goes_on_in_the_next_document() {
    let page = r#"<title>A</title><p id="busy">Busy</p><script>
        setTimeout(() => { busy.remove() }, 600);
        setTimeout(() => { location.href = '/slow/300' }, 1000)</script>"#;
    let begun = Instant::now();
    let bench = Bench::showing(page).await;

    let (gone, _) = wait(&bench, "gone", "Busy", 5_000).await;
    let at_gone = begun.elapsed();
    let (url, _) = wait(&bench, "url", "/slow/300", 5_000).await;
    let (text, took) = wait(&bench, "text", "late", 5_000).await;
    let (never, waited) = wait(&bench, "text", "nothing says this", 400).await;

    assert_eq!((gone, url, text, never), (true, true, true, false), "{at_gone:?}");
    assert!(took < Duration::from_secs(2), "{took:?}");
    let held_on = Duration::from_millis(390)..Duration::from_millis(1_200);
    assert!(held_on.contains(&waited), "{waited:?}");
    bench.close().await;
}
