//! What peers send about a player: moves and inputs of the owner, corrections of the authority.
//!
//! What arrives was made by a stranger: nothing of it is believed before it was looked at.

use godot::classes::ENetMultiplayerPeer;
use godot::classes::enet_packet_peer::PeerStatistic;
use godot::prelude::*;
use riposte_core::graph::{Call, Effect, Moment, Press, Reply, Submission};

use super::peers::{self, Role};
use super::state::with;
use super::{ActionGraphPlayer, driver, inputs, view};
use crate::base::{network, tags};

/// The methods that peers call, see [`ActionGraphPlayer`].
pub(super) const SUBMIT: &str = "_riposte_submit";
/// As above.
pub(super) const INPUT: &str = "_riposte_input";
/// As above.
pub(super) const CORRECT: &str = "_riposte_correct";

fn node_of(id: InstanceId) -> Option<Gd<ActionGraphPlayer>> {
    let node = Gd::<ActionGraphPlayer>::try_from_instance_id(id).ok()?;
    node.is_inside_tree().then_some(node)
}

/// On the owner: an input has led to another node.
pub(super) fn submit(id: InstanceId, effect: &Effect) {
    let Effect::Submitted { from, to, tag, moment, stick, direction } = effect else { return };
    let named = with(id, |state| {
        let graph = state.core.graph()?;
        let name = |node: u32| GString::from(&*graph.node(node).id);
        Some((name(*from), name(*to), state.peers.epoch))
    });
    let Some((from, to, epoch)) = named.flatten() else { return };
    let vector = |v: glam::DVec2| Vector2::new(v.x as f32, v.y as f32);
    let message = varray![
        epoch,
        &from,
        &to,
        &GString::from(&tags::name(*tag)),
        moment.code(),
        vector(*stick),
        vector(*direction)
    ];
    to_authority(id, SUBMIT, message);
}

/// On the owner: an input for a moveset that is not here yet.
pub(super) fn forward(id: InstanceId, press: &Press) {
    let direction = press.direction.map_or(Vector2::INF, |way| Vector2::new(way.x as f32, way.y as f32));
    let Press { tag, moment, .. } = *press;
    let epoch = with(id, |state| state.peers.epoch).unwrap_or(0);
    to_authority(id, INPUT, varray![epoch, &GString::from(&tags::name(tag)), moment.code(), direction]);
}

fn to_authority(id: InstanceId, method: &str, message: VarArray) {
    let Some(mut node) = node_of(id) else { return };
    let authority = i64::from(node.get_multiplayer_authority());
    node.rpc_id(authority, method, &[message.to_variant()]);
}

/// On the authority: tells the owner where it is.
pub(super) fn correct(id: InstanceId, refused: bool) {
    let Some(mut node) = node_of(id) else { return };
    let known = with(id, |state| {
        state.peers.epoch += 1;
        let (name, time, direction, _) = state.place();
        (state.peers.owner, state.peers.epoch, name, time, direction)
    });
    let Some((owner, epoch, name, time, direction)) = known else { return };
    let connected = node
        .get_multiplayer()
        .is_some_and(|api| i32::try_from(owner).is_ok_and(|owner| api.get_peers().contains(owner)));
    if connected {
        let direction = Vector2::new(direction.x as f32, direction.y as f32);
        let message = varray![epoch, name.as_str(), time, direction, refused];
        node.rpc_id(owner, CORRECT, &[message.to_variant()]);
    }
}

/// The sender, if it is the owner and this is the authority.
fn owner_that_sent(this: &Gd<ActionGraphPlayer>) -> Option<i64> {
    let sender = this.get_multiplayer().map_or(0, |api| api.get_remote_sender_id());
    let id = this.instance_id();
    let owner = with(id, |state| state.peers.owner).unwrap_or(0);
    (sender != 0 && i64::from(sender) == owner && peers::role(id) == Role::Authority).then_some(owner)
}

fn parts(message: &Variant, count: usize) -> Option<AnyArray> {
    message.try_to::<AnyArray>().ok().filter(|parts| parts.len() == count)
}

/// The tag and the moment of a message. A name that nothing here uses can lead nowhere, and is not
/// kept: tags are never forgotten, and a stranger could make them without end.
fn input_of(
    this: &Gd<ActionGraphPlayer>,
    tag: Option<Variant>,
    moment: Option<Variant>,
) -> Option<(riposte_core::tags::TagId, Moment)> {
    let name = tag?.try_to::<GString>().ok()?.to_string();
    let tag = tags::with_table(|table| table.find(&name))?;
    inputs::learn(this.instance_id(), tag);
    Some((tag, Moment::from_code(moment?.try_to().ok()?)?))
}

fn vector(value: Option<Variant>) -> Option<Vector2> {
    value?.try_to::<Vector2>().ok()
}

/// On the authority: the owner has started a move.
pub(super) fn submitted(this: &Gd<ActionGraphPlayer>, message: &Variant) {
    let id = this.instance_id();
    let Some(owner) = owner_that_sent(this) else { return };
    let now = network::game_time();
    if with(id, |state| state.peers.takes_move(owner, now)) != Some(true) {
        return;
    }
    let Some(asked) = parts(message, 7).and_then(|parts| read_submission(this, owner, &parts)) else {
        return;
    };
    let refuse = with(id, |state| {
        let refuse = state.peers.refuse > 0;
        state.peers.refuse -= i64::from(refuse);
        state.peers.by_owner = true;
        refuse
    });
    let confirmed = refuse != Some(true) && driver::make(id, Call::Submit(asked)) == Some(Reply::Flag(true));
    with(id, |state| state.peers.by_owner = false);
    if !confirmed {
        correct(id, true);
    }
}

fn read_submission(this: &Gd<ActionGraphPlayer>, owner: i64, parts: &AnyArray) -> Option<Submission> {
    let id = this.instance_id();
    let epoch: i64 = parts.get(0)?.try_to().ok()?;
    let to = parts.get(2)?.try_to::<GString>().ok()?.to_string();
    let (to, tolerance) = with(id, |state| {
        let current = state.peers.epoch == epoch;
        Some((state.core.graph().filter(|_| current)?.find(&to)?, state.peers.tolerance))
    })??;
    let (tag, moment) = input_of(this, parts.get(3), parts.get(4))?;
    let finite =
        |v: Vector2| if v.is_finite() { glam::DVec2::new(v.x.into(), v.y.into()) } else { glam::DVec2::ZERO };
    Some(Submission {
        to,
        tag,
        moment,
        stick: finite(vector(parts.get(5))?),
        direction: finite(vector(parts.get(6))?),
        leeway: tolerance + round_trip(this, owner),
        told: view::told_times(id).unwrap_or_default(),
    })
}

/// Seconds to a peer and back, where the network knows it.
fn round_trip(this: &Gd<ActionGraphPlayer>, peer: i64) -> f64 {
    let network = this.get_multiplayer().and_then(|api| api.clone().get_multiplayer_peer());
    let enet = network.and_then(|network| network.try_cast::<ENetMultiplayerPeer>().ok());
    let peer = i32::try_from(peer).ok().and_then(|peer| enet?.get_peer(peer));
    let trip = peer.map_or(0.0, |peer| peer.get_statistic(PeerStatistic::ROUND_TRIP_TIME) / 1000.0);
    trip.clamp(0.0, 1.0)
}

/// On the authority: an input that the owner could not walk itself.
pub(super) fn input_arrived(this: &Gd<ActionGraphPlayer>, message: &Variant) {
    let id = this.instance_id();
    let Some(owner) = owner_that_sent(this) else { return };
    let now = network::game_time();
    let fits = with(id, |state| state.peers.takes_input(owner, now) && !state.core.is_owner_locked());
    if fits != Some(true) {
        return;
    }
    let Some(parts) = parts(message, 4) else { return };
    let Some((tag, moment)) = input_of(this, parts.get(1), parts.get(2)) else { return };
    let direction = vector(parts.get(3)).filter(|way| way.is_finite());
    let direction = direction.map(|way| glam::DVec2::new(way.x.into(), way.y.into()));
    driver::make(id, Call::Input(Press { tag, moment, direction, stick: None }));
}

/// On the owner: the authority is somewhere else.
pub(super) fn corrected(this: &Gd<ActionGraphPlayer>, message: &Variant) {
    let id = this.instance_id();
    let sender = this.get_multiplayer().map_or(0, |api| api.get_remote_sender_id());
    if sender == 0 || peers::role(id) != Role::Owner {
        return;
    }
    let read = || -> Option<(i64, String, f64, Vector2, bool)> {
        let parts = parts(message, 5)?;
        Some((
            parts.get(0)?.try_to().ok()?,
            parts.get(1)?.try_to::<GString>().ok()?.to_string(),
            parts.get(2)?.try_to::<f64>().ok().filter(|time| time.is_finite() && *time >= 0.0)?,
            vector(parts.get(3)).filter(|way| way.is_finite())?,
            parts.get(4)?.try_to().ok()?,
        ))
    };
    let Some((epoch, node, time, direction, refused)) = read() else { return };
    let place = with(id, |state| {
        state.peers.epoch = epoch;
        state.place_named(&node, time, direction)
    });
    if let Some(place) = place {
        driver::make(id, Call::Correct(place, refused));
    }
}
