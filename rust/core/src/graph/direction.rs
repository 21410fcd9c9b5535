//! Directions on the plane: sectors around a facing, the stick seen from a camera, the eight ways of a stick.
//!
//! The plane is x and z of the world in 3D, x and y in 2D. A stick that is pushed up reads (0, -1).

use glam::DVec2;

/// Slack of the limits between sectors: directions come from single precision.
const ON_LIMIT: f64 = 1e-6;

/// Where a direction lies around a facing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sector {
    /// At most 45° to either side.
    Forward,
    /// At least 135° to either side.
    Back,
    /// Between them, on the left.
    Left,
    /// Between them, on the right.
    Right,
    /// Too short to count.
    Neutral,
}

impl Sector {
    /// Its bit in a set of sectors.
    pub fn bit(self) -> u8 {
        match self {
            Self::Forward => 1,
            Self::Back => 2,
            Self::Left => 4,
            Self::Right => 8,
            Self::Neutral => 16,
        }
    }
}

/// What lies to the right of a facing.
pub fn right_of(facing: DVec2) -> DVec2 {
    DVec2::new(-facing.y, facing.x)
}

/// The sector of a direction around `facing`, which has the length 1. The limits belong to forward and back.
pub fn sector(facing: DVec2, direction: DVec2, dead_zone: f64) -> Sector {
    let length = direction.length();
    if !length.is_finite() || length < dead_zone || length == 0.0 {
        return Sector::Neutral;
    }
    let ahead = direction.dot(facing) / length;
    let aside = direction.dot(right_of(facing)) / length;
    if aside.abs() <= ahead + ON_LIMIT {
        Sector::Forward
    } else if aside.abs() <= ON_LIMIT - ahead {
        Sector::Back
    } else if aside > 0.0 {
        Sector::Right
    } else {
        Sector::Left
    }
}

/// The direction on the plane that a stick means, seen from a camera that looks along `forward` (length 1).
pub fn stick_to_planar(forward: DVec2, stick: DVec2) -> DVec2 {
    right_of(forward) * stick.x - forward * stick.y
}

/// The eight ways of a stick, and its middle, seen by a character that looks to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// In the middle.
    Neutral,
    /// Up.
    Up,
    /// Up and forward.
    UpForward,
    /// Forward.
    Forward,
    /// Down and forward.
    DownForward,
    /// Down.
    Down,
    /// Down and back.
    DownBack,
    /// Back.
    Back,
    /// Up and back.
    UpBack,
}

/// Clockwise from up.
const AROUND: [Way; 8] = [
    Way::Up,
    Way::UpForward,
    Way::Forward,
    Way::DownForward,
    Way::Down,
    Way::DownBack,
    Way::Back,
    Way::UpBack,
];

/// The tangent of 22.5°, half of a way.
const HALF: f64 = 0.414_213_562_373_095_1;

impl Way {
    /// The way of a stick; inside its dead zone the middle.
    pub fn of(stick: DVec2, dead_zone: f64) -> Self {
        let length = stick.length();
        if !length.is_finite() || length < dead_zone || length == 0.0 {
            return Self::Neutral;
        }
        let aside = if stick.x.abs() <= stick.y.abs() * HALF { 0.0 } else { stick.x.signum() };
        let ahead = if stick.y.abs() < stick.x.abs() * HALF { 0.0 } else { stick.y.signum() };
        match (aside as i8, ahead as i8) {
            (0, -1) => Self::Up,
            (1, -1) => Self::UpForward,
            (1, 0) => Self::Forward,
            (1, 1) => Self::DownForward,
            (0, 1) => Self::Down,
            (-1, 1) => Self::DownBack,
            (-1, 0) => Self::Back,
            (-1, -1) => Self::UpBack,
            _ => Self::Neutral,
        }
    }

    /// The way as a character sees it that looks to the left.
    pub fn mirrored(self) -> Self {
        match AROUND.iter().position(|way| *way == self) {
            Some(at) => AROUND[(AROUND.len() - at) % AROUND.len()],
            None => Self::Neutral,
        }
    }

    /// Its name in the steps of a sequence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Up => "up",
            Self::UpForward => "up_forward",
            Self::Forward => "forward",
            Self::DownForward => "down_forward",
            Self::Down => "down",
            Self::DownBack => "down_back",
            Self::Back => "back",
            Self::UpBack => "up_back",
        }
    }

    /// The way with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        AROUND.into_iter().chain([Self::Neutral]).find(|way| way.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An agent that looks along -Z.
    const AHEAD: DVec2 = DVec2::new(0.0, -1.0);

    fn seen(forward: DVec2, x: f64, y: f64) -> Sector {
        sector(AHEAD, stick_to_planar(forward, DVec2::new(x, y)), 0.3)
    }

    #[test]
    fn ex_50_d1() {
        assert_eq!(seen(AHEAD, 0.0, -1.0), Sector::Forward);
        assert_eq!(seen(AHEAD, -1.0, 0.0), Sector::Left);
        assert_eq!(seen(AHEAD, 0.0, -0.29), Sector::Neutral);
        assert_eq!(seen(AHEAD, 0.707, -0.707), Sector::Forward, "45° belongs to forward");
        assert_eq!(seen(AHEAD, 0.72, -0.69), Sector::Right, "46.2° does not");
    }

    #[test]
    fn ex_50_d2() {
        // A camera that is turned by 90° to the left looks along -X.
        let left = DVec2::new(-1.0, 0.0);
        assert_eq!(stick_to_planar(left, DVec2::new(0.0, -1.0)), DVec2::new(-1.0, 0.0));
        assert_eq!(seen(left, 0.0, -1.0), Sector::Left);
    }

    #[test]
    fn the_other_limits() {
        assert_eq!(seen(AHEAD, 0.5, 0.5), Sector::Back, "135° belongs to back");
        assert_eq!(seen(AHEAD, -0.5, 0.5), Sector::Back);
        assert_eq!(seen(AHEAD, 0.7, 0.69), Sector::Right);
        assert_eq!(seen(AHEAD, 0.0, 1.0), Sector::Back);
        assert_eq!(seen(AHEAD, 0.0, -0.3), Sector::Forward, "the dead zone ends at its limit");
        assert_eq!(seen(AHEAD, f64::NAN, 0.0), Sector::Neutral);
        assert_eq!(sector(AHEAD, DVec2::ZERO, 0.0), Sector::Neutral);
    }

    #[test]
    fn every_way_has_a_name_and_a_mirror_image() {
        for way in AROUND.into_iter().chain([Way::Neutral]) {
            assert_eq!(Way::from_name(way.name()), Some(way));
            assert_eq!(way.mirrored().mirrored(), way);
        }
        assert_eq!(Way::DownForward.mirrored(), Way::DownBack);
        assert_eq!(Way::Up.mirrored(), Way::Up);
        assert_eq!(Way::from_name("sideways"), None);
    }

    #[test]
    fn the_ways_of_a_stick() {
        let way = |x, y| Way::of(DVec2::new(x, y), 0.2);
        assert_eq!(way(0.1, 0.1), Way::Neutral);
        assert_eq!(way(1.0, 0.3), Way::Forward);
        assert_eq!(way(1.0, 0.5), Way::DownForward);
        assert_eq!(way(-0.3, 1.0), Way::Down);
        assert_eq!(way(-0.7, 0.7), Way::DownBack);
        assert_eq!(way(-1.0, -0.1), Way::Back);
        assert_eq!(way(-0.6, -0.6), Way::UpBack);
        assert_eq!(way(0.0, -0.2), Way::Up);
        assert_eq!(way(0.6, -0.6), Way::UpForward);
    }
}
