//! What the classes of both dimensions have in common for the code that places, registers and asks them.

use godot::obj::UserClass;
use godot::prelude::*;
use riposte_core::perception::{Affiliation, PerceiverKey, PerceiverSettings, SourceKey, SourceSettings};
use riposte_core::tags::TagId;

use crate::base::lifecycle::Lifecycle;
use crate::base::tags::TagList;

use super::dimension::Placed;
use super::nodes::SourceRules;
use super::perception_2d::Perception2D;
use super::perception_3d::Perception3D;
use super::rays::RayRules;
use super::stimulus_source_2d::StimulusSource2D;
use super::stimulus_source_3d::StimulusSource3D;

/// `Perception3D` or `Perception2D`.
pub(super) trait PerceptionNode: Lifecycle + UserClass + Inherits<Node> {
    /// Its configuration warnings.
    fn warnings(&self) -> Vec<String>;
    fn key(&self) -> Option<PerceiverKey>;
    fn set_key(&mut self, key: PerceiverKey);
    fn agent_path(&self) -> NodePath;
    fn ray_rules(&self) -> RayRules;
    fn settings(&self) -> PerceiverSettings;
    fn authority_only(&self) -> bool;
    fn affiliation(&self) -> Affiliation;
    fn detectable_tags(&mut self) -> &mut TagList;
    /// Hands changed tags to the server.
    fn changed(&mut self);

    /// Changes `detectable_tags` tag by tag. True if they changed.
    fn change_detectable(&mut self, change: impl FnOnce(&mut TagList) -> bool) -> bool {
        let changed = change(self.detectable_tags());
        if changed {
            self.changed();
        }
        changed
    }
}

/// `StimulusSource3D` or `StimulusSource2D`.
pub(super) trait SourceNode: Lifecycle + UserClass + Inherits<Node> {
    /// Its configuration warnings.
    fn warnings(&self) -> Vec<String>;
    fn key(&self) -> Option<SourceKey>;
    fn set_key(&mut self, key: SourceKey);
    fn agent_path(&self) -> NodePath;
    fn settings(&self) -> SourceSettings;
    fn rules(&self) -> SourceRules;
    /// The tags of its own, and whether those of its agent are broadcast too.
    fn identity(&self) -> (Vec<TagId>, bool);
    /// What `PerceptionServer.register_as_source` does: on, with these senses and one tag more. `added`: it is new.
    fn register(&mut self, senses: i64, tag: Option<TagId>, added: bool);
    fn switch_off(&mut self);
    fn added_by_server(&self) -> bool;
}

/// The node as one that has a place.
pub(super) fn placed<T: Inherits<Node>>(node: &Gd<T>) -> Option<Placed> {
    Placed::of(&node.clone().upcast())
}

/// A Perception of either dimension.
pub(super) enum AnyPerception {
    Three(Gd<Perception3D>),
    Two(Gd<Perception2D>),
}

/// Does the same with a Perception, or source, of either dimension.
macro_rules! in_either {
    ($any:ident, $value:expr, $node:ident => $result:expr) => {
        match $value {
            $any::Three($node) => $result,
            $any::Two($node) => $result,
        }
    };
}

pub(super) use in_either;

impl AnyPerception {
    pub(super) fn of(node: &Gd<Node>) -> Option<Self> {
        let three = node.clone().try_cast().ok().map(Self::Three);
        three.or_else(|| node.clone().try_cast().ok().map(Self::Two))
    }

    pub(super) fn by_id(id: InstanceId) -> Option<Self> {
        Self::of(&Gd::<Node>::try_from_instance_id(id).ok()?)
    }

    pub(super) fn node(&self) -> Gd<Node> {
        in_either!(Self, self, node => node.clone().upcast())
    }

    pub(super) fn settings(&self) -> PerceiverSettings {
        in_either!(Self, self, node => node.bind().settings())
    }
}

/// A source of either dimension.
pub(super) enum AnySource {
    Three(Gd<StimulusSource3D>),
    Two(Gd<StimulusSource2D>),
}

impl AnySource {
    pub(super) fn of(node: &Gd<Node>) -> Option<Self> {
        let three = node.clone().try_cast().ok().map(Self::Three);
        three.or_else(|| node.clone().try_cast().ok().map(Self::Two))
    }

    pub(super) fn by_id(id: InstanceId) -> Option<Self> {
        Self::of(&Gd::<Node>::try_from_instance_id(id).ok()?)
    }

    pub(super) fn node(&self) -> Gd<Node> {
        in_either!(Self, self, node => node.clone().upcast())
    }
}

/// The configuration warnings of a Perception or a source, for tests: scripts cannot ask for them.
#[cfg(debug_assertions)]
pub(crate) fn warnings(node: &Gd<Node>) -> Vec<String> {
    let perception = AnyPerception::of(node);
    let warnings = perception.map(|node| in_either!(AnyPerception, &node, node => node.bind().warnings()));
    let source =
        || AnySource::of(node).map(|node| in_either!(AnySource, &node, node => node.bind().warnings()));
    warnings.or_else(source).unwrap_or_default()
}
