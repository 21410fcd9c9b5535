//! What scripts call on a [`ReactionEvaluator`].

use godot::prelude::*;

use super::driver;
use super::evaluator_calls::EvaluatorCalls;
use super::evaluator_running::EvaluatorNode;
use super::{ActionContext, ReactionEvaluator};
use crate::base::lookup::{self, Part};
use crate::base::tags;
use crate::optional::Optional;

/// An event was sent to the agent's AbilitySystem.
pub(crate) fn hear(agent: InstanceId, event_tag: &StringName, context: &Gd<ActionContext>) {
    let Some(id) = lookup::part_of(agent, Part::Reactions) else { return };
    let listens = driver::with(id, |state| state.listens && state.core.is_started()).unwrap_or(false);
    let Ok(node) = Gd::<ReactionEvaluator>::try_from_instance_id(id) else { return };
    if listens && node.is_inside_tree() && !driver::following::follows(id) {
        ReactionEvaluator::react(node, event_tag.clone(), Optional(Some(context.clone())), Optional::null());
    }
}

#[godot_api(secondary)]
impl ReactionEvaluator {
    /// Tells the agent of an event. The reaction that starts or waits for its delay; empty if none does, and inside a start or an
    /// end, where the event waits until that is through.
    ///
    /// The reaction is aimed at [param target_override], else at the target of the [param context], else at whom the agent's
    /// [ActionEvaluator] is aimed at. Works on a copy of the context.
    #[func(gd_self)]
    pub fn react(
        this: Gd<Self>,
        event_tag: StringName,
        #[opt(default = Optional::null())] context: Optional<ActionContext>,
        #[opt(default = Optional::null())] target_override: Optional<Node>,
    ) -> StringName {
        let mend = "Tell it of the event before or after.";
        if !Self::is_active(&this, "react") || Self::is_scoring(&this, "react", mend) {
            return StringName::default();
        }
        let Some(tag) = tags::from_script(&this, "react", &event_tag.to_string()) else {
            return StringName::default();
        };
        let mut own = match context.0 {
            Some(context) => ActionContext::copy_of(&context),
            None => ActionContext::new_gd(),
        };
        let target = target_override.0.map(|node| node.instance_id()).filter(|node| driver::is_live(*node));
        let target = {
            let mut own = own.bind_mut();
            own.event_tag = event_tag;
            let target = target.or_else(|| own.target_id().filter(|node| driver::is_live(*node)));
            own.set_target_id(target);
            target
        };
        driver::react(this.instance_id(), tag, own, target).unwrap_or_default()
    }

    /// Starts a reaction at once, whatever its gates and its chance say; what runs is interrupted, and the agent's action too if
    /// [member ReactionSpec.interrupts_action] is on. The id of the run, 0 if it did not start. Inside a start or an end it
    /// waits until that is through.
    #[func(gd_self)]
    pub fn execute_reaction(
        this: Gd<Self>,
        reaction_id: StringName,
        #[opt(default = Optional::null())] context: Optional<ActionContext>,
    ) -> i64 {
        Self::execute(&this, "execute_reaction", &reaction_id, context.0, false)
    }

    /// Forgets the reaction that waits for its delay. False if none does.
    #[func(gd_self)]
    pub fn cancel_pending(this: Gd<Self>) -> bool {
        driver::call(this.instance_id(), |state| state.core.cancel_pending()).unwrap_or(false)
    }
}
