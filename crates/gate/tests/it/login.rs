//! One login attempt for a run (VR-163 to VR-168), and where a secret may go.

use sidestick_model::Target;
use sidestick_model::action::{Action, Chord, Typed};
use sidestick_model::call::ActAsk;
use sidestick_model::observation::FormFacts;
use sidestick_model::outcome::{Code, Status};
use sidestick_testkit::bench::begun;
use sidestick_testkit::fake::element;
use sidestick_testkit::{Bench, FakeSurface, Hop, Setup, ask, click};

fn fill_secret(id: &str, name: &str) -> ActAsk {
    let target = Target::Ref { id: id.to_owned() };
    ask(Action::Fill { target, text: Typed::Secret(name.to_owned()) })
}

fn enter() -> ActAsk {
    ask(Action::Press { key: Chord::parse("Enter").unwrap(), target: None })
}

fn typed_line() -> ActAsk {
    let target = Some(Target::Ref { id: "e2".to_owned() });
    ask(Action::Type { target, text: Typed::Public("pat\n".to_owned()) })
}

/// A page with a login form: `e3` is the password, `e4` `Sign in`, `e5` a button whose name says
/// nothing in English.
async fn login_page() -> (Bench, FakeSurface) {
    let surface = FakeSurface::new();
    surface.edit(|page| {
        page.elements.insert("e4".to_owned(), element("e4", "button", "Sign in"));
        let mut foreign = element("e5", "button", "Anmelden");
        foreign.submits = true;
        foreign.form = Some(FormFacts {
            method: "post".to_owned(),
            action: "/login".to_owned(),
            password_fields: 1,
        });
        page.elements.insert("e5".to_owned(), foreign);
    });
    let setup = Setup { credentials: Some(("pat.example", "correct horse")), ..Setup::default() };
    let bench = begun(&surface, setup).await;
    (bench, surface)
}

/// Says whether a secret may still be typed.
async fn is_refused(bench: &Bench) -> bool {
    let before = bench.trace().len();
    let outcome = bench.act(fill_secret("e2", "username")).await;
    let refused = outcome.code == Some(Code::LoginAttemptLimit);
    assert!(before < bench.trace().len());
    assert_eq!(outcome.status == Status::Forbidden, refused, "{}", outcome.message);
    refused
}

#[tokio::test(start_paused = true)]
async fn a_password_that_was_sent_and_is_still_asked_for_was_the_one_attempt_vr_165() {
    for (how, submit) in [
        ("Enter", enter()),
        ("a named button", click("e4")),
        ("a line break", typed_line()),
        ("the button of the password's form", click("e5")),
    ] {
        let (bench, surface) = login_page().await;

        bench.act(fill_secret("e3", "password")).await;
        bench.act(submit).await;
        let again = bench.act(fill_secret("e3", "password")).await;

        let told = (again.status, again.code);
        assert_eq!(told, (Status::Forbidden, Some(Code::LoginAttemptLimit)), "{how}");
        assert!(is_refused(&bench).await, "{how}: the user name is refused as well");
        assert_eq!(surface.count(Hop::Perform), 2, "{how}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_password_field_that_went_away_was_a_login_vr_166() {
    let (bench, surface) = login_page().await;
    bench.act(fill_secret("e3", "password")).await;
    surface.at(Hop::Sent, |page| drop(page.elements.remove("e3")));

    bench.act(click("e4")).await;

    assert!(!is_refused(&bench).await);
}

#[tokio::test(start_paused = true)]
async fn an_act_that_submits_nothing_leaves_the_attempt_pending_vr_163() {
    let (bench, _) = login_page().await;
    bench.act(fill_secret("e3", "password")).await;

    bench.act(click("e1")).await;
    let before = is_refused(&bench).await;
    bench.act(enter()).await;

    assert!(!before);
    assert!(is_refused(&bench).await);
}

#[tokio::test(start_paused = true)]
async fn a_user_name_alone_is_no_attempt() {
    let (bench, _) = login_page().await;

    bench.act(fill_secret("e2", "username")).await;
    bench.act(enter()).await;

    assert!(!is_refused(&bench).await);
}

#[tokio::test(start_paused = true)]
async fn a_submit_that_was_refused_is_no_attempt() {
    let (bench, surface) = login_page().await;
    bench.act(fill_secret("e3", "password")).await;
    surface.edit(|page| page.element("e4").ready.ok = false);

    let refused = bench.act(click("e4")).await;

    assert_eq!(refused.status, Status::NotActionable);
    assert!(!is_refused(&bench).await);
}

#[tokio::test(start_paused = true)]
async fn a_password_goes_only_into_a_field_the_page_hides_br_196() {
    let (bench, surface) = login_page().await;

    let shown = bench.act(fill_secret("e2", "password")).await;
    let hidden = bench.act(fill_secret("e3", "password")).await;
    let unknown = bench.act(fill_secret("e3", "pin")).await;

    assert_eq!((shown.status, shown.code), (Status::NotActionable, Some(Code::NotSecretField)));
    assert_eq!((unknown.status, unknown.code), (Status::NotActionable, Some(Code::SecretMissing)));
    assert_eq!(hidden.status, Status::Observed);
    let texts: Vec<_> = surface.written().into_iter().map(|written| written.text).collect();
    assert_eq!(texts, [Some("correct horse".to_owned())]);
}
