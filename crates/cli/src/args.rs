//! The command line: one struct per verb; the help and the reference come from here.

use std::path::PathBuf;

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};

mod looking;
mod policy;

pub(crate) use policy::{ExplainArgs, PolicyArgs, PolicyFileArg, PolicyVerb};

pub(crate) use looking::{
    ChangesArgs, FindArgs, ObserveArgs, ScopeArg, ScreenshotArgs, TextReadArgs, WaitArgs, ZoomArgs,
};

/// Operate real applications: every action authorized, proven by its effect, recorded, and
/// interruptible by a person.
#[derive(Debug, Parser)]
#[command(name = "sidestick", version, propagate_version = false, disable_help_subcommand = true)]
pub(crate) struct Cli {
    /// Print exactly one JSON object on one line (also `SIDESTICK_JSON=1`)
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// The run (default: `SIDESTICK_RUN`, else the project's only open run)
    #[arg(long, global = true, value_name = "ID")]
    pub(crate) run: Option<String>,
    /// The settings file (default: `sidestick.toml` in the project)
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Show what is installed, what is missing, and which settings hold; changes nothing
    Doctor(DoctorArgs),
    /// Open a session and begin a run
    Begin(BeginArgs),
    /// Register a goal
    Goal(GoalArgs),
    /// Look: outline, state, picture
    Observe(ObserveArgs),
    /// Search for elements
    Find(FindArgs),
    /// Read text
    Text(TextReadArgs),
    /// Take a picture of an element or a region at a higher scale
    Zoom(ZoomArgs),
    /// Tell what has visibly changed since the last time it was asked
    Changes(ChangesArgs),
    /// Take a picture
    Screenshot(ScreenshotArgs),
    /// Press an element
    Click(TargetVerb),
    /// Press an element twice
    DoubleClick(TargetVerb),
    /// Press an element with the secondary button
    RightClick(TargetVerb),
    /// Move the pointer onto an element
    Hover(TargetVerb),
    /// Replace what a field holds, and read it back
    Fill(TextVerb),
    /// Type key by key at the end of a field, or into the focused element
    Type(TextVerb),
    /// Press a key or chord
    Press(PressVerb),
    /// Choose options of a native select, and read them back
    Select(SelectVerb),
    /// Make a checkbox, radio or switch checked
    Check(TargetVerb),
    /// Make a checkbox or switch unchecked
    Uncheck(TargetVerb),
    /// Turn the wheel
    Scroll(ScrollVerb),
    /// Drag an element
    Drag(DragVerb),
    /// Give files to a file input, to a file chooser that is open or that a button opens, or to what
    /// takes a drop
    Upload(UploadVerb),
    /// Fill a form from standard input: each field an act, all read again, then the press
    FillForm(FillFormArgs),
    /// Close a harmless dialog or banner, and nothing else
    Dismiss(TargetVerb),
    /// Answer the open dialog
    Dialog(DialogVerb),
    /// Load an address
    Navigate(NavigateVerb),
    /// Go one entry back
    Back(PlainVerb),
    /// Go one entry forward
    Forward(PlainVerb),
    /// Load the page again
    Reload(PlainVerb),
    /// List, open, show or close pages
    Tab(TabVerb),
    /// The long form of all actions
    Act(Box<ActVerb>),
    /// Wait for something; ends the moment it holds
    Wait(WaitArgs),
    /// Note a finding
    Note(NoteArgs),
    /// Give a goal its verdict
    Verdict(VerdictArgs),
    /// Carry out a scripted list of goals
    #[command(name = "run")]
    RunFile(RunFileArgs),
    /// Brake every session of this user
    Pause(PauseArgs),
    /// End everything of this user now
    Stop,
    /// Lift a brake; a person's door only
    Release,
    /// Clean up, write the reports
    End(EndArgs),
    /// Tell how the run stands
    Status,
    /// Look back at the runs of the project
    Runs(RunsArgs),
    /// Show a run's report
    Report(ReportArgs),
    /// Check that a record is whole and unaltered
    Verify(VerifyArgs),
    /// Check, test and explain a policy file
    Policy(Box<PolicyArgs>),
    /// Serve the demo application and carry out its goals
    Demo(DemoArgs),
    /// Write a completion script
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// The session process
    #[command(name = "__host", hide = true)]
    Host,
    /// The process that cleans up after a host that died
    #[command(name = "__keeper", hide = true)]
    Keeper,
    /// The reference pages as JSON
    #[command(name = "__reference", hide = true)]
    Reference,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// One surface alone
    #[arg(long, value_name = "S")]
    pub(crate) surface: Option<SurfaceArg>,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SurfaceArg {
    Web,
    Electron,
    Desktop,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OwnerArg {
    Yours,
    ThirdParty,
}

/// Which browser, and how it is started.
#[derive(Debug, Clone, Args)]
pub(crate) struct BrowserArgs {
    /// The browser's executable (default: the setting, else well-known places)
    #[arg(long, value_name = "PATH")]
    pub(crate) browser: Option<PathBuf>,
    /// Start the browser without its own sandbox
    #[arg(long)]
    pub(crate) no_sandbox: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BeginArgs {
    /// The address to open
    #[arg(long, value_name = "URL")]
    pub(crate) target: String,
    /// The kind of application
    #[arg(long)]
    pub(crate) surface: SurfaceArg,
    /// Whose application it is (default: the setting)
    #[arg(long)]
    pub(crate) owner: Option<OwnerArg>,
    /// A person is there to be asked
    #[arg(long, conflicts_with = "unattended", required_unless_present = "unattended")]
    pub(crate) attended: bool,
    /// Nobody is there
    #[arg(long)]
    pub(crate) unattended: bool,
    /// The user's own request, for `--gate requested`, from standard input
    #[arg(long)]
    pub(crate) request_stdin: bool,
    /// Goals as a JSON list of `{id, title}`
    #[arg(long, value_name = "FILE")]
    pub(crate) goals_file: Option<PathBuf>,
    /// Actions the run may take
    #[arg(long, value_name = "N")]
    pub(crate) budget_run: Option<u32>,
    /// Actions each goal may take
    #[arg(long, value_name = "N")]
    pub(crate) budget_goal: Option<u32>,
    /// A further origin the run may load; repeatable
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow: Vec<String>,
    /// A failure that is expected: findings whose words match (`*` stands for anything) are kept and
    /// marked; repeatable
    #[arg(long, value_name = "PATTERN")]
    pub(crate) expect_failure: Vec<String>,
    #[command(flatten)]
    pub(crate) emulation: EmulationArgs,
    /// A folder uploads may come from; repeatable (default: the project, hidden files left out)
    #[arg(long = "upload-root", value_name = "DIR")]
    pub(crate) upload_roots: Vec<PathBuf>,
    /// Pages this run may open; those a site opens are told, never refused
    #[arg(long, value_name = "N", default_value_t = sidestick_model::limits::PAGES_MAX)]
    pub(crate) max_pages: usize,
    #[command(flatten)]
    pub(crate) policy: PolicyFileArg,
    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
}

/// What the pages are told about screen, person and network.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct EmulationArgs {
    /// The size of the viewport in CSS pixels (default: 1280x720)
    #[arg(long, value_name = "WxH")]
    pub(crate) viewport: Option<String>,
    /// Device pixels for each CSS pixel; pictures stay in CSS pixels
    #[arg(long, value_name = "N")]
    pub(crate) device_scale: Option<f64>,
    /// Prefer a dark color scheme
    #[arg(long)]
    pub(crate) dark: bool,
    /// Prefer reduced motion
    #[arg(long)]
    pub(crate) reduced_motion: bool,
    /// The language, such as `de-DE`
    #[arg(long, value_name = "TAG")]
    pub(crate) locale: Option<String>,
    /// The time zone, such as `Europe/Berlin`
    #[arg(long, value_name = "ZONE")]
    pub(crate) timezone: Option<String>,
    /// Cut the network once the target has loaded
    #[arg(long)]
    pub(crate) offline: bool,
}

/// Where user name and password come from.
#[derive(Debug, Clone, Default, Args)]
#[group(multiple = false)]
pub(crate) struct CredentialArgs {
    /// Read `PREFIX_USERNAME` and `PREFIX_PASSWORD` from the environment
    #[arg(long, value_name = "PREFIX")]
    pub(crate) credentials_env: Option<String>,
    /// Read a private JSON file `{"username", "password"}`
    #[arg(long, value_name = "PATH")]
    pub(crate) credentials_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct GoalArgs {
    /// The goal's id
    pub(crate) id: String,
    /// What is wanted, in the user's words
    #[arg(
        long,
        value_name = "TEXT",
        conflicts_with = "title_stdin",
        required_unless_present = "title_stdin"
    )]
    pub(crate) title: Option<String>,
    /// Read the title from standard input
    #[arg(long)]
    pub(crate) title_stdin: bool,
}

/// The element to act on: a ref, a description, or a pixel of the latest screenshot.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct TargetArgs {
    /// The element's ref, such as `e12`, or its mark on the newest picture, such as `m3`
    pub(crate) target: Option<String>,
    /// Its role, with `--name`
    #[arg(long, value_name = "R")]
    pub(crate) role: Option<String>,
    /// Its accessible name, with `--role`
    #[arg(long, value_name = "N")]
    pub(crate) name: Option<String>,
    /// Whole words of its row, column, label or heading
    #[arg(long, value_name = "WORDS")]
    pub(crate) near: Option<String>,
    /// A pixel of the latest screenshot, from the left
    #[arg(long, value_name = "PX")]
    pub(crate) x: Option<f64>,
    /// A pixel of the latest screenshot, from the top
    #[arg(long, value_name = "PX")]
    pub(crate) y: Option<f64>,
    /// What is meant to be at that pixel
    #[arg(long, value_name = "LABEL")]
    pub(crate) target_name: Option<String>,
}

/// What every action takes.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct CommonArgs {
    /// The observation the act stands on (default: the last one given)
    #[arg(long, value_name = "O")]
    pub(crate) obs: Option<String>,
    /// What will be seen: any, url, title, tree, focus, value, screen, or text:STR, gone:STR,
    /// value:STR, url:PATTERN, appeared:ROLE[:NAME], checked:true|false
    #[arg(long, value_name = "EXPECT")]
    pub(crate) expect: Option<String>,
    /// The claim at a gate
    #[arg(long, value_name = "CLAIM", default_value = "none")]
    pub(crate) gate: GateArg,
    /// An approval a person gave for exactly this act
    #[arg(long, value_name = "ID")]
    pub(crate) approval: Option<String>,
    /// Wait this long for the element to be there and ready, such as `5s` or `300ms`
    #[arg(long, value_name = "DURATION")]
    pub(crate) wait: Option<String>,
    /// At most this long for the whole act
    #[arg(long, value_name = "DURATION")]
    pub(crate) timeout: Option<String>,
    /// The goal it works for
    #[arg(long, value_name = "G")]
    pub(crate) goal: Option<String>,
    /// Answer with the outline too
    #[arg(long)]
    pub(crate) full: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum GateArg {
    #[default]
    None,
    Requested,
    Created,
}

/// The text to type.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct TextArgs {
    /// Text that is not sensitive
    #[arg(long, value_name = "T")]
    pub(crate) text: Option<String>,
    /// Read sensitive text from standard input
    #[arg(long)]
    pub(crate) text_stdin: bool,
    /// Type a named secret: `username` or `password`
    #[arg(long, value_name = "NAME")]
    pub(crate) secret: Option<String>,
}

/// The options to choose.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ValuesArgs {
    /// The label of an option; repeatable
    #[arg(long = "value", value_name = "TEXT")]
    pub(crate) values: Vec<String>,
}

/// Which way and how far to scroll.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ScrollArgs {
    /// Which way to scroll
    #[arg(long)]
    pub(crate) direction: Option<DirectionArg>,
    /// How far to scroll, in screens
    #[arg(long, value_name = "SCREENS", default_value_t = 1.0)]
    pub(crate) amount: f64,
}

/// Where a drag ends.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct DragEndArgs {
    /// The ref of the element a drag ends on
    #[arg(long, value_name = "REF")]
    pub(crate) to_ref: Option<String>,
    /// The pixel a drag ends at, from the left
    #[arg(long, value_name = "PX")]
    pub(crate) to_x: Option<f64>,
    /// The pixel a drag ends at, from the top
    #[arg(long, value_name = "PX")]
    pub(crate) to_y: Option<f64>,
}

/// The files to give.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FilesArgs {
    /// A file to upload; repeatable
    #[arg(long = "file", value_name = "PATH")]
    pub(crate) files: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct TargetVerb {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct TextVerb {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) text: TextArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PressVerb {
    /// A key or chord such as `Enter` or `ctrl+s`
    #[arg(long, value_name = "CHORD")]
    pub(crate) key: Option<String>,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SelectVerb {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) values: ValuesArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DirectionArg {
    Up,
    Down,
    Left,
    Right,
}

#[derive(Debug, Args)]
pub(crate) struct ScrollVerb {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) scroll: ScrollArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DragVerb {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) end: DragEndArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct UploadVerb {
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) files: FilesArgs,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DialogVerb {
    /// Accept it
    #[arg(long, conflicts_with = "dismiss", required_unless_present = "dismiss")]
    pub(crate) accept: bool,
    /// Dismiss it
    #[arg(long)]
    pub(crate) dismiss: bool,
    /// Read a prompt's text from standard input
    #[arg(long)]
    pub(crate) text_stdin: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// The form comes on standard input as JSON or YAML: `fields`, a list of up to 32 with `target` and
/// one of `text`, `sensitive`, `secret`, `checked`, `values`; and, if wanted, `submit` (a target),
/// `expect`, `gate` and `verify: false`.
#[derive(Debug, Args)]
pub(crate) struct FillFormArgs {
    /// The goal it works for
    #[arg(long, value_name = "G")]
    pub(crate) goal: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct NavigateVerb {
    /// The address
    pub(crate) url: String,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PlainVerb {
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct TabVerb {
    /// List the open pages
    #[arg(long)]
    pub(crate) list: bool,
    /// Open an address in a page of its own
    #[arg(long, value_name = "URL", conflicts_with_all = ["list", "switch", "close"])]
    pub(crate) open: Option<String>,
    /// Make a page the one acts go to
    #[arg(long, value_name = "ID", conflicts_with_all = ["list", "close"])]
    pub(crate) switch: Option<String>,
    /// Close a page
    #[arg(long, value_name = "ID", conflicts_with = "list")]
    pub(crate) close: Option<String>,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ActVerb {
    /// The action
    #[arg(long, value_name = "KIND")]
    pub(crate) action: String,
    #[command(flatten)]
    pub(crate) target: TargetArgs,
    #[command(flatten)]
    pub(crate) text: TextArgs,
    /// A key or chord
    #[arg(long, value_name = "CHORD")]
    pub(crate) key: Option<String>,
    #[command(flatten)]
    pub(crate) values: ValuesArgs,
    #[command(flatten)]
    pub(crate) scroll: ScrollArgs,
    #[command(flatten)]
    pub(crate) end: DragEndArgs,
    #[command(flatten)]
    pub(crate) files: FilesArgs,
    /// The address to load
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// Accept the dialog
    #[arg(long, conflicts_with = "dismiss", action = ArgAction::SetTrue)]
    pub(crate) accept: bool,
    /// Dismiss the dialog
    #[arg(long, action = ArgAction::SetTrue)]
    pub(crate) dismiss: bool,
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

#[derive(Debug, Args)]
pub(crate) struct NoteArgs {
    /// What kind: visibility, accessibility, console, network, injection, undiscoverable, other
    #[arg(long, value_name = "KIND")]
    pub(crate) finding_kind: String,
    /// One sentence
    #[arg(
        long,
        value_name = "TEXT",
        conflicts_with = "summary_stdin",
        required_unless_present = "summary_stdin"
    )]
    pub(crate) summary: Option<String>,
    /// Read it from standard input
    #[arg(long)]
    pub(crate) summary_stdin: bool,
    /// The observation it belongs to (default: the newest)
    #[arg(long, value_name = "O")]
    pub(crate) obs: Option<String>,
    /// The goal it belongs to
    #[arg(long, value_name = "G")]
    pub(crate) goal: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct VerdictArgs {
    /// The goal
    pub(crate) goal: String,
    /// pass, fail, blocked or partial
    pub(crate) verdict: String,
    /// Why
    #[arg(long, value_name = "TEXT", conflicts_with = "summary_stdin")]
    pub(crate) summary: Option<String>,
    /// Read it from standard input
    #[arg(long)]
    pub(crate) summary_stdin: bool,
    /// The act that did the work (default: the goal's last)
    #[arg(long, value_name = "ACT")]
    pub(crate) proof: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RunFileArgs {
    /// The script, YAML
    pub(crate) file: PathBuf,
    /// Whose application it is (default: the script's, else the setting)
    #[arg(long)]
    pub(crate) owner: Option<OwnerArg>,
    #[command(flatten)]
    pub(crate) policy: PolicyFileArg,
    #[command(flatten)]
    pub(crate) credentials: CredentialArgs,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PauseArgs {
    /// Why
    #[arg(long)]
    pub(crate) why: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct EndArgs {
    /// Leave the browser open until the host has idled its time
    #[arg(long)]
    pub(crate) keep_open: bool,
    /// Exit 30 when a goal ended with one of these verdicts, separated by commas
    #[arg(long, value_name = "VERDICTS", value_delimiter = ',')]
    pub(crate) fail_on: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RunsArgs {
    #[command(subcommand)]
    pub(crate) what: RunsVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunsVerb {
    /// List the runs
    List,
    /// Show one run
    Show {
        /// The run
        id: String,
    },
    /// Remove the folders of ended runs
    Prune {
        /// Keep this many of the newest
        #[arg(long, value_name = "N", default_value_t = 20)]
        keep: usize,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FormatArg {
    Md,
    Html,
    Junit,
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The run (default: the newest)
    pub(crate) id: Option<String>,
    /// The form
    #[arg(long, default_value = "md")]
    pub(crate) format: FormatArg,
    /// Open the HTML report in this user's browser
    #[arg(long)]
    pub(crate) open: bool,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// The run (default: the newest)
    pub(crate) id: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// The port of the demo application; 0 takes a free one
    #[arg(long, default_value_t = 0)]
    pub(crate) port: u16,
    /// Turn the truth of one planted bug around; the demo must then fail. Repeatable
    #[arg(long, value_name = "NAME")]
    pub(crate) flip: Vec<String>,
    /// Serve the application and do nothing else, until interrupted
    #[arg(long)]
    pub(crate) serve: bool,
    /// Write the counts to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) bars: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) browser: BrowserArgs,
}
