//! A man in the middle on a browser's debugging pipe: it forwards, logs, and fails as planned.
//!
//! It is started in the browser's place, by a wrapper that makes the two ends of the pipe its
//! standard input and output:
//!
//! ```sh
//! exec faulty_wire PLAN LOG BROWSER "$@" <&3 >&4 3<&- 4>&-
//! ```
//!
//! The plan has one fault a line: a word, a place, and for `delay` the milliseconds. A place is the
//! number of a message from the host, from 0, or `METHOD#K`, the K-th message of that method, from 0.
//! The plan is read again for each message, so a test may write it when it has come that far.
//!
//! The pipe stays a death link: when the host's ends close, the browser's are closed, and a browser
//! that does not end by itself then is killed.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use command_fds::{CommandFdExt, FdMapping};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::Deserialize;
use serde_json::json;

/// Time a browser gets to end by itself once its pipe is closed.
const END_TIME_MAX: Duration = Duration::from_secs(2);
/// Bytes of the frame that is larger than any host takes.
const GIANT_BYTES: usize = 80 * 1024 * 1024;
/// Ids of messages that are ours and not the host's begin here; a browser takes 31 bits.
const OWN_IDS: u64 = 1_000_000_000;

/// What happens to one message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is not forwarded; its id is answered with an error.
    Fail,
    /// It is not forwarded and never answered.
    Drop,
    /// It and everything behind it are forwarded later.
    Delay(Duration),
    /// It is forwarded; its answer is not.
    DropAnswer,
    /// Both directions to the host are closed, as if the browser were gone.
    Close,
    /// The host can no longer write; what the browser says still reaches it.
    HalfCloseIn,
    /// The host can no longer read; what it writes still reaches the browser.
    HalfCloseOut,
    /// Nothing of the host's is read any more; nothing is closed.
    Deaf,
    /// A frame that is no message is written to the host first.
    Garbage,
    /// A frame larger than any limit is written to the host first.
    Giant,
    /// The browser is killed.
    CrashBrowser,
    /// The renderer of the message's page is crashed first.
    CrashPage,
    /// From here on nothing passes in either direction.
    StallAll,
}

/// Which message a fault is for.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Number(u64),
    Method(String, u64),
}

/// Reads the faults of a plan; a line that says nothing known is an error.
///
/// # Errors
///
/// Fails with the line.
fn plan(text: &str) -> Result<Vec<(Place, Fault)>, String> {
    text.lines().filter(|line| !line.trim().is_empty()).map(fault).collect()
}

fn fault(line: &str) -> Result<(Place, Fault), String> {
    let mut words = line.split_whitespace();
    let (word, place) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let place = match (place.split_once('#'), place.parse()) {
        (Some((method, count)), _) => {
            Place::Method(method.to_owned(), count.parse().map_err(|_| line.to_owned())?)
        }
        (None, Ok(number)) => Place::Number(number),
        (None, Err(_)) => return Err(line.to_owned()),
    };
    let millis = words.next().and_then(|word| word.parse().ok());
    let fault = match (word, millis) {
        ("fail", None) => Fault::Fail,
        ("drop", None) => Fault::Drop,
        ("delay", Some(millis)) => Fault::Delay(Duration::from_millis(millis)),
        ("drop-answer", None) => Fault::DropAnswer,
        ("close-at", None) => Fault::Close,
        ("half-close-in", None) => Fault::HalfCloseIn,
        ("half-close-out", None) => Fault::HalfCloseOut,
        ("deaf", None) => Fault::Deaf,
        ("garbage", None) => Fault::Garbage,
        ("giant", None) => Fault::Giant,
        ("crash-browser", None) => Fault::CrashBrowser,
        ("crash-page", None) => Fault::CrashPage,
        ("stall-all", None) => Fault::StallAll,
        _ => return Err(line.to_owned()),
    };
    Ok((place, fault))
}

/// What of a message decides.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Head {
    id: Option<u64>,
    method: Option<String>,
    session_id: Option<String>,
}

/// What both directions share.
#[derive(Debug)]
struct Middle {
    to_host: Mutex<Option<File>>,
    to_browser: Mutex<Option<File>>,
    browser: Mutex<Child>,
    /// Ids whose answers are kept from the host.
    kept: Mutex<HashSet<u64>>,
    is_stalled: Mutex<bool>,
    log: Mutex<File>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a frame to a direction that may be closed by now.
fn put(end: &Mutex<Option<File>>, frame: &[u8]) {
    let mut end = lock(end);
    let failed = end
        .as_mut()
        .is_some_and(|file| file.write_all(frame).and_then(|()| file.write_all(b"\0")).is_err());
    if failed {
        *end = None;
    }
}

impl Middle {
    /// Writes one line of the log: when, from whom, what, and what became of it.
    fn log(&self, from: &str, number: Option<u64>, head: &Head, became: &str) {
        let line = json!({"ns": monotonic_ns(), "from": from, "n": number, "id": head.id,
            "method": head.method, "session": head.session_id, "became": became});
        // A log that cannot be written fails the test that reads it.
        let _ = lock(&self.log).write_all(format!("{line}\n").as_bytes());
    }

    fn close_to_host(&self) {
        *lock(&self.to_host) = None;
    }

    fn kill_browser(&self) {
        // One that has ended needs no killing.
        let _ = lock(&self.browser).kill();
    }

    /// Closes the browser's pipe and waits for its end; kills it when it does not come.
    fn end_browser(&self) {
        *lock(&self.to_browser) = None;
        let until = Instant::now() + END_TIME_MAX;
        while Instant::now() < until {
            if !matches!(lock(&self.browser).try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.kill_browser();
        let _ = lock(&self.browser).wait();
    }
}

fn monotonic_ns() -> u64 {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    let (seconds, nanos) = (u64::try_from(now.tv_sec), u64::try_from(now.tv_nsec));
    seconds.unwrap_or(0) * 1_000_000_000 + nanos.unwrap_or(0)
}

/// The program: `faulty_wire PLAN LOG BROWSER [ARGUMENT..]`.
pub fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(plan), Some(log), Some(browser)) =
        (arguments.next(), arguments.next(), arguments.next())
    else {
        return ExitCode::from(2);
    };
    let mut command = Command::new(browser);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null());
    let (from_host, to_host) = take_standard_ends();
    let (child, from_browser, to_browser) = start(command);
    let log = File::options().append(true).create(true).open(log).unwrap();
    let middle = Arc::new(Middle {
        to_host: Mutex::new(Some(to_host)),
        to_browser: Mutex::new(Some(to_browser)),
        browser: Mutex::new(child),
        kept: Mutex::default(),
        is_stalled: Mutex::new(false),
        log: Mutex::new(log),
    });
    let backward = Arc::clone(&middle);
    std::thread::spawn(move || {
        carry_back(&backward, from_browser);
        // The browser is gone: so is this process, for whoever holds the other ends.
        backward.close_to_host();
        backward.kill_browser();
        let _ = lock(&backward.browser).wait();
        std::process::exit(0);
    });
    carry(&middle, from_host, &plan.into());
    middle.end_browser();
    ExitCode::SUCCESS
}

/// Moves the pipe away from the standard ends, so that dropping a file closes its direction.
fn take_standard_ends() -> (File, File) {
    let own = |end: std::os::fd::BorrowedFd<'_>| rustix::io::fcntl_dupfd_cloexec(end, 10).unwrap();
    let ends = (own(std::io::stdin().as_fd()).into(), own(std::io::stdout().as_fd()).into());
    let null = File::options().read(true).write(true).open("/dev/null").unwrap();
    rustix::stdio::dup2_stdin(&null).unwrap();
    rustix::stdio::dup2_stdout(&null).unwrap();
    ends
}

/// Starts the browser; returns its process, what it says and what it listens to.
fn start(mut command: Command) -> (Child, File, File) {
    let pipe = || rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).unwrap();
    let ((listens, to_browser), (from_browser, says)): ((OwnedFd, OwnedFd), (OwnedFd, OwnedFd)) =
        (pipe(), pipe());
    command
        .fd_mappings(vec![
            FdMapping { parent_fd: listens, child_fd: 3 },
            FdMapping { parent_fd: says, child_fd: 4 },
        ])
        .unwrap();
    let child = command.spawn().unwrap();
    // The command holds the browser's ends until it is dropped.
    drop(command);
    (child, from_browser.into(), to_browser.into())
}

/// Frames that end in NUL, as they come.
struct Frames {
    file: File,
    buffer: Vec<u8>,
}

impl Frames {
    fn new(file: File) -> Frames {
        Frames { file, buffer: Vec::new() }
    }

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut searched = 0;
        loop {
            if let Some(length) = self.buffer.iter().skip(searched).position(|byte| *byte == 0) {
                let mut frame: Vec<u8> = self.buffer.drain(..=searched + length).collect();
                frame.pop();
                return Some(frame);
            }
            searched = self.buffer.len();
            let mut more = vec![0; 64 * 1024];
            match self.file.read(&mut more) {
                Ok(0) | Err(_) => return None,
                Ok(length) => self.buffer.extend(more.into_iter().take(length)),
            }
        }
    }
}

/// Carries what the browser says to the host until the browser's end closes.
fn carry_back(middle: &Middle, from_browser: File) {
    let mut frames = Frames::new(from_browser);
    while let Some(frame) = frames.next() {
        let head: Head = serde_json::from_slice(&frame).unwrap_or_default();
        let is_kept = head.id.is_some_and(|id| lock(&middle.kept).contains(&id) || OWN_IDS <= id);
        if is_kept || *lock(&middle.is_stalled) {
            middle.log("browser", None, &head, "kept");
            continue;
        }
        // Before the write: whoever reads the answer can rely on the line.
        middle.log("browser", None, &head, "forwarded");
        put(&middle.to_host, &frame);
    }
}

/// Carries what the host says to the browser until the host's end closes.
fn carry(middle: &Middle, from_host: File, path: &PathBuf) {
    let mut frames = Frames::new(from_host);
    let mut seen: HashMap<String, u64> = HashMap::new();
    let mut number = 0;
    while let Some(frame) = frames.next() {
        let head: Head = serde_json::from_slice(&frame).unwrap_or_default();
        let method = head.method.clone().unwrap_or_default();
        let count = seen.entry(method.clone()).or_default();
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let planned = plan(&text).unwrap();
        let is_meant = |place: &Place| match place {
            Place::Number(meant) => *meant == number,
            Place::Method(meant, which) => *meant == method && which == count,
        };
        let fault = planned.into_iter().find(|(place, _)| is_meant(place)).map(|(_, fault)| fault);
        *count += 1;
        let stalled = *lock(&middle.is_stalled);
        match fault {
            _ if stalled => middle.log("host", Some(number), &head, "stalled"),
            None => {
                middle.log("host", Some(number), &head, "forwarded");
                put(&middle.to_browser, &frame);
            }
            Some(fault) => {
                middle.log("host", Some(number), &head, &format!("{fault:?}"));
                if !fail(middle, fault, &head, &frame, &mut frames) {
                    return;
                }
            }
        }
        number += 1;
    }
}

/// Does to one message what is planned; false when nothing more of the host's is carried.
fn fail(middle: &Middle, fault: Fault, head: &Head, frame: &[u8], frames: &mut Frames) -> bool {
    match fault {
        Fault::Fail => {
            let error = json!({"code": -32000, "message": "a planned fault"});
            let answer = match &head.session_id {
                Some(session) => json!({"id": head.id, "error": error, "sessionId": session}),
                None => json!({"id": head.id, "error": error}),
            };
            put(&middle.to_host, answer.to_string().as_bytes());
            return true;
        }
        Fault::Drop => return true,
        Fault::Delay(time) => std::thread::sleep(time),
        Fault::DropAnswer => {
            lock(&middle.kept).extend(head.id);
        }
        Fault::Close => {
            middle.close_to_host();
            frames.file = File::open("/dev/null").unwrap();
            return false;
        }
        Fault::HalfCloseIn => {
            frames.file = File::open("/dev/null").unwrap();
            wait_for_the_host(|| lock(&middle.to_host).as_ref().and_then(|f| f.try_clone().ok()));
            return false;
        }
        Fault::Deaf => {
            wait_for_the_host(|| frames.file.try_clone().ok());
            return false;
        }
        Fault::HalfCloseOut => middle.close_to_host(),
        Fault::Garbage => put(&middle.to_host, b"{\"id\": not a message \xff\xfe"),
        Fault::Giant => put(&middle.to_host, &vec![b'x'; GIANT_BYTES]),
        Fault::CrashBrowser => {
            middle.kill_browser();
            return true;
        }
        Fault::CrashPage => {
            let id = OWN_IDS + head.id.unwrap_or(0);
            let crash = json!({"id": id, "method": "Page.crash", "sessionId": head.session_id});
            put(&middle.to_browser, crash.to_string().as_bytes());
        }
        Fault::StallAll => {
            *lock(&middle.is_stalled) = true;
            return true;
        }
    }
    put(&middle.to_browser, frame);
    true
}

/// Waits until the host has closed the other side of this end; it is the death link that is left.
fn wait_for_the_host(end: impl Fn() -> Option<File>) {
    while let Some(file) = end() {
        let mut asked = [PollFd::new(&file, PollFlags::empty())];
        let step = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
        let is_told = poll(&mut asked, Some(&step)).unwrap_or(0) != 0;
        if is_told {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_names_messages_by_number_or_by_method() {
        let planned = plan("fail 3\n\ndelay Page.navigate#1 250\n").unwrap();

        let method = Place::Method("Page.navigate".to_owned(), 1);
        assert_eq!(
            planned,
            [(Place::Number(3), Fault::Fail), (method, Fault::Delay(Duration::from_millis(250)))]
        );
    }

    #[test]
    fn a_plan_that_is_not_understood_is_not_passed_over() {
        for line in ["fail", "lose 3", "fail x", "delay 3", "fail 3 100", "drop Page.navigate"] {
            assert_eq!(plan(line), Err(line.to_owned()), "{line}");
        }
    }
}
