//! Default values that the engine believes in.
//!
//! The engine makes one instance of a class to learn its defaults, keeps them, and leaves a value out of a file if it
//! equals the default. Two kinds of properties need it to believe something else: one that must be in every file,
//! and one that holds a new resource (which the engine warns of, and would compare by identity).

use std::sync::atomic::{AtomicBool, Ordering};

use godot::classes::ClassDb;
use godot::obj::Singleton as _;

static ASKING: AtomicBool = AtomicBool::new(false);

/// True while the instance is made that only tells its defaults.
pub(crate) fn asking() -> bool {
    ASKING.load(Ordering::Relaxed)
}

/// Lets the engine learn the defaults of a class, with [`asking`] true. To be called once per start, when the scene
/// classes are registered.
pub(crate) fn teach(class: &str, property: &str) {
    ASKING.store(true, Ordering::Relaxed);
    ClassDb::singleton().class_get_property_default_value(class, property);
    ASKING.store(false, Ordering::Relaxed);
}
