//! Device events in the order they came in, until a tick works them off.

use std::collections::VecDeque;

use glam::DVec2;

use super::hands::{SourceId, Strength};
use super::keys::Pose;
use super::plan::{InputPlan, Stay};
use crate::graph::direction::Way;

/// How many events wait for a tick. Further presses are refused.
pub const QUEUE_LENGTH: usize = 64;

/// What a device did.
#[derive(Clone, Copy, Debug)]
pub struct DeviceEvent<'a> {
    /// The key, button or axis.
    pub source: SourceId,
    /// The actions of the map that it pushes, and how strongly; 0: not any more.
    pub strengths: &'a [Strength],
    /// Where a stick that is pushed up points on the plane. Length 1.
    pub forward: DVec2,
    /// The character looks to the left, for sequences that are mirrored.
    pub looks_left: bool,
}

/// What became of a device event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// It changes nothing that the map asks for.
    Nothing,
    /// It waits for the next tick.
    Queued,
    /// Too many wait; it is refused.
    Full,
}

/// What waits.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    /// An event with so many changes, and the new way of the stick.
    Event { changes: usize, order: u64, pose: Pose, way: Option<Way> },
    /// The window lost the focus.
    Lost,
}

/// An input whose parts are down in another way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    pub input: usize,
    pub mask: u32,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    items: VecDeque<Item>,
    changes: VecDeque<Change>,
}

impl Queue {
    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn push(&mut self, item: Item, changes: &[Change]) {
        self.items.push_back(item);
        self.changes.extend(changes);
    }

    /// The next item; its changes are put into `changes`.
    pub fn pop(&mut self, changes: &mut Vec<Change>) -> Option<Item> {
        changes.clear();
        let item = self.items.pop_front()?;
        if let Item::Event { changes: count, .. } = item {
            changes.extend(self.changes.drain(..count));
        }
        Some(item)
    }

    /// Leaves out what does not outlast a pause.
    pub fn pause(&mut self, plan: &InputPlan) {
        let all = std::mem::take(self);
        let mut changes = all.changes.into_iter();
        for item in all.items {
            let Item::Event { changes: count, order, pose, way } = item else {
                self.items.push_back(item);
                continue;
            };
            let kept = changes
                .by_ref()
                .take(count)
                .filter(|change| plan.inputs[change.input].policy.in_pause != Stay::Drop);
            let before = self.changes.len();
            self.changes.extend(kept);
            let changes = self.changes.len() - before;
            if changes > 0 || way.is_some() {
                self.items.push_back(Item::Event { changes, order, pose, way });
            }
        }
    }

    pub fn clear(&mut self) {
        self.items.clear();
        self.changes.clear();
    }
}
