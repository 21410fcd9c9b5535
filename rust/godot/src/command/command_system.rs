use std::cell::RefCell;

use godot::prelude::*;

use super::builtin::Executions;
use super::{CommandDefinition, CommandInfo, CommandPalette, CommandRequest, driver, peers, state};
use crate::base::family::{ArrayOf, ClassArray, FamilySlot};
use crate::base::lifecycle::Hooked;
use crate::base::lookup::{self, Part};
use crate::base::messages;
use crate::base::numbers::Checked;
use crate::base::setter::Owner;
use crate::base::tags::TagList;
use crate::base::ticking;

/// Takes orders for an agent, keeps the current one and those that wait, and hands each to its execution.
///
/// Add the node as a direct child of the agent, behind its other components. Any node can be an agent. Player, scripts and
/// AI give orders by the same methods: [method issue_command] replaces everything, [method enqueue_command] waits in line,
/// [method insert_next] comes next, [method interrupt_with] comes now and lets the interrupted order return. Each call
/// answers with a [CommandReceipt]. An order that was accepted ends with exactly one [signal command_ended].
///
/// ```gdscript
/// var request := CommandRequest.to_location(move, point)
/// var receipt := orders.enqueue_command(request) if shift else orders.issue_command(request)
/// if receipt.is_rejected():
///     print(CommandSystem.describe_reason(receipt.reason))
/// ```
///
/// Hooks and signals come one by one: what a handler orders takes effect at once, and is told after what is being told.
/// All methods belong to the main thread; from another one use [method Object.call_deferred].
#[derive(GodotClass)]
#[class(init, tool, base = Node)]
pub struct CommandSystem {
    /// The agent. Empty: the parent.
    #[export]
    #[var(set = set_agent_path)]
    pub(super) agent_path: NodePath,
    /// Off: requests are refused ([code]disabled[/code]), the current order goes on, and those that wait are held until it is
    /// on again. On by default.
    #[export]
    #[var(set = set_enabled)]
    #[init(val = true)]
    pub(super) enabled: bool,
    /// Orders that all agents of this type know. May be empty.
    #[export_group(name = "Orders")]
    #[export]
    #[var(set = set_palette)]
    pub(super) palette: Option<Gd<CommandPalette>>,
    /// Orders that this agent knows beside those of the palette. Read-only in scripts: assign a new array, or use
    /// [method add_command].
    #[export]
    #[var(get = get_commands, set = set_commands)]
    pub(super) commands: ClassArray<CommandDefinition>,
    /// On: orders that are neither in [member palette] nor in [member commands] nor added are refused
    /// ([code]not_in_palette[/code]). Off, the default: any order is taken.
    #[export]
    #[var(set = set_restrict_to_palette)]
    pub(super) restrict_to_palette: bool,
    /// Carries out orders that name no execution of their own. Empty: a [BehaviorStackExecution] with its defaults.
    #[export]
    #[var(get = get_default_execution, set = set_default_execution)]
    pub(super) default_execution: FamilySlot<Executions>,
    /// Waiting orders at the most, 1 to 1024; interrupted ones do not count. Default 32.
    #[export_group(name = "Limits")]
    #[export(range = (1.0, 1024.0, 1.0))]
    #[var(set = set_max_queue_length)]
    #[init(val = 32)]
    pub(super) max_queue_length: i64,
    /// Seconds that an execution may take to stop, for orders that say no other time. Then the order ends without its
    /// answer, with a warning and [signal cancel_timed_out]. Default 1 s.
    #[export(range = (0.0, 10.0, 0.01, or_greater, suffix = "s"))]
    #[var(set = set_cancel_timeout)]
    #[init(val = 1.0)]
    pub(super) cancel_timeout: f64,
    /// Starts at the most in one go, 1 to 4096; further ones wait for the next step. It keeps orders that are done at once
    /// from blocking a frame. Default 64.
    #[export(range = (1.0, 4096.0, 1.0))]
    #[var(set = set_max_starts_per_turn)]
    #[init(val = 64)]
    pub(super) max_starts_per_turn: i64,
    /// Hooks and signals in one go, 64 or more, after which requests from inside them are refused
    /// ([code]recursion_limit[/code]). Default 4096.
    #[export(range = (64.0, 65536.0, 1.0, or_greater))]
    #[var(set = set_max_events_per_turn)]
    #[init(val = 4096)]
    pub(super) max_events_per_turn: i64,
    /// Sources that may add orders, but whose [method issue_command] is refused ([code]insert_only_source[/code]) while an
    /// order of another source runs or waits. Compared with [member CommandRequest.source].
    #[export_group(name = "Rules")]
    #[export]
    #[var(set = set_insert_only_sources)]
    pub(super) insert_only_sources: PackedStringArray,
    /// Requests are refused ([code]agent_blocked[/code]) while the agent has one of these tags, or a tag below one. Default
    /// [code]State.CommandsBlocked[/code].
    #[export]
    #[var(get = get_global_block_tags, set = set_global_block_tags)]
    #[init(val = TagList::preset(&["State.CommandsBlocked"]))]
    pub(super) global_block_tags: TagList,
    /// What becomes of the orders when the node leaves the tree: they end ([constant EXIT_TREE_END], the default), or they
    /// stand still until it is back ([constant EXIT_TREE_KEEP]), for moves between parents and pools.
    #[export(enum = (End = 0, Keep = 1))]
    #[var(set = set_exit_tree_policy)]
    pub(super) exit_tree_policy: i64,
    /// When time limits and waiting step: with the physics, with each drawn frame, or by [method advance]. Nothing steps while
    /// nothing counts time.
    #[export_group(name = "Time")]
    #[export(enum = (Physics = 0, Idle = 1, Manual = 2))]
    #[var(set = set_process_callback)]
    pub(super) process_callback: i64,
    /// Speed of the time of orders; at 0 it stands still, and orders are still taken and started. Default 1.
    #[export(range = (0.0, 4.0, 0.01, or_greater))]
    #[var(set = set_time_scale)]
    #[init(val = 1.0)]
    pub(super) time_scale: f64,
    /// The peer whose player owns the agent and may send orders to the authority; 0, the default: nobody. It is no matter of
    /// [method Node.set_multiplayer_authority]. Set it on all peers.
    #[export_group(name = "Network")]
    #[export]
    #[var(set = set_owner_peer)]
    pub(super) owner_peer: i64,
    /// Off: the authority refuses what the owner sends ([code]disabled[/code]). On by default.
    #[export]
    #[init(val = true)]
    pub(super) accept_remote_requests: bool,
    /// The [member CommandRequest.source] of orders that the owner sent. Default [code]player[/code].
    #[export]
    #[init(val = StringName::from("player"))]
    pub(super) remote_source: StringName,
    /// What the owner may send within a second of the game, 0 to 10000; more is refused ([code]rate_limited[/code]).
    /// Default 30.
    #[export(range = (0.0, 1000.0, 1.0, or_greater))]
    #[var(set = set_max_remote_requests_per_second)]
    #[init(val = 30)]
    pub(super) max_remote_requests_per_second: i64,
    /// The orders, for the other peers: give this property to a MultiplayerSynchronizer. On the authority it is a new dictionary
    /// whenever something is different, with a [code]revision[/code] that counts. Written on another peer it is what the queries
    /// answer from, and [signal current_command_changed], [signal command_queue_changed] and [signal last_result_changed] follow
    /// at the end of the frame. Payloads are not in it. Not saved with the scene.
    #[var(get = get_sync_state, set = set_sync_state)]
    sync_state: PhantomVar<VarDictionary>,
    /// `sync_state` as it was last read or written.
    #[init(val = RefCell::new(VarDictionary::new()))]
    pub(super) synced: RefCell<VarDictionary>,
    /// Print a line for every hook and signal. The project setting [code]riposte/debug/log_execution[/code] switches it on for
    /// all agents.
    #[export_group(name = "Debug")]
    #[export]
    #[var(set = set_debug_log_execution)]
    pub(super) debug_log_execution: bool,
    #[init(val = Hooked::new::<Self>(&base))]
    #[expect(dead_code, reason = "its construction connects the lifecycle")]
    hooked: Hooked,
    #[init(val = state::create(base.to_init_gd().instance_id()))]
    pub(super) id: InstanceId,
    pub(super) base: Base<Node>,
}

#[godot_api]
impl CommandSystem {
    /// Another order is the current one, or none; null stands for none. Each one's [param previous] is the last one's
    /// [param current].
    #[signal]
    pub fn current_command_changed(previous: Option<Gd<CommandInfo>>, current: Option<Gd<CommandInfo>>);

    /// An order started, for the first time. Once per order, after the start hook of its execution.
    #[signal]
    pub fn command_started(command: Gd<CommandInfo>);

    /// An interrupted order started again.
    #[signal]
    pub fn command_resumed(command: Gd<CommandInfo>);

    /// An order started again after a failure, or with another target; [param attempt] counts its starts.
    #[signal]
    pub fn command_retried(command: Gd<CommandInfo>, attempt: i64);

    /// An order was interrupted, and comes back later.
    #[signal]
    pub fn command_suspended(command: Gd<CommandInfo>);

    /// An order ended; [param result] is one of the `RESULT_*` constants. Exactly once per order that was accepted.
    #[signal]
    pub fn command_ended(command: Gd<CommandInfo>, result: i64, reason: StringName);

    /// An order that had started ended: [method get_last_result] is another one. Right after [signal command_ended].
    #[signal]
    pub fn last_result_changed(command: Gd<CommandInfo>);

    /// Other orders wait, or in another order. Once for all that a call changed.
    #[signal]
    pub fn command_queue_changed();

    /// No order runs and none waits. Once each time that the agent becomes idle, as the last signal.
    #[signal]
    pub fn became_idle();

    /// A request was refused; [method describe_reason] has a text for the reason. [method check_command] does not tell.
    #[signal]
    pub fn command_rejected(request: Option<Gd<CommandRequest>>, reason: StringName);

    /// An execution did not stop in time, see [member cancel_timeout]. The order ends without its answer.
    #[signal]
    pub fn cancel_timed_out(command: Gd<CommandInfo>);

    /// On the owner's peer: the authority answered a request that was sent with this [member CommandReceipt.token].
    /// [param outcome] is one of the `OUTCOME_*` constants; [param command_id] is 0 without a new order.
    #[signal]
    pub fn request_answered(token: i64, outcome: i64, reason: StringName, command_id: i64);

    /// On the authority: a peer sent something that was refused before it was looked at as an order: [code]not_owner[/code],
    /// [code]disabled[/code], [code]rate_limited[/code], [code]malformed[/code] or [code]unknown_definition[/code].
    #[signal]
    pub fn remote_request_refused(peer: i64, reason: StringName);

    /// Whether the agent takes an order at all, beside what the order itself asks for: not while it is dead, stunned or
    /// mounted. Empty if it does, else the reason. It must not change anything. Default: empty.
    #[func(virtual, gd_self)]
    pub fn can_accept(_this: Gd<Self>, _request: Gd<CommandRequest>, _entry_point: i64) -> StringName {
        StringName::default()
    }

    #[func]
    fn set_agent_path(&mut self, path: NodePath) {
        self.agent_path = path;
        if self.base().is_inside_tree() {
            lookup::attach(&self.to_gd().upcast(), &self.agent_path, Part::Commands);
        }
        self.base_mut().update_configuration_warnings();
    }

    #[func(gd_self)]
    fn set_enabled(this: impl Owner<Self>, value: bool) {
        let mut this = this.node();
        this.bind_mut().enabled = value;
        driver::set_enabled(this.instance_id(), value);
    }

    #[func]
    fn set_palette(&mut self, value: Option<Gd<CommandPalette>>) {
        self.palette = value;
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn get_commands(&self) -> ArrayOf<CommandDefinition> {
        self.commands.stored()
    }

    #[func]
    fn set_commands(&mut self, value: ArrayOf<CommandDefinition>) {
        let this = self.to_gd();
        self.commands.fill(&this, "commands", &value);
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_restrict_to_palette(&mut self, value: bool) {
        self.restrict_to_palette = value;
        self.push();
    }

    #[func]
    fn get_default_execution(&self) -> Option<Gd<Resource>> {
        self.default_execution.stored()
    }

    #[func]
    fn set_default_execution(&mut self, value: Option<Gd<Resource>>) {
        let this = self.to_gd();
        self.default_execution.fill(&this, "default_execution", value);
        self.push();
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_max_queue_length(&mut self, value: i64) {
        self.max_queue_length = self.clamped_int("max_queue_length", value, 1, 1024);
        self.push();
    }

    #[func]
    fn set_cancel_timeout(&mut self, value: f64) {
        self.cancel_timeout = self.not_negative("cancel_timeout", value, self.cancel_timeout);
        self.push();
    }

    #[func]
    fn set_max_starts_per_turn(&mut self, value: i64) {
        self.max_starts_per_turn = self.clamped_int("max_starts_per_turn", value, 1, 4096);
        self.push();
    }

    #[func]
    fn set_max_events_per_turn(&mut self, value: i64) {
        self.max_events_per_turn = self.clamped_int("max_events_per_turn", value, 64, i64::MAX);
        self.push();
    }

    #[func]
    fn set_insert_only_sources(&mut self, value: PackedStringArray) {
        self.insert_only_sources = value;
        self.push();
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
    fn set_exit_tree_policy(&mut self, value: i64) {
        self.exit_tree_policy = if matches!(value, 0 | 1) { value } else { 0 };
        if self.exit_tree_policy != value {
            let text = format!(
                "exit_tree_policy = {value} is read as EXIT_TREE_END. Use EXIT_TREE_END or EXIT_TREE_KEEP."
            );
            messages::warning(&self.to_gd(), "exit_tree_policy", "unknown", &text);
        }
        self.push();
    }

    #[func]
    fn set_process_callback(&mut self, value: i64) {
        self.process_callback = ticking::checked_callback(&self.to_gd(), value, self.process_callback, true);
        self.push();
        let id = self.id;
        let _released = self.base_mut();
        driver::update_ticking(id);
    }

    #[func]
    fn set_time_scale(&mut self, value: f64) {
        self.time_scale = self.not_negative("time_scale", value, self.time_scale);
        self.push();
    }

    #[func]
    fn set_owner_peer(&mut self, value: i64) {
        self.owner_peer = self.clamped_int("owner_peer", value, 0, i64::from(i32::MAX));
    }

    #[func]
    fn set_max_remote_requests_per_second(&mut self, value: i64) {
        self.max_remote_requests_per_second =
            self.clamped_int("max_remote_requests_per_second", value, 0, 10_000);
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

    #[func]
    fn set_debug_log_execution(&mut self, value: bool) {
        self.debug_log_execution = value;
        self.push();
    }
}
