//! What is secret stays out of every file and every answer (I8), and policy still sees it (I2).

use std::path::Path;

use sidestick_gate::SurfaceEvent;
use sidestick_model::action::{Action, Typed};
use sidestick_model::call::{ActAsk, Answer, Call, FindAsk, NoteAsk, VerdictAsk, WaitAsk};
use sidestick_model::observation::{
    Change, DialogState, PageState, ReadBack, RequestSeen, Settled, Signal,
};
use sidestick_model::outcome::Status;
use sidestick_model::record::{FindingKind, GateClaim, Verdict};
use sidestick_model::{DownloadSeen, Target, limits};
use sidestick_testkit::bench::{begun, goal};
use sidestick_testkit::fake::{effect, element};
use sidestick_testkit::{Bench, FakeSurface, Hop, Setup, ask, click};

fn fill(id: &str, text: Typed) -> ActAsk {
    ask(Action::Fill { target: Target::Ref { id: id.to_owned() }, text })
}

/// An application that shows what was typed wherever an application can show anything.
fn echo(surface: &FakeSurface, secret: &str) {
    let shown = format!("you typed {secret}!");
    surface.edit(|page| {
        page.state.title = shown.clone();
        page.state.url = format!("https://app.example/?q={secret}");
        page.elements.insert("e7".to_owned(), element("e7", "button", &shown));
        page.element("e7").value = Some(secret.to_owned());
        page.element("e7").states.push(secret.to_owned());
        page.element("e7").subject.heading = Some(shown.clone());
        page.dialog = Some(DialogState {
            kind: "alert".into(),
            text: shown.clone(),
            default_text: None,
            opened_by: None,
        });
        page.focused = Some("e7".to_owned());
        page.events.push(SurfaceEvent::Console {
            key: shown.clone(),
            text: shown.clone(),
            severity: sidestick_model::record::Severity::Error,
        });
        page.events.push(SurfaceEvent::RequestFailed {
            key: secret.to_owned(),
            method: "GET".to_owned(),
            url: format!("https://app.example/find/{secret}"),
            status: None,
            reason: Some(shown.clone()),
        });
    });
    surface.will_do(echoed(secret, &shown));
}

fn echoed(secret: &str, shown: &str) -> Settled {
    let some = || Some(shown.to_owned());
    let url = format!("https://app.example/find/{secret}");
    let change = Change {
        kind: "text".to_owned(),
        name: some(),
        before: some(),
        after: some(),
        near: some(),
        ..Change::default()
    };
    Settled {
        changes: vec![change.clone()],
        noise: vec![change],
        read_back: Some(ReadBack {
            asked: Some(secret.to_owned()),
            found: Some(secret.to_owned()),
            equal: true,
            ..ReadBack::default()
        }),
        requests: vec![RequestSeen {
            method: "GET".into(),
            url: url.clone(),
            ..Default::default()
        }],
        pending: vec![url.clone()],
        blocked: vec![url.clone()],
        blind: vec![shown.to_owned()],
        new_pages: vec![PageState {
            url: url.clone(),
            title: shown.to_owned(),
            ..PageState::default()
        }],
        downloads: vec![DownloadSeen::begun("1".into(), shown.to_owned(), url)],
        dialog: Some(DialogState {
            kind: "alert".into(),
            text: shown.to_owned(),
            default_text: some(),
            opened_by: None,
        }),
        ..effect(&[Signal::Value])
    }
}

/// Asks for everything that is answered with text of the page, and returns the answers as sent.
async fn everything(bench: &Bench, secret: &str) -> Vec<String> {
    let note = NoteAsk {
        kind: FindingKind::Other,
        summary: format!("the page says {secret}"),
        obs: None,
        goal: None,
    };
    let verdict = VerdictAsk {
        goal: goal("g1"),
        verdict: Verdict::Fail,
        summary: format!("saw {secret}"),
        proof: None,
        verified: None,
    };
    let wait = WaitAsk { kind: "text".to_owned(), value: secret.to_owned(), timeout_ms: 10 };
    let mut full = click("e1");
    full.full = true;
    let calls = vec![
        Call::Observe(sidestick_testkit::bench::observe("agent")),
        Call::Act(Box::new(full)),
        Call::Find(FindAsk { limit: limits::FIND_MATCHES, ..FindAsk::default() }),
        Call::Act(Box::new(click("e7"))),
        Call::Act(Box::new(click("e9"))),
        Call::Text { target: None, max_chars: 1_000 },
        Call::Screenshot { full_page: false },
        Call::Wait(wait),
        Call::Tabs,
        Call::Goal { id: goal("g3"), title: format!("find {secret}") },
        Call::Note(note),
        Call::Verdict(verdict),
        Call::Findings,
        Call::Status,
        Call::Pause { by: "pat".to_owned(), why: Some(format!("it shows {secret}")) },
        Call::Status,
        Call::Release { by: "pat".to_owned() },
        Call::End { keep_open: false },
    ];
    let mut answers = Vec::new();
    for call in calls {
        let verb = call.verb();
        let answer = bench.call(call).await;
        assert!(!matches!(answer, Answer::Refused(_)), "{verb}: {answer:?}");
        answers.push(serde_json::to_string(&answer).unwrap());
    }
    answers
}

/// Returns the files below `folder` that hold `text`, and how many there are.
fn files_with(folder: &Path, text: &str) -> (Vec<String>, usize) {
    let (mut found, mut count) = (Vec::new(), 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let (below, files) = files_with(&path, text);
            found.extend(below);
            count += files;
            continue;
        }
        count += 1;
        let bytes = std::fs::read(&path).unwrap();
        if String::from_utf8_lossy(&bytes).contains(text) {
            found.push(path.display().to_string());
        }
    }
    (found, count)
}

/// Sees that `part` of a secret is in no answer and no file.
async fn check_absent(bench: &Bench, secret: &str, part: &str) {
    let answers = everything(bench, secret).await;

    for answer in &answers {
        assert!(!answer.contains(part), "{answer}");
    }
    let (found, count) = files_with(&bench.dir(), part);
    assert_eq!(found, Vec::<String>::new());
    assert!(8 < count, "the folder was walked");
    assert!(answers.iter().any(|answer| answer.contains("[REDACTED]")));
}

#[tokio::test(start_paused = true)]
async fn text_from_standard_input_is_in_no_file_and_no_answer_i8() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let secret = "tr0ub4dor";
    echo(&surface, secret);

    let outcome = bench.act(fill("e2", Typed::Sensitive(secret.to_owned()))).await;

    assert_eq!(surface.written()[0].text.as_deref(), Some(secret), "it was typed");
    assert!(!serde_json::to_string(&outcome).unwrap().contains(secret));
    check_absent(&bench, secret, secret).await;
}

#[tokio::test(start_paused = true)]
async fn credentials_are_in_no_file_and_no_answer_i8() {
    for part in ["tr0ub4dor", "pat.example"] {
        let surface = FakeSurface::new();
        echo(&surface, part);
        let setup = Setup {
            credentials: Some(("pat.example", "tr0ub4dor")),
            request: Some(format!("log in as {part}")),
            ..Setup::default()
        };
        let bench = begun(&surface, setup).await;
        echo(&surface, part);

        let outcome = bench.act(fill("e3", Typed::Secret("password".to_owned()))).await;

        assert_eq!(surface.written()[0].text.as_deref(), Some("tr0ub4dor"), "it was typed");
        assert!(!serde_json::to_string(&outcome).unwrap().contains(part));
        check_absent(&bench, part, part).await;
    }
}

/// Quoting a name for an outline must not hide a secret from the redactor (VR-155).
#[tokio::test(start_paused = true)]
async fn a_secret_with_quotes_and_backslashes_is_in_no_file_and_no_answer_i8() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let secret = "\"tr0ub\\4dor\"\tx";
    bench.act(fill("e2", Typed::Sensitive(secret.to_owned()))).await;
    bench.look().await;
    surface.edit(|page| {
        let shown = format!("you typed {secret}!");
        page.elements.insert("e7".to_owned(), element("e7", "button", &shown));
        page.events.push(SurfaceEvent::Console {
            key: shown.clone(),
            text: shown,
            severity: sidestick_model::record::Severity::Error,
        });
    });

    check_absent(&bench, secret, "tr0ub").await;
}

/// An application that searches puts what was typed into its address, encoded.
#[tokio::test(start_paused = true)]
async fn a_secret_that_is_encoded_in_an_address_is_in_no_file_and_no_answer_i8() {
    for encoded in ["tr0ub+4dor%26%C3%A9", "tr0ub%204dor%26%C3%A9", "tr0ub%204dor&%c3%a9"] {
        let surface = FakeSurface::new();
        let bench = begun(&surface, Setup::default()).await;
        let secret = "tr0ub 4dor&é";
        bench.act(fill("e2", Typed::Sensitive(secret.to_owned()))).await;
        surface.edit(|page| {
            page.state.url = format!("https://app.example/?q={encoded}");
            page.elements.insert("e7".to_owned(), element("e7", "button", secret));
        });

        check_absent(&bench, secret, "tr0ub").await;
    }
}

#[tokio::test(start_paused = true)]
async fn what_begin_answers_is_redacted_i8() {
    let surface = FakeSurface::new();
    surface.edit(|page| page.state.title = "Welcome pat.example".to_owned());
    let setup = Setup { credentials: Some(("pat.example", "tr0ub4dor")), ..Setup::default() };
    let bench = Bench::open(surface, setup);

    let answer = bench.session.begin(Vec::new()).await.unwrap();

    let text = serde_json::to_string(&answer).unwrap();
    assert!(text.contains("Welcome [REDACTED]"), "{text}");
    assert!(!text.contains("pat.example"), "{text}");
}

/// The words of our own answers are words people type, too.
#[tokio::test(start_paused = true)]
async fn typing_a_word_of_our_own_answers_leaves_them_readable() {
    for word in ["agent", "message", "status", "goal", "click", "OBSERVED", "2026", "yours"] {
        let surface = FakeSurface::new();
        let bench = begun(&surface, Setup::default()).await;
        bench.act(fill("e2", Typed::Sensitive(word.to_owned()))).await;

        let answer = bench.call(Call::Act(Box::new(click("e1")))).await;
        let end = bench.end().await;

        let Answer::Act(outcome) = answer else { panic!("after typing `{word}`: {answer:?}") };
        assert_eq!(outcome.status, Status::Observed, "{word}");
        assert!(matches!(end, Answer::End(_)), "after typing `{word}`: {end:?}");
    }
}

/// VR-285: what was typed must not take the word out of the name that is judged.
#[tokio::test(start_paused = true)]
async fn judges_the_unredacted_name_of_the_element_found_i2() {
    let surface = FakeSurface::new();
    surface.edit(|page| page.element("e1").subject.name = Some("Delete project".to_owned()));
    let bench = begun(&surface, Setup::default()).await;
    bench.act(fill("e2", Typed::Sensitive("Delete".to_owned()))).await;

    let outcome = bench.act(click("e1")).await;

    assert_eq!(outcome.status, Status::GateRequired);
    assert_eq!(outcome.target.unwrap().name.as_deref(), Some("[REDACTED] project"));
    assert_eq!(surface.written().len(), 1, "the fill, and no click");
}

#[tokio::test(start_paused = true)]
async fn judges_the_element_found_and_not_the_words_asked_for_i2() {
    let surface = FakeSurface::new();
    surface.edit(|page| page.element("e1").subject.name = Some("Delete project".to_owned()));
    let bench = begun(&surface, Setup::default()).await;

    let described = Target::Described { role: "button".to_owned(), name: None, near: None };
    let at_pixel = Target::Pixel { x: 5.0, y: 25.0, label: "Open".to_owned() };
    let by_ref = Target::Ref { id: "e1".to_owned() };

    for target in [described, at_pixel, by_ref] {
        let outcome = bench.act(ask(Action::Click { target: target.clone() })).await;
        assert_eq!(outcome.status, Status::GateRequired, "{target:?}");
    }
    assert_eq!(surface.written(), []);
    let claimed = ActAsk { gate: GateClaim::Requested, ..click("e1") };
    assert_eq!(bench.act(claimed).await.status, Status::GateRequired, "nobody asked for it");
}

#[tokio::test(start_paused = true)]
async fn a_name_this_run_typed_lifts_the_gate_of_what_it_made() {
    let surface = FakeSurface::new();
    surface.edit(|page| page.element("e1").subject.name = Some("Delete Apollo".to_owned()));
    let bench = begun(&surface, Setup::default()).await;
    let created = || ActAsk { gate: GateClaim::Created, ..click("e1") };

    let before = bench.act(created()).await;
    bench.act(fill("e2", Typed::Public("Apollo".to_owned()))).await;
    let after = bench.act(created()).await;

    assert_eq!((before.status, after.status), (Status::GateRequired, Status::Observed));
}

/// An act that was refused typed nothing, so nothing was made under that name.
#[tokio::test(start_paused = true)]
async fn a_name_that_was_never_typed_lifts_no_gate() {
    let surface = FakeSurface::new();
    surface.edit(|page| page.element("e1").subject.name = Some("Delete Apollo".to_owned()));
    let bench = begun(&surface, Setup::default()).await;

    let refused = bench.act(fill("e9", Typed::Public("Apollo".to_owned()))).await;
    let claimed = bench.act(ActAsk { gate: GateClaim::Created, ..click("e1") }).await;

    assert_eq!(refused.status, Status::Stale);
    assert_eq!(claimed.status, Status::GateRequired);
    assert_eq!(surface.count(Hop::Perform), 0);
}
