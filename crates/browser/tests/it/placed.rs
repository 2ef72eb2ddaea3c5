//! Documents in frames that their page scales, turns, tilts or zooms: what is in them is pressed where
//! it is painted, or not at all (D11, I11).

use sidestick_model::outcome::Code;
use sidestick_model::{Action, Status, Typed};
use sidestick_testkit::site::Site;

use crate::bench::{Bench, Setup, click, named};

/// Two buttons apart from each other and a field; all of it tells the site what reached it.
const INNER: &str = r#"<title>Inner</title><style>body { margin: 0 }
    button, label { position: absolute; width: 70px; height: 22px }</style>
<script>window.received = [];
  for (const type of ["click", "input"]) addEventListener(type, (event) => received.push(
    {type, target: event.target.id, isTrusted: event.isTrusted, value: event.target.value}), true);
</script>
<button id="near" style="left: 12px; top: 8px"
  onclick="this.textContent = 'Near was pressed'">Near</button>
<button id="far" style="left: 210px; top: 110px"
  onclick="this.textContent = 'Far was pressed'">Far</button>
<label style="left: 90px; top: 50px">Note <input id="note" size="6"></label>
<div style="height: 900px"></div>
<button id="low" style="left: 30px; top: 860px" onclick="this.textContent = 'Low too'">Low</button>"#;

const LYING: &[(&str, &str)] = &[
    ("made smaller", "transform: scale(.5); transform-origin: 0 0"),
    ("turned", "transform: rotate(20deg); margin: 90px"),
    ("mirrored", "scale: -1 1; border: 12px solid; padding: 4px 9px"),
    ("zoomed", "zoom: 1.5; border: 4px solid; padding: 10px"),
    ("tilted", "transform: perspective(500px) rotateY(35deg)"),
];

/// The address of a page of another site, and the site.
fn elsewhere(site: &Site, html: &str) -> (String, String) {
    site.inline(html);
    let origin = site.origin().replace("127.0.0.1", "localhost");
    (format!("{origin}/inline"), origin)
}

fn framed(src: &str, style: &str) -> String {
    format!("<iframe src='{src}' style='width: 300px; height: 150px; {style}'></iframe>")
}

async fn showing(body: &str, allow: &[&str]) -> Bench {
    let site = Site::start().await;
    let target = site.inline(&format!("<title>Outer</title><p>Above</p>{body}"));
    let allow = allow.iter().map(|origin| (*origin).to_owned()).collect();
    Bench::open(site, &target, Setup { allow, ..Setup::default() }).await
}

/// Each button is pressed once and alone, and the one that has to be scrolled to as well.
async fn press_all(bench: &Bench, inner: &Site, how: &str) {
    for (name, id) in [("Far", "far"), ("Near", "near"), ("Low", "low")] {
        let outcome = bench.act(click("button", name)).await;

        assert_eq!(outcome.status, Status::Observed, "{how}: {name}: {}", outcome.message);
        assert_eq!(inner.count("click", id, 1).await, 1, "{how}: {name}");
    }
    let clicks = inner.received().iter().filter(|entry| entry["type"] == "click").count();
    assert_eq!(clicks, 3, "{how}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_document_of_another_site_is_pressed_where_its_frame_paints_it() {
    for (how, style) in LYING {
        let inner = Site::start().await;
        let (src, origin) = elsewhere(&inner, INNER);
        let bench = showing(&framed(&src, style), &[&origin]).await;

        press_all(&bench, &inner, how).await;
        let target = Some(named("textbox", "Note"));
        let typed = bench.act(Action::Type { target, text: Typed::Public("hi".into()) }).await;

        assert_eq!(typed.status, Status::Observed, "{how}: {}", typed.message);
        assert_eq!(typed.effect.read_back.unwrap().found.as_deref(), Some("hi"), "{how}");
        bench.close().await;
    }
}

/// The page, a frame of another site in it, and one of the page's own site in that.
#[tokio::test(flavor = "multi_thread")]
async fn frames_of_other_sites_in_each_other_are_mapped_through_all_of_them() {
    for (outer, middle) in [
        (
            "transform: rotate(15deg) scale(.9); margin: 60px",
            "transform: rotate(-40deg) scale(.8); margin: 50px",
        ),
        (
            "zoom: 1.2; transform: perspective(800px) rotateX(20deg)",
            "zoom: .8; rotate: 4deg; margin: 20px",
        ),
        ("scale: .8; border: 20px solid; padding: 15px", ""),
    ] {
        let inner = Site::start().await;
        inner.inline(INNER);
        let src = format!("{}/inline", inner.origin());
        let between = Site::start().await;
        let (above, origin) = elsewhere(&between, &framed(&src, middle));
        let body =
            format!("<iframe src='{above}' style='width: 420px; height: 320px; {outer}'></iframe>");
        let bench = showing(&body, &[&origin, inner.origin()]).await;

        press_all(&bench, &inner, outer).await;
        bench.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_whose_place_cannot_be_known_is_read_and_not_pressed() {
    let inner = Site::start().await;
    let (other, origin) = elsewhere(&inner, INNER);
    let tilt = "transform: perspective(60px) rotateX(70deg); margin: 80px";
    let foreign = framed(&other, tilt);
    let own = foreign
        .replace(&format!("src='{other}'"), &format!("srcdoc='{}'", INNER.replace('\'', "&#39;")));
    for body in [foreign, own] {
        let bench = showing(&body, &[&origin]).await;
        let outline = bench.outline().await;

        let outcome = bench.act(click("button", "Near")).await;

        assert!(outline.contains("button \"Near\""), "{outline}");
        let told = (outcome.status, outcome.code);
        assert_eq!(told, (Status::NotVisible, Some(Code::Unplaced)), "{}", outcome.message);
        assert!(outcome.message.contains("tilted"), "{}", outcome.message);
        assert_eq!(inner.received().len(), 0);
        bench.close().await;
    }
}
