//! Global transforms of nodes, read without what a generated call adds.
//!
//! Before each call of a method the binding takes a lock that all classes share and looks the class's name up, for the
//! message of a panic that never comes. That takes longer than the engine needs for a transform, and a tick reads
//! hundreds.

use std::sync::OnceLock;

use godot::builtin::{StringName, Transform2D, Transform3D};
use godot::classes::{Node2D, Node3D};
use godot::obj::{Gd, GodotClass};
use godot::sys;

/// The global transform of a node in the tree; none of one that is freed.
pub(crate) fn global_transform_3d(node: &Gd<Node3D>) -> Option<Transform3D> {
    static METHOD: OnceLock<Method> = OnceLock::new();
    let method = METHOD.get_or_init(|| Method::find("Node3D", 3_229_777_777));
    read(node, method, Transform3D::IDENTITY, Node3D::get_global_transform)
}

/// The global transform of a node in the tree; none of one that is freed.
pub(crate) fn global_transform_2d(node: &Gd<Node2D>) -> Option<Transform2D> {
    static METHOD: OnceLock<Method> = OnceLock::new();
    let method = METHOD.get_or_init(|| Method::find("CanvasItem", 3_814_499_831));
    read(node, method, Transform2D::IDENTITY, |node| node.get_global_transform())
}

/// `get_global_transform` of a class, as the engine knows it: an address that stays; 0: it knows none of this kind.
struct Method(usize);

impl Method {
    /// `hash`: of the method's arguments and result, by which the engine tells methods of one name apart.
    #[allow(unsafe_code, reason = "the interface function has no safe face")]
    fn find(class: &str, hash: i64) -> Self {
        let (class, method) = (StringName::from(class), StringName::from("get_global_transform"));
        // SAFETY: both names outlive the call; the engine answers with null for what it does not know.
        let found = unsafe {
            let find = sys::interface_fn!(classdb_get_method_bind);
            find(class.string_sys(), method.string_sys(), hash)
        };
        Self(found as usize)
    }
}

/// `generated`: the way of the binding, if the engine does not know the method.
#[allow(unsafe_code, reason = "the interface function has no safe face")]
fn read<N: GodotClass, T>(
    node: &Gd<N>,
    method: &Method,
    mut transform: T,
    generated: impl FnOnce(&N) -> T,
) -> Option<T>
where
    Gd<N>: std::ops::Deref<Target = N>,
{
    if !node.is_instance_valid() {
        return None;
    }
    if method.0 == 0 {
        return Some(generated(node));
    }
    // SAFETY: the object is alive, the method takes no arguments and gives a T, for whose hash it was found, and a T is
    // laid out as the engine's own.
    unsafe {
        let call = sys::interface_fn!(object_method_bind_ptrcall);
        let result = (&raw mut transform).cast();
        call(method.0 as sys::GDExtensionMethodBindPtr, node.obj_sys(), std::ptr::null(), result);
    }
    Some(transform)
}
