//! What is refused is not sent: the application's own record says so.

use crate::lab::{Lab, reference};
use crate::site::Site;

#[test]
fn what_a_person_could_not_use_is_refused_and_nothing_arrives() {
    let lab = Lab::new();
    lab.begin("/");
    lab.ask(&["goal", "g", "--title", "Try what cannot be done"]);
    let before = lab.app().hits();
    let promo = ["--role", "textbox", "--name", "Promo code", "--goal", "g"];

    let fill = [&["fill", "--text", "SPRING10"], promo.as_slice()].concat();
    let hidden = lab.act(&fill, "NOT_VISIBLE", Some("opacity"));
    lab.act(&[&["click"], promo.as_slice()].concat(), "NOT_VISIBLE", Some("opacity"));
    lab.act(&["navigate", &lab.app().url("/traps")], "OBSERVED", None);
    lab.ask(&["observe", "--no-screenshot"]);
    let covered = ["click", "--role", "button", "--name", "Pack order"];
    lab.act(&covered, "NOT_VISIBLE", Some("occluded"));
    let readonly = ["fill", "--role", "textbox", "--name", "Invoice number", "--text", "INV-9999"];
    lab.act(&readonly, "NOT_ACTIONABLE", Some("readonly"));
    lab.act(&["navigate", &lab.app().url("/projects")], "OBSERVED", None);
    let delete = ["click", "--role", "button", "--name", "Delete project"];
    let ambiguous = lab.act(&delete, "AMBIGUOUS", None);
    let one = [delete.as_slice(), &["--near", "Warehouse move"]].concat();
    let gated = lab.act(&one, "GATE_REQUIRED", None);
    let claimed = [one.as_slice(), &["--gate", "requested"]].concat();
    lab.act(&claimed, "GATE_REQUIRED", Some("gate_claim_failed"));

    assert_eq!((&hidden["fate"], &gated["fate"]), (&"not_sent".into(), &"not_sent".into()));
    assert_eq!(ambiguous["matches"].as_array().map(Vec::len), Some(5), "{ambiguous:#}");
    assert_eq!(gated["gate"]["word"].as_str().map(str::to_lowercase).as_deref(), Some("delete"));
    assert_eq!(lab.app().hits(), before);
    let report = lab.ask(&["end"])["report"].clone();
    assert_eq!(report["gates"].as_array().map(Vec::len), Some(2), "{:#}", report["gates"]);
    let sent = report["acts"].as_array().unwrap().iter().filter(|act| act["fate"] == "sent");
    assert_eq!(sent.count(), 2, "only the two navigations were sent");
}

#[test]
fn a_claim_that_the_goals_confirm_opens_the_gate_and_is_recorded() {
    let lab = Lab::new();
    lab.begin("/projects");
    lab.ask(&["goal", "g", "--title", "Delete the project Warehouse move"]);
    lab.ask(&["observe", "--goal", "g", "--no-screenshot"]);
    let near = ["--role", "button", "--name", "Delete project", "--near", "Warehouse move"];

    let act = [&["click", "--gate", "requested"], near.as_slice()].concat();
    lab.act(&act, "OBSERVED", None);

    assert_eq!(lab.app().hit("/hits/delete"), 1);
    let report = lab.ask(&["end"])["report"].clone();
    assert_eq!(report["gates"][0]["gate"], "requested", "{:#}", report["gates"]);
}

const PAGES: &[(&str, &str)] = &[
    (
        "/",
        "<title>First</title><h1>First</h1>\
         <button id=go onclick=\"got('go')\">Go on</button>\
         <button disabled onclick=\"got('disabled')\">Pack</button>\
         <button onclick=\"got('twin')\">Twin</button><button onclick=\"got('twin')\">Twin</button>\
         <button onclick=\"swap()\">Swap</button><button onclick=\"rename()\">Rename</button>\
         <script>\
         function fresh(name){const b=document.createElement('button');b.id='go';\
           b.textContent=name;b.onclick=()=>got('fresh');return b}\
         function swap(){document.getElementById('go').replaceWith(fresh('Go on'))}\
         function rename(){document.getElementById('go').textContent='Wipe all'}\
         </script>",
    ),
    (
        "/second",
        "<title>Second</title><h1>Second</h1><button onclick=\"got('two')\">Go on</button>",
    ),
];

#[test]
fn a_ref_of_a_document_that_is_gone_is_stale() {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    let run = lab.begin_at(&site.url("/"), &[]);
    let go = reference(&run.outline, "button \"Go on\"");
    lab.act(&["navigate", &site.url("/second")], "OBSERVED", None);

    let act = lab.act(&["click", &go, "--obs", "o1"], "STALE", Some("document_gone"));

    assert_eq!(act["fate"], "not_sent");
    assert_eq!(site.got(), [""; 0]);
    lab.ask(&["end"]);
}

#[test]
fn a_ref_whose_element_was_replaced_or_renamed_is_stale() {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    let run = lab.begin_at(&site.url("/"), &[]);
    let go = reference(&run.outline, "button \"Go on\"");
    let (swap, rename) =
        (reference(&run.outline, "button \"Swap\""), reference(&run.outline, "button \"Rename\""));

    lab.ask(&["click", &swap]);
    lab.act(&["click", &go, "--obs", "o1"], "STALE", Some("element_gone"));
    let fresh = reference(&lab.look(), "button \"Go on\"");
    lab.ask(&["click", &rename]);
    lab.act(&["click", &fresh, "--obs", "o3"], "STALE", Some("changed"));

    assert_eq!(site.got(), [""; 0]);
    let renamed = reference(&lab.look(), "button \"Wipe all\"");
    assert_eq!(renamed, fresh, "an element that lives keeps its ref");
    lab.ask(&["end"]);
}

#[test]
fn a_disabled_button_an_ambiguous_and_an_absent_target_are_refused() {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    lab.begin_at(&site.url("/"), &[]);
    let named = |name: &'static str| ["click", "--role", "button", "--name", name];

    lab.act(&named("Pack"), "NOT_ACTIONABLE", Some("disabled"));
    let twins = lab.act(&named("Twin"), "AMBIGUOUS", None);
    lab.act(&named("Nobody"), "NOT_FOUND", None);
    lab.act(&["click", "e999"], "STALE", Some("unknown_ref"));
    lab.act(&["dismiss", "--role", "button", "--name", "Go on"], "NOT_ALLOWLISTED", None);
    let outside = ["navigate", "http://127.0.0.2:1/"];
    lab.act(&outside, "FORBIDDEN", Some("navigation_blocked"));

    assert_eq!(twins["matches"].as_array().map(Vec::len), Some(2));
    assert_eq!(site.got(), [""; 0]);
    // The same way in does send: the record would have told.
    lab.ask(&named("Go on"));
    assert_eq!(site.got(), ["go"]);
    lab.ask(&["end"]);
}

#[test]
fn acts_past_the_budget_are_refused() {
    let lab = Lab::new();
    let run = lab.begin_at(&lab.app().url("/"), &["--budget-run", "2", "--budget-goal", "1"]);
    lab.ask(&["goal", "g", "--title", "Count"]);
    let button = reference(&run.outline, "button \"Increment counter\"");

    lab.act(&["click", &button, "--goal", "g"], "OBSERVED", None);
    lab.act(&["click", &button, "--goal", "g"], "BUDGET_EXHAUSTED", Some("goal_actions"));
    // An act works for the goal of the observation it stands on; this one for none.
    lab.look();
    lab.act(&["click", &button], "OBSERVED", None);
    lab.act(&["click", &button], "BUDGET_EXHAUSTED", Some("run_actions"));

    assert_eq!(lab.app().hit("/hits/working"), 2);
    lab.ask(&["end"]);
}

#[test]
fn what_already_holds_is_satisfied_and_not_sent() {
    let lab = Lab::new();
    lab.begin("/");
    let theme = ["--role", "combobox", "--name", "Theme"];

    let act = [&["select", "--value", "System"], theme.as_slice()].concat();
    let satisfied = lab.act(&act, "SATISFIED", Some("already_satisfied"));

    assert_eq!(satisfied["fate"], "not_sent");
    lab.ask(&["end"]);
}
