//! Steps that ask nobody but the method of what runs: most of them.

use godot::prelude::*;
use riposte_core::action::{Quiet, SpareStack, TargetKey};

use super::ticks::{self, Tick};
use super::{Asked, STATES, State, pump, with};
use crate::action::method_run::Delta;
use crate::base::engine_reads::{self, Reader};
use crate::base::network;

/// Somebody else may decide for nodes of this program.
pub(super) fn is_networked() -> bool {
    network::is_networked_now() || network::was_client()
}

impl State {
    /// Nothing has to be found out before a step of this length.
    pub(super) fn is_plain(&self, scaled: f64, networked: bool) -> bool {
        !networked
            && !self.retired
            && self.following.is_local()
            && self.holders.is_empty()
            && !self.follows_motion()
            && self.weapon.is_none_or(engine_reads::lives)
            && !(self.lod.enabled && self.core.is_due_in(scaled))
    }

    /// As far as a step comes that asks nobody.
    pub(super) fn step_quietly(&mut self, scaled: f64, spare: &mut SpareStack) -> Quiet {
        let Self { core, aim, .. } = self;
        core.step_quietly(scaled, |target| is_there(aim, target), spare)
    }
}

/// True if a target is in the tree and about to stay there. Only getters of nodes are called: the states may be locked.
fn is_there(aim: &mut Option<Reader>, target: TargetKey) -> bool {
    let id = target.0.cast_signed();
    if aim.is_none_or(|reader| reader.id().to_i64() != id) {
        *aim = InstanceId::try_from_i64(id).and_then(Reader::of);
    }
    let node = aim.as_ref().and_then(Reader::live);
    node.is_some_and(|node| node.is_inside_tree() && !node.is_queued_for_deletion())
}

/// How far a step came.
enum Way {
    /// Nothing was done: it asks more.
    Slow,
    Over,
    Tick(Tick),
    Pump(Asked),
}

/// One step of one node, if it is such a step; false, and nothing done, if not. `delta` is not yet scaled.
pub(super) fn step(id: InstanceId, delta: f64) -> bool {
    let mut spare = ticks::take_spare();
    let way = begin(id, delta, &mut spare);
    let is_step = !matches!(way, Way::Slow);
    let asked = match way {
        Way::Slow | Way::Over => None,
        Way::Pump(asked) => Some(asked),
        Way::Tick(tick) => {
            tick.call(&Delta::new(tick.seconds));
            tick.end(&mut STATES.lock(), &mut spare)
        }
    };
    ticks::keep_spare(spare);
    if let Some(asked) = asked {
        pump(id, 0, asked, None);
        with(id, |state| state.stepping = false);
    }
    is_step
}

fn begin(id: InstanceId, delta: f64, spare: &mut SpareStack) -> Way {
    let networked = is_networked();
    let mut states = STATES.lock();
    let Some(at) = states.handle(id) else { return Way::Over };
    let Some(state) = states.at_mut(at) else { return Way::Over };
    let seconds = delta * state.time_scale;
    let counts = seconds > 0.0 && !state.stepping;
    if !counts || !state.is_plain(seconds, networked) {
        return Way::Slow;
    }
    if !state.agent.is_some_and(engine_reads::lives) {
        return Way::Over;
    }
    match state.step_quietly(seconds, spare) {
        Quiet::No => return Way::Slow,
        Quiet::Over => return Way::Over,
        Quiet::Due => state.core.decide_due(),
        Quiet::Tick(ticket, run) => {
            state.stepping = true;
            return Way::Tick(Tick { id, at, ticket, run, seconds });
        }
    }
    state.stepping = true;
    Way::Pump(Asked::next(state, 0))
}
