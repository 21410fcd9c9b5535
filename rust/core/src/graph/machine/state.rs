//! What a machine keeps.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Reply;
use super::calls::Calls;
use super::change::Change;
use super::cooldowns::Cooldowns;
use super::entry::{Entry, Lineages};
use super::network::OwnerLock;
use super::open::Open;
use super::replay::Reel;
use super::report::Desk;
use super::run::Run;
use super::scan::Scan;
use super::sequence::Sequence;
use super::settle::Settle;
use super::tick::Tick;
use super::walk::Walk;
use crate::graph::input::Recorder;
use crate::graph::{Binding, Effect, Graph, Node, Ticket};
use crate::tags::{TagId, TagTable};

/// What a player can be set to.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Player time that passes in a second.
    pub time_scale: f64,
    /// Node time that passes in a second of player time.
    pub action_speed: f64,
    /// While one of them is on the agent, presses are blocked.
    pub global_block_tags: Vec<TagId>,
    /// The agent turns to its input, so moves need no other animations for other directions.
    pub turns_to_input: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { time_scale: 1.0, action_speed: 1.0, global_block_tags: Vec::new(), turns_to_input: false }
    }
}

/// The move that ran to its end before the root was reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grace {
    pub node: u32,
    pub since: f64,
    pub limit: f64,
}

/// Time, in seconds. All that a tick touches in which nothing happens, in one line of the cache: with many players a tick is
/// as slow as the lines it waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
pub(super) struct Clock {
    /// Player time.
    pub now: f64,
    /// Node time of the run; 0 at the root.
    pub node: f64,
    /// Sum of all deltas, hit-stop included.
    pub elapsed: f64,
    /// What is left of a hit-stop.
    pub frozen: f64,
    pub calm: Calm,
}

/// Up to when nothing but time passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Calm {
    /// Player time before which nothing happens.
    pub now: f64,
    /// Node time before which nothing happens.
    pub node: f64,
    pub time_scale: f64,
    /// 0 at the root.
    pub action_speed: f64,
}

impl Default for Calm {
    fn default() -> Self {
        Self { now: f64::NEG_INFINITY, node: f64::NEG_INFINITY, time_scale: 1.0, action_speed: 0.0 }
    }
}

impl Calm {
    /// Something may happen in the next tick.
    pub fn stop(&mut self) {
        self.now = f64::NEG_INFINITY;
    }
}

/// What has begun and is to go on. It is taken out and put back with every effect, so it is not moved itself.
#[derive(Clone, Debug, Default)]
pub(super) enum Doing {
    #[default]
    Nothing,
    /// An input is walked.
    Walk(Box<Walk>),
    /// One move follows another one.
    Change(Box<Change>),
}

/// The memory of what is over, for what begins next.
#[derive(Clone, Debug, Default)]
pub(super) struct Spare {
    walk: Option<Box<Walk>>,
    change: Option<Box<Change>>,
}

/// What is being worked off.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    pub running: bool,
    pub told: VecDeque<Effect>,
    pub asked: Option<Ticket>,
    pub tickets: u64,
    pub doing: Doing,
    spare: Spare,
    pub settle: Settle,
    pub scan: Scan,
    pub tick: Option<Tick>,
    /// Entries of the recorder are worked off; true: recorded events too.
    pub device: Option<bool>,
    /// They come from a push whose caller wants to know.
    pub pushing: bool,
    /// Inputs that came in a hit-stop are worked off.
    pub thaw: bool,
    pub calls: Calls,
    pub next_call: u64,
    /// Queued calls that were made in this tick.
    pub made: u32,
    pub overflowed: bool,
    /// The last call that was made, and what came of it.
    pub reply: (u64, Reply),
    /// The same of those before it that came from outside of the turn.
    pub replies: Vec<(u64, Reply)>,
    /// The last call from outside of a turn.
    pub outer: u64,
    /// Moves that were entered in this instant.
    pub entered: u32,
    /// The state that is taken in.
    pub restore: Option<Box<super::saved::Restore>>,
    /// The graph that takes over when nothing runs any more.
    pub next_graph: Option<(Option<Arc<Graph>>, Arc<Binding>)>,
}

impl Turn {
    /// An input is walked from now on.
    pub fn begin_walk(&mut self, walk: Walk) {
        self.doing = Doing::Walk(refilled(&mut self.spare.walk, walk));
    }

    /// It is over.
    pub fn end_walk(&mut self, walk: Box<Walk>) {
        self.spare.walk = Some(walk);
    }

    /// A change of moves goes on from now on.
    pub fn begin_change(&mut self, change: Change) {
        self.doing = Doing::Change(refilled(&mut self.spare.change, change));
    }

    /// It is over.
    pub fn end_change(&mut self, change: Box<Change>) {
        self.spare.change = Some(change);
    }
}

fn refilled<T>(spare: &mut Option<Box<T>>, value: T) -> Box<T> {
    match spare.take() {
        Some(mut spare) => {
            *spare = value;
            spare
        }
        None => Box::new(value),
    }
}

/// The state machine of one player.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(super) settings: Settings,
    pub(super) graph: Option<Arc<Graph>>,
    pub(super) binding: Arc<Binding>,
    pub(super) clock: Clock,
    /// All time in hit-stop.
    pub(super) thawed: f64,
    /// `None`: the root.
    pub(super) run: Option<Run>,
    pub(super) next_run: u64,
    pub(super) open: Open,
    /// Transitions of the running node that a press lost.
    pub(super) locked: Vec<u32>,
    pub(super) grace: Option<Grace>,
    pub(super) waiting: Vec<Entry>,
    /// Came in a hit-stop.
    pub(super) frozen: VecDeque<Entry>,
    pub(super) next_seq: u64,
    pub(super) cooldowns: Cooldowns,
    pub(super) sequence: Option<Box<Sequence>>,
    pub(super) next_handle: i64,
    pub(super) recorder: Recorder,
    /// Moves that inputs start are told for the authority.
    pub(super) submits: bool,
    pub(super) owner_lock: Option<OwnerLock>,
    pub(super) lineages: Lineages,
    pub(super) locomotion: [f64; 3],
    pub(super) desk: Desk,
    pub(super) reel: Reel,
    pub(super) turn: Turn,
    /// [`Effect::Walked`] is wanted.
    pub(super) logging: bool,
    /// The moves that were entered in the instant in which there were too many.
    pub(super) looped: Vec<u32>,
}

impl Default for Machine {
    fn default() -> Self {
        Self::new(Settings::default())
    }
}

impl Machine {
    /// A player without a graph.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            graph: None,
            binding: Arc::default(),
            clock: Clock::default(),
            thawed: 0.0,
            run: None,
            next_run: 1,
            open: Open::default(),
            locked: Vec::new(),
            grace: None,
            waiting: Vec::new(),
            frozen: VecDeque::new(),
            next_seq: 1,
            cooldowns: Cooldowns::default(),
            sequence: None,
            next_handle: 1,
            recorder: Recorder::default(),
            submits: false,
            owner_lock: None,
            lineages: Lineages::default(),
            locomotion: [1.0; 3],
            desk: Desk { noting: true, ..Desk::default() },
            reel: Reel::default(),
            turn: Turn { next_call: 1, ..Turn::default() },
            logging: false,
            looped: Vec::new(),
        }
    }

    /// What the player is set to.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Other settings from now on. Times that are no number or negative count as 0.
    pub fn set_settings(&mut self, settings: Settings) {
        let (time_scale, action_speed) = (settings.time_scale, settings.action_speed);
        let Settings { time_scale: old_scale, action_speed: old_speed, .. } = self.settings;
        self.settings = Settings { time_scale: old_scale, action_speed: old_speed, ..settings };
        self.set_time_scale(time_scale);
        self.set_action_speed(action_speed);
    }

    /// Player time runs by this factor; after a recording that is played.
    pub fn set_time_scale(&mut self, scale: f64) {
        self.clock.calm.stop();
        let kept = self.reel.scales().map(|scales| &mut scales.0);
        *kept.unwrap_or(&mut self.settings.time_scale) = crate::graph::compiled::sound(scale);
    }

    /// Node time runs by this factor; after a recording that is played.
    pub fn set_action_speed(&mut self, speed: f64) {
        self.clock.calm.stop();
        let kept = self.reel.scales().map(|scales| &mut scales.1);
        *kept.unwrap_or(&mut self.settings.action_speed) = crate::graph::compiled::sound(speed);
    }

    /// The agent turns to its input: moves play their animation forward.
    pub fn set_turns_to_input(&mut self, turns: bool) {
        self.settings.turns_to_input = turns;
    }

    /// What the player is set to, to change it. Times in it have to be numbers from 0 on.
    pub fn settings_mut(&mut self) -> &mut Settings {
        self.clock.calm.stop();
        &mut self.settings
    }

    /// Tells [`Effect::Walked`] for every input that comes in.
    pub fn set_logging(&mut self, logging: bool) {
        self.logging = logging;
    }

    /// The graph.
    pub fn graph(&self) -> Option<&Arc<Graph>> {
        self.graph.as_ref()
    }

    /// The times of its moves.
    pub fn binding(&self) -> &Arc<Binding> {
        &self.binding
    }

    /// What records devices.
    pub fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// What records devices, to give it events.
    pub fn recorder_mut(&mut self) -> &mut Recorder {
        self.clock.calm.stop();
        &mut self.recorder
    }

    /// Player time in seconds.
    pub fn now(&self) -> f64 {
        self.clock.now
    }

    /// The sum of all deltas so far, also in the middle of a tick.
    pub fn elapsed(&self) -> f64 {
        self.clock.elapsed
    }

    /// Makes an input tag known, with its ancestors. Cheap if it is known.
    pub fn learn(&mut self, table: &TagTable, tag: TagId) {
        self.lineages.learn(table.lineage(tag));
    }

    /// The nodes that were entered in the instant of the last [`Effect::LoopError`], by index.
    pub fn looped(&self) -> &[u32] {
        &self.looped
    }

    pub(super) fn tell(&mut self, effect: Effect) {
        self.turn.told.push_back(effect);
    }

    pub(super) fn node(&self, index: u32) -> Option<&Node> {
        self.graph.as_ref().map(|graph| graph.node(index))
    }
}
