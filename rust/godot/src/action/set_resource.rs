//! The set that an evaluator uses, of actions or of reactions.

use std::sync::Arc;

use godot::obj::{Bounds, bounds};
use godot::prelude::*;

use super::compiled::CompiledSet;
use super::problems::Problem;
use super::spec_class::Spec;
use super::{ActionSet, ReactionSet};
use crate::base::family::ElementClass;

/// A resource that an evaluator can use.
pub(super) trait SetResource: ElementClass + Bounds<Declarer = bounds::DeclUser> {
    /// What is in it.
    type Spec: Spec;

    /// Its elements, without nulls.
    fn specs(&self) -> &[Gd<Self::Spec>];

    /// The compiled set: made once after a change, for all agents. Runs scripts: nothing may be bound or locked.
    fn compiled(this: &Gd<Self>) -> Arc<CompiledSet>;

    /// What is wrong with the set. Runs scripts: nothing may be bound or locked.
    fn problems(this: &Gd<Self>) -> Vec<Problem>;
}

/// The set as the class it is.
pub(super) fn as_class<T>(set: &Gd<Resource>) -> Option<Gd<T>>
where
    T: Inherits<Resource> + Bounds<Declarer = bounds::DeclUser>,
{
    set.clone().try_cast().ok()
}

/// True for a set of reactions, or of actions.
pub(super) fn is_set(set: &Gd<Resource>, reacts: bool) -> bool {
    if reacts { as_class::<ReactionSet>(set).is_some() } else { as_class::<ActionSet>(set).is_some() }
}

fn ask<R>(
    set: &Gd<Resource>,
    actions: impl FnOnce(&Gd<ActionSet>) -> R,
    reactions: impl FnOnce(&Gd<ReactionSet>) -> R,
) -> Option<R> {
    match as_class(set) {
        Some(set) => Some(actions(&set)),
        None => as_class(set).map(|set| reactions(&set)),
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
