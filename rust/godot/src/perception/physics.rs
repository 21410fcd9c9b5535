//! The two physics engines of the engine, one per dimension, as rays need them.

use glam::DVec3;
use godot::builtin::{Array, Rid, VarDictionary, Variant, Vector2, Vector3};
use godot::classes::{
    CollisionObject2D, CollisionObject3D, Node, PhysicsDirectSpaceState2D, PhysicsDirectSpaceState3D,
    PhysicsRayQueryParameters2D, PhysicsRayQueryParameters3D,
};
use godot::obj::{Gd, NewGd as _};

use crate::base::engine_rays;

use super::dimension::Axes;

/// Rays of one dimension.
pub(crate) trait Physics: Sized + 'static {
    /// Answers queries about one world.
    type Space;
    /// A query.
    type Query;
    /// Class of all bodies and areas that are nodes.
    const BODIES: &'static str;
    /// A point nearer than this is visible without a ray.
    const TOUCHING: f64;
    /// What begins nearer to a surface begins on it.
    const SURFACE: f64;

    /// A query that is not hit by what it begins in, and by back faces where there are any.
    fn query() -> Self::Query;
    /// The layers that it hits, and whether areas on them count too.
    fn set_mask(query: &mut Self::Query, mask: u32, areas: bool);
    /// Where it begins and ends.
    fn aim(query: &mut Self::Query, from: DVec3, to: DVec3);
    /// What it never hits.
    fn set_exclude(query: &mut Self::Query, bodies: &Array<Rid>);
    /// Puts the first hit into `hit`; empty if there is none.
    fn cast(space: &mut Self::Space, query: &Self::Query, hit: &mut VarDictionary);
    /// The point of a hit.
    fn point(hit: &Variant) -> Option<DVec3>;
    /// The body of a node, if it is one.
    fn body(node: Gd<Node>) -> Option<Rid>;
}

/// Rays among the bodies of a `World3D`.
pub(crate) struct Physics3D;

/// Rays among the bodies of a `World2D`.
pub(crate) struct Physics2D;

macro_rules! physics {
    ($physics:ty, $vector:ty, $space:ty, $query:ty, $body:ty, $bodies:literal, $touching:literal, $surface:literal, $set_up:expr) => {
        impl Physics for $physics {
            type Space = Gd<$space>;
            type Query = Gd<$query>;
            const BODIES: &'static str = $bodies;
            const TOUCHING: f64 = $touching;
            const SURFACE: f64 = $surface;

            fn query() -> Self::Query {
                let mut query = <$query>::new_gd();
                query.set_hit_from_inside(false);
                $set_up(&mut query);
                query
            }

            fn set_mask(query: &mut Self::Query, mask: u32, areas: bool) {
                query.set_collision_mask(mask);
                query.set_collide_with_areas(areas);
            }

            fn aim(query: &mut Self::Query, from: DVec3, to: DVec3) {
                engine_rays::aim(query, &<$vector>::narrowed(from), &<$vector>::narrowed(to));
            }

            fn set_exclude(query: &mut Self::Query, bodies: &Array<Rid>) {
                query.set_exclude(bodies);
            }

            fn cast(space: &mut Self::Space, query: &Self::Query, hit: &mut VarDictionary) {
                engine_rays::cast(space, query, hit);
            }

            fn point(hit: &Variant) -> Option<DVec3> {
                hit.try_to::<$vector>().ok().map(Axes::widened)
            }

            fn body(node: Gd<Node>) -> Option<Rid> {
                node.try_cast::<$body>().ok().map(|body| body.get_rid())
            }
        }
    };
}

physics!(
    Physics3D,
    Vector3,
    PhysicsDirectSpaceState3D,
    PhysicsRayQueryParameters3D,
    CollisionObject3D,
    "CollisionObject3D",
    1e-4,
    1e-2,
    |query: &mut Gd<PhysicsRayQueryParameters3D>| query.set_hit_back_faces(true)
);

// Shapes of two dimensions have no back faces.
physics!(
    Physics2D,
    Vector2,
    PhysicsDirectSpaceState2D,
    PhysicsRayQueryParameters2D,
    CollisionObject2D,
    "CollisionObject2D",
    1e-2,
    1.0,
    |_: &mut Gd<PhysicsRayQueryParameters2D>| {}
);
