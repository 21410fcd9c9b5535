//! Every factor of a belief as a dictionary.

use godot::prelude::*;
use riposte_core::awareness::{Explanation, FusionRule, RelationSource, SenseFactors, ThreatRule};

use super::awareness_sense::id_of;

/// What `AwarenessRecord.explain()` returns.
pub(super) fn dictionary(of: &Explanation) -> VarDictionary {
    vdict! {
        "confidence" => &confidence(of),
        "threat" => &threat(of),
        "score" => &score(of),
    }
}

fn confidence(of: &Explanation) -> VarDictionary {
    let senses: Array<VarDictionary> = of.senses.iter().map(sense).collect();
    let rule = match of.fusion {
        FusionRule::BuiltIn => "built-in",
        FusionRule::Summing => "summing",
        FusionRule::Script => "policy",
    };
    vdict! {
        "value" => of.confidence,
        "fused" => of.fused,
        "rule" => rule,
        "best" => of.best,
        "corroboration_bonus" => of.bonus,
        "pain_factor" => of.pain,
        "senses" => &senses,
    }
}

fn sense(of: &SenseFactors) -> VarDictionary {
    vdict! {
        "sense_id" => &id_of(of.sense),
        "reading" => of.reading,
        "confidence" => of.value,
        "weight" => of.weight,
        "is_active" => of.active,
        // Never sensed: infinity would not survive JSON.
        "time_since" => if of.since.is_finite() { of.since } else { -1.0 },
    }
}

fn threat(of: &Explanation) -> VarDictionary {
    vdict! {
        "value" => of.threat,
        "rule" => if of.threat_rule == ThreatRule::Script { "policy" } else { "built-in" },
        "relationship" => of.relationship.to_int(),
        "relationship_from" => relation_source(of.relationship_source),
        "factor" => of.threat_parts.factor,
        "confidence" => of.threat_parts.confidence,
        "damage" => of.threat_parts.damage,
        "agreement" => of.threat_parts.agreement,
        "contact" => of.threat_parts.contact,
    }
}

fn score(of: &Explanation) -> VarDictionary {
    vdict! {
        "value" => of.score,
        "threat" => of.score_parts.threat,
        "confidence" => of.score_parts.confidence,
        "proximity" => of.score_parts.proximity,
        "distance" => of.distance,
        "range" => of.range,
    }
}

fn relation_source(source: RelationSource) -> &'static str {
    match source {
        RelationSource::Override => "override",
        RelationSource::Adapter => "get_relationship_to",
        RelationSource::Tags => "tags",
        RelationSource::Team => "team",
        RelationSource::TurnedHostile => "damage",
        RelationSource::Default => "default",
    }
}
