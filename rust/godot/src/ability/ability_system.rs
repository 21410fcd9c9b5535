use godot::classes::Engine;
use godot::prelude::*;
use riposte_core::ability::AbilityRefusal;
use riposte_core::action::EndReason;
use riposte_core::tags::{TagId, TagSet};

use super::driver::{self, Wish};
use super::state::{State, take_side};
use super::{GameplayAbility, granting};
use crate::action::{self, ActionContext};
use crate::agent;
use crate::base::family::{ArrayOf, ClassArray};
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::lookup::{self, Part};
use crate::base::numbers::Checked;
use crate::base::ticking::{self, Ticker};
use crate::base::{messages, tags};
use crate::optional::Optional;

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
    /// Steps with the physics.
    #[constant]
    const PROCESS_PHYSICS: i64 = ticking::PROCESS_PHYSICS;
    /// Steps with every drawn frame.
    #[constant]
    const PROCESS_IDLE: i64 = ticking::PROCESS_IDLE;
    /// Steps when [method advance] is called.
    #[constant]
    const PROCESS_MANUAL: i64 = ticking::PROCESS_MANUAL;
    /// The ability ended itself with success.
    #[constant]
    const END_COMPLETED: i64 = EndReason::Completed as i64;
    /// Another ability or another action took over, or it was started anew.
    #[constant]
    const END_INTERRUPTED: i64 = EndReason::Interrupted as i64;
    /// A script cancelled it, it was revoked, or the agent left the tree.
    #[constant]
    const END_CANCELLED: i64 = EndReason::Cancelled as i64;
    /// The time-out of the action that started it.
    #[constant]
    const END_TIMED_OUT: i64 = EndReason::TimedOut as i64;
    /// The ability ended itself without success.
    #[constant]
    const END_FAILED: i64 = EndReason::Failed as i64;
    /// It is not granted, or not any more.
    #[constant]
    const ABILITY_UNKNOWN: i64 = AbilityRefusal::Unknown as i64;
    /// It is active, or about to be.
    #[constant]
    const ABILITY_ALREADY_ACTIVE: i64 = AbilityRefusal::AlreadyActive as i64;
    /// Its cooldown runs.
    #[constant]
    const ABILITY_COOLDOWN: i64 = AbilityRefusal::Cooldown as i64;
    /// A tag of [member GameplayAbility.required_tags] is missing.
    #[constant]
    const ABILITY_REQUIRED_TAGS: i64 = AbilityRefusal::RequiredTags as i64;
    /// A tag of [member GameplayAbility.blocked_tags] is there.
    #[constant]
    const ABILITY_BLOCKED_TAGS: i64 = AbilityRefusal::BlockedTags as i64;
    /// Its [method GameplayAbility._can_activate] said no.
    #[constant]
    const ABILITY_SCRIPT: i64 = AbilityRefusal::Script as i64;

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

    /// Grants an ability: its handle. Counted: granting it again gives the same handle, and it goes when it was revoked as
    /// often. 0, with an error, without a [GameplayAbility].
    #[func(gd_self)]
    pub fn grant_ability(this: Gd<Self>, ability: Optional<GameplayAbility>) -> i64 {
        let Some(ability) = ability.0 else {
            let text =
                "grant_ability() got no GameplayAbility, nothing was granted. Pass a resource of that class.";
            messages::error(&this, "grant_ability", "class", text);
            return 0;
        };
        granting::grant(this.instance_id(), &ability)
    }

    /// Takes one grant away. With the last one the ability goes, and if it is active it ends with [constant END_CANCELLED].
    /// False if it is not granted.
    #[func(gd_self)]
    pub fn revoke_ability(this: Gd<Self>, handle: i64) -> bool {
        granting::revoke(this.instance_id(), handle)
    }

    /// Starts an ability: the id of the activation, 0 if it was refused, see [signal ability_refused]. The ability works on
    /// a copy of [param context]; without a target in it the focus target of the agent is used.
    #[func(gd_self)]
    pub fn activate(
        this: Gd<Self>,
        handle: i64,
        #[opt(default = Optional::null())] context: Optional<ActionContext>,
    ) -> i64 {
        let wish = Wish { context: context.0.as_ref(), event: None };
        driver::start(this.instance_id(), handle, wish).map_or(0, |row| row.activation)
    }

    /// Starts the first granted ability with this tag, or one below it, that accepts: the id of the activation, 0 if none
    /// does.
    #[func(gd_self)]
    pub fn activate_first(
        this: Gd<Self>,
        tag: StringName,
        #[opt(default = Optional::null())] context: Optional<ActionContext>,
    ) -> i64 {
        let wish = Wish { context: context.0.as_ref(), event: None };
        let handles = Self::tagged(&this, "activate_first", &tag);
        let started = handles.into_iter().find_map(|handle| driver::start(this.instance_id(), handle, wish));
        started.map_or(0, |row| row.activation)
    }

    /// True if [method activate] would start the ability now. Changes nothing.
    #[func(gd_self)]
    pub fn can_activate(
        this: Gd<Self>,
        handle: i64,
        #[opt(default = Optional::null())] context: Optional<ActionContext>,
    ) -> bool {
        driver::can_start(this.instance_id(), handle, Wish { context: context.0.as_ref(), event: None })
    }

    /// Ends this activation only, with [constant END_CANCELLED]. False if it is over already.
    #[func(gd_self)]
    pub fn cancel_activation(this: Gd<Self>, activation_id: i64) -> bool {
        driver::end(this.instance_id(), activation_id, EndReason::Cancelled)
    }

    /// Starts every granted ability with this tag, or one below it, in grant order. How many started.
    #[func(gd_self)]
    pub fn activate_by_tag(
        this: Gd<Self>,
        tag: StringName,
        #[opt(default = Optional::null())] context: Optional<ActionContext>,
    ) -> i64 {
        let handles = Self::tagged(&this, "activate_by_tag", &tag);
        Self::start_all(&this, handles, Wish { context: context.0.as_ref(), event: None })
    }

    /// Sends an event: every granted ability starts of which a [member GameplayAbility.trigger_tags] is the event or above
    /// it, in grant order. How many started. The script's `_activate_from_event` is called, or `_activate` without it.
    #[func(gd_self)]
    pub fn send_event(
        this: Gd<Self>,
        event_tag: StringName,
        #[opt(default = Optional::null())] context: Optional<ActionContext>,
    ) -> i64 {
        let id = this.instance_id();
        let Some(tag) = tags::from_script(&this, "send_event", &event_tag.to_string()) else { return 0 };
        let Some(agent) = lookup::agent_of(id) else { return 0 };
        let mut context = ActionContext::for_ability(context.0.as_ref(), agent);
        context.bind_mut().event_tag = event_tag.clone();
        this.signals().event_received().emit(&event_tag, Some(&context));
        let event = tags::with_table(|table| TagSet::new(table, [tag]));
        let handles = driver::with(id, |state| state.core.triggered_by(&event)).unwrap_or_default();
        let wish = Wish { context: Some(&context), event: Some(&event_tag) };
        let started = Self::start_all(&this, handles, wish);
        action::hear(agent, &event_tag, &context);
        started
    }

    /// Ends an ability that is active, as completed or as failed. False if it is not active.
    #[func(gd_self)]
    pub fn end_ability(this: Gd<Self>, handle: i64, #[opt(default = true)] success: bool) -> bool {
        let reason = if success { EndReason::Completed } else { EndReason::Failed };
        let activation = driver::with(this.instance_id(), |state| state.core.activation(handle)).flatten();
        activation.is_some_and(|activation| driver::end(this.instance_id(), activation, reason))
    }

    /// Ends every active ability with one of these tags, or a tag below one, with [constant END_CANCELLED]; without tags all.
    /// How many ended.
    #[func(gd_self)]
    pub fn cancel_abilities(
        this: Gd<Self>,
        #[opt(default = &PackedStringArray::new())] with_tags: PackedStringArray,
    ) -> i64 {
        let id = this.instance_id();
        let (wanted, _) = tags::from_script_array(&this, "cancel_abilities", &with_tags);
        if wanted.is_empty() && !with_tags.is_empty() {
            return 0;
        }
        let found = driver::with(id, |state| state.core.activations_with(&wanted)).unwrap_or_default();
        let ended = found.into_iter().filter(|activation| driver::end(id, *activation, EndReason::Cancelled));
        ended.count() as i64
    }

    /// True if the ability is active.
    #[func(gd_self)]
    pub fn is_active(this: Gd<Self>, handle: i64) -> bool {
        driver::with(this.instance_id(), |state| state.core.activation(handle)).flatten().is_some()
    }

    /// The handles of the active abilities, in grant order.
    #[func(gd_self)]
    pub fn get_active_handles(this: Gd<Self>) -> PackedInt64Array {
        let handles = driver::with(this.instance_id(), |state| state.core.active_handles());
        handles.unwrap_or_default().into()
    }

    /// The handles of the granted abilities with this tag, or one below it, in grant order.
    #[func(gd_self)]
    pub fn find_by_tag(this: Gd<Self>, tag: StringName) -> PackedInt64Array {
        Self::tagged(&this, "find_by_tag", &tag).into()
    }

    /// The ability of a handle; null if it is not granted.
    #[func(gd_self)]
    pub fn get_ability(this: Gd<Self>, handle: i64) -> Option<Gd<GameplayAbility>> {
        granting::resource_of(this.instance_id(), handle)
    }

    /// Seconds until the cooldown of an ability is over; 0 if none runs.
    #[func(gd_self)]
    pub fn get_remaining_cooldown(this: Gd<Self>, handle: i64) -> f64 {
        driver::with(this.instance_id(), |state| state.core.cooldown(handle)).unwrap_or(0.0)
    }

    /// The tags that the agent owns, from its [TagContainer]; empty without one.
    #[func(gd_self)]
    pub fn get_owned_tags(this: Gd<Self>) -> PackedStringArray {
        let Some(agent) = lookup::agent_of(this.instance_id()) else { return PackedStringArray::new() };
        let owned: Vec<TagId> = agent::read_tags(agent, |tags, _| tags.tags().to_vec());
        tags::names(&owned)
    }

    /// Moves abilities and cooldowns by some seconds, with [member process_callback] on Manual only.
    #[func(gd_self)]
    pub fn advance(this: Gd<Self>, delta: f64) {
        let now = driver::with(this.instance_id(), |state| (state.callback, state.stepping));
        let (callback, stepping) = now.unwrap_or_default();
        if ticking::may_advance(&this, callback, stepping, delta) {
            Self::tick(this, delta);
        }
    }

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
        let running = driver::with(id, |state| state.core.close()).unwrap_or_default();
        for activation in running {
            driver::end(id, activation, EndReason::Cancelled);
        }
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

    fn tagged(this: &Gd<Self>, member: &str, tag: &StringName) -> Vec<i64> {
        let Some(tag) = tags::from_script(this, member, &tag.to_string()) else { return Vec::new() };
        driver::with(this.instance_id(), |state| state.core.with_tag(tag)).unwrap_or_default()
    }

    fn start_all(this: &Gd<Self>, handles: Vec<i64>, wish: Wish) -> i64 {
        let id = this.instance_id();
        handles.into_iter().filter(|handle| driver::start(id, *handle, wish).is_some()).count() as i64
    }
}

impl Drop for AbilitySystem {
    fn drop(&mut self) {
        super::state::SYSTEMS.lock().remove(self.id);
        for row in take_side(self.id).map(|side| side.rows).unwrap_or_default() {
            driver::let_go(row.tagged.clone());
        }
    }
}
