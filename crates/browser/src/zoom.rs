//! A part of the viewport at a higher scale, with every secret box masked like in any picture.

use serde::Deserialize;
use serde_json::json;

use sidestick_gate::{Picture, SurfaceError, ZoomArea};
use sidestick_model::outcome::{Code, Refusal, Status};
use sidestick_model::{Deadline, ElementFacts};
use sidestick_policy::Secret;

use crate::injected;
use crate::page::Page;
use crate::session::Chromium;

/// Pixels around an element that are shown with it.
const MARGIN: f64 = 8.0;

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
struct Viewport {
    width: f64,
    height: f64,
    scroll_x: f64,
    scroll_y: f64,
}

#[derive(Deserialize)]
struct Found {
    element: Option<ElementFacts>,
}

impl Chromium {
    /// Takes a picture of a part of the viewport, `scale` picture pixels for each CSS pixel, and
    /// says which part it is.
    pub(crate) async fn zoom_into(
        &self,
        area: &ZoomArea,
        scale: f64,
        secrets: &[Secret],
        deadline: Deadline,
    ) -> Result<(Picture, [f64; 4]), SurfaceError> {
        let page = self.page()?;
        let _camera = self.camera.lock().await;
        let mut wanted = [0.0; 4];
        for _ in 0..2 {
            let view: Viewport = self.viewport_of(&page, deadline).await?;
            wanted = within(self.box_of(&page, area, deadline).await?, &view)
                .ok_or_else(|| out_of_view(area))?;
            let before = self.boxes(&page, secrets, deadline).await?;
            let png = self.capture_part(&page, wanted, scale, &view, deadline).await?;
            let after = self.boxes(&page, secrets, deadline).await?;
            let is_same = before.are_those_of(&after)
                && view == self.viewport_of(&page, deadline).await?
                && Some(wanted) == within(self.box_of(&page, area, deadline).await?, &view);
            if is_same {
                let [x, y, ..] = wanted;
                let shifted = |area: &[f64; 4]| {
                    [area[0] - x, area[1] - y, area[2], area[3]].map(|n| n * scale)
                };
                let boxes: Vec<[f64; 4]> = before.areas().iter().map(shifted).collect();
                return Ok((crate::picture::masked(png, &boxes, 1.0)?, wanted));
            }
        }
        Ok((crate::picture::withheld("the page changed while the picture was taken"), wanted))
    }

    async fn viewport_of(&self, page: &Page, deadline: Deadline) -> Result<Viewport, SurfaceError> {
        injected::read(&self.connection, page, "viewport", &json!({}), deadline).await
    }

    async fn box_of(
        &self,
        page: &Page,
        area: &ZoomArea,
        deadline: Deadline,
    ) -> Result<[f64; 4], SurfaceError> {
        let id = match area {
            ZoomArea::Region(region) => return Ok(*region),
            ZoomArea::Element(id) => id,
        };
        let args = json!({"target": {"ref": id}, "action": "screenshot", "values": null,
            "text_kind": null, "expect": null});
        let found: Found =
            injected::read(&self.connection, page, "resolve", &args, deadline).await?;
        let element = found.element.ok_or_else(|| {
            let why = format!("`{id}` is gone");
            SurfaceError::Refused(Box::new(Refusal::new(Status::Stale, Code::ElementGone, why)))
        })?;
        let [x, y, width, height] = element.bounds;
        Ok([x - MARGIN, y - MARGIN, width + 2.0 * MARGIN, height + 2.0 * MARGIN])
    }

    async fn capture_part(
        &self,
        page: &Page,
        area: [f64; 4],
        scale: f64,
        view: &Viewport,
        deadline: Deadline,
    ) -> Result<Vec<u8>, SurfaceError> {
        let [x, y, width, height] = area;
        // The protocol counts from the top of the document, and in device pixels.
        let params = json!({"format": "png", "optimizeForSpeed": true,
            "captureBeyondViewport": false,
            "clip": {"x": x + view.scroll_x, "y": y + view.scroll_y, "width": width,
                "height": height, "scale": scale / self.shared.emulation.scale}});
        self.capture_with(page, &params, deadline).await
    }
}

/// The part of an area that is in view, on whole pixels.
fn within([x, y, width, height]: [f64; 4], view: &Viewport) -> Option<[f64; 4]> {
    let (left, top) = (x.floor().max(0.0), y.floor().max(0.0));
    let right = (x + width).ceil().min(view.width);
    let bottom = (y + height).ceil().min(view.height);
    (left < right && top < bottom).then_some([left, top, right - left, bottom - top])
}

fn out_of_view(area: &ZoomArea) -> SurfaceError {
    let what = match area {
        ZoomArea::Element(id) => format!("`{id}`"),
        ZoomArea::Region(_) => "the region".to_owned(),
    };
    let why = format!("{what} is not in view; scroll to it first");
    SurfaceError::Refused(Box::new(Refusal::new(Status::NotVisible, Code::Offscreen, why)))
}
