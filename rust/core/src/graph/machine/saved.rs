//! The state of a machine as plain data with names, and back.

use std::sync::Arc;

use glam::DVec2;
use serde::{Deserialize, Serialize};

use super::calls::Press;
use super::change::Change;
use super::entry::Entry;
use super::open::OpenWindow;
use super::sequence::Sequence;
use super::state::{Grace, Machine};
use super::{Call, Receipt};
use crate::graph::input::{SavedHeld, SavedHold, SavedInput};
use crate::graph::{Effect, FiresOn, Graph, Moment, ROOT, ROOT_INDEX, SequenceMode};
use crate::tags::{TagId, TagTable};
use crate::time::TIME_TOLERANCE;

/// The run of a node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedRun {
    /// The node before it.
    pub from: String,
    /// The input that led to it; empty: none.
    pub tag: String,
    /// The moment of it, by its integer.
    pub moment: i64,
    /// The stick then.
    pub stick: (f64, f64),
    /// The direction then.
    pub direction: (f64, f64),
    /// The kind of window that was used.
    pub window_kind: String,
    /// Forward, back, left, right.
    pub variant: u8,
    /// Node time that is left of what a script lets it last; negative: it does not say.
    pub left: f64,
}

/// An input that waits.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedEntry {
    /// Which.
    pub tag: String,
    /// Its moment, by its integer.
    pub moment: i64,
    /// The stick then.
    pub stick: (f64, f64),
    /// The direction then.
    pub direction: (f64, f64),
    /// How long it has waited.
    pub age: f64,
    /// The running node answers it.
    pub combo: bool,
    /// It came in a hit-stop that is not over.
    pub frozen: bool,
    /// It is an item of the sequence.
    pub sequence: bool,
}

/// An input that is held.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedTag {
    /// Which.
    pub tag: String,
    /// For how long.
    pub seconds: f64,
    /// By a device.
    pub device: bool,
}

/// The charges of one name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedCooldown {
    /// Its name.
    pub key: String,
    /// Charges that are missing.
    pub spent: u32,
    /// Of them, those whose run is not over.
    pub held: u32,
    /// Seconds until charges come back; negative: nothing counts.
    pub left: f64,
}

/// An input of a sequence: tag, moment by its integer, direction if it has one.
pub type SavedItem = (String, i64, Option<(f64, f64)>);

/// A sequence of inputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedSequence {
    /// Names it.
    pub handle: i64,
    /// Its mode, by its integer.
    pub mode: i64,
    /// Its items: tag, moment, direction if it has one.
    pub items: Vec<SavedItem>,
    /// The next one.
    pub next: usize,
    /// An item is on its way.
    pub waits: bool,
}

/// The state of a machine. The graph is not in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// The node that runs.
    pub node: String,
    /// Node time.
    pub node_time: f64,
    /// More of its run.
    pub run: SavedRun,
    /// Kinds of windows that scripts have opened.
    pub windows_scripted: Vec<String>,
    /// Transitions that a press lost.
    pub locked: Vec<String>,
    /// Inputs that wait, oldest first.
    pub waiting: Vec<SavedEntry>,
    /// The node whose transitions still count, and for how long; empty: none.
    pub grace: (String, f64),
    /// Held and pressed.
    pub held: Vec<SavedTag>,
    /// Held, and not long enough yet.
    pub holds: Vec<SavedTag>,
    /// Cooldowns.
    pub cooldowns: Vec<SavedCooldown>,
    /// Seconds of hit-stop.
    pub freeze: f64,
    /// The sequence that is going on.
    pub sequence: Option<SavedSequence>,
}

/// A state with all its names found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Restore {
    saved: Saved,
    tag: Option<TagId>,
    waiting: Vec<(TagId, SavedEntry)>,
    input: SavedInput,
    items: Vec<Press>,
}

fn pair(vector: DVec2) -> (f64, f64) {
    (vector.x, vector.y)
}

fn vector(pair: (f64, f64)) -> DVec2 {
    let vector = DVec2::new(pair.0, pair.1);
    if vector.is_finite() { vector } else { DVec2::ZERO }
}

fn moment(code: i64) -> Moment {
    Moment::from_code(code).unwrap_or_default()
}

impl Machine {
    /// The state now, with names. A pure read.
    pub fn export(&self, table: &TagTable) -> Saved {
        let graph = self.graph.as_deref();
        let id = |node: u32| graph.map_or(ROOT, |graph| &graph.node(node).id).to_owned();
        let name = |tag: TagId| table.name(tag).to_owned();
        let waiting = self.waiting.iter().map(|entry| (entry, false));
        let waiting = waiting.chain(self.frozen.iter().map(|entry| (entry, true)));
        let input = self.recorder.save(self.clock.now);
        let grace = self.grace.filter(|_| self.grace_node().is_some());
        Saved {
            node: self.run.as_ref().map_or(ROOT.to_owned(), |run| run.plan().id.to_string()),
            node_time: self.node_time(),
            run: self.saved_run(table),
            windows_scripted: self.open.scripted().map(|kind| kind.to_string()).collect(),
            locked: self.locked_names(),
            waiting: waiting.map(|(entry, frozen)| self.saved_entry(entry, frozen, table)).collect(),
            grace: grace.map_or((String::new(), 0.0), |grace| (id(grace.node), self.grace_left())),
            held: input
                .held
                .iter()
                .map(|one| SavedTag { tag: name(one.tag), seconds: one.seconds, device: one.device })
                .collect(),
            holds: input
                .holds
                .iter()
                .map(|one| SavedTag { tag: name(one.tag), seconds: one.seconds, device: one.device })
                .collect(),
            cooldowns: self.cooldowns.save(self.clock.now),
            freeze: self.clock.frozen.max(0.0),
            sequence: self.sequence.as_ref().map(|sequence| saved_sequence(sequence, table)),
        }
    }

    fn saved_run(&self, table: &TagTable) -> SavedRun {
        let Some(run) = &self.run else { return SavedRun { left: -1.0, ..SavedRun::default() } };
        let from = self.graph.as_ref().map_or(ROOT, |graph| &graph.node(run.from).id);
        SavedRun {
            from: from.to_owned(),
            tag: run.tag.map_or(String::new(), |tag| table.name(tag).to_owned()),
            moment: run.moment.code(),
            stick: pair(run.stick),
            direction: pair(run.direction),
            window_kind: run.kind.to_string(),
            variant: run.variant,
            left: if run.plan().is_asked() && !run.endless { run.end() - self.clock.node } else { -1.0 },
        }
    }

    fn saved_entry(&self, entry: &Entry, frozen: bool, table: &TagTable) -> SavedEntry {
        SavedEntry {
            tag: table.name(entry.tag).to_owned(),
            moment: entry.moment.code(),
            stick: pair(entry.stick),
            direction: pair(entry.direction),
            age: self.age(entry),
            combo: entry.combo,
            frozen,
            sequence: entry.sequence != 0,
        }
    }

    fn locked_names(&self) -> Vec<String> {
        let Some(run) = &self.run else { return Vec::new() };
        let wires = &run.plan().wires;
        self.locked.iter().filter_map(|at| Some(wires.get(*at as usize)?.id.to_string())).collect()
    }

    /// Takes a state in, in place of the one that is there; a call like any other, whose turn the caller runs. Second: names that
    /// were not found and are left out.
    pub fn import(&mut self, table: &mut TagTable, saved: &Saved) -> (Receipt, Vec<String>) {
        let mut missing = Vec::new();
        let restore = self.resolve(table, saved, &mut missing);
        (self.call(Call::Restore(Box::new(restore))), missing)
    }

    pub(super) fn resolve(
        &mut self,
        table: &mut TagTable,
        saved: &Saved,
        missing: &mut Vec<String>,
    ) -> Restore {
        let graph = self.next_graph().or(self.graph.as_ref());
        if saved.node != ROOT && graph.and_then(|graph| graph.find(&saved.node)).is_none() {
            missing.push(saved.node.clone());
        }
        let mut tag = |name: &str| {
            let found = table.intern(name).ok();
            match found {
                Some(tag) => self.lineages.learn(table.lineage(tag)),
                None if !name.is_empty() => missing.push(name.to_owned()),
                None => {}
            }
            found
        };
        let mut waiting = Vec::new();
        for entry in &saved.waiting {
            waiting.extend(tag(&entry.tag).map(|tag| (tag, entry.clone())));
        }
        let mut items = Vec::new();
        for (name, code, direction) in saved.sequence.iter().flat_map(|sequence| &sequence.items) {
            items.extend(
                tag(name)
                    .map(|tag| Press { direction: direction.map(vector), ..Press::new(tag, moment(*code)) }),
            );
        }
        let held = saved.held.iter().filter_map(|one| {
            Some(SavedHeld { tag: tag(&one.tag)?, seconds: one.seconds, device: one.device })
        });
        let held = held.collect();
        let holds = saved.holds.iter().filter_map(|one| {
            Some(SavedHold { tag: tag(&one.tag)?, seconds: one.seconds, device: one.device })
        });
        let holds = holds.collect();
        let tag = tag(&saved.run.tag);
        Restore { saved: saved.clone(), tag, waiting, input: SavedInput { held, holds }, items }
    }

    /// The graph that a call which is not made yet brings.
    fn next_graph(&self) -> Option<&Arc<Graph>> {
        let brought = self.turn.calls.iter().rev().find_map(|(_, call)| match call {
            Call::SetGraph(graph, _) => Some(graph.as_ref()),
            _ => None,
        });
        brought.flatten()
    }

    /// The index of a node.
    fn find(&self, id: &str) -> Option<u32> {
        self.graph.as_ref().and_then(|graph| graph.find(id))
    }

    /// Begins to take a state in. Its node is looked for only now: another graph may have come since the state was handed over.
    pub(super) fn restore(&mut self, restore: Box<Restore>) {
        self.waiting.clear();
        self.frozen.clear();
        self.sequence = None;
        self.grace = None;
        self.open.clear();
        let to = self.find(&restore.saved.node).unwrap_or(ROOT_INDEX);
        self.turn.restore = Some(restore);
        let change = Change::importing(to);
        self.turn.scan.stop();
        self.turn.settle.stop();
        self.turn.begin_change(change);
    }

    /// The run is there; what it had is put back.
    pub(super) fn restore_run(&mut self) {
        let Some(restore) = self.turn.restore.as_deref() else { return };
        let Some(run) = &mut self.run else { return };
        let Restore { saved, tag, .. } = restore;
        run.tag = *tag;
        run.restored = true;
        run.told = true;
        run.moment = FiresOn::from_code(saved.run.moment).unwrap_or(FiresOn::Pressed);
        run.stick = vector(saved.run.stick);
        run.direction = vector(saved.run.direction);
        run.kind = saved.run.window_kind.as_str().into();
        run.from = run.graph.find(&saved.run.from).unwrap_or(ROOT_INDEX);
        let time = crate::graph::compiled::sound(saved.node_time);
        self.clock.node = time;
        if run.variant != saved.run.variant.min(3) {
            run.variant = saved.run.variant.min(3);
        }
        let (graph, node, variant) = (run.graph.clone(), run.node, run.variant);
        let times = self.times_of(&graph, node, variant);
        if let Some(run) = &mut self.run {
            let period = times.period;
            let origin = if period > 0.0 { (time / period).floor() * period } else { 0.0 };
            run.set_times(times, origin, time);
        }
    }

    /// All the rest of a state.
    pub(super) fn restored(&mut self) {
        let Some(restore) = self.turn.restore.take() else { return };
        let Restore { saved, waiting, input, items, .. } = *restore;
        let now = self.clock.now;
        self.clock.frozen = crate::graph::compiled::sound(saved.freeze);
        self.recorder.restore(&input, now);
        self.cooldowns.restore(&saved.cooldowns, now);
        self.restore_windows(&saved);
        if let Some(node) = self.find(&saved.grace.0) {
            self.grace = Some(Grace { node, since: now, limit: saved.grace.1 });
        }
        if let Some(sequence) = &saved.sequence {
            let mode = SequenceMode::from_code(sequence.mode).unwrap_or(SequenceMode::Chain);
            let next = sequence.next.min(items.len());
            // A state may have been made by hand; half of the numbers are more than a game will ever give.
            let handle = sequence.handle.clamp(1, i64::MAX / 2);
            self.next_handle = self.next_handle.max(handle + 1);
            self.sequence = Some(Box::new(Sequence { handle, mode, items, next, waits: sequence.waits }));
        }
        let handle = self.sequence.as_ref().map_or(0, |sequence| sequence.handle);
        for (tag, one) in waiting {
            let entry = self.arrival(tag, moment(one.moment), vector(one.stick), vector(one.direction));
            let sequence = if one.sequence { handle } else { 0 };
            let entry = Entry { born: now - one.age, combo: one.combo, sequence, ..entry };
            if one.frozen { self.frozen.push_back(entry) } else { self.waiting.push(entry) }
        }
        // The state may come from the middle of the end of a hit-stop.
        self.turn.thaw = !self.frozen.is_empty();
        self.tell(Effect::StateImported);
    }

    fn restore_windows(&mut self, saved: &Saved) {
        self.open.clear();
        let entry = self.has_entry_window();
        let time = self.clock.node;
        let Some(run) = &mut self.run else { return };
        if saved.run.left >= 0.0 {
            run.endless = false;
            run.set_times(Arc::new(crate::graph::MoveTimes::of_length(saved.run.left)), time, time);
        }
        let forever = |kind: &str, scripted| OpenWindow { kind: kind.into(), until: f64::INFINITY, scripted };
        if entry {
            self.open.add(forever("", false));
        }
        for kind in &saved.windows_scripted {
            self.open.add(forever(kind, true));
        }
        for window in &run.times.windows {
            let (start, until) = (run.origin + window.start, run.origin + window.end);
            if start <= time + TIME_TOLERANCE && until > time + TIME_TOLERANCE {
                self.open.add(OpenWindow { kind: window.kind.clone(), until, scripted: false });
            }
        }
        let passed = |window: &&crate::graph::Window| run.origin + window.start <= time + TIME_TOLERANCE;
        run.next_window = run.times.windows.iter().take_while(passed).count();
        let wires = &run.graph.node(run.node).wires;
        let locked = |at: &u32| saved.locked.iter().any(|id| **id == *wires[*at as usize].id);
        self.locked = (0..wires.len() as u32).filter(locked).collect();
    }
}

fn saved_sequence(sequence: &Sequence, table: &TagTable) -> SavedSequence {
    let item =
        |press: &Press| (table.name(press.tag).to_owned(), press.moment.code(), press.direction.map(pair));
    SavedSequence {
        handle: sequence.handle,
        mode: sequence.mode.code(),
        items: sequence.items.iter().map(item).collect(),
        next: sequence.next,
        waits: sequence.waits,
    }
}
