//! What differs between 3D and 2D, so that all else is written once. The core computes in three axes; 2D is its plane z = 0.

use glam::{DMat3, DVec3};
use godot::builtin::{PackedVector2Array, PackedVector3Array, Vector2, Vector3};
use godot::classes::{Node, Node2D, Node3D};
use godot::obj::{Gd, InstanceId};
use riposte_core::perception::{Frame, SpaceId};

use crate::base::convert::{dvec3, vector3};
use crate::base::engine_reads::{global_transform_2d, global_transform_3d};

use super::state;

/// A node that stands somewhere.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Placed {
    /// In a `World3D`.
    Three(Gd<Node3D>),
    /// In a `World2D`.
    Two(Gd<Node2D>),
}

impl Placed {
    /// The node, if it has a place in a dimension.
    pub(crate) fn of(node: &Gd<Node>) -> Option<Self> {
        let three = node.clone().try_cast::<Node3D>().ok().map(Self::Three);
        three.or_else(|| node.clone().try_cast::<Node2D>().ok().map(Self::Two))
    }

    /// The node with this id, if it is there and has a place.
    pub(crate) fn by_id(id: InstanceId) -> Option<Self> {
        Self::of(&Gd::<Node>::try_from_instance_id(id).ok()?)
    }

    /// False if the node was freed or is out of the tree.
    pub(crate) fn is_in_tree(&self) -> bool {
        match self {
            Self::Three(node) => node.is_instance_valid() && node.is_inside_tree(),
            Self::Two(node) => node.is_instance_valid() && node.is_inside_tree(),
        }
    }

    /// As a plain node.
    pub(crate) fn node(&self) -> Gd<Node> {
        match self {
            Self::Three(node) => node.clone().upcast(),
            Self::Two(node) => node.clone().upcast(),
        }
    }

    /// True for a node of a 2D world.
    pub(crate) fn is_planar(&self) -> bool {
        matches!(self, Self::Two(_))
    }

    /// The global transform; only of a node in the tree. Of one that is freed it is not a number.
    pub(crate) fn frame(&self) -> Frame {
        match self {
            Self::Three(node) => {
                let Some(transform) = global_transform_3d(node) else { return Frame::at(DVec3::NAN) };
                let basis = transform.basis;
                Frame {
                    origin: dvec3(transform.origin),
                    basis: DMat3::from_cols(dvec3(basis.col_a()), dvec3(basis.col_b()), dvec3(basis.col_c())),
                }
            }
            Self::Two(node) => {
                let Some(transform) = global_transform_2d(node) else { return Frame::at(DVec3::NAN) };
                Frame {
                    origin: transform.origin.widened(),
                    basis: DMat3::from_cols(transform.a.widened(), transform.b.widened(), DVec3::Z),
                }
            }
        }
    }

    /// The `World3D` or `World2D` that the node is in; none outside the tree.
    pub(crate) fn world(&self) -> Option<InstanceId> {
        match self {
            Self::Three(node) => {
                node.is_inside_tree().then(|| node.get_world_3d()).flatten().map(|world| world.instance_id())
            }
            Self::Two(node) => {
                node.is_inside_tree().then(|| node.get_world_2d()).flatten().map(|world| world.instance_id())
            }
        }
    }

    /// The space that the node is in; none outside the tree.
    pub(crate) fn space(&self) -> Option<SpaceId> {
        let world = self.world()?;
        Some(state::with(|state| state.space_of(world, self.is_planar())))
    }

    /// The global position, if the node is in the tree and the numbers are finite.
    pub(crate) fn origin(&self) -> Option<DVec3> {
        let origin = self.node().is_inside_tree().then(|| self.frame().origin)?;
        origin.is_finite().then_some(origin)
    }
}

impl From<Gd<Node3D>> for Placed {
    fn from(node: Gd<Node3D>) -> Self {
        Self::Three(node)
    }
}

impl From<Gd<Node2D>> for Placed {
    fn from(node: Gd<Node2D>) -> Self {
        Self::Two(node)
    }
}

/// A point or direction of a dimension.
pub(crate) trait Axes: Copy + std::fmt::Display {
    /// As the core computes.
    fn widened(self) -> DVec3;
    /// As the engine stores.
    fn narrowed(wide: DVec3) -> Self;
}

impl Axes for Vector3 {
    fn widened(self) -> DVec3 {
        dvec3(self)
    }

    fn narrowed(wide: DVec3) -> Self {
        vector3(wide)
    }
}

impl Axes for Vector2 {
    fn widened(self) -> DVec3 {
        DVec3::new(f64::from(self.x), f64::from(self.y), 0.0)
    }

    fn narrowed(wide: DVec3) -> Self {
        Self::new(wide.x as f32, wide.y as f32)
    }
}

/// Points of a dimension, as scripts hold them.
pub(crate) trait AxesList {
    /// As the core computes.
    fn widened(&self) -> Vec<DVec3>;
    /// As the engine stores.
    fn narrowed(points: &[DVec3]) -> Self;
}

impl AxesList for PackedVector3Array {
    fn widened(&self) -> Vec<DVec3> {
        self.as_slice().iter().map(|point| point.widened()).collect()
    }

    fn narrowed(points: &[DVec3]) -> Self {
        points.iter().map(|point| Vector3::narrowed(*point)).collect()
    }
}

impl AxesList for PackedVector2Array {
    fn widened(&self) -> Vec<DVec3> {
        self.as_slice().iter().map(|point| point.widened()).collect()
    }

    fn narrowed(points: &[DVec3]) -> Self {
        points.iter().map(|point| Vector2::narrowed(*point)).collect()
    }
}
