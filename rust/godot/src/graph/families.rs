//! Which classes may stand in the lists of a graph. A new class is named here and in the look-up of its family.

use crate::base::family::Family;

/// What a node plays.
pub(crate) struct Payloads;

impl Family for Payloads {
    const CLASSES: &'static [&'static str] = &[
        "PlayAnimationPayload",
        "HoldPayload",
        "DelayPayload",
        "TriggerPayload",
        "PairedActionPayload",
        "ActionPayload",
    ];
}

/// What a transition asks.
pub(crate) struct Conditions;

impl Family for Conditions {
    const CLASSES: &'static [&'static str] = &[
        "DirectionCondition",
        "VitalThresholdCondition",
        "TargetStateCondition",
        "TargetDistanceCondition",
        "CooldownReadyCondition",
        "PairedActionAvailableCondition",
        "TransitionCondition",
    ];
}

/// What a node takes when it starts.
pub(crate) struct Costs;

impl Family for Costs {
    const CLASSES: &'static [&'static str] = &["VitalCost", "AttributeCost", "ActionCost"];
}

/// What rides the run of a node.
pub(crate) struct GraphHooks;

impl Family for GraphHooks {
    const CLASSES: &'static [&'static str] =
        &["LocomotionModifierHook", "CancelOnMovementHook", "DrainVitalHook", "ActionGraphHook"];
}
