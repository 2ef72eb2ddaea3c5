//! Feeds libFuzzer's inputs to `sidestick_policy::fuzz::narrowing`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sidestick_policy::fuzz::narrowing(bytes));
