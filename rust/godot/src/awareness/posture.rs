//! How a target holds itself: standing, crouched or prone, as the game says by method names, and what that makes of it
//! for those who look.

use std::sync::OnceLock;

use godot::prelude::*;

use crate::agent::providers::{self, Found};

/// Nobody says how the target holds itself.
pub(crate) const UNREPORTED: i64 = -1;
/// Upright.
pub(crate) const STANDING: i64 = 0;
/// Low.
pub(crate) const CROUCHED: i64 = 1;
/// Flat on the ground.
pub(crate) const PRONE: i64 = 2;

/// What a StimulusSource itself says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceStance {
    /// Its property `stance`.
    pub(crate) stance: i64,
    /// Its property `auto_detect_stance`.
    pub(crate) auto_detect: bool,
}

/// Something on the agent that says yes or no.
struct Member {
    node: InstanceId,
    name: StringName,
    is_property: bool,
}

/// Who may tell the posture of an agent.
struct Answerers {
    /// With `get_stance()`: the agent, then its children.
    stances: Vec<InstanceId>,
    /// On the agent, `is_prone` and the like.
    prone: Option<Member>,
    crouched: Option<Member>,
}

static ANSWERERS: Found<Answerers> = Found::nothing();

struct Names {
    stance: StringName,
    prone: [StringName; 1],
    crouched: [StringName; 2],
}

fn names() -> &'static Names {
    static NAMES: OnceLock<Names> = OnceLock::new();
    NAMES.get_or_init(|| Names {
        stance: StringName::from("get_stance"),
        prone: ["is_prone"].map(StringName::from),
        crouched: ["is_crouching", "is_crouched"].map(StringName::from),
    })
}

/// How the agent of a target holds itself. Runs scripts: nothing may be bound or locked.
pub(crate) fn posture(agent: &Gd<Node>, source: Option<SourceStance>) -> i64 {
    let answerers = ANSWERERS.about(agent, search);
    if let Some(stance) = told(&answerers) {
        return stance;
    }
    let members = members(&answerers);
    let low = members.filter(|stance| *stance != STANDING);
    let detected = source.filter(|source| source.auto_detect).and(low);
    let own = source.map(|source| source.stance).filter(|stance| *stance != UNREPORTED);
    detected.or(own).or(members).unwrap_or(UNREPORTED)
}

/// The stance in which the agent of a target is seen: standing, crouched or prone. Runs scripts: nothing may be bound
/// or locked.
pub(crate) fn vision_stance(agent: &Gd<Node>, source: SourceStance) -> i64 {
    let own = source.stance.max(STANDING);
    if !source.auto_detect {
        return own;
    }
    let answerers = ANSWERERS.about(agent, search);
    let detected = told(&answerers).or_else(|| members(&answerers));
    detected.filter(|stance| *stance != STANDING).unwrap_or(own)
}

/// True if somebody of the agent may tell how it holds itself.
pub(crate) fn tells_stance(agent: &Gd<Node>) -> bool {
    let answerers = ANSWERERS.about(agent, search);
    !answerers.stances.is_empty() || answerers.prone.is_some() || answerers.crouched.is_some()
}

fn search(nodes: &[Gd<Node>]) -> Answerers {
    let tells = |node: &&Gd<Node>| providers::has(node, &names().stance, 0);
    let stances = nodes.iter().filter(tells).map(|node| node.instance_id()).collect();
    let agent = &nodes[0];
    let member = |names: &[StringName]| names.iter().find_map(|name| member_of(agent, name));
    Answerers { stances, prone: member(&names().prone), crouched: member(&names().crouched) }
}

fn member_of(agent: &Gd<Node>, name: &StringName) -> Option<Member> {
    let is_method = providers::has(agent, name, 0);
    let text = name.to_string();
    // Not by `get`: that gives a script's method of the name too.
    let is_property = || {
        agent
            .get_property_list()
            .iter_shared()
            .any(|info| info.get("name").is_some_and(|known| known.to_string() == text))
    };
    let found = is_method || is_property();
    found.then(|| Member { node: agent.instance_id(), name: name.clone(), is_property: !is_method })
}

/// What `get_stance()` says.
fn told(answerers: &Answerers) -> Option<i64> {
    answerers.stances.iter().find_map(|node| {
        let answer = providers::call(*node, &names().stance, &[])?;
        let stance = stance_in(&answer);
        if stance.is_none() {
            let wanted = "0 to 2, or \"standing\", \"crouched\" or \"prone\"";
            providers::ignore(*node, &names().stance, &answer, wanted);
        }
        stance
    })
}

fn stance_in(answer: &Variant) -> Option<i64> {
    match answer.get_type() {
        VariantType::INT => answer.try_to::<i64>().ok().filter(|stance| (STANDING..=PRONE).contains(stance)),
        VariantType::STRING | VariantType::STRING_NAME => match answer.to_string().to_lowercase().as_str() {
            "standing" => Some(STANDING),
            "crouched" => Some(CROUCHED),
            "prone" => Some(PRONE),
            _ => None,
        },
        _ => None,
    }
}

/// What the crouch members say; one that is there and says no is a report of standing.
fn members(answerers: &Answerers) -> Option<i64> {
    let prone = answerers.prone.as_ref().and_then(says);
    if prone == Some(true) {
        return Some(PRONE);
    }
    let crouched = answerers.crouched.as_ref().and_then(says);
    match crouched.or(prone) {
        Some(true) => Some(CROUCHED),
        Some(false) => Some(STANDING),
        None => None,
    }
}

fn says(member: &Member) -> Option<bool> {
    let answer = if member.is_property {
        providers::get(member.node, &member.name)
    } else {
        providers::call(member.node, &member.name, &[])
    }?;
    let truth = answer.try_to::<bool>().ok();
    if truth.is_none() {
        providers::ignore(member.node, &member.name, &answer, "true or false");
    }
    truth
}
