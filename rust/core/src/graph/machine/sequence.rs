//! Sequences of inputs that a script queues.

use super::calls::Press;
use super::change::{Change, Removal};
use super::state::Machine;
use super::walk::Origin;
use crate::graph::parts::PartsWorld;
use crate::graph::{Effect, MoveEnd, SequenceMode};

/// The sequence that is going on.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sequence {
    pub handle: i64,
    pub mode: SequenceMode,
    pub items: Vec<Press>,
    pub next: usize,
    /// An item is on its way.
    pub waits: bool,
}

impl Machine {
    /// Begins a sequence; what went on before is cancelled.
    pub(super) fn begin_sequence(
        &mut self,
        mode: SequenceMode,
        items: Vec<Press>,
        world: &PartsWorld,
    ) -> i64 {
        self.end_sequence(MoveEnd::Cancelled);
        let handle = self.next_handle;
        self.next_handle += 1;
        let sequence = Sequence { handle, mode, items, next: 0, waits: false };
        self.sequence = Some(Box::new(sequence));
        if mode == SequenceMode::Discrete {
            self.send_next_item(world);
        } else {
            self.send_item(world);
        }
        handle
    }

    pub(super) fn end_sequence(&mut self, reason: MoveEnd) -> bool {
        let Some(sequence) = self.sequence.take() else { return false };
        for entry in self.waiting.iter_mut().chain(&mut self.frozen) {
            if entry.sequence == sequence.handle {
                entry.sequence = 0;
            }
        }
        self.tell(Effect::SequenceEnded { handle: sequence.handle, reason });
        true
    }

    /// An item was dropped or blocked.
    pub(super) fn sequence_item_lost(&mut self, handle: i64) {
        if self.sequence.as_ref().is_some_and(|sequence| sequence.handle == handle) {
            self.end_sequence(MoveEnd::Failed);
        }
    }

    /// A change of moves is done: was it an item that did it, or does it cut the sequence.
    pub(super) fn sequence_after(&mut self, change: &Change) {
        let Some(sequence) = &mut self.sequence else { return };
        if change.entry.is_some_and(|entry| entry.sequence == sequence.handle) {
            sequence.waits = false;
            if sequence.next == sequence.items.len() {
                self.end_sequence(MoveEnd::Completed);
            }
        } else if change.removal != Removal::No
            || matches!(change.end, MoveEnd::Cancelled | MoveEnd::Rejected)
        {
            self.end_sequence(MoveEnd::Interrupted);
        }
    }

    /// The next item, if it is its turn: the move of the one before has started, or the root was reached.
    pub(super) fn send_next_item(&mut self, world: &PartsWorld) {
        let Some(sequence) = self.sequence.as_ref().filter(|sequence| !sequence.waits) else { return };
        if sequence.mode == SequenceMode::Chain || self.run.is_none() {
            self.send_item(world);
        }
    }

    fn send_item(&mut self, world: &PartsWorld) {
        let Some(sequence) = &mut self.sequence else { return };
        let Some(press) = sequence.items.get(sequence.next).copied() else { return };
        sequence.next += 1;
        sequence.waits = true;
        let (handle, discrete) = (sequence.handle, sequence.mode == SequenceMode::Discrete);
        self.recorder.mark(press.tag, press.moment, self.clock.now);
        let mut entry = self.arrival_of(&press, world);
        entry.sequence = handle;
        entry.ignores_grace = discrete;
        self.come_in(entry, Origin::Own, world);
    }
}
