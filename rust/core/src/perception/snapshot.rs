//! The sources of a tick, as they were when it began.

use std::ops::Range;

use glam::DVec3;

use super::frame::Pose;
use super::senses::Stance;
use super::settings::{MAX_AIM_POINTS, SourceSettings};
use super::space::SpaceId;
use super::target::{SourceKey, TargetRef};
use super::tick::Tick;
use super::world::PerceptionWorld;

/// A source in this tick's snapshot.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceFrame {
    pub(super) key: SourceKey,
    pub(super) target: TargetRef,
    pub(super) space: SpaceId,
    pub(super) pose: Pose,
    /// Aim point 0: the cone is measured to it.
    pub(super) aim: DVec3,
    pub(super) scale: f64,
    pub(super) detection_scale: f64,
    /// The marks of its agent and the nodes above it.
    pub(super) marks: u64,
    /// It can be seen, as far as its registered senses go.
    pub(super) visible: bool,
    /// Its first aim point among the tick's points, how many there are, and how many of these are offsets.
    first_point: u32,
    count: u8,
    offsets: u8,
    /// Its vision stance; that of its settings until another is told.
    pub(super) stance: Stance,
    /// Its vision stance, and where its nodes are, must be asked for before its first line of sight.
    pub(super) asks_stance: bool,
    pub(super) asks_points: bool,
    /// Height of the offset points when crouched and prone.
    scales: [f64; 2],
}

impl SourceFrame {
    /// Its aim points among the tick's points.
    pub(super) fn points(&self) -> Range<usize> {
        let first = self.first_point as usize;
        first..first + usize::from(self.count)
    }

    /// Takes a stance, once: the offset points come down, along the node's own Y.
    pub(super) fn crouch(&mut self, stance: Stance, points: &mut [DVec3]) {
        self.stance = stance;
        let scale = match stance {
            Stance::Standing => return,
            Stance::Crouched => self.scales[0],
            Stance::Prone => self.scales[1],
        };
        let (origin, up) = (self.pose.origin, self.pose.axes.y_axis);
        for point in &mut points[self.points()][..usize::from(self.offsets)] {
            *point -= up * ((*point - origin).dot(up) * (1.0 - scale));
        }
    }

    /// Adds aim points that are nodes, into the room that was left for them.
    pub(super) fn append(&mut self, more: &[DVec3], points: &mut [DVec3]) {
        let room = MAX_AIM_POINTS - usize::from(self.offsets);
        for (place, point) in points[self.points().end..].iter_mut().zip(more).take(room) {
            *place = *point;
            self.count += 1;
        }
    }
}

/// The aim points of a source in the world that its settings give: offset, extra points; at most [`MAX_AIM_POINTS`].
/// Lowered by the stance.
pub fn aim_points<'a>(
    settings: &'a SourceSettings,
    pose: &'a Pose,
    stance: Stance,
) -> impl Iterator<Item = DVec3> + 'a {
    let down = DVec3::new(1.0, settings.point_scale(stance), 1.0);
    settings.offsets().map(move |offset| pose.point(offset * down))
}

impl PerceptionWorld {
    /// Takes a source into the snapshot, which stands at this place of the tick's sources.
    pub(super) fn gather_source(&self, at: usize, key: SourceKey, pose: Pose, tick: &mut Tick) {
        let Some(stand) = self.registry.stand(at, key) else { return };
        let first = tick.points.len();
        let aim = pose.point(stand.offset);
        tick.points.push(aim);
        if let Some(settings) = self.registry.settings_of(&stand) {
            tick.points.extend(settings.offsets().skip(1).map(|offset| pose.point(offset)));
        }
        let count = (tick.points.len() - first) as u8;
        let mut frame = SourceFrame {
            key,
            target: stand.target,
            space: stand.space,
            pose,
            aim,
            scale: stand.scale,
            detection_scale: stand.detection_scale,
            marks: stand.marks,
            visible: stand.visible,
            first_point: first as u32,
            count,
            offsets: count,
            stance: stand.stance,
            asks_stance: stand.asks_stance,
            asks_points: stand.asks_points,
            scales: stand.scales,
        };
        if !stand.asks_stance {
            frame.crouch(stand.stance, &mut tick.points);
        }
        if stand.asks_points {
            tick.points.resize(first + MAX_AIM_POINTS, DVec3::ZERO);
        }
        tick.sources_seen.push(frame);
    }
}
