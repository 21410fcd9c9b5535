use godot::prelude::*;
use riposte_core::awareness::Relationship;

use super::AwarenessSense;
use super::families::{AttentionPolicies, FusionPolicies, ThreatPolicies};
use super::profile_accessors::accessors;
use crate::base::family::{ArrayOf, ClassArray, FamilySlot};
use crate::base::messages;
use crate::base::numbers::Checked;
use crate::base::tags::{self, TagList};

/// How agents make up their minds about what they sense: every number of [AgentAwareness], and the policies.
///
/// It may be shared by any number of agents and is never written while the game runs. An edit takes effect at the next
/// update of each agent; beliefs, attention and timers stay. Lengths are metres; in 2D the project setting
/// [code]riposte/2d/pixels_per_meter[/code] converts them.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct AwarenessProfile {
    /// Time between two updates of the beliefs. They are updated too in every tick in which the Perception noticed
    /// something. 0: every tick. Default 0.1 s.
    #[export(range = (0.0, 2.0, 0.01, suffix = "s"))]
    #[var(set = set_update_interval)]
    #[init(val = 0.1)]
    pub(super) update_interval: f64,

    /// The senses that count, in order. Empty: Sight, Hearing and Damage with their defaults. Of two with the same id the
    /// first counts. Read-only in scripts: assign a new array.
    #[export_group(name = "Senses")]
    #[export]
    #[var(get = get_senses, set = set_senses)]
    pub(super) senses: ClassArray<AwarenessSense>,

    /// Puts the senses together instead of the built-in rule: the best active sense, plus a bonus for each further one.
    #[export_group(name = "Fusion")]
    #[export]
    #[var(get = get_fusion_policy, set = set_fusion_policy)]
    pub(super) fusion_policy: FamilySlot<FusionPolicies>,
    /// Added for each active sense after the first. 0 to 1, default 0.1.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_corroboration_bonus)]
    #[init(val = 0.1)]
    pub(super) corroboration_bonus: f64,
    /// Time for confidence to fall from 1 to 0 when no sense holds it up. Default 10 s.
    #[export(range = (0.0, 60.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_confidence_fade_time)]
    #[init(val = 10.0)]
    pub(super) confidence_fade_time: f64,

    /// Confidence from which a target is suspected. 0 to 1, default 0.25.
    #[export_group(name = "Lifecycle")]
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_suspect_threshold)]
    #[init(val = 0.25)]
    pub(super) suspect_threshold: f64,
    /// Confidence from which a target is detected. 0 to 1, default 0.6.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_detect_threshold)]
    #[init(val = 0.6)]
    pub(super) detect_threshold: f64,
    /// A state is left only this far below its threshold, so that it does not flicker. 0 to 1, default 0.05.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_state_hysteresis)]
    #[init(val = 0.05)]
    pub(super) state_hysteresis: f64,
    /// A detected target that no sense senses for this long is lost. Default 0.5 s.
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_lost_delay)]
    #[init(val = 0.5)]
    pub(super) lost_delay: f64,
    /// How long a target that the Perception has forgotten stays listed as expired. Default 10 s.
    #[export(range = (0.0, 60.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_expired_retention)]
    #[init(val = 10.0)]
    pub(super) expired_retention: f64,

    /// Aim points of a target that stands that must be visible for it to be seen; all of them if it has fewer.
    /// Replaces the Perception's own number. 1 to 16, default 1.
    #[export_group(name = "Vision Stance")]
    #[export(range = (1.0, 16.0, 1.0))]
    #[var(set = set_min_visible_points_standing)]
    #[init(val = 1)]
    pub(super) min_visible_points_standing: i64,
    /// Aim points of a target that is crouched that must be visible for it to be seen; all of them if it has fewer.
    /// Replaces the Perception's own number. 1 to 16, default 2.
    #[export(range = (1.0, 16.0, 1.0))]
    #[var(set = set_min_visible_points_crouched)]
    #[init(val = 2)]
    pub(super) min_visible_points_crouched: i64,
    /// Aim points of a target that lies prone that must be visible for it to be seen; all of them if it has fewer.
    /// Replaces the Perception's own number. 1 to 16, default 3.
    #[export(range = (1.0, 16.0, 1.0))]
    #[var(set = set_min_visible_points_prone)]
    #[init(val = 3)]
    pub(super) min_visible_points_prone: i64,

    /// Low health of the agent dulls all its senses. Default off.
    #[export_group(name = "Pain")]
    #[export]
    #[var(set = set_pain_enabled)]
    pub(super) pain_enabled: bool,
    /// Share of full health below which pain sets in. 0: never. 0 to 1, default 0.5.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_pain_threshold)]
    #[init(val = 0.5)]
    pub(super) pain_threshold: f64,
    /// Factor of all readings at health 0. 0 to 1, default 0.5.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_pain_min_factor)]
    #[init(val = 0.5)]
    pub(super) pain_min_factor: f64,

    /// Tags of team mates. A tag finds itself and the tags below it. The lists are asked in the order team mates, friends, enemies, neutrals. Assign the whole list; appending to it changes a copy.
    #[export_group(name = "Relationship")]
    #[export]
    #[var(get = get_teammate_tags, set = set_teammate_tags)]
    pub(super) teammate_tags: TagList,
    /// Tags of friends. Assign the whole list; appending to it changes a copy.
    #[export]
    #[var(get = get_friendly_tags, set = set_friendly_tags)]
    pub(super) friendly_tags: TagList,
    /// Tags of enemies. Assign the whole list; appending to it changes a copy.
    #[export]
    #[var(get = get_hostile_tags, set = set_hostile_tags)]
    pub(super) hostile_tags: TagList,
    /// Tags of neutrals. Assign the whole list; appending to it changes a copy.
    #[export]
    #[var(get = get_neutral_tags, set = set_neutral_tags)]
    pub(super) neutral_tags: TagList,
    /// Tags below this one name teams: one in common makes team mates, none in common enemies, if both have one. Empty: no
    /// such rule. Default [code]Team[/code].
    #[export]
    #[var(set = set_team_root_tag)]
    #[init(val = StringName::from("Team"))]
    pub(super) team_root_tag: StringName,
    /// How the agent stands to everyone else. Default Unknown.
    #[export(enum = (Unknown = 0, Hostile = 1, Neutral = 2, Friendly = 3, Teammate = 4))]
    #[var(set = set_default_relationship)]
    pub(super) default_relationship: i64,
    /// Damage by someone unknown or neutral makes them an enemy of this agent, until they are forgotten. Default on.
    #[export]
    #[var(set = set_turn_hostile_on_damage)]
    #[init(val = true)]
    pub(super) turn_hostile_on_damage: bool,

    /// Judges how dangerous a target is instead of the built-in sum below.
    #[export_group(name = "Threat")]
    #[export]
    #[var(get = get_threat_policy, set = set_threat_policy)]
    pub(super) threat_policy: FamilySlot<ThreatPolicies>,
    /// Weight of confidence in the target. 0 to 1, default 0.4.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_threat_weight_confidence)]
    #[init(val = 0.4)]
    pub(super) threat_weight_confidence: f64,
    /// Weight of damage it did lately. 0 to 1, default 0.35.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_threat_weight_damage)]
    #[init(val = 0.35)]
    pub(super) threat_weight_damage: f64,
    /// Weight of agreement of the senses. 0 to 1, default 0.1.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_threat_weight_agreement)]
    #[init(val = 0.1)]
    pub(super) threat_weight_agreement: f64,
    /// Weight of seeing it now. 0 to 1, default 0.15.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_threat_weight_contact)]
    #[init(val = 0.15)]
    pub(super) threat_weight_contact: f64,
    /// Multiplies the threat of enemies. 0 to 1, default 1.0.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_threat_factor_hostile)]
    #[init(val = 1.0)]
    pub(super) threat_factor_hostile: f64,
    /// Multiplies the threat of targets nobody knows. 0 to 1, default 0.6.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_threat_factor_unknown)]
    #[init(val = 0.6)]
    pub(super) threat_factor_unknown: f64,
    /// Multiplies the threat of neutrals. 0 to 1, default 0.25.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_threat_factor_neutral)]
    #[init(val = 0.25)]
    pub(super) threat_factor_neutral: f64,
    /// Damage that counts in full. Above 0, default 50.
    #[export(range = (0.001, 200.0, 0.001, or_greater))]
    #[var(set = set_damage_full)]
    #[init(val = 50.0)]
    pub(super) damage_full: f64,
    /// Time for that damage to fade to 0. Default 10 s.
    #[export(range = (0.0, 60.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_damage_fade_time)]
    #[init(val = 10.0)]
    pub(super) damage_fade_time: f64,
    /// Time for contact to fade to 0 when the target goes out of sight. Default 3 s.
    #[export(range = (0.0, 60.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_contact_fade_time)]
    #[init(val = 3.0)]
    pub(super) contact_fade_time: f64,
    /// Threat from which the level is low. One that is below the one before counts as that. 0 to 1, default 0.15.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_threat_low)]
    #[init(val = 0.15)]
    pub(super) threat_low: f64,
    /// Threat from which the level is medium. 0 to 1, default 0.4.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_threat_medium)]
    #[init(val = 0.4)]
    pub(super) threat_medium: f64,
    /// Threat from which the level is high. 0 to 1, default 0.65.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_threat_high)]
    #[init(val = 0.65)]
    pub(super) threat_high: f64,
    /// Threat from which the level is critical. 0 to 1, default 0.85.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_threat_critical)]
    #[init(val = 0.85)]
    pub(super) threat_critical: f64,
    /// A level is left only this far below its threshold. 0 to 1, default 0.03.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_threat_hysteresis)]
    #[init(val = 0.03)]
    pub(super) threat_hysteresis: f64,

    /// Chooses whom to attend to instead of the built-in rule.
    #[export_group(name = "Attention")]
    #[export]
    #[var(get = get_attention_policy, set = set_attention_policy)]
    pub(super) attention_policy: FamilySlot<AttentionPolicies>,
    /// How long the agent stays with a target at least, while it counts. Default 1.5 s.
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_attention_stickiness_time)]
    #[init(val = 1.5)]
    pub(super) attention_stickiness_time: f64,
    /// How much more another target must score to take over. 0 to 1, default 0.15.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_attention_switch_threshold)]
    #[init(val = 0.15)]
    pub(super) attention_switch_threshold: f64,
    /// How long it must keep that lead. Default 0 s.
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_attention_challenge_time)]
    pub(super) attention_challenge_time: f64,
    /// A target that scores less is not worth attention. 0 to 1, default 0.05.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_attention_min_score)]
    #[init(val = 0.05)]
    pub(super) attention_min_score: f64,
    /// Weight of threat in the score. 0 to 1, default 0.6.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_score_weight_threat)]
    #[init(val = 0.6)]
    pub(super) score_weight_threat: f64,
    /// Weight of confidence in the score. 0 to 1, default 0.25.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_score_weight_confidence)]
    #[init(val = 0.25)]
    pub(super) score_weight_confidence: f64,
    /// Weight of being near in the score. 0 to 1, default 0.15.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_score_weight_proximity)]
    #[init(val = 0.15)]
    pub(super) score_weight_proximity: f64,
    /// Distance at which being near counts for nothing. 0: the Perception's lose_sight_radius. Default 0 m.
    #[export(range = (0.0, 200.0, 0.1, or_greater, suffix = "m"))]
    #[var(set = set_score_range)]
    pub(super) score_range: f64,

    /// Slower than this nobody sneaks, he stands. For targets that tell no posture. Default 0.1 m/s.
    #[export_group(name = "Observation")]
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "m/s"))]
    #[var(set = set_still_speed)]
    #[init(val = 0.1)]
    pub(super) still_speed: f64,
    /// Faster than this nobody sneaks. For targets that tell no posture. Default 1.5 m/s.
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "m/s"))]
    #[var(set = set_sneak_speed)]
    #[init(val = 1.5)]
    pub(super) sneak_speed: f64,
    /// How many targets the agent remembers observing; the one observed longest ago goes first. 0 to 1024, default
    /// 64.
    #[export(range = (0.0, 1024.0, 1.0))]
    #[var(set = set_observation_capacity)]
    #[init(val = 64)]
    pub(super) observation_capacity: i64,

    /// Counts the changes of each policy slot and its resource: an agent that works on an older one copies it again.
    pub(super) slots: [u64; 3],
    base: Base<Resource>,
}

accessors! {
    {
        /// Nothing says how the agent stands to the target.
        #[constant]
        const RELATION_UNKNOWN: i64 = Relationship::Unknown as i64;
        /// An enemy.
        #[constant]
        const RELATION_HOSTILE: i64 = Relationship::Hostile as i64;
        /// Neither enemy nor friend.
        #[constant]
        const RELATION_NEUTRAL: i64 = Relationship::Neutral as i64;
        /// A friend: never a threat.
        #[constant]
        const RELATION_FRIENDLY: i64 = Relationship::Friendly as i64;
        /// Of the same team: never a threat.
        #[constant]
        const RELATION_TEAMMATE: i64 = Relationship::Teammate as i64;

        #[func]
        fn get_senses(&self) -> ArrayOf<AwarenessSense> {
            self.senses.stored()
        }

        #[func]
        fn set_senses(&mut self, value: ArrayOf<AwarenessSense>) {
            let this = self.to_gd();
            if self.senses.assign(&this, "senses", &value) {
                self.base_mut().emit_changed();
            }
        }

        #[func]
        fn set_team_root_tag(&mut self, value: StringName) {
            let name = value.to_string();
            if name.is_empty() || tags::from_script(&self.to_gd(), "team_root_tag", &name).is_some() {
                self.team_root_tag = value;
            }
            self.base_mut().emit_changed();
        }

        #[func]
        fn set_default_relationship(&mut self, value: i64) {
            if Relationship::from_int(value).is_some() {
                self.default_relationship = value;
            } else {
                let old = self.default_relationship;
                let text = format!("default_relationship = {value} is refused, it stays {old}. Use a RELATION_* constant.");
                messages::warning(&self.to_gd(), "default_relationship", "unknown", &text);
            }
            self.base_mut().emit_changed();
        }
    }
    numbers {
        set_update_interval update_interval 0.0 2.0;
        set_corroboration_bonus corroboration_bonus 0.0 1.0;
        set_confidence_fade_time confidence_fade_time 0.0 f64::INFINITY;
        set_suspect_threshold suspect_threshold 0.0 1.0;
        set_detect_threshold detect_threshold 0.0 1.0;
        set_state_hysteresis state_hysteresis 0.0 1.0;
        set_lost_delay lost_delay 0.0 f64::INFINITY;
        set_expired_retention expired_retention 0.0 f64::INFINITY;
        set_pain_threshold pain_threshold 0.0 1.0;
        set_pain_min_factor pain_min_factor 0.0 1.0;
        set_threat_weight_confidence threat_weight_confidence 0.0 1.0;
        set_threat_weight_damage threat_weight_damage 0.0 1.0;
        set_threat_weight_agreement threat_weight_agreement 0.0 1.0;
        set_threat_weight_contact threat_weight_contact 0.0 1.0;
        set_threat_factor_hostile threat_factor_hostile 0.0 1.0;
        set_threat_factor_unknown threat_factor_unknown 0.0 1.0;
        set_threat_factor_neutral threat_factor_neutral 0.0 1.0;
        set_damage_full damage_full 0.001 f64::INFINITY;
        set_damage_fade_time damage_fade_time 0.0 f64::INFINITY;
        set_contact_fade_time contact_fade_time 0.0 f64::INFINITY;
        set_threat_low threat_low 0.0 1.0;
        set_threat_medium threat_medium 0.0 1.0;
        set_threat_high threat_high 0.0 1.0;
        set_threat_critical threat_critical 0.0 1.0;
        set_threat_hysteresis threat_hysteresis 0.0 1.0;
        set_attention_stickiness_time attention_stickiness_time 0.0 f64::INFINITY;
        set_attention_switch_threshold attention_switch_threshold 0.0 1.0;
        set_attention_challenge_time attention_challenge_time 0.0 f64::INFINITY;
        set_attention_min_score attention_min_score 0.0 1.0;
        set_score_weight_threat score_weight_threat 0.0 1.0;
        set_score_weight_confidence score_weight_confidence 0.0 1.0;
        set_score_weight_proximity score_weight_proximity 0.0 1.0;
        set_score_range score_range 0.0 f64::INFINITY;
        set_still_speed still_speed 0.0 f64::INFINITY;
        set_sneak_speed sneak_speed 0.0 f64::INFINITY;
    }
    integers {
        set_min_visible_points_standing min_visible_points_standing 1 16;
        set_min_visible_points_crouched min_visible_points_crouched 1 16;
        set_min_visible_points_prone min_visible_points_prone 1 16;
        set_observation_capacity observation_capacity 0 1024;
    }
    switches {
        set_pain_enabled pain_enabled;
        set_turn_hostile_on_damage turn_hostile_on_damage;
    }
    tags {
        get_teammate_tags set_teammate_tags teammate_tags;
        get_friendly_tags set_friendly_tags friendly_tags;
        get_hostile_tags set_hostile_tags hostile_tags;
        get_neutral_tags set_neutral_tags neutral_tags;
    }
    policies {
        get_fusion_policy set_fusion_policy fusion_policy fusion_changed _fusion_changed 0;
        get_threat_policy set_threat_policy threat_policy threat_changed _threat_changed 1;
        get_attention_policy set_attention_policy attention_policy attention_changed _attention_changed 2;
    }
}
