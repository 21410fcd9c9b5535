//! What the debug drawing of a Perception shows, as coloured lines in the world.

use std::f64::consts::TAU;

use glam::DVec3;
use godot::builtin::Color;
use godot::obj::InstanceId;
use riposte_core::perception::{self as core, NodeId, PerceiverKey, PerceiverSettings, Pose, Senses};

use crate::base::settings;

use super::dimension::Placed;
use super::rays::Trace;
use super::state::{self, State};

/// A line from point to point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment {
    pub(super) from: DVec3,
    pub(super) to: DVec3,
    pub(super) color: Color,
    /// How thick it is, 0..1; 0 is a thin line.
    pub(super) weight: f64,
}

/// The colours, by the project settings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Colors {
    sight: Color,
    lose_sight: Color,
    hearing: Color,
    auto_detect: Color,
    sensed: Color,
    remembered: Color,
    detecting: Color,
    blocked: Color,
}

impl Colors {
    pub(super) fn read() -> Self {
        Self {
            sight: settings::COLOR_SIGHT.read(),
            lose_sight: settings::COLOR_LOSE_SIGHT.read(),
            hearing: settings::COLOR_HEARING.read(),
            auto_detect: settings::COLOR_AUTO_DETECT.read(),
            sensed: settings::COLOR_SENSED.read(),
            remembered: settings::COLOR_REMEMBERED.read(),
            detecting: settings::COLOR_DETECTING.read(),
            blocked: settings::COLOR_BLOCKED.read(),
        }
    }
}

/// The shapes of the senses, the lines to targets, and the rays of the last check. Nothing while the Perception is off or
/// out of the tree.
pub(super) fn of_perceiver(
    key: PerceiverKey,
    node: &Placed,
    traces: &[(NodeId, Trace)],
    colors: &Colors,
) -> Vec<Segment> {
    let mut drawing = Drawing { segments: Vec::new(), planar: node.is_planar() };
    let settings = state::with(|state| {
        state.world.perceiver_place(key)?;
        state.world.perceiver_settings(key).filter(|settings| settings.enabled).cloned()
    });
    let pose = if node.is_in_tree() { node.frame().pose() } else { None };
    let (Some(settings), Some(pose)) = (settings, pose) else { return drawing.segments };
    let (eye, forward) = core::eye_and_forward(&pose, &settings, drawing.planar);
    drawing.senses(&pose, eye, forward, &settings, colors);
    drawing.rays(key, traces, colors);
    drawing.targets(key, eye, colors);
    drawing.segments
}

/// Pieces of a full circle.
const PIECES: u32 = 48;

struct Drawing {
    segments: Vec<Segment>,
    planar: bool,
}

impl Drawing {
    fn line(&mut self, from: DVec3, to: DVec3, color: Color) {
        self.segments.push(Segment { from, to, color, weight: 0.0 });
    }

    /// A part of a circle, from `start` to `end` in the plane of two unit vectors; `start` at `x`.
    fn arc(&mut self, center: DVec3, radius: f64, [x, y]: [DVec3; 2], [start, end]: [f64; 2], color: Color) {
        let pieces = (f64::from(PIECES) * (end - start).abs() / TAU).ceil().max(1.0);
        let at = |piece: f64| {
            let angle = start + (end - start) * piece / pieces;
            center + (x * angle.cos() + y * angle.sin()) * radius
        };
        for piece in 0..pieces as u32 {
            self.line(at(f64::from(piece)), at(f64::from(piece) + 1.0), color);
        }
    }

    /// All around, level with the ground.
    fn circle(&mut self, center: DVec3, radius: f64, color: Color) {
        let plane = if self.planar { [DVec3::X, DVec3::Y] } else { [DVec3::X, DVec3::Z] };
        if radius > 0.0 {
            self.arc(center, radius, plane, [0.0, TAU], color);
        }
    }

    fn senses(
        &mut self,
        pose: &Pose,
        eye: DVec3,
        forward: DVec3,
        settings: &PerceiverSettings,
        colors: &Colors,
    ) {
        let center = pose.origin;
        if settings.sight_enabled {
            self.circle(center, settings.sight_radius, colors.sight);
            self.circle(center, settings.retain_radius(), colors.lose_sight);
            self.circle(center, settings.auto_detect_radius, colors.auto_detect);
            let half = settings.sight_fov_degrees.to_radians() * 0.5;
            if settings.sight_radius > 0.0 && settings.sight_fov_degrees < 360.0 {
                self.cone(pose, eye, forward, half, settings.sight_radius, colors.sight);
            }
        }
        if settings.hearing_enabled {
            self.circle(center, settings.hearing_radius, colors.hearing);
        }
    }

    fn cone(&mut self, pose: &Pose, eye: DVec3, forward: DVec3, half: f64, radius: f64, color: Color) {
        let sides = if self.planar {
            vec![DVec3::new(-forward.y, forward.x, 0.0)]
        } else {
            vec![pose.axes.x_axis, pose.axes.y_axis]
        };
        for side in &sides {
            self.arc(eye, radius, [forward, *side], [-half, half], color);
            for turn in [-half, half] {
                self.line(eye, eye + (forward * turn.cos() + *side * turn.sin()) * radius, color);
            }
        }
        if let [side, up] = sides[..] {
            let center = eye + forward * (half.cos() * radius);
            self.arc(center, half.sin() * radius, [side, up], [0.0, TAU], color);
        }
    }

    /// Free rays in the colour of the line to their target.
    fn rays(&mut self, key: PerceiverKey, traces: &[(NodeId, Trace)], colors: &Colors) {
        for (agent, trace) in traces {
            let color = if trace.visible {
                state::with(|state| color_of(state, key, *agent, colors))
            } else {
                colors.blocked
            };
            self.line(trace.from, trace.to, color);
        }
    }

    fn targets(&mut self, key: PerceiverKey, eye: DVec3, colors: &Colors) {
        let lines = state::with(|state| {
            let known = state.world.records(key).map(|record| {
                let color = if record.senses.is_empty() { colors.remembered } else { colors.sensed };
                (record.location, color)
            });
            known.collect::<Vec<_>>()
        });
        for (location, color) in lines {
            self.line(eye, location, color);
        }
        let detecting = state::with(|state| detecting(state, key, eye));
        for (source, level) in detecting {
            if let Some(to) = Placed::by_id(source).and_then(|node| node.origin()) {
                self.segments.push(Segment { from: eye, to, color: colors.detecting, weight: level });
            }
        }
    }
}

fn color_of(state: &State, key: PerceiverKey, agent: NodeId, colors: &Colors) -> Color {
    let Some(target) = state.world.target_of(agent) else { return colors.sight };
    if state.world.senses(key, target).intersects(Senses::SIGHT) {
        colors.sensed
    } else if state.world.detection(key, target) > 0.0 {
        colors.detecting
    } else {
        colors.sight
    }
}

/// The source nodes of those that are being made out, and how far they are.
fn detecting(state: &State, key: PerceiverKey, eye: DVec3) -> Vec<(InstanceId, f64)> {
    let mut list = Vec::new();
    state.world.detecting(key, eye, &mut list);
    let levels = list
        .into_iter()
        .map(|target| Some((state.active_source_node(target)?, state.world.detection(key, target))));
    levels.flatten().collect()
}
