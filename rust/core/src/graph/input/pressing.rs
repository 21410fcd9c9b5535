//! What events and time do to the inputs of a map.

use super::held::Origin;
use super::keys::{Pose, Stage};
use super::plan::{SequenceSpec, Trigger};
use super::queue::Change;
use super::recorder::{Entry, Pushed, Recorder};
use super::sequence::Leaning;
use crate::graph::Moment;
use crate::graph::direction::Way;
use crate::tags::TagId;
use crate::time::expired;
use glam::DVec2;

/// An input whose press is to be sent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pressing {
    tag: TagId,
    origin: Origin,
    since: f64,
    order: u64,
    pose: Pose,
}

/// A sequence whose input is held, by what came last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fired {
    sequence: usize,
    by: By,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    Press(Origin, TagId),
    Stick,
}

impl Recorder {
    /// One event of a device.
    pub(super) fn event(&mut self, now: f64, order: u64, pose: Pose, way: Option<Way>, changes: &[Change]) {
        for change in changes {
            let full = self.plan.inputs[change.input].full();
            let key = &mut self.keys[change.input];
            if key.touched != order {
                (key.touched, key.was_down) = (order, key.is_down(full));
            }
            key.mask = change.mask;
        }
        let mut ups = std::mem::take(&mut self.scratch().ups);
        let mut downs = std::mem::take(&mut self.scratch().downs);
        ups.clear();
        downs.clear();
        for at in &self.plan.ranked {
            let key = &self.keys[*at];
            if key.touched == order {
                match (key.was_down, key.is_down(self.plan.inputs[*at].full())) {
                    (true, false) => ups.push(*at),
                    (false, true) => downs.push(*at),
                    _ => {}
                }
            }
        }
        self.go_up(now, order, pose, &ups);
        self.go_down(now, order, pose, way, &downs, true);
        let scratch = self.scratch();
        (scratch.ups, scratch.downs) = (ups, downs);
    }

    /// Inputs go up, those with the most parts first.
    fn go_up(&mut self, now: f64, order: u64, pose: Pose, ups: &[usize]) {
        self.scratch().pressing.clear();
        for at in ups {
            let key = self.keys[*at];
            if matches!(key.stage, Stage::Back(_)) && self.plan.inputs[*at].trigger == Trigger::Press {
                self.will_press(*at, key.pose);
            }
        }
        self.press(now, pose.looks_left);
        self.group += 1;
        for at in ups {
            let by = By::Press(Origin::Input(*at), self.plan.inputs[*at].tag);
            self.release_sequences(by, order, pose);
        }
        for at in ups {
            let moment = match self.keys[*at].stage {
                Stage::Down => Moment::Released,
                Stage::Back(_) | Stage::Hold(_) => Moment::ReleasedEarly,
                Stage::Up | Stage::Spent => {
                    self.keys[*at].stage = Stage::Up;
                    continue;
                }
            };
            self.keys[*at].stage = Stage::Up;
            self.send(self.plan.inputs[*at].tag, moment, Origin::Input(*at), now, order, pose);
        }
    }

    /// Inputs go down, those with the most parts first, and the stick to a new way. `shared`: as parts of chords they wait.
    fn go_down(&mut self, now: f64, order: u64, pose: Pose, way: Option<Way>, downs: &[usize], shared: bool) {
        self.scratch().pressing.clear();
        for at in downs {
            let key = &mut self.keys[*at];
            (key.since, key.order, key.pose) = (now, order, pose);
            key.stage = Stage::Up;
        }
        for at in downs {
            if shared && self.plan.inputs[*at].chord_seconds > 0.0 {
                self.spend_parts(*at, downs);
            }
            if self.keys[*at].stage == Stage::Spent {
                continue;
            }
            let wait = if shared { self.plan.held_back[*at] } else { 0.0 };
            if wait > 0.0 {
                self.keys[*at].stage = Stage::Back(now + wait);
            } else if let Trigger::Hold(seconds) = self.plan.inputs[*at].trigger {
                self.keys[*at].stage = Stage::Hold(now + seconds);
            } else {
                self.will_press(*at, pose);
            }
        }
        self.group += 1;
        if let Some(way) = way {
            self.lean(now, order, pose, way);
        }
        self.press_in_group(now, pose.looks_left);
    }

    /// A chord is complete: its parts send nothing, if they go down now or were held back for it.
    fn spend_parts(&mut self, chord: usize, downs: &[usize]) {
        for part in 0..self.keys.len() {
            let fresh = downs.contains(&part) || matches!(self.keys[part].stage, Stage::Back(_));
            if fresh && self.plan.is_part(part, chord) {
                self.keys[part].stage = Stage::Spent;
            }
        }
    }

    fn will_press(&mut self, at: usize, pose: Pose) {
        let key = &mut self.keys[at];
        key.stage = Stage::Down;
        let tag = self.plan.inputs[at].tag;
        let (since, order) = (key.since, key.order);
        self.scratch().pressing.push(Pressing { tag, origin: Origin::Input(at), since, order, pose });
    }

    /// Sends the presses that were gathered as one group.
    fn press(&mut self, now: f64, looks_left: bool) {
        self.group += 1;
        self.press_in_group(now, looks_left);
    }

    /// Sequences that they complete come first.
    fn press_in_group(&mut self, now: f64, looks_left: bool) {
        if self.scratch().pressing.is_empty() {
            return;
        }
        let pressing = std::mem::take(&mut self.scratch().pressing);
        let plan = self.plan.clone();
        for at in &plan.longest {
            let spec = &plan.sequences[*at];
            let leaning = self.seen(spec, self.leaning, looks_left);
            let mut last = None;
            for one in &pressing {
                if self.progress[*at].press(spec, leaning, one.tag, now) {
                    last = Some(one);
                }
            }
            if let Some(one) = last {
                let by = By::Press(one.origin, one.tag);
                self.fire(*at, by, now, one.order, one.pose);
            }
        }
        for one in &pressing {
            self.send(one.tag, Moment::Pressed, one.origin, one.since, one.order, one.pose);
        }
        self.scratch().pressing = pressing;
    }

    /// The stick goes to another way.
    fn lean(&mut self, now: f64, order: u64, pose: Pose, way: Way) {
        self.release_sequences(By::Stick, order, pose);
        self.group += 1;
        let plan = self.plan.clone();
        for at in &plan.longest {
            let spec = &plan.sequences[*at];
            let old = self.seen(spec, self.leaning, pose.looks_left);
            let new = self.seen(spec, Leaning { way, since: now }, pose.looks_left);
            if self.progress[*at].lean(spec, old, new.way, now) {
                self.fire(*at, By::Stick, now, order, pose);
            }
        }
        self.leaning = Leaning { way, since: now };
    }

    fn fire(&mut self, at: usize, by: By, now: f64, order: u64, pose: Pose) {
        self.progress[at].reset();
        self.fired.retain(|fired| fired.sequence != at);
        self.fired.push(Fired { sequence: at, by });
        self.send(self.plan.sequences[at].output, Moment::Pressed, Origin::Sequence(at), now, order, pose);
    }

    /// What came last of some sequences goes: their inputs are released.
    fn release_sequences(&mut self, by: By, order: u64, pose: Pose) {
        if self.fired.is_empty() {
            return;
        }
        let plan = self.plan.clone();
        for at in &plan.longest {
            let known = self.fired.iter().position(|fired| fired.sequence == *at && fired.by == by);
            if let Some(known) = known {
                self.fired.remove(known);
                let tag = plan.sequences[*at].output;
                self.send(tag, Moment::Released, Origin::Sequence(*at), 0.0, order, pose);
            }
        }
    }

    /// The way of the stick as a sequence sees it.
    pub(super) fn seen(&self, spec: &SequenceSpec, leaning: Leaning, looks_left: bool) -> Leaning {
        let way = if spec.mirrored && looks_left { leaning.way.mirrored() } else { leaning.way };
        Leaning { way, ..leaning }
    }

    fn send(&mut self, tag: TagId, moment: Moment, origin: Origin, since: f64, order: u64, pose: Pose) {
        let Pose { stick, direction, .. } = pose;
        let group = self.group;
        self.entries.push_back(Entry { tag, moment, stick, direction, group, order, origin, since });
    }

    /// Time has come to `now`: holds that are long enough, presses whose chord did not come.
    pub fn reach(&mut self, now: f64) {
        if self.next.is_none_or(|next| !expired(now, next)) {
            return;
        }
        self.reach_sequences(now);
        while let Some(order) = self.first_due(now) {
            self.scratch().pressing.clear();
            let plan = self.plan.clone();
            for at in &plan.ranked {
                let key = self.keys[*at];
                if key.order == order && key.due().is_some_and(|due| expired(now, due)) {
                    self.ripen(*at, now);
                }
            }
            self.press(now, self.pose.looks_left);
        }
        self.look_ahead();
    }

    /// The event whose inputs are due first.
    fn first_due(&self, now: f64) -> Option<u64> {
        let due = self.keys.iter().filter_map(|key| key.due().map(|due| (due, key.order)));
        let due = due.filter(|(due, _)| expired(now, *due));
        due.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))).map(|(_, order)| order)
    }

    fn ripen(&mut self, at: usize, now: f64) {
        let key = self.keys[at];
        match (key.stage, self.plan.inputs[at].trigger) {
            (Stage::Back(_), Trigger::Press) => self.will_press(at, key.pose),
            (Stage::Back(until), Trigger::Hold(seconds)) if !expired(now, key.since + seconds) => {
                self.keys[at].stage = Stage::Hold(until.max(key.since + seconds));
            }
            _ => self.will_press(at, self.pose),
        }
    }

    fn reach_sequences(&mut self, now: f64) {
        let plan = self.plan.clone();
        self.group += 1;
        for at in &plan.longest {
            let spec = &plan.sequences[*at];
            let leaning = self.seen(spec, self.leaning, self.pose.looks_left);
            if self.progress[*at].pass(spec, leaning, now) {
                self.fire(*at, By::Stick, now, self.order, self.pose);
            }
        }
    }

    /// A script presses or releases an input, as its button would; without a direction it is where the player moves.
    pub fn push(&mut self, tag: TagId, pressed: bool, direction: Option<DVec2>, now: f64) -> Pushed {
        self.order += 1;
        let order = self.order;
        let direction = direction.filter(|direction| direction.is_finite());
        let pose = Pose { direction: direction.unwrap_or(self.pose.direction), ..self.pose };
        let before = self.entries.len();
        match self.plan.input_of(tag) {
            Some(at) => self.push_input(at, pressed, now, order, pose),
            None => self.push_tag(tag, pressed, now, order, pose),
        }
        self.look_ahead();
        let waits = pressed && self.plan.input_of(tag).is_some_and(|at| self.keys[at].order == order);
        if self.entries.len() > before {
            Pushed::Sent
        } else if waits {
            Pushed::Waits
        } else {
            Pushed::Nothing
        }
    }

    fn push_input(&mut self, at: usize, pressed: bool, now: f64, order: u64, pose: Pose) {
        let full = self.plan.inputs[at].full();
        let was = self.keys[at].is_down(full);
        self.keys[at].pushed = pressed;
        match (was, self.keys[at].is_down(full)) {
            (false, true) => self.go_down(now, order, pose, None, &[at], false),
            (true, false) => self.go_up(now, order, pose, &[at]),
            _ => {}
        }
    }

    fn push_tag(&mut self, tag: TagId, pressed: bool, now: f64, order: u64, pose: Pose) {
        let known = self.pushed.iter().position(|pushed| *pushed == tag);
        self.group += 1;
        match known {
            None if pressed => {
                self.pushed.push(tag);
                self.scratch().pressing.clear();
                let press = Pressing { tag, origin: Origin::Script, since: now, order, pose };
                self.scratch().pressing.push(press);
                self.press_in_group(now, pose.looks_left);
            }
            Some(at) if !pressed => {
                self.pushed.swap_remove(at);
                self.release_sequences(By::Press(Origin::Script, tag), order, pose);
                self.send(tag, Moment::Released, Origin::Script, now, order, pose);
            }
            _ => {}
        }
    }

    /// All that devices hold is released, each by itself; what is not pressed yet is forgotten.
    pub(super) fn let_go(&mut self, now: f64) {
        for at in 0..self.keys.len() {
            self.keys[at].mask = 0;
            if !self.keys[at].pushed {
                self.drop_key(at, now);
            }
        }
        self.group += 1;
        self.release_sequences(By::Stick, self.order, self.pose);
        self.leaning = Leaning { way: Way::Neutral, since: now };
        self.lean_back();
    }

    /// Takes what the hands do without having heard how it came to that.
    pub(super) fn settle(&mut self, now: f64) {
        for at in 0..self.keys.len() {
            let full = self.plan.inputs[at].full();
            let was = self.keys[at].is_down(full);
            self.keys[at].mask = self.hands.mask(at);
            match (was, self.keys[at].is_down(full)) {
                (true, false) => self.drop_key(at, now),
                (false, true) => self.keys[at].stage = Stage::Spent,
                _ => {}
            }
        }
        let way = Way::of(self.pose.stick, 0.0);
        if way != self.leaning.way {
            self.group += 1;
            self.release_sequences(By::Stick, self.order, self.pose);
            self.leaning = Leaning { way, since: now };
            self.lean_back();
        }
    }

    /// All that sequences hold is released.
    pub(super) fn release_all_sequences(&mut self) {
        for fired in std::mem::take(&mut self.fired) {
            let tag = self.plan.sequences[fired.sequence].output;
            self.group += 1;
            self.send(tag, Moment::Released, Origin::Sequence(fired.sequence), 0.0, self.order, self.pose);
        }
    }

    fn drop_key(&mut self, at: usize, now: f64) {
        let tag = self.plan.inputs[at].tag;
        let was = std::mem::take(&mut self.keys[at].stage);
        self.group += 1;
        self.release_sequences(By::Press(Origin::Input(at), tag), self.order, self.pose);
        if was == Stage::Down {
            self.send(tag, Moment::Released, Origin::Input(at), now, self.order, self.pose);
        }
    }
}
