//! The host's front: accepts clients of the same user, reads their frames, answers each call.

use std::sync::Arc;
use std::time::Duration;

use tokio::net::UnixListener;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::sync::{Semaphore, mpsc, watch};

use sidestick_gate::Surface;
use sidestick_model::call::{Answer, DoorCode, DoorError};
use sidestick_model::{RunId, Seam, limits};

use crate::protocol::{self, Answered, FrameError, Hello, Numbered, VERSION, Welcome};
use crate::session::Host;
use crate::socket;

/// Time a client has to say its first frame.
const HELLO_TIME_MAX: Duration = Duration::from_secs(2);
/// Connections that may still owe their first frame; further ones wait to be accepted.
const STRANGERS_MAX: usize = 512;
/// Bytes of a first frame; a longer one ends the connection. Times [`STRANGERS_MAX`], this is what
/// strangers can make a host hold.
const HELLO_BYTES_MAX: usize = 64 * 1024;
/// Calls one client may have open; one more waits unread.
const CALLS_MAX: usize = 64;

/// A host's socket, listening.
#[derive(Debug)]
pub struct Listener(UnixListener);

/// Binds the host's socket.
///
/// # Errors
///
/// Fails when the socket cannot be made.
pub fn listen<S: Surface>(host: &Host<S>, run: &RunId) -> std::io::Result<Listener> {
    socket::bind(&host.registry.socket(run)).map(Listener)
}

/// Serves clients until the future is dropped.
pub async fn serve<S: Surface>(host: Arc<Host<S>>, run: RunId, listener: Listener) {
    let strangers = Arc::new(Semaphore::new(STRANGERS_MAX));
    loop {
        // The semaphore is never closed.
        let Ok(stranger) = Arc::clone(&strangers).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.0.accept().await else {
            // Out of descriptors: a client that leaves makes room.
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        };
        // Strangers are closed without a word.
        if !socket::is_own(&stream) {
            continue;
        }
        let (host, run) = (Arc::clone(&host), run.clone());
        tokio::spawn(async move {
            let (mut from, to) = stream.into_split();
            let hello = protocol::receive_within::<Hello>(&mut from, HELLO_BYTES_MAX);
            let hello = tokio::time::timeout(HELLO_TIME_MAX, hello).await;
            // Whoever says nothing takes no place of one who does.
            drop(stranger);
            let Ok(Ok(hello)) = hello else { return };
            host.clients.send_modify(|clients| *clients += 1);
            serve_client(Arc::clone(&host), run, hello, (from, to)).await;
            host.clients.send_modify(|clients| *clients = clients.saturating_sub(1));
        });
    }
}

async fn serve_client<S: Surface>(
    host: Arc<Host<S>>,
    run: RunId,
    hello: Hello,
    (mut from, mut to): (OwnedReadHalf, OwnedWriteHalf),
) {
    if hello.sidestick != VERSION && !Seam::ProtocolVersion.is_broken() {
        let why = format!("this host speaks version {VERSION}, the caller {}", hello.sidestick);
        let error = DoorError::new(DoorCode::HostVersion, why)
            .hint("end the run with the program that began it, or with `kill` of its host");
        // Whether the caller reads it or not, it is refused.
        let _ = protocol::send(&mut to, &Welcome::Refused(error)).await;
        return;
    }
    if limits::CLIENTS_MAX < *host.clients.borrow() {
        let why = format!("{} callers are connected", limits::CLIENTS_MAX);
        let refused = Welcome::Refused(DoorError::new(DoorCode::Busy, why));
        let _ = protocol::send(&mut to, &refused).await;
        return;
    }
    host.session.note_overrides(&hello.test_overrides);
    if protocol::send(&mut to, &Welcome::Ready { run }).await.is_err() {
        return;
    }
    let (gone, left) = watch::channel(false);
    let (answers, mut answered) = mpsc::channel::<Answered>(CALLS_MAX);
    let writing = async {
        while let Some(answer) = answered.recv().await {
            let sent = match protocol::send(&mut to, &answer).await {
                Err(FrameError::TooLong { length }) => {
                    let why = format!("the answer of {length} bytes is over the limit");
                    let error = DoorError::new(DoorCode::Internal, why)
                        .hint("ask for less, or read the run's folder");
                    let refused = Answered { n: answer.n, answer: Answer::Refused(error) };
                    protocol::send(&mut to, &refused).await
                }
                sent => sent,
            };
            if sent.is_err() {
                break;
            }
        }
    };
    let reading = async move {
        while let Ok(numbered) = protocol::receive::<Numbered>(&mut from).await {
            let Ok(room) = answers.clone().reserve_owned().await else { break };
            let (host, left) = (Arc::clone(&host), left.clone());
            tokio::spawn(async move {
                let n = numbered.n;
                let answering =
                    tokio::spawn(
                        async move { host.answer(numbered.call, left).await.into_inner() },
                    );
                let answer = answering.await.unwrap_or_else(|_| {
                    Answer::Refused(DoorError::new(DoorCode::Internal, "a fault of this program"))
                });
                room.send(Answered { n, answer });
            });
        }
        // The caller has gone: what it asked for and is under way is cut (BR-004).
        gone.send_replace(true);
    };
    tokio::join!(reading, writing);
}
