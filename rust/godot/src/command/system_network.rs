//! A CommandSystem in a multiplayer game.

use godot::classes::multiplayer_api::RpcMode;
use godot::prelude::*;
use riposte_core::command::Reason;

use super::validation::Refusal;
use super::{CommandReceipt, CommandRequest, CommandSystem, remote, requesting};
use crate::base::network;
use crate::optional::{Anything, Optional};

#[godot_api(secondary)]
impl CommandSystem {
    /// [method cancel_command]; the argument is the id of the order, 0 for the current one.
    #[constant]
    pub(crate) const CONTROL_CANCEL: i64 = 0;
    /// [method clear_command_queue]; the argument is a source, or 0 for all.
    #[constant]
    pub(crate) const CONTROL_CLEAR_QUEUE: i64 = 1;
    /// [method clear_commands].
    #[constant]
    pub(crate) const CONTROL_CLEAR_ALL: i64 = 2;
    /// [method skip_current].
    #[constant]
    pub(crate) const CONTROL_SKIP: i64 = 3;
    /// [method remove_at]; the argument is the place.
    #[constant]
    pub(crate) const CONTROL_REMOVE_AT: i64 = 4;
    /// [method remove_last].
    #[constant]
    pub(crate) const CONTROL_REMOVE_LAST: i64 = 5;

    /// For the player's own units: on the authority and without a network the same as [method submit]. On the peer of
    /// [member owner_peer] the request is sent to the authority: the receipt is OUTCOME_PENDING with a
    /// [member CommandReceipt.token], and [signal request_answered] brings the answer. On any other peer it is refused
    /// ([code]not_owner[/code]), and nothing is sent. A request of more than 1 KiB or with an object in its payload is not sent
    /// either ([code]malformed[/code]). The authority finds the order by its id and targets by their paths.
    #[func(gd_self)]
    pub fn request_command(
        this: Gd<Self>,
        request: Optional<CommandRequest>,
        #[opt(default = 0)] entry_point: i64,
    ) -> Gd<CommandReceipt> {
        match requesting::entry(&this, "request_command", entry_point) {
            Some(entry) => remote::request(&this, request.0, entry),
            None => requesting::refuse(&this, request.0, &Refusal::plain(Reason::InvalidRequest)),
        }
    }

    /// What takes orders away, from the same peers and by the same way as [method request_command]: one of the `CONTROL_*`
    /// constants, with the argument that its method needs.
    #[func(gd_self)]
    pub fn request_control(
        this: Gd<Self>,
        control: i64,
        #[opt(default = Anything::zero())] argument: Anything,
    ) -> Gd<CommandReceipt> {
        remote::control(&this, control, &argument.0)
    }

    #[func(gd_self, rename = _riposte_order)]
    fn order_arrived(this: Gd<Self>, message: Variant) {
        remote::arrived(&this, &message, true);
    }

    #[func(gd_self, rename = _riposte_control)]
    fn control_arrived(this: Gd<Self>, message: Variant) {
        remote::arrived(&this, &message, false);
    }

    #[func(gd_self, rename = _riposte_answer)]
    fn answer_arrived(this: Gd<Self>, token: i64, outcome: i64, reason: StringName, command_id: i64) {
        remote::answered(&this, token, outcome, &reason, command_id);
    }
}

impl CommandSystem {
    /// Lets other peers call the methods for it.
    pub(super) fn open_to_peers(this: &Gd<Self>) {
        let node: Gd<Node> = this.clone().upcast();
        network::open(&node, remote::ORDER, RpcMode::ANY_PEER);
        network::open(&node, remote::CONTROL, RpcMode::ANY_PEER);
        network::open(&node, remote::ANSWER, RpcMode::AUTHORITY);
    }
}
