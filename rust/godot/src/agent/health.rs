//! How much health an agent has, wherever the game keeps it.
//!
//! Asked in this order: a method `get_health_fraction()` on the agent, then on each child; the row
//! `Vital.Health` of `AgentVitals`; then on the agent and on each child `get_health_percent()` (above 1 it means
//! 0 to 100), or `get_health()` or `get_current_health()` with `get_max_health()`. Only methods without
//! parameters count. Who has none of it is not asked again until the children or a script change.

use std::sync::OnceLock;

use godot::prelude::*;
use riposte_core::arena::Handle;
use riposte_core::tags::TagId;

use super::providers::{self, Found};
use super::{read_vital, read_vital_at};
use crate::base::tags;

/// The row that counts as health.
const HEALTH: &str = "Vital.Health";

#[derive(Clone, Copy)]
enum Question {
    Percent,
    Health,
    CurrentHealth,
}

/// Who may answer for an agent, in the order of asking.
struct Answerers {
    /// Before the vitals are asked.
    fractions: Vec<InstanceId>,
    /// After the vitals were asked.
    others: Vec<(InstanceId, Question)>,
}

static ANSWERERS: Found<Answerers> = Found::nothing();

struct Names {
    fraction: StringName,
    percent: StringName,
    health: StringName,
    current: StringName,
    max: StringName,
}

fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| Names {
        fraction: StringName::from("get_health_fraction"),
        percent: StringName::from("get_health_percent"),
        health: StringName::from("get_health"),
        current: StringName::from("get_current_health"),
        max: StringName::from("get_max_health"),
    })
}

/// The agent's health, 0 to 1, or `None` if nobody knows (read it as 1). Runs methods of scripts: nothing may be
/// bound or locked.
pub(crate) fn fraction(agent: &Gd<Node>) -> Option<f64> {
    let answerers = ANSWERERS.about(agent, search);
    let id = agent.instance_id();
    let by_fraction = || answerers.fractions.iter().find_map(|node| ask(*node, &names().fraction));
    let by_vitals = || read_vital(id, tag()?, |row| row.fraction());
    let by_others = || answerers.others.iter().find_map(|(node, question)| late_answer(*node, *question));
    let health = by_fraction().or_else(by_vitals).or_else(by_others)?;
    Some(health.clamp(0.0, 1.0))
}

/// True if nobody is asked for the agent's health but its `AgentVitals`, if it has them. Looked up again when its children
/// or a script change.
pub(crate) fn is_kept_by_vitals(agent: &Gd<Node>) -> bool {
    let answerers = ANSWERERS.about(agent, search);
    answerers.fractions.is_empty() && answerers.others.is_empty()
}

/// The health of such an agent with these vitals, 0 to 1, 1 without vitals, and where it was read. Runs nothing.
pub(crate) fn kept_by_vitals(vitals: Option<Handle>) -> (f64, usize) {
    let row = vitals.zip(tag());
    let vital = row.and_then(|(vitals, tag)| read_vital_at(vitals, tag, |row| row.fraction()));
    vital.map_or((1.0, 0), |(health, at)| (health.clamp(0.0, 1.0), at))
}

fn tag() -> Option<TagId> {
    static TAG: OnceLock<Option<TagId>> = OnceLock::new();
    *TAG.get_or_init(|| tags::intern(HEALTH).ok())
}

fn search(nodes: &[Gd<Node>]) -> Answerers {
    let mut found = Answerers { fractions: Vec::new(), others: Vec::new() };
    for node in nodes {
        let id = node.instance_id();
        let has = |method| providers::has(node, method, 0);
        if has(&names().fraction) {
            found.fractions.push(id);
        }
        if has(&names().percent) {
            found.others.push((id, Question::Percent));
        }
        if has(&names().max) {
            let pairs = [(&names().health, Question::Health), (&names().current, Question::CurrentHealth)];
            found.others.extend(pairs.into_iter().filter(|(method, _)| has(method)).map(|(_, q)| (id, q)));
        }
    }
    found
}

fn late_answer(node: InstanceId, question: Question) -> Option<f64> {
    let health = match question {
        Question::Percent => {
            let percent = ask(node, &names().percent)?;
            return Some(if percent > 1.0 { percent / 100.0 } else { percent });
        }
        Question::Health => ask(node, &names().health)?,
        Question::CurrentHealth => ask(node, &names().current)?,
    };
    let max = ask(node, &names().max)?;
    let share = if max <= 0.0 { 0.0 } else { health / max };
    (!share.is_nan()).then_some(share)
}

fn ask(node: InstanceId, method: &StringName) -> Option<f64> {
    let answer = providers::call(node, method, &[])?;
    let number = providers::number(&answer);
    if number.is_none() {
        providers::ignore(node, method, &answer, "a number");
    }
    number
}
