//! Mutations of known inputs, the same ones in every run: the bounded half of fuzzing.
//!
//! Each crate that reads what others wrote has a module `fuzz` with one function per format, which
//! asserts what must hold whatever the bytes are. [`smoke`] feeds such a function the seeds of
//! `fixtures/fuzz/<target>/` and mutations of them; `fuzz/` feeds it whatever libFuzzer finds.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Where the mutations begin, unless `SIDESTICK_FUZZ_SEED` says otherwise.
const SEED: u64 = 0x51de_571c;
/// Bytes of a mutated input; a longer one is cut.
const BYTES_MAX: usize = 32 * 1024;
/// One input may take this long; it takes well under a millisecond unless work explodes.
pub const INPUT_TIME_MAX: Duration = Duration::from_secs(10);

/// Pieces that parsers trip over.
const WORDS: &[&[u8]] = &[
    b"\0",
    b"\xff\xfe",
    b"\xc3",
    b"\xed\xa0\x80",
    "\u{2028}\u{202e}\u{feff}".as_bytes(),
    "…".as_bytes(),
    "İß".as_bytes(),
    b"\\ud800",
    b"\\u0000",
    b"null",
    b"true",
    b"-1",
    b"0.1e-300",
    b"1e999",
    b"-0.0",
    b"18446744073709551615",
    b"9223372036854775808",
    b"4294967296",
    b"99999999999999999999999999",
    b"NaN",
    b"{}",
    b"[]",
    b"\"\"",
    b"\"",
    b"\\",
    b"'",
    b",",
    b":",
    b"\n",
    b"\r\n",
    b"\n\n",
    b"\t",
    b" ",
    b"..",
    b"/",
    b"//",
    b"://",
    b"https://",
    b"blob:https://",
    b"user:pass@",
    b"@",
    b"?token=",
    b"&password=",
    b";jsessionid=",
    b"#",
    b"%",
    b"%00",
    b"%2e%2e%2f",
    b"%ff",
    b"[REDACTED]",
    b"<script>",
    b"]]>",
    b"&a *a",
    b"!!str ",
    b"<<: *a",
    b"---\n",
    b"- ",
    b"\xf0\x9f\x92\xa9",
    b"e18446744073709551615",
    b"f1e3",
    b"ctrl+",
    b"+",
];

/// SplitMix64: small, seeded, and good enough to pick places with.
#[derive(Debug, Clone)]
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`, or 0 when there is none.
    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap().max(1);
        usize::try_from(self.roll() % end).unwrap()
    }

    fn range(&mut self, length: usize, most: usize) -> std::ops::Range<usize> {
        let start = self.below(length);
        let end = (start + 1 + self.below(most)).min(length);
        start.min(end)..end
    }

    fn pick<'a>(&mut self, items: &[&'a [u8]]) -> &'a [u8] {
        items.get(self.below(items.len())).copied().unwrap_or_default()
    }
}

/// The seeds of one target and what can be made of them.
#[derive(Debug)]
pub struct Mutator {
    seeds: Vec<Vec<u8>>,
    seed: u64,
}

impl Mutator {
    /// Mutates `seeds`, from one number on.
    pub fn new(seeds: Vec<Vec<u8>>, seed: u64) -> Mutator {
        assert!(!seeds.is_empty(), "there is nothing to mutate");
        Mutator { seeds, seed }
    }

    /// Returns the `index`-th mutation; the same one for the same seeds and number.
    pub fn mutation(&self, index: u64) -> Vec<u8> {
        let mut dice = Dice(self.seed ^ index.wrapping_mul(0xd134_2543_de82_ef95));
        let mut bytes = self.any(&mut dice).to_vec();
        for _ in 0..=dice.below(4) {
            self.step(&mut bytes, &mut dice);
            bytes.truncate(BYTES_MAX);
        }
        bytes
    }

    fn any(&self, dice: &mut Dice) -> &[u8] {
        self.seeds.get(dice.below(self.seeds.len())).map(Vec::as_slice).unwrap_or_default()
    }

    fn step(&self, bytes: &mut Vec<u8>, dice: &mut Dice) {
        let length = bytes.len();
        match dice.below(14) {
            0 => {
                let (at, bit) = (dice.below(length), dice.below(8));
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << bit;
                }
            }
            1 | 2 => insert(bytes, dice.below(length + 1), dice.pick(WORDS)),
            3 => {
                let place = dice.range(length, 8);
                drop(bytes.splice(place, dice.pick(WORDS).iter().copied()));
            }
            4 => drop(bytes.drain(dice.range(length, 64))),
            5 => {
                let piece = bytes.get(dice.range(length, 64)).unwrap_or_default().to_vec();
                insert(bytes, dice.below(length + 1), &piece.repeat(1 + dice.below(40)));
            }
            6 => {
                // Half of this one, half of another: two things that are right, wrong together.
                let other = self.any(dice);
                let (here, there) = (dice.below(length + 1), dice.below(other.len() + 1));
                bytes.truncate(here);
                bytes.extend_from_slice(other.get(there..).unwrap_or_default());
            }
            7 => {
                let other = self.any(dice);
                let piece = other.get(dice.range(other.len(), 200)).unwrap_or_default().to_vec();
                insert(bytes, dice.below(length + 1), &piece);
            }
            8 => bytes.truncate(dice.below(length + 1)),
            9 => {
                let deep: &[u8] =
                    dice.pick(&[b"[", b"{\"a\":", b"- ", b"(", b"  ", b"a+", b"&a [*a,"]);
                let count = 1 << dice.below(12);
                insert(bytes, dice.below(length + 1), &deep.repeat(count));
            }
            10 => number(bytes, dice),
            11 => lines(bytes, dice),
            12 => token(bytes, self.any(dice), dice),
            _ => {
                let letter = [b'a' + u8::try_from(dice.below(26)).unwrap()];
                insert(bytes, dice.below(length + 1), &letter.repeat(1 << dice.below(13)));
            }
        }
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    drop(bytes.splice(at..at, piece.iter().copied()));
}

/// Puts another number where one stands.
fn number(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let from = dice.below(bytes.len());
    let digits = |byte: &u8| byte.is_ascii_digit();
    let Some(start) = bytes.iter().skip(from).position(digits).map(|at| from + at) else { return };
    let length = bytes.iter().skip(start).take_while(|byte| digits(byte)).count();
    let other: &[u8] = dice.pick(&[
        b"0",
        b"-1",
        b"1",
        b"255",
        b"65536",
        b"2147483648",
        b"4294967295",
        b"18446744073709551615",
        b"18446744073709551616",
        b"1e308",
        b"0.5",
        b"007",
    ]);
    drop(bytes.splice(start..start + length, other.iter().copied()));
}

/// Takes a line out, doubles it or lets two change places.
fn lines(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let mut lines: Vec<Vec<u8>> =
        bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let (one, other) = (dice.below(lines.len()), dice.below(lines.len()));
    match dice.below(3) {
        _ if lines.is_empty() => {}
        0 => drop(lines.remove(one)),
        1 => lines.insert(other, lines.get(one).cloned().unwrap_or_default()),
        _ => lines.swap(one, other),
    }
    *bytes = lines.concat();
}

/// Puts a word of another seed where one stands.
fn token(bytes: &mut Vec<u8>, other: &[u8], dice: &mut Dice) {
    let (here, there) = (word(bytes, dice), word(other, dice));
    let piece = other.get(there).unwrap_or_default().to_vec();
    drop(bytes.splice(here, piece));
}

fn word(bytes: &[u8], dice: &mut Dice) -> std::ops::Range<usize> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let from = dice.below(bytes.len());
    let start = bytes.iter().skip(from).position(is_word).map_or(bytes.len(), |at| from + at);
    let length = bytes.iter().skip(start).take_while(|byte| is_word(byte)).count();
    start..start + length
}

/// Returns the folder of a target's seeds.
fn folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/fuzz").join(target)
}

/// Returns the seeds of a target, by name.
pub fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    let mut seeds: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder(target))
        .unwrap_or_else(|error| panic!("the seeds of `{target}` cannot be listed: {error}"))
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    seeds.sort();
    seeds
}

/// Feeds `body` every seed of `target`, then `count` mutations of them.
///
/// `SIDESTICK_FUZZ_TIMES` multiplies the count and `SIDESTICK_FUZZ_SEED` takes other mutations.
///
/// # Panics
///
/// Panics when the body does, or an input takes longer than [`INPUT_TIME_MAX`], and says which
/// input it was; the whole input lies in the target folder then.
pub fn smoke(target: &str, count: u64, body: impl Fn(&[u8])) {
    let seeds = seeds(target);
    for (name, bytes) in &seeds {
        feed(target, name, bytes, &body);
    }
    let seed = number_of("SIDESTICK_FUZZ_SEED").unwrap_or(SEED);
    let times = number_of("SIDESTICK_FUZZ_TIMES").unwrap_or(1);
    let mutator = Mutator::new(seeds.into_iter().map(|(_, bytes)| bytes).collect(), seed);
    for index in 0..count.saturating_mul(times) {
        let bytes = mutator.mutation(index);
        feed(target, &format!("seed-{seed}-mutation-{index}"), &bytes, &body);
    }
}

fn number_of(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().unwrap())
}

fn feed(target: &str, name: &str, bytes: &[u8], body: &impl Fn(&[u8])) {
    let started = Instant::now();
    let fed = catch_unwind(AssertUnwindSafe(|| body(bytes)));
    let took = started.elapsed();
    if fed.is_ok() && took < INPUT_TIME_MAX {
        return;
    }
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz");
    let path = kept.join(format!("{target}-{name}"));
    std::fs::create_dir_all(&kept).unwrap();
    std::fs::write(&path, bytes).unwrap();
    let what = if fed.is_err() { "broke" } else { "took too long in" };
    let shown = bytes.get(..bytes.len().min(600)).unwrap_or_default().escape_ascii();
    panic!(
        "`{name}` {what} `{target}` after {} ms; all {} bytes are in target/fuzz: {shown}",
        took.as_millis(),
        bytes.len(),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_gives_the_same_mutations_and_another_gives_others() {
        let seeds = || vec![b"{\"n\":1,\"text\":\"one\"}\n".to_vec(), b"second\nline 2\n".to_vec()];
        let (one, again) = (Mutator::new(seeds(), 1), Mutator::new(seeds(), 1));
        let other = Mutator::new(seeds(), 2);

        let of = |mutator: &Mutator| (0..200).map(|at| mutator.mutation(at)).collect::<Vec<_>>();

        assert_eq!(of(&one), of(&again));
        assert_ne!(of(&one), of(&other));
        assert!(of(&one).iter().all(|bytes| bytes.len() <= BYTES_MAX));
        assert!(of(&one).iter().any(|bytes| std::str::from_utf8(bytes).is_err()));
    }

    #[test]
    fn a_body_that_breaks_is_told_with_its_input() {
        let told = catch_unwind(|| {
            feed("none", "by-hand", b"boom", &|bytes: &[u8]| assert!(bytes != b"boom"));
        });

        let message = told.unwrap_err().downcast::<String>().unwrap();
        assert!(
            message.contains("`by-hand` broke `none`") && message.contains("boom"),
            "{message}"
        );
    }
}
