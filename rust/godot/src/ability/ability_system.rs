use godot::classes::Engine;
use godot::prelude::*;

use super::state::{State, take_side};
use super::{GameplayAbility, driver, granting};
use crate::action::{self, ActionContext};
use crate::agent;
use crate::base::family::{ArrayOf, ClassArray};
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::lookup::{self, Part};
use crate::base::numbers::Checked;
use crate::base::ticking::{self, Ticker};

/// What an agent can do: abilities that it was granted, which are started, ended and watched here.
///
/// Add the node as a direct child of the agent, before its evaluators. An ability is a [GameplayAbility] resource; it is
/// granted by [member initial_abilities], by [method grant_ability], or by an action set that uses it. A grant has a handle,
/// each start an activation id. What starts is told by [signal ability_activated] and ends with exactly one
/// [signal ability_ended].
///
/// ```gdscript
/// var handle := abilities.grant_ability(dash)
/// if abilities.can_activate(handle):
///     abilities.activate(handle, ActionContext.create(target))
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Node)]
pub struct AbilitySystem {
    /// The agent. Empty: the parent.
    #[export]
    #[var(set = set_agent_path)]
    agent_path: NodePath,
    /// When abilities and cooldowns step: with the physics, with each frame, or by [method advance].
    #[export(enum = (Physics = 0, Idle = 1, Manual = 2))]
    #[var(set = set_process_callback)]
    process_callback: i64,
    /// Speed of the time of abilities and cooldowns; 0 stands still. Default 1.
    #[export(range = (0.0, 4.0, 0.01, or_greater))]
    #[var(set = set_time_scale)]
    #[init(val = 1.0)]
    time_scale: f64,
    /// Abilities that are granted when the node is ready. Read-only in scripts: assign a new array. Later changes have no
    /// effect.
    #[export]
    #[var(get = get_initial_abilities, set = set_initial_abilities)]
    initial_abilities: ClassArray<GameplayAbility>,
    #[init(val = Hooked::new::<Self>(&base))]
    #[expect(dead_code, reason = "its construction connects the lifecycle")]
    hooked: Hooked,
    #[init(val = State::create(base.to_init_gd().instance_id()))]
    id: InstanceId,
    base: Base<Node>,
}

#[godot_api]
impl AbilitySystem {
    /// An ability was granted that was not there before.
    #[signal]
    pub fn ability_granted(handle: i64);

    /// The last grant of an ability was taken away. [method get_ability] still knows it here.
    #[signal]
    pub fn ability_revoked(handle: i64);

    /// An ability started. Its script's `_activate` comes right after.
    #[signal]
    pub fn ability_activated(handle: i64, activation_id: i64);

    /// An ability ended; [param reason] is one of the `END_*` constants. Once per activation.
    #[signal]
    pub fn ability_ended(handle: i64, reason: i64, activation_id: i64);

    /// An ability did not start; [param refusal] is one of the `ABILITY_*` constants.
    #[signal]
    pub fn ability_refused(handle: i64, refusal: i64);

    /// An event was sent, see [method send_event]; the abilities that it starts come after.
    #[signal]
    pub fn event_received(event_tag: StringName, context: Option<Gd<ActionContext>>);

    #[func]
    fn set_agent_path(&mut self, path: NodePath) {
        self.agent_path = path;
        if self.base().is_inside_tree() {
            lookup::attach(&self.to_gd().upcast(), &self.agent_path, Part::Abilities);
        }
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn get_initial_abilities(&self) -> ArrayOf<GameplayAbility> {
        self.initial_abilities.stored()
    }

    #[func]
    fn set_initial_abilities(&mut self, value: ArrayOf<GameplayAbility>) {
        let this = self.to_gd();
        self.initial_abilities.fill(&this, "initial_abilities", &value);
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_process_callback(&mut self, value: i64) {
        self.process_callback = ticking::checked_callback(&self.to_gd(), value, self.process_callback, true);
        driver::with(self.id, |state| state.callback = self.process_callback);
        let id = self.id;
        let _released = self.base_mut();
        driver::update_ticking(id);
    }

    #[func]
    fn set_time_scale(&mut self, value: f64) {
        self.time_scale = self.not_negative("time_scale", value, self.time_scale);
        driver::with(self.id, |state| state.time_scale = self.time_scale);
    }
}

#[godot_api]
impl INode for AbilitySystem {
    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        Self::tick(this, delta);
    }

    #[func(gd_self)]
    fn process(this: Gd<Self>, delta: f64) {
        Self::tick(this, delta);
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = lookup::warnings(&self.to_gd().upcast(), &self.agent_path, Part::Abilities);
        if self.initial_abilities.null_count() > 0 {
            warnings.push("initial_abilities: an element is empty and is left out.".to_owned());
        }
        warnings
            .extend(self.initial_abilities.members().iter().flat_map(|ability| ability.bind().warnings()));
        let tags_agent = self.initial_abilities.members().iter().any(|ability| ability.bind().tags_agent());
        let agent = lookup::find_agent(&self.to_gd().upcast(), &self.agent_path);
        if tags_agent && agent.is_some_and(|agent| !agent::has_container(agent.instance_id())) {
            let text =
                "Abilities put tags on the agent, but it has no TagContainer. Add one beside this node.";
            warnings.push(text.to_owned());
        }
        warnings.iter().map(GString::from).collect()
    }
}

impl Lifecycle for AbilitySystem {
    fn entered(this: Gd<Self>) {
        driver::with(this.instance_id(), |state| state.core.open());
        Self::find_agent(&this);
    }

    fn readied(this: Gd<Self>) {
        Self::find_agent(&this);
        driver::with(this.instance_id(), |state| state.driven.readied());
        driver::update_ticking(this.instance_id());
        if Engine::singleton().is_editor_hint() {
            return;
        }
        let initial = this.bind().initial_abilities.members().to_vec();
        for ability in &initial {
            granting::grant(this.instance_id(), ability);
        }
    }

    fn exiting(this: Gd<Self>) {
        let id = this.instance_id();
        driver::close(id);
        lookup::detach(id);
    }
}

impl Ticker for AbilitySystem {
    fn tick(this: Gd<Self>, delta: f64) {
        let id = this.instance_id();
        let Some((dt, activations)) = driver::advance(id, delta) else { return };
        for activation in activations {
            driver::tick(id, activation, dt);
        }
        driver::with(id, |state| state.stepping = false);
        driver::update_ticking(id);
    }
}

impl AbilitySystem {
    fn find_agent(this: &Gd<Self>) {
        let path = this.bind().agent_path.clone();
        let agent = lookup::attach(&this.clone().upcast(), &path, Part::Abilities);
        if let Some(agent) = agent {
            action::abilities_came(agent.instance_id());
        }
    }
}

impl Drop for AbilitySystem {
    fn drop(&mut self) {
        super::state::SYSTEMS.lock().remove(self.id);
        for row in take_side(self.id).map(|side| side.rows).unwrap_or_default() {
            driver::let_go(&row);
        }
    }
}
