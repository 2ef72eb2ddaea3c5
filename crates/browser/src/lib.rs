//! The driver for Chromium over the DevTools protocol.
//!
//! It launches or attaches, reads pages through scripts in an isolated world, and performs what a
//! permit allows. It decides nothing: what may be done is the gate's to say.

mod asides;
mod baseline;
mod boundary;
mod changes;
mod chooser;
mod closed;
mod connection;
mod downloads;
mod emulation;
mod events;
mod everywhere;
mod frames;
#[cfg(any(test, feature = "fuzz"))]
#[doc(hidden)]
pub mod fuzz;
mod injected;
mod input;
mod keys;
mod launch;
mod network;
mod observe;
mod page;
mod perform;
mod picture;
mod protocol;
mod resolve;
mod scroll;
mod session;
mod settle;
mod surface;
mod windows;
mod zoom;

pub use connection::{CallError, Connection, OnWire};
pub use launch::{Belongings, LaunchError, LaunchOptions, executable, remove_profile_of_ended};
pub use session::{Chromium, OpenError, Options};
