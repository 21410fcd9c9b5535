use std::time::Instant;

use godot::prelude::*;

use super::script_method;

/// Lets the benchmarks see what calls of scripts cost that the library makes and does nothing beside. Hidden.
#[derive(GodotClass)]
#[class(init, internal, base = RefCounted)]
struct RiposteCallProbe {
    base: Base<RefCounted>,
}

#[godot_api]
impl RiposteCallProbe {
    /// Calls a method that the script of each of these objects has, of one object after the other, of each so many times.
    /// Microseconds.
    #[func]
    fn time_calls(objects: Array<Gd<Object>>, method: StringName, arguments: VarArray, times: i64) -> f64 {
        let objects: Vec<Gd<Object>> = objects.iter_shared().collect();
        let arguments: Vec<Variant> = arguments.iter_shared().collect();
        let began = Instant::now();
        for object in &objects {
            for _ in 0..times {
                script_method::call(object, &method, &arguments);
            }
        }
        began.elapsed().as_secs_f64() * 1e6
    }
}
