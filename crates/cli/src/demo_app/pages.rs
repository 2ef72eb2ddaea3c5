//! Pages from their templates: which page there is, and what goes into its gaps.
//!
//! A template is an asset file with gaps such as `{{title}}`. Filling is one pass over the
//! template, so a stored text that looks like a gap stays text.

use super::{
    flip::Flip,
    record::{Hits, Project},
};

const LAYOUT: &str = include_str!("assets/layout.html");
const PROJECT_ROW: &str = include_str!("assets/project-row.html");
const CURRENT: &str = r#"aria-current="page""#;

/// A page of the application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Page {
    Dashboard,
    Projects,
    Profile,
    Settings,
    Help,
    Login,
    Account,
    Verify,
    Traps,
    Prices,
    Block,
    Missing,
}

impl Page {
    pub(super) const ALL: [Page; 12] = [
        Page::Dashboard,
        Page::Projects,
        Page::Profile,
        Page::Settings,
        Page::Help,
        Page::Login,
        Page::Account,
        Page::Verify,
        Page::Traps,
        Page::Prices,
        Page::Block,
        Page::Missing,
    ];

    fn name(self) -> &'static str {
        match self {
            Page::Dashboard => "dashboard",
            Page::Projects => "projects",
            Page::Profile => "profile",
            Page::Settings => "settings",
            Page::Help => "help",
            Page::Login => "login",
            Page::Account => "account",
            Page::Verify => "verify",
            Page::Traps => "traps",
            Page::Prices => "prices",
            Page::Block => "block",
            Page::Missing => "missing",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Page::Dashboard => "Overview",
            Page::Projects => "Projects",
            Page::Profile => "Profile",
            Page::Settings => "Settings",
            Page::Help => "Help",
            Page::Login => "Sign in",
            Page::Account => "Account",
            Page::Verify => "Verification",
            Page::Traps => "Test bench",
            Page::Prices => "Price list",
            Page::Block => "Search index",
            Page::Missing => "Page not found",
        }
    }

    fn template(self) -> &'static str {
        match self {
            Page::Dashboard => include_str!("assets/dashboard.html"),
            Page::Projects => include_str!("assets/projects.html"),
            Page::Profile => include_str!("assets/profile.html"),
            Page::Settings => include_str!("assets/settings.html"),
            Page::Help => include_str!("assets/help.html"),
            Page::Login => include_str!("assets/login.html"),
            Page::Account => include_str!("assets/account.html"),
            Page::Verify => include_str!("assets/verify.html"),
            Page::Traps => include_str!("assets/traps.html"),
            Page::Prices => include_str!("assets/prices.html"),
            Page::Block => include_str!("assets/block.html"),
            Page::Missing => include_str!("assets/missing.html"),
        }
    }

    /// Returns the page with the record's state in it.
    pub(super) fn render<'a>(
        self,
        hits: &Hits,
        projects: &[Project],
        flips: impl IntoIterator<Item = &'a Flip>,
    ) -> String {
        let flips: Vec<Flip> = flips.into_iter().copied().collect();
        let is_innocent = flips.contains(&Flip::Delete);
        let delete_name = if is_innocent { "Tidy up" } else { "Delete project" };
        let flip_names: Vec<&str> = flips.iter().map(|flip| flip.name()).collect();
        let rows: String = projects.iter().map(|project| row(project, delete_name)).collect();

        let mut gaps = vec![
            ("title", self.title().to_owned()),
            ("page", self.name().to_owned()),
            ("flips", flip_names.join(" ")),
            ("theme", hits.theme.to_owned()),
            ("working", hits.hits.working.to_string()),
            ("text", escape(&hits.text)),
            ("display_name", escape(&hits.display_name)),
            ("initials", escape(&initials(&hits.display_name))),
            ("avatar", escape(hits.avatar.as_deref().unwrap_or("none"))),
            ("project_count", projects.len().to_string()),
            ("rows", rows),
        ];
        gaps.push(("main", fill(self.template(), &gaps)));
        gaps.extend(Page::ALL.into_iter().map(|page| (page.mark(), self.mark_of(page))));
        fill(LAYOUT, &gaps)
    }

    /// The layout's gap that marks `self` as the page one is on.
    fn mark(self) -> &'static str {
        match self {
            Page::Dashboard => "at_dashboard",
            Page::Projects => "at_projects",
            Page::Profile => "at_profile",
            Page::Settings => "at_settings",
            Page::Help => "at_help",
            Page::Login | Page::Account => "at_login",
            Page::Traps => "at_traps",
            Page::Verify | Page::Prices | Page::Block | Page::Missing => "at_nowhere",
        }
    }

    fn mark_of(self, other: Page) -> String {
        if self == other { CURRENT.to_owned() } else { String::new() }
    }
}

/// Fills the gaps of a template; a gap without a value stays as it is, for a test to find.
fn fill(template: &str, gaps: &[(&str, String)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        filled.push_str(before);
        let Some((name, behind)) = after.split_once("}}") else {
            filled.push_str("{{");
            rest = after;
            break;
        };
        match gaps.iter().find(|(gap, _)| *gap == name) {
            Some((_, value)) => filled.push_str(value),
            None => filled.extend(["{{", name, "}}"]),
        }
        rest = behind;
    }
    filled.push_str(rest);
    filled
}

fn row(project: &Project, delete_name: &str) -> String {
    let Project { id, name, customer, orders, state, changed } = project;
    fill(
        PROJECT_ROW,
        &[
            ("id", escape(id)),
            ("name", escape(name)),
            ("customer", escape(customer)),
            ("orders", orders.to_string()),
            ("state", escape(state)),
            ("changed", escape(changed)),
            ("delete_name", escape(delete_name)),
        ],
    )
}

fn initials(name: &str) -> String {
    name.split_whitespace().filter_map(|word| word.chars().next()).take(2).collect()
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}
