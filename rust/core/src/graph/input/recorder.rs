//! The recorder of one player: device events in, inputs to walk out.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock};

use glam::DVec2;

use super::hands::{Hands, SourceId, Strength};
use super::held::{Held, Origin};
use super::keys::{Key, Pose, Stage};
use super::plan::InputPlan;
use super::pressing::{Fired, Pressing};
use super::queue::{Change, DeviceEvent, Item, QUEUE_LENGTH, Queue, Recorded};
use super::sequence::{Leaning, Progress};
use crate::graph::Moment;
use crate::graph::direction::{Way, stick_to_planar};
use crate::tags::TagId;

/// An input to walk. Those of one group are alternatives: the first that is not dropped is the one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// What the moveset knows it by.
    pub tag: TagId,
    /// What it did.
    pub moment: Moment,
    /// The stick at that time.
    pub stick: DVec2,
    /// Where it pointed on the plane, or where the player moves.
    pub direction: DVec2,
    /// One event of a device makes one group of presses and one of releases.
    pub group: u64,
    /// The number of the event.
    pub order: u64,
    pub(super) origin: Origin,
    pub(super) since: f64,
}

/// What became of a push by a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushed {
    /// There is something to walk.
    Sent,
    /// A hold has begun.
    Waits,
    /// It is down, or up, already.
    Nothing,
}

/// Records what devices and scripts press for one player.
#[derive(Clone, Debug)]
pub struct Recorder {
    pub(super) plan: Arc<InputPlan>,
    pub(super) hands: Hands,
    pub(super) queue: Queue,
    pub(super) keys: Vec<Key>,
    pub(super) progress: Vec<Progress>,
    pub(super) leaning: Leaning,
    pub(super) fired: Vec<Fired>,
    pub(super) held: Held,
    pub(super) entries: VecDeque<Entry>,
    /// How the hands stand by what was recorded last.
    pub(super) pose: Pose,
    /// Tags without an input that scripts hold.
    pub(super) pushed: Vec<TagId>,
    /// Hands and keys may differ: something was not heard.
    pub(super) unsettled: bool,
    /// When time alone does something next.
    pub(super) next: Option<f64>,
    pub(super) order: u64,
    pub(super) group: u64,
    scratch: Option<Box<Scratch>>,
}

/// Lists that are filled and emptied in each event. A player without devices has none.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub changes: Vec<Change>,
    pub pressing: Vec<Pressing>,
    pub ups: Vec<usize>,
    pub downs: Vec<usize>,
}

impl Default for Recorder {
    fn default() -> Self {
        // Most players have no map of their own.
        static NO_MAP: LazyLock<Arc<InputPlan>> = LazyLock::new(Arc::default);
        Self::new(NO_MAP.clone())
    }
}

impl Recorder {
    /// A recorder that nothing was heard of.
    pub fn new(plan: Arc<InputPlan>) -> Self {
        Self {
            hands: Hands::new(&plan),
            queue: Queue::default(),
            keys: vec![Key::default(); plan.inputs.len()],
            progress: plan.sequences.iter().map(Progress::new).collect(),
            leaning: Leaning { way: Way::Neutral, since: 0.0 },
            fired: Vec::new(),
            held: Held::default(),
            entries: VecDeque::new(),
            pose: Pose::default(),
            pushed: Vec::new(),
            unsettled: false,
            next: None,
            order: 0,
            group: 0,
            scratch: None,
            plan,
        }
    }

    /// The map.
    pub fn plan(&self) -> &Arc<InputPlan> {
        &self.plan
    }

    /// Another map. What devices hold is released; what they go on to hold is no press, see [`Recorder::resume`].
    pub fn set_plan(&mut self, plan: Arc<InputPlan>, now: f64) {
        self.queue.clear();
        self.keys.iter_mut().for_each(|key| key.pushed = false);
        self.let_go(now);
        self.release_all_sequences();
        self.hands = Hands::new(&plan);
        self.keys = vec![Key::default(); plan.inputs.len()];
        self.progress = plan.sequences.iter().map(Progress::new).collect();
        self.leaning = Leaning { way: Way::Neutral, since: now };
        self.plan = plan;
        self.lean_back();
        self.look_ahead();
    }

    /// Takes an event of a device. It is worked off in the next tick.
    pub fn record(&mut self, event: &DeviceEvent<'_>) -> Recorded {
        let mut changes = std::mem::take(&mut self.scratch().changes);
        changes.clear();
        for strength in event.strengths {
            self.hands.take(&self.plan, event.source, *strength, |input, mask| {
                changes.push(Change { input, mask });
            });
        }
        let old = self.way();
        self.turn_stick(event.forward, event.looks_left);
        let new = self.way();
        let way = (new != old && !self.plan.sequences.is_empty()).then_some(new);
        let recorded = if changes.is_empty() && way.is_none() {
            Recorded::Nothing
        } else if self.queue.len() >= QUEUE_LENGTH {
            self.unsettled = true;
            Recorded::Full
        } else {
            self.order += 1;
            let item = Item::Event { changes: changes.len(), order: self.order, pose: self.pose, way };
            self.queue.push(item, &changes);
            Recorded::Queued
        };
        self.scratch().changes = changes;
        recorded
    }

    /// What devices push, as far as it was heard.
    pub fn pushed(&self) -> Vec<(SourceId, Strength)> {
        self.hands.pushed()
    }

    /// The stick is seen from another direction, for example because the camera turned.
    pub fn turn_stick(&mut self, forward: DVec2, looks_left: bool) {
        let stick = self.hands.stick(&self.plan);
        if stick != DVec2::ZERO {
            self.pose.direction = stick_to_planar(forward, stick);
        } else if self.pose.stick != DVec2::ZERO {
            self.pose.direction = DVec2::ZERO;
        }
        self.pose.stick = stick;
        self.pose.looks_left = looks_left;
    }

    /// The stick, (0, 0) in its middle; up is (0, -1).
    pub fn stick(&self) -> DVec2 {
        self.pose.stick
    }

    /// Where the player moves on the plane: where the stick points, else what a script said.
    pub fn move_direction(&self) -> DVec2 {
        self.pose.direction
    }

    /// A script moves the player. Without effect while the stick is outside its dead zone.
    pub fn set_move_direction(&mut self, direction: DVec2) {
        if self.pose.stick == DVec2::ZERO && direction.is_finite() {
            self.pose.direction = direction;
        }
    }

    /// Works off the next recorded event. False: there is none.
    pub fn feed(&mut self, now: f64) -> bool {
        if self.queue.len() == 0 && !self.unsettled {
            self.look_ahead();
            return false;
        }
        let mut changes = std::mem::take(&mut self.scratch().changes);
        let item = self.queue.pop(&mut changes);
        match item {
            Some(Item::Event { order, pose, way, .. }) => self.event(now, order, pose, way, &changes),
            Some(Item::Lost) => self.let_go(now),
            None if self.unsettled => self.settle(now),
            None => {}
        }
        let fed = item.is_some() || self.unsettled;
        if item.is_none() {
            self.unsettled = false;
        }
        self.scratch().changes = changes;
        self.look_ahead();
        fed
    }

    /// The next input to walk.
    pub fn next_entry(&mut self) -> Option<Entry> {
        let entry = self.entries.pop_front()?;
        match entry.moment {
            Moment::Pressed => self.held.add(entry.tag, entry.origin, entry.since),
            Moment::Released => self.held.remove(entry.tag, entry.origin),
            Moment::ReleasedEarly => {}
        }
        Some(entry)
    }

    /// An input was not dropped: its alternatives are left out.
    pub fn taken(&mut self, group: u64) {
        while self.entries.front().is_some_and(|entry| entry.group == group) {
            self.next_entry();
        }
    }

    /// When time alone makes an input: a hold is long enough, a chord did not come.
    pub fn next_boundary(&self) -> Option<f64> {
        self.next
    }

    /// Nothing waits for a tick.
    pub fn is_idle(&self) -> bool {
        self.next.is_none() && self.queue.len() == 0 && !self.unsettled && self.entries.is_empty()
    }

    /// Whether an input with exactly this tag is held, finished or not.
    pub fn is_held(&self, tag: TagId) -> bool {
        self.held_since(tag).is_some()
    }

    /// For how long an input is held, since its button went down; 0 if it is not.
    pub fn held_time(&self, tag: TagId, now: f64) -> f64 {
        self.held_since(tag).map_or(0.0, |since| (now - since).max(0.0))
    }

    /// All tags that are held and since when. A tag that several inputs hold comes several times.
    pub fn held(&self) -> impl Iterator<Item = (TagId, f64)> + '_ {
        let marks = self.held.marks().iter().map(|mark| (mark.tag, mark.since));
        let waiting = self.keys.iter().zip(&self.plan.inputs);
        marks.chain(waiting.filter(|(key, _)| key.due().is_some()).map(|(key, input)| (input.tag, key.since)))
    }

    /// True while a button is down, so that the time it is held has to go on. Inputs that scripts sent and never let go do not
    /// count: they would keep everybody busy for ever.
    pub fn is_button_down(&self) -> bool {
        let waits = self.keys.iter().any(|key| key.due().is_some());
        waits || self.held.marks().iter().any(|mark| !matches!(mark.origin, Origin::Script))
    }

    fn held_since(&self, tag: TagId) -> Option<f64> {
        let times = self.held().filter(|(held, _)| *held == tag).map(|(_, since)| since);
        times.min_by(f64::total_cmp)
    }

    /// A script sent an input itself: its tag is held from a press to a release.
    pub fn mark(&mut self, tag: TagId, moment: Moment, now: f64) {
        match moment {
            Moment::Pressed => self.held.add(tag, Origin::Script, now),
            Moment::Released | Moment::ReleasedEarly => self.held.remove(tag, Origin::Script),
        }
    }

    /// The window has lost the focus: all that devices hold is released, in its turn.
    pub fn lose_focus(&mut self) {
        self.hands.clear();
        self.pose.stick = DVec2::ZERO;
        self.pose.direction = DVec2::ZERO;
        self.queue.push(Item::Lost, &[]);
    }

    /// The node is paused, nothing is heard from now on. What its inputs do not keep in a pause goes.
    pub fn pause(&mut self) {
        self.queue.pause(&self.plan);
        self.unsettled = true;
    }

    /// Devices are heard again, and do this now. What went up meanwhile is released in the next tick; what is down and was not
    /// is no press until it is pressed anew.
    pub fn resume(&mut self, now_down: &[(SourceId, Strength)], forward: DVec2, looks_left: bool) {
        self.hands.replace(&self.plan, now_down);
        self.turn_stick(forward, looks_left);
        self.unsettled = true;
    }

    /// Forgets all that was recorded and all that is held, without a word.
    pub fn clear(&mut self) {
        let (order, group) = (self.order, self.group);
        *self = Self::new(self.plan.clone());
        (self.order, self.group) = (order, group);
    }

    pub(super) fn scratch(&mut self) -> &mut Scratch {
        self.scratch.get_or_insert_default()
    }

    fn way(&self) -> Way {
        Way::of(self.pose.stick, 0.0)
    }

    /// The way of the stick is as it is, no sequence has begun.
    pub(super) fn lean_back(&mut self) {
        self.progress.iter_mut().for_each(Progress::reset);
    }

    /// Finds out when time alone does something next.
    pub(super) fn look_ahead(&mut self) {
        let keys = self.keys.iter().filter_map(Key::due);
        let held = self.progress.iter().zip(&self.plan.sequences);
        let sequences = held.filter_map(|(progress, spec)| {
            let leaning = self.seen(spec, self.leaning, self.pose.looks_left);
            progress.due(spec, leaning)
        });
        self.next = keys.chain(sequences).min_by(f64::total_cmp);
    }

    /// Whether the input is between down and pressed.
    pub(super) fn is_waiting(key: &Key) -> bool {
        matches!(key.stage, Stage::Back(_) | Stage::Hold(_))
    }
}
