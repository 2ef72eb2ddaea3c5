//! The running hosts of this user, one small file each (D16).

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use sidestick_evidence::files::{self, FilesError};
use sidestick_model::RunId;

/// Where this user's hosts, brake and keys are.
#[derive(Debug, Clone)]
pub struct Registry {
    root: PathBuf,
}

/// A host that was started and may still run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// The run.
    pub run: RunId,
    /// The host's process.
    pub pid: u32,
    /// The state folder of its project.
    pub state: PathBuf,
}

impl Registry {
    /// Opens the per-user folder at `root`, making it and its parents when they are absent.
    ///
    /// # Errors
    ///
    /// Fails when it is not this user's own or cannot be made.
    pub fn open(root: &Path) -> Result<Registry, FilesError> {
        let mut missing: Vec<&Path> = root.ancestors().take_while(|path| !path.exists()).collect();
        missing.reverse();
        for path in missing {
            files::private_dir(path)?;
        }
        files::private_dir(root)?;
        files::private_dir(&root.join("hosts"))?;
        Ok(Registry { root: root.to_owned() })
    }

    /// Returns the socket of a run's host.
    pub fn socket(&self, run: &RunId) -> PathBuf {
        self.root.join("hosts").join(format!("{run}.sock"))
    }

    fn file(&self, run: &RunId) -> PathBuf {
        self.root.join("hosts").join(format!("{run}.json"))
    }

    /// Returns the file of the key that signs records.
    pub fn key_file(&self) -> PathBuf {
        self.root.join("record.key")
    }

    /// Returns the file that is a brake while it exists.
    pub fn brake_file(&self) -> PathBuf {
        self.root.join("brake.json")
    }

    /// Enters a host.
    ///
    /// # Errors
    ///
    /// Fails when its file cannot be written.
    pub fn enter(&self, running: &Running) -> Result<(), FilesError> {
        let entry = json!({"run": running.run, "pid": running.pid, "state": running.state});
        files::write_atomic(&self.file(&running.run), entry.to_string().as_bytes())
    }

    /// Takes a host out; what is not there is out already.
    pub fn leave(&self, run: &RunId) {
        for path in [self.file(run), self.socket(run)] {
            // Whoever is left in it is found dead and taken out by the next reader.
            let _ = std::fs::remove_file(path);
        }
    }

    /// Returns the hosts that were entered, oldest first.
    ///
    /// # Errors
    ///
    /// Fails when the folder cannot be listed.
    pub fn running(&self) -> Result<Vec<Running>, FilesError> {
        let path = self.root.join("hosts");
        let listed = std::fs::read_dir(&path).map_err(|error| FilesError::Io {
            what: "list",
            path: path.display().to_string(),
            source: rustix::io::Errno::from_io_error(&error).unwrap_or(rustix::io::Errno::IO),
        })?;
        let mut running: Vec<Running> = listed
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .filter_map(|path| files::read_file(&path, 65_536).ok())
            .filter_map(|bytes| read(&bytes))
            .collect();
        running.sort_by(|a, b| a.run.cmp(&b.run));
        Ok(running)
    }
}

fn read(bytes: &[u8]) -> Option<Running> {
    let entry: Value = serde_json::from_slice(bytes).ok()?;
    Some(Running {
        run: RunId::parse(entry.get("run")?.as_str()?).ok()?,
        pid: entry.get("pid")?.as_u64().and_then(|pid| u32::try_from(pid).ok())?,
        state: PathBuf::from(entry.get("state")?.as_str()?),
    })
}
