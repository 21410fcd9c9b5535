//! The life of an [`ActionEvaluator`]: its agent, its set, its seed, its steps.

use std::sync::atomic::{AtomicU64, Ordering};

use godot::classes::Engine;
use godot::prelude::*;
use riposte_core::action::Evaluator;
use riposte_core::random::mix;

use super::numbers::{self, Moment};
use super::{ActionEvaluator, ActionSet, driver, set_use};
use crate::agent;
use crate::base::callbacks::connect;
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
        driver::frames::follow();
        driver::frames::join(id);
        let follows = driver::following::follows(id);
        if !follows && driver::with(id, |state| !state.core.is_started()).unwrap_or(false) {
            Self::find_weapon(this);
            numbers::read_current(id, Moment::Spawn);
        }
        if follows {
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
        set_use::resolve(this.instance_id());
    }

    /// Configuration warnings about the set. Runs scripts of it that may run in the editor.
    pub(super) fn set_warnings(this: &Gd<Self>) -> Vec<String> {
        let (sets, path, weapon, config) = {
            let own = this.bind();
            let weapon = own.weapon_path.clone();
            (own.assigned_sets(), own.agent_path.clone(), weapon, own.config.clone())
        };
        let mut warnings = config.map(|config| config.bind().warnings()).unwrap_or_default();
        if !weapon.is_empty() && this.get_node_or_null(&weapon).is_none() {
            warnings.push(format!("weapon_path \"{weapon}\" leads to no node. Set another, or clear it."));
        }
        if sets.is_empty() && weapon.is_empty() {
            let text =
                "There is no default_action_set and no set in config, so the agent never acts. Assign one.";
            warnings.push(text.to_owned());
        }
        for set in &sets {
            warnings.extend(ActionSet::problems(set).into_iter().map(|problem| problem.message));
        }
        let agent = lookup::find_agent(&this.clone().upcast(), &path);
        let tagless = agent.is_some_and(|agent| !agent::has_container(agent.instance_id()));
        let adds_tags = |set: &Gd<ActionSet>| {
            ActionSet::compiled(set).plan.actions().iter().any(|action| !action.add_tags.ids().is_empty())
        };
        if tagless && sets.iter().any(adds_tags) {
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
        let begun = driver::monitors::begin();
        driver::frames::stretch_interval(id, delta);
        let follows = driver::following::follows(id);
        driver::call(id, |state| {
            if !state.holders.is_empty() {
                state.count_holders();
            }
            if state.weapon.is_some_and(|weapon| !weapon.lookup_validity()) {
                state.weapon = None;
                state.core.mark_stale();
            }
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
        driver::monitors::end(begun);
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
