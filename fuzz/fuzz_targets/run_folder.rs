//! Feeds libFuzzer's inputs to `sidestick_evidence::fuzz::run_folder`.
#![no_main]

use std::sync::LazyLock;

use tempfile::TempDir;

/// A folder of this process alone: libFuzzer may run several.
static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
    let memory = std::path::Path::new("/dev/shm");
    let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    folder.expect("a folder can be made")
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sidestick_evidence::fuzz::run_folder(FOLDER.path(), bytes);
});
