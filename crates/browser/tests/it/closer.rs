//! Looking closer: numbered boxes and a part at a higher scale; neither shows a secret.

use std::io::Cursor;

use image::{DynamicImage, GenericImageView, ImageFormat, ImageReader};

use sidestick_model::call::{Answer, Call, ObserveAnswer, ObserveAsk, ZoomAsk};
use sidestick_model::{Action, Actor, Code, Status, Target};

use crate::bench::Bench;

const PAGE: &str = r#"<title>A</title><body style="margin: 0"><style>body > * { position: absolute;
    left: 40px; width: 200px; height: 30px; border: 0 } #pin { top: 40px; background: rgb(255, 0, 0) }
    #go { top: 100px; background: rgb(0, 0, 255) } #other { top: 160px }
    #low { top: 3000px }</style>
    <input id="pin" type="password" aria-label="Pin" value="1234">
    <button id="go" onclick="out.textContent = 'Gone'">Go</button>
    <button id="other" onclick="out.textContent = 'Other'">Other</button>
    <p id="out" style="top: 220px"></p><button id="low">Low</button>"#;

fn read(bench: &Bench, path: &str) -> DynamicImage {
    let bytes = std::fs::read(bench.run_dir().join(path)).unwrap();
    ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png).decode().unwrap()
}

fn color(picture: &DynamicImage, x: u32, y: u32) -> [u8; 3] {
    let pixel = picture.get_pixel(x, y);
    [pixel[0], pixel[1], pixel[2]]
}

async fn zoom(bench: &Bench, ask: ZoomAsk) -> Answer {
    bench.ask(Call::Zoom(ask)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_zoom_shows_the_part_larger_and_no_secret_also_in_a_scrolled_page() {
    let bench = Bench::showing(PAGE).await;
    for (scrolled, region) in
        [(false, [20.0, 30.0, 300.0, 120.0]), (true, [20.0, 30.0, 300.0, 120.0])]
    {
        let ask = ZoomAsk { target: None, region: Some(region), scale: 3.0 };
        let Answer::Zoom { path: Some(path), region: shown, .. } = zoom(&bench, ask).await else {
            panic!("no picture")
        };

        let picture = read(&bench, &path);

        assert_eq!((picture.dimensions(), shown), ((900, 360), region));
        let at = |x: u32, y: u32| color(&picture, (x - 20) * 3, (y - 30) * 3);
        if scrolled {
            assert_eq!((at(45, 45), at(45, 75)), ([0, 0, 255], [255, 255, 255]));
        } else {
            assert_eq!(at(45, 105), [0, 0, 255], "the button is where it is");
            for (x, y) in [(42, 42), (140, 55), (238, 68)] {
                assert_ne!(at(x, y), [255, 0, 0], "the secret field: {x},{y}");
            }
        }
        let scroll = Action::Scroll {
            target: None,
            direction: sidestick_model::Direction::Down,
            amount: 60.0 / 720.0,
        };
        bench.act(scroll).await;
    }
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_zoom_into_an_element_is_refused_out_of_view() {
    let bench = Bench::showing(PAGE).await;
    let Target::Ref { id } = bench.ref_of("button \"Go\"").await else { panic!() };
    let low = match bench
        .ask(Call::Find(sidestick_model::call::FindAsk {
            name: Some("Low".into()),
            scope: sidestick_model::observation::Scope::Document,
            limit: 1,
            ..Default::default()
        }))
        .await
    {
        Answer::Find { matches, .. } => matches[0].id.clone(),
        other => panic!("{other:?}"),
    };

    let shown = zoom(&bench, ZoomAsk { target: Some(id), region: None, scale: 2.0 }).await;
    let hidden = zoom(&bench, ZoomAsk { target: Some(low), region: None, scale: 2.0 }).await;

    let Answer::Zoom { path: Some(path), region, .. } = shown else { panic!("{shown:?}") };
    assert_eq!(region, [32.0, 92.0, 216.0, 46.0]);
    assert_eq!(read(&bench, &path).dimensions(), (432, 92));
    let Answer::Refused(error) = hidden else { panic!("{hidden:?}") };
    assert_eq!(error.driver_error, Some(Code::Offscreen), "{error:?}");
    bench.close().await;
}

async fn marked(bench: &Bench) -> ObserveAnswer {
    let ask = ObserveAsk { marks: true, ..ObserveAsk::new(Actor::Agent, "test") };
    match bench.ask(Call::Observe(ask)).await {
        Answer::Observe(answer) => *answer,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mark_names_what_its_box_is_around_on_its_own_picture_alone() {
    let bench = Bench::showing(PAGE).await;
    let seen = marked(&bench).await;
    let mark = |name: &str| {
        let found = seen.marks.iter().find(|mark| mark.name.as_deref() == Some(name));
        found.map(|mark| mark.mark.clone())
    };
    let target = |id: &str| Target::Ref { id: id.to_owned() };

    let picture = read(&bench, seen.marked.as_deref().unwrap());
    let plain = read(&bench, seen.observation.screenshot.as_deref().unwrap());
    let other = mark("Other").unwrap();
    let unknown = bench.act(Action::Click { target: target("m99") }).await;
    let first = bench.act(Action::Click { target: target(&other) }).await;
    let again = bench.act(Action::Click { target: target(&other) }).await;

    assert_ne!(color(&picture, 41, 101), [0, 0, 255], "a box around the button");
    assert_eq!(color(&plain, 41, 101), [0, 0, 255], "the evidence is not drawn on");
    assert_ne!(color(&picture, 140, 55), [255, 0, 0], "the secret field stays masked");
    assert_eq!(mark("Low"), None, "out of view");
    assert_eq!((unknown.status, unknown.code), (Status::Stale, Some(Code::UnknownRef)));
    assert_eq!(first.status, Status::Observed, "{first:?}");
    assert_eq!(first.target.and_then(|target| target.name).as_deref(), Some("Other"));
    assert_eq!((again.status, again.code), (Status::Stale, Some(Code::StaleMark)));
    assert!(bench.outline().await.contains("text \"Other\""));
    bench.close().await;
}
