//! A run's report in the forms people and build servers read: Markdown, HTML and JUnit.
//!
//! Everything here is a pure function of [`Report`]; pictures come through a closure. No form
//! trusts a text: what the application wrote is quoted, kept on one line and shown with its hidden
//! characters spelled out, so that no page can forge a line of its own report (I12).

mod act;
mod album;
mod html;
mod junit;
mod md;
mod picture;
mod tail;
mod text;
mod words;

#[cfg(test)]
mod hostile;
#[cfg(test)]
pub(crate) mod sample;
#[cfg(test)]
mod tests;

pub use html::html;
pub use junit::junit;
pub use md::markdown;
pub use picture::changed_region;
pub use words::OVERRIDES;
