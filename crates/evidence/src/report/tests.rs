//! What the report says of a run, in each form.

use std::collections::BTreeSet;

use image::{Rgb, RgbImage};
use sidestick_model::outcome::Status;
use sidestick_model::record::{Report, Verdict};
use sidestick_model::{ActId, GoalId, limits};

use super::album::{Album, Slot};
use super::sample::{self, paint, png};
use super::{changed_region, html, junit, markdown, picture, words};

/// Returns the part of `text` from `start` to the next `end`.
fn part<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).unwrap_or_else(|| panic!("no {start}"));
    rest.split_once(end).unwrap_or_else(|| panic!("no {end}")).0
}

fn sample_html(report: &Report) -> String {
    html(report, &sample::picture)
}

/// Returns what stands between the quotes of every attribute `name`.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let start = format!(" {name}=\"");
    page.split(start.as_str()).skip(1).map(|rest| rest.split_once('"').unwrap().0).collect()
}

fn plain(color: [u8; 3]) -> RgbImage {
    RgbImage::from_pixel(200, 100, Rgb(color))
}

#[test]
fn a_dead_button_does_not_look_like_one_that_works() {
    let page = sample_html(&sample::report());

    let works = part(&page, "<li class=\"act good\" id=\"act-a1\">", "</li>\n<li class=\"act");
    let dead = part(&page, "<li class=\"act nothing\" id=\"act-a2\">", "</article>");
    assert!(works.contains("</span> OBSERVED</span>"));
    assert!(dead.contains("</span> NO_EFFECT</span>"));
    assert!(dead.contains("<strong class=\"no\">nothing</strong>"));
    assert!(dead.contains("No pixel differs visibly"));
    assert!(!dead.contains("OBSERVED"));
}

#[test]
fn a_screen_that_the_record_denies_is_said_wherever_its_verdict_is() {
    let page = sample_html(&sample::report());

    let overview = part(&page, "id=\"overview\"", "</section>");
    assert_eq!(overview.matches("record denies it").count(), 1);
    let goal = part(&page, "<article class=\"goal fail denied\" id=\"goal-g5\">", "</article>");
    assert!(goal.contains("The record denies the screen."));
    assert!(goal.contains("<q>Dana Whitfield</q>"));
    let agrees = part(&page, "<article class=\"goal pass\" id=\"goal-g1\">", "</article>");
    assert!(agrees.contains("The record agrees."));
    let alone = part(&page, "<article class=\"goal pass\" id=\"goal-g6\">", "</article>");
    assert!(alone.contains("Only the screen was read."));
}

#[test]
fn a_failed_request_is_marked_and_linked_to_its_finding() {
    let page = sample_html(&sample::report());

    let act = part(&page, "<li class=\"act good doubt\" id=\"act-a4\">", "</article>");
    assert!(
        act.contains("<li class=\"failed\"><code>POST http://127.0.0.1:4100/api/avatar</code>")
    );
    assert!(act.contains("failed, 500</span> → <a href=\"#finding-F2\">F2</a>"));
    assert!(act.contains("A request it caused failed."));
}

#[test]
fn a_refused_act_says_that_nothing_was_sent_and_shows_no_press() {
    let page = sample_html(&sample::report());

    let act = part(&page, "<li class=\"act held\" id=\"act-a10\">", "</article>");
    assert!(act.contains("GATE_REQUIRED"));
    assert!(act.contains("Nothing was sent to the application."));
    assert!(act.contains("class=\"ring\"") && !act.contains("class=\"spot\""));
}

#[test]
fn the_target_is_ringed_before_and_the_change_is_boxed_after() {
    let page = sample_html(&sample::report());

    let act = part(&page, "id=\"act-a1\"", "</article>");
    let before = part(act, "Before a1</span>", "</svg>");
    let after = part(act, "After a1</span>", "</svg>");
    assert!(before.contains("class=\"ring\" x=\"42\" y=\"92\" width=\"107\" height=\"34\""));
    assert!(before.contains("class=\"spot\" cx=\"95.5\" cy=\"109.0\""));
    assert!(!before.contains("class=\"changed\""));
    assert!(after.contains("class=\"changed\"") && !after.contains("class=\"ring\""));
}

#[test]
fn overrides_stand_before_everything_else() {
    let mut report = sample::report();
    assert!(!sample_html(&report).contains(words::OVERRIDES));
    assert!(!markdown(&report).contains(words::OVERRIDES));
    assert!(!junit(&report).contains(words::OVERRIDES));

    report.run.test_overrides = vec!["seam:permit".into()];

    let page = sample_html(&report);
    assert!(page.find(words::OVERRIDES).unwrap() < page.find("<header>").unwrap());
    assert!(page.contains("<code>seam:permit</code>"));
    let lines = markdown(&report);
    assert_eq!(lines.lines().next().unwrap(), words::OVERRIDES);
    assert!(lines.contains("- ` seam:permit `\n"));
    assert!(junit(&report).contains("value=\"seam:permit\""));
}

#[test]
fn a_picture_is_embedded_once_however_often_it_is_shown() {
    let report = sample::report();
    let named: BTreeSet<Vec<u8>> = report
        .acts
        .iter()
        .flat_map(|line| [&line.before, &line.after])
        .flatten()
        .filter_map(|path| sample::picture(path))
        .collect();

    let page = sample_html(&report);

    assert_eq!(page.matches("data:image/jpeg").count(), named.len());
    assert_eq!(page.matches("<image ").count(), named.len());
    assert!(page.matches("<use href=\"#p1\"/>").count() >= 4);
}

#[test]
fn a_picture_that_is_not_shown_says_why() {
    let report = sample::report();
    let read = |path: &str| match path {
        "shots/o1.png" => None,
        "shots/o4.png" => Some(b"no picture".to_vec()),
        path => sample::picture(path),
    };

    let page = html(&report, &read);

    let file = |name: &str| format!("<a href=\"shots/{name}\">shots/{name}</a>");
    assert!(page.contains(&format!("Missing from the run folder: {}", file("o1.png"))));
    assert!(page.contains(&format!("Unreadable picture: {}", file("o4.png"))));
    assert!(part(&page, "id=\"act-a8\"", "id=\"act-a9\"").contains("Picture withheld"));
    assert!(part(&page, "id=\"act-a9\"", "</article>").contains("No picture was taken."));
    assert!(!page.contains("Left out"));
}

#[test]
fn pictures_are_made_smaller_until_they_fit_and_left_out_when_they_cannot() {
    let report = sample::report();
    let bytes = |album: &Album| -> usize {
        album.pictures.iter().map(|picture| picture.address.len()).sum()
    };
    let roomy = Album::new(&report, &sample::picture, usize::MAX);
    let half = bytes(&roomy) / 2;

    let tight = Album::new(&report, &sample::picture, half);
    let none = Album::new(&report, &sample::picture, 100);

    assert_eq!(tight.pictures.len(), roomy.pictures.len());
    assert!(bytes(&tight) <= half);
    assert!(none.pictures.is_empty());
    assert_eq!(none.slot("shots/o1.png"), Slot::LeftOut);
}

/// A run of thousands of acts ends in seconds: reading every picture is what takes the time.
#[test]
fn of_many_acts_the_proofs_the_failures_and_the_newest_show_their_pictures() {
    let mut report = sample::report();
    let plain = report.acts[0].clone();
    assert_eq!(plain.outcome.status, Status::Observed);
    report.acts.clear();
    for number in 1..=limits::REPORT_ACTS_PICTURED_MAX + 3 {
        let mut line = plain.clone();
        line.outcome.act = ActId(u32::try_from(number).unwrap());
        line.before = None;
        line.after = Some(format!("shots/n{number}.png"));
        report.acts.push(line);
    }
    report.acts[0].outcome.status = Status::NoEffect;
    report.goals[0].proof = Some(ActId(2));

    let album = Album::new(&report, &|_| None, usize::MAX);

    let slots = |numbers: [u32; 6]| numbers.map(|n| album.slot(&format!("shots/n{n}.png")));
    let (read, not) = (Slot::Missing, Slot::LeftOut);
    assert_eq!(slots([1, 2, 3, 4, 5, 6]), [read, read, not, not, not, read]);
    assert_eq!(album.slot(&format!("shots/n{}.png", report.acts.len())), read);
}

#[test]
fn the_page_asks_nobody_for_anything() {
    let page = sample_html(&sample::report());

    assert!(page.contains("content=\"default-src 'none'; img-src data:;"));
    assert!(!page.contains("<script") && !page.contains("@import") && !page.contains("url("));
    assert_eq!(attributes(&page, "src"), [""; 0]);
    for link in attributes(&page, "href") {
        let is_within = link.starts_with('#') || link.starts_with("data:") || !link.contains(':');
        assert!(is_within && !link.starts_with('/'), "{link}");
    }
}

#[test]
fn every_name_in_the_page_is_given_once_and_every_link_leads_to_one() {
    let mut report = sample::report();
    report.goals[1].acts.push(ActId(1));
    report.goals[1].acts.push(ActId(77));

    let page = sample_html(&report);

    let names = attributes(&page, "id");
    let known: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(names.len(), known.len());
    for link in attributes(&page, "href") {
        if let Some(name) = link.strip_prefix('#') {
            assert!(known.contains(name), "{name}");
        }
    }
    assert!(page.contains("a77 is not in the record"));
}

#[test]
fn an_act_of_no_goal_is_shown() {
    let mut report = sample::report();
    report.goals[0].acts.clear();

    let page = sample_html(&report);

    assert!(part(&page, "Acts of no goal", "</article>").contains("id=\"act-a1\""));
    assert!(markdown(&report).contains("### Acts of no goal\n\n- a1 **OBSERVED**"));
}

#[test]
fn an_empty_run_says_so_in_every_section() {
    let mut report = sample::report();
    report.goals.clear();
    report.findings.clear();
    report.gates.clear();
    report.acts.clear();
    report.state_left.final_screenshot.clear();

    let lines = markdown(&report);
    let page = sample_html(&report);

    for said in ["No goals.", "No findings.", "No gates met.", "- Final screenshot: none"] {
        assert!(lines.contains(said), "{said}");
    }
    for said in ["No goals were set.", "No findings.", "No gate was met.", "No acts."] {
        assert!(page.contains(said), "{said}");
    }
    assert!(junit(&report).contains("tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\""));
}

#[test]
fn the_lines_of_the_markdown_are_those_that_were_promised() {
    let lines = markdown(&sample::report());

    for line in [
        "# Run 20261201T101500-ab12",
        "### g2: ` “Recalculate totals” recalculates ` (fail)",
        "> The button takes the click and shows nothing.",
        "- Checked: **the record denies it**, ` http http://127.0.0.1:4100/hits ` at 2026-12-01 \
         10:15:08 UTC: found ` Dana Whitfield `",
        "- Evidence: [` shots/o2.png `](shots/o2.png)",
        "- F2 [network, script] ` failed request: POST http://127.0.0.1:4100/api/avatar -> 500 ` \
         (goal g4) [` shots/o4.png `](shots/o4.png)",
        "- observation o9: stopped on ` Delete project atlas `, act a10, word ` delete `, pattern \
         ` en.delete `, tier elevated",
        "- Kept open: nothing",
        "- Cleanup errors: none",
    ] {
        assert!(lines.lines().any(|found| found == line), "{line}\n\n{lines}");
    }
}

#[test]
fn a_build_server_goes_green_on_a_proven_pass_alone() {
    let mut report = sample::report();
    report.goals[5].verified = report.goals[4].verified.clone();
    report.goals[7].status = Verdict::Unset;

    let xml = junit(&report);

    // g1 passes; g2, g4, g5 fail, and so does g6, which passed and is denied; g8 has no verdict.
    assert!(xml.contains("tests=\"8\" failures=\"4\" errors=\"1\" skipped=\"2\""));
    assert_eq!(xml.matches("<failure ").count(), 4);
    assert_eq!(xml.matches("<error type=\"unset\" message=\"no verdict was given\"").count(), 1);
    assert!(part(&xml, "name=\"g6:", "</testcase>").contains("the record denies the screen"));
    assert!(!part(&xml, "name=\"g1:", "</testcase>").contains("<failure"));
}

#[test]
fn a_goal_that_was_partly_done_is_an_error_of_the_build() {
    let mut report = sample::report();
    report.goals.retain(|goal| goal.goal_id == GoalId::parse("g8").unwrap());

    assert!(junit(&report).contains("<error type=\"partial\" message=\"Text on the page"));
}

#[test]
fn the_changed_region_is_the_box_around_what_differs() {
    let before = plain([255, 255, 255]);
    let mut after = before.clone();
    paint(&mut after, [31, 12, 17, 9], [200, 0, 0]);

    assert_eq!(changed_region(&png(&before), &png(&after)), Some([31, 12, 17, 9]));
    assert_eq!(changed_region(&png(&after), &png(&before)), Some([31, 12, 17, 9]));
    assert_eq!(changed_region(&png(&before), &png(&before)), None);
}

#[test]
fn what_nobody_could_see_is_no_change() {
    let before = plain([250, 250, 250]);
    let mut speck = before.clone();
    paint(&mut speck, [40, 40, 1, 1], [0, 0, 0]);

    assert_eq!(changed_region(&png(&before), &png(&plain([244, 245, 246]))), None);
    assert_eq!(changed_region(&png(&before), &png(&speck)), None);
    assert_eq!(
        changed_region(&png(&before), &png(&plain([230, 250, 250]))),
        Some([0, 0, 200, 100])
    );
}

#[test]
fn changes_far_apart_are_boxes_of_their_own() {
    let before = plain([255, 255, 255]);
    let mut after = before.clone();
    paint(&mut after, [8, 8, 6, 6], [0, 0, 0]);
    paint(&mut after, [150, 70, 20, 20], [0, 0, 0]);

    let boxes = picture::changed_boxes(&before, &after);

    assert_eq!(boxes, [[8, 8, 6, 6], [150, 70, 20, 20]]);
    assert_eq!(changed_region(&png(&before), &png(&after)), Some([8, 8, 162, 82]));
}

#[test]
fn pictures_of_different_sizes_differ_everywhere() {
    let small = RgbImage::from_pixel(20, 10, Rgb([0, 0, 0]));

    assert_eq!(changed_region(&png(&plain([0, 0, 0])), &png(&small)), Some([0, 0, 20, 10]));
}

#[test]
fn what_is_no_picture_or_too_large_a_one_is_not_read() {
    let good = png(&plain([1, 2, 3]));
    let of_size = |width, height| png(&RgbImage::new(width, height));

    assert!(picture::decode(&of_size(8_192, 1)).is_some());
    assert!(picture::decode(&of_size(1, 32_768)).is_some());
    let (wide, high) = (of_size(8_193, 1), of_size(1, 32_769));
    for bytes in [&b""[..], &b"GIF89a"[..], &good[..good.len() / 2], &wide[..], &high[..]] {
        assert!(picture::decode(bytes).is_none());
    }
    assert_eq!(changed_region(&good, b"GIF89a"), None);
}

#[test]
fn a_report_that_is_all_text_keeps_within_its_bytes_without_pictures() {
    let mut report = sample::report();
    let summary = "s".repeat(limits::SUMMARY_CHARS_MAX);
    let finding = report.findings[0].clone();
    report.findings = vec![finding; 2_100];
    for found in &mut report.findings {
        found.summary.clone_from(&summary);
    }

    let page = sample_html(&report);

    assert!(page.contains("Left out to keep this report small"));
    assert!(!page.contains("data:image/jpeg"));
}
