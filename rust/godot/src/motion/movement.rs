//! The settings of an ability or an animation about moving, and what they hold while it runs.

use std::sync::OnceLock;

use godot::classes::Node3D;
use godot::prelude::*;
use riposte_core::tags::TagId;

use super::guard_state::Hold;
use super::warp_state;
use crate::agent;
use crate::base::lookup::{self, Part};
use crate::base::tags;

/// The settings.
#[derive(Clone, Debug)]
pub(crate) struct Movement {
    pub(crate) lock_rotation: bool,
    pub(crate) prevent_ledge_fall: bool,
    /// Empty: no warp target.
    pub(crate) warp_target_name: StringName,
    pub(crate) warp_offset: f64,
    /// Nearer than this there is no warp target; 0: always.
    pub(crate) warp_skip_distance: f64,
}

/// What is held while it runs. To be given back by [`Moving::release`], with nothing bound or locked.
#[derive(Default)]
pub(crate) struct Moving {
    tagged: Option<InstanceId>,
    hold: Option<Hold>,
    /// The node and the number of the target.
    warp: Option<(InstanceId, u64)>,
}

impl Movement {
    /// Takes what is asked for: the tag, the guard for `holder`, the warp target. What the agent has no node for is left
    /// out. Runs handlers of the game: nothing may be bound or locked.
    pub(crate) fn begin(&self, agent: InstanceId, holder: InstanceId, target: Option<&Gd<Node>>) -> Moving {
        let tagged = self.lock_rotation.then(|| agent::add_tags(agent, &[rotation_locked()])).flatten();
        let mut moving = Moving { tagged, ..Moving::default() };
        self.aim(&mut moving, agent, target);
        moving.hold = self.prevent_ledge_fall.then(|| Hold::acquire(agent, holder)).flatten();
        moving
    }

    /// It goes on with another target.
    pub(crate) fn retarget(&self, moving: &mut Moving, agent: InstanceId, target: Option<&Gd<Node>>) {
        moving.clear_target();
        self.aim(moving, agent, target);
    }

    fn aim(&self, moving: &mut Moving, agent: InstanceId, target: Option<&Gd<Node>>) {
        let target = target.and_then(|node| node.clone().try_cast::<Node3D>().ok());
        let warp = lookup::part_of(agent, Part::MotionWarp);
        if let Some((node, warp)) = target.zip(warp).filter(|_| !self.warp_target_name.is_empty())
            && !self.is_too_near(agent, &node)
        {
            let name = self.warp_target_name.to_string();
            let serial = warp_state::set_target(warp, &name, &node, self.warp_offset);
            moving.warp = serial.map(|serial| (warp, serial));
        }
    }

    fn is_too_near(&self, agent: InstanceId, target: &Gd<Node3D>) -> bool {
        let body = Gd::<Node3D>::try_from_instance_id(agent).ok();
        let Some(body) = body.filter(|body| body.is_inside_tree() && target.is_inside_tree()) else {
            return false;
        };
        let distance = body.get_global_position().distance_to(target.get_global_position());
        self.warp_skip_distance > 0.0 && f64::from(distance) < self.warp_skip_distance
    }
}

impl Moving {
    /// Gives everything back; once. Runs handlers of the game: nothing may be bound or locked.
    pub(crate) fn release(mut self) {
        self.clear_target();
        if let Some(container) = self.tagged.take() {
            agent::remove_tags(container, &[rotation_locked()]);
        }
        if let Some(hold) = self.hold.take() {
            hold.release();
        }
    }

    fn clear_target(&mut self) {
        if let Some((warp, serial)) = self.warp.take() {
            warp_state::with(warp, |state| state.warp.clear_own(serial));
        }
    }
}

fn rotation_locked() -> TagId {
    static TAG: OnceLock<TagId> = OnceLock::new();
    *TAG.get_or_init(|| tags::intern("State.RotationLocked").expect("a tag"))
}
