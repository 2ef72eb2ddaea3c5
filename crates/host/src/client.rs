//! The other end of a host's socket.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};

use sidestick_gate::Door;
use sidestick_gate::handles::Asked;
use sidestick_model::call::{Answer, Call, DoorCode, DoorError};
use sidestick_model::limits;
use sidestick_policy::Redacted;

use crate::protocol::{self, Answered, FrameError, Hello, Numbered, VERSION, Welcome};

/// Why a host cannot be asked.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Nobody serves the run.
    #[error("no host serves the run")]
    NoHost,
    /// The host refused the caller.
    #[error("{}", .0.message)]
    Refused(DoorError),
    /// The host went away.
    #[error("the host went away")]
    Gone,
    /// The host is there and says nothing.
    #[error("the host does not answer")]
    Silent,
}

/// A connection to one host.
#[derive(Debug)]
pub struct Client {
    from: OwnedReadHalf,
    to: OwnedWriteHalf,
    next: u64,
    socket: PathBuf,
}

impl Client {
    /// Connects to the host that listens at `socket`, and tells it which test overrides the
    /// caller has; they are recorded with the run.
    ///
    /// # Errors
    ///
    /// Fails when nobody listens, the host says nothing, or it speaks another version.
    pub async fn connect(
        socket: &Path,
        test_overrides: Vec<String>,
    ) -> Result<Client, ClientError> {
        let greeted = Client::greet(socket, test_overrides);
        let greeted = tokio::time::timeout(limits::HOST_ANSWER_TIME_MAX, greeted).await;
        greeted.unwrap_or(Err(ClientError::Silent))
    }

    async fn greet(socket: &Path, test_overrides: Vec<String>) -> Result<Client, ClientError> {
        let stream = UnixStream::connect(socket).await.map_err(|_| ClientError::NoHost)?;
        let (mut from, mut to) = stream.into_split();
        let program = env!("CARGO_PKG_VERSION").to_owned();
        let hello = Hello { sidestick: VERSION, program, test_overrides };
        protocol::send(&mut to, &hello).await.map_err(|_| ClientError::Gone)?;
        match protocol::receive(&mut from).await {
            Ok(Welcome::Ready { .. }) => {
                Ok(Client { from, to, next: 1, socket: socket.to_owned() })
            }
            Ok(Welcome::Refused(error)) => Err(ClientError::Refused(error)),
            Err(FrameError::Unreadable | FrameError::TooLong { .. }) => {
                let why = format!("this program speaks version {VERSION}, the host another");
                let error = DoorError::new(DoorCode::HostVersion, why);
                Err(ClientError::Refused(error.hint(
                    "end the run with the program that began it; `sidestick stop` ends its host",
                )))
            }
            Err(FrameError::Gone) => Err(ClientError::Gone),
        }
    }

    /// Asks and waits for the answer, as long as the host shows that it lives: a call may stand in
    /// line behind others, so its own limits do not end the wait.
    ///
    /// # Errors
    ///
    /// Fails when the host went away or does not answer; whether it carried the call out is in the
    /// run's record.
    pub async fn ask(&mut self, call: Call) -> Result<Redacted<Answer>, ClientError> {
        let socket = self.socket.clone();
        let own = call.time_max();
        tokio::select! {
            biased;
            answered = self.exchange(call) => answered,
            () = silence(&socket, own) => Err(ClientError::Silent),
        }
    }

    async fn exchange(&mut self, call: Call) -> Result<Redacted<Answer>, ClientError> {
        let n = self.next;
        self.next += 1;
        let numbered = Numbered { n, call };
        protocol::send(&mut self.to, &numbered).await.map_err(|_| ClientError::Gone)?;
        loop {
            let answered: Answered =
                protocol::receive(&mut self.from).await.map_err(|_| ClientError::Gone)?;
            if answered.n == n {
                return Ok(Redacted::from_record(answered.answer));
            }
        }
    }

    /// Runs `body` with a door to the host, carrying its calls meanwhile.
    pub async fn with_door<T>(self, body: impl AsyncFnOnce(Door) -> T) -> T {
        let Client { mut from, mut to, mut next, socket } = self;
        let (door, mut asked) = Door::new(limits::ACTS_WAITING_MAX);
        let body = body(door);
        tokio::pin!(body);
        let mut open: HashMap<u64, Asked> = HashMap::new();
        // One frame is read by one future to its end: a frame half read must not be forgotten.
        let mut receiving = Box::pin(next_answer(&mut from));
        loop {
            let own = open.values().map(|asked| asked.call.time_max()).max();
            tokio::select! {
                done = &mut body => return done,
                () = silence(&socket, own.unwrap_or_default()), if own.is_some() => {
                    open.clear();
                    drop(asked);
                    return body.await;
                }
                Some(call) = asked.recv() => {
                    let numbered = Numbered { n: next, call: call.call.clone() };
                    open.insert(next, call);
                    next += 1;
                    if protocol::send(&mut to, &numbered).await.is_err() {
                        open.clear();
                    }
                }
                (answered, from) = &mut receiving => {
                    let Ok(answered) = answered else {
                        // Dropping what is open tells the door that the host is gone.
                        open.clear();
                        drop(asked);
                        return body.await;
                    };
                    if let Some(asked) = open.remove(&answered.n) {
                        // The body may have stopped waiting.
                        let _ = asked.answer.send(Redacted::from_record(answered.answer));
                    }
                    receiving.set(next_answer(from));
                }
            }
        }
    }
}

/// Returns when the host does not answer any more; it is asked once a call has taken its own time.
async fn silence(socket: &Path, own: Duration) {
    tokio::time::sleep(own).await;
    loop {
        tokio::time::sleep(limits::HOST_ANSWER_TIME_MAX).await;
        let asked = async {
            let mut client = Client::greet(socket, Vec::new()).await?;
            client.exchange(Call::Status).await
        };
        // One that refuses or goes away has answered.
        if tokio::time::timeout(limits::HOST_ANSWER_TIME_MAX, asked).await.is_err() {
            return;
        }
    }
}

/// Reads one answer and gives the reading half back.
async fn next_answer(
    from: &mut OwnedReadHalf,
) -> (Result<Answered, protocol::FrameError>, &mut OwnedReadHalf) {
    (protocol::receive(from).await, from)
}

/// Turns a failed connection into a door's answer.
pub fn door_error(error: ClientError) -> DoorError {
    match error {
        ClientError::Refused(error) => error,
        ClientError::Silent => DoorError::new(DoorCode::HostGone, "the run's host does not answer")
            .hint("`sidestick stop` ends it; what was asked may have happened"),
        ClientError::NoHost | ClientError::Gone => {
            DoorError::new(DoorCode::HostGone, "the run's host is gone")
                .hint("`sidestick status`, `end`, `report` and `verify` still work on the run")
        }
    }
}
