//! The state behind [`MotionWarp3D`] nodes, and what methods and abilities ask of it.

use godot::classes::Node3D;
use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::motion::{Ended, Warp, WarpLimits, WarpTarget};

use super::MotionWarp3D;
use crate::base::convert::dvec3;
use crate::base::lookup::{self, Part};
use crate::base::store::NodeStore;
use crate::base::{callbacks, ticking};

/// What a step needs, found by the node's id.
pub(super) struct State {
    pub(super) warp: Warp,
    pub(super) driven: ticking::Driven,
    pub(super) manual: bool,
    pub(super) rotation: bool,
    pub(super) limits: WarpLimits,
    pub(super) time_scale: f64,
    pub(super) prefix: String,
    /// Where the agent was when this physics step began.
    pub(super) start: Option<Vector3>,
    /// The last physics step that was made.
    pub(super) stepped: u64,
}

static WARPS: Mutex<NodeStore<State>> = Mutex::new(NodeStore::new());

impl State {
    pub(super) fn create(id: InstanceId) -> InstanceId {
        let state = Self {
            warp: Warp::default(),
            driven: ticking::Driven::default(),
            manual: false,
            rotation: true,
            limits: WarpLimits { vertical: false, max_speed: 20.0 },
            time_scale: 1.0,
            prefix: "warp_".to_owned(),
            start: None,
            stepped: 0,
        };
        WARPS.lock().insert(id, state);
        id
    }
}

pub(super) fn with<R>(id: InstanceId, f: impl FnOnce(&mut State) -> R) -> Option<R> {
    WARPS.lock().get_mut(id).map(f)
}

pub(super) fn remove(id: InstanceId) {
    drop(WARPS.lock().remove(id));
}

/// Sets a target that is a node, and follows it until it is freed. Answers the number of this target.
pub(super) fn set_target(id: InstanceId, name: &str, node: &Gd<Node3D>, offset: f64) -> Option<u64> {
    let point = if node.is_inside_tree() { node.get_global_position() } else { node.get_position() };
    let follows = Some(node.instance_id().to_i64());
    // Where it was last is what counts when it is gone.
    callbacks::connect(node, "tree_exiting", id, "riposte_warp_target", see_targets);
    with(id, |state| state.warp.set_target(name, WarpTarget { point: dvec3(point), follows, offset }))
}

/// Looks where the targets are.
pub(super) fn see_targets(id: InstanceId) {
    let followed = with(id, |state| state.warp.followed().collect::<Vec<_>>()).unwrap_or_default();
    for target in followed {
        let node =
            InstanceId::try_from_i64(target).and_then(|id| Gd::<Node3D>::try_from_instance_id(id).ok());
        if let Some(node) = node.filter(|node| node.is_inside_tree()) {
            let point = dvec3(node.get_global_position());
            with(id, |state| state.warp.saw(target, point));
        }
    }
}

/// True while a `MotionWarp3D` of the agent has a window open.
pub(crate) fn is_warping(agent: InstanceId) -> bool {
    let warp = lookup::part_of(agent, Part::MotionWarp);
    warp.and_then(|warp| with(warp, |state| state.warp.is_open(""))).unwrap_or(false)
}

/// The windows of an agent, for an animation that has them as markers.
#[derive(Clone, Copy)]
pub(crate) struct Windows(InstanceId);

impl Windows {
    /// `None` if the agent has no `MotionWarp3D`.
    pub(crate) fn of(agent: InstanceId) -> Option<Self> {
        lookup::part_of(agent, Part::MotionWarp).map(Self)
    }

    /// How the markers of windows begin.
    pub(crate) fn prefix(self) -> String {
        with(self.0, |state| state.prefix.clone()).unwrap_or_default()
    }

    /// Opens a window. Runs handlers of the game.
    pub(crate) fn open(self, name: &str, seconds: f64) {
        if let Ok(node) = Gd::<MotionWarp3D>::try_from_instance_id(self.0) {
            MotionWarp3D::open(&node, name, seconds);
        }
    }

    /// Closes a window. Runs handlers of the game.
    pub(crate) fn close(self, name: &str) {
        if let Ok(node) = Gd::<MotionWarp3D>::try_from_instance_id(self.0) {
            MotionWarp3D::close(&node, name);
        }
    }
}

/// What windows told at their end, in order.
pub(super) fn tell(node: &Gd<MotionWarp3D>, ended: &[Ended]) {
    for end in ended {
        if !node.is_instance_valid() {
            return;
        }
        node.signals().window_ended().emit(&StringName::from(&end.name), end.reached);
    }
}
