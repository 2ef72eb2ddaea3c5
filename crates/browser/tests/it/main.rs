//! The driver with a real Chromium and real pages, acted on through the gate; what the page
//! received is read from the page's own record.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests")]
#![expect(clippy::indexing_slicing, reason = "tests")]

mod acts;
mod asides;
mod bench;
mod boundary;
mod closer;
mod controls;
mod dialogs;
mod downloads;
mod fence;
mod frames;
mod launch;
mod pictures;
mod placed;
mod refusals;
mod settling;
mod takeover;
mod uploads;
mod uses;
mod waiting;
mod windows;
