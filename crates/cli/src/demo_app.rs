//! The demo application: a small shop back office, served on loopback, with planted bugs.
//!
//! It keeps its own record of what really arrived, and that record, not the page and not the
//! driver, is the truth the demo is judged by. Each planted bug has a [`Flip`] that turns its truth
//! around, so that the demo can be shown to fail when the application is not what it expects.
//!
//! Deliberately absent: protection. The application holds made-up data, its password is printed in
//! its source, and it answers on loopback alone.

mod flip;
mod pages;
mod record;
mod routes;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeSet,
    fmt, io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle, time::timeout};

pub(crate) use self::{
    flip::Flip,
    record::{Hits, PASSWORD, USERNAME},
};
use self::{record::Record, routes::Shop};

/// The longest [`DemoApp::close`] waits for requests in flight. After it they are cut off.
const CLOSE_TIME_MAX: Duration = Duration::from_secs(2);

/// How the demo application is to be served.
#[derive(Debug, Clone, Default)]
pub(crate) struct DemoOptions {
    /// The loopback port to listen on; 0 takes any free one.
    pub(crate) port: u16,
    /// The planted bugs whose truth is turned around.
    pub(crate) flips: BTreeSet<Flip>,
}

/// The demo application while it is served.
///
/// Dropping it stops the server without waiting; [`close`](DemoApp::close) waits.
#[derive(Debug)]
pub(crate) struct DemoApp {
    address: SocketAddr,
    record: Arc<Record>,
    stop: oneshot::Sender<()>,
    served: JoinHandle<()>,
}

/// Why the demo application is not being served.
#[derive(Debug)]
pub(crate) enum DemoAppError {
    /// Something else listens on the port that was asked for.
    PortInUse {
        /// The port that was asked for.
        port: u16,
    },
    /// The port could not be listened on for another reason.
    Listen {
        /// The port that was asked for.
        port: u16,
        /// What the operating system said.
        source: io::Error,
    },
}

/// Starts to serve the demo application on 127.0.0.1.
///
/// It is served by tasks of the runtime that calls this, until the returned value is dropped.
///
/// # Errors
///
/// [`DemoAppError`] if the port cannot be listened on.
pub(crate) async fn serve(options: DemoOptions) -> Result<DemoApp, DemoAppError> {
    let DemoOptions { port, flips } = options;
    let refused = |source| DemoAppError::listen(port, source);

    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    let record = Arc::new(Record::new(flips));
    let router = routes::router(Shop::new(record.clone()));

    let (stop, stopped) = oneshot::channel();
    let serving = axum::serve(listener, router).with_graceful_shutdown(async {
        // A dropped sender stops the server just as a sent message does.
        let _sent_or_dropped = stopped.await;
    });
    let served = tokio::spawn(async {
        // The accept loop retries its own errors; its result carries nothing.
        let _never_fails = serving.await;
    });
    Ok(DemoApp { address, record, stop, served })
}

impl DemoApp {
    /// Returns the origin the application answers on, such as `http://127.0.0.1:4100`.
    pub(crate) fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns what the server has recorded so far.
    pub(crate) fn record(&self) -> Hits {
        self.record.hits()
    }

    /// Stops the server and waits, for at most two seconds, until the port is free again.
    pub(crate) async fn close(self) {
        let DemoApp { stop, mut served, .. } = self;
        drop(stop);
        if timeout(CLOSE_TIME_MAX, &mut served).await.is_err() {
            served.abort();
        }
    }
}

impl DemoAppError {
    fn listen(port: u16, source: io::Error) -> DemoAppError {
        if source.kind() == io::ErrorKind::AddrInUse {
            return DemoAppError::PortInUse { port };
        }
        DemoAppError::Listen { port, source }
    }

    /// Returns the stable code of the error.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            DemoAppError::PortInUse { .. } => "port_in_use",
            DemoAppError::Listen { .. } => "listen_failed",
        }
    }
}

impl fmt::Display for DemoAppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DemoAppError::PortInUse { port } => write!(f, "port {port} of 127.0.0.1 is in use"),
            DemoAppError::Listen { port, .. } => {
                write!(f, "port {port} of 127.0.0.1 cannot be listened on")
            }
        }
    }
}

impl std::error::Error for DemoAppError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            DemoAppError::PortInUse { .. } => None,
            DemoAppError::Listen { source, .. } => Some(source),
        }
    }
}
