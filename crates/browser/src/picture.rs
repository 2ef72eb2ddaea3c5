//! Pictures with every secret box masked, or none (D20).

use std::io::Cursor;
use std::sync::{Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::imageops;
use image::{ImageEncoder, ImageFormat, ImageReader, Rgba, RgbaImage};
use serde::Deserialize;
use serde_json::json;

use sidestick_gate::{Picture, SurfaceError};
use sidestick_model::{Deadline, Fate, Seam};
use sidestick_policy::{Redacted, Secret};

use crate::connection::Sent;
use crate::frames;
use crate::injected::{self, ScriptError};
use crate::page::{Mark, Page};
use crate::protocol::Look;
use crate::session::Chromium;

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Boxes {
    boxes: Vec<[f64; 4]>,
    document: String,
    /// Rises with everything that may change what is painted.
    version: u64,
    /// Whether it has risen since the last dispatch was armed.
    touched: bool,
    /// A number of what the fields hold.
    values: i64,
    /// Whether nothing is painted that changes without notice.
    steady: bool,
}

impl Boxes {
    /// Adds what a frame has to hide.
    fn add(&mut self, inner: Boxes) {
        self.boxes.extend(inner.boxes);
        self.document.push(' ');
        self.document.push_str(&inner.document);
        self.version = self.version.wrapping_add(inner.version);
        self.touched |= inner.touched;
        self.values = self.values.wrapping_mul(31).wrapping_add(inner.values);
        self.steady &= inner.steady;
    }

    /// The areas to mask.
    pub(crate) fn areas(&self) -> &[[f64; 4]] {
        &self.boxes
    }

    pub(crate) fn are_those_of(&self, other: &Boxes) -> bool {
        self.boxes == other.boxes && self.document == other.document
    }

    /// Whether what was painted when these were read is painted now.
    fn show_what_shows(&self, now: &Boxes) -> bool {
        self.are_those_of(now)
            && self.steady
            && now.steady
            && (self.version, self.values) == (now.version, now.values)
    }
}

/// A capture begun while the effect of an act was looked for. It is the picture of the act if
/// nothing that may be painted has changed since the boxes were read (D26).
#[derive(Debug)]
pub(crate) struct Early {
    page: String,
    document: u32,
    secrets: Vec<Secret>,
    boxes: Boxes,
    /// What the page had loaded.
    loaded: u64,
    sent: Sent,
}

#[derive(Deserialize)]
struct Captured {
    data: String,
}

const MASK: Rgba<u8> = Rgba([17, 24, 39, 255]);
/// The most pixels of a picture that is decoded.
const PIXELS_MAX: u32 = 20_000;

impl Chromium {
    /// Takes a picture; the boxes are read before and after it, and when they differ twice the
    /// picture is withheld.
    pub(crate) async fn take_picture(
        &self,
        secrets: &[Secret],
        full_page: bool,
        deadline: Deadline,
    ) -> Result<Picture, SurfaceError> {
        let page = self.page()?;
        let _camera = self.camera.lock().await;
        if full_page && (!secrets.is_empty() || self.has_secret_fields(deadline).await?) {
            // Boxes to mask are those of the viewport; a larger picture may show further ones.
            return Ok(withheld("a secret may be outside the viewport"));
        }
        if let Some((png, boxes)) = self.early_picture(&page, secrets, full_page, deadline).await {
            return masked(png, &boxes.boxes, self.shared.emulation.scale);
        }
        *lock(&self.secrets_known) = secrets.to_vec();
        for _ in 0..2 {
            let before = self.boxes(&page, secrets, deadline).await?;
            let document = page.known().document;
            let png = self.capture(&page, full_page, deadline).await?;
            let after = self.boxes(&page, secrets, deadline).await?;
            let is_same = before.are_those_of(&after) && document == page.known().document;
            if !is_same {
                continue;
            }
            return masked(png, &before.boxes, self.shared.emulation.scale);
        }
        Ok(withheld("the page changed while the picture was taken"))
    }

    async fn has_secret_fields(&self, deadline: Deadline) -> Result<bool, SurfaceError> {
        let ask = sidestick_model::call::FindAsk {
            scope: sidestick_model::observation::Scope::Document,
            limit: usize::MAX >> 12,
            ..sidestick_model::call::FindAsk::default()
        };
        let (found, _) = self.search(&ask, deadline).await?;
        Ok(found.iter().any(|found| found.states.iter().any(|state| state == "secret")))
    }

    pub(crate) async fn boxes(
        &self,
        page: &Page,
        secrets: &[Secret],
        deadline: Deadline,
    ) -> Result<Boxes, SurfaceError> {
        let secrets: Vec<&str> = secrets.iter().map(Secret::expose).collect();
        let args = json!({"secrets": secrets});
        let mut all: Boxes =
            injected::read(&self.connection, page, "boxes_to_mask", &args, deadline).await?;
        let found = frames::find(&self.connection, page, deadline).await;
        for frame in found.iter().filter(|frame| frame.place.is_in_view()) {
            let id = Some(frame.frame.as_str());
            let read: Result<Boxes, ScriptError> =
                injected::read_in(&self.connection, page, id, "boxes_to_mask", &args, deadline)
                    .await;
            match read {
                Ok(inner) => all.add(inner),
                // Its document has just been replaced: the next reading differs from this one.
                Err(ScriptError::Replaced) => all.document.push('?'),
                Err(error) => return Err(error.into_surface("boxes_to_mask")),
            }
        }
        Ok(all)
    }

    /// Begins the capture of what an act has changed at once, so that it is on its way while the
    /// rest of the effect is looked for.
    pub(crate) async fn capture_early(&self, page: &Page, mark: &Mark, deadline: Deadline) {
        let (document, is_leaving) = {
            let known = page.known();
            (known.document, known.dialog.is_some() || Page::loads_since_mark(&known))
        };
        if is_leaving || document != mark.document {
            return;
        }
        let secrets = lock(&self.secrets_known).clone();
        // A page that cannot be read now is taken a picture of later.
        let Ok(boxes) = self.boxes(page, &secrets, deadline).await else { return };
        if boxes.touched && boxes.steady {
            let loaded = page.known().network.events();
            let sent = self.send_capture(page, false);
            let page = page.id.clone();
            *lock(&self.early) = Some(Early { page, document, secrets, boxes, loaded, sent });
        }
    }

    /// Returns the capture that was begun early, if it still shows what the page shows.
    async fn early_picture(
        &self,
        page: &Page,
        secrets: &[Secret],
        full_page: bool,
        deadline: Deadline,
    ) -> Option<(Vec<u8>, Boxes)> {
        let early = lock(&self.early).take()?;
        let is_of_page = early.page == page.id && early.document == page.known().document;
        if full_page || !is_of_page || early.secrets != secrets {
            return None;
        }
        // One that failed is taken again, and tells its failure then.
        let png = captured(early.sent, deadline).await.ok()?;
        let now = self.boxes(page, secrets, deadline).await.ok()?;
        let is_same = {
            let known = page.known();
            early.document == known.document && early.loaded == known.network.events()
        };
        (is_same && early.boxes.show_what_shows(&now)).then_some((png, now))
    }

    async fn capture(
        &self,
        page: &Page,
        full_page: bool,
        deadline: Deadline,
    ) -> Result<Vec<u8>, SurfaceError> {
        captured(self.send_capture(page, full_page), deadline).await
    }

    pub(crate) async fn capture_with(
        &self,
        page: &Page,
        params: &serde_json::Value,
        deadline: Deadline,
    ) -> Result<Vec<u8>, SurfaceError> {
        let sent = self.connection.look(Some(&page.session), Look::CaptureScreenshot, params);
        captured(sent, deadline).await
    }

    fn send_capture(&self, page: &Page, full_page: bool) -> Sent {
        let params = json!({"format": "png", "optimizeForSpeed": true,
            "captureBeyondViewport": full_page});
        self.connection.look(Some(&page.session), Look::CaptureScreenshot, &params)
    }
}

async fn captured(sent: Sent, deadline: Deadline) -> Result<Vec<u8>, SurfaceError> {
    let raw = sent.answer(deadline).await.map_err(|error| error.of_look())?;
    let bad = || SurfaceError::BadAnswer { what: "picture", fate: Fate::NotSent };
    let captured: Captured = serde_json::from_str(raw.get()).map_err(|_| bad())?;
    STANDARD.decode(captured.data).map_err(|_| bad())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn withheld(why: &'static str) -> Picture {
    Picture { png: None, withheld: Some(why), width: 0, height: 0 }
}

/// Paints the boxes over; a picture without any is passed on as it is. One with `scale` pixels for
/// each CSS pixel is made smaller first, so that its pixels are those of the page.
pub(crate) fn masked(
    png: Vec<u8>,
    boxes: &[[f64; 4]],
    scale: f64,
) -> Result<Picture, SurfaceError> {
    let bad = || SurfaceError::BadAnswer { what: "picture", fate: Fate::NotSent };
    let (mut width, mut height) = size_of(&png).ok_or_else(bad)?;
    let is_plain = (scale - 1.0).abs() < f64::EPSILON;
    if is_plain && boxes.is_empty() || Seam::PictureMask.is_broken() {
        return Ok(Picture {
            png: Some(Redacted::from_masked(png)),
            withheld: None,
            width,
            height,
        });
    }
    let mut reader = ImageReader::with_format(Cursor::new(&png), ImageFormat::Png);
    let mut limits = image::Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(PIXELS_MAX), Some(PIXELS_MAX));
    reader.limits(limits);
    let mut picture = reader.decode().map_err(|_| bad())?.into_rgba8();
    if !is_plain {
        let part = |side: u32| pixels((f64::from(side) / scale).round(), PIXELS_MAX).max(1);
        (width, height) = (part(width), part(height));
        picture = imageops::resize(&picture, width, height, imageops::FilterType::Triangle);
    }
    for area in boxes {
        paint(&mut picture, area);
    }
    let mut bytes = Vec::with_capacity(png.len());
    PngEncoder::new_with_quality(&mut bytes, CompressionType::Fast, FilterType::Up)
        .write_image(&picture, width, height, image::ExtendedColorType::Rgba8)
        .map_err(|_| bad())?;
    Ok(Picture { png: Some(Redacted::from_masked(bytes)), withheld: None, width, height })
}

/// Keeps a number of pixels in the range a picture has.
fn pixels(value: f64, max: u32) -> u32 {
    let value = value.clamp(0.0, f64::from(max));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let value = value as u32;
    value
}

fn paint(picture: &mut RgbaImage, area: &[f64; 4]) {
    let [x, y, width, height] = *area;
    let clamp = pixels;
    let (right, bottom) = (picture.width(), picture.height());
    for row in clamp(y.floor(), bottom)..clamp((y + height).ceil(), bottom) {
        for column in clamp(x.floor(), right)..clamp((x + width).ceil(), right) {
            picture.put_pixel(column, row, MASK);
        }
    }
}

/// Reads width and height out of a PNG's header.
fn size_of(png: &[u8]) -> Option<(u32, u32)> {
    let number = |at: usize| {
        png.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes)
    };
    let is_png = png.starts_with(b"\x89PNG\r\n\x1a\n");
    is_png.then_some(())?;
    Some((number(16)?, number(20)?))
}
