//! Feeds libFuzzer's inputs to `sidestick_browser::fuzz::page_replies`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sidestick_browser::fuzz::page_replies(bytes));
