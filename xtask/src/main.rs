//! Chores: the checks, generators and runners that keep this repository honest.
//!
//! Nothing here is shipped, and no crate of the product depends on it.

mod bars;
mod bench;
mod check;
mod faults;
mod generate;
mod run;
mod sabotage;
mod suite;
mod tidy;
mod web;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};

const HELP: &str = "\
cargo xtask COMMAND

  tidy               check the rules of this repository (docs/style.md)
  licenses           check every dependency's license against deny.toml
  check              what a commit must pass: fmt, clippy, tidy, unit tests
  test [PROFILE]     the whole suite; writes target/bars/test.json
  faults [KIND,..]   fail every message to the browser in every way; writes
                     target/bars/faults.json
  sabotage [NAME..]  break each invariant on purpose and see a test catch it;
                     writes target/bars/sabotage.json
  bench [OPTION..]   measure the release build beside the raw protocol and the peers;
                     writes target/bars/bench.json and bench/RESULTS.md
  generate [--check] write docs/reference from the binary, or compare with it
  web [--check]      build the page scripts, or compare with what is committed";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();

    match dispatch(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(if error.is::<bench::Missing>() { bench::MISSING } else { 2 })
        }
    }
}

/// Runs one chore and says whether everything it looked at was in order.
fn dispatch(arguments: &[&str]) -> Result<bool> {
    let root = root()?;

    match arguments {
        ["tidy"] => tidy::report(&tidy::violations(&root)?),
        ["licenses"] => tidy::report(&tidy::license_violations(&root)?),
        ["check"] => check::run(&root),
        ["test"] => suite::run(&root, "default"),
        ["test", profile] => suite::run(&root, profile),
        ["faults"] => faults::run(&root, "all"),
        ["faults", kinds] => faults::run(&root, kinds),
        ["sabotage", names @ ..] => sabotage::run(&root, names),
        ["bench", options @ ..] => bench::run(&root, options),
        ["generate"] => generate::write(&root),
        ["generate", "--check"] => generate::check(&root),
        ["web"] => web::build(&root),
        ["web", "--check"] => web::check(&root),
        [] | ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            Ok(true)
        }
        [unknown, ..] => bail!("`{unknown}` is not a chore, or its arguments are wrong\n\n{HELP}"),
    }
}

/// Returns the root of the workspace, wherever the caller stands in it.
fn root() -> Result<PathBuf> {
    let crate_dir = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_dir.parent().map(Path::to_path_buf).context("xtask has no parent folder")
}
