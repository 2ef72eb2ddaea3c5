//! Numbered boxes on a picture, so that a number names what a ref names.

use std::io::Cursor;

use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder, ImageFormat, ImageReader, Limits, Rgb, RgbImage};

/// LIMIT: a picture with a longer side is not marked.
const SIDE_MAX: u32 = 8_192;
/// Pixels of one dot of a digit.
const DOT: u32 = 2;
/// The digits, five rows of three dots each, the highest bit on the left.
const DIGITS: [[u8; 5]; 10] = [
    [0b111, 0b101, 0b101, 0b101, 0b111],
    [0b010, 0b110, 0b010, 0b010, 0b111],
    [0b111, 0b001, 0b111, 0b100, 0b111],
    [0b111, 0b001, 0b111, 0b001, 0b111],
    [0b101, 0b101, 0b111, 0b001, 0b001],
    [0b111, 0b100, 0b111, 0b001, 0b111],
    [0b111, 0b100, 0b111, 0b101, 0b111],
    [0b111, 0b001, 0b010, 0b010, 0b010],
    [0b111, 0b101, 0b111, 0b101, 0b111],
    [0b111, 0b101, 0b111, 0b001, 0b111],
];
/// Colors that stand apart from each other and carry white digits; neighbors get different ones.
const COLORS: [Rgb<u8>; 6] = [
    Rgb([190, 24, 93]),
    Rgb([29, 78, 216]),
    Rgb([21, 108, 52]),
    Rgb([154, 52, 18]),
    Rgb([91, 33, 182]),
    Rgb([15, 95, 110]),
];
const WHITE: Rgb<u8> = Rgb([255, 255, 255]);

/// Draws a box around each area and its number, from 1, in the box's corner.
///
/// `None` when the picture cannot be read.
pub fn draw(png: &[u8], areas: &[[f64; 4]]) -> Option<Vec<u8>> {
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(SIDE_MAX), Some(SIDE_MAX));
    let mut reader = ImageReader::with_format(Cursor::new(png), ImageFormat::Png);
    reader.limits(limits);
    let mut picture = reader.decode().ok()?.to_rgb8();
    for (area, color) in areas.iter().zip(COLORS.iter().cycle()) {
        outline(&mut picture, area, *color);
    }
    // Numbers last: no box goes through one.
    for ((number, area), color) in (1_u32..).zip(areas).zip(COLORS.iter().cycle()) {
        label(&mut picture, area, number, *color);
    }
    let mut bytes = Vec::with_capacity(png.len());
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Up)
        .write_image(&picture, picture.width(), picture.height(), ExtendedColorType::Rgb8)
        .ok()?;
    Some(bytes)
}

fn outline(picture: &mut RgbImage, [x, y, width, height]: &[f64; 4], color: Rgb<u8>) {
    let (left, top) = (whole(x.floor()), whole(y.floor()));
    let (right, bottom) = (whole((x + width).ceil()), whole((y + height).ceil()));
    let (across, down) = (right.saturating_sub(left), bottom.saturating_sub(top));
    fill(picture, [left, top, across, DOT], color);
    fill(picture, [left, bottom.saturating_sub(DOT), across, DOT], color);
    fill(picture, [left, top, DOT, down], color);
    fill(picture, [right.saturating_sub(DOT), top, DOT, down], color);
}

/// The number stands above the box where there is room, else in its corner.
fn label(picture: &mut RgbImage, [x, y, ..]: &[f64; 4], number: u32, color: Rgb<u8>) {
    let digits: Vec<usize> =
        number.to_string().chars().filter_map(|c| c.to_digit(10)).map(|d| d as usize).collect();
    let count = u32::try_from(digits.len()).unwrap_or(1);
    let (width, height) = (count * 4 * DOT + DOT, 7 * DOT);
    let left = whole(x.floor()).min(picture.width().saturating_sub(width));
    let top = whole(y.floor()).saturating_sub(height);
    fill(picture, [left, top, width, height], color);
    for (place, digit) in (0_u32..).zip(digits) {
        let rows = DIGITS.get(digit).copied().unwrap_or_default();
        for (row, dots) in (0_u32..).zip(rows) {
            for column in (0..3_u32).filter(|column| dots & (0b100 >> column) != 0) {
                let at = [left + DOT + (place * 4 + column) * DOT, top + DOT + row * DOT, DOT, DOT];
                fill(picture, at, WHITE);
            }
        }
    }
}

fn fill(picture: &mut RgbImage, [left, top, width, height]: [u32; 4], color: Rgb<u8>) {
    for y in top..top.saturating_add(height).min(picture.height()) {
        for x in left..left.saturating_add(width).min(picture.width()) {
            picture.put_pixel(x, y, color);
        }
    }
}

fn whole(value: f64) -> u32 {
    // The clamp makes the cast exact.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let whole = value.clamp(0.0, f64::from(SIDE_MAX)) as u32;
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain() -> Vec<u8> {
        let mut bytes = Vec::new();
        let picture = RgbImage::from_pixel(200, 100, WHITE);
        PngEncoder::new(&mut bytes)
            .write_image(&picture, 200, 100, ExtendedColorType::Rgb8)
            .unwrap();
        bytes
    }

    fn read(png: &[u8]) -> RgbImage {
        image::load_from_memory_with_format(png, ImageFormat::Png).unwrap().to_rgb8()
    }

    #[test]
    fn each_area_has_its_box_and_its_number_and_the_rest_stays() {
        let areas = [[10.0, 30.0, 60.0, 20.0], [100.0, 0.0, 300.0, 300.0]];

        let marked = read(&draw(&plain(), &areas).unwrap());

        for (x, y) in [(10, 30), (69, 49), (10, 49), (40, 30)] {
            assert_eq!(*marked.get_pixel(x, y), COLORS[0], "{x},{y}");
        }
        assert_eq!(*marked.get_pixel(40, 40), WHITE, "inside");
        assert_eq!(*marked.get_pixel(100, 50), COLORS[1]);
        assert_eq!(*marked.get_pixel(85, 60), WHITE, "between");
        // The middle of the `1`, above its box.
        assert_eq!(*marked.get_pixel(14, 22), WHITE);
        assert_eq!(*marked.get_pixel(11, 22), COLORS[0]);
        assert_eq!(draw(b"no picture", &areas), None);
    }

    #[test]
    fn whatever_the_areas_nothing_is_drawn_outside_and_nothing_breaks() {
        let wild = [[f64::NAN, -5.0, 1e300, f64::INFINITY], [-9.0, 95.0, 3.0, 3.0]];

        assert_eq!(read(&draw(&plain(), &wild).unwrap()).dimensions(), (200, 100));
    }
}
