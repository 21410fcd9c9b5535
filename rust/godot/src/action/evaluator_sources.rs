//! Where an evaluator has its set from: what the inspector says, role, weapon, grants. The same for actions and reactions.

use godot::classes::Engine;
use godot::init::is_main_thread;
use godot::obj::{Bounds, Inherits, bounds};
use godot::prelude::*;

use super::driver;
use super::evaluator_running::EvaluatorNode;
use super::set_resource::SetResource;
use super::sources::{self, Granted};
use super::spec_class::Spec;
use super::{AgentConfig, weapon};
use crate::base::callbacks::{connect, disconnect};
use crate::base::lookup::{self, Part};
use crate::base::{messages, tags};

/// What the inspector says.
pub(super) struct Given {
    pub agent_path: NodePath,
    pub config: Option<Gd<AgentConfig>>,
    pub role: StringName,
    pub weapon_path: NodePath,
    /// The node's own set.
    pub own: Option<Gd<Resource>>,
}

/// What the two classes of evaluators are made of.
pub(super) trait EvaluatorParts:
    GodotClass + Inherits<Node> + Bounds<Declarer = bounds::DeclUser>
{
    /// What it chooses from.
    type Set: SetResource;

    /// As what others find it.
    const PART: Part;

    /// What it runs, for messages.
    const KIND: &'static str;

    /// What the agent does with it, for messages.
    const VERB: &'static str;

    /// What the inspector says.
    fn given(&self) -> Given;

    /// Keeps a role, without a word.
    fn keep_role(&mut self, role: &StringName);

    /// Hands the tags to the core that block everything.
    fn apply_block_tags(&self);

    /// Configuration warnings about its own numbers and tags.
    fn own_warnings(&self) -> Vec<String>;
}

/// The element class of an evaluator's set.
pub(super) type SpecOf<T> = <<T as EvaluatorParts>::Set as SetResource>::Spec;

const GRANT_EDITED: &str = "riposte_grant_edited";
const CONFIG_EDITED: &str = "riposte_config_edited";

/// False, with an error, for a role that is no tag. In the editor it is warned of instead.
pub(super) fn role_is_sound<T: EvaluatorParts>(this: &Gd<T>, role: &StringName) -> bool {
    let name = role.to_string();
    let node = &this.clone().upcast::<Node>();
    name.is_empty()
        || Engine::singleton().is_editor_hint()
        || tags::from_script(node, "role", &name).is_some()
}

/// What both classes of evaluators do with their sources.
pub(super) trait EvaluatorSources: EvaluatorNode {
    /// It comes into the tree.
    fn enter(this: &Gd<Self>) {
        driver::with(this.instance_id(), |state| state.core.enter());
        Self::take_given(this);
        if !Engine::singleton().is_editor_hint() {
            driver::following::entered(&this.clone().upcast());
        }
        Self::move_to_agent(this);
    }

    /// It has another agent, and with it other siblings; sets that come from them are found in the next step.
    fn move_to_agent(this: &Gd<Self>) {
        let id = this.instance_id();
        sources::mark_dependants(id);
        Self::find_agent(this);
        Self::update_ticking(this);
        driver::with(id, |state| state.core.mark_stale());
        sources::mark_dependants(id);
    }

    /// It leaves the tree.
    fn exit(this: &Gd<Self>) {
        sources::mark_dependants(this.instance_id());
        Self::leave(this);
    }

    /// What the setters were given while a thread made the node: sources are kept on the main thread.
    fn take_given(this: &Gd<Self>) {
        let given = this.bind().given();
        let config = driver::sources(this.instance_id(), |sources| {
            (sources.own, sources.role) = (given.own, given.role);
            sources.config.clone()
        });
        if config != given.config {
            Self::use_config(this, given.config);
        }
    }

    /// Another set of its own.
    fn use_own(this: &Gd<Self>, set: Option<Gd<Resource>>) {
        if is_main_thread() {
            driver::sources(this.instance_id(), |sources| sources.own = set);
            Self::sources_changed(this);
        }
    }

    /// The set of a running game is found again; in the editor nothing is.
    fn sources_changed(this: &Gd<Self>) {
        if this.clone().upcast::<Node>().is_inside_tree() && !Engine::singleton().is_editor_hint() {
            Self::resolve_set(this);
        }
    }

    /// Another config, whose edits are followed.
    fn use_config(this: &Gd<Self>, config: Option<Gd<AgentConfig>>) {
        let id = this.instance_id();
        if !is_main_thread() {
            return;
        }
        let old = driver::sources(id, |sources| std::mem::replace(&mut sources.config, config.clone()));
        if let Some(old) = old.filter(|old| Some(old) != config.as_ref()) {
            disconnect(&old, "changed", id, CONFIG_EDITED);
        }
        if let Some(config) = &config {
            connect(config, "changed", id, CONFIG_EDITED, |id| {
                sources::apply_config(id);
                driver::with(id, |state| state.core.mark_stale());
                sources::mark_dependants(id);
            });
        }
        sources::apply_config(id);
        Self::sources_changed(this);
        sources::resolve_dependants(id);
    }

    /// Another role.
    fn use_role(this: &Gd<Self>, role: &StringName) {
        let id = this.instance_id();
        if !is_main_thread() {
            return;
        }
        driver::sources(id, |sources| sources.role = role.clone());
        if !this.clone().upcast::<Node>().is_inside_tree() || Engine::singleton().is_editor_hint() {
            return;
        }
        weapon::ask(id);
        Self::role_changed(this, role);
        if this.is_instance_valid() {
            Self::sources_changed(this);
            sources::resolve_dependants(id);
        }
    }

    // Weapon.

    /// Another weapon, or none; false, with an error, for a node that gives nothing.
    fn take_weapon(this: &Gd<Self>, node: Option<Gd<Node>>) -> bool {
        if let Some(node) = node.as_ref().filter(|node| !weapon::is_provider(node, Self::KIND)) {
            let (name, kind) = (node.get_name(), Self::KIND);
            let text = format!(
                "set_weapon() got the node \"{name}\", which gives no {kind}s. Give it a method \
                 get_weapon_{kind}_set_for_role(role) or get_weapon_{kind}_set(), or a property weapon_{kind}_set."
            );
            messages::error(&this.clone().upcast::<Node>(), "set_weapon", "provider", &text);
            return false;
        }
        let (id, node) = (this.instance_id(), node.map(|node| node.instance_id()));
        driver::sources(id, |sources| (sources.weapon, sources.weapon_set) = (node, None));
        driver::with(id, |state| state.weapon = node);
        weapon::ask(id);
        Self::resolve_set(this);
        true
    }

    /// The weapon of `weapon_path`, at the start.
    fn use_weapon_path(this: &Gd<Self>) {
        let path = this.bind().given().weapon_path;
        if path.is_empty() || driver::sources(this.instance_id(), |sources| sources.weapon.is_some()) {
            return;
        }
        let node = this.clone().upcast::<Node>();
        match node.get_node_or_null(&path) {
            Some(weapon) => {
                Self::take_weapon(this, Some(weapon));
            }
            None => {
                let text =
                    format!("weapon_path \"{path}\" leads to no node. Set another, or call set_weapon().");
                messages::warning(&node, "weapon_path", "missing", &text);
            }
        }
    }

    // Grants.

    /// Ids and resources of what was granted.
    fn grants(this: &Gd<Self>) -> Vec<(StringName, Gd<Resource>)> {
        let granted = driver::sources(this.instance_id(), |sources| sources.granted.clone());
        granted.into_iter().map(|granted| (granted.id(), granted.spec)).collect()
    }

    /// Adds to the list; false for null and without an id.
    fn grant(this: &Gd<Self>, spec: Option<Gd<SpecOf<Self>>>) -> bool {
        let Some(spec) = spec else { return false };
        let name = spec.bind().id();
        if name.is_empty() {
            let kind = Self::KIND;
            let text = format!("grant_{kind}() got one whose {kind}_id is empty. Give it a name.");
            messages::error(&this.clone().upcast::<Node>(), "grant", "id", &text);
            return false;
        }
        let id = this.instance_id();
        let known = Self::grants(this);
        let at = known.iter().position(|known| known.0 == name);
        let resource = spec.clone().upcast::<Resource>();
        if let Some(old) = at.map(|at| &known[at].1).filter(|old| **old != resource) {
            disconnect(old, "changed", id, GRANT_EDITED);
        }
        connect(&resource, "changed", id, GRANT_EDITED, |id| {
            driver::sources(id, |sources| sources.granted.iter_mut().for_each(Granted::forget));
            driver::with(id, |state| state.core.mark_stale());
        });
        let old = driver::sources(id, |sources| match at.and_then(|at| sources.granted.get_mut(at)) {
            Some(granted) if granted.spec == resource => None,
            Some(granted) => Some(std::mem::replace(granted, Granted::new(&spec))),
            None => {
                sources.granted.push(Granted::new(&spec));
                None
            }
        });
        drop(old);
        true
    }

    /// Adds all of a set; how many.
    fn grant_set(this: &Gd<Self>, set: Option<Gd<Self::Set>>) -> i64 {
        let specs = set.map(|set| set.bind().specs().to_vec()).unwrap_or_default();
        let mut ids = Vec::new();
        for spec in specs {
            let id = spec.bind().id();
            if !ids.contains(&id) && Self::grant(this, Some(spec)) {
                ids.push(id);
            }
        }
        Self::resolve_set(this);
        ids.len() as i64
    }

    /// Takes those away whose ids are wanted; how many.
    fn revoke(this: &Gd<Self>, wanted: impl Fn(&StringName) -> bool) -> i64 {
        let id = this.instance_id();
        let rows = Self::grants(this).into_iter().filter(|row| wanted(&row.0));
        let gone: Vec<Gd<Resource>> = rows.map(|row| row.1).collect();
        for spec in &gone {
            disconnect(spec, "changed", id, GRANT_EDITED);
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

    /// Takes those of a set away; how many.
    fn revoke_set(this: &Gd<Self>, set: Option<Gd<Self::Set>>) -> i64 {
        let specs = set.map(|set| set.bind().specs().to_vec()).unwrap_or_default();
        let ids: Vec<StringName> = specs.iter().map(|spec| spec.bind().id()).collect();
        Self::revoke(this, |id| ids.contains(id))
    }

    // Inspector.

    /// What the inspector warns of. Runs scripts of the sets that may run in the editor.
    fn all_warnings(this: &Gd<Self>) -> PackedStringArray {
        let (path, own) = {
            let own = this.bind();
            (own.given().agent_path, own.own_warnings())
        };
        let mut warnings = lookup::warnings(&this.clone().upcast(), &path, Self::PART);
        warnings.extend(own);
        warnings.extend(Self::set_warnings(this));
        warnings.iter().map(GString::from).collect()
    }

    /// The sets of the inspector, without those that a running game adds.
    fn assigned_sets(this: &Gd<Self>) -> Vec<Gd<Resource>> {
        let given = this.bind().given();
        let config = sources::effective(this.instance_id()).config;
        let reacts = driver::is_reacting(this.instance_id());
        let mut sets = config.map(|config| config.bind().sets(reacts)).unwrap_or_default();
        sets.extend(given.own);
        let mut seen: Vec<Gd<Resource>> = Vec::new();
        for set in sets {
            if !seen.contains(&set) {
                seen.push(set);
            }
        }
        seen
    }

    /// Configuration warnings about where sets come from; `none`: there are none.
    fn source_warnings(this: &Gd<Self>, none: bool) -> Vec<String> {
        let given = this.bind().given();
        let mut warnings = given.config.map(|config| config.bind().warnings()).unwrap_or_default();
        let path = given.weapon_path;
        if !path.is_empty() && this.clone().upcast::<Node>().get_node_or_null(&path).is_none() {
            warnings.push(format!("weapon_path \"{path}\" leads to no node. Set another, or clear it."));
        }
        if none && path.is_empty() {
            let (kind, verb) = (Self::KIND, Self::VERB);
            warnings.push(format!(
                "There is no default_{kind}_set and no set in config, so the agent never {verb}. Assign one."
            ));
        }
        warnings
    }
}

impl<T: EvaluatorNode> EvaluatorSources for T {}
