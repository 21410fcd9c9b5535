use std::rc::Rc;

use godot::classes::AnimationMixer;
use godot::prelude::*;

use super::ActionGraphLayout;
use super::compiled::{Compilation, CompiledGraph};
use super::constants::fires;
use super::merging::Merged;
use super::naming::Names;
use super::node_table::{NodeTable, NodesById};
use super::{
    ActionGraphNode, ActionGraphTransition, PlayAnimationPayload, compile, edits, findings, merging, naming,
    validation,
};
use crate::base::family::{ArrayOf, ClassArray, rewire, rewire_to};
use crate::base::numbers::Checked;
use crate::optional::Optional;

/// The moves of a character: nodes that each play one move, joined by wires that name the input which leads on.
///
/// Set it on an [ActionGraphPlayer]; many may share one. [code]root[/code] is the agent doing nothing: its wires say what starts
/// from there, and a move with nowhere to go returns to it. Build it in the inspector, or in code:
/// ```gdscript
/// var graph := ActionGraph.new()
/// graph.add_move(&"light_1", &"attack_light")
/// graph.add_move(&"light_2", &"attack_light_2")
/// graph.add_transition(&"root", &"light_1", &"Input.LightAttack")
/// graph.add_transition(&"light_1", &"light_2", &"Input.LightAttack")
/// ```
/// An edit counts at once, also while it is played: the running move goes on. See [method validate] for what is wrong with it.
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct ActionGraph {
    /// Which press made before a move's window opens waits for it, one of the `BUFFER_*` constants. Default BUFFER_ACCEPT_LAST.
    #[export]
    #[var(set = set_default_input_buffer_mode, hint = ENUM, hint_string = "Accept Last:0,Accept First:1,Ignore:2")]
    pub(super) default_input_buffer_mode: i64,
    /// How long a press after the full end of a move still follows that move's wires, in seconds. Default 0.25 s; 0: off.
    #[export(range = (0.0, 2.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_late_input_grace)]
    #[init(val = 0.25)]
    pub(super) late_input_grace: f64,
    /// How long a press waits that only root answers, in seconds. Default 0.35 s; 0: it never expires. It has nothing to do with
    /// holding a button.
    #[export(range = (0.0, 5.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_held_input_restart_window)]
    #[init(val = 0.35)]
    pub(super) held_input_restart_window: f64,
    /// How long a press waits that the running node answers, in seconds. 0, the default: however long.
    #[export(range = (0.0, 5.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_combo_input_lifetime)]
    pub(super) combo_input_lifetime: f64,
    /// On, the default: a node that is entered by a press whose button is up again by then gets the release in the same instant,
    /// so that a charge released too early does not hang.
    #[export]
    #[var(set = set_resync_releases)]
    #[init(val = true)]
    pub(super) resync_releases: bool,
    /// The graph that this one is derived from: its nodes are here too, unless a node of this graph has the same id. Settings are
    /// not inherited. Null, the default: none.
    #[export_group(name = "Inheritance")]
    #[export]
    #[var(get = get_base, set = set_base)]
    base: Option<Gd<ActionGraph>>,
    /// Graphs whose nodes are here too; a later one goes before an earlier one and before [member base]. Assign a new array: the
    /// one that is read is read-only.
    #[export]
    #[var(get = get_includes, set = set_includes)]
    includes: ClassArray<ActionGraph>,
    /// Ids of inherited nodes that are left out, with every wire that leads to them.
    #[export]
    #[var(set = set_removed_nodes)]
    removed_nodes: PackedStringArray,
    /// The nodes by id. [code]root[/code] is always there. An id has letters, digits and underscores, and no digit in front.
    /// Assign a new dictionary, or use [method add_node]: the one that is read is read-only.
    #[export_group(name = "Nodes")]
    #[export]
    #[var(get = get_nodes, set = set_nodes)]
    #[init(val = NodeTable::fresh())]
    pub(super) nodes: NodeTable,
    /// Where cards lie on the canvas. Nothing of it is read while the graph is played.
    #[export]
    #[var(get = get_layout, set = set_layout, usage_flags = [STORAGE])]
    pub(super) layout: Option<Gd<ActionGraphLayout>>,
    pub(super) names: Names,
    pub(super) compilation: Compilation,
    merged: Option<Rc<Merged>>,
    /// True while this graph passes on that one it inherits changed.
    telling: bool,
    /// True in the middle of an edit of several parts, which is told at its end.
    pub(super) hushed: bool,
    object: Base<Resource>,
}

#[godot_api]
impl ActionGraph {
    /// The newest press waits; the one before is dropped.
    #[constant]
    const BUFFER_ACCEPT_LAST: i64 = 0;
    /// The first press waits; later ones are dropped.
    #[constant]
    const BUFFER_ACCEPT_FIRST: i64 = 1;
    /// No press waits.
    #[constant]
    const BUFFER_IGNORE: i64 = 2;

    /// Adds a wire for the press of an input.
    #[constant]
    const FIRES_INPUT_PRESSED: i64 = fires::INPUT_PRESSED;
    /// For its release.
    #[constant]
    const FIRES_INPUT_RELEASED: i64 = fires::INPUT_RELEASED;
    /// For its release before it was held long enough.
    #[constant]
    const FIRES_INPUT_RELEASED_EARLY: i64 = fires::INPUT_RELEASED_EARLY;
    /// For the move's own end.
    #[constant]
    const FIRES_ACTION_COMPLETED: i64 = fires::ACTION_COMPLETED;
    /// For the node that it leaves being unable to start.
    #[constant]
    const FIRES_ACTION_FAILED: i64 = fires::ACTION_FAILED;

    /// Adds a node that plays an animation, and returns it. Without an [param animation] it plays the one that is called as the
    /// node. Null and an error as of [method add_node].
    #[func(gd_self)]
    pub fn add_move(
        this: Gd<Self>,
        id: StringName,
        #[opt(default = &StringName::default())] animation: StringName,
    ) -> Option<Gd<ActionGraphNode>> {
        let mut payload = PlayAnimationPayload::new_gd();
        payload.bind_mut().animation = if animation.is_empty() { id.clone() } else { animation };
        edits::add_node(&this, &id.to_string(), Some(payload.upcast()))
    }

    /// Adds a node and returns it. Without a [param payload] it gets a new [PlayAnimationPayload]. Null and an error if the id is
    /// no identifier, is [code]root[/code], or is taken by a node of this graph.
    #[func(gd_self)]
    pub fn add_node(
        this: Gd<Self>,
        id: StringName,
        #[opt(default = Optional::null())] payload: Optional<Resource>,
    ) -> Option<Gd<ActionGraphNode>> {
        edits::add_node(&this, &id.to_string(), payload.0)
    }

    /// Removes a node of this graph, with every wire that leads to it. False and an error for [code]root[/code] and for an id
    /// that is not there. Inherited ones are left out by [member removed_nodes].
    #[func(gd_self)]
    pub fn remove_node(this: Gd<Self>, id: StringName) -> bool {
        edits::remove_node(&this, &id.to_string())
    }

    /// Gives a node of this graph another id; every wire that leads to it follows. False and an error if the old id is not there,
    /// or the new one is no identifier or taken.
    #[func(gd_self)]
    pub fn rename_node(this: Gd<Self>, old: StringName, new: StringName) -> bool {
        edits::rename_node(&this, &old.to_string(), &new.to_string())
    }

    /// Adds a wire behind the others of the node it leaves, and returns it. [param fires_on] is one of the `FIRES_*` constants, by
    /// default FIRES_INPUT_PRESSED. Null and an error if a node is unknown.
    #[func(gd_self)]
    pub fn add_transition(
        this: Gd<Self>,
        from: StringName,
        to: StringName,
        #[opt(default = &StringName::default())] input_tag: StringName,
        #[opt(default = 0)] fires_on: i64,
    ) -> Option<Gd<ActionGraphTransition>> {
        edits::add_transition(&this, &from.to_string(), &to.to_string(), &input_tag, fires_on)
    }

    /// Removes a wire of this graph by its id. False and an error if it is not there.
    #[func(gd_self)]
    pub fn remove_transition(this: Gd<Self>, id: StringName) -> bool {
        edits::remove_transition(&this, &id)
    }

    /// The node of that id, of this graph or inherited; null if there is none.
    #[func(gd_self)]
    pub fn get_node_by_id(this: Gd<Self>, id: StringName) -> Option<Gd<ActionGraphNode>> {
        let merged = Self::merged(&this);
        merged.nodes.iter().find(|node| node.id == id.to_string()).map(|node| node.node.clone())
    }

    /// All ids, inherited ones too: [code]root[/code] in front, the others by their text.
    #[func(gd_self)]
    pub fn get_node_ids(this: Gd<Self>) -> PackedStringArray {
        Self::merged(&this).nodes.iter().map(|node| GString::from(&node.id)).collect()
    }

    /// The place of an id in [method get_node_ids], -1 if it is not there.
    #[func(gd_self)]
    pub fn get_node_index(this: Gd<Self>, id: StringName) -> i64 {
        let id = id.to_string();
        let found = Self::merged(&this).nodes.iter().position(|node| node.id == id);
        found.map_or(-1, |at| at as i64)
    }

    /// What is wrong with the graph: rows of [code]severity[/code] ("error" or "warning"), [code]code[/code] (E1 to W22),
    /// [code]message[/code], [code]node[/code] and [code]transition[/code]. With the [param animations] of a character its
    /// animations are looked up too. An empty array: nothing.
    #[func(gd_self)]
    pub fn validate(
        this: Gd<Self>,
        #[opt(default = Optional::null())] animations: Optional<AnimationMixer>,
    ) -> Array<VarDictionary> {
        findings::rows(&validation::find(&this, animations.0.as_ref()))
    }

    /// Compiles the graph now, if something changed. It is done by itself when the graph is first played. False, with an error for
    /// each code, if there are errors; see [method validate].
    #[func(gd_self)]
    pub fn compile(this: Gd<Self>) -> bool {
        Self::compiled(&this).is_some()
    }

    #[func]
    fn set_default_input_buffer_mode(&mut self, value: i64) {
        self.default_input_buffer_mode =
            self.constant("default_input_buffer_mode", value, self.default_input_buffer_mode, 0, 2);
        self.setting_changed();
    }

    #[func]
    fn set_late_input_grace(&mut self, value: f64) {
        self.late_input_grace = self.not_negative("late_input_grace", value, self.late_input_grace);
        self.setting_changed();
    }

    #[func]
    fn set_held_input_restart_window(&mut self, value: f64) {
        let old = self.held_input_restart_window;
        self.held_input_restart_window = self.not_negative("held_input_restart_window", value, old);
        self.setting_changed();
    }

    #[func]
    fn set_combo_input_lifetime(&mut self, value: f64) {
        self.combo_input_lifetime =
            self.not_negative("combo_input_lifetime", value, self.combo_input_lifetime);
        self.setting_changed();
    }

    #[func]
    fn set_resync_releases(&mut self, value: bool) {
        self.resync_releases = value;
        self.setting_changed();
    }

    #[func]
    fn set_removed_nodes(&mut self, value: PackedStringArray) {
        self.removed_nodes = value;
        self.setting_changed();
    }

    #[func]
    fn get_base(&self) -> Option<Gd<ActionGraph>> {
        self.base.clone()
    }

    #[func]
    fn set_base(&mut self, value: Option<Gd<ActionGraph>>) {
        let parts = |graph: &Option<Gd<ActionGraph>>| graph.iter().map(|one| one.clone().upcast()).collect();
        let (old, new): (Vec<Gd<Resource>>, Vec<_>) = (parts(&self.base), parts(&value));
        let owner = self.to_gd().upcast();
        rewire_to(&owner, "_parent_changed", &old, &new);
        self.base = value;
        self.setting_changed();
    }

    #[func]
    fn get_includes(&self) -> ArrayOf<ActionGraph> {
        self.includes.stored()
    }

    #[func]
    fn set_includes(&mut self, value: ArrayOf<ActionGraph>) {
        let this = self.to_gd();
        if self.includes.assign_watched(&this, "includes", &value, "_parent_changed") {
            self.setting_changed();
        }
    }

    #[func]
    fn get_nodes(&self) -> NodesById {
        self.nodes.wire(&self.base());
        self.nodes.stored()
    }

    #[func]
    fn set_nodes(&mut self, value: NodesById) {
        let this = self.to_gd();
        if self.nodes.assign(&this.clone().upcast(), &value.0) {
            self.names = Names::default();
            naming::adopt(self, &this);
            self.setting_changed();
        }
    }

    #[func]
    fn get_layout(&self) -> Option<Gd<ActionGraphLayout>> {
        self.layout.clone()
    }

    #[func]
    fn set_layout(&mut self, value: Option<Gd<ActionGraphLayout>>) {
        let parts = |layout: &Option<Gd<ActionGraphLayout>>| {
            layout.iter().map(|one| one.clone().upcast()).collect::<Vec<Gd<Resource>>>()
        };
        rewire(&self.to_gd().upcast(), &parts(&self.layout), &parts(&value));
        if let Some(layout) = &value
            && layout.get_scene_unique_id().is_empty()
        {
            layout.clone().set_scene_unique_id("layout");
        }
        self.layout = value;
        self.base_mut().emit_changed();
    }

    /// A node was edited.
    #[func(gd_self, rename = _part_changed)]
    fn part_changed(mut this: Gd<Self>) {
        let hushed = {
            let mut own = this.bind_mut();
            own.spoil();
            own.hushed
        };
        if !hushed {
            this.emit_changed();
        }
    }

    /// A graph that this one inherits was edited. Graphs that inherit each other are told once.
    #[func(gd_self, rename = _parent_changed)]
    fn parent_changed(mut this: Gd<Self>) {
        let told = {
            let mut own = this.bind_mut();
            own.spoil();
            std::mem::replace(&mut own.telling, true)
        };
        if !told {
            this.emit_changed();
            this.bind_mut().telling = false;
        }
    }
}

impl ActionGraph {
    /// Forgets what was made of the graph.
    pub(super) fn spoil(&mut self) {
        self.merged = None;
        self.compilation.spoil();
    }

    fn setting_changed(&mut self) {
        self.spoil();
        self.base_mut().emit_changed();
    }

    /// The graphs that this one inherits, those that count less in front.
    pub(super) fn parents(&self) -> Vec<Gd<ActionGraph>> {
        self.base.iter().chain(self.includes.members()).cloned().collect()
    }

    /// How many elements of `includes` are null.
    pub(super) fn null_includes(&self) -> usize {
        self.includes.null_count()
    }

    /// Names of inherited nodes that are left out.
    pub(super) fn removed(&self) -> Vec<String> {
        self.removed_nodes.as_slice().iter().map(|name| name.to_string()).collect()
    }

    /// All nodes with what they inherit. Nothing may be bound.
    pub(super) fn merged(this: &Gd<Self>) -> Rc<Merged> {
        {
            let own = this.bind();
            own.nodes.wire(&own.base());
            if let Some(merged) = &own.merged {
                return merged.clone();
            }
        }
        let merged = Rc::new(merging::merge(this));
        this.clone().bind_mut().merged = Some(merged.clone());
        merged
    }

    /// The compiled graph, made once after a change for all who share it; none if the graph has errors, which are told once.
    /// Main thread only; nothing may be bound.
    pub(crate) fn compiled(this: &Gd<Self>) -> Option<Rc<CompiledGraph>> {
        if let Some(known) = this.bind().compilation.known() {
            return known;
        }
        let stamp = this.bind().compilation.stamp();
        let made = compile::compile(this);
        this.clone().bind_mut().compilation.keep(made.clone(), stamp);
        made
    }

    /// Another number after every change.
    pub(crate) fn stamp(this: &Gd<Self>) -> u64 {
        this.bind().compilation.stamp()
    }

    /// Gives new wires and a new payload of a node their names, if the node lies in a graph. Nothing may be bound.
    pub(super) fn name_parts(node: &Gd<ActionGraphNode>) {
        let Some(home) = node.bind().home.clone() else { return };
        if let Ok(graph) = Gd::<Self>::try_from_instance_id(home.graph) {
            naming::name_parts(&graph, &home.id, node);
        }
    }

    /// The name of the file, for messages.
    pub(super) fn file(this: &Gd<Self>) -> String {
        let name = this.get_path().get_file().to_string();
        if name.is_empty() { "ActionGraph".to_owned() } else { name }
    }
}
