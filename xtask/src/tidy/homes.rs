//! Where each effect lives: the one table of homes, and the check that nothing acts elsewhere.
//!
//! Reads text: an effect behind a re-export or a macro of our own is for a reviewer to see.
//! Test code is exempt.

use anyhow::Result;
use regex::Regex;

use super::Violation;
use super::tree::{Tree, matches};

/// One effect, how it looks in code, and the only places that may have it.
struct Effect {
    what: &'static str,
    pattern: &'static str,
    /// Below `crates/`: a file, or a folder when it ends in `/`. A home need not exist yet.
    homes: &'static [&'static str],
    /// What a reader is told to do instead.
    instead: &'static str,
}

const EFFECTS: &[Effect] = &[
    Effect {
        what: "writes files",
        pattern: r"(?x)
            \bfs::(write|create_dir|create_dir_all|remove_file|remove_dir|remove_dir_all|rename
                |copy|set_permissions|hard_link|mkdirat|unlinkat|renameat|symlinkat|DirBuilder)\b
            | \bFile::(create|create_new|options)\b
            | \bOpenOptions\b
            | \bOFlags::(CREATE|WRONLY|RDWR|APPEND)\b
            | \bunix::fs::symlink\b
            | \btempfile(_in)?\s*\( | \btempdir(_in)?\s*\( | \bTempDir::new\b
            | \bNamedTempFile::new\b | \btempfile::Builder\b",
        homes: &[
            "evidence/src/",
            "capability/src/catalog.rs",
            "host/src/socket.rs",
            "host/src/registry.rs",
            "host/src/brake.rs",
            "host/src/lock.rs",
            "browser/src/launch.rs",
            "browser/src/launch/",
            "browser/src/downloads.rs",
            "desktop/src/launch.rs",
            "cli/src/",
        ],
        instead: "give it to `evidence`",
    },
    Effect {
        what: "reads files",
        pattern: r"(?x)
            \bfs::(read|read_to_string|read_dir|read_link|metadata|symlink_metadata|canonicalize
                |exists|openat|openat2)\b
            | \bFile::open\b",
        homes: &[
            "evidence/src/",
            "capability/src/catalog.rs",
            "host/src/",
            "agent/src/witness.rs",
            "browser/src/launch.rs",
            "browser/src/launch/",
            "browser/src/downloads.rs",
            "desktop/src/launch.rs",
            "cli/src/",
        ],
        instead: "a library is told, it does not look",
    },
    Effect {
        what: "reads the environment",
        pattern: r"(?x)
            \bstd::env\b(\s*::|\s*;)
            | \benv::(var|vars|var_os|vars_os|args|args_os|current_dir|set_current_dir|temp_dir
                |current_exe|home_dir|set_var|remove_var)\b",
        // `seam.rs` reads one variable, and only in builds for tests: decision 0006.
        homes: &["cli/src/", "model/src/seam.rs"],
        instead: "take it as an argument",
    },
    Effect {
        what: "starts processes",
        pattern: r"\bCommand::new\b|\bcommand_fds\b",
        homes: &[
            "browser/src/launch.rs",
            "browser/src/launch/",
            "desktop/src/launch.rs",
            "cli/src/spawn.rs",
            "cli/src/keeper.rs",
        ],
        instead: "ask a launch module",
    },
    Effect {
        what: "ends the process",
        pattern: r"\bprocess::(exit|abort)\b",
        homes: &["cli/src/main.rs", "cli/src/keeper.rs"],
        instead: "return: an exit runs no destructor, so a browser stays behind",
    },
    Effect {
        what: "starts tasks",
        pattern: r"(?x)
            \btokio::spawn\b | \btask::(spawn|spawn_blocking|spawn_local)\b | \.\s*spawn_local\b
            | \.\s*spawn_blocking\b | \bJoinSet\b",
        homes: &[
            "host/src/session.rs",
            "host/src/watch.rs",
            "host/src/server.rs",
            "browser/src/connection.rs",
            "browser/src/proxy.rs",
            "browser/src/launch.rs",
            "browser/src/launch/",
            "desktop/src/bus.rs",
            "server/src/accept.rs",
            "cli/src/demo_app.rs",
            "cli/src/demo_app/",
        ],
        instead: "one task per session owns its surface; stay in it",
    },
    Effect {
        what: "starts threads",
        pattern: r"\bthread::(spawn|scope|Builder)\b",
        homes: &[
            "host/src/",
            "browser/src/connection.rs",
            "browser/src/launch.rs",
            "browser/src/launch/",
            "desktop/src/x11.rs",
            "evidence/src/artifact.rs",
            "cli/src/",
        ],
        instead: "only pictures, pipes and launches work beside the session",
    },
    Effect {
        what: "opens sockets",
        pattern: r"(?x)
            \b(Tcp|Unix)(Listener|Stream)\b | \bUdpSocket\b | \bUnixDatagram\b
            | \btungstenite::(connect|client|accept)\b",
        homes: &[
            "browser/src/connection.rs",
            "browser/src/connection/",
            "browser/src/launch.rs",
            "browser/src/launch/",
            "browser/src/proxy.rs",
            "desktop/src/bus.rs",
            "host/src/",
            "server/src/",
            "agent/src/",
            "cli/src/demo_app.rs",
            "cli/src/demo_app/",
        ],
        instead: "use the connection you were given",
    },
    Effect {
        what: "reads the wall clock",
        pattern: r"\b(SystemTime|Timestamp|Zoned|Utc|Local)::now\b",
        homes: &["cli/src/wire.rs"],
        instead: "take a `Clock`",
    },
    Effect {
        what: "makes randomness",
        pattern: r"(?x)
            \bgetrandom\b | \bthread_rng\b | \bOsRng\b | \brand::(rng|random)\b
            | \bRandomState::new\b | /dev/u?random",
        homes: &["cli/src/wire.rs"],
        instead: "take a seed",
    },
    Effect {
        what: "prints",
        pattern: r"\be?print(ln)?!|\b(stdout|stderr)\s*\(\s*\)\s*(\.\s*(lock|write|flush)|\))",
        homes: &["cli/src/render.rs", "cli/src/render/", "server/src/mcp.rs"],
        instead: "return it to `render`",
    },
    Effect {
        what: "derives `Serialize`",
        pattern: r"\bderive\s*\([^)]*\bSerialize\b",
        homes: &[
            "model/src/",
            "evidence/src/format.rs",
            "evidence/src/format/",
            "capability/src/format.rs",
            "browser/src/protocol.rs",
            "host/src/protocol.rs",
            "server/src/",
            "cli/src/render.rs",
            "cli/src/render/",
        ],
        instead: "deriving it is a promise about a format; make it in a format module",
    },
];

/// Reports every effect outside its homes.
pub(super) fn check(tree: &Tree) -> Result<Vec<Violation>> {
    let mut found = Vec::new();
    for effect in EFFECTS {
        let pattern = Regex::new(effect.pattern)?;
        for file in tree.product().filter(|file| !is_home(&file.path, effect.homes)) {
            for (line, text) in matches(&file.shipped, &pattern) {
                let message = format!("`{text}` {}: {}", effect.what, effect.instead);
                found.push(Violation::at(&file.path, line, message));
            }
        }
    }
    Ok(found)
}

fn is_home(path: &str, homes: &[&str]) -> bool {
    let path = path.strip_prefix("crates/").unwrap_or(path);
    homes.iter().any(|home| match home.ends_with('/') {
        true => path.starts_with(home),
        false => path == *home,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(files: &[(&str, &str)]) -> Vec<String> {
        check(&Tree::of(files)).unwrap().iter().map(Violation::to_string).collect()
    }

    /// One bad line per effect: an effect whose pattern matches nothing would go unseen.
    #[test]
    fn every_effect_is_seen_outside_its_home_and_nowhere_else() {
        let bad = [
            ("writes files", "std::fs::write(a, b);"),
            ("reads files", "std::fs::read_to_string(a);"),
            ("reads the environment", "env::var(a);"),
            ("starts processes", "Command::new(a);"),
            ("ends the process", "std::process::exit(1);"),
            ("starts tasks", "tokio::spawn(a);"),
            ("starts threads", "std::thread::spawn(a);"),
            ("opens sockets", "UnixStream::connect(a);"),
            ("reads the wall clock", "SystemTime::now();"),
            ("makes randomness", "getrandom(a);"),
            ("prints", "eprintln!(a);"),
            ("derives `Serialize`", "#[derive(Debug, Serialize)]"),
        ];
        assert_eq!(bad.len(), EFFECTS.len(), "one line for each effect");

        for ((what, line), effect) in bad.iter().zip(EFFECTS) {
            let text = format!("//! x\n{line}\n");
            let home = effect.homes.first().unwrap();
            let home = if home.ends_with('/') { format!("{home}a.rs") } else { (*home).to_owned() };

            let outside = complaints(&[("crates/gate/src/a.rs", &text)]);
            let inside = complaints(&[(&format!("crates/{home}"), &text)]);
            let in_a_test = complaints(&[("crates/gate/tests/it/a.rs", &text)]);

            assert_eq!(outside.len(), 1, "{what}: {outside:?}");
            assert!(outside[0].contains(what), "{what}: {outside:?}");
            assert!(!inside.iter().any(|complaint| complaint.contains(what)), "{inside:?}");
            assert_eq!(in_a_test, Vec::<String>::new());
        }
    }

    #[test]
    fn words_in_comments_and_texts_are_not_effects() {
        let text =
            "//! Never calls println! or tokio::spawn.\nconst A: &str = \"std::fs::write\";\n";

        assert_eq!(complaints(&[("crates/gate/src/a.rs", text)]), Vec::<String>::new());
    }
}
