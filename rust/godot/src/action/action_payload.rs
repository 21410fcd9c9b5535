//! What the running action hands to its behaviour trees.

use godot::prelude::*;

use super::{ActionEvaluator, driver};

#[godot_api(secondary)]
impl ActionEvaluator {
    /// What the running action hands to its behavior trees, see [member BehaviorTreeSequenceMethod.payload]. Null if nothing
    /// runs, or if the action has none.
    #[func(gd_self)]
    pub fn get_action_payload(this: Gd<Self>) -> Option<Gd<Resource>> {
        driver::payload(this.instance_id())
    }
}
