//! The constants of ActionGraphPlayer.

use godot::prelude::*;

use super::{ActionGraphPlayer, player_input};
use crate::base::step_constants::step_constants;

step_constants!(ActionGraphPlayer);

#[godot_api(secondary)]
impl ActionGraphPlayer {
    /// A node was entered, or Root through a transition.
    #[constant]
    const INPUT_ENTERED: i64 = 0;
    /// The input waits for a window or for the end of the move.
    #[constant]
    const INPUT_BUFFERED: i64 = 1;
    /// Nothing came of the input, and it is forgotten.
    #[constant]
    const INPUT_DROPPED: i64 = 2;
    /// A tag of [member global_block_tags] is on the agent; the input is forgotten.
    #[constant]
    const INPUT_BLOCKED: i64 = 3;
    /// The input came from inside a signal or a virtual of this node: it is walked when that is over, in the same step.
    #[constant]
    const INPUT_FORWARDED: i64 = 4;
    /// Devices are not listened to.
    #[constant]
    const INPUT_MODE_OFF: i64 = player_input::MODE_OFF;
    /// Events are heard that nothing else handled.
    #[constant]
    const INPUT_MODE_UNHANDLED: i64 = player_input::MODE_UNHANDLED;
    /// All events are heard, also those that the interface handles.
    #[constant]
    const INPUT_MODE_ALL: i64 = player_input::MODE_ALL;
    /// The moment of an input: its trigger completed.
    #[constant]
    const FIRES_INPUT_PRESSED: i64 = 0;
    /// The moment of an input: it was let go after its trigger completed.
    #[constant]
    const FIRES_INPUT_RELEASED: i64 = 1;
    /// The moment of an input: it was let go before its trigger completed.
    #[constant]
    const FIRES_INPUT_RELEASED_EARLY: i64 = 2;
    /// Each input of a sequence is sent when the move of the one before starts, so that it waits inside that move.
    #[constant]
    const SEQUENCE_CHAIN: i64 = 0;
    /// Each input of a sequence is sent when the graph is at Root.
    #[constant]
    const SEQUENCE_DISCRETE: i64 = 1;
    /// The move ran to its end; a sequence was done.
    #[constant]
    const END_COMPLETED: i64 = 0;
    /// A sequence was cut short by a cut of a move or by another moveset.
    #[constant]
    const END_INTERRUPTED: i64 = 1;
    /// The move was cut by an input, a hook or from outside; a sequence was called off.
    #[constant]
    const END_CANCELLED: i64 = 2;
    /// An input of a sequence was dropped or blocked.
    #[constant]
    const END_FAILED: i64 = 4;
    /// The authority refused the move.
    #[constant]
    const END_REJECTED: i64 = 5;
    /// The move was left through a transition before its end.
    #[constant]
    const END_CHAINED: i64 = 6;
    /// The moveset was changed, or the node left the tree.
    #[constant]
    const END_REMOVED: i64 = 7;
    /// The node could start.
    #[constant]
    const FAIL_NONE: i64 = 0;
    /// A gate is closed.
    #[constant]
    const FAIL_GATE: i64 = 1;
    /// No charge of its cooldown is left.
    #[constant]
    const FAIL_COOLDOWN: i64 = 2;
    /// A cost can't be paid.
    #[constant]
    const FAIL_COST: i64 = 3;
    /// The payload can't start.
    #[constant]
    const FAIL_PAYLOAD: i64 = 4;
    /// The node is switched off.
    #[constant]
    const FAIL_DISABLED: i64 = 5;
    /// Too many nodes were entered in one instant, or failed one after the other.
    #[constant]
    const FAIL_LOOP: i64 = 6;
    /// There is no such node.
    #[constant]
    const FAIL_UNKNOWN: i64 = 7;
    /// Nobody answers the input.
    #[constant]
    const DROP_NO_TRANSITION: i64 = 0;
    /// The node ignores early presses.
    #[constant]
    const DROP_IGNORED: i64 = 1;
    /// As many as can wait do so already.
    #[constant]
    const DROP_FULL: i64 = 2;
    /// A newer press took its place.
    #[constant]
    const DROP_REPLACED: i64 = 3;
    /// The window opened, and only Root answers the input.
    #[constant]
    const DROP_WINDOW_OPENED: i64 = 4;
    /// It waited too long.
    #[constant]
    const DROP_EXPIRED: i64 = 5;
    /// The move that it leads to can't start.
    #[constant]
    const DROP_FAILED_START: i64 = 6;
    /// Its turn came while a tag of [member global_block_tags] was on the agent.
    #[constant]
    const DROP_BLOCKED: i64 = 7;
    /// It came during a freeze, and its policy says so.
    #[constant]
    const DROP_FROZEN: i64 = 8;
    /// What waited was cleared.
    #[constant]
    const DROP_CLEARED: i64 = 9;
    /// A newer input acted before it.
    #[constant]
    const DROP_SUPERSEDED: i64 = 10;
}
