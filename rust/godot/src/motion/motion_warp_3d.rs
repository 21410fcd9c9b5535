use godot::classes::Node3D;
use godot::prelude::*;
use riposte_core::motion::WarpTarget;

use super::warp_state::{self, State, with};
use super::{body, guard_step, warp_step};
use crate::base::convert::{dvec3, vector3};
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::lookup::{self, Part};
use crate::base::messages;
use crate::base::numbers::Checked;
use crate::base::ticking::{self, PROCESS_PHYSICS, Ticker};
use crate::perception::NodeArg;

/// Steers an agent to a target while a window is open, so that a blow arrives where the target is.
///
/// Add it as a child of the agent, a [CharacterBody3D]; behind the nodes that move it, if there are any. An action or
/// an ability sets the warp target, markers of its animation open and close the window: `warp_begin_Target` and
/// `warp_end_Target`. In between, the agent's way and turn of each physics step are such that it arrives when the window
/// ends, however the target moves. After that the attack is committed. Without this node all warp settings do nothing.
#[derive(GodotClass)]
#[class(init, tool, base = Node)]
pub struct MotionWarp3D {
    /// The agent that is steered, a [CharacterBody3D]. Empty: the parent.
    #[export]
    #[var(set = set_agent_path)]
    agent_path: NodePath,
    /// How the agent is moved: Auto corrects its place after it has moved by itself, by root motion or velocity; Manual
    /// leaves it to the agent's script, which calls [method warp_velocity].
    #[export(enum = (Auto = 0, Manual = 1))]
    #[var(set = set_mode)]
    mode: i64,
    /// The agent turns to the target while a window is open, also under the tag `State.RotationLocked`. Default on.
    #[export]
    #[var(set = set_warp_rotation)]
    #[init(val = true)]
    warp_rotation: bool,
    /// The height is warped too. Default off: the agent keeps its own height.
    #[export]
    #[var(set = set_warp_vertical)]
    warp_vertical: bool,
    /// The fastest that the agent is moved, in m/s. Default 20; 0 is no cap. A target that is too far away is not
    /// reached then.
    #[export(range = (0.0, 100.0, 0.1, or_greater, suffix = "m/s"))]
    #[var(set = set_max_speed)]
    #[init(val = 20.0)]
    max_speed: f64,
    /// How the markers of an animation begin that open and close windows. Default `warp_`.
    #[export]
    #[var(set = set_marker_prefix)]
    #[init(val = "warp_".into())]
    marker_prefix: GString,
    /// Speed of the windows; 0 stands still. Default 1.
    #[export(range = (0.0, 4.0, 0.01, or_greater))]
    #[var(set = set_time_scale)]
    #[init(val = 1.0)]
    time_scale: f64,
    #[init(val = Hooked::new::<Self>(&base))]
    #[expect(dead_code, reason = "its construction connects the lifecycle")]
    hooked: Hooked,
    #[init(val = State::create(base.to_init_gd().instance_id()))]
    id: InstanceId,
    base: Base<Node>,
}

#[godot_api]
impl MotionWarp3D {
    /// The node corrects the agent after it has moved in the physics step.
    #[constant]
    const MODE_AUTO: i64 = 0;
    /// The agent's script asks [method warp_velocity] before it moves.
    #[constant]
    const MODE_MANUAL: i64 = 1;

    /// A window opened.
    #[signal]
    pub fn window_started(name: StringName);

    /// A window ended; [param reached]: the agent is within 0.05 m of its warp point.
    #[signal]
    pub fn window_ended(name: StringName, reached: bool);

    /// Warps to a node from now on, in windows of this name. [param offset] is the distance in metres in front of the
    /// target at which the agent ends; nearer than that it is not moved. A target that is freed keeps its last place.
    #[func(gd_self)]
    pub fn set_target(this: Gd<Self>, name: StringName, target: NodeArg, #[opt(default = 1.0)] offset: f64) {
        let Some(target) = target.0.and_then(|node| node.try_cast::<Node3D>().ok()) else {
            let text = "set_target() got no Node3D. Give a node in 3D, or use set_target_point().";
            messages::error(&this, "set_target", "target", text);
            return;
        };
        if let Some(offset) = checked_offset(&this, offset) {
            warp_state::set_target(this.instance_id(), &name.to_string(), &target, offset);
        }
    }

    /// Warps to a point from now on, in windows of this name. The agent ends on the point itself.
    #[func(gd_self)]
    pub fn set_target_point(this: Gd<Self>, name: StringName, point: Vector3) {
        if !point.is_finite() {
            let text = "set_target_point() got a point that is not finite. Give a place in the world.";
            messages::error(&this, "set_target_point", "point", text);
            return;
        }
        let target = WarpTarget { point: dvec3(point), follows: None, offset: 0.0 };
        with(this.instance_id(), |state| state.warp.set_target(&name.to_string(), target));
    }

    /// Forgets the target of a name; a window of that name then does nothing. False if it has none.
    #[func(gd_self)]
    pub fn clear_target(this: Gd<Self>, name: StringName) -> bool {
        let name = name.to_string();
        let cleared = with(this.instance_id(), |state| state.warp.clear_target(&name)).unwrap_or(false);
        if !cleared {
            let text = format!("clear_target() got the name \"{name}\", which has no target: no effect.");
            messages::note(&this, &text);
        }
        cleared
    }

    /// Opens a window for some seconds, for the target of the same name, which may be set later. An open window lasts that
    /// long from now on. Of several the one that was opened first is followed. False, with a warning, for 0 s or less.
    #[func(gd_self)]
    pub fn begin_window(this: Gd<Self>, name: StringName, duration: f64) -> bool {
        if !duration.is_finite() || duration <= 0.0 {
            let text =
                format!("begin_window() got {duration} s, no window is opened. Give a time above 0 s.");
            messages::warning(&this, "begin_window", "duration", &text);
            return false;
        }
        Self::open(&this, &name.to_string(), duration);
        true
    }

    /// Ends a window before its time. False if it is not open.
    #[func(gd_self)]
    pub fn end_window(this: Gd<Self>, name: StringName) -> bool {
        let name = name.to_string();
        let ended = Self::close(&this, &name);
        if !ended {
            let text =
                format!("end_window() got the name \"{name}\", of which no window is open: no effect.");
            messages::note(&this, &text);
        }
        ended
    }

    /// True while this window is open; without a name, while any is.
    #[func(gd_self)]
    pub fn is_window_active(this: Gd<Self>, #[opt(default = "")] name: StringName) -> bool {
        with(this.instance_id(), |state| state.warp.is_open(&name.to_string())).unwrap_or(false)
    }

    /// Where the agent is steered to in windows of this name. Its own place if the name has no target.
    #[func(gd_self)]
    pub fn get_warp_point(this: Gd<Self>, name: StringName) -> Vector3 {
        let id = this.instance_id();
        warp_state::see_targets(id);
        let at = agent_position(id).unwrap_or_default();
        let target = with(id, |state| state.warp.target(&name.to_string()).copied()).flatten();
        target.map_or(at, |target| vector3(target.warp_point(dvec3(at))))
    }

    /// The velocity to move with in this physics step: [param velocity] while nothing is warped. For
    /// [constant MODE_MANUAL]: call it before `move_and_slide()` with the delta of `_physics_process`.
    #[func(gd_self)]
    pub fn warp_velocity(this: Gd<Self>, velocity: Vector3, delta: f64) -> Vector3 {
        if ticking::is_duration(&this, "warp_velocity", delta) {
            warp_step::velocity(this.instance_id(), velocity, delta)
        } else {
            velocity
        }
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
    fn set_warp_rotation(&mut self, value: bool) {
        self.warp_rotation = value;
        with(self.id, |state| state.rotation = value);
    }

    #[func]
    fn set_warp_vertical(&mut self, value: bool) {
        self.warp_vertical = value;
        with(self.id, |state| state.limits.vertical = value);
    }

    #[func]
    fn set_max_speed(&mut self, value: f64) {
        self.max_speed = self.not_negative("max_speed", value, self.max_speed);
        with(self.id, |state| state.limits.max_speed = self.max_speed);
    }

    #[func]
    fn set_marker_prefix(&mut self, value: GString) {
        with(self.id, |state| state.prefix = value.to_string());
        self.marker_prefix = value;
    }

    #[func]
    fn set_time_scale(&mut self, value: f64) {
        self.time_scale = self.not_negative("time_scale", value, self.time_scale);
        with(self.id, |state| state.time_scale = self.time_scale);
    }
}

#[godot_api]
impl INode for MotionWarp3D {
    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        Self::tick(this, delta);
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let node = self.to_gd().upcast();
        let mut warnings = lookup::warnings(&node, &self.agent_path, Part::MotionWarp);
        warnings.extend(body::warning(&node, &self.agent_path));
        warnings.iter().map(GString::from).collect()
    }
}

impl Lifecycle for MotionWarp3D {
    fn entered(this: Gd<Self>) {
        Self::find_agent(&this);
        Self::update_ticking(&this);
    }

    fn readied(this: Gd<Self>) {
        Self::find_agent(&this);
        with(this.instance_id(), |state| state.driven.readied());
        Self::update_ticking(&this);
    }

    fn exiting(this: Gd<Self>) {
        let id = this.instance_id();
        body::follow_steps(&this, false, warp_step::begin);
        let at = agent_position(id).map(dvec3);
        lookup::detach(id);
        let ended = with(id, |state| {
            state.driven.forget();
            let limits = state.limits;
            state.warp.count(f64::INFINITY, &limits, at)
        });
        warp_state::tell(&this, &ended.unwrap_or_default());
    }
}

impl Ticker for MotionWarp3D {
    fn tick(this: Gd<Self>, delta: f64) {
        let id = this.instance_id();
        let agent = lookup::agent_of(id);
        let ended = warp_step::step(id, delta);
        // The guard has the last word.
        agent.into_iter().for_each(guard_step::after_warp);
        if this.is_instance_valid() {
            warp_state::tell(&this, &ended);
        }
        if this.is_instance_valid() {
            Self::update_ticking(&this);
        }
    }
}

impl MotionWarp3D {
    /// Opens a window; nothing is bound.
    pub(super) fn open(this: &Gd<Self>, name: &str, seconds: f64) {
        let id = this.instance_id();
        let new = with(id, |state| state.warp.open(name, seconds)).unwrap_or(false);
        Self::update_ticking(this);
        if new {
            this.signals().window_started().emit(&StringName::from(name));
        }
    }

    /// Closes a window; nothing is bound.
    pub(super) fn close(this: &Gd<Self>, name: &str) -> bool {
        let id = this.instance_id();
        warp_state::see_targets(id);
        let at = agent_position(id).map(dvec3);
        let ended = with(id, |state| {
            let limits = state.limits;
            state.warp.close(name, &limits, at)
        });
        let Some(ended) = ended.flatten() else { return false };
        Self::update_ticking(this);
        warp_state::tell(this, &[ended]);
        true
    }

    fn find_agent(this: &Gd<Self>) {
        let path = this.bind().agent_path.clone();
        lookup::attach(&this.clone().upcast(), &path, Part::MotionWarp);
    }

    /// The node is stepped only while a window is open.
    fn update_ticking(this: &Gd<Self>) {
        let id = this.instance_id();
        let in_tree = this.is_inside_tree();
        let order = with(id, |state| {
            let active = in_tree && state.warp.is_open("");
            state.driven.order(PROCESS_PHYSICS, active)
        });
        let Some(order) = order.flatten() else { return };
        let active = order.callback().is_some();
        if let Some(agent) = lookup::agent_of(id).filter(|_| active) {
            body::step_after(this, agent);
            warp_step::begin(id);
        }
        body::follow_steps(this, active, warp_step::begin);
        ticking::drive(this, Some(order));
    }
}

impl Drop for MotionWarp3D {
    fn drop(&mut self) {
        warp_state::remove(self.id);
    }
}

fn agent_position(id: InstanceId) -> Option<Vector3> {
    let agent = lookup::agent_of(id)?;
    let node = Gd::<Node3D>::try_from_instance_id(agent).ok().filter(|node| node.is_inside_tree())?;
    Some(node.get_global_position())
}

/// What is not finite is refused with an error; what is negative is read as 0.
fn checked_offset(this: &Gd<MotionWarp3D>, offset: f64) -> Option<f64> {
    if !offset.is_finite() {
        let text = "set_target() got an offset that is not finite. Give metres, 0 or more.";
        messages::error(this, "set_target", "offset", text);
        return None;
    }
    if offset < 0.0 {
        let text = format!("set_target() got the offset {offset}, it is read as 0. Give metres, 0 or more.");
        messages::warning(this, "set_target", "negative", &text);
    }
    Some(offset.max(0.0))
}
