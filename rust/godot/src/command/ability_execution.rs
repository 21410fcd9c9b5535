use std::cell::RefCell;
use std::rc::Rc;

use godot::prelude::*;
use riposte_core::ability::AbilityEnd;
use riposte_core::action::EndReason;
use riposte_core::command::RunResult;

use super::builtin::BuiltinExecution;
use super::order_context::context_of;
use super::{CommandHandle, CommandRequest, driver, listener};
use crate::ability::{AbilitySystem, GameplayAbility, access};
use crate::base::tags;

/// Carries an order out by an ability of the agent's [AbilitySystem].
///
/// The ability gets an [ActionContext] with the order's target, and with [code]object[/code], [code]magnitude[/code] and
/// [code]tags[/code] of its payload. When it completes, the order has succeeded. An ability that fails or times out fails the
/// order ([code]ability_failed[/code]), as does one that does not start ([code]ability_refused[/code]); one that somebody else
/// ends, or that is revoked, cancels it ([code]ability_cancelled[/code]). For an ability that is one step of more, such as
/// walking there first, use it inside a behaviour.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct AbilityExecution {
    /// The ability. If the agent does not have it, it is granted while the order runs.
    #[export]
    #[var(set = set_ability)]
    ability: Option<Gd<GameplayAbility>>,
    /// Without [member ability]: the first granted ability with this tag, or one below it, that accepts.
    #[export]
    #[var(set = set_ability_tag)]
    ability_tag: StringName,
    base: Base<Resource>,
}

#[godot_api]
impl AbilityExecution {
    #[func]
    fn set_ability(&mut self, value: Option<Gd<GameplayAbility>>) {
        self.ability = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_ability_tag(&mut self, value: StringName) {
        let this = self.to_gd();
        self.ability_tag = tags::single(&this, "ability_tag", value, &self.ability_tag);
        self.base_mut().emit_changed();
    }
}

const ENDED: &str = "ability_ended";

/// What a start does with abilities.
struct Use {
    system: InstanceId,
    granted: Option<i64>,
    watch: RefCell<Option<access::Watch>>,
}

impl BuiltinExecution for Gd<AbilityExecution> {
    fn is_available(&self, agent: &Gd<Node>, _request: &dyn Fn() -> Gd<CommandRequest>) -> StringName {
        let own = self.bind();
        let complete = own.ability.is_some() || !own.ability_tag.is_empty();
        if complete && access::system_of(agent.instance_id()).is_some() {
            return StringName::default();
        }
        StringName::from("execution_unavailable")
    }

    fn start(&self, handle: &Gd<CommandHandle>) {
        let agent = handle.bind().get_agent();
        let system = agent.and_then(|agent| access::system_of(agent.instance_id()));
        let node = system.and_then(|system| Gd::<AbilitySystem>::try_from_instance_id(system).ok());
        let Some(node) = node else {
            CommandHandle::report(handle, RunResult::Failed, "execution_unavailable");
            return;
        };
        let system = node.instance_id();
        let (ability, tag) = {
            let own = self.bind();
            (own.ability.clone(), own.ability_tag.clone())
        };
        let granted = ability.map(|ability| access::grant(system, &ability));
        let used = Rc::new(Use { system, granted, watch: RefCell::new(None) });
        CommandHandle::keep(handle, used.clone());
        driver::watch(handle, system);
        let context = context_of(handle);
        let candidates = granted.map_or_else(|| access::find_by_tag(system, &tag), |ability| vec![ability]);
        let started =
            candidates.into_iter().find_map(|ability| access::activate(system, ability, &context, None));
        let Some(watch) = started else {
            CommandHandle::report(handle, RunResult::Failed, "ability_refused");
            return;
        };
        used.watch.replace(Some(watch.clone()));
        match watch.ended() {
            Some(end) => tell(handle, system, end),
            None if node.is_instance_valid() => listener::listen(&node, ENDED, handle, hear),
            None => {}
        }
    }

    fn cancel(&self, handle: &Gd<CommandHandle>) {
        let watch = CommandHandle::kept::<Use>(handle).and_then(|used| used.watch.borrow().clone());
        let waits = watch.is_some_and(|watch| watch.end(EndReason::Cancelled));
        // What ends now tells it by its signal; an ability that is over, or not there, has nothing to tell.
        if !waits {
            CommandHandle::report(handle, RunResult::Cancelled, "");
        }
    }

    fn left(&self, handle: &Gd<CommandHandle>) {
        let Some(used) = CommandHandle::kept::<Use>(handle) else { return };
        if let Ok(node) = Gd::<AbilitySystem>::try_from_instance_id(used.system) {
            listener::stop(&node, ENDED, handle);
        }
        if let Some(watch) = used.watch.take() {
            watch.end(EndReason::Cancelled);
        }
        if let Some(ability) = used.granted {
            access::release(used.system, ability);
        }
    }
}

fn hear(handle: &Gd<CommandHandle>, arguments: &[&Variant]) {
    let Some(used) = CommandHandle::kept::<Use>(handle) else { return };
    let watch = used.watch.borrow().clone();
    let activation = arguments.get(2).and_then(|argument| argument.try_to::<i64>().ok());
    if let Some(watch) = watch.filter(|watch| Some(watch.activation()) == activation)
        && let Some(end) = watch.ended()
    {
        tell(handle, used.system, end);
    }
}

fn tell(handle: &Gd<CommandHandle>, system: InstanceId, end: AbilityEnd) {
    let (report, reason) = match end.reason {
        _ if access::is_closed(system) => (RunResult::Failed, "executor_freed"),
        _ if end.revoked => (RunResult::Cancelled, "ability_cancelled"),
        EndReason::Completed => (RunResult::Succeeded, ""),
        EndReason::Failed | EndReason::TimedOut => (RunResult::Failed, "ability_failed"),
        EndReason::Interrupted | EndReason::Cancelled => (RunResult::Cancelled, "ability_cancelled"),
    };
    CommandHandle::report(handle, report, reason);
}
