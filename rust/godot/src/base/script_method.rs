//! Calls of script methods on objects whose script is known to have them.

use godot::builtin::{StringName, Variant};
use godot::obj::{Gd, GodotClass};
use godot::sys;

use super::engine_reads::lives;

/// Arguments of a call at the most.
const MOST: usize = 8;

/// True if the object has a script with this method, whether it may run here or not.
#[allow(unsafe_code, reason = "the way of the binding makes a resource of the script in each call")]
pub(crate) fn exists<T: GodotClass>(object: &Gd<T>, method: &StringName) -> bool {
    if !lives(object.instance_id_unchecked()) {
        return false;
    }
    // SAFETY: the object is alive, and the engine only reads the name.
    let found = unsafe {
        sys::interface_fn!(object_has_script_method)(object.obj_sys().cast_const(), method.string_sys())
    };
    found != 0
}

/// Calls a method that the object's script has; what it returns, null after an error that the engine has told.
///
/// The way of the binding, `Object.call`, goes through a vararg method and makes lists and a Variant of the name in each
/// call, which costs as much as a short script itself. Runs the script: nothing may be bound or locked.
#[allow(unsafe_code, reason = "the interface function has no safe face that takes Variants as they are")]
pub(crate) fn call<T: GodotClass>(object: &Gd<T>, method: &StringName, arguments: &[Variant]) -> Variant {
    let mut pointers = [std::ptr::null(); MOST];
    let count = arguments.len().min(MOST);
    for (pointer, argument) in pointers.iter_mut().zip(arguments) {
        *pointer = argument.var_sys();
    }
    let mut error = sys::default_call_error();
    // SAFETY: the object is alive, as for any call through a `Gd`, `method` and `arguments` outlive the call, the
    // engine reads `count` pointers, and it always makes a Variant of the result's memory, also on an error.
    unsafe {
        Variant::new_with_var_uninit(|result| {
            let call = sys::interface_fn!(object_call_script_method);
            let name = method.string_sys();
            call(object.obj_sys(), name, pointers.as_ptr(), count as i64, result, &raw mut error);
        })
    }
}

/// Where the engine keeps an object, for fetching it ahead.
pub(crate) fn address<T: GodotClass>(object: &Gd<T>) -> usize {
    object.obj_sys().addr()
}
