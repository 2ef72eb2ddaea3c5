//! A policy file at the door and in a run: refused when it is wrong, held to when it is right, and
//! in nobody's way who wants to stop.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use crate::lab::{Lab, Said, begin_args, finish, reference};
use crate::site::Site;

const TARGET: &str = "http://127.0.0.1:9/";

fn write(lab: &Lab, name: &str, text: &str) -> String {
    let path = lab.project().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn sha256(path: &str) -> String {
    let said = std::process::Command::new("sha256sum").arg(path).output().unwrap();
    String::from_utf8(said.stdout).unwrap().split(' ').next().unwrap().to_owned()
}

/// Nothing was begun: no run, no browser, no host.
#[track_caller]
fn nothing_began(lab: &Lab) {
    assert!(!lab.project().join(".sidestick/runs").exists());
    lab.assert_nothing_left();
}

#[track_caller]
fn with_variable(lab: &Lab, args: &[&str], path: &str) -> Said {
    let all: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
    let mut command = lab.command(&all);
    command.env("SIDESTICK_POLICY", path);
    finish(command, b"")
}

#[test]
fn a_policy_that_is_named_and_cannot_be_used_stops_the_run_before_it_begins_i9() {
    let lab = Lab::bare();
    let broken = write(&lab, "broken.yaml", "version: 1\nbondary: {}\ncaps: { actions: no }\n");
    let open = write(&lab, "open.yaml", "version: 1\n");
    std::fs::set_permissions(Path::new(&open), std::fs::Permissions::from_mode(0o666)).unwrap();
    let text = write(&lab, "text.yaml", "\u{0}");
    let huge = write(&lab, "huge.yaml", &"# x\n".repeat(300_000));
    let missing = lab.project().join("missing.yaml").display().to_string();
    let folder = lab.project().display().to_string();

    for (path, says) in [
        (&broken, "line 2, column 1: `bondary` is no key"),
        (&missing, "is not there"),
        (&folder, "is not a plain file"),
        (&open, "can be written by everybody"),
        (&text, "cannot be read"),
        (&huge, "is larger than any policy"),
    ] {
        let args = [begin_args(TARGET).as_slice(), &["--policy", path]].concat();
        let value = lab.json(&args).refused(2, "bad_policy");
        assert!(value["message"].as_str().unwrap().contains(says), "{value:#}");
        with_variable(&lab, &begin_args(TARGET), path).refused(2, "bad_policy");
        let script = write(&lab, "s.yaml", &format!("version: 1\ntarget: {TARGET}\ngoals: []\n"));
        lab.json(&["run", &script, "--owner", "yours", "--policy", path]).refused(2, "bad_policy");
    }
    let args = [begin_args(TARGET).as_slice(), &["--policy", &broken]].concat();
    let value = lab.json(&args).refused(2, "bad_policy");
    assert!(value["detail"][0].as_str().unwrap().contains("line 3, column 18"), "{value:#}");
    std::fs::write(lab.project().join("sidestick.toml"), "policy = \"missing.yaml\"\n").unwrap();
    lab.json(&begin_args(TARGET)).refused(2, "bad_policy");
    nothing_began(&lab);
}

#[test]
fn what_goes_beyond_the_policy_is_refused_before_anything_is_started() {
    let lab = Lab::bare();
    let rules = "version: 1\nowner: third-party\nboundary:\n  allow: [{ host: shop.example }]\n\
                 caps: { actions: 10, goal_actions: 5, pages: 2 }\nuploads: { roots: [.] }\n";
    let path = write(&lab, "policy.yaml", rules);
    let own = write(&lab, "own.yaml", &rules.replace("third-party", "yours"));
    let begin = |policy: &str, target: &str, more: &[&str]| {
        lab.json(&[begin_args(target).as_slice(), &["--policy", policy], more].concat())
    };

    begin(&path, "https://shop.example/", &[]).refused(2, "outside_policy");
    let shop = "https://shop.example/";
    for more in [
        ["--allow", "https://elsewhere.example"].as_slice(),
        &["--budget-run", "11"],
        &["--budget-goal", "6"],
        &["--max-pages", "3"],
        &["--upload-root", "/"],
    ] {
        let value = begin(&own, shop, more).refused(2, "outside_policy");
        assert!(!value["message"].as_str().unwrap().is_empty());
    }
    for target in [TARGET, "https://shop.example:8443/", "http://shop.example/"] {
        begin(&own, target, &[]).refused(2, "outside_policy");
    }
    let listed =
        write(&lab, "listed.yaml", "version: 1\nboundary: { allow: [], egress: listed }\n");
    let value = begin(&listed, shop, &[]).refused(5, "missing");
    assert_eq!(value["missing"], json!(["egress"]));
    let secret = "version: 1\nsecrets: [{ name: a, env: NO_SUCH_ONE, host: shop.example }]\n";
    let secret = write(&lab, "secret.yaml", secret);
    begin(&secret, shop, &[]).refused(5, "credentials");
    let value = "version: 1\nredaction: { values: [{ file: no-such-file }] }\n";
    let value = write(&lab, "value.yaml", value);
    begin(&value, shop, &[]).refused(5, "credentials");
    nothing_began(&lab);
}

const PAGES: &[(&str, &str)] = &[
    (
        "/",
        "<title>Shop</title><button onclick=\"got('pressed')\">Press</button>\
         <button onclick=\"got('transferred')\">Überweisen</button>\
         <button onclick=\"got('ordered')\">Order by price</button>\
         <a href=/admin/users>Users</a> <a href=/inner>Inner</a>\
         <button onclick=\"alert('Hello');got('after-alert')\">Greet</button>\
         <button onclick=\"if(confirm('Delete everything?'))got('deleted')\">Clear</button>",
    ),
    ("/inner", "<title>Inner</title><p>Inner<iframe src=/admin/frame></iframe>"),
    ("/admin/users", "<title>Users</title>"),
    ("/admin/frame", "<p>Framed"),
    (
        "/login",
        "<title>Login</title><form action=/login><input type=password aria-label=Password \
         oninput=\"got('typed-'+this.value.length)\"></form>",
    ),
];

fn policy_for(site: &Site, rest: &str) -> String {
    let port = site.url("").rsplit(':').next().unwrap().to_owned();
    format!(
        "version: 1\nowner: yours\nboundary:\n  allow:\n    - host: \"127.0.0.1\"\n      \
         scheme: http\n      port: {port}\n  deny:\n    - paths: [\"/admin/*\"]\n{rest}"
    )
}

#[test]
fn a_run_is_held_to_its_policy_and_its_record_says_which() {
    let lab = Lab::bare();
    let site = Site::serve(PAGES);
    let rest = "actions:\n  agent: { deny: [hover] }\nrisk:\n  words: { de: { irreversible: \
                [überweisen] } }\ngates:\n  irreversible: { agent: hold }\ncaps: { actions: 7 }\n\
                redaction: { patterns: [{ name: order, pattern: \"Order by \\\\w+\" }] }\n";
    let path = write(&lab, "policy.yaml", &policy_for(&site, rest));
    let run = lab.begin_at(&site.url("/"), &["--policy", &path]);
    let by_name = |verb: &'static str, name: &'static str, role: &'static str| {
        [verb, "--role", role, "--name", name]
    };

    assert!(run.outline.contains("[REDACTED]") && !run.outline.contains("Order by price"));
    lab.act(&by_name("hover", "Press", "button"), "FORBIDDEN", Some("action_not_allowed"));
    let held = by_name("click", "Überweisen", "button");
    let held = lab.act(&held, "NEEDS_HUMAN", Some("approval_required"));
    assert!(held["message"].as_str().unwrap().contains("`überweisen`"), "{held:#}");
    for url in ["/admin/users", "/x/..%2fadmin/users", "/%61dmin/users"] {
        let url = site.url(url);
        lab.act(&["navigate", &url], "FORBIDDEN", Some("navigation_blocked"));
    }
    let clicked = lab.ask(&by_name("click", "Users", "link"));
    assert!(!clicked["blocked"].as_array().unwrap().is_empty(), "{clicked:#}");
    lab.look();
    let inner = lab.ask(&["navigate", &site.url("/inner")]);
    assert_eq!(inner["status"], "OBSERVED", "{inner:#}");
    lab.ask(&["navigate", &site.url("/")]);
    lab.look();
    lab.act(&by_name("click", "Press", "button"), "NO_EFFECT", None);

    assert_eq!(site.got(), ["pressed"]);
    assert_eq!((site.asked("/admin/users"), site.asked("/admin/frame")), (0, 0));
    let end = lab.ask(&["end"]);
    let seen = &end["report"]["run"]["policy"];
    assert_eq!(seen["sha256"], sha256(&path));
    assert_eq!(seen["owner"], "yours");
    assert!(seen["file"].as_str().unwrap().ends_with("policy.yaml"), "{seen:#}");
    assert_eq!(seen["file_uid"], json!(rustix::process::getuid().as_raw()));
    assert_eq!(end["report"]["budget"]["run_cap"], 7, "a default is lowered to the cap");
    for name in ["report.md", "report.html", "report.json", "run.json"] {
        assert!(run.read(name).contains(&sha256(&path)), "{name}");
    }
    assert_eq!(lab.ask(&["verify", &run.id])["ok"], true);
    lab.assert_nothing_left();
}

#[test]
fn a_dialog_is_answered_as_the_policy_says_and_judged_like_any_act_d9() {
    let lab = Lab::bare();
    let site = Site::serve(PAGES);
    let rest =
        "dialogs:\n  - { kind: alert, answer: accept }\n  - { kind: confirm, answer: accept }\n";
    let path = write(&lab, "policy.yaml", &policy_for(&site, rest));
    lab.begin_at(&site.url("/"), &["--policy", &path]);

    let greeted = lab.ask(&["click", "--role", "button", "--name", "Greet"]);
    lab.look();
    let cleared = lab.ask(&["click", "--role", "button", "--name", "Clear"]);

    assert_eq!(greeted["dialog"], Value::Null, "{greeted:#}");
    assert!(greeted["message"].as_str().unwrap().contains("answered by `dialogs[0]`"));
    assert_eq!(cleared["dialog"]["kind"], "confirm", "{cleared:#}");
    let message = cleared["message"].as_str().unwrap();
    assert!(message.contains("does not answer the confirm") && message.contains("`Delete`"));
    lab.ask(&["dialog", "--dismiss"]);
    assert_eq!(site.got(), ["after-alert"]);
    lab.ask(&["end"]);
    lab.assert_nothing_left();
}

#[test]
fn a_named_secret_is_typed_at_its_place_and_stands_in_no_record() {
    let lab = Lab::bare();
    let site = Site::serve(PAGES);
    let port = site.url("").rsplit(':').next().unwrap().to_owned();
    let rest = format!(
        "secrets:\n  - {{ name: here, file: here.txt, host: \"127.0.0.1\", scheme: http, port: \
         {port} }}\n  - {{ name: there, command: [cat, {}], host: \"127.0.0.1\", scheme: http, \
         port: 1 }}\n",
        lab.project().join("there.txt").display()
    );
    write(&lab, "there.txt", "somewhere-else\nsecond line\n");
    let here = write(&lab, "here.txt", "correct-horse\n");
    std::fs::set_permissions(Path::new(&here), std::fs::Permissions::from_mode(0o600)).unwrap();
    let path = write(&lab, "policy.yaml", &policy_for(&site, &rest));
    let run = lab.begin_at(&site.url("/login"), &["--policy", &path]);
    let field = reference(&run.outline, "\"Password\"");

    lab.act(&["fill", &field, "--secret", "there"], "FORBIDDEN", Some("secret_not_here"));
    lab.act(&["fill", &field, "--secret", "password"], "FORBIDDEN", Some("secret_not_here"));
    assert_eq!(site.got(), Vec::<String>::new());
    let typed = lab.ask(&["fill", &field, "--secret", "here"]);

    assert_eq!(typed["status"], "OBSERVED", "{typed:#}");
    assert!(site.got().contains(&"typed-13".to_owned()), "{:?}", site.got());
    lab.ask(&["end"]);
    for name in ["report.json", "report.html", "report.md", "run.json", "trace.jsonl"] {
        let text = run.read(name);
        assert!(!text.contains("correct-horse") && !text.contains("somewhere-else"), "{name}");
    }
    lab.assert_nothing_left();
}

const FRAMED: &[(&str, &str)] = &[
    ("/app/", "<title>App</title><iframe src=/app/inner></iframe><iframe src=/free></iframe>"),
    ("/app/inner", "<button onclick=\"got('inner')\">Inside</button>"),
    ("/free", "<button onclick=\"got('free')\">Free</button>"),
    (
        "/app/files",
        "<title>Files</title><a download=small.txt href=\"data:text/plain,12345\">Small</a>\
         <a download=large.txt href=\"data:text/plain,1234567890\">Large</a>",
    ),
];

/// Paths hold for the page by its whole address; a frame beside them is not fetched.
#[test]
fn paths_hold_for_pages_and_for_frames() {
    let lab = Lab::bare();
    let site = Site::serve(FRAMED);
    let text = policy_for(&site, "");
    let port = site.url("").rsplit(':').next().unwrap().to_owned();
    let line = format!("port: {port}\n");
    let text = text.replace(&line, &format!("{line}      paths: [\"/app/*\"]\n"));
    let path = write(&lab, "policy.yaml", &text);
    lab.begin_at(&site.url("/app/"), &["--policy", &path]);

    lab.act(&["click", "--role", "button", "--name", "Inside"], "NO_EFFECT", None);
    lab.act(&["navigate", &site.url("/free")], "FORBIDDEN", Some("navigation_blocked"));

    assert_eq!((site.got(), site.asked("/free")), (vec!["inner".to_owned()], 0));
    lab.ask(&["end"]);
    lab.assert_nothing_left();
}

#[test]
fn downloads_are_kept_up_to_their_caps_or_not_at_all() {
    let lab = Lab::bare();
    let site = Site::serve(FRAMED);
    let path = write(&lab, "policy.yaml", &policy_for(&site, "caps: { download: 6B }\n"));
    let none = write(&lab, "none.yaml", &policy_for(&site, "downloads: { keep: false }\n"));
    let run = lab.begin_at(&site.url("/app/files"), &["--policy", &path]);
    let status = |name: &str| {
        let value = lab.ask(&["click", "--role", "link", "--name", name]);
        value["downloads"][0]["status"].as_str().unwrap_or("none").to_owned()
    };

    assert_eq!((status("Small").as_str(), status("Large").as_str()), ("saved", "too_large"));
    lab.ask(&["end"]);
    assert!(run.dir.join("downloads/small.txt").exists());
    assert!(!run.dir.join("downloads/large.txt").exists());
    let run = lab.begin_at(&site.url("/app/files"), &["--policy", &none]);
    let word = status("Small");
    lab.ask(&["end"]);
    assert_ne!(word, "saved");
    assert!(!run.dir.join("downloads/small.txt").exists());
    lab.assert_nothing_left();
}

/// The brake, `stop`, `end` and what looks back ask for no policy, whatever has become of it (I7).
#[test]
fn a_broken_policy_stops_neither_a_brake_nor_an_end_i7() {
    let lab = Lab::bare();
    let site = Site::serve(PAGES);
    let path = write(&lab, "policy.yaml", &policy_for(&site, "actions: { any: { allow: [] } }\n"));
    for verb in ["end", "stop"] {
        std::fs::write(&path, policy_for(&site, "actions: { any: { allow: [] } }\n")).unwrap();
        let run = lab.begin_at(&site.url("/"), &["--policy", &path]);
        std::fs::write(&path, "version: [\n").unwrap();
        std::fs::write(lab.project().join("sidestick.toml"), "policy = \"policy.yaml\"\n").unwrap();

        let status = with_variable(&lab, &["status"], "/no/such/policy.yaml").good();
        let paused = with_variable(&lab, &["pause"], "/no/such/policy.yaml").good();
        let ended = with_variable(&lab, &[verb], "/no/such/policy.yaml");

        assert_eq!(status["state"], "open");
        assert_eq!(paused["runs"], json!([run.id]));
        assert_eq!(ended.exit, 0, "{verb}: {ended:?}");
        std::fs::remove_file(lab.project().join("sidestick.toml")).unwrap();
        std::fs::remove_file(lab.user().join("STOP")).ok();
        lab.assert_nothing_left();
        std::fs::remove_dir_all(lab.user()).unwrap();
    }
}

#[test]
fn check_tells_every_problem_with_its_place_and_exits_2() {
    let lab = Lab::bare();
    let good = write(&lab, "good.yaml", "version: 1\nowner: yours\n");
    let bad =
        write(&lab, "bad.yaml", "version: 1\nbondary: {}\nactions: { agent: { deny: [clik] } }\n");

    let fine = lab.ask(&["policy", "check", &good]);
    let wrong = lab.json(&["policy", "check", &bad]).refused(2, "bad_policy");
    let text = lab.say(&["policy", "check", &bad]);

    assert_eq!((&fine["sha256"], &fine["owner"]), (&json!(sha256(&good)), &json!("yours")));
    let problems = wrong["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 2, "{wrong:#}");
    assert_eq!(
        problems[1],
        json!({"line": 3, "column": 28, "at": "actions.agent.deny[0]", "meant": "click",
            "message": "`clik` is no kind of action"})
    );
    assert_eq!((text.exit, text.out.as_str()), (2, ""));
    assert!(text.err.contains("did you mean `boundary`?"), "{}", text.err);
    lab.json(&["policy", "check", "nowhere.yaml"]).refused(2, "bad_policy");
    lab.json(&["policy"]).refused(2, "bad_arguments");
}

#[test]
fn cases_hold_a_policy_to_what_it_has_to_say_and_exit_30_when_it_does_not() {
    let lab = Lab::bare();
    let rules = "version: 1\nboundary:\n  allow: [{ host: shop.example }]\n";
    let policy = write(&lab, "policy.yaml", rules);
    let good = "version: 1\ncases:\n  - { url: \"https://shop.example/\", expect: inside }\n  \
                - { url: \"https://evil.example/\", frame: true, expect: blocked }\n  \
                - { case: pay, action: click, page: \"https://shop.example/\", element: { name: Pay }, \
                expect: gate }\n  - { action: navigate, url: \"https://evil.example/\", expect: refuse, \
                code: navigation_blocked }\n";
    let cases = write(&lab, "cases.yaml", good);
    let wrong = write(&lab, "wrong.yaml", &good.replace("expect: gate", "expect: allow"));
    let broken = write(&lab, "broken.yaml", &good.replace("expect: gate", "expect: gat"));

    let met = lab.ask(&["policy", "test", &policy, &cases]);
    let missed = lab.json(&["policy", "test", &policy, &wrong]).refused(30, "cases_not_met");
    let text = lab.say(&["policy", "test", &policy, &wrong]);

    assert_eq!((&met["total"], &met["failed"]), (&json!(4), &json!(0)), "{met:#}");
    assert_eq!(missed["failed"], 1, "{missed:#}");
    assert_eq!(missed["cases"][2]["decision"], "gate");
    assert_eq!(text.exit, 30);
    assert!(text.out.contains("FAIL pay (line 5): gate, allow is demanded"), "{}", text.out);
    assert!(text.out.ends_with("3 of 4 cases as demanded\n"), "{}", text.out);
    lab.json(&["policy", "test", &policy, &broken]).refused(2, "bad_cases");
    lab.json(&["policy", "test", &policy, "nowhere.yaml"]).refused(2, "bad_cases");
    lab.json(&["policy", "test", "nowhere.yaml", &cases]).refused(2, "bad_policy");
}

#[test]
fn explain_names_the_rule_that_decided_and_those_considered_before_it() {
    let lab = Lab::bare();
    let rules = "version: 1\nboundary:\n  allow: [{ host: shop.example }]\n  deny:\n    \
                 - paths: [\"/admin/*\"]\n";
    let policy = write(&lab, "policy.yaml", rules);
    let explain = |more: &[&str]| {
        lab.ask(&[["policy", "explain", policy.as_str()].as_slice(), more].concat())
    };

    let admin = explain(&["--url", "https://shop.example/x/../%61dmin/users"]);
    let pay = explain(&["--action", "click", "--name", "Pay", "--page", "https://shop.example/"]);
    let text = lab.say(&["policy", "explain", &policy, "--url", "https://shop.example/"]).out;

    assert_eq!(
        (&admin["decision"], &admin["rule"]),
        (&json!("blocked"), &json!("boundary.deny[0]"))
    );
    assert_eq!(admin["line"], 5);
    assert_eq!(
        (&pay["decision"], &pay["tier"]),
        (&json!("gate"), &json!("irreversible")),
        "{pay:#}"
    );
    assert_eq!(pay["rule"], "gates.irreversible.agent");
    assert!(text.contains("decided by `boundary.allow[0]` (line 3)"), "{text}");
    lab.json(&["policy", "explain", &policy]).refused(2, "bad_arguments");
    for wrong in [["--action", "fly"], ["--action=click", "--actor=nobody"]] {
        let args = [["policy", "explain", policy.as_str()].as_slice(), &wrong].concat();
        lab.json(&args).refused(2, "bad_arguments");
    }
    let schema = lab.ask(&["policy", "schema"]);
    assert_eq!(schema["schema"]["additionalProperties"], false);
}
