//! Frames that the page above cannot read, and closed shadow trees: read and acted in like any (D11).

use sidestick_model::observation::Scope;
use sidestick_model::outcome::Code;
use sidestick_model::{Action, Status, Target, Typed};
use sidestick_testkit::site::Site;

use crate::bench::{Bench, Setup, click, fill, named};

/// A page that says what reached it, as the record of its own site.
const INNER: &str = r#"<title>Inner</title><style>body { margin: 0 }</style>
<script>window.received = [];
  for (const type of ["click", "input"]) addEventListener(type, (event) => received.push(
    {type, target: event.target.id, isTrusted: event.isTrusted, value: event.target.value}), true);
</script>
<h2>Card</h2><p id="state">not paid</p>
<button id="pay" onclick="state.textContent = 'paid ' + (window.n = (window.n || 0) + 1)">Pay</button>
<button id="dead">Dead</button>
<label>Number <input id="number"></label>
<label>Secret <input id="secret" type="password"></label>
<a id="next" href="/frames-nested">Next</a>"#;

/// The site of the frame, under a name that is another site than `127.0.0.1`.
struct Foreign {
    site: Site,
    origin: String,
}

impl Foreign {
    async fn start(host: &str) -> Foreign {
        let site = Site::start().await;
        let origin = site.origin().replace("127.0.0.1", host);
        Foreign { site, origin }
    }

    fn inline(&self, html: &str) -> String {
        self.site.inline(html);
        format!("{}/inline", self.origin)
    }
}

async fn showing(html: &str, allow: &[&str]) -> Bench {
    let site = Site::start().await;
    let target = site.inline(html);
    let allow = allow.iter().map(|origin| (*origin).to_owned()).collect();
    Bench::open(site, &target, Setup { allow, ..Setup::default() }).await
}

/// F14 and its kind: other sites (in a process of their own) and other ports of the same site.
#[tokio::test(flavor = "multi_thread")]
async fn a_frame_of_another_origin_is_read_and_acted_in() {
    for host in ["localhost", "127.0.0.1"] {
        let other = Foreign::start(host).await;
        let src = other.inline(INNER);
        let page = format!(
            "<title>Outer</title><p>Above</p><iframe title=Payment src='{src}' width=500 height=300 \
             style='border:5px solid;padding:7px;margin-left:100px'></iframe>"
        );
        let bench = showing(&page, &[&other.origin]).await;

        let outline = bench.outline().await;
        assert!(outline.contains("button \"Pay\" f"), "{host}: {outline}");
        assert!(!outline.contains("not read"), "{host}: {outline}");

        let paid = bench.act(click("button", "Pay")).await;
        let again = bench.act(Action::Click { target: bench.ref_of("\"Pay\"").await }).await;
        let dead = bench.act(click("button", "Dead")).await;

        assert_eq!(paid.status, Status::Observed, "{host}: {paid:?}");
        assert_eq!(paid.effect.changes[0].after.as_deref(), Some("paid 1"), "{host}");
        assert_eq!(again.status, Status::Observed, "{host}: {}", again.message);
        assert_eq!((dead.status, dead.code), (Status::NoEffect, None), "{host}: {dead:?}");
        assert_eq!(other.site.count("click", "pay", 2).await, 2, "{host}");
        assert_eq!(other.site.count("click", "dead", 1).await, 1, "{host}");
        assert!(other.site.received().iter().all(|entry| entry["isTrusted"] == true));
        bench.close().await;
    }
}

/// A document is a document, whatever element shows it: of the page's origin and of another site.
#[tokio::test(flavor = "multi_thread")]
async fn documents_in_an_object_and_in_an_embed_are_acted_in_like_those_in_frames() {
    for tag in ["iframe src", "object data", "embed src"] {
        let other = Foreign::start("localhost").await;
        let src = other.inline(INNER);
        let size = "type='text/html' style='width: 500px; height: 300px; border: 4px solid; \
                    padding: 9px; scale: .9'";
        let (name, attribute) = tag.split_once(' ').unwrap();
        let page = format!(
            "<title>Outer</title><{name} id=own {size}></{name}><{name} {attribute}='{src}' {size}>\
             </{name}><script>own.{attribute} = URL.createObjectURL(new Blob(['<p id=p>idle</p>\
             <button onclick=\"p.textContent = event.isTrusted + \\' press\\'\">Own</button>'], \
             {{type: 'text/html'}}))</script>"
        );
        let bench = showing(&page, &[&other.origin]).await;

        let outline = bench.outline().await;
        let own = bench.act(click("button", "Own")).await;
        let paid = bench.act(click("button", "Pay")).await;
        let filled = bench.act(fill("Number", "4242")).await;
        let dead = bench.act(click("button", "Dead")).await;

        assert!(!outline.contains("not read"), "{tag}: {outline}");
        assert_eq!(own.status, Status::Observed, "{tag}: {own:?}");
        assert_eq!(own.effect.changes[0].after.as_deref(), Some("true press"), "{tag}");
        assert_eq!(paid.status, Status::Observed, "{tag}: {}", paid.message);
        assert_eq!(filled.effect.read_back.unwrap().found.as_deref(), Some("4242"), "{tag}");
        assert_eq!((dead.status, dead.code), (Status::NoEffect, None), "{tag}: {dead:?}");
        assert_eq!(other.site.count("click", "pay", 1).await, 1, "{tag}");
        bench.close().await;
    }
}

/// Nested, sandboxed, written into the page, and made by a script.
#[tokio::test(flavor = "multi_thread")]
async fn frames_without_an_origin_of_their_own_belong_to_the_page_above() {
    let button = "<button onclick=\"this.after(' done ' + this.textContent)\">B</button>";
    let page = format!(
        r#"<title>Outer</title>
        <iframe sandbox=allow-scripts srcdoc='{0}' width=300 height=60></iframe>
        <iframe src='data:text/html,{1}' width=300 height=60></iframe>
        <iframe id=blob width=300 height=60></iframe><iframe id=nested width=300 height=90></iframe>
        <script>
          blob.src = URL.createObjectURL(new Blob([`{2}`], {{type: "text/html"}}));
          nested.srcdoc = `<iframe sandbox=allow-scripts srcdoc='{3}' height=50></iframe>`;
        </script>"#,
        button.replace(">B<", ">Sandboxed<").replace('\'', "&#39;"),
        button.replace(">B<", ">Data<").replace('\'', "%27").replace(' ', "%20"),
        button.replace(">B<", ">Blob<"),
        button.replace(">B<", ">Nested<").replace('\'', "&#39;"),
    );
    let bench = showing(&page, &[]).await;

    for name in ["Sandboxed", "Data", "Blob", "Nested"] {
        let outcome = bench.act(click("button", name)).await;

        assert_eq!(
            outcome.status,
            Status::Observed,
            "{name}: {} {:?}",
            outcome.message,
            outcome.effect
        );
        assert!(bench.outline().await.contains(&format!("done {name}")), "{name}");
    }
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_in_a_frame_of_another_site_are_filled_and_read_back() {
    let other = Foreign::start("localhost").await;
    let src = other.inline(INNER);
    let page = format!("<title>Outer</title><iframe src='{src}' width=500 height=300></iframe>");
    let bench = showing(&page, &[&other.origin]).await;

    let filled = bench.act(fill("Number", "4242")).await;
    let typed = bench
        .act(Action::Type {
            target: Some(named("textbox", "Number")),
            text: Typed::Public("77".into()),
        })
        .await;
    let secret = Action::Fill {
        target: named("textbox", "Secret"),
        text: Typed::Sensitive("correct horse".into()),
    };
    let secret = bench.act(secret).await;

    assert_eq!(filled.status, Status::Observed, "{}", filled.message);
    assert_eq!(filled.effect.read_back.unwrap().found.as_deref(), Some("4242"));
    assert_eq!(typed.effect.read_back.unwrap().found.as_deref(), Some("424277"));
    assert_eq!(secret.status, Status::Observed, "{}", secret.message);
    assert!(secret.effect.read_back.unwrap().secret);
    let outline = bench.outline().await;
    assert!(!outline.contains("correct horse") && outline.contains("secret filled"), "{outline}");
    bench.close().await;
}

/// Without leave, what another site shows is read and not acted in (D27).
#[tokio::test(flavor = "multi_thread")]
async fn a_frame_outside_the_boundary_is_not_acted_in() {
    let other = Foreign::start("localhost").await;
    let src = other.inline(INNER);
    let page = format!("<title>Outer</title><iframe src='{src}' width=500 height=300></iframe>");
    let bench = showing(&page, &[]).await;

    let outcome = bench.act(click("button", "Pay")).await;

    assert_eq!((outcome.status, outcome.code), (Status::Forbidden, Some(Code::FrameOutside)));
    assert_eq!(other.site.received().len(), 0);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_covers_a_frame_in_the_page_above_is_named() {
    let other = Foreign::start("localhost").await;
    let src = other.inline(INNER);
    let page = format!(
        "<title>Outer</title><div style='position:relative'><iframe src='{src}' width=500 \
         height=300></iframe><div id=veil style='position:absolute;inset:0;background:#0008'>\
         Please wait</div></div>"
    );
    let bench = showing(&page, &[&other.origin]).await;

    let outcome = bench.act(click("button", "Pay")).await;

    assert_eq!((outcome.status, outcome.code), (Status::NotVisible, Some(Code::Occluded)));
    assert!(outcome.message.contains("veil"), "{}", outcome.message);
    assert_eq!(other.site.count("click", "pay", 0).await, 0);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_out_of_view_is_scrolled_to_and_so_is_what_is_in_it() {
    let other = Foreign::start("localhost").await;
    let src = other.inline(&INNER.replace("<h2>", "<div style='height:2000px'></div><h2>"));
    let page = format!(
        "<title>Outer</title><div style='height:3000px'></div>\
         <iframe src='{src}' width=500 height=200></iframe><div style='height:3000px'></div>"
    );
    let bench = showing(&page, &[&other.origin]).await;
    bench.observe(Scope::Document).await;

    let outcome = bench.act(click("button", "Pay")).await;

    assert_eq!(outcome.status, Status::Observed, "{} {:?}", outcome.message, outcome.effect);
    assert_eq!(other.site.count("click", "pay", 1).await, 1);
    bench.close().await;
}

/// F2 in a frame: its next document has a namesake, which is not pressed.
#[tokio::test(flavor = "multi_thread")]
async fn a_ref_of_a_frame_dies_with_the_frames_document() {
    let other = Foreign::start("localhost").await;
    let src = other.inline(INNER);
    let page = format!(
        "<title>Outer</title><iframe id=f src='{src}' width=500 height=300></iframe>\
         <button onclick=\"f.src = f.src + '?again'\">Again</button>"
    );
    let bench = showing(&page, &[&other.origin]).await;
    let old = bench.ref_of("\"Pay\"").await;

    let again = bench.act(click("button", "Again")).await;
    assert_eq!(again.status, Status::Observed, "a frame that shows another document is an effect");
    let outline = bench.outline().await;
    let stale = bench.act(Action::Click { target: old.clone() }).await;

    assert_eq!(stale.status, Status::Stale, "{}", stale.message);
    assert_eq!(other.site.count("click", "pay", 0).await, 0);
    let Target::Ref { id } = old else { panic!() };
    assert!(
        outline.contains("\"Pay\"") && !outline.contains(&format!("{id}\n")),
        "{id}: {outline}"
    );
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_namesake_in_a_frame_is_told_and_not_chosen() {
    let other = Foreign::start("localhost").await;
    let src = other.inline(INNER);
    let page = format!(
        "<title>Outer</title><button>Pay</button><iframe src='{src}' width=500 height=300></iframe>"
    );
    let bench = showing(&page, &[&other.origin]).await;

    let outcome = bench.act(click("button", "Pay")).await;

    assert_eq!(outcome.status, Status::Ambiguous, "{}", outcome.message);
    assert_eq!(other.site.count("click", "pay", 0).await, 0);
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_effect_in_another_document_than_the_pressed_one_is_seen() {
    let other = Foreign::start("localhost").await;
    let src = other.inline(
        "<title>I</title><p id=p>idle</p><script>onmessage = (e) => p.textContent = e.data</script>\
         <button onclick=\"parent.postMessage('from below', '*')\">Up</button>",
    );
    let page = format!(
        "<title>Outer</title><p id=p>quiet</p><script>onmessage = (e) => p.textContent = e.data</script>\
         <button onclick=\"frames[0].postMessage('from above', '*')\">Down</button>\
         <iframe src='{src}' width=500 height=300></iframe>"
    );
    let bench = showing(&page, &[&other.origin]).await;

    let down = bench.act_expecting(click("button", "Down"), Some("text:from above")).await;
    let up = bench.act(click("button", "Up")).await;

    assert_eq!(down.status, Status::Observed, "{} {:?}", down.message, down.effect);
    assert_eq!(up.status, Status::Observed, "{} {:?}", up.message, up.effect);
    bench.close().await;
}

/// F15: closed roots, one in another, and one that shows its host's child in a slot.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_closed_shadow_root_shows_is_listed_and_can_be_pressed() {
    let page = r#"<title>Closed</title><script>window.received = []</script>
        <div id=plain style="width:300px;height:60px"></div><x-box><b>Slotted</b></x-box>
        <script>
          const made = (host, name) => {
            const root = host.attachShadow({mode: "closed"});
            root.innerHTML = `<button>${name}</button><slot></slot><p></p>`;
            root.querySelector("button").onclick = (event) => {
              received.push({type: "click", target: name, isTrusted: event.isTrusted});
              root.querySelector("p").textContent = "pressed " + name;
            };
            return root;
          };
          made(plain, "Shut");
          const root = made(document.querySelector("x-box"), "Box");
          const inner = document.createElement("y-box");
          root.append(inner);
          made(inner, "Deep");
        </script>"#;
    let bench = Bench::showing(page).await;

    for name in ["Shut", "Box", "Deep"] {
        let outcome = bench.act(click("button", name)).await;
        assert_eq!(outcome.status, Status::Observed, "{name}: {}", outcome.message);
        assert_eq!(bench.site.count("click", name, 1).await, 1, "{name}");
    }
    let outline = bench.outline().await;
    for shown in ["button \"Shut\"", "button \"Deep\"", "Slotted", "pressed Deep"] {
        assert!(outline.contains(shown), "{shown}: {outline}");
    }
    bench.close().await;
}

/// The first look lists them too, before anybody asked for one by its name.
#[tokio::test(flavor = "multi_thread")]
async fn the_first_outline_has_a_frame_in_a_shadow_root_and_a_closed_root_in_a_frame() {
    let other = Foreign::start("localhost").await;
    let src = other.inline(
        "<title>I</title><x-y></x-y><script>document.querySelector('x-y')\
         .attachShadow({mode: 'closed'}).innerHTML = '<button>Within</button>'</script>",
    );
    let page = format!(
        "<title>Outer</title><div id=h></div><script>h.attachShadow({{mode: 'open'}}).innerHTML = \
         `<iframe src='{src}' width=300 height=90></iframe>\
         <iframe srcdoc='<button>Same</button>' width=300 height=90></iframe>`</script>"
    );
    let bench = showing(&page, &[&other.origin]).await;

    let outline = bench.outline().await;

    assert!(
        outline.contains("button \"Within\"") && outline.contains("button \"Same\""),
        "{outline}"
    );
    bench.close().await;
}

/// An editor whose document is the field, as older rich text editors are made.
#[tokio::test(flavor = "multi_thread")]
async fn a_document_that_is_an_editor_as_a_whole_is_filled_and_read_back() {
    let page = "<title>Outer</title><iframe width=400 height=120 srcdoc='<body contenteditable \
                role=textbox aria-label=Note>old text</body>'></iframe>";
    let bench = Bench::showing(page).await;

    let outcome = bench.act(fill("Note", "new words")).await;

    assert_eq!(outcome.status, Status::Observed, "{} {:?}", outcome.message, outcome.effect);
    assert_eq!(outcome.effect.read_back.unwrap().found.as_deref(), Some("new words"));
    bench.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_scrolled_out_in_a_frame_is_scrolled_to() {
    let page = "<title>Outer</title><iframe width=420 height=140 srcdoc='<div style=\"height:1200px\">\
                Top</div><button onclick=\"this.textContent = 7\">Low</button>'></iframe>";
    let bench = Bench::showing(page).await;

    let outcome = bench.act(click("button", "Low")).await;

    assert_eq!(outcome.status, Status::Observed, "{}", outcome.message);
    bench.close().await;
}
