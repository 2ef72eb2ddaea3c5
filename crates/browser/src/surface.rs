//! The driver as the gate knows it.

use sidestick_gate::{
    Features, FrameAt, Held, Looking, Performed, Permit, Picture, Resolve, Resolved, SettleAsk,
    Surface, SurfaceError, SurfaceEvent, ZoomArea,
};
use sidestick_model::call::{FindAsk, Found, TabSeen};
use sidestick_model::change::{ChangesFrom, ChangesSeen};
use sidestick_model::observation::{Change, ReadBack, Reading, Settled};
use sidestick_model::{Action, Deadline};
use sidestick_policy::Secret;

use crate::protocol::Reply;
use crate::session::Chromium;

impl Surface for Chromium {
    fn features(&self) -> Features {
        Features {
            driver: "chromium".to_owned(),
            version: self.version.clone(),
            sandbox: self.sandbox,
        }
    }

    async fn observe(
        &self,
        looking: &Looking,
        deadline: Deadline,
    ) -> Result<Reading, SurfaceError> {
        self.read_outline(looking, deadline).await
    }

    async fn find(
        &self,
        ask: &FindAsk,
        deadline: Deadline,
    ) -> Result<(Vec<Found>, u32), SurfaceError> {
        self.search(ask, deadline).await
    }

    async fn text(
        &self,
        target: Option<&str>,
        max_chars: usize,
        deadline: Deadline,
    ) -> Result<(String, bool, u64), SurfaceError> {
        self.read_text(target, max_chars, deadline).await
    }

    async fn wait(
        &self,
        kind: &str,
        value: &str,
        deadline: Deadline,
    ) -> Result<bool, SurfaceError> {
        self.wait_for(kind, value, deadline).await
    }

    async fn picture(
        &self,
        secrets: &[Secret],
        full_page: bool,
        deadline: Deadline,
    ) -> Result<Picture, SurfaceError> {
        self.take_picture(secrets, full_page, deadline).await
    }

    async fn zoom(
        &self,
        area: &ZoomArea,
        scale: f64,
        secrets: &[Secret],
        deadline: Deadline,
    ) -> Result<(Picture, [f64; 4]), SurfaceError> {
        self.zoom_into(area, scale, secrets, deadline).await
    }

    fn tabs(&self) -> Vec<TabSeen> {
        self.tabs_seen()
    }

    async fn resolve(
        &self,
        ask: &Resolve<'_>,
        deadline: Deadline,
    ) -> Result<Resolved, SurfaceError> {
        self.resolve_action(ask, deadline).await
    }

    async fn perform(
        &self,
        permit: &Permit,
        deadline: Deadline,
    ) -> Result<Performed, SurfaceError> {
        self.perform_permitted(permit, deadline).await
    }

    async fn settle(
        &self,
        ask: &SettleAsk<'_>,
        held: &Held,
        deadline: Deadline,
    ) -> Result<Settled, SurfaceError> {
        self.settle_performed(ask, held, deadline).await
    }

    async fn still_differs(&self, deadline: Deadline) -> Result<Option<Vec<Change>>, SurfaceError> {
        self.differs_still(deadline).await
    }

    async fn read_back(
        &self,
        id: &str,
        action: &Action,
        text: Option<&str>,
        deadline: Deadline,
    ) -> Result<Option<ReadBack>, SurfaceError> {
        self.read_field_back(id, action, text, deadline).await
    }

    async fn late(&self, deadline: Deadline) -> Result<Vec<Change>, SurfaceError> {
        self.read_late(deadline).await
    }

    async fn changes(
        &self,
        from: &ChangesFrom,
        unmask: bool,
        deadline: Deadline,
    ) -> Result<ChangesSeen, SurfaceError> {
        self.read_changes(from, unmask, deadline).await
    }

    async fn frames(&self, _deadline: Deadline) -> Result<Vec<FrameAt>, SurfaceError> {
        // Every page's address is kept up by its events; no call is needed to know it.
        let at = |page: &std::sync::Arc<crate::page::Page>| FrameAt {
            url: page.state().url,
            is_top: true,
        };
        let frames: Vec<FrameAt> = self.shared.all().iter().map(at).collect();
        Ok(frames.into_iter().filter(|frame| !frame.url.is_empty()).collect())
    }

    async fn leave(&self, deadline: Deadline) -> Result<(), SurfaceError> {
        for page in self.shared.all() {
            let params = serde_json::json!({"url": "about:blank"});
            self.connection.reply(Some(&page.session), Reply::LeaveDocument, &params);
            page.until(deadline, |known| known.url == "about:blank" || known.is_closed).await;
        }
        Ok(())
    }

    fn events(&self) -> (Vec<SurfaceEvent>, u32) {
        self.shared.take_events()
    }

    async fn quiet(&self) {
        self.connection.quiet().await;
    }

    async fn close(&self, keep_open: bool) -> Result<Vec<String>, String> {
        self.end(keep_open).await
    }
}
