//! Pictures show no secret (D20).

use std::io::Cursor;

use image::{GenericImageView, ImageFormat, ImageReader};

use sidestick_model::call::{Answer, Call};
use sidestick_model::{Action, Typed};

use crate::bench::{Bench, fill, named};

async fn picture(bench: &Bench) -> image::DynamicImage {
    let Answer::Screenshot { path: Some(path), .. } =
        bench.ask(Call::Screenshot { full_page: false }).await
    else {
        panic!("no picture")
    };
    let bytes = std::fs::read(bench.run_dir().join(path)).unwrap();
    ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png).decode().unwrap()
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
