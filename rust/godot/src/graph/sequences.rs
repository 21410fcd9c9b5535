//! Sequences of inputs that scripts queue.

use godot::prelude::*;
use riposte_core::graph::SequenceMode;
use riposte_core::graph::{Call, Press, Reply};

use super::{ActionGraphPlayer, driver, inputs};
use crate::base::messages;

/// Queues inputs; the handle, 0 if one of them is none.
pub(super) fn queue(this: &Gd<ActionGraphPlayer>, items: &AnyArray, mode: i64) -> i64 {
    const MEMBER: &str = "queue_input_sequence";
    if !driver::on_main(this, MEMBER) {
        return 0;
    }
    let Some(mode) = SequenceMode::from_code(mode) else {
        let text =
            format!("queue_input_sequence() got the mode {mode}. Use SEQUENCE_CHAIN or SEQUENCE_DISCRETE.");
        messages::error(this, MEMBER, "mode", &text);
        return 0;
    };
    if items.is_empty() {
        let text = "queue_input_sequence() got no inputs. Give at least one tag.";
        messages::error(this, MEMBER, "empty", text);
        return 0;
    }
    let mut presses = Vec::new();
    for (index, item) in items.iter_shared().enumerate() {
        let Some(press) = press_of(this, &item) else {
            let text = format!(
                "queue_input_sequence(): inputs[{index}] is no input. Give a tag, or a dictionary with tag, moment and direction."
            );
            messages::error(this, MEMBER, &format!("item {index}"), &text);
            return 0;
        };
        presses.push(press);
    }
    match driver::call(this.instance_id(), Call::QueueSequence { mode, items: presses }) {
        Some(Reply::Handle(handle)) => handle,
        _ => 0,
    }
}

fn press_of(this: &Gd<ActionGraphPlayer>, item: &Variant) -> Option<Press> {
    const MEMBER: &str = "queue_input_sequence";
    if let Ok(tag) = item.try_to_relaxed::<StringName>() {
        return inputs::press(this, MEMBER, &tag, 0, Vector2::INF);
    }
    let item = item.try_to::<AnyDictionary>().ok()?;
    let tag = item.get("tag")?.try_to_relaxed::<StringName>().ok()?;
    let moment = match item.get("moment") {
        Some(moment) if !moment.is_nil() => moment.try_to_relaxed::<i64>().ok()?,
        _ => 0,
    };
    let direction = match item.get("direction") {
        Some(direction) if !direction.is_nil() => direction.try_to_relaxed::<Vector2>().ok()?,
        _ => Vector2::INF,
    };
    inputs::press(this, MEMBER, &tag, moment, direction)
}

/// Calls a sequence off.
pub(super) fn cancel(this: &Gd<ActionGraphPlayer>, handle: i64) -> bool {
    driver::on_main(this, "cancel_input_sequence")
        && matches!(driver::call(this.instance_id(), Call::CancelSequence(handle)), Some(Reply::Flag(true)))
}
