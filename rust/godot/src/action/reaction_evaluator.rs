use godot::prelude::*;

use super::evaluator_class::parts::*;
use super::evaluator_class::{evaluator_class, evaluator_table};
use super::{ReactionSet, evaluator_virtuals};

type OwnSet = Option<Gd<ReactionSet>>;

evaluator_class! {
    /// Lets an agent answer events at once: a hit, a noise, an attack that is coming.
    ///
    /// Add it as a direct child of the agent, after its [ActionEvaluator]. [method react] tells it of an event. The reactions
    /// that answer the event are checked and scored as actions are; the best one is started, and interrupts the agent's action if
    /// that may be interrupted. It waits for neither intervals nor recovery.
    ///
    /// ```gdscript
    /// reactions.default_reaction_set = preload("res://guard_reactions.tres")
    /// func take_hit(attacker: Node, damage: float) -> void:
    ///     reactions.react(&"Event.Hit", ActionContext.create(attacker, damage))
    /// ```
    class ReactionEvaluator of ReactionSet by create_reacting, Reactions, "reaction", "reacts";
    told {
        "[signal reaction_set_changed], [signal reaction_ended], [signal reaction_started] and [signal cooldown_started]"
    }
    records { "Forced starts are among them." }
    running {
        /// Events that are sent to the agent's [AbilitySystem] are answered too, after the abilities that they start. Default on.
        /// See [method AbilitySystem.send_event].
        #[export]
        listen_to_events: bool = true => set_listen_to_events(any);
    }
    sources default_reaction_set, set_default_reaction_set {
        /// What the agent has in common with others of its kind: sets by role. Empty: that of the agent's [ActionEvaluator].
        #[export_group(name = "Set")]
        #[export]
        #[var(set = set_config)]
        config: GivenConfig = (None);
        /// What the agent is there for, a tag like [code]Role.Attacker[/code]: weapon and [member config] may have a set for it.
        /// It can change at any time. Empty: the role of the agent's [ActionEvaluator].
        #[export]
        #[var(set = set_role)]
        role: StringName = (StringName::default());
        /// The reactions of the agent if neither weapon nor [member config] have any. Several agents may share one set: it is
        /// never changed.
        #[export]
        #[var(set = set_default_reaction_set)]
        default_reaction_set: OwnSet = (None);
        /// The weapon with which the agent starts, see [method set_weapon]. Looked up when the evaluator starts. Empty: none.
        #[export]
        #[var(set = set_weapon_path)]
        weapon_path: NodePath = (NodePath::default());
    }
    target {}
    choice {
        /// Scores vary by up to this share while [member live_seed] is on. Default 0.05.
        #[export(range = (0.0, 0.5, 0.01))]
        jitter_amount: f64 = 0.05 => set_jitter_amount(clamped, 0.0, 0.5);
        /// Scores vary from event to event. Off, the default: the same event gives the same choice, and the random numbers of
        /// scorers are always the same.
        #[export]
        live_seed: bool = false => set_live_seed(any);
    }
    switching {}
    scales {
        /// While the agent owns one of these tags, no event is answered. What runs goes on; forced starts work.
        #[export]
        #[var(get = get_global_block_tags, set = set_global_block_tags)]
        global_block_tags: TagList = (TagList::preset(&["State.ReactionsBlocked"]));
    }
    items {
        /// A reaction began to run. [param target] is null without one. [param run_id] names this run.
        #[signal]
        pub fn reaction_started(reaction_id: StringName, target: Option<Gd<Node>>, run_id: i64);

        /// A run ended; exactly once for each that started. [param reason] is one of the [code]END_*[/code] constants.
        #[signal]
        pub fn reaction_ended(reaction_id: StringName, reason: i64, run_id: i64);

        /// A reaction was chosen and starts after [param delay] seconds, if its gates still pass then. Followed by
        /// [signal reaction_started] or [signal reaction_refused].
        #[signal]
        pub fn reaction_pending(reaction_id: StringName, delay: f64);

        /// No reaction came of an event: none answered it, none could start, or the one that waited lost its place. Empty for a
        /// forced start without an event.
        #[signal]
        pub fn reaction_refused(event_tag: StringName);

        /// A reaction can't be chosen for some seconds.
        #[signal]
        pub fn cooldown_started(reaction_id: StringName, duration: f64);

        /// The cooldown of a reaction is over.
        #[signal]
        pub fn cooldown_expired(reaction_id: StringName);

        /// The agent uses another set. [param source] is one of the [code]SET_*[/code] constants.
        #[signal]
        pub fn reaction_set_changed(reaction_set: Option<Gd<ReactionSet>>, source: i64);
    }
    engine {}
}

impl ReactionEvaluator {
    /// What only a node that answers events has.
    fn fill(&self, state: &mut State) {
        state.core.set_live_seed(self.live_seed);
        state.listens = self.listen_to_events;
    }

    fn other_warnings(&self) -> Option<String> {
        None
    }
}

impl EvaluatorNode for ReactionEvaluator {
    fn find_virtuals(this: &Gd<Self>) {
        evaluator_virtuals::find(&this.clone().upcast());
    }
}
