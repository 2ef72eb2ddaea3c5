//! Dialogs, windows, files and what a page does beside its document, by the binary alone, with the
//! browser a user has.

use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::lab::{Lab, reference};
use crate::site::Site;

#[track_caller]
fn button(lab: &Lab, name: &str) -> String {
    reference(&lab.look(), &format!("button \"{name}\""))
}

#[track_caller]
fn told(site: &Site, word: &str) {
    let limit = std::time::Duration::from_secs(5);
    let is_told = crate::lab::until(limit, || site.got().iter().any(|got| got == word));
    assert!(is_told, "no `{word}` in {:?}", site.got());
}

const FILES: &[(&str, &str)] = &[(
    "/",
    r#"<title>Files</title><a download="report 2026.csv" href="data:text/csv,a%2Cb">Get it</a>
    <button onclick="const i=document.createElement('input');i.type='file';i.onchange=async()=>{
        p.textContent='took '+i.files[0].name;got('took-'+await i.files[0].text())};i.click()">Choose</button>
    <p id=p>nothing</p>"#,
)];

#[test]
fn a_download_is_saved_in_the_run_folder_and_stands_in_the_report() {
    let lab = Lab::bare();
    let site = Site::serve(FILES);
    let run = lab.begin_at(&site.url("/"), &[]);

    let link = reference(&run.outline, "link \"Get it\"");
    let got = lab.act(&["click", &link], "OBSERVED", None);

    let seen = &got["downloads"][0];
    assert_eq!(
        (seen["status"].as_str(), seen["bytes"].as_u64()),
        (Some("saved"), Some(3)),
        "{got:#}"
    );
    let file = run.dir.join(seen["file"].as_str().unwrap());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "a,b");
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let text = lab.say(&["click", &reference(&lab.look(), "link \"Get it\"")]).out;
    assert!(text.contains("saved: downloads/report 2026 (2).csv 3 bytes sha256 "), "{text}");
    lab.ask(&["end"]);
    let left = &run.report()["state_left"]["downloads"];
    assert_eq!(left[0]["sha256"], seen["sha256"], "{left:#}");
    assert!(run.read("report.html").contains("downloads/report 2026.csv"));
    assert_eq!(lab.ask(&["verify"])["whole"], true);
    std::fs::write(&file, "changed").unwrap();
    let altered = lab.json(&["verify"]).value();
    assert_eq!(altered["whole"], false, "{altered:#}");
}

#[test]
fn a_chooser_is_answered_with_a_file_of_the_project_and_with_no_other() {
    let lab = Lab::bare();
    let site = Site::serve(FILES);
    lab.begin_at(&site.url("/"), &[]);
    let (inside, outside) = (lab.project().join("in.txt"), lab.root().join("out.txt"));
    for path in [&inside, &outside, &lab.project().join(".env")] {
        std::fs::write(path, "words").unwrap();
    }

    let clicked = lab.act(&["click", &button(&lab, "Choose")], "OBSERVED", None);
    assert_eq!(clicked["dialog"]["kind"], "filechooser", "{clicked:#}");
    for path in [outside.to_str().unwrap(), ".env", "/etc/passwd"] {
        let refused = ["upload", "--file", path];
        lab.act(&refused, "FORBIDDEN", Some("upload_not_allowed"));
    }
    lab.json(&["upload", "--file", "absent.txt"]).refused(2, "file_required");
    let given = lab.act(&["upload", "--file", "in.txt"], "OBSERVED", None);

    assert_eq!(given["effect"]["read_back"]["found"], "in.txt (5 bytes)", "{given:#}");
    told(&site, "took-words");
    lab.ask(&["end"]);
}

#[test]
fn a_named_root_opens_what_the_project_does_not_hold() {
    let lab = Lab::bare();
    let site = Site::serve(FILES);
    let root = lab.root().join("papers");
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("paper.txt"), "paper").unwrap();
    std::fs::write(lab.project().join("in.txt"), "words").unwrap();
    let root = root.to_str().unwrap();
    lab.json(&[
        "begin",
        "--target",
        &site.url("/"),
        "--surface",
        "web",
        "--owner",
        "yours",
        "--unattended",
        "--upload-root",
        "/nowhere/at/all",
    ])
    .refused(2, "bad_arguments");
    lab.begin_at(&site.url("/"), &["--upload-root", root]);

    lab.act(&["click", &button(&lab, "Choose")], "OBSERVED", None);
    lab.act(&["upload", "--file", "in.txt"], "FORBIDDEN", Some("upload_not_allowed"));
    lab.act(&["upload", "--file", &format!("{root}/paper.txt")], "OBSERVED", None);

    told(&site, "took-paper");
    lab.ask(&["end"]);
}

#[test]
fn a_prompt_is_answered_from_standard_input() {
    let lab = Lab::bare();
    let site = Site::serve(&[(
        "/",
        r#"<title>P</title><button onclick="got('said-'+prompt('Word?'))">Ask</button>"#,
    )]);
    lab.begin_at(&site.url("/"), &[]);
    let asked = lab.act(&["click", &button(&lab, "Ask")], "OBSERVED", None);
    assert_eq!(asked["dialog"]["text"], "Word?", "{asked:#}");
    assert_eq!(asked["dialog"]["opened_by"], asked["act"]);

    let answered = lab.json_with(&["dialog", "--accept", "--text-stdin"], b"xyzzy").good();

    assert_eq!(answered["status"], "OBSERVED", "{answered:#}");
    told(&site, "said-xyzzy");
    lab.ask(&["end"]);
}

const WINDOWS: &[(&str, &str)] = &[
    (
        "/",
        r#"<title>Opener</title><a target=_blank href=/popup>Blank</a>
        <button onclick="location='/unasked'">Leave</button>"#,
    ),
    ("/popup", r#"<title>Popup</title><button onclick="got('pressed')">Press</button>"#),
    (
        "/unasked",
        r#"<title>Unasked</title><link rel=icon href="data:,"><p id=p>wait</p>
        <script>addEventListener('load',()=>{p.textContent=open('/popup')?'opened':'kept'})</script>"#,
    ),
];

#[test]
fn a_window_is_told_switched_to_and_acted_in_and_the_bound_holds() {
    let lab = Lab::bare();
    let site = Site::serve(WINDOWS);
    let run = lab.begin_at(&site.url("/"), &["--max-pages", "2"]);

    let link = reference(&run.outline, "link \"Blank\"");
    let opened = lab.act(&["click", &link], "OBSERVED", None);
    let popup = &opened["new_pages"][0];
    assert_eq!(popup["url"], site.url("/popup"), "{opened:#}");
    assert_eq!(popup["opener"], opened["page"]["id"]);
    let full = ["tab", "--open", &site.url("/popup")];
    lab.act(&full, "NOT_ACTIONABLE", Some("too_many_pages"));
    lab.act(&["tab", "--switch", popup["id"].as_str().unwrap()], "OBSERVED", None);
    lab.ask(&["click", &button(&lab, "Press")]);

    told(&site, "pressed");
    lab.ask(&["end"]);
    lab.json(&[
        "begin",
        "--target",
        &site.url("/"),
        "--surface",
        "web",
        "--owner",
        "yours",
        "--unattended",
        "--max-pages",
        "0",
    ])
    .refused(2, "bad_arguments");
}

#[test]
fn a_window_that_nobody_pressed_for_is_kept_from_opening_and_told() {
    let lab = Lab::bare();
    let site = Site::serve(WINDOWS);
    lab.begin_at(&site.url("/unasked"), &[]);
    let is_told = || {
        let look = lab.ask(&["observe", "--no-screenshot"]);
        let status = lab.ask(&["status"]);
        look["outline"].as_str().unwrap().contains("kept") && status["findings"] != 0
    };
    assert!(crate::lab::until(std::time::Duration::from_secs(10), is_told));

    let end = lab.ask(&["end"]);
    let findings = end["report"]["findings"].as_array().unwrap();
    let is_it = |finding: &Value| {
        finding["summary"]
            .as_str()
            .is_some_and(|text| text.contains("kept 1 window(s) from opening"))
    };
    assert!(findings.iter().any(is_it), "{findings:#?}");
}

/// The full browser asks for all of these in windows of its own, which nobody would ever answer.
#[test]
fn what_would_ask_a_person_is_denied_and_the_page_goes_on() {
    let lab = Lab::bare();
    let site = Site::serve(&[(
        "/",
        r#"<title>Asks</title><p id=p>idle</p><button onclick="ask()">Ask</button>
        <a href="mailto:a@b.example">Mail</a><button onclick="print();got('printed')">Print</button>
        <script>function ask(){
            navigator.geolocation.getCurrentPosition(()=>0,()=>got('geo-denied'));
            Notification.requestPermission().then(r=>got('notify-'+r));
            navigator.clipboard.readText().catch(()=>got('clip-denied'));p.textContent='asked'}</script>"#,
    )]);
    lab.begin_at(&site.url("/"), &[]);

    lab.act(&["click", &button(&lab, "Ask")], "OBSERVED", None);
    for word in ["geo-denied", "notify-denied", "clip-denied"] {
        told(&site, word);
    }
    let mail = lab.ask(&["click", &reference(&lab.look(), "link \"Mail\"")]);
    assert_eq!(mail["findings_added"].as_array().unwrap().len(), 1, "{mail:#}");
    lab.ask(&["click", &button(&lab, "Print")]);
    told(&site, "printed");
    lab.ask(&["click", &button(&lab, "Ask")]);
    lab.ask(&["end"]);
    lab.assert_nothing_left();
}
