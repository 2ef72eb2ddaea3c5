//! Every action once: it reaches the page, and the page's own record says what came.

use serde_json::json;

use crate::lab::{Lab, finish, reference};
use crate::site::Site;

const WIDGETS: &[(&str, &str)] = &[
    (
        "/",
        "<title>Widgets</title><style>div{width:120px;height:40px;border:1px solid}</style>\
         <label><input type=checkbox onchange=\"got('check-'+this.checked)\"> Ready</label>\
         <input type=file aria-label=Papers multiple \
           onchange=\"got('files-'+[...this.files].map(f=>f.name).join('+'));this.title='taken'\">\
         <div role=dialog aria-label=Offer id=offer><button \
           onclick=\"got('dismiss');document.getElementById('offer').remove()\">No thanks</button></div>\
         <button ondblclick=\"got('double');this.textContent='Doubled'\">Twice</button>\
         <button oncontextmenu=\"event.preventDefault();got('menu');this.textContent='Menu open'\">\
           Menu</button>\
         <button onmouseover=\"got('hover');document.title='Hovered'\">Look</button>\
         <input aria-label=Box onkeydown=\"got('key-'+event.key);this.value='k'\">\
         <div draggable=false id=from role=button aria-label=Card tabindex=0>card</div>\
         <div id=to role=button aria-label=Pile tabindex=0>pile</div>\
         <p id=p style='margin-bottom:4000px'>long</p>\
         <script>\
         let down=false;\
         document.getElementById('from').onmousedown=()=>{down=true};\
         document.getElementById('to').onmouseup=()=>{if(down){got('drag');\
           document.getElementById('to').textContent='has a card'}};\
         addEventListener('scroll',()=>{document.title='Scrolled'},{once:true});\
         </script>",
    ),
    ("/next", "<title>Next</title><h1>Next</h1>"),
];

#[test]
fn every_action_reaches_the_page_once() {
    let (lab, site) = (Lab::bare(), Site::serve(WIDGETS));
    let run = lab.begin_at(&site.url("/"), &[]);
    std::fs::write(lab.project().join("one.txt"), "1").unwrap();
    std::fs::write(lab.project().join("two.txt"), "2").unwrap();
    let named = |name: &'static str| ["--role", "button", "--name", name];
    let act = |verb: &[&str], target: [&str; 4]| {
        lab.act(&[verb, target.as_slice()].concat(), "OBSERVED", None);
    };

    act(&["check"], ["--role", "checkbox", "--name", "Ready"]);
    act(&["uncheck"], ["--role", "checkbox", "--name", "Ready"]);
    let papers = reference(&run.outline, "Papers");
    let upload = ["upload", &papers, "--file", "one.txt", "--file", "two.txt"];
    lab.act(&upload, "OBSERVED", None);
    act(&["double-click"], named("Twice"));
    act(&["right-click"], named("Menu"));
    act(&["hover", "--expect", "title"], named("Look"));
    act(&["press", "--key", "x"], ["--role", "textbox", "--name", "Box"]);
    let pile = reference(&lab.look(), "button \"Pile\"");
    act(&["drag", "--to-ref", &pile], named("Card"));
    act(&["dismiss"], named("No thanks"));
    lab.act(&["scroll", "--direction", "down", "--amount", "0.5"], "OBSERVED", None);

    let wanted = [
        "check-true",
        "check-false",
        "files-one.txt+two.txt",
        "double",
        "menu",
        "hover",
        "key-x",
        "drag",
        "dismiss",
    ];
    assert_eq!(site.got(), wanted);
    lab.ask(&["end"]);
}

#[test]
fn pages_are_opened_listed_shown_and_closed() {
    let (lab, site) = (Lab::bare(), Site::serve(WIDGETS));
    lab.begin_at(&site.url("/"), &[]);
    let current = || {
        let list = lab.ask(&["tab", "--list"]);
        let pages = list["pages"].as_array().unwrap().clone();
        let at = pages.iter().position(|page| page["current"] == true).unwrap();
        (pages.len(), pages[at]["title"].clone(), pages[at]["id"].as_str().unwrap().to_owned())
    };
    let (_, _, first) = current();

    let opened = lab.act(&["tab", "--open", &site.url("/next")], "OBSERVED", None);
    let (count, title, second) = current();
    lab.act(&["tab", "--switch", &first], "OBSERVED", None);
    let shown = current().1;
    lab.act(&["tab", "--close", &second], "OBSERVED", None);

    assert_eq!((count, title), (2, json!("Next")), "{opened:#}");
    assert_eq!(shown, "Widgets");
    assert_eq!((current().0, current().2), (1, first));
    lab.act(&["navigate", &site.url("/next")], "OBSERVED", None);
    lab.act(&["back"], "OBSERVED", None);
    lab.act(&["forward"], "OBSERVED", None);
    assert!(lab.look().contains("heading 1 \"Next\""));
    lab.ask(&["end"]);
}

#[test]
fn a_dialog_is_told_stands_in_the_way_and_is_answered() {
    let lab = Lab::new();
    lab.begin("/traps");

    let opened = lab.ask(&["click", "--role", "button", "--name", "Archive closed orders"]);
    let other = ["click", "--role", "button", "--name", "Print label"];
    lab.act(&other, "NOT_ACTIONABLE", Some("dialog_open"));
    let answered = lab.ask(&["dialog", "--accept", "--expect", "text:Archived: 12"]);

    assert_eq!(
        (&opened["status"], &opened["dialog"]["kind"]),
        (&json!("OBSERVED"), &json!("confirm"))
    );
    assert_eq!(opened["dialog"]["text"], "Archive 12 closed orders?");
    assert_eq!(answered["status"], "OBSERVED", "{answered:#}");
    let hits = lab.app().hits();
    assert_eq!((&hits["traps"]["confirm"], &hits["traps"]["second"]), (&json!(1), &json!(0)));
    lab.ask(&["end"]);
}

#[test]
fn a_named_secret_signs_in_and_stands_nowhere() {
    let lab = Lab::new();
    let url = lab.app().url("/login");
    let args: Vec<&str> = crate::lab::begin_args(&url)
        .into_iter()
        .chain(["--credentials-env", "SHOP", "--json"])
        .chain(lab.sandbox())
        .collect();
    let mut begin = lab.command(&args);
    begin.env("SHOP_USERNAME", "tester").env("SHOP_PASSWORD", "fixture-pass");
    let begun = finish(begin, b"").good();
    let field = |name: &'static str| ["--role", "textbox", "--name", name];

    let open = [&["fill", "--secret", "password"], field("Username").as_slice()].concat();
    lab.act(&open, "NOT_ACTIONABLE", Some("not_secret_field"));
    let absent = [&["fill", "--secret", "pin"], field("Password").as_slice()].concat();
    lab.act(&absent, "NOT_ACTIONABLE", Some("secret_missing"));
    lab.act(
        &[&["fill", "--secret", "username"], field("Username").as_slice()].concat(),
        "OBSERVED",
        None,
    );
    lab.act(
        &[&["fill", "--secret", "password"], field("Password").as_slice()].concat(),
        "OBSERVED",
        None,
    );
    let sign_in = ["click", "--role", "button", "--name", "Sign in", "--expect", "url:**/account"];
    lab.act(&sign_in, "OBSERVED", None);
    lab.ask(&["end"]);

    assert_eq!(lab.app().hits()["login"], json!({"ok": 1, "failed": 0}));
    let dir = std::path::PathBuf::from(begun["run_dir"].as_str().unwrap());
    crate::by_hand::holds_no(&dir, "fixture-pass");
    crate::by_hand::holds_no(&lab.user(), "fixture-pass");
}

#[test]
fn a_third_party_s_irreversible_control_opens_for_no_claim() {
    let lab = Lab::new();
    let url = lab.app().url("/projects");
    let args: Vec<&str> =
        ["begin", "--target", &url, "--surface", "web", "--owner", "third-party", "--attended"]
            .into_iter()
            .chain(lab.sandbox())
            .collect();
    lab.ask(&args);
    lab.ask(&["goal", "g", "--title", "Delete the project Gift cards"]);

    let act = ["click", "--role", "button", "--name", "Delete project", "--near", "Gift cards"];
    lab.act(
        &[act.as_slice(), &["--gate", "requested"]].concat(),
        "GATE_REQUIRED",
        Some("risk_refused"),
    );
    let created = [act.as_slice(), &["--gate", "created"]].concat();
    let said = lab.json(&created);

    // A third party's things were not made by this run: refused as a contract violation or a gate.
    let word = said.value();
    assert!(
        word["error"] == "created_third_party" || word["status"] == "GATE_REQUIRED",
        "{word:#}"
    );
    assert_eq!(lab.app().hit("/hits/delete"), 0);
    lab.ask(&["end"]);
}
