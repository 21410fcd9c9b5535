//! What the class bodies of both dimensions refer to.

pub(super) use std::cell::RefCell;

pub(super) use godot::prelude::*;
pub(super) use riposte_core::perception::{
    Affiliation, MAX_AIM_POINTS, PerceiverKey, PerceiverSettings, Senses, SourceKey, SourceSettings, Stance,
    TargetState,
};
pub(super) use riposte_core::tags::TagId;

pub(super) use crate::base::lifecycle::{Hooked, Lifecycle};
pub(super) use crate::base::lookup::{self, Part};
pub(super) use crate::base::numbers::Checked as _;
pub(super) use crate::base::paths::{PathList, Paths};
pub(super) use crate::base::tags::{self, TagList};
pub(super) use crate::base::ticking;

pub(super) use super::arguments::NodeArg;
pub(super) use super::checks::{Checks as _, Listed as _};
pub(super) use super::dimension::{Axes as _, AxesList as _};
pub(super) use super::nodes::SourceRules;
pub(super) use super::perception_event::PerceptionEvent;
pub(super) use super::perception_node::{PerceptionNode, SourceNode};
pub(super) use super::perception_server::PerceptionServer;
pub(super) use super::rays::RayRules;
pub(super) use super::{
    colliders, debug_draw, identity, line_of_sight, mirror, placement, queries, reporting, running, saving,
    state,
};
