//! Reads the times of a move from an animation: its section, and its windows from a list, from markers or from keys.

use std::sync::Arc;

use super::windows::{MoveTimes, Window};

/// The marker that opens a window.
const OPENS: &str = "action_window";
/// The marker that closes it.
const CLOSES: &str = "action_window_end";

/// What an animation says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimationFacts {
    /// Seconds.
    pub length: f64,
    /// It begins again at its end.
    pub loops: bool,
    /// Names and seconds, in any order.
    pub markers: Vec<(String, f64)>,
    /// Keys that call one of the two methods of windows, in any order.
    pub keys: Vec<WindowKey>,
}

/// A key of a method track.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowKey {
    /// Seconds.
    pub time: f64,
    /// It opens a window, or closes it.
    pub opens: bool,
    /// The argument: `kind#n`, both may be missing.
    pub name: String,
}

/// A window that is written beside an animation, in its seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct AuthoredWindow {
    /// Where it opens.
    pub start: f64,
    /// Where it is closed again.
    pub end: f64,
    /// Empty: the plain window.
    pub kind: String,
    /// In metres; negative: not told.
    pub stop_distance: f64,
}

/// Which part of an animation plays, by its markers. Empty: from its start, to its end.
#[derive(Clone, Copy, Debug, Default)]
pub struct SectionNames<'a> {
    /// The marker where it begins.
    pub start: &'a str,
    /// The marker where it ends.
    pub end: &'a str,
}

/// What is wrong with the windows or the section of a move.
#[derive(Clone, Debug, PartialEq)]
pub enum WindowProblem {
    /// There is no such marker, so the section goes from the start or to the end.
    NoMarker(String),
    /// The section would end before it begins, so it goes to the end.
    SectionReversed,
    /// The window of this name ends before it starts.
    Reversed(String),
    /// This marker or key closes what nothing opened.
    NoPartner(String),
}

type Problems = Vec<WindowProblem>;

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReading {
    /// The times.
    pub times: MoveTimes,
    /// What is wrong with it.
    pub problems: Vec<WindowProblem>,
}

/// Reads a move that plays a section of an animation at a rate. Its windows are those of the list; if none of them is in the
/// section, those of the markers, and then those of the keys.
pub fn read_move(
    facts: &AnimationFacts,
    list: &[AuthoredWindow],
    section: SectionNames,
    rate: f64,
) -> MoveReading {
    let mut problems = Vec::new();
    let section = section_of(facts, section, &mut problems);
    let mut windows = clipped(&of_list(list, &mut problems), section, rate);
    if windows.is_empty() {
        windows = clipped(&of_markers(facts, section.1, &mut problems), section, rate);
    }
    if windows.is_empty() {
        windows = clipped(&of_keys(facts, section.1, &mut problems), section, rate);
    }
    windows.sort_by(|a, b| a.start.total_cmp(&b.start));
    let span = (section.1 - section.0) / rate;
    let times = MoveTimes {
        length: if facts.loops { f64::INFINITY } else { span },
        period: if facts.loops { span } else { 0.0 },
        windows,
        markers: markers_in(facts, section, rate),
        keyed: !facts.keys.is_empty(),
        section,
        rate,
    };
    MoveReading { times, problems }
}

fn section_of(facts: &AnimationFacts, names: SectionNames, problems: &mut Problems) -> (f64, f64) {
    let mut place = |name: &str, otherwise: f64| {
        if name.is_empty() {
            return otherwise;
        }
        let found = facts.markers.iter().find(|marker| marker.0 == name);
        found.map_or_else(
            || {
                problems.push(WindowProblem::NoMarker(name.to_owned()));
                otherwise
            },
            |marker| marker.1.clamp(0.0, facts.length),
        )
    };
    let start = place(names.start, 0.0);
    let end = place(names.end, facts.length);
    if end > start || facts.length <= 0.0 {
        return (start, end);
    }
    if !names.end.is_empty() && end < facts.length {
        problems.push(WindowProblem::SectionReversed);
    }
    (start, facts.length)
}

fn of_list(list: &[AuthoredWindow], problems: &mut Problems) -> Vec<AuthoredWindow> {
    for window in list.iter().filter(|window| window.end < window.start) {
        problems.push(WindowProblem::Reversed(window.kind.clone()));
    }
    list.to_vec()
}

/// What stands behind the name of the marker: nothing, `:kind`, `#n` or both. `None`: it is another marker.
fn tail<'a>(marker: &'a str, name: &str) -> Option<&'a str> {
    let tail = marker.strip_prefix(name)?;
    (tail.is_empty() || tail.starts_with([':', '#'])).then_some(tail)
}

/// The kind in `:kind#n` or `kind#n`.
fn kind_of(name: &str) -> &str {
    let name = name.strip_prefix(':').unwrap_or(name);
    name.split('#').next().unwrap_or_default()
}

fn of_markers(facts: &AnimationFacts, end: f64, problems: &mut Problems) -> Vec<AuthoredWindow> {
    let named = |name: &'static str| {
        facts.markers.iter().filter_map(move |(marker, at)| Some((tail(marker, name)?, marker, *at)))
    };
    for (tail, marker, _) in named(CLOSES) {
        if !named(OPENS).any(|opening| opening.0 == tail) {
            problems.push(WindowProblem::NoPartner(marker.clone()));
        }
    }
    let mut windows = Vec::new();
    for (tail, marker, start) in named(OPENS) {
        let end = named(CLOSES).find(|closing| closing.0 == tail).map_or(end, |closing| closing.2);
        if end < start && named(CLOSES).any(|closing| closing.0 == tail) {
            problems.push(WindowProblem::Reversed(marker.clone()));
        }
        windows.push(AuthoredWindow { start, end, kind: kind_of(tail).to_owned(), stop_distance: -1.0 });
    }
    windows
}

fn of_keys(facts: &AnimationFacts, end: f64, problems: &mut Problems) -> Vec<AuthoredWindow> {
    let mut keys: Vec<&WindowKey> = facts.keys.iter().collect();
    keys.sort_by(|a, b| a.time.total_cmp(&b.time));
    let mut windows: Vec<(&str, AuthoredWindow)> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for key in keys {
        let at = open.iter().position(|index| windows[*index].0 == key.name);
        match (key.opens, at) {
            (true, None) => {
                open.push(windows.len());
                let kind = kind_of(&key.name).to_owned();
                let window = AuthoredWindow { start: key.time, end, kind, stop_distance: -1.0 };
                windows.push((&key.name, window));
            }
            (false, Some(at)) => windows[open.remove(at)].1.end = key.time,
            // It is open already.
            (true, Some(_)) => {}
            (false, None) => problems.push(WindowProblem::NoPartner(key.name.clone())),
        }
    }
    windows.into_iter().map(|window| window.1).collect()
}

/// What of the windows lies in the section, in node time.
fn clipped(windows: &[AuthoredWindow], section: (f64, f64), rate: f64) -> Vec<Window> {
    let node_time = |at: f64| (at.clamp(section.0, section.1) - section.0) / rate;
    let window = |one: &AuthoredWindow| Window {
        start: node_time(one.start),
        end: node_time(one.end),
        kind: Arc::from(one.kind.as_str()),
        stop_distance: one.stop_distance,
    };
    windows.iter().map(window).filter(|window| window.end > window.start).collect()
}

fn markers_in(facts: &AnimationFacts, section: (f64, f64), rate: f64) -> Vec<(Arc<str>, f64)> {
    let inside = facts.markers.iter().filter(|marker| (section.0..=section.1).contains(&marker.1));
    let mut markers: Vec<_> =
        inside.map(|(name, at)| (Arc::from(name.as_str()), (at - section.0) / rate)).collect();
    markers.sort_by(|a: &(Arc<str>, f64), b| a.1.total_cmp(&b.1));
    markers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(length: f64, markers: &[(&str, f64)]) -> AnimationFacts {
        let markers = markers.iter().map(|(name, at)| ((*name).to_owned(), *at)).collect();
        AnimationFacts { length, markers, ..AnimationFacts::default() }
    }

    fn key(time: f64, opens: bool, name: &str) -> WindowKey {
        WindowKey { time, opens, name: name.to_owned() }
    }

    fn listed(kind: &str, start: f64, end: f64) -> AuthoredWindow {
        AuthoredWindow { start, end, kind: kind.to_owned(), stop_distance: -1.0 }
    }

    fn whole(facts: &AnimationFacts) -> MoveReading {
        read_move(facts, &[], SectionNames::default(), 1.0)
    }

    fn windows(times: &MoveTimes) -> Vec<(&str, f64, f64)> {
        let round = |at: f64| (at * 1e9).round() / 1e9;
        times.windows.iter().map(|w| (&*w.kind, round(w.start), round(w.end))).collect()
    }

    #[test]
    fn markers_are_windows() {
        let read = whole(&facts(1.0, &[("action_window", 0.4), ("action_window_end", 0.8), ("hit", 0.3)]));
        assert_eq!(read.times.length, 1.0);
        assert_eq!(windows(&read.times), [("", 0.4, 0.8)]);
        assert_eq!(read.problems, []);
        assert!(!read.times.keyed);
        let names: Vec<_> = read.times.markers.iter().map(|marker| &*marker.0).collect();
        assert_eq!(names, ["hit", "action_window", "action_window_end"]);
    }

    #[test]
    fn kinds_and_numbers_tell_windows_apart() {
        let read = whole(&facts(
            2.0,
            &[
                ("action_window:perfect", 0.3),
                ("action_window_end:perfect", 0.4),
                ("action_window#2", 0.9),
                ("action_window_end#2", 1.2),
                ("action_window", 0.4),
                ("action_window_end", 0.8),
                ("action_window:late#b", 1.5),
                ("action_windows", 0.1),
                ("my_action_window", 0.1),
            ],
        ));
        let expected = [("perfect", 0.3, 0.4), ("", 0.4, 0.8), ("", 0.9, 1.2), ("late", 1.5, 2.0)];
        assert_eq!(windows(&read.times), expected, "without an end the window goes to the section's end");
        assert_eq!(read.problems, []);
    }

    #[test]
    fn a_section_at_a_rate() {
        let facts = facts(
            2.0,
            &[("from", 0.5), ("to", 1.5), ("action_window", 0.9), ("action_window_end", 1.1), ("hit", 1.6)],
        );
        let names = SectionNames { start: "from", end: "to" };
        let read = read_move(&facts, &[], names, 2.0);
        assert_eq!((read.times.length, read.times.section), (0.5, (0.5, 1.5)));
        assert_eq!(windows(&read.times), [("", 0.2, 0.3)]);
        assert!(read.times.markers.iter().all(|marker| &*marker.0 != "hit"), "not in the section");
        assert_eq!(read.times.place_at(0.25), 1.0);
        assert_eq!(read.times.place_at(9.0), 1.5);
    }

    #[test]
    fn windows_are_cut_at_the_section() {
        let list =
            [listed("a", 0.0, 0.7), listed("b", 0.8, 9.0), listed("c", 0.1, 0.4), listed("d", 1.5, 2.0)];
        let facts = facts(2.0, &[("from", 0.5), ("to", 1.5)]);
        let read = read_move(&facts, &list, SectionNames { start: "from", end: "to" }, 1.0);
        assert_eq!(windows(&read.times), [("a", 0.0, 0.2), ("b", 0.3, 1.0)]);
    }

    #[test]
    fn the_list_goes_before_markers_and_these_before_keys() {
        let mut facts = facts(1.0, &[("action_window", 0.4), ("action_window_end", 0.8)]);
        facts.keys = vec![key(0.1, true, ""), key(0.2, false, "")];
        assert_eq!(windows(&whole(&facts).times), [("", 0.4, 0.8)]);
        assert!(whole(&facts).times.keyed, "the keys are there and would act");
        let list = [AuthoredWindow { stop_distance: 0.25, ..listed("", 0.5, 0.6) }];
        let read = read_move(&facts, &list, SectionNames::default(), 1.0);
        assert_eq!(windows(&read.times), [("", 0.5, 0.6)]);
        assert_eq!(read.times.windows[0].stop_distance, 0.25);
        facts.markers.clear();
        assert_eq!(windows(&whole(&facts).times), [("", 0.1, 0.2)]);
    }

    #[test]
    fn keys_are_read_in_pairs() {
        let mut facts = facts(1.0, &[]);
        facts.keys = vec![
            key(0.5, true, ""),
            key(0.2, false, ""),
            key(0.1, true, ""),
            key(0.6, true, ""),
            key(0.3, true, "perfect#2"),
            key(0.4, false, "perfect#2"),
            key(0.7, false, "perfect"),
        ];
        let read = whole(&facts);
        assert_eq!(windows(&read.times), [("", 0.1, 0.2), ("perfect", 0.3, 0.4), ("", 0.5, 1.0)]);
        assert_eq!(read.problems, [WindowProblem::NoPartner("perfect".into())]);
    }

    #[test]
    fn a_loop_never_ends_and_begins_again() {
        let mut facts = facts(0.8, &[("action_window", 0.4), ("action_window_end", 0.6)]);
        facts.loops = true;
        let read = read_move(&facts, &[], SectionNames::default(), 2.0);
        assert_eq!((read.times.length, read.times.period), (f64::INFINITY, 0.4));
        assert_eq!(windows(&read.times), [("", 0.2, 0.3)]);
        assert!((read.times.place_at(0.5) - 0.2).abs() < 1e-9);
    }

    #[test]
    fn what_is_wrong_is_told() {
        let facts = facts(
            1.0,
            &[
                ("to", 0.2),
                ("from", 0.6),
                ("action_window_end:x", 0.3),
                ("action_window#1", 0.9),
                ("action_window_end#1", 0.7),
            ],
        );
        let read = read_move(&facts, &[], SectionNames { start: "from", end: "to" }, 1.0);
        assert_eq!(read.times.section, (0.6, 1.0), "an end before the start is none");
        assert_eq!(windows(&read.times), []);
        let expected = [
            WindowProblem::SectionReversed,
            WindowProblem::NoPartner("action_window_end:x".into()),
            WindowProblem::Reversed("action_window#1".into()),
        ];
        assert_eq!(read.problems, expected);
        let read = read_move(&facts, &[], SectionNames { start: "begin", end: "finish" }, 1.0);
        assert_eq!(read.times.section, (0.0, 1.0));
        let missing = [WindowProblem::NoMarker("begin".into()), WindowProblem::NoMarker("finish".into())];
        assert_eq!(read.problems[..2], missing);
        let read = read_move(&facts, &[listed("z", 0.9, 0.1)], SectionNames::default(), 1.0);
        assert_eq!(read.problems[0], WindowProblem::Reversed("z".into()));
    }

    #[test]
    fn an_empty_animation_is_no_error() {
        let read = whole(&facts(0.0, &[("action_window", 0.0)]));
        assert_eq!((read.times.length, windows(&read.times)), (0.0, vec![]));
        assert!(!read.times.has_plain_window());
    }
}
