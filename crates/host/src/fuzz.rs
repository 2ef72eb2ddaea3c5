//! What must hold of the socket's frames, whatever a client or a host writes.
//!
//! Compiled for tests and for `fuzz/` alone.

use serde::{Deserialize, Serialize};

use sidestick_model::limits;

use crate::protocol::{
    Answered, FrameError, Hello, HostSaid, HostStart, Numbered, Welcome, receive, send,
};

/// Reads `bytes` as what a client sends, as what a host answers, and as the two lines between a
/// new host and whoever started it.
///
/// # Panics
///
/// Panics when a frame that was read is not the same after it was sent on, or when a length is
/// believed before its bytes came.
pub fn socket_frames(bytes: &[u8]) {
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().build() else { return };
    runtime.block_on(async {
        client(bytes).await;
        host(bytes).await;
    });
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    same(serde_json::from_slice::<HostSaid>(line).ok());
    if let Ok(start) = serde_json::from_slice::<HostStart>(line) {
        assert!(!format!("{start:?}").contains("password"), "a start shows nothing");
        let written = serde_json::to_value(&start).ok();
        let again =
            written.clone().and_then(|value| serde_json::from_value::<HostStart>(value).ok());
        let again = again.and_then(|start| serde_json::to_value(&start).ok());
        assert_eq!(again, written, "a start is read as it was written");
    }
}

/// A client says hello, then calls.
async fn client(mut bytes: &[u8]) {
    let whole = bytes;
    match receive::<Hello>(&mut bytes).await {
        Ok(hello) => sent_on(hello).await,
        Err(error) => return refused(whole, &error),
    }
    while let Ok(numbered) = receive::<Numbered>(&mut bytes).await {
        assert!(!numbered.call.verb().is_empty(), "every call has a word");
        sent_on(numbered).await;
    }
}

/// A host says welcome, then answers.
async fn host(mut bytes: &[u8]) {
    let whole = bytes;
    match receive::<Welcome>(&mut bytes).await {
        Ok(welcome) => sent_on(welcome).await,
        Err(error) => return refused(whole, &error),
    }
    while let Ok(answered) = receive::<Answered>(&mut bytes).await {
        sent_on(answered).await;
    }
}

/// A frame is refused for what it is.
fn refused(bytes: &[u8], error: &FrameError) {
    let head = bytes.first_chunk::<4>().map(|head| u32::from_be_bytes(*head));
    let length = head.and_then(|length| usize::try_from(length).ok());
    let is_right = match (error, length) {
        (FrameError::Gone, None) => true,
        (FrameError::Gone, Some(length)) => bytes.len() - 4 < length,
        (FrameError::TooLong { length: told }, Some(length)) => {
            *told == length && limits::FRAME_BYTES_MAX < length
        }
        (FrameError::Unreadable, Some(length)) => length <= bytes.len() - 4,
        (FrameError::TooLong { .. } | FrameError::Unreadable, None) => false,
    };
    assert!(is_right, "{error} for {length:?} of {} bytes", bytes.len());
}

async fn sent_on<T>(frame: T)
where
    T: Serialize + for<'a> Deserialize<'a> + PartialEq + std::fmt::Debug,
{
    let mut bytes = Vec::new();
    let sent = send(&mut bytes, &frame).await;
    assert!(sent.is_ok(), "what was read can be sent");
    let got = receive::<T>(&mut bytes.as_slice()).await.ok();
    assert_eq!(got.as_ref(), Some(&frame), "a frame is read as it was sent");
}

fn same<T>(read: Option<T>)
where
    T: Serialize + for<'a> Deserialize<'a> + PartialEq + std::fmt::Debug,
{
    let Some(read) = read else { return };
    let written = serde_json::to_vec(&read).unwrap_or_default();
    assert_eq!(serde_json::from_slice(&written).ok(), Some(read), "it is read as it was written");
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_frame_is_read_as_it_was_sent_or_refused_for_what_it_is() {
        sidestick_testkit::mutate::smoke("socket_frames", 4_000, super::socket_frames);
    }
}
