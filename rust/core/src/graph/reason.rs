//! Why moves ended, why inputs were dropped, why moves could not start: the integers of the constants that scripts know.

macro_rules! coded {
    ($(#[$doc:meta])* $name:ident { $($(#[$one:meta])* $variant:ident = $code:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $name { $($(#[$one])* $variant = $code),+ }

        impl $name {
            /// The integer of the constant.
            pub fn code(self) -> i64 {
                self as i64
            }

            /// What the integer of a constant means.
            pub fn from_code(code: i64) -> Option<Self> {
                [$(Self::$variant),+].into_iter().find(|one| one.code() == code)
            }
        }
    };
}

coded! {
    /// Why a move, or a sequence of inputs, ended.
    MoveEnd {
        /// It ran to its end.
        Completed = 0,
        /// Of a sequence: a cut, or another graph.
        Interrupted = 1,
        /// It was cut.
        Cancelled = 2,
        /// Of a sequence: an item was dropped or blocked.
        Failed = 4,
        /// The authority said no.
        Rejected = 5,
        /// It was left through a transition before its end.
        Chained = 6,
        /// Another graph, or the agent leaves.
        Removed = 7,
    }
}

coded! {
    /// Why a move could not start.
    Fail {
        /// It can.
        None = 0,
        /// A gate is closed.
        Gate = 1,
        /// No charge is left.
        Cooldown = 2,
        /// A cost cannot be paid.
        Cost = 3,
        /// Its payload cannot start.
        Payload = 4,
        /// It is switched off.
        Disabled = 5,
        /// Too many moves in one instant.
        Loop = 6,
        /// There is no such node.
        Unknown = 7,
    }
}

coded! {
    /// Why an input is gone.
    Drop {
        /// Nothing follows it here.
        NoTransition = 0,
        /// The move keeps no early presses.
        Ignored = 1,
        /// Another one waits already.
        Full = 2,
        /// A newer press took its place.
        Replaced = 3,
        /// The window opened, and only the root answers it.
        WindowOpened = 4,
        /// It waited too long.
        Expired = 5,
        /// The move that it leads to could not start.
        FailedStart = 6,
        /// A block tag is on the agent.
        Blocked = 7,
        /// It came in a hit-stop that takes none.
        Frozen = 8,
        /// The waiting inputs were cleared.
        Cleared = 9,
        /// A newer one acted.
        Superseded = 10,
    }
}

coded! {
    /// What became of an input.
    InputResult {
        /// A move, or the root through a transition, was entered.
        Entered = 0,
        /// It waits.
        Buffered = 1,
        /// Nothing came of it.
        Dropped = 2,
        /// A block tag is on the agent.
        Blocked = 3,
        /// It is walked later.
        Forwarded = 4,
    }
}

coded! {
    /// What a transition waits for.
    FiresOn {
        /// The trigger of its input completed.
        Pressed = 0,
        /// Its input went up after that.
        Released = 1,
        /// Its input went up before that.
        ReleasedEarly = 2,
        /// The move ran to its end and nothing chains.
        Completed = 3,
        /// The node that it leaves could not start.
        Failed = 4,
    }
}

coded! {
    /// When a transition may be taken.
    Timing {
        /// When its window is open.
        WaitForWindow = 0,
        /// At once, if the move may be cut by now.
        Interrupt = 1,
    }
}

coded! {
    /// Which press made before the window waits.
    BufferMode {
        /// The newest.
        AcceptLast = 0,
        /// The first.
        AcceptFirst = 1,
        /// None.
        Ignore = 2,
    }
}

coded! {
    /// What a move without a plain window does.
    NoWindow {
        /// Presses wait for its end.
        AtCompletion = 0,
        /// It is open from the start.
        FromEntry = 1,
    }
}

coded! {
    /// How the items of a sequence of inputs are sent.
    SequenceMode {
        /// Each one in the instant in which the move of the one before starts.
        Chain = 0,
        /// Each one when the graph is at its root.
        Discrete = 1,
    }
}

coded! {
    /// Where the walk of an input ended.
    Stop {
        /// A block tag.
        Block = 1,
        /// Nobody answers it.
        Pick = 2,
        /// It interrupted the move.
        Interrupt = 3,
        /// It cut the move, and what the root says to it was taken.
        Cancel = 4,
        /// It was taken.
        Chain = 5,
        /// It waits, or it was dropped because it may not wait.
        Wait = 6,
    }
}
