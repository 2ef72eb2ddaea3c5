//! Verdicts: a pass needs an act that was observed, still holds, and is not denied (VR-174, D22).

use tokio::time::Instant;

use sidestick_model::call::{DoorCode, DoorError, VerdictAnswer, VerdictAsk};
use sidestick_model::outcome::{Status, Verified};
use sidestick_model::record::Verdict;
use sidestick_model::{ActId, Deadline, Seam, limits};

use crate::desk::Proof;
use crate::looking::checked_summary;
use crate::session::Session;
use crate::surface::Surface;

impl<S: Surface> Session<S> {
    pub(crate) async fn verdict(&self, ask: VerdictAsk) -> Result<VerdictAnswer, DoorError> {
        self.refuse_ended()?;
        let summary = checked_summary(&ask.summary)?;
        if self.desk().run.state.goal(&ask.goal).is_none() {
            let why = format!("no goal `{}` is registered", ask.goal);
            return Err(DoorError::new(DoorCode::UnknownGoal, why));
        }
        let proof = match ask.verdict {
            Verdict::Pass => Some(self.proven(&ask).await?),
            Verdict::Fail | Verdict::Blocked | Verdict::Partial => ask.proof,
            Verdict::Unset => {
                return Err(DoorError::new(DoorCode::BadArguments, "`unset` is no verdict"));
            }
        };
        self.refuse_ended()?;
        let mut desk = self.desk();
        let linked: Vec<_> = desk
            .run
            .state
            .findings
            .iter()
            .filter(|finding| finding.goal_id.as_ref() == Some(&ask.goal) && !finding.expected)
            .map(|finding| finding.finding_id)
            .collect();
        let mut replaced = None;
        if let Some(goal) = desk.run.state.goal_mut(&ask.goal) {
            replaced = Some(goal.status).filter(|status| *status != Verdict::Unset);
            goal.status = ask.verdict;
            goal.summary = summary;
            goal.proof = proof;
            if ask.verified.is_some() {
                goal.verified.clone_from(&ask.verified);
            }
        }
        let now = self.clock.now();
        let said = serde_json::json!({"goal": ask.goal, "verdict": ask.verdict, "proof": proof});
        let noted = match desk.redactor.value(&said) {
            Ok(said) => desk.run.event("verdict", now, said),
            Err(_) => Err(sidestick_evidence::RunError::Redaction),
        };
        noted.map_err(|error| desk.record_failed(&error))?;
        desk.save()?;
        Ok(VerdictAnswer {
            goal: ask.goal,
            verdict: ask.verdict,
            replaced,
            proof,
            linked_findings: linked,
            verified: ask.verified,
        })
    }

    /// Finds the act that proves a pass and makes sure that it still does.
    async fn proven(&self, ask: &VerdictAsk) -> Result<ActId, DoorError> {
        if let Some(verified) = ask.verified.as_ref().filter(|verified| denies(verified)) {
            let mut desk = self.desk();
            if let Some(goal) = desk.run.state.goal_mut(&ask.goal) {
                goal.verified = Some(verified.clone());
            }
            desk.save()?;
            let why = format!("{} denies what the screen says", verified.by);
            return Err(DoorError::new(DoorCode::CheckDenied, why));
        }
        let proof = self.proof_of(ask)?;
        self.collect_late(&proof).await?;
        Ok(proof.act)
    }

    fn proof_of(&self, ask: &VerdictAsk) -> Result<Proof, DoorError> {
        let desk = self.desk();
        let no = |why: String| DoorError::new(DoorCode::PassWithoutEffect, why);
        let of_goal = |proof: &&Proof| proof.goal.as_ref() == Some(&ask.goal);
        let proof = match ask.proof {
            Some(act) => desk.proofs.get(&act.0).ok_or_else(|| {
                DoorError::new(DoorCode::UnknownAct, format!("no act {act} in this run"))
            })?,
            None => desk
                .proofs
                .values()
                .rfind(of_goal)
                .ok_or_else(|| no(format!("goal `{}` has no act", ask.goal)))?,
        };
        let act = proof.act;
        if !of_goal(&proof) {
            return Err(no(format!("act {act} belongs to another goal")));
        }
        if proof.status != Status::Observed && !Seam::PassWithoutEffect.is_broken() {
            let status = proof.status;
            return Err(no(format!("act {act} ended {status}; a pass needs an OBSERVED act")));
        }
        let is_work = proof.is_strong && proof.action.can_prove();
        if !is_work && !Seam::WeakProof.is_broken() {
            let kind = proof.action.as_str();
            return Err(no(format!("act {act} ({kind}) proves no work was done")));
        }
        Ok(proof.clone())
    }

    /// Waits for late effects of the proof, at most 2 s after it: requests of it that fail become
    /// findings, an effect that has gone again refuses the pass.
    async fn collect_late(&self, proof: &Proof) -> Result<(), DoorError> {
        let _turn = self.lane.write().await;
        self.refuse_ended()?;
        let until = proof.ended_at + limits::VERDICT_LOOK_TIME_MAX;
        if Instant::now() < until {
            let deadline = Deadline::of_limit(until - Instant::now());
            // It ends early when every request of the act has ended and its effect is a document.
            let _ = self.surface.wait("late", "", deadline).await;
        }
        let (events, _) = self.surface.events();
        let now = self.now();
        let is_last = {
            let mut desk = self.desk();
            desk.take_downloads(&events, now, None, &[]);
            let goal = proof.goal.clone();
            desk.take_events(&events, goal.as_ref(), Some(proof.act));
            desk.last_dispatched == Some(proof.act)
        };
        if !is_last || !proof.lasting {
            return Ok(());
        }
        match self.surface.still_differs(Self::read_deadline()).await {
            Ok(Some(changes)) if changes.is_empty() && !Seam::EffectReverted.is_broken() => {
                Err(DoorError::new(
                    DoorCode::EffectReverted,
                    format!("the effect of act {} has gone again", proof.act),
                ))
            }
            // A page that was left or cannot be read says nothing about the effect.
            Ok(_) | Err(_) => Ok(()),
        }
    }
}

/// Returns whether a system of record says that the effect is not there (D22).
fn denies(verified: &Verified) -> bool {
    !verified.holds && !Seam::CheckDenied.is_broken()
}
