//! Whoever connects to a host's socket without being one of its callers: garbage, giants, silence,
//! other users, and hosts that speak another version or nothing at all.

use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::Command;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::lab::{Begun, GONE_TIME_MAX, Lab, finish, reference, start, until, wait};
use crate::processes;

/// The user of nobody.
const NOBODY: u32 = 65_534;
const STRANGERS: usize = 1_000;

/// Kilobytes of memory a process holds.
fn memory_kb(id: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// What the stranger with this number says; it then says no more.
fn words(number: usize) -> Vec<u8> {
    // A small generator of its own: the same words in every run.
    let noise = |length: usize| -> Vec<u8> {
        let mut state = u32::try_from(number).unwrap().wrapping_mul(2_654_435_761).max(1);
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state.to_be_bytes()[0]
        };
        (0..length).map(|_| next()).collect()
    };
    match number % 6 {
        0 => Vec::new(),
        1 => vec![0xff; 4],
        2 => [&[0, 0, 0x40, 0][..], &noise(200)].concat(),
        3 => noise(64),
        4 => [&[0, 0, 0, 4][..], b"null"].concat(),
        _ => [&[0, 0xf0, 0, 0][..], &noise(30_000)].concat(),
    }
}

#[test]
fn a_thousand_strangers_hold_up_no_caller_and_take_no_memory() {
    let lab = Lab::new();
    let run = lab.begin("/");
    let button = reference(&run.outline, "button \"Increment counter\"");
    lab.act(&["click", &button], "OBSERVED", None);
    let before = memory_kb(run.host);
    let socket = lab.socket(&run.id);

    let mut most = before;
    std::thread::scope(|scope| {
        let crowd = scope.spawn(|| {
            let mut held = Vec::new();
            for number in 0..STRANGERS {
                let mut stream = UnixStream::connect(&socket).unwrap();
                stream.set_write_timeout(Some(Duration::from_secs(5))).unwrap();
                // A host that has closed by now has answered.
                drop(stream.write_all(&words(number)));
                held.push(stream);
                if 300 < held.len() {
                    held.remove(0);
                }
            }
        });
        while !crowd.is_finished() {
            lab.act(&["click", &button], "OBSERVED", None);
            most = most.max(memory_kb(run.host));
        }
        crowd.join().unwrap();
    });

    lab.act(&["click", &button], "OBSERVED", None);
    let clicks = lab.ask(&["end"])["report"]["acts"].as_array().unwrap().len();
    assert_eq!(lab.app().hit("/hits/working"), u64::try_from(clicks).unwrap());
    assert!(most < before + 40_000, "from {before} to {most} kB");
}

#[test]
fn silent_strangers_take_no_place_of_a_caller() {
    let lab = Lab::new();
    let run = lab.begin("/");

    let crowd: Vec<UnixStream> =
        (0..200).map(|_| UnixStream::connect(lab.socket(&run.id)).unwrap()).collect();
    let looked = lab.json(&["observe", "--no-screenshot"]);

    looked.good();
    drop(crowd);
    lab.ask(&["end"]);
}

/// Connects as nobody and prints what came before the end; needs perl, which Debian always has.
fn connect_as_nobody(socket: &str) -> (i32, String) {
    let script = "use Socket; $SIG{PIPE} = 'IGNORE'; socket(my $s, PF_UNIX, SOCK_STREAM, 0) or exit 3; \
                  connect($s, sockaddr_un($ARGV[0])) or do { print \"$!\"; exit 4 }; \
                  my $h = '{\"sidestick\":1,\"program\":\"x\"}'; \
                  syswrite($s, pack('N', length $h) . $h); \
                  my $n = sysread($s, my $b, 100); print $n // 'reset';";
    let mut command = Command::new("setpriv");
    command.args([&format!("--reuid={NOBODY}"), &format!("--regid={NOBODY}"), "--clear-groups"]);
    command.args(["perl", "-e", script, socket]);
    let said = finish(command, b"");
    (said.exit, said.out)
}

#[test]
fn another_user_reaches_neither_the_socket_nor_a_host_behind_it() {
    if !rustix::process::geteuid().is_root() {
        println!("not root: nobody can be made to connect; `a_peer_of_another_user` runs for all");
        return;
    }
    let lab = Lab::new();
    let run = lab.begin("/");
    let socket = lab.socket(&run.id);
    let name = socket.to_str().unwrap();

    let closed = connect_as_nobody(name);
    for path in [lab.root(), &lab.user(), socket.parent().unwrap(), &socket] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o777)).unwrap();
    }
    let open = connect_as_nobody(name);
    for path in [&lab.user(), socket.parent().unwrap()] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).unwrap();
    }

    assert_eq!(closed, (4, "Permission denied".to_owned()));
    // Connected, and closed without a word.
    assert!(open.0 == 0 && matches!(open.1.as_str(), "0" | "reset"), "{open:?}");
    lab.look();
    lab.ask(&["end"]);
}

/// Puts another host in the place of a run's own, which is killed.
fn replaced(lab: &Lab, answer: &'static [u8]) -> Begun {
    let run = lab.begin("/");
    processes::kill(run.host);
    let socket = lab.socket(&run.id);
    assert!(until(GONE_TIME_MAX, || !socket.exists()), "its keeper removes the socket");
    let listener = UnixListener::bind(&socket).unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut head = [0; 4];
            stream.read_exact(&mut head).unwrap();
            let mut hello = vec![0; usize::try_from(u32::from_be_bytes(head)).unwrap()];
            stream.read_exact(&mut hello).unwrap();
            let length = u32::try_from(answer.len()).unwrap();
            stream.write_all(&length.to_be_bytes()).unwrap();
            stream.write_all(answer).unwrap();
        }
    });
    run
}

#[track_caller]
fn tells_the_version(answer: &'static [u8]) {
    let lab = Lab::new();
    let run = replaced(&lab, answer);

    let refused = lab.json(&["observe"]).refused(3, "host_version");

    assert!(!refused["hint"].as_str().unwrap().is_empty(), "{refused:#}");
    std::fs::remove_file(lab.socket(&run.id)).unwrap();
    lab.ask(&["end"]);
}

#[test]
fn a_host_of_another_version_is_told_with_the_remedy() {
    tells_the_version(
        br#"{"refused":{"error":"host_version","message":"this host speaks 2","detail":[],
            "driver_error":null,"hint":"use the program that began it"}}"#,
    );
}

#[test]
fn a_host_whose_welcome_cannot_be_read_is_of_another_version() {
    tells_the_version(br#"{"come_in":{"dance":"tango"}}"#);
}

#[test]
fn a_host_that_hangs_does_not_hang_its_callers() {
    let lab = Lab::new();
    let run = lab.begin("/");
    let button = reference(&run.outline, "button \"Increment counter\"");
    processes::signal(run.host, Signal::STOP);
    let started = Instant::now();

    let callers: Vec<_> = [
        vec!["click", &button, "--timeout", "1s", "--json"],
        vec!["observe", "--json"],
        vec!["goal", "g", "--title", "Count", "--json"],
        vec!["end", "--json"],
    ]
    .into_iter()
    .map(|args| (args[0].to_owned(), start(lab.command(&args))))
    .collect();
    for (name, child) in callers {
        let refused = wait(child, &name).refused(3, "host_gone");
        assert!(refused["hint"].as_str().unwrap().contains("stop"), "{refused:#}");
    }
    let took = started.elapsed();

    assert!(took < Duration::from_secs(10), "{took:?}");
    lab.ask(&["stop"]);
    lab.ask(&["end"]);
    assert_eq!(lab.app().hit("/hits/working"), 0);
}

#[test]
fn a_host_that_hangs_in_the_middle_of_an_act_is_told_and_the_act_is_unknown() {
    let lab = Lab::new();
    let run = lab.begin("/");
    let notes = reference(&run.outline, "textbox \"Notes\"");
    let text = "abcdefghi ".repeat(500);
    let args = ["type", &notes, "--text", &text, "--timeout", "1s", "--json"];
    let child = start(lab.command(&args));
    let has_begun = || !lab.app().hits()["text"].as_str().unwrap().is_empty();
    assert!(until(Duration::from_secs(10), has_begun), "nothing of the text arrived");

    processes::signal(run.host, Signal::STOP);
    let started = Instant::now();
    let refused = wait(child, "type").refused(3, "host_gone");
    let took = started.elapsed();

    // Its own second, the picture before it, and two chances to show that the host lives.
    assert!(took < Duration::from_secs(1 + 5 + 5 + 5 + 3), "{took:?}");
    assert!(refused["hint"].as_str().unwrap().contains("may have happened"), "{refused:#}");
    lab.ask(&["stop"]);
    let act = lab.ask(&["end"])["report"]["acts"][0].clone();
    assert_eq!(
        (act["status"].as_str(), act["code"].as_str()),
        (Some("UNKNOWN"), Some("recovered"))
    );
}

#[test]
fn one_host_that_hangs_keeps_no_other_from_being_told() {
    let lab = Lab::new();
    let runs = [lab.begin("/"), lab.begin("/"), lab.begin("/")];
    for run in &runs[..2] {
        processes::signal(run.host, Signal::STOP);
    }
    let started = Instant::now();

    let paused = lab.json(&["pause"]);
    let took = started.elapsed();

    // Two that hang take as long as one.
    assert!(took < Duration::from_secs(8), "{took:?}");
    let refused = paused.refused(4, "driver_error");
    assert_eq!(refused["detail"].as_array().unwrap().len(), 2, "{refused:#}");
    let told = lab.json(&["status", "--run", &runs[2].id]).value();
    assert_eq!(told["state"], "paused", "{told:#}");
    lab.ask(&["stop"]);
    for run in &runs {
        lab.ask(&["end", "--run", &run.id]);
    }
}
