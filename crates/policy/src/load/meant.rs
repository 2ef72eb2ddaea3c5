//! What a misspelled word was probably meant to be.

/// Returns the word that is nearest, when one is near.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // LIMIT: the time grows with the product of both lengths; no word of ours is longer.
    let word: Vec<char> = word.chars().take(80).flat_map(char::to_lowercase).collect();
    let near = |candidate: &str| {
        let candidate: Vec<char> = candidate.chars().take(80).collect();
        let most = (word.len().max(candidate.len()) / 3).clamp(1, 3);
        let far = distance(&word, &candidate);
        (far <= most).then_some(far)
    };
    let scored = known.into_iter().filter_map(|candidate| Some((near(candidate)?, candidate)));
    scored.min_by_key(|(far, _)| *far).map(|(_, candidate)| candidate)
}

/// Counts the letters that have to be put in, taken out, replaced or swapped.
pub(super) fn distance(one: &[char], other: &[char]) -> usize {
    let width = other.len() + 1;
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..width).collect();
    for (row, letter) in one.iter().enumerate() {
        let mut line = vec![row + 1; width];
        for (column, other_letter) in other.iter().enumerate() {
            let at =
                |cells: &[usize], place: usize| cells.get(place).copied().unwrap_or(usize::MAX);
            let differs = usize::from(letter != other_letter);
            let mut best = (at(&above, column).saturating_add(differs))
                .min(at(&above, column + 1).saturating_add(1))
                .min(at(&line, column).saturating_add(1));
            let swapped = row.checked_sub(1).zip(column.checked_sub(1)).is_some_and(|(r, c)| {
                one.get(r) == Some(other_letter) && other.get(c) == Some(letter)
            });
            if swapped {
                best = best.min(at(&before, column - 1).saturating_add(1));
            }
            if let Some(cell) = line.get_mut(column + 1) {
                *cell = best;
            }
        }
        before = std::mem::replace(&mut above, line);
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_found_and_far_ones_are_not() {
        let known = ["boundary", "actions", "allow", "double-click"];
        for (word, meant) in [
            ("bondary", Some("boundary")),
            ("boundray", Some("boundary")),
            ("action", Some("actions")),
            ("alow", Some("allow")),
            ("doubleclick", Some("double-click")),
            ("ALLOW", Some("allow")),
            ("zebra", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, known), meant, "{word}");
        }
    }
}
