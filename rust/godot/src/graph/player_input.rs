//! What devices do for an ActionGraphPlayer: events are recorded when they come, and walked in the next step.

use std::cell::RefCell;
use std::sync::Arc;

use glam::DVec2;
use godot::classes::node::InternalMode;
use godot::classes::{Engine, InputEvent};
use godot::init::is_main_thread;
use godot::obj::{NewAlloc as _, Singleton as _};
use godot::prelude::*;
use riposte_core::graph::input::{DeviceEvent, InputPlan, QUEUE_LENGTH, Recorded, Recorder};

use super::input_compile::{self, CompiledInputs};
use super::input_relay::RiposteInputRelay;
use super::{ActionGraphPlayer, ActionInputMap, driver, input_sources, input_space, inputs};
use crate::base::store::NodeStore;
use crate::base::{callbacks, messages, tags};

/// Devices are not listened to.
pub(super) const MODE_OFF: i64 = 0;
/// What nobody else handled is heard.
pub(super) const MODE_UNHANDLED: i64 = 1;
/// Everything is heard, also what belongs to the interface.
pub(super) const MODE_ALL: i64 = 2;

/// How a player is set up for input.
pub(super) struct InputSetup {
    pub mode: i64,
    pub map: Option<Gd<ActionInputMap>>,
    /// The number of a device; below 0: all.
    pub device: i64,
}

/// What happened to the node that hears.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum News {
    Paused,
    Resumed,
    FocusLost,
}

struct Listening {
    setup: InputSetup,
    inputs: Option<Arc<CompiledInputs>>,
    /// Events come.
    hears: bool,
    news: Vec<News>,
}

thread_local! {
    /// Never dropped: at the end of the process the engine is gone before this thread's storage is.
    static LISTENING: &'static RefCell<NodeStore<Listening>> = Box::leak(Box::new(RefCell::new(NodeStore::new())));
}

fn with<R>(id: InstanceId, act: impl FnOnce(&mut Listening) -> R) -> Option<R> {
    LISTENING.with(|store| store.borrow_mut().get_mut(id).map(act))
}

const CHANGED: &str = "riposte_input_map";
const NEWS: &str = "riposte_input_news";

/// The setup is this from now on. To be called when one of its properties is set, and when the node is ready in the tree; before
/// that nothing happens.
pub(super) fn configure(this: &Gd<ActionGraphPlayer>, setup: InputSetup) {
    if !is_main_thread()
        || Engine::singleton().is_editor_hint()
        || !this.is_inside_tree()
        || !this.is_node_ready()
    {
        return;
    }
    let id = this.instance_id();
    let old = with(id, |listening| listening.setup.map.clone()).flatten();
    if old != setup.map {
        if let Some(old) = &old {
            callbacks::disconnect(old, "changed", id, CHANGED);
        }
        if let Some(new) = &setup.map {
            callbacks::connect(new, "changed", id, CHANGED, map_changed);
        }
    }
    let known = LISTENING.with(|store| store.borrow().handle(id).is_some());
    if known {
        drop(with(id, |listening| std::mem::replace(&mut listening.setup, setup)));
    } else {
        let listening = Listening { setup, inputs: None, hears: false, news: Vec::new() };
        LISTENING.with(|store| store.borrow_mut().insert(id, listening));
    }
    apply(this);
}

/// The node leaves the tree, or is freed.
pub(super) fn left(this: &Gd<ActionGraphPlayer>) {
    let id = this.instance_id();
    let gone = LISTENING.with(|store| store.borrow_mut().remove(id));
    if let Some(map) = gone.and_then(|listening| listening.setup.map) {
        callbacks::disconnect(&map, "changed", id, CHANGED);
    }
    driver::device(id, Recorder::clear);
}

fn map_changed(id: InstanceId) {
    callbacks::defer(id, "riposte_input_map_later", |id| {
        if let Ok(this) = Gd::<ActionGraphPlayer>::try_from_instance_id(id)
            && LISTENING.with(|store| store.borrow().handle(id).is_some())
        {
            apply(&this);
        }
    });
}

/// Brings map and node in line with the setup.
fn apply(this: &Gd<ActionGraphPlayer>) {
    let id = this.instance_id();
    let Some((mode, map)) = with(id, |listening| (listening.setup.mode, listening.setup.map.clone())) else {
        return;
    };
    let inputs = map.as_ref().map(ActionInputMap::compiled);
    let hears = mode != MODE_OFF && inputs.is_some();
    let Some((old, heard)) = with(id, |listening| {
        let old = std::mem::replace(&mut listening.inputs, inputs.clone());
        (old, std::mem::replace(&mut listening.hears, hears))
    }) else {
        return;
    };
    listen(this, if hears { mode } else { MODE_OFF });
    let same = match (&old, &inputs) {
        (Some(old), Some(new)) => Arc::ptr_eq(old, new),
        (None, None) => true,
        _ => false,
    };
    if !same {
        change_plan(id, inputs.as_ref());
    }
    if heard && !hears {
        driver::device(id, Recorder::lose_focus);
        driver::input_off(id);
    } else if hears && (!heard || !same) {
        resume(id);
    }
    driver::wake(id);
}

fn change_plan(id: InstanceId, inputs: Option<&Arc<CompiledInputs>>) {
    let plan = inputs.map_or_else(|| Arc::new(InputPlan::default()), |inputs| inputs.plan.clone());
    for tag in inputs.map(|inputs| inputs.tags.as_slice()).unwrap_or_default() {
        inputs::learn(id, *tag);
    }
    let now = driver::now(id);
    driver::device(id, |recorder| recorder.set_plan(plan, now));
}

/// Switches the node that hears, and makes it when it is needed first.
fn listen(this: &Gd<ActionGraphPlayer>, mode: i64) {
    let mut node: Gd<Node> = this.clone().upcast();
    let children = node.get_children_ex().include_internal(true).done();
    let known = children.iter_shared().find_map(|child| child.try_cast::<RiposteInputRelay>().ok());
    let mut relay = match known {
        Some(relay) => relay,
        None if mode == MODE_OFF => return,
        None => {
            let relay = RiposteInputRelay::new_alloc();
            node.add_child_ex(&relay).internal(InternalMode::FRONT).done();
            relay
        }
    };
    relay.set_process_input(mode == MODE_ALL);
    relay.set_process_unhandled_input(mode == MODE_UNHANDLED);
}

/// An event has come. True: it is to be marked as handled.
pub(super) fn hear(id: InstanceId, event: &Gd<InputEvent>) -> bool {
    let Some(heard) = input_sources::heard(event) else { return false };
    let known = with(id, |listening| (listening.inputs.clone(), listening.setup.device, listening.hears));
    let Some((Some(inputs), device, true)) = known else { return false };
    if device >= 0 && i64::from(heard.device) != device {
        return false;
    }
    let strengths = input_sources::strengths(&inputs, event);
    if strengths.is_empty() {
        return false;
    }
    if !heard.echo {
        let (forward, looks_left) = input_space::of(id, inputs.mirrored);
        let event = DeviceEvent { source: heard.source, strengths: &strengths, forward, looks_left };
        match driver::device(id, |recorder| recorder.record(&event)) {
            Some(Recorded::Queued) => driver::wake(id),
            Some(Recorded::Full) => tell_full(id),
            Some(Recorded::Nothing) | None => {}
        }
    }
    strengths.iter().any(|strength| inputs.actions[strength.action].handled)
}

fn tell_full(id: InstanceId) {
    if let Ok(player) = Gd::<ActionGraphPlayer>::try_from_instance_id(id) {
        let text = format!(
            "More than {QUEUE_LENGTH} input events wait for the next step; the newest are refused. Step the node more often, or \
             set input_mode to INPUT_MODE_OFF while it does not step."
        );
        messages::warning(&player, "input_map", "full", &text);
    }
}

/// Something happened to the node that hears: what calls out follows when nothing is bound any more.
pub(super) fn note(id: InstanceId, news: News) {
    let hears = with(id, |listening| {
        listening.news.push(news);
        listening.hears
    });
    if hears != Some(true) {
        return;
    }
    match news {
        News::Paused => driver::device(id, Recorder::pause),
        News::FocusLost => driver::device(id, Recorder::lose_focus),
        News::Resumed => None,
    };
    callbacks::defer(id, NEWS, work_off);
}

fn work_off(id: InstanceId) {
    for news in with(id, |listening| std::mem::take(&mut listening.news)).unwrap_or_default() {
        match news {
            News::Paused => driver::paused(id),
            News::Resumed => resume(id),
            News::FocusLost => {}
        }
        driver::wake(id);
    }
}

/// Devices are heard from now on: what they do already is no press.
fn resume(id: InstanceId) {
    let known = with(id, |listening| (listening.inputs.clone(), listening.setup.device));
    let Some((Some(inputs), device)) = known else { return };
    let Some(pushed) = driver::device(id, |recorder| recorder.pushed()) else { return };
    let now = input_sources::pushed_now(&inputs, &pushed, device);
    let (forward, looks_left) = input_space::of(id, inputs.mirrored);
    driver::device(id, |recorder| recorder.resume(&now, forward, looks_left));
}

/// Before a step: the camera may have turned.
pub(super) fn refresh_stick(id: InstanceId) {
    let leans = driver::device(id, |recorder| recorder.stick() != DVec2::ZERO);
    if leans == Some(true) {
        let mirrored = with(id, |listening| listening.inputs.as_ref().is_some_and(|inputs| inputs.mirrored));
        let (forward, looks_left) = input_space::of(id, mirrored.unwrap_or(false));
        driver::device(id, |recorder| recorder.turn_stick(forward, looks_left));
    }
}

/// The stick, and where the agent moves.
pub(super) fn directions(id: InstanceId) -> (DVec2, DVec2) {
    driver::device(id, |recorder| (recorder.stick(), recorder.move_direction())).unwrap_or_default()
}

/// Where the agent moves.
pub(super) fn move_direction(id: InstanceId) -> Vector2 {
    if !is_main_thread() {
        return Vector2::ZERO;
    }
    refresh_stick(id);
    let (_, direction) = directions(id);
    Vector2::new(direction.x as f32, direction.y as f32)
}

/// A script moves the agent.
pub(super) fn set_move_direction(this: &Gd<ActionGraphPlayer>, planar: Vector2) {
    if !driver::on_main(this, "set_move_direction") {
        return;
    }
    if !planar.is_finite() {
        let text = format!("set_move_direction() got {planar}, it is ignored. Give finite numbers.");
        messages::error(this, "set_move_direction", "not finite", &text);
        return;
    }
    let direction = DVec2::new(planar.x.into(), planar.y.into());
    driver::device(this.instance_id(), |recorder| recorder.set_move_direction(direction));
}

/// Whether an input with this tag, or one below it, is held.
pub(super) fn is_held(this: &Gd<ActionGraphPlayer>, tag: &StringName) -> bool {
    held_since(this, "is_held", tag).is_some()
}

/// For how many seconds it is held.
pub(super) fn held_time(this: &Gd<ActionGraphPlayer>, tag: &StringName) -> f64 {
    let now = driver::now(this.instance_id());
    held_since(this, "held_time", tag).map_or(0.0, |since| (now - since).max(0.0))
}

fn held_since(this: &Gd<ActionGraphPlayer>, member: &str, tag: &StringName) -> Option<f64> {
    if !driver::on_main(this, member) {
        return None;
    }
    let query = tags::from_script(this, member, &tag.to_string())?;
    driver::device(this.instance_id(), |recorder| {
        tags::with_table(|table| {
            let held = recorder.held().filter(|(tag, _)| table.matches(query, *tag));
            held.map(|(_, since)| since).min_by(f64::total_cmp)
        })
    })?
}

/// What is wrong with the input map of a player, for its configuration warnings.
pub(super) fn warnings(this: &Gd<ActionGraphPlayer>) -> Vec<String> {
    let map = this.bind().input_map.clone();
    map.as_ref().map(input_compile::problems).unwrap_or_default()
}
