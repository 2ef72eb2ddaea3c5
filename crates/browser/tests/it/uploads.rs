//! Files given to a page: to inputs of every kind, to the file chooser it opened, to what takes a
//! drop; and those that are not given.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use sidestick_model::{Action, Code, Fate, Signal, Status, Target};
use sidestick_testkit::site::Site;
use sidestick_testkit::wild::Wild;

use crate::bench::{Bench, Setup, click, named};

/// A page that sends what its inputs hold, and a folder of files.
struct Files {
    bench: Bench,
    wild: Wild,
    folder: tempfile::TempDir,
}

/// What every page has: it tells the names, lengths and text of files.
const TELL: &str = "<script>async function got(files, how) {
    const all = [];
    for (const file of files) all.push(file.name + ':' + file.size + ':' + await file.text());
    await tell(how + ' ' + all.join(','));
}</script>";

impl Files {
    async fn on(html: &str) -> Files {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("a.txt", "alpha"), ("b.txt", "beta!"), ("sub/c.txt", "c")] {
            let path = folder.path().join("root").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        std::fs::write(folder.path().join("outside.txt"), "outside").unwrap();
        let link = folder.path().join("root/link.txt");
        std::os::unix::fs::symlink(folder.path().join("outside.txt"), link).unwrap();
        let wild = Wild::page(&format!("<title>F</title>{TELL}{html}")).await;
        let setup = Setup { roots: vec![folder.path().join("root")], ..Setup::default() };
        let bench = Bench::open(Site::start().await, &wild.url("/"), setup).await;
        Files { bench, wild, folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("root").join(name)
    }

    fn upload(&self, target: Option<Target>, names: &[&str]) -> Action {
        let files = names.iter().map(|name| self.path(name).display().to_string()).collect();
        Action::Upload { target, files }
    }
}

const INPUT: &str =
    r#"<input type=file aria-label=Paper onchange="got(this.files,'input')"><p id=p>nothing</p>"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_visible_input_gets_the_file_and_is_read_back_by_name_and_length() {
    let files = Files::on(INPUT).await;
    let target = files.bench.ref_of("Paper").await;

    let outcome = files.bench.act(files.upload(Some(target), &["a.txt"])).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    let read_back = outcome.effect.read_back.clone().unwrap();
    assert_eq!(read_back.found.as_deref(), Some("a.txt (5 bytes)"));
    assert!(files.wild.was_told("input a.txt:5:alpha").await, "{:?}", files.wild.told());
    files.bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hidden_multiple_and_folder_inputs_get_what_they_take() {
    let files = Files::on(
        r#"<input type=file hidden aria-label=Hidden onchange="got(this.files,'hidden')">
        <label>Shown<input type=file style="opacity:0" aria-label=Clear
            onchange="got(this.files,'clear')"></label>
        <input type=file multiple aria-label=Many accept=".txt" onchange="got(this.files,'many')">
        <input type=file webkitdirectory aria-label=Folder onchange="got(this.files,'folder')">"#,
    )
    .await;

    for (name, asked, told) in [
        ("Many", vec!["a.txt", "b.txt"], "many a.txt:5:alpha,b.txt:5:beta!"),
        ("Clear", vec!["b.txt"], "clear b.txt:5:beta!"),
        ("Folder", vec!["sub"], "folder c.txt:1:c"),
    ] {
        let target = files.bench.ref_of(name).await;
        let outcome = files.bench.act(files.upload(Some(target), &asked)).await;

        assert_eq!(outcome.status, Status::Observed, "{name}: {outcome:?}");
        assert!(files.wild.was_told(told).await, "{name}: {:?}", files.wild.told());
    }
    files.bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_input_cannot_hold_is_refused_and_nothing_is_given() {
    let files = Files::on(
        r#"<input type=file aria-label=Paper onchange="got(this.files,'input')">
        <input type=file webkitdirectory aria-label=Folder onchange="got(this.files,'folder')">
        <input type=file disabled aria-label=Off onchange="got(this.files,'off')">"#,
    )
    .await;

    for (name, asked, code) in [
        ("Paper", vec!["a.txt", "b.txt"], Code::InvalidValue),
        ("Paper", vec!["sub"], Code::InvalidValue),
        ("Folder", vec!["a.txt"], Code::InvalidValue),
        ("Off", vec!["a.txt"], Code::Disabled),
        ("Paper", vec!["absent.txt"], Code::FileUnreadable),
    ] {
        let target = files.bench.ref_of(name).await;
        let started = Instant::now();
        let outcome = files.bench.act(files.upload(Some(target), &asked)).await;

        let found = (outcome.status, outcome.code, outcome.fate);
        assert_eq!(found, (Status::NotActionable, Some(code), Fate::NotSent), "{name} {asked:?}");
        assert!(started.elapsed() < Duration::from_millis(500), "{:?}", started.elapsed());
    }
    assert_eq!(files.wild.told(), Vec::<String>::new());
    files.bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_outside_the_roots_is_forbidden_however_it_is_reached() {
    let files = Files::on(INPUT).await;
    let target = files.bench.ref_of("Paper").await;

    for path in [
        files.folder.path().join("outside.txt"),
        files.path("link.txt"),
        files.path("../outside.txt"),
        PathBuf::from("/etc/passwd"),
        files.bench.run_dir().join("run.json"),
    ] {
        let asked = vec![path.display().to_string()];
        let action = Action::Upload { target: Some(target.clone()), files: asked };
        let outcome = files.bench.act(action).await;

        let found = (outcome.status, outcome.code, outcome.fate);
        let wanted = (Status::Forbidden, Some(Code::UploadNotAllowed), Fate::NotSent);
        assert_eq!(found, wanted, "{path:?}: {outcome:?}");
    }
    assert_eq!(files.wild.told(), Vec::<String>::new());
    files.bench.close().await;
}

const SCRIPT_MADE: &str = r#"<button onclick="const i=document.createElement('input');i.type='file';
    i.multiple=true;i.onchange=()=>{got(i.files,'made');p.textContent='took '+i.files.length};
    i.click()">Choose</button><button id=o>Other</button><p id=p>nothing</p>"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_click_that_opens_a_file_chooser_says_so_and_the_next_upload_answers_it() {
    let files = Files::on(SCRIPT_MADE).await;

    let clicked = files.bench.act(click("button", "Choose")).await;
    assert_eq!(clicked.status, Status::Observed, "{clicked:?}");
    assert!(clicked.signals.contains(&Signal::Dialog), "{clicked:?}");
    let dialog = clicked.dialog.clone().unwrap();
    assert_eq!((dialog.kind.as_str(), dialog.text.as_str()), ("filechooser", "several files"));
    let outline = files.bench.outline().await;
    assert!(outline.contains("file chooser for \"several files\" is open"), "{outline}");

    let outcome = files.bench.act(files.upload(None, &["a.txt", "b.txt"])).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    let found = outcome.effect.read_back.unwrap().found.unwrap();
    assert_eq!(found, "a.txt (5 bytes), b.txt (5 bytes)");
    let told = "made a.txt:5:alpha,b.txt:5:beta!";
    assert!(files.wild.was_told(told).await, "{:?}", files.wild.told());
    assert_eq!(outcome.dialog, None, "it is answered");
    let again = files.bench.act(files.upload(None, &["a.txt"])).await;
    assert_eq!((again.status, again.code), (Status::NotActionable, Some(Code::NoDialog)));
    files.bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_on_the_button_that_opened_the_chooser_answers_it() {
    let files = Files::on(SCRIPT_MADE).await;
    let button = named("button", "Choose");
    files.bench.act(Action::Click { target: button.clone() }).await;

    let outcome = files.bench.act(files.upload(Some(button), &["b.txt"])).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert!(files.wild.was_told("made b.txt:5:beta!").await, "{:?}", files.wild.told());
    files.bench.close().await;
}

/// A chooser is no modal dialog: a person can press Escape and go on.
#[tokio::test(flavor = "multi_thread")]
async fn an_open_file_chooser_holds_nothing_up() {
    let files = Files::on(SCRIPT_MADE).await;
    files.bench.act(click("button", "Choose")).await;

    let outcome = files.bench.act(click("button", "Other")).await;

    assert_eq!(outcome.fate, Fate::Sent, "{outcome:?}");
    let upload = files.bench.act(files.upload(None, &["a.txt"])).await;
    assert_eq!(upload.status, Status::Observed, "{upload:?}");
    files.bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_picker_that_cannot_be_answered_is_told_and_does_not_hang() {
    let files = Files::on(
        r#"<button onclick="showOpenFilePicker().catch(e=>p.textContent=e.name)">Pick</button>
        <p id=p>nothing</p>"#,
    )
    .await;

    let outcome = files.bench.act(click("button", "Pick")).await;

    assert_eq!(outcome.findings_added.len(), 1, "{outcome:?}");
    assert!(files.bench.outline().await.contains("AbortError"));
    files.bench.close().await;
}

const DROPZONE: &str = r#"<div id=zone role=button tabindex=0 aria-label="Drop here"
    style="width:300px;height:200px;border:1px solid"
    ondragover="event.preventDefault()"
    ondrop="event.preventDefault();got(event.dataTransfer.files,'drop');
        p.textContent='dropped '+event.dataTransfer.files.length"></div><p id=p>nothing</p>"#;

#[tokio::test(flavor = "multi_thread")]
async fn files_are_dropped_on_what_takes_a_drop() {
    let files = Files::on(DROPZONE).await;
    let zone = files.bench.ref_of("Drop here").await;

    let outcome = files.bench.act(files.upload(Some(zone), &["a.txt", "b.txt"])).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    let told = "drop a.txt:5:alpha,b.txt:5:beta!";
    assert!(files.wild.was_told(told).await, "{:?}", files.wild.told());
    files.bench.close().await;
}

/// Dropped on a page that does not take it, the file itself would be shown instead of the page.
#[tokio::test(flavor = "multi_thread")]
async fn what_takes_no_drop_is_refused_and_the_page_stays() {
    let files = Files::on("<p tabindex=0 role=note aria-label=Plain>Plain</p>").await;
    let target = named("note", "Plain");

    let outcome = files.bench.act(files.upload(Some(target), &["a.txt"])).await;

    let found = (outcome.status, outcome.code);
    assert_eq!(found, (Status::NotActionable, Some(Code::WrongKind)), "{outcome:?}");
    let outline = files.bench.outline().await;
    assert!(outline.contains("Plain") && outline.contains(files.wild.origin()), "{outline}");
    files.bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_button_that_makes_its_input_when_it_is_pressed_gets_the_files_in_one_act() {
    let late = "const i=document.createElement('input');i.type='file';i.onchange=()=>{\
        got(i.files,'late');p.textContent='took '+i.files[0].name};setTimeout(()=>i.click(),150)";
    let files = Files::on(&format!("{SCRIPT_MADE}<button onclick=\"{late}\">Late</button>")).await;

    for (name, asked, read, told) in [
        (
            "Choose",
            vec!["a.txt", "b.txt"],
            "a.txt (5 bytes), b.txt (5 bytes)",
            "made a.txt:5:alpha,b.txt:5:beta!",
        ),
        ("Late", vec!["b.txt"], "b.txt (5 bytes)", "late b.txt:5:beta!"),
    ] {
        let button = named("button", name);
        let outcome = files.bench.act(files.upload(Some(button), &asked)).await;

        assert_eq!(outcome.status, Status::Observed, "{name}: {outcome:?}");
        assert_eq!(outcome.effect.read_back.clone().unwrap().found.as_deref(), Some(read));
        assert!(files.wild.was_told(told).await, "{name}: {:?}", files.wild.told());
        assert_eq!(outcome.dialog, None, "{name}: it is answered");
        assert!(!outcome.signals.contains(&Signal::Dialog), "{name}: {:?}", outcome.signals);
    }
    let again = files.bench.act(files.upload(None, &["a.txt"])).await;
    assert_eq!((again.status, again.code), (Status::NotActionable, Some(Code::NoDialog)));
    files.bench.close().await;
}

/// Pressed is pressed: what comes of it is told, and that no file was given; nothing stays open.
#[tokio::test(flavor = "multi_thread")]
async fn a_press_that_opens_no_chooser_or_an_unfit_one_gives_nothing_and_says_so() {
    let one = SCRIPT_MADE.replace("i.multiple=true;", "");
    let files = Files::on(&format!(
        "{one}<button>Plain</button><button onclick=\"p.textContent='menu'\">Menu</button>\
         <button onclick=\"location='/#away';location.reload()\">Leave</button>"
    ))
    .await;

    for (name, asked, status, why) in [
        ("Plain", vec!["a.txt"], Status::NoEffect, "no file chooser opened"),
        ("Menu", vec!["a.txt"], Status::Partial, "no file chooser opened"),
        ("Choose", vec!["a.txt", "b.txt"], Status::NoEffect, "it takes one file only"),
        ("Leave", vec!["a.txt"], Status::Partial, "no file chooser opened"),
    ] {
        let outcome = files.bench.act(files.upload(Some(named("button", name)), &asked)).await;

        assert_eq!((outcome.status, outcome.fate), (status, Fate::Sent), "{name}: {outcome:?}");
        assert!(outcome.message.contains(why), "{name}: {}", outcome.message);
        assert_eq!(outcome.dialog, None, "{name}");
        let read_back = outcome.effect.read_back.unwrap();
        assert_eq!((read_back.equal, read_back.found.as_deref()), (false, Some("no file")));
        let next = files.bench.act(files.upload(None, &["a.txt"])).await;
        assert_eq!(next.code, Some(Code::NoDialog), "{name}: nothing is left open");
    }
    assert_eq!(files.wild.told(), Vec::<String>::new());
    files.bench.close().await;
}

/// The decision was made on giving files, not on what else a press would do.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_press_may_do_more_with_than_open_a_chooser_is_not_pressed_for_one() {
    let files = Files::on(
        r#"<script>addEventListener('click', (e) => tell('pressed ' + e.target.textContent), true)</script>
        <form onsubmit="event.preventDefault()"><button>Send</button></form>
        <button>Drop table</button><a href="/elsewhere">Link</a><a href="/x" download>Save</a>
        <label><input type=checkbox>Tick</label><button disabled>Off</button>"#,
    )
    .await;

    for (role, name) in [
        ("button", "Send"),
        ("button", "Drop table"),
        ("link", "Link"),
        ("link", "Save"),
        ("checkbox", "Tick"),
        ("button", "Off"),
    ] {
        let outcome = files.bench.act(files.upload(Some(named(role, name)), &["a.txt"])).await;

        assert_eq!(outcome.status, Status::NotActionable, "{name}: {outcome:?}");
    }
    let outside = vec![files.folder.path().join("outside.txt").display().to_string()];
    let action = Action::Upload { target: Some(named("button", "Send")), files: outside };
    assert_eq!(files.bench.act(action).await.code, Some(Code::UploadNotAllowed));
    assert_eq!(files.wild.told(), Vec::<String>::new(), "nothing was pressed");
    files.bench.close().await;
}

/// A dropzone that reads its input and empties it has taken the file: no false failure.
#[tokio::test(flavor = "multi_thread")]
async fn an_input_that_is_emptied_after_reading_is_judged_by_what_changed() {
    let files = Files::on(
        r#"<input type=file aria-label=Paper onchange="const f=[...this.files];this.value='';
            const l=document.createElement('li');l.textContent=f[0].name;rows.append(l);
            got(f,'emptied')"><ul id=rows></ul>
        <input type=file aria-label=Refuser onchange="this.value=''">"#,
    )
    .await;
    let target = files.bench.ref_of("Paper").await;

    let outcome = files.bench.act(files.upload(Some(target), &["a.txt"])).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert!(files.wild.was_told("emptied a.txt:5:alpha").await);
    let target = files.bench.ref_of("Refuser").await;
    let outcome = files.bench.act(files.upload(Some(target), &["a.txt"])).await;
    assert_eq!(outcome.status, Status::NoEffect, "{outcome:?}");
    files.bench.close().await;
}
