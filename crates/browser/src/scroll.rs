//! What a scroll moved, read back: the thing that scrolls stands elsewhere than before (D6).

use serde::Deserialize;
use serde_json::json;

use sidestick_gate::SurfaceError;
use sidestick_model::observation::ReadBack;
use sidestick_model::{Deadline, Direction};

use crate::frames::FrameId;
use crate::injected;
use crate::page::Page;
use crate::session::Chromium;

/// Something that scrolls, as it stood right before the wheel.
#[derive(Debug, Clone)]
pub(crate) struct Scroller {
    frame: Option<FrameId>,
    direction: Direction,
    at: Standing,
}

#[derive(Debug, Clone, Deserialize)]
struct Standing {
    #[serde(rename = "ref")]
    id: Option<String>,
    x: f64,
    y: f64,
    left: f64,
    width: f64,
    height: f64,
}

impl Scroller {
    /// Returns width and height of what shows.
    pub(crate) fn screen(&self) -> (f64, f64) {
        (self.at.width.max(1.0), self.at.height.max(1.0))
    }
}

impl Chromium {
    /// Finds what a wheel at a point scrolls.
    pub(crate) async fn scroller(
        &self,
        page: &Page,
        frame: Option<FrameId>,
        point: [f64; 2],
        direction: Direction,
        deadline: Deadline,
    ) -> Result<Scroller, SurfaceError> {
        let args = json!({"point": point, "direction": direction.as_str()});
        let read = injected::read_in(
            &self.connection,
            page,
            frame.as_deref(),
            "scroller",
            &args,
            deadline,
        );
        let at: Standing = read.await.map_err(|error| error.into_surface("scroller"))?;
        Ok(Scroller { frame, direction, at })
    }

    /// Reads where it stands now: none when it is gone, else how far it has moved.
    pub(crate) async fn scrolled(
        &self,
        page: &Page,
        before: &Scroller,
        deadline: Deadline,
    ) -> Option<ReadBack> {
        let args = json!({"ref": before.at.id, "direction": before.direction.as_str()});
        let frame = before.frame.as_deref();
        let now: Option<Standing> =
            injected::read_in(&self.connection, page, frame, "scrolled", &args, deadline)
                .await
                .ok()?;
        let now = now?;
        let (dx, dy) = (now.x - before.at.x, now.y - before.at.y);
        let moved = dx.abs().max(dy.abs());
        let left = if now.left < 1.0 {
            "at the end".to_owned()
        } else {
            format!("{:.0} px left", now.left)
        };
        let way = before.direction.as_str();
        Some(ReadBack {
            asked: Some(way.to_owned()),
            found: Some(format!("{moved:.0} px {way}, {left}")),
            equal: 1.0 <= moved,
            ..ReadBack::default()
        })
    }
}
