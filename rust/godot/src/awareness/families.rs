//! The three policy families: which classes may stand in a slot of a profile.

use crate::base::family::Family;

/// Classes that may stand in `fusion_policy`.
pub(crate) struct FusionPolicies;

impl Family for FusionPolicies {
    const CLASSES: &'static [&'static str] = &["SummingFusionPolicy", "FusionPolicy"];
}

/// Classes that may stand in `threat_policy`.
pub(crate) struct ThreatPolicies;

impl Family for ThreatPolicies {
    const CLASSES: &'static [&'static str] = &["ThreatPolicy"];
}

/// Classes that may stand in `attention_policy`.
pub(crate) struct AttentionPolicies;

impl Family for AttentionPolicies {
    const CLASSES: &'static [&'static str] =
        &["NearestAttentionPolicy", "LastAttackerAttentionPolicy", "AttentionPolicy"];
}
