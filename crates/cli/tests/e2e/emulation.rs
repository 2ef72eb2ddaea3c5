//! What pages are told about screen, person and network, before their first script runs.

use crate::lab::Lab;
use crate::site::Site;

const TELL: &str = r#"<script>got([innerWidth, innerHeight, devicePixelRatio,
    matchMedia('(prefers-color-scheme: dark)').matches,
    matchMedia('(prefers-reduced-motion: reduce)').matches, navigator.language,
    new Intl.NumberFormat().resolvedOptions().locale,
    Intl.DateTimeFormat().resolvedOptions().timeZone.replace('/', '.')].join('_'))</script>
    <title>Env</title><button onclick="window.open('/env')">Open</button>"#;
const OFFLINE: &str = r#"<title>Cut</title><button onclick="fetch('/got/sent').then(
    () => out.textContent = 'Sent', () => out.textContent = 'No network')">Send</button>
    <output id=out></output>"#;
const PAGES: &[(&str, &str)] = &[("/env", TELL), ("/cut", OFFLINE)];

#[test]
fn a_page_and_its_popup_see_what_was_asked_for_from_their_first_script_on() {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    let options = "--viewport 390x844 --device-scale 2 --dark --reduced-motion --locale de-DE \
                   --timezone Asia/Tokyo";
    let options: Vec<&str> = options.split(' ').filter(|word| !word.is_empty()).collect();
    let begun = lab.begin_at(&site.url("/env"), &options);
    let shot = lab.ask(&["screenshot"]);
    lab.act(&["click", "--role", "button", "--name", "Open"], "OBSERVED", None);
    let is_told = || site.got().len() == 2;
    assert!(crate::lab::until(std::time::Duration::from_secs(5), is_told), "{:?}", site.got());

    let words = "390_844_2_true_true_de-DE_de-DE_Asia.Tokyo";
    assert_eq!(site.got(), [words, words]);
    assert_eq!((&shot["width"], &shot["height"]), (&390.into(), &844.into()), "{shot:#}");
    let png = std::fs::read(begun.dir.join(shot["path"].as_str().unwrap())).unwrap();
    let side = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!((side(16), side(20)), (390, 844), "pictures stay in CSS pixels");
    lab.ask(&["end"]);
    assert_eq!(begun.report()["run"]["emulation"]["locale"], "de-DE");
}

#[test]
fn a_page_is_cut_off_once_it_has_loaded() {
    let (lab, site) = (Lab::bare(), Site::serve(PAGES));
    lab.begin_at(&site.url("/cut"), &["--offline"]);

    let args = ["click", "--role", "button", "--name", "Send", "--expect", "text:No network"];
    lab.act(&args, "OBSERVED", None);

    assert_eq!(site.got(), Vec::<String>::new());
    lab.ask(&["end"]);
}

#[test]
fn what_cannot_be_emulated_is_refused_before_anything_starts() {
    let lab = Lab::bare();
    for (option, value) in [
        ("--viewport", "wide"),
        ("--viewport", "10x10"),
        ("--device-scale", "40"),
        ("--locale", "de DE"),
    ] {
        let args: Vec<&str> = crate::lab::begin_args("http://127.0.0.1:1/")
            .into_iter()
            .chain([option, value])
            .collect();
        lab.json(&args).refused(2, "bad_arguments");
    }
}
