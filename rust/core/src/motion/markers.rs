//! Windows that are marked in an animation.

/// Slack of a marker's place, in seconds of the animation.
const AT_MARKER: f64 = 1e-6;

/// A window of an animation, in its seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkedWindow {
    /// The warp target that it is for.
    pub name: String,
    /// Where it begins.
    pub begin: f64,
    /// Where it ends.
    pub end: f64,
}

/// The windows that these markers name, in the order of their beginnings. A window without an end marker goes on to
/// `length`; one that ends before it begins is none.
///
/// `warp_begin_Target` and `warp_end_Target` are one window for `Target`; what follows a `#` only tells several apart.
pub fn marked_windows(prefix: &str, markers: &[(String, f64)], length: f64) -> Vec<MarkedWindow> {
    let begins = format!("{prefix}begin_");
    let ends = format!("{prefix}end_");
    let end_of = |mark: &str| {
        let found = markers.iter().find(|(name, _)| name.strip_prefix(&ends) == Some(mark));
        found.map_or(length, |(_, seconds)| *seconds)
    };
    let window = |(marker, begin): &(String, f64)| {
        let mark = marker.strip_prefix(&begins)?;
        let name = mark.split('#').next().filter(|name| !name.is_empty())?;
        let window = MarkedWindow { name: name.to_owned(), begin: *begin, end: end_of(mark) };
        (window.end > window.begin).then_some(window)
    };
    let mut windows: Vec<_> = markers.iter().filter_map(window).collect();
    windows.sort_by(|a, b| a.begin.total_cmp(&b.begin));
    windows
}

/// What the animation's place does to a window.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowChange {
    /// It begins, and lasts so many seconds.
    Open(String, f64),
    /// It ends.
    Close(String),
}

/// Follows an animation through its marked windows.
#[derive(Clone, Debug, Default)]
pub struct WindowTrack {
    /// Each with whether it is open.
    windows: Vec<(MarkedWindow, bool)>,
    at: f64,
}

impl WindowTrack {
    /// Nothing is open yet.
    pub fn new(windows: Vec<MarkedWindow>) -> Self {
        Self { windows: windows.into_iter().map(|window| (window, false)).collect(), at: 0.0 }
    }

    /// True if there is nothing to follow.
    pub fn is_empty(&self) -> bool {
        self.windows.is_empty()
    }

    /// The animation is at `position` now and plays at `speed`. One that went back, as a loop does, closes what is open.
    pub fn moved(&mut self, position: f64, speed: f64) -> Vec<WindowChange> {
        let mut changes = Vec::new();
        if position < self.at {
            self.close_all(&mut changes);
        }
        self.at = position;
        for (window, open) in &mut self.windows {
            let left = window.end - position;
            let within = position + AT_MARKER >= window.begin && left > AT_MARKER && speed > 0.0;
            if within && !*open {
                changes.push(WindowChange::Open(window.name.clone(), left / speed));
            } else if *open && !within {
                changes.push(WindowChange::Close(window.name.clone()));
            }
            *open = within;
        }
        changes
    }

    /// It does not play any more.
    pub fn stopped(&mut self) -> Vec<WindowChange> {
        let mut changes = Vec::new();
        self.close_all(&mut changes);
        changes
    }

    fn close_all(&mut self, changes: &mut Vec<WindowChange>) {
        for (window, open) in self.windows.iter_mut().filter(|(_, open)| *open) {
            *open = false;
            changes.push(WindowChange::Close(window.name.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::WindowChange::{Close, Open};
    use super::*;

    fn markers(list: &[(&str, f64)]) -> Vec<(String, f64)> {
        list.iter().map(|(name, seconds)| ((*name).to_owned(), *seconds)).collect()
    }

    #[test]
    fn pairs_begin_and_end() {
        let list = markers(&[
            ("warp_begin_Foe#2", 0.6),
            ("warp_end_Foe", 0.3),
            ("hit", 0.2),
            ("warp_begin_Foe", 0.1),
            ("warp_end_Foe#2", 0.7),
            ("warp_begin_Ledge", 0.8),
            ("warp_begin_", 0.1),
            ("warp_end_Nobody", 0.1),
            ("warp_begin_Odd", 0.5),
            ("warp_end_Odd", 0.4),
        ]);
        let windows = marked_windows("warp_", &list, 1.0);
        let found: Vec<_> = windows.iter().map(|w| (w.name.as_str(), w.begin, w.end)).collect();
        assert_eq!(found, [("Foe", 0.1, 0.3), ("Foe", 0.6, 0.7), ("Ledge", 0.8, 1.0)]);
        assert!(marked_windows("other_", &list, 1.0).is_empty());
    }

    #[test]
    fn a_window_lasts_to_its_end_marker() {
        let list = markers(&[("warp_begin_Foe", 0.1), ("warp_end_Foe", 0.5)]);
        let mut track = WindowTrack::new(marked_windows("warp_", &list, 1.0));
        assert_eq!(track.moved(0.0, 2.0), []);
        assert_eq!(
            track.moved(0.2, 2.0),
            [Open("Foe".into(), 0.15)],
            "0.3 s of the animation at double speed"
        );
        assert_eq!(track.moved(0.4, 2.0), []);
        assert_eq!(track.moved(0.5, 2.0), [Close("Foe".into())]);
        assert_eq!(track.moved(0.9, 2.0), []);
    }

    #[test]
    fn a_loop_opens_it_again() {
        let list = markers(&[("warp_begin_Foe", 0.0)]);
        let mut track = WindowTrack::new(marked_windows("warp_", &list, 1.0));
        assert_eq!(track.moved(0.0, 1.0), [Open("Foe".into(), 1.0)]);
        assert_eq!(track.moved(0.9, 1.0), []);
        assert_eq!(track.moved(0.1, 1.0), [Close("Foe".into()), Open("Foe".into(), 0.9)]);
        assert_eq!(track.stopped(), [Close("Foe".into())]);
        assert_eq!(track.stopped(), []);
    }
}
