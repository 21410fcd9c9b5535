//! Calls as they are written down, with names in place of numbers.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::calls::{Call, Press};
use super::replay::Played;
use super::saved::Saved;
use super::state::Machine;
use crate::graph::{Graph, Moment, SequenceMode};
use crate::tags::{TagId, TagTable};

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
    /// Another graph: its place in [`Replay::graphs`]; -1: none.
    Graph(i64),
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
    /// The graphs that came in after the beginning. To write them down is up to the caller.
    #[serde(skip)]
    pub graphs: Vec<Arc<Graph>>,
}

impl Machine {
    fn read_press(&mut self, press: &RecordedPress, table: &mut TagTable) -> Option<Press> {
        let (name, code, direction, stick) = press;
        let tag = table.intern(name).ok()?;
        self.learn(table, tag);
        let vector = |pair: (f64, f64)| glam::DVec2::new(pair.0, pair.1);
        let moment = Moment::from_code(*code)?;
        Some(Press { tag, moment, direction: direction.map(vector), stick: stick.map(vector) })
    }

    pub(super) fn read_call(&mut self, call: &RecordedCall, table: &mut TagTable) -> Option<Played> {
        Some(Played::Call(match call {
            RecordedCall::Graph(at) => return Some(Played::Graph(usize::try_from(*at).ok())),
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
        }))
    }
}

fn written_press(press: &Press, table: &TagTable) -> RecordedPress {
    let pair = |vector: glam::DVec2| (vector.x, vector.y);
    let name = |tag: TagId| table.name(tag).to_owned();
    (name(press.tag), press.moment.code(), press.direction.map(pair), press.stick.map(pair))
}

/// The place of a graph among those of a recording.
fn place_of(graph: &Arc<Graph>, graphs: &mut Vec<Arc<Graph>>) -> i64 {
    let known = graphs.iter().position(|known| Arc::ptr_eq(known, graph));
    let at = known.unwrap_or_else(|| {
        graphs.push(graph.clone());
        graphs.len() - 1
    });
    at as i64
}

/// `None`: it is made again by whoever made it.
pub(super) fn written(call: &Call, table: &TagTable, graphs: &mut Vec<Arc<Graph>>) -> Option<RecordedCall> {
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
        Call::SetGraph(graph, _) => {
            RecordedCall::Graph(graph.as_ref().map_or(-1, |graph| place_of(graph, graphs)))
        }
        _ => return None,
    })
}
