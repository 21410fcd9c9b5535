//! What whoever drives a machine does next.

use std::sync::Arc;

use super::reason::{Drop, Fail, InputResult, MoveEnd};
use super::{FiresOn, Moment};
use crate::tags::TagId;

/// Names a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(pub(super) u64);

/// Whom a question is about, and with which input: the run that would come of it, or the one that is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The node by its index.
    pub node: u32,
    /// The node that would be left, 0: the root.
    pub from: u32,
    /// The input, if there is one.
    pub tag: Option<TagId>,
    /// Its moment, or that of the transition.
    pub moment: FiresOn,
    /// The stick at that moment.
    pub stick: glam::DVec2,
    /// The direction in the world at that moment.
    pub direction: glam::DVec2,
}

/// What only a script or the engine can say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Question {
    /// Does the condition with this index of this transition of this node pass, `invert` not yet considered?
    /// [`Answer::Bool`]. The candidate's node is the one that the transition leads to.
    Condition {
        /// The node that the transition leaves.
        from: u32,
        /// Which of its transitions.
        transition: u32,
        /// Which of its conditions.
        index: u32,
        /// The run that would come of it.
        candidate: Candidate,
    },
    /// Is the gate with this index open? [`Answer::Bool`].
    Gate {
        /// The run that would come of it.
        candidate: Candidate,
        /// Which gate of the node.
        index: u32,
    },
    /// Could the cost with this index be paid? [`Answer::Bool`].
    Cost {
        /// The run that would come of it.
        candidate: Candidate,
        /// Which cost of the node.
        index: u32,
    },
    /// Could the payload start? [`Answer::Bool`].
    CanStart(Candidate),
    /// The payload starts: [`Answer::Bool`], true: it lives until it is finished; false: it ended at once.
    Execute {
        /// Names the run.
        run: u64,
        /// Its node.
        node: u32,
    },
}

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Yes or no.
    Bool(bool),
}

/// What the running tag of the agent does in a change of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunningTag {
    /// It stays as it is.
    Stays,
    /// It is added.
    Added,
    /// It is removed.
    Removed,
}

/// What a driver does next, with nothing held. Nodes are indices of the graph that the run is in.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Question: [`super::Machine::answer`] before the next effect.
    Ask(Ticket, Question),
    /// Signal: a window of this kind is open; "" is the plain one.
    WindowOpened(Arc<str>),
    /// Signal: no window of this kind is open any more.
    WindowClosed(Arc<str>),
    /// A scripted hook begins: make its copy, call it.
    HookEnter {
        /// The run.
        run: u64,
        /// Its node.
        node: u32,
        /// Which hook of the node.
        hook: u32,
    },
    /// A scripted hook is over.
    HookExit {
        /// The run.
        run: u64,
        /// Its node.
        node: u32,
        /// Which hook of the node.
        hook: u32,
        /// Why the run ends.
        reason: MoveEnd,
    },
    /// A scripted hook that wants ticks; player time that passed in this tick.
    HookTick {
        /// The run.
        run: u64,
        /// Its node.
        node: u32,
        /// Which hook of the node.
        hook: u32,
        /// Seconds.
        delta: f64,
    },
    /// Signal, and a call of every scripted hook that wants markers: the animation passed one.
    Marker {
        /// The run.
        run: u64,
        /// Its node.
        node: u32,
        /// Which one.
        name: Arc<str>,
    },
    /// The animation of a node starts. `node_time` is above 0 if it comes from a saved state.
    PayloadStart {
        /// The run.
        run: u64,
        /// Its node.
        node: u32,
        /// Forward, back, left, right.
        variant: u8,
        /// Where it starts.
        node_time: f64,
    },
    /// The payload of a node stops (animations and those that were asked).
    PayloadStop {
        /// The run.
        run: u64,
        /// Its node.
        node: u32,
        /// Why.
        reason: MoveEnd,
        /// Where it stops.
        node_time: f64,
    },
    /// Take what the gates of the node hand out.
    TakeGates {
        /// The run.
        run: u64,
        /// Its node.
        node: u32,
    },
    /// Give it back.
    ReleaseGates {
        /// The run.
        run: u64,
        /// Its node.
        node: u32,
    },
    /// Tags on and off the agent, as one change: first add, then remove. Slices of nodes' applied tags.
    Tags {
        /// Added.
        add: Arc<[TagId]>,
        /// Removed.
        remove: Arc<[TagId]>,
        /// The tag of the player that says that something runs.
        running: RunningTag,
    },
    /// Pay the cost with this index.
    Pay {
        /// The run.
        run: u64,
        /// Its node.
        node: u32,
        /// Which cost of the node.
        cost: u32,
    },
    /// Take this much of a vital, for a hook that drains.
    Drain {
        /// Which vital.
        tag: TagId,
        /// How much.
        amount: f64,
    },
    /// Signal: a move has started.
    Started {
        /// The run.
        run: u64,
        /// Its node.
        node: u32,
    },
    /// Signal: a move has ended. Its run is gone after this.
    Ended {
        /// The run.
        run: u64,
        /// Its node.
        node: u32,
        /// Why.
        reason: MoveEnd,
    },
    /// Signal: an input cut a move.
    Cancelled {
        /// The run.
        run: u64,
        /// Its node.
        node: u32,
        /// The input.
        tag: TagId,
    },
    /// Signal: a move could not start.
    Failed {
        /// Its node.
        node: u32,
        /// Why.
        fail: Fail,
        /// The input, if there was one.
        tag: Option<TagId>,
    },
    /// Signal: the root was reached.
    GraphReset,
    /// Signal: another graph is active.
    GraphChanged,
    /// Signal: an input waits.
    InputBuffered {
        /// Which.
        tag: TagId,
        /// Its moment.
        moment: Moment,
    },
    /// Signal: an input is gone.
    InputDropped {
        /// Which.
        tag: TagId,
        /// Its moment.
        moment: Moment,
        /// Why.
        why: Drop,
        /// It was dropped as it came, and did not wait before.
        live: bool,
    },
    /// Debug: what became of an input that came in. [`super::Machine::last_report`] is about it until the next effect.
    Walked(InputResult),
    /// Signal: a sequence of inputs ended.
    SequenceEnded {
        /// Which.
        handle: i64,
        /// Why.
        reason: MoveEnd,
    },
    /// Signal: charges come back after so many seconds.
    CooldownStarted {
        /// Which cooldown.
        key: Arc<str>,
        /// Seconds.
        duration: f64,
    },
    /// Signal: a charge came back.
    CooldownExpired {
        /// Which cooldown.
        key: Arc<str>,
    },
    /// Signal: speed, acceleration and turning are scaled by this now.
    LocomotionChanged([f64; 3]),
    /// Error: more than 32 moves were entered in one instant; the graph went to its root. Ask [`super::Machine::looped`].
    LoopError,
    /// Error: more than 64 calls from inside of one tick; the rest waits for the next one.
    Overflow,
    /// Signal: the state of a saved one is there; tags, hooks and animation were told before.
    StateImported,
    /// A recording is to begin here: [`super::Machine::record`].
    Record,
    /// An input has led to another node, or to the root; for the authority.
    Submitted {
        /// The node that was left, by index.
        from: u32,
        /// The node that was entered, by index.
        to: u32,
        /// The input.
        tag: TagId,
        /// Its moment.
        moment: Moment,
        /// The stick then.
        stick: glam::DVec2,
        /// The direction in the world then.
        direction: glam::DVec2,
    },
    /// Signal: the authority refused a move.
    MoveRejected {
        /// Its node.
        node: u32,
    },
    /// Signal: a replay plays another node than was recorded.
    ReplayDiverged {
        /// In which tick.
        tick: u64,
    },
    /// A replay begins here.
    ReplayBegan,
    /// A replay has come to another graph: give it with [`super::Call::SetGraph`] now. Its place in
    /// [`super::Replay::graphs`]; `None`: no graph.
    ReplayGraph(Option<usize>),
    /// Signal: a replay is over.
    ReplayEnded,
}
