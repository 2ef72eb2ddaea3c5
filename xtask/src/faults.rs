//! Every message between a host and its browser fails once, in every way that is asked for.
//!
//! The passes themselves are end-to-end tests; `make test` runs a choice of them, this chore all.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use serde_json::{Map, Value, json};

use crate::bars;
use crate::run::{succeeds, tool};

/// The tests that share the passes.
const SHARES: usize = 2;

/// Runs the passes for `kinds` (with commas; `all` for every way) and writes their counts.
pub(crate) fn run(root: &Path, kinds: &str) -> Result<bool> {
    let started = Instant::now();
    let folder = root.join("target/bars");
    std::fs::create_dir_all(&folder).context("cannot create target/bars")?;
    let shares: Vec<_> =
        (0..SHARES).map(|share| folder.join(format!("faults-{share}.json"))).collect();
    for path in shares.iter().filter(|path| path.exists()) {
        std::fs::remove_file(path).context("cannot remove the counts of an earlier run")?;
    }

    let mut command = tool(
        root,
        "cargo",
        &[
            "nextest",
            "run",
            "--package",
            "sidestick",
            "--features",
            "test-root",
            "--profile",
            "faults",
            "--no-fail-fast",
            "-E",
            "test(/^faults::/)",
        ],
    );
    command.env("SIDESTICK_FAULTS", kinds).env("SIDESTICK_FAULTS_BARS", &folder);
    let held = succeeds(command)?;

    let mut told = Vec::new();
    for path in &shares {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("a share has left no {}", path.display()))?;
        told.push(serde_json::from_str(&text).context("the counts of a share cannot be read")?);
        std::fs::remove_file(path).context("cannot remove the counts of a share")?;
    }
    let numbers = together(&told, held, started.elapsed().as_secs());
    bars::write(root, "faults", &numbers)?;
    println!("{} passes, {} wrong", numbers["passes"], numbers["wrong"]);
    if numbers["passes"] == 0 {
        bail!("`{kinds}` names no way in which a message fails");
    }
    Ok(numbers["ok"] == true)
}

/// Adds up the counts of the shares.
fn together(shares: &[Value], held: bool, seconds: u64) -> Value {
    let sum = |values: &mut dyn Iterator<Item = &Value>| -> u64 {
        values.filter_map(Value::as_u64).sum()
    };
    let names = shares.iter().filter_map(|share| share["kinds"].as_object());
    let mut kinds = Map::new();
    for name in names.flat_map(Map::keys) {
        let of = |what: &str| sum(&mut shares.iter().map(|share| &share["kinds"][name][what]));
        kinds.insert(name.clone(), json!({"passes": of("passes"), "reached": of("reached")}));
    }
    let wrong: usize =
        shares.iter().filter_map(|share| share["wrong"].as_array()).map(Vec::len).sum();
    json!({
        "messages": shares.iter().filter_map(|share| share["messages"].as_u64()).max(),
        "passes": sum(&mut shares.iter().map(|share| &share["passes"])),
        "kinds": kinds,
        "wrong": wrong,
        "seconds": seconds,
        "ok": held && wrong == 0 && !shares.is_empty(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_added_up_and_one_wrong_pass_is_enough() {
        let share = |wrong: &[&str]| {
            json!({"messages": 60, "passes": 30, "wrong": wrong,
                "kinds": {"fail": {"passes": 30, "reached": 29}}})
        };

        let good = together(&[share(&[]), share(&[])], true, 9);
        let bad = together(&[share(&[]), share(&["a false success"])], true, 9);

        assert_eq!((&good["passes"], &good["ok"]), (&json!(60), &json!(true)));
        assert_eq!(good["kinds"]["fail"], json!({"passes": 60, "reached": 58}));
        assert_eq!((&bad["wrong"], &bad["ok"]), (&json!(1), &json!(false)));
        assert_eq!(together(&[share(&[])], false, 9)["ok"], false);
    }
}
