//! Nothing of an older lease is written once it has moved (I6), judged by what reached the page.

use std::sync::Arc;
use std::time::Duration;

use sidestick_model::call::{Answer, Call};
use sidestick_model::{Action, Actor, Status, Typed};

use crate::bench::{Bench, named};

const KEYS: &str = r#"<title>A</title><script>window.received = []; let n = 0;
  addEventListener('keydown', () => { n++; document.title = 'keys ' + n });
  addEventListener('keyup', () => { n-- })</script><label>Text <textarea></textarea></label>"#;

/// Returns how much of a long text has arrived.
async fn typed(bench: &Bench) -> usize {
    let ask = sidestick_model::call::FindAsk {
        role: Some("textbox".into()),
        limit: 1,
        ..Default::default()
    };
    match bench.ask(Call::Find(ask)).await {
        Answer::Find { matches, .. } => matches[0].value.as_deref().unwrap_or("").chars().count(),
        other => panic!("{other:?}"),
    }
}

async fn type_until(bench: &Arc<Bench>, cut: impl AsyncFnOnce(&Bench)) -> sidestick_model::Outcome {
    let text = Typed::Public("x".repeat(4_000));
    let typing = {
        let bench = Arc::clone(bench);
        tokio::spawn(async move {
            bench.act(Action::Type { target: Some(named("textbox", "Text")), text }).await
        })
    };
    let soon = tokio::time::Instant::now() + Duration::from_millis(400);
    let _ = tokio::time::timeout_at(soon, std::future::pending::<()>()).await;
    cut(bench).await;
    typing.await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_cuts_a_long_type_and_nothing_more_arrives() {
    let bench = Arc::new(Bench::showing(KEYS).await);

    let outcome = type_until(&bench, async |bench| {
        bench.lease.advance(Actor::Human);
    })
    .await;
    let first = typed(&bench).await;
    let second = typed(&bench).await;

    assert_eq!(outcome.status, Status::Unknown, "{}", outcome.message);
    assert!(0 < first && first < 4_000, "{first} characters arrived");
    assert_eq!(first, second);
    Arc::into_inner(bench).unwrap().close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_brake_cuts_a_long_type_at_once() {
    let bench = Arc::new(Bench::showing(KEYS).await);

    let outcome = type_until(&bench, async |bench| {
        let started = std::time::Instant::now();
        let call = Call::Pause { by: "test".into(), why: None };
        assert_eq!(bench.ask(call).await, Answer::Braked { paused: true });
        assert!(started.elapsed() < Duration::from_millis(500), "{:?}", started.elapsed());
    })
    .await;

    assert_eq!(outcome.status, Status::Unknown, "{}", outcome.message);
    let paused = bench.act(Action::Reload).await;
    assert_eq!(paused.status, Status::Paused);
    let refused = bench.ask(Call::Tabs).await;
    assert!(matches!(refused, Answer::Tabs { .. }));
    bench.ask(Call::Release { by: "test".into() }).await;
    let look_first = bench.act(Action::Reload).await;
    assert_eq!(look_first.status, Status::LeaseLost);
    Arc::into_inner(bench).unwrap().close().await;
}

/// A cut in the middle of a drag lets the button up (BR-004): the page sees one release.
#[tokio::test(flavor = "multi_thread")]
async fn a_cut_drag_lets_the_button_up() {
    let page = r#"<title>A</title><script>window.received = []</script>
        <style>div { position: absolute; width: 60px; height: 40px } #end { left: 300px; top: 200px }</style>
        <div id="from" role="button" tabindex="0">From</div><div id="end" role="button" tabindex="0">End</div><script>
        const slow = () => { const t = performance.now(); while (performance.now() - t < 120); };
        from.onpointerdown = () => { received.push({type: 'down', target: 'from'}); };
        addEventListener('pointermove', (e) => { if (e.buttons) { received.push({type: 'move', target: 'page'}); slow() } });
        addEventListener('pointerup', () => received.push({type: 'up', target: 'page'}));</script>"#;
    let bench = Arc::new(Bench::showing(page).await);
    let dragging = {
        let bench = Arc::clone(&bench);
        let to = sidestick_model::DragEnd::Element(named("button", "End"));
        let drag = Action::Drag { target: named("button", "From"), to };
        tokio::spawn(async move { bench.act(drag).await })
    };
    assert_eq!(bench.site.count("down", "from", 1).await, 1);

    bench.lease.advance(Actor::Human);
    let outcome = dragging.await.unwrap();

    assert_eq!(outcome.status, Status::Unknown, "{outcome:?}");
    assert_eq!(bench.site.count("up", "page", 1).await, 1);
    assert!(bench.site.count("move", "page", 0).await < 8);
    Arc::into_inner(bench).unwrap().close().await;
}
