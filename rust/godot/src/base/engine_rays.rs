//! Rays, asked of the engine without the ways of the binding.
//!
//! A ray is three calls, and the binding does for each of them what `engine_reads` tells: together that takes as long as
//! the ray.

#![allow(
    unsafe_code,
    reason = "the interface functions have no safe face that leaves out what the binding adds"
)]

use std::ptr;
use std::sync::OnceLock;

use godot::builtin::{VarDictionary, Vector2, Vector3};
use godot::classes::{
    PhysicsDirectSpaceState2D, PhysicsDirectSpaceState3D, PhysicsRayQueryParameters2D,
    PhysicsRayQueryParameters3D,
};
use godot::obj::{Gd, GodotClass};
use godot::sys;
use godot::sys::GodotFfi as _;

use super::engine_reads::{Bind, bind};

/// The methods of one dimension.
struct Rays {
    set_from: Bind,
    set_to: Bind,
    intersect_ray: Bind,
}

/// A query of one dimension, which a space of the same answers.
pub(crate) trait RayQuery: GodotClass {
    /// A place.
    type Point;
    /// Answers it.
    type Space: GodotClass;

    #[doc(hidden)]
    fn rays() -> Methods;
}

/// Names nothing that others could use.
pub(crate) struct Methods(&'static Rays);

macro_rules! ray_query {
    ($query:ident, $space:ident, $point:ty, $set:literal, $ask:literal) => {
        impl RayQuery for $query {
            type Point = $point;
            type Space = $space;

            fn rays() -> Methods {
                static RAYS: OnceLock<Rays> = OnceLock::new();
                let make = || Rays {
                    set_from: bind(stringify!($query), "set_from", $set),
                    set_to: bind(stringify!($query), "set_to", $set),
                    intersect_ray: bind(stringify!($space), "intersect_ray", $ask),
                };
                Methods(RAYS.get_or_init(make))
            }
        }
    };
}

ray_query!(PhysicsRayQueryParameters3D, PhysicsDirectSpaceState3D, Vector3, 3_460_891_852, 3_957_970_750);
ray_query!(PhysicsRayQueryParameters2D, PhysicsDirectSpaceState2D, Vector2, 743_155_724, 1_590_275_562);

/// Says where a ray begins and where it ends.
pub(crate) fn aim<Q: RayQuery>(query: &Gd<Q>, from: &Q::Point, to: &Q::Point) {
    let Methods(rays) = Q::rays();
    if query.is_instance_valid() {
        for (bind, point) in [(rays.set_from, from), (rays.set_to, to)] {
            // SAFETY: the query lives, and nothing runs between that look and this call. The methods are those of its
            // class, take one place of its dimension, only keep it, and return nothing.
            unsafe {
                let arguments = [ptr::from_ref(point).cast()];
                let call = sys::interface_fn!(object_method_bind_ptrcall);
                call(bind.sys(), query.obj_sys(), arguments.as_ptr(), ptr::null_mut());
            }
        }
    }
}

/// What a ray hits first: the dictionary that `hit` is from now on; empty if there is nothing.
pub(crate) fn cast<Q: RayQuery>(space: &Gd<Q::Space>, query: &Gd<Q>, hit: &mut VarDictionary) {
    let Methods(rays) = Q::rays();
    if !space.is_instance_valid() || !query.is_instance_valid() {
        *hit = VarDictionary::new();
        return;
    }
    let object = query.obj_sys();
    // SAFETY: both live, and nothing runs between that look and this call. The method is that of the class of the space,
    // takes one query of its dimension by a pointer to its pointer, and assigns to the dictionary that lies there.
    unsafe {
        let arguments = [ptr::from_ref(&object).cast()];
        let call = sys::interface_fn!(object_method_bind_ptrcall);
        call(rays.intersect_ray.sys(), space.obj_sys(), arguments.as_ptr(), hit.sys_mut());
    }
}
