//! Who decides in a multiplayer game. Without a peer everything is local and allowed.

use std::sync::atomic::{AtomicBool, Ordering};

use godot::classes::multiplayer_api::RpcMode;
use godot::classes::multiplayer_peer::{ConnectionStatus, TransferMode};
use godot::classes::{Engine, MultiplayerApi, OfflineMultiplayerPeer, SceneTree};
use godot::obj::Singleton as _;
use godot::prelude::*;
use godot::register::RpcConfig;

/// There was a connection to others at the last look.
static NETWORKED: AtomicBool = AtomicBool::new(false);
/// The answer of [`is_client`] when it was asked last.
static CLIENT: AtomicBool = AtomicBool::new(false);

/// The tree of the running game.
pub(crate) fn tree() -> Option<Gd<SceneTree>> {
    Engine::singleton().get_main_loop()?.try_cast::<SceneTree>().ok()
}

/// True if there is a connection to others. Asks nothing that the engine would answer with an error.
pub(crate) fn is_networked(api: &Gd<MultiplayerApi>) -> bool {
    if !api.clone().has_multiplayer_peer() {
        return false;
    }
    let peer = api.clone().get_multiplayer_peer();
    peer.is_some_and(|peer| {
        peer.clone().try_cast::<OfflineMultiplayerPeer>().is_err()
            && peer.get_connection_status() != ConnectionStatus::DISCONNECTED
    })
}

/// True on a peer that is not the server of the tree: state that belongs to no node is only read there.
pub(crate) fn is_client() -> bool {
    let api = tree().and_then(|tree| tree.get_multiplayer());
    let client = api.is_some_and(|api| is_networked(&api) && !api.clone().is_server());
    CLIENT.store(client, Ordering::Relaxed);
    client
}

/// What [`is_client`] answered last: for what asks often.
pub(crate) fn was_client() -> bool {
    CLIENT.load(Ordering::Relaxed)
}

/// True if the branch that a node stands in has a network of its own, which the one of the tree says nothing about.
pub(crate) fn has_own_api(node: &Gd<Node>) -> bool {
    let own = node.get_multiplayer().map(|api| api.instance_id());
    own != node.get_tree().get_multiplayer().map(|api| api.instance_id())
}

/// True on the peer that decides for this node.
pub(crate) fn has_authority(node: &Gd<Node>) -> bool {
    let networked = node.get_multiplayer().is_some_and(|api| is_networked(&api));
    !networked || node.is_multiplayer_authority()
}

/// Lets other peers call a method of a node, reliably and in order. Not by an attribute, which a script with a `_ready` of its own
/// undoes.
pub(crate) fn open(node: &Gd<Node>, method: &str, rpc_mode: RpcMode) {
    let config = RpcConfig { rpc_mode, transfer_mode: TransferMode::RELIABLE, call_local: false, channel: 0 };
    config.configure_node(&mut node.clone(), method);
}

/// Seconds of the game's physics: the clock by which a peer is held to how much it may send.
pub(crate) fn game_time() -> f64 {
    let engine = Engine::singleton();
    engine.get_physics_frames() as f64 / f64::from(engine.get_physics_ticks_per_second().max(1))
}

/// Looks for a connection to others once per physics frame from now on, so that most questions need no answer of the
/// engine.
pub(crate) fn follow_tree() {
    const LOOK: &str = "riposte_network";
    look();
    let Some(tree) = tree() else { return };
    // Any object that lives as long as the library; its connections go with the tree.
    let holder = crate::agent::WorldTags::singleton();
    super::callbacks::connect(&tree, "physics_frame", holder.instance_id(), LOOK, |_| look());
}

/// Looks now: for what does not wait for a frame.
pub(crate) fn look() {
    let api = tree().and_then(|tree| tree.get_multiplayer());
    let networked = api.as_ref().is_some_and(is_networked);
    NETWORKED.store(networked, Ordering::Relaxed);
    let client = networked && api.is_some_and(|api| !api.clone().is_server());
    CLIENT.store(client, Ordering::Relaxed);
}

/// True if there was a connection at the last look.
pub(crate) fn is_networked_now() -> bool {
    NETWORKED.load(Ordering::Relaxed)
}
