use godot::prelude::*;
use riposte_core::tags::TagId;

use super::driver::{is_live, key_of};
use super::token_pools::{self, MOST, forget_freed, tell_acquired, tell_released, watch};
use crate::base::{messages, network, singletons, tags};
use crate::perception::NodeArg;

/// Permission slots per target, so that only so many agents attack one target at once.
///
/// Reached by its name: [code]CombatTokens.get_free(player, &"Token.Attack")[/code]. Actions take slots with a
/// [CombatTokenGate]; the holder of a run's slots is its agent. Slots are free again when the run ends, and when the
/// holder or the target leaves the tree or is freed.
/// How many slots a target has: its own number ([method set_target_capacity]), else that of the tag
/// ([method set_pool_capacity]), else the project setting [code]riposte/combat_tokens/pools[/code], else
/// [code]riposte/combat_tokens/default_capacity[/code]. In a multiplayer game slots exist on the server only: elsewhere
/// nothing is free, and the calls that change something do nothing.
#[derive(GodotClass)]
#[class(init, singleton, base = Object)]
pub struct CombatTokens {
    base: Base<Object>,
}

#[godot_api]
impl CombatTokens {
    /// Slots were taken on a target, by a run or by [method acquire].
    #[signal]
    pub fn token_acquired(target: Option<Gd<Node>>, tag: StringName, holder: Option<Gd<Node>>);
    /// Slots on a target are free again. A node that was freed is null.
    #[signal]
    pub fn token_released(target: Option<Gd<Node>>, tag: StringName, holder: Option<Gd<Node>>);

    /// How many slots the target has. Null: as many as a target without a number of its own.
    #[func(gd_self)]
    fn get_capacity(this: Gd<Self>, target: NodeArg, tag: StringName) -> i64 {
        let Some(tag) = Self::tag(&this, "get_capacity", &tag) else { return 0 };
        let target =
            target.0.map_or(riposte_core::action::TargetKey(0), |target| key_of(target.instance_id()));
        i64::from(token_pools::with(|pools| pools.capacity(target, tag)))
    }

    /// Gives one target a number of slots of its own, 0 or more. -1 takes it away again. Who holds slots keeps them.
    #[func(gd_self)]
    fn set_target_capacity(this: Gd<Self>, target: NodeArg, tag: StringName, capacity: i64) {
        let Some(tag) = Self::tag(&this, "set_target_capacity", &tag) else { return };
        let Some(capacity) = Self::slots(&this, "set_target_capacity", capacity, -1) else { return };
        let Some(target) = target.0.filter(|_| !network::is_client()) else { return };
        let target = key_of(target.instance_id());
        forget_freed();
        token_pools::with(|pools| pools.set_target_capacity(target, tag, u32::try_from(capacity).ok()));
    }

    /// Gives the targets a number of slots of this tag, 0 or more, in place of the project setting's. -1 takes it away
    /// again. Who holds slots keeps them.
    #[func(gd_self)]
    fn set_pool_capacity(this: Gd<Self>, tag: StringName, capacity: i64) {
        let Some(tag) = Self::tag(&this, "set_pool_capacity", &tag) else { return };
        let Some(capacity) = Self::slots(&this, "set_pool_capacity", capacity, -1) else { return };
        if !network::is_client() {
            token_pools::with(|pools| pools.set_pool_capacity(tag, u32::try_from(capacity).ok()));
        }
    }

    /// How many slots nobody holds; 0 without a target.
    #[func(gd_self)]
    fn get_free(this: Gd<Self>, target: NodeArg, tag: StringName) -> i64 {
        let Some(tag) = Self::tag(&this, "get_free", &tag) else { return 0 };
        let Some(target) = target.0.filter(|_| !network::is_client()) else { return 0 };
        i64::from(token_pools::with(|pools| pools.free(key_of(target.instance_id()), tag)))
    }

    /// Takes slots for a node: all of them, or none and false. A reservation: a run of that agent needs no slots beside
    /// them, and they stay when the run ends. Holder and target have to be in the tree.
    #[func(gd_self)]
    fn acquire(
        this: Gd<Self>,
        holder: NodeArg,
        target: NodeArg,
        tag: StringName,
        #[opt(default = 1)] cost: i64,
    ) -> bool {
        let Some(tag) = Self::tag(&this, "acquire", &tag) else { return false };
        let Some(cost) = Self::slots(&this, "acquire", cost, 1) else { return false };
        let nodes =
            holder.0.zip(target.0).map(|(holder, target)| (holder.instance_id(), target.instance_id()));
        let live = |(holder, target): &(InstanceId, InstanceId)| is_live(*holder) && is_live(*target);
        let Some((holder, target)) = nodes.filter(live).filter(|_| !network::is_client()) else {
            return false;
        };
        let count = u32::try_from(cost).unwrap_or(u32::MAX);
        let taken = token_pools::with(|pools| pools.acquire(key_of(holder), key_of(target), tag, count));
        if taken.is_some() {
            watch(holder);
            watch(target);
        }
        tell_acquired(taken.as_slice());
        taken.is_some()
    }

    /// Gives back all slots of this tag that a node holds on a target, also those that a run took for it. How many there
    /// were.
    #[func(gd_self)]
    fn release(this: Gd<Self>, holder: NodeArg, target: NodeArg, tag: StringName) -> i64 {
        let Some(tag) = Self::tag(&this, "release", &tag) else { return 0 };
        let Some((holder, target)) = holder.0.zip(target.0).filter(|_| !network::is_client()) else {
            return 0;
        };
        let (holder, target) = (key_of(holder.instance_id()), key_of(target.instance_id()));
        let changes = token_pools::with(|pools| pools.release(holder, target, tag));
        tell_released(&changes);
        changes.iter().map(|change| i64::from(change.count)).sum()
    }

    /// Gives back all slots that a node holds. How many there were.
    #[func(gd_self)]
    fn release_all(_this: Gd<Self>, holder: NodeArg) -> i64 {
        let Some(holder) = holder.0.filter(|_| !network::is_client()) else { return 0 };
        let changes = token_pools::with(|pools| pools.release_holder(key_of(holder.instance_id())));
        tell_released(&changes);
        changes.iter().map(|change| i64::from(change.count)).sum()
    }

    /// The nodes that hold slots of this tag on a target, who took theirs first in front.
    #[func(gd_self)]
    fn get_holders(this: Gd<Self>, target: NodeArg, tag: StringName) -> Array<Gd<Node>> {
        let tag = Self::tag(&this, "get_holders", &tag);
        let Some((tag, target)) = tag.zip(target.0) else { return Array::new() };
        token_pools::holders(target.instance_id(), tag).into_iter().collect()
    }
}

impl CombatTokens {
    /// To be called once per start, when the scene classes are registered.
    pub(crate) fn arm() {
        singletons::drop_connections_at_exit(&Self::singleton());
    }

    /// The tag that a script named; what the project says about it is read anew.
    fn tag(this: &Gd<Self>, member: &str, tag: &StringName) -> Option<TagId> {
        token_pools::refresh();
        tags::from_script(this, member, &tag.to_string())
    }

    /// A number of slots; an error and `None` if it is none.
    fn slots(this: &Gd<Self>, member: &str, number: i64, least: i64) -> Option<i64> {
        if (least..=MOST).contains(&number) {
            return Some(number);
        }
        let text = format!("{member}() got {number} slots, so nothing changed. Give {least} to {MOST}.");
        messages::error(this, member, "slots", &text);
        None
    }
}
