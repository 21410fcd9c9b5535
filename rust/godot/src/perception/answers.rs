//! Answers what the core asks in a tick, with rays and with what nodes say.

use godot::obj::Singleton as _;
use riposte_core::perception::{About, Ask, Muffling, PerceiverKey, Question, Tick};

use super::muffling::Muffled;
use super::nodes::Nodes;
use super::perception_server::PerceptionServer;
use super::rays::Look;
use super::spaces::Spaces;
use super::{stances, state};

/// Answers all questions. Where no ray can be cast the last verdict stays. Scripts may be asked for a stance; nothing is
/// held meanwhile.
pub(super) fn answer(tick: &mut Tick) {
    {
        let mut server = PerceptionServer::singleton();
        let nodes = &mut server.bind_mut().nodes;
        nodes.mufflers.begin();
        tick.lookers().for_each(|looker| nodes.expect_look(looker));
    }
    while let Some(about) = answer_with_rays(tick) {
        tick.answer_stance(stances::stance(about.source));
    }
}

/// Answers up to the next question that a script has to answer: worlds and bodies may be others after it.
fn answer_with_rays(tick: &mut Tick) -> Option<About> {
    let mut spaces = Spaces::default();
    let spaces = &mut spaces;
    let mut server = PerceptionServer::singleton();
    let mut server = server.bind_mut();
    let server = &mut *server;
    server.nodes.rays.sweep();
    loop {
        match tick.question()? {
            Ask::Stance(about) | Ask::Points(about) if spaces.get(about.space).is_none() => tick.pass(),
            Ask::Stance(about) => match server.nodes.silent_stance(about.source, about.target.agent) {
                Some(stance) => tick.answer_stance(stance),
                None => return Some(about),
            },
            Ask::Points(about) => {
                let points = server.nodes.node_points(about.source);
                tick.answer_points(&points);
            }
            Ask::Sight(question) => match see(&mut server.nodes, spaces, &question) {
                Some((points, casts)) => tick.answer_sight(points, casts),
                None => tick.pass(),
            },
            Ask::Occlusion(noise) => match muffle(&mut server.nodes, spaces, &noise) {
                Some((bodies, casts)) => tick.answer_occlusion(bodies, casts),
                None => tick.pass(),
            },
        }
    }
}

fn see(nodes: &mut Nodes, spaces: &mut Spaces, question: &Question<'_>) -> Option<(u16, u32)> {
    let space = spaces.get(question.space)?;
    let look =
        Look { target: question.target.agent, eye: question.eye, points: question.points, traces: None };
    let seen = nodes.see(question.perceiver, space, look, true);
    Some((seen.points, seen.casts))
}

fn muffle(nodes: &mut Nodes, spaces: &mut Spaces, noise: &Muffling) -> Option<(u32, u32)> {
    let space = spaces.get(noise.space)?;
    let perceiver = noise.perceiver;
    let agents = [agent_of(perceiver), noise.instigator];
    let noise = Muffled { from: noise.from, to: noise.eye, agents, mask: 0, most: noise.most };
    Some(nodes.muffle(perceiver, space, noise))
}

fn agent_of(perceiver: PerceiverKey) -> i64 {
    state::with(|state| state.world.perceiver_place(perceiver)).map_or(0, |(_, agent)| agent)
}
