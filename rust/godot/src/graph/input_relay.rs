use godot::classes::notify::NodeNotification;
use godot::classes::{INode, InputEvent, Node};
use godot::prelude::*;

use super::player_input;

/// Hears input events for its parent, an [ActionGraphPlayer]: a script's own [code]_unhandled_input[/code] would be called instead
/// of the parent's.
#[derive(GodotClass)]
#[class(init, internal, base = Node)]
pub(super) struct RiposteInputRelay {
    base: Base<Node>,
}

#[godot_api]
impl INode for RiposteInputRelay {
    #[func(gd_self)]
    fn input(this: Gd<Self>, event: Gd<InputEvent>) {
        hear(&this, &event);
    }

    #[func(gd_self)]
    fn unhandled_input(this: Gd<Self>, event: Gd<InputEvent>) {
        hear(&this, &event);
    }

    /// Only notes it: nothing may call out while this node is bound.
    fn on_notification(&mut self, what: NodeNotification) {
        let news = match what {
            NodeNotification::PAUSED | NodeNotification::DISABLED => player_input::News::Paused,
            NodeNotification::UNPAUSED | NodeNotification::ENABLED => player_input::News::Resumed,
            NodeNotification::APPLICATION_FOCUS_OUT | NodeNotification::WM_WINDOW_FOCUS_OUT => {
                player_input::News::FocusLost
            }
            _ => return,
        };
        if let Some(parent) = self.base().get_parent() {
            player_input::note(parent.instance_id(), news);
        }
    }
}

fn hear(this: &Gd<RiposteInputRelay>, event: &Gd<InputEvent>) {
    let Some(parent) = this.get_parent() else { return };
    if player_input::hear(parent.instance_id(), event)
        && let Some(mut viewport) = this.get_viewport()
    {
        viewport.set_input_as_handled();
    }
}
