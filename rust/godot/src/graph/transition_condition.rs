use godot::prelude::*;

use super::ActionRun;
use crate::action::resource_class::{SpecChecks, resource_class};

resource_class! {
    /// A condition of your own: a script that extends this class and overrides [method _evaluate].
    ///
    /// The resource is shared by all agents and transitions: keep no state in it. It is asked only after all built-in tests of
    /// its transition have passed. A script that does not override the virtual always passes.
    ///
    /// ```gdscript
    /// class_name NightCondition
    /// extends TransitionCondition
    /// func _evaluate(run: ActionRun) -> bool:
    ///     return WorldTags.has_tag(&"World.Night") and run.agent.is_on_floor()
    /// ```
    class TransitionCondition;
    properties {
        /// On: the transition passes where it would not, and the other way round.
        #[export]
        invert: bool = false => set_invert(any);
    }
    items {
        /// True lets the transition through. [param run] is that of the node it leads to, which has not started: its
        /// [member ActionRun.run_id] is 0.
        #[func(virtual, gd_self)]
        pub fn evaluate(_this: Gd<Self>, _run: Gd<ActionRun>) -> bool {
            true
        }

        /// The name on the canvas and in explanations. Default: the class name.
        #[func(virtual, gd_self)]
        pub fn get_display_name(_this: Gd<Self>) -> GString {
            GString::from("TransitionCondition")
        }
    }
}
