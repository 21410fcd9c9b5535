//! The worlds in which rays are cast, and whether any may be cast now.

use std::sync::LazyLock;

use godot::classes::{
    Engine, PhysicsDirectSpaceState2D, PhysicsDirectSpaceState3D, ProjectSettings, World2D, World3D,
};
use godot::obj::{Gd, InstanceId, Singleton as _};
use riposte_core::perception::SpaceId;

use super::state;

/// Answers ray queries of one world.
pub(crate) enum Space {
    Three(Gd<PhysicsDirectSpaceState3D>),
    Two(Gd<PhysicsDirectSpaceState2D>),
}

/// Physics of a dimension has a thread of its own. The engine reads these settings once, at its start.
static OWN_THREAD: LazyLock<[bool; 2]> = LazyLock::new(|| {
    let threaded = |name: &str| {
        let setting = ProjectSettings::singleton().get_setting_with_override(name);
        setting.try_to::<bool>().unwrap_or(false)
    };
    [threaded("physics/3d/run_on_separate_thread"), threaded("physics/2d/run_on_separate_thread")]
});

/// False when physics of this dimension has a thread of its own and this is not its step.
pub(crate) fn may_cast(planar: bool) -> bool {
    !OWN_THREAD[usize::from(planar)] || Engine::singleton().is_in_physics_frame()
}

/// Answers the ray queries of a world, if rays may be cast now. Never asks the engine for what it would refuse with an
/// error of its own.
pub(crate) fn of_world(world: InstanceId, planar: bool) -> Option<Space> {
    if !may_cast(planar) {
        return None;
    }
    if planar {
        let world = Gd::<World2D>::try_from_instance_id(world).ok()?;
        world.get_direct_space_state().map(Space::Two)
    } else {
        let world = Gd::<World3D>::try_from_instance_id(world).ok()?;
        world.get_direct_space_state().map(Space::Three)
    }
}

/// Spaces that one tick has asked for: of each world once.
#[derive(Default)]
pub(crate) struct Spaces {
    known: Vec<(SpaceId, Option<Space>)>,
}

impl Spaces {
    /// The space in which to cast; none if that is not possible now.
    pub(crate) fn get(&mut self, id: SpaceId) -> Option<&mut Space> {
        let at = self.known.iter().position(|(known, _)| *known == id).unwrap_or_else(|| {
            let world = state::with(|state| state.world_of(id));
            self.known.push((id, world.and_then(|(world, planar)| of_world(world, planar))));
            self.known.len() - 1
        });
        self.known[at].1.as_mut()
    }
}
