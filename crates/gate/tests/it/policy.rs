//! A session held to a policy file: its time, its kinds of action, its files, its dialogs.

use sidestick_model::call::{ActAsk, Answer, Call};
use sidestick_model::observation::{DialogState, Settled};
use sidestick_model::outcome::{Code, Status};
use sidestick_model::{Action, Actor, Target};
use sidestick_testkit::bench::begun;
use sidestick_testkit::fake::effect;
use sidestick_testkit::{FakeSurface, Hop, Setup, click};

fn held_to(policy: &'static str) -> Setup {
    Setup { policy: Some(policy), ..Setup::default() }
}

#[tokio::test(start_paused = true)]
async fn after_its_time_a_run_acts_no_more_and_ends_all_the_same_i7() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, held_to("version: 1\ncaps: { time: 30s }\n")).await;
    surface.will_do(effect(&[]));

    bench.clock.advance(29_999);
    let before = bench.act(click("e1")).await;
    bench.clock.advance(1);
    let after = bench.act(click("e1")).await;

    assert_eq!(before.status, Status::NoEffect);
    assert_eq!((after.status, after.code), (Status::BudgetExhausted, Some(Code::RunTime)));
    assert_eq!(surface.count(Hop::Sent), 1);
    let paused = bench.call(Call::Pause { by: "somebody".into(), why: None }).await;
    assert!(matches!(paused, Answer::Braked { paused: true }), "{paused:?}");
    let ended = bench.call(Call::End { keep_open: false }).await;
    assert!(matches!(ended, Answer::End(_)), "{ended:?}");
}

/// A policy that allows nothing at all still lets a person stop, pause and end (I7).
#[tokio::test(start_paused = true)]
async fn a_policy_that_denies_everything_stops_neither_a_brake_nor_an_end_i7() {
    const NOTHING: &str = "version: 1\nactions:\n  any: { allow: [] }\ngates:\n  \
        safe: { agent: refuse, replay: refuse, assist: refuse, human: refuse }\n";
    for call in [Call::Stop { by: "somebody".into() }, Call::End { keep_open: false }] {
        let surface = FakeSurface::new();
        let bench = begun(&surface, held_to(NOTHING)).await;

        let act = bench.act(click("e1")).await;
        let braked = bench.call(Call::Pause { by: "somebody".into(), why: None }).await;
        let released = bench.call(Call::Release { by: "somebody".into() }).await;
        let ended = bench.call(call).await;

        assert_eq!((act.status, act.code), (Status::Forbidden, Some(Code::ActionNotAllowed)));
        assert_eq!(surface.count(Hop::Sent), 0);
        assert!(matches!(braked, Answer::Braked { paused: true }), "{braked:?}");
        assert!(matches!(released, Answer::Braked { paused: false }), "{released:?}");
        assert!(matches!(ended, Answer::End(_)), "{ended:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn only_files_with_a_listed_name_and_size_are_given_away() {
    const RULES: &str = "version: 1\nuploads: { names: [\"*.pdf\"], bytes: 5B }\n";
    let surface = FakeSurface::new();
    let bench = begun(&surface, held_to(RULES)).await;
    let home = tempfile::tempdir().unwrap();
    // What the run has downloaded may always be given; so the files stand there.
    let own = bench.dir().join("downloads");
    std::fs::create_dir_all(&own).unwrap();
    for (name, text) in [("a.pdf", "12345"), ("b.pdf", "123456"), ("c.txt", "1")] {
        std::fs::write(own.join(name), text).unwrap();
    }
    std::fs::create_dir(own.join("folder.pdf")).unwrap();
    let upload = |name: &str| {
        let files = vec![own.join(name).display().to_string()];
        let target = Some(Target::Ref { id: "e1".into() });
        ActAsk::new(Action::Upload { target, files }, Actor::Agent, "agent")
    };

    for (name, says) in [
        ("b.pdf", "has 6 bytes"),
        ("c.txt", "no name that `uploads.names` lists"),
        ("folder.pdf", "is a folder"),
    ] {
        let refused = bench.act(upload(name)).await;
        let found = (refused.status, refused.code);
        assert_eq!(found, (Status::Forbidden, Some(Code::UploadNotAllowed)), "{name}");
        assert!(refused.message.contains(says), "{}", refused.message);
    }
    assert_eq!(surface.count(Hop::Sent), 0);
    surface.will_do(effect(&[]));
    bench.act(upload("a.pdf")).await;
    assert_eq!(surface.count(Hop::Sent), 1);
    drop(home);
}

fn with_dialog(kind: &str, text: &str) -> Settled {
    let dialog =
        DialogState { kind: kind.into(), text: text.into(), default_text: None, opened_by: None };
    Settled { dialog: Some(dialog), ..effect(&[]) }
}

#[tokio::test(start_paused = true)]
async fn a_dialog_the_policy_knows_is_answered_by_an_act_of_its_own_d9() {
    const RULES: &str = "version: 1\ndialogs: [{ kind: alert, answer: accept }]\n";
    let surface = FakeSurface::new();
    let bench = begun(&surface, held_to(RULES)).await;
    surface.will_do(with_dialog("alert", "Saved"));
    surface.will_do(effect(&[]));
    surface.will_do(with_dialog("confirm", "Sure?"));

    let answered = bench.act(click("e1")).await;
    let asked = bench.act(click("e1")).await;

    assert!(answered.dialog.is_none());
    assert!(answered.message.contains("answered by `dialogs[0]` (line 2) (a2)"), "{answered:?}");
    assert_eq!(answered.budget.run_used, 2, "an answer is an act");
    assert_eq!(asked.dialog.map(|dialog| dialog.kind).as_deref(), Some("confirm"));
    assert_eq!(surface.count(Hop::Sent), 3);
}
