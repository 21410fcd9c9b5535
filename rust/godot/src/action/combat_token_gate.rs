use godot::prelude::*;
use riposte_core::action::GateKind;

use super::parts::GatePart;
use super::resource_class::{SpecChecks, resource_class};
use crate::base::tags;

/// More slots than any pool has.
const MOST: i64 = 1_000_000;

resource_class! {
    /// Lets an action through only while the target has free slots in [CombatTokens], so that not all attack at once.
    ///
    /// The slots are taken when the action starts and given back when its run ends, for whatever reason, or when the agent or
    /// the target is gone. Slots that the agent has already count as free. Without a target the gate says no. Costs of
    /// several gates with one tag add up. A forced start takes slots if they are free, and runs without them otherwise.
    ///
    /// ```gdscript
    /// var gate := CombatTokenGate.new()  # one slot of Token.Attack
    /// spec.gates = [gate]
    /// ```
    class CombatTokenGate;
    properties {
        /// The kind of slots, a tag. How many a target has is in the project setting
        /// [code]riposte/combat_tokens/pools[/code]. Default [code]Token.Attack[/code]. Empty: the gate has no effect.
        #[export]
        token_tag: StringName = (StringName::from("Token.Attack")) => set_token_tag(tag);
        /// How many slots a run takes. 1 or more, default 1.
        #[export(range = (1.0, 8.0, 1.0, or_greater))]
        cost: i64 = 1 => set_cost(count, 1, MOST);
    }
    items {}
}

impl GatePart for CombatTokenGate {
    fn kind(&self) -> Option<GateKind> {
        let tag = tags::intern(&self.token_tag.to_string()).ok()?;
        Some(GateKind::Tokens { tag, cost: u32::try_from(self.cost).unwrap_or(1) })
    }

    fn label(&self) -> String {
        format!("CombatTokenGate {} x{}", self.token_tag, self.cost)
    }

    fn warnings(&self) -> Vec<String> {
        if self.token_tag.is_empty() {
            return vec![
                "token_tag is empty, so the gate has no effect. Set a tag, or remove the gate.".into(),
            ];
        }
        tags::warning("token_tag", &self.token_tag.to_string()).into_iter().collect()
    }
}
