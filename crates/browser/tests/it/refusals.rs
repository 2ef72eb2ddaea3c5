//! What is refused is refused at once, says why, and sends nothing.

use std::time::Instant;

use sidestick_model::{Action, Code, Fate, Status, Target, Typed};

use crate::bench::{Bench, click, fill, named};

/// One page with everything that stands in the way; every input event is recorded.
const WAYS: &str = r#"<title>F</title><style>#cover { position: fixed; left: 0; top: 200px;
  width: 100%; height: 100px; background: #eee } #under { position: absolute; left: 20px; top: 230px }
  #off { position: absolute; left: -500px } .none { display: none }</style>
<script>window.received = []; for (const type of ['pointerdown', 'mousemove', 'keydown', 'input', 'focus'])
  addEventListener(type, (e) => isOwn(e) || received.push({ type, target: e.target.id }), true);
// QUIRK: Chromium 156 now and then tells a new page of a pointer that has not moved, at the origin.
function isOwn(e) { return type(e) === 'mousemove 0 0 0 0' }
function type(e) { return [e.type, e.clientX, e.clientY, e.movementX, e.movementY].join(' ') }</script>
<button id="under">Under</button><div id="cover">Cookie banner</div>
<button id="dis" disabled>Disabled</button><input id="ro" readonly value="kept" aria-label="Readonly">
<button id="clear" style="opacity: 0">Clear</button><button id="hid" style="visibility: hidden">Hidden</button>
<button id="off">Off</button><button class="none">None</button>
<input id="num" type="number" value="1" aria-label="Number"><p id="text">Just text</p>
<fieldset disabled><button id="set">InSet</button></fieldset><div inert><button id="inert">Inert</button></div>
<button id="through" style="pointer-events: none">Through</button>
<div role="button" aria-disabled="true" tabindex="0" id="aria">AriaOff</div>"#;

/// F3, F4, F6, F12 and their kinds: nothing reaches the page, and the reason is named.
#[tokio::test(flavor = "multi_thread")]
async fn what_stands_in_the_way_is_named_and_nothing_is_sent() {
    let bench = Bench::showing(WAYS).await;
    let number = || Action::Fill {
        target: named("spinbutton", "Number"),
        text: Typed::Public("abc".into()),
    };
    let cases = [
        (click("button", "Under"), Status::NotVisible, "occluded"),
        (click("button", "Disabled"), Status::NotActionable, "disabled"),
        (fill("Readonly", "x"), Status::NotActionable, "readonly"),
        (click("button", "Clear"), Status::NotVisible, "opacity"),
        (click("button", "Hidden"), Status::NotVisible, "hidden"),
        (click("button", "Off"), Status::NotVisible, "offscreen"),
        (number(), Status::NotActionable, "invalid_value"),
        (click("button", "InSet"), Status::NotActionable, "disabled"),
        (click("button", "Inert"), Status::NotActionable, "inert"),
        (click("button", "Through"), Status::NotActionable, "pointer_none"),
        (click("button", "AriaOff"), Status::NotActionable, "disabled"),
    ];

    let written = bench.session.surface().acts_written();
    for (action, status, code) in cases {
        let started = Instant::now();
        let outcome = bench.act(action.clone()).await;
        let found = (outcome.status, outcome.code.map(|code| code.as_str()));
        assert_eq!(found, (status, Some(code)), "{action:?}: {}", outcome.message);
        assert_eq!(outcome.fate, Fate::NotSent);
        assert!(started.elapsed().as_millis() < 2_000, "{action:?} was not refused at once");
    }

    let covered = bench.act(click("button", "Under")).await;
    assert!(covered.message.contains("#cover"), "{}", covered.message);
    assert_eq!(bench.site.received(), Vec::<serde_json::Value>::new());
    assert_eq!(bench.session.surface().acts_written(), written, "something was on the wire");
    bench.close().await;
}

/// F2: the ref of a document that is gone is not the namesake's on the next page.
#[tokio::test(flavor = "multi_thread")]
async fn a_ref_of_the_last_document_is_refused() {
    let page = r#"<title>A</title><script>window.received = []</script>
        <button id="delete" onclick="received.push({type: 'click', target: 'delete'})">Erase</button>"#;
    let bench = Bench::showing(page).await;
    let old = bench.ref_of("\"Erase\"").await;
    bench.act(Action::Reload).await;
    bench.outline().await;

    let outcome = bench.act(Action::Click { target: old }).await;

    assert_eq!(outcome.code.unwrap().as_str(), "document_gone");
    assert_eq!(bench.site.count("click", "delete", 0).await, 0);
    bench.close().await;
}

/// D4: a replaced element is named, not pressed.
#[tokio::test(flavor = "multi_thread")]
async fn a_look_alike_is_named_and_not_pressed() {
    let page = r#"<title>A</title><script>window.received = []</script><div id="box"><button id="old"
        onclick="received.push({type: 'click', target: 'old'})">Save</button></div>
        <button onclick="box.innerHTML = `<button id=new onclick=&quot;received.push({type: 'click', target: 'new'})&quot;>Save</button>`">Swap</button>"#;
    let bench = Bench::showing(page).await;
    let old = bench.ref_of("\"Save\"").await;
    bench.act_expecting(click("button", "Swap"), None).await;

    let outcome = bench.act(Action::Click { target: old.clone() }).await;

    assert_eq!(outcome.code.unwrap().as_str(), "element_gone");
    assert_eq!(outcome.matches.len(), 1);
    let Target::Ref { id } = old else { panic!() };
    assert_ne!(outcome.matches[0].id, id);
    assert_eq!(bench.site.count("click", "new", 0).await, 0);
    bench.close().await;
}

/// The pointer's own arrival opens something over the button: the last look sees it, and nothing
/// is pressed.
#[tokio::test(flavor = "multi_thread")]
async fn what_comes_under_the_pointer_before_the_press_is_not_pressed() {
    let page = r#"<title>A</title><style>#ad { position: fixed; inset: 0; background: #eee; display: none }</style>
        <button id="b">Save</button><div id="ad">Buy now</div><script>window.received = [];
        b.onpointermove = () => { ad.style.display = 'block' };
        for (const type of ['pointerdown', 'click'])
          addEventListener(type, (e) => received.push({ type, target: e.target.id }), true)</script>"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act(click("button", "Save")).await;

    assert_eq!(outcome.status, Status::NotVisible, "{outcome:?}");
    assert!(outcome.message.contains("#ad"), "{}", outcome.message);
    for target in ["b", "ad"] {
        assert_eq!(bench.site.count("pointerdown", target, 0).await, 0, "{target} was pressed");
    }
    bench.close().await;
}

/// D4: a recycled row is another row, though its button lives on.
#[tokio::test(flavor = "multi_thread")]
async fn a_button_that_now_belongs_to_another_row_is_refused() {
    let page = r#"<title>A</title><script>window.received = []</script>
        <table><tr><th scope="row" id="who">acme</th><td><button id="b"
          onclick="received.push({type: 'click', target: 'b'})">Edit</button></td></tr></table>
        <button onclick="who.textContent = 'delta'">Recycle</button>"#;
    let bench = Bench::showing(page).await;
    let outline = bench.outline().await;
    let line = outline.lines().find(|line| line.contains("Edit")).unwrap().to_owned();
    let id = line.split_whitespace().last().unwrap().to_owned();
    let mut ask = sidestick_model::call::ActAsk::new(
        Action::Click { target: Target::Ref { id } },
        sidestick_model::Actor::Agent,
        "test",
    );
    ask.obs = Some(sidestick_model::ObservationId(2));
    bench.act(click("button", "Recycle")).await;

    let outcome = bench.act_asking(ask).await;

    assert_eq!(outcome.code.map(|code| code.as_str()), Some("changed"), "{outcome:?}\n{line}");
    assert!(outcome.message.contains("acme") && outcome.message.contains("delta"));
    assert_eq!(bench.site.count("click", "b", 0).await, 0);
    bench.close().await;
}

/// A field is given to another row in the moment it gets the focus: nothing is put into it.
#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_another_row_has_by_now_is_left_alone() {
    let page = r#"<title>A</title><script>window.received = [];
        addEventListener('input', (e) => received.push({type: 'input', target: e.target.id}), true)</script>
        <table><tr><th scope="row" id="who">acme</th><td><input id="note" aria-label="Note"
          onfocus="who.textContent = 'delta'"></td></tr></table>"#;
    let bench = Bench::showing(page).await;
    bench.outline().await;

    let outcome = bench.act(fill("Note", "for acme")).await;

    assert_eq!((outcome.status, outcome.code), (Status::Stale, Some(Code::Changed)), "{outcome:?}");
    assert!(outcome.message.contains("acme") && outcome.message.contains("delta"), "{outcome:?}");
    assert_eq!(bench.site.count("input", "note", 0).await, 0, "it was filled");
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn several_matches_are_listed_with_what_tells_them_apart() {
    let bench = Bench::on("table-subjects").await;

    let outcome = bench.act(click("button", "Follow")).await;
    let none = bench.act(click("button", "Nope")).await;

    assert_eq!(outcome.status, Status::Ambiguous, "{outcome:?}");
    let rows: Vec<_> = outcome.matches.iter().map(|m| m.subject.row.as_deref()).collect();
    let names = |name: &str| rows.iter().flatten().any(|row| row.contains(name));
    assert!(rows.len() == 2 && names("Lions") && names("Bears"), "{rows:?}");
    assert_eq!(none.status, Status::NotFound, "{none:?}");
    for target in ["lions", "bears"] {
        assert_eq!(bench.site.count("click", target, 0).await, 0, "{target} was pressed");
    }
    bench.close().await;
}

/// I11: an insert before it does not move a ref to its neighbour (F1).
#[tokio::test(flavor = "multi_thread")]
async fn a_ref_stays_with_its_element_when_others_are_inserted() {
    let page = r#"<title>A</title><script>window.received = []</script><ul id="list"><li><button id="beta"
        onclick="received.push({type: 'click', target: 'beta'}); this.textContent = 'Done'">Beta</button></li></ul>
        <button onclick="list.insertAdjacentHTML('afterbegin', '<li><button>Alpha</button></li>')">Insert</button>"#;
    let bench = Bench::showing(page).await;
    let beta = bench.ref_of("\"Beta\"").await;
    bench.act(click("button", "Insert")).await;
    bench.outline().await;

    let outcome = bench.act(Action::Click { target: beta }).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert_eq!(bench.site.count("click", "beta", 1).await, 1);
    bench.close().await;
}

/// BR-196: a password goes only where the page hides it.
#[tokio::test(flavor = "multi_thread")]
async fn a_secret_does_not_go_into_a_field_that_shows_it() {
    let page = r#"<title>A</title><label>Shown <input></label>
        <label>Hidden <input type="password"></label>"#;
    let bench = Bench::showing(page).await;
    let secret = |name: &str| Action::Fill {
        target: named("textbox", name),
        text: Typed::Secret("password".into()),
    };

    let shown = bench.act(secret("Shown")).await;
    let hidden = bench.act(secret("Hidden")).await;

    assert_eq!(shown.code.unwrap().as_str(), "not_secret_field");
    assert_eq!(hidden.status, Status::Observed, "{hidden:?}");
    let back = hidden.effect.read_back.unwrap();
    assert!(back.equal && back.secret && back.found.is_none());
    assert!(!bench.outline().await.contains("hunter2"));
    bench.close().await;
}
