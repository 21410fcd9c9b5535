//! The set that an evaluator uses, of actions or of reactions.

use std::sync::Arc;

use godot::obj::{Bounds, bounds};
use godot::prelude::*;

use super::compiled::CompiledSet;
use super::problems::Problem;
use super::{ActionSet, ReactionSet};

/// A resource that an evaluator can use.
pub(super) trait SetResource: GodotClass {
    /// The compiled set: made once after a change, for all agents. Runs scripts: nothing may be bound or locked.
    fn compiled(this: &Gd<Self>) -> Arc<CompiledSet>;

    /// What is wrong with the set. Runs scripts: nothing may be bound or locked.
    fn problems(this: &Gd<Self>) -> Vec<Problem>;
}

fn ask<R>(
    set: &Gd<Resource>,
    actions: impl FnOnce(&Gd<ActionSet>) -> R,
    reactions: impl FnOnce(&Gd<ReactionSet>) -> R,
) -> Option<R> {
    fn cast<T>(set: &Gd<Resource>) -> Option<Gd<T>>
    where
        T: Inherits<Resource> + Bounds<Declarer = bounds::DeclUser>,
    {
        set.clone().try_cast().ok()
    }
    match cast::<ActionSet>(set) {
        Some(set) => Some(actions(&set)),
        None => cast::<ReactionSet>(set).map(|set| reactions(&set)),
    }
}

/// What a set compiles to. Runs scripts: nothing may be bound or locked.
pub(super) fn compiled(set: &Gd<Resource>) -> Option<Arc<CompiledSet>> {
    ask(set, ActionSet::compiled, ReactionSet::compiled)
}

/// What is wrong with a set. Runs scripts: nothing may be bound or locked.
pub(super) fn problems(set: &Gd<Resource>) -> Vec<Problem> {
    ask(set, ActionSet::problems, ReactionSet::problems).unwrap_or_default()
}
