//! Pictures: what differs between two of them, and how one becomes small enough to embed.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::codecs::jpeg::JpegEncoder;
use image::imageops;
use image::{ImageFormat, ImageReader, Limits, RgbImage};

/// LIMIT: a wider picture is unreadable.
const WIDTH_MAX: u32 = 8_192;
/// LIMIT: a higher picture is unreadable; a page taken whole may be long.
const HEIGHT_MAX: u32 = 32_768;
/// LIMIT: a picture whose pixels need more bytes is unreadable.
const PIXEL_BYTES_MAX: u64 = 256 * 1024 * 1024;

/// Pixels are compared in squares of this side.
const TILE: u32 = 8;
/// A channel that differs by no more is the same: rendering is not exact to the last bit.
const CHANNEL_TOLERANCE: u8 = 12;
/// Pixels of a square that have to differ; one alone is an edge that was smoothed otherwise.
const TILE_PIXELS_MIN: u32 = 2;
/// Changed squares that are at most this far apart are one change.
const REACH: u32 = 4;
/// More changes than these are shown as one box around all of them.
const BOXES_MAX: usize = 6;

/// Widths and qualities a picture is tried at, best first.
const LEVELS: [(u32, u8); 8] =
    [(1280, 82), (1280, 66), (1280, 50), (1024, 50), (800, 50), (640, 45), (480, 40), (320, 32)];

/// A box in a picture: x, y, width, height in pixels.
pub(super) type Region = [u32; 4];

/// Returns the box around every pixel that differs between two PNG pictures.
///
/// Differences too small to see are passed over. Pictures of different sizes differ everywhere.
/// `None` when nothing differs, or when either cannot be read.
pub fn changed_region(before_png: &[u8], after_png: &[u8]) -> Option<[u32; 4]> {
    around(&changed_boxes(&decode(before_png)?, &decode(after_png)?))
}

/// Reads a PNG picture; `None` when it is no picture or larger than the limits of this module.
pub(super) fn decode(png: &[u8]) -> Option<RgbImage> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(WIDTH_MAX);
    limits.max_image_height = Some(HEIGHT_MAX);
    limits.max_alloc = Some(PIXEL_BYTES_MAX);
    let mut reader = ImageReader::with_format(Cursor::new(png), ImageFormat::Png);
    reader.limits(limits);
    reader.decode().ok().map(|picture| picture.to_rgb8()).filter(|picture| picture.width() > 0)
}

/// Returns a box for each place where two pictures differ, at most [`BOXES_MAX`].
pub(super) fn changed_boxes(before: &RgbImage, after: &RgbImage) -> Vec<Region> {
    if before.dimensions() != after.dimensions() {
        return vec![[0, 0, after.width(), after.height()]];
    }
    let mut boxes: Vec<Region> = Vec::new();
    for tile in changed_tiles(before, after) {
        join(&mut boxes, tile);
    }
    if BOXES_MAX < boxes.len() {
        return around(&boxes).into_iter().collect();
    }
    boxes
}

/// Returns the smallest box around all of `boxes`.
pub(super) fn around(boxes: &[Region]) -> Option<Region> {
    boxes.iter().copied().reduce(union)
}

/// Makes a picture small enough to embed, and remembers how small the last one had to be.
#[derive(Debug, Default)]
pub(super) struct Shrinker {
    level: usize,
}

impl Shrinker {
    /// Returns the picture as the address of JPEG data of at most `bytes_max` bytes.
    ///
    /// `None` when not even the smallest width and quality fit.
    pub(super) fn embed(&mut self, picture: &RgbImage, bytes_max: usize) -> Option<String> {
        for (level, (width, quality)) in LEVELS.into_iter().enumerate().skip(self.level) {
            let address = address(&encode(picture, width, quality)?);
            if bytes_max < address.len() {
                continue;
            }
            // With room to spare the next picture is tried one level better.
            let is_roomy = address.len() < bytes_max / 2;
            self.level = if is_roomy { level.saturating_sub(1) } else { level };
            return Some(address);
        }
        None
    }
}

fn encode(picture: &RgbImage, width_max: u32, quality: u8) -> Option<Vec<u8>> {
    let mut jpeg = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut jpeg, quality);
    let (width, height) = picture.dimensions();
    let done = if width <= width_max {
        { encoder }.encode_image(picture)
    } else {
        let scaled = u64::from(height) * u64::from(width_max) / u64::from(width);
        let height = u32::try_from(scaled).unwrap_or(height).max(1);
        let small = imageops::thumbnail(picture, width_max, height);
        { encoder }.encode_image(&small)
    };
    done.ok().map(|()| jpeg)
}

fn address(jpeg: &[u8]) -> String {
    let mut address = String::from("data:image/jpeg;base64,");
    STANDARD.encode_string(jpeg, &mut address);
    address
}

/// Returns the exact box of the differing pixels of each square that differs.
fn changed_tiles(before: &RgbImage, after: &RgbImage) -> Vec<Region> {
    let row_bytes = before.width() as usize * 3;
    let tile_bytes = TILE as usize * 3;
    let band_bytes = row_bytes * TILE as usize;
    let mut tiles = Vec::new();
    let bands = before.as_raw().chunks(band_bytes).zip(after.as_raw().chunks(band_bytes));
    for (y, (old_band, new_band)) in (0..).step_by(TILE as usize).zip(bands) {
        if old_band == new_band {
            continue;
        }
        let mut seen: Vec<Option<(u32, Region)>> = vec![None; row_bytes.div_ceil(tile_bytes)];
        let rows = old_band.chunks(row_bytes).zip(new_band.chunks(row_bytes));
        for (y, (old_row, new_row)) in (y..).zip(rows) {
            let parts = old_row.chunks(tile_bytes).zip(new_row.chunks(tile_bytes));
            for ((x, tile), (old, new)) in (0..).step_by(TILE as usize).zip(&mut seen).zip(parts) {
                if old != new {
                    mark(tile, old, new, x, y);
                }
            }
        }
        let differs = |(pixels, region)| (TILE_PIXELS_MIN <= pixels).then_some(region);
        tiles.extend(seen.into_iter().flatten().filter_map(differs));
    }
    tiles
}

/// Adds the differing pixels of one row of a square to what was seen of the square.
fn mark(tile: &mut Option<(u32, Region)>, old: &[u8], new: &[u8], x: u32, y: u32) {
    for (x, (old, new)) in (x..).zip(old.chunks(3).zip(new.chunks(3))) {
        if old.iter().zip(new).any(|(old, new)| CHANNEL_TOLERANCE < old.abs_diff(*new)) {
            let pixel = [x, y, 1, 1];
            *tile = Some(match *tile {
                Some((pixels, region)) => (pixels + 1, union(region, pixel)),
                None => (1, pixel),
            });
        }
    }
}

/// Adds a box, joined with every box within reach.
fn join(boxes: &mut Vec<Region>, mut added: Region) {
    loop {
        let near = boxes.iter().position(|other| is_near(*other, added));
        let Some(near) = near else {
            boxes.push(added);
            return;
        };
        added = union(boxes.swap_remove(near), added);
    }
}

fn is_near(a: Region, b: Region) -> bool {
    let reach = REACH * TILE;
    let apart =
        |a: u32, a_size: u32, b: u32, b_size: u32| a + a_size + reach < b || b + b_size + reach < a;
    !apart(a[0], a[2], b[0], b[2]) && !apart(a[1], a[3], b[1], b[3])
}

fn union(a: Region, b: Region) -> Region {
    let [ax, ay, aw, ah] = a;
    let [bx, by, bw, bh] = b;
    let (x, y) = (ax.min(bx), ay.min(by));
    [x, y, (ax + aw).max(bx + bw) - x, (ay + ah).max(by + bh) - y]
}
