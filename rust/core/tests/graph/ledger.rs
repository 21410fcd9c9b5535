//! What must hold of everything that a player tells, whatever happens.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use riposte_core::graph::{Effect, Graph, Moment};
use riposte_core::tags::TagId;

/// What was told so far.
#[derive(Debug, Default)]
pub struct Ledger {
    /// Runs that have started.
    started: BTreeSet<u64>,
    /// The run that plays, from the start of its payload or its first hook on.
    current: Option<u64>,
    /// Hooks of the current run that have entered.
    hooks: BTreeSet<u32>,
    payload: Option<u64>,
    windows: BTreeSet<Arc<str>>,
    applied: BTreeMap<TagId, i32>,
    running: i32,
    pub starts: u64,
    pub ends: u64,
    pub resets: u64,
    /// Inputs that began to wait, and those of them that were dropped.
    pub buffered: i64,
    pub given_up: i64,
    pub live_drops: i64,
}

pub type Verdict = Result<(), String>;

impl Ledger {
    /// Takes an effect in.
    pub fn take(&mut self, effect: &Effect, graph: &Graph) -> Verdict {
        match effect {
            Effect::HookEnter { run, hook, .. } => {
                self.begin(*run)?;
                ensure(self.hooks.insert(*hook), || format!("hook {hook} enters twice"))?;
            }
            Effect::HookExit { run, hook, .. } => {
                self.is_current(*run, "a hook exits")?;
                ensure(self.hooks.remove(hook), || format!("hook {hook} exits and is not there"))?;
            }
            Effect::HookTick { run, hook, .. } => {
                self.is_current(*run, "a hook ticks")?;
                ensure(self.hooks.contains(hook), || format!("hook {hook} ticks and is not there"))?;
            }
            Effect::PayloadStart { run, .. } => {
                self.begin(*run)?;
                ensure(self.payload.replace(*run).is_none(), || "two payloads".to_owned())?;
            }
            Effect::PayloadStop { run, .. } => {
                self.is_current(*run, "a payload stops")?;
                self.payload = None;
            }
            Effect::Started { run, .. } => {
                self.begin(*run)?;
                ensure(self.started.insert(*run), || format!("run {run} starts twice"))?;
                self.starts += 1;
            }
            Effect::Ended { run, node, .. } => {
                self.is_current(*run, "a run ends")?;
                ensure(self.started.contains(run), || format!("run {run} ends and did not start"))?;
                let left = self.hooks.len() + usize::from(self.payload.is_some()) + self.windows.len();
                ensure(left == 0, || {
                    format!("run {run} of {} ends and leaves things behind", graph.node(*node).id)
                })?;
                self.current = None;
                self.ends += 1;
            }
            other => return self.take_other(other),
        }
        Ok(())
    }

    fn take_other(&mut self, effect: &Effect) -> Verdict {
        match effect {
            Effect::WindowOpened(kind) => {
                ensure(self.windows.insert(kind.clone()), || format!("window {kind} opens twice"))?;
            }
            Effect::WindowClosed(kind) => {
                ensure(self.windows.remove(kind), || format!("window {kind} closes and is not open"))?;
            }
            Effect::GraphReset => {
                ensure(self.current.is_none(), || "the root is reached while a move runs".to_owned())?;
                self.resets += 1;
            }
            Effect::Tags { add, remove, running } => {
                add.iter().for_each(|tag| *self.applied.entry(*tag).or_default() += 1);
                remove.iter().for_each(|tag| *self.applied.entry(*tag).or_default() -= 1);
                self.running += match running {
                    riposte_core::graph::RunningTag::Added => 1,
                    riposte_core::graph::RunningTag::Removed => -1,
                    riposte_core::graph::RunningTag::Stays => 0,
                };
                ensure(self.running == 0 || self.running == 1, || {
                    format!("running tag {} times", self.running)
                })?;
                ensure(self.applied.values().all(|count| *count >= 0), || "tags below nothing".to_owned())?;
            }
            Effect::InputBuffered { .. } => self.buffered += 1,
            Effect::InputDropped { live, .. } => {
                *(if *live { &mut self.live_drops } else { &mut self.given_up }) += 1;
            }
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, run: u64) -> Verdict {
        if self.current == Some(run) {
            return Ok(());
        }
        ensure(self.current.is_none(), || format!("run {run} begins while {:?} runs", self.current))?;
        ensure(!self.started.contains(&run), || format!("run {run} begins again"))?;
        self.current = Some(run);
        Ok(())
    }

    fn is_current(&self, run: u64, what: &str) -> Verdict {
        ensure(self.current == Some(run), || format!("{what} of run {run}, {:?} runs", self.current))
    }

    /// At rest nothing is left.
    pub fn at_rest(&self) -> Verdict {
        ensure(self.current.is_none() && self.starts == self.ends, || {
            format!("something still runs: {self:?}")
        })?;
        ensure(self.running == 0, || "the running tag stays".to_owned())?;
        ensure(self.applied.values().all(|count| *count == 0), || "tags of moves stay".to_owned())
    }
}

/// `Ok` if it holds.
pub fn ensure(holds: bool, fault: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(fault()) }
}

/// True for what is told in every tick, so that it depends on their number.
pub fn is_per_tick(effect: &Effect) -> bool {
    matches!(effect, Effect::HookTick { .. } | Effect::Drain { .. } | Effect::Walked(_))
}

/// What an input should have told at once, for each result.
pub fn tells(effect: &Effect, tag: TagId, moment: Moment) -> (i64, i64) {
    match effect {
        Effect::InputBuffered { tag: of, moment: at } if *of == tag && *at == moment => (1, 0),
        Effect::InputDropped { tag: of, moment: at, live: true, .. } if *of == tag && *at == moment => (0, 1),
        _ => (0, 0),
    }
}
