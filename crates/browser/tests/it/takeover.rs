//! Taking over at any moment of anything: a claim, a brake, a stop or an end, and then silence.
//!
//! What counts is the order on the wire: the driver's record of its own writes is kept in the same
//! critical section as the writes, and judged by the messages themselves. Times are told beside it.
//! `make takeover` runs a thousand rounds; `SIDESTICK_TAKEOVER_SEED` repeats what one run did.

mod activity;
mod judge;
mod round;
mod tally;

use std::sync::Arc;
use std::time::Duration;

use sidestick_model::call::{Answer, Call};

use crate::bench::Bench;
use activity::Activity;
use round::{Kind, Moment, Natural, Round};
use tally::Tally;

/// Rounds of one `make test`.
const ROUNDS: usize = 60;
/// Rounds one browser serves; its run has a budget.
const ROUNDS_PER_BROWSER: usize = 40;

/// The same numbers for the same seed, on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % below.max(1)
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[usize::try_from(self.roll(list.len() as u64)).unwrap()]
    }

    /// Returns a moment within an activity, by the clock or by what has gone out.
    fn moment(&mut self, natural: Natural) -> Moment {
        if self.roll(2) == 0 {
            let micros = u64::try_from(natural.time.as_micros()).unwrap();
            return Moment::After(Duration::from_micros(self.roll(micros + micros / 10)));
        }
        Moment::Messages(self.roll(natural.messages))
    }
}

/// How many rounds of which kind.
struct Plan {
    open: usize,
    blocked: usize,
    ended: usize,
    ended_blocked: usize,
    /// How long a blocked page answers nothing.
    block: Duration,
}

impl Plan {
    fn of(rounds: usize) -> Plan {
        let is_long = ROUNDS < rounds;
        let ended = rounds / 8;
        let blocked = rounds / 15;
        let ended_blocked = (rounds / 50).max(2);
        let open = rounds - ended - blocked - ended_blocked;
        let block = Duration::from_millis(if is_long { 5_000 } else { 800 });
        Plan { open, blocked, ended, ended_blocked, block }
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_takes_over_has_the_last_word() {
    let rounds = number("SIDESTICK_TAKEOVERS").and_then(|rounds| usize::try_from(rounds).ok());
    let plan = Plan::of(rounds.unwrap_or(ROUNDS).max(30));
    let seed = number("SIDESTICK_TAKEOVER_SEED").unwrap_or(20_261_201);
    let mut dice = Dice(seed);
    let mut tally = Tally::new(seed);

    let natural = on_open_pages(&plan, &mut dice, &mut tally).await;
    on_blocked_pages(&plan, &mut dice, &mut tally).await;
    with_the_end(&plan, natural, &mut dice, &mut tally).await;

    if rounds.is_some() {
        tally.write();
    }
    println!("{tally}");
    assert!(tally.wrong.is_empty(), "seed {seed}:\n{}", tally.wrong.join("\n"));
    assert!(tally.covers(), "seed {seed}: the moments miss the activities\n{tally}");
}

/// Claims and brakes, one browser for many.
async fn on_open_pages(plan: &Plan, dice: &mut Dice, tally: &mut Tally) -> [Natural; 3] {
    let activities = [Activity::Drag, Activity::Type, Activity::Navigate];
    let mut natural = [Natural::default(); 3];
    let mut done = 0;
    while done < plan.open {
        let bench = open().await;
        for (activity, natural) in activities.into_iter().zip(&mut natural) {
            *natural = round::uncut(&bench, activity).await;
        }
        let until = plan.open.min(done + ROUNDS_PER_BROWSER);
        for at in done..until {
            let (activity, natural) = (activities[at % 3], natural[at % 3]);
            let kind = dice.of(&[Kind::Claim, Kind::Pause]);
            let round = Round { activity, kind, moment: dice.moment(natural), block: plan.block };
            let taken = round.run(&bench).await;
            tally.add(&round, &taken, round.judge_after(&bench, &taken).await);
        }
        done = until;
        close(bench, tally).await;
    }
    natural
}

/// Claims and brakes while the page answers nothing at all.
async fn on_blocked_pages(plan: &Plan, dice: &mut Dice, tally: &mut Tally) {
    let mut done = 0;
    while done < plan.blocked {
        let bench = open().await;
        let until = plan.blocked.min(done + ROUNDS_PER_BROWSER);
        for at in done..until {
            let round = blocked(dice, [Kind::Claim, Kind::Pause][at % 2], plan.block);
            let taken = round.run(&bench).await;
            tally.add(&round, &taken, round.judge_after(&bench, &taken).await);
        }
        done = until;
        close(bench, tally).await;
    }
}

fn blocked(dice: &mut Dice, kind: Kind, block: Duration) -> Round {
    let activity = Activity::Blocked(dice.of(&["down", "move", "soon"]));
    let natural = Natural { time: Duration::from_millis(500), messages: 3 };
    Round { activity, kind, moment: dice.moment(natural), block }
}

/// Stops and ends: each takes a browser of its own with it.
async fn with_the_end(plan: &Plan, natural: [Natural; 3], dice: &mut Dice, tally: &mut Tally) {
    let activities = [Activity::Drag, Activity::Type, Activity::Navigate];
    for at in 0..plan.ended + plan.ended_blocked {
        let kind = [Kind::Stop, Kind::End][at % 2];
        let round = if at < plan.ended {
            let moment = dice.moment(natural[at % 3]);
            Round { activity: activities[at % 3], kind, moment, block: plan.block }
        } else {
            // Longer than any end may take: the page never comes back.
            blocked(dice, kind, Duration::from_secs(60))
        };
        let bench = open().await;
        let taken = round.run(&bench).await;
        tally.add(&round, &taken, round.judge_end(&bench, &taken).await);
    }
}

async fn open() -> Arc<Bench> {
    let bench = Arc::new(Bench::showing("<title>Begin</title>").await);
    bench.session.surface().record_wire();
    bench
}

/// Ends a run that was taken over many times; its record is whole.
async fn close(bench: Arc<Bench>, tally: &mut Tally) {
    let ended = bench.ask(Call::End { keep_open: false }).await;
    assert!(matches!(ended, Answer::End(_)), "{ended:?}");
    tally.wrong.extend(round::left_behind(&bench));
}
