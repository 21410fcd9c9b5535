//! What is published of orders, as a dictionary of plain values.

use godot::prelude::*;
use riposte_core::command::{Phase, RunResult, Vector};

use super::aim::Aim;
use super::order_saving::{integer, text};
use super::peers::{Told, ToldOrder};

/// Writes it.
pub(super) fn write(told: &Told, revision: i64) -> VarDictionary {
    let one = |order: &Option<ToldOrder>| order.as_ref().map(row).unwrap_or_default();
    vdict! {
        "revision" => revision,
        "phase" => told.phase.code(),
        "current" => &one(&told.current),
        "queue" => &told.queue.iter().map(|order| row(order).to_variant()).collect::<VarArray>(),
        "last_result" => &one(&told.last),
    }
}

fn row(order: &ToldOrder) -> VarDictionary {
    let aim = |vector| Option::map_or_else(vector, Variant::nil, |at| Aim::from_vector(at).to_script());
    let targets = order.targets.iter().map(|path| GString::from(path).to_variant());
    vdict! {
        "command_id" => order.command as i64,
        "execution_id" => order.execution as i64,
        "command" => order.name.as_str(),
        "variant" => order.variant,
        "targets" => &targets.collect::<VarArray>(),
        "location" => &aim(order.location),
        "direction" => &aim(order.direction),
        "source" => order.source.as_str(),
        "phase" => order.phase.code(),
        "suspended" => order.suspended,
        "cancelable" => order.cancelable,
        "attempt" => i64::from(order.attempt),
        "result" => order.result.code(),
        "reason" => order.reason.as_str(),
    }
}

/// Reads it; `None`: it is something else.
pub(super) fn read(state: &VarDictionary) -> Option<Told> {
    let queue = state.get("queue")?.try_to::<AnyArray>().ok()?;
    let queue = queue.iter_shared().map(|row| read_order(&row.try_to::<VarDictionary>().ok()?));
    integer(state, "revision")?;
    Some(Told {
        phase: Phase::from_code(integer(state, "phase")?)?,
        current: read_one(state, "current")?,
        queue: queue.collect::<Option<_>>()?,
        last: read_one(state, "last_result")?,
    })
}

fn read_one(state: &VarDictionary, key: &str) -> Option<Option<ToldOrder>> {
    let row = state.get(key)?.try_to::<VarDictionary>().ok()?;
    if row.is_empty() { Some(None) } else { read_order(&row).map(Some) }
}

fn read_order(row: &VarDictionary) -> Option<ToldOrder> {
    let targets = row.get("targets")?.try_to::<AnyArray>().ok()?;
    let targets = targets.iter_shared().map(|path| path.try_to_relaxed::<GString>().ok());
    let aim = |key: &str| -> Option<Option<Vector>> { Some(Aim::read(&row.get(key)?)?.map(Aim::vector)) };
    Some(ToldOrder {
        command: u64::try_from(integer(row, "command_id")?).ok()?,
        execution: u64::try_from(integer(row, "execution_id")?).ok()?,
        name: text(row, "command")?,
        variant: integer(row, "variant")?,
        targets: targets.map(|path| path.map(|path| path.to_string())).collect::<Option<_>>()?,
        location: aim("location")?,
        direction: aim("direction")?,
        source: text(row, "source")?,
        phase: Phase::from_code(integer(row, "phase")?)?,
        suspended: row.get("suspended")?.try_to().ok()?,
        cancelable: row.get("cancelable")?.try_to().ok()?,
        attempt: u32::try_from(integer(row, "attempt")?).ok()?,
        result: RunResult::from_code(integer(row, "result")?)?,
        reason: text(row, "reason")?,
    })
}
