use godot::prelude::*;
use godot::register::info::{PropertyInfo, PropertyUsageFlags};

use super::checks::GraphChecks;
use super::families::{Costs, GraphHooks, Payloads};
use super::node_table::ROOT;
use super::wires::Wires;
use super::{ActionCooldown, ActionGraph, summary};
use crate::action::parts::Gates;
use crate::action::resource_class::{Slot, SpecChecks, resource_class};
use crate::base::family::{FamilyArray, FamilySlot, rewire};
use crate::base::numbers::Checked;
use crate::base::setter::Owner;
use crate::base::tags::TagList;

type PayloadSlot = FamilySlot<Payloads>;
type CostList = FamilyArray<Costs>;
type GateList = FamilyArray<Gates>;
type HookList = FamilyArray<GraphHooks>;
type OptionalCooldown = Option<Gd<ActionCooldown>>;
type Text = PhantomVar<GString>;

resource_class! {
    /// One move of an [ActionGraph]: what it plays, what it takes to start, how it may be cut, and which wires leave it.
    ///
    /// It lasts as long as its [member payload]. It lies in [member ActionGraph.nodes] under its id;
    /// [method ActionGraph.add_node] makes one. Agents share the resource. [code]root[/code] has transitions only.
    class ActionGraphNode;
    properties {
        /// The move in words: what it plays, and where it leads.
        #[export]
        #[var(get = get_summary, no_set, hint = MULTILINE_TEXT, usage_flags = [EDITOR, READ_ONLY])]
        #[expect(dead_code, reason = "it is read by its getter")]
        summary: Text = (PhantomVar::default());
        /// The title of the card. Empty, the default: the id.
        #[export]
        display_name: GString = (GString::new()) => set_display_name(any);
        /// Off: the node can't be started. Default on.
        #[export]
        enabled: bool = true => set_enabled(any);
        /// What the node plays. Null: it ends in the instant it starts.
        #[export]
        #[var(get = get_payload, set = set_payload)]
        payload: PayloadSlot = (PayloadSlot::default());
        /// What is paid at the start. If it can't be paid, the node does not start and nothing is taken. Assign a new array: the
        /// one that is read is read-only.
        #[export]
        costs: CostList = (CostList::default()) slot get_costs, set_costs(AnyArray);
        /// What must be open at the start. Assign a new array: the one that is read is read-only.
        #[export]
        gates: GateList = (GateList::default()) slot get_gates, set_gates(AnyArray);
        /// What rides the run of the node. Assign a new array: the one that is read is read-only.
        #[export]
        hooks: HookList = (HookList::default()) slot get_hooks, set_hooks(AnyArray);
        /// Charges that the node takes one of at each start, and that come back after some time. Null, the default: it may start
        /// as often as it likes.
        #[export]
        #[var(get = get_cooldown, set = set_cooldown)]
        cooldown: OptionalCooldown = None;
        /// The wires that leave the node, in the order that breaks ties. Assign a new array: the one that is read is read-only.
        #[export]
        #[var(get = get_transitions, set = set_transitions)]
        transitions: Wires = (Wires::default());
        /// On, the default: where the node replaces one of the same id of [member ActionGraph.base] or
        /// [member ActionGraph.includes], the wires of that one follow its own. Off: it has its own only.
        #[export]
        inherit_transitions: bool = true => set_inherit_transitions(any);
        /// When a press leads on if the payload has no plain window, one of the `NO_WINDOW_*` constants. Default
        /// NO_WINDOW_AT_COMPLETION.
        #[export_group(name = "Execution")]
        #[export]
        when_no_window: i64 = 0 => set_when_no_window(constant, 0, 1) choices "At Completion:0,From Entry:1";
        /// Which press made before the window waits, one of the `BUFFER_*` constants. Default BUFFER_USE_GRAPH.
        #[export_subgroup(name = "Advanced")]
        #[export]
        buffer_override: i64 = (-1) => set_buffer_override(constant, -1, 2)
            choices "Use Graph:-1,Accept Last:0,Accept First:1,Ignore:2";
        /// How long a press after the move's full end still follows its wires, in seconds. -1, the default: as
        /// [member ActionGraph.late_input_grace]; 0: off.
        #[export(range = (-1.0, 2.0, 0.01, or_greater, suffix = "s"))]
        late_input_grace: f64 = (-1.0) => set_late_input_grace(inherited);
        /// On: if the node can't start and no wire of it says what follows, the input is tried once more from root. Default off.
        #[export]
        retrigger_from_root_on_failed_start: bool = false => set_retrigger_from_root_on_failed_start(any);
        /// On: a press outside the window of a wire that takes no waiting press locks that wire until the node is left. Default
        /// off.
        #[export]
        mash_lock: bool = false => set_mash_lock(any);
        /// On: another input that root answers cuts the move. Default off.
        #[export_group(name = "Cancellation")]
        #[export]
        can_be_cancelled: bool = false => set_can_be_cancelled(any);
        /// Earliest moment of a cancel, a cancel by movement and an interrupt, in seconds of the move, 0 to 10. Default 0.1 s.
        #[export(range = (0.0, 10.0, 0.01, suffix = "s"))]
        cancel_window_start: f64 = 0.1 => set_cancel_window_start(clamped, 0.0, 10.0);
        /// Only these inputs cut the move. Empty, the default: any.
        #[export]
        cancellable_by_inputs: TagList = (TagList::default())
            slot get_cancellable_by_inputs, set_cancellable_by_inputs(PackedStringArray);
        /// These inputs never cut the move, even if [member cancellable_by_inputs] names them.
        #[export]
        ignored_cancel_inputs: TagList = (TagList::default())
            slot get_ignored_cancel_inputs, set_ignored_cancel_inputs(PackedStringArray);
        /// Off: a press that root does not answer cuts the move too, to root. Default on.
        #[export]
        cancel_needs_root_move: bool = true => set_cancel_needs_root_move(any);
        /// Tags on the agent while the node runs.
        #[export_group(name = "State")]
        #[export]
        applied_tags: TagList = (TagList::default()) slot get_applied_tags, set_applied_tags(PackedStringArray);
        home: Home = None;
    }
    items {
        /// Without a window a press waits for the move's end.
        #[constant]
        const NO_WINDOW_AT_COMPLETION: i64 = 0;
        /// Without a window a press leads on from the start of the move.
        #[constant]
        pub(super) const NO_WINDOW_FROM_ENTRY: i64 = 1;
        /// As [member ActionGraph.default_input_buffer_mode].
        #[constant]
        const BUFFER_USE_GRAPH: i64 = -1;
        /// The newest press waits.
        #[constant]
        const BUFFER_ACCEPT_LAST: i64 = 0;
        /// The first press waits.
        #[constant]
        const BUFFER_ACCEPT_FIRST: i64 = 1;
        /// No press waits.
        #[constant]
        const BUFFER_IGNORE: i64 = 2;

        #[func]
        fn get_summary(&self) -> GString {
            GString::from(&summary::of_node(self))
        }

        #[func]
        fn get_payload(&self) -> Option<Gd<Resource>> {
            self.payload.stored()
        }

        #[func(gd_self)]
        fn set_payload(this: impl Owner<Self>, value: Option<Gd<Resource>>) {
            let mut this = this.node();
            let owner = this.clone();
            let taken = this.bind_mut().payload.assign(&owner, "payload", value);
            if taken {
                ActionGraph::name_parts(&this);
                this.emit_changed();
            }
        }

        #[func]
        fn get_cooldown(&self) -> Option<Gd<ActionCooldown>> {
            self.cooldown.clone()
        }

        #[func]
        fn set_cooldown(&mut self, value: Option<Gd<ActionCooldown>>) {
            let parts = |one: &Option<Gd<ActionCooldown>>| {
                one.iter().map(|one| one.clone().upcast()).collect::<Vec<Gd<Resource>>>()
            };
            rewire(&self.to_gd().upcast(), &parts(&self.cooldown), &parts(&value));
            self.cooldown = value;
            self.base_mut().emit_changed();
        }

        #[func]
        fn get_transitions(&self) -> AnyArray {
            self.transitions.stored()
        }

        #[func(gd_self)]
        fn set_transitions(this: impl Owner<Self>, value: AnyArray) {
            let mut this = this.node();
            let owner = this.clone().upcast();
            let taken = this.bind_mut().transitions.assign(&owner, &value);
            if taken {
                ActionGraph::name_parts(&this);
                this.emit_changed();
            }
        }
    }
}

/// Which graph the node lies in, and under which id. The last graph that took it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub graph: InstanceId,
    pub id: String,
}

type Home = Option<Place>;

#[godot_api]
impl IResource for ActionGraphNode {
    /// Shows of root what it has: transitions. What else is set stays in view, so that it can be cleared.
    fn on_validate_property(&self, property: &mut PropertyInfo) {
        if self.home.as_ref().is_none_or(|home| home.id != ROOT) {
            return;
        }
        let hidden = match property.property_name.to_string().as_str() {
            "payload" => self.payload.stored().is_none(),
            "cooldown" => self.cooldown.is_none(),
            "costs" => self.costs.stored().is_empty(),
            "hooks" => self.hooks.stored().is_empty(),
            "gates" => self.gates.stored().is_empty(),
            "display_name" | "enabled" | "when_no_window" | "buffer_override" | "late_input_grace" => true,
            "retrigger_from_root_on_failed_start" | "mash_lock" | "can_be_cancelled" => true,
            "cancel_window_start" | "cancellable_by_inputs" | "ignored_cancel_inputs" => true,
            "cancel_needs_root_move" => true,
            "applied_tags" => self.applied_tags.ids().is_empty(),
            _ => false,
        };
        if hidden {
            property.usage = PropertyUsageFlags::NO_EDITOR;
        }
    }

    fn to_string(&self) -> GString {
        let id = self.home.as_ref().map_or("", |home| home.id.as_str());
        GString::from(&format!("<ActionGraphNode {id}: {}>", summary::of_node(self)))
    }
}
