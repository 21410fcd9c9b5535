use std::sync::Arc;

use godot::prelude::*;

use super::ReactionSpec;
use super::compile::compile_set;
use super::compiled::CompiledSet;
use super::problems::{self, Problem};
use super::set_class::set_class;
use super::set_parts::{self, Cache, FORMAT_VERSION};
use super::set_resource::SetResource;
use crate::base::family::{ArrayOf, ClassArray};

set_class! {
    /// The reactions of an agent, in order: of equal scores the first one wins.
    ///
    /// The resource is read-only at run time and may be shared by any number of agents.
    class ReactionSet of ReactionSpec, "reaction";
    /// The reactions. One without an id, or with an id that came before, is left out. Read-only in scripts: assign a new
    /// array.
    list reactions, get_reactions, set_reactions;
    properties {}
    /// The reaction with this id; null if there is none.
    find find_reaction;
    /// What is wrong with the set: an array of dictionaries with `severity` (`"error"`: something is left out;
    /// `"warning"`: it is only suspicious), `message` and `reaction` (its id). Empty: all is well.
    validate;
    items {}
}

impl ReactionSet {
    fn fallback(&self) -> StringName {
        StringName::default()
    }
}
