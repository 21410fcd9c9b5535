use std::sync::Arc;

use godot::prelude::*;
use riposte_core::graph::parts::ConditionKind;

use super::condition_parts::BuiltInCondition;
use super::findings::Finding;
use crate::action::resource_class::{SpecChecks, resource_class};

resource_class! {
    /// Lets a transition through while a cooldown has charges left.
    ///
    /// It takes none. A cooldown that nobody knows is ready.
    class CooldownReadyCondition;
    properties {
        /// The [member ActionCooldown.key] of the cooldown, or the id of its node. Default empty: always ready.
        #[export]
        cooldown_key: StringName = (StringName::default()) => set_cooldown_key(any);
        /// At least so many charges, 1 to 20. Default 1.
        #[export(range = (1.0, 20.0, 1.0))]
        charges: i64 = 1 => set_charges(count, 1, 20);
        /// On: the transition passes where it would not, and the other way round.
        #[export]
        invert: bool = false => set_invert(any);
    }
    items {}
}

impl BuiltInCondition for CooldownReadyCondition {
    fn kind(&self) -> ConditionKind {
        ConditionKind::Cooldown {
            key: Arc::from(self.cooldown_key.to_string()),
            charges: u32::try_from(self.charges).unwrap_or(1),
        }
    }

    fn is_inverted(&self) -> bool {
        self.invert
    }

    fn caption(&self) -> String {
        let charges = if self.charges > 1 { format!(" x{}", self.charges) } else { String::new() };
        format!("{} ready{charges}", self.cooldown_key)
    }

    fn findings(&self) -> Vec<Finding> {
        Vec::new()
    }

    fn cooldown_key(&self) -> Option<StringName> {
        Some(self.cooldown_key.clone())
    }
}
