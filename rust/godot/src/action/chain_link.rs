use godot::prelude::*;
use riposte_core::action::{ActionId, ChainPlan};

use crate::base::numbers::Checked;

/// A follow-up that an action prefers: for a short time after the action completed, the follow-up scores higher.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ChainLink {
    /// The follow-up, an action of the same set.
    #[export]
    #[var(set = set_action_id)]
    action_id: StringName,
    /// Factor of the follow-up's score. 0 to 10, default 1.5.
    #[export(range = (0.0, 10.0, 0.05))]
    #[var(set = set_bonus_multiplier)]
    #[init(val = 1.5)]
    bonus_multiplier: f64,
    base: Base<Resource>,
}

#[godot_api]
impl ChainLink {
    /// A new link in one line.
    #[func]
    pub fn to(action_id: StringName, #[opt(default = 1.5)] bonus: f64) -> Gd<Self> {
        let mut link = Self::new_gd();
        {
            let mut link = link.bind_mut();
            link.action_id = action_id;
            link.bonus_multiplier = link.clamped("bonus_multiplier", bonus, 1.5, 0.0, 10.0);
        }
        link
    }

    #[func]
    fn set_action_id(&mut self, value: StringName) {
        self.action_id = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_bonus_multiplier(&mut self, value: f64) {
        self.bonus_multiplier = self.clamped("bonus_multiplier", value, self.bonus_multiplier, 0.0, 10.0);
        self.base_mut().emit_changed();
    }
}

impl ChainLink {
    /// The compiled link; none without an id.
    pub(crate) fn plan(&self) -> Option<ChainPlan> {
        let named = !self.action_id.is_empty();
        named.then(|| ChainPlan {
            action: ActionId::new(&self.action_id.to_string()),
            bonus: self.bonus_multiplier,
        })
    }
}
