//! Runs of execution methods that are scripts.

use std::rc::Rc;

use godot::prelude::*;

use super::execution_method::CurrentRun;
use super::method_run::{Delta, Method, MethodRun, RunLink};
use super::names::names;
use super::private_copy::{self, stored_properties};
use super::script_calls::{call, number, overrides, truth};
use super::{ActionContext, ExecutionMethod};
use crate::ability::GameplayAbility;
use crate::base::{messages, script_method};

/// A definition: what to copy for a run, and which virtuals the script has. Found out once, when the set compiles.
pub(crate) struct ScriptedMethod {
    definition: Gd<ExecutionMethod>,
    copied: Vec<StringName>,
    own: Overrides,
}

#[derive(Clone, Copy)]
struct Overrides {
    preload: bool,
    grants: bool,
    timeout: bool,
    can_begin: bool,
    begin: bool,
    tick: bool,
    abort: bool,
    retarget: bool,
    export: bool,
    import: bool,
}

impl ScriptedMethod {
    /// Looks at the script of a definition.
    pub(crate) fn new(definition: Gd<ExecutionMethod>) -> Self {
        let resource = definition.clone().upcast();
        let names = names();
        let own = Overrides {
            preload: overrides(&resource, &names.preload_assets),
            grants: overrides(&resource, &names.ability_to_grant),
            timeout: overrides(&resource, &names.execution_timeout),
            can_begin: overrides(&resource, &names.can_begin),
            begin: overrides(&resource, &names.begin_execute),
            tick: overrides(&resource, &names.tick_execute),
            abort: overrides(&resource, &names.abort_execute),
            retarget: overrides(&resource, &names.retarget),
            export: overrides(&resource, &names.export_state),
            import: overrides(&resource, &names.import_state),
        };
        Self { copied: stored_properties(&resource), definition, own }
    }
}

impl Method for ScriptedMethod {
    fn new_run(&self, link: RunLink) -> Rc<dyn MethodRun> {
        let mut copy = ExecutionMethod::new_gd();
        if let Some(script) = self.definition.get_script() {
            copy.set_script(&script);
        }
        private_copy::fill(&self.definition, &mut copy, &self.copied);
        let run = copy.bind_mut().enter_run(link);
        Rc::new(ScriptedRun { copy, own: self.own, definition: self.definition.clone(), run })
    }

    fn ability_to_grant(&self) -> Option<Gd<GameplayAbility>> {
        if !self.own.grants {
            return None;
        }
        let answer = call(&self.definition.clone().upcast(), &names().ability_to_grant, &[]);
        answer.try_to::<Option<Gd<GameplayAbility>>>().unwrap_or_else(|_| {
            let text = "_get_ability_to_grant() returned no GameplayAbility, so nothing is granted. Return one or null.";
            messages::warning(&self.definition, "_get_ability_to_grant", text, text);
            None
        })
    }

    fn preloads(&self) -> bool {
        self.own.preload
    }

    fn preload(&self, agent: &Gd<Node>) {
        if self.own.preload {
            call(&self.definition.clone().upcast(), &names().preload_assets, &[agent.to_variant()]);
        }
    }
}

/// One run: the private copy of the definition. What a tick needs comes first.
#[repr(C)]
struct ScriptedRun {
    copy: Gd<ExecutionMethod>,
    own: Overrides,
    definition: Gd<ExecutionMethod>,
    run: Rc<CurrentRun>,
}

impl MethodRun for ScriptedRun {
    fn timeout(&self) -> f64 {
        if !self.own.timeout {
            return 0.0;
        }
        number(&self.call(&names().execution_timeout, &[]))
    }

    fn can_begin(&self, context: &Gd<ActionContext>) -> bool {
        self.run.give_context(context);
        !self.own.can_begin || truth(&self.call(&names().can_begin, &[context.to_variant()]))
    }

    fn begin(&self, context: &Gd<ActionContext>) -> bool {
        if !self.own.begin {
            return true;
        }
        let answer = self.call(&names().begin_execute, &[context.to_variant()]);
        if let Ok(begun) = answer.try_to_relaxed::<bool>() {
            return begun;
        }
        let (begun, text) = if answer.get_type() == VariantType::OBJECT {
            (
                true,
                "_begin_execute() awaits, so it counts as started. Use CallMethod to wait for a coroutine.",
            )
        } else {
            (
                false,
                "_begin_execute() returned neither true nor false, so the start failed. Return one of them.",
            )
        };
        messages::warning(&self.definition, "_begin_execute", text, text);
        begun
    }

    fn wants_tick(&self) -> bool {
        self.own.tick
    }

    fn tick(&self, delta: &Delta) {
        if self.own.tick {
            self.call(&names().tick_execute, std::slice::from_ref(delta.variant()));
        }
    }

    fn address(&self) -> usize {
        script_method::address(&self.copy)
    }

    fn retarget(&self, target: Option<&Gd<Node>>) {
        if self.own.retarget {
            self.call(&names().retarget, &[target.cloned().to_variant()]);
        }
    }

    fn export_state(&self) -> VarDictionary {
        if !self.own.export {
            return VarDictionary::new();
        }
        let answer = self.call(&names().export_state, &[]);
        answer.try_to::<AnyDictionary>().map(plain).unwrap_or_else(|_| {
            let text =
                "_export_state() did not return a dictionary, so the run can't be taken up. Return one.";
            messages::warning(&self.definition, "_export_state", text, text);
            VarDictionary::new()
        })
    }

    fn import_state(&self, context: &Gd<ActionContext>, state: &VarDictionary) -> bool {
        self.run.give_context(context);
        self.own.import && truth(&self.call(&names().import_state, &[state.to_variant()]))
    }

    fn abort(&self, reason: i64) {
        if self.own.abort {
            self.call(&names().abort_execute, &[reason.to_variant()]);
        }
    }
}

impl ScriptedRun {
    fn call(&self, method: &StringName, arguments: &[Variant]) -> Variant {
        script_method::call(&self.copy, method, arguments)
    }
}

impl Drop for ScriptedRun {
    fn drop(&mut self) {
        self.run.leave();
    }
}

/// The same entries, whatever the types of the script's dictionary.
fn plain(typed: AnyDictionary) -> VarDictionary {
    let mut made = VarDictionary::new();
    for (key, value) in typed.iter_shared() {
        made.set(&key, &value);
    }
    made
}
