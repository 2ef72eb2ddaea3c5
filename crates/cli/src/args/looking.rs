//! The verbs that look: observe, find, text, zoom, changes, screenshot, wait.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct ObserveArgs {
    /// The goal it is made for
    #[arg(long, value_name = "G")]
    pub(crate) goal: Option<String>,
    /// Tell what has changed since this observation instead of everything
    #[arg(long, value_name = "O")]
    pub(crate) since: Option<String>,
    /// How much of the page
    #[arg(long, default_value = "viewport")]
    pub(crate) scope: ScopeArg,
    /// Only inside elements that match
    #[arg(long, value_name = "CSS")]
    pub(crate) within: Option<String>,
    /// Only lines that hold this text
    #[arg(long, value_name = "TEXT")]
    pub(crate) query: Option<String>,
    /// At most this many characters of outline
    #[arg(long, value_name = "N", default_value_t = sidestick_model::limits::OUTLINE_CHARS)]
    pub(crate) max_chars: usize,
    /// Take no picture
    #[arg(long)]
    pub(crate) no_screenshot: bool,
    /// Number the controls on the picture, and list which number is which ref
    #[arg(long, conflicts_with = "no_screenshot")]
    pub(crate) marks: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeArg {
    Viewport,
    Document,
}

#[derive(Debug, Args)]
pub(crate) struct FindArgs {
    /// An ARIA role
    #[arg(long)]
    pub(crate) role: Option<String>,
    /// The accessible name
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// A text it shows
    #[arg(long)]
    pub(crate) text: Option<String>,
    /// Whole words of its row, column, label or heading
    #[arg(long)]
    pub(crate) near: Option<String>,
    /// How much of the page
    #[arg(long, default_value = "viewport")]
    pub(crate) scope: ScopeArg,
    /// At most this many
    #[arg(long, default_value_t = sidestick_model::limits::FIND_MATCHES)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct TextReadArgs {
    /// The element's ref; the viewport when absent
    pub(crate) target: Option<String>,
    /// At most this many characters
    #[arg(long, value_name = "N", default_value_t = sidestick_model::limits::TEXT_CHARS)]
    pub(crate) max_chars: usize,
}

#[derive(Debug, Args)]
pub(crate) struct ZoomArgs {
    /// The element's ref
    #[arg(conflicts_with_all = ["x", "y", "width", "height"])]
    pub(crate) target: Option<String>,
    /// The region's left edge in the viewport
    #[arg(long, value_name = "PX", requires_all = ["y", "width", "height"])]
    pub(crate) x: Option<f64>,
    /// Its top edge
    #[arg(long, value_name = "PX", requires = "x")]
    pub(crate) y: Option<f64>,
    /// Its width
    #[arg(long, value_name = "PX", requires = "x")]
    pub(crate) width: Option<f64>,
    /// Its height
    #[arg(long, value_name = "PX", requires = "x")]
    pub(crate) height: Option<f64>,
    /// Picture pixels for each CSS pixel, 1 to 8
    #[arg(long, value_name = "N", default_value_t = 2.0)]
    pub(crate) scale: f64,
}

#[derive(Debug, Args)]
pub(crate) struct ChangesArgs {
    /// Go back this far instead, such as `5s`; at most a minute is kept
    #[arg(long, value_name = "DURATION")]
    pub(crate) back: Option<String>,
    /// Show what fields hold; secret ones stay masked
    #[arg(long)]
    pub(crate) unmask: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ScreenshotArgs {
    /// The whole page instead of the viewport
    #[arg(long)]
    pub(crate) full_page: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WaitArgs {
    /// text:STR, gone:STR, url:PATTERN, ready or still
    #[arg(long = "for", value_name = "WHAT")]
    pub(crate) what: String,
    /// At most this long
    #[arg(long, value_name = "DURATION", default_value = "10s")]
    pub(crate) timeout: String,
    /// How long nothing in view may change, for `still`
    #[arg(long, value_name = "DURATION", default_value = "300ms")]
    pub(crate) quiet: String,
}
