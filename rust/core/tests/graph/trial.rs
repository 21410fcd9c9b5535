//! Random graphs, and what may be called.
//!
//! All times are multiples of 1/64 s, so that sums of them are exact, however a stretch of time is cut into ticks.

use super::chance::Chance;
use super::fixture::{Buffer, DrainEnd, MapSpec, NodeSpec, Payload, Policy, Row, WireSpec};

pub const TAGS: [&str; 6] = ["A", "A.Child", "B", "C", "D", "Nobody"];
const KINDS: [&str; 4] = ["", "", "early", "perfect"];
pub const STATES: [&str; 3] = ["State.ActionsBlocked", "State.Wet", "Weapon.Shield"];
const STEP: f64 = 1.0 / 64.0;

/// What is called from outside or inside.
#[derive(Clone, Debug, PartialEq)]
pub enum Act {
    Advance(f64),
    /// Tag and moment.
    Input(usize, u8),
    /// Tag, down or up.
    Push(usize, bool),
    /// A device: tag, down or up. Walked with the next tick.
    Key(usize, bool),
    Interrupt,
    OpenWindow(usize),
    CloseWindow(usize),
    Freeze(f64),
    Unfreeze,
    /// Chain or discrete.
    Queue(bool, Vec<usize>),
    CancelSequence,
    ClearBuffer,
    /// Another graph, with its end.
    SetGraph(usize),
    /// A live edit: the graph that stands at this place replaces the one that plays.
    Edit(usize),
    State(usize, bool),
    SetCooldown(usize, f64),
    ResetCooldowns,
    Finish,
    Cancel,
    RunWindow(usize),
    Speed(f64),
    TimeScale(f64),
    Stick(f64),
    SetVital(f64),
}

/// Which parts a random graph may have.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// Rules that are marked "per tick".
    pub per_tick: bool,
    /// Releases that are made up for.
    pub resync: bool,
}

fn steps(chance: &mut Chance, most: usize) -> f64 {
    chance.below(most + 1) as f64 * STEP
}

fn pick<T: Clone>(chance: &mut Chance, from: &[T]) -> T {
    from[chance.below(from.len())].clone()
}

fn names(chance: &mut Chance, once_in: usize, from: &[&str]) -> Vec<String> {
    from.iter().filter(|_| chance.once_in(once_in)).map(|&name| name.to_owned()).collect()
}

/// A graph, with its player's settings.
pub fn row(chance: &mut Chance, parts: Parts) -> Row {
    let mut row = Row::default();
    let count = 2 + chance.below(11);
    for at in 0..count {
        let mut made = node(chance, parts);
        // The same after an edit.
        made.applied = Some(if at % 3 == 0 { vec!["Move.Some".to_owned()] } else { Vec::new() });
        row.nodes.insert(format!("N{at}"), made);
    }
    let ids: Vec<String> = std::iter::once("root".to_owned()).chain(row.nodes.keys().cloned()).collect();
    for from in &ids {
        let most = if from == "root" { 6 } else { 4 };
        for _ in 0..=chance.below(most) {
            let to = pick(chance, &ids);
            row.wires.push(wire(chance, from, &to));
        }
    }
    row.buffer =
        Some(pick(chance, &[Buffer::AcceptLast, Buffer::AcceptLast, Buffer::AcceptFirst, Buffer::Ignore]));
    row.grace = Some(pick(chance, &[0.0, 0.25, 0.25, 1.0]));
    row.restart_window = Some(pick(chance, &[0.0, 0.125, 0.375]));
    row.combo_lifetime = Some(pick(chance, &[0.0, 0.0, 0.25]));
    row.resync = Some(parts.resync);
    row.vitals.insert("Vital.Stamina".to_owned(), 60.0);
    for tag in &TAGS[..4] {
        if chance.once_in(2) {
            continue;
        }
        row.map.push(MapSpec {
            tag: (*tag).to_owned(),
            hold: pick(chance, &[0.0, 0.0, 0.25]),
            in_freeze: pick(chance, &[Policy::Keep, Policy::Age, Policy::Drop]),
        });
    }
    row
}

fn node(chance: &mut Chance, parts: Parts) -> NodeSpec {
    let payload = match chance.below(9) {
        0 => Payload::Nothing,
        1 => Payload::Hold(chance.once_in(2)),
        2 => Payload::Delay(pick(chance, &[0.0, 0.25, 0.5])),
        3 => Payload::NeedsTarget,
        4 => Payload::Section { length: 2.0, from: 0.5, to: 1.5, rate: 2.0 },
        _ => Payload::Clip(STEP + steps(chance, 63)),
    };
    let windows = (0..chance.below(3)).map(|_| {
        let start = steps(chance, 40);
        (pick(chance, &KINDS).to_owned(), start, start + STEP + steps(chance, 20))
    });
    let windows = Some(windows.collect());
    let mut node = NodeSpec { payload: Some(payload), windows, ..NodeSpec::default() };
    let maybe = |chance: &mut Chance, once_in: usize| Some(chance.once_in(once_in));
    node.from_entry = maybe(chance, 3);
    if chance.once_in(3) {
        node.buffer = Some(pick(chance, &[Buffer::AcceptLast, Buffer::AcceptFirst, Buffer::Ignore]));
    }
    if chance.once_in(4) {
        node.grace = Some(steps(chance, 32));
    }
    node.retrigger = maybe(chance, 3);
    node.mash_lock = maybe(chance, 4);
    node.cancellable = maybe(chance, 2);
    node.cancelled_by = Some(names(chance, 6, &TAGS));
    node.ignored_cancels = Some(names(chance, 6, &TAGS));
    node.cancel_needs_root_move = Some(!chance.once_in(3));
    node.cancel_start = Some(pick(chance, &[0.0, 0.125, 0.25]));
    if chance.once_in(3) {
        node.cost = Some(("Vital.Stamina".to_owned(), pick(chance, &[10.0, 40.0, 70.0])));
    }
    if chance.once_in(3) {
        node.cooldown = Some((pick(chance, &[0.25, 1.0]), 1 + chance.below(3) as u32));
    }
    if parts.per_tick && chance.once_in(6) {
        node.drain = Some((32.0, pick(chance, &[DrainEnd::Finish, DrainEnd::Cancel, DrainEnd::Nothing])));
    }
    if parts.per_tick && chance.once_in(6) {
        node.cancel_on_movement = Some(true);
    }
    node.applied = Some(if chance.once_in(3) { vec!["Move.Some".to_owned()] } else { Vec::new() });
    node
}

fn wire(chance: &mut Chance, from: &str, to: &str) -> WireSpec {
    let tag = pick(chance, &TAGS[..5]);
    let on = match chance.below(10) {
        0 => format!("{tag}↑"),
        1 => format!("{tag}↟"),
        2 => "Completed".to_owned(),
        3 => "Failed".to_owned(),
        _ => tag.to_owned(),
    };
    let conditions = match chance.below(8) {
        0 | 1 => vec![!chance.once_in(3)],
        2 => vec![true, !chance.once_in(3)],
        _ => Vec::new(),
    };
    let waits = !matches!(on.as_str(), "Completed" | "Failed");
    let kinds = if waits && chance.once_in(5) {
        vec![pick(chance, &["early", "perfect"]).to_owned()]
    } else {
        Vec::new()
    };
    WireSpec {
        wire: format!("{from}-{on}→{to}"),
        priority: chance.below(3) as i32 - 1,
        interrupts: chance.once_in(5),
        required: names(chance, 12, &STATES[1..]),
        blocked: names(chance, 12, &STATES[1..]),
        conditions,
        buffered: kinds.is_empty() || chance.once_in(2),
        kinds,
    }
}

/// Something that is called from outside.
pub fn act(chance: &mut Chance, parts: Parts) -> Act {
    match chance.below(10) {
        0..4 => Act::Advance(pick(chance, &[STEP, STEP * 2.0, STEP * 4.0, STEP * 16.0, 0.0])),
        4..7 => Act::Input(chance.below(TAGS.len()), pick(chance, &[0, 0, 0, 0, 1, 2])),
        7 => Act::Key(chance.below(4), chance.once_in(2)),
        _ => call(chance, parts),
    }
}

/// Something that may be called from inside, too.
pub fn call(chance: &mut Chance, parts: Parts) -> Act {
    match chance.below(26) {
        0..5 => Act::Input(chance.below(TAGS.len()), pick(chance, &[0, 0, 1, 2])),
        5 => Act::Push(chance.below(4), chance.once_in(2)),
        6 => Act::Interrupt,
        7 => Act::OpenWindow(chance.below(KINDS.len())),
        8 => Act::CloseWindow(chance.below(KINDS.len())),
        9 => Act::Freeze(pick(chance, &[0.125, 0.25])),
        10 => Act::Unfreeze,
        11 | 12 => {
            let items = (0..=chance.below(3)).map(|_| chance.below(TAGS.len())).collect();
            Act::Queue(chance.once_in(2), items)
        }
        13 => Act::CancelSequence,
        14 => Act::ClearBuffer,
        15 => Act::SetGraph(chance.below(2)),
        16 => Act::Edit(chance.below(3)),
        17..19 => Act::State(chance.below(3), chance.once_in(3)),
        19 => Act::SetCooldown(chance.below(4), pick(chance, &[0.0, 0.5])),
        20 => Act::ResetCooldowns,
        21 => Act::Finish,
        22 => Act::Cancel,
        23 => Act::RunWindow(chance.below(KINDS.len())),
        24 => match chance.below(3) {
            0 => Act::Speed(pick(chance, &[0.0, 0.5, 1.0, 1.0, 2.0])),
            1 => Act::TimeScale(pick(chance, &[0.0, 0.5, 1.0, 1.0])),
            _ if parts.per_tick => Act::Stick(pick(chance, &[0.0, 1.0])),
            _ => Act::Speed(1.0),
        },
        _ => Act::SetVital(pick(chance, &[5.0, 50.0, 100.0])),
    }
}

/// The name of a kind of window.
pub fn kind(at: usize) -> &'static str {
    KINDS[at % KINDS.len()]
}
