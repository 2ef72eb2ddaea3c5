//! Observations of a long run: the newest are held, the run folder has them all.

use sidestick_evidence::{ObservationLine, RunState};
use sidestick_model::ObservationId;
use sidestick_policy::Redactor;

use crate::desk::Desk;

const MANY: u32 = 250;

fn line(number: u32) -> ObservationLine {
    ObservationLine { screenshot: Some(format!("shots/o{number}.png")), ..Default::default() }
}

fn held(state: &RunState) -> usize {
    (1..=MANY).filter(|number| state.observation(ObservationId(*number)).is_some()).count()
}

#[test]
fn an_old_observation_is_found_in_the_run_folder_and_not_held() {
    let (_desk, mut run) = Desk::begin();
    for number in 1..=MANY {
        assert_eq!(run.state.add_observation(line(number)), ObservationId(number));
        run.save(&Redactor::default()).unwrap();
    }

    assert_eq!(held(&run.state), 100);
    assert_eq!(run.observation(ObservationId(1)), Some(line(1)));
    assert_eq!(run.observation(ObservationId(MANY)), Some(line(MANY)));
    assert_eq!(run.observation(ObservationId(MANY + 1)), None);
}

/// What was changed and not yet appended is newer than the file's line.
#[test]
fn what_is_held_goes_before_what_the_run_folder_says() {
    let (_desk, mut run) = Desk::begin();
    let id = run.state.add_observation(line(1));
    run.save(&Redactor::default()).unwrap();
    run.state.observation_mut(id).unwrap().screenshot_withheld = true;

    assert!(run.observation(id).unwrap().screenshot_withheld);
}
