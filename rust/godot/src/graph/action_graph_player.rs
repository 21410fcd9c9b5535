use std::cell::RefCell;

use godot::prelude::*;

use super::{ActionGraph, ActionInputMap, ActionRun, debugging, driver, peers, player_input, sources, state};
use crate::base::lifecycle::Hooked;
use crate::base::messages;
use crate::base::numbers::Checked;
use crate::base::setter::Owner;
use crate::base::tags::{self, TagList};
use crate::base::ticking;

/// Plays the moveset of an agent, for a player and an AI alike: keeps inputs that come early, and starts, chains, cancels and
/// ends moves on the agent's own clock.
///
/// Add the node as a direct child of the agent, behind its senses and data, and set [member default_graph]. The animations
/// are played by the first [AnimationPlayer] below the agent. An AI sends the same tags as a button does:
///
/// ```gdscript
/// @onready var moves: ActionGraphPlayer = $ActionGraphPlayer
/// func _ready() -> void:
///     moves.action_started.connect(func(node: StringName, run: ActionRun) -> void: print(node, " ", run.window_kind))
/// func attack() -> void:
///     if moves.process_input(&"Input.LightAttack") == ActionGraphPlayer.INPUT_DROPPED:
///         step_back()
/// ```
///
/// Signals and virtuals come one by one. What is called from inside one of them waits until it is over, in the same step;
/// [method process_input] answers [constant INPUT_FORWARDED] then. All methods belong to the main thread; from another one use
/// [method Object.call_deferred].
#[derive(GodotClass)]
#[class(init, tool, base = Node)]
pub struct ActionGraphPlayer {
    /// The moveset while no other is set by [method set_graph] or an [ActionGraphGrant].
    #[export]
    #[var(set = set_default_graph)]
    pub(super) default_graph: Option<Gd<ActionGraph>>,
    /// The agent. Empty: the parent.
    #[export]
    #[var(set = set_agent_path)]
    pub(super) agent_path: NodePath,
    /// What plays the animations. Empty: the first [AnimationPlayer] below the agent.
    #[export_group(name = "Nodes")]
    #[export]
    #[var(set = set_animation_player_path)]
    pub(super) animation_player_path: NodePath,
    /// The [AnimationTree] for payloads that play through one. Empty: none.
    #[export]
    #[var(set = set_animation_tree_path)]
    pub(super) animation_tree_path: NodePath,
    /// The node whose forward is where the agent looks. Empty: the agent's own facing. A method
    /// [code]get_facing_direction()[/code] of the agent wins over both.
    #[export]
    #[var(set = set_facing_path)]
    pub(super) facing_path: NodePath,
    /// The forward of that node is +Z instead of -Z, as in [method Node3D.look_at]. 3D only.
    #[export]
    #[var(set = set_use_model_front)]
    pub(super) use_model_front: bool,
    /// The node whose directions the stick is read in. Empty: the current [Camera3D] in 3D, the world in 2D.
    #[export]
    #[var(set = set_direction_reference)]
    pub(super) direction_reference: NodePath,
    /// Steps with the physics, with each drawn frame, or by [method advance]. Nothing steps while the agent is at Root and
    /// nothing is pending.
    #[export_group(name = "Time")]
    #[export(enum = (Physics = 0, Idle = 1, Manual = 2))]
    #[var(set = set_process_callback)]
    pub(super) process_callback: i64,
    /// Speed of all clocks of this node, 0 to 10 and more; at 0 they stand still, and inputs are still answered. Default 1.
    #[export(range = (0.0, 10.0, 0.01, or_greater))]
    #[var(set = set_time_scale)]
    #[init(val = 1.0)]
    pub(super) time_scale: f64,
    /// Speed of the moves, 0 to 4 and more: 1 as authored, 0.5 half as fast. Animations, delays and windows scale together; the
    /// waiting of inputs and cooldowns do not. Default 1.
    #[export(range = (0.0, 4.0, 0.01, or_greater))]
    #[var(set = set_action_speed)]
    #[init(val = 1.0)]
    pub(super) action_speed: f64,
    /// Presses are answered [constant INPUT_BLOCKED] while the agent has one of these tags, or a tag below one. Empty: never.
    /// Default [code]State.ActionsBlocked[/code].
    #[export_group(name = "Tags")]
    #[export]
    #[var(get = get_global_block_tags, set = set_global_block_tags)]
    #[init(val = TagList::preset(&["State.ActionsBlocked"]))]
    pub(super) global_block_tags: TagList,
    /// On the agent while any node but Root runs. Empty: none. Default [code]State.ActionRunning[/code].
    #[export]
    #[var(set = set_action_running_tag)]
    #[init(val = StringName::from("State.ActionRunning"))]
    pub(super) action_running_tag: StringName,
    /// Which events of devices are heard, one of the `INPUT_MODE_*` constants. Switched off, waiting inputs are dropped and held
    /// ones released. Default INPUT_MODE_UNHANDLED.
    #[export_group(name = "Input", prefix = "input_")]
    #[export(enum = (Off = 0, Unhandled = 1, All = 2))]
    #[var(set = set_input_mode)]
    #[init(val = player_input::MODE_UNHANDLED)]
    pub(super) input_mode: i64,
    /// What buttons and stick mean. Null, the default: devices are not listened to, as for an AI.
    #[export]
    #[var(set = set_input_map)]
    pub(super) input_map: Option<Gd<ActionInputMap>>,
    /// The number of the device that is listened to, as in [member InputEvent.device]; keyboard and mouse have 0, as the first
    /// gamepad. -1, the default: all.
    #[export(range = (-1.0, 7.0, 1.0, or_greater))]
    #[var(set = set_input_device)]
    #[init(val = -1)]
    pub(super) input_device: i64,
    /// Off: every peer plays its own. Predicted: the authority decides, the owner plays ahead and takes back what is refused, the
    /// others show what [member sync_state] publishes. Without a multiplayer peer everything is local.
    #[export_group(name = "Network")]
    #[export(enum = (Off = 0, Predicted = 1))]
    #[var(set = set_network_mode)]
    pub(super) network_mode: i64,
    /// The peer whose player controls the agent; 0, the default: nobody, for an AI. Set it on all peers.
    #[export]
    #[var(set = set_owner_peer)]
    pub(super) owner_peer: i64,
    /// Seconds that a chain of the owner may come before its time on the authority, beside the round trip of the network: 0 or
    /// more. Default 0.1 s.
    #[export(range = (0.0, 1.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_dwell_grace_base_seconds)]
    #[init(val = 0.1)]
    pub(super) dwell_grace_base_seconds: f64,
    /// Inputs that the owner may send for a moveset that it does not have yet, in a second and at once, 0 to 1000; more are
    /// dropped. Default 20.
    #[export(range = (0.0, 100.0, 1.0, or_greater))]
    #[var(set = set_max_server_inputs_per_second)]
    #[init(val = 20)]
    pub(super) max_server_inputs_per_second: i64,
    /// Where the moveset is, for the other peers: give this property to a MultiplayerSynchronizer. On the authority it is a new
    /// dictionary for each move. Written on another peer it is shown at the end of the frame. Not saved with the scene.
    #[var(get = get_sync_state, set = set_sync_state)]
    sync_state: PhantomVar<VarDictionary>,
    /// `sync_state` as it was last read or written.
    #[init(val = RefCell::new(VarDictionary::new()))]
    synced: RefCell<VarDictionary>,
    /// Shows graph, node, open windows and waiting inputs above the agent. The project setting
    /// [code]riposte/debug/overlay_actions[/code] shows them for all agents; while one has its own switch on, only those that have
    /// are shown. Not in exported games.
    #[export_group(name = "Debug")]
    #[export]
    #[var(set = set_debug_overlay_actions)]
    pub(super) debug_overlay_actions: bool,
    /// Prints a line for every input: what became of it, at which stop, and why. The project setting
    /// [code]riposte/debug/log_actions[/code] switches it on for all agents. Not in exported games.
    #[export]
    #[var(set = set_debug_log_actions)]
    pub(super) debug_log_actions: bool,
    #[init(val = Hooked::new::<Self>(&base))]
    #[expect(dead_code, reason = "its construction connects the lifecycle")]
    hooked: Hooked,
    #[init(val = state::create(base.to_init_gd().instance_id()))]
    pub(super) id: InstanceId,
    pub(super) base: Base<Node>,
}

#[godot_api]
impl ActionGraphPlayer {
    /// A node started. Its payload plays, and its tags are on the agent.
    #[signal]
    pub fn action_started(node: StringName, run: Gd<ActionRun>);

    /// A node is over; [param reason] is one of the `END_*` constants. Exactly once for each [signal action_started].
    #[signal]
    pub fn action_ended(node: StringName, reason: i64);

    /// Root was reached. Not when a cut goes straight on to another move.
    #[signal]
    pub fn graph_reset();

    /// Another moveset is active, also the first one; null: none.
    #[signal]
    pub fn graph_changed(graph: Option<Gd<ActionGraph>>);

    /// An input cut a move that can be cancelled.
    #[signal]
    pub fn action_cancelled(node: StringName, input_tag: StringName);

    /// A move could not start; [param fail] is one of the `FAIL_*` constants.
    #[signal]
    pub fn action_failed(node: StringName, fail: i64, input_tag: StringName);

    /// A window of this kind opened; empty for the plain one.
    #[signal]
    pub fn window_opened(kind: StringName);

    /// A window closed, at its end or because its move was left.
    #[signal]
    pub fn window_closed(kind: StringName);

    /// The animation passed a marker.
    #[signal]
    pub fn marker_reached(name: StringName);

    /// An input waits for its window or for the end of the move.
    #[signal]
    pub fn input_buffered(tag: StringName, moment: i64);

    /// Nothing came of an input; [param why] is one of the `DROP_*` constants.
    #[signal]
    pub fn input_dropped(tag: StringName, moment: i64, why: i64);

    /// A sequence of [method queue_input_sequence] is over; [param reason] is one of the `END_*` constants. Exactly once for each.
    #[signal]
    pub fn sequence_ended(handle: i64, reason: i64);

    /// A charge of a cooldown was taken; the next one is back in [param duration] seconds.
    #[signal]
    pub fn cooldown_started(key: StringName, duration: f64);

    /// A charge of a cooldown is back.
    #[signal]
    pub fn cooldown_expired(key: StringName);

    /// Hooks of the node make the agent move, speed up or turn by other factors.
    #[signal]
    pub fn locomotion_scale_changed(speed: f64, acceleration: f64, turn: f64);

    /// A [TriggerPayload] sent an event.
    #[signal]
    pub fn event_sent(tag: StringName, magnitude: f64, object: Option<Gd<Resource>>);

    /// A recording was played to its end.
    #[signal]
    pub fn replay_ended();

    /// A recording that is played entered another node than was recorded, for the first time.
    #[signal]
    pub fn replay_diverged(tick: i64);

    /// [method import_state] took a state over.
    #[signal]
    pub fn state_imported();

    /// On the owner: the authority refused a move that had started here already. It ended with [constant END_REJECTED], and where
    /// the authority is goes on.
    #[signal]
    pub fn move_rejected(node: StringName);

    #[func]
    fn set_network_mode(&mut self, value: i64) {
        self.network_mode = if value == Self::NETWORK_PREDICTED { value } else { Self::NETWORK_OFF };
        if self.network_mode != value {
            let text = format!(
                "network_mode = {value} is read as NETWORK_OFF. Use NETWORK_OFF or NETWORK_PREDICTED."
            );
            messages::warning(&self.to_gd(), "network_mode", "unknown", &text);
        }
        self.push_network();
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_owner_peer(&mut self, value: i64) {
        self.owner_peer = self.clamped_int("owner_peer", value, 0, i64::from(i32::MAX));
        self.push_network();
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_dwell_grace_base_seconds(&mut self, value: f64) {
        self.dwell_grace_base_seconds =
            self.not_negative("dwell_grace_base_seconds", value, self.dwell_grace_base_seconds);
        self.push_network();
    }

    #[func]
    fn set_max_server_inputs_per_second(&mut self, value: i64) {
        self.max_server_inputs_per_second = self.clamped_int("max_server_inputs_per_second", value, 0, 1000);
        self.push_network();
    }

    #[func]
    fn get_sync_state(&self) -> VarDictionary {
        let last = self.synced.borrow().clone();
        let published = peers::published(self.id, &last);
        self.synced.replace(published.clone());
        published
    }

    #[func(gd_self)]
    fn set_sync_state(this: impl Owner<Self>, value: VarDictionary) {
        let this = this.node();
        if peers::receive(&this, &value) && this.is_instance_valid() {
            this.bind().synced.replace(value);
        }
    }

    #[func(gd_self)]
    fn set_default_graph(this: impl Owner<Self>, value: Option<Gd<ActionGraph>>) {
        let mut this = this.node();
        this.bind_mut().default_graph = value.clone();
        sources::set_default(&this, value);
        this.update_configuration_warnings();
    }

    #[func(gd_self)]
    fn set_agent_path(this: impl Owner<Self>, path: NodePath) {
        let mut this = this.node();
        this.bind_mut().agent_path = path;
        if this.is_inside_tree() {
            Self::find_agent(&this);
        }
        this.update_configuration_warnings();
    }

    #[func]
    fn set_animation_player_path(&mut self, path: NodePath) {
        self.animation_player_path = path;
        self.push_paths();
    }

    #[func]
    fn set_animation_tree_path(&mut self, path: NodePath) {
        self.animation_tree_path = path;
        self.push_paths();
    }

    #[func]
    fn set_facing_path(&mut self, path: NodePath) {
        self.facing_path = path;
        self.push_paths();
    }

    #[func]
    fn set_use_model_front(&mut self, value: bool) {
        self.use_model_front = value;
        self.push_paths();
    }

    #[func]
    fn set_direction_reference(&mut self, path: NodePath) {
        self.direction_reference = path;
        self.push_paths();
    }

    #[func]
    fn set_process_callback(&mut self, value: i64) {
        self.process_callback = ticking::checked_callback(&self.to_gd(), value, self.process_callback, true);
        self.push();
        let id = self.id;
        let _released = self.base_mut();
        driver::update_ticking(id);
    }

    #[func(gd_self)]
    fn set_time_scale(this: impl Owner<Self>, value: f64) {
        let mut this = this.node();
        let (old, value) = {
            let mut own = this.bind_mut();
            let (old, value) = (own.time_scale, own.not_negative("time_scale", value, own.time_scale));
            own.time_scale = value;
            (old, value)
        };
        if old != value {
            driver::set_speeds(&this);
        }
    }

    #[func(gd_self)]
    fn set_action_speed(this: impl Owner<Self>, value: f64) {
        let mut this = this.node();
        let (old, value) = {
            let mut own = this.bind_mut();
            let (old, value) = (own.action_speed, own.not_negative("action_speed", value, own.action_speed));
            own.action_speed = value;
            (old, value)
        };
        if old != value {
            driver::set_speeds(&this);
        }
    }

    #[func]
    fn get_global_block_tags(&self) -> PackedStringArray {
        self.global_block_tags.typed()
    }

    #[func]
    fn set_global_block_tags(&mut self, value: PackedStringArray) {
        let this = self.to_gd();
        self.global_block_tags.assign(&this, "global_block_tags", value);
        self.push();
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_action_running_tag(&mut self, value: StringName) {
        self.action_running_tag =
            tags::single(&self.to_gd(), "action_running_tag", value, &self.action_running_tag);
        self.push();
        self.base_mut().update_configuration_warnings();
    }

    #[func(gd_self)]
    fn set_input_mode(this: impl Owner<Self>, value: i64) {
        let mut this = this.node();
        {
            let mut own = this.bind_mut();
            own.input_mode = own.constant("input_mode", value, own.input_mode, 0, player_input::MODE_ALL);
        }
        Self::listen(&this);
    }

    #[func(gd_self)]
    fn set_input_map(this: impl Owner<Self>, value: Option<Gd<ActionInputMap>>) {
        let mut this = this.node();
        let old = std::mem::replace(&mut this.bind_mut().input_map, value);
        Self::listen(&this);
        drop(old);
        this.update_configuration_warnings();
    }

    #[func(gd_self)]
    fn set_input_device(this: impl Owner<Self>, value: i64) {
        let mut this = this.node();
        {
            let mut own = this.bind_mut();
            own.input_device = own.clamped_int("input_device", value, -1, i64::from(u16::MAX));
        }
        Self::listen(&this);
    }

    #[func(gd_self)]
    fn set_debug_overlay_actions(this: impl Owner<Self>, value: bool) {
        let mut this = this.node();
        {
            let mut own = this.bind_mut();
            own.debug_overlay_actions = value;
            own.push();
        }
        debugging::update(this.instance_id());
    }

    #[func(gd_self)]
    fn set_debug_log_actions(this: impl Owner<Self>, value: bool) {
        let mut this = this.node();
        {
            let mut own = this.bind_mut();
            own.debug_log_actions = value;
            own.push();
        }
        debugging::update(this.instance_id());
    }
}
