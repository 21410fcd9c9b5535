use godot::prelude::*;
use riposte_core::action::closest_role;
use riposte_core::tags::TagId;

use super::{ActionHook, ActionSet, ReactionSet, hook_part};
use crate::base::numbers::Checked;
use crate::base::tag_resources::{ResourcesByTag, TagResources};
use crate::base::tags;

/// What agents of one kind have in common: which actions they have in which role, and how long they rest between actions.
///
/// Assign it to [member ActionEvaluator.config] of every agent of that kind. It is read-only at run time and may be shared.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct AgentConfig {
    /// The actions of every role that has none of its own below.
    #[export]
    #[var(set = set_action_set)]
    action_set: Option<Gd<ActionSet>>,
    /// The reactions of every role that has none of its own below.
    #[export]
    #[var(set = set_reaction_set)]
    reaction_set: Option<Gd<ReactionSet>>,
    /// The actions of a role: role → set. The key that is the role, or its closest ancestor, counts: a set of
    /// [code]Role.Melee[/code] is also that of [code]Role.Melee.Heavy[/code]. Assign the whole dictionary; what is read
    /// cannot be changed.
    #[export]
    #[var(get = get_role_action_sets, set = set_role_action_sets)]
    role_action_sets: TagResources<ActionSet>,
    /// The reactions of a role, as in [member role_action_sets].
    #[export]
    #[var(get = get_role_reaction_sets, set = set_role_reaction_sets)]
    role_reaction_sets: TagResources<ReactionSet>,
    /// Your own code around every action and reaction of the agent. It is called before the hook of the action. Null: none.
    #[export_group(name = "Execution")]
    #[export]
    #[var(set = set_global_hook)]
    global_hook: Option<Gd<ActionHook>>,
    /// Seconds after an action completed or timed out in which nothing is chosen. Default 0 s.
    #[export_group(name = "Recovery")]
    #[export(range = (0.0, 30.0, 0.05, or_greater, suffix = "s"))]
    #[var(set = set_action_recovery_time)]
    action_recovery_time: f64,
    /// Seconds after an action was interrupted or cancelled in which nothing is chosen. Usually shorter than
    /// [member action_recovery_time]. Default 0 s.
    #[export(range = (0.0, 30.0, 0.05, or_greater, suffix = "s"))]
    #[var(set = set_interrupt_recovery_time)]
    interrupt_recovery_time: f64,
    /// Share by which the recovery after completion or time-out is longer or shorter at random. 0 to 1, default 0.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(set = set_action_recovery_randomization)]
    action_recovery_randomization: f64,
    base: Base<Resource>,
}

#[godot_api]
impl AgentConfig {
    #[func]
    fn set_action_set(&mut self, value: Option<Gd<ActionSet>>) {
        self.action_set = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_global_hook(&mut self, value: Option<Gd<ActionHook>>) {
        self.global_hook = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_reaction_set(&mut self, value: Option<Gd<ReactionSet>>) {
        self.reaction_set = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn get_role_reaction_sets(&self) -> ResourcesByTag<ReactionSet> {
        self.role_reaction_sets.stored()
    }

    #[func]
    fn set_role_reaction_sets(&mut self, value: ResourcesByTag<ReactionSet>) {
        let this = self.to_gd();
        if self.role_reaction_sets.assign(&this, "role_reaction_sets", &value) {
            self.base_mut().emit_changed();
        }
    }

    #[func]
    fn get_role_action_sets(&self) -> ResourcesByTag<ActionSet> {
        self.role_action_sets.stored()
    }

    #[func]
    fn set_role_action_sets(&mut self, value: ResourcesByTag<ActionSet>) {
        let this = self.to_gd();
        if self.role_action_sets.assign(&this, "role_action_sets", &value) {
            self.base_mut().emit_changed();
        }
    }

    #[func]
    fn set_action_recovery_time(&mut self, value: f64) {
        self.action_recovery_time =
            self.not_negative("action_recovery_time", value, self.action_recovery_time);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_interrupt_recovery_time(&mut self, value: f64) {
        self.interrupt_recovery_time =
            self.not_negative("interrupt_recovery_time", value, self.interrupt_recovery_time);
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_action_recovery_randomization(&mut self, value: f64) {
        let old = self.action_recovery_randomization;
        self.action_recovery_randomization =
            self.clamped("action_recovery_randomization", value, old, 0.0, 1.0);
        self.base_mut().emit_changed();
    }
}

impl AgentConfig {
    /// The hook of every action.
    pub(super) fn global_hook(&self) -> Option<Gd<ActionHook>> {
        self.global_hook.clone()
    }

    /// The set of every role, of reactions or of actions.
    pub(super) fn default_set(&self, reacts: bool) -> Option<Gd<Resource>> {
        if reacts {
            return self.reaction_set.clone().map(Gd::upcast);
        }
        self.action_set.clone().map(Gd::upcast)
    }

    /// The set of a role or of its closest ancestor.
    pub(super) fn role_set(&self, reacts: bool, role: TagId) -> Option<Gd<Resource>> {
        if reacts {
            return set_of_role(&self.role_reaction_sets, role).map(Gd::upcast);
        }
        set_of_role(&self.role_action_sets, role).map(Gd::upcast)
    }

    /// All sets that it names.
    pub(super) fn sets(&self, reacts: bool) -> Vec<Gd<Resource>> {
        let roles: Vec<Gd<Resource>> = if reacts {
            self.role_reaction_sets.resources().iter().cloned().map(Gd::upcast).collect()
        } else {
            self.role_action_sets.resources().iter().cloned().map(Gd::upcast).collect()
        };
        self.default_set(reacts).into_iter().chain(roles).collect()
    }

    /// Recovery after completion, after interruption, and the spread of the first.
    pub(super) fn recovery_numbers(&self) -> [f64; 3] {
        [self.action_recovery_time, self.interrupt_recovery_time, self.action_recovery_randomization]
    }

    /// What is wrong with it.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut found = self.role_action_sets.warnings("role_action_sets");
        found.extend(self.role_reaction_sets.warnings("role_reaction_sets"));
        found.extend(hook_part::warning("global_hook", self.global_hook.as_ref()));
        if self.interrupt_recovery_time > self.action_recovery_time {
            found.push(format!(
                "interrupt_recovery_time ({} s) is longer than action_recovery_time ({} s): an interrupted agent rests \
                 longer than one that finished. Shorten it.",
                self.interrupt_recovery_time, self.action_recovery_time
            ));
        }
        found
    }
}

/// The resource of a role, or of its closest ancestor that has one.
pub(super) fn set_of_role<T>(sets: &TagResources<T>, role: TagId) -> Option<Gd<T>>
where
    T: crate::base::family::ElementClass,
{
    let at = tags::with_table(|table| closest_role(table, role, sets.tags()))?;
    sets.resource(at).cloned()
}
