//! The life of an evaluator, of actions or of reactions: its agent, its set, its seed, its steps.

use std::sync::atomic::{AtomicU64, Ordering};

use godot::classes::Engine;
use godot::prelude::*;
use riposte_core::action::{ActionPlan, Evaluator};
use riposte_core::random::mix;

use super::evaluator_sources::{EvaluatorParts, EvaluatorSources};
use super::numbers::{self, Moment};
use super::{driver, set_activity, set_resource, set_use};
use crate::agent;
use crate::base::callbacks::connect;
use crate::base::lookup::{self, Part};
use crate::base::{messages, settings, ticking};

/// Evaluators that have started since the library was loaded.
static STARTED: AtomicU64 = AtomicU64::new(0);

/// What both classes of evaluators do alike.
pub(super) trait EvaluatorNode: EvaluatorParts {
    /// Finds out which virtuals the node's script has.
    fn find_virtuals(this: &Gd<Self>);

    /// The factor of every score.
    fn global_multiplier(_this: &Gd<Self>) -> f64 {
        1.0
    }

    /// Takes it back from a state.
    fn restore_multiplier(_this: &Gd<Self>, _factor: f64) {}

    /// Tells that the role is another.
    fn role_changed(_this: &Gd<Self>, _role: &StringName) {}

    // Agent.

    fn find_agent(this: &Gd<Self>) {
        let path = this.bind().given().agent_path;
        let agent = lookup::attach(&this.clone().upcast(), &path, Self::PART);
        let id = this.instance_id();
        driver::with(id, |state| {
            let agent = agent.as_ref().map(|agent| agent.instance_id());
            if std::mem::replace(&mut state.agent, agent) != agent {
                state.motion.forget();
            }
        });
        if let Some(agent) = agent.filter(|agent| !agent.is_ancestor_of(&this.clone().upcast::<Node>())) {
            follow(id, &agent);
        }
        if this.clone().upcast::<Node>().is_node_ready() {
            Self::start_with_agent(this);
        }
    }

    /// Ready itself; the agent may not be.
    fn ready_up(this: &Gd<Self>) {
        driver::recording::readied(this.instance_id());
        this.bind().apply_block_tags();
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
    fn begin(this: &Gd<Self>) {
        let id = this.instance_id();
        let first = driver::with(id, |state| state.ordinal.is_none() && !state.restored).unwrap_or(false);
        if first {
            let ordinal = STARTED.fetch_add(1, Ordering::Relaxed) + 1;
            driver::with(id, |state| state.ordinal = Some(ordinal));
            apply_seed(id);
        }
        Self::find_virtuals(this);
        driver::frames::follow();
        driver::frames::join(id);
        let follows = driver::following::follows(id);
        if !follows && driver::with(id, |state| !state.core.is_started()).unwrap_or(false) {
            Self::use_weapon_path(this);
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

    /// Ends what runs, while the nodes before this one are still in the tree.
    fn leave(this: &Gd<Self>) {
        let id = this.instance_id();
        driver::call(id, |state| state.core.teardown());
        driver::forget_contexts(id);
        set_activity::leave(id);
        lookup::detach(id);
        driver::stepping::dismiss(id);
        driver::with(id, |state| {
            state.agent = None;
            state.driven.forget();
        });
    }

    // Set.

    /// Finds the set to use and gives it to the core, if it is another one. Runs scripts of the set.
    fn resolve_set(this: &Gd<Self>) {
        set_use::resolve(this.instance_id());
    }

    /// Configuration warnings about the sets. Runs scripts of them that may run in the editor.
    fn set_warnings(this: &Gd<Self>) -> Vec<String> {
        let sets = Self::assigned_sets(this);
        let mut warnings = Self::source_warnings(this, sets.is_empty());
        for set in &sets {
            warnings.extend(set_resource::problems(set).into_iter().map(|problem| problem.message));
        }
        let agent = lookup::find_agent(&this.clone().upcast(), &this.bind().given().agent_path);
        let Some(agent) = agent.map(|agent| agent.instance_id()) else { return warnings };
        let any = |asks: fn(&ActionPlan) -> bool| {
            let asks = |set: &Gd<Resource>| {
                let compiled = set_resource::compiled(set);
                compiled.is_some_and(|set| set.plan.actions().iter().any(|action| asks(action)))
            };
            sets.iter().any(asks)
        };
        if !agent::has_container(agent) && any(|action| !action.add_tags.ids().is_empty()) {
            warnings.push(
                "Actions add tags to the agent while they run (add_tags), but it has no TagContainer. Add one as a \
                 child of the agent, or clear add_tags."
                    .to_owned(),
            );
        }
        // A reaction is started by the game, and that may be in a physics step.
        let idle = driver::with(this.instance_id(), |state| {
            state.callback == ticking::PROCESS_IDLE && !state.core.is_reacting()
        });
        let blind = idle == Some(true) && lookup::part_of(agent, Part::Perception).is_none();
        if blind && any(|action| action.require_line_of_sight) {
            warnings.push(
                "Actions need a line of sight (require_line_of_sight), but rays are cast in physics steps only and the agent \
                 has no Perception, so they are refused. Set process_callback to Physics, or add a Perception to the agent."
                    .to_owned(),
            );
        }
        warnings
    }

    // Steps.

    fn update_ticking(this: &Gd<Self>) {
        let order = driver::with(this.instance_id(), |state| {
            let active = state.core.is_started();
            state.driven.order(state.callback, active)
        });
        if let Some(order) = order.flatten() {
            driver::stepping::place(&this.clone().upcast(), order.callback());
        }
    }

    /// One step that a script asked for.
    fn step(this: &Gd<Self>, delta: f64) {
        driver::stepping::step(this.instance_id(), delta);
    }

    /// A call that only makes sense on a started evaluator in the tree; an error if it is not.
    fn is_active(this: &Gd<Self>, member: &str) -> bool {
        let started = driver::with(this.instance_id(), |state| state.core.is_started()).unwrap_or(false);
        let (reason, text) = if !started {
            ("started", format!("{member}() was called before start(). Start the evaluator first."))
        } else if !this.clone().upcast::<Node>().is_inside_tree() {
            ("tree", format!("{member}() was called outside of the tree. Add the agent to the tree first."))
        } else if driver::following::follows(this.instance_id()) {
            let text =
                format!("{member}() has no effect here, another peer has the authority. Call it there.");
            ("authority", text)
        } else {
            return true;
        };
        messages::error(&this.clone().upcast::<Node>(), member, reason, &text);
        false
    }

    /// Evaluating inside the evaluator's own gate or scorer is refused with an error.
    fn is_scoring(this: &Gd<Self>, member: &str, mend: &str) -> bool {
        let scoring =
            driver::with(this.instance_id(), |state| Evaluator::is_scoring(&state.core)).unwrap_or(false);
        if scoring {
            let text = format!("{member}() was called inside a gate or scorer of the same evaluator. {mend}");
            messages::error(&this.clone().upcast::<Node>(), member, "scoring", &text);
        }
        scoring
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

/// An agent elsewhere in the tree takes its evaluator out of the game when it leaves.
fn follow(id: InstanceId, agent: &Gd<Node>) {
    connect(agent, "tree_exiting", id, "riposte_agent_left", |id| {
        driver::call(id, |state| state.core.teardown());
    });
    connect(agent, "tree_entered", id, "riposte_agent_came", |id| {
        driver::with(id, |state| state.core.enter());
    });
}
