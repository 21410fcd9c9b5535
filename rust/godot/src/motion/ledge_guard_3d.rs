use godot::prelude::*;

use super::guard_state::{self, State, change, with};
use super::{body, floor, guard_step};
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::lookup::{self, Part};
use crate::base::messages;
use crate::base::numbers::Checked;
use crate::base::ticking::{self, PROCESS_PHYSICS, Ticker};
use crate::optional::Optional;

/// Keeps an agent on its ledge while somebody asks for it: a dodge slides along the edge instead of over it.
///
/// Add it as a child of the agent, a [CharacterBody3D] that moves with `move_and_slide()`; behind the nodes that move it,
/// if there are any. Abilities and [AnimationMethod]s hold it while they run, scripts and animations may too. It is active
/// as long as one hold is left. It guards walking only: jumps and launches still drop.
#[derive(GodotClass)]
#[class(init, tool, base = Node)]
pub struct LedgeGuard3D {
    /// The agent that is guarded, a [CharacterBody3D]. Empty: the parent.
    #[export]
    #[var(set = set_agent_path)]
    agent_path: NodePath,
    /// How the agent is kept back: Auto replaces its step after it has moved over the edge by itself; Manual leaves it to
    /// the agent's script, which calls [method constrain].
    #[export(enum = (Auto = 0, Manual = 1))]
    #[var(set = set_mode)]
    mode: i64,
    /// The agent may go down by so many metres in one step, over stairs and slopes. Default 0.5.
    #[export(range = (0.0, 5.0, 0.01, or_greater, suffix = "m"))]
    #[var(set = set_max_step_down)]
    #[init(val = 0.5)]
    max_step_down: f64,
    /// Collision layers of what counts as floor. Default 1.
    #[export(flags_3d_physics)]
    #[var(set = set_probe_mask)]
    #[init(val = 1)]
    probe_mask: i64,
    #[init(val = Hooked::new::<Self>(&base))]
    #[expect(dead_code, reason = "its construction connects the lifecycle")]
    hooked: Hooked,
    #[init(val = State::create(base.to_init_gd().instance_id()))]
    id: InstanceId,
    base: Base<Node>,
}

#[godot_api]
impl LedgeGuard3D {
    /// The node replaces the agent's step after it has moved in the physics step.
    #[constant]
    const MODE_AUTO: i64 = 0;
    /// The agent's script asks [method constrain] before it moves.
    #[constant]
    const MODE_MANUAL: i64 = 1;

    /// The guard became active, or its last hold is gone.
    #[signal]
    pub fn guard_changed(active: bool);

    /// The agent came to an edge and is held back, or turned along it. Once, until it moves freely again.
    #[signal]
    pub fn edge_stopped();

    /// Asks for the guard until [method release], or until [param holder] is freed. Answers a handle; 0, with an error,
    /// without a holder. Each call is a hold of its own.
    #[func(gd_self)]
    pub fn acquire(this: Gd<Self>, holder: Optional<Object>) -> i64 {
        let Some(holder) = holder.0 else {
            let text = "acquire() got no holder. Give an object that lives as long as the hold, or use acquire_key().";
            messages::error(&this, "acquire", "holder", text);
            return 0;
        };
        change(&this, |holds| holds.acquire(holder.instance_id().to_i64())).unwrap_or(0)
    }

    /// Gives a hold back. False if there is no such hold any more.
    #[func(gd_self)]
    pub fn release(this: Gd<Self>, handle: i64) -> bool {
        let released = change(&this, |holds| holds.release(handle)).unwrap_or(false);
        if !released {
            let text = format!("release() got the handle {handle}, which holds nothing: no effect.");
            messages::note(&this, &text);
        }
        released
    }

    /// Asks for the guard until [method release_key], for the method track of an animation. A key holds once, however
    /// often it is acquired.
    #[func(gd_self)]
    pub fn acquire_key(this: Gd<Self>, key: StringName) {
        change(&this, |holds| holds.acquire_key(&key.to_string()));
    }

    /// Gives the hold of a key back. False if it has none.
    #[func(gd_self)]
    pub fn release_key(this: Gd<Self>, key: StringName) -> bool {
        let key = key.to_string();
        let released = change(&this, |holds| holds.release_key(&key)).unwrap_or(false);
        if !released {
            let text = format!("release_key() got the key \"{key}\", which holds nothing: no effect.");
            messages::note(&this, &text);
        }
        released
    }

    /// True while somebody holds the guard.
    #[func(gd_self)]
    pub fn is_guarding(this: Gd<Self>) -> bool {
        Self::get_hold_count(this) > 0
    }

    /// How many holds there are.
    #[func(gd_self)]
    pub fn get_hold_count(this: Gd<Self>) -> i64 {
        with(this.instance_id(), |state| state.holds.count() as i64).unwrap_or(0)
    }

    /// The step that the agent may make instead of [param displacement], in metres: along the edge, shorter, or none at
    /// all; what goes up or down in it stays. As it was while nobody holds the guard, in the air and in a jump. For
    /// [constant MODE_MANUAL]: call it in the physics step, before `move_and_slide()`, with `velocity * delta`.
    #[func(gd_self)]
    pub fn constrain(this: Gd<Self>, displacement: Vector3) -> Vector3 {
        if !displacement.is_finite() {
            let text = "constrain() got a displacement that is not finite. Give velocity * delta.";
            messages::error(&this, "constrain", "displacement", text);
            return Vector3::ZERO;
        }
        let delta = if this.is_inside_tree() { this.get_physics_process_delta_time() } else { 0.0 };
        guard_step::constrain(this.instance_id(), displacement, delta)
    }

    #[func]
    fn set_agent_path(&mut self, path: NodePath) {
        self.agent_path = path;
        let this = self.to_gd();
        let mut released = self.base_mut();
        if released.is_inside_tree() {
            Self::find_agent(&this);
        }
        released.update_configuration_warnings();
    }

    #[func]
    fn set_mode(&mut self, value: i64) {
        self.mode = self.constant("mode", value, self.mode, Self::MODE_AUTO, Self::MODE_MANUAL);
        let manual = self.mode == Self::MODE_MANUAL;
        with(self.id, |state| state.manual = manual);
    }

    #[func]
    fn set_max_step_down(&mut self, value: f64) {
        self.max_step_down = self.not_negative("max_step_down", value, self.max_step_down);
        with(self.id, |state| state.max_step_down = self.max_step_down);
    }

    #[func]
    fn set_probe_mask(&mut self, value: i64) {
        self.probe_mask = self.clamped_int("probe_mask", value, 0, i64::from(u32::MAX));
        with(self.id, |state| state.mask = self.probe_mask as u32);
    }
}

#[godot_api]
impl INode for LedgeGuard3D {
    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        Self::tick(this, delta);
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let node = self.to_gd().upcast();
        let mut warnings = lookup::warnings(&node, &self.agent_path, Part::LedgeGuard);
        warnings.extend(body::warning(&node, &self.agent_path));
        warnings.iter().map(GString::from).collect()
    }
}

impl Lifecycle for LedgeGuard3D {
    fn entered(this: Gd<Self>) {
        Self::find_agent(&this);
        Self::update_ticking(&this);
    }

    fn readied(this: Gd<Self>) {
        Self::find_agent(&this);
        with(this.instance_id(), |state| state.driven.readied());
        Self::update_ticking(&this);
        floor::show_monitor();
    }

    fn exiting(this: Gd<Self>) {
        body::follow_steps(&this, false, guard_step::begin);
        lookup::detach(this.instance_id());
        with(this.instance_id(), |state| {
            state.driven.forget();
            (state.start, state.put_at) = (None, None);
        });
    }
}

impl Ticker for LedgeGuard3D {
    fn tick(this: Gd<Self>, _delta: f64) {
        guard_step::forget_freed(&this);
        if this.is_instance_valid() {
            guard_step::step(this.instance_id());
        }
    }
}

impl LedgeGuard3D {
    fn find_agent(this: &Gd<Self>) {
        let path = this.bind().agent_path.clone();
        lookup::attach(&this.clone().upcast(), &path, Part::LedgeGuard);
    }

    /// The node is stepped only while somebody holds the guard.
    pub(super) fn update_ticking(this: &Gd<Self>) {
        let id = this.instance_id();
        let in_tree = this.is_inside_tree();
        let order = with(id, |state| {
            let active = in_tree && state.holds.count() > 0;
            state.driven.order(PROCESS_PHYSICS, active)
        });
        let Some(order) = order.flatten() else { return };
        let active = order.callback().is_some();
        if let Some(agent) = lookup::agent_of(id).filter(|_| active) {
            let feet = body::of(agent).map_or(0.0, |body| body::feet(&body));
            with(id, |state| state.feet = feet);
            body::step_after(this, agent);
            guard_step::begin(id);
        }
        body::follow_steps(this, active, guard_step::begin);
        ticking::drive(this, Some(order));
    }
}

impl Drop for LedgeGuard3D {
    fn drop(&mut self) {
        guard_state::remove(self.id);
    }
}
