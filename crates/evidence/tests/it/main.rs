//! The record through its public interface: written, checked, and opened after its host died.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that cannot be set up has failed"
)]

mod desk;
mod mutated;
mod observations;
mod recovery;
mod trace;
mod verify;
