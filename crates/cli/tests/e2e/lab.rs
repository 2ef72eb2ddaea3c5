//! One test's own world: a project, a per-user root, a temp folder, and the demo application.
//!
//! A lab ends what it started, by process id, even when its test fails, and a test that leaves
//! anything behind fails for it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::app::App;
use crate::processes;

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_sidestick");
/// A verb that takes longer hangs.
const VERB_TIME_MAX: Duration = Duration::from_secs(75);
/// Time after which nothing may be left of a run (the bar of kill -9).
pub(crate) const GONE_TIME_MAX: Duration = Duration::from_secs(5);

/// What a verb said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) exit: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    /// Returns the one JSON object, which has to be alone on its one line.
    #[track_caller]
    pub(crate) fn value(&self) -> Value {
        let line = self.out.strip_suffix('\n').unwrap_or_else(|| panic!("no line: {self:?}"));
        assert!(!line.contains('\n'), "more than one line: {self:?}");
        let value: Value =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {self:?}"));
        assert!(value["ok"].is_boolean(), "no `ok`: {self:?}");
        value
    }

    /// Returns the object of a verb that worked.
    #[track_caller]
    pub(crate) fn good(&self) -> Value {
        let value = self.value();
        assert_eq!((self.exit, &value["ok"]), (0, &Value::Bool(true)), "{self:?}");
        value
    }

    /// Returns the object of a verb that was refused with this exit code and this word.
    #[track_caller]
    pub(crate) fn refused(&self, exit: i32, code: &str) -> Value {
        let value = self.value();
        let found = (self.exit, value["ok"].as_bool(), value["error"].as_str());
        assert_eq!(found, (exit, Some(false), Some(code)), "{self:?}");
        assert!(!value["message"].as_str().unwrap_or_default().is_empty(), "{self:?}");
        value
    }
}

/// A run that was begun: its id and its host.
#[derive(Debug, Clone)]
pub(crate) struct Begun {
    pub(crate) id: String,
    pub(crate) host: u32,
    pub(crate) dir: PathBuf,
    pub(crate) outline: String,
}

impl Begun {
    /// Reads a file of the run folder.
    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        let path = self.dir.join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
    }

    /// Returns `report.json`.
    #[track_caller]
    pub(crate) fn report(&self) -> Value {
        serde_json::from_str(&self.read("report.json")).unwrap()
    }
}

/// One test's own world.
#[derive(Debug)]
pub(crate) struct Lab {
    root: TempDir,
    app: Option<App>,
    /// Who runs the binary, when it is not the user of the tests.
    pub(crate) uid: Option<u32>,
    pub(crate) binary: PathBuf,
}

impl Lab {
    /// Makes a world without an application.
    pub(crate) fn bare() -> Lab {
        // Whatever the binary makes has to be private under the most common mask (VR-029).
        rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
        // Short: the path of a socket has 108 bytes.
        let root = tempfile::Builder::new().prefix("sst").tempdir_in("/tmp").unwrap();
        for name in ["p", "t", "h"] {
            std::fs::create_dir(root.path().join(name)).unwrap();
        }
        let binary = own_binary(root.path());
        let lab = Lab { root, app: None, uid: None, binary };
        lab.refuse_the_real_user();
        lab
    }

    /// A binary built without `test-root` would brake, stop and read the sessions of the real user.
    fn refuse_the_real_user(&self) {
        let said = self.say(&["doctor", "--json", "--browser", "/nowhere"]);
        let value: Value = serde_json::from_str(&said.out).unwrap();
        let expected = self.user();
        assert_eq!(value["user_root"].as_str(), expected.to_str(), "not built with `test-root`");
    }

    /// Makes a world in which the demo application is served.
    pub(crate) fn new() -> Lab {
        let mut lab = Lab::bare();
        lab.app = Some(App::serve(&[]));
        lab
    }

    pub(crate) fn app(&self) -> &App {
        self.app.as_ref().unwrap()
    }

    pub(crate) fn root(&self) -> &Path {
        self.root.path()
    }

    /// The project: the folder the verbs run in.
    pub(crate) fn project(&self) -> PathBuf {
        self.root.path().join("p")
    }

    /// The folder profiles are made in.
    pub(crate) fn temp(&self) -> PathBuf {
        self.root.path().join("t")
    }

    /// The per-user root.
    pub(crate) fn user(&self) -> PathBuf {
        self.root.path().join("u")
    }

    pub(crate) fn socket(&self, run: &str) -> PathBuf {
        self.user().join("hosts").join(format!("{run}.sock"))
    }

    /// Returns the command of a verb, run in the project with an environment of its own.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = match self.uid {
            None => Command::new(&self.binary),
            Some(uid) => {
                let mut command = Command::new("setpriv");
                command.arg(format!("--reuid={uid}")).arg(format!("--regid={uid}"));
                command.arg("--clear-groups").arg(&self.binary);
                command
            }
        };
        command.args(args).env_clear().current_dir(self.project());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.root.path().join("h")).env("LANG", "C.UTF-8");
        command.env("TMPDIR", self.temp()).env("SIDESTICK_TEST_USER_ROOT", self.user());
        // The guard that `cargo xtask sabotage` has left out, in a build that can.
        command.envs(
            std::env::var_os("SIDESTICK_SABOTAGE").map(|names| ("SIDESTICK_SABOTAGE", names)),
        );
        command
    }

    /// Runs a verb as it is.
    pub(crate) fn say(&self, args: &[&str]) -> Said {
        finish(self.command(args), b"")
    }

    /// Runs a verb with `--json`.
    pub(crate) fn json(&self, args: &[&str]) -> Said {
        self.json_with(args, b"")
    }

    /// Runs a verb with `--json` and this on its standard input.
    pub(crate) fn json_with(&self, args: &[&str], input: &[u8]) -> Said {
        let all: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
        finish(self.command(&all), input)
    }

    /// Runs a verb that has to work and returns its object.
    #[track_caller]
    pub(crate) fn ask(&self, args: &[&str]) -> Value {
        self.json(args).good()
    }

    /// Acts, and checks status and code; an action that reached the gate exits 0 whatever it says.
    #[track_caller]
    pub(crate) fn act(&self, args: &[&str], status: &str, code: Option<&str>) -> Value {
        let value = self.ask(args);
        let found = (value["status"].as_str(), value["code"].as_str());
        assert_eq!(found, (Some(status), code), "{args:?}: {value:#}");
        value
    }

    /// Begins a run at an address of the demo application.
    #[track_caller]
    pub(crate) fn begin(&self, path: &str) -> Begun {
        self.begin_at(&self.app().url(path), &[])
    }

    #[track_caller]
    pub(crate) fn begin_at(&self, url: &str, more: &[&str]) -> Begun {
        let sandbox = self.sandbox();
        let args: Vec<&str> =
            begin_args(url).into_iter().chain(more.iter().copied()).chain(sandbox).collect();
        // Without a Chromium this fails with the command that installs it.
        let value = self.json(&args).good();
        Begun {
            id: value["run"].as_str().unwrap().to_owned(),
            host: u32::try_from(value["host"].as_u64().unwrap()).unwrap(),
            dir: PathBuf::from(value["run_dir"].as_str().unwrap()),
            outline: value["observation"]["outline"].as_str().unwrap().to_owned(),
        }
    }

    /// What switches the browser's sandbox off where it cannot be on: for root alone.
    pub(crate) fn sandbox(&self) -> Option<&'static str> {
        let is_root = rustix::process::geteuid().is_root() && self.uid.is_none();
        is_root.then_some("--no-sandbox")
    }

    /// Looks and returns the outline.
    #[track_caller]
    pub(crate) fn look(&self) -> String {
        self.ask(&["observe", "--no-screenshot"])["outline"].as_str().unwrap().to_owned()
    }

    /// Returns what of this lab's runs still exists: processes, profiles, sockets, entries.
    pub(crate) fn left(&self) -> Vec<String> {
        let mut left = processes::under(self.root.path());
        for folder in [self.temp(), self.user().join("hosts")] {
            let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            left.extend(entries.map(|entry| format!("{:?}", entry.path())));
        }
        left
    }

    /// Waits until nothing is left, as long as it may take.
    #[track_caller]
    pub(crate) fn assert_nothing_left(&self) {
        let is_gone = until(GONE_TIME_MAX, || self.left().is_empty());
        assert!(is_gone, "left after {GONE_TIME_MAX:?}: {:#?}", self.left());
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        drop(self.app.take());
        let is_gone = !std::thread::panicking() && until(GONE_TIME_MAX, || self.left().is_empty());
        let left = self.left();
        processes::end_under(self.root.path());
        // A second panic would hide the first.
        if !std::thread::panicking() {
            assert!(is_gone, "a test left something behind: {left:#?}");
        }
    }
}

/// Gives a lab its own name of the binary: a build that goes on meanwhile cannot swap it.
fn own_binary(root: &Path) -> PathBuf {
    let own = root.join("sidestick");
    // Another file system has no room for a second name; a copy takes longer.
    if std::fs::hard_link(BINARY, &own).is_err() {
        std::fs::copy(BINARY, &own).unwrap();
    }
    own
}

/// The arguments of `begin` for an own application.
pub(crate) fn begin_args(url: &str) -> Vec<&str> {
    vec!["begin", "--target", url, "--surface", "web", "--owner", "yours", "--unattended"]
}

/// Starts a command with all its ends in our hands.
pub(crate) fn start(mut command: Command) -> std::process::Child {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// Runs a command to its end; one that hangs is killed and fails the test.
pub(crate) fn finish(command: Command, input: &[u8]) -> Said {
    let shown = format!("{command:?}");
    let mut child = start(command);
    // A verb that reads nothing closes its end early, and that is its right.
    drop(child.stdin.take().unwrap().write_all(input));
    wait(child, &shown)
}

/// Waits for a started command.
pub(crate) fn wait(child: std::process::Child, shown: &str) -> Said {
    let pid = child.id();
    let (done, ended) = mpsc::channel();
    std::thread::spawn(move || done.send(child.wait_with_output()));
    let Ok(output) = ended.recv_timeout(VERB_TIME_MAX) else {
        processes::kill(pid);
        panic!("no answer within {VERB_TIME_MAX:?}: {shown}");
    };
    let output = output.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let exit = output.status.code().unwrap_or(-1);
    Said { exit, out: text(output.stdout), err: text(output.stderr) }
}

/// Looks again until the condition holds; false when the time is over first.
pub(crate) fn until(limit: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let end = Instant::now() + limit;
    loop {
        if holds() {
            return true;
        }
        if end <= Instant::now() {
            return false;
        }
        // Nobody unparks this thread: it is the shortest pause between two looks.
        std::thread::park_timeout(Duration::from_millis(10));
    }
}

/// Returns the ref on the first line of an outline that holds `words`.
#[track_caller]
pub(crate) fn reference(outline: &str, words: &str) -> String {
    let line = outline.lines().find(|line| line.contains(words));
    let last = line.and_then(|line| line.split_whitespace().last());
    last.unwrap_or_else(|| panic!("no `{words}` in\n{outline}")).to_owned()
}
