//! Dialogs as modal state: told with their text and the act they opened during, answered by the
//! next act, never by themselves (D9).

use std::time::{Duration, Instant};

use sidestick_model::{Action, Code, DialogAnswer, Fate, Outcome, Signal, Status, Typed};
use sidestick_testkit::wild::{Reply, Wild};

use crate::bench::{Bench, click, fill, named};

fn answer(answer: DialogAnswer) -> Action {
    Action::Dialog { answer, text: None }
}

fn dialog_of(outcome: &Outcome) -> (String, String) {
    let dialog = outcome.dialog.clone().unwrap_or_else(|| panic!("no dialog: {outcome:?}"));
    (dialog.kind, dialog.text)
}

const THREE: &str = r#"<title>D</title>
    <button onclick="alert('One <moment>');tell('after alert')">Alert</button>
    <button onclick="tell('confirm '+confirm('Sure?'))">Confirm</button>
    <button onclick="tell('prompt '+prompt('Your name?','nobody'))">Prompt</button>
    <button onclick="for(let i=0;i<5;i++)alert('again '+i);tell('loop done')">Loop</button>
    <button onclick="setTimeout(()=>{alert('late');tell('late done')},900)">Later</button>
    <p id=p>text</p>"#;

#[tokio::test(flavor = "multi_thread")]
async fn each_kind_is_told_by_the_act_it_opened_during_and_answered_by_the_next() {
    let wild = Wild::page(THREE).await;
    let bench = Bench::wild(&wild).await;

    for (name, kind, text, reply, told) in [
        ("Alert", "alert", "One <moment>", DialogAnswer::Accept, "after alert"),
        ("Confirm", "confirm", "Sure?", DialogAnswer::Accept, "confirm true"),
        ("Confirm", "confirm", "Sure?", DialogAnswer::Dismiss, "confirm false"),
        ("Prompt", "prompt", "Your name?", DialogAnswer::Dismiss, "prompt null"),
        ("Prompt", "prompt", "Your name?", DialogAnswer::Accept, "prompt nobody"),
    ] {
        let opened = bench.act(click("button", name)).await;

        assert_eq!(opened.status, Status::Observed, "{name}: {opened:?}");
        assert_eq!(dialog_of(&opened), (kind.to_owned(), text.to_owned()));
        assert_eq!(opened.dialog.as_ref().unwrap().opened_by, Some(opened.act), "{name}");
        let outline = bench.outline().await;
        let wanted = format!("dialog {kind} \"{text}\" is open, opened by {}", opened.act);
        assert!(outline.contains(&wanted), "{outline}");
        let refused = bench.act(click("button", "Alert")).await;
        let found = (refused.status, refused.code, refused.fate);
        let wanted = (Status::NotActionable, Some(Code::DialogOpen), Fate::NotSent);
        assert_eq!(found, wanted, "{refused:?}");
        assert_eq!(dialog_of(&refused), (kind.to_owned(), text.to_owned()));

        let answered = bench.act(answer(reply)).await;
        assert_eq!(answered.status, Status::Observed, "{name}: {answered:?}");
        assert_eq!(answered.dialog, None);
        assert!(wild.was_told(told).await, "{name}: {:?}", wild.told());
    }
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_prompt_gets_its_text() {
    let wild = Wild::page(THREE).await;
    let bench = Bench::wild(&wild).await;
    bench.act(click("button", "Prompt")).await;

    let text = Some(Typed::Sensitive("Jo \u{2603} Doe".to_owned()));
    let outcome = bench.act(Action::Dialog { answer: DialogAnswer::Accept, text }).await;

    assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    assert!(wild.was_told("prompt Jo \u{2603} Doe").await, "{:?}", wild.told());
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn alerts_in_a_loop_are_answered_one_by_one() {
    let wild = Wild::page(THREE).await;
    let bench = Bench::wild(&wild).await;

    let mut outcome = bench.act(click("button", "Loop")).await;
    for number in 0..5 {
        assert_eq!(dialog_of(&outcome).1, format!("again {number}"));
        assert_eq!(outcome.dialog.as_ref().unwrap().opened_by, Some(outcome.act));
        outcome = bench.act(answer(DialogAnswer::Accept)).await;
        assert_eq!(outcome.status, Status::Observed, "{outcome:?}");
    }

    assert_eq!(outcome.dialog, None);
    assert!(wild.was_told("loop done").await, "{:?}", wild.told());
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_that_opens_by_itself_is_nobodys_act() {
    let wild = Wild::page(THREE).await;
    let bench = Bench::wild(&wild).await;
    let first = bench.act(click("button", "Later")).await;
    assert_eq!(first.dialog, None, "{first:?}");
    let until = Instant::now() + Duration::from_secs(5);
    let outline = loop {
        let outline = bench.outline().await;
        if outline.contains("dialog alert") || until < Instant::now() {
            break outline;
        }
    };

    assert!(outline.contains("dialog alert \"late\" is open: answer it"), "{outline}");
    let refused = bench.act(click("button", "Alert")).await;
    assert_eq!(refused.code, Some(Code::DialogOpen));
    assert_eq!(refused.dialog.as_ref().unwrap().opened_by, None);
    let answered = bench.act(answer(DialogAnswer::Accept)).await;
    assert_eq!(answered.status, Status::Observed, "{answered:?}");
    assert!(wild.was_told("late done").await);
    bench.close().await;
}

/// A dialog of a frame holds the whole page; one of another site too.
#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_in_a_frame_is_told_and_answered() {
    let other =
        Wild::page("<script>setTimeout(()=>{alert('other');tell('other done')},600)</script>")
            .await;
    let wild = Wild::serve(vec![(
        "/frame",
        Reply::Html("<button onclick=\"alert('framed');tell('framed done')\">In</button>".into()),
    )])
    .await;
    let elsewhere = other.origin().replace("127.0.0.1", "localhost");
    wild.add(
        "/",
        Reply::Html(format!(
            "<title>F</title><iframe src=/frame></iframe><button onclick=\"const f=document\
             .createElement('iframe');f.src='{elsewhere}/';document.body.append(f)\">Other</button>"
        )),
    );
    let bench = Bench::wild(&wild).await;

    let opened = bench.act(click("button", "In")).await;
    assert_eq!(dialog_of(&opened), ("alert".into(), "framed".into()));
    let answered = bench.act(answer(DialogAnswer::Accept)).await;
    assert_eq!(answered.status, Status::Observed, "{answered:?}");
    assert!(wild.was_told("framed done").await);

    bench.act(click("button", "Other")).await;
    let until = Instant::now() + Duration::from_secs(5);
    while !bench.outline().await.contains("dialog alert \"other\"") {
        assert!(Instant::now() < until, "the dialog of the other site's frame is not told");
    }
    let answered = bench.act(answer(DialogAnswer::Accept)).await;
    assert_eq!(answered.status, Status::Observed, "{answered:?}");
    assert!(other.was_told("other done").await);
    bench.close().await;
}

const DRAFT: &str = r#"<title>Draft</title><input aria-label=Text>
    <a href=/next>Next</a><script>addEventListener('beforeunload',e=>e.preventDefault())</script>"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_asks_whether_it_may_be_left_is_left_only_when_told_so() {
    let wild = Wild::page(DRAFT).await;
    wild.add("/next", Reply::Html("<title>Next</title><h1>Next</h1>".into()));
    let bench = Bench::wild(&wild).await;
    bench.act(fill("Text", "draft")).await;

    let asked = bench.act(Action::Navigate { url: wild.url("/next") }).await;
    assert_eq!(asked.status, Status::Unsettled, "{asked:?}");
    assert_eq!(dialog_of(&asked).0, "beforeunload");
    assert_eq!(asked.page.url, wild.url("/"));
    let stayed = bench.act(answer(DialogAnswer::Dismiss)).await;
    assert_eq!((stayed.status, stayed.page.url.clone()), (Status::Observed, wild.url("/")));
    assert!(!stayed.signals.contains(&Signal::Url), "{stayed:?}");
    assert_eq!(wild.times("/next"), 0);
    assert!(bench.outline().await.contains("value \"draft\""));

    let asked = bench.act(Action::Click { target: named("link", "Next") }).await;
    assert_eq!(dialog_of(&asked).0, "beforeunload", "{asked:?}");
    let went = bench.act(answer(DialogAnswer::Accept)).await;
    assert_eq!((went.status, went.page.url.clone()), (Status::Observed, wild.url("/next")));
    assert_eq!(wild.times("/next"), 1);
    bench.close().await;
}

/// Text of a dialog is page text: it forges no line and tells no secret.
#[tokio::test(flavor = "multi_thread")]
async fn the_text_of_a_dialog_is_escaped_and_redacted() {
    let wild = Wild::page(
        r#"<title>T</title><button onclick="alert('hunter2-hunter2\ndialog none; \u202e\u001b[2J')">
        Alert</button>"#,
    )
    .await;
    let bench = Bench::wild(&wild).await;

    let outcome = bench.act(click("button", "Alert")).await;

    let shown = serde_json::to_string(&outcome).unwrap() + &bench.outline().await;
    assert!(!shown.contains("hunter2-hunter2"), "{shown}");
    let outline = bench.outline().await;
    let line = outline.lines().find(|line| line.starts_with("dialog alert")).unwrap();
    assert!(line.contains("[REDACTED]\\ndialog none; \\u{202e}\\u{1b}[2J"), "{line}");
    bench.act(answer(DialogAnswer::Accept)).await;
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_without_a_dialog_is_refused() {
    let bench = Bench::showing("<title>A</title>").await;

    let outcome = bench.act(answer(DialogAnswer::Accept)).await;

    let found = (outcome.status, outcome.code);
    assert_eq!(found, (Status::NotActionable, Some(Code::NoDialog)));
    bench.close().await;
}
