//! Starting Chromium on a private profile, over its debugging pipe, and ending it again.
//!
//! The pipe is transport and death link in one: when it closes, Chromium ends (BR-021). What such
//! a death leaves behind is the profile folder, which the keeper named in
//! [`LaunchOptions::started`] removes.

use std::io::Read;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};
use rustix::fd::AsFd;
use tokio::net::unix::pipe;
use tokio::process::Child;

use sidestick_model::emulation::Emulation;
use sidestick_model::limits;

use crate::connection::Connection;

/// How a browser is started.
#[derive(Clone)]
pub struct LaunchOptions {
    /// The executable; see [`executable`].
    pub executable: PathBuf,
    /// Whether the browser's own sandbox is on (D3). Never switched off by inference.
    pub sandbox: bool,
    /// The folder that profile folders are made in.
    pub profiles: PathBuf,
    /// The name of the profile folder; it has to be unused.
    pub profile_name: String,
    /// What its pages are told about screen, person and network.
    pub emulation: Emulation,
    /// The environment of the browser, already scrubbed (VR-067).
    pub environment: Vec<(String, String)>,
    /// Told what belongs to the browser, before it starts and when it has started.
    pub started: Arc<dyn Fn(&Belongings) + Send + Sync>,
}

impl std::fmt::Debug for LaunchOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LaunchOptions({})", self.executable.display())
    }
}

/// What belongs to one browser and has to go with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Belongings {
    /// The profile folder.
    pub profile: PathBuf,
    /// The process group, once there is one.
    pub group: Option<u32>,
}

/// Why a browser could not be started.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// No executable is there.
    #[error("no Chromium was found")]
    NotFound,
    /// The profile folder cannot be made.
    #[error("cannot make the profile folder `{path}`")]
    Profile {
        /// The folder.
        path: String,
    },
    /// The executable does not start.
    #[error("cannot start `{executable}`: {reason}")]
    Spawn {
        /// The executable.
        executable: String,
        /// Why.
        reason: String,
    },
    /// The sandbox cannot be used here (D3).
    #[error("Chromium refuses to start with its sandbox on: {reason}")]
    Sandbox {
        /// Chromium's own words.
        reason: String,
    },
    /// It ended before it answered.
    #[error("Chromium ended before it answered: {reason}")]
    Ended {
        /// Its own last words.
        reason: String,
    },
    /// It did not answer in time.
    #[error("Chromium did not answer within {} s", limits::LAUNCH_TIME_MAX.as_secs())]
    Silent,
    /// It speaks another protocol than this driver needs.
    #[error("`{found}` is older than Chromium {needed}")]
    TooOld {
        /// What it calls itself.
        found: String,
        /// The first version that works.
        needed: u32,
    },
}

impl LaunchError {
    /// Returns the stable code.
    pub fn code(&self) -> &'static str {
        match self {
            LaunchError::NotFound => "browser_missing",
            LaunchError::Profile { .. } => "profile_unwritable",
            LaunchError::Spawn { .. } => "launch_failed",
            LaunchError::Sandbox { .. } => "sandbox_unavailable",
            LaunchError::Ended { .. } => "launch_ended",
            LaunchError::Silent => "launch_timeout",
            LaunchError::TooOld { .. } => "browser_too_old",
        }
    }

    /// Returns what to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            LaunchError::NotFound | LaunchError::TooOld { .. } => {
                "install it with `apt-get install chromium`, or name one with `--browser PATH`"
            }
            LaunchError::Sandbox { .. } => {
                "run as a user other than root on a kernel with user namespaces, or accept the \
                 risk with `--no-sandbox`"
            }
            LaunchError::Profile { .. }
            | LaunchError::Spawn { .. }
            | LaunchError::Ended { .. }
            | LaunchError::Silent => "`sidestick doctor` shows what is installed",
        }
    }
}

/// What a profile begins with: no scheme by which a server could ask for a password.
const NO_PASSWORDS: &str = r#"{"auth":{"schemes":"none"}}"#;

/// The first version of Chromium whose protocol this driver speaks.
pub(crate) const VERSION_MIN: u32 = 120;

/// Well-known places, in order. The first is what Debian's `chromium` wrapper starts.
const PLACES: [&str; 7] = [
    "/usr/lib/chromium/chromium",
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome-stable",
    "/usr/bin/google-chrome",
    "/usr/bin/chromium-headless-shell",
    "/usr/lib/chromium/chromium-headless-shell",
];

/// Finds the browser: the named one, or the first well-known one.
///
/// # Errors
///
/// Fails when the named one is absent, or none is there.
pub fn executable(named: Option<&Path>) -> Result<PathBuf, LaunchError> {
    match named {
        Some(path) if path.is_file() => Ok(path.to_owned()),
        Some(_) => Err(LaunchError::NotFound),
        None => PLACES
            .iter()
            .map(PathBuf::from)
            .find(|path| path.is_file())
            .ok_or(LaunchError::NotFound),
    }
}

/// A browser process of ours and its profile.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    group: rustix::process::Pid,
    profile: PathBuf,
}

fn arguments(options: &LaunchOptions, profile: &Path) -> Vec<String> {
    let is_shell = options.executable.to_string_lossy().contains("headless-shell");
    let mut arguments: Vec<String> = [
        "--remote-debugging-pipe",
        "--no-first-run",
        "--no-default-browser-check",
        "--no-service-autorun",
        "--no-pings",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-domain-reliability",
        "--disable-sync",
        "--disable-breakpad",
        "--disable-quic",
        "--disable-client-side-phishing-detection",
        "--disable-hang-monitor",
        "--disable-background-timer-throttling",
        "--disable-backgrounding-occluded-windows",
        "--disable-renderer-backgrounding",
        // QUIRK: Chromium 156 starts two renderers for the address bar's popup, headless or not.
        concat!(
            "--disable-features=Translate,OptimizationHints,MediaRouter,",
            "DialMediaRouteProvider,AutofillServerCommunication,",
            "CertificateTransparencyComponentUpdater,WebUIOmniboxPopup,WebUIOmniboxAimPopup,",
            "OmniboxWebUIPopup"
        ),
        "--metrics-recording-only",
        "--password-store=basic",
        "--mute-audio",
        "--force-color-profile=srgb",
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.push(if is_shell { "--headless" } else { "--headless=new" }.to_owned());
    arguments.extend(crate::emulation::arguments(&options.emulation));
    arguments.push(format!("--user-data-dir={}", profile.display()));
    if !options.sandbox {
        arguments.push("--no-sandbox".to_owned());
    }
    arguments.push("about:blank".to_owned());
    arguments
}

impl Process {
    /// Starts the browser in a process group of its own and returns its pipe.
    pub(crate) fn start(options: &LaunchOptions) -> Result<(Process, Connection), LaunchError> {
        let profile = options.profiles.join(&options.profile_name);
        let wrong = |_| LaunchError::Profile { path: profile.display().to_string() };
        let wrong_write = |_| LaunchError::Profile { path: profile.display().to_string() };
        rustix::fs::mkdir(&profile, rustix::fs::Mode::RWXU).map_err(wrong)?;
        (options.started)(&Belongings { profile: profile.clone(), group: None });
        // QUIRK: Chromium 156 asks for a name and a password in a window of its own, and a page's
        // request waits for it for ever, unless it knows no way to give them. The test is
        // `a_demand_for_a_password_is_told_and_holds_nothing_up`.
        std::fs::write(profile.join("Local State"), NO_PASSWORDS).map_err(wrong_write)?;
        Process::spawn(options, &profile).inspect_err(|_| {
            // Nothing was started: an empty folder is all there is to take back.
            let _ = std::fs::remove_dir_all(&profile);
        })
    }

    fn spawn(
        options: &LaunchOptions,
        profile: &Path,
    ) -> Result<(Process, Connection), LaunchError> {
        let failed = |reason: std::io::Error| LaunchError::Spawn {
            executable: options.executable.display().to_string(),
            reason: reason.to_string(),
        };
        let pipe = || rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC);
        let (to_read, to_write) = pipe().map_err(|error| failed(error.into()))?;
        let (from_read, from_write) = pipe().map_err(|error| failed(error.into()))?;
        let log = rustix::fs::open(
            profile.join("stderr.log"),
            rustix::fs::OFlags::CREATE
                | rustix::fs::OFlags::WRONLY
                | rustix::fs::OFlags::CLOEXEC
                | rustix::fs::OFlags::NOFOLLOW,
            rustix::fs::Mode::from_raw_mode(0o600),
        )
        .map_err(|error| failed(error.into()))?;
        let mut command = Command::new(&options.executable);
        command
            .args(arguments(options, profile))
            .env_clear()
            .envs(options.environment.iter().map(|(name, value)| (name, value)))
            // A page can ask for another program, for mail say; a browser of ours finds none.
            .env("PATH", profile.join("no-programs"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::from(log))
            // A terminal's Ctrl-C reaches the host alone (BR-022).
            .process_group(0)
            .fd_mappings(vec![
                FdMapping { parent_fd: to_read, child_fd: 3 },
                FdMapping { parent_fd: from_write, child_fd: 4 },
            ])
            .map_err(|_| failed(std::io::ErrorKind::InvalidInput.into()))?;
        let child = tokio::process::Command::from(command).spawn().map_err(failed)?;
        let pid = child.id().and_then(|id| i32::try_from(id).ok());
        let group = pid
            .and_then(rustix::process::Pid::from_raw)
            .ok_or_else(|| failed(std::io::ErrorKind::NotFound.into()))?;
        let told = Belongings { profile: profile.to_owned(), group: child.id() };
        (options.started)(&told);
        let connection = open_pipe(from_read, to_write).map_err(failed)?;
        Ok((Process { child, group, profile: profile.to_owned() }, connection))
    }

    /// Returns why the browser ended before it answered.
    pub(crate) fn last_words(&mut self) -> LaunchError {
        let mut text = String::new();
        if let Ok(file) = std::fs::File::open(self.profile.join("stderr.log")) {
            // What can be read of it is enough.
            let _ = file.take(64 * 1024).read_to_string(&mut text);
        }
        let telling = |line: &&str| line.contains("sandbox") || line.contains("ERROR");
        let reason = text.lines().rfind(telling).or_else(|| text.lines().last());
        let reason: String = reason.unwrap_or("no word of it").chars().take(300).collect();
        let lower = text.to_lowercase();
        if lower.contains("no-sandbox") || lower.contains("no usable sandbox") {
            LaunchError::Sandbox { reason }
        } else {
            LaunchError::Ended { reason }
        }
    }

    /// Returns whether the process has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(Some(_)))
    }

    /// Waits for the process to end until `limit`, then kills its group; removes the profile once
    /// the end was seen (BR-042). Says what is left, in words.
    pub(crate) async fn end(mut self, limit: Duration) -> Result<Vec<String>, String> {
        let asked = self.wait(limit).await;
        if !asked {
            // A browser that does not end when asked is ended.
            let _ = rustix::process::kill_process_group(self.group, rustix::process::Signal::KILL);
            if !self.wait(Duration::from_secs(2)).await {
                return Err(format!(
                    "process {} did not end; the profile `{}` is left",
                    self.group.as_raw_nonzero(),
                    self.profile.display()
                ));
            }
        }
        // Children that outlive their parent are in the same group.
        let _ = rustix::process::kill_process_group(self.group, rustix::process::Signal::KILL);
        let removed = remove_profile(&self.profile).await;
        let how = if asked { "ended when asked" } else { "was killed" };
        let mut receipt = vec!["connection: closed".to_owned(), format!("process: {how}")];
        if removed {
            receipt.push("profile: removed".to_owned());
            Ok(receipt)
        } else {
            Err(format!("the profile `{}` could not be removed", self.profile.display()))
        }
    }

    /// Waits until the child has ended; false when `limit` came first.
    async fn wait(&mut self, limit: Duration) -> bool {
        // Whether it ended or the limit came is asked of the child itself.
        let _ = tokio::time::timeout(limit, self.child.wait()).await;
        self.has_ended()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.has_ended() {
            // The synchronous minimum; `end` is the way that tells what is left (BR-003).
            let _ = rustix::process::kill_process_group(self.group, rustix::process::Signal::KILL);
            let _ = remove_profile_of_ended(&self.profile);
        }
    }
}

/// Removes a profile; dying children may still write into it, so it is tried a few times.
async fn remove_profile(profile: &Path) -> bool {
    for _ in 0..20 {
        match remove_profile_of_ended(profile) {
            Ok(()) => return true,
            Err(_) => tokio::time::sleep(Duration::from_millis(25)).await,
        }
    }
    false
}

/// Removes the profile of a browser that has ended, and the folder of its socket. One that is
/// absent is removed already.
///
/// # Errors
///
/// Fails when something of the profile is left.
pub fn remove_profile_of_ended(profile: &Path) -> std::io::Result<()> {
    remove_socket_folder(profile);
    match std::fs::remove_dir_all(profile) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// QUIRK: Chromium 156 keeps the socket of its profile in a folder of its own beside the other
/// temporary files, and leaves it there when it is killed; the profile has a link to it. The test
/// is `a_browser_that_was_killed_leaves_no_folder_of_its_socket`.
fn remove_socket_folder(profile: &Path) {
    let Ok(socket) = std::fs::read_link(profile.join("SingletonSocket")) else { return };
    let Some(folder) = socket.parent().filter(|folder| folder.is_absolute()) else { return };
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if !name.trim_start_matches('.').starts_with("org.chromium.Chromium.") {
        return;
    }
    for file in ["SingletonSocket", "SingletonCookie"] {
        // What is absent is removed already.
        let _ = std::fs::remove_file(folder.join(file));
    }
    // A folder that holds anything else is not what it seems, and stays.
    let _ = std::fs::remove_dir(folder);
}

fn open_pipe(from: OwnedFd, to: OwnedFd) -> std::io::Result<Connection> {
    for end in [from.as_fd(), to.as_fd()] {
        rustix::io::ioctl_fionbio(end, true)?;
    }
    let reader = pipe::Receiver::from_owned_fd(from)?;
    let writer = pipe::Sender::from_owned_fd(to)?;
    Ok(Connection::over_pipe(reader, writer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_that_was_killed_leaves_no_folder_of_its_socket() {
        let home = tempfile::tempdir().unwrap();
        let check = |name: &str, extra: &[&str], is_left: bool| {
            let (profile, folder) = (home.path().join("profile"), home.path().join(name));
            std::fs::create_dir(&profile).unwrap();
            std::fs::create_dir(&folder).unwrap();
            for file in [&["SingletonSocket", "SingletonCookie"], extra].concat() {
                std::fs::write(folder.join(file), "").unwrap();
            }
            let link = profile.join("SingletonSocket");
            std::os::unix::fs::symlink(folder.join("SingletonSocket"), link).unwrap();

            remove_profile_of_ended(&profile).unwrap();

            assert!(!profile.exists());
            assert_eq!(folder.exists(), is_left, "{name} {extra:?}");
        };

        check("org.chromium.Chromium.a1B2c3", &[], false);
        check(".org.chromium.Chromium.a1B2c3", &[], false);
        check("org.chromium.Chromium.d4E5f6", &["somebody's"], true);
        check("elsewhere", &[], true);
        remove_profile_of_ended(&home.path().join("absent")).unwrap();
    }
}
