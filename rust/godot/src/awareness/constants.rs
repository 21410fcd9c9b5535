//! The constants that the classes of awareness share.

/// A `#[godot_api]` block of a class with all constants of awareness and its own items.
macro_rules! api_with_constants {
    ($class:ident { $($own:tt)* }) => {
        #[godot_api]
        impl $class {
            /// Lifecycle: hardly noticed.
            #[constant]
            const LIFECYCLE_UNDETECTED: i64 = riposte_core::awareness::Lifecycle::Undetected as i64;
            /// Lifecycle: something is there.
            #[constant]
            const LIFECYCLE_SUSPECTED: i64 = riposte_core::awareness::Lifecycle::Suspected as i64;
            /// Lifecycle: known.
            #[constant]
            const LIFECYCLE_DETECTED: i64 = riposte_core::awareness::Lifecycle::Detected as i64;
            /// Lifecycle: was known, and no sense senses it now.
            #[constant]
            const LIFECYCLE_LOST: i64 = riposte_core::awareness::Lifecycle::Lost as i64;
            /// Lifecycle: forgotten by the Perception, or gone.
            #[constant]
            const LIFECYCLE_EXPIRED: i64 = riposte_core::awareness::Lifecycle::Expired as i64;
            /// Threat level: none.
            #[constant]
            const THREAT_NONE: i64 = riposte_core::awareness::ThreatLevel::None as i64;
            /// Threat level: low.
            #[constant]
            const THREAT_LOW: i64 = riposte_core::awareness::ThreatLevel::Low as i64;
            /// Threat level: medium.
            #[constant]
            const THREAT_MEDIUM: i64 = riposte_core::awareness::ThreatLevel::Medium as i64;
            /// Threat level: high.
            #[constant]
            const THREAT_HIGH: i64 = riposte_core::awareness::ThreatLevel::High as i64;
            /// Threat level: critical.
            #[constant]
            const THREAT_CRITICAL: i64 = riposte_core::awareness::ThreatLevel::Critical as i64;
            /// Relationship: nothing says how the agent stands to the target.
            #[constant]
            const RELATION_UNKNOWN: i64 = riposte_core::awareness::Relationship::Unknown as i64;
            /// Relationship: an enemy.
            #[constant]
            const RELATION_HOSTILE: i64 = riposte_core::awareness::Relationship::Hostile as i64;
            /// Relationship: neither enemy nor friend.
            #[constant]
            const RELATION_NEUTRAL: i64 = riposte_core::awareness::Relationship::Neutral as i64;
            /// Relationship: a friend, never a threat.
            #[constant]
            const RELATION_FRIENDLY: i64 = riposte_core::awareness::Relationship::Friendly as i64;
            /// Relationship: of the same team, never a threat.
            #[constant]
            const RELATION_TEAMMATE: i64 = riposte_core::awareness::Relationship::Teammate as i64;
            /// Attention: there was no target before.
            #[constant]
            const ATTENTION_ACQUIRED: i64 = riposte_core::awareness::AttentionReason::Acquired as i64;
            /// Attention: a better target.
            #[constant]
            const ATTENTION_SWITCHED: i64 = riposte_core::awareness::AttentionReason::Switched as i64;
            /// Attention: the target before was forgotten.
            #[constant]
            const ATTENTION_EXPIRED: i64 = riposte_core::awareness::AttentionReason::Expired as i64;
            /// Attention: the target before, or its source, is gone.
            #[constant]
            const ATTENTION_GONE: i64 = riposte_core::awareness::AttentionReason::Gone as i64;
            /// Attention: the target before is not worth it any more.
            #[constant]
            const ATTENTION_RELEASED: i64 = riposte_core::awareness::AttentionReason::Released as i64;
            /// Attention: a script said so.
            #[constant]
            const ATTENTION_OVERRIDDEN: i64 = riposte_core::awareness::AttentionReason::Overridden as i64;
            /// Stance: nobody says.
            #[constant]
            const STANCE_UNREPORTED: i64 = riposte_core::awareness::Posture::Unreported as i64;
            /// Stance: upright.
            #[constant]
            const STANCE_STANDING: i64 = riposte_core::awareness::Posture::Standing as i64;
            /// Stance: crouched.
            #[constant]
            const STANCE_CROUCHED: i64 = riposte_core::awareness::Posture::Crouched as i64;
            /// Stance: flat on the ground.
            #[constant]
            const STANCE_PRONE: i64 = riposte_core::awareness::Posture::Prone as i64;

            $($own)*
        }
    };
}

pub(super) use api_with_constants;
