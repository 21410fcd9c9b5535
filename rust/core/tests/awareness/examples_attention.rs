//! Worked examples 19 to 23: attention.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use riposte_core::awareness::{
    Answer, AttentionReason, AttentionRule, Lifecycle, Question, ScoreWeights, SenseId, ThreatRule,
};
use riposte_core::perception::NodeId;

use crate::scene::*;
use crate::stage::*;

use AttentionReason::{Acquired, Expired, Gone, Switched};

/// Two targets in view whose scores are what the test says.
struct Duel {
    play: Play,
    a: Thing,
    b: Thing,
    scores: Rc<RefCell<BTreeMap<NodeId, f64>>>,
}

fn duel(challenge_time: f64) -> Duel {
    let mut play = Play::tuned(|profile| {
        profile.senses = vec![flat(SenseId::Sight, 1.0)];
        profile.threat = ThreatRule::Script;
        profile.score_weights = ScoreWeights { threat: 1.0, confidence: 0.0, proximity: 0.0 };
        profile.attention_challenge_time = challenge_time;
    });
    let a = play.scene.thing(v(0.0, 0.0, -5.0));
    let b = play.scene.thing(v(1.0, 0.0, -5.0));
    let scores = Rc::new(RefCell::new(BTreeMap::from([(a.agent, 0.55), (b.agent, 0.0)])));
    let said = scores.clone();
    play.script(move |minds, update, question| match question {
        Question::Threat { belief, .. } => {
            let target = minds.belief_by_ref(update.mind(), belief).unwrap().target;
            Answer::Number(said.borrow()[&target.agent])
        }
        _ => Answer::None,
    });
    Duel { play, a, b, scores }
}

impl Duel {
    fn set(&self, thing: Thing, score: f64) {
        self.scores.borrow_mut().insert(thing.agent, score);
    }

    /// B gets its score in a tick; when attention switches to it, up to tick 60.
    fn switch(mut self, from: i32, score: f64) -> Option<i32> {
        self.play.run_to(from - 1);
        self.set(self.b, score);
        self.play.run_to(60);
        let (a, b) = (Some(self.a.agent), Some(self.b.agent));
        let changes = self.play.attention();
        assert_eq!(changes[0], (0, None, a, Acquired));
        let switch = changes.get(1).copied();
        assert!(switch.is_none_or(|(_, from, to, reason)| (from, to, reason) == (a, b, Switched)));
        switch.map(|(tick, ..)| tick)
    }
}

#[test]
fn ex_20_19() {
    assert_eq!(duel(0.0).switch(5, 0.75), Some(15));
    assert_eq!(duel(0.0).switch(5, 0.69), None);
    assert_eq!(duel(0.0).switch(5, 0.70), Some(15));
}

#[test]
fn ex_20_20() {
    assert_eq!(duel(0.5).switch(13, 0.75), Some(18));
}

#[test]
fn ex_20_21() {
    for with_b in [true, false] {
        let Duel { mut play, a, b, scores } = duel(0.0);
        scores.borrow_mut().insert(b.agent, if with_b { 0.3 } else { 0.0 });
        play.run_to(4);
        play.scene.world.remove_source(a.key);
        play.run_to(8);
        let after = with_b.then_some(b.agent);
        assert_eq!(play.attention()[1..], [(5, Some(a.agent), after, Gone)]);
    }
}

#[test]
fn ex_20_22() {
    let mut play = Play::new(hostile());
    let a = play.scene.thing(v(0.0, 0.0, -5.0));
    play.run_to(20);
    assert!(play.attends(a));
    play.scene.hide(play.watcher, a);
    for _ in 21..70 {
        play.tick();
        assert!(play.attends(a), "tick {}", play.at);
    }
    play.tick();
    assert_eq!(play.attention()[1..], [(70, Some(a.agent), None, Expired)]);
}

#[test]
fn ex_20_23() {
    let mut play = Play::tuned(|profile| profile.attention = AttentionRule::Script);
    let a = play.scene.thing(v(0.0, 0.0, -5.0));
    play.script(|minds, update, question| match question {
        Question::Attention { current: None, time, stickiness, threshold } => {
            assert_eq!((time, stickiness, threshold), (0.0, 1.5, 0.15));
            let mut candidates = Vec::new();
            minds.candidates(update.mind(), &mut candidates);
            Answer::Target(candidates.first().map(|target| target.id))
        }
        _ => Answer::None,
    });
    play.tick();
    assert_eq!(play.state(a), Lifecycle::Undetected);
    assert_eq!(play.attention(), [(0, None, Some(a.agent), Acquired)]);
}
