//! Starting processes: the host of a run, its keeper, a version query, a viewer.

use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{ChildStdin, Command, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use sidestick_host::protocol::{HostSaid, HostStart};
use sidestick_model::call::{DoorCode, DoorError};

use crate::wire;

/// Time a host gets to begin a run: the launch, the target, the first look with its picture, and
/// as long again as it may take to end what it has started.
const BEGIN_TIME_MAX: Duration = Duration::from_secs(75);

/// Settings of the C library's allocator (mallopt(3)): what one large answer took goes back to the
/// system when it has been sent.
const ALLOCATOR: [(&str, &str); 3] = [
    ("MALLOC_ARENA_MAX", "1"),
    ("MALLOC_MMAP_THRESHOLD_", "65536"),
    ("MALLOC_TRIM_THRESHOLD_", "131072"),
];

fn own_executable() -> Result<std::path::PathBuf, DoorError> {
    std::env::current_exe()
        .map_err(|_| DoorError::new(DoorCode::Internal, "the program cannot find itself"))
}

/// Starts the host of a run and waits for what it says of the beginning.
pub(crate) async fn host(start: &HostStart) -> Result<HostSaid, DoorError> {
    let failed = |why: &str| DoorError::new(DoorCode::Internal, format!("the host {why}"));
    let mut secrets: Vec<String> = match &start.credentials {
        Some((username, password)) => vec![username.clone(), password.clone()],
        None => Vec::new(),
    };
    secrets.extend(start.secrets.iter().map(|(_, value)| value.clone()));
    secrets.extend(start.redacted.iter().cloned());
    let mut child = tokio::process::Command::new(own_executable()?)
        .arg("__host")
        .env_clear()
        .envs(wire::environment_for_child(&secrets))
        .envs(ALLOCATOR)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .map_err(|error| failed(&format!("cannot be started: {error}")))?;
    let line = serde_json::to_string(start).map_err(|_| failed("cannot be told what to do"))?;
    let mut stdin = child.stdin.take().ok_or_else(|| failed("has no input"))?;
    let told = async {
        stdin.write_all(line.as_bytes()).await?;
        stdin.write_all(b"\n").await?;
        stdin.shutdown().await
    };
    told.await.map_err(|_| failed("went away at once"))?;
    let stdout = child.stdout.take().ok_or_else(|| failed("has no output"))?;
    let mut said = String::new();
    let mut lines = BufReader::new(stdout);
    let read = tokio::time::timeout(BEGIN_TIME_MAX, lines.read_line(&mut said)).await;
    let Ok(read) = read else {
        // Its keeper cleans up after it. One that has ended by itself needs no killing.
        let _ = child.start_kill();
        return Err(failed("did not begin the run in time"));
    };
    read.map_err(|_| failed("said nothing"))?;
    match serde_json::from_str(&said) {
        Ok(said) => Ok(said),
        Err(_) => Err(failed("ended before the run had begun")),
    }
}

/// Starts the process that cleans up when this one dies; it listens on the returned line.
pub(crate) fn keeper() -> std::io::Result<ChildStdin> {
    let executable = std::env::current_exe()?;
    let mut child = Command::new(executable)
        .arg("__keeper")
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    child.stdin.take().ok_or_else(|| std::io::ErrorKind::BrokenPipe.into())
}

/// Returns whether a process is a host of this program.
pub(crate) fn is_host(pid: u32) -> bool {
    let command = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    command.split(|byte| *byte == 0).nth(1) == Some(b"__host".as_slice())
}

/// Ends a host that does not answer; its keeper cleans up after it. Only a process that is a host
/// of this program is ended: its number may be somebody else's by now (VR-288).
pub(crate) fn end_host(number: u32) -> bool {
    let pid = i32::try_from(number).ok().and_then(rustix::process::Pid::from_raw);
    match pid {
        Some(pid) if is_host(number) => {
            rustix::process::kill_process(pid, rustix::process::Signal::KILL).is_ok()
        }
        Some(_) | None => false,
    }
}

/// Time a program that tells a secret gets; past it there is none.
const SECRET_TIME_MAX: Duration = Duration::from_secs(30);

/// Runs a program that tells a secret, and returns the first line it prints; what it printed is
/// never told, and neither are its arguments.
///
/// # Errors
///
/// Says in a few words why there is none.
pub(crate) async fn secret(words: &[String]) -> Result<String, String> {
    let (program, arguments) = words.split_first().ok_or("no program is named")?;
    let running = tokio::process::Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(wire::environment_for_child(&[]))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .output();
    let output = tokio::time::timeout(SECRET_TIME_MAX, running).await;
    let output = output.map_err(|_| "its program did not end in time")?;
    let output = output.map_err(|_| format!("`{program}` cannot be started"))?;
    if !output.status.success() {
        return Err(format!("`{program}` failed"));
    }
    let text = String::from_utf8(output.stdout).map_err(|_| "what it prints is not UTF-8")?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// Asks a browser for its version.
pub(crate) fn browser_version(executable: &Path) -> Option<String> {
    let output = Command::new(executable)
        .arg("--version")
        .env_clear()
        .envs(wire::environment_for_child(&[]))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().find(|line| line.chars().any(|c| c.is_ascii_digit())).map(|l| l.trim().to_owned())
}

/// Opens a file in whatever shows such files on this desktop.
pub(crate) fn show(path: &Path) -> std::io::Result<()> {
    Command::new("xdg-open")
        .arg(path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map(drop)
}
