use godot::prelude::*;
use riposte_core::tags::TagId;
use riposte_core::vitals::{Vital, VitalEvent, VitalPlan, Vitals};

use super::AgentVital;
use super::vital_state::{State, VITALS, with_row};
use crate::base::callbacks::{connect, disconnect};
use crate::base::family::{ArrayOf, ClassArray};
use crate::base::lifecycle::{Hooked, Lifecycle};
use crate::base::lookup::{self, Part};
use crate::base::messages;
use crate::base::numbers::Checked;
use crate::base::state::{self, StateReader};
use crate::base::tags;
use crate::base::ticking::{self, Ticker};

const STATE_VERSION: i64 = 1;

/// Name of the connections to the rows.
const EDITED: &str = "riposte_vitals_edited";

/// The agent's health, stamina and the like: values between 0 and a maximum that regenerate.
///
/// Add the node as a direct child of the agent and give it rows. An agent without it, or without such a row, reads as
/// full health and 100 stamina.
#[derive(GodotClass)]
#[class(init, tool, base = Node)]
pub struct AgentVitals {
    /// The agent. Empty: the parent.
    #[export]
    #[var(set = set_agent_path)]
    agent_path: NodePath,
    /// The rows. Read-only in scripts: assign a new array. Rows that were there keep their values.
    #[export]
    #[var(get = get_vitals, set = set_vitals)]
    vitals: ClassArray<AgentVital>,
    /// When the values regenerate: with the physics, with each frame, or by [method advance].
    #[export(enum = (Physics = 0, Idle = 1, Manual = 2))]
    #[var(set = set_process_callback)]
    process_callback: i64,
    /// Speed of regeneration; 0 stands still. Default 1.
    #[export(range = (0.0, 4.0, 0.01, or_greater))]
    #[var(set = set_time_scale)]
    #[init(val = 1.0)]
    time_scale: f64,
    #[init(val = Hooked::new::<Self>(&base))]
    #[expect(dead_code, reason = "its construction connects the lifecycle")]
    hooked: Hooked,
    #[init(val = State::create(base.to_init_gd().instance_id()))]
    id: InstanceId,
    base: Base<Node>,
}

/// Adds to a vital of an agent, if it has such a row. Tells it: nothing may be bound or locked.
pub(crate) fn change_vital(agent: InstanceId, tag: TagId, amount: f64) {
    let node = lookup::part_of(agent, Part::Vitals);
    let node = node.and_then(|id| Gd::<AgentVitals>::try_from_instance_id(id).ok());
    let Some(node) = node.filter(|_| amount.is_finite()) else { return };
    let events = VITALS
        .lock()
        .get_mut(node.instance_id())
        .and_then(|state| Vitals::change(&mut state.vitals, tag, amount));
    if let Some(events) = events {
        AgentVitals::update_ticking(&node);
        AgentVitals::tell(&node, events);
    }
}

#[godot_api]
impl AgentVitals {
    /// Values regenerate in the physics step.
    #[constant]
    const PROCESS_PHYSICS: i64 = ticking::PROCESS_PHYSICS;
    /// Values regenerate with every drawn frame.
    #[constant]
    const PROCESS_IDLE: i64 = ticking::PROCESS_IDLE;
    /// Values regenerate when [method advance] is called.
    #[constant]
    const PROCESS_MANUAL: i64 = ticking::PROCESS_MANUAL;

    /// A value changed; [param delta] is what was really gained or lost.
    #[signal]
    pub fn vital_changed(tag: StringName, value: f64, delta: f64);

    /// A value reached 0 and was above it before. Comes after [signal vital_changed].
    #[signal]
    pub fn vital_depleted(tag: StringName);

    /// The value of a row. 0, with an error, without such a row.
    #[func(gd_self)]
    pub fn get_value(this: Gd<Self>, tag: StringName) -> f64 {
        Self::known(&this, "get_value", &tag, |row| row.value()).unwrap_or(0.0)
    }

    /// The value as a share of the maximum, 0 to 1. 1, with an error, without such a row.
    #[func(gd_self)]
    pub fn get_fraction(this: Gd<Self>, tag: StringName) -> f64 {
        Self::known(&this, "get_fraction", &tag, |row| row.fraction()).unwrap_or(1.0)
    }

    /// True if there is a row with exactly this tag.
    #[func(gd_self)]
    pub fn has_vital(this: Gd<Self>, tag: StringName) -> bool {
        let tag = tags::intern(&tag.to_string());
        tag.is_ok_and(|tag| with_row(this.instance_id(), tag, |_| ()).is_some())
    }

    /// Sets a value; it is kept between 0 and the maximum. A loss starts the row's delay anew.
    #[func(gd_self)]
    pub fn set_value(this: Gd<Self>, tag: StringName, value: f64) {
        Self::alter(&this, "set_value", &tag, value, Vitals::set_value);
    }

    /// Adds to a value; a negative amount is a loss and starts the row's delay anew.
    #[func(gd_self)]
    pub fn change(this: Gd<Self>, tag: StringName, amount: f64) {
        Self::alter(&this, "change", &tag, amount, Vitals::change);
    }

    /// Regenerates for some seconds, with [member process_callback] on Manual only.
    #[func(gd_self)]
    pub fn advance(this: Gd<Self>, delta: f64) {
        let now = VITALS.lock().get(this.instance_id()).map(|state| (state.callback, state.stepping));
        let (callback, stepping) = now.unwrap_or_default();
        if ticking::may_advance(&this, callback, stepping, delta) {
            Self::tick(this, delta);
        }
    }

    /// The values as plain values, for saving. See [method import_state].
    #[func(gd_self)]
    pub fn export_state(this: Gd<Self>) -> VarDictionary {
        let rows = VITALS.lock().get(this.instance_id()).map(|state| state.vitals.rows().to_vec());
        let mut values = VarDictionary::new();
        for row in rows.unwrap_or_default() {
            values
                .set(&tags::text(row.tag()), &vdict! { "value" => row.value(), "delay_left" => row.wait() });
        }
        let mut exported = state::versioned(STATE_VERSION);
        exported.set("vitals", &values);
        exported
    }

    /// Sets the values to those of an exported state; no signal. False, with an error and without effect, if the
    /// version or the structure is another. Rows that are not there are left out with a warning.
    #[func(gd_self)]
    pub fn import_state(this: Gd<Self>, state: VarDictionary) -> bool {
        let Some(reader) = StateReader::open(&this, &state, STATE_VERSION) else { return false };
        let Some(rows) = read_rows(&reader) else { return state::refuse_structure(&this) };
        for (name, value, wait) in rows {
            let known = tags::intern(&name).is_ok_and(|tag| {
                let mut vitals = VITALS.lock();
                vitals.get_mut(this.instance_id()).is_some_and(|own| own.vitals.restore(tag, value, wait))
            });
            if !known {
                let text = format!("import_state() left out \"{name}\". Add a row with this tag first.");
                messages::warning(&this, "import_state", &name, &text);
            }
        }
        Self::update_ticking(&this);
        true
    }

    #[func]
    fn set_agent_path(&mut self, path: NodePath) {
        self.agent_path = path;
        if self.base().is_inside_tree() {
            lookup::attach(&self.to_gd().upcast(), &self.agent_path, Part::Vitals);
        }
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn get_vitals(&self) -> ArrayOf<AgentVital> {
        self.vitals.stored()
    }

    #[func]
    fn set_vitals(&mut self, value: ArrayOf<AgentVital>) {
        let this = self.to_gd();
        let old = self.vitals.members().to_vec();
        if !self.vitals.fill(&this, "vitals", &value) {
            return;
        }
        for row in &old {
            disconnect(row, "changed", self.id, EDITED);
        }
        for row in self.vitals.members() {
            connect(row, "changed", self.id, EDITED, rows_edited);
        }
        let _released = self.base_mut();
        Self::rebuild(&this);
    }

    #[func]
    fn set_process_callback(&mut self, value: i64) {
        self.process_callback = ticking::checked_callback(&self.to_gd(), value, self.process_callback, true);
        if let Some(state) = VITALS.lock().get_mut(self.id) {
            state.callback = self.process_callback;
        }
        let this = self.to_gd();
        let _released = self.base_mut();
        Self::update_ticking(&this);
    }

    #[func]
    fn set_time_scale(&mut self, value: f64) {
        self.time_scale = self.not_negative("time_scale", value, self.time_scale);
        if let Some(state) = VITALS.lock().get_mut(self.id) {
            state.time_scale = self.time_scale;
        }
    }
}

#[godot_api]
impl INode for AgentVitals {
    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        Self::tick(this, delta);
    }

    #[func(gd_self)]
    fn process(this: Gd<Self>, delta: f64) {
        Self::tick(this, delta);
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = lookup::warnings(&self.to_gd().upcast(), &self.agent_path, Part::Vitals);
        warnings.extend(self.row_warnings());
        warnings.iter().map(GString::from).collect()
    }
}

impl Lifecycle for AgentVitals {
    fn entered(this: Gd<Self>) {
        if let Some(state) = VITALS.lock().get_mut(this.instance_id()) {
            state.entered = true;
        }
        Self::find_agent(&this);
    }

    fn readied(this: Gd<Self>) {
        Self::find_agent(&this);
        if let Some(state) = VITALS.lock().get_mut(this.instance_id()) {
            state.driven.readied();
        }
        Self::update_ticking(&this);
    }

    fn exiting(this: Gd<Self>) {
        lookup::detach(this.instance_id());
    }
}

impl Ticker for AgentVitals {
    fn tick(this: Gd<Self>, delta: f64) {
        let id = this.instance_id();
        let events = match VITALS.lock().get_mut(id) {
            Some(state) if delta * state.time_scale > 0.0 && !state.stepping => {
                state.stepping = true;
                state.vitals.advance(delta * state.time_scale)
            }
            _ => return,
        };
        Self::tell(&this, events);
        if let Some(state) = VITALS.lock().get_mut(id) {
            state.stepping = false;
        }
        if this.is_instance_valid() {
            Self::update_ticking(&this);
        }
    }
}

impl AgentVitals {
    fn find_agent(this: &Gd<Self>) {
        let path = this.bind().agent_path.clone();
        lookup::attach(&this.clone().upcast(), &path, Part::Vitals);
    }

    /// The node is stepped only while a row waits or regenerates.
    fn update_ticking(this: &Gd<Self>) {
        let order = VITALS.lock().get_mut(this.instance_id()).and_then(|state| {
            let active = state.vitals.is_moving();
            state.driven.order(state.callback, active)
        });
        ticking::drive(this, order);
    }

    /// Compiles the rows again: they were replaced or edited.
    fn rebuild(this: &Gd<Self>) {
        let rows = this.bind().vitals.members().to_vec();
        let plans: Vec<VitalPlan> = rows.iter().filter_map(|row| row.bind().plan()).collect();
        let events = match VITALS.lock().get_mut(this.instance_id()) {
            Some(state) => {
                if !state.entered {
                    // A start value that is set after the row was added must count.
                    state.vitals = Vitals::new();
                }
                state.vitals.set_plans(&plans)
            }
            None => return,
        };
        Self::tell(this, events);
        if this.is_instance_valid() {
            Self::update_ticking(this);
            this.clone().update_configuration_warnings();
        }
    }

    fn alter(
        this: &Gd<Self>,
        member: &str,
        tag: &StringName,
        number: f64,
        f: fn(&mut Vitals, TagId, f64) -> Option<Vec<VitalEvent>>,
    ) {
        if !number.is_finite() {
            let text = format!("{member}() got {number}. Give a finite number.");
            messages::error(this, member, "not finite", &text);
            return;
        }
        let events = tags::intern(&tag.to_string()).ok().and_then(|tag| {
            VITALS.lock().get_mut(this.instance_id()).and_then(|state| f(&mut state.vitals, tag, number))
        });
        match events {
            Some(events) => {
                Self::update_ticking(this);
                Self::tell(this, events);
            }
            None => Self::unknown(this, member, tag),
        }
    }

    fn known<R>(this: &Gd<Self>, member: &str, tag: &StringName, f: impl FnOnce(&Vital) -> R) -> Option<R> {
        let id = tags::intern(&tag.to_string());
        let found = id.ok().and_then(|id| with_row(this.instance_id(), id, f));
        if found.is_none() {
            Self::unknown(this, member, tag);
        }
        found
    }

    fn unknown(this: &Gd<Self>, member: &str, tag: &StringName) {
        let rows = VITALS.lock().get(this.instance_id()).map(|state| state.vitals.rows().to_vec());
        let known: Vec<String> =
            rows.unwrap_or_default().iter().map(|row| tags::name(row.tag()).to_string()).collect();
        let known = if known.is_empty() { "There are no rows".to_owned() } else { known.join(", ") };
        let text = format!("{member}() got \"{tag}\", which is no row. Known: {known}.");
        messages::error(this, member, &tag.to_string(), &text);
    }

    fn tell(this: &Gd<Self>, events: Vec<VitalEvent>) {
        for event in events {
            if !this.is_instance_valid() {
                return;
            }
            match event {
                VitalEvent::Changed { tag, value, delta } => {
                    this.signals().vital_changed().emit(&tags::name(tag), value, delta);
                }
                VitalEvent::Depleted { tag } => this.signals().vital_depleted().emit(&tags::name(tag)),
            }
        }
    }

    fn row_warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.vitals.null_count() > 0 {
            warnings.push("vitals: an element is empty and is left out.".to_owned());
        }
        let names: Vec<String> = self.vitals.members().iter().map(|row| row.bind().tag_name()).collect();
        for (index, name) in names.iter().enumerate() {
            if names[..index].contains(name) {
                warnings.push(format!("vitals: \"{name}\" is there twice. The first counts."));
            } else {
                warnings.extend(tags::warning("vitals", name));
            }
        }
        warnings
    }
}

impl Drop for AgentVitals {
    fn drop(&mut self) {
        VITALS.lock().remove(self.id);
    }
}

fn rows_edited(node: InstanceId) {
    if let Ok(node) = Gd::<AgentVitals>::try_from_instance_id(node) {
        AgentVitals::rebuild(&node);
    }
}

fn read_rows(reader: &StateReader) -> Option<Vec<(String, f64, f64)>> {
    let mut rows = Vec::new();
    for (name, row) in reader.dictionary("vitals")?.iter_shared() {
        let row = row.try_to::<VarDictionary>().ok()?;
        rows.push((
            name.to_string(),
            state::number(&row.get("value")?)?,
            state::number(&row.get("delay_left")?)?,
        ));
    }
    Some(rows)
}
