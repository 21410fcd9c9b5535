//! The policies of an agent: private copies of what stands in the slots of its profile, and their virtuals.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use godot::classes::Engine;
use godot::prelude::*;

use super::policy_owner::PolicyOwner;
use super::{AttentionPolicy, AwarenessProfile, FusionPolicy, ThreatPolicy};
use crate::base::script_method;

/// How often a policy was called.
static CALLS: AtomicU64 = AtomicU64::new(0);

/// The number of calls of policies so far.
pub(super) fn calls() -> u64 {
    CALLS.load(Ordering::Relaxed)
}

/// So many calls were made otherwise than by [`call`].
pub(super) fn note_calls(calls: usize) {
    CALLS.fetch_add(calls as u64, Ordering::Relaxed);
}

/// Calls the virtual of a slot. Runs the script: nothing may be bound or locked.
pub(super) fn call(policy: &Gd<Resource>, slot: Slot, arguments: &[Variant]) -> Variant {
    note_calls(1);
    script_method::call(policy, slot.method(), arguments)
}

/// A slot of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Fusion = 0,
    Threat = 1,
    Attention = 2,
}

/// All slots.
pub(super) const SLOTS: [Slot; 3] = [Slot::Fusion, Slot::Threat, Slot::Attention];

impl Slot {
    /// The name of the virtual.
    pub(super) fn method(self) -> &'static StringName {
        static NAMES: OnceLock<[StringName; 3]> = OnceLock::new();
        let make = || ["_fuse_confidence", "_score_threat", "_select_attention_target"].map(StringName::from);
        &NAMES.get_or_init(make)[self as usize]
    }

    /// The name of the property.
    pub(super) fn property(self) -> &'static str {
        ["fusion_policy", "threat_policy", "attention_policy"][self as usize]
    }

    fn class(self) -> &'static str {
        ["FusionPolicy", "ThreatPolicy", "AttentionPolicy"][self as usize]
    }

    /// What stands in the slot of a profile.
    pub(super) fn of(self, profile: &AwarenessProfile) -> Option<Gd<Resource>> {
        let member = match self {
            Self::Fusion => profile.fusion_policy.member(),
            Self::Threat => profile.threat_policy.member(),
            Self::Attention => profile.attention_policy.member(),
        };
        member.cloned()
    }
}

/// True if a script of the scriptable class has the virtual, and may run here: in the editor none does.
pub(super) fn is_scripted(policy: &Gd<Resource>, slot: Slot) -> bool {
    !Engine::singleton().is_editor_hint() && has_virtual(policy, slot)
}

fn has_virtual(policy: &Gd<Resource>, slot: Slot) -> bool {
    policy.is_class(slot.class()) && policy.get_script().is_some() && policy.has_method(slot.method())
}

/// The configuration warning about a slot, if there is one to give.
pub(super) fn warning(policy: &Gd<Resource>, slot: Slot) -> Option<String> {
    if !policy.is_class(slot.class()) || has_script_virtual(policy, slot) {
        return None;
    }
    let (property, method) = (slot.property(), slot.method());
    Some(format!(
        "{property} does not implement {method}(), so the built-in rule runs. Override it, or empty the slot."
    ))
}

/// Also in the editor, where the script of a resource does not run.
fn has_script_virtual(policy: &Gd<Resource>, slot: Slot) -> bool {
    let name = slot.method().to_string();
    let mut script = policy.get_script();
    while let Some(one) = script {
        let has = |info: VarDictionary| info.get("name").is_some_and(|known| known.to_string() == name);
        if one.get_script_method_list().iter_shared().any(has) {
            return true;
        }
        script = one.get_base_script();
    }
    false
}

/// A copy for one agent. Runs the script's `_init`: nothing may be bound or locked.
pub(super) fn copy_for(policy: &Gd<Resource>, slot: Slot, node: InstanceId) -> Option<Gd<Resource>> {
    let copy = policy.duplicate_resource();
    let owner = PolicyOwner::of(node);
    match slot {
        Slot::Fusion => copy.clone().try_cast::<FusionPolicy>().ok()?.bind_mut().owner = owner,
        Slot::Threat => copy.clone().try_cast::<ThreatPolicy>().ok()?.bind_mut().owner = owner,
        Slot::Attention => copy.clone().try_cast::<AttentionPolicy>().ok()?.bind_mut().owner = owner,
    }
    Some(copy)
}
