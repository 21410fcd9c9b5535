//! What is asked of a machine from outside.

use std::collections::VecDeque;
use std::sync::Arc;

use glam::DVec2;

use super::change::Change;
use super::network::{Place, Submission};
use super::open::OpenWindow;
use super::state::Machine;
use super::walk::Origin;
use crate::graph::parts::PartsWorld;
use crate::graph::{Binding, Effect, Graph, InputResult, Moment, MoveEnd, MoveTimes, SequenceMode};
use crate::tags::TagId;

/// An input that a script sends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    /// What it is.
    pub tag: TagId,
    /// What it did.
    pub moment: Moment,
    /// Where it points on the plane; `None`: where the agent moves.
    pub direction: Option<DVec2>,
    /// The stick; `None`: as it is.
    pub stick: Option<DVec2>,
}

impl Press {
    /// A press of this input.
    pub fn new(tag: TagId, moment: Moment) -> Self {
        Self { tag, moment, direction: None, stick: None }
    }
}

/// One call.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// An input is walked: [`Reply::Input`].
    Input(Press),
    /// A button of a script goes down or up, with the trigger of its input: [`Reply::Input`].
    Push {
        /// Its input.
        tag: TagId,
        /// Down; else up.
        pressed: bool,
        /// Where it points on the plane; `None`: where the agent moves.
        direction: Option<DVec2>,
    },
    /// The running move is cut whatever its rules: [`Reply::Flag`], false at the root.
    Interrupt,
    /// A window opens: [`Reply::Flag`], false at the root.
    OpenWindow(Arc<str>),
    /// Windows of a kind close: [`Reply::Flag`], true: one was open.
    CloseWindow(Arc<str>),
    /// Hit-stop for at least so many seconds.
    Freeze(f64),
    /// Its end.
    Unfreeze,
    /// Inputs one after the other: [`Reply::Handle`].
    QueueSequence {
        /// When each one is sent.
        mode: SequenceMode,
        /// The inputs.
        items: Vec<Press>,
    },
    /// The end of a sequence, 0: whichever runs: [`Reply::Flag`].
    CancelSequence(i64),
    /// Waiting inputs are dropped: [`Reply::Count`].
    ClearBuffer,
    /// This run is over: [`Reply::Flag`].
    Finish(u64),
    /// This run is cut, if its node lets it be: [`Reply::Flag`].
    Cancel(u64),
    /// A window of this run opens: [`Reply::Flag`].
    RunOpen(u64, Arc<str>),
    /// Windows of this run close: [`Reply::Flag`].
    RunClose(u64, Arc<str>),
    /// From now on this run has these times, and ends with them: [`Reply::Flag`].
    RunTimes(u64, Arc<MoveTimes>),
    /// Another graph, or none.
    SetGraph(Option<Arc<Graph>>, Arc<Binding>),
    /// The graph was edited; what runs goes on.
    Edit(Arc<Graph>, Arc<Binding>),
    /// The animations are others; what runs goes on.
    Rebind(Arc<Binding>),
    /// Seconds until the next charge, and charges (below 0: none while there are seconds): [`Reply::Flag`].
    SetCooldown {
        /// Its name.
        key: Arc<str>,
        /// Seconds.
        seconds: f64,
        /// Charges that are there.
        charges: i64,
    },
    /// All charges are there.
    ResetCooldowns,
    /// Another state is taken in, see [`Machine::import`].
    Restore(Box<super::saved::Restore>),
    /// A recording is played, see [`Machine::play_replay`].
    Play(Box<super::replay::Show>),
    /// A recording begins, see [`Machine::start_recording`].
    Record,
    /// No input any more: waiting ones are dropped.
    InputOff,
    /// The player is paused: inputs that do not outlast that are dropped.
    Pause,
    /// On the authority: the owner asks for a move: [`Reply::Flag`], true: it has started.
    Submit(Submission),
    /// On the owner: the authority is at another place; true: because it refused a move.
    Correct(Place, bool),
    /// On the others: the authority has come to this place, and its move before ended so.
    Mirror(Place, MoveEnd),
}

impl Call {
    /// It is an input, or brings some.
    pub fn is_input(&self) -> bool {
        matches!(self, Self::Input(_) | Self::Push { .. } | Self::QueueSequence { .. })
    }
}

/// Calls that are to be made, each with its number. Nearly always there is one at most, which takes no memory of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    first: Option<(u64, Call)>,
    rest: VecDeque<(u64, Call)>,
}

impl Calls {
    pub fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    pub fn push(&mut self, id: u64, call: Call) {
        if self.first.is_none() {
            self.first = Some((id, call));
        } else {
            self.rest.push_back((id, call));
        }
    }

    pub fn pop(&mut self) -> Option<(u64, Call)> {
        std::mem::replace(&mut self.first, self.rest.pop_front())
    }

    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &(u64, Call)> {
        self.first.iter().chain(&self.rest)
    }
}

/// What came of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Reply {
    /// Nothing to say.
    #[default]
    None,
    /// What became of an input.
    Input(InputResult),
    /// Yes or no.
    Flag(bool),
    /// Names a sequence.
    Handle(i64),
    /// A number.
    Count(u32),
}

/// Stands for a call until its turn is over.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Receipt {
    id: u64,
    guess: Reply,
}

/// What a call says that is not made at all.
fn refused(guess: Reply) -> Reply {
    match guess {
        Reply::Input(_) => Reply::Input(InputResult::Dropped),
        Reply::Flag(_) => Reply::Flag(false),
        Reply::Handle(_) => Reply::Handle(0),
        Reply::Count(_) => Reply::Count(0),
        Reply::None => Reply::None,
    }
}

impl Machine {
    /// Takes a call. It is made in the turn that the caller runs now, or in the one that is running.
    pub fn call(&mut self, call: Call) -> Receipt {
        let guess = self.guess(&call);
        if self.is_replayed(&call) {
            return Receipt { id: 0, guess: refused(guess) };
        }
        if self.turn.running && guess == Reply::Flag(false) {
            return Receipt { id: 0, guess };
        }
        let id = self.turn.next_call;
        self.turn.next_call += 1;
        if !self.turn.running {
            self.turn.outer = id;
        }
        self.clock.calm.stop();
        self.turn.calls.push(id, call);
        Receipt { id, guess }
    }

    /// What came of a call after its turn; of one from inside a turn what it will probably be.
    pub fn result(&self, receipt: Receipt) -> Reply {
        let mut made = self.turn.replies.iter().chain([&self.turn.reply]).rev();
        made.find(|reply| receipt.id != 0 && reply.0 == receipt.id).map_or(receipt.guess, |reply| reply.1)
    }

    /// What a call says that is not made at once.
    fn guess(&self, call: &Call) -> Reply {
        let running = self.run.is_some();
        match call {
            Call::Input(_) | Call::Push { .. } => Reply::Input(InputResult::Forwarded),
            Call::Interrupt | Call::OpenWindow(_) => Reply::Flag(running),
            Call::CloseWindow(kind) => Reply::Flag(self.open.has(kind)),
            Call::CancelSequence(handle) => Reply::Flag(self.is_sequence(*handle)),
            Call::Finish(run) => Reply::Flag(self.is_current(*run)),
            Call::Cancel(run) => Reply::Flag(self.may_cancel(*run)),
            Call::RunOpen(run, _) | Call::RunTimes(run, _) => Reply::Flag(self.is_current(*run)),
            Call::RunClose(run, kind) => Reply::Flag(self.is_current(*run) && self.open.has(kind)),
            Call::QueueSequence { items, .. } => {
                Reply::Handle(if items.is_empty() { 0 } else { self.next_handle })
            }
            Call::ClearBuffer => Reply::Count((self.waiting.len() + self.frozen.len()) as u32),
            Call::SetCooldown { key, .. } => Reply::Flag(self.cooldowns.find(key).is_some()),
            _ => Reply::None,
        }
    }

    /// This run is the running one.
    pub fn is_current(&self, run: u64) -> bool {
        run != 0 && self.run.as_ref().is_some_and(|current| current.id == run)
    }

    fn may_cancel(&self, run: u64) -> bool {
        self.run.as_ref().is_some_and(|current| current.id == run && current.may_be_cut(self.clock.node))
    }

    fn is_sequence(&self, handle: i64) -> bool {
        self.sequence.as_ref().is_some_and(|sequence| handle == 0 || sequence.handle == handle)
    }

    /// Makes a call.
    pub(super) fn perform(&mut self, id: u64, call: Call, world: &PartsWorld) {
        let guess = self.guess(&call);
        let before = std::mem::replace(&mut self.turn.reply, (id, guess));
        if before.0 != 0 && before.0 <= self.turn.outer {
            self.turn.replies.push(before);
        }
        let allowed = self.turn.reply.1 != Reply::Flag(false);
        if self.is_recording() {
            self.record_call(&call);
        }
        match call {
            Call::Input(press) => {
                self.turn.reply.1 = Reply::Input(InputResult::Dropped);
                self.recorder.mark(press.tag, press.moment, self.clock.now);
                let entry = self.arrival_of(&press, world);
                self.come_in(entry, Origin::Call, world);
            }
            Call::Push { tag, pressed, direction } => self.push(tag, pressed, direction, world),
            Call::QueueSequence { items, .. } if items.is_empty() => {}
            Call::QueueSequence { mode, items } => {
                self.turn.reply.1 = Reply::Handle(self.begin_sequence(mode, items, world));
            }
            Call::Freeze(seconds) => self.freeze(seconds),
            Call::Unfreeze => {
                self.clock.frozen = 0.0;
                self.turn.thaw = true;
            }
            Call::ClearBuffer | Call::InputOff => self.clear_waiting(),
            Call::Pause => self.drop_in_pause(),
            Call::Submit(submission) => {
                self.turn.reply.1 = Reply::Flag(false);
                self.submit(&submission, world);
            }
            Call::Correct(place, refused) => self.correct(place, refused),
            Call::Mirror(place, end) => self.mirror(place, end),
            Call::SetGraph(graph, binding) => self.swap_graph(graph, binding),
            Call::Edit(graph, binding) => self.edit_graph(graph, binding),
            Call::Rebind(binding) => self.rebind(binding),
            Call::ResetCooldowns => self.reset_cooldowns(),
            Call::Restore(state) => self.restore(state),
            Call::Play(show) => self.begin_replay(*show),
            Call::Record => self.tell(Effect::Record),
            _ if !allowed => {}
            other => self.perform_on_run(other),
        }
    }

    /// Calls that have been found to be allowed.
    fn perform_on_run(&mut self, call: Call) {
        match call {
            Call::Interrupt => {
                self.end_sequence(MoveEnd::Interrupted);
                self.clear_waiting();
                self.begin_change(Change::to_root(MoveEnd::Cancelled));
            }
            Call::OpenWindow(kind) | Call::RunOpen(_, kind) => self.open_scripted(kind),
            Call::CloseWindow(kind) | Call::RunClose(_, kind) => self.close_scripted(kind),
            Call::CancelSequence(_) => {
                self.end_sequence(MoveEnd::Cancelled);
            }
            Call::Finish(_) => self.complete(),
            Call::Cancel(_) => self.begin_change(Change::to_root(MoveEnd::Cancelled)),
            Call::RunTimes(_, times) => {
                if let Some(run) = &mut self.run {
                    run.endless = false;
                    run.set_times(times, self.clock.node, self.clock.node);
                    run.next_marker = 0;
                }
                self.reopen();
            }
            Call::SetCooldown { key, seconds, charges } => {
                let seconds = crate::graph::compiled::sound(seconds);
                self.set_cooldown(&key, seconds, charges);
            }
            _ => {}
        }
    }

    /// For at least so many seconds; too few to count, or no number: nothing.
    fn freeze(&mut self, seconds: f64) {
        if seconds.is_finite() && seconds > crate::time::TIME_TOLERANCE {
            self.clock.frozen = self.clock.frozen.max(seconds);
        }
    }

    fn close_scripted(&mut self, kind: Arc<str>) {
        if self.open.close_kind(&kind) {
            self.tell(Effect::WindowClosed(kind));
        }
    }

    fn open_scripted(&mut self, kind: Arc<str>) {
        let window = OpenWindow { kind: kind.clone(), until: f64::INFINITY, scripted: true };
        if self.open.add(window) {
            self.tell(Effect::WindowOpened(kind.clone()));
            self.scan_window(kind);
        }
    }

    fn reset_cooldowns(&mut self) {
        let Self { cooldowns, turn, .. } = self;
        cooldowns.reset(|key| turn.told.push_back(Effect::CooldownExpired { key: key.clone() }));
    }

    fn set_cooldown(&mut self, key: &Arc<str>, seconds: f64, charges: i64) {
        use super::cooldowns::Change;
        let effect = match self.cooldowns.set(key, seconds, charges, self.clock.now) {
            Some(Change::Started(duration)) => Effect::CooldownStarted { key: key.clone(), duration },
            Some(Change::Expired) => Effect::CooldownExpired { key: key.clone() },
            None => return,
        };
        self.tell(effect);
    }
}
