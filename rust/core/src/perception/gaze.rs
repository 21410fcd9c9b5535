//! What a scan reads of a perceiver.

use glam::DVec3;

use crate::random::mix;

use super::frame::{Pose, View, forward};
use super::perceiver::{Perceiver, PerceiverKey};
use super::settings::Cone;
use super::space::SpaceId;
use super::target::NodeId;

/// What a scan reads of a perceiver, in two lines of memory: between two ticks the game throws everything out of the
/// caches, so what is far apart is slow to come by.
#[derive(Clone, Copy, Debug)]
#[repr(align(128))]
pub(super) struct Gaze {
    pub(super) key: PerceiverKey,
    pub(super) agent: NodeId,
    /// The mark of the agent, see [`mark`].
    pub(super) mark: u64,
    eye_offset: DVec3,
    facing_offset_degrees: f64,
    pub(super) radius: f64,
    pub(super) auto_detect_radius: f64,
    pub(super) cone: Cone,
    /// Aim points that must be visible, by the target's stance.
    pub(super) needed: [u32; 3],
    /// Records kept.
    pub(super) most: u32,
    pub(super) space: Option<SpaceId>,
    use_model_front: bool,
    /// Enabled, with sight on.
    pub(super) looks: bool,
    /// Enabled, and bodies muffle what it hears.
    pub(super) listens: bool,
    /// Everybody is accepted.
    pub(super) open: bool,
}

impl Gaze {
    pub(super) fn of(perceiver: &Perceiver) -> Self {
        let settings = &perceiver.settings;
        Self {
            key: perceiver.key,
            agent: perceiver.place.agent,
            mark: mark(perceiver.place.agent),
            eye_offset: settings.eye_offset,
            facing_offset_degrees: settings.facing_offset_degrees,
            radius: settings.sight_radius,
            auto_detect_radius: settings.auto_detect_radius,
            cone: perceiver.cone,
            needed: settings.needed_points(),
            most: settings.max_perceived_targets,
            space: perceiver.place.space,
            use_model_front: settings.use_model_front,
            looks: settings.enabled && settings.sight_enabled,
            listens: settings.enabled && settings.hearing_occlusion,
            open: perceiver.affiliation.is_open(),
        }
    }

    pub(super) fn view(&self, pose: &Pose, planar: bool) -> View {
        View {
            origin: pose.origin,
            eye: pose.point(self.eye_offset),
            forward: forward(pose, self.facing_offset_degrees, self.use_model_front, planar),
        }
    }
}

/// One bit of a node. Who has none of the bits of a target and of those above it is not among them; who has one may be.
pub(super) fn mark(node: NodeId) -> u64 {
    1 << (mix(node as u64) & 63)
}
