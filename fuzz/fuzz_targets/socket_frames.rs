//! Feeds libFuzzer's inputs to `sidestick_host::fuzz::socket_frames`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sidestick_host::fuzz::socket_frames(bytes));
