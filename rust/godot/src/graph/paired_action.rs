use godot::prelude::*;
use riposte_core::graph::parts::PairedPlan;

use super::findings::{self, Finding};
use super::paired_part::Paired;
use crate::action::resource_class::{Slot, SpecChecks, resource_class};
use crate::base::numbers::Checked;
use crate::base::tags::TagList;

resource_class! {
    /// A move of two: the agent and its target play an animation each, side by side, for example a takedown or a throw.
    ///
    /// Put it in a [PairedActionSet], and that into a [PairedActionPayload]. When it starts, whatever the partner does is cut,
    /// both carry the tag [code]State.Paired[/code], the partner is moved to its place, and both animations start in the same
    /// step.
    class PairedAction;
    properties {
        /// What kind of paired action it is, for the game. Default empty.
        #[export]
        tag: StringName = (StringName::default()) => set_tag(tag);
        /// The animation of the agent that starts it, in the AnimationPlayer of its [ActionGraphPlayer]. How long it is decides
        /// how long the paired action is.
        #[export]
        initiator_animation: StringName = (StringName::default()) => set_initiator_animation(any);
        /// The animation of the partner, in the AnimationPlayer of its [ActionGraphPlayer], else in the first one below it.
        #[export]
        partner_animation: StringName = (StringName::default()) => set_partner_animation(any);
        /// Where the partner is put, in metres as the initiator sees it: -Z is ahead of it, X to its right; in 2D ahead is -Z too,
        /// and heights do not count. Default 1 m ahead.
        #[export(range = (-10.0, 10.0, 0.01, or_less, or_greater, suffix = "m"))]
        partner_offset: Vector3 = (Vector3::new(0.0, 0.0, -1.0)) => set_partner_offset(place);
        /// Where the partner looks, in degrees to the left of where the initiator looks. Default 180: at each other.
        #[export(range = (-180.0, 180.0, 0.1, suffix = "°"))]
        partner_yaw: f64 = 180.0 => set_partner_yaw(clamped, -360.0, 360.0);
        /// How long the partner takes to get to its place, in seconds. Default 0.1; 0 at once.
        #[export(range = (0.0, 2.0, 0.01, or_greater, suffix = "s"))]
        align_seconds: f64 = 0.1 => set_align_seconds(not_negative);
        /// It is available up to this distance of the target, in metres. Default 2.
        #[export(range = (0.0, 20.0, 0.01, or_greater, suffix = "m"))]
        max_distance: f64 = 2.0 => set_max_distance(not_negative);
        /// It is available while the target is not further than this from where the agent looks, in degrees. Default 60.
        #[export(range = (0.0, 180.0, 0.1, suffix = "°"))]
        max_angle: f64 = 60.0 => set_max_angle(clamped, 0.0, 180.0);
        /// All of these must be matched by the tags of the target.
        #[export]
        partner_required_tags: TagList = (TagList::default())
            slot get_partner_required_tags, set_partner_required_tags(PackedStringArray);
        /// None of these may be matched by the tags of the target.
        #[export]
        partner_blocked_tags: TagList = (TagList::default())
            slot get_partner_blocked_tags, set_partner_blocked_tags(PackedStringArray);
    }
    items {}
}

impl PairedAction {
    fn place(&self, member: &str, value: Vector3, old: Vector3) -> Vector3 {
        let length = f64::from(value.length());
        if length.is_finite() {
            value
        } else {
            self.finite(member, length, 0.0);
            old
        }
    }

    /// Its values.
    pub(super) fn values(&self) -> Paired {
        Paired {
            plan: self.plan(),
            initiator_animation: self.initiator_animation.clone(),
            partner_animation: self.partner_animation.clone(),
            partner_offset: self.partner_offset,
            partner_yaw: self.partner_yaw,
            align_seconds: self.align_seconds,
        }
    }

    /// What it asks of the target.
    pub(super) fn plan(&self) -> PairedPlan {
        PairedPlan {
            max_distance: self.max_distance,
            max_angle: self.max_angle,
            required: self.partner_required_tags.ids().to_vec(),
            blocked: self.partner_blocked_tags.ids().to_vec(),
        }
    }

    /// What is wrong with it.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut found: Vec<Finding> = findings::tag("tag", &self.tag.to_string()).into_iter().collect();
        found.extend(findings::tag_list("partner_required_tags", &self.partner_required_tags));
        found.extend(findings::tag_list("partner_blocked_tags", &self.partner_blocked_tags));
        if self.initiator_animation.is_empty() {
            let text = "PairedAction has no initiator_animation, so it ends at once. Set one.";
            found.push(Finding::new("W11", text));
        }
        found
    }
}
