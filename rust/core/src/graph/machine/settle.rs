//! What follows when a node, or the root, was entered.

use super::entry::Entry;
use super::state::Machine;
use super::walk::{Mode, Origin};
use crate::graph::parts::PartsWorld;
use crate::graph::{Drop, FiresOn, Moment};
use crate::tags::TagId;

/// Waiting inputs are walked again, then the release that was missed, then the next item of a sequence, then a move that is over
/// already completes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Settle {
    stage: Stage,
    /// The last input that was walked again.
    cursor: u64,
    /// The press that led here, with its place.
    press: Option<(TagId, glam::DVec2, glam::DVec2)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Off,
    Waiting,
    Release,
    Sequence,
    Done,
}

impl Settle {
    pub fn is_on(&self) -> bool {
        self.stage != Stage::Off
    }

    pub fn stop(&mut self) {
        self.stage = Stage::Off;
    }
}

impl Machine {
    /// Waiting inputs that are older than the one that acted are gone.
    pub(super) fn begin_settle(&mut self, acting: Option<&Entry>) {
        let cursor = acting.map_or(0, |entry| entry.seq);
        while let Some(at) = self.waiting.iter().position(|entry| entry.seq < cursor) {
            let entry = self.waiting.remove(at);
            self.tell_dropped(&entry, Drop::Superseded, false);
        }
        let press = acting.filter(|entry| entry.is_press());
        let press = press.map(|entry| (entry.tag, entry.stick, entry.direction));
        self.turn.settle = Settle { stage: Stage::Waiting, cursor, press };
    }

    pub(super) fn step_settle(&mut self, world: &PartsWorld) {
        let settle = &mut self.turn.settle;
        match settle.stage {
            Stage::Off => {}
            Stage::Waiting => {
                let cursor = settle.cursor;
                match self.waiting.iter().find(|entry| entry.seq > cursor).copied() {
                    Some(entry) => {
                        settle.cursor = entry.seq;
                        self.walk_waiting(entry, Mode::Full);
                    }
                    None => settle.stage = Stage::Release,
                }
            }
            Stage::Release => {
                settle.stage = Stage::Sequence;
                self.resync();
            }
            Stage::Sequence => {
                settle.stage = Stage::Done;
                self.send_next_item(world);
            }
            Stage::Done => {
                settle.stage = Stage::Off;
                if self.run.as_ref().is_some_and(|run| run.done) {
                    self.complete();
                }
            }
        }
    }

    /// A node that was entered by a press that is up by now, and that waits for its release, gets it.
    fn resync(&mut self) {
        let Some((tag, stick, direction)) = self.turn.settle.press else { return };
        let (Some(run), Some(graph)) = (&self.run, &self.graph) else { return };
        if run.deleted || !graph.resync_releases || self.recorder.is_held(tag) {
            return;
        }
        let lineage = self.lineages.of(&tag);
        let waits = |input: Option<TagId>| input.is_some_and(|input| lineage.contains(&input));
        if !run.plan().ranked(FiresOn::Released).iter().any(|rank| waits(rank.input)) {
            return;
        }
        let mut entry = self.arrival(tag, Moment::Released, stick, direction);
        entry.sequence = 0;
        self.walk_live(entry, Origin::Own);
    }
}
