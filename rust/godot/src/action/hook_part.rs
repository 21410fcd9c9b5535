//! A hook as runs use it: the resource, and which of its virtuals its script has.

use godot::prelude::*;
use riposte_core::action::HookCalls;

use super::ActionHook;
use super::names::names;
use super::script_calls::overrides;

/// A hook that wants at least one call.
#[derive(Clone)]
pub struct HookPart {
    /// Whom to call.
    pub resource: Gd<Resource>,
    /// For what.
    pub calls: HookCalls,
}

impl HookPart {
    /// `None` if it overrides nothing.
    pub(crate) fn of(hook: &Gd<ActionHook>) -> Option<Self> {
        let resource: Gd<Resource> = hook.clone().upcast();
        let calls = HookCalls {
            before: overrides(&resource, &names().pre_execute),
            tick: overrides(&resource, &names().tick_execute),
            after: overrides(&resource, &names().post_execute),
        };
        (calls != HookCalls::default()).then_some(Self { resource, calls })
    }
}
