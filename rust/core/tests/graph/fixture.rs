//! The rows of `tests/fixtures/graph`: a graph, what is done when, and what follows. Its README tells how to read them.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde::Deserialize;

/// What a node plays.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub enum Payload {
    /// An animation of so many seconds.
    Clip(f64),
    /// A section of an animation.
    Section { length: f64, from: f64, to: f64, rate: f64 },
    /// Lasts until something ends it; its window is open or not.
    Hold(bool),
    /// Completes after so many seconds.
    Delay(f64),
    /// Ends at once.
    Nothing,
    /// Starts only with a target, and there is none.
    NeedsTarget,
}

/// Which press waits.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub enum Buffer {
    AcceptLast,
    AcceptFirst,
    Ignore,
}

/// What a drain does at zero.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub enum DrainEnd {
    Finish,
    Cancel,
    Nothing,
}

/// What a hit-stop does to inputs.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
pub enum Policy {
    #[default]
    Keep,
    Age,
    Drop,
}

/// How items of a sequence are sent.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub enum SequenceMode {
    Chain,
    Discrete,
}

/// A node; in a row, what it changes in the node of its base.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NodeSpec {
    pub payload: Option<Payload>,
    /// Kind, start and end, in seconds of the animation.
    pub windows: Option<Vec<(String, f64, f64)>>,
    pub from_entry: Option<bool>,
    pub buffer: Option<Buffer>,
    pub grace: Option<f64>,
    pub retrigger: Option<bool>,
    pub mash_lock: Option<bool>,
    pub cancellable: Option<bool>,
    pub cancelled_by: Option<Vec<String>>,
    pub ignored_cancels: Option<Vec<String>>,
    pub cancel_needs_root_move: Option<bool>,
    pub cancel_start: Option<f64>,
    pub applied: Option<Vec<String>>,
    /// How many hooks watch it; one if it is not told.
    pub hooks: Option<usize>,
    /// Vital and amount.
    pub cost: Option<(String, f64)>,
    /// Seconds and charges.
    pub cooldown: Option<(f64, u32)>,
    /// Stamina per second.
    pub drain: Option<(f64, DrainEnd)>,
    pub cancel_on_movement: Option<bool>,
}

/// A transition.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WireSpec {
    pub wire: String,
    #[serde(default)]
    pub priority: i32,
    #[serde(default)]
    pub interrupts: bool,
    #[serde(default)]
    pub required: Vec<String>,
    #[serde(default)]
    pub blocked: Vec<String>,
    /// What conditions answer.
    #[serde(default)]
    pub conditions: Vec<bool>,
    #[serde(default)]
    pub kinds: Vec<String>,
    #[serde(default = "yes")]
    pub buffered: bool,
}

fn yes() -> bool {
    true
}

/// How a key is read.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MapSpec {
    pub tag: String,
    /// Seconds to hold; 0: a press.
    #[serde(default)]
    pub hold: f64,
    #[serde(default)]
    pub in_freeze: Policy,
}

/// What is done.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub enum Deed {
    Press(String),
    Release(String),
    Early(String),
    Down(String),
    Up(String),
    Interrupt,
    AddTag(String),
    RemoveTag(String),
    TimeScale(f64),
    Freeze(f64),
    Queue(SequenceMode, Vec<String>),
    /// A hook of the running node opens a window of this kind.
    OpenWindow(String),
    /// A hook of the running node cancels it.
    CancelRun,
    Edit(BTreeMap<String, Windows>),
    Delete(String),
}

/// Windows that an edit writes.
#[derive(Clone, Debug, Deserialize, PartialEq)]
pub struct Windows {
    pub windows: Vec<(String, f64, f64)>,
}

/// A row.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Row {
    pub row: String,
    pub base: Option<String>,
    pub nodes: BTreeMap<String, NodeSpec>,
    pub wires: Vec<WireSpec>,
    pub without: Vec<String>,
    pub map: Vec<MapSpec>,
    pub vitals: BTreeMap<String, f64>,
    pub tags: Vec<String>,
    /// Of the graph; spec defaults if it is not told.
    pub buffer: Option<Buffer>,
    pub grace: Option<f64>,
    pub restart_window: Option<f64>,
    pub combo_lifetime: Option<f64>,
    pub resync: Option<bool>,
    /// The action speed of the player.
    pub speed: Option<f64>,
    pub stick: Option<(f64, f64)>,
    /// Tick lengths, instead of the three of all rows.
    pub ticks: Option<Vec<f64>>,
    pub input: Vec<(f64, Deed)>,
    /// What is called from inside of the signal that this node has started.
    pub within: Vec<(String, Deed)>,
    pub expect: Vec<String>,
    pub answers: Vec<String>,
    pub vitals_after: BTreeMap<String, f64>,
    pub loop_error: bool,
}

/// The moment of a wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum On {
    Press(String),
    Release(String),
    Early(String),
    Completed,
    Failed,
}

impl WireSpec {
    /// From, moment, to; the root is "root".
    pub fn parts(&self) -> (String, On, String) {
        let (from, rest) = self.wire.split_once('-').expect("X-LA→Y");
        let (on, to) = rest.split_once('→').expect("X-LA→Y");
        let on = match on {
            "Completed" => On::Completed,
            "Failed" => On::Failed,
            other => match (other.strip_suffix('↑'), other.strip_suffix('↟')) {
                (Some(tag), _) => On::Release(tag.to_owned()),
                (_, Some(tag)) => On::Early(tag.to_owned()),
                _ => On::Press(other.to_owned()),
            },
        };
        (id(from), on, id(to))
    }
}

fn id(name: &str) -> String {
    if name == "Root" { "root".to_owned() } else { name.to_owned() }
}

impl NodeSpec {
    /// What is given here replaces what was there.
    pub fn merge(&mut self, over: &Self) {
        macro_rules! take {
            ($($field:ident),*) => { $(if over.$field.is_some() { self.$field = over.$field.clone(); })* };
        }
        take!(payload, windows, from_entry, buffer, grace, retrigger, mash_lock, cancellable, cancelled_by);
        take!(
            ignored_cancels,
            cancel_needs_root_move,
            cancel_start,
            applied,
            hooks,
            cost,
            cooldown,
            drain,
            cancel_on_movement
        );
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/graph")
}

fn read<T: serde::de::DeserializeOwned>(file: &str) -> T {
    let text = fs::read_to_string(folder().join(file)).expect(file);
    ron::from_str(&text).unwrap_or_else(|fault| panic!("{file}: {fault}"))
}

const FILES: [&str; 13] = [
    "windows.ron",
    "grace.ron",
    "waiting.ron",
    "cutting.ron",
    "starting.ron",
    "choosing.ron",
    "blocking.ron",
    "held.ron",
    "following.ron",
    "clocks.ron",
    "tiers.ron",
    "sequences.ron",
    "living.ron",
];

/// All rows, with what they have from their bases.
pub fn rows() -> Vec<Row> {
    let bases: BTreeMap<String, Row> = read("bases.ron");
    FILES.iter().flat_map(|file| read::<Vec<Row>>(file)).map(|row| resolve(&bases, &row)).collect()
}

/// The row of this name.
pub fn row(name: &str) -> Row {
    rows().into_iter().find(|row| row.row == name).unwrap_or_else(|| panic!("no row {name}"))
}

fn resolve(bases: &BTreeMap<String, Row>, row: &Row) -> Row {
    let Some(base) = &row.base else { return row.clone() };
    let base = resolve(bases, bases.get(base).unwrap_or_else(|| panic!("no base {base}")));
    let mut nodes = base.nodes;
    for (name, over) in &row.nodes {
        nodes.entry(name.clone()).or_default().merge(over);
    }
    let mut wires = base.wires;
    wires.retain(|wire| !row.without.contains(&wire.wire));
    wires.extend(row.wires.iter().cloned());
    let mut vitals = base.vitals;
    vitals.extend(row.vitals.clone());
    let mut map = base.map;
    map.extend(row.map.iter().cloned());
    Row { base: None, nodes, wires, vitals, map, ..row.clone() }
}

#[test]
fn every_row_is_there_once() {
    let names: Vec<String> = rows().into_iter().map(|row| row.row).collect();
    let wanted: Vec<String> =
        (1..=95).filter(|at| ![92, 93].contains(at)).map(|at| format!("M{at}")).collect();
    assert_eq!(names, wanted);
}
