//! A player in a multiplayer game: the authority plays, the owner plays ahead, the others show what is published.

use std::rc::Rc;

use glam::DVec2;
use godot::prelude::*;
use riposte_core::graph::{Call, Effect, MoveEnd, Place, ROOT_INDEX};
use riposte_core::rate::Bucket;

use super::state::{State, with};
use super::{ActionGraphPlayer, driver, remote, sources};
use crate::base::callbacks::defer;
use crate::base::state::number;
use crate::base::{messages, network};

/// What this peer is for a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// There is no network, or it does not count.
    #[default]
    Local,
    /// It decides.
    Authority,
    /// Its player controls the agent: moves start here before the authority has answered.
    Owner,
    /// It shows what the authority plays.
    Watcher,
}

/// Where the authority is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Told {
    /// The file of the moveset.
    pub graph: String,
    pub node: String,
    pub node_time: f64,
    pub direction: Vector2,
    /// Counts moves.
    pub run: i64,
    /// How the move before ended.
    pub reason: i64,
}

impl Told {
    fn is_place_of(&self, other: &Self) -> bool {
        (&self.graph, &self.node, self.run) == (&other.graph, &other.node, other.run)
    }
}

/// What one player knows of the other peers.
#[derive(Default)]
pub(super) struct Peers {
    pub predicted: bool,
    pub owner: i64,
    pub tolerance: f64,
    pub inputs_per_second: u32,
    role: Role,
    /// The branch of the tree has a network of its own.
    own_api: bool,
    /// What the authority published last; here: what was read or written last.
    told: Option<Rc<Told>>,
    revision: i64,
    last_end: i64,
    /// Corrections so far: what was sent before the last one counts for nothing.
    pub epoch: i64,
    /// The peer whose packets are counted.
    sender: i64,
    inputs: Bucket,
    moves: Bucket,
    /// What the owner asks for is being done.
    pub by_owner: bool,
    /// Something else than the owner moved the authority.
    moved: bool,
    /// Submissions that are refused for testing.
    pub refuse: i64,
}

/// Moves of an owner in a second that are looked at. One that plays a move in every tick stays below.
const MOVES_PER_SECOND: u32 = 60;

impl Peers {
    /// True if one more input of a peer may be walked.
    pub fn takes_input(&mut self, sender: i64, now: f64) -> bool {
        let size = self.inputs_per_second;
        self.of(sender).inputs.take(now, size)
    }

    /// True if one more move of a peer may be looked at.
    pub fn takes_move(&mut self, sender: i64, now: f64) -> bool {
        self.of(sender).moves.take(now, MOVES_PER_SECOND)
    }

    /// A new owner begins anew.
    fn of(&mut self, sender: i64) -> &mut Self {
        if self.sender != sender {
            (self.sender, self.inputs, self.moves) = (sender, Bucket::default(), Bucket::default());
        }
        self
    }
}

/// The node entered the tree.
pub(super) fn entered(node: &Gd<Node>) {
    let own_api = network::has_own_api(node);
    with(node.instance_id(), |state| state.peers.own_api = own_api);
}

/// What this peer is, found out anew if there is a network.
pub(super) fn role(id: InstanceId) -> Role {
    let known =
        with(id, |state| (state.peers.predicted, state.peers.owner, state.peers.role, state.peers.own_api));
    let Some((predicted, owner, before, own_api)) = known else { return Role::Local };
    if !predicted || before == Role::Local && !own_api && !network::is_networked_now() {
        return Role::Local;
    }
    let Ok(node) = Gd::<Node>::try_from_instance_id(id) else { return before };
    if !node.is_inside_tree() {
        return before;
    }
    let networked = node.get_multiplayer().filter(network::is_networked);
    let now = match networked {
        None => Role::Local,
        Some(_) if node.is_multiplayer_authority() => Role::Authority,
        Some(api) if owner != 0 && i64::from(api.get_unique_id()) == owner => Role::Owner,
        Some(_) => Role::Watcher,
    };
    if now != before {
        with(id, |state| {
            state.peers.role = now;
            state.core.set_submits(now == Role::Owner);
        });
        if before == Role::Watcher || now == Role::Watcher {
            driver::make(id, Call::Interrupt);
        }
    }
    now
}

/// True if the moves of a player are decided here.
pub(super) fn is_authority(id: InstanceId) -> bool {
    matches!(role(id), Role::Local | Role::Authority)
}

/// True if the player of this peer controls the agent.
pub(super) fn is_owner(id: InstanceId) -> bool {
    match role(id) {
        Role::Local | Role::Owner => true,
        Role::Watcher => false,
        Role::Authority => {
            let owner = with(id, |state| state.peers.owner).unwrap_or(0);
            let node = Gd::<Node>::try_from_instance_id(id).ok();
            let api = node.and_then(|node| node.get_multiplayer());
            owner != 0 && api.is_some_and(|api| i64::from(api.get_unique_id()) == owner)
        }
    }
}

/// The authority plays a moveset that is not the one here.
pub(super) fn plays_another_graph(id: InstanceId) -> bool {
    let told = with(id, |state| state.peers.told.clone()).flatten();
    told.is_some_and(|told| !told.graph.is_empty() && told.graph != graph_path(id))
}

fn graph_path(id: InstanceId) -> String {
    sources::active(id).map(|graph| graph.get_path().to_string()).unwrap_or_default()
}

/// What an effect means for the other peers.
pub(super) fn note(id: InstanceId, effect: &Effect) {
    let input = matches!(effect, Effect::Started { .. });
    let submission = with(id, |state| {
        let peers = &mut state.peers;
        if let Effect::Ended { reason, .. } = effect {
            peers.last_end = reason.code();
        }
        match peers.role {
            Role::Authority if !peers.by_owner => {
                let cut = matches!(
                    effect,
                    Effect::Ended { reason: MoveEnd::Cancelled | MoveEnd::Chained | MoveEnd::Removed, .. }
                );
                peers.moved |= cut || input && state.core.run().is_some_and(|run| run.tag.is_some());
                false
            }
            Role::Owner => matches!(effect, Effect::Submitted { .. }),
            _ => false,
        }
    });
    if submission == Some(true) {
        remote::submit(id, effect);
    }
}

/// After a turn: the owner hears where the authority was moved to.
pub(super) fn settle(id: InstanceId) {
    let moved = with(id, |state| std::mem::take(&mut state.peers.moved) && state.peers.owner != 0);
    if moved == Some(true) && !is_owner(id) {
        remote::correct(id, false);
    }
}

impl State {
    /// Where the player is.
    pub(super) fn place(&self) -> (String, f64, DVec2, u64) {
        let run = self.core.run();
        let name = run.as_ref().and_then(|run| Some(self.core.graph()?.node(run.node).id.to_string()));
        let time = run.as_ref().map_or(0.0, |run| run.node_time);
        let direction = run.as_ref().map_or(DVec2::ZERO, |run| run.direction);
        (name.unwrap_or_else(|| "root".to_owned()), time, direction, run.map_or(0, |run| run.run))
    }

    /// The place of a name; the root for one that is not there.
    pub(super) fn place_named(&self, node: &str, node_time: f64, direction: Vector2) -> Place {
        let found = self.core.graph().and_then(|graph| graph.find(node));
        let direction = DVec2::new(direction.x.into(), direction.y.into());
        Place { node: found.unwrap_or(ROOT_INDEX), node_time, direction }
    }
}

/// What the getter of `sync_state` gives: a new dictionary only if something is not as in `last`.
pub(super) fn published(id: InstanceId, last: &VarDictionary) -> VarDictionary {
    let graph = graph_path(id);
    let fresh = with(id, |state| {
        if matches!(state.peers.role, Role::Owner | Role::Watcher) {
            return None;
        }
        let (node, node_time, direction, run) = state.place();
        let direction = Vector2::new(direction.x as f32, direction.y as f32);
        let told = Told { graph, node, node_time, direction, run: run as i64, reason: state.peers.last_end };
        let same = state.peers.told.as_ref().is_some_and(|known| known.is_place_of(&told));
        if same && !last.is_empty() {
            return None;
        }
        state.peers.revision += 1;
        state.peers.told = Some(Rc::new(told.clone()));
        Some((told, state.peers.revision))
    });
    fresh.flatten().map_or_else(|| last.clone(), |(told, revision)| write(&told, revision))
}

fn write(told: &Told, revision: i64) -> VarDictionary {
    vdict! {
        "revision" => revision,
        "graph" => told.graph.as_str(),
        "node" => told.node.as_str(),
        "node_time" => told.node_time,
        "direction" => told.direction,
        "run" => told.run,
        "reason" => told.reason,
    }
}

fn read(state: &VarDictionary) -> Option<Told> {
    let text = |key: &str| -> Option<String> { Some(state.get(key)?.try_to::<GString>().ok()?.to_string()) };
    Some(Told {
        graph: text("graph")?,
        node: text("node")?,
        node_time: number(&state.get("node_time")?).filter(|time| *time >= 0.0)?,
        direction: state.get("direction")?.try_to::<Vector2>().ok().filter(|way| way.is_finite())?,
        run: state.get("run")?.try_to::<i64>().ok()?,
        reason: state.get("reason")?.try_to::<i64>().ok()?,
    })
}

/// Takes over what the authority published; it is played at the end of the frame. False without effect: it is no published state,
/// or this is the authority.
pub(super) fn receive(node: &Gd<ActionGraphPlayer>, state: &VarDictionary) -> bool {
    let id = node.instance_id();
    let Some(told) = read(state) else {
        let text = "sync_state was given something else than another peer's sync_state. Leave it to a MultiplayerSynchronizer.";
        messages::error(node, "sync_state", "structure", text);
        return false;
    };
    let role = role(id);
    if !matches!(role, Role::Owner | Role::Watcher) {
        return false;
    }
    let before = with(id, |state| state.peers.told.replace(Rc::new(told.clone()))).flatten();
    if role == Role::Watcher && !before.is_some_and(|before| before.is_place_of(&told)) {
        defer(id, "riposte_moves_told", show);
    }
    true
}

/// Plays what the authority plays.
fn show(id: InstanceId) {
    if role(id) != Role::Watcher {
        return;
    }
    let call = with(id, |state| {
        let told = state.peers.told.clone()?;
        let place = state.place_named(&told.node, told.node_time, told.direction);
        Some(Call::Mirror(place, MoveEnd::from_code(told.reason).unwrap_or(MoveEnd::Completed)))
    });
    if let Some(call) = call.flatten() {
        driver::make(id, call);
    }
}
