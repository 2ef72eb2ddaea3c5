//! Feeds libFuzzer's inputs to `sidestick_capability::fuzz::scripts`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sidestick_capability::fuzz::scripts(bytes));
