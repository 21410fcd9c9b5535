//! The life of an [`ActionEvaluator`]: its agent, its set, its seed, its steps.

use std::sync::atomic::{AtomicU64, Ordering};

use godot::classes::Engine;
use godot::prelude::*;
use riposte_core::action::Evaluator;
use riposte_core::random::mix;

use super::driver::{self, CurrentSet};
use super::{ActionEvaluator, ActionSet};
use crate::agent;
use crate::base::callbacks::{connect, disconnect};
use crate::base::lookup::{self, Part};
use crate::base::{settings, ticking};

/// Evaluators that have started since the library was loaded.
static STARTED: AtomicU64 = AtomicU64::new(0);

impl ActionEvaluator {
    // Agent.

    pub(super) fn find_agent(this: &Gd<Self>) {
        let path = this.bind().agent_path.clone();
        let agent = lookup::attach(&this.clone().upcast(), &path, Part::Evaluator);
        let id = this.instance_id();
        driver::with(id, |state| state.agent = agent.as_ref().map(|agent| agent.instance_id()));
        if let Some(agent) = agent.filter(|agent| !agent.is_ancestor_of(this)) {
            follow(id, &agent);
        }
        if this.is_node_ready() {
            Self::start_with_agent(this);
        }
    }

    /// Ready itself; the agent may not be.
    pub(super) fn ready_up(this: &Gd<Self>) {
        this.bind().apply_block_tags();
        driver::recording::readied(this.instance_id());
        driver::with(this.instance_id(), |state| state.driven.readied());
        Self::update_ticking(this);
        if !Engine::singleton().is_editor_hint() {
            Self::resolve_set(this);
        }
        Self::start_with_agent(this);
    }

    /// By itself, but never before the agent's own `_ready` has run.
    fn start_with_agent(this: &Gd<Self>) {
        if Engine::singleton().is_editor_hint() {
            return;
        }
        let read = |state: &mut driver::State| (state.auto_start && !state.core.is_started(), state.agent);
        let Some((true, Some(agent))) = driver::with(this.instance_id(), read) else { return };
        let Ok(agent) = Gd::<Node>::try_from_instance_id(agent) else { return };
        if agent.is_node_ready() {
            Self::begin(this);
            return;
        }
        connect(&agent, "ready", this.instance_id(), "riposte_agent_ready", |id| {
            if let Ok(this) = Gd::<Self>::try_from_instance_id(id) {
                Self::start_with_agent(&this);
            }
        });
    }

    /// Starts, if it did not yet.
    pub(super) fn begin(this: &Gd<Self>) {
        let id = this.instance_id();
        let first = driver::with(id, |state| state.ordinal.is_none() && !state.restored).unwrap_or(false);
        if first {
            let ordinal = STARTED.fetch_add(1, Ordering::Relaxed) + 1;
            driver::with(id, |state| state.ordinal = Some(ordinal));
            Self::apply_seed(id);
        }
        Self::find_virtuals(this);
        if driver::following::follows(id) {
            driver::call(id, |state| state.core.start_following());
        } else {
            driver::call(id, |state| state.core.start());
        }
        if this.is_instance_valid() {
            Self::update_ticking(this);
        }
    }

    /// The seed of all draws: the node's own, else the project's and the node's number.
    pub(super) fn apply_seed(id: InstanceId) {
        let read = driver::with(id, |state| (state.random_seed, state.ordinal));
        let Some((own, ordinal)) = read else { return };
        let seed = match ordinal {
            _ if own != 0 => own.cast_unsigned(),
            Some(ordinal) => mix(settings::RANDOM_SEED.read().cast_unsigned() ^ ordinal),
            None => return,
        };
        driver::with(id, |state| state.core.set_seed(seed));
    }

    /// Ends what runs, while the nodes before this one are still in the tree.
    pub(super) fn leave(this: &Gd<Self>) {
        let id = this.instance_id();
        driver::call(id, |state| state.core.teardown());
        lookup::detach(id);
        driver::with(id, |state| state.agent = None);
    }

    // Set.

    /// Finds the set to use and gives it to the core, if it is another one. Runs scripts of the set.
    pub(super) fn resolve_set(this: &Gd<Self>) {
        let id = this.instance_id();
        let resource = this.bind().assigned_set();
        let old = driver::current_set(id).resource;
        if old != resource {
            listen(id, old, resource.as_ref());
        } else if resource.is_none() {
            return;
        }
        Self::use_set(id, resource);
    }

    /// The set or something below it was edited: compiled again, once for all agents.
    pub(super) fn refresh_set(id: InstanceId) {
        let resource = driver::current_set(id).resource;
        if resource.is_some() {
            Self::use_set(id, resource);
        }
    }

    fn use_set(id: InstanceId, resource: Option<Gd<ActionSet>>) {
        let changed = driver::current_set(id).resource != resource;
        let compiled = resource.as_ref().map(ActionSet::compiled);
        if !changed && driver::is_current(id, compiled.as_ref()) {
            return;
        }
        let plan = compiled.as_ref().map(|compiled| compiled.plan.clone());
        let version = driver::with(id, |state| state.core.list_version() + 1).unwrap_or(0);
        driver::set_current(id, CurrentSet { resource, compiled }, version);
        let fallback = driver::current_set(id).compiled.and_then(|compiled| compiled.fallback.clone());
        driver::call(id, |state| {
            state.core.set_fallback(fallback);
            state.needs = plan.as_ref().map(|plan| plan.needs()).unwrap_or_default();
            state.core.set_list(plan.as_ref().map(|plan| plan.actions()), changed);
        });
    }

    pub(super) fn source_of(set: Option<&Gd<ActionSet>>) -> i64 {
        if set.is_some() { Self::SET_COMPONENT_DEFAULT } else { Self::SET_NONE }
    }

    /// Configuration warnings about the set. Runs scripts of it that may run in the editor.
    pub(super) fn set_warnings(this: &Gd<Self>) -> Vec<String> {
        let (set, path) = {
            let own = this.bind();
            (own.assigned_set(), own.agent_path.clone())
        };
        let Some(set) = set else {
            return vec!["There is no default_action_set, so the agent never acts. Assign one.".to_owned()];
        };
        let mut warnings: Vec<String> =
            ActionSet::problems(&set).into_iter().map(|problem| problem.message).collect();
        let agent = lookup::find_agent(&this.clone().upcast(), &path);
        let tagless = agent.is_some_and(|agent| !agent::has_container(agent.instance_id()));
        let adds_tags = |set| {
            ActionSet::compiled(set).plan.actions().iter().any(|action| !action.add_tags.ids().is_empty())
        };
        if tagless && adds_tags(&set) {
            warnings.push(
                "Actions add tags to the agent while they run (add_tags), but it has no TagContainer. Add one as a \
                 child of the agent, or clear add_tags."
                    .to_owned(),
            );
        }
        warnings
    }

    // Steps.

    pub(super) fn update_ticking(this: &Gd<Self>) {
        let order = driver::with(this.instance_id(), |state| {
            let active = state.core.is_started();
            state.driven.order(state.callback, active)
        });
        ticking::drive(this, order.flatten());
    }

    pub(super) fn step(this: &Gd<Self>, delta: f64) {
        let id = this.instance_id();
        let follows = driver::following::follows(id);
        driver::call(id, |state| {
            let scaled = delta * state.time_scale;
            let agent = state.agent.is_some_and(InstanceId::lookup_validity);
            if agent && !state.stepping && scaled > 0.0 {
                state.stepping = true;
                if follows {
                    state.core.step_clock(scaled);
                } else {
                    state.core.step(scaled);
                }
            }
        });
        driver::with(id, |state| state.stepping = false);
    }

    /// A call that only makes sense on a started evaluator in the tree; an error if it is not.
    pub(super) fn is_active(this: &Gd<Self>, member: &str) -> bool {
        let started = driver::with(this.instance_id(), |state| state.core.is_started()).unwrap_or(false);
        let (reason, text) = if !started {
            ("started", format!("{member}() was called before start(). Start the evaluator first."))
        } else if !this.is_inside_tree() {
            ("tree", format!("{member}() was called outside of the tree. Add the agent to the tree first."))
        } else if driver::following::follows(this.instance_id()) {
            let text =
                format!("{member}() has no effect here, another peer has the authority. Call it there.");
            ("authority", text)
        } else {
            return true;
        };
        crate::base::messages::error(this, member, reason, &text);
        false
    }

    /// Evaluating inside the evaluator's own gate or scorer is refused with an error.
    pub(super) fn is_scoring(this: &Gd<Self>, member: &str, mend: &str) -> bool {
        let scoring =
            driver::with(this.instance_id(), |state| Evaluator::is_scoring(&state.core)).unwrap_or(false);
        if scoring {
            let text = format!("{member}() was called inside a gate or scorer of the same evaluator. {mend}");
            crate::base::messages::error(this, member, "scoring", &text);
        }
        scoring
    }
}

/// An agent elsewhere in the tree takes its evaluator out of the game when it leaves.
fn follow(id: InstanceId, agent: &Gd<Node>) {
    connect(agent, "tree_exiting", id, "riposte_agent_left", |id| {
        driver::call(id, |state| state.core.teardown());
    });
    connect(agent, "tree_entered", id, "riposte_agent_came", |id| {
        driver::with(id, |state| state.core.enter());
    });
}

/// Follows the edits of the set in use.
fn listen(id: InstanceId, old: Option<Gd<ActionSet>>, new: Option<&Gd<ActionSet>>) {
    const EDITED: &str = "riposte_set_edited";
    if let Some(old) = old {
        disconnect(&old, "changed", id, EDITED);
    }
    if let Some(new) = new {
        connect(new, "changed", id, EDITED, |id| {
            driver::with(id, |state| state.core.mark_stale());
        });
    }
}
