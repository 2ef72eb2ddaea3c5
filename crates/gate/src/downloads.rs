//! Downloads of a session: written down as they begin, taken into the run folder when they are
//! whole, and told by the act they began with.

use sidestick_evidence::downloads::safe_name;
use sidestick_model::{ActId, DownloadSeen, DownloadStatus, Stamp, limits};
use sidestick_policy::Redacted;

use crate::desk::Desk;
use crate::surface::SurfaceEvent;

impl Desk {
    /// Takes in what happened to downloads. One that is among `told` began with the act `act`;
    /// any other is credited to the last act before it.
    pub(crate) fn take_downloads(
        &mut self,
        events: &[SurfaceEvent],
        now: Stamp,
        act: Option<ActId>,
        told: &[DownloadSeen],
    ) {
        for event in events {
            match event {
                SurfaceEvent::DownloadBegan { download } => {
                    let is_told = told.iter().any(|one| one.key == download.key);
                    let act = act.filter(|_| is_told).or(self.last_dispatched);
                    self.download_began(download, act);
                }
                SurfaceEvent::DownloadEnded { download } => self.download_ended(download, now),
                SurfaceEvent::DownloadDropped => {
                    let dropped = &mut self.run.state.state_left.downloads_dropped;
                    *dropped = dropped.saturating_add(1);
                }
                SurfaceEvent::Console { .. }
                | SurfaceEvent::RequestFailed { .. }
                | SurfaceEvent::PageOpened { .. }
                | SurfaceEvent::PageClosed { .. }
                | SurfaceEvent::Dialog { .. }
                | SurfaceEvent::Blocked { .. }
                | SurfaceEvent::Notice { .. } => {}
            }
        }
    }

    fn download_began(&mut self, download: &DownloadSeen, act: Option<ActId>) {
        let all = &mut self.run.state.state_left.downloads;
        // The driver tells no more than these.
        if all.len() < limits::DOWNLOADS_TOLD_MAX {
            all.push(DownloadSeen { act, ..download.clone() });
        }
    }

    fn download_ended(&mut self, ended: &DownloadSeen, now: Stamp) {
        let mut seen = ended.clone();
        if seen.status == DownloadStatus::Saved
            && let Some(why) = self.too_large(seen.bytes)
        {
            // What is not taken over goes with the incoming folder, at the latest.
            (seen.status, seen.reason) = (DownloadStatus::TooLarge, Some(why));
            self.run.forget_download(&seen.key);
        }
        if seen.status == DownloadStatus::Saved {
            let name = self.file_name(&seen.name);
            match self.run.keep_download(&seen.key, &name, now) {
                Ok(kept) => {
                    seen.file = Some(kept.file);
                    seen.bytes = kept.bytes;
                    seen.sha256 = Some(kept.sha256);
                }
                Err(error) => {
                    seen.status = DownloadStatus::Failed;
                    seen.reason = Some(format!("it could not be kept: {error}"));
                }
            }
        }
        let all = &mut self.run.state.state_left.downloads;
        if let Some(known) = all.iter_mut().find(|known| known.key == ended.key) {
            seen.act = known.act;
            *known = seen;
        }
    }

    /// Says why a whole download is more than the policy of the run lets it keep.
    fn too_large(&self, bytes: u64) -> Option<String> {
        let caps = &self.caps;
        if let Some(most) = caps.download_bytes.filter(|most| *most < bytes) {
            return Some(format!("it is larger than the {most} bytes of `caps.download`"));
        }
        let kept = self.run.state.state_left.downloads.iter();
        let kept = kept.filter(|one| one.status == DownloadStatus::Saved).map(|one| one.bytes);
        let all = kept.fold(bytes, u64::saturating_add);
        let most = caps.downloads_bytes.filter(|most| *most < all)?;
        Some(format!("with it the run would keep more than the {most} bytes of `caps.downloads`"))
    }

    /// Makes the name a download is saved under: what is secret in it goes before and after what
    /// would do harm.
    fn file_name(&self, asked: &str) -> Redacted<String> {
        let clean = self.redactor.text(asked).into_inner();
        self.redactor.text(&safe_name(&clean))
    }

    /// Tells of each download what is known of it by now.
    pub(crate) fn fill_in_downloads(&self, told: &mut [DownloadSeen]) {
        for one in told {
            let all = &self.run.state.state_left.downloads;
            if let Some(known) = all.iter().find(|known| known.key == one.key) {
                one.clone_from(known);
            }
        }
    }
}
