//! The language of `policy.yaml`: every key, what it holds and what it means, in one table.
//!
//! The check of a file, the published schema and the reference page all read this table, so that
//! none of them can say anything else. What a text in it has to look like is in `format.rs`.

mod format;
mod page;
mod schema;
mod table;

pub(crate) use format::Format;
pub(crate) use format::{duration, pattern, size};
pub use page::page;
pub use schema::schema;
pub(crate) use table::{CASES, POLICY};

/// What stands at one place of a file.
#[derive(Debug)]
pub(crate) enum Shape {
    /// A text in this form.
    Text(Format),
    /// One word of a closed list.
    Word(&'static [&'static str]),
    /// One kind of action.
    Kind,
    /// Yes or no.
    Flag,
    /// A whole number within these bounds.
    Number(u64, u64),
    /// A list of such entries.
    List(&'static Shape),
    /// Any of these keys, each with such a value.
    Keys(&'static [&'static str], &'static Shape),
    /// Names of the writer's own, each with such a value.
    Names(&'static Shape),
    /// A map with these fields and no others.
    Map(&'static [Field]),
    /// A whole number within these bounds, or one of these words.
    NumberOr(u64, u64, &'static [&'static str]),
}

/// One key of a map.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) key: &'static str,
    pub(crate) shape: Shape,
    /// What it means, in sentences.
    pub(crate) doc: &'static str,
    /// What holds without it; none when it has to be there.
    pub(crate) default: Option<&'static str>,
}

impl Field {
    const fn needed(key: &'static str, shape: Shape, doc: &'static str) -> Field {
        Field { key, shape, doc, default: None }
    }

    const fn may(
        key: &'static str,
        shape: Shape,
        default: &'static str,
        doc: &'static str,
    ) -> Field {
        Field { key, shape, doc, default: Some(default) }
    }
}
