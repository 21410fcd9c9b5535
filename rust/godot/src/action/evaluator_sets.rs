//! Which actions an [`ActionEvaluator`] has: sets, weapon, grants.

use godot::classes::Engine;
use godot::prelude::*;

use super::evaluator_running::EvaluatorNode;
use super::sources::Granted;
use super::{ActionEvaluator, ActionSet, ActionSpec, driver, weapon};
use crate::base::callbacks::{connect, disconnect};
use crate::base::messages;
use crate::optional::Optional;

#[godot_api(secondary)]
impl ActionEvaluator {
    /// Puts a set over all others, for a phase of a boss or to try one. Null takes it away again.
    #[func(gd_self)]
    pub fn set_runtime_override(this: Gd<Self>, action_set: Option<Gd<ActionSet>>) {
        driver::sources(this.instance_id(), |sources| sources.runtime_override = action_set.map(Gd::upcast));
        Self::resolve_set(&this);
    }

    /// Takes the set of [method set_runtime_override] away.
    #[func(gd_self)]
    pub fn clear_runtime_override(this: Gd<Self>) {
        Self::set_runtime_override(this, None);
    }

    /// Gives the agent a set, in place of those of its weapon, its role, its [AgentConfig] and its own. Null takes it away
    /// again.
    #[func(gd_self)]
    pub fn set_provided_action_set(this: Gd<Self>, action_set: Option<Gd<ActionSet>>) {
        driver::sources(this.instance_id(), |sources| sources.provided = action_set.map(Gd::upcast));
        Self::resolve_set(&this);
    }

    /// Hands the agent a weapon: any node with a method [code]get_weapon_action_set_for_role(role)[/code], a method
    /// [code]get_weapon_action_set()[/code] or a property [code]weapon_action_set[/code]; the first of these that it has is
    /// asked, now and when the role changes. Null from the first one leaves that role to the [AgentConfig]. A node that has
    /// none of them is an error, and false. Null takes the weapon away; a weapon that is freed is none in the next step.
    #[func(gd_self)]
    pub fn set_weapon(this: Gd<Self>, weapon: Optional<Node>) -> bool {
        if let Some(node) = &weapon.0
            && !weapon::is_provider(node)
        {
            let text = format!(
                "set_weapon() got the node \"{}\", which gives no actions. Give it a method \
                 get_weapon_action_set_for_role(role) or get_weapon_action_set(), or a property weapon_action_set.",
                node.get_name()
            );
            messages::error(&this, "set_weapon", "provider", &text);
            return false;
        }
        let (id, node) = (this.instance_id(), weapon.0.map(|node| node.instance_id()));
        driver::sources(id, |sources| (sources.weapon, sources.weapon_set) = (node, None));
        driver::with(id, |state| state.weapon = node);
        weapon::ask(&this);
        Self::resolve_set(&this);
        true
    }

    /// The weapon; null without one, and when it was freed.
    #[func(gd_self)]
    pub fn get_weapon(this: Gd<Self>) -> Option<Gd<Node>> {
        let weapon = driver::sources(this.instance_id(), |sources| sources.weapon);
        weapon.and_then(|weapon| Gd::try_from_instance_id(weapon).ok())
    }

    // Grants.

    /// Adds an action to the list of the agent, after those of its set, whatever set that is or will be. It hides an action
    /// of the set with the same id; granting an id again replaces the one granted before. False for null and for an action
    /// without an id.
    #[func(gd_self)]
    pub fn grant_action(this: Gd<Self>, spec: Option<Gd<ActionSpec>>) -> bool {
        let granted = Self::grant(&this, spec);
        if granted {
            Self::resolve_set(&this);
        }
        granted
    }

    /// Takes a granted action away. If it runs it ends as [member set_change_policy] says. False if it was not granted.
    #[func(gd_self)]
    pub fn revoke_action(this: Gd<Self>, action_id: StringName) -> bool {
        Self::revoke(&this, |id| *id == action_id) > 0
    }

    /// Grants all actions of a set; how many were granted.
    #[func(gd_self)]
    pub fn grant_actions_from_set(this: Gd<Self>, action_set: Option<Gd<ActionSet>>) -> i64 {
        let specs = action_set.map(|set| set.bind().specs()).unwrap_or_default();
        let mut ids = Vec::new();
        for spec in specs {
            let id = spec.bind().action_id.clone();
            if !ids.contains(&id) && Self::grant(&this, Some(spec)) {
                ids.push(id);
            }
        }
        Self::resolve_set(&this);
        ids.len() as i64
    }

    /// Takes all granted actions away whose ids are in a set; how many there were.
    #[func(gd_self)]
    pub fn revoke_actions_from_set(this: Gd<Self>, action_set: Option<Gd<ActionSet>>) -> i64 {
        let specs = action_set.map(|set| set.bind().specs()).unwrap_or_default();
        let ids: Vec<StringName> = specs.iter().map(|spec| spec.bind().action_id.clone()).collect();
        Self::revoke(&this, |id| ids.contains(id))
    }

    /// Takes all granted actions away.
    #[func(gd_self)]
    pub fn clear_granted_actions(this: Gd<Self>) {
        Self::revoke(&this, |_| true);
    }

    /// True if an action of this id was granted.
    #[func(gd_self)]
    pub fn is_action_granted(this: Gd<Self>, action_id: StringName) -> bool {
        Self::granted_specs(&this).iter().any(|spec| spec.bind().action_id == action_id)
    }
}

const EDITED: &str = "riposte_grant_edited";

impl ActionEvaluator {
    pub(super) fn granted_specs(this: &Gd<Self>) -> Vec<Gd<ActionSpec>> {
        driver::sources(this.instance_id(), |sources| {
            sources.granted.iter().map(|granted| granted.spec.clone()).collect()
        })
    }

    fn grant(this: &Gd<Self>, spec: Option<Gd<ActionSpec>>) -> bool {
        let Some(spec) = spec else { return false };
        let action = spec.bind().action_id.clone();
        if action.is_empty() {
            let text = "grant_action() got an action without an action_id. Give it one.";
            messages::error(this, "grant_action", "id", text);
            return false;
        }
        let id = this.instance_id();
        let known = Self::granted_specs(this);
        let at = known.iter().position(|known| known.bind().action_id == action);
        if let Some(old) = at.map(|at| &known[at])
            && *old != spec
        {
            disconnect(old, "changed", id, EDITED);
        }
        connect(&spec, "changed", id, EDITED, |id| {
            driver::sources(id, |sources| sources.granted.iter_mut().for_each(Granted::forget));
            driver::with(id, |state| state.core.mark_stale());
        });
        let old = driver::sources(id, |sources| match at.and_then(|at| sources.granted.get_mut(at)) {
            Some(granted) if granted.spec == spec => None,
            Some(granted) => Some(std::mem::replace(granted, Granted::new(spec))),
            None => {
                sources.granted.push(Granted::new(spec));
                None
            }
        });
        drop(old);
        true
    }

    fn revoke(this: &Gd<Self>, wanted: impl Fn(&StringName) -> bool) -> i64 {
        let id = this.instance_id();
        let specs = Self::granted_specs(this).into_iter();
        let gone: Vec<Gd<ActionSpec>> = specs.filter(|spec| wanted(&spec.bind().action_id)).collect();
        for spec in &gone {
            disconnect(spec, "changed", id, EDITED);
        }
        let dropped = driver::sources(id, |sources| {
            let all = std::mem::take(&mut sources.granted).into_iter();
            let (dropped, kept): (Vec<_>, Vec<_>) = all.partition(|granted| gone.contains(&granted.spec));
            sources.granted = kept;
            dropped
        });
        if !dropped.is_empty() {
            Self::resolve_set(this);
        }
        dropped.len() as i64
    }

    // Sources that are properties.

    /// The set of a running game is found again; in the editor nothing is.
    pub(super) fn sources_changed(this: &Gd<Self>) {
        if this.is_inside_tree() && !Engine::singleton().is_editor_hint() {
            Self::resolve_set(this);
        }
    }

    /// The weapon of `weapon_path`, at the start.
    pub(super) fn use_weapon_path(this: &Gd<Self>) {
        let path = this.bind().weapon_path.clone();
        if path.is_empty() || driver::sources(this.instance_id(), |sources| sources.weapon.is_some()) {
            return;
        }
        match this.get_node_or_null(&path) {
            Some(weapon) => {
                Self::set_weapon(this.clone(), Optional(Some(weapon)));
            }
            None => {
                let text =
                    format!("weapon_path \"{path}\" leads to no node. Set another, or call set_weapon().");
                messages::warning(this, "weapon_path", "missing", &text);
            }
        }
    }

    /// Numbers of the config, and its edits.
    pub(super) fn use_config(this: &Gd<Self>, config: Option<Gd<super::AgentConfig>>) {
        const CONFIG_EDITED: &str = "riposte_config_edited";
        let id = this.instance_id();
        let old = driver::sources(id, |sources| std::mem::replace(&mut sources.config, config.clone()));
        if let Some(old) = old.filter(|old| Some(old) != config.as_ref()) {
            disconnect(&old, "changed", id, CONFIG_EDITED);
        }
        if let Some(config) = &config {
            connect(config, "changed", id, CONFIG_EDITED, |id| {
                apply_config(id);
                driver::with(id, |state| state.core.mark_stale());
            });
        }
        apply_config(id);
    }
}

fn apply_config(id: InstanceId) {
    let config = driver::sources(id, |sources| sources.config.clone());
    let numbers = config.map_or([0.0; 3], |config| config.bind().recovery_numbers());
    driver::with(id, |state| {
        state.core.change_settings(|settings| {
            [
                settings.action_recovery_time,
                settings.interrupt_recovery_time,
                settings.action_recovery_randomization,
            ] = numbers;
        });
    });
}
