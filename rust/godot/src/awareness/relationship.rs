//! How the game says that an agent stands to another: `get_relationship_to(other)` on the agent, then on its children.

use std::sync::OnceLock;

use godot::prelude::*;
use riposte_core::awareness::Relationship;

use crate::agent::providers::{self, Found};

static ANSWERERS: Found<Vec<InstanceId>> = Found::nothing();

fn method() -> &'static StringName {
    static NAME: OnceLock<StringName> = OnceLock::new();
    NAME.get_or_init(|| StringName::from("get_relationship_to"))
}

/// True if the game can be asked for this agent.
pub(super) fn can_ask(agent: &Gd<Node>) -> bool {
    !ANSWERERS.about(agent, search).is_empty()
}

/// Whether the game can be asked for this agent, if that is known.
pub(super) fn known(agent: InstanceId) -> Option<bool> {
    ANSWERERS.known(agent).map(|nodes| !nodes.is_empty())
}

/// What the game says; `None` if nobody says anything. Runs scripts: nothing may be bound or locked.
pub(super) fn ask(agent: &Gd<Node>, other: &Gd<Node>) -> Option<Relationship> {
    ANSWERERS.about(agent, search).iter().find_map(|node| {
        if !other.is_instance_valid() {
            return None;
        }
        let answer = providers::call(*node, method(), &[other.to_variant()])?;
        let number = if answer.get_type() == VariantType::INT { answer.try_to::<i64>().ok() } else { None };
        let relationship = number.and_then(Relationship::from_int);
        if relationship.is_none() {
            providers::ignore(*node, method(), &answer, "one of the RELATION_* constants");
        }
        relationship
    })
}

fn search(nodes: &[Gd<Node>]) -> Vec<InstanceId> {
    nodes.iter().filter(|node| providers::has(node, method(), 1)).map(|node| node.instance_id()).collect()
}
