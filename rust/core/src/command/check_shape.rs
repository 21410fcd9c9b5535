//! Whether what an order aims at has the shape that its definition asks for. Nothing is guessed or repaired.

use super::Reason;
use super::check::{CheckDetail, CheckPlan, Failure};

/// What an order aims at. The integers are the `TARGET_TYPE_*` constants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(i64)]
pub enum TargetType {
    /// Nothing.
    #[default]
    None = 0,
    /// Nodes, and a point on the first if one is given.
    Node = 1,
    /// A place.
    Location = 2,
    /// A direction.
    Direction = 3,
}

impl TargetType {
    /// The type of a `TARGET_TYPE_*` constant.
    pub fn from_int(value: i64) -> Option<Self> {
        match value {
            0 => Some(Self::None),
            1 => Some(Self::Node),
            2 => Some(Self::Location),
            3 => Some(Self::Direction),
            _ => None,
        }
    }
}

/// A place or a direction, in world units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Vector {
    /// In 3D.
    Space([f64; 3]),
    /// In 2D.
    Plane([f64; 2]),
}

/// What an agent can aim at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dimension {
    /// It stands nowhere, and takes both kinds.
    #[default]
    Either,
    /// It stands in 3D.
    Space,
    /// It stands in 2D.
    Plane,
}

impl Vector {
    fn fits(&self, dimension: Dimension) -> bool {
        match dimension {
            Dimension::Either => true,
            Dimension::Space => matches!(self, Self::Space(_)),
            Dimension::Plane => matches!(self, Self::Plane(_)),
        }
    }

    fn axes(&self) -> &[f64] {
        match self {
            Self::Space(axes) => axes,
            Self::Plane(axes) => axes,
        }
    }

    fn is_finite(&self) -> bool {
        self.axes().iter().all(|axis| axis.is_finite())
    }

    fn length(&self) -> f64 {
        // Scaled, so that neither tiny nor huge axes are lost in their squares.
        let largest = self.axes().iter().fold(0.0_f64, |most, axis| most.max(axis.abs()));
        if largest == 0.0 {
            return 0.0;
        }
        let squares: f64 = self.axes().iter().map(|axis| (axis / largest) * (axis / largest)).sum();
        largest * squares.sqrt()
    }

    /// The same direction with length 1; itself if it has no length or no finite one.
    pub fn normalized(self) -> Self {
        let length = self.length();
        if length == 0.0 || !length.is_finite() {
            return self;
        }
        match self {
            Self::Space(axes) => Self::Space(axes.map(|axis| axis / length)),
            Self::Plane(axes) => Self::Plane(axes.map(|axis| axis / length)),
        }
    }

    /// From here to another point; none if the two are of different dimensions.
    pub fn to(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Space(from), Self::Space(to)) => {
                Some(Self::Space([to[0] - from[0], to[1] - from[1], to[2] - from[2]]))
            }
            (Self::Plane(from), Self::Plane(to)) => Some(Self::Plane([to[0] - from[0], to[1] - from[1]])),
            _ => None,
        }
    }

    /// How far apart two points are; none if they are of different dimensions.
    pub fn distance(self, other: Self) -> Option<f64> {
        self.to(other).map(|way| way.length())
    }
}

/// What an order aims at, as it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Given {
    /// How many targets, dead ones counted.
    pub targets: usize,
    /// A place.
    pub location: Option<Vector>,
    /// A direction.
    pub direction: Option<Vector>,
}

/// Whether it has the shape that the plan asks for. `dimension` is the agent's.
pub fn check_shape(plan: &CheckPlan, given: &Given, dimension: Dimension) -> Result<(), Failure> {
    let kind = plan.target_type;
    let wants_location = kind == TargetType::Location;
    let takes_location = wants_location || kind == TargetType::Node;
    let wants_target = kind == TargetType::Node;
    let wants_direction = kind == TargetType::Direction;
    let plain = |fails: bool, reason| if fails { Err(Failure::plain(reason)) } else { Ok(()) };
    plain(wants_target && given.targets == 0, Reason::TargetMissing)?;
    plain(!wants_target && given.targets > 0, Reason::TargetUnexpected)?;
    plain(wants_location && given.location.is_none(), Reason::LocationMissing)?;
    plain(!takes_location && given.location.is_some(), Reason::LocationUnexpected)?;
    plain(wants_direction && given.direction.is_none(), Reason::DirectionMissing)?;
    plain(!wants_direction && given.direction.is_some(), Reason::DirectionUnexpected)?;
    if given.targets > plan.max_targets {
        return Err(Failure::of(Reason::TooManyTargets, CheckDetail::Count(given.targets, plan.max_targets)));
    }
    let vectors = [("location", given.location), ("direction", given.direction)];
    let first = |fails: &dyn Fn(&Vector) -> bool, reason| {
        let found = vectors.iter().find(|(_, vector)| vector.as_ref().is_some_and(fails));
        found.map_or(Ok(()), |(name, _)| Err(Failure::of(reason, CheckDetail::Member(name))))
    };
    first(&|vector| !vector.fits(dimension), Reason::WrongDimension)?;
    first(&|vector| !vector.is_finite(), Reason::NotFinite)?;
    let no_way = given.direction.is_some_and(|direction| direction.length() == 0.0);
    plain(no_way, Reason::DirectionZero)
}
