//! The stance in which a target is seen.

use godot::classes::Node;
use godot::obj::{Gd, InstanceId, Singleton as _};
use riposte_core::perception::{NodeId, SourceKey, Stance};

use crate::awareness::{self, SourceStance};
use crate::base::watch;

use super::perception_server::PerceptionServer;
use super::state;

/// What is known of those who may tell the stance of a source's agent. Most agents have nobody.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tellers {
    agent: NodeId,
    /// The state of the agent in which there was nobody; 0: there is somebody, or nobody looked.
    silent: u64,
    /// While nothing that is watched has changed since then, that still holds.
    checked: u64,
}

impl Tellers {
    /// True if it is known that there is nobody to ask.
    pub(crate) fn are_silent(self, agent: NodeId) -> bool {
        self.silent != 0
            && self.agent == agent
            && (self.checked == watch::revision() || watch::known_generation(agent) == Some(self.silent))
    }
}

/// What a source itself says.
pub(super) fn reported(stance: i64) -> Stance {
    match stance {
        1 => Stance::Crouched,
        2 => Stance::Prone,
        _ => Stance::Standing,
    }
}

/// The vision stance of a source's agent. May ask scripts: nothing may be held.
pub(super) fn stance(source: SourceKey) -> Stance {
    let rules = PerceptionServer::singleton().bind().nodes.source_rules(source).map(SourceStance::from);
    let rules = rules.unwrap_or(SourceStance { stance: -1, auto_detect: false });
    let target = state::with(|state| state.world.target_of_source(source));
    let agent = target.and_then(|target| InstanceId::try_from_i64(target.agent));
    let agent = agent.and_then(|id| Gd::<Node>::try_from_instance_id(id).ok());
    let Some(agent) = agent.filter(|_| rules.auto_detect) else { return reported(rules.stance) };
    let checked = watch::revision();
    let generation = watch::generation(&agent);
    if !awareness::tells_stance(&agent) {
        let tellers = Tellers { agent: agent.instance_id().to_i64(), silent: generation, checked };
        PerceptionServer::singleton().bind_mut().nodes.set_tellers(source, tellers);
        return reported(rules.stance);
    }
    reported(awareness::vision_stance(&agent, rules))
}

/// What the source that counts for an agent says of its stance; `None` if it has no source.
pub(crate) fn source_stance(agent: InstanceId) -> Option<SourceStance> {
    state::with(|state| state.stance_of(state.world.target_of(agent.to_i64())?))
}
