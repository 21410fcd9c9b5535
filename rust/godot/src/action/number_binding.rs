use godot::prelude::*;
use riposte_core::action::{BindMode, BindingPlan, BoundNumber};

use crate::base::messages;

/// Lets a number of an action follow an attribute of the agent: a cooldown that gets shorter with its level, a weight that
/// grows with its rage.
///
/// Put it into [member ActionSpec.bindings]. An attribute that the agent does not have, or that is no finite number, leaves
/// the action's own number. The result is kept inside the range of the property.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct NumberBinding {
    /// The property of the [ActionSpec] that follows: [code]selection_weight[/code] and [code]risk_penalty[/code] are read
    /// at every evaluation, [code]commitment_time[/code] when another action wants to take over, [code]recovery_time[/code]
    /// at the end, [code]cooldown_duration[/code] when it is stamped, [code]cooldown_initial[/code] at spawn.
    #[export(enum = (selection_weight, risk_penalty, cooldown_duration, cooldown_initial, recovery_time, commitment_time))]
    #[var(set = set_property)]
    property: StringName,
    /// Where the number is: a property of the agent or of a child ([code]rage[/code]), a property of a node below the agent
    /// ([code]Stats:attack_cooldown[/code]), or a method without arguments ([code]get_level()[/code],
    /// [code]Stats:get_haste()[/code]).
    #[export]
    #[var(set = set_attribute)]
    pub(super) attribute: GString,
    /// What the attribute does to the action's own number: one of the [code]BIND_*[/code] constants. Default
    /// [constant BIND_REPLACE].
    #[export(enum = (Replace = 0, Multiply = 1, Add = 2))]
    #[var(set = set_mode)]
    mode: i64,
    base: Base<Resource>,
}

#[godot_api]
impl NumberBinding {
    /// The attribute takes the place of the number.
    #[constant]
    const BIND_REPLACE: i64 = BindMode::Replace as i64;
    /// The attribute multiplies the number.
    #[constant]
    const BIND_MULTIPLY: i64 = BindMode::Multiply as i64;
    /// The attribute is added to the number.
    #[constant]
    const BIND_ADD: i64 = BindMode::Add as i64;

    #[func]
    fn set_property(&mut self, value: StringName) {
        let name = value.to_string();
        if !name.is_empty() && BoundNumber::from_name(&name).is_none() {
            let known: Vec<&str> = BoundNumber::ALL.iter().map(|one| one.1).collect();
            let text = format!(
                "property can't be \"{name}\", it stays \"{}\". Known: {}.",
                self.property,
                known.join(", ")
            );
            messages::error(&self.to_gd(), "property", &name, &text);
            return;
        }
        self.property = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_attribute(&mut self, value: GString) {
        self.attribute = value;
        self.base_mut().emit_changed();
    }

    #[func]
    fn set_mode(&mut self, value: i64) {
        if BindMode::from_code(value).is_none() {
            let text = format!("mode can't be {value}, it stays {}. Use a BIND_* constant.", self.mode);
            messages::error(&self.to_gd(), "mode", "unknown", &text);
            return;
        }
        self.mode = value;
        self.base_mut().emit_changed();
    }
}

impl NumberBinding {
    /// The compiled binding; none while something is not filled in.
    pub(super) fn plan(&self, slot: usize) -> Option<BindingPlan> {
        let number = BoundNumber::from_name(&self.property.to_string())?;
        let mode = BindMode::from_code(self.mode)?;
        (!self.attribute.is_empty()).then_some(BindingPlan { number, mode, slot })
    }

    /// The configuration warning, if there is one to give.
    pub(super) fn warning(&self) -> Option<&'static str> {
        if self.property.is_empty() {
            Some("it has no property and does nothing. Choose one.")
        } else if self.attribute.is_empty() {
            Some("it has no attribute and does nothing. Name one.")
        } else {
            None
        }
    }
}
