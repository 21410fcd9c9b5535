//! What a game calls and asks.

use riposte_core::action::*;

use super::Rig;

impl Rig {
    pub fn find(&self, id: &str) -> ActionRef {
        self.core.find(id).unwrap_or_else(|| panic!("no action {id}"))
    }

    /// True if something started.
    pub fn evaluate(&mut self) -> bool {
        let queued = self.call(Evaluator::evaluate_now);
        queued || matches!(self.core.take_outcome(), Outcome::Started(_))
    }

    /// Starts what scores best; its name.
    pub fn pick(&mut self) -> String {
        self.evaluate();
        self.running_name()
    }

    pub fn running_name(&self) -> String {
        self.core.running().map_or(String::new(), |run| self.core.name(run.action()).to_owned())
    }

    pub fn preview(&mut self) -> Decision {
        self.call(|core| core.preview(TargetWish::Focus));
        match self.core.take_outcome() {
            Outcome::Decision(decision) => *decision,
            // Torn down in its middle.
            Outcome::None => Decision::default(),
            other => panic!("no decision: {other:?}"),
        }
    }

    pub fn score(&mut self, id: &str) -> f64 {
        let action = self.find(id);
        self.call(|core| core.score(action, TargetWish::Focus));
        match self.core.take_outcome() {
            Outcome::Score(score) => score,
            other => panic!("no score: {other:?}"),
        }
    }

    pub fn row(&mut self, id: &str) -> DecisionRow {
        self.preview().rows.into_iter().find(|row| &*row.action == id).unwrap()
    }

    pub fn why(&mut self, id: &str) -> Refusal {
        self.row(id).refusal
    }

    pub fn factor(&mut self, id: &str, name: &str) -> f64 {
        self.set(|settings| settings.record = true);
        let row = self.row(id);
        row.factors.iter().find(|(factor, _)| &**factor == name).map_or(f64::NAN, |(_, value)| *value)
    }

    fn request(&self, id: &str, respect_gates: bool) -> StartRequest {
        StartRequest { action: self.core.find(id), target: TargetWish::Focus, respect_gates }
    }

    /// The run id, 0 if refused.
    pub fn execute(&mut self, id: &str) -> RunId {
        self.execute_with(id, false)
    }

    pub fn execute_with(&mut self, id: &str, respect_gates: bool) -> RunId {
        let request = self.request(id, respect_gates);
        let (run, queued) = self.call(|core| core.execute(request));
        let started = matches!(self.core.take_outcome(), Outcome::Started(_));
        if started || queued { run } else { 0 }
    }

    pub fn abort(&mut self, reason: EndReason) -> bool {
        self.call(|core| core.abort(reason))
    }

    /// Starts an action and ends it again with this reason.
    pub fn use_up(&mut self, id: &str, reason: EndReason) {
        let run = self.execute(id);
        assert!(run > 0, "{id} did not start");
        self.finish(run, reason);
    }

    pub fn finish(&mut self, run: RunId, reason: EndReason) {
        if reason == EndReason::Cancelled || reason == EndReason::Interrupted {
            assert!(self.abort(reason));
        } else {
            // As at the start of a step, without moving the clock.
            assert!(self.core.record_result(run, reason));
            self.step(1e-12);
        }
    }

    pub fn cooldown(&self, id: &str) -> f64 {
        self.core.cooldown_left(self.find(id))
    }

    /// An event of magnitude 1: the reaction that starts or waits, empty if none does, "later" if it has to wait.
    pub fn react(&mut self, tag: &str) -> String {
        self.react_to(tag, 1.0, TargetWish::Focus)
    }

    pub fn react_to(&mut self, tag: &str, magnitude: f64, target: TargetWish) -> String {
        self.events += 1;
        let (tags, context) = (self.tags(&[tag]), -self.events);
        let later = self.call(|core| core.react(ReactionEvent { tags, magnitude, target, context }));
        match self.core.take_outcome() {
            _ if later => "later".to_owned(),
            Outcome::Reacted(action) => self.core.name(action).to_owned(),
            _ => String::new(),
        }
    }

    /// Why a reaction did not answer the last event.
    pub fn reason(&self, id: &str) -> Refusal {
        let rows = self.core.last_decision().rows;
        rows.iter().find(|row| &*row.action == id).map_or(Refusal::UnknownAction, |row| row.refusal)
    }

    /// Steps until the clock says so.
    pub fn until(&mut self, now: f64) {
        let left = now - self.core.now();
        assert!(left >= -1e-9, "the clock is at {}", self.core.now());
        self.step(left);
    }

    /// The log since the last call, only lines whose first word is in `words` (all if empty).
    pub fn took(&mut self, words: &str) -> String {
        let keep = |line: &String| {
            words.is_empty() || words.split(' ').any(|word| line.split(' ').next() == Some(word))
        };
        let lines: Vec<String> = self.log.drain(..).filter(keep).collect();
        lines.join(", ")
    }
}
