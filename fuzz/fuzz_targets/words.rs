//! Feeds libFuzzer's inputs to `sidestick_model::fuzz::words`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sidestick_model::fuzz::words(bytes));
