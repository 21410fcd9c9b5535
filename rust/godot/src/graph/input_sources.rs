//! Which key, button or axis an event comes from, and what devices do at this moment.

use godot::classes::{
    Input, InputEvent, InputEventAction, InputEventJoypadButton, InputEventJoypadMotion, InputEventKey,
    InputEventMouseButton, InputMap,
};
use godot::global::{JoyAxis, JoyButton, Key, MouseButton};
use godot::obj::{EngineEnum as _, Singleton as _};
use godot::prelude::*;
use riposte_core::graph::input::{SourceId, Strength};

use super::input_compile::CompiledInputs;

const PHYSICAL_KEY: u64 = 1;
const KEY: u64 = 2;
const KEY_LABEL: u64 = 3;
const MOUSE_BUTTON: u64 = 4;
const JOY_BUTTON: u64 = 5;
const JOY_AXIS: u64 = 6;
const ACTION: u64 = 7;

fn source(kind: u64, device: i32, index: i32) -> SourceId {
    SourceId(kind << 48 | u64::from(device as u16) << 32 | u64::from(index as u32))
}

fn parts(source: SourceId) -> (u64, i32, i32) {
    (source.0 >> 48, i32::from((source.0 >> 32) as u16 as i16), source.0 as u32 as i32)
}

/// An event that can push actions.
pub(super) struct Heard {
    pub source: SourceId,
    pub device: i32,
    pub echo: bool,
}

/// What an event comes from; `None` for one that pushes no actions, such as a moved mouse.
pub(super) fn heard(event: &Gd<InputEvent>) -> Option<Heard> {
    let device = event.get_device();
    let of = |source: SourceId| Some(Heard { source, device, echo: false });
    let event = match event.clone().try_cast::<InputEventKey>() {
        Ok(key) => return Some(Heard { source: key_source(&key, device), device, echo: key.is_echo() }),
        Err(event) => event,
    };
    let event = match event.try_cast::<InputEventJoypadMotion>() {
        Ok(motion) => return of(source(JOY_AXIS, device, motion.get_axis().ord())),
        Err(event) => event,
    };
    let event = match event.try_cast::<InputEventJoypadButton>() {
        Ok(button) => return of(source(JOY_BUTTON, device, button.get_button_index().ord())),
        Err(event) => event,
    };
    let event = match event.try_cast::<InputEventMouseButton>() {
        Ok(button) => return of(source(MOUSE_BUTTON, device, button.get_button_index().ord())),
        Err(event) => event,
    };
    event.try_cast::<InputEventAction>().ok().and_then(|_| of(source(ACTION, device, 0)))
}

/// By its place on the keyboard, which shift and layout do not change.
fn key_source(key: &Gd<InputEventKey>, device: i32) -> SourceId {
    let (physical, code) = (key.get_physical_keycode(), key.get_keycode());
    if physical != Key::NONE {
        source(PHYSICAL_KEY, device, physical.ord())
    } else if code != Key::NONE {
        source(KEY, device, code.ord())
    } else {
        source(KEY_LABEL, device, key.get_key_label().ord())
    }
}

/// How strongly an event pushes the actions of a map.
pub(super) fn strengths(inputs: &CompiledInputs, event: &Gd<InputEvent>) -> Vec<Strength> {
    let map = InputMap::singleton();
    let motion = event.clone().try_cast::<InputEventJoypadMotion>().ok();
    let mut pushed = Vec::new();
    for (number, action) in inputs.actions.iter().enumerate() {
        // Asking about an action that is not there is an engine error.
        if !map.has_action(&action.name) || !event.is_action(&action.name) {
            continue;
        }
        let strength = f64::from(event.get_action_strength(&action.name));
        let raw = motion.as_ref().map_or(strength, |motion| reach(motion, &action.name));
        pushed.push(Strength { action: number, strength, raw });
    }
    pushed
}

/// How far an axis is pushed in the direction of an action, without the action's dead zone.
fn reach(motion: &Gd<InputEventJoypadMotion>, action: &StringName) -> f64 {
    let same_side = motion.is_action_ex(action).exact_match(true).done();
    if same_side { f64::from(motion.get_axis_value()).abs().min(1.0) } else { 0.0 }
}

/// What devices push now, of what was known to be pushed and of all axes.
pub(super) fn pushed_now(
    inputs: &CompiledInputs,
    known: &[(SourceId, Strength)],
    device: i64,
) -> Vec<(SourceId, Strength)> {
    let mut axes: Vec<(i32, i32)> = Vec::new();
    let mut now = Vec::new();
    for (id, strength) in known {
        match parts(*id) {
            (JOY_AXIS, device, axis) => axes.push((device, axis)),
            _ if is_pressed(inputs, *id, strength.action) => now.push((*id, *strength)),
            _ => {}
        }
    }
    axes.extend(connected_axes(inputs, device));
    axes.sort_unstable();
    axes.dedup();
    for (device, axis) in axes {
        let mut event = InputEventJoypadMotion::new_gd();
        event.set_device(device);
        event.set_axis(JoyAxis::from_ord(axis));
        event.set_axis_value(Input::singleton().get_joy_axis(device, JoyAxis::from_ord(axis)));
        let pushes = strengths(inputs, &event.upcast());
        now.extend(pushes.into_iter().map(|push| (source(JOY_AXIS, device, axis), push)));
    }
    now
}

fn is_pressed(inputs: &CompiledInputs, id: SourceId, action: usize) -> bool {
    let input = Input::singleton();
    match parts(id) {
        (PHYSICAL_KEY, _, index) => input.is_physical_key_pressed(Key::from_ord(index)),
        (KEY, _, index) => input.is_key_pressed(Key::from_ord(index)),
        (KEY_LABEL, _, index) => input.is_key_label_pressed(Key::from_ord(index)),
        (MOUSE_BUTTON, _, index) => input.is_mouse_button_pressed(MouseButton::from_ord(index)),
        (JOY_BUTTON, device, index) => input.is_joy_button_pressed(device, JoyButton::from_ord(index)),
        (ACTION, _, _) => {
            let action = inputs.actions.get(action).map(|action| &action.name);
            action.is_some_and(|name| InputMap::singleton().has_action(name) && input.is_action_pressed(name))
        }
        _ => false,
    }
}

/// Axes that actions of the map listen to, on the pads that are there.
fn connected_axes(inputs: &CompiledInputs, device: i64) -> Vec<(i32, i32)> {
    let pads: Vec<i32> = Input::singleton()
        .get_connected_joypads()
        .iter_shared()
        .filter(|pad| device < 0 || *pad == device)
        .filter_map(|pad| i32::try_from(pad).ok())
        .collect();
    if pads.is_empty() {
        return Vec::new();
    }
    let mut map = InputMap::singleton();
    let mut axes = Vec::new();
    for action in &inputs.actions {
        if !map.has_action(&action.name) {
            continue;
        }
        for event in map.action_get_events(&action.name).iter_shared() {
            if let Ok(motion) = event.try_cast::<InputEventJoypadMotion>() {
                axes.extend(pads.iter().map(|pad| (*pad, motion.get_axis().ord())));
            }
        }
    }
    axes
}
