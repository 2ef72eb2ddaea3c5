//! Downloads of a run: taken over from where the browser left them, under names that harm nobody,
//! bound to the chain by their hash, and never opened.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use serde_json::json;
use sha2::{Digest, Sha256};

use sidestick_model::{Stamp, limits};
use sidestick_policy::Redacted;

use crate::files::{self, FilesError};
use crate::key::to_hex;
use crate::run::{Run, RunError};

/// Where the browser writes, below the run folder; nothing of it is left when the run has ended.
const INCOMING: &str = "downloads/.incoming";
/// Files of one name that are told apart by a number.
const SAME_NAME_MAX: u32 = 1_000;

/// A download in the run folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The file, relative to the run folder.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// Its SHA-256 in hex.
    pub sha256: String,
}

impl Run {
    /// Makes the folder the browser may write downloads into, and returns its whole path.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be made, or is a link.
    pub fn incoming(&self) -> Result<PathBuf, RunError> {
        let path = self.dir().join(INCOMING);
        drop(files::private_dir(&path)?);
        std::path::absolute(&path).map_err(|error| io("find", &path, files::errno(&error)).into())
    }

    /// Takes a finished download over: private, under a safe name, its hash in the chain.
    ///
    /// # Errors
    ///
    /// Fails when there is no such download, it cannot be read or named, or the chain cannot be
    /// written.
    pub fn keep_download(
        &mut self,
        key: &str,
        name: &Redacted<String>,
        at: Stamp,
    ) -> Result<Kept, RunError> {
        let incoming = incoming_file(self.dir(), key)?;
        let (bytes, sha256) = seal(&incoming)?;
        let file = take_name(self.dir(), &incoming, &safe_name(name.get()))?;
        let kept = Kept { file, bytes, sha256 };
        let body = json!({"file": kept.file, "sha256": kept.sha256, "bytes": kept.bytes});
        self.event("download", at, Redacted::from_ours(body))?;
        Ok(kept)
    }

    /// Removes a download that may not be kept.
    pub fn forget_download(&self, key: &str) {
        if let Ok(path) = incoming_file(self.dir(), key) {
            // What cannot be removed now goes with the folder when the run is closed.
            let _ = std::fs::remove_file(path);
        }
    }

    /// Removes what the browser has left unfinished.
    pub(crate) fn drop_incoming(&self) {
        // A run that is closed again has nothing left to remove.
        let _ = std::fs::remove_dir_all(self.dir().join(INCOMING));
    }
}

fn io(what: &'static str, path: &Path, source: Errno) -> FilesError {
    FilesError::Io { what, path: path.display().to_string(), source }
}

/// Returns where the browser wrote a download; its key is a name the browser made up.
fn incoming_file(dir: &Path, key: &str) -> Result<PathBuf, FilesError> {
    let path = dir.join(INCOMING);
    let is_name = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    if is_name { Ok(path.join(key)) } else { Err(io("read", &path, Errno::INVAL)) }
}

/// Makes a file private, takes off what the browser wrote beside its bytes (the addresses it came
/// from), and returns its length and hash.
fn seal(path: &Path) -> Result<(u64, String), FilesError> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(|e| io("open", path, e))?;
    let stat = rustix::fs::fstat(&file).map_err(|e| io("look at", path, e))?;
    if !rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file() {
        return Err(io("read", path, Errno::INVAL));
    }
    rustix::fs::fchmod(&file, files::FILE).map_err(|e| io("tighten", path, e))?;
    for name in ["user.xdg.origin.url", "user.xdg.referrer.url"] {
        match rustix::fs::fremovexattr(&file, name) {
            // A file system without such notes has none to take off.
            Ok(()) | Err(Errno::NODATA | Errno::NOTSUP) => {}
            Err(source) => return Err(io("tighten", path, source)),
        }
    }
    hash_of(File::from(file), path)
}

/// Returns the length and the hash of a file, read in pieces.
fn hash_of(mut file: File, path: &Path) -> Result<(u64, String), FilesError> {
    let mut digest = Sha256::new();
    let mut piece = vec![0; 256 * 1024];
    let mut length = 0_u64;
    loop {
        let read = file.read(&mut piece).map_err(|e| io("read", path, files::errno(&e)))?;
        let Some(read) = piece.get(..read).filter(|read| !read.is_empty()) else { break };
        digest.update(read);
        length = length.saturating_add(read.len() as u64);
    }
    Ok((length, to_hex(&digest.finalize())))
}

/// Returns the hash of a kept download, for the check of a record.
pub(crate) fn hash_at(path: &Path) -> Result<String, FilesError> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(|e| io("open", path, e))?;
    hash_of(File::from(file), path).map(|(_, hash)| hash)
}

/// Gives a file the first free form of a name; a name that is taken is never written over.
fn take_name(dir: &Path, from: &Path, name: &str) -> Result<String, FilesError> {
    for number in 1..=SAME_NAME_MAX {
        let file = format!("downloads/{}", numbered(name, number));
        let to = dir.join(&file);
        match rustix::fs::link(from, &to) {
            Ok(()) => {
                rustix::fs::unlink(from).map_err(|e| io("move", from, e))?;
                return Ok(file);
            }
            Err(Errno::EXIST) => {}
            Err(source) => return Err(io("make", &to, source)),
        }
    }
    Err(io("make", &dir.join(name), Errno::EXIST))
}

/// Writes the second `a.txt` as `a (2).txt`.
fn numbered(name: &str, number: u32) -> String {
    match (number, name.rsplit_once('.')) {
        (1, _) => name.to_owned(),
        (_, Some((stem, end))) if !stem.is_empty() => format!("{stem} ({number}).{end}"),
        (_, _) => format!("{name} ({number})"),
    }
}

/// Returns a name that names one file in one folder and shows what it is: no path, no control or
/// direction characters, no leading dot, of bounded length, its end kept.
pub fn safe_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last.chars().filter(|c| !is_unseen(*c)).map(harmless).collect();
    let trimmed = plain.trim_matches(|c: char| c.is_whitespace() || c == '.');
    let name = if trimmed.is_empty() { "download" } else { trimmed };
    shortened(name)
}

/// Returns whether a character is not seen, or turns the direction of others around.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c),
            0xad | 0x61c | 0x115f | 0x1160 | 0x180b..=0x180f | 0x200b..=0x200f | 0x2028..=0x202e
            | 0x2060..=0x206f | 0x3164 | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xfffd
            | 0xe0000..=0xe0fff)
}

/// Replaces what file systems or shells read as more than a letter.
fn harmless(c: char) -> char {
    match c {
        ':' | '*' | '?' | '"' | '<' | '>' | '|' | '$' | '`' | '\'' | ';' | '&' | '%' | '~' => '_',
        c if c.is_whitespace() => ' ',
        c => c,
    }
}

/// Cuts a long name in its middle, so that its beginning and its end stay.
fn shortened(name: &str) -> String {
    let max = limits::DOWNLOAD_NAME_BYTES_MAX;
    if name.len() <= max {
        return name.to_owned();
    }
    let end = name.rsplit_once('.').map(|(_, end)| end).filter(|end| end.len() <= 16);
    let end = end.map(|end| format!(".{end}")).unwrap_or_default();
    let mut room = max.saturating_sub(end.len());
    while !name.is_char_boundary(room) {
        room -= 1;
    }
    format!("{}{end}", name.get(..room).unwrap_or_default().trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_name_and_nothing_else() {
        for (asked, given) in [
            ("report.csv", "report.csv"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\x\\a.txt", "a.txt"),
            ("..", "download"),
            ("", "download"),
            (".bashrc", "bashrc"),
            ("a\u{202e}gpj.exe", "agpj.exe"),
            ("a\u{1b}[2J\r\nb.txt", "a[2Jb.txt"),
            ("a\u{200b}b\0.txt", "ab.txt"),
            ("  x . ", "x"),
            ("$(rm -rf ~);`id`.sh", "_(rm -rf _)__id_.sh"),
            ("Übersicht – März.pdf", "Übersicht – März.pdf"),
            ("con:file?.txt", "con_file_.txt"),
        ] {
            assert_eq!(safe_name(asked), given, "{asked:?}");
        }
    }

    #[test]
    fn a_long_name_keeps_its_end_and_its_letters_whole() {
        for name in [format!("{}.csv", "a".repeat(100_000)), format!("{}.csv", "ü".repeat(500))] {
            let short = safe_name(&name);

            assert!(short.len() <= limits::DOWNLOAD_NAME_BYTES_MAX, "{}", short.len());
            assert!(short.ends_with(".csv"), "{short}");
        }
        assert_eq!(safe_name(&"x".repeat(1_000_000)).len(), limits::DOWNLOAD_NAME_BYTES_MAX);
    }

    #[test]
    fn a_name_made_safe_stays_as_it_is() {
        for name in ["../a.b", "x".repeat(500).as_str(), "\u{202e}a", " .. ", "ü.é"] {
            let once = safe_name(name);
            assert_eq!(safe_name(&once), once);
        }
    }

    #[test]
    fn a_taken_name_is_numbered_and_nothing_is_written_over() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join("downloads")).unwrap();
        let names: Vec<String> = ["1", "2", "3"]
            .into_iter()
            .map(|text| {
                let from = home.path().join("from");
                std::fs::write(&from, text).unwrap();
                take_name(home.path(), &from, "a.txt").unwrap()
            })
            .collect();

        assert_eq!(names, ["downloads/a.txt", "downloads/a (2).txt", "downloads/a (3).txt"]);
        let first = std::fs::read_to_string(home.path().join("downloads/a.txt")).unwrap();
        assert_eq!(first, "1");
    }

    #[test]
    fn a_key_that_is_a_path_and_a_file_that_is_a_link_are_refused() {
        let home = tempfile::tempdir().unwrap();
        for key in ["../x", "", "a/b", "a.b"] {
            assert!(incoming_file(home.path(), key).is_err(), "{key}");
        }
        std::fs::write(home.path().join("victim"), "v").unwrap();
        let link = home.path().join("link");
        std::os::unix::fs::symlink(home.path().join("victim"), &link).unwrap();

        assert!(seal(&link).is_err());
    }
}
