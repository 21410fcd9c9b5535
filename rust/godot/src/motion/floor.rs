//! Whether there is floor, by rays, and how many of them are cast.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use godot::classes::{
    CharacterBody3D, Engine, Os, Performance, PhysicsDirectSpaceState3D, PhysicsRayQueryParameters3D,
};
use godot::meta::ref_to_arg;
use godot::prelude::*;

use super::body::frame;
use crate::perception;

/// Slack of heights and slopes.
const TOLERANCE: f32 = 0.001;
const SLOPE_TOLERANCE: f32 = 0.01;

const MONITOR: &str = "riposte/ledge_guard_rays";

/// The step in which rays were cast last, and how many.
static LAST_FRAME: AtomicU64 = AtomicU64::new(0);
static RAYS: AtomicU64 = AtomicU64::new(0);
static SHOWN: AtomicBool = AtomicBool::new(false);

/// Looks for floor around one body.
pub(super) struct Floor {
    space: Gd<PhysicsDirectSpaceState3D>,
    query: Option<Gd<PhysicsRayQueryParameters3D>>,
    up: Vector3,
    steepest: f32,
}

impl Floor {
    /// `None` if no rays can be cast now.
    pub(super) fn around(body: &Gd<CharacterBody3D>, mask: u32) -> Option<Self> {
        if !perception::may_cast_rays() {
            return None;
        }
        let space = body.get_world_3d()?.get_direct_space_state()?;
        let mut query = PhysicsRayQueryParameters3D::new_gd();
        query.set_collision_mask(mask);
        query.set_exclude(&array![body.get_rid()]);
        query.set_hit_from_inside(false);
        let (up, steepest) = (body.get_up_direction(), body.get_floor_max_angle() + SLOPE_TOLERANCE);
        Some(Self { space, query: Some(query), up, steepest })
    }

    /// Whether something to stand on is within `reach` above or below `feet`.
    pub(super) fn is_at(&mut self, feet: Vector3, above: f32, below: f32) -> bool {
        if let Some(query) = &mut self.query {
            query.set_from(feet + Vector3::UP * (above + TOLERANCE));
            query.set_to(feet - Vector3::UP * (below + TOLERANCE));
        }
        count();
        let hit = self.space.intersect_ray(ref_to_arg(&self.query));
        let normal = hit.get("normal").and_then(|normal| normal.try_to::<Vector3>().ok());
        normal.is_some_and(|normal| normal.angle_to(self.up) <= self.steepest)
    }
}

fn count() {
    let now = frame();
    if LAST_FRAME.swap(now, Ordering::Relaxed) != now {
        RAYS.store(0, Ordering::Relaxed);
    }
    RAYS.fetch_add(1, Ordering::Relaxed);
}

/// Rays of this physics step.
fn rays() -> i64 {
    if LAST_FRAME.load(Ordering::Relaxed) == frame() { RAYS.load(Ordering::Relaxed) as i64 } else { 0 }
}

/// Shows the number of rays in the debugger, in debug builds of a game.
pub(super) fn show_monitor() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if Engine::singleton().is_editor_hint() || !Os::singleton().is_debug_build() {
            return;
        }
        SHOWN.store(true, Ordering::Relaxed);
        let read = Callable::from_sync_fn("riposte_monitor", |_| rays().to_variant());
        Performance::singleton().add_custom_monitor(MONITOR, &read);
    });
}

/// What the monitor calls is code of this library: it has to go before that does.
pub(crate) fn remove_monitors() {
    if SHOWN.swap(false, Ordering::Relaxed) && Performance::singleton().has_custom_monitor(MONITOR) {
        Performance::singleton().remove_custom_monitor(MONITOR);
    }
}
