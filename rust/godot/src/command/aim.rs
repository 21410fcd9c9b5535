//! Where nodes stand and what orders are aimed at: points and directions of either dimension.

use godot::builtin::math::ApproxEq as _;
use godot::classes::{Control, Node2D, Node3D};
use godot::prelude::*;
use riposte_core::command::{Dimension, Vector};

use crate::base::engine_reads::{is_in_plane, is_in_space};

/// A place or a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Aim {
    /// In 3D.
    Space(Vector3),
    /// In 2D.
    Plane(Vector2),
}

impl Aim {
    /// Reads a value of a script: `Some(None)` for null, `None` for what is no vector.
    pub(crate) fn read(value: &Variant) -> Option<Option<Self>> {
        match value.get_type() {
            VariantType::NIL => Some(None),
            VariantType::VECTOR3 => value.try_to().ok().map(|v| Some(Self::Space(v))),
            VariantType::VECTOR2 => value.try_to().ok().map(|v| Some(Self::Plane(v))),
            _ => None,
        }
    }

    /// Where a node stands, in the middle of it; none for a node without a place.
    pub(crate) fn at(node: &Gd<Node>) -> Option<Self> {
        let inside = node.is_inside_tree();
        if let Ok(node) = node.clone().try_cast::<Node3D>() {
            return Some(Self::Space(if inside { node.get_global_position() } else { node.get_position() }));
        }
        if let Ok(node) = node.clone().try_cast::<Node2D>() {
            return Some(Self::Plane(if inside { node.get_global_position() } else { node.get_position() }));
        }
        let control = node.clone().try_cast::<Control>().ok()?;
        let half = control.get_size() / 2.0;
        let middle = if inside { control.get_global_transform() } else { control.get_transform() };
        Some(Self::Plane(middle * half))
    }

    /// As scripts read it.
    pub(crate) fn to_script(self) -> Variant {
        match self {
            Self::Space(v) => v.to_variant(),
            Self::Plane(v) => v.to_variant(),
        }
    }

    /// As the core reads it.
    pub(crate) fn vector(self) -> Vector {
        match self {
            Self::Space(v) => Vector::Space([f64::from(v.x), f64::from(v.y), f64::from(v.z)]),
            Self::Plane(v) => Vector::Plane([f64::from(v.x), f64::from(v.y)]),
        }
    }

    /// What the core gives.
    pub(crate) fn from_vector(vector: Vector) -> Self {
        match vector {
            Vector::Space([x, y, z]) => Self::Space(Vector3::new(x as real, y as real, z as real)),
            Vector::Plane([x, y]) => Self::Plane(Vector2::new(x as real, y as real)),
        }
    }

    /// The way from here to another point; none if the two are of different dimensions.
    pub(crate) fn to(self, point: Self) -> Option<Self> {
        self.vector().to(point.vector()).map(Self::from_vector)
    }

    /// The same direction with length 1.
    pub(crate) fn normalized(self) -> Self {
        Self::from_vector(self.vector().normalized())
    }

    /// The same as far as numbers of the engine can tell.
    pub(crate) fn is_about(self, other: Self) -> bool {
        match (self, other) {
            (Self::Space(a), Self::Space(b)) => a.approx_eq(&b),
            (Self::Plane(a), Self::Plane(b)) => a.approx_eq(&b),
            _ => false,
        }
    }
}

/// What an agent can aim at.
pub(crate) fn dimension_of(node: &Gd<Node>) -> Dimension {
    if is_in_space(node) {
        Dimension::Space
    } else if is_in_plane(node) {
        Dimension::Plane
    } else {
        Dimension::Either
    }
}
