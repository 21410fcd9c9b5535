use godot::prelude::*;

use super::run_parts::RunData;
use super::{ActionGraphPlayer, driver, peers, targeting};
use crate::base::messages;

/// One run of one node of an [ActionGraph]: what led to it, and the way to end it or to open its windows.
///
/// Hooks, payloads and [signal ActionGraphPlayer.action_started] get it. Conditions, gates, costs and
/// [code]_can_start[/code] get one whose node has not started: its [member run_id] is 0. When the run is over, every method
/// does nothing and answers false, so a coroutine may keep it.
#[derive(GodotClass)]
#[class(init, base = RefCounted)]
pub struct ActionRun {
    /// The agent that plays the node. Null once it was freed.
    #[var(get = get_agent, no_set)]
    agent: PhantomVar<Option<Gd<Node>>>,
    /// The player of the graph. Null once it was freed.
    #[var(get = get_player, no_set)]
    player: PhantomVar<Option<Gd<ActionGraphPlayer>>>,
    /// What the agent is after now, see [method ActionGraphPlayer.get_target]; null without a target.
    #[var(get = get_target, no_set)]
    target: PhantomVar<Option<Gd<Node>>>,
    /// The id of the node.
    #[var(get = get_node_id, no_set)]
    node_id: PhantomVar<StringName>,
    /// The id of the node that ran before; [code]root[/code] if none did.
    #[var(get = get_from_node, no_set)]
    from_node: PhantomVar<StringName>,
    /// Counts the runs of the player, from 1. 0: the node has not started, it is only being considered.
    #[var(get = get_run_id, no_set)]
    run_id: PhantomVar<i64>,
    /// The tag of the input that led here. Empty if the node before completed or failed.
    #[var(get = get_input_tag, no_set)]
    input_tag: PhantomVar<StringName>,
    /// The moment that led here, one of the `FIRES_*` constants of [ActionGraphTransition].
    #[var(get = get_moment, no_set)]
    moment: PhantomVar<i64>,
    /// The stick at the moment of the input, up is -Y, length 0 to 1.
    #[var(get = get_stick, no_set)]
    stick: PhantomVar<Vector2>,
    /// The direction in the world at the moment of the input: X and Z in 3D, X and Y in 2D.
    #[var(get = get_direction, no_set)]
    direction: PhantomVar<Vector2>,
    /// The kind of window that the transition used; empty for the plain one, and for none.
    #[var(get = get_window_kind, no_set)]
    window_kind: PhantomVar<StringName>,
    /// Seconds that the node has run, on its own clock. 0 when the run is over.
    #[var(get = get_node_time, no_set)]
    node_time: PhantomVar<f64>,
    /// True if the run comes from a saved state.
    #[var(get = get_restored, no_set)]
    restored: PhantomVar<bool>,
    data: Option<RunData>,
    /// False: [method finish] is refused, as the hook that got it says that it does not finish its node.
    #[init(val = true)]
    pub(super) may_finish: bool,
    base: Base<RefCounted>,
}

impl ActionRun {
    /// The handle of a run.
    pub(super) fn of(data: &RunData) -> Gd<Self> {
        let mut handle = Self::new_gd();
        handle.bind_mut().data = Some(data.clone());
        handle
    }

    /// A handle that may not finish the run.
    pub(super) fn limited(data: &RunData) -> Gd<Self> {
        let mut handle = Self::of(data);
        handle.bind_mut().may_finish = false;
        handle
    }

    /// What the handle is about; none of one that a script made.
    pub(super) fn data(this: &Gd<Self>) -> Option<RunData> {
        this.bind().data.clone()
    }

    /// What a method changes: the run, on the main thread.
    fn to_change(this: &Gd<Self>, member: &str) -> Option<RunData> {
        if messages::on_main(this, member) { Self::data(this) } else { None }
    }

    /// The run that a method lets end with what it starts: the handle of a hook that may not finish its node is refused.
    pub(super) fn to_play(this: &Gd<Self>, member: &str) -> Option<RunData> {
        let data = Self::to_change(this, member).filter(driver::is_current)?;
        if this.bind().may_finish {
            return Some(data);
        }
        let text = format!(
            "{member}() was called by a hook that does not finish its node. Switch finishes_node of the hook on."
        );
        messages::error(this, member, "finishes_node", &text);
        None
    }

    fn read<R: Default>(&self, read: impl FnOnce(&RunData) -> R) -> R {
        self.data.as_ref().map(read).unwrap_or_default()
    }
}

#[godot_api]
impl ActionRun {
    #[func]
    fn get_agent(&self) -> Option<Gd<Node>> {
        self.read(|data| Gd::try_from_instance_id(data.agent).ok())
    }

    #[func]
    fn get_player(&self) -> Option<Gd<ActionGraphPlayer>> {
        self.read(|data| Gd::try_from_instance_id(data.player).ok())
    }

    #[func]
    fn get_target(&self) -> Option<Gd<Node>> {
        self.read(|data| targeting::target_of(data.player))
    }

    #[func]
    fn get_node_id(&self) -> StringName {
        self.read(|data| data.node_id.clone())
    }

    #[func]
    fn get_from_node(&self) -> StringName {
        self.read(|data| data.from_node.clone())
    }

    #[func]
    fn get_run_id(&self) -> i64 {
        self.read(|data| data.run as i64)
    }

    #[func]
    fn get_input_tag(&self) -> StringName {
        self.read(|data| data.input_tag.clone())
    }

    #[func]
    fn get_moment(&self) -> i64 {
        self.read(|data| data.moment)
    }

    #[func]
    fn get_stick(&self) -> Vector2 {
        self.read(|data| data.stick)
    }

    #[func]
    fn get_direction(&self) -> Vector2 {
        self.read(|data| data.direction)
    }

    #[func]
    fn get_window_kind(&self) -> StringName {
        self.read(|data| data.window_kind.clone())
    }

    #[func]
    fn get_node_time(&self) -> f64 {
        self.read(driver::node_time_of)
    }

    #[func]
    fn get_restored(&self) -> bool {
        self.read(|data| data.restored)
    }

    /// True while the node runs.
    #[func]
    pub fn is_current(&self) -> bool {
        self.read(driver::is_current)
    }

    /// True on the peer that decides about the agent's moves, and always without a network.
    #[func]
    pub fn is_authority(&self) -> bool {
        self.read(|data| peers::is_authority(data.player))
    }

    /// True on the peer whose player owns the agent, see [member ActionGraphPlayer.owner_peer], and always without a network.
    #[func]
    pub fn is_owner(&self) -> bool {
        self.read(|data| peers::is_owner(data.player))
    }

    /// Completes the node now; the graph picks what follows. A script that is an [ActionGraphHook] needs
    /// [member ActionGraphHook.finishes_node] for it. False if the run is over.
    #[func(gd_self)]
    pub fn finish(this: Gd<Self>) -> bool {
        let Some(data) = Self::to_change(&this, "finish") else { return false };
        if !this.bind().may_finish {
            let text = "finish() was called by a hook that does not finish its node. Switch finishes_node of the hook on.";
            messages::error(&this, "finish", "finishes_node", text);
            return false;
        }
        driver::finish_run(&data)
    }

    /// Cuts the node to Root, if it can be cancelled and its cancel window has started. False if not.
    #[func(gd_self)]
    pub fn cancel(this: Gd<Self>) -> bool {
        Self::to_change(&this, "cancel").is_some_and(|data| driver::cancel_run(&data))
    }

    /// Opens a window of this kind, the plain one if empty. It closes with the run at the latest. False if the run is over.
    #[func(gd_self)]
    pub fn open_window(this: Gd<Self>, #[opt(default = "")] kind: StringName) -> bool {
        Self::to_change(&this, "open_window").is_some_and(|data| driver::open_run_window(&data, &kind))
    }

    /// Closes the window of this kind, the plain one if empty. False if the run is over, or none is open.
    #[func(gd_self)]
    pub fn close_window(this: Gd<Self>, #[opt(default = "")] kind: StringName) -> bool {
        Self::to_change(&this, "close_window").is_some_and(|data| driver::close_run_window(&data, &kind))
    }
}
