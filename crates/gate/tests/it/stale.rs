//! A target that is not what it was is refused, never guessed (I11, D4).

use sidestick_model::action::{Action, Typed};
use sidestick_model::call::{Call, DoorCode, ObserveAsk};
use sidestick_model::observation::Subject;
use sidestick_model::outcome::{Code, Status};
use sidestick_model::{ObservationId, Target};
use sidestick_testkit::bench::{begun, observe};
use sidestick_testkit::fake::{Page, element};
use sidestick_testkit::{Bench, FakeSurface, Setup, ask, click};

/// Looks, lets `happens` happen, clicks `e1`, and expects that nothing was done.
async fn check(happens: fn(&mut Page), code: Code) {
    let surface = FakeSurface::new();
    surface.edit(|page| page.element("e1").subject.row = Some("acme ltd".to_owned()));
    let bench = begun(&surface, Setup::default()).await;
    surface.edit(happens);

    let outcome = bench.act(click("e1")).await;

    assert_eq!((outcome.status, outcome.code), (Status::Stale, Some(code)));
    assert_eq!(surface.written(), []);
    assert_eq!(outcome.budget.run_used, 0);
}

#[tokio::test(start_paused = true)]
async fn an_element_that_means_something_else_is_refused_i11() {
    let changes: [fn(&mut Subject); 6] = [
        |subject| subject.role = "link".to_owned(),
        |subject| subject.name = Some("Delete".to_owned()),
        |subject| subject.row = Some("delta co".to_owned()),
        |subject| subject.column = Some("State".to_owned()),
        |subject| subject.label = Some("Danger".to_owned()),
        |subject| subject.heading = Some("Danger".to_owned()),
    ];
    for change in changes {
        let surface = FakeSurface::new();
        let bench = begun(&surface, Setup::default()).await;
        surface.edit(|page| change(&mut page.element("e1").subject));

        let outcome = bench.act(click("e1")).await;

        let told = (outcome.status, outcome.code);
        assert_eq!(told, (Status::Stale, Some(Code::Changed)), "{}", outcome.message);
        assert_eq!(surface.written(), [], "{}", outcome.message);
    }
}

#[tokio::test(start_paused = true)]
async fn an_element_that_is_gone_is_not_found_again_by_its_place_i11() {
    check(
        |page| {
            let gone = page.elements.remove("e1").unwrap();
            page.elements.insert("e4".to_owned(), gone);
        },
        Code::ElementGone,
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn state_and_value_may_change_freely_d4() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    surface.edit(|page| {
        page.element("e1").value = Some("7".to_owned());
        page.element("e1").states.push("pressed".to_owned());
    });

    let outcome = bench.act(click("e1")).await;

    assert_eq!((outcome.status, surface.written().len()), (Status::Observed, 1));
}

/// The element is there and the driver would find it, but nobody was ever shown this ref.
#[tokio::test(start_paused = true)]
async fn a_ref_that_was_never_given_is_refused_i11() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    surface.edit(|page| drop(page.elements.insert("e9".into(), element("e9", "button", "New"))));

    let outcome = bench.act(click("e9")).await;

    assert_eq!((outcome.status, outcome.code), (Status::Stale, Some(Code::UnknownRef)));
    assert_eq!(surface.written(), []);
}

#[tokio::test(start_paused = true)]
async fn a_ref_is_judged_by_the_observation_the_act_stands_on() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    let old = bench.look().await.observation.id;
    surface.edit(|page| page.element("e1").subject.name = Some("Publish".to_owned()));
    bench.look().await;

    let mut on_the_old = click("e1");
    on_the_old.obs = old;
    let refused = bench.act(on_the_old).await;
    let on_the_new = bench.act(click("e1")).await;

    assert_eq!((refused.status, refused.code), (Status::Stale, Some(Code::Changed)));
    assert_eq!((on_the_new.status, surface.written().len()), (Status::Observed, 1));
}

#[tokio::test(start_paused = true)]
async fn an_observation_from_too_long_ago_is_no_ground_to_stand_on() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;
    for _ in 0..64 {
        let ask = ObserveAsk { screenshot: false, ..observe("other") };
        bench.call(Call::Observe(ask)).await;
    }

    let mut asked = click("e1");
    asked.obs = Some(ObservationId(1));
    let outcome = bench.act(asked).await;

    assert_eq!((outcome.status, outcome.code), (Status::Stale, Some(Code::LookFirst)));
    assert_eq!(surface.written(), []);
}

#[tokio::test(start_paused = true)]
async fn an_act_before_the_first_look_is_told_to_look() {
    let surface = FakeSurface::new();
    let bench = Bench::open(surface.clone(), Setup::default());

    let outcome = bench.act(click("e1")).await;

    assert_eq!((outcome.status, outcome.code), (Status::Stale, Some(Code::LookFirst)));
    assert_eq!(surface.written(), []);
}

fn pixel() -> Action {
    Action::Click { target: Target::Pixel { x: 5.0, y: 25.0, label: "Save".to_owned() } }
}

#[tokio::test(start_paused = true)]
async fn pixels_hold_for_the_newest_picture_alone() {
    let surface = FakeSurface::new();
    let bench = begun(&surface, Setup::default()).await;

    let newest = bench.act(ask(pixel())).await;
    let of_no_picture = bench.act(ask(pixel())).await;
    let old = bench.look().await.observation.id;
    bench.look_as("other").await;
    let mut on_the_old = ask(pixel());
    on_the_old.obs = old;
    let of_an_old_one = bench.act(on_the_old).await;

    assert_eq!(newest.status, Status::Observed);
    for refused in [of_no_picture, of_an_old_one] {
        assert_eq!((refused.status, refused.code), (Status::Stale, Some(Code::StaleMark)));
    }
    assert_eq!(surface.written().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn what_breaks_the_contract_is_no_act_and_uses_no_number() {
    let surface = FakeSurface::new();
    let bench = Bench::open(surface.clone(), Setup::default());
    let early = bench.refused(Call::Act(Box::new(ask(pixel())))).await;
    bench.begin(&[]).await.unwrap();
    let mut of_no_goal = click("e1");
    of_no_goal.goal = Some(sidestick_testkit::bench::goal("nobody"));
    let mut on_nothing = click("e1");
    on_nothing.obs = Some(ObservationId(99));
    let mut without_time = click("e1");
    without_time.timeout_ms = Some(0);
    let text = Typed::Public("x".repeat(100_001));
    let too_long = ask(Action::Fill { target: Target::Ref { id: "e2".to_owned() }, text });

    let mut told = vec![early.error];
    for asked in [of_no_goal, on_nothing, without_time, too_long] {
        told.push(bench.refused(Call::Act(Box::new(asked))).await.error);
    }
    let first = bench.act(click("e1")).await;

    assert_eq!(
        told,
        [
            DoorCode::CoordinatesNeedScreenshot,
            DoorCode::UnknownGoal,
            DoorCode::UnknownObservation,
            DoorCode::BadTimeout,
            DoorCode::TextTooLong,
        ]
    );
    assert_eq!(first.act.to_string(), "a1");
    assert_eq!(surface.written().len(), 1);
}
