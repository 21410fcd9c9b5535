//! How a target holds itself: standing, crouched or prone, as the game says by method names, and what that makes of it
//! for those who look.

use std::sync::OnceLock;

use godot::prelude::*;
use riposte_core::awareness::{Posture, SourceStance as Known, StanceAnswers, crouch_member};
use riposte_core::perception::Stance;

use crate::agent::providers::{self, Found};

/// What a StimulusSource itself says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SourceStance {
    /// Its property `stance`.
    pub(crate) stance: i64,
    /// Its property `auto_detect_stance`.
    pub(crate) auto_detect: bool,
}

impl SourceStance {
    /// Says nothing.
    pub(crate) const UNREPORTED: Self = Self { stance: -1, auto_detect: true };

    /// As the core knows it.
    pub(crate) fn known(self) -> Known {
        Known { stance: Posture::from_int(self.stance).unwrap_or_default(), auto_detect: self.auto_detect }
    }
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

impl Answerers {
    fn has_any(&self) -> bool {
        !self.stances.is_empty() || self.prone.is_some() || self.crouched.is_some()
    }
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
pub(crate) fn posture(agent: &Gd<Node>, source: Option<Known>) -> Posture {
    let answerers = ANSWERERS.about(agent, search);
    let mut answers = StanceAnswers { reported: told(&answerers), source, crouch: None };
    if answers.posture_needs_crouch() {
        answers.crouch = members(&answerers);
    }
    answers.posture()
}

/// The stance in which the agent of a target is seen. Runs scripts: nothing may be bound or locked.
pub(crate) fn vision_stance(agent: &Gd<Node>, source: SourceStance) -> i64 {
    seen_as(agent, source.known()) as i64
}

/// The same, by what the core knows.
fn seen_as(agent: &Gd<Node>, source: Known) -> Stance {
    let source = Some(source);
    if !StanceAnswers::vision_needs_answers(source) {
        return StanceAnswers { reported: None, source, crouch: None }.vision();
    }
    let answerers = ANSWERERS.about(agent, search);
    let reported = told(&answerers);
    let crouch = if reported.is_none() { members(&answerers) } else { None };
    StanceAnswers { reported, source, crouch }.vision()
}

/// True if it is known that nobody of the agent tells its posture.
pub(crate) fn nobody_tells(agent: InstanceId) -> bool {
    ANSWERERS.known(agent).is_some_and(|answerers| !answerers.has_any())
}

/// True if somebody of the agent may tell how it holds itself.
pub(crate) fn tells_stance(agent: &Gd<Node>) -> bool {
    ANSWERERS.about(agent, search).has_any()
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
fn told(answerers: &Answerers) -> Option<Posture> {
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

fn stance_in(answer: &Variant) -> Option<Posture> {
    match answer.get_type() {
        VariantType::INT => Posture::parse_int(answer.try_to::<i64>().ok()?),
        VariantType::STRING | VariantType::STRING_NAME => Posture::parse(&answer.to_string()),
        _ => None,
    }
}

/// What the crouch members say.
fn members(answerers: &Answerers) -> Option<Posture> {
    let prone = answerers.prone.as_ref().and_then(says);
    let crouched = if prone == Some(true) { None } else { answerers.crouched.as_ref().and_then(says) };
    crouch_member(prone, crouched)
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
