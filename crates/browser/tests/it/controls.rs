//! Controls as pages make them: what a page did with its input is what an act tells.

use sidestick_model::{Action, Chord, DragEnd, Outcome, Status, Target, Typed};
use sidestick_testkit::site::Site;

use crate::bench::{Bench, Setup, click, fill, named};

fn told(outcome: &Outcome) -> (Status, Option<&str>) {
    (outcome.status, outcome.code.map(|code| code.as_str()))
}

fn fill_role(role: &str, name: &str, text: &str) -> Action {
    Action::Fill { target: named(role, name), text: Typed::Public(text.to_owned()) }
}

fn type_into(name: &str, text: &str) -> Action {
    Action::Type { target: Some(named("textbox", name)), text: Typed::Public(text.to_owned()) }
}

fn drag(from: &str, to: &str) -> Action {
    Action::Drag { target: named("button", from), to: DragEnd::Element(named("button", to)) }
}

/// HTML5 drag and drop: the browser makes it out of the same moves.
#[tokio::test(flavor = "multi_thread")]
async fn a_draggable_element_is_dropped_with_its_data() {
    let bench = Bench::on("drag-native").await;

    let outcome = bench.act(drag("Card", "Done")).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    let order: Vec<String> =
        bench.site.received().iter().map(|at| at["type"].to_string()).collect();
    assert_eq!(bench.site.count("drop card", "done", 1).await, 1, "{order:?}");
    assert_eq!(bench.site.count("dragend", "card", 1).await, 1, "{order:?}");
    bench.close().await;
}

/// A list sorted by the pointer, which mounts what is dragged and measures its places in frames.
#[tokio::test(flavor = "multi_thread")]
async fn a_card_dragged_by_the_pointer_is_dropped_where_it_was_let_go() {
    let bench = Bench::on("drag-pointer").await;

    let outcome = bench.act(drag("Card", "Done")).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert_eq!(bench.site.count("dropped", "done", 1).await, 1, "{:?}", bench.site.received());
    let held = bench.act(click("button", "Is a button held")).await;
    assert_eq!(held.effect.changes[0].after.as_deref(), Some("buttons 0"), "{held:?}");
    bench.close().await;
}

/// What a field passes on and shows elsewhere is no failure of the field.
#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_empties_itself_is_read_back_where_the_page_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start().await;
    let page = site.page("fields-that-pass-on");
    let setup = Setup { roots: vec![folder.path().to_owned()], ..Setup::default() };
    let bench = Bench::open(site, &page, setup).await;

    let chip = bench.act(fill("Tags", "red,")).await;
    let boxes = bench.act(type_into("Digit 1", "1234")).await;
    let again = bench.act(fill("Redrawn", "new text")).await;
    let paper = bench.run_dir().join("downloads/run.json");
    std::fs::write(&paper, "{}").unwrap();
    let file = paper.display().to_string();
    let target = bench.ref_of("Paper").await;
    let dropped = bench.act(Action::Upload { target: Some(target), files: vec![file] }).await;

    assert_eq!(chip.status, Status::Observed, "{chip:?}");
    assert_eq!(chip.effect.read_back.unwrap().elsewhere.as_deref(), Some("red"));
    assert_eq!(boxes.status, Status::Observed, "{boxes:?}");
    assert_eq!(boxes.effect.read_back.unwrap().found.as_deref(), Some("1234"));
    assert_eq!(again.status, Status::Observed, "{again:?}");
    assert_eq!(again.effect.read_back.unwrap().found.as_deref(), Some("new text"));
    assert_eq!(dropped.status, Status::Observed, "{dropped:?}");
    bench.close().await;
}

/// A field that keeps nothing and shows nothing is told as what it is.
#[tokio::test(flavor = "multi_thread")]
async fn a_field_that_loses_what_it_gets_is_partial() {
    let page = r#"<title>F</title><label>Lost <input oninput="this.value = ''; out.textContent = 'seen'"></label>
        <p id="out"></p>"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act(fill("Lost", "red")).await;

    assert_eq!(outcome.status, Status::Partial, "{outcome:?}");
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn options_of_one_name_are_told_apart_by_value() {
    let page = r#"<title>F</title><select aria-label="Paint" onchange="out.textContent = 'got ' + value">
        <option value="">None<option value="b1">Blue<option value="b2">Blue
        <optgroup label="Off" disabled><option>Grey</optgroup></select><p id="out"></p>
        <select multiple size="3" aria-label="Many"><option value="1">One<option value="2">Two<option>Three</select>"#;
    let bench = Bench::showing(page).await;
    let select = |value: &str| Action::Select {
        target: named("combobox", "Paint"),
        values: vec![value.to_owned()],
    };

    let blue = bench.act(select("Blue")).await;
    let grey = bench.act(select("Grey")).await;
    let none = bench.act(select("Red")).await;
    let second = bench.act_expecting(select("b2"), Some("text:got b2")).await;
    let several = vec!["Two".to_owned(), "1".to_owned()];
    let many = Action::Select { target: named("listbox", "Many"), values: several };
    let many = bench.act(many).await;

    assert_eq!(told(&blue), (Status::NotActionable, Some("option_missing")));
    assert!(blue.message.contains("`b1`, `b2`"), "{}", blue.message);
    assert_eq!(told(&grey), (Status::NotActionable, Some("option_disabled")));
    assert!(none.message.contains("`Blue`"), "{}", none.message);
    assert_eq!(second.status, Status::Observed, "{second:?}");
    assert_eq!(many.status, Status::Observed, "{many:?}");
    assert_eq!(many.effect.read_back.unwrap().found.as_deref(), Some("One, Two"));
    bench.close().await;
}

/// A widget of the page's own is opened and its option clicked; what to do is said.
#[tokio::test(flavor = "multi_thread")]
async fn a_combobox_of_the_page_is_used_by_clicks() {
    let bench = Bench::on("widgets-own").await;
    let target = named("combobox", "City");

    let select = Action::Select { target: target.clone(), values: vec!["Bern".into()] };
    let refused = bench.act(select).await;
    let opened = bench.act(Action::Click { target }).await;
    let chosen = bench.act_expecting(click("option", "Bern"), Some("value")).await;

    assert_eq!(told(&refused), (Status::NotActionable, Some("wrong_kind")));
    assert!(refused.message.contains("click it, then click the option"), "{}", refused.message);
    assert_eq!(opened.status, Status::Observed, "{opened:?}");
    assert_ne!(chosen.status, Status::Error, "{chosen:?}");
    assert_eq!(bench.site.count("chosen", "Bern", 1).await, 1);
    bench.close().await;
}

/// Sliders: a native one by its value wherever it lies, the page's own by keys.
#[tokio::test(flavor = "multi_thread")]
async fn sliders_are_set_by_what_they_accept() {
    let bench = Bench::on("widgets-own").await;

    let far = bench.act(fill_role("slider", "Volume", "75")).await;
    let thumb = bench.act(fill_role("slider", "Level", "70")).await;
    let own = bench.act(fill_role("slider", "Depth", "3")).await;
    let key = Chord::parse("ArrowRight").unwrap();
    let press = Action::Press { key, target: Some(named("slider", "Depth")) };
    let pressed = bench.act(press).await;

    assert_eq!(far.status, Status::Observed, "{far:?}");
    assert_eq!(thumb.status, Status::Observed, "{thumb:?}");
    assert_eq!(told(&own), (Status::NotActionable, Some("wrong_kind")));
    assert!(own.message.contains("arrow keys"), "{}", own.message);
    assert_eq!(pressed.status, Status::Observed, "{pressed:?}");
    assert_eq!(pressed.effect.changes[0].after.as_deref(), Some("2"), "{pressed:?}");
    bench.close().await;
}

/// BR-269: a press in the middle of the card would go to the button in it.
#[tokio::test(flavor = "multi_thread")]
async fn a_control_inside_the_target_stops_the_press() {
    let page = r#"<title>F</title><script>window.received = []</script>
        <a id="card" href="\#card" style="display: block; width: 300px; height: 60px; position: relative"
          onclick="received.push({type: 'click', target: 'card'})">Open<button id="del"
          style="position: absolute; inset: 0" onclick="received.push({type: 'click', target: 'del'})">Delete</button></a>
        <a href="\#x" style="display: block; width: 300px; height: 60px" onclick="received.push({type: 'click', target: 'wide'})">Wide
          <button style="width: 40px">Small</button></a>"#;
    let bench = Bench::showing(&page.replace('\\', "")).await;

    let covered = bench.act(click("link", "Open Delete")).await;
    let beside = bench.act(click("link", "Wide Small")).await;

    assert_eq!(told(&covered), (Status::NotVisible, Some("occluded")), "{}", covered.message);
    assert!(covered.message.contains("Delete"), "{}", covered.message);
    assert_eq!(beside.status, Status::Observed, "{beside:?}");
    assert_eq!(bench.site.count("click", "del", 0).await, 0);
    assert_eq!(bench.site.count("click", "wide", 1).await, 1);
    bench.close().await;
}

/// The pointer's arrival gives the node to another row, draws it anew, or moves it.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_pointer_changes_is_looked_at_again_before_the_press() {
    let bench = Bench::on("changes-on-hover").await;

    let renamed = bench.act(click("button", "Ann")).await;
    let redrawn = bench.act(click("button", "Redraw")).await;
    let moved = bench.act(click("button", "Shift")).await;

    assert_eq!(told(&renamed), (Status::Stale, Some("changed")), "{renamed:?}");
    assert_eq!(told(&redrawn), (Status::Stale, Some("element_gone")), "{redrawn:?}");
    assert_eq!(redrawn.matches.len(), 1, "its look-alike is named");
    assert_eq!(moved.status, Status::Observed, "{moved:?}");
    assert_eq!(bench.site.count("click", "shift", 1).await, 1);
    for target in ["ann", "redraw", "redrawn"] {
        assert_eq!(bench.site.count("click", target, 0).await, 0, "{target}");
    }
    bench.close().await;
}

/// D4: the menu is another row's now; its entries look the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_menu_that_belongs_to_another_row_is_refused() {
    let page = r#"<title>F</title><script>window.received = []</script>
        <div role="menu" id="menu" aria-label="Menu of Ann"><div role="menuitem" tabindex="0"
          onclick="received.push({type: 'click', target: menu.ariaLabel})">Rename</div></div>
        <button onclick="menu.ariaLabel = 'Menu of Bob'; this.textContent = 'Sorted'">Sort</button>"#;
    let bench = Bench::showing(page).await;
    let rename = bench.ref_of("Rename").await;
    bench.act(click("button", "Sort")).await;

    let outcome = bench.act(Action::Click { target: rename }).await;

    assert_eq!(told(&outcome), (Status::Stale, Some("changed")), "{}", outcome.message);
    assert_eq!(bench.site.count("click", "Menu of Bob", 0).await, 0);
    bench.close().await;
}

/// Terminals and editors take their keys by a field that nobody sees.
#[tokio::test(flavor = "multi_thread")]
async fn keys_go_to_the_hidden_field_that_has_the_focus() {
    let page = r#"<title>F</title><div id="screen" role="button" tabindex="-1">terminal</div>
        <input id="keys" style="opacity: 0; width: 1px; height: 1px" aria-label="Keys"><pre id="out"></pre><script>
        screen.onclick = () => {}; document.getElementById('screen').onclick = () => keys.focus();
        keys.oninput = () => { out.textContent = '$ ' + keys.value }</script>"#;
    let bench = Bench::showing(page).await;
    bench.act(click("button", "terminal")).await;

    let text = Typed::Public("ls".into());
    let outcome = bench.act_expecting(Action::Type { target: None, text }, Some("text:$ ls")).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    bench.close().await;
}

/// What fades out is waited for, what changes in a scrolled box is told, a shown secret is not.
#[tokio::test(flavor = "multi_thread")]
async fn effects_that_are_hard_to_see_are_told() {
    let bench = Bench::on("effects-hard-to-see").await;

    let faded = bench.act(click("button", "Close")).await;
    let dead = bench.act(click("button", "Dead")).await;
    let boxed = bench.act(click("button", "Box")).await;
    let shown = bench.act(click("button", "Eye")).await;

    assert_eq!(faded.status, Status::Observed, "{faded:?}");
    assert_eq!(dead.status, Status::NoEffect, "{dead:?}");
    assert_eq!(boxed.status, Status::Observed, "{boxed:?}");
    assert_eq!(shown.status, Status::Observed, "{shown:?}");
    assert!(!format!("{shown:?}{}", bench.outline().await).contains("swordfish"));
    bench.close().await;
}

/// Lines stay lines, in a textarea and in an editor.
#[tokio::test(flavor = "multi_thread")]
async fn text_of_several_lines_keeps_them() {
    let page = r#"<title>F</title><textarea aria-label="Notes"></textarea>
        <div contenteditable role="textbox" aria-label="Body"><p>old</p><p>text</p></div>"#;
    let bench = Bench::showing(page).await;
    let lines = "one\ntwo\n\nfour";

    let notes = bench.act(fill("Notes", lines)).await;
    let body = bench.act(fill("Body", lines)).await;

    assert_eq!(notes.effect.read_back.unwrap().found.as_deref(), Some(lines));
    assert_eq!(body.status, Status::Observed, "{body:?}");
    bench.close().await;
}

/// A form whose fields are named after what every element has.
#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_shadows_its_own_properties_is_used_as_any_other() {
    let bench = Bench::on("form-clobbers").await;

    let filled = bench.act(fill("Name", "Ann")).await;
    let sent = bench.act_expecting(click("button", "Send"), Some("text:sent Ann")).await;

    assert_eq!(filled.status, Status::Observed, "{filled:?}");
    assert_eq!(sent.status, Status::Observed, "{sent:?}");
    let target = Target::Described { role: "button".into(), name: Some("Send".into()), near: None };
    assert_eq!(bench.act(Action::Hover { target }).await.status, Status::NoEffect);
    bench.close().await;
}

/// A date in three parts, none of which is a field: each takes keys while it has the focus.
const SECTIONS: &str = r#"<title>Date</title><script>
  window.received = [];
  addEventListener("keydown", (e) => received.push(
    {type: "keydown", target: e.target.id, isTrusted: e.isTrusted, value: e.key}), true);
  const MONTHS = ["", "January", "February", "March"];
  function key(e, width) {
    const part = e.target;
    if (!/^[0-9a-z]$/i.test(e.key) || part.dataset.dead) return;
    const month = MONTHS.findIndex((name) => name[0] === e.key.toUpperCase());
    const typed = month > 0 ? month : (part.held ?? "") + e.key;
    part.held = String(typed);
    part.setAttribute("aria-valuenow", Number(typed));
    part.textContent = width ? part.held.padStart(width, "0") : MONTHS[Number(typed)];
    if (!width) part.setAttribute("aria-valuetext", part.textContent);
  }
</script>
<div role="group" aria-label="Date">
  <span id="day" role="spinbutton" tabindex="0" aria-label="Day" onkeydown="key(event, 2)">dd</span>
  <span id="month" role="spinbutton" tabindex="-1" aria-label="Month" aria-valuetext="empty"
    onkeydown="key(event, 0)">mmmm</span>
  <span id="year" role="spinbutton" tabindex="-1" aria-label="Year" onkeydown="key(event, 4)">yyyy</span>
  <span role="spinbutton" tabindex="0" aria-label="Hour" aria-valuetext="empty"
    onkeydown="this.textContent = this.textContent.replace('-', '') + event.key">--</span>
  <span id="dead" role="spinbutton" tabindex="0" data-dead="1" aria-label="Dead"
    onkeydown="key(event, 2)">--</span>
  <span role="spinbutton" tabindex="0" aria-readonly="true" aria-label="Fixed">--</span>
  <span role="spinbutton" aria-label="Loose">--</span>
</div>"#;

#[tokio::test(flavor = "multi_thread")]
async fn the_parts_of_a_date_take_what_is_typed_and_say_what_they_hold() {
    let site = Site::start().await;
    let page = site.inline(SECTIONS);
    let bench = Bench::open(site, &page, Setup::default()).await;
    let type_into = |name: &str, text: &str| Action::Type {
        target: Some(named("spinbutton", name)),
        text: Typed::Public(text.to_owned()),
    };

    for (name, text, found) in
        [("Day", "9", "09"), ("Month", "m", "March"), ("Hour", "9", "9"), ("Year", "2026", "2026")]
    {
        let outcome = bench.act(type_into(name, text)).await;

        assert_eq!(outcome.status, Status::Observed, "{name}: {outcome:?}");
        let back = outcome.effect.read_back.unwrap();
        assert_eq!((back.found.as_deref(), back.equal), (Some(found), true), "{name}");
    }
    // Without a target it goes to the part that has the focus: to the one typed into last.
    let more = Action::Type { target: None, text: Typed::Public("1".to_owned()) };
    let more = bench.act(more).await;
    assert_eq!(more.status, Status::Observed, "{more:?}");
    assert_eq!(bench.site.count("keydown", "year", 5).await, 5);

    let other = bench.act(type_into("Day", "1")).await;
    assert_eq!(told(&other), (Status::Partial, None), "it holds 91: {other:?}");
    assert_eq!(other.effect.read_back.unwrap().found.as_deref(), Some("91"));

    let dead = bench.act(type_into("Dead", "5")).await;
    assert_ne!(dead.status, Status::Observed, "{dead:?}");
    assert!(!dead.effect.read_back.unwrap().equal);
    for (name, code) in [("Fixed", "readonly"), ("Loose", "wrong_kind")] {
        let refused = bench.act(type_into(name, "5")).await;
        assert_eq!(told(&refused), (Status::NotActionable, Some(code)), "{}", refused.message);
    }
    let filled = bench.act(fill_role("spinbutton", "Day", "5")).await;
    assert_eq!(told(&filled), (Status::NotActionable, Some("wrong_kind")));
    assert!(filled.message.contains("type into it"), "{}", filled.message);
    bench.close().await;
}
