//! The host's socket: 0600 in a folder of 0700, its peers asked for their uid.

use std::path::Path;

use rustix::fs::Mode;
use tokio::net::{UnixListener, UnixStream};

use sidestick_model::Seam;

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
    let own = rustix::process::geteuid().as_raw();
    stream.peer_cred().is_ok_and(|peer| is_same_user(peer.uid(), own))
}

fn is_same_user(peer: u32, own: u32) -> bool {
    peer == own || Seam::PeerUser.is_broken()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_peer_of_another_user_is_a_stranger() {
        let (near, _far) = UnixStream::pair().unwrap();
        let own = rustix::process::geteuid().as_raw();

        assert!(is_own(&near));
        assert!(is_same_user(own, own));
        assert!(!is_same_user(own + 1, own));
        assert!(own == 0 || !is_same_user(0, own), "root is no exception");
    }
}
