//! One act of the HTML report: what was asked, what came of it, and its pictures.

use sidestick_model::observation::RequestSeen;
use sidestick_model::outcome::Outcome;
use sidestick_model::record::ActLine;
use sidestick_model::{Fate, Status};

use super::album::{Difference, Picture, Slot};
use super::html::Page;
use super::picture::{self, Region};
use super::text::{esc, link_to, quoted};
use super::words::{self, Tone, counted};

/// A change that covers more of the picture than one in this many is not shown close up.
const CLOSE_UP_PART: u64 = 5;
/// Pixels around a change that a close-up shows with it.
const CLOSE_UP_MARGIN: u32 = 28;
/// Pixels between a change and the box drawn around it.
const FRAME_MARGIN: i64 = 6;
/// The least a close-up shows, in pixels.
const CLOSE_UP_SIZE_MIN: [u32; 2] = [420, 120];

/// Returns an act as an item of its goal's list.
pub(super) fn act(page: &Page<'_>, line: &ActLine, is_proof: bool) -> String {
    let outcome = &line.outcome;
    let tone = Tone::of(outcome.status);
    let is_open = page.is_short || is_proof || needs_a_look(outcome);
    let doubt = if is_doubtful(outcome) { " doubt" } else { "" };
    let proof = if is_proof { "<span class=\"mark\">proof</span>" } else { "" };
    let failed = outcome.requests.iter().filter(|request| words::has_failed(request)).count();
    let failed = match failed {
        0 => String::new(),
        count => format!("<span class=\"mark bad\">{}</span>", counted(count, "failed request")),
    };
    let id = outcome.act;
    format!(
        "<li class=\"act {tone}{doubt}\" id=\"act-{id}\"><details{open}>\n<summary>{status}\
         <h4>{asked}</h4>{proof}{failed}\
         <span class=\"when\"><a href=\"#time-{id}\">{id}</a> {took}</span></summary>\n\
         <div class=\"body\">\n{meaning}{facts}{pictures}</div>\n</details></li>\n",
        tone = tone.class(),
        open = if is_open { " open" } else { "" },
        status = status(outcome),
        asked = esc(&line.asked),
        took = words::duration(outcome.elapsed_ms),
        meaning = meaning(outcome),
        facts = facts(page, outcome),
        pictures = pictures(page, line),
    )
}

/// Returns the badge of an act's status.
pub(super) fn status(outcome: &Outcome) -> String {
    let tone = Tone::of(outcome.status);
    format!(
        "<span class=\"status {}\"><span aria-hidden=\"true\">{}</span> {}</span>",
        tone.class(),
        tone.sign(),
        outcome.status,
    )
}

fn needs_a_look(outcome: &Outcome) -> bool {
    !matches!(outcome.status, Status::Observed | Status::Satisfied) || is_doubtful(outcome)
}

/// Returns whether something outside the screen speaks against what the screen showed.
pub(super) fn is_doubtful(outcome: &Outcome) -> bool {
    outcome.requests.iter().any(words::has_failed)
        || outcome.verified.as_ref().is_some_and(|check| !check.holds)
}

fn meaning(outcome: &Outcome) -> String {
    let mut out = format!("<p class=\"meaning\">{}", words::meaning(outcome.status));
    if outcome.fate == Fate::NotSent && outcome.status != Status::Satisfied {
        out.push_str(" <strong>Nothing was sent to the application.</strong>");
    }
    if outcome.requests.iter().any(words::has_failed) {
        out.push_str(" <strong class=\"no\">A request it caused failed.</strong>");
    }
    if outcome.verified.as_ref().is_some_and(|check| !check.holds) {
        out.push_str(" <strong class=\"no\">The record denies it.</strong>");
    }
    if let Some(code) = outcome.code {
        out.push_str(&format!(" <code class=\"code\">{}</code>", code.as_str()));
    }
    out.push_str("</p>\n");
    if !outcome.message.is_empty() {
        out.push_str(&format!("<p class=\"message\">{}</p>\n", esc(&outcome.message)));
    }
    out
}

/// A list of facts that leaves out what is not there.
struct Facts(String);

impl Facts {
    fn add(&mut self, name: &str, value: &str) {
        if !value.is_empty() {
            self.0.push_str(&format!("<div><dt>{name}</dt><dd>{value}</dd></div>\n"));
        }
    }
}

fn facts(page: &Page<'_>, outcome: &Outcome) -> String {
    let quote = |text: &str| quoted(text);
    let mut facts = Facts(String::new());
    if let Some(target) = &outcome.target {
        facts.add("Target", &words::target(target, &quote));
    }
    facts.add("Expected", &expected(outcome));
    facts.add("Changed", &changed(outcome));
    facts.add("Changed later", &late(outcome));
    facts.add("Also changed", &signals(&outcome.other_changes));
    if let Some(read) = &outcome.effect.read_back {
        let class = if read.equal { "yes" } else { "no" };
        let phrase = words::read_back(read, &quote);
        facts.add("Read back", &format!("<span class=\"{class}\">{phrase}</span>"));
    }
    facts.add("Requests", &requests(page, outcome));
    if let Some(check) = &outcome.verified {
        let (class, what) = if check.holds { ("yes", "agrees") } else { ("no", "denies it") };
        let phrase = words::verified(check, &quote);
        facts
            .add("Checked", &format!("<span class=\"{class}\">the record {what}</span>: {phrase}"));
    }
    if let Some(gate) = &outcome.gate {
        let decision = words::word(&gate.gate, &quote);
        let (subject, word, tier) =
            (quoted(&gate.subject), quoted(&gate.word), words::word(&gate.tier, &quote));
        let phrase = format!("{decision} at {subject}: the word {word} is gated (tier {tier})");
        facts.add("Gate", &phrase);
    }
    if let Some(dialog) = &outcome.dialog {
        let kind = words::word(&dialog.kind, &quote);
        facts.add("Dialog", &format!("{kind}: {}", quoted(&dialog.text)));
    }
    let matches: Vec<String> = outcome
        .matches
        .iter()
        .map(|found| found.subject.name.as_deref().map_or("without a name".to_owned(), quoted))
        .collect();
    facts.add("Could have meant", &matches.join(", "));
    facts.add("Still open", &quotes(&outcome.pending));
    facts.add("Blocked", &quotes(&outcome.blocked));
    facts.add("Could not be seen", &quotes(&outcome.blind));
    facts.add("New pages", &opened(outcome));
    let downloads: Vec<String> =
        outcome.downloads.iter().map(|seen| words::download(seen, &quote)).collect();
    facts.add("Downloads", &downloads.join("<br>"));
    let found: Vec<String> =
        outcome.findings_added.iter().map(|id| page.finding_link(*id)).collect();
    facts.add("Findings", &found.join(", "));
    facts.add("Looked", &looked(outcome));
    format!("<dl class=\"facts\">\n{}</dl>\n", facts.0)
}

fn expected(outcome: &Outcome) -> String {
    if outcome.expect.is_empty() {
        return String::new();
    }
    let seen = match outcome.signals.as_slice() {
        [] => String::new(),
        seen => format!(" <span class=\"soft\">seen: {}</span>", signals(seen)),
    };
    format!("<code>{}</code>{seen}", esc(&outcome.expect))
}

fn changed(outcome: &Outcome) -> String {
    let effect = &outcome.effect;
    let mut items = String::new();
    for change in &effect.changes {
        let sign = match change.kind.as_str() {
            "appeared" => "plus",
            "gone" => "minus",
            _ => "turn",
        };
        let phrase = words::change(change, &|text: &str| quoted(text));
        items.push_str(&format!("<li class=\"{sign}\">{phrase}</li>"));
    }
    if effect.changes_omitted != 0 {
        let more = counted(effect.changes_omitted as usize, "more change");
        items.push_str(&format!("<li class=\"soft\">{more}</li>"));
    }
    let noise = match effect.noise.len() {
        0 => String::new(),
        count => {
            let what = counted(count, "change");
            format!("<span class=\"soft\">{what} that happen by themselves, not counted</span>")
        }
    };
    match (items.is_empty(), outcome.status) {
        (true, Status::NoEffect) => format!("<strong class=\"no\">nothing</strong> {noise}"),
        (true, _) => noise,
        (false, _) => format!("<ul class=\"changes\">{items}</ul>{noise}"),
    }
}

/// What the act brought about after it had been told.
fn late(outcome: &Outcome) -> String {
    let phrase = |change| words::change(change, &|text: &str| quoted(text));
    let items: Vec<String> = outcome.effect.late.iter().map(phrase).collect();
    if items.is_empty() {
        return String::new();
    }
    format!("<ul class=\"changes\"><li>{}</li></ul>", items.join("</li><li>"))
}

fn requests(page: &Page<'_>, outcome: &Outcome) -> String {
    let mut items: String =
        outcome.requests.iter().map(|request| self::request(page, request)).collect();
    if outcome.requests_omitted != 0 {
        let more = counted(outcome.requests_omitted as usize, "more request");
        items.push_str(&format!("<li class=\"soft\">{more}</li>"));
    }
    if items.is_empty() { items } else { format!("<ul class=\"requests\">{items}</ul>") }
}

fn request(page: &Page<'_>, request: &RequestSeen) -> String {
    let has_failed = words::has_failed(request);
    let (class, failed) = if has_failed { ("failed", "failed, ") } else { ("", "") };
    let finding = match request.finding.as_deref() {
        Some(id) => format!(" → {}", page.finding_named(id)),
        None => String::new(),
    };
    format!(
        "<li class=\"{class}\"><code>{} {}</code> <span class=\"answer\">{failed}{}</span>{finding}</li>",
        esc(&request.method),
        esc(&request.url),
        words::answer(request),
    )
}

fn opened(outcome: &Outcome) -> String {
    let pages: Vec<String> = outcome
        .new_pages
        .iter()
        .map(|page| format!("{} <code>{}</code>", quoted(&page.title), esc(&page.url)))
        .collect();
    pages.join(", ")
}

fn looked(outcome: &Outcome) -> String {
    let mut parts = vec![words::fate(outcome.fate).to_owned()];
    if outcome.status.dispatched() != Some(false) {
        let looked = words::duration(outcome.effect.looked_ms);
        parts.push(format!("looked for its effect for {looked}"));
    }
    if let Some(method) = outcome.effect.method.as_deref().filter(|method| *method != "input") {
        parts.push(format!("done by {}", words::word(method, &|text: &str| quoted(text))));
    }
    if let Some(base) = outcome.observation.base {
        parts.push(format!("stood on {base}"));
    }
    if let Some(id) = outcome.observation.id {
        parts.push(format!("led to {id}"));
    }
    format!("<span class=\"soft\">{}</span>", parts.join(" · "))
}

fn signals(signals: &[sidestick_model::Signal]) -> String {
    let words: Vec<&str> = signals.iter().map(|signal| signal.as_str()).collect();
    words.join(", ")
}

fn quotes(texts: &[String]) -> String {
    let quotes: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
    quotes.join(", ")
}

fn pictures(page: &Page<'_>, line: &ActLine) -> String {
    let (before, after) = (line.before.as_deref(), line.after.as_deref());
    let is_withheld = line.outcome.observation.screenshot_withheld;
    if before.is_none() && after.is_none() && !is_withheld {
        return "<p class=\"absent\">No pictures were taken.</p>\n".to_owned();
    }
    let difference = match (before, after) {
        (Some(before), Some(after)) => page.album.difference(before, after),
        _ => None,
    };
    let boxes = match difference {
        Some(Difference::In(boxes)) => boxes.as_slice(),
        Some(Difference::None) | None => &[],
    };
    let note = match difference {
        Some(Difference::None) => "No pixel differs visibly between the two pictures.".to_owned(),
        Some(Difference::In(boxes)) => place(boxes),
        None => String::new(),
    };
    let ring = |picture: &Picture| ring(&line.outcome, picture);
    let marks = |_: &Picture| boxes.iter().map(|region| frame("changed", *region)).collect();
    let id = line.outcome.act;
    let old = figure(page, before, false, &format!("Before {id}"), &ring);
    let new = figure(page, after, is_withheld, &format!("After {id}"), &marks);
    let close = match (before, after) {
        (Some(before), Some(after)) => close_up(page, before, after, boxes),
        _ => String::new(),
    };
    let note = if note.is_empty() { note } else { format!("<p class=\"soft\">{note}</p>\n") };
    format!("<div class=\"shots\">\n{old}{new}</div>\n{close}{note}")
}

/// Returns a picture of the record, or why it is not shown; it grows when it is opened.
pub(super) fn figure(
    page: &Page<'_>,
    path: Option<&str>,
    is_withheld: bool,
    caption: &str,
    marks: &dyn Fn(&Picture) -> String,
) -> String {
    let absent = |why: &str| {
        format!(
            "<figure class=\"shot absent\"><figcaption>{caption}</figcaption><p>{why}</p></figure>\n"
        )
    };
    let Some(path) = path else {
        return absent(if is_withheld {
            "Picture withheld: a secret may be in it."
        } else {
            "No picture was taken."
        });
    };
    let file = link_to(path)
        .map_or_else(|| esc(path), |href| format!("<a href=\"{href}\">{}</a>", esc(path)));
    let Some((index, picture)) = page.album.shown(path) else {
        return absent(&match page.album.slot(path) {
            Slot::Unreadable => format!("Unreadable picture: {file}"),
            Slot::LeftOut => format!("Left out to keep this report small: {file}"),
            Slot::Missing | Slot::Shown(_) => format!("Missing from the run folder: {file}"),
        });
    };
    let view = [0, 0, picture.width, picture.height];
    let drawing = drawing(index, view, caption, &marks(picture));
    format!(
        "<details class=\"shot\"><summary><span class=\"caption\">{caption}</span>{drawing}\
         </summary><p class=\"soft\">{} × {} pixels, made smaller here; as taken: {file}</p>\
         </details>\n",
        picture.width, picture.height,
    )
}

fn drawing(index: usize, view: Region, label: &str, marks: &str) -> String {
    let [x, y, width, height] = view;
    format!(
        "<svg viewBox=\"{x} {y} {width} {height}\" role=\"img\" aria-label=\"{label}\">\
         <use href=\"#p{index}\"/>{marks}</svg>"
    )
}

/// Returns a box around `region`, drawn twice so that it shows on every ground.
fn frame(class: &str, region: Region) -> String {
    let [x, y, width, height] = region;
    // A change of a few pixels still gets a box that can be found in a small picture.
    let (across, down) =
        (FRAME_MARGIN.max(20 - i64::from(width) / 2), FRAME_MARGIN.max(14 - i64::from(height) / 2));
    let (x, y) = (i64::from(x) - across, i64::from(y) - down);
    let (width, height) = (i64::from(width) + 2 * across, i64::from(height) + 2 * down);
    let shape = format!("x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"7\"");
    format!("<rect class=\"halo\" {shape}/><rect class=\"{class}\" {shape}/>")
}

/// Returns the ring around the target and the point that was pressed.
fn ring(outcome: &Outcome, picture: &Picture) -> String {
    let Some(target) = &outcome.target else { return String::new() };
    let (width, height) = (f64::from(picture.width), f64::from(picture.height));
    let within = |x: f64, y: f64| (0.0..=width).contains(&x) && (0.0..=height).contains(&y);
    let mut out = String::new();
    if let Some([x, y, w, h]) = target.bounds
        && within(x, y)
        && (1.0..=width).contains(&w)
        && (1.0..=height).contains(&h)
    {
        // The casts saturate, and the values were just found to lie within the picture.
        out.push_str(&frame("ring", [x as u32, y as u32, w.ceil() as u32, h.ceil() as u32]));
    }
    if let Some([x, y]) = target.point
        && within(x, y)
        && outcome.fate != Fate::NotSent
    {
        let spot = format!("cx=\"{x:.1}\" cy=\"{y:.1}\"");
        out.push_str(&format!(
            "<circle class=\"halo-spot\" {spot} r=\"8\"/><circle class=\"spot\" {spot} r=\"5\"/>"
        ));
    }
    out
}

fn place(boxes: &[Region]) -> String {
    match boxes {
        [[x, y, width, height]] => {
            format!("Changed region: {width} × {height} pixels at {x}, {y}.")
        }
        boxes => format!("Changed in {} places.", boxes.len()),
    }
}

fn close_up(page: &Page<'_>, before: &str, after: &str, boxes: &[Region]) -> String {
    let area = |[_, _, width, height]: Region| u64::from(width) * u64::from(height);
    let largest = boxes.iter().copied().max_by_key(|region| area(*region));
    let (Some(old), Some(new), Some(largest)) =
        (page.album.shown(before), page.album.shown(after), largest)
    else {
        return String::new();
    };
    let whole = [0, 0, new.1.width, new.1.height];
    let all = picture::around(boxes).map_or(largest, |region| widened(region, new.1));
    let is_small = |region: Region| area(region) * CLOSE_UP_PART <= area(whole);
    let view = if is_small(all) { all } else { widened(largest, new.1) };
    if !is_small(view) {
        return String::new();
    }
    format!(
        "<div class=\"close\"><figure><figcaption>Close-up before</figcaption>{}</figure>\
         <span class=\"then\" aria-hidden=\"true\">→</span>\
         <figure><figcaption>Close-up after</figcaption>{}</figure></div>\n",
        drawing(old.0, view, "Close-up before", ""),
        drawing(new.0, view, "Close-up after", ""),
    )
}

/// Returns `region` with its surroundings, within the picture.
fn widened(region: Region, picture: &Picture) -> Region {
    let [x, y, width, height] = region;
    let [width_min, height_min] = CLOSE_UP_SIZE_MIN;
    let (x, width) = grown(x, width, width_min, picture.width);
    let (y, height) = grown(y, height, height_min, picture.height);
    [x, y, width, height]
}

fn grown(start: u32, size: u32, size_min: u32, end: u32) -> (u32, u32) {
    let wanted = (size + 2 * CLOSE_UP_MARGIN).max(size_min).min(end);
    let start = start.saturating_sub((wanted.saturating_sub(size)) / 2);
    (start.min(end.saturating_sub(wanted)), wanted)
}
