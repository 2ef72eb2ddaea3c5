//! One Chromium on one fixture page, with its session, and nothing left of either afterwards.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use serde_json::json;
use tempfile::TempDir;
use tokio::sync::watch;

use sidestick_browser::{Chromium, LaunchOptions, Options};
use sidestick_evidence::{RecordKey, Run, RunState, StateRoot};
use sidestick_gate::{Lease, Opening, Session};
use sidestick_model::call::{ActAsk, Answer, Call, ObserveAnswer, ObserveAsk};
use sidestick_model::observation::Scope;
use sidestick_model::record::{Owner, RunHead, SurfaceKind};
use sidestick_model::{Action, Actor, Clock, Expect, Outcome, RunId, Stamp, Target, Typed};
use sidestick_policy::{Boundary, Credentials, Redactor, Secret};
use sidestick_testkit::site::Site;
use sidestick_testkit::wild::Wild;

/// A clock that stands still: the record's times do not matter here.
#[derive(Debug)]
struct Still;

impl Clock for Still {
    fn now(&self) -> Stamp {
        1_796_000_000_000
    }
}

/// A page held open for one test.
pub(crate) struct Bench {
    pub(crate) site: Site,
    pub(crate) session: Arc<Session<Chromium>>,
    pub(crate) lease: Lease,
    /// What the launch said belongs to it.
    pub(crate) told: Told,
    home: TempDir,
}

/// What a bench starts with.
pub(crate) struct Setup {
    pub(crate) owner: Owner,
    pub(crate) allow: Vec<String>,
    /// Folders uploads may come from.
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) pages_max: usize,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            owner: Owner::Yours,
            allow: Vec::new(),
            roots: Vec::new(),
            pages_max: sidestick_model::limits::PAGES_MAX,
        }
    }
}

/// The browser of these tests: `SIDESTICK_TEST_BROWSER`, else the smallest that is installed.
pub(crate) fn browser() -> PathBuf {
    let named = std::env::var_os("SIDESTICK_TEST_BROWSER").map(PathBuf::from);
    let shell = PathBuf::from("/usr/bin/chromium-headless-shell");
    let found = named.or_else(|| shell.is_file().then_some(shell));
    sidestick_browser::executable(found.as_deref())
        .unwrap_or_else(|_| panic!("install it: apt-get install chromium chromium-headless-shell"))
}

pub(crate) fn launch_options(home: &Path) -> LaunchOptions {
    let is_root = std::process::Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    LaunchOptions {
        executable: browser(),
        sandbox: !is_root,
        profiles: home.to_owned(),
        profile_name: "profile".to_owned(),
        emulation: sidestick_model::emulation::Emulation::default(),
        environment: vec![("PATH".to_owned(), "/usr/bin:/bin".to_owned())],
        started: Arc::new(|_| ()),
    }
}

fn head(run: RunId, target: &str, owner: Owner) -> RunHead {
    RunHead {
        run_id: run,
        target: target.to_owned(),
        surface: SurfaceKind::Web,
        owner,
        attended: false,
        request: None,
        driver: "chromium".to_owned(),
        driver_version: String::new(),
        sandbox: false,
        allow: Vec::new(),
        upload_roots: Vec::new(),
        authority: String::new(),
        egress: String::new(),
        started: String::new(),
        ended: None,
        stopped_reason: None,
        recovered: false,
        expect_failures: Vec::new(),
        emulation: sidestick_model::emulation::Emulation::default(),
        policy: None,
        test_overrides: Vec::new(),
    }
}

impl Bench {
    /// Opens a fixture page.
    pub(crate) async fn on(fixture: &str) -> Bench {
        let site = Site::start().await;
        let target = site.page(fixture);
        Bench::open(site, &target, Setup::default()).await
    }

    /// Opens a page made of this text.
    pub(crate) async fn showing(html: &str) -> Bench {
        let site = Site::start().await;
        let target = site.inline(html);
        Bench::open(site, &target, Setup::default()).await
    }

    /// Opens the first page of a site whose answers are written byte by byte.
    pub(crate) async fn wild(wild: &Wild) -> Bench {
        Bench::open(Site::start().await, &wild.url("/"), Setup::default()).await
    }

    pub(crate) async fn open(site: Site, target: &str, setup: Setup) -> Bench {
        let home = tempfile::tempdir().unwrap();
        let root = StateRoot::open(&home.path().join("state")).unwrap();
        let run = RunId::parse("20261201T101500-ab12").unwrap();
        let mut head = head(run, target, setup.owner);
        head.upload_roots = setup.roots.iter().map(|root| root.display().to_string()).collect();
        let state = RunState::new(head, 200, 40);
        let redactor = Redactor::default();
        let run = Run::create(&root, state, RecordKey::from_seed([7; 32]), &redactor).unwrap();
        let boundary = Boundary::around(target, &setup.allow).unwrap();
        let lease = Lease::new(Actor::Agent);
        let held = lease.hold(lease.current()).unwrap();
        let options = Options {
            boundary: boundary.clone(),
            target: target.to_owned(),
            digest_key: [9; 32],
            downloads: Some(run.incoming().unwrap()),
            pages_max: setup.pages_max,
        };
        let mut launch = launch_options(home.path());
        let told = telling(&mut launch);
        let surface = Chromium::launch(&launch, options, &held).await.unwrap();
        let credentials = Credentials {
            username: Secret::new("tester"),
            password: Secret::new("hunter2-hunter2"),
        };
        let session = Session::open(Opening {
            surface,
            run,
            redactor,
            clock: Arc::new(Still),
            boundary,
            credentials: Some(credentials),
            lease: lease.clone(),
        });
        session.begin(Vec::new()).await.unwrap();
        Bench { site, session: Arc::new(session), lease, told, home }
    }

    pub(crate) async fn ask(&self, call: Call) -> Answer {
        let (_stay, left) = watch::channel(false);
        self.session.answer(call, left).await.into_inner()
    }

    pub(crate) async fn act(&self, action: Action) -> Outcome {
        self.act_expecting(action, None).await
    }

    pub(crate) async fn act_expecting(&self, action: Action, expect: Option<&str>) -> Outcome {
        let mut ask = ActAsk::new(action, Actor::Agent, "test");
        ask.expect = expect.map(|text| Expect::parse(text).unwrap());
        self.act_asking(ask).await
    }

    pub(crate) async fn act_asking(&self, ask: ActAsk) -> Outcome {
        match self.ask(Call::Act(Box::new(ask))).await {
            Answer::Act(outcome) => *outcome,
            other => panic!("{other:?}"),
        }
    }

    pub(crate) async fn observe(&self, scope: Scope) -> ObserveAnswer {
        let ask = ObserveAsk { scope, screenshot: false, ..ObserveAsk::new(Actor::Agent, "test") };
        match self.ask(Call::Observe(ask)).await {
            Answer::Observe(answer) => *answer,
            other => panic!("{other:?}"),
        }
    }

    /// Returns the outline of the viewport.
    pub(crate) async fn outline(&self) -> String {
        self.observe(Scope::Viewport).await.outline
    }

    /// Returns the ref at the end of the outline's first line that holds `words`.
    pub(crate) async fn ref_of(&self, words: &str) -> Target {
        let outline = self.outline().await;
        let line = outline.lines().find(|line| line.contains(words));
        let id = line.and_then(|line| line.split_whitespace().last()).map(str::to_owned);
        Target::Ref { id: id.unwrap_or_else(|| panic!("no `{words}` in\n{outline}")) }
    }

    /// Returns the folder of the run.
    pub(crate) fn run_dir(&self) -> PathBuf {
        self.home.path().join("state/runs/20261201T101500-ab12")
    }

    /// Ends the session and makes sure that nothing is left of the browser.
    pub(crate) async fn close(self) {
        let ended = self.ask(Call::End { keep_open: false }).await;
        let Answer::End(ended) = ended else { panic!("{ended:?}") };
        assert!(!ended.cleanup_failed, "{:?}", ended.report.state_left);
        assert!(!self.home.path().join("profile").exists(), "the profile is left");
    }
}

pub(crate) fn named(role: &str, name: &str) -> Target {
    Target::Described { role: role.to_owned(), name: Some(name.to_owned()), near: None }
}

pub(crate) fn click(role: &str, name: &str) -> Action {
    Action::Click { target: named(role, name) }
}

pub(crate) fn fill(name: &str, text: &str) -> Action {
    Action::Fill { target: named("textbox", name), text: Typed::Public(text.to_owned()) }
}

/// Collects what a launch said belongs to it.
pub(crate) type Told = Arc<Mutex<Vec<serde_json::Value>>>;

pub(crate) fn telling(options: &mut LaunchOptions) -> Told {
    let told: Told = Arc::default();
    let list = Arc::clone(&told);
    options.started = Arc::new(move |belongings| {
        let profile = belongings.profile.display().to_string();
        list.lock().unwrap().push(json!({"profile": profile, "group": belongings.group}));
    });
    told
}
