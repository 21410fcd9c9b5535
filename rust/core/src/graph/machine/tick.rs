//! Time that passes, instant by instant, and what is done once per tick.

use super::change::Change;
use super::state::{Calm, Machine};
use crate::graph::parts::{DrainEnd, HookPlan, PartsWorld, drained};
use crate::graph::{Effect, MoveEnd};
use crate::time::TIME_TOLERANCE;

/// What is left of a delta that is too little to count.
const NO_TIME: f64 = 1e-12;

/// A tick that is going on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tick {
    stage: Stage,
    delta: f64,
    /// Seconds that are left of the delta.
    pub left: f64,
    /// Player time that passed.
    pub passed: f64,
    /// The run that hooks of are called.
    run: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Device,
    Time,
    /// Hooks from that one on.
    Hooks(usize),
    /// What the drain does that found nothing left.
    Drained(usize, DrainEnd),
}

impl Tick {
    /// Seconds of it that are over.
    pub fn spent(&self) -> f64 {
        self.delta - self.left
    }

    /// It begins here.
    pub fn cut(&mut self) {
        self.delta = self.left;
    }
}

impl Machine {
    /// Lets time pass: `delta` seconds before any scale. False from inside of a turn, and nothing happens. The caller runs the
    /// turn then. A delta that is no number or negative counts as 0.
    pub fn advance(&mut self, delta: f64) -> bool {
        if self.turn.running {
            return false;
        }
        let delta = crate::graph::compiled::sound(delta);
        let left = self.delta_of_tick(delta);
        self.reel.place = Default::default();
        self.turn.tick = Some(Tick { stage: Stage::Device, delta: left, left, passed: 0.0, run: 0 });
        true
    }

    /// Lets time pass if that is all that happens. False: nothing was done, [`Machine::advance`] has to.
    pub fn quiet(&mut self, delta: f64) -> bool {
        let clock = &mut self.clock;
        let passed = delta * clock.calm.time_scale;
        let (now, node) = (clock.now + passed, clock.node + passed * clock.calm.action_speed);
        // Also of a delta that is no number.
        if !(passed >= 0.0 && now < clock.calm.now && node < clock.calm.node) {
            return false;
        }
        (clock.now, clock.node) = (now, node);
        clock.elapsed += delta;
        true
    }

    /// Whether time matters: false, and ticks may be left out.
    pub fn wants_tick(&self) -> bool {
        self.run.is_some()
            || !self.waiting.is_empty()
            || !self.frozen.is_empty()
            || self.clock.frozen > 0.0
            || self.grace_node().is_some()
            || self.cooldowns.next_due() < f64::INFINITY
            || !self.turn.calls.is_empty()
            || !self.recorder.is_idle()
            || self.recorder.is_button_down()
            || !self.reel.is_empty()
    }

    pub(super) fn step_tick(&mut self, world: &PartsWorld) -> bool {
        let Some(mut tick) = self.turn.tick.take() else { return false };
        self.reel.place.step += 1;
        let goes_on = match tick.stage {
            Stage::Device => {
                self.turn.device = Some(true);
                tick.stage = Stage::Time;
                true
            }
            Stage::Time => {
                if !self.pass_time(&mut tick) {
                    tick.stage = Stage::Hooks(0);
                    tick.run = self.run.as_ref().map_or(0, |run| run.id);
                }
                true
            }
            Stage::Hooks(at) => self.call_hook(&mut tick, at, world),
            Stage::Drained(at, end) => {
                tick.stage = Stage::Hooks(at + 1);
                self.drain_ended(&tick, end);
                true
            }
        };
        if goes_on {
            self.turn.tick = Some(tick);
            return true;
        }
        self.tick_over(tick.delta);
        !self.turn.told.is_empty()
    }

    /// Works off what is due, else moves the clocks to the next instant. False: the delta is used up.
    fn pass_time(&mut self, tick: &mut Tick) -> bool {
        if self.due_now() {
            return true;
        }
        if tick.left <= NO_TIME {
            return false;
        }
        let scale = self.settings.time_scale;
        let frozen = self.clock.frozen > 0.0;
        if scale > 0.0 && self.expire(frozen) {
            return true;
        }
        let ahead = self.next_instant();
        let step = if scale > 0.0 { tick.left.min(ahead / scale) } else { tick.left };
        let mut step = step.min(self.until_played());
        if step < NO_TIME {
            // Nothing was due though an instant has come: time passes in any case, or the game stands still.
            step = tick.left.min(TIME_TOLERANCE);
        }
        self.reel.place = super::replay::Place { at: self.reel.place.at + step, step: 0 };
        tick.left -= step;
        self.clock.elapsed += step;
        self.turn.entered = 0;
        let passed = step * scale;
        if frozen {
            self.clock.frozen -= passed;
            self.thawed += passed;
            if self.clock.frozen <= TIME_TOLERANCE {
                self.clock.frozen = 0.0;
                self.turn.thaw = true;
            }
        } else {
            self.clock.now += passed;
            tick.passed += passed;
            if self.run.is_some() {
                self.clock.node += passed * self.settings.action_speed;
            }
        }
        true
    }

    fn call_hook(&mut self, tick: &mut Tick, at: usize, world: &PartsWorld) -> bool {
        let Some(run) = self.run.as_ref().filter(|run| run.id == tick.run && tick.passed > 0.0) else {
            return false;
        };
        let plan = run.first_plan();
        let Some(hook) = plan.hooks.get(at).filter(|_| plan.ticks && !run.done) else { return false };
        let delta = tick.passed.min(self.clock.now - run.since);
        tick.stage = Stage::Hooks(at + 1);
        match hook {
            HookPlan::Locomotion { .. } => {}
            HookPlan::Script(calls) => {
                if calls.tick {
                    let (run, node, hook) = (run.id, run.node, at as u32);
                    self.tell(Effect::HookTick { run, node, hook, delta });
                }
            }
            HookPlan::CancelOnMovement { .. } => {
                if run.may_be_cut(self.clock.node) && self.desk.tape.say(|| hook.cuts(world)) {
                    self.begin_change(Change::to_root(MoveEnd::Cancelled));
                }
            }
            HookPlan::Drain { tag, per_second, end } => {
                let Some(row) = world.vital(*tag).filter(|vital| vital.row) else { return true };
                let (amount, empty) = drained(row.value, *per_second, delta);
                let (tag, end) = (*tag, *end);
                if self.desk.tape.say(|| empty) {
                    tick.stage = Stage::Drained(at, end);
                }
                if amount > 0.0 {
                    self.tell(Effect::Drain { tag, amount });
                }
            }
        }
        true
    }

    fn drain_ended(&mut self, tick: &Tick, end: DrainEnd) {
        let Some(run) = self.run.as_ref().filter(|run| run.id == tick.run) else { return };
        match end {
            DrainEnd::Finish => self.complete(),
            DrainEnd::Cancel if run.may_be_cut(self.clock.node) => {
                self.begin_change(Change::to_root(MoveEnd::Cancelled));
            }
            DrainEnd::Cancel | DrainEnd::Nothing => {}
        }
    }

    /// Finds out up to when nothing happens by itself.
    pub(super) fn look_ahead(&mut self) {
        let ticks = self.run.as_ref().is_some_and(|run| run.first_plan().ticks);
        let calm = !ticks
            && self.clock.frozen <= 0.0
            && self.turn.calls.is_empty()
            && self.recorder.is_idle()
            && self.reel.is_empty();
        if !calm {
            return self.clock.calm.stop();
        }
        let slack = 2.0 * TIME_TOLERANCE;
        let player = self.cooldowns.next_due().min(self.clock.now + self.next_expiry(false));
        let (node, action_speed) = match &self.run {
            Some(run) => (self.next_in_run(run), self.settings.action_speed),
            None => (f64::INFINITY, 0.0),
        };
        self.clock.calm = Calm {
            now: player - slack,
            node: node - slack,
            time_scale: self.settings.time_scale,
            action_speed,
        };
    }
}
