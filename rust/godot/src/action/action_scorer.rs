use godot::prelude::*;

use super::DecisionContext;
use super::seeded;

/// A scorer of your own: a script that extends this class and overrides [method _score_multiplier].
///
/// The resource is shared by all agents: keep no state in it. A script that does not override the virtual has no
/// effect and costs nothing.
///
/// ```gdscript
/// class_name RainScorer
/// extends ActionScorer
/// func _score_multiplier(context: DecisionContext) -> float:
///     return 0.5 if context.has_tag(&"World.Rain") else 1.0
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ActionScorer {
    base: Base<Resource>,
}

#[godot_api]
impl ActionScorer {
    /// The factor of the score: 1 has no effect, 0 rules the action out. A negative number or NaN counts as 0, with a
    /// warning. The context is valid during the call.
    #[func(virtual, gd_self)]
    pub fn score_multiplier(_this: Gd<Self>, _context: Gd<DecisionContext>) -> f64 {
        1.0
    }

    /// The name in logs and breakdowns. Default: the class name.
    #[func(virtual, gd_self)]
    pub fn get_display_name(_this: Gd<Self>) -> GString {
        GString::from("ActionScorer")
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
