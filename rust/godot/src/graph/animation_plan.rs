//! What a `PlayAnimationPayload` says, as plain values, and what becomes of it in a run.

use godot::classes::{AnimationMixer, Engine};
use godot::prelude::*;
use riposte_core::graph::{AnimationFacts, AuthoredWindow, MoveReading, SectionNames, read_move};

use super::playback::{self, Wanted};
use super::playback_tree::TreeWay;
use super::run_parts::{Begun, PayloadPart, RunRef, Start};
use super::{PlayAnimationPayload, nodes};
use crate::base::messages;

/// The values of the resource, copied when its graph is compiled.
pub(crate) struct AnimationPlan {
    /// Forward, back, left, right; an empty one is the forward one.
    pub names: [StringName; 4],
    pub rate: f64,
    pub section: (String, String),
    pub windows: Vec<AuthoredWindow>,
    pub blend: f64,
    pub exact: bool,
    pub tree: Option<(TreeWay, StringName)>,
}
