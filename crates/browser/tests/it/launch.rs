//! Starting, attaching, ending: what is left afterwards.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;

use sidestick_browser::{Chromium, LaunchError, OpenError, Options};
use sidestick_gate::{Lease, Surface};
use sidestick_model::{Actor, Deadline};
use sidestick_policy::Boundary;
use sidestick_testkit::site::Site;

use crate::bench::{Bench, browser, launch_options, telling};

fn options(target: &str) -> Options {
    let boundary = Boundary::around(target, &[]).unwrap();
    Options {
        boundary,
        target: target.to_owned(),
        digest_key: [1; 32],
        downloads: None,
        pages_max: 20,
    }
}

fn is_running(pid: u64) -> bool {
    Path::new(&format!("/proc/{pid}/cmdline")).exists()
        && !std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default().is_empty()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_browser_leaves_no_process_and_no_profile() {
    let home = tempfile::tempdir().unwrap();
    let site = Site::start().await;
    let mut launch = launch_options(home.path());
    let told = telling(&mut launch);
    let lease = Lease::new(Actor::Agent);
    let held = lease.hold(lease.current()).unwrap();

    let target = site.page("button-dead");
    let chromium = Chromium::launch(&launch, options(&target), &held).await.unwrap();
    let pid = told.lock().unwrap()[1]["group"].as_u64().unwrap();
    assert!(is_running(pid));
    let receipt = chromium.close(false).await.unwrap();

    assert!(receipt.contains(&"profile: removed".to_owned()), "{receipt:?}");
    assert!(!is_running(pid));
    assert!(!home.path().join("profile").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_is_absent_silent_or_gone_is_a_typed_error() {
    let home = tempfile::tempdir().unwrap();
    let lease = Lease::new(Actor::Agent);
    let held = lease.hold(lease.current()).unwrap();
    let gone = home.path().join("gone.sh");
    std::fs::write(&gone, "#!/bin/sh\necho 'no usable sandbox' >&2\nexit 1\n").unwrap();
    std::os::unix::fs::symlink("/bin/true", home.path().join("true")).unwrap();
    std::fs::set_permissions(&gone, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();

    for (executable, code) in [
        (home.path().join("absent"), "launch_failed"),
        (gone, "sandbox_unavailable"),
        (home.path().join("true"), "launch_ended"),
    ] {
        let mut launch = launch_options(home.path());
        launch.executable = executable;
        let error = Chromium::launch(&launch, options("http://127.0.0.1:9/"), &held).await;
        let Err(OpenError::Launch(error)) = error else { panic!("{error:?}") };
        assert_eq!(LaunchError::code(&error), code, "{error}");
        assert!(!home.path().join("profile").exists(), "{code}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_target_nobody_serves_is_told_and_nothing_is_left() {
    let home = tempfile::tempdir().unwrap();
    let lease = Lease::new(Actor::Agent);
    let held = lease.hold(lease.current()).unwrap();

    let launch = launch_options(home.path());
    let error = Chromium::launch(&launch, options("http://127.0.0.1:9/"), &held).await;

    assert!(matches!(error, Err(OpenError::Target { .. })), "{error:?}");
    assert!(!home.path().join("profile").exists());
}

/// A browser that somebody else started. What is at its path may be a script that starts it, so it
/// has a process group of its own, which is ended with the test, however that ends.
struct Theirs(std::process::Child);

impl Theirs {
    fn start(profile: &Path) -> Theirs {
        let child = std::process::Command::new(browser())
            .args(["--headless", "--no-sandbox", "--remote-debugging-port=0", "about:blank"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        Theirs(child.unwrap())
    }
}

impl Drop for Theirs {
    fn drop(&mut self) {
        let group = rustix::process::Pid::from_child(&self.0);
        rustix::process::kill_process_group(group, rustix::process::Signal::KILL).unwrap();
        self.0.wait().unwrap();
    }
}

/// BR-029: a browser that somebody else started is left running.
#[tokio::test(flavor = "multi_thread")]
async fn an_attached_browser_is_driven_and_left_running() {
    let home = tempfile::tempdir().unwrap();
    let site = Site::start().await;
    let profile = home.path().join("theirs");
    let mut theirs = Theirs::start(&profile);
    let endpoint = endpoint(&profile).await;
    let lease = Lease::new(Actor::Agent);
    let held = lease.hold(lease.current()).unwrap();

    let target = site.page("button-dead");
    let chromium = Chromium::attach(&endpoint, options(&target), &held).await.unwrap();
    let looking = sidestick_gate::Looking { max_chars: 10_000, ..Default::default() };
    let deadline = Deadline::of_limit(std::time::Duration::from_secs(5));
    let reading = chromium.observe(&looking, deadline).await.unwrap();
    assert!(reading.nodes.iter().any(|node| node.name.as_deref() == Some("Dead")));
    let receipt = chromium.close(false).await.unwrap();

    assert!(receipt.contains(&"process: not owned".to_owned()));
    assert!(theirs.0.try_wait().unwrap().is_none(), "their browser was ended");
}

/// Waits for the port file that a browser writes.
async fn endpoint(profile: &Path) -> String {
    let until = tokio::time::Instant::now() + std::time::Duration::from_secs(10);
    while tokio::time::Instant::now() < until {
        if let Ok(text) = std::fs::read_to_string(profile.join("DevToolsActivePort")) {
            let mut lines = text.lines();
            if let (Some(port), Some(path)) = (lines.next(), lines.next()) {
                return format!("ws://127.0.0.1:{port}{path}");
            }
        }
        let soon = tokio::time::Instant::now() + std::time::Duration::from_millis(20);
        let _ = tokio::time::timeout_at(soon, std::future::pending::<()>()).await;
    }
    panic!("the browser wrote no port")
}

/// A crashed page is told as such, and so is every act on it.
#[tokio::test(flavor = "multi_thread")]
async fn the_secrets_of_a_run_are_in_none_of_its_files() {
    let page = r#"<title>hunter2-hunter2</title><h1>hunter2-hunter2</h1><script>
        console.error('password hunter2-hunter2'); fetch('/status/404?token=hunter2-hunter2')</script>"#;
    let bench = Bench::showing(page).await;
    bench.outline().await;
    let dir = bench.run_dir();
    bench.ask(sidestick_model::call::Call::Findings).await;
    bench.ask(sidestick_model::call::Call::End { keep_open: false }).await;

    let mut seen = 0;
    for entry in walk(&dir) {
        let bytes = std::fs::read(&entry).unwrap();
        seen += 1;
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("hunter2-hunter2"), "{}", entry.display());
    }
    assert!(5 < seen);
}

fn walk(dir: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
