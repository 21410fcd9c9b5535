//! What a `TriggerPayload` does in a run.

use std::cell::RefCell;
use std::collections::BTreeMap;

use godot::prelude::*;
use riposte_core::action::EndReason;
use riposte_core::tags::TagId;

use super::run_parts::{Begun, Follows, PayloadPart, RunRef, Start};
use super::{ActionGraphPlayer, TriggerPayload, targeting};
use crate::ability::AbilitySystem;
use crate::ability::access::{self, Began, Watch};
use crate::action::ActionContext;
use crate::base::callbacks::connect;
use crate::base::tags;
use crate::optional::Optional;

/// What is triggered.
enum What {
    Event(StringName),
    Abilities(Vec<TagId>),
}

/// The payload of a node that triggers abilities.
pub(super) struct TriggerPart {
    what: What,
    magnitude: f64,
    object: Option<Gd<Resource>>,
    ends: bool,
}

/// What a run waits for.
struct Waiting {
    run: RunRef,
    watches: Vec<Watch>,
}

thread_local! {
    /// By player. Never dropped: at the end of the process the engine is gone before this thread's storage is.
    static WAITING: &'static RefCell<BTreeMap<i64, Waiting>> = Box::leak(Box::default());
}

impl TriggerPart {
    /// Copies the values of the resource.
    pub(super) fn of(payload: &TriggerPayload) -> Self {
        let abilities = || What::Abilities(payload.ability_tags.ids().to_vec());
        Self {
            what: if payload.is_by_tag() { abilities() } else { What::Event(payload.event_tag.clone()) },
            magnitude: payload.event_magnitude,
            object: payload.optional_object.clone(),
            ends: payload.end_immediately,
        }
    }

    fn context(&self, run: &RunRef) -> Gd<ActionContext> {
        let object = self.object.clone().map(Gd::upcast::<Object>);
        let target = targeting::target_of(run.player());
        ActionContext::create(Optional(target), self.magnitude, Optional(object), PackedStringArray::new())
    }

    fn trigger(&self, run: &RunRef, system: InstanceId, context: &Gd<ActionContext>) {
        match &self.what {
            What::Event(tag) => {
                if let Ok(system) = Gd::<AbilitySystem>::try_from_instance_id(system) {
                    AbilitySystem::send_event(system, tag.clone(), Optional(Some(context.clone())));
                }
                self.tell(run, tag);
            }
            What::Abilities(_) => {
                for handle in self.handles(system) {
                    access::activate(system, handle, context, None);
                }
            }
        }
    }

    fn tell(&self, run: &RunRef, tag: &StringName) {
        if let Ok(player) = Gd::<ActionGraphPlayer>::try_from_instance_id(run.player()) {
            player.signals().event_sent().emit(tag, self.magnitude, self.object.as_ref());
        }
    }

    /// The granted abilities with any of the tags, in grant order, each once.
    fn handles(&self, system: InstanceId) -> Vec<i64> {
        let What::Abilities(wanted) = &self.what else { return Vec::new() };
        let mut found: Vec<i64> = Vec::new();
        for tag in wanted {
            found.extend(access::find_by_tag(system, &tags::name(*tag)));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

impl PayloadPart for TriggerPart {
    fn can_start(&self, run: &RunRef) -> bool {
        if matches!(self.what, What::Event(_)) {
            return true;
        }
        let Some(system) = access::system_of(run.data().agent) else { return false };
        let context = self.context(run);
        self.handles(system).into_iter().any(|handle| access::can_activate(system, handle, &context, &[]))
    }

    fn start(&self, run: &RunRef, start: Start) -> Begun {
        // What a saved run had triggered is not triggered again; there is nothing left to wait for.
        if start.node_time > 0.0 {
            return Begun::Ends;
        }
        let context = self.context(run);
        let Some(system) = access::system_of(run.data().agent) else {
            if let What::Event(tag) = &self.what {
                self.tell(run, tag);
            }
            return if self.ends || !matches!(self.what, What::Event(_)) {
                Begun::Ends
            } else {
                Begun::Lives
            };
        };
        let Began { watches, over } = access::began_while(system, || self.trigger(run, system, &context));
        if self.ends || over || (watches.is_empty() && matches!(self.what, What::Abilities(_))) {
            return Begun::Ends;
        }
        let player = run.player();
        let waiting = Waiting { run: run.clone(), watches };
        let before = WAITING.with(|all| all.borrow_mut().insert(player.to_i64(), waiting));
        drop(before);
        if let Ok(system) = Gd::<AbilitySystem>::try_from_instance_id(system) {
            connect(&system, "ability_ended", player, "riposte_graph_trigger", on_ability_ended);
        }
        Begun::Lives
    }

    fn stop(&self, run: &RunRef, _reason: i64, _node_time: f64) {
        let waiting = WAITING.with(|all| {
            let mut all = all.borrow_mut();
            let ours =
                all.get(&run.player().to_i64()).is_some_and(|one| one.run.data().run == run.data().run);
            if ours { all.remove(&run.player().to_i64()) } else { None }
        });
        for watch in waiting.map(|waiting| waiting.watches).unwrap_or_default() {
            if watch.ended().is_none() {
                watch.end(EndReason::Cancelled);
            }
        }
    }

    fn follows(&self) -> Follows {
        if self.ends { Follows::Nothing } else { Follows::Steps }
    }

    fn follow(&self, run: &RunRef, _node_time: f64, _speed: f64, _passed: f64) {
        on_ability_ended(run.player());
    }
}

/// An ability of the agent has ended, or its system may be gone.
fn on_ability_ended(player: InstanceId) {
    let waits = WAITING.with(|all| {
        let all = all.borrow();
        let waiting = all.get(&player.to_i64())?;
        Some((waiting.run.clone(), waiting.watches.clone()))
    });
    if let Some((run, watches)) = waits
        && watches.iter().any(|watch| watch.ended().is_some())
    {
        run.finish();
    }
}
