//! A surface without a browser: a handful of elements, whatever effect a test says, and the same
//! two promises as a real driver. It refuses what it cannot act on before it writes, and it
//! compares the permit's lease at the write.
//!
//! Not a model of a browser: nothing changes unless a test says so.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};

use sidestick_gate::{
    Features, FrameAt, Held, Looking, Performed, Permit, Picture, Resolve, Resolved, SettleAsk,
    Surface, SurfaceError, SurfaceEvent,
};
use sidestick_model::call::{FindAsk, Found, TabSeen};
use sidestick_model::observation::{
    Change, DialogState, ElementFacts, Node, NodeExtra, PageState, Reading, Ready, Settled, Signal,
    Subject, Visible,
};
use sidestick_model::outcome::{Code, Fate, Refusal, Status};
use sidestick_model::{Action, Deadline, LeaseId, Target};
use sidestick_policy::{Redacted, Secret};

/// A picture of one pixel.
const PNG: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1f, 0x15, 0xc4,
    0x89, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xff, 0xff, 0xff,
    0x7f, 0x00, 0x09, 0xfb, 0x03, 0xfd, 0x05, 0x43, 0x45, 0xca, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45,
    0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

/// A moment in the fake's work at which a test can look in, hold it up or make it fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Hop {
    /// The page is being read.
    Observe,
    /// The element is being found.
    Resolve,
    /// Nothing is written yet.
    Perform,
    /// Everything is written; the answer is on its way.
    Sent,
    /// The effect is being looked for.
    Settle,
    /// It is being asked where the frames are.
    Frames,
    /// A picture is being taken.
    Picture,
    /// A brake, a claim or an end waits for the wire.
    Quiet,
    /// Somebody waits for something on the page.
    Wait,
    /// The surface is being ended.
    Close,
}

/// What was written to the application, and under which lease.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// What was done.
    pub action: Action,
    /// The ref it was done to.
    pub target: Option<String>,
    /// The text that was typed.
    pub text: Option<String>,
    /// The lease of the permit.
    pub shown: LeaseId,
}

/// The page a test edits.
#[derive(Debug, Default)]
pub struct Page {
    /// The elements by ref, as they are.
    pub elements: BTreeMap<String, ElementFacts>,
    /// Where the page is.
    pub state: PageState,
    /// The focused element.
    pub focused: Option<String>,
    /// The open dialog.
    pub dialog: Option<DialogState>,
    /// Where frames are, beside the page itself.
    pub frames: Vec<FrameAt>,
    /// What happened by itself and was not taken yet.
    pub events: Vec<SurfaceEvent>,
    /// What still differs from before the last dispatch.
    pub differs: Option<Vec<Change>>,
    /// The effects of the next dispatches, in order; afterwards a heading says `Saved`.
    pub effects: VecDeque<Settled>,
}

impl Page {
    /// Returns the element with this ref, to change it.
    pub fn element(&mut self, id: &str) -> &mut ElementFacts {
        self.elements.entry(id.to_owned()).or_default()
    }
}

type Hook = Box<dyn FnMut(&mut Page) + Send>;

#[derive(Default)]
struct Inside {
    page: Page,
    hooks: HashMap<Hop, Hook>,
    halts: HashMap<Hop, VecDeque<Halt>>,
    failures: HashMap<Hop, VecDeque<SurfaceError>>,
    pace: Option<Seed>,
    written: Vec<Written>,
    reached: Vec<Hop>,
    left: u32,
}

/// A surface without a browser; clones share one page.
#[derive(Clone)]
pub struct FakeSurface {
    inside: Arc<Mutex<Inside>>,
    edited: Arc<watch::Sender<u64>>,
}

impl std::fmt::Debug for FakeSurface {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FakeSurface({} written)", self.written().len())
    }
}

impl Default for FakeSurface {
    fn default() -> FakeSurface {
        FakeSurface::new()
    }
}

impl FakeSurface {
    /// Makes a page at `https://app.example/` with a button `Save` (`e1`), a field `Name` (`e2`)
    /// and a hidden field `Password` (`e3`).
    pub fn new() -> FakeSurface {
        let (edited, _) = watch::channel(0);
        let fake = FakeSurface { inside: Arc::default(), edited: Arc::new(edited) };
        fake.edit(|page| {
            page.state = PageState {
                id: "p1".into(),
                url: "https://app.example/".into(),
                title: "App".into(),
                document: 1,
                opener: None,
            };
            for (id, role, name) in
                [("e1", "button", "Save"), ("e2", "textbox", "Name"), ("e3", "textbox", "Password")]
            {
                page.elements.insert(id.to_owned(), element(id, role, name));
            }
            page.element("e2").takes_text = true;
            let password = page.element("e3");
            password.takes_text = true;
            password.is_secret = true;
            password.states.push("secret".to_owned());
        });
        fake
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the page; whoever waits for a change of it wakes.
    pub fn edit(&self, change: impl FnOnce(&mut Page)) {
        change(&mut self.inside().page);
        self.edited.send_modify(|count| *count += 1);
    }

    /// Says what the next dispatch that has none will be seen to do.
    pub fn will_do(&self, effect: Settled) {
        self.edit(|page| page.effects.push_back(effect));
    }

    /// Makes the next visit to `hop` that has no failure fail.
    pub fn fails(&self, hop: Hop, error: SurfaceError) {
        self.inside().failures.entry(hop).or_default().push_back(error);
    }

    /// Holds up the next visit to `hop`, until the test lets it go or the act is cut.
    pub fn halt(&self, hop: Hop) -> Halt {
        let halt = Halt::default();
        self.inside().halts.entry(hop).or_default().push_back(halt.clone());
        halt
    }

    /// Calls `hook` at each visit to `hop`, before anything else happens there.
    pub fn at(&self, hop: Hop, hook: impl FnMut(&mut Page) + Send + 'static) {
        self.inside().hooks.insert(hop, Box::new(hook));
    }

    /// Makes each hop take 0 to 20 ms, drawn from `seed`.
    pub fn pace(&self, seed: Seed) {
        self.inside().pace = Some(seed);
    }

    /// Returns what was written, in order.
    pub fn written(&self) -> Vec<Written> {
        self.inside().written.clone()
    }

    /// Returns how often `hop` was reached.
    pub fn count(&self, hop: Hop) -> usize {
        self.inside().reached.iter().filter(|reached| **reached == hop).count()
    }

    /// Returns how often a document was left because it may not be shown.
    pub fn left(&self) -> u32 {
        self.inside().left
    }

    /// Goes through a hop; `Ok(false)` when the act was cut there.
    async fn reach(&self, hop: Hop, held: Option<&Held>) -> Result<bool, SurfaceError> {
        let (halt, pause) = {
            let mut inside = self.inside();
            inside.reached.push(hop);
            if let Some(mut hook) = inside.hooks.remove(&hop) {
                hook(&mut inside.page);
                inside.hooks.entry(hop).or_insert(hook);
            }
            let halt = inside.halts.get_mut(&hop).and_then(VecDeque::pop_front);
            let pause = inside.pace.as_mut().map(|seed| Duration::from_millis(seed.below(20)));
            (halt, pause)
        };
        let held_up = async {
            if let Some(halt) = halt {
                halt.reached.notify_one();
                halt.go.notified().await;
            }
            if let Some(pause) = pause {
                tokio::time::sleep(pause).await;
            }
        };
        let cut = async {
            match held {
                Some(held) => held.cut().await,
                None => std::future::pending().await,
            }
        };
        let went = tokio::select! {
            biased;
            () = cut => false,
            () = held_up => true,
        };
        let failure = self.inside().failures.get_mut(&hop).and_then(VecDeque::pop_front);
        match failure {
            Some(error) => Err(error),
            None => Ok(went),
        }
    }

    fn find_target(&self, action: &Action) -> Result<Option<ElementFacts>, SurfaceError> {
        let inside = self.inside();
        let elements = &inside.page.elements;
        match action.target() {
            None => Ok(None),
            Some(Target::Ref { id }) => elements.get(id).cloned().map(Some).ok_or_else(|| {
                refusal(Status::Stale, Code::ElementGone, format!("`{id}` is gone"))
            }),
            Some(Target::Described { role, name, .. }) => {
                let is_meant = |found: &&ElementFacts| {
                    found.subject.role == *role && (name.is_none() || found.subject.name == *name)
                };
                let found: Vec<_> = elements.values().filter(is_meant).collect();
                match found.as_slice() {
                    [] => Err(refusal(Status::NotFound, None, "nothing matches".to_owned())),
                    [one] => Ok(Some((*one).clone())),
                    _ => Err(refusal(Status::Ambiguous, None, "several match".to_owned())),
                }
            }
            Some(Target::Pixel { x, y, .. }) => {
                let holds = |found: &&ElementFacts| {
                    let [left, top, width, height] = found.bounds;
                    (left..left + width).contains(x) && (top..top + height).contains(y)
                };
                Ok(elements.values().find(holds).cloned())
            }
        }
    }
}

/// Makes an element that can be seen and acted on.
pub fn element(id: &str, role: &str, name: &str) -> ElementFacts {
    let number = id.trim_start_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0.0);
    ElementFacts {
        id: id.to_owned(),
        subject: Subject {
            role: role.to_owned(),
            name: Some(name.to_owned()),
            ..Subject::default()
        },
        bounds: [0.0, 20.0 * number, 100.0, 20.0],
        visible: Visible { ok: true, ..Visible::default() },
        ready: Ready { ok: true, ..Ready::default() },
        in_viewport: true,
        ..ElementFacts::default()
    }
}

/// Makes an effect of these signals, with a heading that changed when the tree did.
pub fn effect(signals: &[Signal]) -> Settled {
    let saved = Change {
        kind: "text".to_owned(),
        role: Some("heading".to_owned()),
        after: Some("Saved".to_owned()),
        ..Change::default()
    };
    let changes = if signals.contains(&Signal::Tree) { vec![saved] } else { Vec::new() };
    Settled { looked_ms: 40, signals: signals.to_vec(), changes, ..Settled::default() }
}

fn refusal(status: Status, code: impl Into<Option<Code>>, why: String) -> SurfaceError {
    SurfaceError::Refused(Box::new(Refusal::new(status, code, why)))
}

fn cut(sent: &str, fate: Fate) -> SurfaceError {
    SurfaceError::Cut { sent: sent.to_owned(), fate }
}

/// Refuses what a driver refuses: another meaning, out of sight, not able to take the action.
fn check(found: &ElementFacts, meaning: Option<&Subject>) -> Result<(), SurfaceError> {
    if let Some(why) = meaning.and_then(|meaning| meaning.difference(&found.subject)) {
        return Err(refusal(Status::Stale, Code::Changed, why));
    }
    if !found.visible.ok {
        let code = found.visible.reason.as_deref().and_then(Code::parse);
        return Err(refusal(Status::NotVisible, code, "it cannot be seen".to_owned()));
    }
    if !found.ready.ok {
        let code = found.ready.code.as_deref().and_then(Code::parse);
        return Err(refusal(Status::NotActionable, code, "it cannot take the action".to_owned()));
    }
    Ok(())
}

impl Surface for FakeSurface {
    fn features(&self) -> Features {
        Features { driver: "fake".into(), version: "1".into(), sandbox: true }
    }

    async fn observe(&self, looking: &Looking, _: Deadline) -> Result<Reading, SurfaceError> {
        self.reach(Hop::Observe, None).await?;
        let inside = self.inside();
        let node = |found: &ElementFacts| Node {
            role: found.subject.role.clone(),
            name: found.subject.name.clone(),
            id: Some(found.id.clone()),
            states: found.states.clone(),
            value: found.value.clone().filter(|_| !found.is_secret),
            extra: Some(NodeExtra { subject: Some(found.subject.clone()), ..NodeExtra::default() }),
            ..Node::default()
        };
        Ok(Reading {
            page: inside.page.state.clone(),
            scope: looking.scope,
            viewport: [0, 720, 720],
            nodes: inside.page.elements.values().map(node).collect(),
            focus: inside.page.focused.clone(),
            dialog: inside.page.dialog.clone(),
            ..Reading::default()
        })
    }

    async fn find(&self, ask: &FindAsk, _: Deadline) -> Result<(Vec<Found>, u32), SurfaceError> {
        let inside = self.inside();
        let is_asked = |found: &&ElementFacts| {
            ask.role.as_ref().is_none_or(|role| found.subject.role == *role)
                && (ask.name.is_none() || found.subject.name == ask.name)
        };
        let found: Vec<Found> = inside
            .page
            .elements
            .values()
            .filter(is_asked)
            .map(|found| Found {
                id: found.id.clone(),
                subject: found.subject.clone(),
                states: found.states.clone(),
                ..Found::default()
            })
            .collect();
        let total = u32::try_from(found.len()).unwrap_or(u32::MAX);
        Ok((found, total))
    }

    async fn text(
        &self,
        _: Option<&str>,
        _: usize,
        _: Deadline,
    ) -> Result<(String, bool, u64), SurfaceError> {
        let inside = self.inside();
        let names = inside.page.elements.values().filter_map(|found| found.subject.name.clone());
        let text = names.collect::<Vec<_>>().join("\n");
        let chars = text.chars().count() as u64;
        Ok((text, false, chars))
    }

    async fn wait(&self, kind: &str, _: &str, deadline: Deadline) -> Result<bool, SurfaceError> {
        let mut edited = self.edited.subscribe();
        self.reach(Hop::Wait, None).await?;
        if kind != "change" {
            return Ok(true);
        }
        let changed = tokio::time::timeout_at(deadline.instant(), edited.changed()).await;
        Ok(changed.is_ok())
    }

    async fn picture(&self, _: &[Secret], _: bool, _: Deadline) -> Result<Picture, SurfaceError> {
        self.reach(Hop::Picture, None).await?;
        let png = Some(Redacted::from_masked(PNG.to_vec()));
        Ok(Picture { png, withheld: None, width: 1, height: 1 })
    }

    fn tabs(&self) -> Vec<TabSeen> {
        vec![TabSeen { page: self.inside().page.state.clone(), current: true }]
    }

    async fn resolve(&self, ask: &Resolve<'_>, _: Deadline) -> Result<Resolved, SurfaceError> {
        self.reach(Hop::Resolve, None).await?;
        let element = self.find_target(ask.action)?;
        if let Some(found) = &element {
            check(found, ask.meaning)?;
        }
        let inside = self.inside();
        let focused = inside.page.focused.as_ref().and_then(|id| inside.page.elements.get(id));
        Ok(Resolved {
            satisfied: element.as_ref().is_some_and(|found| found.satisfied),
            focused: focused.cloned().filter(|_| element.is_none()),
            dialog: inside.page.dialog.clone(),
            page: inside.page.state.clone(),
            destination: None,
            element,
        })
    }

    async fn perform(&self, permit: &Permit, _: Deadline) -> Result<Performed, SurfaceError> {
        let went = self.reach(Hop::Perform, Some(permit.held())).await?;
        {
            // The comparison and the write are one critical section, as at a real connection.
            let mut inside = self.inside();
            if !went || !permit.held().holds() {
                return Err(cut("nothing", Fate::NotSent));
            }
            inside.written.push(Written {
                action: permit.action().clone(),
                target: permit.resolved().element.as_ref().map(|found| found.id.clone()),
                text: permit.text().map(str::to_owned),
                shown: permit.held().shown(),
            });
        }
        if !self.reach(Hop::Sent, Some(permit.held())).await? {
            return Err(cut("1 press", Fate::Unknown));
        }
        Ok(Performed { point: Some([5.0, 5.0]), method: "input", token: 1 })
    }

    async fn settle(
        &self,
        _: &SettleAsk<'_>,
        held: &Held,
        _: Deadline,
    ) -> Result<Settled, SurfaceError> {
        if !self.reach(Hop::Settle, Some(held)).await? {
            return Err(cut("the whole action", Fate::Unknown));
        }
        let mut inside = self.inside();
        let mut settled =
            inside.page.effects.pop_front().unwrap_or_else(|| effect(&[Signal::Tree]));
        settled.page = inside.page.state.clone();
        Ok(settled)
    }

    async fn still_differs(&self, _: Deadline) -> Result<Option<Vec<Change>>, SurfaceError> {
        Ok(self.inside().page.differs.clone())
    }

    async fn frames(&self, _: Deadline) -> Result<Vec<FrameAt>, SurfaceError> {
        self.reach(Hop::Frames, None).await?;
        let inside = self.inside();
        let top = FrameAt { url: inside.page.state.url.clone(), is_top: true };
        Ok(std::iter::once(top).chain(inside.page.frames.iter().cloned()).collect())
    }

    async fn leave(&self, _: Deadline) -> Result<(), SurfaceError> {
        let mut inside = self.inside();
        inside.left += 1;
        inside.page.state.url = "about:blank".to_owned();
        Ok(())
    }

    fn events(&self) -> (Vec<SurfaceEvent>, u32) {
        (std::mem::take(&mut self.inside().page.events), 0)
    }

    async fn quiet(&self) {
        // A wire that cannot be quieted is cut; there is no failure to tell.
        drop(self.reach(Hop::Quiet, None).await);
    }

    async fn close(&self, _: bool) -> Result<Vec<String>, String> {
        self.reach(Hop::Close, None).await.map_err(|error| error.to_string())?;
        Ok(vec!["process ended".to_owned()])
    }
}

/// A place where the fake waits for the test.
#[derive(Debug, Clone, Default)]
pub struct Halt {
    reached: Arc<Notify>,
    go: Arc<Notify>,
}

impl Halt {
    /// Waits until the fake is there.
    pub async fn reached(&self) {
        self.reached.notified().await;
    }

    /// Lets the fake go on.
    pub fn go(&self) {
        self.go.notify_one();
    }
}

/// Draws the same numbers for the same seed.
#[derive(Debug, Clone)]
pub struct Seed(u64);

impl Seed {
    /// Makes the drawing of one seed.
    pub fn new(seed: u64) -> Seed {
        Seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Draws a number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }

    /// Waits 0 to `millis_max` ms of a paused clock.
    pub async fn pause(&mut self, millis_max: u64) {
        let millis = self.below(millis_max + 1);
        tokio::time::sleep(Duration::from_millis(millis)).await;
    }
}
