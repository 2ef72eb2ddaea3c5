//! The bytes to and from a browser: NUL-separated frames on a pipe, or text frames on a websocket.
//!
//! INVARIANT: the lease is compared in the same critical section as the write (I6). A frame whose
//! first byte is out is finished; one that has not begun is dropped when its lease no longer holds.

use std::collections::VecDeque;
use std::io::{ErrorKind, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::net::unix::pipe;
use tungstenite::{Message, WebSocket};

use sidestick_gate::Held;
use sidestick_model::limits;

/// What became of a flush.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Flushed {
    /// Everything is out.
    All,
    /// The other side does not take more for now.
    Blocked,
    /// The connection is gone.
    Gone,
}

/// A frame waiting to be written.
struct Frame {
    bytes: Vec<u8>,
    written: usize,
    id: u64,
    fence: Option<Held>,
    begun: Begun,
}

/// Turns true when the first byte of a frame is out: from then on it is finished.
#[derive(Debug, Clone, Default)]
pub(crate) struct Begun(Arc<AtomicBool>);

impl Begun {
    /// Returns whether the first byte is out.
    pub(crate) fn is_out(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// What a recorded wire saw, in the order of its critical sections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OnWire {
    /// A message began to be written.
    Message {
        /// The epoch it was sent under; none for what only looks and for what is owed.
        epoch: Option<u64>,
        /// The message itself, as the browser gets it.
        text: String,
    },
    /// Somebody made sure that nothing of an older lease is or will be written.
    Quiet,
}

// LIMIT: a record that is not taken keeps its newest entries.
const RECORD_MAX: usize = 65_536;

enum Transport {
    Pipe(pipe::Sender),
    Socket(Box<WebSocket<TcpStream>>),
    /// Cut: the other side sees the end of it.
    Closed,
}

/// The writing side, and for a websocket the reading side too; always behind one lock.
pub(crate) struct Wire {
    transport: Transport,
    waiting: VecDeque<Frame>,
    /// Frames dropped because their lease no longer held.
    fenced: Vec<u64>,
    /// Frames that can change the application and whose first byte is out.
    acted: u64,
    is_cut: bool,
    /// What was written since somebody asked for a record; nothing is kept before that.
    record: Option<VecDeque<OnWire>>,
}

impl std::fmt::Debug for Wire {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Wire({} waiting)", self.waiting.len())
    }
}

impl Wire {
    pub(crate) fn pipe(sender: pipe::Sender) -> Wire {
        Wire::over(Transport::Pipe(sender))
    }

    pub(crate) fn socket(socket: WebSocket<TcpStream>) -> Wire {
        Wire::over(Transport::Socket(Box::new(socket)))
    }

    fn over(transport: Transport) -> Wire {
        let (waiting, fenced) = (VecDeque::new(), Vec::new());
        Wire { transport, waiting, fenced, acted: 0, is_cut: false, record: None }
    }

    /// Takes a frame to write; false when too many wait or the wire is cut.
    pub(crate) fn push(
        &mut self,
        id: u64,
        bytes: Vec<u8>,
        fence: Option<Held>,
        begun: Begun,
    ) -> bool {
        if self.is_cut || limits::CALLS_WAITING_MAX <= self.waiting.len() {
            return false;
        }
        self.waiting.push_back(Frame { bytes, written: 0, id, fence, begun });
        true
    }

    /// Writes what can be written now, comparing each frame's lease right before its first byte.
    pub(crate) fn flush(&mut self) -> Flushed {
        while let Some(frame) = self.waiting.front_mut() {
            if self.is_cut {
                return Flushed::Gone;
            }
            let begun = frame.written != 0;
            if !begun && frame.fence.as_ref().is_some_and(|held| !held.holds()) {
                self.fenced.push(frame.id);
                self.waiting.pop_front();
                continue;
            }
            let written = write_some(&mut self.transport, frame);
            if !begun && frame.written != 0 {
                frame.begun.0.store(true, Ordering::SeqCst);
                self.acted += u64::from(frame.fence.is_some());
                if let Some(record) = &mut self.record {
                    note(record, message(frame));
                }
            }
            match written {
                Ok(true) => {
                    self.waiting.pop_front();
                }
                Ok(false) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Flushed::Blocked,
                Err(_) => {
                    self.cut();
                    return Flushed::Gone;
                }
            }
        }
        Flushed::All
    }

    /// Returns how many frames that can change the application have begun to be written.
    pub(crate) fn acted(&self) -> u64 {
        self.acted
    }

    /// Begins a record of what is written.
    pub(crate) fn begin_record(&mut self) {
        self.record.get_or_insert_default();
    }

    /// Takes what was recorded since it was last taken.
    pub(crate) fn take_record(&mut self) -> Vec<OnWire> {
        self.record.iter_mut().flat_map(|record| record.drain(..)).collect()
    }

    /// Puts into the record that the wire is quiet at this moment.
    pub(crate) fn note_quiet(&mut self) {
        if let Some(record) = &mut self.record {
            note(record, OnWire::Quiet);
        }
    }

    /// Takes the ids of frames that were dropped.
    pub(crate) fn take_fenced(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.fenced)
    }

    /// Returns whether a frame of a lease that no longer holds is partly written.
    pub(crate) fn is_mid_frame(&self) -> bool {
        self.waiting.front().is_some_and(|frame| {
            frame.written != 0 && frame.fence.as_ref().is_some_and(|held| !held.holds())
        })
    }

    /// Ends the wire: nothing is written any more, and a browser at the other end of a pipe ends.
    pub(crate) fn cut(&mut self) {
        self.is_cut = true;
        self.waiting.clear();
        self.transport = Transport::Closed;
    }

    /// Returns whether it was cut.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Waits for room to write, for a pipe.
    pub(crate) fn pipe_writable(&self) -> Option<&pipe::Sender> {
        match &self.transport {
            Transport::Pipe(sender) => Some(sender),
            Transport::Socket(_) | Transport::Closed => None,
        }
    }

    /// Reads the next text frame of a websocket; none when there is none yet.
    pub(crate) fn read_socket(&mut self) -> Result<Option<Vec<u8>>, ()> {
        let Transport::Socket(socket) = &mut self.transport else { return Err(()) };
        match socket.read() {
            Ok(Message::Text(text)) => Ok(Some(text.as_bytes().to_vec())),
            Ok(Message::Binary(bytes)) => Ok(Some(bytes.to_vec())),
            Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_)) => Ok(None),
            Ok(Message::Close(_)) => Err(()),
            Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => Ok(None),
            Err(_) => Err(()),
        }
    }
}

fn note(record: &mut VecDeque<OnWire>, entry: OnWire) {
    if record.len() == RECORD_MAX {
        record.pop_front();
    }
    record.push_back(entry);
}

fn message(frame: &Frame) -> OnWire {
    let text = frame.bytes.strip_suffix(b"\0").unwrap_or(&frame.bytes);
    OnWire::Message {
        epoch: frame.fence.as_ref().map(|held| held.shown().epoch),
        text: String::from_utf8_lossy(text).into_owned(),
    }
}

/// Writes part of a frame; true when all of it is out.
fn write_some(transport: &mut Transport, frame: &mut Frame) -> std::io::Result<bool> {
    match transport {
        Transport::Closed => Err(ErrorKind::BrokenPipe.into()),
        Transport::Pipe(sender) => {
            let rest = frame.bytes.get(frame.written..).unwrap_or_default();
            frame.written += sender.try_write(rest)?;
            Ok(frame.written == frame.bytes.len())
        }
        Transport::Socket(socket) => {
            if frame.written == 0 {
                // The trailing NUL belongs to pipes alone.
                let text = frame.bytes.strip_suffix(b"\0").unwrap_or(&frame.bytes);
                let text = String::from_utf8_lossy(text).into_owned();
                match socket.write(Message::text(text)) {
                    Ok(()) => frame.written = frame.bytes.len(),
                    Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                        frame.written = frame.bytes.len();
                    }
                    Err(error) => return Err(std::io::Error::other(error.to_string())),
                }
            }
            match socket.flush() {
                Ok(()) => Ok(true),
                Err(tungstenite::Error::Io(error)) => Err(error),
                Err(error) => Err(std::io::Error::other(error.to_string())),
            }
        }
    }
}

/// Puts NUL behind a message.
pub(crate) fn framed(message: &impl serde::Serialize) -> Result<Vec<u8>, serde_json::Error> {
    let mut bytes = Vec::with_capacity(256);
    serde_json::to_writer(&mut bytes, message)?;
    // A vector takes every byte.
    let _ = bytes.write_all(b"\0");
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use sidestick_gate::Lease;
    use sidestick_model::Actor;

    use super::*;

    /// The check and the write are one step: what was queued under an old lease is not written,
    /// what is owed and what a newer lease allows is (I6).
    #[tokio::test]
    async fn a_frame_whose_lease_moved_is_dropped_at_the_write() {
        let (sender, receiver) = pipe::pipe().unwrap();
        sender.writable().await.unwrap();
        let mut wire = Wire::pipe(sender);
        let lease = Lease::new(Actor::Agent);
        let old = lease.hold(lease.current()).unwrap();
        assert!(wire.push(1, b"old".to_vec(), Some(old), Begun::default()));
        lease.advance(Actor::Human);
        let new = lease.hold(lease.current()).unwrap();
        assert!(wire.push(2, b"new".to_vec(), Some(new), Begun::default()));
        assert!(wire.push(3, b"owed".to_vec(), None, Begun::default()));

        assert_eq!(wire.flush(), Flushed::All);

        let mut got = [0; 64];
        receiver.readable().await.unwrap();
        let length = receiver.try_read(&mut got).unwrap();
        assert_eq!(&got[..length], b"newowed");
        assert_eq!(wire.take_fenced(), [1]);
        assert_eq!(wire.acted(), 1);
    }

    #[tokio::test]
    async fn a_wire_that_was_cut_writes_nothing_more() {
        let (sender, receiver) = pipe::pipe().unwrap();
        let mut wire = Wire::pipe(sender);

        wire.cut();

        assert!(!wire.push(1, b"x".to_vec(), None, Begun::default()));
        assert_eq!(wire.flush(), Flushed::All);
        receiver.readable().await.unwrap();
        assert_eq!(receiver.try_read(&mut [0; 8]).unwrap(), 0, "the other side sees its end");
    }
}
