//! Where an act ended up: every frame, against the boundary (D27).

use sidestick_model::{Deadline, Seam};
use sidestick_policy::{DocumentKind, Judged, redact};

use crate::session::Session;
use crate::surface::Surface;

impl<S: Surface> Session<S> {
    /// Looks where every page is; a page outside the boundary is left and the run is stopped.
    ///
    /// Returns the addresses that were outside.
    pub(crate) async fn landed(&self, deadline: Deadline) -> Vec<String> {
        let Ok(frames) = self.surface.frames(deadline).await else {
            // A surface that cannot say where it is, is gone; its next act says so.
            return Vec::new();
        };
        let outside: Vec<String> = frames
            .iter()
            .filter(|frame| frame.is_top)
            .filter(|frame| {
                self.boundary.judge(&frame.url, DocumentKind::TopLevel) != Judged::Inside
            })
            .map(|frame| redact::address(&frame.url).unwrap_or_else(|| "(long address)".to_owned()))
            .collect();
        if !outside.is_empty() && !Seam::BoundaryLanded.is_broken() {
            let stopped = "left_boundary".to_owned();
            self.desk().run.state.head.stopped_reason.get_or_insert(stopped);
            // The run is stopped whether or not the page could be left.
            drop(self.surface.leave(deadline).await);
        }
        outside
    }
}
