//! Detection over time: a target in view is made out bit by bit before it is seen.

use glam::DVec3;

use super::event::{Event, EventKind};
use super::frame::View;
use super::settings::PerceiverSettings;
use super::settle::Settling;
use super::target::TargetRef;
use super::tick::{Pair, Verdict};

/// Slack of comparisons of levels.
pub(super) const LEVEL_TOLERANCE: f64 = 1e-6;

/// How far a target without a record has been made out.
#[derive(Clone, Debug)]
pub(super) struct Detection {
    pub(super) target: TargetRef,
    /// 0..1.
    pub(super) level: f64,
    /// The perceiver's time at the last check.
    pub(super) checked: f64,
    /// From origin to origin at the last check that knew where the target was.
    pub(super) distance: f64,
    pub(super) location: DVec3,
    pub(super) visible_fraction: f64,
    /// Its beginning was told, so it must be told when it comes to nothing.
    pub(super) told: bool,
    /// A script ended it; told and removed in the next tick.
    pub(super) dismissed: bool,
}

impl Detection {
    /// True while the target counts as being detected.
    pub(super) fn shows(&self) -> bool {
        !self.dismissed && self.level > LEVEL_TOLERANCE
    }
}

/// What decides how fast a target in view is made out.
struct InView {
    /// Distance as a part of the radius.
    reach: f64,
    /// Angle to forward as a part of half the cone.
    edge: f64,
    visible_fraction: f64,
    scale: f64,
}

fn lerp(from: f64, to: f64, x: f64) -> f64 {
    from + (to - from) * x.clamp(0.0, 1.0)
}

/// Level per second.
fn speed(settings: &PerceiverSettings, it: &InView) -> f64 {
    let far = lerp(1.0, settings.detection_far_factor, it.reach);
    let edge = lerp(1.0, settings.detection_edge_factor, it.edge);
    far * edge * it.visible_fraction * it.scale / settings.detection_time
}

fn part(value: f64, of: f64) -> f64 {
    if of > 0.0 { value / of } else { 0.0 }
}

/// The angle between forward and the way from the eye to `aim`, as a part of half the cone.
fn edge(view: &View, aim: DVec3, fov_degrees: f64) -> f64 {
    let to = aim - view.eye;
    let angle = libm::atan2(view.forward.cross(to).length(), view.forward.dot(to));
    part(angle.to_degrees(), fov_degrees * 0.5)
}

impl Settling<'_> {
    /// A pair is in view. True if the target is seen now, false if it is still being made out.
    pub(super) fn makes_out(&mut self, pair: &Pair, visible_fraction: f64) -> bool {
        let settings = &self.perceiver.settings;
        let auto = settings.auto_detect_radius;
        let at_once = settings.detection_time <= 0.0
            || (auto > 0.0 && pair.distance <= auto + self.space.tolerance())
            || self.perceiver.find(pair.target.id).is_ok();
        let Some(view) = self.view.filter(|_| !at_once) else { return true };
        let source = &self.tick.sources_seen[pair.frame as usize];
        let rate = speed(
            settings,
            &InView {
                reach: part(pair.distance, settings.sight_radius * source.scale),
                edge: edge(&view, source.aim, settings.sight_fov_degrees),
                visible_fraction,
                scale: source.detection_scale,
            },
        );
        let (now, location) = (self.time, source.pose.origin);
        let Some(entry) = self.level_of(pair.target) else { return false };
        entry.level = (entry.level + (now - entry.checked) * rate).clamp(0.0, 1.0);
        entry.checked = now;
        entry.distance = pair.distance;
        entry.location = location;
        entry.visible_fraction = visible_fraction;
        entry.level + LEVEL_TOLERANCE >= 1.0
    }

    /// The level of a target without a record, from 0 on if it had none.
    fn level_of(&mut self, target: TargetRef) -> Option<&mut Detection> {
        let at = match self.perceiver.find_level(target.id) {
            Ok(at) => at,
            Err(_) if !self.reachable(target) => return None,
            Err(at) => {
                let checked = self.time;
                self.registry.hold(target.key);
                self.perceiver.detections.insert(
                    at,
                    Detection {
                        target,
                        level: 0.0,
                        checked,
                        distance: 0.0,
                        location: DVec3::ZERO,
                        visible_fraction: 0.0,
                        told: false,
                        dismissed: false,
                    },
                );
                at
            }
        };
        self.perceiver.detections.get_mut(at)
    }

    /// The levels of those that a scan did not find in view fall.
    pub(super) fn fade(&mut self, pairs: &[Pair]) {
        let (now, decay) = (self.time, self.perceiver.settings.detection_decay_time);
        for at in (0..self.perceiver.detections.len()).rev() {
            let target = self.perceiver.detections[at].target;
            if self.verdict_on(pairs, target) != Some(Verdict::Hidden) {
                continue;
            }
            let pair = pairs.iter().find(|pair| pair.target == target);
            let entry = &mut self.perceiver.detections[at];
            let fall = if decay > 0.0 { (now - entry.checked) / decay } else { 1.0 };
            entry.level = (entry.level - fall).max(0.0);
            entry.checked = now;
            entry.visible_fraction = 0.0;
            if let Some(pair) = pair {
                entry.distance = pair.distance;
            } else if let (Some(view), Some(frame)) = (self.view, self.tick.frame_of(entry.target)) {
                entry.distance = view.origin.distance(frame.pose.origin);
            }
            if entry.level <= LEVEL_TOLERANCE {
                self.abort(at);
            }
        }
    }

    /// Keeps the levels of the closest only.
    pub(super) fn limit_levels(&mut self) {
        let limit = self.perceiver.settings.max_perceived_targets.max(1) as usize;
        while self.perceiver.detections.len() > limit {
            let distances = self.perceiver.detections.iter().map(|entry| entry.distance).enumerate();
            let farthest = distances.max_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
            let Some((at, _)) = farthest else { return };
            self.abort(at);
        }
    }

    /// Ends the levels of those that are gone or dismissed, or all of them.
    pub(super) fn end_levels(&mut self, all: bool) {
        let looked_over = self.clock.epoch == self.registry.epoch();
        for at in (0..self.perceiver.detections.len()).rev() {
            let entry = &self.perceiver.detections[at];
            let gone = || !looked_over && !self.reachable(entry.target);
            if all || entry.dismissed || gone() {
                self.abort(at);
            }
        }
    }

    /// A level comes to nothing.
    fn abort(&mut self, at: usize) {
        let entry = self.perceiver.detections.remove(at);
        if entry.told {
            self.tell_level(EventKind::DetectionAborted, &entry);
        }
        self.registry.release(entry.target.key);
    }

    /// A target has a record now; there is nothing left to make out, and it did not come to nothing in this tick.
    pub(super) fn drop_level(&mut self, target: TargetRef) {
        let aborted =
            |event: &Event| event.kind == EventKind::DetectionAborted && event.target == Some(target);
        if let Some(at) = self.events[self.first_event..].iter().position(aborted) {
            self.events.remove(self.first_event + at);
        }
        if let Ok(at) = self.perceiver.find_level(target.id) {
            self.perceiver.detections.remove(at);
            self.registry.release(target.key);
        }
    }

    /// Tells which targets have begun to be made out.
    pub(super) fn tell_levels(&mut self) {
        for at in 0..self.perceiver.detections.len() {
            let entry = &self.perceiver.detections[at];
            if entry.shows() && !entry.told {
                let entry = entry.clone();
                self.tell_level(EventKind::DetectionStarted, &entry);
                self.perceiver.detections[at].told = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> PerceiverSettings {
        PerceiverSettings { detection_time: 2.0, ..PerceiverSettings::default() }
    }

    #[test]
    fn speed_falls_with_distance_and_angle_and_rises_with_what_is_visible() {
        let at = |reach, edge, visible_fraction, scale| {
            speed(&settings(), &InView { reach, edge, visible_fraction, scale })
        };
        assert_eq!(at(0.0, 0.0, 1.0, 1.0), 0.5);
        assert_eq!(at(1.0, 0.0, 1.0, 1.0), 0.125);
        assert_eq!(at(0.0, 1.0, 1.0, 1.0), 0.25);
        assert_eq!(at(2.0, 3.0, 1.0, 1.0), 0.0625, "both factors are clamped");
        assert_eq!(at(0.0, 0.0, 0.5, 3.0), 0.75);
    }

    #[test]
    fn an_angle_counts_as_0_in_a_cone_without_width() {
        let view = View { origin: DVec3::ZERO, eye: DVec3::ZERO, forward: DVec3::NEG_Z };
        let aside = DVec3::new(1.0, 0.0, -1.0);
        assert!((edge(&view, aside, 90.0) - 1.0).abs() < 1e-12);
        assert_eq!(edge(&view, aside, 0.0), 0.0);
        assert_eq!(edge(&view, DVec3::ZERO, 90.0), 0.0);
    }
}
