//! What holds whatever graph is played and whatever is done: one end for each move, one fate for each input, the same log
//! for the same calls, at any length of ticks, and over a saved state.

use std::cell::RefCell;
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

use glam::DVec2;
use riposte_core::graph::{Binding, Call, Effect, Graph, InputResult, Moment, Press, Reply, SequenceMode};

use super::building::build;
use super::chance::Chance;
use super::fixture::{NodeSpec, Row};
use super::ledger::{Ledger, Verdict, ensure, is_per_tick, tells};
use super::stage::Stage;
use super::trial::{self, Act, Parts, STATES, TAGS};

const RUNS: u64 = 3000;
const LENGTH: usize = 200;

/// How a run is made.
#[derive(Clone, Copy)]
struct Manner {
    parts: Parts,
    /// Something is called from inside once in so many effects; 0: never.
    calls_once_in: usize,
    /// Each tick is cut into so many.
    cut: u32,
}

const WILD: Manner = Manner { parts: Parts { per_tick: true, resync: true }, calls_once_in: 12, cut: 1 };
const CALM: Manner = Manner { parts: Parts { per_tick: false, resync: true }, calls_once_in: 0, cut: 1 };

type Compiled = (Arc<Graph>, Arc<Binding>);

/// Random calls from inside, and what they were.
struct Inside {
    chance: Chance,
    once_in: usize,
    left: u32,
    made: Vec<Act>,
}

/// A run that is being made.
struct Trial {
    stage: Stage,
    graphs: Rc<Vec<Compiled>>,
    inside: Rc<RefCell<Inside>>,
    ledger: Ledger,
    read: usize,
    cut: u32,
    keys: usize,
    may_enter_root: bool,
}

fn rows(seed: u64, parts: Parts) -> Vec<Row> {
    let mut chance = Chance::new(seed);
    let mut rows: Vec<Row> = (0..3).map(|_| trial::row(&mut chance, parts)).collect();
    // The third is the first one after an edit: some of its nodes are others or gone.
    let mut edited = rows[0].clone();
    let ids: Vec<String> = edited.nodes.keys().cloned().collect();
    for id in ids {
        match chance.below(5) {
            0 => {
                let other = rows[1].nodes.values().nth(chance.below(rows[1].nodes.len())).cloned();
                let applied = edited.nodes[&id].applied.clone();
                edited.nodes.extend(other.map(|node| (id, NodeSpec { applied, ..node })));
            }
            1 => {
                edited.nodes.remove(&id);
                let gone =
                    |wire: &str| wire.starts_with(&format!("{id}-")) || wire.ends_with(&format!("→{id}"));
                edited.wires.retain(|wire| !gone(&wire.wire));
            }
            _ => {}
        }
    }
    rows[2] = edited;
    if seed % 2 == 1 {
        rows.iter_mut().for_each(|row| row.wires.retain(|wire| !wire.wire.ends_with("→root")));
    }
    rows
}

impl Trial {
    fn new(seed: u64, manner: Manner) -> Self {
        let rows = rows(seed, manner.parts);
        let mut stage = Stage::new(&rows[0]);
        stage.can_start = |id| id.len() % 2 == 0 && !id.ends_with('3');
        stage.executes = |id| !id.ends_with('5');
        let graphs: Vec<Compiled> = rows.iter().map(|row| build(&mut stage.table, row)).collect();
        let inside = Inside {
            chance: Chance::new(seed ^ 0xABCD),
            once_in: manner.calls_once_in,
            left: 0,
            made: Vec::new(),
        };
        let mut trial = Self {
            graphs: Rc::new(graphs),
            inside: Rc::new(RefCell::new(inside)),
            ledger: Ledger::default(),
            read: 0,
            cut: manner.cut,
            keys: rows[0].map.len(),
            may_enter_root: seed.is_multiple_of(2),
            stage,
        };
        if manner.calls_once_in > 0 {
            trial.listen(manner.parts);
        }
        trial
    }

    fn listen(&mut self, parts: Parts) {
        let (graphs, inside, keys) = (self.graphs.clone(), self.inside.clone(), self.keys);
        self.stage.reaction = Some(Box::new(move |stage, effect| {
            if is_per_tick(effect) {
                return;
            }
            let mut guard = inside.borrow_mut();
            let once_in = guard.once_in;
            if guard.left == 0 || once_in == 0 || !guard.chance.once_in(once_in) {
                return;
            }
            guard.left -= 1;
            let act = trial::call(&mut guard.chance, parts);
            guard.made.push(act.clone());
            drop(guard);
            perform(stage, &graphs, keys, &act, 1);
        }));
    }

    /// Does it, and looks at everything that was told.
    fn act(&mut self, act: &Act) -> Verdict {
        {
            let mut inside = self.inside.borrow_mut();
            inside.left = 4;
            inside.made.clear();
        }
        let taken = self.taken();
        let (starts, resets) = (self.ledger.starts, self.ledger.resets);
        let from = self.stage.log.len();
        let result = perform(&mut self.stage, &self.graphs, self.keys, act, self.cut);
        for (effect, graph) in &self.stage.log[self.read..] {
            self.ledger.take(effect, graph)?;
        }
        self.read = self.stage.log.len();
        let made = self.inside.borrow().made.len();
        if let (Some(result), Act::Input(tag, moment), 0) = (result, act, made) {
            self.fate(from, *tag, *moment, result)?;
        }
        if let Some(fault) = self.stage.broken.first() {
            return Err(fault.clone());
        }
        self.waiting()?;
        let more = self.taken() - taken;
        let entries = (self.ledger.starts - starts + self.ledger.resets - resets) as i64;
        ensure(more >= 0, || format!("{more} inputs that waited were taken"))?;
        // From the root to the root nothing is told.
        ensure(more <= entries || self.may_enter_root, || {
            format!("{more} inputs that waited were taken, {entries} nodes entered")
        })
    }

    /// Inputs that waited and acted.
    fn taken(&self) -> i64 {
        self.ledger.buffered - self.ledger.given_up - self.stage.machine.view().waiting.len() as i64
    }

    /// What an input told, for what it answered.
    fn fate(&self, from: usize, tag: usize, moment: u8, result: InputResult) -> Verdict {
        let name = TAGS[tag];
        let tag = self.stage.table.find(name).expect("a known tag");
        let moment = Moment::from_code(i64::from(moment)).expect("a moment");
        let told = self.stage.log[from..].iter().map(|(effect, _)| tells(effect, tag, moment));
        let told = told.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let wanted = match result {
            InputResult::Entered => (0, 0),
            InputResult::Buffered => (1, 0),
            InputResult::Dropped | InputResult::Blocked => (0, 1),
            InputResult::Forwarded => return Err("forwarded from outside".to_owned()),
        };
        ensure(told == wanted, || {
            format!("{name} {moment:?} is {result:?} and told {told:?} (waits, dropped)")
        })
    }

    fn waiting(&self) -> Verdict {
        let view = self.stage.machine.view();
        let presses = view.waiting.iter().filter(|one| one.moment == Moment::Pressed).count();
        let releases = view.waiting.len() - presses;
        if view.frozen_left > 0.0 {
            return Ok(());
        }
        ensure(presses <= 1 && releases <= 8, || format!("{presses} presses and {releases} releases wait"))
    }

    /// Lets everything end.
    fn come_to_rest(&mut self) -> Verdict {
        self.stage.reaction = None;
        for state in 0..STATES.len() {
            self.act(&Act::State(state, false))?;
        }
        for act in [Act::Stick(0.0), Act::Speed(1.0), Act::TimeScale(1.0), Act::Unfreeze, Act::CancelSequence]
        {
            self.act(&act)?;
        }
        for _ in 0..4 {
            self.act(&Act::ClearBuffer)?;
            self.act(&Act::Interrupt)?;
            self.act(&Act::Advance(0.25))?;
        }
        ensure(self.stage.machine.run().is_none(), || {
            format!("never comes to rest: {:?}", self.stage.machine.view())
        })?;
        self.ledger.at_rest()
    }
}

/// Makes a call. The result, if it is an input.
fn perform(stage: &mut Stage, graphs: &[Compiled], keys: usize, act: &Act, cut: u32) -> Option<InputResult> {
    let run = stage.machine.run().map(|run| run.run);
    let kind = |at: &usize| Arc::<str>::from(trial::kind(*at));
    let call = match act {
        Act::Advance(seconds) => {
            for _ in 0..cut {
                stage.advance(seconds / f64::from(cut));
            }
            return None;
        }
        Act::Input(tag, moment) => {
            return Some(stage.input(TAGS[*tag], Moment::from_code(i64::from(*moment)).expect("a moment")));
        }
        Act::Key(at, down) => {
            if *at < keys {
                stage.key(*at, *down);
            }
            return None;
        }
        Act::State(at, on) => {
            set_state(stage, STATES[*at], *on);
            return None;
        }
        Act::Speed(speed) => {
            stage.machine.set_action_speed(*speed);
            return None;
        }
        Act::TimeScale(scale) => {
            stage.machine.set_time_scale(*scale);
            return None;
        }
        Act::Stick(x) => {
            stage.world.stick = DVec2::new(*x, 0.0);
            stage.machine.recorder_mut().set_move_direction(DVec2::new(*x, 0.0));
            return None;
        }
        Act::SetVital(value) => {
            stage.world.vitals[0].value = *value;
            return None;
        }
        Act::Push(tag, pressed) => {
            Call::Push { tag: stage.tag(TAGS[*tag]), pressed: *pressed, direction: None }
        }
        Act::Interrupt => Call::Interrupt,
        Act::OpenWindow(at) => Call::OpenWindow(kind(at)),
        Act::CloseWindow(at) => Call::CloseWindow(kind(at)),
        Act::Freeze(seconds) => Call::Freeze(*seconds),
        Act::Unfreeze => Call::Unfreeze,
        Act::Queue(chain, items) => {
            let mode = if *chain { SequenceMode::Chain } else { SequenceMode::Discrete };
            let press = |tag| Press::new(tag, Moment::Pressed);
            let items =
                items.iter().map(|item| press(stage.table.find(TAGS[*item]).expect("a known tag"))).collect();
            Call::QueueSequence { mode, items }
        }
        Act::CancelSequence => Call::CancelSequence(0),
        Act::ClearBuffer => Call::ClearBuffer,
        Act::SetGraph(at) => Call::SetGraph(Some(graphs[*at].0.clone()), graphs[*at].1.clone()),
        Act::Edit(at) => Call::Edit(graphs[*at].0.clone(), graphs[*at].1.clone()),
        Act::SetCooldown(at, seconds) => {
            Call::SetCooldown { key: Arc::from(format!("N{at}")), seconds: *seconds, charges: -1 }
        }
        Act::ResetCooldowns => Call::ResetCooldowns,
        Act::Finish => Call::Finish(run?),
        Act::Cancel => Call::Cancel(run?),
        Act::RunWindow(at) => Call::RunOpen(run?, kind(at)),
    };
    let _: Reply = stage.call(call);
    None
}

fn set_state(stage: &mut Stage, name: &str, on: bool) {
    let tag = stage.tag(name);
    let count = stage.world.tags.count(tag);
    if on {
        stage.world.tags.add(&stage.table, tag, 1);
    } else if count > 0 {
        stage.world.tags.remove(&stage.table, tag, count);
    }
}

fn acts(seed: u64, parts: Parts) -> Vec<Act> {
    let mut chance = Chance::new(seed.wrapping_add(1 << 40));
    (0..LENGTH).map(|_| trial::act(&mut chance, parts)).collect()
}

/// Makes the calls, lets everything end, and judges.
fn run(seed: u64, acts: &[Act], manner: Manner) -> Result<Trial, String> {
    let mut trial = Trial::new(seed, manner);
    for act in acts {
        trial.act(act)?;
    }
    trial.come_to_rest()?;
    Ok(trial)
}

/// All runs; the first that fails is told with the calls that are needed for it.
fn explore(judge: impl Fn(u64, &[Act]) -> Verdict, runs: u64, manner: Manner) {
    for seed in 0..runs {
        let mut acts = acts(seed, manner.parts);
        let Err(mut fault) = judge(seed, &acts) else { continue };
        let mut at = 0;
        while at < acts.len() {
            let mut fewer = acts.clone();
            fewer.remove(at);
            match judge(seed, &fewer) {
                Ok(()) => at += 1,
                Err(other) => (acts, fault) = (fewer, other),
            }
        }
        panic!("seed {seed}: {fault}\n{}", story(seed, &acts, manner));
    }
}

/// What happened in a run, for a person.
fn story(seed: u64, acts: &[Act], manner: Manner) -> String {
    let mut text = String::new();
    for row in rows(seed, manner.parts) {
        writeln!(
            text,
            "{:?} grace {:?} restart {:?} combo {:?} map {:?}",
            row.buffer, row.grace, row.restart_window, row.combo_lifetime, row.map
        )
        .ok();
        row.nodes.iter().for_each(|node| text.push_str(&format!("  {node:?}\n")));
        row.wires.iter().for_each(|wire| text.push_str(&format!("  {wire:?}\n")));
    }
    let mut trial = Trial::new(seed, manner);
    for act in acts {
        let from = trial.stage.log.len();
        let verdict = trial.act(act);
        let told: Vec<&Effect> = trial.stage.log[from..].iter().map(|(effect, _)| effect).collect();
        let made = trial.inside.borrow().made.clone();
        writeln!(text, "{act:?}\n    {told:?}\n    from inside {made:?} {verdict:?}").ok();
    }
    text
}

#[test]
fn lives_of_moves_hold_whatever_is_called() {
    explore(|seed, acts| run(seed, acts, WILD).map(|_| ()), RUNS, WILD);
}

#[test]
fn lives_of_moves_hold_without_calls_from_inside() {
    let manner = Manner { calls_once_in: 0, ..WILD };
    explore(|seed, acts| run(seed, acts, manner).map(|_| ()), RUNS, manner);
}

/// What was told, without what depends on the number of ticks.
fn log(trial: &Trial) -> Vec<&Effect> {
    trial.stage.log.iter().map(|(effect, _)| effect).filter(|effect| !is_per_tick(effect)).collect()
}

fn same(one: &Trial, other: &Trial) -> Verdict {
    let (one, other) = (log(one), log(other));
    let at = one.iter().zip(&other).position(|(a, b)| a != b).unwrap_or(one.len().min(other.len()));
    let around = |log: &[&Effect]| format!("{:?}", &log[at.saturating_sub(3)..log.len().min(at + 3)]);
    ensure(one == other, || format!("differ at {at}: {} and {}", around(&one), around(&other)))
}

#[test]
fn the_same_calls_give_the_same_log() {
    explore(|seed, acts| same(&run(seed, acts, WILD)?, &run(seed, acts, WILD)?), RUNS / 5, WILD);
}

#[test]
fn the_length_of_ticks_changes_nothing() {
    for calls_once_in in [0, 12] {
        let whole = Manner { calls_once_in, ..CALM };
        explore(
            |seed, acts| {
                let one = run(seed, acts, whole)?;
                for cut in [4, 16] {
                    same(&one, &run(seed, acts, Manner { cut, ..whole })?)?;
                }
                Ok(())
            },
            RUNS / 6,
            whole,
        );
    }
}
