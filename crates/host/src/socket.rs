//! The host's socket: 0600 in a folder of 0700, its peers asked for their uid.

use std::path::Path;

use rustix::fs::Mode;
use tokio::net::{UnixListener, UnixStream};

/// Binds the socket of a host.
pub(crate) fn bind(path: &Path) -> std::io::Result<UnixListener> {
    // A host that died left its socket behind; its run's lock says that nobody serves it.
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let listener = UnixListener::bind(path)?;
    rustix::fs::chmod(path, Mode::from_raw_mode(0o600))?;
    Ok(listener)
}

/// Returns whether the other side runs as this user.
pub(crate) fn is_own(stream: &UnixStream) -> bool {
    stream.peer_cred().is_ok_and(|peer| peer.uid() == rustix::process::geteuid().as_raw())
}
