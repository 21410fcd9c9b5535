//! What a player did, written down and done again.
//!
//! A recording begins with the state, and has for every tick its delta and the calls and inputs that were made in it, each with
//! the seconds of the tick before it, and the number of
//! things that were done in that instant already. With the answers of the world the same nodes follow whatever the world is like.

use super::calls::{Call, Press};
use super::recorded::{RecordedTick, Replay, written};
use super::saved::{Restore, Saved};
use super::state::Machine;
use super::tape::Tape;
use super::tick::Tick;
use crate::graph::{Effect, ROOT};
use crate::tags::TagTable;

/// Two instants of a tick that are closer are one.
const NEAR: f64 = 1e-9;

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

/// What a recording does.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Played {
    Call(Call),
    /// The caller gives the graph at this place.
    Graph(Option<usize>),
}

/// A recording that is being played.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Playing {
    ticks: Vec<RecordedTick>,
    calls: Vec<Vec<(Place, Played)>>,
    tick: usize,
    call: usize,
    diverged: bool,
    scales: (f64, f64),
}

/// A recording that is about to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Show {
    playing: Playing,
    start: Box<Restore>,
    answers: Option<Vec<u8>>,
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

    /// The factors that count again when the recording that is played is over.
    pub fn scales(&mut self) -> Option<&mut (f64, f64)> {
        self.playing.as_mut().map(|playing| &mut playing.scales)
    }
}

impl Machine {
    /// Begins to write down what happens. From inside of a turn it begins as soon as what is going on is told. False: it does so
    /// already, plays a recording, or has no graph.
    pub fn start_recording(&mut self, table: &TagTable) -> bool {
        if self.reel.recording.is_some() || self.is_replaying() || self.graph.is_none() {
            return false;
        }
        if self.turn.running {
            self.call(Call::Record);
        } else {
            self.record(table);
        }
        true
    }

    /// The recording begins now: the answer to [`Effect::Record`].
    pub fn record(&mut self, table: &TagTable) {
        if self.reel.recording.is_some() || self.is_replaying() || self.graph.is_none() {
            return;
        }
        self.clock.calm.stop();
        if let Some(tick) = &mut self.turn.tick {
            // What is left of the tick is the first one of the recording.
            tick.cut();
            self.reel.place = Place { at: 0.0, step: 1 };
        }
        let start = self.export(table);
        self.reel.recording = Some(Box::new(Recording { start, ..Recording::default() }));
        self.desk.tape = Tape::Recording(Vec::new());
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
        let passed = self.turn.tick.as_ref().map_or(0.0, Tick::spent);
        if !recording.next.is_empty() || passed > 0.0 {
            // After the last tick, or in the middle of one.
            let tick = self.recorded_tick(passed);
            let calls = std::mem::take(&mut recording.next);
            recording.ticks.push((tick, calls));
        }
        let mut graphs = Vec::new();
        let ticks = recording.ticks.into_iter().map(|(tick, calls)| RecordedTick {
            calls: calls
                .iter()
                .filter_map(|(place, call)| Some((place.at, place.step, written(call, table, &mut graphs)?)))
                .collect(),
            ..tick
        });
        let ticks = ticks.collect();
        Some(Replay { start: recording.start, ticks, answers, graphs })
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
    /// state at its beginning is taken in first. `answers`: what the world said then counts. False: something is recorded, or
    /// there is no graph. Names that were not found are left out. Other graphs are wanted by
    /// [`Effect::ReplayGraph`].
    pub fn play_replay(&mut self, table: &mut TagTable, replay: &Replay, answers: bool) -> bool {
        if self.is_recording() || self.graph.is_none() {
            return false;
        }
        let mut missing = Vec::new();
        let start = Box::new(self.resolve(table, &replay.start, &mut missing));
        let calls = replay.ticks.iter().map(|tick| {
            let read = tick.calls.iter().filter_map(|(at, step, call)| {
                Some((Place { at: *at, step: *step }, self.read_call(call, table)?))
            });
            read.collect()
        });
        let playing = Playing { calls: calls.collect(), ticks: replay.ticks.clone(), ..Playing::default() };
        let answers = answers.then(|| replay.answers.clone());
        self.call(Call::Play(Box::new(Show { playing, start, answers })));
        true
    }

    /// Its turn has come. What is left of a tick that is going on is not lived through.
    pub(super) fn begin_replay(&mut self, show: Show) {
        if self.is_recording() {
            return;
        }
        self.end_replay();
        let scales = (self.settings.time_scale, self.settings.action_speed);
        self.reel.playing = Some(Box::new(Playing { scales, ..show.playing }));
        self.reel.place = Place::default();
        if let Some(answers) = show.answers {
            self.desk.tape = Tape::Playing(answers, 0);
        }
        self.turn.tick = None;
        self.tell(Effect::ReplayBegan);
        self.restore(show.start);
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
            Call::Restore(_)
                | Call::Play(_)
                | Call::RunTimes(..)
                | Call::Edit(..)
                | Call::Rebind(_)
                | Call::SetGraph(..)
        );
        // The graph is told to come by the recording, and by the caller when that is over.
        self.is_replaying() && !lives
    }

    /// A call is made.
    pub(super) fn record_call(&mut self, call: &Call) {
        let place = self.reel.place;
        if let Some(recording) = &mut self.reel.recording
            && !matches!(
                call,
                Call::Restore(_) | Call::Play(_) | Call::RunTimes(..) | Call::Edit(..) | Call::Rebind(_)
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
    pub(super) fn next_played(&mut self) -> Option<Played> {
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
        let run = || self.run.as_ref().map_or(0, |run| run.id);
        Some(match call {
            Played::Call(Call::Finish(_)) => Played::Call(Call::Finish(run())),
            Played::Call(Call::Cancel(_)) => Played::Call(Call::Cancel(run())),
            other => other.clone(),
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
}
