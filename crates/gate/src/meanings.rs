//! What each ref meant in each observation (D4): kept once for as long as it stays the same.
//!
//! A page of thousands of rows is observed again and again; what an observation adds is what
//! changed, so remembering one costs no more than that.

use std::collections::HashMap;

use sidestick_model::ObservationId;
use sidestick_model::observation::Subject;

/// Observations whose refs are still known; an act on an older one is `STALE`.
const OBSERVATIONS_MAX: u32 = 64;
/// Meanings kept without asking whether they are still of use.
const MEANINGS_FREE: usize = 256;
/// Meanings kept; beyond it only those that the newest observation shows are.
const MEANINGS_MAX: usize = 50_000;

/// A meaning, and the observation since which it holds.
type Since = (u32, Subject);

/// What is known of one ref.
#[derive(Debug, Default)]
struct Known {
    /// The newest observation that showed it.
    shown: u32,
    /// Oldest first.
    meanings: Vec<Since>,
}

/// The meanings of every ref that was shown.
#[derive(Debug, Default)]
pub(crate) struct Meanings {
    by_ref: HashMap<String, Known>,
    count: usize,
    /// How many there may be until it is asked again which of them are of use.
    room: usize,
    newest: u32,
}

impl Meanings {
    /// Begins an observation: what refs meant before holds in it too.
    pub(crate) fn begin(&mut self, id: ObservationId) {
        self.newest = id.0;
    }

    /// Returns whether the refs of an observation are still known.
    pub(crate) fn are_known(&self, id: ObservationId) -> bool {
        id.0 <= self.newest && self.newest - id.0 < OBSERVATIONS_MAX
    }

    /// Notes what refs mean in the newest observation.
    pub(crate) fn note(&mut self, shown: impl Iterator<Item = (String, Subject)>) {
        for (id, subject) in shown {
            let known = self.by_ref.entry(id).or_default();
            known.shown = self.newest;
            match known.meanings.last_mut() {
                Some((_, last)) if *last == subject => {}
                Some((since, last)) if *since == self.newest => *last = subject,
                Some(_) | None => {
                    known.meanings.push((self.newest, subject));
                    self.count += 1;
                }
            }
        }
        if self.room.max(MEANINGS_FREE) < self.count {
            self.forget();
            // A quarter more, so that asking costs little and what is kept hardly swings.
            self.room = (self.count + self.count / 4).min(MEANINGS_MAX);
        }
    }

    /// Returns what a ref meant in an observation.
    pub(crate) fn of(&self, id: ObservationId, element: &str) -> Option<&Subject> {
        let meanings = &self.by_ref.get(element)?.meanings;
        meanings.iter().rev().find(|(since, _)| *since <= id.0).map(|(_, subject)| subject)
    }

    /// Forgets what no observation that is still known shows, and when that is not enough, what
    /// the newest does not show.
    ///
    /// LIMIT: acts on what was forgotten are told to look again.
    fn forget(&mut self) {
        let oldest = self.newest.saturating_sub(OBSERVATIONS_MAX - 1);
        self.by_ref.retain(|_, known| {
            let held = known.meanings.iter().rposition(|(since, _)| *since <= oldest).unwrap_or(0);
            known.meanings.drain(..held);
            oldest <= known.shown
        });
        self.count = self.by_ref.values().map(|known| known.meanings.len()).sum();
        if MEANINGS_MAX < self.count {
            let newest = self.newest;
            self.by_ref.retain(|_, known| known.shown == newest);
            self.count = self.by_ref.values().map(|known| known.meanings.len()).sum();
        }
        self.by_ref.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(name: &str) -> Subject {
        Subject { role: "button".into(), name: Some(name.into()), ..Subject::default() }
    }

    fn named(pairs: &[(&str, &str)]) -> impl Iterator<Item = (String, Subject)> {
        let pairs: Vec<(String, Subject)> =
            pairs.iter().map(|(id, name)| ((*id).to_owned(), subject(name))).collect();
        pairs.into_iter()
    }

    #[test]
    fn a_ref_means_in_an_observation_what_it_meant_then() {
        let mut meanings = Meanings::default();
        meanings.begin(ObservationId(1));
        meanings.note(named(&[("e1", "Save"), ("e2", "Delete")]));
        meanings.begin(ObservationId(2));
        meanings.begin(ObservationId(3));
        meanings.note(named(&[("e1", "Send")]));

        let of = |number, id| meanings.of(ObservationId(number), id).cloned();
        assert_eq!(of(1, "e1"), Some(subject("Save")));
        assert_eq!(of(2, "e1"), Some(subject("Save")), "an act shows nothing new by itself");
        assert_eq!(of(3, "e1"), Some(subject("Send")));
        assert_eq!(of(3, "e2"), Some(subject("Delete")));
        assert_eq!(of(3, "e9"), None);
    }

    #[test]
    fn an_observation_too_old_is_not_known() {
        let mut meanings = Meanings::default();
        meanings.begin(ObservationId(OBSERVATIONS_MAX + 5));

        assert!(meanings.are_known(ObservationId(6)));
        assert!(!meanings.are_known(ObservationId(5)));
        assert!(!meanings.are_known(ObservationId(OBSERVATIONS_MAX + 6)));
    }

    fn rows(first: usize, count: usize) -> impl Iterator<Item = (String, Subject)> {
        (first..first + count).map(|row| (format!("e{row}"), subject("Edit")))
    }

    #[test]
    fn looking_again_at_the_same_page_costs_nothing_and_much_is_forgotten() {
        let mut meanings = Meanings::default();
        for number in 1..9 {
            meanings.begin(ObservationId(number));
            meanings.note(rows(0, 30_000));
        }
        assert_eq!(meanings.count, 30_000);

        meanings.begin(ObservationId(9));
        meanings.note(rows(20_000, 40_000));

        assert!(meanings.count <= MEANINGS_MAX);
        assert_eq!(meanings.of(ObservationId(9), "e59999"), Some(&subject("Edit")));
        assert_eq!(meanings.of(ObservationId(9), "e20000"), Some(&subject("Edit")), "still shown");
        assert_eq!(meanings.of(ObservationId(8), "e7"), None);
    }

    /// A page that draws itself anew gives new refs each time; a long run on it stays as it is.
    #[test]
    fn refs_that_are_shown_no_more_are_forgotten_with_their_observations() {
        let mut meanings = Meanings::default();
        let mut most = 0;
        for number in 1..2_000 {
            meanings.begin(ObservationId(number));
            meanings.note(rows(number as usize * 100, 100));
            most = most.max(meanings.count);
        }

        assert!(most <= 2 * 100 * OBSERVATIONS_MAX as usize, "{most}");
        assert!(meanings.of(ObservationId(1_999), "e199950").is_some());
        assert!(meanings.of(ObservationId(1_940), "e194050").is_some());
    }
}
