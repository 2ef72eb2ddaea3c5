//! Private files: folders of 0700 and files of 0600, opened without following links (VR-026 to
//! VR-037).

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, FlockOperation, Mode, OFlags};
use rustix::io::Errno;

use sidestick_model::{RunId, Seam, limits};

const DIR: Mode = Mode::RWXU;
pub(crate) const FILE: Mode = Mode::from_raw_mode(0o600);

/// Why a file of ours cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    /// A link, another kind of file, or somebody else's.
    #[error("`{path}` is not a folder of this user's own")]
    Unsafe {
        /// The path.
        path: String,
    },
    /// The system said no.
    #[error("cannot {what} `{path}`")]
    Io {
        /// What was tried.
        what: &'static str,
        /// The path.
        path: String,
        /// Why.
        #[source]
        source: Errno,
    },
    /// Somebody holds the lock.
    #[error("`{path}` is in use")]
    Locked {
        /// The path.
        path: String,
    },
}

impl FilesError {
    /// Returns the stable code.
    pub fn code(&self) -> &'static str {
        match self {
            FilesError::Unsafe { .. } => "unsafe_state_path",
            FilesError::Io { .. } => "state_unwritable",
            FilesError::Locked { .. } => "busy",
        }
    }
}

fn io(what: &'static str, path: &Path) -> impl FnOnce(Errno) -> FilesError {
    let path = path.display().to_string();
    move |source| FilesError::Io { what, path, source }
}

/// Opens a folder of this user's own, making it when it is absent, and tightens its mode on the
/// same descriptor.
///
/// # Errors
///
/// Fails on a link, another kind of file, another owner, or when it cannot be made.
pub fn private_dir(path: &Path) -> Result<OwnedFd, FilesError> {
    match rustix::fs::mkdir(path, DIR) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(source) => return Err(io("make", path)(source)),
    }
    own_dir(path, true)
}

/// Opens an existing folder of this user's own.
fn own_dir(path: &Path, tighten: bool) -> Result<OwnedFd, FilesError> {
    let wrong = || FilesError::Unsafe { path: path.display().to_string() };
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
    let dir = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(dir) => dir,
        Err(Errno::LOOP | Errno::NOTDIR) => return Err(wrong()),
        Err(source) => return Err(io("open", path)(source)),
    };
    let stat = rustix::fs::fstat(&dir).map_err(io("look at", path))?;
    if stat.st_uid != rustix::process::geteuid().as_raw() {
        return Err(wrong());
    }
    if tighten && Mode::from_raw_mode(stat.st_mode) != DIR {
        rustix::fs::fchmod(&dir, DIR).map_err(io("tighten", path))?;
    }
    Ok(dir)
}

/// Writes a whole file: into a private one beside it, flushed, then renamed over (VR-031).
///
/// # Errors
///
/// On any failure the old file is whole and nothing is left beside it.
pub fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), FilesError> {
    write_beside(path, bytes, true)
}

/// Writes a whole file as [`write_atomic`] does, without waiting for the disk: it survives the end
/// of this process, not a loss of power.
///
/// # Errors
///
/// As [`write_atomic`].
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FilesError> {
    write_beside(path, bytes, false)
}

fn write_beside(path: &Path, bytes: &[u8], flush: bool) -> Result<(), FilesError> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("file");
    let unique = std::process::id();
    let beside = path.with_file_name(format!(".{name}.{unique}.tmp"));
    let flags =
        OFlags::CREATE | OFlags::TRUNC | OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let written = (|| {
        let file = rustix::fs::open(&beside, flags, FILE)?;
        rustix::fs::fchmod(&file, FILE)?;
        let mut file = File::from(file);
        file.write_all(bytes).map_err(|error| errno(&error))?;
        if flush {
            rustix::fs::fdatasync(&file)?;
        }
        rustix::fs::rename(&beside, path)
    })();
    if let Err(source) = written {
        // The failure that matters is the one being returned.
        let _ = rustix::fs::unlinkat(CWD, &beside, AtFlags::empty());
        return Err(io("write", path)(source));
    }
    Ok(())
}

/// Writes a whole file where there is none; one that is there stays as it is.
///
/// # Errors
///
/// Fails when it cannot be written.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), FilesError> {
    if rustix::fs::lstat(path).is_ok() {
        return Ok(());
    }
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("file");
    let beside = path.with_file_name(format!(".{name}.{}.new", std::process::id()));
    write_atomic(&beside, bytes)?;
    let linked = rustix::fs::link(&beside, path);
    // The name beside has done its work whatever came of it.
    let _ = rustix::fs::unlink(&beside);
    match linked {
        Ok(()) | Err(Errno::EXIST) => Ok(()),
        Err(source) => Err(io("make", path)(source)),
    }
}

/// Opens a file for appending, private and without following links.
///
/// # Errors
///
/// Fails when it cannot be made or is a link.
pub fn append_file(path: &Path) -> Result<File, FilesError> {
    let flags = OFlags::CREATE | OFlags::APPEND | OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, FILE).map_err(io("open", path))?;
    rustix::fs::fchmod(&file, FILE).map_err(io("tighten", path))?;
    Ok(File::from(file))
}

/// Waits until a file is on the disk.
///
/// # Errors
///
/// Fails when it cannot be opened, or the disk says so.
pub fn flush_at(path: &Path) -> Result<(), FilesError> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(io("open", path))?;
    rustix::fs::fdatasync(&file).map_err(io("flush", path))
}

/// Opens a file of lines for appending and reads it, cutting off a torn last line.
///
/// # Errors
///
/// Fails when it is absent, longer than `bytes_max`, or cannot be opened or read.
pub fn reopen_lines(path: &Path, bytes_max: u64) -> Result<(File, Vec<u8>), FilesError> {
    let mut bytes = read_file(path, bytes_max)?;
    let file = append_file(path)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    if whole < bytes.len() {
        rustix::fs::ftruncate(&file, whole as u64).map_err(io("shorten", path))?;
        bytes.truncate(whole);
    }
    Ok((file, bytes))
}

/// Appends one line with one write; a short write is taken back.
///
/// # Errors
///
/// Fails when the whole line is not in the file.
pub fn append_line(file: &File, path: &Path, line: &[u8]) -> Result<(), FilesError> {
    let mut bytes = Vec::with_capacity(line.len() + 1);
    bytes.extend_from_slice(line);
    bytes.push(b'\n');
    let written = rustix::io::write(file, &bytes).map_err(io("append to", path))?;
    if written == bytes.len() {
        return Ok(());
    }
    let length = rustix::fs::fstat(file).map_err(io("look at", path))?.st_size;
    let kept = u64::try_from(length).unwrap_or(0).saturating_sub(written as u64);
    rustix::fs::ftruncate(file, kept).map_err(io("shorten", path))?;
    Err(io("append to", path)(Errno::NOSPC))
}

/// Waits until what was appended is on the disk.
///
/// # Errors
///
/// Fails when the disk says so.
pub fn flush(file: &File, path: &Path) -> Result<(), FilesError> {
    rustix::fs::fdatasync(file).map_err(io("flush", path))
}

/// Reads a file of at most `bytes_max` bytes without following a link.
///
/// # Errors
///
/// Fails when it is absent, a link, no plain file, or longer.
pub fn read_file(path: &Path, bytes_max: u64) -> Result<Vec<u8>, FilesError> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let file = rustix::fs::open(path, flags, Mode::empty()).map_err(io("open", path))?;
    let stat = rustix::fs::fstat(&file).map_err(io("look at", path))?;
    let is_file = rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file();
    if !is_file || bytes_max < u64::try_from(stat.st_size).unwrap_or(u64::MAX) {
        return Err(io("read", path)(Errno::FBIG));
    }
    let mut bytes = Vec::new();
    File::from(file)
        .take(bytes_max)
        .read_to_end(&mut bytes)
        .map_err(|error| io("read", path)(errno(&error)))?;
    Ok(bytes)
}

pub(crate) fn errno(error: &std::io::Error) -> Errno {
    Errno::from_io_error(error).unwrap_or(Errno::IO)
}

/// An exclusive lock on a file, held while this value lives; it ends with the process, however
/// that ends.
#[derive(Debug)]
pub struct FileLock {
    _file: OwnedFd,
}

impl FileLock {
    /// Takes the lock, or fails at once.
    ///
    /// # Errors
    ///
    /// [`FilesError::Locked`] when somebody holds it.
    pub fn take(path: &Path) -> Result<FileLock, FilesError> {
        let flags = OFlags::CREATE | OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::open(path, flags, FILE).map_err(io("open", path))?;
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(FileLock { _file: file }),
            Err(Errno::WOULDBLOCK) if Seam::RunLock.is_broken() => Ok(FileLock { _file: file }),
            Err(Errno::WOULDBLOCK) => Err(FilesError::Locked { path: path.display().to_string() }),
            Err(source) => Err(io("lock", path)(source)),
        }
    }

    /// Returns whether somebody holds the lock, without being in anybody's way.
    pub fn is_held(path: &Path) -> bool {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let Ok(file) = rustix::fs::open(path, flags, Mode::empty()) else { return false };
        let shared = rustix::fs::flock(&file, FlockOperation::NonBlockingLockShared);
        matches!(shared, Err(Errno::WOULDBLOCK))
    }
}

/// The folder `.sidestick` of a project.
#[derive(Debug, Clone)]
pub struct StateRoot {
    path: PathBuf,
}

impl StateRoot {
    /// Opens the state folder at `path`, making it and its parts when they are absent.
    ///
    /// # Errors
    ///
    /// Fails when one of them is not a folder of this user's own (VR-030) or cannot be made.
    pub fn open(path: &Path) -> Result<StateRoot, FilesError> {
        private_dir(path)?;
        private_dir(&path.join("runs"))?;
        let root = StateRoot { path: path.to_owned() };
        root.ignore_itself()?;
        Ok(root)
    }

    /// Opens the state folder when it is there.
    ///
    /// # Errors
    ///
    /// Fails when it is not a folder of this user's own.
    pub fn existing(path: &Path) -> Result<Option<StateRoot>, FilesError> {
        for part in [path.to_owned(), path.join("runs")] {
            match own_dir(&part, false) {
                Ok(_) => {}
                Err(FilesError::Io { source: Errno::NOENT, .. }) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Ok(Some(StateRoot { path: path.to_owned() }))
    }

    /// Returns the folder of a run.
    pub fn run_dir(&self, run: &RunId) -> PathBuf {
        self.path.join("runs").join(run.as_str())
    }

    /// Returns the folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the ids of the runs, oldest first.
    ///
    /// # Errors
    ///
    /// Fails when the folder cannot be listed.
    pub fn runs(&self) -> Result<Vec<RunId>, FilesError> {
        let path = self.path.join("runs");
        let listed = std::fs::read_dir(&path)
            .map_err(|error| io("list", &path)(errno(&error)))?
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter_map(|name| RunId::parse(&name).ok());
        let mut runs: Vec<RunId> = listed.collect();
        runs.sort();
        Ok(runs)
    }

    /// Opens the folder of a run that exists, refusing links and strangers' folders (VR-030).
    ///
    /// # Errors
    ///
    /// Fails when it is absent or not this user's own.
    pub fn existing_run(&self, run: &RunId) -> Result<PathBuf, FilesError> {
        let dir = self.run_dir(run);
        own_dir(&dir, false)?;
        Ok(dir)
    }

    /// Keeps `*` as the last pattern of the folder's own `.gitignore` (VR-028).
    fn ignore_itself(&self) -> Result<(), FilesError> {
        let path = self.path.join(".gitignore");
        let is_link = rustix::fs::lstat(&path)
            .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode).is_symlink());
        let old = if is_link { Vec::new() } else { read_file(&path, 65_536).unwrap_or_default() };
        let old = String::from_utf8_lossy(&old).into_owned();
        let last = old.lines().rev().find(|line| {
            let line = line.trim();
            !line.is_empty() && !line.starts_with('#')
        });
        if last == Some("*") && !is_link {
            return Ok(());
        }
        let gap = if old.is_empty() || old.ends_with('\n') { "" } else { "\n" };
        write_atomic(&path, format!("{old}{gap}*\n").as_bytes())
    }
}

/// Makes the private folders of a new run.
///
/// # Errors
///
/// Fails when the run exists or cannot be made.
pub fn new_run_dir(root: &StateRoot, run: &RunId) -> Result<PathBuf, FilesError> {
    let dir = root.run_dir(run);
    rustix::fs::mkdir(&dir, DIR).map_err(io("make", &dir))?;
    own_dir(&dir, true)?;
    for part in ["shots", "outlines", "downloads"] {
        private_dir(&dir.join(part))?;
    }
    Ok(dir)
}

/// The most bytes of a trace that are read back.
pub const TRACE_BYTES_MAX: u64 = 1024 * 1024 * 1024;
/// The most bytes of any other file of a run that are read back.
pub const PART_BYTES_MAX: u64 = limits::BROWSER_FRAME_BYTES_MAX as u64;

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn everything_is_private_whatever_was_there_before_vr_029() {
        let home = tempfile::tempdir().unwrap();
        let state = home.path().join(".sidestick");
        std::fs::create_dir(&state).unwrap();
        std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o755)).unwrap();

        let root = StateRoot::open(&state).unwrap();
        let run = RunId::parse("20261201T101500-ab12").unwrap();
        let dir = new_run_dir(&root, &run).unwrap();
        write_atomic(&dir.join("run.json"), b"{}").unwrap();

        for path in [&state, &state.join("runs"), &dir, &dir.join("shots")] {
            assert_eq!(mode(path), 0o700, "{}", path.display());
        }
        assert_eq!(mode(&dir.join("run.json")), 0o600);
        assert_eq!(mode(&state.join(".gitignore")), 0o600);
    }

    #[test]
    fn a_linked_folder_is_refused_and_its_target_untouched_vr_030() {
        let home = tempfile::tempdir().unwrap();
        let victim = home.path().join("victim");
        std::fs::create_dir(&victim).unwrap();
        std::fs::set_permissions(&victim, std::fs::Permissions::from_mode(0o755)).unwrap();

        for link in [".sidestick", "state/runs"] {
            let link = home.path().join(link);
            std::fs::create_dir_all(link.parent().unwrap()).unwrap();
            symlink(&victim, &link).unwrap();
        }

        for state in [home.path().join(".sidestick"), home.path().join("state")] {
            assert_eq!(StateRoot::open(&state).unwrap_err().code(), "unsafe_state_path");
        }
        assert_eq!(mode(&victim), 0o755);
        assert_eq!(std::fs::read_dir(&victim).unwrap().count(), 0);
    }

    #[test]
    fn the_state_folder_ignores_itself_vr_028() {
        for (old, new) in [
            ("custom", "custom\n*\n"),
            ("*\n!keep.json\n", "*\n!keep.json\n*\n"),
            ("# keep\n*\n", "# keep\n*\n"),
            ("\n", "\n*\n"),
            ("", "*\n"),
        ] {
            let home = tempfile::tempdir().unwrap();
            std::fs::write(home.path().join(".gitignore"), old).unwrap();

            StateRoot::open(home.path()).unwrap();
            StateRoot::open(home.path()).unwrap();

            let text = std::fs::read_to_string(home.path().join(".gitignore")).unwrap();
            assert_eq!(text, new, "{old:?}");
        }
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_beside_it_vr_031() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("run.json");
        std::fs::create_dir(&path).unwrap();

        assert!(write_atomic(&path, b"new").is_err());

        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_lock_has_one_holder() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("host.lock");

        let held = FileLock::take(&path).unwrap();
        assert_eq!(FileLock::take(&path).unwrap_err().code(), "busy");
        drop(held);

        assert!(FileLock::take(&path).is_ok());
    }
}
