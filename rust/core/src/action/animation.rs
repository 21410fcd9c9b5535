//! When an action that plays an animation is done.

/// Slack at the end of the animation that plays, in seconds of the animation.
const AT_END: f64 = 1e-3;
/// Slack when something else plays already: a player may be a step ahead.
const SINCE_START: f64 = 0.05;

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnimationGoal {
    /// Where it ends, in seconds of the animation.
    pub end: f64,
    /// How fast it plays.
    pub speed: f64,
    /// It starts again at its end.
    pub loops: bool,
}

/// What the player does now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AnimationNow {
    /// Ours plays, at this second.
    Ours(f64),
    /// Something else or nothing plays.
    Other,
}

/// What follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationVerdict {
    /// It plays on.
    GoOn,
    /// It reached its end.
    Finished,
    /// Someone else took the player.
    Interrupted,
}

impl AnimationGoal {
    /// Judges by what plays and by the seconds since the start. A signal is never waited for.
    pub fn judge(&self, now: AnimationNow, elapsed: f64) -> AnimationVerdict {
        let played = elapsed * self.speed;
        match now {
            AnimationNow::Ours(position) => {
                let over = position + AT_END >= self.end || self.loops && played >= self.end;
                if over { AnimationVerdict::Finished } else { AnimationVerdict::GoOn }
            }
            AnimationNow::Other if played + SINCE_START >= self.end => AnimationVerdict::Finished,
            AnimationNow::Other => AnimationVerdict::Interrupted,
        }
    }

    /// The time-out when none is given: twice the playing time and a second.
    pub fn default_timeout(&self) -> f64 {
        2.0 * self.end / self.speed + 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::AnimationVerdict::{Finished, GoOn, Interrupted};
    use super::*;

    const JAB: AnimationGoal = AnimationGoal { end: 0.5, speed: 1.0, loops: false };

    /// The step in which a run ends whose player is moved by 0.1 s before each step; ours plays until `other`.
    fn ends_at(goal: AnimationGoal, other: u32) -> Option<(u32, AnimationVerdict)> {
        (1..20).find_map(|step| {
            let elapsed = f64::from(step) * 0.1;
            let ours = AnimationNow::Ours((elapsed * goal.speed).min(goal.end));
            let now = if step < other { ours } else { AnimationNow::Other };
            let verdict = goal.judge(now, elapsed);
            (verdict != GoOn).then_some((step + 1, verdict))
        })
    }

    #[test]
    fn ex_35_e21() {
        assert_eq!(ends_at(JAB, 20), Some((6, Finished)));
        assert_eq!(ends_at(AnimationGoal { speed: 2.0, ..JAB }, 20), Some((4, Finished)));
        assert_eq!(ends_at(JAB, 2), Some((3, Interrupted)));
    }

    #[test]
    fn is_done_when_the_position_reaches_the_end() {
        assert_eq!(JAB.judge(AnimationNow::Ours(0.49), 9.0), GoOn);
        assert_eq!(JAB.judge(AnimationNow::Ours(0.499), 0.1), Finished);
    }

    #[test]
    fn a_loop_is_done_after_one_round() {
        let idle = AnimationGoal { loops: true, ..JAB };
        assert_eq!(idle.judge(AnimationNow::Ours(0.1), 0.49), GoOn);
        assert_eq!(idle.judge(AnimationNow::Ours(0.1), 0.5), Finished);
    }

    #[test]
    fn another_animation_is_an_interruption_unless_ours_was_over() {
        assert_eq!(JAB.judge(AnimationNow::Other, 0.44), Interrupted);
        assert_eq!(JAB.judge(AnimationNow::Other, 0.45), Finished);
        let fast = AnimationGoal { speed: 2.0, ..JAB };
        assert_eq!(fast.judge(AnimationNow::Other, 0.23), Finished);
    }

    #[test]
    fn default_timeout_is_twice_the_playing_time_and_a_second() {
        assert_eq!(AnimationGoal { speed: 2.0, ..JAB }.default_timeout(), 1.5);
    }
}
