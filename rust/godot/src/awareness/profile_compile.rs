//! What the core makes of a profile: made once after a change, for all agents that share it.

use std::sync::Arc;

use godot::prelude::*;
use riposte_core::awareness::{
    AttentionRule, FusionRule, Mended, Profile, RelationRules, Relationship, ScoreWeights, SenseSlot,
    ThreatFactors, ThreatRule, ThreatWeights,
};

use super::awareness_sense::id_of;
use super::policies::{self, SLOTS, Slot};
use super::{AwarenessProfile, LastAttackerAttentionPolicy};
use crate::base::{messages, settings, tags};

/// Units of the world per metre.
pub(super) fn scale(planar: bool) -> f64 {
    if planar { settings::PIXELS_PER_METER.read() } else { 1.0 }
}

/// The default of `team_root_tag`.
pub(super) const TEAM_ROOT: &str = "Team";

/// What holds for an agent without a profile.
pub(super) fn usual(planar: bool) -> Arc<Profile> {
    let scale = scale(planar);
    let usual = Profile::default();
    let (still_speed, sneak_speed) = (usual.still_speed * scale, usual.sneak_speed * scale);
    let relations = RelationRules { team_root: tags::intern(TEAM_ROOT).ok(), ..usual.relations.clone() };
    Arc::new(Profile { still_speed, sneak_speed, relations, ..usual })
}

/// The compiled profile, and what had to be mended for it.
pub(super) fn compile(resource: &Gd<AwarenessProfile>, planar: bool) -> (Arc<Profile>, Vec<Mended>) {
    let (profile, mended) = read(&resource.bind(), scale(planar)).mended();
    (Arc::new(profile), mended)
}

/// Tells, once, which numbers of a profile do not count as they stand.
pub(super) fn warn(resource: &Gd<AwarenessProfile>, mended: &[Mended]) {
    for one in mended {
        let (member, text) = describe(one);
        messages::warning(resource, member, "mended", &text);
    }
}

/// The property and what is wrong with it.
pub(super) fn describe(mended: &Mended) -> (&'static str, String) {
    const LEVELS: [&str; 4] = ["threat_low", "threat_medium", "threat_high", "threat_critical"];
    match mended {
        Mended::Threshold(at) => {
            let (name, before) = (LEVELS[*at], LEVELS[*at - 1]);
            (name, format!("{name} is below {before} and counts as that. Raise it."))
        }
        Mended::SecondSlot(sense) => {
            let id = id_of(*sense);
            ("senses", format!("senses has \"{id}\" twice; the second is left out. Remove it."))
        }
        Mended::Number(name) => (name, format!("{name} is out of its range and was clamped. Correct it.")),
    }
}

fn read(own: &AwarenessProfile, scale: f64) -> Profile {
    let senses: Vec<SenseSlot> =
        own.senses.members().iter().filter_map(|sense| sense.bind().slot()).collect();
    Profile {
        update_interval: own.update_interval,
        senses,
        fusion: fusion_rule(own),
        corroboration_bonus: own.corroboration_bonus,
        confidence_fade_time: own.confidence_fade_time,
        suspect_threshold: own.suspect_threshold,
        detect_threshold: own.detect_threshold,
        state_hysteresis: own.state_hysteresis,
        lost_delay: own.lost_delay,
        expired_retention: own.expired_retention,
        min_visible_points: [
            own.min_visible_points_standing,
            own.min_visible_points_crouched,
            own.min_visible_points_prone,
        ]
        .map(|points| points as u32),
        pain_enabled: own.pain_enabled,
        pain_threshold: own.pain_threshold,
        pain_min_factor: own.pain_min_factor,
        relations: relations(own),
        threat: threat_rule(own),
        threat_weights: ThreatWeights {
            confidence: own.threat_weight_confidence,
            damage: own.threat_weight_damage,
            agreement: own.threat_weight_agreement,
            contact: own.threat_weight_contact,
        },
        threat_factors: ThreatFactors {
            hostile: own.threat_factor_hostile,
            unknown: own.threat_factor_unknown,
            neutral: own.threat_factor_neutral,
        },
        damage_full: own.damage_full,
        damage_fade_time: own.damage_fade_time,
        contact_fade_time: own.contact_fade_time,
        threat_levels: [own.threat_low, own.threat_medium, own.threat_high, own.threat_critical],
        threat_hysteresis: own.threat_hysteresis,
        attention: attention_rule(own),
        attention_stickiness_time: own.attention_stickiness_time,
        attention_switch_threshold: own.attention_switch_threshold,
        attention_challenge_time: own.attention_challenge_time,
        attention_min_score: own.attention_min_score,
        score_weights: ScoreWeights {
            threat: own.score_weight_threat,
            confidence: own.score_weight_confidence,
            proximity: own.score_weight_proximity,
        },
        score_range: own.score_range * scale,
        still_speed: own.still_speed * scale,
        sneak_speed: own.sneak_speed * scale,
        observation_capacity: own.observation_capacity as usize,
    }
}

fn relations(own: &AwarenessProfile) -> RelationRules {
    RelationRules {
        teammate: own.teammate_tags.ids().to_vec(),
        friendly: own.friendly_tags.ids().to_vec(),
        hostile: own.hostile_tags.ids().to_vec(),
        neutral: own.neutral_tags.ids().to_vec(),
        team_root: tags::intern(&own.team_root_tag.to_string()).ok(),
        default: Relationship::from_int(own.default_relationship).unwrap_or_default(),
        turn_hostile_on_damage: own.turn_hostile_on_damage,
    }
}

fn fusion_rule(own: &AwarenessProfile) -> FusionRule {
    match own.fusion_policy.member() {
        Some(policy) if policy.is_class("SummingFusionPolicy") => FusionRule::Summing,
        Some(policy) if policies::is_scripted(policy, Slot::Fusion) => FusionRule::Script,
        _ => FusionRule::BuiltIn,
    }
}

fn threat_rule(own: &AwarenessProfile) -> ThreatRule {
    match own.threat_policy.member() {
        Some(policy) if policies::is_scripted(policy, Slot::Threat) => ThreatRule::Script,
        _ => ThreatRule::BuiltIn,
    }
}

fn attention_rule(own: &AwarenessProfile) -> AttentionRule {
    let Some(policy) = own.attention_policy.member() else { return AttentionRule::BuiltIn };
    if let Ok(last) = policy.clone().try_cast::<LastAttackerAttentionPolicy>() {
        return AttentionRule::LastAttacker(last.bind().memory_time);
    }
    if policy.is_class("NearestAttentionPolicy") {
        AttentionRule::Nearest
    } else if policies::is_scripted(policy, Slot::Attention) {
        AttentionRule::Script
    } else {
        AttentionRule::BuiltIn
    }
}

/// Configuration warnings about a profile.
pub(super) fn warnings(resource: &Gd<AwarenessProfile>) -> Vec<String> {
    let (_, mended) = compile(resource, false);
    let own = resource.bind();
    let mut warnings: Vec<String> =
        mended.iter().map(|one| format!("profile: {}", describe(one).1)).collect();
    let nulls = own.senses.null_count();
    if nulls > 0 {
        warnings.push(format!(
            "profile: senses has {nulls} empty places, which are skipped. Fill or remove them."
        ));
    }
    let lists = [
        ("teammate_tags", &own.teammate_tags),
        ("friendly_tags", &own.friendly_tags),
        ("hostile_tags", &own.hostile_tags),
        ("neutral_tags", &own.neutral_tags),
    ];
    warnings.extend(lists.iter().flat_map(|(name, list)| list.warnings(name)));
    for slot in SLOTS {
        let policy = slot.of(&own);
        warnings.extend(
            policy.and_then(|policy| policies::warning(&policy, slot)).map(|text| format!("profile: {text}")),
        );
    }
    warnings
}
