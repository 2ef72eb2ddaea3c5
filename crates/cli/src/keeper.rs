//! The process that outlives a host that died: it ends the host's browser and removes its profile,
//! its socket and its entry.
//!
//! It is told over its standard input what belongs to the host. The end of that input without the
//! word that everything was let go means that the host died.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};
use serde_json::{Value, json};

/// One thing that belongs to a host, as a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Kept {
    /// A folder to remove.
    Folder(PathBuf),
    /// A file to remove.
    File(PathBuf),
    /// A process group to end, if its leader is still the one that was started then.
    Group { pid: u32, started: Option<u64> },
    /// Everything was let go by the host itself.
    Released,
}

impl Kept {
    /// Writes it as a line.
    pub(crate) fn line(&self) -> String {
        let value = match self {
            Kept::Folder(path) => json!({"folder": path}),
            Kept::File(path) => json!({"file": path}),
            Kept::Group { pid, started } => json!({"group": pid, "started": started}),
            Kept::Released => json!({"released": true}),
        };
        format!("{value}\n")
    }

    fn read(line: &str) -> Option<Kept> {
        let value: Value = serde_json::from_str(line).ok()?;
        let path = |name: &str| value.get(name).and_then(Value::as_str).map(PathBuf::from);
        if let Some(path) = path("folder") {
            return Some(Kept::Folder(path));
        }
        if let Some(path) = path("file") {
            return Some(Kept::File(path));
        }
        if let Some(pid) = value.get("group").and_then(Value::as_u64) {
            let started = value.get("started").and_then(Value::as_u64);
            return Some(Kept::Group { pid: u32::try_from(pid).ok()?, started });
        }
        value.get("released").map(|_| Kept::Released)
    }
}

/// Returns when a process was started, in ticks since boot; tells a pid from a reused one.
pub(crate) fn started(pid: u32) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may hold anything; the fields after it are counted from 3.
    let (_, rest) = stat.rsplit_once(')')?;
    rest.split_whitespace().nth(19)?.parse().ok()
}

/// Returns whether the command line of a running process names this path.
pub(crate) fn is_named_by_a_process(path: &Path) -> bool {
    let wanted = path.as_os_str().as_encoded_bytes();
    let Ok(entries) = std::fs::read_dir("/proc") else { return true };
    entries.filter_map(|entry| entry.ok()).any(|entry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        line.windows(wanted.len().max(1)).any(|part| part == wanted)
    })
}

/// Listens until the host is gone, then cleans up after it.
pub(crate) fn run() -> ExitCode {
    // A terminal that closes must not take the keeper with it.
    let _ = rustix::process::setsid();
    let mut kept = Vec::new();
    for line in BufReader::new(std::io::stdin()).lines() {
        let Ok(line) = line else { break };
        match Kept::read(&line) {
            Some(Kept::Released) => return ExitCode::SUCCESS,
            Some(thing) => kept.push(thing),
            None => {}
        }
    }
    clean_up(&kept);
    ExitCode::SUCCESS
}

fn clean_up(kept: &[Kept]) {
    for thing in kept {
        if let Kept::Group { pid, started: then } = thing {
            end_group(*pid, *then);
        }
    }
    for thing in kept {
        match thing {
            Kept::Folder(path) => remove_folder(path),
            // What is absent is removed already.
            Kept::File(path) => drop(std::fs::remove_file(path)),
            Kept::Group { .. } | Kept::Released => {}
        }
    }
}

fn end_group(pid: u32, then: Option<u64>) {
    let now = started(pid);
    if now.is_some() && now != then {
        // Another process has the number by now (VR-288).
        return;
    }
    let Some(group) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return };
    // The browser ends by itself when its pipe closes; it gets a moment for it.
    let until = Instant::now() + Duration::from_millis(700);
    while rustix::process::test_kill_process_group(group).is_ok() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = rustix::process::kill_process_group(group, Signal::KILL);
}

fn remove_folder(path: &Path) {
    for _ in 0..40 {
        match sidestick_browser::remove_profile_of_ended(path) {
            Err(_) => std::thread::sleep(Duration::from_millis(25)),
            Ok(()) => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_leads_back_to_what_is_kept() {
        for kept in [
            Kept::Folder("/tmp/a b".into()),
            Kept::File("/tmp/c".into()),
            Kept::Group { pid: 7, started: Some(9) },
            Kept::Released,
        ] {
            assert_eq!(Kept::read(kept.line().trim()), Some(kept));
        }
        assert_eq!(Kept::read("nonsense"), None);
    }

    #[test]
    fn a_process_has_a_start_and_a_number_nobody_has_does_not() {
        assert!(started(std::process::id()).is_some());
        assert_eq!(started(u32::MAX), None);
    }
}
