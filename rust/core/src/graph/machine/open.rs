//! Windows of the running node: which are open, which come next.

use std::sync::Arc;

use super::run::Run;
use crate::graph::{MoveTimes, Window};
use crate::time::TIME_TOLERANCE;

/// A window that is open.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct OpenWindow {
    pub kind: Arc<str>,
    /// Node time at which it closes.
    pub until: f64,
    /// A script opened it.
    pub scripted: bool,
}

/// The open windows of the running node.
#[derive(Clone, Debug, Default)]
pub(super) struct Open {
    pub list: Vec<OpenWindow>,
    plain: usize,
}

impl Open {
    pub fn is_plain_open(&self) -> bool {
        self.plain > 0
    }

    pub fn has(&self, kind: &str) -> bool {
        if kind.is_empty() { self.plain > 0 } else { self.list.iter().any(|window| &*window.kind == kind) }
    }

    /// The first of these kinds that is open.
    pub fn any_of<'a>(&self, kinds: &'a [Arc<str>]) -> Option<&'a Arc<str>> {
        kinds.iter().find(|kind| self.has(kind))
    }

    /// True: no window of this kind was open before.
    pub fn add(&mut self, window: OpenWindow) -> bool {
        let new = !self.has(&window.kind);
        self.plain += usize::from(window.kind.is_empty());
        self.list.push(window);
        new
    }

    /// The kind of the first one, and all of that kind closed.
    pub fn close_first(&mut self) -> Option<Arc<str>> {
        let kind = self.list.first()?.kind.clone();
        self.close_kind(&kind);
        Some(kind)
    }

    /// True: one was open.
    pub fn close_kind(&mut self, kind: &str) -> bool {
        let before = self.list.len();
        self.list.retain(|window| &*window.kind != kind);
        if kind.is_empty() {
            self.plain = 0;
        }
        self.list.len() < before
    }

    /// Closes one whose time is there. `Some(Some(kind))`: none of that kind is open any more.
    pub fn close_due(&mut self, time: f64) -> Option<Option<Arc<str>>> {
        let at = self.list.iter().position(|window| time >= window.until - TIME_TOLERANCE)?;
        let kind = self.list.remove(at).kind;
        self.plain -= usize::from(kind.is_empty());
        Some((!self.has(&kind)).then_some(kind))
    }

    pub fn next_close(&self) -> f64 {
        self.list.iter().fold(f64::INFINITY, |next, window| next.min(window.until))
    }

    /// Takes out what no script opened.
    pub fn keep_scripted(&mut self) {
        self.list.retain(|window| window.scripted);
        self.plain = self.list.iter().filter(|window| window.kind.is_empty()).count();
    }

    /// The kinds that scripts have opened.
    pub fn scripted(&self) -> impl Iterator<Item = &Arc<str>> {
        self.list.iter().filter(|window| window.scripted).map(|window| &window.kind)
    }

    /// The kinds that are open, each once.
    pub fn kinds(&self) -> Vec<Arc<str>> {
        let mut kinds: Vec<Arc<str>> = Vec::new();
        for window in &self.list {
            if !kinds.contains(&window.kind) {
                kinds.push(window.kind.clone());
            }
        }
        kinds
    }

    pub fn clear(&mut self) {
        self.list.clear();
        self.plain = 0;
    }
}

impl Run {
    /// Node time at which the next window opens.
    pub fn next_open(&self) -> f64 {
        self.times.windows.get(self.next_window).map_or(f64::INFINITY, |window| self.origin + window.start)
    }

    /// Node time of the next marker.
    pub fn next_mark(&self) -> f64 {
        self.times.markers.get(self.next_marker).map_or(f64::INFINITY, |marker| self.origin + marker.1)
    }

    /// Node time at which a looping move begins again.
    pub fn next_period(&self) -> f64 {
        if self.times.period > 0.0 { self.origin + self.times.period } else { f64::INFINITY }
    }

    /// A window whose time has come. Those that are over by now do not open.
    pub fn take_due_window(&mut self, time: f64) -> Option<OpenWindow> {
        while time >= self.next_open() - TIME_TOLERANCE {
            let window = &self.times.windows[self.next_window];
            self.next_window += 1;
            let until = self.origin + window.end;
            if window.end > window.start && until > time + TIME_TOLERANCE {
                return Some(OpenWindow { kind: window.kind.clone(), until, scripted: false });
            }
        }
        None
    }

    pub fn take_due_marker(&mut self, time: f64) -> Option<Arc<str>> {
        if time < self.next_mark() - TIME_TOLERANCE {
            return None;
        }
        let name = self.times.markers.get(self.next_marker)?.0.clone();
        self.next_marker += 1;
        Some(name)
    }

    /// One of these windows still comes in this run.
    pub fn still_comes(&self, kinds: &[Arc<str>]) -> bool {
        let ahead = |window: &Window| kinds.contains(&window.kind);
        let rest = &self.times.windows[self.next_window.min(self.times.windows.len())..];
        rest.iter().any(ahead) || self.times.period > 0.0 && self.times.windows.iter().any(ahead)
    }

    /// Other times, which count from `origin`. What lies before `time` is passed. Both are node time.
    pub fn set_times(&mut self, times: Arc<MoveTimes>, origin: f64, time: f64) {
        self.times = times;
        self.origin = origin;
        self.next_window = 0;
        self.next_marker = self.times.markers.iter().filter(|marker| origin + marker.1 <= time).count();
    }

    /// A looping move begins again.
    pub fn wrap(&mut self) {
        self.origin += self.times.period;
        self.next_window = 0;
        self.next_marker = 0;
    }
}
