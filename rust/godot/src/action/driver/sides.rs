//! What only the engine knows about an evaluator: its set, its runs, the contexts that scripts are given.
//!
//! Main thread only. Borrowed for moments; nothing of the engine that runs scripts may be called inside.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::action::{ActionPlan, ActionRef, RunId, SetSource};

use super::runs::RunSide;
use super::with;
use crate::action::compiled::CompiledSet;
use crate::action::context_data::ContextData;
use crate::action::set_activity::Activity;
use crate::action::sources::Sources;
use crate::action::{ActionContext, DecisionContext};

/// The set that an evaluator uses.
#[derive(Clone, Default)]
pub(in crate::action) struct CurrentSet {
    pub resource: Option<Gd<Resource>>,
    pub source: SetSource,
    /// The resource, compiled.
    pub base: Option<Arc<CompiledSet>>,
    /// What was granted, compiled.
    pub grants: Vec<Arc<ActionPlan>>,
    /// Both: the effective list.
    pub compiled: Option<Arc<CompiledSet>>,
}

impl CurrentSet {
    /// True if the effective list would be the same.
    pub fn is_made_of(&self, base: Option<&Arc<CompiledSet>>, grants: &[Arc<ActionPlan>]) -> bool {
        let same_base = match (&self.base, base) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        };
        let same = |(own, other): (&Arc<ActionPlan>, &Arc<ActionPlan>)| Arc::ptr_eq(own, other);
        same_base && self.grants.len() == grants.len() && self.grants.iter().zip(grants).all(same)
    }
}

/// The context that scripts of an evaluator are given, as they are given it, and its content.
pub(super) struct SharedContext {
    pub argument: Variant,
    pub data: Arc<Mutex<ContextData>>,
}

impl SharedContext {
    /// Puts other content in its place.
    pub fn fill(&self, content: ContextData) {
        // A script may hear of what is dropped.
        let old = std::mem::replace(&mut *self.data.lock(), content);
        drop(old);
    }
}

#[derive(Default)]
pub(super) struct Side {
    set: CurrentSet,
    sources: Sources,
    activity: Activity,
    /// Compiled sets by the core's list version; the last one is in use, those before while a decision needs them.
    lists: Vec<(u64, Arc<CompiledSet>)>,
    /// Names for signals, by the core's order.
    names: Vec<StringName>,
    pub(super) runs: Vec<RunSide>,
    /// Contexts of starts that were asked for.
    pub(super) given: Vec<(RunId, Gd<ActionContext>)>,
    /// Names that no action has, of starts that were asked for.
    unknown: Vec<(RunId, StringName)>,
    context: Option<Rc<SharedContext>>,
    /// What the method of a saved run said, until it is asked whether it goes on.
    pub(super) saved: Option<VarDictionary>,
    /// What the evaluator's script made of the contexts of this evaluation.
    pub(super) built: Vec<ContextData>,
}

thread_local! {
    /// Never dropped: at the end of the process the engine is gone before this thread's storage is.
    static SIDES: &'static RefCell<BTreeMap<i64, Side>> = Box::leak(Box::default());
}

/// The engine's side of an evaluator, made when it is first asked for.
pub(super) fn side<R>(id: InstanceId, act: impl FnOnce(&mut Side) -> R) -> R {
    SIDES.with(|sides| act(sides.borrow_mut().entry(id.to_i64()).or_default()))
}

/// Drops all of it.
pub(in crate::action) fn forget(id: InstanceId) {
    let gone = SIDES.with(|sides| sides.borrow_mut().remove(&id.to_i64()));
    drop(gone);
}

/// The set in use.
pub(in crate::action) fn current_set(id: InstanceId) -> CurrentSet {
    side(id, |side| side.set.clone())
}

/// What the evaluator was given; nothing of the engine that runs scripts may be called inside.
pub(in crate::action) fn sources<R>(id: InstanceId, act: impl FnOnce(&mut Sources) -> R) -> R {
    side(id, |side| act(&mut side.sources))
}

/// What the set did when it became active; nothing of the engine that runs scripts may be called inside.
pub(in crate::action) fn activity<R>(id: InstanceId, act: impl FnOnce(&mut Activity) -> R) -> R {
    side(id, |side| act(&mut side.activity))
}

/// The same set from somewhere else.
pub(in crate::action) fn set_source(id: InstanceId, source: SetSource) {
    side(id, |side| side.set.source = source);
}

/// Another set; `version` is the core's number of its list.
pub(in crate::action) fn set_current(id: InstanceId, set: CurrentSet, version: u64) {
    let old = side(id, |side| {
        side.lists.extend(set.compiled.clone().map(|compiled| (version, compiled)));
        std::mem::replace(&mut side.set, set)
    });
    with(id, |state| state.retired = true);
    drop(old);
}

/// Lets go of all lists but the last: no decision goes on.
pub(super) fn settle(id: InstanceId) {
    let old = side(id, |side| {
        let old = side.lists.len().saturating_sub(1);
        side.lists.drain(..old).collect::<Vec<_>>()
    });
    drop(old);
}

/// The compiled set of that list version.
pub(super) fn list(id: InstanceId, version: u64) -> Option<Arc<CompiledSet>> {
    side(id, |side| side.lists.iter().rev().find(|list| list.0 == version).map(|list| list.1.clone()))
}

/// The name of an action for signals.
pub(super) fn name(id: InstanceId, action: ActionRef) -> StringName {
    let known = side(id, |side| side.names.get(action.0 as usize).cloned());
    known.unwrap_or_else(|| {
        let names = side_names(id);
        names.get(action.0 as usize).cloned().unwrap_or_default()
    })
}

/// The names of all actions that the evaluator has met.
pub(in crate::action) fn side_names(id: InstanceId) -> Vec<StringName> {
    let known = side(id, |side| side.names.len());
    let new = with(id, |state| state.core.names().skip(known).map(str::to_owned).collect::<Vec<_>>());
    side(id, |side| {
        side.names.extend(new.unwrap_or_default().iter().map(StringName::from));
        side.names.clone()
    })
}

/// Keeps the name of a start that no action has, until its refusal is told.
pub(in crate::action) fn name_refused(id: InstanceId, run: RunId, name: &StringName) {
    side(id, |side| side.unknown.push((run, name.clone())));
}

/// That name.
pub(super) fn peek_refused(id: InstanceId, run: RunId) -> StringName {
    side(id, |side| side.unknown.iter().find(|entry| entry.0 == run).map(|entry| entry.1.clone()))
        .unwrap_or_default()
}

/// Takes that name.
pub(super) fn take_refused(id: InstanceId, run: RunId) -> StringName {
    side(id, |side| {
        let at = side.unknown.iter().position(|entry| entry.0 == run);
        at.map(|at| side.unknown.swap_remove(at).1).unwrap_or_default()
    })
}

/// The content of that context.
pub(super) fn context_data(id: InstanceId) -> Arc<Mutex<ContextData>> {
    let known = side(id, |side| side.context.as_ref().map(|context| context.data.clone()));
    known.unwrap_or_else(|| shared_context(id).data.clone())
}

/// The context that scripts are given; one per evaluator, used again and again.
pub(super) fn shared_context(id: InstanceId) -> Rc<SharedContext> {
    if let Some(context) = side(id, |side| side.context.clone()) {
        return context;
    }
    let object = DecisionContext::new_gd();
    let data = object.bind().data();
    let context = Rc::new(SharedContext { argument: object.to_variant(), data });
    side(id, |side| side.context = Some(context.clone()));
    context
}
