//! The virtuals by which the script of an evaluator has a say in its decisions.

use godot::prelude::*;
use riposte_core::action::Virtuals;

use super::script_calls::overrides_node;
use super::{ActionEvaluator, DecisionContext, ReactionEvaluator, driver, names::names};

#[godot_api(secondary)]
impl ActionEvaluator {
    /// Adds to what scripts see of a target: fill in [member DecisionContext.extra] here, once for all scorers and gates that
    /// need a number of the game. Asked once per evaluation and target, after the built-in fields, before any gate or
    /// scorer of a script; without a target once, with none. What it writes is for scripts: built-in scorers and gates go on
    /// seeing the world as it is. The context is valid during the call.
    #[func(virtual, gd_self, rename = _build_decision_context)]
    pub fn build_context(_this: Gd<Self>, _context: Gd<DecisionContext>) {}

    /// The last word on whether an action may be chosen: asked for each candidate that passed all gates. False rules it
    /// out, and the decision names [constant REFUSAL_SCRIPT_VETO]. The context is valid during the call.
    #[func(virtual, gd_self, rename = _can_execute_action)]
    pub fn may_execute(_this: Gd<Self>, _action_id: StringName, _context: Gd<DecisionContext>) -> bool {
        true
    }

    /// The last word on the score of a candidate, after all factors. Asked for scores above 0 only; return
    /// [param base_score] to leave it. 0 rules the candidate out; a negative number, NaN or infinity counts as 0, with a
    /// warning. The context is valid during the call.
    #[func(virtual, gd_self, rename = _modify_action_score)]
    pub fn modified_score(
        _this: Gd<Self>,
        _action_id: StringName,
        base_score: f64,
        _context: Gd<DecisionContext>,
    ) -> f64 {
        base_score
    }

    /// The last word on a number of an action that follows an attribute (see [NumberBinding]): [param property] is its name,
    /// [param value] what the bindings made of it. Asked whenever the number is read; what is returned is put into the range of
    /// the property. What is no finite number leaves [param value], with a warning.
    #[func(virtual, gd_self, rename = _resolve_number)]
    pub fn resolved_number(
        _this: Gd<Self>,
        _action_id: StringName,
        _property: StringName,
        value: f64,
    ) -> f64 {
        value
    }
}

#[godot_api(secondary)]
impl ReactionEvaluator {
    /// The last word on whether a reaction may answer: asked for each one that passed all gates. False rules it out. The
    /// context is valid during the call.
    #[func(virtual, gd_self, rename = _can_execute_reaction)]
    pub fn may_execute(_this: Gd<Self>, _reaction_id: StringName, _context: Gd<DecisionContext>) -> bool {
        true
    }

    /// The last word on the score of a reaction, after all factors. Asked for scores above 0 only; return
    /// [param base_score] to leave it. 0 rules the reaction out; a negative number, NaN or infinity counts as 0, with a
    /// warning. The context is valid during the call.
    #[func(virtual, gd_self, rename = _modify_reaction_score)]
    pub fn modified_score(
        _this: Gd<Self>,
        _reaction_id: StringName,
        base_score: f64,
        _context: Gd<DecisionContext>,
    ) -> f64 {
        base_score
    }
}

/// Finds out which of these the script of a node has.
pub(super) fn find(node: &Gd<Node>) {
    let id = node.instance_id();
    let reacts = driver::with(id, |state| state.core.is_reacting()).unwrap_or(false);
    let judge = names().judge(reacts);
    let (may_execute, modify) =
        (overrides_node(node, &judge.may_execute), overrides_node(node, &judge.modify));
    let builds = !reacts && overrides_node(node, &names().build_context);
    driver::with(id, |state| {
        state.judges = may_execute || modify || builds;
        state.core.set_virtuals(Virtuals { may_execute, modify, builds });
    });
}
