//! Pictures show no secret (D20).

use std::io::Cursor;

use image::{GenericImageView, ImageFormat, ImageReader};

use sidestick_model::call::{Answer, Call};
use sidestick_model::{Action, Typed};

use crate::bench::{Bench, click, fill, named};

async fn picture(bench: &Bench) -> image::DynamicImage {
    let Answer::Screenshot { path: Some(path), .. } =
        bench.ask(Call::Screenshot { full_page: false }).await
    else {
        panic!("no picture")
    };
    let bytes = std::fs::read(bench.run_dir().join(path)).unwrap();
    ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png).decode().unwrap()
}

/// The picture that belongs to an act, taken as a host takes it behind the answer.
async fn picture_of(bench: &Bench, outcome: &sidestick_model::Outcome) -> image::DynamicImage {
    let id = outcome.observation.id.unwrap();
    bench.session.picture_after(id).await.unwrap();
    let bytes = std::fs::read(bench.run_dir().join(format!("shots/{id}.png"))).unwrap();
    ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png).decode().unwrap()
}

fn color(picture: &image::DynamicImage, x: u32, y: u32) -> [u8; 3] {
    let pixel = picture.get_pixel(x, y);
    [pixel[0], pixel[1], pixel[2]]
}

/// It is begun while the effect is looked for (D26), and shows the effect and no secret.
#[tokio::test(flavor = "multi_thread")]
async fn the_picture_of_an_act_shows_its_effect_and_hides_a_secret_field() {
    let page = r#"<title>A</title><body style="margin: 0"><style>p { position: absolute; top: 100px;
        width: 200px; height: 40px } p:not(:empty) { background: rgb(0, 0, 255) }</style>
        <input type="password" aria-label="Pin" value="1234" style="position: absolute; left: 40px;
        top: 40px; width: 200px; height: 30px; background: rgb(255, 0, 0); border: 0"><p id="out"></p>
        <button onclick="out.textContent = 'Done'">Go</button>"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act(click("button", "Go")).await;
    let picture = picture_of(&bench, &outcome).await;

    assert_eq!(outcome.status, sidestick_model::Status::Observed, "{outcome:?}");
    assert_eq!(color(&picture, 150, 130), [0, 0, 255]);
    for (x, y) in [(45, 45), (140, 55), (235, 68)] {
        assert_ne!(color(&picture, x, y), [255, 0, 0], "{x},{y}");
    }
    bench.close().await;
}

/// What is painted later without a change of the tree is in the picture, as it is in the outcome.
#[tokio::test(flavor = "multi_thread")]
async fn the_picture_of_an_act_is_of_the_state_that_was_told() {
    let later = [
        "const at = board.getContext('2d'); at.fillStyle = 'rgb(255, 0, 0)'; at.fillRect(0, 0, 300, 150)",
        "field.value = 'yes'",
        "document.styleSheets[0].insertRule('#mark { background: rgb(255, 0, 0) }')",
    ];
    for painted in later {
        let page = format!(
            r#"<title>A</title><body style="margin: 0"><style>#at {{ position: absolute; left: 0;
            top: 100px }} #at * {{ width: 300px; height: 50px; border: 0; display: block }}
            input:valid {{ background: rgb(255, 0, 0) }}</style><p id="out"></p><div id="at">BOARD
            <input id="field" required aria-label="Answer"><div id="mark"></div></div>
            <button onclick="out.textContent = 'Begun'; fetch('/slow/200').then(() => {{ {painted} }})">Go
            </button>"#
        );
        let board = if painted.contains("board") { "<canvas id=\"board\"></canvas>" } else { "" };
        let bench = Bench::showing(&page.replace("BOARD", board)).await;

        let outcome = bench.act(click("button", "Go")).await;
        let picture = picture_of(&bench, &outcome).await;

        let (left, right) = (0..300, 100..300);
        let is_red = |x: u32, y: u32| color(&picture, x, y) == [255, 0, 0];
        let red =
            right.flat_map(|y| left.clone().map(move |x| (x, y))).filter(|(x, y)| is_red(*x, *y));
        assert!(5_000 < red.count(), "{painted}: {outcome:?}");
        bench.close().await;
    }
}

/// Who expects a change of the screen gets the screen at the end of the looking, not at its start.
#[tokio::test(flavor = "multi_thread")]
async fn an_expected_change_of_the_screen_is_looked_for_at_the_end() {
    let page = r#"<title>A</title><style></style><button onclick="document.body.style.cursor = 'wait';
        setTimeout(() => document.styleSheets[0].insertRule('body { background: red }'), 60)">Go</button>"#;
    let bench = Bench::showing(page).await;

    let outcome = bench.act_expecting(click("button", "Go"), Some("screen")).await;

    assert!(outcome.signals.contains(&sidestick_model::observation::Signal::Screen), "{outcome:?}");
    bench.close().await;
}

/// A field of pure red: any pixel of it that can be seen in its box would be the secret's.
#[tokio::test(flavor = "multi_thread")]
async fn a_secret_field_is_painted_over() {
    let page = r#"<title>A</title><body style="margin: 0"><input type="password" aria-label="Pin"
        value="1234" style="position: absolute; left: 40px; top: 40px; width: 200px; height: 30px;
        background: rgb(255, 0, 0); border: 0">"#;
    let bench = Bench::showing(page).await;

    let picture = picture(&bench).await;

    assert_eq!(picture.dimensions(), (1280, 720));
    for (x, y) in [(45, 45), (140, 55), (235, 68)] {
        let pixel = picture.get_pixel(x, y);
        assert_ne!([pixel[0], pixel[1], pixel[2]], [255, 0, 0], "{x},{y}");
    }
    bench.close().await;
}

/// Text anywhere that equals a known secret is masked by its own boxes.
#[tokio::test(flavor = "multi_thread")]
async fn a_typed_secret_that_the_page_echoes_is_masked_and_kept_out_of_the_record() {
    let page = r#"<title>A</title><label>Note <input oninput="out.textContent = this.value"></label>
        <p id="out" style="font: 30px monospace; color: rgb(255, 0, 0); background: rgb(255, 0, 0)"></p>"#;
    let bench = Bench::showing(page).await;
    let target = named("textbox", "Note");
    let text = Typed::Sensitive("correct horse battery".into());
    bench.act(Action::Fill { target, text }).await;

    let outline = bench.outline().await;
    let picture = picture(&bench).await;

    assert!(!outline.contains("correct horse"), "{outline}");
    // Two pixels around the words are covered with them; the paragraph's own rest stays red.
    let is_red = |x, y| picture.get_pixel(x, y)[0] == 255 && picture.get_pixel(x, y)[1] == 0;
    let red = (0..720).flat_map(|y| (0..400).map(move |x| (x, y))).filter(|(x, y)| is_red(*x, *y));
    let left_part: Vec<(u32, u32)> = red.filter(|(x, _)| (20..100).contains(x)).collect();
    assert!(left_part.len() < 800, "{} red pixels under the words", left_part.len());
    let run = bench.run_dir();
    bench.close().await;
    drop(run);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ordinary_page_is_pictured_as_it_is() {
    let page = r#"<title>A</title><body style="margin: 0; background: rgb(0, 128, 0)"><label>Name <input></label>"#;
    let bench = Bench::showing(page).await;
    bench.act(fill("Name", "Robin")).await;

    let picture = picture(&bench).await;

    let pixel = picture.get_pixel(600, 600);
    assert_eq!([pixel[0], pixel[1], pixel[2]], [0, 128, 0]);
    bench.close().await;
}
