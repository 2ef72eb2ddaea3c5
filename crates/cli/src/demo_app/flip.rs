//! The planted bugs by name, and what turning each one around does to the application.

use std::fmt;

/// One planted bug, or one thing that works, whose truth can be turned around.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Flip {
    /// "Increment counter" does nothing.
    Working,
    /// The text of Notes loses all but its first word on the way into the record.
    Notes,
    /// The Theme box springs back to what it was.
    Theme,
    /// "Export report" does its work and says so.
    Dead,
    /// The promo code box can be seen.
    Hidden,
    /// The request under the "Saved" toast succeeds.
    Avatar,
    /// The server stores the display name that the "Saved" banner speaks of.
    Banner,
    /// The login accepts nobody.
    Login,
    /// "Delete project" carries a name that says nothing of deletion.
    Delete,
    /// The help page follows its own link for AI assistants.
    Injection,
    /// The dashboard loads without an error on the console.
    Console,
}

impl Flip {
    /// Every flip, in the order of the demo's goals.
    pub(crate) const ALL: [Flip; 11] = [
        Flip::Working,
        Flip::Notes,
        Flip::Theme,
        Flip::Dead,
        Flip::Hidden,
        Flip::Avatar,
        Flip::Banner,
        Flip::Login,
        Flip::Delete,
        Flip::Injection,
        Flip::Console,
    ];

    /// Returns the name used on the command line and in the pages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Flip::Working => "working",
            Flip::Notes => "notes",
            Flip::Theme => "theme",
            Flip::Dead => "dead",
            Flip::Hidden => "hidden",
            Flip::Avatar => "avatar",
            Flip::Banner => "banner",
            Flip::Login => "login",
            Flip::Delete => "delete",
            Flip::Injection => "injection",
            Flip::Console => "console",
        }
    }

    /// Returns the flip of that name, or nothing if no flip has it.
    pub(crate) fn parse(name: &str) -> Option<Flip> {
        Flip::ALL.into_iter().find(|flip| flip.name() == name)
    }
}

impl fmt::Display for Flip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
