use godot::classes::IResource;
use godot::prelude::*;
use godot::register::info::{PropertyInfo, PropertyUsageFlags};
use riposte_core::awareness::{SenseId, SenseSlot};

use crate::base::numbers::Checked;
use crate::base::{defaults, tags};

/// One sense of an [AwarenessProfile]: how much it counts, and how fast its confidence rises and falls.
///
/// A value that was not set has the default of its sense: Sight rises and falls within 1 s and is less sure far away,
/// Hearing is there at once and less sure still, Damage and senses of your own are there at once and sure.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct AwarenessSense {
    /// Sight, Hearing, Damage, or the id of a sense of your own, as given to `PerceptionServer.report_stimulus`.
    #[export]
    #[var(set = set_sense_id)]
    #[init(val = StringName::from("Sight"))]
    pub(crate) sense_id: StringName,
    /// Multiplies the confidence of this sense when all senses are put together. 0 to 2, default 1.
    #[export(range = (0.0, 2.0, 0.01))]
    #[var(set = set_weight)]
    #[init(val = 1.0)]
    weight: f64,
    /// Time to rise to a full reading. 0: at once. Default 1 s for Sight, 0 s for others.
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "s"))]
    #[var(get = get_rise_time, set = set_rise_time)]
    rise_time: PhantomVar<f64>,
    /// Time to fall from 1 to 0. 0: at once. Default 1 s for Sight, 2 s for others.
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "s"))]
    #[var(get = get_fall_time, set = set_fall_time)]
    fall_time: PhantomVar<f64>,
    /// How long the sense counts as active after it last sensed the target. Default 0 s for Sight, 1 s for others.
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "s"))]
    #[var(get = get_hold_time, set = set_hold_time)]
    hold_time: PhantomVar<f64>,
    /// Confidence of the sense in a target right here. 0 to 1. Default 0.8 for Hearing, 1 for others.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(get = get_max_confidence, set = set_max_confidence)]
    max_confidence: PhantomVar<f64>,
    /// Confidence of the sense in a target at the edge of its range. 0 to 1. Default 0.7 for Sight, 0.2 for Hearing, 1 for
    /// others, which know no range.
    #[export(range = (0.0, 1.0, 0.01))]
    #[var(get = get_far_confidence, set = set_far_confidence)]
    far_confidence: PhantomVar<f64>,
    /// What was set, in the order of [`NAMES`].
    given: [Option<f64>; 5],
    base: Base<Resource>,
}

/// The values whose default depends on the sense.
const NAMES: [&str; 5] = ["rise_time", "fall_time", "hold_time", "max_confidence", "far_confidence"];

/// What the engine takes for the default: a value that cannot be set, so that what is set is always stored.
const BY_SENSE: f64 = -1.0;

#[godot_api]
impl AwarenessSense {
    #[func]
    fn set_sense_id(&mut self, value: StringName) {
        if tags::from_script(&self.to_gd(), "sense_id", &value.to_string()).is_some() {
            self.sense_id = value;
        }
        self.base_mut().emit_changed();
        // The defaults shown are those of the sense.
        self.base_mut().notify_property_list_changed();
    }

    #[func]
    fn set_weight(&mut self, value: f64) {
        self.weight = self.clamped("weight", value, self.weight, 0.0, 2.0);
        self.base_mut().emit_changed();
    }

    #[func]
    fn get_rise_time(&self) -> f64 {
        self.read(0)
    }

    #[func]
    fn set_rise_time(&mut self, value: f64) {
        self.write(0, value, f64::INFINITY);
    }

    #[func]
    fn get_fall_time(&self) -> f64 {
        self.read(1)
    }

    #[func]
    fn set_fall_time(&mut self, value: f64) {
        self.write(1, value, f64::INFINITY);
    }

    #[func]
    fn get_hold_time(&self) -> f64 {
        self.read(2)
    }

    #[func]
    fn set_hold_time(&mut self, value: f64) {
        self.write(2, value, f64::INFINITY);
    }

    #[func]
    fn get_max_confidence(&self) -> f64 {
        self.read(3)
    }

    #[func]
    fn set_max_confidence(&mut self, value: f64) {
        self.write(3, value, 1.0);
    }

    #[func]
    fn get_far_confidence(&self) -> f64 {
        self.read(4)
    }

    #[func]
    fn set_far_confidence(&mut self, value: f64) {
        self.write(4, value, 1.0);
    }
}

#[godot_api]
impl IResource for AwarenessSense {
    /// What follows the sense is not stored: it must go on following it.
    fn on_validate_property(&self, property: &mut PropertyInfo) {
        let at = NAMES.iter().position(|name| property.property_name == *name);
        if at.is_some_and(|at| self.given[at].is_none()) && !defaults::asking() {
            property.usage = PropertyUsageFlags::EDITOR;
        }
    }

    fn on_property_get_revert(&self, property: StringName) -> Option<Variant> {
        let at = NAMES.iter().position(|name| property == *name)?;
        Some(defaults_of(&self.sense_id)[at].to_variant())
    }
}

impl AwarenessSense {
    fn read(&self, at: usize) -> f64 {
        if defaults::asking() {
            return BY_SENSE;
        }
        self.given[at].unwrap_or_else(|| defaults_of(&self.sense_id)[at])
    }

    fn write(&mut self, at: usize, value: f64, max: f64) {
        let checked = self.clamped(NAMES[at], value, self.read(at), 0.0, max);
        if value.is_finite() {
            self.given[at] = Some(checked);
        }
        self.base_mut().emit_changed();
    }

    /// What the core works with; `None` if the id is no name.
    pub(super) fn slot(&self) -> Option<SenseSlot> {
        Some(SenseSlot {
            sense: sense_of(&self.sense_id)?,
            weight: self.weight,
            rise_time: self.read(0),
            fall_time: self.read(1),
            hold_time: self.read(2),
            max_confidence: self.read(3),
            far_confidence: self.read(4),
        })
    }
}

/// The sense with this id.
pub(super) fn sense_of(id: &StringName) -> Option<SenseId> {
    match id.to_string().as_str() {
        "Sight" => Some(SenseId::Sight),
        "Hearing" => Some(SenseId::Hearing),
        "Damage" => Some(SenseId::Damage),
        custom => tags::intern(custom).ok().map(SenseId::Custom),
    }
}

/// The id of a sense.
pub(super) fn id_of(sense: SenseId) -> StringName {
    match sense {
        SenseId::Sight => StringName::from("Sight"),
        SenseId::Hearing => StringName::from("Hearing"),
        SenseId::Damage => StringName::from("Damage"),
        SenseId::Custom(tag) => tags::name(tag),
    }
}

/// Defaults in the order of [`NAMES`].
fn defaults_of(id: &StringName) -> [f64; 5] {
    let slot = SenseSlot::new(sense_of(id).unwrap_or(SenseId::Damage));
    [slot.rise_time, slot.fall_time, slot.hold_time, slot.max_confidence, slot.far_confidence]
}
