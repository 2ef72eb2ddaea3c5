//! What a person can use is in the outline, or counted (D10), and what a scroll moved is told.

use sidestick_model::outcome::Code;
use sidestick_model::{Action, Direction, Status, Target};

use crate::bench::{Bench, click, named};

#[tokio::test(flavor = "multi_thread")]
async fn what_has_no_role_and_can_be_used_has_a_ref() {
    let page = r#"<title>Uses</title><style>.p { cursor: pointer }</style>
        <span id=handle tabindex=0 style="display:inline-block;width:16px;height:16px"></span>
        <article draggable=true>Paint wall</article>
        <div class=p><b>Helena</b> <span style="display:inline-block;width:12px;height:12px"></span></div>
        <ul class=p><li>5ft 9in</li><li>5ft 10in</li></ul>
        <div role=list aria-label=Orders style="height:60px;overflow:auto"><p style="height:400px">Row</p></div>
        <svg width=100 height=60><text x=10 y=20>Total 42</text><circle cx=50 cy=40 r=9 style="cursor:pointer"/></svg>
        <img width=72 height=60 src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
        <ul role=listbox style="width:0;height:0;overflow:hidden"><li role=option style="width:0;height:0">ghost</li></ul>"#;
    let bench = Bench::showing(page).await;

    let outline = bench.outline().await;

    for line in [
        "focusable e",
        "\"Paint wall\" draggable e",
        "listitem \"5ft 9in\" clickable e",
        "list \"Orders\" scrollable e",
        "text \"Total 42\"",
        "img e",
    ] {
        assert!(outline.contains(line), "{line}:\n{outline}");
    }
    assert!(!outline.contains("ghost"), "{outline}");
    let refs = outline.lines().filter(|line| line.trim_start().starts_with("generic clickable e"));
    assert_eq!(refs.count(), 2, "the icon and the shape: {outline}");
    bench.close().await;
}

/// A screen is what shows of that which is scrolled, and its end is said.
#[tokio::test(flavor = "multi_thread")]
async fn a_scroll_goes_by_what_it_scrolls_and_says_when_it_ends() {
    let rows: String =
        (1..=24).map(|row| format!("<p style='height:30px;margin:0'>Row {row}</p>")).collect();
    let page = format!(
        "<title>S</title><div role=list aria-label=Orders style='height:300px;overflow:auto'>{rows}</div>\
         <div style='height:3000px'></div>"
    );
    let bench = Bench::showing(&page).await;
    let down = |amount: f64| Action::Scroll {
        target: Some(named("list", "Orders")),
        direction: Direction::Down,
        amount,
    };

    let first = bench.act(down(1.0)).await;
    let last = bench.act(down(5.0)).await;
    let page =
        bench.act(Action::Scroll { target: None, direction: Direction::Up, amount: 1.0 }).await;

    assert_eq!(first.status, Status::Observed, "{first:?}");
    assert_eq!(first.effect.read_back.unwrap().found.as_deref(), Some("300 px down, 120 px left"));
    assert_eq!(last.effect.read_back.unwrap().found.as_deref(), Some("120 px down, at the end"));
    assert_eq!(page.status, Status::NoEffect, "{page:?}");
    bench.close().await;
}

/// D4: the same item of a menu that belongs to another row by now.
#[tokio::test(flavor = "multi_thread")]
async fn an_item_of_a_menu_that_changed_hands_is_refused() {
    let page = r#"<title>M</title><script>window.received = []</script>
        <div role=menu aria-label="Menu of Ann" id=m><div role=menuitem tabindex=0
          onclick="received.push({type: 'click', target: 'rename'})">Rename</div></div>
        <button onclick="m.setAttribute('aria-label', 'Menu of Bob'); this.textContent = 'Swapped'">Swap</button>"#;
    let bench = Bench::showing(page).await;
    let item = bench.ref_of("Rename").await;
    bench.act(click("button", "Swap")).await;

    let outcome = bench.act(Action::Click { target: item }).await;

    assert_eq!(
        (outcome.status, outcome.code),
        (Status::Stale, Some(Code::Changed)),
        "{}",
        outcome.message
    );
    assert_eq!(bench.site.count("click", "rename", 0).await, 0);
    bench.close().await;
}

/// What AMBIGUOUS lists can be named by the refs it lists.
#[tokio::test(flavor = "multi_thread")]
async fn a_listed_namesake_can_be_named_by_its_ref() {
    let page = r#"<title>T</title><button onclick="this.textContent = 'one'">Del</button>
        <p>between</p><button onclick="this.textContent = 'two'">Del</button>"#;
    let bench = Bench::showing(page).await;

    let several = bench.act(click("button", "Del")).await;
    assert_eq!(several.status, Status::Ambiguous);
    let second = Target::Ref { id: several.matches[1].id.clone() };
    let outcome = bench.act(Action::Click { target: second }).await;

    assert_eq!(outcome.status, Status::Observed, "{}", outcome.message);
    assert!(bench.outline().await.contains("\"two\""));
    bench.close().await;
}
