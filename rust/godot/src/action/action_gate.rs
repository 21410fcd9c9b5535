use godot::prelude::*;

use super::DecisionContext;
use super::seeded;

/// A gate of your own: a script that extends this class and overrides [method _passes_gate].
///
/// Gates are asked in their order; the first that says no rules the action out. The resource is shared by all agents:
/// keep no state in it. A script that does not override the virtual always passes and costs nothing.
///
/// ```gdscript
/// class_name NightGate
/// extends ActionGate
/// func _passes_gate(context: DecisionContext) -> bool:
///     return context.has_tag(&"World.Night")
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ActionGate {
    base: Base<Resource>,
}

#[godot_api]
impl ActionGate {
    /// True lets the action through, false rules it out. The context is valid during the call.
    #[func(virtual, gd_self)]
    pub fn passes_gate(_this: Gd<Self>, _context: Gd<DecisionContext>) -> bool {
        true
    }

    /// The name in logs and breakdowns. Default: the class name.
    #[func(virtual, gd_self)]
    pub fn get_display_name(_this: Gd<Self>) -> GString {
        GString::from("ActionGate")
    }

    /// A random number from 0 to below 1 that is the same for the same decision: use it instead of `randf()`, so that
    /// a game can be replayed. Another [param salt] gives another number.
    #[func(gd_self)]
    pub fn seeded_random(
        this: Gd<Self>,
        context: Option<Gd<DecisionContext>>,
        #[opt(default = 0)] salt: i64,
    ) -> f64 {
        seeded::random(&this.upcast(), context, salt)
    }
}
