//! The state of a CommandSystem as a dictionary of plain values, and back.

use std::rc::Rc;

use godot::prelude::*;
use riposte_core::command::{
    NewOrder, Phase, RunResult, SavedCommands, SavedCurrent, SavedIntent, SavedOrder, SavedStart,
};

use super::driver::{self, with};
use super::order::{Held, Order};
use super::saved_order::{self, SavedData};
use super::{CommandSystem, peers, requesting};
use crate::base::messages;
use crate::base::state::{StateReader, number, refuse_structure, versioned};

const VERSION: i64 = 1;

/// All orders by name.
pub(super) fn export(this: &Gd<CommandSystem>) -> VarDictionary {
    let id = this.instance_id();
    let known = with(id, |state| {
        let resume = state.living.as_ref().map(|living| (living.order.id, living.handle.clone()));
        (state.core.export(Held::order), resume)
    });
    let mut out = versioned(VERSION);
    let Some((known, living)) = known else {
        return empty(out, this.get("enabled").booleanize());
    };
    let agent = driver::agent_of(id).and_then(|agent| Gd::<Node>::try_from_instance_id(agent).ok());
    let mut lost = Vec::new();
    let mut save = |order: &SavedOrder<Rc<Order>>| {
        let own = living.as_ref().filter(|living| living.0 == order.id && order.result == RunResult::None);
        let resume = match own {
            Some((_, handle)) => handle.bind().resume_data(),
            None => order.data.life.resume.borrow().clone(),
        };
        let mut row = saved_order::export(&order.data, agent.as_ref(), &resume, &mut lost);
        write_order(&mut row, order);
        row
    };
    out.set("next_command_id", known.next_command as i64);
    out.set("next_execution_id", known.next_execution as i64);
    out.set("phase", known.phase.code());
    out.set("enabled", known.enabled);
    let current = known.current.as_ref().map(|current| {
        let mut row = save(&current.order);
        write_start(&mut row, &current.start);
        row
    });
    out.set("current", &current.map_or_else(Variant::nil, |row| row.to_variant()));
    out.set("queue", &known.queue.iter().map(|order| save(order).to_variant()).collect::<VarArray>());
    let last = known.last_result.as_ref().map(&mut save);
    out.set("last_result", &last.map_or_else(Variant::nil, |row| row.to_variant()));
    for place in lost {
        let text = format!(
            "export_state() left out {place}, which is no plain value. Keep numbers, texts and lists there."
        );
        messages::warning(this, "export_state", &place, &text);
    }
    out
}

/// The state of a node that was never in the tree.
fn empty(mut out: VarDictionary, enabled: bool) -> VarDictionary {
    out.set("next_command_id", 1);
    out.set("next_execution_id", 1);
    out.set("phase", 0);
    out.set("enabled", enabled);
    out.set("current", &Variant::nil());
    out.set("queue", &VarArray::new());
    out.set("last_result", &Variant::nil());
    out
}

fn write_order<S>(row: &mut VarDictionary, order: &SavedOrder<S>) {
    row.set("command_id", order.id as i64);
    row.set("execution_id", order.execution as i64);
    row.set("attempt", i64::from(order.attempt));
    row.set("retries", i64::from(order.retries));
    row.set("started", order.started);
    row.set("suspended", order.suspended);
    row.set("waits_for", order.waits_for as i64);
    row.set("age", order.age);
    row.set("result", order.result.code());
    row.set("reason", order.reason.as_str());
}

fn write_start(row: &mut VarDictionary, start: &SavedStart) {
    row.set("cancelable", start.cancelable);
    row.set("end_requested", start.end_requested.as_str());
    row.set("decided", intent_code(start.intent));
    row.set("decided_result", start.result.code());
    row.set("cancel_reason", start.reason.as_str());
    row.set("returns_after", start.waits_for as i64);
    row.set("timer", start.timer);
    row.set("same_attempt", start.same_attempt);
}

const INTENTS: [SavedIntent; 5] =
    [SavedIntent::None, SavedIntent::End, SavedIntent::Suspend, SavedIntent::Retry, SavedIntent::Retarget];

fn intent_code(intent: SavedIntent) -> i64 {
    INTENTS.iter().position(|known| *known == intent).unwrap_or(0) as i64
}

/// The reverse.
pub(super) fn import(this: &Gd<CommandSystem>, state: &VarDictionary) -> bool {
    if !driver::on_main(this, "import_state") {
        return false;
    }
    let decides = peers::decides(this);
    if !this.is_instance_valid() {
        return false;
    }
    if !decides {
        let text =
            "import_state() was called on a peer without authority over the node. Call it on the authority.";
        messages::error(this, "import_state", "authority", text);
        return false;
    }
    if StateReader::open(this, state, VERSION).is_none() {
        return false;
    }
    let Some(saved) = read(state).filter(SavedCommands::is_sound) else { return refuse_structure(this) };
    let id = this.instance_id();
    let Some(view) = requesting::view(id) else {
        let text = "import_state() was called before the node is in the tree. Add it to the tree first.";
        messages::error(this, "import_state", "tree", text);
        return false;
    };
    let enabled = saved.enabled;
    let orders = saved.map(|data: SavedData| {
        let order = data.find(this, &view)?;
        Some(NewOrder { plan: requesting::plan_of(&order), data: Held::new(order) })
    });
    this.clone().bind_mut().enabled = enabled;
    driver::import(id, orders);
    true
}

fn read(state: &VarDictionary) -> Option<SavedCommands<SavedData>> {
    let current = match state.get("current")? {
        nil if nil.is_nil() => None,
        row => {
            let row = row.try_to::<VarDictionary>().ok()?;
            Some(SavedCurrent { order: read_order(&row)?, start: read_start(&row)? })
        }
    };
    let queue = state.get("queue")?.try_to::<AnyArray>().ok()?;
    let queue = queue.iter_shared().map(|row| read_order(&row.try_to::<VarDictionary>().ok()?));
    let last_result = match state.get("last_result")? {
        nil if nil.is_nil() => None,
        row => Some(read_order(&row.try_to::<VarDictionary>().ok()?)?),
    };
    Some(SavedCommands {
        next_command: unsigned(state, "next_command_id")?,
        next_execution: unsigned(state, "next_execution_id")?,
        phase: Phase::from_code(integer(state, "phase")?)?,
        current,
        queue: queue.collect::<Option<Vec<_>>>()?,
        last_result,
        enabled: truth(state, "enabled")?,
    })
}

fn read_order(row: &VarDictionary) -> Option<SavedOrder<SavedData>> {
    Some(SavedOrder {
        id: unsigned(row, "command_id")?,
        execution: unsigned(row, "execution_id")?,
        attempt: u32::try_from(unsigned(row, "attempt")?).ok()?,
        retries: u32::try_from(unsigned(row, "retries")?).ok()?,
        started: truth(row, "started")?,
        suspended: truth(row, "suspended")?,
        waits_for: unsigned(row, "waits_for")?,
        age: number(&row.get("age")?)?,
        result: RunResult::from_code(integer(row, "result")?)?,
        reason: text(row, "reason")?,
        data: SavedData::read(row)?,
    })
}

fn read_start(row: &VarDictionary) -> Option<SavedStart> {
    Some(SavedStart {
        cancelable: truth(row, "cancelable")?,
        end_requested: text(row, "end_requested")?,
        intent: *INTENTS.get(usize::try_from(integer(row, "decided")?).ok()?)?,
        result: RunResult::from_code(integer(row, "decided_result")?)?,
        reason: text(row, "cancel_reason")?,
        waits_for: unsigned(row, "returns_after")?,
        timer: number(&row.get("timer")?)?,
        same_attempt: truth(row, "same_attempt")?,
    })
}

/// A whole number; those of JSON are floats.
pub(super) fn integer(row: &VarDictionary, key: &str) -> Option<i64> {
    let value = number(&row.get(key)?)?;
    (value.fract() == 0.0 && value.abs() < 9.0e15).then_some(value as i64)
}

fn unsigned(row: &VarDictionary, key: &str) -> Option<u64> {
    u64::try_from(integer(row, key)?).ok()
}

fn truth(row: &VarDictionary, key: &str) -> Option<bool> {
    row.get(key)?.try_to::<bool>().ok()
}

pub(super) fn text(row: &VarDictionary, key: &str) -> Option<String> {
    row.get(key)?.try_to_relaxed::<GString>().ok().map(|text| text.to_string())
}
