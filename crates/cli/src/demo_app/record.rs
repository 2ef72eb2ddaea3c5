//! What really arrived: the application's own state, which the demo is judged by.
//!
//! Counters move only for their own control. Nothing here knows what a page showed.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Mutex, MutexGuard, PoisonError},
};

use serde_json::{Value, json};

use super::flip::Flip;

/// The one user name the login accepts.
pub(crate) const USERNAME: &str = "tester";
/// The password that goes with [`USERNAME`].
pub(crate) const PASSWORD: &str = "fixture-pass";

/// The controls of the test bench that report a press.
pub(super) const TRAPS: [&str; 9] =
    ["focus", "late", "revert", "second", "covered", "clock", "confirm", "readonly", "short"];

/// The themes the select offers, by the values it sends.
const THEMES: [&str; 3] = ["system", "light", "dark"];

/// A snapshot of what the server has recorded; the body of `GET /hits`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hits {
    /// How often each control reached the server.
    pub(crate) hits: Counters,
    /// The text of Notes, exactly as stored.
    pub(crate) text: String,
    /// The theme last chosen: `system`, `light` or `dark`.
    pub(crate) theme: &'static str,
    /// Logins, by how they ended.
    pub(crate) login: Logins,
    /// How often the settings form was sent.
    pub(crate) settings_posts: u64,
    /// The display name the server holds.
    pub(crate) display_name: String,
    /// The avatar the server holds, if one was ever stored.
    pub(crate) avatar: Option<String>,
    /// Presses of the test bench's controls that reached the server.
    pub(crate) traps: BTreeMap<&'static str, u64>,
}

/// How often each counted control reached the server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    /// Presses of "Increment counter".
    pub(crate) working: u64,
    /// Presses of "Export report".
    pub(crate) dead: u64,
    /// Times the promo code box took focus.
    pub(crate) hidden: u64,
    /// Requests for `/verify`.
    pub(crate) verify: u64,
    /// Projects deleted.
    pub(crate) delete: u64,
    /// Presses of "Save avatar".
    pub(crate) save: u64,
}

/// Logins, by how they ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Logins {
    /// Logins the server accepted.
    pub(crate) ok: u64,
    /// Logins the server turned away.
    pub(crate) failed: u64,
}

/// One row of the projects table.
#[derive(Debug, Clone)]
pub(super) struct Project {
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) customer: &'static str,
    pub(super) orders: u32,
    pub(super) state: &'static str,
    pub(super) changed: &'static str,
}

/// The application's state, shared by its routes.
#[derive(Debug)]
pub(super) struct Record {
    flips: BTreeSet<Flip>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    hits: Hits,
    projects: Vec<Project>,
    session: Option<String>,
}

impl Record {
    pub(super) fn new(flips: BTreeSet<Flip>) -> Record {
        let hits = Hits {
            hits: Counters::default(),
            text: String::new(),
            theme: "system",
            login: Logins::default(),
            settings_posts: 0,
            display_name: "Dana Whitfield".to_owned(),
            avatar: None,
            traps: TRAPS.into_iter().map(|trap| (trap, 0)).collect(),
        };
        let state = State { hits, projects: projects(), session: None };
        Record { flips, state: Mutex::new(state) }
    }

    pub(super) fn hits(&self) -> Hits {
        self.state().hits.clone()
    }

    pub(super) fn flips(&self) -> &BTreeSet<Flip> {
        &self.flips
    }

    pub(super) fn projects(&self) -> Vec<Project> {
        self.state().projects.clone()
    }

    /// Counts one press of the working control and returns the count.
    pub(super) fn count_working(&self) -> u64 {
        let mut state = self.state();
        state.hits.hits.working += 1;
        state.hits.hits.working
    }

    /// Counts a press that changes nothing else; false if nothing of that name is counted.
    pub(super) fn count_seen(&self, what: &str) -> bool {
        let mut state = self.state();
        match what {
            "dead" => state.hits.hits.dead += 1,
            "hidden" => state.hits.hits.hidden += 1,
            _ => return false,
        }
        true
    }

    /// Counts a press on the test bench; false if it has no such control.
    pub(super) fn count_trap(&self, what: &str) -> bool {
        match self.state().hits.traps.get_mut(what) {
            Some(count) => {
                *count += 1;
                true
            }
            None => false,
        }
    }

    pub(super) fn count_verify(&self) {
        self.state().hits.hits.verify += 1;
    }

    pub(super) fn store_text(&self, text: String) {
        let loses_text = self.flips.contains(&Flip::Notes);
        self.state().hits.text = if loses_text { first_word(&text) } else { text };
    }

    /// Stores the theme; false if there is no such theme.
    pub(super) fn store_theme(&self, theme: &str) -> bool {
        match THEMES.into_iter().find(|known| *known == theme) {
            Some(known) => {
                self.state().hits.theme = known;
                true
            }
            None => false,
        }
    }

    /// Counts a press of "Save avatar"; the planted bug is that nothing is stored (false).
    pub(super) fn save_avatar(&self, avatar: String) -> bool {
        let mut state = self.state();
        state.hits.hits.save += 1;
        if !self.flips.contains(&Flip::Avatar) {
            return false;
        }
        state.hits.avatar = Some(avatar);
        true
    }

    /// Counts a settings form; the planted bug is that the name is dropped on the floor.
    pub(super) fn save_settings(&self, display_name: String) {
        let mut state = self.state();
        state.hits.settings_posts += 1;
        if self.flips.contains(&Flip::Banner) {
            state.hits.display_name = display_name;
        }
    }

    /// Counts a login and returns its session token if it was accepted.
    pub(super) fn log_in(&self, username: &str, password: &str) -> Option<String> {
        let mut state = self.state();
        let is_known = username == USERNAME && password == PASSWORD;
        if !is_known || self.flips.contains(&Flip::Login) {
            state.hits.login.failed += 1;
            return None;
        }
        state.hits.login.ok += 1;
        // Guessable, and that is fine: behind it lies one line of made-up text.
        let token = format!("session-{}", state.hits.login.ok);
        state.session = Some(token.clone());
        Some(token)
    }

    pub(super) fn is_session(&self, token: &str) -> bool {
        self.state().session.as_deref() == Some(token)
    }

    pub(super) fn log_out(&self) {
        self.state().session = None;
    }

    /// Deletes a project and counts it; false if there is none of that id.
    pub(super) fn delete_project(&self, id: &str) -> bool {
        let mut state = self.state();
        let count_before = state.projects.len();
        state.projects.retain(|project| project.id != id);
        if state.projects.len() == count_before {
            return false;
        }
        state.hits.hits.delete += 1;
        true
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing between two writes under the lock can panic, so a poisoned state is still whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Hits {
    /// Returns the body of `GET /hits`.
    pub(crate) fn to_json(&self) -> Value {
        let Counters { working, dead, hidden, verify, delete, save } = self.hits;
        let Logins { ok, failed } = self.login;
        json!({
            "hits": {
                "working": working, "dead": dead, "hidden": hidden,
                "verify": verify, "delete": delete, "save": save,
            },
            "text": self.text,
            "saved_path": null,
            "theme": self.theme,
            "login": { "ok": ok, "failed": failed },
            "settings_posts": self.settings_posts,
            "display_name": self.display_name,
            "avatar": self.avatar,
            "traps": self.traps,
        })
    }
}

fn first_word(text: &str) -> String {
    text.split_whitespace().next().unwrap_or_default().to_owned()
}

fn projects() -> Vec<Project> {
    let row = |id, name, customer, orders, state, changed| Project {
        id,
        name,
        customer,
        orders,
        state,
        changed,
    };
    vec![
        row("p1", "Spring catalog", "Harbor Supply", 42, "Active", "28 Nov"),
        row("p2", "Warehouse move", "Northwind Traders", 17, "Active", "27 Nov"),
        row("p3", "Gift cards", "Lumen Books", 8, "Draft", "25 Nov"),
        row("p4", "Returns pilot", "Acme Outdoor", 23, "Paused", "19 Nov"),
        row("p5", "Holiday bundles", "Fern & Fable", 64, "Active", "18 Nov"),
    ]
}
