//! Which rules were considered for a decision, in order, and which one decided.

/// Where a rule stands: its name in the file, such as `boundary.deny[0]`, and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// Its line, from 1; none for what is not written in a file.
    pub line: Option<u64>,
}

impl Source {
    /// Names something that always holds, written or not.
    pub fn fixed(name: &str) -> Source {
        Source { name: name.to_owned(), line: None }
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "`{}` (line {line})", self.name),
            None => write!(f, "`{}`", self.name),
        }
    }
}

/// One rule that was considered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Considered {
    /// Which.
    pub source: Source,
    /// Whether it matched.
    pub matched: bool,
    /// What it says, in words.
    pub says: String,
}

/// The rules considered so far; one that keeps nothing costs nothing.
#[derive(Debug, Default)]
pub struct Trail(Option<Vec<Considered>>);

impl Trail {
    /// Makes one that keeps nothing.
    pub fn silent() -> Trail {
        Trail(None)
    }

    /// Makes one that keeps what it is told.
    pub fn kept() -> Trail {
        Trail(Some(Vec::new()))
    }

    /// Takes a rule down; `says` is asked only when it is kept. Returns `matched`.
    pub(crate) fn note(
        &mut self,
        source: &Source,
        matched: bool,
        says: impl FnOnce() -> String,
    ) -> bool {
        if let Some(kept) = &mut self.0 {
            kept.push(Considered { source: source.clone(), matched, says: says() });
        }
        matched
    }

    /// Returns what was considered, in order.
    pub fn into_considered(self) -> Vec<Considered> {
        self.0.unwrap_or_default()
    }
}
