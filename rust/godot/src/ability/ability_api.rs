//! What scripts do with an AbilitySystem.

use godot::prelude::*;
use riposte_core::action::EndReason;
use riposte_core::tags::{TagId, TagSet};

use super::driver::{self, Wish};
use super::{AbilitySystem, GameplayAbility, ability_saving, granting};
use crate::action::{self, ActionContext};
use crate::agent;
use crate::base::lookup;
use crate::base::ticking::{self, Ticker as _};
use crate::base::{messages, tags};
use crate::optional::Optional;

#[godot_api(secondary)]
impl AbilitySystem {
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
        granting::grant_by_script(this.instance_id(), &ability)
    }

    /// Takes one grant away. With the last one the ability goes, and if it is active it ends with [constant END_CANCELLED].
    /// False if it is not granted.
    #[func(gd_self)]
    pub fn revoke_ability(this: Gd<Self>, handle: i64) -> bool {
        let revoked = granting::revoke_by_script(this.instance_id(), handle);
        Self::note_unless(revoked, &this, "revoke_ability", "handle", handle);
        revoked
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
        let known = driver::with(this.instance_id(), |state| state.core.is_granted(handle));
        Self::note_unless(known == Some(true), &this, "activate", "handle", handle);
        driver::start(this.instance_id(), handle, wish).map_or(0, |row| row.activation.get())
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
        started.map_or(0, |row| row.activation.get())
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
        let ended = driver::end(this.instance_id(), activation_id, EndReason::Cancelled);
        Self::note_unless(ended, &this, "cancel_activation", "activation", activation_id);
        ended
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
        let ended = activation.is_some_and(|activation| driver::end(this.instance_id(), activation, reason));
        Self::note_unless(ended, &this, "end_ability", "handle", handle);
        ended
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

    /// Cooldowns, and what scripts granted, as plain values, for saving. Abilities are named by their files. See
    /// [method import_state].
    #[func(gd_self)]
    pub fn export_state(this: Gd<Self>) -> VarDictionary {
        ability_saving::export(&this)
    }

    /// Brings cooldowns and the grants of scripts to an exported state. What is active ends first, with
    /// [constant END_CANCELLED]; grants tell no signal. False, with an error and without effect, if the version or the
    /// structure is another. Abilities that are not there are left out with a warning.
    #[func(gd_self)]
    pub fn import_state(this: Gd<Self>, state: VarDictionary) -> bool {
        ability_saving::import(&this, &state)
    }
}

impl AbilitySystem {
    fn tagged(this: &Gd<Self>, member: &str, tag: &StringName) -> Vec<i64> {
        let Some(tag) = tags::from_script(this, member, &tag.to_string()) else { return Vec::new() };
        driver::with(this.instance_id(), |state| state.core.with_tag(tag)).unwrap_or_default()
    }

    /// Tells those who log runs that a number was of nobody.
    fn note_unless(good: bool, this: &Gd<Self>, method: &str, what: &str, number: i64) {
        if !good && this.is_instance_valid() {
            let text =
                format!("{method}() got the {what} {number}, which is not there or not active: no effect.");
            messages::note(this, &text);
        }
    }

    fn start_all(this: &Gd<Self>, handles: Vec<i64>, wish: Wish) -> i64 {
        let id = this.instance_id();
        handles.into_iter().filter(|handle| driver::start(id, *handle, wish).is_some()).count() as i64
    }
}
