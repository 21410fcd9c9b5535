use std::sync::Arc;

use godot::prelude::*;

use super::ActionSpec;
use super::compile::compile_set;
use super::compiled::CompiledSet;
use super::problems::{self, Problem};
use super::set_class::set_class;
use super::set_parts::{self, Cache, FORMAT_VERSION};
use super::set_resource::SetResource;
use crate::base::family::{ArrayOf, ClassArray};

set_class! {
    /// The actions of an agent, in order: of equal scores the first one wins.
    ///
    /// The resource is read-only at run time and may be shared by any number of agents.
    class ActionSet of ActionSpec, "action";
    /// The actions. An action without an id, or with an id that came before, is left out. Read-only in scripts: assign a
    /// new array.
    list actions, get_actions, set_actions;
    properties {
        /// The action that is started when nothing else can be chosen: it has to pass its gates, its score does not count. It is
        /// replaced by the first action that scores above 0. Empty, the default: none.
        #[export]
        #[var(set = set_fallback_action)]
        pub(crate) fallback_action: StringName,
    }
    /// The action with this id; null if there is none.
    find find_action;
    /// What is wrong with the set: an array of dictionaries with `severity` (`"error"`: something is left out;
    /// `"warning"`: it is only suspicious), `message` and `action` (its id). Empty: all is well.
    validate;
    items {
        /// The ids of the actions that count, in order.
        #[func]
        pub fn get_action_ids(&self) -> PackedStringArray {
            set_parts::ids(self.specs())
        }

        #[func]
        fn set_fallback_action(&mut self, value: StringName) {
            self.fallback_action = value;
            self.part_changed();
        }
    }
}

impl ActionSet {
    fn fallback(&self) -> StringName {
        self.fallback_action.clone()
    }
}
