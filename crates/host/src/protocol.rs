//! Frames between a door and a host: a length in four bytes, then JSON.
//!
//! The first frame of a client names the protocol's version; a host of another version answers
//! with the remedy and closes.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

use sidestick_model::call::{Answer, BeginAsk, BegunAnswer, Call, DoorError};
use sidestick_model::record::PolicySeen;
use sidestick_model::{Actor, RunId, Seam, limits};

/// The version of these frames.
pub const VERSION: u32 = 1;

/// The first frame of a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The version of the frames it speaks.
    pub sidestick: u32,
    /// The version of the program.
    pub program: String,
    /// What makes its run no valid evidence from here on (VR-236).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub test_overrides: Vec<String>,
}

/// The host's answer to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Welcome {
    /// Calls may follow.
    Ready {
        /// The run that is served.
        run: RunId,
    },
    /// None will be taken.
    Refused(DoorError),
}

/// A call with its number on this connection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Numbered {
    /// The number; its answer carries it too.
    pub n: u64,
    /// The call.
    #[serde(flatten)]
    pub call: Call,
}

/// The answer to the call of the same number.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answered {
    /// The number of the call.
    pub n: u64,
    /// The answer.
    #[serde(flatten)]
    pub answer: Answer,
}

/// What a new host is told on its standard input, in one line.
#[derive(Clone, Serialize, Deserialize)]
pub struct HostStart {
    /// How the run begins.
    pub ask: BeginAsk,
    /// The project's state folder.
    pub state_root: PathBuf,
    /// The per-user folder.
    pub user_root: PathBuf,
    /// The folder profile folders are made in.
    pub profiles: PathBuf,
    /// The browser.
    pub executable: PathBuf,
    /// Whether the browser's sandbox is on.
    pub sandbox: bool,
    /// Who holds the session first.
    pub holder: Actor,
    /// User name and password.
    pub credentials: Option<(String, String)>,
    /// The text of the policy file, when one was named; its digest is in `policy_seen`.
    #[serde(default)]
    pub policy: Option<String>,
    /// What the record says of it.
    #[serde(default)]
    pub policy_seen: Option<PolicySeen>,
    /// Secrets the policy names, with their values.
    #[serde(default)]
    pub secrets: Vec<(String, String)>,
    /// Further values that are taken out of whatever is shown.
    #[serde(default)]
    pub redacted: Vec<String>,
    /// Randomness for the run's digests and, once per user, for the key of records.
    pub seeds: ([u8; 32], [u8; 32]),
    /// How long the host may idle, in seconds.
    pub idle_s: u64,
    /// Guards the host leaves out; builds for tests alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seams: Vec<Seam>,
}

impl std::fmt::Debug for HostStart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HostStart({})", self.ask.run)
    }
}

/// What a new host says on its standard output, in one line, when the run has begun or has not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostSaid {
    /// The run has begun.
    Begun(Box<BegunAnswer>),
    /// It has not.
    Failed(DoorError),
}

/// Why a frame could not be exchanged.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The other side is gone.
    #[error("the other side is gone")]
    Gone,
    /// A frame over the limit.
    #[error("a frame of {length} bytes is over the limit")]
    TooLong {
        /// Its length.
        length: usize,
    },
    /// A frame that cannot be read.
    #[error("a frame cannot be read")]
    Unreadable,
}

/// Writes one frame.
///
/// # Errors
///
/// Fails when the other side is gone or the frame is over the limit.
pub async fn send<T: Serialize>(
    to: &mut (impl AsyncWrite + Unpin),
    frame: &T,
) -> Result<(), FrameError> {
    let body = serde_json::to_vec(frame).map_err(|_| FrameError::Unreadable)?;
    if limits::FRAME_BYTES_MAX < body.len() {
        return Err(FrameError::TooLong { length: body.len() });
    }
    let length = u32::try_from(body.len()).unwrap_or(u32::MAX);
    let mut bytes = Vec::with_capacity(body.len() + 4);
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(&body);
    to.write_all(&bytes).await.map_err(|_| FrameError::Gone)
}

/// Reads one frame.
///
/// # Errors
///
/// Fails when the other side is gone, the frame is over the limit, or is not what it should be.
pub async fn receive<T: for<'a> Deserialize<'a>>(
    from: &mut (impl AsyncRead + Unpin),
) -> Result<T, FrameError> {
    receive_within(from, limits::FRAME_BYTES_MAX).await
}

/// Reads one frame of at most `bytes_max` bytes.
///
/// # Errors
///
/// As [`receive`].
pub async fn receive_within<T: for<'a> Deserialize<'a>>(
    from: &mut (impl AsyncRead + Unpin),
    bytes_max: usize,
) -> Result<T, FrameError> {
    let mut head = [0; 4];
    from.read_exact(&mut head).await.map_err(|_| FrameError::Gone)?;
    let length = usize::try_from(u32::from_be_bytes(head)).unwrap_or(usize::MAX);
    if bytes_max < length && !Seam::FrameLength.is_broken() {
        return Err(FrameError::TooLong { length });
    }
    // LIMIT: a length is only believed as its bytes come, so that a stranger cannot reserve memory.
    let mut body = Vec::new();
    let wanted = u64::try_from(length).unwrap_or(0);
    from.take(wanted).read_to_end(&mut body).await.map_err(|_| FrameError::Gone)?;
    if body.len() != length {
        return Err(FrameError::Gone);
    }
    serde_json::from_slice(&body).map_err(|_| FrameError::Unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_frame_survives_the_wire() {
        let (mut near, mut far) = tokio::io::duplex(64);
        let program = "x".repeat(200);
        let hello = Hello { sidestick: VERSION, program, test_overrides: Vec::new() };

        let (sent, got) = tokio::join!(send(&mut near, &hello), receive::<Hello>(&mut far));

        sent.unwrap();
        assert_eq!(got.unwrap(), hello);
    }

    #[tokio::test]
    async fn garbage_and_giants_are_refused_without_being_read() {
        let giant = u32::MAX.to_be_bytes();
        assert!(matches!(
            receive::<Hello>(&mut giant.as_slice()).await,
            Err(FrameError::TooLong { .. })
        ));

        let garbage = [0, 0, 0, 3, b'x', b'y', b'z'];
        assert!(matches!(
            receive::<Hello>(&mut garbage.as_slice()).await,
            Err(FrameError::Unreadable)
        ));

        let torn = [0, 0, 0, 9, b'{'];
        assert!(matches!(receive::<Hello>(&mut torn.as_slice()).await, Err(FrameError::Gone)));
    }
}
