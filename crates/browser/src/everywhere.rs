//! One target in all the documents of a page: the script of each answers for its own, and one answer
//! comes of it (D11, I11).

use futures_util::future::join_all;
use serde::Deserialize;
use serde_json::{Value, json};

use sidestick_gate::SurfaceError;
use sidestick_model::observation::ElementFacts;
use sidestick_model::outcome::Match;
use sidestick_model::{Deadline, Target, limits};

use crate::closed;
use crate::frames::{self, Found};
use crate::injected::{self, ScriptError};
use crate::page::Page;
use crate::resolve::{Answer, Focus};
use crate::session::Chromium;

#[derive(Deserialize)]
struct Held {
    held: bool,
}

impl Answer {
    /// Returns how many elements answer, and those that are named.
    fn count(self) -> (u32, Vec<Match>) {
        match self {
            Answer::Found { element } => {
                (1, vec![Match { id: element.id, subject: element.subject }])
            }
            Answer::Several { total, matches } => (total, matches),
            Answer::None | Answer::Gone { .. } => (0, Vec::new()),
        }
    }

    /// Puts the answers of two documents together: a namesake in the other is one all the same.
    fn and(self, other: Answer) -> Answer {
        match (self, other) {
            (own, Answer::None | Answer::Gone { .. }) => own,
            (Answer::None | Answer::Gone { .. }, other) => other,
            (own, other) => {
                let ((first, mut matches), (second, more)) = (own.count(), other.count());
                matches.extend(more);
                Answer::Several { total: first.saturating_add(second), matches }
            }
        }
    }
}

impl Chromium {
    /// Asks every document that can hold the target; what was hidden in closed shadow trees is
    /// looked for before it is said that nothing answers.
    pub(crate) async fn answer_everywhere(
        &self,
        page: &Page,
        target: &Target,
        args: Value,
        deadline: Deadline,
    ) -> Result<Answer, SurfaceError> {
        let answer = self.answer_of_page(page, target, args.clone(), deadline).await?;
        let is_described = matches!(target, Target::Described { .. });
        if !is_described || !matches!(answer, Answer::None) {
            return Ok(answer);
        }
        let mut opened = closed::open_suspects(&self.connection, page, None, true, deadline).await;
        for found in frames::find(&self.connection, page, deadline).await {
            let frame = Some(found.frame.as_str());
            opened |= closed::open_suspects(&self.connection, page, frame, true, deadline).await;
        }
        if opened { self.answer_of_page(page, target, args, deadline).await } else { Ok(answer) }
    }

    /// Asks every document that can hold the target.
    pub(crate) async fn answer_of_page(
        &self,
        page: &Page,
        target: &Target,
        args: Value,
        deadline: Deadline,
    ) -> Result<Answer, SurfaceError> {
        // The places of the frames are found first: the script in each is told where it lies.
        let all = frames::find(&self.connection, page, deadline).await;
        let mut answer: Answer =
            injected::read(&self.connection, page, "resolve", &args, deadline).await?;
        if all.is_empty() {
            return Ok(answer);
        }
        match target {
            Target::Ref { .. } => {}
            Target::Described { role, .. } if role == "document" => {}
            Target::Described { .. } => {
                let asked = all.iter().map(|found| self.answer_in(page, found, &args, deadline));
                for other in join_all(asked).await.into_iter().flatten() {
                    answer = answer.and(other);
                }
            }
            Target::Pixel { .. } => {
                answer = self.answer_below(page, &all, answer, &args, deadline).await;
            }
        }
        if let Answer::Found { element } = &mut answer {
            self.see_through(page, &all, element, deadline).await;
            self.expect_everywhere(page, &all, element, &args, deadline).await;
        }
        Ok(answer)
    }

    /// A frame that does not answer holds nothing that can be acted on.
    async fn answer_in(
        &self,
        page: &Page,
        found: &Found,
        args: &Value,
        deadline: Deadline,
    ) -> Option<Answer> {
        let limit = deadline.within(limits::FRAME_ANSWER_TIME_MAX);
        let frame = Some(found.frame.as_str());
        injected::read_in(&self.connection, page, frame, "resolve", args, limit).await.ok()
    }

    /// Follows a point that lies on a frame into the frame.
    async fn answer_below(
        &self,
        page: &Page,
        all: &[Found],
        mut answer: Answer,
        args: &Value,
        deadline: Deadline,
    ) -> Answer {
        for _ in all {
            let Answer::Found { element } = &answer else { return answer };
            let Some(found) = all.iter().find(|found| found.place.id == element.id) else {
                return answer;
            };
            match self.answer_in(page, found, args, deadline).await {
                Some(inner) => answer = inner,
                None => return answer,
            }
        }
        answer
    }

    /// What a frame shows may be covered in the documents above it: a point is chosen that all of
    /// them let through.
    async fn see_through(
        &self,
        page: &Page,
        all: &[Found],
        element: &mut ElementFacts,
        deadline: Deadline,
    ) {
        let frame = frames::of_ref(&page.known(), &element.id);
        let path = frame.map(|frame| frames::path(all, &frame)).unwrap_or_default();
        let (Some(last), Some(point)) = (path.last(), element.point) else { return };
        if !element.visible.ok {
            return;
        }
        let mut points = vec![point];
        points.extend(last.place.points_in(element.bounds));
        let through =
            frames::through(&self.connection, page, &path, &element.id, points, deadline).await;
        match through {
            Ok(point) => element.point = Some(point),
            Err(cover) => {
                element.visible.ok = false;
                element.visible.reason = Some("occluded".to_owned());
                element.visible.cover = cover;
                element.point = None;
            }
        }
    }

    /// What is expected of the page may hold in any document, and what is to be gone has to be gone
    /// from all.
    async fn expect_everywhere(
        &self,
        page: &Page,
        all: &[Found],
        element: &mut ElementFacts,
        args: &Value,
        deadline: Deadline,
    ) {
        let expect = args.get("expect").cloned().unwrap_or_default();
        let kind = expect.get("kind").and_then(Value::as_str).unwrap_or_default();
        if !matches!(kind, "text" | "gone" | "appeared" | "url") {
            return;
        }
        let asked = json!({"expect": expect});
        let documents =
            std::iter::once(None).chain(all.iter().map(|found| Some(found.frame.as_str())));
        // The address that is meant is the page's own.
        let documents = documents.take(if kind == "url" { 1 } else { usize::MAX });
        let held = join_all(documents.map(|frame| {
            let asked = &asked;
            async move {
                let held: Result<Held, ScriptError> =
                    injected::read_in(&self.connection, page, frame, "holds", asked, deadline)
                        .await;
                held.ok().map(|held| held.held)
            }
        }));
        let mut held = held.await.into_iter().flatten();
        element.expect_held =
            if kind == "gone" { held.all(|held| held) } else { held.any(|held| held) };
    }

    /// Finds the focus, down through the frames.
    pub(crate) async fn focus_everywhere(
        &self,
        page: &Page,
        deadline: Deadline,
    ) -> Result<Focus, SurfaceError> {
        let args = json!({});
        let mut focus: Focus =
            injected::read(&self.connection, page, "focus_info", &args, deadline).await?;
        let all = frames::find(&self.connection, page, deadline).await;
        for _ in &all {
            let on = all.iter().find(|found| Some(&found.place.id) == focus.id.as_ref());
            let Some(found) = on else { break };
            let frame = Some(found.frame.as_str());
            let inner: Result<Focus, ScriptError> =
                injected::read_in(&self.connection, page, frame, "focus_info", &args, deadline)
                    .await;
            match inner {
                Ok(inner) if inner.id.is_some() => focus = inner,
                Ok(_) | Err(_) => break,
            }
        }
        Ok(focus)
    }
}
