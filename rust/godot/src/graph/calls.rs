//! What scripts do to the move that runs.

use std::sync::Arc;

use godot::prelude::*;
use riposte_core::graph::Fail;
use riposte_core::graph::{Call, Reply};

use super::state::with;
use super::{ActionGraphPlayer, asking, driver, logging, playback};
use crate::base::messages;

fn is_done(this: &Gd<ActionGraphPlayer>, call: Call) -> bool {
    matches!(driver::call(this.instance_id(), call), Some(Reply::Flag(true)))
}

/// Cuts what runs, whatever its rules.
pub(super) fn interrupt(this: &Gd<ActionGraphPlayer>, reason: &StringName) -> bool {
    if !driver::on_main(this, "interrupt_for_external") {
        return false;
    }
    logging::line(this.instance_id(), || match reason.is_empty() {
        true => "interrupted from outside".to_owned(),
        false => format!("interrupted from outside: {reason}"),
    });
    is_done(this, Call::Interrupt)
}

/// Opens or closes a window as keys of animations do.
pub(super) fn window(this: &Gd<ActionGraphPlayer>, kind: &StringName, opens: bool) -> bool {
    let member = if opens { "open_action_window" } else { "close_action_window" };
    if !driver::on_main(this, member) || playback::ignores_keys(this.instance_id()) {
        return false;
    }
    let kind: Arc<str> = kind_of(kind);
    is_done(this, if opens { Call::OpenWindow(kind) } else { Call::CloseWindow(kind) })
}

/// The kind of a window: what stands behind `#` only tells windows of one kind apart.
fn kind_of(name: &StringName) -> Arc<str> {
    let name = name.to_string();
    Arc::from(name.split('#').next().unwrap_or_default())
}

/// Lets the clocks stand still.
pub(super) fn freeze(this: &Gd<ActionGraphPlayer>, seconds: f64) {
    if !driver::on_main(this, "freeze") {
        return;
    }
    if !seconds.is_finite() || seconds < 0.0 {
        let text = format!("freeze() got {seconds} s, it is ignored. Give seconds, 0 or more.");
        messages::error(this, "freeze", "seconds", &text);
        return;
    }
    driver::call(this.instance_id(), Call::Freeze(seconds));
}

/// Lets them go on.
pub(super) fn unfreeze(this: &Gd<ActionGraphPlayer>) {
    if driver::on_main(this, "unfreeze") {
        driver::call(this.instance_id(), Call::Unfreeze);
    }
}

/// Whether a node could start now.
pub(super) fn can_start(this: &Gd<ActionGraphPlayer>, id: &StringName) -> i64 {
    let player = this.instance_id();
    let node = with(player, |state| state.core.graph()?.find(&id.to_string())).flatten();
    match node.filter(|_| driver::on_main(this, "can_start_node")) {
        Some(node) if node != riposte_core::graph::ROOT_INDEX => asking::can_start(player, node).code(),
        _ => Fail::Unknown.code(),
    }
}
