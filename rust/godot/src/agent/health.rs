//! How much health an agent has, wherever the game keeps it.
//!
//! Asked in this order: a method `get_health_fraction()` on the agent, then on each child; the row
//! `Vital.Health` of `AgentVitals`; then on the agent and on each child `get_health_percent()` (above 1 it means
//! 0 to 100), or `get_health()` or `get_current_health()` with `get_max_health()`. Only methods without
//! parameters count. Who answers is remembered until the children or a script change.

use std::sync::OnceLock;

use godot::prelude::*;
use parking_lot::Mutex;
use riposte_core::tags::TagId;

use super::read_vital;
use crate::base::id_map::{IdMap, id_map};
use crate::base::{tags, watch};

/// The row that counts as health.
const HEALTH: &str = "Vital.Health";

static HEALTH_TAG: OnceLock<Option<TagId>> = OnceLock::new();

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Fraction,
    Percent,
    /// `get_health` or `get_current_health`, with `get_max_health`.
    Share(&'static str),
}

/// Who answers for an agent.
#[derive(Clone, Copy)]
struct Answer {
    generation: u64,
    /// Before the vitals are asked.
    first: Option<InstanceId>,
    /// After the vitals were asked.
    last: Option<(InstanceId, Question)>,
}

static ANSWERS: Mutex<IdMap<Answer>> = Mutex::new(id_map());

/// Answers to remember before those of freed agents are forgotten.
const REMEMBERED: usize = 1024;

/// The agent's health, 0 to 1, or `None` if nobody knows (read it as 1). Runs methods of scripts: nothing may be
/// bound or locked.
pub(crate) fn fraction(agent: &Gd<Node>) -> Option<f64> {
    let answer = who_answers(agent);
    if let Some(node) = answer.first
        && let Some(value) = ask(node, Question::Fraction)
    {
        return Some(value);
    }
    let tag = (*HEALTH_TAG.get_or_init(|| tags::intern(HEALTH).ok()))?;
    if let Some(value) = read_vital(agent.instance_id(), tag, |row| row.fraction()) {
        return Some(value);
    }
    let (node, question) = answer.last?;
    ask(node, question)
}

fn who_answers(agent: &Gd<Node>) -> Answer {
    let generation = watch::generation(agent);
    let id = agent.instance_id().to_i64();
    let known = ANSWERS.lock().get(&id).copied();
    if let Some(answer) = known.filter(|answer| answer.generation == generation) {
        return answer;
    }
    let answer = search(agent, generation);
    let mut answers = ANSWERS.lock();
    if answers.len() >= REMEMBERED {
        answers.retain(|id, _| InstanceId::try_from_i64(*id).is_some_and(InstanceId::lookup_validity));
    }
    answers.insert(id, answer);
    answer
}

fn search(agent: &Gd<Node>, generation: u64) -> Answer {
    let mut nodes = vec![agent.clone()];
    nodes.extend(agent.get_children().iter_shared());
    let first = nodes.iter().find(|node| can_answer(node, "get_health_fraction"));
    let last = nodes.iter().find_map(|node| Some((node.instance_id(), late_question(node)?)));
    Answer { generation, first: first.map(|node| node.instance_id()), last }
}

fn late_question(node: &Gd<Node>) -> Option<Question> {
    if can_answer(node, "get_health_percent") {
        return Some(Question::Percent);
    }
    if !can_answer(node, "get_max_health") {
        return None;
    }
    ["get_health", "get_current_health"]
        .into_iter()
        .find(|method| can_answer(node, method))
        .map(Question::Share)
}

fn can_answer(node: &Gd<Node>, method: &str) -> bool {
    node.has_method(method) && node.get_method_argument_count(method) == 0
}

fn ask(node: InstanceId, question: Question) -> Option<f64> {
    let mut node = Gd::<Node>::try_from_instance_id(node).ok()?;
    let value = match question {
        Question::Fraction => call(&mut node, "get_health_fraction")?,
        Question::Percent => {
            let percent = call(&mut node, "get_health_percent")?;
            if percent > 1.0 { percent / 100.0 } else { percent }
        }
        Question::Share(method) => {
            let health = call(&mut node, method)?;
            if !node.is_instance_valid() {
                return None;
            }
            let max = call(&mut node, "get_max_health")?;
            if max <= 0.0 {
                return None;
            }
            health / max
        }
    };
    Some(value.clamp(0.0, 1.0))
}

fn call(node: &mut Gd<Node>, method: &str) -> Option<f64> {
    let answer = node.try_call(method, &[]).ok()?;
    answer.try_to_relaxed::<f64>().ok().filter(|number| number.is_finite())
}
