//! What differs between two outlines, told line by line so that nothing is lost (D10).
//!
//! A delta carries the new header and the new footer whole, and of the lines between them only
//! those that differ, each with its place. Whoever holds the older outline gets the newer one back
//! by walking along it; the grammar is in docs/reference/outline.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use sidestick_model::ObservationId;
use sidestick_model::call::DeltaSeen;

/// Lines that may differ; two outlines further apart are not compared to the end.
///
/// LIMIT: such a look is answered with the whole outline, and says so.
const EDITS_MAX: usize = 800;
/// Refs that are named as new or changed in the last line of an outline; more are counted.
const NAMED_MAX: usize = 12;
/// Words that stand between the header of a delta and its counts.
const SINCE: &str = "; since ";

/// A delta as text, and what is in it.
#[derive(Debug)]
pub(crate) struct Delta {
    /// The text.
    pub(crate) text: String,
    /// How many lines came, went, changed, moved and stayed.
    pub(crate) seen: DeltaSeen,
}

/// An outline in its three parts.
struct Parts<'a> {
    header: &'a str,
    lines: Vec<&'a str>,
    footer: Vec<&'a str>,
}

impl<'a> Parts<'a> {
    /// The footer is the last line, or the last two when the last counts what was left out: no
    /// line of a node can begin like that, since a role has no colon.
    fn of(outline: &'a str) -> Parts<'a> {
        let mut lines: Vec<&str> = outline.lines().collect();
        let header = if lines.is_empty() { "" } else { lines.remove(0) };
        let counts = lines.last().is_some_and(|line| line.starts_with("left out: "));
        let footer = lines.split_off(lines.len().saturating_sub(1 + usize::from(counts)));
        Parts { header, lines, footer }
    }
}

/// How a line of the older outline goes over into the newer one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edit {
    /// It stands there as it did.
    Same,
    /// It is gone.
    Gone,
    /// A line stands there that did not.
    New,
}

/// What stands on one line of a delta.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Gone,
    MovedAway,
    New,
    MovedHere,
    Changed,
}

impl Mark {
    fn sign(self) -> char {
        match self {
            Mark::Gone => '-',
            Mark::MovedAway => '<',
            Mark::New => '+',
            Mark::MovedHere => '>',
            Mark::Changed => '~',
        }
    }
}

/// Returns what leads from the older outline to the newer one; none when the two are too far apart,
/// or when the newer one is the shorter way to say it.
pub(crate) fn between(old: &str, new: &str, since: ObservationId) -> Option<Delta> {
    told(old, new, since).filter(|delta| delta.text.len() <= new.len())
}

fn told(old: &str, new: &str, since: ObservationId) -> Option<Delta> {
    let (before, after) = (Parts::of(old), Parts::of(new));
    let edits = edits(&before.lines, &after.lines)?;
    let hunks = hunks(&before.lines, &after.lines, &edits);
    let mut seen = DeltaSeen::of(since);
    let mut body = String::new();
    for hunk in &hunks {
        let under = parent(&after.lines, hunk.new_at)
            .map(|line| format!(" in {}", line.trim_start()))
            .unwrap_or_default();
        let _ = writeln!(body, "@{}{under}", hunk.old_at + 1);
        for (mark, line) in &hunk.lines {
            let _ = writeln!(body, "{} {line}", mark.sign());
            let count = match mark {
                Mark::Gone => &mut seen.gone,
                Mark::New => &mut seen.new,
                Mark::MovedHere => &mut seen.moved,
                Mark::Changed => &mut seen.changed,
                Mark::MovedAway => continue,
            };
            *count += 1;
        }
    }
    let same = edits.iter().filter(|edit| **edit == Edit::Same).count();
    seen.same = u32::try_from(same).unwrap_or(u32::MAX);
    let text = format!(
        "{}{SINCE}{since}: {}\n{body}{}\n",
        after.header,
        counts(&seen),
        after.footer.join("\n")
    );
    Some(Delta { text, seen })
}

fn counts(seen: &DeltaSeen) -> String {
    format!(
        "{} new, {} gone, {} changed, {} moved, {} the same",
        seen.new, seen.gone, seen.changed, seen.moved, seen.same
    )
}

/// The shortest way from one list of lines to the other (Myers); none beyond [`EDITS_MAX`].
fn edits(old: &[&str], new: &[&str]) -> Option<Vec<Edit>> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let (old_rest, new_rest) = (old.get(head..)?, new.get(head..)?);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(a, b)| a == b).count();
    let old_mid = old_rest.get(..old_rest.len() - tail)?;
    let new_mid = new_rest.get(..new_rest.len() - tail)?;
    let mut edits = vec![Edit::Same; head];
    edits.extend(middle(old_mid, new_mid)?);
    edits.extend(std::iter::repeat_n(Edit::Same, tail));
    Some(edits)
}

/// For each number of edits, how far along the older list each diagonal got.
fn middle(old: &[&str], new: &[&str]) -> Option<Vec<Edit>> {
    let mut rounds: Vec<BTreeMap<isize, usize>> = Vec::new();
    let mut reached: BTreeMap<isize, usize> = BTreeMap::from([(1, 0)]);
    let (old_len, new_len) = (signed(old.len()), signed(new.len()));
    for count in 0..=EDITS_MAX.min(old.len() + new.len()) {
        rounds.push(reached.clone());
        let count = signed(count);
        let mut next = BTreeMap::new();
        for diagonal in (-count..=count).step_by(2) {
            if diagonal < -new_len || old_len < diagonal {
                continue;
            }
            let mut x = step(&reached, diagonal, count);
            let mut y = signed(x) - diagonal;
            while let (Some(a), Some(b)) = (old.get(x), at(new, y)) {
                if *a != b {
                    break;
                }
                (x, y) = (x + 1, y + 1);
            }
            next.insert(diagonal, x);
            if old_len <= signed(x) && new_len <= y {
                return Some(way_back(&rounds, old_len, new_len));
            }
        }
        reached = next;
    }
    None
}

/// Where a diagonal begins: one line gone from the one beside it, or one line new.
fn step(reached: &BTreeMap<isize, usize>, diagonal: isize, count: isize) -> usize {
    let gone = reached.get(&(diagonal - 1)).map(|x| x + 1);
    let new = reached.get(&(diagonal + 1)).copied();
    match (gone, new) {
        (Some(gone), Some(new)) if count != 0 => gone.max(new),
        (Some(gone), None) => gone,
        (_, Some(new)) => new,
        (None, None) => 0,
    }
}

fn way_back(rounds: &[BTreeMap<isize, usize>], old_len: isize, new_len: isize) -> Vec<Edit> {
    let (mut x, mut y) = (old_len, new_len);
    let mut edits = Vec::new();
    for (count, reached) in rounds.iter().enumerate().rev() {
        let diagonal = x - y;
        let from = signed(step(reached, diagonal, signed(count)));
        let is_gone = reached.get(&(diagonal - 1)).map(|x| signed(*x) + 1) == Some(from);
        while from < x && 0 < x && 0 < y {
            edits.push(Edit::Same);
            (x, y) = (x - 1, y - 1);
        }
        if count == 0 {
            break;
        }
        if is_gone {
            edits.push(Edit::Gone);
            x -= 1;
        } else {
            edits.push(Edit::New);
            y -= 1;
        }
    }
    edits.reverse();
    edits
}

fn signed(length: usize) -> isize {
    isize::try_from(length).unwrap_or(isize::MAX)
}

fn at<'a>(lines: &[&'a str], y: isize) -> Option<&'a str> {
    usize::try_from(y).ok().and_then(|y| lines.get(y).copied())
}

/// Lines that differ and stand together.
struct Hunk<'a> {
    /// Lines of the older outline before it.
    old_at: usize,
    /// Lines of the newer outline before it.
    new_at: usize,
    lines: Vec<(Mark, &'a str)>,
}

fn hunks<'a>(old: &[&'a str], new: &[&'a str], edits: &[Edit]) -> Vec<Hunk<'a>> {
    let (mut x, mut y) = (0, 0);
    let mut hunks: Vec<Hunk<'a>> = Vec::new();
    let (mut gone, mut came): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    let mut take = |gone: &mut Vec<&'a str>, came: &mut Vec<&'a str>, x: usize, y: usize| {
        if !gone.is_empty() || !came.is_empty() {
            let (old_at, new_at) = (x - gone.len(), y - came.len());
            hunks.push(Hunk { old_at, new_at, lines: paired(gone, came) });
            gone.clear();
            came.clear();
        }
    };
    for edit in edits {
        match edit {
            Edit::Same => {
                take(&mut gone, &mut came, x, y);
                (x, y) = (x + 1, y + 1);
            }
            Edit::Gone => {
                gone.extend(old.get(x));
                x += 1;
            }
            Edit::New => {
                came.extend(new.get(y));
                y += 1;
            }
        }
    }
    take(&mut gone, &mut came, x, y);
    tell_moves(&mut hunks);
    hunks
}

/// Pairs, in order, lines of one element, or else of one role and depth: those have changed.
fn paired<'a>(gone: &[&'a str], came: &[&'a str]) -> Vec<(Mark, &'a str)> {
    let mut lines = Vec::new();
    let mut rest = gone;
    for line in came {
        let own = identity(line);
        match rest.iter().position(|old| identity(old) == own) {
            Some(found) => {
                let (before, after) = rest.split_at(found);
                lines.extend(before.iter().map(|old| (Mark::Gone, *old)));
                lines.push((Mark::Changed, *line));
                rest = after.get(1..).unwrap_or_default();
            }
            None => lines.push((Mark::New, line)),
        }
    }
    lines.extend(rest.iter().map(|old| (Mark::Gone, *old)));
    lines
}

/// What went in one place and came in another has moved.
fn tell_moves(hunks: &mut [Hunk<'_>]) {
    let refs = |wanted: Mark, hunks: &[Hunk<'_>]| -> BTreeSet<String> {
        let lines = hunks.iter().flat_map(|hunk| &hunk.lines);
        lines.filter(|(mark, _)| *mark == wanted).filter_map(|(_, line)| last_ref(line)).collect()
    };
    let (went, came) = (refs(Mark::Gone, hunks), refs(Mark::New, hunks));
    let moved: BTreeSet<&String> = went.intersection(&came).collect();
    for (mark, line) in hunks.iter_mut().flat_map(|hunk| &mut hunk.lines) {
        let has_moved = last_ref(line).is_some_and(|id| moved.contains(&id));
        match mark {
            Mark::Gone if has_moved => *mark = Mark::MovedAway,
            Mark::New if has_moved => *mark = Mark::MovedHere,
            _ => {}
        }
    }
}

/// What makes two lines those of one thing: its ref, or else its role at its depth.
fn identity(line: &str) -> String {
    match last_ref(line) {
        Some(id) => id,
        None => {
            let words = line.trim_start();
            let depth = line.len() - words.len();
            format!("{depth} {}", words.split(' ').next().unwrap_or_default())
        }
    }
}

/// Returns the closest line above that is indented less.
fn parent<'a>(lines: &[&'a str], at: usize) -> Option<&'a str> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let own = depth(lines.get(at).copied().or_else(|| lines.last().copied())?);
    lines.get(..at)?.iter().rev().copied().find(|line| depth(line) < own)
}

/// The parts of a line that are nodes: what stands between bars, outside quotes.
fn segments(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut quoted, mut escaped) = (0, false, false);
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '|' if !quoted => {
                parts.extend(line.get(from..at));
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(line.get(from..));
    parts
}

/// Returns the ref a node's words end with: its first word is its role, and is none.
fn ref_of(segment: &str) -> Option<&str> {
    let (rest, last) = segment.trim().rsplit_once(' ')?;
    // An escaped quote inside a name cannot end one.
    let is_quoted = last.ends_with('"');
    (!rest.is_empty() && !is_quoted && sidestick_model::target::is_ref(last)).then_some(last)
}

fn last_ref(line: &str) -> Option<String> {
    ref_of(segments(line).first()?).map(str::to_owned)
}

/// Returns each ref of an outline with the words it stands in.
fn nodes(outline: &str) -> BTreeMap<&str, &str> {
    let parts = Parts::of(outline);
    let all = parts.lines.into_iter().flat_map(segments);
    all.filter_map(|segment| Some((ref_of(segment)?, segment.trim()))).collect()
}

/// Says which refs are new, and which stand for something else, than in an older outline.
pub(crate) fn news(old: &str, new: &str, since: ObservationId) -> Option<String> {
    let (before, after) = (nodes(old), nodes(new));
    let (mut came, mut changed) = (Vec::new(), Vec::new());
    for (id, words) in after {
        match before.get(id) {
            None => came.push(id),
            Some(old) if *old != words => changed.push(id),
            Some(_) => {}
        }
    }
    let named: Vec<String> = [("new", came), ("changed", changed)]
        .into_iter()
        .filter(|(_, ids)| !ids.is_empty())
        .map(|(word, ids)| format!("{word} since {since}: {}", listed(ids)))
        .collect();
    (!named.is_empty()).then(|| named.join("; "))
}

fn listed(mut ids: Vec<&str>) -> String {
    // `e9` before `e10`.
    ids.sort_by_key(|id| (id.len(), *id));
    let more = ids.len().saturating_sub(NAMED_MAX);
    ids.truncate(NAMED_MAX);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{}{more}", ids.join(" "))
}

#[cfg(test)]
mod tests;
