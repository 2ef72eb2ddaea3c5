//! When looking ends, and what counts as an effect (D5, D6).

use sidestick_model::observation::Signal;
use sidestick_model::{Action, Code, Status};

use crate::bench::{Bench, click};

/// The toast says Saved; the request says 500, and the answer says both.
#[tokio::test(flavor = "multi_thread")]
async fn a_toast_over_a_failed_request_carries_the_failure() {
    let page = r#"<title>A</title><button onclick="fetch('/status/500', {method: 'POST'}).then(() =>
        { out.textContent = 'Saved' })">Save</button><p id="out" role="status"></p>"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act_expecting(click("button", "Save"), Some("text:Saved")).await;

    assert_eq!(outcome.status, Status::Observed);
    assert_eq!(outcome.requests[0].status, Some(500));
    assert_eq!(outcome.findings_added.len(), 1);
    assert_eq!(outcome.requests[0].finding.as_deref(), Some("F1"));
    bench.close().await;
}

/// The wait ends with the request, not at a fixed time, and not before.
#[tokio::test(flavor = "multi_thread")]
async fn a_slow_request_is_waited_for() {
    let page = r#"<title>A</title><button onclick="fetch('/slow/700').then((r) => r.text()).then(() =>
        { out.textContent = 'Loaded' })">Load</button><p id="out"></p>"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act(click("button", "Load")).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert!((700..2_000).contains(&outcome.effect.looked_ms), "{}", outcome.effect.looked_ms);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_that_shows_nothing_must_not_be_repeated() {
    let page = r#"<title>A</title><button onclick="fetch('/status/200', {method: 'POST'})">Order</button>"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act(click("button", "Order")).await;

    assert_eq!((outcome.status, outcome.code), (Status::NoEffect, Some(Code::RequestSent)));
    assert_eq!(bench.site.requests(), ["status 200"]);
    bench.close().await;
}

/// What a page does by itself in the moment of a press is nobody's: nothing is called done for it,
/// and nothing is called dead.
#[tokio::test(flavor = "multi_thread")]
async fn what_nothing_ties_to_the_press_is_neither_an_effect_nor_none() {
    for (name, later) in [
        ("text", "out.textContent = 'moved'"),
        ("field", "box.value = 'moved'"),
        ("elsewhere", "location.href = '/status/200'"),
    ] {
        // The page looks by itself for when the press was, by a timer it has had all along.
        let page = format!(
            r#"<title>A</title><p id="out">still</p><input id="box" aria-label="Box">
            <button onclick="pressed = performance.now()">Dead</button><script>let pressed = Infinity;
            setInterval(() => {{ if (performance.now() - pressed > 80) {{ pressed = Infinity; {later} }} }}, 5)
            </script>"#
        );
        let bench = Bench::showing(&page).await;

        let outcome = bench.act(click("button", "Dead")).await;

        assert_eq!((outcome.status, outcome.code), (Status::Unsettled, None), "{name} {outcome:?}");
        assert!(outcome.message.contains("nothing ties"), "{name} {}", outcome.message);
        assert!(outcome.effect.changes.is_empty(), "{name} {outcome:?}");
        bench.close().await;
    }
}

/// What the handlers set going is theirs, however late within the time that is looked.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_press_set_going_is_its_effect() {
    for (name, does) in [
        ("timer", "setTimeout(say, 500)"),
        (
            "frames",
            "let n = 0; const go = () => ++n < 10 ? requestAnimationFrame(go) : say(); go()",
        ),
        ("request", "fetch('/slow/200').then(() => setTimeout(say, 100))"),
        ("place", "setTimeout(() => { location.href = '/status/200' }, 300)"),
    ] {
        let page = format!(
            r#"<title>A</title><p id="out">still</p><button onclick="{does}">Go</button><script>
            const say = () => {{ out.textContent = 'said' }};</script>"#
        );
        let bench = Bench::showing(&page).await;

        let outcome = bench.act(click("button", "Go")).await;

        assert_eq!(outcome.status, Status::Observed, "{name} {outcome:?}");
        bench.close().await;
    }
}

/// VR-145: a clock beside a dead button proves nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_ticking_clock_is_noise() {
    let page = r#"<title>A</title><p id="clock">0</p><button>Dead</button><script>let n = 0;
        setInterval(() => { clock.textContent = 'Tick ' + ++n }, 40)</script>"#;
    let bench = Bench::showing(page).await;
    let wait = sidestick_model::call::WaitAsk {
        kind: "text".into(),
        value: "Tick 12".into(),
        timeout_ms: 5_000,
    };
    bench.ask(sidestick_model::call::Call::Wait(wait)).await;

    let outcome = bench.act(click("button", "Dead")).await;

    assert_eq!(outcome.status, Status::NoEffect, "{outcome:?}");
    assert!(!outcome.effect.noise.is_empty());
    bench.close().await;
}

/// A page that nobody has watched yet: its first tick must not be taken for an effect.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_ticks_after_load_are_no_effect() {
    let bench = Bench::on("clocks-young").await;

    for run in 0..8 {
        let outcome = bench.act(click("button", "Dead")).await;
        assert_eq!(outcome.status, Status::NoEffect, "run {run}: {:?}", outcome.effect);
        bench.act(Action::Reload).await;
    }
    assert_eq!(bench.site.count("click", "dead", 8).await, 8);
    let honest = bench.act_expecting(click("button", "Honest"), None).await;

    assert_eq!(honest.status, Status::Observed, "{honest:?}");
    assert!(honest.effect.looked_ms < 500, "{}", honest.effect.looked_ms);
    bench.close().await;
}

/// What goes out of view by itself is as little of an effect as what goes in view.
#[tokio::test(flavor = "multi_thread")]
async fn an_item_that_goes_by_itself_below_the_fold_is_noise() {
    let page = r#"<title>A</title><p id="turn"></p><button>Dead</button>
        <div style="height: 2000px"></div><ul id="items"></ul><script>let n = 0; setInterval(() => {
        turn.textContent = 'Turn ' + ++n;
        const item = document.createElement('li'); item.textContent = 'Item ' + n; items.append(item);
        if (3 < items.children.length) items.firstElementChild.remove() }, 60)</script>"#;
    let bench = Bench::showing(page).await;
    let wait = sidestick_model::call::WaitAsk {
        kind: "text".into(),
        value: "Turn 20".into(),
        timeout_ms: 5_000,
    };
    bench.ask(sidestick_model::call::Call::Wait(wait)).await;

    let outcome = bench.act(click("button", "Dead")).await;

    assert_eq!(outcome.status, Status::NoEffect, "{:?}", outcome.effect.changes);
    assert!(!outcome.effect.noise.is_empty());
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_ends_in_the_new_document_with_its_outline() {
    let bench = Bench::on("button-dead").await;
    bench.site.inline(r#"<title>A</title><a href="/effects">Go</a>"#);
    bench.act(Action::Navigate { url: bench.site.page("inline") }).await;

    let outcome = bench.act_expecting(click("link", "Go"), Some("url")).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert!(outcome.page.url.ends_with("/effects"));
    assert!(outcome.signals.contains(&Signal::Url));
    assert!(outcome.observation.outline.is_some());
    bench.close().await;
}

/// BR-V of section 18: a navigation from a timer belongs to the click.
#[tokio::test(flavor = "multi_thread")]
async fn a_navigation_started_by_a_handler_is_waited_for() {
    let page = r#"<title>A</title><button onclick="setTimeout(() => { location = '/slow/300' }, 0)">Go</button>"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act(click("button", "Go")).await;

    assert!(outcome.page.url.ends_with("/slow/300"), "{outcome:?}");
    assert_eq!(outcome.status, Status::Observed);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_postcondition_that_already_holds_sends_nothing_x8() {
    let page = r#"<title>A</title><script>window.received = []</script><p>Ready</p>
        <button id="b" onclick="received.push({type: 'click', target: 'b'})">Go</button>"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act_expecting(click("button", "Go"), Some("text:Ready")).await;

    assert_eq!(outcome.code, Some(Code::AlreadySatisfied));
    assert_eq!(bench.site.count("click", "b", 0).await, 0);
    bench.close().await;
}

/// A page that keeps moving is not called settled, and not waited for beyond the cap.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_never_rests_is_unsettled_at_the_cap() {
    let page = r#"<title>A</title><button onclick="let n = 0; setInterval(() =>
        { out.textContent = 'Step ' + ++n }, 15)">Start</button><p id="out"></p>"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act_expecting(click("button", "Start"), Some("text:Finished")).await;

    assert_eq!(outcome.status, Status::Unsettled, "{outcome:?}");
    assert!((1_500..4_000).contains(&outcome.effect.looked_ms), "{}", outcome.effect.looked_ms);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_blocked_main_thread_ends_typed_and_in_time() {
    let page = r#"<title>A</title><button onclick="const t = Date.now(); while (Date.now() - t < 4000);
        this.textContent = 'Done'">Block</button>"#;
    let bench = Bench::showing(page).await;
    let mut ask = sidestick_model::call::ActAsk::new(
        click("button", "Block"),
        sidestick_model::Actor::Agent,
        "test",
    );
    ask.timeout_ms = Some(1_500);

    let started = std::time::Instant::now();
    let outcome = bench.act_asking(ask).await;

    assert_eq!(outcome.status, Status::Unknown, "{outcome:?}");
    assert!(started.elapsed().as_millis() < 14_000, "{:?}", started.elapsed());
    let next = bench.act(click("button", "Done")).await;
    assert_eq!(next.code, Some(Code::LookFirst));
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_endless_redirect_is_a_navigation_that_failed() {
    let bench = Bench::on("button-dead").await;

    let outcome = bench.act(Action::Navigate { url: bench.site.page("loop") }).await;

    assert_eq!((outcome.status, outcome.code), (Status::Error, Some(Code::NavigationFailed)));
    bench.close().await;
}

/// A picture that never comes holds the load open; acts do not wait for it.
#[tokio::test(flavor = "multi_thread")]
async fn a_load_from_before_is_not_waited_for() {
    let page =
        r#"<title>A</title><button>Dead</button><img src="/slow/20000" width="10" height="10">"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act(click("button", "Dead")).await;

    assert_eq!(outcome.status, Status::NoEffect, "{outcome:?}");
    assert!(outcome.effect.looked_ms < 1_000, "{}", outcome.effect.looked_ms);
    bench.close().await;
}

/// A page that leaves only after it has worked on an answer: the click ends where it went.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_leaves_a_moment_after_an_answer_is_followed() {
    let page = r#"<title>A</title><button onclick="fetch('/status/200', {method: 'POST'}).then(() =>
        setTimeout(() => { location = '/effects' }, 200))">Go</button>"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act(click("button", "Go")).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert!(outcome.page.url.ends_with("/effects"));
    bench.close().await;
}

/// A page that says `Saved` at once and takes it back when the server denies it: the difference has
/// not lasted, and the request that failed is told.
#[tokio::test(flavor = "multi_thread")]
async fn a_change_that_is_taken_back_proves_nothing() {
    let page = r#"<title>O</title><output id=o>nothing yet</output><button onclick="
        o.textContent = 'Saved';
        fetch('/status/500', {method: 'POST'}).then(() => { o.textContent = 'nothing yet' })">Save</button>"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act(click("button", "Save")).await;

    assert_eq!(
        (outcome.status, outcome.code),
        (Status::NoEffect, Some(Code::RequestSent)),
        "{outcome:?}"
    );
    bench.close().await;
}
