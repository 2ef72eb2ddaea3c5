//! The pictures of a report: each read and decoded once, embedded once, however often it is shown.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use image::RgbImage;
use sha2::{Digest as _, Sha256};
use sidestick_model::outcome::Status;
use sidestick_model::record::{ActLine, Report};
use sidestick_model::{ActId, limits};

use super::picture::{self, Region, Shrinker};

/// Decoded pictures kept at hand: the picture after an act is most often the next one's before.
const DECODED_MAX: usize = 3;

/// What became of a picture the record names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// It is embedded, under this index.
    Shown(usize),
    /// The run folder does not have it.
    Missing,
    /// It is no picture, or too large a one.
    Unreadable,
    /// Embedding it would make the report too large.
    LeftOut,
}

/// An embedded picture.
#[derive(Debug)]
pub(super) struct Picture {
    /// Its width as taken, whatever was embedded.
    pub(super) width: u32,
    /// Its height as taken.
    pub(super) height: u32,
    /// The address that holds its data.
    pub(super) address: String,
}

/// How the pictures before and after an act differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Difference {
    /// Both are one picture, or nothing that can be seen differs.
    None,
    /// They differ in these places.
    In(Vec<Region>),
}

/// Every picture of a report.
#[derive(Debug, Default)]
pub(super) struct Album {
    pub(super) pictures: Vec<Picture>,
    slots: BTreeMap<String, Slot>,
    differences: BTreeMap<(String, String), Difference>,
}

impl Album {
    /// Reads the pictures the report names, in the order of the acts, into at most `bytes_max`.
    pub(super) fn new(
        report: &Report,
        read: &dyn Fn(&str) -> Option<Vec<u8>>,
        bytes_max: usize,
    ) -> Album {
        let shown = acts_to_show(report);
        let (pictured, named): (Vec<&ActLine>, Vec<&ActLine>) =
            report.acts.iter().partition(|line| shown.contains(&line.outcome.act));
        let others = others(report);
        let paths: BTreeSet<&str> = pictured
            .iter()
            .flat_map(|line| [line.before.as_deref(), line.after.as_deref()])
            .flatten()
            .chain(others.iter().copied())
            .collect();
        let mut maker = Maker {
            album: Album::default(),
            read,
            decoded: VecDeque::new(),
            same: BTreeMap::new(),
            shrinker: Shrinker::default(),
            bytes_left: bytes_max,
            pictures_left: paths.len(),
        };
        for line in pictured {
            maker.pair(line.before.as_deref(), line.after.as_deref());
        }
        for path in others {
            maker.take(path);
        }
        for path in named.into_iter().flat_map(|line| [&line.before, &line.after]).flatten() {
            // Another act or a finding may show it.
            maker.album.slots.entry(path.clone()).or_insert(Slot::LeftOut);
        }
        maker.album
    }

    /// Returns what became of the picture at `path`.
    pub(super) fn slot(&self, path: &str) -> Slot {
        self.slots.get(path).copied().unwrap_or(Slot::Missing)
    }

    /// Returns the embedded picture at `path` and its index.
    pub(super) fn shown(&self, path: &str) -> Option<(usize, &Picture)> {
        match self.slot(path) {
            Slot::Shown(index) => self.pictures.get(index).map(|picture| (index, picture)),
            Slot::Missing | Slot::Unreadable | Slot::LeftOut => None,
        }
    }

    /// Returns how two pictures differ; `None` when it could not be compared.
    pub(super) fn difference(&self, before: &str, after: &str) -> Option<&Difference> {
        self.differences.get(&(before.to_owned(), after.to_owned()))
    }
}

/// Returns the acts whose pictures are shown.
///
/// LIMIT: of more than [`limits::REPORT_ACTS_PICTURED_MAX`] acts these are the proofs, then what did
/// not end as it should, then the newest.
fn acts_to_show(report: &Report) -> BTreeSet<ActId> {
    let proofs: BTreeSet<ActId> = report.goals.iter().filter_map(|goal| goal.proof).collect();
    let rank = |line: &&ActLine| match line.outcome.status {
        _ if proofs.contains(&line.outcome.act) => 0,
        Status::Observed => 2,
        _ => 1,
    };
    let mut acts: Vec<&ActLine> = report.acts.iter().rev().collect();
    acts.sort_by_key(rank);
    acts.truncate(limits::REPORT_ACTS_PICTURED_MAX);
    acts.into_iter().map(|line| line.outcome.act).collect()
}

/// Returns the pictures that are shown outside the acts.
fn others(report: &Report) -> Vec<&str> {
    let findings = report.findings.iter().filter_map(|found| found.screenshot_path.as_deref());
    let last = Some(report.state_left.final_screenshot.as_str()).filter(|path| !path.is_empty());
    findings.chain(last).collect()
}

/// An album while it is made.
struct Maker<'a> {
    album: Album,
    read: &'a dyn Fn(&str) -> Option<Vec<u8>>,
    decoded: VecDeque<(String, Rc<RgbImage>)>,
    /// What became of each content, so that copies of one picture are embedded once.
    same: BTreeMap<[u8; 32], Slot>,
    shrinker: Shrinker,
    bytes_left: usize,
    pictures_left: usize,
}

impl Maker<'_> {
    fn pair(&mut self, before: Option<&str>, after: Option<&str>) {
        let old = before.and_then(|path| self.take(path));
        let new = after.and_then(|path| self.take(path));
        let (Some(before), Some(after), Some(old), Some(new)) = (before, after, old, new) else {
            return;
        };
        let pair = (before.to_owned(), after.to_owned());
        self.album.differences.entry(pair).or_insert_with(|| {
            let boxes = if Rc::ptr_eq(&old, &new) {
                Vec::new()
            } else {
                picture::changed_boxes(&old, &new)
            };
            if boxes.is_empty() { Difference::None } else { Difference::In(boxes) }
        });
    }

    /// Returns the pixels of the picture at `path`, and embeds it the first time it is met.
    fn take(&mut self, path: &str) -> Option<Rc<RgbImage>> {
        if let Some((_, pixels)) = self.decoded.iter().find(|(of, _)| of == path) {
            return Some(pixels.clone());
        }
        let known = self.album.slots.get(path).copied();
        if matches!(known, Some(Slot::Missing | Slot::Unreadable)) {
            return None;
        }
        let png = (self.read)(path);
        let pixels = png.as_deref().and_then(picture::decode).map(Rc::new);
        if known.is_none() {
            let slot = match (png, &pixels) {
                (Some(png), Some(pixels)) => self.embed(&png, pixels),
                (Some(_), None) => Slot::Unreadable,
                (None, _) => Slot::Missing,
            };
            self.album.slots.insert(path.to_owned(), slot);
            self.pictures_left = self.pictures_left.saturating_sub(1);
        }
        let pixels = pixels?;
        self.decoded.push_back((path.to_owned(), pixels.clone()));
        if DECODED_MAX < self.decoded.len() {
            self.decoded.pop_front();
        }
        Some(pixels)
    }

    fn embed(&mut self, png: &[u8], pixels: &RgbImage) -> Slot {
        let digest: [u8; 32] = Sha256::digest(png).into();
        if let Some(slot) = self.same.get(&digest) {
            return *slot;
        }
        // What earlier pictures did not need is shared among those that are still to come.
        let share = self.bytes_left / self.pictures_left.max(1);
        let slot = match self.shrinker.embed(pixels, share) {
            Some(address) => {
                self.bytes_left = self.bytes_left.saturating_sub(address.len());
                let (width, height) = pixels.dimensions();
                self.album.pictures.push(Picture { width, height, address });
                Slot::Shown(self.album.pictures.len().saturating_sub(1))
            }
            None => Slot::LeftOut,
        };
        self.same.insert(digest, slot);
        slot
    }
}
