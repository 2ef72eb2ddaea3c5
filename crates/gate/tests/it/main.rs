//! The gate through its public interface, over a surface without a browser.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot be set up has failed")]

mod budget;
mod control;
mod effect;
mod interleave;
mod login;
mod order;
mod permit;
mod policy;
mod record;
mod secrets;
mod stale;
mod verdict;
