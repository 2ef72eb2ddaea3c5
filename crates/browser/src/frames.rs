//! Frames whose documents the page script above them cannot read: of another origin, sandboxed, or
//! in a process of their own (D11). Each has a page script of its own, and is read and acted in
//! like any frame.
//!
//! A document that is readable from above is no frame here: the script above reads it too.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::Instant;

use sidestick_model::observation::Cover;
use sidestick_model::{Deadline, limits};

use crate::connection::Connection;
use crate::injected::{self, ScriptError};
use crate::page::{Known, Page, Refs};
use crate::protocol::Look;

/// The id of a frame, as the protocol names it.
pub(crate) type FrameId = String;

/// What is known of the documents in the frames of a page.
#[derive(Debug, Default)]
pub(crate) struct Frames {
    by_id: HashMap<FrameId, Frame>,
    /// Which frame a frame element shows, by its ref. Refs are given once.
    shown_by: HashMap<String, FrameId>,
}

/// One frame, whether or not anybody has to reach into it.
#[derive(Debug)]
struct Frame {
    session: String,
    /// The isolated world of the page scripts in the document shown.
    world: Option<i64>,
    /// Whether the script of that world was told where its numbers begin.
    has_begun: bool,
    /// The number its refs begin with, once it has been reached into.
    number: Option<u64>,
    refs: Refs,
    /// Where it lay when it was last looked for.
    place: Option<Place>,
    /// When its document was last replaced while nobody acted; at most two are kept.
    own_loads: Vec<Instant>,
}

/// Where a frame lies, as the script above it says.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Place {
    #[serde(rename = "ref")]
    pub(crate) id: String,
    x: f64,
    y: f64,
    /// How its document lies in the top viewport, where it is not only moved: a 3x3 matrix.
    map: Option<[f64; 9]>,
    /// By how much the frames above zoom it.
    zoom: f64,
    /// Whether that is known.
    is_known: bool,
    /// Left, top, right, bottom of the part that shows, in the top viewport.
    clip: [f64; 4],
    origin: String,
}

impl Place {
    /// Returns whether any of the frame shows.
    pub(crate) fn is_in_view(&self) -> bool {
        let [left, top, right, bottom] = self.clip;
        left < right && top < bottom
    }

    /// Returns the part of a box that shows, as its centre and its quarter points.
    pub(crate) fn points_in(&self, bounds: [f64; 4]) -> Vec<[f64; 2]> {
        let [x, y, width, height] = bounds;
        let [left, top, right, bottom] = self.clip;
        let (left, top) = (left.max(x), top.max(y));
        let (right, bottom) = (right.min(x + width), bottom.min(y + height));
        if right <= left || bottom <= top {
            return Vec::new();
        }
        let at =
            |across: f64, down: f64| [left + (right - left) * across, top + (bottom - top) * down];
        [(0.5, 0.5), (0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]
            .map(|(across, down)| at(across, down))
            .to_vec()
    }
}

/// A frame that was found in the page, and the frame above it.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) frame: FrameId,
    /// The frame its element is in; none for the page itself.
    pub(crate) above: Option<FrameId>,
    pub(crate) place: Place,
    /// The document in it when it was found.
    pub(crate) world: i64,
}

#[derive(Deserialize)]
struct Listed {
    frames: Vec<Place>,
}

#[derive(Deserialize)]
struct Number {
    number: u64,
}

#[derive(Deserialize)]
struct Described {
    node: NodeSeen,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NodeSeen {
    frame_id: Option<String>,
}

#[derive(Deserialize)]
struct Reached {
    at: Option<usize>,
    cover: Option<Cover>,
}

impl Frames {
    /// Takes a document that a frame shows from now on.
    pub(crate) fn world_created(&mut self, frame: &str, session: &str, world: i64, in_act: bool) {
        if !self.by_id.contains_key(frame) && limits::FRAMES_KNOWN_MAX <= self.by_id.len() {
            // LIMIT: the frames beyond it are told as not readable.
            return;
        }
        let refs = Refs { seen: 0, start: 1, frames_seen: 0 };
        let known = self.by_id.entry(frame.to_owned()).or_insert_with(|| Frame {
            session: session.to_owned(),
            world: None,
            has_begun: false,
            number: None,
            refs,
            place: None,
            own_loads: Vec::new(),
        });
        known.session.clear();
        known.session.push_str(session);
        known.world = Some(world);
        known.has_begun = false;
        known.refs.start = known.refs.seen.saturating_add(1);
        if !in_act {
            known.own_loads.push(Instant::now());
            if 2 < known.own_loads.len() {
                known.own_loads.remove(0);
            }
        }
    }

    /// Forgets a document; none for all of a session.
    pub(crate) fn world_destroyed(&mut self, session: &str, world: Option<i64>) {
        for frame in self.by_id.values_mut().filter(|frame| frame.session == session) {
            if world.is_none() || frame.world == world {
                frame.world = None;
            }
        }
    }

    pub(crate) fn removed(&mut self, frame: &str) {
        self.by_id.remove(frame);
    }

    /// Forgets every frame of a page whose document is gone: none of them can be in the new one.
    pub(crate) fn left_document(&mut self) {
        self.by_id.clear();
        self.shown_by.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Returns the session and the world of a frame's document.
    pub(crate) fn world(&self, frame: &str) -> Option<(String, i64)> {
        let frame = self.by_id.get(frame)?;
        Some((frame.session.clone(), frame.world?))
    }

    /// Returns the frame whose refs begin with a number.
    pub(crate) fn of_number(&self, number: u64) -> Option<(&FrameId, Refs)> {
        let has = |frame: &Frame| number != 0 && frame.number == Some(number);
        self.by_id.iter().find(|(_, frame)| has(frame)).map(|(id, frame)| (id, frame.refs))
    }

    /// Remembers a ref that was given out; false when it is of no frame here.
    pub(crate) fn saw(&mut self, number: u64, element: u64) -> bool {
        let of = |frame: &&mut Frame| number != 0 && frame.number == Some(number);
        let Some(frame) = self.by_id.values_mut().find(of) else { return false };
        frame.refs.seen = frame.refs.seen.max(element);
        true
    }

    /// Returns whether the frame's document was replaced twice lately while nobody acted.
    pub(crate) fn reloads_by_itself(&self, frame: &str) -> bool {
        const LATELY: std::time::Duration = std::time::Duration::from_secs(10);
        let Some(frame) = self.by_id.get(frame) else { return false };
        frame.own_loads.iter().filter(|at| at.elapsed() < LATELY).count() == 2
    }

    /// Returns what the script in a frame has to be told with every call.
    pub(crate) fn outer(&self, frame: &str) -> Value {
        let place = self.by_id.get(frame).and_then(|frame| frame.place.as_ref());
        place.map_or(Value::Null, |place| {
            let Place { x, y, map, zoom, is_known, clip, origin, .. } = place;
            json!({"x": x, "y": y, "map": map, "zoom": zoom, "is_known": is_known,
                "clip": clip, "origin": origin})
        })
    }

    /// Returns where the numbers of a new script begin, once for each document.
    pub(crate) fn begin(&mut self, frame: &str) -> Option<Value> {
        let frame = self.by_id.get_mut(frame).filter(|frame| !frame.has_begun)?;
        frame.has_begun = true;
        let own = frame.number.map(|number| format!("f{number}"));
        Some(json!({"ref_start": frame.refs.start, "frame_start": 1, "own": own}))
    }
}

/// Returns the frame that the script has to be asked in, by the ref it is asked about.
pub(crate) fn of_args(known: &Known, args: &Value) -> Option<FrameId> {
    let target = args.get("target").and_then(|target| target.get("ref"));
    let named = [args.get("ref"), args.get("focus_ref"), target, args.get("within")];
    let id = named.into_iter().flatten().find_map(Value::as_str)?;
    of_ref(known, id)
}

/// Returns the frame that a ref belongs to; none for what the page's own script reads.
pub(crate) fn of_ref(known: &Known, id: &str) -> Option<FrameId> {
    let (number, _) = crate::page::split_ref(id);
    known.frames.of_number(number).map(|(frame, _)| frame.clone())
}

/// Finds every frame that the script above it cannot read and that has a script of its own, from
/// the top down, and notes where each lies. A page without frames costs no call.
pub(crate) async fn find(connection: &Connection, page: &Page, deadline: Deadline) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    if page.known().frames.is_empty() {
        return all;
    }
    let mut at = 0;
    let mut above: Option<FrameId> = None;
    loop {
        for place in listed(connection, page, above.as_deref(), deadline).await {
            if limits::FRAMES_READ_MAX <= all.len() {
                return all;
            }
            if let Some(found) = reach_into(connection, page, &above, place, deadline).await {
                all.push(found);
            }
        }
        let Some(next) = all.get(at) else { return all };
        above = Some(next.frame.clone());
        at += 1;
    }
}

/// A document that cannot say which frames it has now is told as one without any.
async fn listed(
    connection: &Connection,
    page: &Page,
    above: Option<&str>,
    deadline: Deadline,
) -> Vec<Place> {
    let limit = deadline.within(limits::FRAME_ANSWER_TIME_MAX);
    let read: Result<Listed, ScriptError> =
        injected::read_in(connection, page, above, "frames", &json!({}), limit).await;
    read.map(|listed| listed.frames).unwrap_or_default()
}

/// Finds out which frame an element shows, and makes it one that can be read.
async fn reach_into(
    connection: &Connection,
    page: &Page,
    above: &Option<FrameId>,
    place: Place,
    deadline: Deadline,
) -> Option<Found> {
    let limit = deadline.within(limits::FRAME_ANSWER_TIME_MAX);
    let shown = page.known().frames.shown_by.get(&place.id).cloned();
    let frame = match shown {
        Some(frame) => frame,
        None => shown_by(connection, page, above.as_deref(), &place.id, limit).await?,
    };
    let (_, world) = page.known().frames.world(&frame)?;
    let has_number = {
        let mut known = page.known();
        known.frames.shown_by.insert(place.id.clone(), frame.clone());
        let frame = known.frames.by_id.get_mut(&frame)?;
        frame.place = Some(place.clone());
        frame.number.is_some()
    };
    if !has_number {
        let given: Number =
            injected::read_in(connection, page, None, "frame_number", &json!({}), limit)
                .await
                .ok()?;
        let mut known = page.known();
        known.refs.frames_seen = known.refs.frames_seen.max(given.number);
        known.frames.by_id.get_mut(&frame)?.number = Some(given.number);
    }
    Some(Found { frame, above: above.clone(), place, world })
}

async fn shown_by(
    connection: &Connection,
    page: &Page,
    above: Option<&str>,
    id: &str,
    deadline: Deadline,
) -> Option<FrameId> {
    let asked = json!({"ref": id});
    let element = injected::handle(connection, page, above, "element", &asked, deadline).await;
    let element = element.ok().flatten()?;
    let params = json!({"objectId": element.object, "depth": 0});
    let sent = connection.look(Some(&element.session), Look::DescribeNode, &params);
    let raw = sent.answer(deadline).await.ok()?;
    serde_json::from_str::<Described>(raw.get()).ok()?.node.frame_id
}

/// Returns the frames on the way from the top to a frame, the outermost first, itself the last.
pub(crate) fn path<'a>(all: &'a [Found], frame: &str) -> Vec<&'a Found> {
    let mut path: Vec<&Found> = Vec::new();
    let mut wanted = Some(frame.to_owned());
    while let Some(id) = wanted.take() {
        let Some(found) = all.iter().find(|found| found.frame == id) else { return Vec::new() };
        path.push(found);
        wanted.clone_from(&found.above);
        if limits::FRAMES_READ_MAX < path.len() {
            return Vec::new();
        }
    }
    path.reverse();
    path
}

/// Finds a point that every document on the way lets through, and what is in the way otherwise.
pub(crate) async fn through(
    connection: &Connection,
    page: &Page,
    path: &[&Found],
    element: &str,
    points: Vec<[f64; 2]>,
    deadline: Deadline,
) -> Result<[f64; 2], Option<Cover>> {
    let mut cover = None;
    for point in points {
        let mut is_through = true;
        let links = path.iter().map(|found| (found.above.as_deref(), found.place.id.as_str()));
        let own = path.last().map(|found| (Some(found.frame.as_str()), element));
        for (frame, id) in links.chain(own) {
            let args = json!({"ref": id, "points": [point]});
            let reached: Result<Reached, ScriptError> =
                injected::read_in(connection, page, frame, "reach", &args, deadline).await;
            let reached = reached.unwrap_or(Reached { at: None, cover: None });
            if reached.at.is_none() {
                cover = cover.or(reached.cover);
                is_through = false;
                break;
            }
        }
        if is_through {
            return Ok(point);
        }
    }
    Err(cover)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(clip: [f64; 4]) -> Place {
        let (id, origin) = ("e1".to_owned(), "null".to_owned());
        Place { id, x: 0.0, y: 0.0, map: None, zoom: 1.0, is_known: true, clip, origin }
    }

    #[test]
    fn points_lie_in_the_part_that_shows() {
        let shown = place([0.0, 0.0, 100.0, 50.0]);

        let points = shown.points_in([50.0, 40.0, 100.0, 40.0]);

        assert_eq!(points[0], [75.0, 45.0]);
        assert!(points.iter().all(|[x, y]| (50.0..100.0).contains(x) && (40.0..50.0).contains(y)));
        assert!(shown.points_in([0.0, 60.0, 10.0, 10.0]).is_empty());
        assert!(!place([10.0, 10.0, 10.0, 20.0]).is_in_view());
    }

    #[test]
    fn a_new_document_in_a_frame_begins_after_the_refs_of_the_old() {
        let mut frames = Frames::default();
        frames.world_created("A", "s", 1, false);
        frames.by_id.get_mut("A").unwrap().number = Some(3);
        assert!(frames.saw(3, 17));

        frames.world_created("A", "t", 2, false);

        assert_eq!(frames.of_number(3).unwrap().1.start, 18);
        assert_eq!(frames.begin("A").unwrap()["ref_start"], 18);
        assert!(frames.begin("A").is_none(), "once for each document");
        assert_eq!(frames.world("A"), Some(("t".to_owned(), 2)));
        frames.world_destroyed("s", None);
        assert!(frames.world("A").is_some(), "the old session's end is not the new one's");
    }
}
