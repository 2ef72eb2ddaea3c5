//! Processes of this machine, found by their folder or their arguments and ended by their id.

use std::path::Path;

use rustix::process::{Pid, Signal};

fn pid_of(id: u32) -> Option<Pid> {
    i32::try_from(id).ok().and_then(Pid::from_raw)
}

/// Kills one process.
pub(crate) fn kill(id: u32) {
    signal(id, Signal::KILL);
}

/// Sends a signal to one process; one that is gone needs none.
pub(crate) fn signal(id: u32, signal: Signal) {
    if let Some(pid) = pid_of(id) {
        let _ = rustix::process::kill_process(pid, signal);
    }
}

/// Returns whether a process runs; one that has ended and was not waited for does not.
pub(crate) fn runs(id: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.trim().chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

/// Every process whose working folder or arguments lie under a folder, as id and arguments.
fn found(root: &Path) -> Vec<(u32, String)> {
    let own = std::process::id();
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let ids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let words = root.to_str().unwrap();
    ids.filter(|id| *id != own && runs(*id))
        .filter_map(|id| {
            let bytes = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            let arguments = String::from_utf8_lossy(&bytes).replace('\0', " ");
            let folder = std::fs::read_link(format!("/proc/{id}/cwd")).ok();
            let is_there = folder.is_some_and(|folder| folder.starts_with(root));
            (is_there || arguments.contains(words)).then_some((id, arguments))
        })
        .collect()
}

/// Returns the processes that belong to a folder, in words.
pub(crate) fn under(root: &Path) -> Vec<String> {
    found(root)
        .into_iter()
        .map(|(id, arguments)| {
            format!("process {id}: {}", arguments.chars().take(200).collect::<String>())
        })
        .collect()
}

/// Returns the ids of the processes of a folder that hold a word among their arguments.
pub(crate) fn with_argument(root: &Path, word: &str) -> Vec<u32> {
    let has = |arguments: &str| arguments.split(' ').any(|argument| argument == word);
    found(root).into_iter().filter(|(_, arguments)| has(arguments)).map(|(id, _)| id).collect()
}

/// Ends the processes that belong to a folder, and those they start meanwhile.
pub(crate) fn end_under(root: &Path) {
    for _ in 0..20 {
        let left = found(root);
        if left.is_empty() {
            return;
        }
        for (id, _) in left {
            kill(id);
        }
        std::thread::park_timeout(std::time::Duration::from_millis(20));
    }
}
