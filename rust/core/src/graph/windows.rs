//! What is known of a move before it plays: how long it is, and its windows and markers.

use std::sync::Arc;

/// A part of a move in which inputs count. Node time: seconds at the move's own rate, from its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// Where it opens.
    pub start: f64,
    /// Where it is closed again.
    pub end: f64,
    /// Empty: the plain window.
    pub kind: Arc<str>,
    /// How near the agent goes to its target meanwhile, in metres. Negative: not told.
    pub stop_distance: f64,
}

impl Window {
    /// A window that tells no distance.
    pub fn new(kind: &str, start: f64, end: f64) -> Self {
        Self { start, end, kind: Arc::from(kind), stop_distance: -1.0 }
    }

    /// True if it is for any input.
    pub fn is_plain(&self) -> bool {
        self.kind.is_empty()
    }
}

/// The times of one move, in node time.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveTimes {
    /// When it is over; infinite if it never is.
    pub length: f64,
    /// After so many seconds it begins again, with its windows and markers. 0: it does not.
    pub period: f64,
    /// In the order of their starts; those that start together as they were written.
    pub windows: Vec<Window>,
    /// Markers of the animation, in the order of their times.
    pub markers: Vec<(Arc<str>, f64)>,
    /// Keys of the animation call the two methods that open and close windows, so these must not act when they are called.
    pub keyed: bool,
    /// The part of the animation that plays, in its seconds.
    pub section: (f64, f64),
    /// Seconds of the animation in one second of node time.
    pub rate: f64,
}

impl MoveTimes {
    /// A move of so many seconds without windows.
    pub fn of_length(length: f64) -> Self {
        Self {
            length,
            period: 0.0,
            windows: Vec::new(),
            markers: Vec::new(),
            keyed: false,
            section: (0.0, length),
            rate: 1.0,
        }
    }

    /// True if it has a window for any input.
    pub fn has_plain_window(&self) -> bool {
        self.windows.iter().any(Window::is_plain)
    }

    /// The place in the animation at this node time.
    pub fn place_at(&self, node_time: f64) -> f64 {
        let (start, end) = self.section;
        let inner = if self.period > 0.0 { libm::fmod(node_time, self.period) } else { node_time };
        (start + inner.max(0.0) * self.rate).min(end)
    }
}
