//! A player at its devices, and a moveset that only notes what it is sent.

use std::sync::Arc;

use glam::DVec2;
use riposte_core::graph::Moment;
use riposte_core::graph::input::{
    DeviceEvent, Entry, InputPlan, InputPolicy, InputSpec, Recorded, Recorder, SequenceSpec, SourceId, Step,
    Stick, Strength, Trigger,
};
use riposte_core::tags::{TagId, TagTable};

/// Numbers of actions.
pub const ATTACK: usize = 0;
pub const GUARD: usize = 1;
pub const DODGE: usize = 2;
pub const LEFT: usize = 3;
pub const RIGHT: usize = 4;
pub const UP: usize = 5;
pub const DOWN: usize = 6;
pub const ACTIONS: usize = 7;

const AHEAD: DVec2 = DVec2::new(0.0, -1.0);

pub struct Stage {
    pub tags: TagTable,
    pub recorder: Recorder,
    pub now: f64,
    pub seen: Vec<Entry>,
    /// What was walked, as "LA 0.04" and "LA↑ 0.2".
    pub log: Vec<String>,
    /// Tags that the moveset drops.
    pub dropped: Vec<TagId>,
    pub looks_left: bool,
}

/// An input of these actions.
pub fn input(tags: &mut TagTable, tag: &str, actions: &[usize]) -> InputSpec {
    InputSpec {
        tag: tags.intern(tag).expect("a tag"),
        actions: actions.to_vec(),
        trigger: Trigger::Press,
        press_threshold: 0.5,
        release_threshold: 0.3,
        chord_seconds: 0.0,
        policy: InputPolicy::default(),
    }
}

/// The same, to be held.
pub fn held(tags: &mut TagTable, tag: &str, actions: &[usize], seconds: f64) -> InputSpec {
    InputSpec { trigger: Trigger::Hold(seconds), ..input(tags, tag, actions) }
}

/// The same as a chord that holds its parts back.
pub fn chord(tags: &mut TagTable, tag: &str, actions: &[usize], seconds: f64) -> InputSpec {
    InputSpec { chord_seconds: seconds, ..input(tags, tag, actions) }
}

/// A sequence with the usual limits.
pub fn sequence(tags: &mut TagTable, tag: &str, steps: Vec<Step>) -> SequenceSpec {
    let output = tags.intern(tag).expect("a tag");
    SequenceSpec { output, steps, max_step_gap: 0.2, max_total: 0.6, mirrored: false, strict: false }
}

/// The four actions of the stick.
pub fn stick() -> Stick {
    Stick { left: Some(LEFT), right: Some(RIGHT), up: Some(UP), down: Some(DOWN), dead_zone: 0.2 }
}

impl Stage {
    pub fn new(mut tags: TagTable, inputs: Vec<InputSpec>, sequences: Vec<SequenceSpec>) -> Self {
        tags.intern("Nothing").expect("a value");
        let plan = InputPlan::new(ACTIONS, inputs, sequences, stick());
        Self {
            tags,
            recorder: Recorder::new(Arc::new(plan)),
            now: 0.0,
            seen: Vec::new(),
            log: Vec::new(),
            dropped: Vec::new(),
            looks_left: false,
        }
    }

    pub fn tag(&self, name: &str) -> TagId {
        self.tags.find(name).expect("a value")
    }

    /// A source pushes an action.
    pub fn push(&mut self, action: usize, source: u64, strength: f64) -> Recorded {
        self.event(source, &[Strength { action, strength, raw: strength }])
    }

    pub fn event(&mut self, source: u64, strengths: &[Strength]) -> Recorded {
        self.recorder.record(&DeviceEvent {
            source: SourceId(source),
            strengths,
            forward: AHEAD,
            looks_left: self.looks_left,
        })
    }

    /// The key of an action goes down or up.
    pub fn key(&mut self, action: usize, down: bool) {
        self.push(action, action as u64, f64::from(u8::from(down)));
    }

    /// The stick goes there; both its axes are one event each in truth, here one.
    pub fn lean(&mut self, x: f64, y: f64) {
        let raw = |value: f64| value.max(0.0);
        let push = |action, value| Strength { action, strength: raw(value), raw: raw(value) };
        self.event(100, &[push(LEFT, -x), push(RIGHT, x), push(UP, -y), push(DOWN, y)]);
    }

    /// One tick of the player: what was recorded, then time.
    pub fn tick(&mut self, delta: f64) {
        while self.recorder.feed(self.now) {
            self.walk();
        }
        let end = self.now + delta;
        while let Some(due) = self.recorder.next_boundary().filter(|due| *due <= end + 1e-6) {
            self.now = due.max(self.now);
            self.recorder.reach(self.now);
            self.walk();
        }
        self.now = end;
    }

    /// Ticks until `time`.
    pub fn until(&mut self, time: f64, delta: f64) {
        while self.now + delta <= time + 1e-9 {
            self.tick(delta);
        }
        if time - self.now > 1e-9 {
            self.tick(time - self.now);
        }
    }

    /// Works off at this time what was recorded.
    pub fn drain(&mut self) {
        self.tick(0.0);
    }

    pub fn walk(&mut self) {
        while let Some(entry) = self.recorder.next_entry() {
            let mark = match entry.moment {
                Moment::Pressed => "",
                Moment::Released => "↑",
                Moment::ReleasedEarly => "↟",
            };
            let rounded = (self.now * 1000.0).round() / 1000.0;
            self.log.push(format!("{}{mark} {rounded}", self.tags.name(entry.tag)));
            self.seen.push(entry);
            if !self.dropped.contains(&entry.tag) {
                self.recorder.taken(entry.group);
            }
        }
    }
}
