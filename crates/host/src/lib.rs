//! The session process: its protocol, its client, its session task, the brake, the registry of
//! running hosts.
//!
//! A host holds one run's surface open between the verbs of its callers. The run folder, not the
//! host, is the source of truth.

pub mod brake;
pub mod client;
#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
pub mod fuzz;
pub mod protocol;
pub mod registry;
pub mod server;
pub mod session;
mod socket;

pub use client::{Client, ClientError};
pub use registry::{Registry, Running};
