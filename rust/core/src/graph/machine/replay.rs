//! What a player did, written down and done again.
//!
//! A recording begins with the state, and has for every tick its delta and the calls and inputs that were made in it, each with
//! the seconds of the tick before it, and the number of
//! things that were done in that instant already. With the answers of the world the same nodes follow whatever the world is like.

use serde::{Deserialize, Serialize};

use super::calls::{Call, Press};
use super::saved::Saved;
use super::state::Machine;
use super::tape::Tape;
use crate::graph::{Effect, Moment, ROOT, SequenceMode};
use crate::tags::{TagId, TagTable};

/// Two instants of a tick that are closer are one.
const NEAR: f64 = 1e-9;

/// An input as it is written down: tag, moment by its integer, direction, stick.
pub type RecordedPress = (String, i64, Option<(f64, f64)>, Option<(f64, f64)>);

/// What was done from outside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum RecordedCall {
    /// An input of a script or a device.
    Input(RecordedPress),
    /// A cut.
    Interrupt,
    /// A window that a script opened.
    OpenWindow(String),
    /// And closed.
    CloseWindow(String),
    /// Hit-stop.
    Freeze(f64),
    /// Its end.
    Unfreeze,
    /// A sequence of inputs: the integer of its mode, its items.
    QueueSequence(i64, Vec<RecordedPress>),
    /// The end of it.
    CancelSequence,
    /// Waiting inputs dropped.
    ClearBuffer,
    /// A script ended the move.
    Finish,
    /// A script cut the move.
    Cancel,
    /// Key, seconds, charges.
    SetCooldown(String, f64, i64),
    /// All charges back.
    ResetCooldowns,
    /// A pause.
    Pause,
}

/// One tick.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RecordedTick {
    /// Seconds before any scale.
    pub delta: f64,
    /// Of the player.
    pub time_scale: f64,
    /// Of the player.
    pub action_speed: f64,
    /// Calls: seconds of the tick before it, things that were done in that instant before it.
    pub calls: Vec<(f64, u32, RecordedCall)>,
    /// The node at its end.
    pub node: String,
}

/// A recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    /// The state at its beginning.
    pub start: Saved,
    /// What followed.
    pub ticks: Vec<RecordedTick>,
    /// What the world said.
    pub answers: Vec<u8>,
}

/// Where in a tick a call is made: seconds of it, and things that were done in that instant before.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Place {
    pub at: f64,
    pub step: u32,
}

/// A recording that is being made.
#[derive(Clone, Debug, Default)]
pub(super) struct Recording {
    start: Saved,
    ticks: Vec<(RecordedTick, Vec<(Place, Call)>)>,
    next: Vec<(Place, Call)>,
}

/// A recording that is being played.
#[derive(Clone, Debug, Default)]
pub(super) struct Playing {
    ticks: Vec<RecordedTick>,
    calls: Vec<Vec<(Place, Call)>>,
    tick: usize,
    call: usize,
    diverged: bool,
    scales: (f64, f64),
}

/// What is recorded or played.
#[derive(Clone, Debug, Default)]
pub(super) struct Reel {
    pub recording: Option<Box<Recording>>,
    pub playing: Option<Box<Playing>>,
    /// How far the tick is.
    pub place: Place,
}

impl Reel {
    pub fn is_empty(&self) -> bool {
        self.recording.is_none() && self.playing.is_none()
    }
}

impl Machine {
    /// Begins to write down what happens. False: it does so already, plays a recording, or has no graph.
    pub fn start_recording(&mut self, table: &TagTable) -> bool {
        if self.reel.recording.is_some() || self.is_replaying() || self.graph.is_none() {
            return false;
        }
        self.calm.on = false;
        let start = self.export(table);
        self.reel.recording = Some(Box::new(Recording { start, ..Recording::default() }));
        self.desk.tape = Tape::Recording(Vec::new());
        true
    }

    /// What happens is written down.
    pub fn is_recording(&self) -> bool {
        self.reel.recording.is_some()
    }

    /// The recording; `None`: there is none.
    pub fn stop_recording(&mut self, table: &TagTable) -> Option<Replay> {
        let mut recording = self.reel.recording.take()?;
        let answers = match std::mem::take(&mut self.desk.tape) {
            Tape::Recording(answers) => answers,
            _ => Vec::new(),
        };
        if !recording.next.is_empty() {
            // Calls after the last tick.
            let tick = self.recorded_tick(0.0);
            let calls = std::mem::take(&mut recording.next);
            recording.ticks.push((tick, calls));
        }
        let ticks = recording.ticks.into_iter().map(|(tick, calls)| RecordedTick {
            calls: calls
                .iter()
                .filter_map(|(place, call)| Some((place.at, place.step, written(call, table)?)))
                .collect(),
            ..tick
        });
        Some(Replay { start: recording.start, ticks: ticks.collect(), answers })
    }

    fn recorded_tick(&self, delta: f64) -> RecordedTick {
        RecordedTick {
            delta,
            time_scale: self.settings.time_scale,
            action_speed: self.settings.action_speed,
            calls: Vec::new(),
            node: self.node_name().to_owned(),
        }
    }

    /// The name of the running node.
    pub fn node_name(&self) -> &str {
        self.run.as_ref().map_or(ROOT, |run| &run.plan().id)
    }

    /// Plays a recording from the next tick on, in place of what devices and scripts do. A call, whose turn the caller runs; the
    /// state at its beginning is taken in first. `answers`: what the world said then counts. False: a turn runs, something is
    /// recorded, or there is no graph. Names that were not found are left out.
    pub fn play_replay(&mut self, table: &mut TagTable, replay: &Replay, answers: bool) -> bool {
        if self.turn.running || self.is_recording() || self.graph.is_none() {
            return false;
        }
        self.end_replay();
        let mut missing = Vec::new();
        let restore = self.resolve(table, &replay.start, &mut missing);
        let calls = replay.ticks.iter().map(|tick| {
            let read = tick.calls.iter().filter_map(|(at, step, call)| {
                Some((Place { at: *at, step: *step }, self.read_call(call, table)?))
            });
            read.collect()
        });
        let playing = Playing {
            calls: calls.collect(),
            ticks: replay.ticks.clone(),
            scales: (self.settings.time_scale, self.settings.action_speed),
            ..Playing::default()
        };
        self.call(Call::Restore(Box::new(restore)));
        self.reel.playing = Some(Box::new(playing));
        if answers {
            self.desk.tape = Tape::Playing(replay.answers.clone(), 0);
        }
        true
    }

    /// A recording is played.
    pub fn is_replaying(&self) -> bool {
        self.reel.playing.is_some()
    }

    /// Stops to play a recording. False: none is played.
    pub fn stop_replay(&mut self) -> bool {
        self.end_replay()
    }

    fn end_replay(&mut self) -> bool {
        let Some(playing) = self.reel.playing.take() else { return false };
        (self.settings.time_scale, self.settings.action_speed) = playing.scales;
        self.desk.tape = Tape::Off;
        true
    }

    /// A recording does what this call would do.
    pub(super) fn is_replayed(&self, call: &Call) -> bool {
        let lives = matches!(
            call,
            Call::Restore(_) | Call::RunTimes(..) | Call::Edit(..) | Call::Rebind(_) | Call::SetGraph(..)
        );
        self.is_replaying() && !lives
    }

    /// A call is made.
    pub(super) fn record_call(&mut self, call: &Call) {
        let place = self.reel.place;
        if let Some(recording) = &mut self.reel.recording
            && !matches!(
                call,
                Call::Restore(_) | Call::RunTimes(..) | Call::Edit(..) | Call::Rebind(_) | Call::SetGraph(..)
            )
        {
            recording.next.push((place, call.clone()));
        }
    }

    /// An input of a device is walked.
    pub(super) fn record_entry(&mut self, press: Press) {
        if self.is_recording() {
            self.record_call(&Call::Input(press));
        }
    }

    /// The delta that counts: that of the recording.
    pub(super) fn delta_of_tick(&mut self, delta: f64) -> f64 {
        let Some(playing) = &mut self.reel.playing else { return delta };
        let Some(tick) = playing.ticks.get(playing.tick) else { return 0.0 };
        self.settings.time_scale = tick.time_scale;
        self.settings.action_speed = tick.action_speed;
        tick.delta
    }

    /// The next call of the recording whose time is there.
    pub(super) fn next_played(&mut self) -> Option<Call> {
        if self.turn.tick.is_none() || self.turn.restore.is_some() {
            return None;
        }
        let place = self.reel.place;
        let playing = self.reel.playing.as_mut()?;
        let (wanted, call) = playing.calls.get(playing.tick)?.get(playing.call)?;
        let ahead = wanted.at - place.at;
        if ahead > NEAR || ahead > -NEAR && wanted.step > place.step {
            return None;
        }
        playing.call += 1;
        Some(match call {
            Call::Finish(_) => Call::Finish(self.run.as_ref().map_or(0, |run| run.id)),
            Call::Cancel(_) => Call::Cancel(self.run.as_ref().map_or(0, |run| run.id)),
            call => call.clone(),
        })
    }

    /// Seconds until the next call of the recording.
    pub(super) fn until_played(&self) -> f64 {
        let place = self.reel.place;
        let next = self.reel.playing.as_ref().and_then(|playing| {
            let calls = playing.calls.get(playing.tick)?;
            calls[playing.call..].iter().map(|call| call.0.at - place.at).find(|ahead| *ahead > NEAR)
        });
        next.unwrap_or(f64::INFINITY)
    }

    /// A tick is over.
    pub(super) fn tick_over(&mut self, delta: f64) {
        self.reel.place = Place::default();
        if self.reel.recording.is_some() {
            let tick = self.recorded_tick(delta);
            if let Some(recording) = &mut self.reel.recording {
                let calls = std::mem::take(&mut recording.next);
                recording.ticks.push((tick, calls));
            }
        }
        self.played_tick();
    }

    fn played_tick(&mut self) {
        let same = {
            let Some(playing) = &self.reel.playing else { return };
            playing.ticks.get(playing.tick).is_none_or(|tick| tick.node == self.node_name())
        };
        let Some(playing) = &mut self.reel.playing else { return };
        let tick = playing.tick as u64;
        playing.tick += 1;
        playing.call = 0;
        let ended = playing.tick >= playing.ticks.len();
        if !same && !std::mem::replace(&mut playing.diverged, true) {
            self.tell(Effect::ReplayDiverged { tick });
        }
        if ended {
            self.end_replay();
            self.tell(Effect::ReplayEnded);
        }
    }

    fn read_press(&mut self, press: &RecordedPress, table: &mut TagTable) -> Option<Press> {
        let (name, code, direction, stick) = press;
        let tag = table.intern(name).ok()?;
        self.learn(table, tag);
        let vector = |pair: (f64, f64)| glam::DVec2::new(pair.0, pair.1);
        let moment = Moment::from_code(*code)?;
        Some(Press { tag, moment, direction: direction.map(vector), stick: stick.map(vector) })
    }

    fn read_call(&mut self, call: &RecordedCall, table: &mut TagTable) -> Option<Call> {
        Some(match call {
            RecordedCall::Input(press) => Call::Input(self.read_press(press, table)?),
            RecordedCall::Interrupt => Call::Interrupt,
            RecordedCall::OpenWindow(kind) => Call::OpenWindow(kind.as_str().into()),
            RecordedCall::CloseWindow(kind) => Call::CloseWindow(kind.as_str().into()),
            RecordedCall::Freeze(seconds) => Call::Freeze(*seconds),
            RecordedCall::Unfreeze => Call::Unfreeze,
            RecordedCall::QueueSequence(mode, items) => Call::QueueSequence {
                mode: SequenceMode::from_code(*mode)?,
                items: items.iter().filter_map(|press| self.read_press(press, table)).collect(),
            },
            RecordedCall::CancelSequence => Call::CancelSequence(0),
            RecordedCall::ClearBuffer => Call::ClearBuffer,
            RecordedCall::Finish => Call::Finish(0),
            RecordedCall::Cancel => Call::Cancel(0),
            RecordedCall::SetCooldown(key, seconds, charges) => {
                Call::SetCooldown { key: key.as_str().into(), seconds: *seconds, charges: *charges }
            }
            RecordedCall::ResetCooldowns => Call::ResetCooldowns,
            RecordedCall::Pause => Call::Pause,
        })
    }
}

fn written_press(press: &Press, table: &TagTable) -> RecordedPress {
    let pair = |vector: glam::DVec2| (vector.x, vector.y);
    let name = |tag: TagId| table.name(tag).to_owned();
    (name(press.tag), press.moment.code(), press.direction.map(pair), press.stick.map(pair))
}

/// `None`: it is made again by whoever made it.
fn written(call: &Call, table: &TagTable) -> Option<RecordedCall> {
    Some(match call {
        Call::Input(press) => RecordedCall::Input(written_press(press, table)),
        Call::Interrupt => RecordedCall::Interrupt,
        Call::OpenWindow(kind) => RecordedCall::OpenWindow(kind.to_string()),
        Call::CloseWindow(kind) => RecordedCall::CloseWindow(kind.to_string()),
        Call::Freeze(seconds) => RecordedCall::Freeze(*seconds),
        Call::Unfreeze => RecordedCall::Unfreeze,
        Call::QueueSequence { mode, items } => RecordedCall::QueueSequence(
            mode.code(),
            items.iter().map(|press| written_press(press, table)).collect(),
        ),
        Call::CancelSequence(_) => RecordedCall::CancelSequence,
        Call::ClearBuffer | Call::InputOff => RecordedCall::ClearBuffer,
        Call::Finish(_) => RecordedCall::Finish,
        Call::Cancel(_) => RecordedCall::Cancel,
        Call::RunOpen(_, kind) => RecordedCall::OpenWindow(kind.to_string()),
        Call::RunClose(_, kind) => RecordedCall::CloseWindow(kind.to_string()),
        Call::SetCooldown { key, seconds, charges } => {
            RecordedCall::SetCooldown(key.to_string(), *seconds, *charges)
        }
        Call::ResetCooldowns => RecordedCall::ResetCooldowns,
        Call::Pause => RecordedCall::Pause,
        _ => return None,
    })
}
