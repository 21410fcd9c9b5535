//! The engine's virtuals of a node class that is stepped very often, without what the binding does before each call.
//!
//! For a method without a bind (`#[func(gd_self)]`) the binding asks the engine in every call whether the node lives, and, by
//! the text of its name, whether it is of its class: more than a step costs that finds nothing to do. The engine calls the
//! virtuals of living nodes only, and finds them by class; so a step can do with the id of its node.

#![allow(
    unsafe_code,
    reason = "a virtual has the calling convention of the engine, which the binding hides else"
)]

use godot::builtin::PackedStringArray;
use godot::meta::error::CallError;
use godot::obj::{Gd, GodotClass, Inherits, InstanceId, UserClass};
use godot::private::virtuals::Node as names;
use godot::private::{self, CallContext, Signature, Storage as _};
use godot::sys;

use super::ticking::Ticker;

/// A node that is stepped by its id. The class says `stepped!(Class)` in place of an implementation of the engine's interface.
pub(crate) trait Stepped: Ticker + UserClass + Inherits<<Self as GodotClass>::Base> {
    /// The class, for the error of a panic.
    const NAME: &'static str;

    /// One step of `delta` seconds, not yet scaled. Nothing is bound.
    fn step(id: InstanceId, delta: f64);

    /// What the editor shows beside the node. Nothing is bound.
    fn warnings(this: Gd<Self>) -> PackedStringArray;
}

/// Registers the virtuals of a [`Stepped`] class: what `#[godot_api] impl INode for Class` would do.
macro_rules! stepped {
    ($class:ident) => {
        impl ::godot::private::You_forgot_the_attribute__godot_api for $class {}

        impl ::godot::obj::cap::ImplementsGodotVirtual for $class {
            fn __virtual_call(name: &str, hash: u32) -> ::godot::sys::GDExtensionClassCallVirtual {
                $crate::base::virtuals::find::<$class>(name, hash)
            }
        }

        ::godot::sys::shard_add!(
            ::godot::private::__GODOT_SHARD_REGISTRY;
            ::godot::private::ClassShard::new::<$class>(::godot::private::ShardItem::ITraitImpl(
                ::godot::private::ITraitImpl::new::<$class>(),
            ))
        );
    };
}
pub(crate) use stepped;

/// The virtual of this name and signature, for the binding's table of the class.
pub(crate) fn find<T: Stepped>(name: &str, hash: u32) -> sys::GDExtensionClassCallVirtual {
    match (name, hash) {
        names::physics_process | names::process => Some(step::<T>),
        names::get_configuration_warnings => Some(warnings::<T>),
        names::ready => Some(ready::<T>),
        _ => None,
    }
}

/// `_physics_process` and `_process`.
unsafe extern "C" fn step<T: Stepped>(
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    _result: sys::GDExtensionTypePtr,
) {
    private::handle_fallible_ptrcall(&CallContext::func(T::NAME, "_process"), || {
        // SAFETY: the engine calls it with what the binding made for this object, which lives, and is of this class, because
        // it was found in the class's table. Its one argument is a `float`.
        let (storage, delta) = unsafe { (private::as_storage::<T>(instance), *(*arguments).cast::<f64>()) };
        // SAFETY: as above; the object is the one that the storage belongs to.
        let id = unsafe { sys::interface_fn!(object_get_instance_id)(storage.base().obj_sys().cast_const()) };
        T::step(InstanceId::from_i64(id.cast_signed()), delta);
        Ok(())
    });
}

/// `_get_configuration_warnings`.
unsafe extern "C" fn warnings<T: Stepped>(
    instance: sys::GDExtensionClassInstancePtr,
    arguments: *const sys::GDExtensionConstTypePtr,
    result: sys::GDExtensionTypePtr,
) {
    let context = CallContext::func(T::NAME, "_get_configuration_warnings");
    private::handle_fallible_ptrcall(&context, || -> Result<(), CallError> {
        // SAFETY: as in `step`; the virtual has no arguments, and `result` takes a PackedStringArray.
        unsafe {
            Signature::<(), PackedStringArray>::in_ptrcall(
                instance,
                &context,
                arguments,
                result,
                |instance, ()| T::warnings(private::as_storage::<T>(instance).get_gd()),
                sys::PtrcallType::Virtual,
            )
        }
    });
}

/// `_ready`: what the binding prepares before a node is ready.
unsafe extern "C" fn ready<T: Stepped>(
    instance: sys::GDExtensionClassInstancePtr,
    _arguments: *const sys::GDExtensionConstTypePtr,
    _result: sys::GDExtensionTypePtr,
) {
    private::handle_fallible_ptrcall(&CallContext::func(T::NAME, "_ready"), || {
        // SAFETY: as in `step`.
        unsafe { private::as_storage::<T>(instance) }.get_mut().__before_ready();
        Ok(())
    });
}
