//! Whom an agent commits to.

use crate::perception::TargetRef;
use crate::time::TIME_TOLERANCE;

use super::belief::{Belief, TOLERANCE};
use super::kinds::{AttentionReason, Lifecycle};
use super::profile::{AttentionRule, Profile};
use super::question::Event;

/// The attention of one mind.
#[derive(Clone, Debug, Default)]
pub(super) struct Attention {
    pub(super) current: Option<TargetRef>,
    /// The perceiver's time since when.
    pub(super) since: f64,
    /// A script chose it.
    pub(super) forced: bool,
    /// The current one's belief ended in this update, and how.
    pub(super) lost: Option<AttentionReason>,
    /// Who leads by enough to replace it.
    pub(super) rival: Option<u64>,
    pub(super) rival_since: f64,
}

/// What a choice looks at.
pub(super) struct Field<'a> {
    pub(super) profile: &'a Profile,
    /// By target id.
    pub(super) beliefs: &'a [Belief],
    /// Positions, best score first.
    pub(super) order: &'a [u32],
    pub(super) now: f64,
}

/// Who it is to be, and why if it is another one.
pub(super) type Choice = (Option<TargetRef>, AttentionReason);

impl<'a> Field<'a> {
    /// Beliefs that may become the attention target, best first.
    pub(super) fn candidates(&self) -> impl Iterator<Item = &'a Belief> + use<'a> {
        let beliefs = self.beliefs;
        let all = self.order.iter().filter_map(move |at| beliefs.get(*at as usize));
        all.filter(|belief| belief.is_live() && belief.can_hold_attention)
    }

    fn eligible(&self) -> impl Iterator<Item = &'a Belief> + use<'a> {
        let least = self.profile.attention_min_score;
        self.candidates().filter(move |belief| {
            use Lifecycle::{Detected, Lost, Suspected};
            matches!(belief.state, Suspected | Detected | Lost)
                && !belief.relationship.is_friend()
                && belief.score + TOLERANCE >= least
        })
    }

    /// The live belief of a target.
    pub(super) fn live(&self, id: u64) -> Option<&'a Belief> {
        let at = self.beliefs.binary_search_by_key(&id, |belief| belief.target.id).ok()?;
        Some(&self.beliefs[at]).filter(|belief| belief.is_live())
    }
}

impl Attention {
    /// The current target, unless it is gone or expired.
    pub(super) fn present(&self) -> Option<TargetRef> {
        self.current.filter(|_| self.lost.is_none())
    }

    fn sticks(&self, field: &Field<'_>) -> bool {
        field.now - self.since + TIME_TOLERANCE < field.profile.attention_stickiness_time
    }

    /// The choice of a rule that is not a script's.
    pub(super) fn choose(&mut self, field: &Field<'_>) -> Choice {
        match field.profile.attention {
            AttentionRule::BuiltIn | AttentionRule::Script => self.best(field),
            AttentionRule::Nearest => self.nearest(field),
            AttentionRule::LastAttacker(memory) => {
                let attacker = last_attacker(field, memory).map(|belief| belief.target);
                if attacker.is_some() { (attacker, self.change()) } else { self.best(field) }
            }
        }
    }

    /// Why there is another one, if the old one is still there.
    fn change(&self) -> AttentionReason {
        if self.current.is_none() { AttentionReason::Acquired } else { AttentionReason::Switched }
    }

    /// The built-in rule.
    fn best(&mut self, field: &Field<'_>) -> Choice {
        let Some(current) = self.present() else {
            return self.first(field.eligible().next());
        };
        let mut eligible = field.eligible();
        let Some(held) = field.eligible().find(|belief| belief.target.id == current.id) else {
            return (eligible.next().map(|belief| belief.target), AttentionReason::Released);
        };
        let rival = eligible.find(|belief| belief.target.id != current.id);
        let leads = |rival: &&Belief| {
            let lead = rival.score - held.score;
            lead > TOLERANCE && lead + TOLERANCE >= field.profile.attention_switch_threshold
        };
        let Some(rival) = rival.filter(leads) else {
            self.rival = None;
            return (Some(current), AttentionReason::Switched);
        };
        if self.rival != Some(rival.target.id) {
            (self.rival, self.rival_since) = (Some(rival.target.id), field.now);
        }
        let led = field.now - self.rival_since + TIME_TOLERANCE;
        let wins = led >= field.profile.attention_challenge_time && !self.sticks(field);
        (Some(if wins { rival.target } else { current }), AttentionReason::Switched)
    }

    fn first(&self, best: Option<&Belief>) -> Choice {
        (best.map(|belief| belief.target), AttentionReason::Acquired)
    }

    fn nearest(&self, field: &Field<'_>) -> Choice {
        let near =
            |a: &&Belief, b: &&Belief| a.distance.total_cmp(&b.distance).then(a.target.id.cmp(&b.target.id));
        let nearest = field.eligible().min_by(near);
        let Some(current) = self.present() else {
            return self.first(nearest);
        };
        let Some(held) = field.eligible().find(|belief| belief.target.id == current.id) else {
            return (nearest.map(|belief| belief.target), AttentionReason::Released);
        };
        let limit = held.distance * (1.0 - field.profile.attention_switch_threshold);
        let wins = |rival: &&Belief| {
            rival.distance + TOLERANCE < held.distance && rival.distance <= limit + TOLERANCE
        };
        let winner = nearest.filter(wins).filter(|_| !self.sticks(field));
        (Some(winner.map_or(current, |belief| belief.target)), AttentionReason::Switched)
    }

    /// Checks what a policy answered: a candidate, the current one or nobody. `Err`: somebody else, so the current one
    /// stays.
    pub(super) fn policy(&self, field: &Field<'_>, wanted: Option<u64>) -> Result<Choice, Choice> {
        let present = self.present();
        let Some(id) = wanted else {
            let reason = AttentionReason::Released;
            return Ok((None, reason));
        };
        if let Some(current) = present.filter(|current| current.id == id) {
            return Ok((Some(current), self.change()));
        }
        match field.live(id).filter(|belief| belief.can_hold_attention) {
            Some(belief) => Ok((Some(belief.target), self.change())),
            None => Err((present, self.change())),
        }
    }

    /// Makes the choice hold. An event if the target is another one; a lost one's loss is the reason then.
    pub(super) fn commit(&mut self, (target, reason): Choice, now: f64) -> Option<Event> {
        let lost = self.lost.take();
        let previous = std::mem::replace(&mut self.current, target);
        let same = previous.map(|target| target.id) == target.map(|target| target.id);
        if same && lost.is_none() {
            return None;
        }
        self.since = now;
        self.rival = None;
        let reason = lost.unwrap_or(reason);
        (!same).then_some(Event::Attention { previous, current: target, reason })
    }
}

fn last_attacker<'a>(field: &Field<'a>, memory: f64) -> Option<&'a Belief> {
    let mut latest: Option<(&Belief, f64)> = None;
    for belief in field.candidates() {
        let Some(time) = belief.last_damage.filter(|time| field.now - time <= memory + TIME_TOLERANCE) else {
            continue;
        };
        if latest.is_none_or(|(_, before)| time > before + TIME_TOLERANCE) {
            latest = Some((belief, time));
        }
    }
    latest.map(|(belief, _)| belief)
}
