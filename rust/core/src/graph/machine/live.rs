//! Another graph, an edited graph, other animations.

use std::sync::Arc;

use super::change::{Change, Removal};
use super::open::OpenWindow;
use super::state::Machine;
use crate::graph::{Binding, Effect, Graph, MoveEnd, MoveTimes, RunningTag};

impl Machine {
    /// What runs is removed, then the other graph is there.
    pub(super) fn swap_graph(&mut self, graph: Option<Arc<Graph>>, binding: Arc<Binding>) {
        self.end_sequence(MoveEnd::Interrupted);
        self.clear_waiting();
        self.turn.next_graph = Some((graph, binding));
        if self.run.is_some() {
            self.begin_change(Change::removed(Removal::Swap));
        } else {
            self.swapped(true);
        }
    }

    /// Nothing runs any more: the graph that waits takes over, with a word or without.
    pub(super) fn swapped(&mut self, tells: bool) {
        let Some((graph, binding)) = self.turn.next_graph.take() else { return };
        if let Some(graph) = &graph {
            self.cooldowns.know(graph.cooldowns());
        }
        self.graph = graph;
        self.binding = binding;
        self.grace = None;
        if tells {
            self.tell(Effect::GraphChanged);
        }
    }

    /// What runs is found again by its name, and goes on.
    pub(super) fn edit_graph(&mut self, graph: Arc<Graph>, binding: Arc<Binding>) {
        self.cooldowns.know(graph.cooldowns());
        let old = self.graph.replace(graph.clone());
        if let (Some(grace), Some(old)) = (&mut self.grace, &old) {
            let found = graph.find(&old.node(grace.node).id);
            match found {
                Some(node) => grace.node = node,
                None => self.grace = None,
            }
        }
        if let Some(run) = &mut self.run {
            if let Some(old) = old.filter(|_| !run.deleted) {
                run.from = graph.find(&old.node(run.from).id).unwrap_or(0);
            }
            self.find_run_again(&graph);
        }
        self.rebind(binding);
    }

    fn find_run_again(&mut self, graph: &Arc<Graph>) {
        let Some(run) = &mut self.run else { return };
        match graph.find(&run.plan().id) {
            Some(node) if !run.deleted => {
                let before = run.graph.node(run.node);
                let after = graph.node(node);
                // Locks stay with the transitions of the same name.
                let again = |at: &u32| {
                    let id = &before.wires.get(*at as usize)?.id;
                    after.wires.iter().position(|wire| wire.id == *id).map(|at| at as u32)
                };
                self.locked = self.locked.iter().filter_map(again).collect();
                let (add, remove) = (after.applied.clone(), before.applied.clone());
                run.node = node;
                run.graph = graph.clone();
                if add != remove {
                    self.tell(Effect::Tags { add, remove, running: RunningTag::Stays });
                }
            }
            _ => {
                run.deleted = true;
                self.locked.clear();
            }
        }
    }

    /// The animations are others: windows are as they would be by now.
    pub(super) fn rebind(&mut self, binding: Arc<Binding>) {
        self.binding = binding;
        let Some(run) = self.run.as_ref().filter(|run| !run.deleted && !run.plan().is_asked()) else {
            return;
        };
        let (graph, node, variant) = (run.graph.clone(), run.node, run.variant);
        let times = self.times_of(&graph, node, variant);
        self.retime(times);
    }

    fn retime(&mut self, times: Arc<MoveTimes>) {
        let Some(run) = &mut self.run else { return };
        let time = self.clock.node;
        let origin = if times.period > 0.0 { (time / times.period).floor() * times.period } else { 0.0 };
        run.set_times(times, origin, time);
        self.reopen();
    }

    /// Windows as they would be by now: what should not be open closes, what should be opens in its turn.
    pub(super) fn reopen(&mut self) {
        let Some(run) = &self.run else { return };
        let before = self.open.kinds();
        let from_entry = self.has_entry_window();
        self.open.keep_scripted();
        let opens = from_entry && !before.iter().any(|kind| kind.is_empty());
        if from_entry {
            self.open.add(OpenWindow { kind: Arc::default(), until: f64::INFINITY, scripted: false });
        }
        let due = |window: &&crate::graph::Window| {
            let (start, end) = (run.origin + window.start, run.origin + window.end);
            start <= self.clock.node && end > self.clock.node + crate::time::TIME_TOLERANCE
        };
        let kept: Vec<OpenWindow> = run
            .times
            .windows
            .iter()
            .filter(due)
            .filter(|window| before.contains(&window.kind))
            .map(|window| OpenWindow {
                kind: window.kind.clone(),
                until: run.origin + window.end,
                scripted: false,
            })
            .collect();
        for window in kept {
            self.open.add(window);
        }
        for kind in before {
            if !self.open.has(&kind) {
                self.tell(Effect::WindowClosed(kind));
            }
        }
        if opens {
            self.tell(Effect::WindowOpened(Arc::default()));
            self.scan_window(Arc::default());
        }
    }

    /// The running node has no plain window of its own and is open from its start.
    pub(super) fn has_entry_window(&self) -> bool {
        self.run.as_ref().is_some_and(|run| run.plan().from_entry && !run.times.has_plain_window())
    }
}
