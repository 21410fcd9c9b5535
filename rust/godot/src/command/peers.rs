//! Orders in a multiplayer game: the authority has them, and the others follow what it publishes as `sync_state`.

use std::rc::Rc;

use godot::prelude::*;
use riposte_core::command::{Info, Phase, Published, PublishedNews, PublishedOrder};
use riposte_core::rate::RateLimit;

use super::aim::Aim;
use super::command_info::InfoData;
use super::driver::{self, node_of, read, with};
use super::order::{Held, Order};
use super::{CommandInfo, CommandSystem, known, sync_state};
use crate::base::callbacks::defer;
use crate::base::{messages, network, tree_paths};

/// Orders as other peers know them: texts and paths of nodes.
pub(super) type Told = Published<String, String>;
/// One of them.
pub(super) type ToldOrder = PublishedOrder<String, String>;

/// What one system knows of the other peers.
#[derive(Default)]
pub(super) struct Peers {
    /// It stands below a node that has a MultiplayerAPI of its own.
    own_api: bool,
    /// What the authority told; `None` on the authority.
    copy: Option<Rc<Told>>,
    /// What was known and what is known now, to be told at the end of the frame.
    news: Option<(Rc<Told>, Rc<Told>)>,
    /// What was published last, and how often something was.
    published: Told,
    revision: i64,
    /// How much the owner has sent in this second; the owner's id.
    pub limit: (i32, RateLimit),
    /// Requests sent so far.
    pub token: i64,
}

/// The node entered the tree.
pub(super) fn entered(node: &Gd<CommandSystem>) {
    network::follow_tree();
    let own_api = network::has_own_api(&node.clone().upcast());
    with(node.instance_id(), |state| state.peers.own_api = own_api);
    decides(node);
}

/// True on the peer that decides for this node. If that is another peer now, changes sides: what is under way here ends, so
/// the node may be gone afterwards.
pub(super) fn decides(node: &Gd<CommandSystem>) -> bool {
    let id = node.instance_id();
    let known = read(id, |state| (state.peers.own_api, state.peers.copy.is_some()));
    let (own_api, follows) = known.unwrap_or_default();
    if !(follows || own_api || network::is_networked_now()) || !node.is_inside_tree() {
        return !follows;
    }
    let decides = network::has_authority(&node.clone().upcast());
    if decides == follows {
        change_sides(id, decides);
    }
    decides
}

/// True if another peer decides for the node.
pub(super) fn follows(id: InstanceId) -> bool {
    let local = read(id, |state| state.peers.are_none());
    if local.unwrap_or(true) && !network::is_networked_now() {
        return false;
    }
    node_of(id).is_some_and(|node| !decides(&node))
}

/// True if the player of this peer owns the agent.
pub(super) fn is_owner(node: &Gd<CommandSystem>) -> bool {
    let owner = node.bind().owner_peer;
    let api = node.get_multiplayer().filter(network::is_networked);
    owner != 0 && api.is_some_and(|api| i64::from(api.get_unique_id()) == owner)
}

fn change_sides(id: InstanceId, decides: bool) {
    if !decides {
        with(id, |state| state.peers.copy = Some(Rc::default()));
        return driver::lose_authority(id);
    }
    let changed = with(id, |state| {
        let copy = state.peers.copy.take()?;
        let (orders, starts) = copy.highest();
        state.core.number_from(orders, starts);
        // The former authority ended what it had; its last result stays the last thing that happened.
        let now = Told { last: copy.last.clone(), ..Told::default() };
        Some(state.peers.hear(copy, Rc::new(now)))
    });
    if changed.flatten() == Some(true) {
        defer(id, "riposte_orders_told", tell);
    }
}

impl Peers {
    /// As far as was noticed, this peer decides, and there is no network but that of the tree.
    pub(super) fn are_none(&self) -> bool {
        self.copy.is_none() && !self.own_api
    }

    /// True if something has to be told.
    fn hear(&mut self, before: Rc<Told>, now: Rc<Told>) -> bool {
        let before = self.news.take().map_or(before, |news| news.0);
        let tells = !before.news(&now).is_empty();
        self.news = tells.then_some((before, now));
        tells
    }
}

/// What the authority told; `None` on the authority.
pub(super) fn copy(id: InstanceId) -> Option<Rc<Told>> {
    if !follows(id) {
        return None;
    }
    read(id, |state| state.peers.copy.clone()).flatten()
}

/// True while another peer decides for the node, as far as that was noticed.
fn is_copy(id: InstanceId) -> bool {
    read(id, |state| state.peers.copy.is_some()).unwrap_or(false)
}

/// What the getter of `sync_state` gives: a new dictionary only if something is not as in `last`.
pub(super) fn published(id: InstanceId, last: &VarDictionary) -> VarDictionary {
    if is_copy(id) {
        return last.clone();
    }
    let Some(told) = own(id) else { return last.clone() };
    let revision = with(id, |state| {
        let peers = &mut state.peers;
        if peers.published == told && !last.is_empty() {
            return None;
        }
        peers.published = told.clone();
        peers.revision += 1;
        Some(peers.revision)
    });
    revision.flatten().map_or_else(|| last.clone(), |revision| sync_state::write(&told, revision))
}

fn own(id: InstanceId) -> Option<Told> {
    type Row = (Info, Rc<Order>);
    let (phase, current, queue, last) = read(id, |state| {
        let core = &state.core;
        let row = |key| -> Option<Row> { Some((core.info(key)?, core.data(key).map(Held::order)?)) };
        let queue: Vec<Row> = core.queue().filter_map(row).collect();
        (core.phase(), core.current().and_then(row), queue, core.last_result().and_then(row))
    })?;
    let row = |(info, order): &Row| published_order(info, order);
    let told = Told {
        phase,
        current: current.as_ref().map(row),
        queue: queue.iter().map(row).collect(),
        last: last.as_ref().map(row),
    };
    drop((current, queue, last));
    super::order::bury();
    Some(told)
}

fn published_order(info: &Info, order: &Order) -> ToldOrder {
    let known = &order.accepted;
    let request = &known.request;
    ToldOrder {
        command: info.order.id,
        execution: info.execution,
        name: known.name.to_string(),
        variant: request.variant,
        targets: request.targets.iter().map(|id| tree_paths::path_of(*id).unwrap_or_default()).collect(),
        location: request.location.map(Aim::vector),
        direction: request.direction.map(Aim::vector),
        source: request.source.to_string(),
        phase: info.phase,
        suspended: info.suspended,
        cancelable: info.cancelable,
        attempt: info.attempt,
        result: info.result,
        reason: info.reason.name().to_owned(),
    }
}

/// Takes over what the authority published; what became different is told at the end of the frame, after all that arrives with
/// it. False without effect: it is no published state, or this is the authority.
pub(super) fn receive(node: &Gd<CommandSystem>, state: &VarDictionary) -> bool {
    let id = node.instance_id();
    let Some(told) = sync_state::read(state) else {
        let text = "sync_state was given something else than another peer's sync_state. Leave it to a MultiplayerSynchronizer.";
        messages::error(node, "sync_state", "structure", text);
        return false;
    };
    if !follows(id) {
        return false;
    }
    let changed = with(id, |state| {
        let told = Rc::new(told);
        let before = state.peers.copy.replace(told.clone()).unwrap_or_default();
        state.peers.hear(before, told)
    });
    if changed == Some(true) {
        defer(id, "riposte_orders_told", tell);
    }
    true
}

/// Tells what is news, one by one; after each the node may be gone.
fn tell(id: InstanceId) {
    let Some((before, now)) = with(id, |state| state.peers.news.take()).flatten() else { return };
    let PublishedNews { current, queue, last } = before.news(&now);
    if current && let Some(node) = node_of(id) {
        let (previous, current) = (shown(&node, before.current.as_ref()), shown(&node, now.current.as_ref()));
        node.signals().current_command_changed().emit(previous.as_ref(), current.as_ref());
    }
    if queue && let Some(node) = node_of(id) {
        node.signals().command_queue_changed().emit();
    }
    if last
        && let Some(node) = node_of(id)
        && let Some(info) = shown(&node, now.last.as_ref())
    {
        node.signals().last_result_changed().emit(&info);
    }
}

fn shown(node: &Gd<CommandSystem>, order: Option<&ToldOrder>) -> Option<Gd<CommandInfo>> {
    order.map(|order| show(node, order))
}

/// What scripts see of an order of the authority.
fn show(node: &Gd<CommandSystem>, order: &ToldOrder) -> Gd<CommandInfo> {
    let aim = |vector| Option::map_or_else(vector, Variant::nil, |at| Aim::from_vector(at).to_script());
    let name = StringName::from(&order.name);
    CommandInfo::make(InfoData {
        command_id: order.command as i64,
        execution_id: order.execution as i64,
        definition: known::find(node, &name),
        command_name: name,
        variant: order.variant,
        targets: order.targets.iter().filter_map(|path| tree_paths::node_at(path)).collect(),
        location: aim(order.location),
        direction: aim(order.direction),
        payload: VarDictionary::new(),
        source: StringName::from(&order.source),
        phase: order.phase,
        is_suspended: order.suspended,
        is_cancelable: order.cancelable,
        attempt: i64::from(order.attempt),
        age: 0.0,
        result: order.result,
        reason: StringName::from(&order.reason),
    })
}

// What queries answer on a peer that follows; `None` on the authority.

/// The current order.
pub(super) fn current(id: InstanceId) -> Option<Option<Gd<CommandInfo>>> {
    let (copy, node) = copy(id).zip(node_of(id))?;
    Some(shown(&node, copy.current.as_ref()))
}

/// The last result.
pub(super) fn last_result(id: InstanceId) -> Option<Option<Gd<CommandInfo>>> {
    let (copy, node) = copy(id).zip(node_of(id))?;
    Some(shown(&node, copy.last.as_ref()))
}

/// An order by its number.
pub(super) fn command(id: InstanceId, command: i64) -> Option<Option<Gd<CommandInfo>>> {
    let (copy, node) = copy(id).zip(node_of(id))?;
    let found = u64::try_from(command).ok().and_then(|command| copy.find(command));
    Some(shown(&node, found))
}

/// The orders that wait.
pub(super) fn queue(id: InstanceId) -> Option<Array<Gd<CommandInfo>>> {
    let (copy, node) = copy(id).zip(node_of(id))?;
    Some(copy.queue.iter().map(|order| show(&node, order)).collect())
}

/// What happens, and how many orders wait.
pub(super) fn phase(id: InstanceId) -> Option<(Phase, usize)> {
    copy(id).map(|copy| (copy.phase, copy.queue.len()))
}
