//! Where the outside world comes in: clock, randomness, environment, folders. Nothing below reads
//! them for itself.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use sidestick_model::call::{DoorCode, DoorError};
use sidestick_model::time::SharedClock;
use sidestick_model::{Clock, RunId, Seam, Stamp};

/// The real clock.
#[derive(Debug)]
struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> Stamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

/// Returns the real clock.
pub(crate) fn clock() -> SharedClock {
    Arc::new(WallClock)
}

/// Returns 32 random bytes, or nothing when the system has none to give.
pub(crate) fn seed() -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes)).ok()?;
    Some(bytes)
}

/// Makes the id of a new run: the time in UTC and four random hex digits (VR-038).
pub(crate) fn new_run_id() -> Option<RunId> {
    let seed = seed()?;
    let written = sidestick_evidence::run::written(clock().now());
    let compact: String =
        written.chars().filter(|c| c.is_ascii_digit() || *c == 'T').take(15).collect();
    let [first, second, ..] = seed;
    RunId::parse(&format!("{compact}-{first:02x}{second:02x}")).ok()
}

/// Returns a setting of the environment; an empty one is none.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Returns the environment a child may have (VR-067).
pub(crate) fn environment_for_child(secrets: &[String]) -> Vec<(String, String)> {
    let variables: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    sidestick_policy::environment::for_child(variables, secrets).collect()
}

/// Returns the project's folder: the nearest one above that holds `.git`, else the current one.
pub(crate) fn project() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let top = here.ancestors().find(|path| path.join(".git").exists());
    Some(top.map_or_else(|| here.clone(), Path::to_owned))
}

/// Returns the state folder of the project (D16).
pub(crate) fn state_root() -> Option<PathBuf> {
    match variable("SIDESTICK_STATE") {
        Some(path) => Some(PathBuf::from(path)),
        None => project().map(|project| project.join(".sidestick")),
    }
}

/// Returns the per-user folder: under the home of the passwd entry, whatever the environment says
/// (D16). Builds for tests take one from the environment.
pub(crate) fn user_root() -> Option<PathBuf> {
    #[cfg(feature = "test-root")]
    if let Some(path) = variable("SIDESTICK_TEST_USER_ROOT") {
        return Some(PathBuf::from(path));
    }
    Some(home()?.join(".local/state/sidestick"))
}

/// Reads the home folder of this uid out of the passwd file.
fn home() -> Option<PathBuf> {
    let uid = rustix::process::getuid().as_raw().to_string();
    let passwd = std::fs::read_to_string("/etc/passwd").ok()?;
    let entry = passwd.lines().find(|line| line.split(':').nth(2) == Some(uid.as_str()))?;
    entry.split(':').nth(5).filter(|home| home.starts_with('/')).map(PathBuf::from)
}

/// Returns the folder that profile folders are made in.
pub(crate) fn profiles() -> PathBuf {
    std::env::temp_dir()
}

/// Returns the guards this process is asked to leave out; only a build for tests can be asked.
///
/// # Errors
///
/// Fails at a name that is no guard's.
pub(crate) fn seams() -> Result<Vec<Seam>, DoorError> {
    #[cfg(feature = "sabotage")]
    let asked = sidestick_model::seam::asked();
    #[cfg(not(feature = "sabotage"))]
    let asked: Result<Vec<Seam>, sidestick_model::seam::UnknownSeam> = Ok(Vec::new());
    asked.map_err(|error| DoorError::new(DoorCode::UnknownSeam, error.to_string()))
}

/// Leaves out in this process what its starter chose.
pub(crate) fn leave_out(seams: &[Seam]) {
    #[cfg(feature = "sabotage")]
    sidestick_model::seam::leave_out(seams);
    #[cfg(not(feature = "sabotage"))]
    let _ = seams;
}

/// Returns the test overrides in force: what makes a run no valid evidence (VR-235).
pub(crate) fn test_overrides() -> Vec<String> {
    let mut overrides = Vec::new();
    if cfg!(feature = "test-root") && variable("SIDESTICK_TEST_USER_ROOT").is_some() {
        overrides.push("SIDESTICK_TEST_USER_ROOT".to_owned());
    }
    let seams = seams().unwrap_or_default();
    overrides.extend(seams.iter().map(|seam| format!("seam:{}", seam.as_str())));
    overrides.sort();
    overrides
}
