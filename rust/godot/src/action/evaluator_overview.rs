//! What an agent thinks of each of its actions now, for an editor or a panel in the game.

use godot::prelude::*;
use riposte_core::action::{ActionOverview, DecisionRow, Refusal};

use super::action_decision::{candidate, target_name, target_path};
use super::evaluator_running::EvaluatorNode;
use super::{ActionEvaluator, ReactionEvaluator, driver};

#[godot_api(secondary)]
impl ActionEvaluator {
    /// One dictionary per action in use, in order, as the action stands now: what a panel or an editor shows of a running agent.
    /// Changes nothing and asks no script.
    ///
    /// [code]action_id[/code], [code]running[/code], [code]cooldown_remaining[/code] and [code]cooldown_duration[/code] (seconds, 0
    /// when free), [code]uses[/code] (in a row, see [member ActionSpec.max_consecutive_uses]), and the action's best candidate of
    /// the last evaluation as [method ActionDecision.get_candidates] has it: [code]target[/code], [code]score[/code], [code]won[/code],
    /// [code]refusal[/code], [code]detail[/code] (of [constant REFUSAL_GATE]: the name of the gate), [code]factors[/code],
    /// [code]hold[/code] of what runs, and [code]text[/code], its line in the log. Before the first evaluation there is no score yet
    /// and [code]text[/code] is empty.
    #[func(gd_self)]
    pub fn get_action_overview(this: Gd<Self>) -> Array<VarDictionary> {
        overview(&this, "action_id")
    }
}

#[godot_api(secondary)]
impl ReactionEvaluator {
    /// One dictionary per reaction in use, in order, as the reaction stands now: what a panel or an editor shows of a running agent.
    /// Changes nothing and asks no script. The same as [method ActionEvaluator.get_action_overview] with [code]reaction_id[/code];
    /// the candidate is that of the last event.
    #[func(gd_self)]
    pub fn get_reaction_overview(this: Gd<Self>) -> Array<VarDictionary> {
        overview(&this, "reaction_id")
    }
}

fn overview<T: EvaluatorNode>(this: &Gd<T>, key: &str) -> Array<VarDictionary> {
    let rows = driver::with(this.instance_id(), |state| state.core.overview()).unwrap_or_default();
    // On a peer that follows, what runs is known by name only.
    let followed = driver::following::run(this.instance_id()).map(|run| run.action.to_string());
    let mut made = Array::new();
    for mut row in rows {
        row.running = followed.as_ref().map_or(row.running, |name| **name == *row.action);
        made.push(&entry(&row, key));
    }
    made
}

fn entry(row: &ActionOverview, key: &str) -> VarDictionary {
    let none = || DecisionRow {
        action: row.action.clone(),
        target: None,
        score: 0.0,
        won: false,
        refusal: Refusal::None,
        detail: String::new(),
        hold: None,
        factors: Vec::new(),
    };
    let text = row.row.as_ref().map(|row| row.line(&target_name)).unwrap_or_default();
    let standing = row.row.clone().unwrap_or_else(none);
    let mut made = candidate(&standing, &target_path(standing.target));
    made.remove("action_id");
    made.set(key, &StringName::from(&*row.action));
    made.set("running", row.running);
    made.set("cooldown_remaining", row.cooldown_left);
    made.set("cooldown_duration", row.cooldown_length);
    made.set("uses", row.uses);
    made.set("text", &GString::from(&text));
    made
}
