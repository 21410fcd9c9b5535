//! The machine against the reference: the same words after the same calls.

use riposte_core::graph::{Call, Effect, Fail, InputResult, Moment};

use super::chance::Chance;
use super::fixture::Row;
use super::reference::{Fate, Reference, UNIT, units};
use super::stage::Stage;
use super::trial::{self, Parts, STATES, TAGS};

const RUNS: u64 = 3000;
const LENGTH: usize = 100;

#[derive(Clone, Debug)]
enum Act {
    /// Units.
    Advance(i64),
    Input(usize, u8),
    Interrupt,
    ClearBuffer,
    State(usize, bool),
    Vital(f64),
}

fn act(chance: &mut Chance) -> Act {
    match chance.below(16) {
        0..6 => Act::Advance([1, 2, 8, 20, 40, 100][chance.below(6)]),
        6..12 => Act::Input(chance.below(TAGS.len()), [0, 0, 0, 1, 2][chance.below(5)]),
        12 => match chance.below(3) {
            0 => Act::Interrupt,
            1 => Act::ClearBuffer,
            _ => Act::Vital([5.0, 50.0, 100.0][chance.below(3)]),
        },
        13 => Act::State(chance.below(STATES.len()), true),
        _ => Act::State(chance.below(STATES.len()), false),
    }
}

fn row(seed: u64) -> Row {
    let parts = Parts { per_tick: false, resync: seed.is_multiple_of(2) };
    let mut row = trial::row(&mut Chance::new(seed), parts);
    row.map.clear();
    row
}

/// What was told, in the words of the reference.
fn words(stage: &Stage, from: usize) -> Vec<String> {
    let log = stage.log[from..].iter();
    log.filter_map(|(effect, graph)| {
        let id = |node: &u32| graph.node(*node).id.to_string();
        let named = |tag, moment: &Moment| {
            format!("{}{}", stage.table.name(tag), ["", "↑", "↟"][moment.code() as usize])
        };
        Some(match effect {
            Effect::Started { node, .. } => format!("start {}", id(node)),
            Effect::Ended { node, reason, .. } => format!("end {} {reason:?}", id(node)),
            Effect::GraphReset => "reset".to_owned(),
            Effect::Failed { node, fail, .. } if *fail != Fail::Loop => format!("fail {} {fail:?}", id(node)),
            Effect::InputBuffered { tag, moment } => format!("wait {}", named(*tag, moment)),
            Effect::InputDropped { tag, moment, live: false, .. } => format!("drop {}", named(*tag, moment)),
            _ => return None,
        })
    })
    .collect()
}

struct Pair {
    stage: Stage,
    reference: Reference,
    told: usize,
}

impl Pair {
    fn new(seed: u64) -> Self {
        let row = row(seed);
        let mut reference = Reference::new(&row);
        reference.told.clear();
        Self { stage: Stage::new(&row), reference, told: 0 }
    }

    /// Does it on both; the difference. `None`: too many moves in one instant, which ends the comparison.
    fn act(&mut self, act: &Act) -> Option<Result<(), String>> {
        let from = self.stage.log.len();
        let mut fates = (None, None);
        match act {
            Act::Advance(count) => {
                self.stage.advance(*count as f64 * UNIT);
                (0..*count).for_each(|_| self.reference.step());
            }
            Act::Input(tag, moment) => {
                let code = Moment::from_code(i64::from(*moment)).expect("a moment");
                fates.0 = Some(match self.stage.input(TAGS[*tag], code) {
                    InputResult::Entered => Fate::Entered,
                    InputResult::Buffered => Fate::Buffered,
                    InputResult::Blocked => Fate::Blocked,
                    _ => Fate::Dropped,
                });
                fates.1 = Some(self.reference.input(TAGS[*tag], *moment));
            }
            Act::Interrupt => {
                self.stage.call(Call::Interrupt);
                self.reference.interrupt();
            }
            Act::ClearBuffer => {
                self.stage.call(Call::ClearBuffer);
                self.reference.clear();
            }
            Act::State(at, on) => {
                let tag = self.stage.tag(STATES[*at]);
                let count = self.stage.world.tags.count(tag);
                if *on && count == 0 {
                    self.stage.world.tags.add(&self.stage.table, tag, 1);
                    self.reference.tags.insert(STATES[*at].to_owned());
                } else if !*on && count > 0 {
                    self.stage.world.tags.remove(&self.stage.table, tag, count);
                    self.reference.tags.remove(STATES[*at]);
                }
            }
            Act::Vital(value) => {
                self.stage.world.vitals[0].value = *value;
                self.reference.vital = *value;
            }
        }
        if self.reference.looped {
            return None;
        }
        let (machine, reference) = (words(&self.stage, from), &self.reference.told[self.told..]);
        let same = machine == reference && fates.0 == fates.1;
        let fault = || format!("machine {machine:?} {:?}\n   wanted {reference:?} {:?}", fates.0, fates.1);
        let verdict = if same { Ok(()) } else { Err(fault()) };
        self.told = self.reference.told.len();
        Some(verdict)
    }
}

fn run(seed: u64, acts: &[Act]) -> Result<usize, String> {
    let mut pair = Pair::new(seed);
    for (at, act) in acts.iter().enumerate() {
        match pair.act(act) {
            None => return Ok(at),
            Some(verdict) => verdict.map_err(|fault| format!("{act:?}: {fault}"))?,
        }
    }
    Ok(acts.len())
}

fn story(seed: u64, acts: &[Act]) -> String {
    let row = row(seed);
    let mut text = format!(
        "{:?} grace {:?} restart {:?} combo {:?}\n",
        row.buffer, row.grace, row.restart_window, row.combo_lifetime
    );
    row.nodes.iter().for_each(|node| text += &format!("  {node:?}\n"));
    row.wires.iter().for_each(|wire| text += &format!("  {wire:?}\n"));
    let mut pair = Pair::new(seed);
    for act in acts {
        let from = pair.stage.log.len();
        let verdict = pair.act(act);
        text += &format!("{act:?}: {:?} {verdict:?}\n", words(&pair.stage, from));
    }
    text
}

#[test]
fn the_machine_does_what_the_rules_say() {
    let mut judged = 0;
    for seed in 0..RUNS {
        let mut chance = Chance::new(seed.wrapping_add(1 << 41));
        let mut acts: Vec<Act> = (0..LENGTH).map(|_| act(&mut chance)).collect();
        let mut fault = match run(seed, &acts) {
            Ok(count) => {
                judged += count;
                continue;
            }
            Err(fault) => fault,
        };
        let mut at = 0;
        while at < acts.len() {
            let mut fewer = acts.clone();
            fewer.remove(at);
            match run(seed, &fewer) {
                Ok(_) => at += 1,
                Err(other) => (acts, fault) = (fewer, other),
            }
        }
        panic!("seed {seed}: {fault}\n{}", story(seed, &acts));
    }
    assert!(judged > RUNS as usize * LENGTH / 2, "most of it is compared: {judged}");
    assert_eq!(units(1.0), 128);
}
