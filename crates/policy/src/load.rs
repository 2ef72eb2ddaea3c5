//! Text to policy, or every problem with its line and column; never a default (I9).

mod check;
mod meant;
mod node;
mod written;

use crate::cases::Case;
use crate::language::{CASES, POLICY};
use crate::policy::Policy;

use node::Node;

/// Something that is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Its line, from 1.
    pub line: u64,
    /// Its column, from 1.
    pub column: u64,
    /// The key it stands at, such as `boundary.allow[0].host`; empty for the whole file.
    pub at: String,
    /// What is wrong, without the place.
    pub message: String,
    /// What may have been meant.
    pub meant: Option<String>,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}: ", self.line, self.column)?;
        if !self.at.is_empty() {
            write!(f, "`{}` ", self.at)?;
        }
        f.write_str(&self.message)?;
        match &self.meant {
            Some(meant) => write!(f, "; did you mean `{meant}`?"),
            None => Ok(()),
        }
    }
}

/// Why a file cannot be used: at least one problem, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{first}{}", further(.rest.len()))]
pub struct LoadError {
    /// The first problem.
    pub first: Problem,
    /// The others.
    pub rest: Vec<Problem>,
}

fn further(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " (and 1 more problem)".to_owned(),
        more => format!(" (and {more} more problems)"),
    }
}

impl LoadError {
    /// Returns every problem.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        std::iter::once(&self.first).chain(&self.rest)
    }

    fn of(mut problems: Vec<Problem>) -> Option<LoadError> {
        problems.sort_by_key(|problem| (problem.line, problem.column));
        let mut problems = problems.into_iter();
        let first = problems.next()?;
        Some(LoadError { first, rest: problems.collect() })
    }
}

/// Reads a policy.
///
/// # Errors
///
/// Fails with every problem that was found.
pub fn policy(text: &str) -> Result<Policy, LoadError> {
    let tree = Node::read(text)?;
    let mut problems = check::shape(&tree, &POLICY);
    problems.extend(check::meaning(&tree));
    if let Some(error) = LoadError::of(problems) {
        return Err(error);
    }
    written::policy(text)
}

/// Reads the cases a policy is tested with.
///
/// # Errors
///
/// Fails with every problem that was found.
pub fn cases(text: &str) -> Result<Vec<Case>, LoadError> {
    let tree = Node::read(text)?;
    let mut problems = check::shape(&tree, &CASES);
    problems.extend(check::cases(&tree));
    if let Some(error) = LoadError::of(problems) {
        return Err(error);
    }
    written::cases(text)
}

#[cfg(test)]
mod tests;
