//! Performs the steps as an engine would, writes them down, and misbehaves where a test says so.

use std::collections::BTreeMap;

use riposte_core::behavior::{BehaviorStack, LayerId, RouteId, SetRefusal, Signal, Step};
use riposte_core::runner::RunnerStatus;

/// What a script does when a line is written.
#[derive(Clone, Debug)]
pub enum Act {
    Set(&'static str, i64),
    Remove(RouteId),
    Finish(RouteId, RunnerStatus),
    Free(i64),
    Enable(bool),
    Layers(&'static [&'static str]),
    Close,
    Open,
}

#[derive(Default)]
pub struct Play {
    pub core: BehaviorStack,
    pub lines: Vec<String>,
    /// Line and what happens when it is written, once.
    pub acts: Vec<(String, Act)>,
    /// Behaviours that end in their tick, and how.
    pub ends: BTreeMap<i64, RunnerStatus>,
    pub loops: Vec<i64>,
    /// Behaviours whose node was freed.
    pub gone: Vec<i64>,
    names: BTreeMap<RouteId, i64>,
}

impl Play {
    /// The three usual layers, ready.
    pub fn new() -> Self {
        let mut play = Self::default();
        play.core.set_layers(&["Unit", "Squad", "Command"].map(str::to_owned));
        play.core.open();
        play
    }

    pub fn on(&mut self, line: &str, act: Act) {
        self.acts.push((line.to_owned(), act));
    }

    /// The route, 0 if it was refused.
    pub fn set(&mut self, layer: &str, behavior: i64) -> RouteId {
        self.try_set(layer, behavior).unwrap_or(0)
    }

    pub fn try_set(&mut self, layer: &str, behavior: i64) -> Result<RouteId, SetRefusal> {
        let route = self.core.set(layer, behavior)?;
        self.names.insert(route, behavior);
        self.drain();
        Ok(route)
    }

    pub fn perform(&mut self, act: &Act) {
        match *act {
            Act::Set(layer, behavior) => drop(self.try_set(layer, behavior)),
            Act::Remove(route) => drop(self.core.remove(route)),
            Act::Finish(route, status) => {
                let loops = self.loops.contains(&self.name(route));
                self.core.ended(route, status, loops);
            }
            Act::Free(behavior) => self.gone.push(behavior),
            Act::Enable(enabled) => self.core.set_enabled(enabled),
            Act::Layers(names) => {
                self.core.set_layers(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
            }
            Act::Close => {
                self.core.close();
                self.run();
                return;
            }
            Act::Open => self.core.open(),
        }
        self.drain();
    }

    pub fn tick(&mut self) {
        for route in self.core.routes() {
            if self.gone.contains(&self.name(route)) {
                self.core.freed(route);
            }
        }
        if self.core.tick() {
            self.drain();
        }
    }

    /// What was written since.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.lines).join(" ")
    }

    pub fn active(&self) -> &str {
        self.core.active_layer().map_or("", |layer| self.core.layer_name(layer))
    }

    fn name(&self, route: RouteId) -> i64 {
        self.names.get(&route).copied().unwrap_or(0)
    }

    fn drain(&mut self) {
        if self.core.begin_turn() {
            self.run();
            self.core.end_turn();
        }
    }

    fn run(&mut self) {
        while let Some(step) = self.core.take_step() {
            self.step(step);
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Tick(route) => {
                let behavior = self.name(route);
                self.write(format!("tick({behavior})"));
                if let Some(status) = self.ends.get(&behavior).copied() {
                    self.core.ended(route, status, self.loops.contains(&behavior));
                }
            }
            Step::Enter(route) => self.write(format!("enter({})", self.name(route))),
            Step::Suspend(route) => self.write(format!("suspend({})", self.name(route))),
            Step::Resume(route) => self.write(format!("resume({})", self.name(route))),
            Step::Exit(route, reason) => self.write(format!("exit({},{})", self.name(route), reason.code())),
            Step::Over(route, reason) => self.write(format!("over({route},{})", reason.code())),
            Step::Tell(signal) => self.write(self.told(signal)),
        }
    }

    fn told(&self, signal: Signal) -> String {
        let layer = |layer: LayerId| self.core.layer_name(layer);
        let or_none = |layer: Option<LayerId>| layer.map_or("-", |layer| self.core.layer_name(layer));
        match signal {
            Signal::Entered(on, route) => format!("entered({},{route})", layer(on)),
            Signal::Suspended(on, route) => format!("suspended({},{route})", layer(on)),
            Signal::Resumed(on, route) => format!("resumed({},{route})", layer(on)),
            Signal::Exited(on, route, reason) => format!("exited({},{route},{})", layer(on), reason.code()),
            Signal::ActiveChanged(old, new) => format!("active({}→{})", or_none(old), or_none(new)),
        }
    }

    fn write(&mut self, line: String) {
        let at = self.acts.iter().position(|(wanted, _)| *wanted == line);
        self.lines.push(line);
        if let Some(at) = at {
            let (_, act) = self.acts.remove(at);
            self.perform(&act);
        }
    }
}
