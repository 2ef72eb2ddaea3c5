//! Pictures for looking closer: numbered boxes, and a part at a higher scale.

use sidestick_model::call::FindAsk;
use sidestick_model::call::{Answer, DoorCode, DoorError, MarkSeen, ZoomAsk};
use sidestick_model::observation::{Node, Reading, Scope};
use sidestick_model::outcome::Refusal;
use sidestick_model::{Action, Code, Deadline, ObservationId, Status, Target, limits};
use sidestick_policy::Redacted;

use crate::looking::driver_error;
use crate::session::Session;
use crate::surface::{Surface, ZoomArea};

/// The marks on one picture: mark `m1` is the first ref.
#[derive(Debug)]
pub(crate) struct Marks {
    pub(crate) of: ObservationId,
    pub(crate) refs: Vec<String>,
}

/// What a picture's marks were drawn on.
pub(crate) struct Marked {
    pub(crate) path: String,
    pub(crate) marks: Vec<MarkSeen>,
}

impl<S: Surface> Session<S> {
    /// Takes the picture of an observation with a numbered box around each control in view.
    pub(crate) async fn mark(
        &self,
        id: ObservationId,
        reading: &Reading,
    ) -> Result<Option<Marked>, DoorError> {
        let before = self.boxes_in_view().await?;
        let Some(png) = self.take_picture_of(id).await? else { return Ok(None) };
        let after = self.boxes_in_view().await?;
        let controls = reading.nodes.iter().filter(|node| node.id.is_some());
        // What moved while the picture was taken is where nobody can say.
        let placed: Vec<(&Node, [f64; 4])> = controls
            .filter_map(|node| {
                let id = node.id.as_ref()?;
                let area = before.iter().find(|(known, _)| known == id)?.1;
                after.contains(&(id.clone(), area)).then_some((node, area))
            })
            .take(limits::MARKS_MAX)
            .collect();
        let areas: Vec<[f64; 4]> = placed.iter().map(|(_, area)| *area).collect();
        let Some(marked) = sidestick_evidence::marks::draw(png.get(), &areas) else {
            return Ok(None);
        };
        let marked = Redacted::from_masked(marked);
        let now = self.now();
        let mut desk = self.desk();
        if desk.closed {
            return Ok(None);
        }
        let written = desk.run.write_picture(&format!("{id}-marks"), now, &marked);
        let path = written.map_err(|error| desk.record_failed(&error))?;
        let refs = placed.iter().filter_map(|(node, _)| node.id.clone()).collect();
        desk.marks = Some(Marks { of: id, refs });
        let seen = |(number, (node, _)): (u32, &(&Node, [f64; 4]))| MarkSeen {
            mark: format!("m{number}"),
            id: node.id.clone().unwrap_or_default(),
            role: node.role.clone(),
            name: node.name.clone(),
        };
        let marks = (1_u32..).zip(&placed).map(seen).collect();
        Ok(Some(Marked { path, marks }))
    }

    async fn boxes_in_view(&self) -> Result<Vec<(String, [f64; 4])>, DoorError> {
        let ask = FindAsk {
            scope: Scope::Viewport,
            limit: limits::OUTLINE_NODES_MAX,
            ..FindAsk::default()
        };
        let found = self.surface.find(&ask, Self::read_deadline()).await;
        let (found, _) = found.map_err(|error| driver_error(&error))?;
        let in_view = found.into_iter().filter(|found| found.in_viewport);
        Ok(in_view.map(|found| (found.id, found.bounds)).collect())
    }

    /// Puts the ref in the place of each mark an action names.
    pub(crate) fn unmark(
        &self,
        action: &mut Action,
        base: Option<ObservationId>,
    ) -> Result<(), Refusal> {
        let desk = self.desk();
        let stale = || {
            let why = "marks hold for the newest picture alone; look again with `--marks`";
            Refusal::new(Status::Stale, Code::StaleMark, why)
        };
        for target in action.targets_mut() {
            let Target::Ref { id } = target else { continue };
            let Some(number) = sidestick_model::target::mark_number(id) else { continue };
            let marks = desk.marks.as_ref().ok_or_else(stale)?;
            if desk.newest_picture != Some(marks.of) || base != Some(marks.of) {
                return Err(stale());
            }
            let known = number.checked_sub(1).and_then(|at| marks.refs.get(at));
            let why = || Refusal::new(Status::Stale, Code::UnknownRef, format!("no mark `{id}`"));
            let known = known.cloned().ok_or_else(why)?;
            *id = known;
        }
        Ok(())
    }

    /// Takes a picture of an element or a region at a higher scale.
    pub(crate) async fn zoom(&self, ask: ZoomAsk) -> Result<Answer, DoorError> {
        let _turn = self.reader_turn().await?;
        let area = match (ask.target, ask.region) {
            (Some(id), None) => ZoomArea::Element(id),
            (None, Some(region)) => ZoomArea::Region(region),
            _ => {
                let why = "zoom into one element or one region";
                return Err(DoorError::new(DoorCode::BadTarget, why));
            }
        };
        if !(1.0..=limits::ZOOM_MAX).contains(&ask.scale) {
            let why = format!("a scale is 1 to {}", limits::ZOOM_MAX);
            return Err(DoorError::new(DoorCode::BadArguments, why));
        }
        let secrets = self.desk().redactor.secrets().to_vec();
        let deadline = Deadline::of_limit(limits::PICTURE_TIME_MAX);
        let taken = self.surface.zoom(&area, ask.scale, &secrets, deadline).await;
        let (picture, region) = taken.map_err(|error| driver_error(&error))?;
        let now = self.now();
        let mut desk = self.desk();
        let Some(png) = picture.png.filter(|_| !desk.closed) else {
            return Ok(Answer::Zoom { path: None, withheld: true, region, scale: ask.scale });
        };
        // It has a name of its own: it is no ground for pixels, and belongs to no observation.
        desk.zooms = desk.zooms.saturating_add(1);
        let name = format!("zoom-{}", desk.zooms);
        let written = desk.run.write_picture(&name, now, &png);
        let path = Some(written.map_err(|error| desk.record_failed(&error))?);
        Ok(Answer::Zoom { path, withheld: false, region, scale: ask.scale })
    }

    /// Takes the picture of an observation and returns it too.
    async fn take_picture_of(
        &self,
        id: ObservationId,
    ) -> Result<Option<Redacted<Vec<u8>>>, DoorError> {
        self.picture_of(id).await?;
        let desk = self.desk();
        let path = desk.run.state.observation(id).and_then(|line| line.screenshot.clone());
        Ok(path.and_then(|path| desk.run.read_picture(&path)))
    }
}
