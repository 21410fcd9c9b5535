//! The shapes of the machine until it is here.
#![allow(missing_docs, unused, clippy::all)]
use super::run_parts::*;
use glam::DVec2;
use godot::prelude::*;
use riposte_core::graph::input::Recorder;
use riposte_core::graph::parts::PartsWorld;
use riposte_core::graph::*;
use riposte_core::tags::{TagId, TagTable};
use std::rc::Rc;
use std::sync::Arc;
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    pub time_scale: f64,
    pub action_speed: f64,
    pub global_block_tags: Vec<TagId>,
    pub turns_to_input: bool,
}
#[derive(Clone, Debug, Default)]
pub struct Machine {
    s: Settings,
    r: Recorder,
}
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    pub tag: TagId,
    pub moment: Moment,
    pub direction: Option<DVec2>,
    pub stick: Option<DVec2>,
}
#[derive(Clone, Debug)]
pub enum Call {
    Input(Press),
    Push { tag: TagId, pressed: bool, direction: Option<DVec2> },
    Interrupt,
    OpenWindow(Arc<str>),
    CloseWindow(Arc<str>),
    Freeze(f64),
    Unfreeze,
    QueueSequence { mode: SequenceMode, items: Vec<Press> },
    CancelSequence(i64),
    ClearBuffer,
    Finish(u64),
    Cancel(u64),
    RunOpen(u64, Arc<str>),
    RunClose(u64, Arc<str>),
    RunTimes(u64, Arc<MoveTimes>),
    SetGraph(Option<Arc<Graph>>, Arc<Binding>),
    Edit(Arc<Graph>, Arc<Binding>),
    Rebind(Arc<Binding>),
    SetCooldown { key: Arc<str>, seconds: f64, charges: i64 },
    ResetCooldowns,
    InputOff,
    Pause,
}
#[derive(Clone, Copy, Debug)]
pub struct Receipt(u64);
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reply {
    Input(InputResult),
    None,
    Flag(bool),
    Handle(i64),
    Count(u32),
}
#[derive(Clone, Debug, PartialEq)]
pub struct RunInfo {
    pub run: u64,
    pub node: u32,
    pub deleted: bool,
    pub from: u32,
    pub tag: Option<TagId>,
    pub moment: FiresOn,
    pub stick: DVec2,
    pub direction: DVec2,
    pub window_kind: Arc<str>,
    pub variant: u8,
    pub node_time: f64,
    pub time_left: f64,
    pub restored: bool,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Taken,
    Outranked,
    Waits,
    Locked,
    MissingTag(TagId),
    BlockedTag(TagId),
    NoKind,
    NotBuffered,
    Hidden(u32),
    Condition(u32),
    Recorded,
    Failed(Fail),
}
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WireReport {
    pub node: u32,
    pub wire: u32,
    pub verdict: Verdict,
}
#[derive(Clone, Debug)]
pub struct InputReport {
    pub tag: Option<TagId>,
    pub moment: FiresOn,
    pub live: bool,
    pub node: u32,
    pub node_time: f64,
    pub window_open: bool,
    pub answered: bool,
    pub root_answers: bool,
    pub stop: Stop,
    pub result: InputResult,
    pub why: Option<Drop>,
    pub wires: Vec<WireReport>,
    pub graph: Option<Arc<Graph>>,
}
impl Machine {
    pub fn settings(&self) -> &Settings {
        &self.s
    }
    pub fn set_settings(&mut self, s: Settings) {}
    pub fn set_time_scale(&mut self, s: f64) {}
    pub fn set_action_speed(&mut self, s: f64) {}
    pub fn graph(&self) -> Option<&Arc<Graph>> {
        None
    }
    pub fn recorder(&self) -> &Recorder {
        &self.r
    }
    pub fn recorder_mut(&mut self) -> &mut Recorder {
        &mut self.r
    }
    pub fn learn(&mut self, t: &TagTable, tag: TagId) {}
    pub fn looped(&self) -> &[u32] {
        &[]
    }
    pub fn call(&mut self, c: Call) -> Receipt {
        Receipt(0)
    }
    pub fn begin_turn(&mut self) -> bool {
        false
    }
    pub fn next(&mut self, w: &PartsWorld) -> Option<Effect> {
        None
    }
    pub fn result(&self, r: Receipt) -> Reply {
        Reply::None
    }
    pub fn advance(&mut self, d: f64) -> bool {
        false
    }
    pub fn quiet(&mut self, d: f64) -> bool {
        false
    }
    pub fn wants_tick(&self) -> bool {
        false
    }
    pub fn is_current(&self, r: u64) -> bool {
        false
    }
    pub fn in_turn(&self) -> bool {
        false
    }
    pub fn leave_tree(&mut self, q: bool) {}
    pub fn answer(&mut self, t: Ticket, a: Answer) {}
    pub fn run(&self) -> Option<RunInfo> {
        None
    }
    pub fn node_time(&self) -> f64 {
        0.0
    }
    pub fn is_frozen(&self) -> bool {
        false
    }
    pub fn is_buffered(&self, t: TagId) -> bool {
        false
    }
    pub fn remaining_cooldown(&self, k: &str) -> f64 {
        0.0
    }
    pub fn charges(&self, k: &str) -> Option<u32> {
        None
    }
    pub fn last_report(&self) -> Option<&InputReport> {
        None
    }
}
