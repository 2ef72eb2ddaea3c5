//! The loop over steps: step, gate, outcome, stop rule (D28).
//!
//! It asks through a door like every other caller, and ends a goal at the first step that does not
//! end as the script says. It calls no model (I10).

use sidestick_gate::Door;
use sidestick_model::call::{
    ActAsk, Answer, Call, DoorCode, DoorError, NoteAsk, ObserveAsk, VerdictAsk, WaitAsk,
};
use sidestick_model::outcome::{Outcome, Status, Verified};
use sidestick_model::record::Verdict;
use sidestick_model::step::{
    ActStep, Check, NoteStep, ObserveStep, Script, ScriptGoal, Step, VerdictStep, WaitStep, Wanted,
};
use sidestick_model::{Action, Actor, GoalId, limits};

use crate::script;

/// Who asks the system of record, on a path the application does not control (D22).
pub trait Witness {
    /// Asks once and says what was found.
    fn ask(&self, check: &Check) -> impl Future<Output = Verified> + Send;
}

/// What happens meanwhile, for whoever shows it.
#[derive(Debug)]
pub enum Progress<'a> {
    /// A goal begins.
    Goal {
        /// Its id.
        id: &'a str,
        /// Its title.
        title: &'a str,
    },
    /// A step ended.
    Step {
        /// What was done and how it ended, in words.
        words: String,
        /// Whether it ended as the script says.
        as_said: bool,
    },
    /// A goal ended.
    End(&'a GoalEnd),
}

/// How one goal ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoalEnd {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The verdict it must have.
    pub demands: Verdict,
    /// The verdict it has.
    pub verdict: Verdict,
    /// What the system of record said, in words.
    pub record: Option<String>,
    /// What did not end as the script says; nothing when all did.
    pub problems: Vec<String>,
}

impl GoalEnd {
    /// Returns whether it ended as demanded.
    pub fn is_as_demanded(&self) -> bool {
        self.problems.is_empty() && self.verdict == self.demands
    }
}

/// How a whole script ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScriptEnd {
    /// Its goals, in order.
    pub goals: Vec<GoalEnd>,
    /// Findings of the run that are missing.
    pub problems: Vec<String>,
    /// Whether a person has to decide before it can go on.
    pub needs_human: bool,
    /// Whether policy refused a step the script did not expect it to refuse.
    pub was_refused: bool,
}

impl ScriptEnd {
    /// Returns whether everything ended as demanded.
    pub fn is_as_demanded(&self) -> bool {
        self.problems.is_empty() && self.goals.iter().all(GoalEnd::is_as_demanded)
    }
}

/// Carries out a script through a door.
pub async fn drive(
    door: &Door,
    script: &Script,
    witness: &impl Witness,
    show: &mut dyn FnMut(Progress<'_>),
) -> ScriptEnd {
    let mut end = ScriptEnd::default();
    for goal in &script.goals {
        show(Progress::Goal { id: &goal.id, title: &goal.title });
        let mut run = GoalRun::new(door, goal);
        run.carry_out(witness, &mut end, show).await;
        show(Progress::End(&run.end));
        end.goals.push(run.end);
    }
    end.problems = missing(door, &script.findings, None).await;
    end
}

/// In whose name acts are asked for.
#[derive(Debug, Clone)]
pub struct ActAs {
    /// Who acts.
    pub actor: Actor,
    /// Which client asks; its last observation is what its acts stand on.
    pub caller: String,
}

/// One act through the door, for every step of every list of steps.
pub(crate) async fn act(
    door: &Door,
    action: Action,
    goal: Option<&GoalId>,
    who: &ActAs,
    set: impl FnOnce(&mut ActAsk),
) -> Result<Box<Outcome>, DoorError> {
    let mut ask = ActAsk::new(action, who.actor, who.caller.clone());
    ask.goal = goal.cloned();
    set(&mut ask);
    match door.ask(Call::Act(Box::new(ask))).await {
        Answer::Act(outcome) => Ok(outcome),
        Answer::Refused(error) => Err(error),
        _ => Err(DoorError::new(DoorCode::Internal, "another answer than an outcome")),
    }
}

struct GoalRun<'a> {
    door: &'a Door,
    goal: &'a ScriptGoal,
    end: GoalEnd,
}

impl<'a> GoalRun<'a> {
    fn new(door: &'a Door, goal: &'a ScriptGoal) -> GoalRun<'a> {
        let end = GoalEnd {
            id: goal.id.clone(),
            title: goal.title.clone(),
            demands: goal.demands,
            verdict: Verdict::Unset,
            record: None,
            problems: Vec::new(),
        };
        GoalRun { door, goal, end }
    }

    async fn carry_out(
        &mut self,
        witness: &impl Witness,
        end: &mut ScriptEnd,
        show: &mut dyn FnMut(Progress<'_>),
    ) {
        let Ok(id) = GoalId::parse(&self.goal.id) else {
            self.end.problems.push("not a goal id".to_owned());
            return;
        };
        let title = self.goal.title.clone();
        if let Answer::Refused(error) = self.door.ask(Call::Goal { id: id.clone(), title }).await {
            self.end.problems.push(format!("goal: {}", error.message));
            return;
        }
        if let Some(check) = self.goal.check.as_ref().filter(|check| !check.after)
            && witness.ask(check).await.holds
        {
            self.end.problems.push("already_satisfied: the record said yes at the start".into());
        }
        for (at, step) in self.goal.steps.iter().enumerate() {
            let done = self.step(&id, step, witness, end).await;
            let as_said = done.is_ok();
            let words = done.clone().unwrap_or_else(|why| why);
            show(Progress::Step { words, as_said });
            if let Err(why) = done {
                self.end.problems.push(format!("step {}: {why}", at + 1));
                break;
            }
        }
        if let Some(check) = &self.goal.check {
            let said = witness.ask(check).await;
            self.end.record = Some(in_words(&said));
            if said.holds == check.expect_denied {
                self.end.problems.push(format!("the record: {}", in_words(&said)));
            }
        }
        let missing = missing(self.door, &self.goal.findings, Some(&id)).await;
        self.end.problems.extend(missing);
        if self.end.verdict != self.end.demands && self.end.problems.is_empty() {
            let (is, demands) = (self.end.verdict.as_str(), self.end.demands.as_str());
            self.end.problems.push(format!("ended {is}, must end {demands}"));
        }
    }

    async fn step(
        &mut self,
        goal: &GoalId,
        step: &Step,
        witness: &impl Witness,
        end: &mut ScriptEnd,
    ) -> Result<String, String> {
        match step {
            Step::Act(step) => self.act(goal, step, end).await,
            Step::Wait(step) => self.wait(step).await,
            Step::Note(step) => self.note(goal, step).await,
            Step::Verdict(step) => self.verdict(goal, step, witness).await,
            Step::Observe(step) => self.observe(goal, step).await,
        }
    }

    async fn act(
        &self,
        goal: &GoalId,
        step: &ActStep,
        end: &mut ScriptEnd,
    ) -> Result<String, String> {
        let action = script::action(step)?;
        let who = ActAs { actor: Actor::Replay, caller: "script".to_owned() };
        let done = act(self.door, action, Some(goal), &who, |ask| {
            ask.expect.clone_from(&step.expect);
            ask.gate = step.gate;
            ask.wait_ms = step.wait_ms;
        });
        let outcome = done.await.map_err(|error| format!("{}: {}", step.act, error.message))?;
        let name = outcome.target.as_ref().and_then(|target| target.name.clone());
        let name = name.map(|name| format!(" `{name}`")).unwrap_or_default();
        let code = outcome.code.map(|code| format!(" ({code})")).unwrap_or_default();
        let words = format!("{}{name}: {}{code}, {}", step.act, outcome.status, outcome.message);
        let wanted = step.want.unwrap_or(Status::Observed);
        if outcome.status == wanted && step.code.is_none_or(|code| outcome.code == Some(code)) {
            return Ok(words);
        }
        end.needs_human |= outcome.status == Status::NeedsHuman;
        end.was_refused |= matches!(outcome.status, Status::Forbidden | Status::GateRequired);
        Err(format!("{words}; must end {wanted}"))
    }

    async fn wait(&self, step: &WaitStep) -> Result<String, String> {
        let (kind, value) = step.wait.split_once(':').unwrap_or((step.wait.as_str(), ""));
        let default = u64::try_from(limits::ACTION_TIME.as_millis()).unwrap_or(u64::MAX);
        let ask = WaitAsk {
            kind: kind.to_owned(),
            value: value.to_owned(),
            timeout_ms: step.timeout_ms.unwrap_or(default),
        };
        match self.door.ask(Call::Wait(ask)).await {
            Answer::Wait { held: true, looked_ms } => {
                Ok(format!("wait {}: held after {looked_ms} ms", step.wait))
            }
            Answer::Wait { held: false, looked_ms } => {
                Err(format!("wait {}: did not hold in {looked_ms} ms", step.wait))
            }
            Answer::Refused(error) => Err(format!("wait: {}", error.message)),
            _ => Err("another answer than a wait's".to_owned()),
        }
    }

    async fn note(&self, goal: &GoalId, step: &NoteStep) -> Result<String, String> {
        let ask = NoteAsk {
            kind: step.note.kind,
            summary: step.note.summary.clone(),
            obs: None,
            goal: Some(goal.clone()),
        };
        match self.door.ask(Call::Note(ask)).await {
            Answer::Note { finding, .. } => {
                Ok(format!("noted {} finding {finding}", step.note.kind.as_str()))
            }
            Answer::Refused(error) => Err(format!("note: {}", error.message)),
            _ => Err("another answer than a note's".to_owned()),
        }
    }

    async fn observe(&self, goal: &GoalId, step: &ObserveStep) -> Result<String, String> {
        let ask = ObserveAsk {
            goal: Some(goal.clone()),
            scope: step.observe,
            ..ObserveAsk::new(Actor::Replay, "script")
        };
        match self.door.ask(Call::Observe(ask)).await {
            Answer::Observe(_) => Ok("observed".to_owned()),
            Answer::Refused(error) => Err(format!("observe: {}", error.message)),
            _ => Err("another answer than an observation".to_owned()),
        }
    }

    async fn verdict(
        &mut self,
        goal: &GoalId,
        step: &VerdictStep,
        witness: &impl Witness,
    ) -> Result<String, String> {
        let said = &step.verdict;
        let verified = match &self.goal.check {
            Some(check) => Some(witness.ask(check).await),
            None => None,
        };
        let ask = VerdictAsk {
            goal: goal.clone(),
            verdict: said.status,
            summary: said.summary.clone(),
            proof: None,
            verified,
        };
        let word = said.status.as_str();
        match (self.door.ask(Call::Verdict(ask)).await, &said.refused) {
            (Answer::Verdict(_), None) => {
                self.end.verdict = said.status;
                Ok(format!("verdict {word}"))
            }
            (Answer::Verdict(_), Some(code)) => {
                self.end.verdict = said.status;
                Err(format!("verdict {word} was accepted; it must be refused with {code}"))
            }
            (Answer::Refused(error), Some(code)) if error.error.as_str() == code => {
                Ok(format!("verdict {word} refused: {}", error.message))
            }
            (Answer::Refused(error), _) => Err(format!(
                "verdict {word} refused with {}: {}",
                error.error.as_str(),
                error.message
            )),
            _ => Err("another answer than a verdict's".to_owned()),
        }
    }
}

fn in_words(said: &Verified) -> String {
    let word = if said.holds { "confirms" } else { "denies" };
    format!("{} {word} (found {})", said.by, said.value)
}

/// Says which of the wanted findings are not there.
async fn missing(door: &Door, wanted: &[Wanted], goal: Option<&GoalId>) -> Vec<String> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let Answer::Findings { findings } = door.ask(Call::Findings).await else {
        return vec!["the findings cannot be read".to_owned()];
    };
    let is_there = |wanted: &&Wanted| {
        findings.iter().any(|finding| {
            finding.kind == wanted.kind
                && finding.summary.to_lowercase().contains(&wanted.r#match.to_lowercase())
                && goal.is_none_or(|goal| finding.goal_id.as_ref() == Some(goal))
        })
    };
    let absent = wanted.iter().filter(|wanted| !is_there(wanted));
    absent.map(|w| format!("no {} finding with `{}`", w.kind.as_str(), w.r#match)).collect()
}
