//! A hook as runs use it: the resource, and which of its virtuals its script has.

use godot::prelude::*;
use riposte_core::action::HookCalls;

use super::ActionHook;
use super::names::names;
use super::script_calls::overrides;

/// The configuration warning about the hook of a property, if there is one to give.
pub(super) fn warning(member: &str, hook: Option<&Gd<ActionHook>>) -> Option<String> {
    let idle = hook.is_some_and(|hook| hook.get_script().is_none());
    idle.then(|| {
        format!("{member}: an ActionHook without a script does nothing. Extend it by a script, or clear it.")
    })
}

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
