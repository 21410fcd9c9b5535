//! What a designer sets. Plain numbers; the world derives what it needs from them.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::tags::TagId;

use super::senses::{Senses, Stance};

/// Settings of the whole system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldSettings {
    /// Edge of the grid's columns in 3D.
    pub grid_cell_size_3d: f64,
    /// Edge of the grid's columns in 2D.
    pub grid_cell_size_2d: f64,
    /// Scans of different perceivers are spread over the interval.
    pub stagger: bool,
    /// Reports that wait at most; the oldest are dropped.
    pub max_queued_reports: usize,
    /// Rays that a tick may cast; 0: as many as it takes.
    pub max_rays_per_tick: u32,
    /// Threads that help with the maths of scans; 0: none, negative: as many as the machine has to spare.
    pub workers: i32,
}

impl Default for WorldSettings {
    fn default() -> Self {
        Self {
            grid_cell_size_3d: 10.0,
            grid_cell_size_2d: 200.0,
            stagger: true,
            max_queued_reports: 1024,
            max_rays_per_tick: 512,
            workers: 0,
        }
    }
}

/// Settings of one perceiver. Lengths in world units, times in seconds, angles in degrees.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PerceiverSettings {
    /// Off: senses nothing and knows nobody.
    pub enabled: bool,
    /// Ticked by its own `advance` only, not with the others.
    pub manual: bool,
    /// Scales the perceiver's time.
    pub time_scale: f64,
    /// Forward is +Z instead of -Z (3D only).
    pub use_model_front: bool,
    /// Forward is turned from the node's X axis towards its Y axis by this angle (2D only).
    pub facing_offset_degrees: f64,
    /// The eye, in the node's orthonormalised basis.
    pub eye_offset: DVec3,
    /// Sight is on.
    pub sight_enabled: bool,
    /// A target is acquired up to here.
    pub sight_radius: f64,
    /// A seen target is retained up to here; at least `sight_radius`.
    pub lose_sight_radius: f64,
    /// Full cone angle.
    pub sight_fov_degrees: f64,
    /// Aim points that must be visible.
    pub sight_min_visible_points: u32,
    /// Takes the place of `sight_min_visible_points`, by the target's vision stance: standing, crouched, prone.
    pub min_points_by_stance: Option<[u32; 3]>,
    /// Inside it a source counts as inside the cone.
    pub auto_detect_radius: f64,
    /// Time to make out a target at distance 0, at the cone's centre, with all points visible; 0: at once.
    pub detection_time: f64,
    /// Speed of detection at the sight radius.
    pub detection_far_factor: f64,
    /// Speed of detection at the cone's edge.
    pub detection_edge_factor: f64,
    /// Time in which a level falls from 1 to 0 when out of view; 0: at once.
    pub detection_decay_time: f64,
    /// Hearing is on.
    pub hearing_enabled: bool,
    /// Radius of a noise of loudness 1.
    pub hearing_radius: f64,
    /// Bodies muffle noises.
    pub hearing_occlusion: bool,
    /// What one body leaves of a noise's radius.
    pub hearing_occlusion_factor: f64,
    /// Bodies that count at the most.
    pub hearing_max_occluders: u32,
    /// Damage is on.
    pub damage_enabled: bool,
    /// Damage tells where the attacker is; else only where it hit.
    pub damage_reveals_attacker: bool,
    /// How long an unsensed target is remembered.
    pub forget_time: f64,
    /// Time between two scans.
    pub update_interval: f64,
    /// First scan after this part of the interval; negative: by the perceiver's number.
    pub update_phase: f64,
    /// Records kept.
    pub max_perceived_targets: u32,
    /// A newcomer must be closer by more than this to displace a record.
    pub displace_margin: f64,
}

impl Default for PerceiverSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            manual: false,
            time_scale: 1.0,
            use_model_front: false,
            facing_offset_degrees: 0.0,
            eye_offset: DVec3::new(0.0, 1.6, 0.0),
            sight_enabled: true,
            sight_radius: 20.0,
            lose_sight_radius: 25.0,
            sight_fov_degrees: 90.0,
            sight_min_visible_points: 1,
            min_points_by_stance: None,
            auto_detect_radius: 0.0,
            detection_time: 0.0,
            detection_far_factor: 0.25,
            detection_edge_factor: 0.5,
            detection_decay_time: 2.0,
            hearing_enabled: true,
            hearing_radius: 15.0,
            hearing_occlusion: false,
            hearing_occlusion_factor: 0.5,
            hearing_max_occluders: 4,
            damage_enabled: true,
            damage_reveals_attacker: true,
            forget_time: 5.0,
            update_interval: 0.1,
            update_phase: -1.0,
            max_perceived_targets: 16,
            displace_margin: 1.0,
        }
    }
}

impl PerceiverSettings {
    /// The distance up to which a seen target is retained.
    pub fn retain_radius(&self) -> f64 {
        self.lose_sight_radius.max(self.sight_radius)
    }

    /// How many aim points of a target must be visible, by its vision stance.
    pub fn needed_points(&self) -> [u32; 3] {
        self.min_points_by_stance.unwrap_or([self.sight_min_visible_points; 3])
    }
}

/// Whom a perceiver cares about, by tag. A query matches the tag and its descendants.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Affiliation {
    /// Empty: everyone.
    pub detectable: Vec<TagId>,
    /// A match is never seen or heard.
    pub ignored: Vec<TagId>,
    /// Noises that are heard, by their own tag; empty: all.
    pub noises: Vec<TagId>,
}

/// Settings of one source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceSettings {
    /// Off: not perceivable.
    pub enabled: bool,
    /// Bits of the passive senses that can sense it.
    pub registered_senses: u8,
    /// Aim point 0, in the node's orthonormalised basis.
    pub sight_target_offset: DVec3,
    /// More aim points, in the same basis.
    pub extra_aim_points: Vec<DVec3>,
    /// Multiplies the sight radii of whoever looks.
    pub sight_range_scale: f64,
    /// Its vision stance, as far as it is not asked for.
    pub stance: Stance,
    /// Something else than `stance` may say the vision stance: each tick asks.
    pub asks_stance: bool,
    /// Nodes are aim points too: each tick asks where they are.
    pub has_node_points: bool,
    /// Multiplies the height of the aim points given here, when crouched.
    pub crouched_point_scale: f64,
    /// The same when prone.
    pub prone_point_scale: f64,
    /// Multiplies the speed of detection.
    pub detection_scale: f64,
    /// An agent may attend to it; off for things.
    pub can_hold_attention: bool,
}

impl Default for SourceSettings {
    fn default() -> Self {
        Self {
            enabled: true,
            registered_senses: 3,
            sight_target_offset: DVec3::new(0.0, 1.0, 0.0),
            extra_aim_points: Vec::new(),
            sight_range_scale: 1.0,
            stance: Stance::Standing,
            asks_stance: false,
            has_node_points: false,
            crouched_point_scale: 0.6,
            prone_point_scale: 0.25,
            detection_scale: 1.0,
            can_hold_attention: true,
        }
    }
}

impl SourceSettings {
    /// The passive senses that can sense it.
    pub fn senses(&self) -> Senses {
        Senses::from_bits(i64::from(self.registered_senses))
    }

    /// The aim points that are given here, in the node's axes.
    pub(super) fn offsets(&self) -> impl Iterator<Item = DVec3> {
        std::iter::once(&self.sight_target_offset).chain(&self.extra_aim_points).take(MAX_AIM_POINTS).copied()
    }

    /// Multiplies the height of the offsets in a stance.
    pub fn point_scale(&self, stance: Stance) -> f64 {
        match stance {
            Stance::Standing => 1.0,
            Stance::Crouched => self.crouched_point_scale,
            Stance::Prone => self.prone_point_scale,
        }
    }
}

/// Most aim points that one source can have.
pub const MAX_AIM_POINTS: usize = 16;

/// The cone, ready to be compared without a root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    /// Smallest cosine of the angle to forward, squared, with the sign of the cosine; below -1 everything is inside.
    limit: f64,
    /// Sine of half the cone; 1 for half a sphere and more.
    sine: f64,
}

/// Slack of angle comparisons.
const ANGLE_TOLERANCE_DEGREES: f64 = 0.01;

impl Cone {
    pub(super) fn new(fov_degrees: f64) -> Self {
        let half = fov_degrees * 0.5 + ANGLE_TOLERANCE_DEGREES;
        let limit = if half >= 180.0 { -2.0 } else { libm::cos(half.to_radians()) };
        let sine = if half >= 90.0 { 1.0 } else { libm::sin(half.to_radians()) };
        Self { limit: limit * limit.abs(), sine }
    }

    /// Sine of half the cone, if it is less than half a sphere.
    pub(super) fn sine(self) -> Option<f64> {
        (self.sine < 1.0).then_some(self.sine)
    }

    /// True if `to` (from the eye) is inside the cone around the unit vector `forward`.
    #[inline]
    pub(super) fn contains(self, forward: DVec3, to: DVec3) -> bool {
        // cos ≥ limit, both sides times the length, then squared with their signs kept.
        let (along, squared) = (forward.dot(to), to.length_squared());
        // Both are computed always: which of the candidates pass can't be predicted, so a branch would cost more.
        (squared < 1e-18) | (along * along.abs() >= self.limit * squared)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cone_is_inclusive_and_has_the_stated_slack() {
        let at = |degrees: f64| {
            DVec3::new(libm::sin(degrees.to_radians()), 0.0, -libm::cos(degrees.to_radians())) * 7.0
        };
        let cone = Cone::new(90.0);
        assert!(cone.contains(DVec3::NEG_Z, at(45.009)));
        assert!(!cone.contains(DVec3::NEG_Z, at(45.011)));
        assert!(Cone::new(0.0).contains(DVec3::NEG_Z, at(0.009)));
        assert!(!Cone::new(0.0).contains(DVec3::NEG_Z, at(0.011)));
        assert!(Cone::new(360.0).contains(DVec3::NEG_Z, DVec3::Z));
        assert!(!Cone::new(359.0).contains(DVec3::NEG_Z, DVec3::Z));
        assert!(Cone::new(0.0).contains(DVec3::NEG_Z, DVec3::ZERO));
    }
}
