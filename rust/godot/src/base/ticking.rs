//! When a node steps: in the physics step, in the idle frame, or when it is told to.

use godot::classes::node::InternalMode;
use godot::classes::{Engine, INode, Node, Object};
use godot::obj::{Base, Gd, GodotClass, Inherits, NewAlloc as _, Singleton as _};
use godot::register::{GodotClass, godot_api};

use super::messages;

/// Steps with the physics.
pub(crate) const PROCESS_PHYSICS: i64 = 0;
/// Steps with every drawn frame.
pub(crate) const PROCESS_IDLE: i64 = 1;
/// Steps when `advance` is called.
pub(crate) const PROCESS_MANUAL: i64 = 2;

/// A node that steps. It implements `physics_process` and `process` (both `gd_self`) by calling `tick`.
pub(crate) trait Ticker: GodotClass + Inherits<Node> {
    /// One step of `delta` seconds, not yet scaled. Nothing is bound.
    fn tick(this: Gd<Self>, delta: f64);
}

/// Which of the engine's callbacks of a node are on. Kept beside the node's state.
#[derive(Default)]
pub(crate) struct Driven {
    ready: bool,
    now: Option<Order>,
}

/// A callback to switch on, or none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Order {
    callback: i64,
    active: bool,
}

impl Driven {
    /// Before a node is ready the engine decides. Call it from `readied`, then order anew.
    pub(crate) fn readied(&mut self) {
        self.ready = true;
        self.now = None;
    }

    /// Out of the tree nothing steps; order anew when it is back.
    pub(crate) fn forget(&mut self) {
        self.now = None;
    }

    /// The kind of step that was ordered last, by the engine's call.
    pub(crate) fn callback(&self) -> Option<i64> {
        self.now.and_then(Order::callback)
    }

    /// What [`drive`] has to switch, if anything.
    pub(crate) fn order(&mut self, callback: i64, active: bool) -> Option<Order> {
        let order = Order { callback, active };
        if !self.ready || self.now == Some(order) {
            return None;
        }
        self.now = Some(order);
        Some(order)
    }
}

impl Order {
    /// The kind of step to be made by the engine's call; `None`: none, as always in the editor.
    pub(crate) fn callback(self) -> Option<i64> {
        let called = self.callback == PROCESS_PHYSICS || self.callback == PROCESS_IDLE;
        let active = self.active && called && !Engine::singleton().is_editor_hint();
        active.then_some(self.callback)
    }
}

/// Switches the engine's callbacks of a node as ordered. Never on in the editor. Nothing may be bound.
pub(crate) fn drive<T: Ticker>(this: &Gd<T>, order: Option<Order>) {
    let Some(Order { callback, active }) = order else { return };
    let mut node: Gd<Node> = this.clone().upcast();
    let active = active && !Engine::singleton().is_editor_hint();
    let physics = active && callback == PROCESS_PHYSICS;
    let idle = active && callback == PROCESS_IDLE;
    node.set_physics_process(physics);
    node.set_process(idle);
    let taken = physics && node.has_method("_physics_process") || idle && node.has_method("_process");
    relay::<T>(&mut node, taken, physics, idle);
}

/// A script's own `_process` or `_physics_process` runs instead of ours; then a child steps for us, right after.
fn relay<T: Ticker>(node: &mut Gd<Node>, needed: bool, physics: bool, idle: bool) {
    let tick: StepOf = |node, delta| {
        if let Ok(node) = node.try_cast::<T>() {
            T::tick(node, delta);
        }
    };
    if let Some(mut relay) = relay_of(node, needed.then_some(tick)) {
        relay.set_physics_process(needed && physics);
        relay.set_process(needed && idle);
    }
}

/// One step of a node.
pub(crate) type StepOf = fn(Gd<Node>, f64);

/// Steps a node at the place that its own priority has in this kind of step; `None`: not any more.
pub(crate) fn ride(node: &mut Gd<Node>, callback: Option<i64>, step: StepOf) {
    let Some(mut relay) = relay_of(node, callback.map(|_| step)) else { return };
    relay.set_physics_process_priority(node.get_physics_process_priority());
    relay.set_process_priority(node.get_process_priority());
    relay.set_physics_process(callback == Some(PROCESS_PHYSICS));
    relay.set_process(callback == Some(PROCESS_IDLE));
}

/// The relay of a node; a new one if there is none and one is needed.
fn relay_of(node: &mut Gd<Node>, needed: Option<StepOf>) -> Option<Gd<RiposteTickRelay>> {
    let children = node.get_children_ex().include_internal(true).done();
    let known = children.iter_shared().find_map(|child| child.try_cast::<RiposteTickRelay>().ok());
    let Some(step) = needed.filter(|_| known.is_none()) else { return known };
    let mut relay = RiposteTickRelay::new_alloc();
    relay.bind_mut().step = Some(step);
    node.add_child_ex(&relay).internal(InternalMode::FRONT).done();
    Some(relay)
}

/// Whether `advance(delta)` may step the node now; says why not.
pub(crate) fn may_advance<T: Inherits<Node>>(
    this: &Gd<T>,
    callback: i64,
    stepping: bool,
    delta: f64,
) -> bool {
    let node: Gd<Node> = this.clone().upcast();
    let (reason, text) = if callback != PROCESS_MANUAL {
        (
            "callback",
            "advance() works with process_callback PROCESS_MANUAL only. Set it, or leave the stepping to the node.",
        )
    } else if stepping {
        ("stepping", "advance() was called from inside the node's own step. Call it after the step.")
    } else if !node.is_node_ready() {
        ("ready", "advance() was called before the node is ready. Add it to the tree first.")
    } else {
        return is_step(&node, delta);
    };
    messages::error(&node, "advance", reason, text);
    false
}

/// Whether `advance` got a time that may pass; a warning if not.
pub(crate) fn is_step<T: Inherits<Object>>(about: &Gd<T>, delta: f64) -> bool {
    let good = delta.is_finite() && delta >= 0.0;
    if !good {
        let text =
            format!("advance() got {delta} s, it is ignored. Give the seconds that passed, 0 or more.");
        messages::warning(about, "advance", "delta", &text);
    }
    good
}

/// Whether a script gave `member` a length of time above 0 s; an error if not.
pub(crate) fn is_duration<T: Inherits<Object>>(about: &Gd<T>, member: &str, seconds: f64) -> bool {
    let good = seconds.is_finite() && seconds > 0.0;
    if !good {
        let text = format!("{member}() got {seconds} s. Give a time above 0 s.");
        messages::error(about, member, "seconds", &text);
    }
    good
}

/// The value of a `process_callback` property: unknown numbers are refused with an error.
pub(crate) fn checked_callback<T: Inherits<Node>>(this: &Gd<T>, value: i64, old: i64, idle: bool) -> i64 {
    let allowed = matches!(value, PROCESS_PHYSICS | PROCESS_MANUAL) || value == PROCESS_IDLE && idle;
    if allowed {
        return value;
    }
    let names = if idle {
        "PROCESS_PHYSICS, PROCESS_IDLE or PROCESS_MANUAL"
    } else {
        "PROCESS_PHYSICS or PROCESS_MANUAL"
    };
    let text = format!("process_callback = {value} is refused, it stays {old}. Use {names}.");
    messages::error(&this.clone().upcast::<Node>(), "process_callback", "unknown", &text);
    old
}

/// Steps its parent, whose script has taken the parent's own callback.
#[derive(GodotClass)]
#[class(init, internal, base = Node)]
struct RiposteTickRelay {
    step: Option<fn(Gd<Node>, f64)>,
    base: Base<Node>,
}

#[godot_api]
impl INode for RiposteTickRelay {
    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        Self::step_parent(&this, delta);
    }

    #[func(gd_self)]
    fn process(this: Gd<Self>, delta: f64) {
        Self::step_parent(&this, delta);
    }
}

impl RiposteTickRelay {
    fn step_parent(this: &Gd<Self>, delta: f64) {
        let step = this.bind().step;
        if let (Some(step), Some(parent)) = (step, this.get_parent()) {
            step(parent, delta);
        }
    }
}
