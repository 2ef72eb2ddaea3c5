//! Everything that calls out. Today: witnesses, which ask the system of record on a path the
//! application does not control (D22).
//!
//! The only crate that may name an HTTP client.

pub mod witness;

pub use witness::HttpWitness;
