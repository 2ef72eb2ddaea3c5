//! What an act does to a page, by the page's own record.

use sidestick_model::observation::Signal;
use sidestick_model::{Action, Chord, DragEnd, Status, Target, Typed};

use crate::bench::{Bench, click, fill, named};

const COUNTER: &str = r#"<title>Counter</title><script>window.received = []</script>
<h1>Shop</h1><p id="count" role="status">Count: 0</p>
<button id="add" onclick="received.push({type: 'click', target: 'add', isTrusted: event.isTrusted});
  count.textContent = 'Count: ' + (Number(count.textContent.slice(7)) + 1)">Add</button>"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_click_reaches_the_button_once_and_its_effect_is_told() {
    let bench = Bench::showing(COUNTER).await;

    let outcome = bench.act_expecting(click("button", "Add"), Some("text:Count: 1")).await;

    assert_eq!(outcome.status, Status::Observed);
    assert_eq!(outcome.effect.changes[0].after.as_deref(), Some("Count: 1"));
    assert_eq!(outcome.target.unwrap().context.heading.as_deref(), Some("Shop"));
    assert_eq!(bench.site.count("click", "add", 1).await, 1);
    assert!(bench.site.received().iter().all(|entry| entry["isTrusted"] == true));
    bench.close().await;
}

/// F11: the dead button gets its press, and nothing is claimed for it.
#[tokio::test(flavor = "multi_thread")]
async fn a_dead_button_is_pressed_and_has_no_effect() {
    let bench = Bench::on("button-dead").await;

    let outcome = bench.act(click("button", "Dead")).await;

    assert_eq!((outcome.status, outcome.code), (Status::NoEffect, None));
    assert_eq!(bench.site.count("click", "dead", 1).await, 1);
    bench.close().await;
}

/// VR-140: a style that flips proves nothing either.
#[tokio::test(flavor = "multi_thread")]
async fn a_flipped_class_and_a_ripple_prove_nothing() {
    let bench = Bench::on("button-dead").await;

    for name in ["Flip", "Ripple"] {
        let outcome = bench.act(click("button", name)).await;
        assert_eq!(outcome.status, Status::NoEffect, "{name}: {:?}", outcome.effect);
    }
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fill_is_read_back_and_a_limit_is_partial_f5() {
    let page = r#"<title>F</title><label>Name <input></label><label>Code <input maxlength=3></label>
        <label>Letters <input oninput="this.value = this.value.replace(/[^a-z]/gi, '').toUpperCase()"></label>"#;
    let bench = Bench::showing(page).await;

    let whole = bench.act(fill("Name", "hello")).await;
    let cut = bench.act(fill("Code", "abcdef")).await;
    let masked = bench.act(fill("Letters", "ab12c")).await;

    assert_eq!(whole.status, Status::Observed);
    assert_eq!(cut.status, Status::Partial);
    let back = cut.effect.read_back.unwrap();
    assert_eq!((back.asked.as_deref(), back.found.as_deref()), (Some("abcdef"), Some("abc")));
    assert_eq!(masked.status, Status::Partial);
    assert_eq!(masked.effect.read_back.unwrap().found.as_deref(), Some("ABC"));
    bench.close().await;
}

/// D7: separators alone are no difference.
#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_formats_what_it_gets_is_observed() {
    let page = r#"<title>F</title><label>Amount <input
        oninput="this.value = Number(this.value.replace(/,/g, '')).toLocaleString('en-US')"></label>"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act(fill("Amount", "1000")).await;

    assert_eq!(outcome.status, Status::Observed);
    let back = outcome.effect.read_back.unwrap();
    assert!(back.normalized && back.found.as_deref() == Some("1,000"), "{back:?}");
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fill_replaces_and_a_type_appends_vr_127() {
    let page = r#"<title>F</title><label>Text <input value="old"></label>"#;
    let bench = Bench::showing(page).await;

    let filled = bench.act(fill("Text", "a")).await;
    let typed = bench
        .act(Action::Type {
            target: Some(named("textbox", "Text")),
            text: Typed::Public("-more".into()),
        })
        .await;

    assert_eq!(filled.effect.read_back.unwrap().found.as_deref(), Some("a"));
    assert_eq!(typed.effect.read_back.unwrap().found.as_deref(), Some("a-more"));
    let emptied = bench.act(fill("Text", "")).await;
    assert_eq!(emptied.effect.read_back.unwrap().found.as_deref(), Some(""));
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_editor_is_replaced_and_read_back_f9() {
    let page =
        r#"<title>F</title><div contenteditable role="textbox" aria-label="Body">old text</div>"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act(fill("Body", "new text")).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert_eq!(outcome.effect.read_back.unwrap().found.as_deref(), Some("new text"));
    bench.close().await;
}

/// F7: what the keyboard enters in pieces is set as a value, and said to be.
#[tokio::test(flavor = "multi_thread")]
async fn a_date_is_set_by_script_and_read_back() {
    let bench = Bench::showing(r#"<title>F</title><input type="date" aria-label="Day">"#).await;
    let target = bench.ref_of("Day").await;

    let text = Typed::Public("2026-08-09".into());
    let outcome = bench.act(Action::Fill { target, text }).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert_eq!(outcome.effect.read_back.unwrap().found.as_deref(), Some("2026-08-09"));
    assert_eq!(outcome.effect.method.as_deref(), Some("script"));
    bench.close().await;
}

/// F22: each control by its final state.
#[tokio::test(flavor = "multi_thread")]
async fn checkboxes_end_in_the_asked_state_or_say_why_not() {
    let page = r#"<title>F</title><label><input type="checkbox"> Plain</label>
        <div role="checkbox" aria-checked="false" tabindex="0"
          onclick="this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true')">Custom</div>
        <div role="checkbox" aria-checked="false" tabindex="0">Stuck</div>
        <label><input type="checkbox" checked disabled> Off</label>"#;
    let bench = Bench::showing(page).await;
    let check = |name: &str| Action::Check { target: named("checkbox", name) };

    assert_eq!(bench.act(check("Plain")).await.status, Status::Observed);
    assert_eq!(bench.act(check("Plain")).await.status, Status::Satisfied);
    assert_eq!(bench.act(check("Custom")).await.status, Status::Observed);
    assert_eq!(bench.act(check("Stuck")).await.status, Status::NoEffect);
    let off = bench.act(Action::Uncheck { target: named("checkbox", "Off") }).await;
    assert_eq!(off.status, Status::NotActionable);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_select_takes_the_option_with_that_label() {
    let bench = Bench::on("select-options").await;
    let outline = bench.outline().await;
    assert!(outline.contains("combobox"), "{outline}");
    let page = r#"<title>F</title><select aria-label="Size" onchange="out.textContent = 'Size ' + value">
        <option>Small<option>Large<option disabled>Huge</select><p id="out"></p>"#;
    bench.site.inline(page);
    bench.act(Action::Navigate { url: bench.site.page("inline") }).await;
    let select = |value: &str| Action::Select {
        target: named("combobox", "Size"),
        values: vec![value.to_owned()],
    };

    let large = bench.act_expecting(select("Large"), Some("text:Size Large")).await;
    let again = bench.act(select("Large")).await;
    let huge = bench.act(select("Huge")).await;
    let none = bench.act(select("Tiny")).await;

    assert_eq!(large.status, Status::Observed, "{large:?}");
    assert_eq!(again.status, Status::Satisfied);
    assert_eq!(huge.code.unwrap().as_str(), "option_disabled");
    assert_eq!(none.code.unwrap().as_str(), "option_missing");
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_reach_the_focused_field_and_enter_submits() {
    let page = r#"<title>F</title><form onsubmit="event.preventDefault(); out.textContent = 'sent ' + q.value">
        <input id="q" aria-label="Query"></form><p id="out"></p>"#;
    let bench = Bench::showing(page).await;
    bench.act(fill("Query", "pens")).await;

    let key = Chord::parse("Enter").unwrap();
    let press = Action::Press { key, target: None };
    let outcome = bench.act_expecting(press, Some("text:sent pens")).await;

    assert_eq!(outcome.status, Status::Observed);
    bench.close().await;
}

/// BR-V of section 17: a letter typed at a focused button would press it.
#[tokio::test(flavor = "multi_thread")]
async fn text_without_a_target_is_not_typed_at_a_button() {
    let bench = Bench::showing(COUNTER).await;
    bench.act(click("button", "Add")).await;

    let text = Typed::Public("a b".into());
    let outcome = bench.act(Action::Type { target: None, text }).await;

    assert_eq!(outcome.status, Status::NotActionable);
    assert_eq!(bench.site.count("click", "add", 1).await, 1);
    bench.close().await;
}

/// Where nothing has the focus the page itself would get the keys: `d` may be its shortcut.
#[tokio::test(flavor = "multi_thread")]
async fn text_without_a_target_is_not_typed_at_a_page_that_listens_for_keys() {
    let page = r#"<title>F</title><script>window.received = [];
        addEventListener('keydown', (e) => received.push({type: 'key', target: e.key}))</script><p>Inbox"#;
    let bench = Bench::showing(page).await;

    let text = Typed::Public("d".into());
    let outcome = bench.act(Action::Type { target: None, text }).await;

    let told = (outcome.status, outcome.code.map(|code| code.as_str()));
    assert_eq!(told, (Status::NotActionable, Some("not_focused")), "{outcome:?}");
    assert_eq!(bench.site.count("key", "d", 0).await, 0);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_double_click_is_two_presses_at_one_point() {
    let page = r#"<title>F</title><script>window.received = []</script>
        <button id="b" onclick="received.push({type: 'click', target: 'b'})"
          ondblclick="received.push({type: 'dblclick', target: 'b'}); out.textContent = 'twice'">B</button>
        <p id="out"></p>"#;
    let bench = Bench::showing(page).await;

    let target = named("button", "B");
    let outcome = bench.act_expecting(Action::DoubleClick { target }, Some("text:twice")).await;

    assert_eq!(outcome.status, Status::Observed);
    assert_eq!(bench.site.count("dblclick", "b", 1).await, 1);
    assert_eq!(bench.site.count("click", "b", 2).await, 2);
    bench.close().await;
}

/// BR-184: a press, eight moves, a release.
#[tokio::test(flavor = "multi_thread")]
async fn a_drag_presses_moves_in_steps_and_releases() {
    let page = r#"<title>F</title><script>window.received = []</script>
        <style>div { position: absolute; width: 60px; height: 40px } #end { left: 300px; top: 200px }</style>
        <div id="from" role="button" tabindex="0">From</div><div id="end" role="button" tabindex="0">End</div>
        <p id="out" style="margin-top: 300px"></p><script>
        let down = false;
        from.onpointerdown = () => { down = true; received.push({type: 'down', target: 'from'}) };
        addEventListener('pointermove', () => { if (down) received.push({type: 'move', target: 'page'}) });
        addEventListener('pointerup', (e) => { down = false; received.push({type: 'up', target: e.target.id});
          out.textContent = 'dropped on ' + e.target.id });</script>"#;
    let bench = Bench::showing(page).await;

    let to = DragEnd::Element(named("button", "End"));
    let drag = Action::Drag { target: named("button", "From"), to };
    let outcome = bench.act_expecting(drag, Some("text:dropped on end")).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert_eq!(bench.site.count("down", "from", 1).await, 1);
    assert_eq!(bench.site.count("move", "page", 8).await, 8);
    assert_eq!(bench.site.count("up", "end", 1).await, 1);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_element_below_the_fold_is_scrolled_to_and_pressed() {
    let page = r#"<title>F</title><script>window.received = []</script><div style="height: 3000px"></div>
        <button id="far" onclick="received.push({type: 'click', target: 'far'}); this.textContent = 'Pressed'">Far</button>"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act(click("button", "Far")).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert_eq!(bench.site.count("click", "far", 1).await, 1);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn history_goes_back_and_forward_and_says_when_there_is_none() {
    let bench = Bench::showing("<title>One</title><h1>One</h1>").await;
    let second = bench.site.page("button-dead");
    bench.act(Action::Navigate { url: second.clone() }).await;

    let back = bench.act(Action::Back).await;
    let forward = bench.act(Action::Forward).await;
    let none = bench.act(Action::Forward).await;
    let reload = bench.act(Action::Reload).await;

    assert_eq!((back.status, back.page.title.as_str()), (Status::Observed, "One"));
    assert_eq!((forward.status, forward.page.url), (Status::Observed, second));
    assert_eq!(none.code.unwrap().as_str(), "no_history");
    assert_eq!(reload.status, Status::Observed);
    bench.close().await;
}

/// F13, D9: a dialog is state; nothing else goes on until it is answered.
#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_is_told_and_has_to_be_answered() {
    let page = r#"<title>F</title><button onclick="out.textContent = confirm('Sure?') ? 'yes' : 'no'">Ask</button>
        <button>Other</button><p id="out"></p>"#;
    let bench = Bench::showing(page).await;

    let asked = bench.act(click("button", "Ask")).await;
    let other = bench.act(click("button", "Other")).await;
    let outline = bench.outline().await;
    let dismiss = Action::Dialog { answer: sidestick_model::DialogAnswer::Dismiss, text: None };
    let answered = bench.act_expecting(dismiss, None).await;
    let none = bench
        .act(Action::Dialog { answer: sidestick_model::DialogAnswer::Accept, text: None })
        .await;

    assert_eq!(asked.status, Status::Observed, "{asked:?}");
    assert_eq!(asked.dialog.unwrap().text, "Sure?");
    assert!(asked.signals.contains(&Signal::Dialog));
    assert_eq!(other.code.unwrap().as_str(), "dialog_open");
    assert!(outline.contains("dialog confirm \"Sure?\" is open"), "{outline}");
    assert_eq!(answered.status, Status::Observed, "{answered:?}");
    assert_eq!(none.code.unwrap().as_str(), "no_dialog");
    assert!(bench.outline().await.contains("\"no\""));
    bench.close().await;
}

/// BR-052: a page that a click opened is there when the act returns.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_opens_is_told_and_can_be_shown_and_closed() {
    let bench = Bench::on("button-dead").await;
    let page = format!(
        r#"<title>F</title><a target="_blank" href="{}">Open</a>"#,
        bench.site.page("effects")
    );
    bench.site.inline(&page);
    bench.act(Action::Navigate { url: bench.site.page("inline") }).await;

    let opened = bench.act(click("link", "Open")).await;

    assert_eq!(opened.status, Status::Observed, "{opened:?}");
    let id = opened.new_pages[0].id.clone();
    let switch = Action::Tab { op: sidestick_model::TabOp::Switch(id.clone()) };
    assert!(bench.act(switch).await.page.url.ends_with("/effects"));
    let close = Action::Tab { op: sidestick_model::TabOp::Close(id) };
    assert_eq!(bench.act(close).await.status, Status::Observed);
    assert!(bench.outline().await.contains("link \"Open\""));
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_gives_the_page_the_file() {
    let page = r#"<title>F</title><input type="file" aria-label="Paper"
        onchange="out.textContent = 'got ' + this.files[0].name"><p id="out"></p>"#;
    let bench = Bench::showing(page).await;
    let file = bench.run_dir().join("downloads/run.json");
    std::fs::write(&file, "{}").unwrap();
    let target = bench.ref_of("Paper").await;

    let files = vec![file.display().to_string()];
    let upload = Action::Upload { target: Some(target), files };
    let outcome = bench.act_expecting(upload, Some("text:got run.json")).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert!(outcome.effect.read_back.unwrap().equal);
    bench.close().await;
}

/// Pixels of the newest picture, judged by what is really there.
#[tokio::test(flavor = "multi_thread")]
async fn a_pixel_presses_what_lies_under_it() {
    let bench = Bench::showing(COUNTER).await;
    let Target::Ref { id } = bench.ref_of("\"Add\"").await else { panic!() };
    let found = bench.act(Action::Hover { target: Target::Ref { id } }).await;
    let [x, y] = found.target.unwrap().point.unwrap();
    let picture = bench.ask(sidestick_model::call::Call::Screenshot { full_page: false }).await;
    assert!(matches!(picture, sidestick_model::call::Answer::Screenshot { path: Some(_), .. }));

    let target = Target::Pixel { x, y, label: "Add".into() };
    let mut ask = sidestick_model::call::ActAsk::new(
        Action::Click { target },
        sidestick_model::Actor::Agent,
        "test",
    );
    ask.obs = Some(sidestick_model::ObservationId(4));
    let outcome = bench.act_asking(ask).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert_eq!(bench.site.count("click", "add", 1).await, 1);
    bench.close().await;
}

/// D8: waiting for a precondition is asked for, bounded, and ends the moment it holds.
#[tokio::test(flavor = "multi_thread")]
async fn a_wait_for_a_precondition_ends_when_it_holds() {
    let page = r#"<title>A</title><button id="b" disabled onclick="this.textContent = 'Done'">Go</button>
        <script>setTimeout(() => { b.disabled = false }, 600)</script>"#;
    let bench = Bench::showing(page).await;
    let mut ask = sidestick_model::call::ActAsk::new(
        click("button", "Go"),
        sidestick_model::Actor::Agent,
        "test",
    );
    ask.wait_ms = 5_000;

    let started = std::time::Instant::now();
    let outcome = bench.act_asking(ask).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert!(started.elapsed().as_millis() < 2_500, "{:?}", started.elapsed());
    bench.close().await;
}

/// A page that asks again and again: each answer is an act of its own, and none hangs.
#[tokio::test(flavor = "multi_thread")]
async fn dialogs_in_a_row_are_answered_one_by_one() {
    let page = r#"<title>F</title><button onclick="for (let i = 1; i < 4; i++) alert('Number ' + i);
        out.textContent = 'over'">Ask</button><p id="out"></p>"#;
    let bench = Bench::showing(page).await;
    let dismiss = || Action::Dialog { answer: sidestick_model::DialogAnswer::Dismiss, text: None };

    let first = bench.act(click("button", "Ask")).await;
    let second = bench.act(dismiss()).await;
    let third = bench.act(dismiss()).await;
    let last = bench.act(dismiss()).await;

    assert_eq!(first.dialog.unwrap().text, "Number 1");
    assert_eq!(second.dialog.unwrap().text, "Number 2");
    assert_eq!(third.dialog.unwrap().text, "Number 3");
    assert_eq!((last.status, last.dialog), (Status::Observed, None));
    bench.close().await;
}
