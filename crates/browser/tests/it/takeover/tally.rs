//! The numbers of all rounds, printed and written to `target/bars/takeover.json`.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::activity::Activity;
use super::round::{Position, Round, Taken, word};

/// The acknowledgement of a takeover: 95 of 100 are at most this.
const ACKNOWLEDGED_MAX_MS: f64 = 50.0;

#[derive(Debug)]
pub(crate) struct Tally {
    seed: u64,
    rounds: BTreeMap<String, BTreeMap<&'static str, usize>>,
    positions: BTreeMap<String, BTreeMap<&'static str, usize>>,
    told: BTreeMap<String, usize>,
    acknowledged: BTreeMap<&'static str, Vec<f64>>,
    blocked: Vec<f64>,
    concluded: Vec<f64>,
    returned: BTreeMap<&'static str, Vec<f64>>,
    after: usize,
    owed: usize,
    pub(crate) wrong: Vec<String>,
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// Returns the value below which `part` of a hundred lie.
fn percentile(values: &[f64], part: usize) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let at = (sorted.len() * part).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or_default()
}

fn spread(values: &[f64]) -> Value {
    let round = |value: f64| (value * 1_000.0).round() / 1_000.0;
    json!({"n": values.len(), "p50": round(percentile(values, 50)),
        "p95": round(percentile(values, 95)), "max": round(percentile(values, 100))})
}

impl Tally {
    pub(crate) fn new(seed: u64) -> Tally {
        Tally {
            seed,
            rounds: BTreeMap::new(),
            positions: BTreeMap::new(),
            told: BTreeMap::new(),
            acknowledged: BTreeMap::new(),
            blocked: Vec::new(),
            concluded: Vec::new(),
            returned: BTreeMap::new(),
            after: 0,
            owed: 0,
            wrong: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, round: &Round, taken: &Taken, wrong: Vec<String>) {
        let (activity, kind) = (round.activity.name(), round.kind.name());
        let position = match taken.position {
            Position::Before => "before the first message",
            Position::Middle => "in the middle",
            Position::After => "after the end",
        };
        *self.rounds.entry(activity.clone()).or_default().entry(kind).or_default() += 1;
        *self.positions.entry(activity).or_default().entry(position).or_default() += 1;
        *self.told.entry(word(&taken.told)).or_default() += 1;
        self.acknowledged.entry(kind).or_default().push(ms(taken.acknowledged));
        self.returned.entry(kind).or_default().push(ms(taken.returned));
        if taken.was_blocked {
            self.blocked.push(ms(taken.acknowledged));
        }
        if taken.position != Position::After {
            self.concluded.push(ms(taken.concluded));
        }
        self.after += taken.judged.after;
        self.owed += taken.judged.owed;
        self.wrong.extend(wrong);
    }

    /// Returns whether the moments fell where they had to: into the middle of each activity, and
    /// before its first message; and pages were blocked when it mattered.
    pub(crate) fn covers(&self) -> bool {
        let fell = |activity: Activity, position: &str| {
            let of = self.positions.get(&activity.name());
            0 < of.and_then(|of| of.get(position)).copied().unwrap_or_default()
        };
        let all = [Activity::Drag, Activity::Type, Activity::Navigate, Activity::Blocked("")];
        let middle = all.into_iter().all(|activity| fell(activity, "in the middle"));
        let before = all.into_iter().any(|activity| fell(activity, "before the first message"));
        middle && before && !self.blocked.is_empty()
    }

    fn numbers(&self) -> Value {
        let all: Vec<f64> = self.acknowledged.values().flatten().copied().collect();
        let (p95, blocked) = (percentile(&all, 95), percentile(&self.blocked, 95));
        let of = |times: &BTreeMap<&'static str, Vec<f64>>| -> Value {
            times.iter().map(|(kind, times)| ((*kind).to_owned(), spread(times))).collect()
        };
        json!({
            "seed": self.seed,
            "rounds": all.len(),
            "rounds_by_activity": self.rounds,
            "moments": self.positions,
            "told": self.told,
            "messages_after_acknowledgement": self.after,
            "releases_owed": self.owed,
            "acknowledged_ms": spread(&all),
            "acknowledged_ms_by_kind": of(&self.acknowledged),
            "acknowledged_ms_while_blocked": spread(&self.blocked),
            "returned_ms_by_kind": of(&self.returned),
            "concluded_ms_after_acknowledgement": spread(&self.concluded),
            "bar_p95_ms": ACKNOWLEDGED_MAX_MS,
            "wrong": self.wrong,
            "ok": self.wrong.is_empty() && p95 <= ACKNOWLEDGED_MAX_MS
                && blocked <= ACKNOWLEDGED_MAX_MS,
        })
    }

    /// Writes the numbers down and holds them to the bar.
    pub(crate) fn write(&self) {
        let numbers = self.numbers();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bars");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("takeover.json"), format!("{numbers:#}\n")).unwrap();
        assert_eq!(numbers["ok"], true, "{numbers:#}");
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.numbers())
    }
}
