//! What deltas tell of two observations.

use proptest::prelude::*;

use super::*;

const SINCE: ObservationId = ObservationId(7);

/// Reads the grammar of docs/reference/outline.md: the older outline and a delta give the newer.
fn applied(old: &str, delta: &str) -> String {
    let parts = Parts::of(old);
    let mut given = delta.lines();
    let header = given.next().unwrap();
    let header = &header[..header.rfind("; since ").unwrap()];
    let (mut lines, mut at) = (vec![header], 0);
    let mut footer = Vec::new();
    for line in given {
        let (sign, rest) = line.split_at(1);
        match sign {
            "@" => {
                let number = rest.split(' ').next().unwrap();
                let to = number.parse::<usize>().unwrap() - 1;
                lines.extend(&parts.lines[at..to]);
                at = to;
            }
            "-" | "<" => at += 1,
            "~" => {
                lines.push(&rest[1..]);
                at += 1;
            }
            "+" | ">" => lines.push(&rest[1..]),
            _ => footer.push(line),
        }
    }
    lines.extend(&parts.lines[at..]);
    lines.extend(footer);
    format!("{}\n", lines.join("\n"))
}

fn outline(title: &str, lines: &[&str], counts: bool) -> String {
    let left = if counts { "left out: 3 parts below\n" } else { "" };
    let body: String = lines.iter().map(|line| format!("{line}\n")).collect();
    format!("o8 page \"{title}\" http://a/ doc 1, viewport 0-720 of 900\n{body}dialog none\n{left}")
}

fn check(old: &[&str], new: &[&str], says: &[&str]) -> DeltaSeen {
    let (old, new) = (outline("T", old, true), outline("T; since o1: \\\"", new, false));

    let delta = told(&old, &new, SINCE).unwrap();

    assert_eq!(applied(&old, &delta.text), new, "{}", delta.text);
    for line in says {
        assert!(delta.text.lines().any(|has| has == *line), "no `{line}` in\n{}", delta.text);
    }
    delta.seen
}

#[test]
fn what_changed_is_told_with_its_place() {
    let old = ["table \"Orders\" e1", "  row 1 | \"acme\" | button \"Edit\" e2", "  row 2 | \"b\""];
    let new = [
        "table \"Orders\" e1",
        "  row 1 | \"acme\" | button \"Edit\" disabled e2",
        "  row 2 | \"b\"",
    ];

    let seen = check(
        &old,
        &new,
        &["@2 in table \"Orders\" e1", "~   row 1 | \"acme\" | button \"Edit\" disabled e2"],
    );

    assert_eq!((seen.changed, seen.new, seen.gone, seen.same), (1, 0, 0, 2));
}

#[test]
fn what_came_went_and_moved_is_told_apart() {
    let old = ["button \"A\" e1", "button \"B\" e2", "text \"x\"", "heading 1 \"H\"", "text \"y\""];
    let new = ["text \"x\"", "heading 1 \"H\"", "text \"y\"", "button \"B\" e2", "link \"N\" e9"];

    let seen = check(
        &old,
        &new,
        &["- button \"A\" e1", "< button \"B\" e2", "> button \"B\" e2", "+ link \"N\" e9"],
    );

    assert_eq!((seen.moved, seen.new, seen.gone), (1, 1, 1));
}

#[test]
fn nothing_changed_is_a_header_and_a_footer() {
    let lines = ["button \"A\" e1", "dialog \"D\" e2"];

    let seen = check(&lines, &lines, &["dialog none"]);

    assert_eq!(seen.same, 2);
}

#[test]
fn outlines_too_far_apart_and_deltas_longer_than_the_outline_are_none() {
    let line = |word: &str, n: usize| format!("button \"{word} {n}\" e{n}");
    let old: Vec<String> = (0..2_000).map(|n| line("old", n)).collect();
    let new: Vec<String> = (0..2_000).map(|n| line("new", n)).collect();
    let text = |lines: &[String]| {
        outline("T", &lines.iter().map(String::as_str).collect::<Vec<_>>(), true)
    };

    assert!(between(&text(&old), &text(&new), SINCE).is_none());
    assert!(between(&text(&old[..3]), &text(&new[5..8]), SINCE).is_none());
    assert!(between(&text(&old), &text(&old[..1_990]), SINCE).is_some());
}

/// Page text cannot stand where a ref or a sign would.
#[test]
fn refs_are_read_outside_quotes_alone() {
    let old =
        outline("T", &["text \"e1 | button e2\"", "row 1 | \"say \\\" e3\" | link \"L\" e4"], true);
    let new = outline(
        "T",
        &["row 1 | \"say \\\" e5\" | link \"M\" e4", "button \"x e6\" e7", "e8"],
        true,
    );

    assert_eq!(news(&old, &new, SINCE).unwrap(), "new since o7: e7; changed since o7: e4");
    assert_eq!(news(&old, &old, SINCE), None);
}

fn line() -> impl Strategy<Value = String> {
    let name = prop_oneof!["[a-c]{0,2}", Just("@9 in".to_owned()), Just("\\\" | e1".to_owned())];
    (0..3_usize, prop_oneof!["button", "row", "text", "dialog"], name, prop::option::of(0..6_u8))
        .prop_map(|(depth, role, name, id)| {
            let id = id.map(|id| format!(" e{id}")).unwrap_or_default();
            format!("{}{role} \"{name}\"{id}", "  ".repeat(depth))
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    /// No node is ever lost: the older outline and the delta give the newer one, byte by byte.
    #[test]
    fn an_outline_and_a_delta_give_the_next_outline(
        old in prop::collection::vec(line(), 0..40),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), line(), 0..4_u8), 0..12),
        far in prop::collection::vec(line(), 0..40),
        is_far in any::<bool>(),
    ) {
        let mut new = old.clone();
        for (at, line, what) in cuts {
            let at = at.index(new.len() + 1);
            match what {
                0 if at < new.len() => drop(new.remove(at)),
                1 if at < new.len() => new[at] = line,
                2 if at < new.len() => {
                    let moved = new.remove(at);
                    new.push(moved);
                }
                _ => new.insert(at, line),
            }
        }
        if is_far {
            new = far;
        }
        let text = |lines: &[String]| {
            outline("T", &lines.iter().map(String::as_str).collect::<Vec<_>>(), lines.len() % 2 == 0)
        };
        let (old, new) = (text(&old), text(&new));

        let delta = told(&old, &new, SINCE).unwrap();

        prop_assert_eq!(&applied(&old, &delta.text), &new);
        if let Some(told) = between(&old, &new, SINCE) {
            prop_assert!(told.text.len() <= new.len());
            prop_assert_eq!(&applied(&old, &told.text), &new);
        }
    }
}
