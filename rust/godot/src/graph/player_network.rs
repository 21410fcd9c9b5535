//! An ActionGraphPlayer in a multiplayer game.

use godot::classes::multiplayer_api::RpcMode;
use godot::prelude::*;

use super::state::with;
use super::{ActionGraphPlayer, peers, remote};
use crate::base::network;

#[godot_api(secondary)]
impl ActionGraphPlayer {
    /// Every peer plays its own.
    #[constant]
    pub(crate) const NETWORK_OFF: i64 = 0;
    /// The authority decides, the owner plays ahead, the others show what is published.
    #[constant]
    pub(crate) const NETWORK_PREDICTED: i64 = 1;

    /// On the authority: refuses the next moves that the owner asks for, to see how that looks. Does nothing in exported games.
    #[func(gd_self)]
    pub fn debug_reject_next(this: Gd<Self>, #[opt(default = 1)] count: i64) {
        if cfg!(debug_assertions) || godot::classes::Os::singleton().is_debug_build() {
            with(this.instance_id(), |state| state.peers.refuse = count.max(0));
        }
    }

    #[func(gd_self, rename = _riposte_submit)]
    fn submission_arrived(this: Gd<Self>, message: Variant) {
        remote::submitted(&this, &message);
    }

    #[func(gd_self, rename = _riposte_input)]
    fn input_arrived(this: Gd<Self>, message: Variant) {
        remote::input_arrived(&this, &message);
    }

    #[func(gd_self, rename = _riposte_correct)]
    fn correction_arrived(this: Gd<Self>, message: Variant) {
        remote::corrected(&this, &message);
    }
}

impl ActionGraphPlayer {
    /// Lets other peers call the methods for it.
    pub(super) fn open_to_peers(this: &Gd<Self>) {
        let node: Gd<Node> = this.clone().upcast();
        network::open(&node, remote::SUBMIT, RpcMode::ANY_PEER);
        network::open(&node, remote::INPUT, RpcMode::ANY_PEER);
        network::open(&node, remote::CORRECT, RpcMode::AUTHORITY);
        peers::entered(&node);
    }

    /// Hands the settings of the network to the state.
    pub(super) fn push_network(&self) {
        with(self.id, |state| {
            let known = &mut state.peers;
            known.predicted = self.network_mode == Self::NETWORK_PREDICTED;
            known.owner = self.owner_peer;
            known.tolerance = self.dwell_grace_base_seconds;
            known.inputs_per_second = self.max_server_inputs_per_second as u32;
        });
    }
}
