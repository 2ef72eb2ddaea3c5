//! File choosers and files: a chooser the page opened is held open for the next upload; files go
//! to an input, to the chooser, or are dropped where the page takes them.

use serde::Deserialize;
use serde_json::json;

use sidestick_gate::{Performed, SettleAsk, SurfaceError, SurfaceEvent};
use sidestick_model::observation::{DialogState, ElementFacts, ReadBack};
use sidestick_model::outcome::{Code, Status};
use sidestick_model::{Deadline, Fate, Upload, limits};

use crate::connection::Connection;
use crate::injected::{self, Handle};
use crate::page::{Known, Page};
use crate::perform::{Step, input, refuse, script};
use crate::protocol::{Act, Look};
use crate::resolve::refuse_unready;
use crate::session::Chromium;

/// A chooser the page opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chooser {
    /// What it takes.
    takes: Takes,
    /// The browser's number of its input.
    node: i64,
}

/// How much an input takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    One,
    Several,
    Folder,
}

impl Takes {
    fn words(self) -> &'static str {
        match self {
            Takes::One => "one file",
            Takes::Several => "several files",
            Takes::Folder => "a folder",
        }
    }

    /// Refuses files it cannot hold; nothing was given away.
    fn refuse_unfit(self, uploads: &[Upload]) -> Result<(), SurfaceError> {
        let folders = uploads.iter().filter(|upload| upload.is_folder).count();
        let why = match (self, folders, uploads.len()) {
            (Takes::One | Takes::Several, 1.., _) => "it takes no folder",
            (Takes::One, _, 2..) => "it takes one file only",
            (Takes::Folder, 0, _) | (Takes::Folder, _, 2..) => "it takes one folder",
            (_, _, _) => return Ok(()),
        };
        Err(refuse(Status::NotActionable, Code::InvalidValue, why))
    }
}

/// A file chooser opened instead of a window of the system's own.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Opened {
    #[serde(default)]
    mode: String,
    backend_node_id: Option<i64>,
}

#[derive(Deserialize)]
struct Described {
    node: Node,
}

#[derive(Deserialize)]
struct Node {
    #[serde(default)]
    attributes: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Resolved {
    object: Object,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Object {
    object_id: Option<String>,
}

#[derive(Deserialize)]
struct Chosen {
    files: Vec<FileSeen>,
}

#[derive(Deserialize)]
struct FileSeen {
    name: String,
    size: f64,
}

#[derive(Deserialize)]
struct Taken {
    taken: bool,
}

/// Takes the opening of a chooser. One without an input of its own cannot be answered: the page
/// was told that nothing was chosen.
pub(crate) fn opened(page: &Page, opened: &Opened) -> Option<SurfaceEvent> {
    let takes = if opened.mode == "selectMultiple" { Takes::Several } else { Takes::One };
    let Some(node) = opened.backend_node_id else {
        return Some(SurfaceEvent::Notice {
            key: format!("file-picker:{}", page.id),
            text: "the page asked for a file through a picker that cannot be answered; it was \
                   told that nothing was chosen"
                .to_owned(),
        });
    };
    page.update(|known| {
        known.chooser = Some(Chooser { takes, node });
        known.choosers = known.choosers.saturating_add(1);
    });
    None
}

impl Chooser {
    /// Returns it as told to callers.
    pub(crate) fn told(&self) -> DialogState {
        DialogState {
            kind: "filechooser".to_owned(),
            text: self.takes.words().to_owned(),
            default_text: None,
            opened_by: None,
        }
    }
}

/// Refuses an upload that has nowhere to go.
pub(crate) fn refuse_upload(page: &Page, element: &ElementFacts) -> Result<(), SurfaceError> {
    if element.input_type.as_deref() == Some("file") {
        return refuse_unready(element, sidestick_model::ActionKind::Upload);
    }
    if page.known().chooser.is_some() {
        return Ok(());
    }
    // Files are dropped on what a person could see, whatever kind of element it is.
    let mut place = element.clone();
    if place.ready.code.as_deref() == Some(Code::WrongKind.as_str()) {
        place.ready.ok = true;
    }
    refuse_unready(&place, sidestick_model::ActionKind::Hover)
}

/// Refuses an upload without a target when no chooser is open.
pub(crate) fn refuse_without_chooser(page: &Page) -> Result<(), SurfaceError> {
    if page.known().chooser.is_some() {
        return Ok(());
    }
    let why = "no file chooser is open; name the file input, or press what opens one";
    Err(refuse(Status::NotActionable, Code::NoDialog, why))
}

impl Step<'_> {
    /// Gives files to an input, to the chooser that is open, or to what takes a drop.
    pub(crate) async fn upload(&self) -> Result<Performed, SurfaceError> {
        let element = self.permit.resolved().element.as_ref();
        let chooser = self.page.known().chooser.clone();
        match (element, chooser) {
            (Some(element), _) if element.input_type.as_deref() == Some("file") => {
                self.give_to_input(element).await
            }
            (_, Some(chooser)) => self.give_to_chooser(&chooser).await,
            (Some(element), None) => self.drop_files(element).await,
            (None, None) => Err(refuse(
                Status::NotActionable,
                Code::NoDialog,
                "the file chooser went away before it was answered",
            )),
        }
    }

    fn paths(&self) -> Vec<&str> {
        self.permit.uploads().iter().map(|upload| upload.path.as_str()).collect()
    }

    async fn give_to_input(&self, element: &ElementFacts) -> Result<Performed, SurfaceError> {
        let connection = &self.chromium.connection;
        let handle =
            injected::element_handle(connection, self.page, &element.id, self.deadline).await?;
        let takes = takes_of(connection, &handle, self.deadline).await?;
        takes.refuse_unfit(self.permit.uploads())?;
        self.arm(None, None, None).await?;
        let params = json!({"files": self.paths(), "objectId": handle.object});
        let sent = connection.act(&handle.session, Act::SetFiles, &params, self.held());
        self.hand().landed(sent).await?;
        Ok(script())
    }

    async fn give_to_chooser(&self, chooser: &Chooser) -> Result<Performed, SurfaceError> {
        let connection = &self.chromium.connection;
        let handle = handle_of(connection, self.page, chooser.node, self.deadline).await?;
        let takes = takes_of(connection, &handle, self.deadline).await?;
        takes.refuse_unfit(self.permit.uploads())?;
        self.arm(None, None, None).await?;
        let params = json!({"files": self.paths(), "objectId": handle.object});
        let sent = connection.act(&handle.session, Act::SetFiles, &params, self.held());
        self.page.update(|known| {
            if known.chooser.as_ref() == Some(chooser) {
                known.chooser = None;
            }
        });
        self.hand().landed(sent).await?;
        Ok(Performed { token: u64::try_from(chooser.node).unwrap_or(0), ..script() })
    }

    /// Drags the files over the element, and drops them when the page takes what is dragged there.
    /// A page that does not would be left for the file itself.
    async fn drop_files(&self, element: &ElementFacts) -> Result<Performed, SurfaceError> {
        let point = self.point_of(element).await?;
        self.hand().move_to(point).await?;
        let armed = self.arm(Some(&element.id), Some(point), None).await?;
        self.refuse_missed(&armed)?;
        let none = json!({});
        let connection = &self.chromium.connection;
        let _: serde_json::Value =
            injected::read(connection, self.page, "watch_drop", &none, self.deadline).await?;
        // Chromium tells a page of a drag that stays before it may be dropped.
        for event in ["dragEnter", "dragOver", "dragOver"] {
            self.drag_event(event, point).await?;
        }
        let answer: Taken =
            injected::read(connection, self.page, "drop_taken", &none, self.deadline).await?;
        if !answer.taken {
            self.drag_event("dragCancel", point).await?;
            self.refuse_press(element)?;
            return self.press_for_chooser(element).await;
        }
        self.drag_event("drop", point).await?;
        Ok(Performed { point: Some(point), ..input() })
    }

    /// Refuses to press what is more than a way to a file chooser: the decision was made on giving
    /// files, and not on what a press of it would do.
    fn refuse_press(&self, element: &ElementFacts) -> Result<(), SurfaceError> {
        let role = element.subject.role.as_str();
        let is_pressed = matches!(role, "button" | "link" | "menuitem")
            || element.states.iter().any(|state| state == "clickable");
        // The word was left out of the name that was judged: it is how places for files are called.
        let name = element.subject.name.as_deref().unwrap_or_default().to_lowercase();
        let page = self.page.known().url.clone();
        let stays = |href: &str| {
            let (to, fragment) = href.split_once('#').unwrap_or((href, ""));
            fragment.is_empty() && href.ends_with('#') && Some(to) == page.split('#').next()
        };
        let leads = element.href.as_deref().is_some_and(|href| !stays(href));
        let why = if !is_pressed || element.takes_text {
            "it is no file input, opens no file chooser that is open, and takes no drop"
        } else if element.submits || leads || element.download || name.contains("drop") {
            "it takes no drop, and pressing it may do more than open a file chooser: click it, then \
             answer the chooser with `upload` without a target"
        } else {
            return Ok(());
        };
        Err(refuse(Status::NotActionable, Code::WrongKind, why))
    }

    /// Presses what makes its input as it is pressed, and answers the chooser that opens. The press
    /// is not taken back: without a chooser, or with one that takes no such files, the outcome says
    /// what it did and that no file was given.
    async fn press_for_chooser(&self, element: &ElementFacts) -> Result<Performed, SurfaceError> {
        let before = self.page.known().choosers;
        let mut hand = self.hand();
        let point = self.aim(&mut hand, element).await?;
        hand.click(point, "left", 1).await?;
        self.refuse_stopped(element).await?;
        let limit = self.deadline.within(limits::CHOOSER_TIME_MAX);
        let opens = |known: &Known| {
            before < known.choosers || known.dialog.is_some() || known.is_closed || known.is_crashed
        };
        self.page.until(limit, opens).await;
        let opened = {
            let mut known = self.page.known();
            let opened = known.chooser.clone().filter(|_| before < known.choosers);
            // It is answered, or given up, within the act: its opening is no effect by itself.
            known.mark.choosers = known.choosers;
            opened
        };
        let pressed = Performed { point: Some(point), ..input() };
        let Some(chooser) = opened else {
            self.page.known().ungiven =
                Some("it was pressed, and no file chooser opened".to_owned());
            return Ok(pressed);
        };
        match self.give_to_chooser(&chooser).await {
            Ok(given) => Ok(Performed { token: given.token, ..pressed }),
            Err(SurfaceError::Refused(refusal)) => {
                let mut known = self.page.known();
                known.chooser = None;
                let why =
                    format!("the file chooser that it opened was closed: {}", refusal.message);
                known.ungiven = Some(why);
                Ok(pressed)
            }
            Err(error) => Err(error.after_dispatch()),
        }
    }

    async fn drag_event(&self, kind: &str, point: [f64; 2]) -> Result<(), SurfaceError> {
        let [x, y] = point;
        let data = json!({"items": [], "files": self.paths(), "dragOperationsMask": 1});
        let params = json!({"type": kind, "x": x, "y": y, "data": data});
        let connection = &self.chromium.connection;
        let sent = connection.act(&self.page.session, Act::DragEvent, &params, self.held());
        self.hand().landed(sent).await
    }
}

/// Asks the browser, not the page, how much an input takes.
async fn takes_of(
    connection: &Connection,
    handle: &Handle,
    deadline: Deadline,
) -> Result<Takes, SurfaceError> {
    let params = json!({"objectId": handle.object});
    let sent = connection.look(Some(&handle.session), Look::DescribeNode, &params);
    let raw = sent.answer(deadline).await.map_err(|error| error.of_look())?;
    let described: Described = serde_json::from_str(raw.get())
        .map_err(|_| SurfaceError::BadAnswer { what: "describe", fate: Fate::NotSent })?;
    // Names and values take turns.
    let has = |wanted: &str| described.node.attributes.iter().step_by(2).any(|at| at == wanted);
    Ok(match (has("webkitdirectory"), has("multiple")) {
        (true, _) => Takes::Folder,
        (false, true) => Takes::Several,
        (false, false) => Takes::One,
    })
}

/// Returns a handle to an element by the browser's own number, in the world of the page scripts.
async fn handle_of(
    connection: &Connection,
    page: &Page,
    node: i64,
    deadline: Deadline,
) -> Result<Handle, SurfaceError> {
    let bad = || SurfaceError::BadAnswer { what: "chooser", fate: Fate::NotSent };
    let world = page.known().world.ok_or_else(bad)?;
    let params = json!({"backendNodeId": node, "executionContextId": world});
    let sent = connection.look(Some(&page.session), Look::ResolveNode, &params);
    let raw = sent.answer(deadline).await.map_err(|_| {
        refuse(Status::Stale, Code::ElementGone, "the input of the file chooser is gone")
    })?;
    let resolved: Option<Resolved> = serde_json::from_str(raw.get()).ok();
    let object = resolved.and_then(|resolved| resolved.object.object_id).ok_or_else(bad)?;
    Ok(Handle { session: page.session.clone(), world, object })
}

impl Chromium {
    /// Reads back which files an input holds. A page that took them out again has read them, or
    /// has not: what it shows says which.
    pub(crate) async fn read_back_upload(
        &self,
        page: &Page,
        ask: &SettleAsk<'_>,
        deadline: Deadline,
    ) -> Option<ReadBack> {
        let connection = &self.connection;
        if page.known().ungiven.is_some() {
            return None;
        }
        let node = i64::try_from(ask.performed.token).ok().filter(|node| *node != 0);
        let handle = match (node, ask.element) {
            (Some(node), _) => handle_of(connection, page, node, deadline).await.ok()?,
            (None, Some(element)) if element.input_type.as_deref() == Some("file") => {
                injected::element_handle(connection, page, &element.id, deadline).await.ok()?
            }
            (None, _) => return None,
        };
        let chosen: Chosen =
            injected::read_node(connection, page, "chosen_files", &handle, deadline).await.ok()?;
        (!chosen.files.is_empty()).then(|| compare(ask.uploads, &chosen.files))
    }
}

/// What is read back of files that reached no input.
pub(crate) fn none_given(asked: &[Upload]) -> ReadBack {
    let nothing = Some("no file".to_owned());
    ReadBack { equal: false, found: nothing, ..compare(asked, &[]) }
}

fn compare(asked: &[Upload], found: &[FileSeen]) -> ReadBack {
    if let [folder] = asked
        && folder.is_folder
    {
        return ReadBack {
            asked: Some(format!("{}/", folder.name)),
            found: Some(format!("{} file(s)", found.len())),
            equal: true,
            ..ReadBack::default()
        };
    }
    let words = |name: &str, bytes: f64| format!("{name} ({bytes} bytes)");
    // A length beyond what a number of the page can hold is told inexactly there too.
    #[expect(clippy::cast_precision_loss, reason = "compared with a number of a page")]
    let asked: Vec<String> = asked.iter().map(|one| words(&one.name, one.bytes as f64)).collect();
    let found: Vec<String> = found.iter().map(|one| words(&one.name, one.size)).collect();
    ReadBack {
        equal: asked == found,
        asked: Some(asked.join(", ")),
        found: Some(found.join(", ")),
        ..ReadBack::default()
    }
}
