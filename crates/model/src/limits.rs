//! Every limit, together; what happens at each is said beside it.

use std::time::Duration;

/// Time one action may take by default, settling included.
pub const ACTION_TIME: Duration = Duration::from_secs(10);
/// Time one navigation may take by default.
pub const NAVIGATION_TIME: Duration = Duration::from_secs(30);
/// The longest time a caller may ask for one action; a longer request is refused.
pub const ACTION_TIME_MAX: Duration = Duration::from_secs(120);
/// How long an act looks for its effect; past it the status says what was seen so far (D5).
pub const SETTLE_TIME_MAX: Duration = Duration::from_secs(2);
/// How long an act waits for a document its action asked for (D5).
pub const SETTLE_NAVIGATION_TIME_MAX: Duration = Duration::from_secs(5);
/// The longest `--wait` for a precondition and the longest `wait`; longer is refused.
pub const WAIT_TIME_MAX: Duration = Duration::from_secs(120);
/// How long a quiet page is watched before it is said that nothing happened, beyond two frames.
pub const QUIET_TIME: Duration = Duration::from_millis(100);
/// Time a browser gets to answer its first call; past it the launch fails.
pub const LAUNCH_TIME_MAX: Duration = Duration::from_secs(15);
/// Time a claim, brake or end may take to silence the wire; past it the wire is cut (I6).
pub const CUT_TIME_MAX: Duration = Duration::from_millis(50);
/// Time an act that was cut gets to conclude; past it `end` goes on without it.
pub const CUT_ACT_TIME_MAX: Duration = Duration::from_secs(5);
/// Time between the brake of the page and the kill of the browser's processes.
pub const BROWSER_END_TIME_MAX: Duration = Duration::from_secs(3);
/// Time a picture may take; past it the picture is reported as failed.
pub const PICTURE_TIME_MAX: Duration = Duration::from_secs(5);
/// Time one read of the page may take; past it the read fails as `page_unresponsive`.
pub const READ_TIME_MAX: Duration = Duration::from_secs(10);
/// Time an idle session host lives on; past it the run stays open on disk and the host ends.
pub const IDLE_TIME_MAX: Duration = Duration::from_secs(30 * 60);
/// Time a verdict collects late effects of its proof (INTERFACE).
pub const VERDICT_LOOK_TIME_MAX: Duration = Duration::from_secs(2);

/// Test overrides a run lists; further ones are left out, and the run is marked all the same.
pub const TEST_OVERRIDES_MAX: usize = 64;
/// Characters of one of them; the rest is cut off.
pub const TEST_OVERRIDE_CHARS_MAX: usize = 80;

/// Width of a page's viewport in CSS pixels.
pub const VIEWPORT_WIDTH: u32 = 1280;
/// Height of a page's viewport in CSS pixels.
pub const VIEWPORT_HEIGHT: u32 = 720;
/// Frames of a page whose documents are kept track of; further ones are told as not readable.
pub const FRAMES_KNOWN_MAX: usize = 1_000;
/// Frames of one page that are read by scripts of their own; further ones are told as not readable.
pub const FRAMES_READ_MAX: usize = 50;
/// Time the script in one frame gets to say where its frames are; past it the frame is passed over.
pub const FRAME_ANSWER_TIME_MAX: Duration = Duration::from_secs(2);
/// How long a file chooser is waited for once something was pressed for it.
pub const CHOOSER_TIME_MAX: Duration = Duration::from_secs(1);
/// The shortest side of a viewport that is emulated.
pub const VIEWPORT_SIDE_MIN: u32 = 200;
/// The longest side of a viewport that is emulated.
pub const VIEWPORT_SIDE_MAX: u32 = 4_096;
/// The most device pixels for a CSS pixel that are emulated.
pub const DEVICE_SCALE_MAX: f64 = 4.0;
/// The most picture pixels for a CSS pixel that `zoom` takes.
pub const ZOOM_MAX: f64 = 8.0;
/// Controls that are numbered on one picture; further ones are not.
pub const MARKS_MAX: usize = 400;
/// Entries of one list of a policy; a longer one is refused.
pub const POLICY_LIST_MAX: usize = 500;
/// Problems of a policy that are told; of more, their number is.
pub const POLICY_PROBLEMS_MAX: usize = 100;
/// Characters of one text of a policy; a longer one is refused.
pub const POLICY_TEXT_MAX: usize = 2_000;
/// Cases of one file of policy cases; more are refused.
pub const POLICY_CASES_MAX: usize = 2_000;
/// Rounds in which a path is decoded; one that can be decoded further is outside of everything.
pub const PATH_DECODED_MAX: usize = 4;
/// Pages a session opens by default; opening one more is refused as `too_many_pages`.
pub const PAGES_MAX: usize = 20;
/// The most pages a run may be given; more is refused.
pub const PAGES_ASKED_MAX: usize = 200;
/// Pages of one act that are told, and other pages an outline names; further ones are counted.
pub const PAGES_TOLD_MAX: usize = 20;

/// Actions a run may take by default (VR-147).
pub const RUN_ACTIONS: u32 = 200;
/// Actions a goal may take by default (VR-147).
pub const GOAL_ACTIONS: u32 = 40;
/// The most actions a run may be given; more is refused as `bad_budget`.
pub const RUN_ACTIONS_MAX: u32 = 100_000;
/// Goals of one run; one more is refused as `too_many_goals`.
pub const GOALS_MAX: usize = 500;
/// Findings kept for one run; further ones are counted in `findings_dropped`.
pub const FINDINGS_MAX: usize = 1_000;

/// Patterns of expected failures a run may be given; more are refused.
pub const EXPECTED_FAILURES_MAX: usize = 64;

/// Characters of an outline by default; what is cut is counted (D10).
pub const OUTLINE_CHARS: usize = 20_000;
/// The most characters an outline may be asked for.
pub const OUTLINE_CHARS_MAX: usize = 2_000_000;
/// Nodes a reading returns at most; what is cut is counted.
pub const OUTLINE_NODES_MAX: usize = 50_000;
/// Characters of `text` by default (BR-107).
pub const TEXT_CHARS: usize = 12_000;
/// Characters of `effect.changes` in an answer; further changes are counted.
pub const CHANGES_CHARS_MAX: usize = 2_000;
/// Matches listed for an ambiguous target.
pub const MATCHES_MAX: usize = 10;
/// Matches `find` lists by default.
pub const FIND_MATCHES: usize = 100;
/// Characters a name, title or text of a page is cut to in our records; the cut is marked.
pub const PAGE_TEXT_MAX: usize = 1_000;
/// Characters of an address we report; a longer one is reported as null, never cut (BR-408).
pub const ADDRESS_MAX: usize = 8_192;
/// Characters typed by one act; more is refused as `text_too_long`.
pub const TYPED_CHARS_MAX: usize = 100_000;
/// Characters of a goal title; more is refused as `title_too_long`.
pub const TITLE_CHARS_MAX: usize = 1_000;
/// Characters of a summary; more is refused as `summary_too_long`.
pub const SUMMARY_CHARS_MAX: usize = 10_000;
/// Typed sensitive text shorter than this is not remembered for redaction (VR-156).
pub const REDACT_CHARS_MIN: usize = 4;
/// Downloads a run keeps; further ones are called off as `too_many`.
pub const DOWNLOADS_MAX: usize = 100;
/// Bytes of one download; a larger one is called off as `too_large`.
pub const DOWNLOAD_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Bytes of all downloads of a run; what would go over it is called off as `too_large`.
pub const DOWNLOADS_BYTES_MAX: u64 = 1024 * 1024 * 1024;
/// Downloads of a run that are told; of more, their number is.
pub const DOWNLOADS_TOLD_MAX: usize = 200;
/// Bytes of the name a download is saved under; a longer one loses its middle.
pub const DOWNLOAD_NAME_BYTES_MAX: usize = 120;
/// Files one upload may name.
pub const UPLOAD_FILES_MAX: usize = 32;

/// Bytes of one message between a door and a host; a longer one ends the connection.
pub const FRAME_BYTES_MAX: usize = 16 * 1024 * 1024;
/// Bytes of one message from a browser; a longer one ends the connection.
pub const BROWSER_FRAME_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Calls to one browser that may wait for an answer; one more is refused.
pub const CALLS_WAITING_MAX: usize = 1_024;
/// Time a host gets for the first word to a caller, and to show that it still lives while a call
/// takes longer than its own limits; past it the caller is told that the host does not answer.
pub const HOST_ANSWER_TIME_MAX: Duration = Duration::from_secs(5);
/// Acts that may wait for one session; one more is refused as `busy`.
pub const ACTS_WAITING_MAX: usize = 16;
/// Clients one host serves at a time; one more is refused as `busy`.
pub const CLIENTS_MAX: usize = 64;
/// Events of a surface kept until the gate takes them; older ones are counted as dropped.
pub const SURFACE_EVENTS_MAX: usize = 4_096;
/// Blocked addresses and downloads of one page that are kept; older ones are counted.
pub const PAGE_EVENTS_KEPT_MAX: usize = 256;
/// Requests of one act that are listed; further ones are counted.
pub const REQUESTS_LISTED_MAX: usize = 20;
/// Bytes of a goals file or a script.
pub const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// Bytes of a report for 200 acts; pictures are made smaller until it fits.
pub const REPORT_BYTES_MAX: usize = 20 * 1024 * 1024;
/// Time the reports of a run get to be written before a host that is told to go goes without them.
pub const REPORT_TIME_MAX: Duration = Duration::from_secs(60);
/// Acts of a report whose pictures are shown; those of the others are named.
pub const REPORT_ACTS_PICTURED_MAX: usize = 200;
/// Trace lines between two signatures of the chain's head (I3).
pub const SIGN_LINES: u64 = 100;
