//! A stand-in for the engine: one agent whose world, scripts and methods are plain values.
#![allow(dead_code, reason = "every test binary uses its own part of this")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod calls;
mod plans;
mod stand_in;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use riposte_core::action::*;
use riposte_core::runner::TreeSequence;
use riposte_core::tags::{TagSet, TagTable};

pub use plans::*;

/// What user code does when something happens.
#[derive(Clone, Debug)]
pub enum Act {
    Abort(EndReason),
    Execute(&'static str),
    EvaluateNow,
    Preview,
    Finish(bool),
    Stop,
    Teardown,
    Multiply(&'static str, f64),
    Unlist,
    React(&'static str),
    List(Vec<ActionPlan>),
}

/// How an action's method behaves.
#[derive(Clone, Debug)]
pub struct Method {
    pub can_begin: bool,
    pub begins: bool,
    pub timeout: f64,
    pub instant: bool,
    /// Ticks until it finishes; 0: in its begin.
    pub ticks: Option<u32>,
    /// It has no tick at all.
    pub silent: bool,
    pub succeeds: bool,
    /// It runs trees: how many ticks each takes (none: it never ends), and whether it succeeds.
    pub trees: Vec<(Option<u32>, bool)>,
    /// Their rules, and how many ticks the current one has had.
    pub sequence: Option<(TreeSequence, u32)>,
}

impl Default for Method {
    fn default() -> Self {
        Self {
            can_begin: true,
            begins: true,
            timeout: 0.0,
            instant: false,
            ticks: None,
            silent: false,
            succeeds: true,
            trees: Vec::new(),
            sequence: None,
        }
    }
}

pub type Script = Box<dyn FnMut(&ScriptCall) -> f64>;

pub struct Rig {
    pub core: Evaluator,
    pub table: TagTable,
    pub agent_tags: TagSet,
    pub world_tags: TagSet,
    pub target_tags: TagSet,
    pub health: f64,
    pub target: Option<u64>,
    pub distance: f64,
    pub angle: f64,
    pub target_health: f64,
    /// Numbers of the agent and of every target.
    pub readings: Vec<Reading>,
    pub target_readings: Vec<Reading>,
    /// Targets to choose among, with their distances.
    pub each: Vec<(u64, f64)>,
    /// The hooks of all runs, which of their calls (`pre G Jab`) are vetoes, and the recovery that each asks for.
    pub hooks: RunHooks,
    pub vetoes: Vec<String>,
    pub requests: f64,
    /// Whether the agent sees its targets.
    pub sight: bool,
    /// Combat tokens that are free on every target.
    pub tokens: Vec<(riposte_core::tags::TagId, u64)>,
    /// What is answered when a run takes its tokens.
    pub takes: bool,
    /// Actions that the evaluator's own script rules out.
    pub ruled_out: Vec<String>,
    /// What that script makes of a score.
    pub modify: Option<fn(f64) -> f64>,
    /// What is answered when a run is to turn to another target.
    pub retargets: bool,
    pub methods: BTreeMap<String, Method>,
    pub scripts: BTreeMap<(String, usize), Script>,
    pub acts: BTreeMap<String, Vec<Act>>,
    /// What happened, one word and a name each.
    pub log: Vec<String>,
    /// What numbers follow, by the slot of their binding.
    pub attributes: BTreeMap<usize, f64>,
    pub events: i64,
    /// What the agent's action is, for reactions.
    pub rival: Option<Rival>,
    /// Every act happens once only.
    pub once: bool,
    /// Script scorers are asked in rows, as the game does it.
    pub in_rows: bool,
    /// Questions to script scorers that came in a row after another one, and how often user code did something.
    pub followers: usize,
    pub doings: usize,
    pub warnings: usize,
    /// Run ids that started (true) and ended (false), in order.
    pub lives: Vec<(RunId, bool)>,
    /// Run ids of starts that were refused, and why.
    pub refused: Vec<(RunId, Refusal)>,
    /// Runs that have combat tokens, and tags on the agent.
    pub held_tokens: BTreeSet<RunId>,
    pub held_tags: BTreeSet<RunId>,
    /// Every call of a hook: the run, the slot, the word in the log.
    pub hook_calls: Vec<(RunId, usize, &'static str)>,
    pub previews: Vec<Decision>,
    /// What the last evaluation said of its candidates.
    pub tried_each: Option<bool>,
    /// Every list by its version: an evaluation goes on with the one it began with.
    lists: BTreeMap<u64, Vec<Arc<ActionPlan>>>,
    pub running: BTreeMap<RunId, (String, u32)>,
}

impl Rig {
    pub fn new(settings: Settings) -> Self {
        let mut core = Evaluator::new(settings);
        core.set_seed(12345);
        Self {
            core,
            table: TagTable::new(),
            agent_tags: TagSet::default(),
            world_tags: TagSet::default(),
            target_tags: TagSet::default(),
            health: 1.0,
            target: None,
            distance: 0.0,
            angle: 0.0,
            target_health: 1.0,
            each: Vec::new(),
            hooks: RunHooks::default(),
            vetoes: Vec::new(),
            requests: 0.0,
            sight: true,
            readings: Vec::new(),
            target_readings: Vec::new(),
            tokens: Vec::new(),
            takes: true,
            ruled_out: Vec::new(),
            modify: None,
            retargets: true,
            methods: BTreeMap::new(),
            scripts: BTreeMap::new(),
            acts: BTreeMap::new(),
            log: Vec::new(),
            attributes: BTreeMap::new(),
            events: 0,
            rival: None,
            once: false,
            in_rows: false,
            followers: 0,
            doings: 0,
            warnings: 0,
            lives: Vec::new(),
            refused: Vec::new(),
            held_tokens: BTreeSet::new(),
            held_tags: BTreeSet::new(),
            hook_calls: Vec::new(),
            previews: Vec::new(),
            tried_each: None,
            lists: BTreeMap::new(),
            running: BTreeMap::new(),
        }
    }

    /// A started evaluator with these actions.
    pub fn with(settings: Settings, plans: impl IntoIterator<Item = ActionPlan>) -> Self {
        let mut rig = Self::new(settings);
        rig.list(plans);
        rig.call(|core| {
            core.start();
        });
        rig.log.clear();
        rig
    }

    pub fn quiet(plans: impl IntoIterator<Item = ActionPlan>) -> Self {
        Self::with(quiet(), plans)
    }

    /// A started evaluator of reactions.
    pub fn reacting(plans: impl FnOnce(&mut Self) -> Vec<ActionPlan>) -> Self {
        let mut rig = Self::new(Settings::default());
        rig.core = Evaluator::new_reacting(Settings::default());
        rig.core.set_seed(12345);
        let plans = plans(&mut rig);
        rig.list(plans);
        rig.call(|core| {
            core.start();
        });
        rig.log.clear();
        rig
    }

    pub fn list(&mut self, plans: impl IntoIterator<Item = ActionPlan>) {
        let plans: Vec<_> = plans.into_iter().map(Arc::new).collect();
        self.lists.insert(self.core.list_version() + 1, plans.clone());
        self.call(|core| core.set_list(Some(&plans), true));
    }

    pub fn set(&mut self, change: impl FnOnce(&mut Settings)) {
        let mut settings = self.core.settings().clone();
        change(&mut settings);
        self.core.set_settings(settings);
    }

    pub fn tags(&mut self, names: &[&str]) -> TagSet {
        let ids: Vec<_> = names.iter().map(|name| self.table.intern(name).unwrap()).collect();
        TagSet::new(&self.table, ids)
    }

    pub fn queries(&mut self, names: &[&str]) -> TagQueries {
        let ids: Vec<_> = names.iter().map(|name| self.table.intern(name).unwrap()).collect();
        TagQueries::new(&self.table, ids)
    }

    /// Someone at this distance and angle is the focus.
    pub fn aim(&mut self, distance: f64, angle: f64) {
        self.target = Some(7);
        self.distance = distance;
        self.angle = angle;
    }

    pub fn act(&mut self, when: &str, act: Act) {
        self.acts.entry(when.to_owned()).or_default().push(act);
    }

    pub fn method(&mut self, id: &str) -> &mut Method {
        self.methods.entry(id.to_owned()).or_default()
    }

    pub fn script(&mut self, id: &str, slot: usize, script: impl FnMut(&ScriptCall) -> f64 + 'static) {
        self.scripts.insert((id.to_owned(), slot), Box::new(script));
    }

    // Calls.

    pub fn call<R>(&mut self, act: impl FnOnce(&mut Evaluator) -> R) -> R {
        let base = self.core.depth();
        let result = act(&mut self.core);
        while let Some((ticket, question)) = self.core.next(base) {
            self.perform(ticket, question);
        }
        result
    }

    pub fn step(&mut self, delta: f64) {
        self.call(|core| core.step(delta));
    }

    pub fn steps(&mut self, delta: f64, times: u32) {
        for _ in 0..times {
            self.step(delta);
        }
    }
}

#[track_caller]
pub fn near(got: f64, want: f64) {
    assert!((got - want).abs() < 1e-6, "got {got}, want {want}");
}
