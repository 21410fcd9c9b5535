//! Warp targets and the windows in which a body is steered to them.

use glam::DVec3;

use crate::time::TIME_TOLERANCE;

/// A body that is as near to its warp point as this has reached it.
const REACHED: f64 = 0.05;
/// Slack of lengths.
const LENGTH_TOLERANCE: f64 = 1e-6;
/// Nearer to its target than this a body has no direction to it.
const NO_DIRECTION: f64 = 1e-4;

/// Where to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarpTarget {
    /// Where the target was seen last.
    pub point: DVec3,
    /// The node that it is, if it is one.
    pub follows: Option<i64>,
    /// How far in front of the target the body ends, toward where it comes from. The target is not approached further.
    pub offset: f64,
}

/// How far a body may be moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WarpLimits {
    /// Height is warped too.
    pub vertical: bool,
    /// World units per second; 0: no cap.
    pub max_speed: f64,
}

impl WarpLimits {
    fn flattened(&self, way: DVec3) -> DVec3 {
        if self.vertical { way } else { level(way) }
    }
}

impl WarpTarget {
    /// Where a body at `body` is steered to.
    pub fn warp_point(&self, body: DVec3) -> DVec3 {
        self.point + level(body - self.point).normalize_or_zero() * self.offset
    }

    /// True while the body is nearer than the offset: it is not moved then.
    pub fn is_too_near(&self, body: DVec3) -> bool {
        self.offset > 0.0 && level(self.point - body).length() + LENGTH_TOLERANCE < self.offset
    }

    /// The way of one step of `dt` seconds, `left` seconds before the end of the window.
    pub fn step(&self, limits: &WarpLimits, body: DVec3, left: f64, dt: f64) -> DVec3 {
        if self.is_too_near(body) {
            return DVec3::ZERO;
        }
        let way = limits.flattened(self.warp_point(body) - body) * share(left, dt);
        let cap = limits.max_speed * dt;
        if limits.max_speed > 0.0 { way.clamp_length_max(cap) } else { way }
    }

    /// The part of the turn to the target that one step makes, in radians; positive is to the left. Nothing if `facing`
    /// or the way to the target has no direction over the ground.
    pub fn turn(&self, facing: DVec3, body: DVec3, left: f64, dt: f64) -> f64 {
        let (from, to) = (level(facing), level(self.point - body));
        if from.length() < NO_DIRECTION || to.length() < NO_DIRECTION {
            return 0.0;
        }
        let angle = libm::atan2(from.z * to.x - from.x * to.z, from.dot(to));
        angle * share(left, dt)
    }
}

fn level(way: DVec3) -> DVec3 {
    DVec3::new(way.x, 0.0, way.z)
}

/// The part of what is left that one step does.
fn share(left: f64, dt: f64) -> f64 {
    if left > dt { dt / left } else { 1.0 }
}

/// An open window.
#[derive(Clone, Debug, PartialEq)]
struct Window {
    name: String,
    left: f64,
}

/// What steers the body now: the window that was opened first of those that have a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leading {
    /// Where to.
    pub target: WarpTarget,
    /// Seconds left before this step.
    pub left: f64,
}

/// A window that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Ended {
    /// Its name.
    pub name: String,
    /// The body is at its warp point.
    pub reached: bool,
}

struct Named {
    name: String,
    serial: u64,
    target: WarpTarget,
}

/// The warp targets and windows of one body.
#[derive(Default)]
pub struct Warp {
    targets: Vec<Named>,
    windows: Vec<Window>,
    serial: u64,
}

impl Warp {
    /// Sets the target of a name, in the place of one that it has. The number is for [`Warp::clear_own`].
    pub fn set_target(&mut self, name: &str, target: WarpTarget) -> u64 {
        self.serial += 1;
        let serial = self.serial;
        match self.targets.iter_mut().find(|named| named.name == name) {
            Some(named) => (named.serial, named.target) = (serial, target),
            None => self.targets.push(Named { name: name.to_owned(), serial, target }),
        }
        serial
    }

    /// False if the name has no target. Its windows stay.
    pub fn clear_target(&mut self, name: &str) -> bool {
        self.remove(|named| named.name == name)
    }

    /// Clears the target that [`Warp::set_target`] set with this number, unless another took its place.
    pub fn clear_own(&mut self, serial: u64) -> bool {
        self.remove(|named| named.serial == serial)
    }

    fn remove(&mut self, gone: impl Fn(&Named) -> bool) -> bool {
        let before = self.targets.len();
        self.targets.retain(|named| !gone(named));
        self.targets.len() < before
    }

    /// The target of a name.
    pub fn target(&self, name: &str) -> Option<&WarpTarget> {
        self.targets.iter().find(|named| named.name == name).map(|named| &named.target)
    }

    /// All targets with their names.
    pub fn targets(&self) -> impl Iterator<Item = (&str, &WarpTarget)> {
        self.targets.iter().map(|named| (named.name.as_str(), &named.target))
    }

    /// All windows with the seconds left, the first opened in front.
    pub fn windows(&self) -> impl Iterator<Item = (&str, f64)> {
        self.windows.iter().map(|window| (window.name.as_str(), window.left))
    }

    /// The nodes that are targets.
    pub fn followed(&self) -> impl Iterator<Item = i64> + '_ {
        self.targets.iter().filter_map(|named| named.target.follows)
    }

    /// A node that is a target is here now.
    pub fn saw(&mut self, node: i64, point: DVec3) {
        for named in self.targets.iter_mut().filter(|named| named.target.follows == Some(node)) {
            named.target.point = point;
        }
    }

    /// Opens a window, or lets an open one last so long from now on. True if it was not open.
    pub fn open(&mut self, name: &str, seconds: f64) -> bool {
        match self.windows.iter_mut().find(|window| window.name == name) {
            Some(window) => {
                window.left = seconds;
                false
            }
            None => {
                self.windows.push(Window { name: name.to_owned(), left: seconds });
                true
            }
        }
    }

    /// Ends a window before its time; `None` if it is not open.
    pub fn close(&mut self, name: &str, limits: &WarpLimits, body: Option<DVec3>) -> Option<Ended> {
        let at = self.windows.iter().position(|window| window.name == name)?;
        let window = self.windows.remove(at);
        Some(self.ended(window, limits, body))
    }

    /// True if this window is open; any, for an empty name.
    pub fn is_open(&self, name: &str) -> bool {
        self.windows.iter().any(|window| name.is_empty() || window.name == name)
    }

    /// What steers the body in this step.
    pub fn leading(&self) -> Option<Leading> {
        self.windows
            .iter()
            .find_map(|window| Some(Leading { target: *self.target(&window.name)?, left: window.left }))
    }

    /// The step is over: `dt` seconds passed, and the body is at `body`. Answers the windows that ended.
    pub fn count(&mut self, dt: f64, limits: &WarpLimits, body: Option<DVec3>) -> Vec<Ended> {
        for window in &mut self.windows {
            window.left -= dt;
        }
        let mut over = Vec::new();
        while let Some(at) = self.windows.iter().position(|window| window.left <= TIME_TOLERANCE) {
            let window = self.windows.remove(at);
            over.push(self.ended(window, limits, body));
        }
        over
    }

    /// Forgets everything, without a word.
    pub fn clear(&mut self) {
        self.targets.clear();
        self.windows.clear();
    }

    fn ended(&self, window: Window, limits: &WarpLimits, body: Option<DVec3>) -> Ended {
        let reached = self.target(&window.name).zip(body).is_some_and(|(target, body)| {
            limits.flattened(target.warp_point(body) - body).length() <= REACHED + LENGTH_TOLERANCE
        });
        Ended { name: window.name, reached }
    }
}
