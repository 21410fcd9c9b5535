//! An evaluator on a peer that has no authority over it: it decides and runs nothing, and follows what the authority
//! publishes as `sync_state`.

use std::collections::BTreeMap;

use godot::classes::{Node, ResourceLoader};
use godot::prelude::*;
use riposte_core::action::{EndReason, Event, RunId};

use super::{State, call, runs, sides, with};
use crate::action::{ActionEvaluator, ActionSet, ReactionEvaluator, ReactionSet};
use crate::base::callbacks::defer;
use crate::base::network;
use crate::base::state::number;
use crate::base::{messages, tree_paths};

/// Both sides of an evaluator in a multiplayer game.
#[derive(Default)]
pub(in crate::action) struct Following {
    /// `authority_only` is off: every peer decides for itself.
    pub everywhere: bool,
    /// It stands below a node that has a MultiplayerAPI of its own.
    pub own_api: bool,
    /// What the authority told; `None` on the authority.
    copy: Option<Box<Told>>,
    /// Changes that are to be told at the end of the frame.
    news: Vec<News>,
    /// Cooldown stamps of the authority itself.
    stamps: BTreeMap<u32, Stamp>,
    last_reason: i64,
    last_run: RunId,
}

#[derive(Clone, Copy)]
struct Stamp {
    seconds: f64,
    serial: i64,
    until: f64,
}

/// A published state.
#[derive(Clone, Debug, Default, PartialEq)]
struct Told {
    /// The running action; empty when idle.
    running: String,
    target: String,
    run: RunId,
    reason: i64,
    set: String,
    source: i64,
    cooldowns: BTreeMap<String, (f64, i64)>,
    /// When the run was told of, on this peer's clock.
    since: f64,
}

enum News {
    Set(String, i64),
    Ended(String, i64, RunId),
    Started(String, String, RunId),
    Cooldown(String, f64),
}

/// True if another peer decides for the node. Changes sides if that is another peer now; what runs then ends.
pub(in crate::action) fn follows(id: InstanceId) -> bool {
    let read = with(id, |state| {
        let own = &state.following;
        (own.everywhere, own.own_api, own.copy.is_some(), state.stepping)
    });
    let Some((everywhere, own_api, following, stepping)) = read else { return false };
    if !(following || own_api || network::is_networked_now()) || stepping {
        return following;
    }
    let node = Gd::<Node>::try_from_instance_id(id).ok().filter(|node| node.is_inside_tree());
    let Some(node) = node else { return following };
    let follow = !everywhere && !network::has_authority(&node);
    if follow != following {
        change_sides(id, follow);
    }
    follow
}

/// True while another peer decides for the node, as far as that was noticed.
pub(in crate::action) fn is_copy(id: InstanceId) -> bool {
    with(id, |state| state.following.copy.is_some()).unwrap_or(false)
}

/// The node entered the tree.
pub(in crate::action) fn entered(node: &Gd<Node>) {
    network::follow_tree();
    let own = node.get_multiplayer().map(|api| api.instance_id());
    let common = node.get_tree().get_multiplayer().map(|api| api.instance_id());
    with(node.instance_id(), |state| state.following.own_api = own != common);
    follows(node.instance_id());
}

fn change_sides(id: InstanceId, follow: bool) {
    if follow {
        call(id, |state| {
            state.following.copy = Some(Box::default());
            state.core.abort(EndReason::Cancelled);
        });
        return;
    }
    let copy = with(id, |state| {
        let copy = state.following.copy.take()?;
        state.core.take_over(copy.run);
        Some(copy)
    });
    if let Some(copy) = copy.flatten().filter(|copy| !copy.running.is_empty()) {
        tell_one(id, News::Ended(copy.running, EndReason::Cancelled.code(), copy.run));
    }
}

/// What the authority has to remember of an event to publish it.
pub(super) fn note(id: InstanceId, event: Event) {
    with(id, |state| match event {
        Event::CooldownStarted(action, seconds) => {
            let until = state.core.now() + seconds;
            let stamp = state.following.stamps.entry(action.0).or_insert(Stamp { seconds, serial: 0, until });
            *stamp = Stamp { seconds, serial: stamp.serial + 1, until };
        }
        Event::Ended(_, reason, run) => {
            (state.following.last_reason, state.following.last_run) = (reason.code(), run);
        }
        _ => {}
    });
}

/// What the getter of `sync_state` gives: a new dictionary only if something is not as in `last`.
pub(in crate::action) fn published(id: InstanceId, last: &VarDictionary) -> VarDictionary {
    if is_copy(id) {
        return last.clone();
    }
    let current = sides::current_set(id);
    let set = current.resource;
    let path = set.as_ref().map(|set| set.get_path().to_string()).unwrap_or_default();
    let source = current.source.code();
    let Some((mut told, target)) = with(id, own_state) else { return last.clone() };
    (told.set, told.source) = (path, source);
    let target = runs::live_target(target).and_then(|node| tree_paths::path_of(node.instance_id()));
    told.target = target.unwrap_or_default();
    if read(last).is_some_and(|known| known.tells_all_of(&told)) && !last.is_empty() {
        return last.clone();
    }
    write(&told)
}

fn own_state(state: &mut State) -> (Told, Option<riposte_core::action::TargetKey>) {
    let now = state.core.now();
    let mut cooldowns = BTreeMap::new();
    for (action, stamp) in &mut state.following.stamps {
        let action = riposte_core::action::ActionRef(*action);
        let left = state.core.cooldown_left(action);
        // Shortened by a refund, a reset or an import.
        let due = (stamp.until - now).max(0.0);
        if (left - due).abs() > 1e-3 {
            (stamp.seconds, stamp.until) = (left, now + left);
        }
        if left > 0.0 || stamp.seconds == 0.0 {
            cooldowns.insert(state.core.name(action).to_owned(), (stamp.seconds, stamp.serial));
        }
    }
    let run = state.core.running();
    let told = Told {
        running: run.map(|run| run.plan().id.name().to_owned()).unwrap_or_default(),
        run: run.map_or(state.following.last_run, riposte_core::action::Run::id),
        reason: state.following.last_reason,
        cooldowns,
        ..Told::default()
    };
    (told, run.and_then(riposte_core::action::Run::target))
}

impl Told {
    /// True if `other` says nothing new: a cooldown that is over need not be told.
    fn tells_all_of(&self, other: &Told) -> bool {
        let runs = |told: &Told| (told.running.clone(), told.target.clone(), told.run, told.reason);
        let sets = |told: &Told| (told.set.clone(), told.source);
        let known = |row: (&String, &(f64, i64))| self.cooldowns.get(row.0) == Some(row.1);
        runs(self) == runs(other) && sets(self) == sets(other) && other.cooldowns.iter().all(known)
    }
}

fn write(told: &Told) -> VarDictionary {
    let mut cooldowns = VarDictionary::new();
    for (id, (seconds, serial)) in &told.cooldowns {
        cooldowns.set(&GString::from(id), &varray![*seconds, *serial]);
    }
    vdict! {
        "running" => &GString::from(&told.running),
        "target" => &GString::from(&told.target),
        "run" => told.run,
        "reason" => told.reason,
        "set" => &GString::from(&told.set),
        "source" => told.source,
        "cooldowns" => &cooldowns,
    }
}

/// The published state of a dictionary; `None` if it is none.
fn read(state: &VarDictionary) -> Option<Told> {
    if state.is_empty() {
        return Some(Told::default());
    }
    let text = |key: &str| state.get(key)?.try_to_relaxed::<GString>().ok().map(|text| text.to_string());
    let int = |key: &str| state.get(key)?.try_to_relaxed::<i64>().ok();
    let mut cooldowns = BTreeMap::new();
    for (id, row) in state.get("cooldowns")?.try_to::<VarDictionary>().ok()?.iter_shared() {
        let row = row.try_to::<VarArray>().ok()?;
        let seconds = number(&row.get(0)?).filter(|seconds| *seconds >= 0.0)?;
        cooldowns.insert(id.to_string(), (seconds, row.get(1)?.try_to_relaxed::<i64>().ok()?));
    }
    Some(Told {
        running: text("running")?,
        target: text("target")?,
        run: int("run")?,
        reason: int("reason")?,
        set: text("set")?,
        source: int("source")?,
        cooldowns,
        since: 0.0,
    })
}

/// Takes over what the authority published; what became different is told at the end of the frame, because nothing may
/// call a handler while a property is written. False without effect: it is no published state, or this is the authority.
pub(in crate::action) fn receive(node: &Gd<Node>, state: &VarDictionary) -> bool {
    let id = node.instance_id();
    let Some(mut told) = read(state) else {
        let text = "sync_state was given something else than another peer's sync_state. Leave it to a MultiplayerSynchronizer.";
        messages::error(node, "sync_state", "structure", text);
        return false;
    };
    if !follows(id) {
        return false;
    }
    let news = with(id, |state| {
        let before = state.following.copy.as_deref().cloned().unwrap_or_default();
        let same_run = before.run == told.run && before.running == told.running;
        told.since = if same_run { before.since } else { state.core.now() };
        let news = differences(state, &before, &told);
        state.following.copy = Some(Box::new(told));
        let tell = !news.is_empty();
        state.following.news.extend(news);
        tell
    });
    if news == Some(true) {
        defer(id, "riposte_following", tell);
    }
    true
}

/// In the order in which they are told; cooldowns count on this peer's clock from now on.
fn differences(state: &mut State, before: &Told, told: &Told) -> Vec<News> {
    let mut news = Vec::new();
    if (&before.set, before.source) != (&told.set, told.source) {
        news.push(News::Set(told.set.clone(), told.source));
    }
    if (&before.running, before.run) != (&told.running, told.run) {
        if !before.running.is_empty() {
            news.push(News::Ended(before.running.clone(), told.reason, before.run));
        }
        if !told.running.is_empty() {
            news.push(News::Started(told.running.clone(), told.target.clone(), told.run));
        }
    }
    for (id, (seconds, serial)) in &told.cooldowns {
        match before.cooldowns.get(id) {
            Some(known) if *known == (*seconds, *serial) => continue,
            Some((_, known)) if known == serial => {}
            _ if *seconds > 0.0 => news.push(News::Cooldown(id.clone(), *seconds)),
            _ => {}
        }
        state.core.follow_cooldown(id, *seconds);
    }
    for id in before.cooldowns.keys().filter(|id| !told.cooldowns.contains_key(*id)) {
        if state.core.find(id).is_some_and(|action| state.core.cooldown_left(action) > 0.0) {
            state.core.follow_cooldown(id, 0.0);
        }
    }
    news
}

fn tell(id: InstanceId) {
    let news = with(id, |state| std::mem::take(&mut state.following.news)).unwrap_or_default();
    for news in news {
        tell_one(id, news);
    }
}

fn tell_one(id: InstanceId, news: News) {
    let Ok(node) = Gd::<Node>::try_from_instance_id(id) else { return };
    match node.try_cast::<ActionEvaluator>() {
        Ok(node) => tell_action(&node, news),
        Err(node) => tell_reaction(node, news),
    }
}

fn tell_reaction(node: Gd<Node>, news: News) {
    let Ok(node) = node.try_cast::<ReactionEvaluator>() else { return };
    let mut signals = node.signals();
    match news {
        News::Set(path, source) => {
            let set = set_at(&path).and_then(|set| set.try_cast::<ReactionSet>().ok());
            signals.reaction_set_changed().emit(set.as_ref(), source);
        }
        News::Ended(reaction, reason, run) => {
            signals.reaction_ended().emit(&StringName::from(&reaction), reason, run);
        }
        News::Started(reaction, target, run) => {
            signals.reaction_started().emit(&StringName::from(&reaction), node_at(&target).as_ref(), run);
        }
        News::Cooldown(reaction, seconds) => {
            signals.cooldown_started().emit(&StringName::from(&reaction), seconds);
        }
    }
}

fn tell_action(node: &Gd<ActionEvaluator>, news: News) {
    let mut signals = node.signals();
    match news {
        News::Set(path, source) => {
            let set = set_at(&path).and_then(|set| set.try_cast::<ActionSet>().ok());
            signals.action_set_changed().emit(set.as_ref(), source);
        }
        News::Ended(action, reason, run) => {
            signals.action_ended().emit(&StringName::from(&action), reason, run);
        }
        News::Started(action, target, run) => {
            signals.action_started().emit(&StringName::from(&action), node_at(&target).as_ref(), run);
        }
        News::Cooldown(action, seconds) => {
            signals.cooldown_started().emit(&StringName::from(&action), seconds);
        }
    }
}

fn node_at(path: &str) -> Option<Gd<Node>> {
    Gd::try_from_instance_id(tree_paths::node_at(path)?).ok()
}

/// A set of the game's own files.
fn set_at(path: &str) -> Option<Gd<Resource>> {
    let mut loader = ResourceLoader::singleton();
    if !path.starts_with("res://") || !loader.exists(path) {
        return None;
    }
    loader.load(path)
}

/// What runs on the authority.
pub(in crate::action) struct FollowedRun {
    /// Empty when idle.
    pub action: StringName,
    /// Null without one, and if it is not there on this peer.
    pub target: Option<Gd<Node>>,
    /// Its number.
    pub run: RunId,
    /// Seconds since this peer was told.
    pub elapsed: f64,
}

/// What runs on the authority; `None` if this is the authority.
pub(in crate::action) fn run(id: InstanceId) -> Option<FollowedRun> {
    let (copy, now) = with(id, |state| (state.following.copy.as_deref().cloned(), state.core.now()))?;
    let copy = copy?;
    if copy.running.is_empty() {
        return Some(FollowedRun { action: StringName::default(), target: None, run: 0, elapsed: 0.0 });
    }
    let target = node_at(&copy.target);
    Some(FollowedRun {
        action: StringName::from(&copy.running),
        target,
        run: copy.run,
        elapsed: now - copy.since,
    })
}

/// The set that the authority uses, and its source; `None` if this is the authority.
pub(in crate::action) fn set(id: InstanceId) -> Option<(Option<Gd<Resource>>, i64)> {
    let copy = with(id, |state| state.following.copy.as_deref().cloned()).flatten()?;
    Some((set_at(&copy.set), copy.source))
}
