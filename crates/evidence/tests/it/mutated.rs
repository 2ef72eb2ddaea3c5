//! No byte of an ended record can be another one without being noticed (I3).

use std::path::Path;

use sidestick_testkit::mutate::Mutator;

use crate::desk::Desk;

#[test]
fn no_mutation_of_an_ended_record_is_called_whole() {
    let desk = Desk::ended();
    for (name, mutations) in [
        ("trace.jsonl", 100),
        ("run.json", 12),
        ("observations.jsonl", 12),
        ("report.json", 4),
        ("report.md", 4),
        ("report.html", 4),
        ("shots/o1.png", 12),
    ] {
        check(&desk, name, mutations);
    }
    assert!(desk.verify().whole, "what was put back is whole again");
}

fn check(desk: &Desk, name: &str, mutations: u64) {
    let path = desk.file(name);
    let original = std::fs::read(&path).unwrap();
    let mutator = Mutator::new(vec![original.clone()], 3);
    for index in 0..mutations {
        let mutated = mutator.mutation(index);
        if mutated != original {
            std::fs::write(&path, &mutated).unwrap();
            assert!(!is_whole(desk), "mutation {index} of {name} is called whole");
        }
    }
    std::fs::write(&path, &original).unwrap();
}

/// The end of a trace is bound by nothing that follows.
#[test]
fn no_byte_of_the_last_line_can_be_another() {
    let desk = Desk::ended();
    let path = desk.file("trace.jsonl");
    let original = std::fs::read(&path).unwrap();
    let last = desk.lines().last().unwrap().len() + 1;

    for at in (original.len() - last..original.len()).step_by(7) {
        let mut mutated = original.clone();
        mutated[at] ^= 1 << (at % 6);
        std::fs::write(&path, &mutated).unwrap();
        assert!(!is_whole(&desk), "byte {at} goes unnoticed");
    }
}

#[test]
fn what_only_looks_like_the_last_line_is_found() {
    let desk = Desk::ended();
    let lines = desk.lines();
    let last = lines.last().unwrap();
    let signature = last.rfind("\"signature\":\"").unwrap() + 13;
    let digit = last[signature..].find('0').map(|at| signature + at).unwrap();
    for changed in [
        last.replacen("{", "{ ", 1),
        last.replacen("\"kind\":\"sign\"", "\"kind\":\"sign\",\"note\":1", 1),
        last.replacen("\"lines\":", "\"lines\":9,\"lines\":", 1),
        last.replacen("T10:15", "T10:16", 1),
        format!("{}{}", &last[..digit], last[digit..].replacen('0', "+", 1)),
        format!("{}{}", &last[..signature], last[signature..].to_uppercase()),
        format!("\n{last}"),
        format!("{last}\n"),
    ] {
        let mut other = lines.clone();
        *other.last_mut().unwrap() = changed.clone();
        desk.rewrite(&other);

        assert!(!is_whole(&desk), "{changed}");
    }
}

fn is_whole(desk: &Desk) -> bool {
    let verified = sidestick_evidence::verify::verify(&desk.dir(), &desk.id, None);
    verified.is_ok_and(|found| found.whole)
}

#[test]
fn a_name_that_leaves_the_folder_binds_nothing() {
    let desk = Desk::ended();
    let outside = tempfile::NamedTempFile::new().unwrap();
    let path = outside.path().display().to_string();
    assert!(Path::new(&path).is_absolute());
    let mut lines = desk.lines();
    let at = lines.len() - 2;
    lines[at] = lines[at].replace("report.md", &path);
    desk.rewrite(&lines);

    let problems = desk.verify().problems;

    assert!(problems.iter().any(|problem| problem.contains("binds no file")), "{problems:?}");
    assert!(!problems.iter().any(|problem| problem.contains(&path)), "{problems:?}");
}
