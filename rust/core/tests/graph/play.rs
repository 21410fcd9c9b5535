//! Plays rows, and writes what happens in their notation.

use std::collections::BTreeMap;
use std::sync::Arc;

use riposte_core::graph::{
    Call, Drop, Effect, Fail, Graph, InputResult, Moment, MoveEnd, Press, Reply, SequenceMode,
};
use riposte_core::tags::TagId;

use super::building::build;
use super::fixture::{Deed, Row, SequenceMode as Mode};
use super::stage::Stage;

pub const TICKS: [f64; 3] = [1.0 / 60.0, 0.1, 0.013];
/// Seconds around an instant that has to be met exactly.
const NEAR: f64 = 0.0005;

/// A word of the log, and the stretch of time in which it was written; without one if it bears no time.
#[derive(Clone, Debug, PartialEq)]
pub struct Word {
    pub text: String,
    pub span: Option<(f64, f64)>,
}

impl Word {
    fn is(&self, wanted: &str) -> bool {
        let Some((start, end)) = self.span else { return self.text == wanted };
        let at = time_of(wanted);
        self.text == wanted.split('@').next().unwrap_or_default() && at >= start - 1e-4 && at <= end + 1e-4
    }
}

/// A row that is being played.
pub struct Play {
    pub row: Row,
    pub stage: Stage,
    pub now: f64,
    pub before: f64,
    pub words: Vec<Word>,
    pub answers: Vec<String>,
    pub loops: u32,
    within: Vec<(String, Deed)>,
    /// How many of an input wait.
    waiting: BTreeMap<(TagId, i64), i32>,
    /// When keys moved whose answer is not known.
    keys: BTreeMap<String, f64>,
    /// Effects that were written already.
    read: usize,
    /// The input that a call sends, whose result is the answer.
    calling: Option<(TagId, i64)>,
    /// Answers to calls from inside.
    inside: Arc<std::sync::Mutex<Vec<(String, InputResult)>>>,
}

impl Play {
    pub fn new(row: &Row) -> Self {
        let mut play = Self {
            stage: Stage::new(row),
            row: row.clone(),
            now: 0.0,
            before: 0.0,
            words: Vec::new(),
            answers: Vec::new(),
            loops: 0,
            within: row.within.clone(),
            waiting: BTreeMap::new(),
            keys: BTreeMap::new(),
            read: 0,
            calling: None,
            inside: Arc::default(),
        };
        play.listen();
        play
    }

    /// Calls that rows make from inside of the signal that a node has started.
    fn listen(&mut self) {
        let mut within = std::mem::take(&mut self.within);
        if within.is_empty() {
            return;
        }
        let answers = Arc::new(std::sync::Mutex::new(Vec::new()));
        self.inside = answers.clone();
        self.stage.reaction = Some(Box::new(move |stage, effect| {
            let Effect::Started { node, .. } = effect else { return };
            let graph = stage.machine.graph().cloned().expect("a graph");
            if within.first().is_some_and(|(id, _)| *id == *graph.node(*node).id) {
                let (_, deed) = within.remove(0);
                let Deed::Press(tag) = deed else { panic!("only presses come from inside") };
                let result = stage.input(&tag, Moment::Pressed);
                answers.lock().expect("answers").push((tag, result));
            }
        }));
    }

    /// Plays the whole row. `exact`: ticks end shortly before and after each instant that is wanted.
    pub fn run(&mut self, tick: f64, exact: bool) {
        let input = self.row.input.clone();
        let mut stops: Vec<f64> = input.iter().map(|(at, _)| *at).collect();
        for wanted in &self.row.expect {
            let at = time_of(wanted);
            if exact && at > 0.0 {
                stops.extend([at - NEAR, at + NEAR]);
            }
        }
        let instants =
            input.iter().map(|(at, _)| *at).chain(self.row.expect.iter().map(|word| time_of(word)));
        let end = instants.fold(0.0, f64::max) + 0.5;
        stops.sort_by(f64::total_cmp);
        let (mut next, mut ticks) = (0, 0_u32);
        while self.now < end {
            while let Some((_, deed)) = input.get(next).filter(|(at, _)| *at <= self.now + 1e-7) {
                self.perform(deed);
                next += 1;
            }
            while f64::from(ticks + 1) * tick <= self.now + 1e-7 {
                ticks += 1;
            }
            let stop = stops.iter().copied().find(|stop| *stop > self.now + 1e-7);
            self.advance((f64::from(ticks + 1) * tick).min(stop.unwrap_or(f64::INFINITY)));
        }
    }

    /// Lets time pass until then.
    pub fn advance(&mut self, to: f64) {
        self.before = self.now;
        let delta = to - self.now;
        self.now = to;
        self.stage.advance(delta);
        self.write();
        self.before = self.now;
    }

    pub fn perform(&mut self, deed: &Deed) {
        match deed {
            Deed::Press(tag) => self.input(tag, Moment::Pressed),
            Deed::Release(tag) => self.input(tag, Moment::Released),
            Deed::Early(tag) => self.input(tag, Moment::ReleasedEarly),
            Deed::Down(tag) => self.key(tag, true),
            Deed::Up(tag) => self.key(tag, false),
            Deed::Interrupt => {
                assert_eq!(self.stage.call(Call::Interrupt), Reply::Flag(true), "the move is cut");
            }
            Deed::AddTag(name) => {
                let tag = self.stage.tag(name);
                let table = &self.stage.table;
                self.stage.world.tags.add(table, tag, 1);
            }
            Deed::RemoveTag(name) => {
                let tag = self.stage.tag(name);
                let table = &self.stage.table;
                self.stage.world.tags.remove(table, tag, 1);
            }
            Deed::TimeScale(scale) => self.stage.machine.set_time_scale(*scale),
            Deed::Freeze(seconds) => drop(self.stage.call(Call::Freeze(*seconds))),
            Deed::Queue(mode, items) => self.queue(*mode, items),
            Deed::OpenWindow(kind) => {
                let run = self.stage.machine.run().expect("a run").run;
                let reply = self.stage.call(Call::RunOpen(run, Arc::from(kind.as_str())));
                assert_eq!(reply, Reply::Flag(true), "the hook opens a window");
            }
            Deed::CancelRun => {
                let run = self.stage.machine.run().expect("a run").run;
                let Reply::Flag(done) = self.stage.call(Call::Cancel(run)) else { panic!("yes or no") };
                self.answers.push(format!("cancel@{} {done}", seconds(self.now)));
            }
            Deed::Edit(windows) => {
                for (id, edit) in windows {
                    self.row.nodes.get_mut(id).expect("a node").windows = Some(edit.windows.clone());
                }
                self.edit();
            }
            Deed::Delete(id) => {
                self.row.nodes.remove(id);
                let gone =
                    |wire: &str| wire.starts_with(&format!("{id}-")) || wire.ends_with(&format!("→{id}"));
                self.row.wires.retain(|wire| !gone(&wire.wire));
                self.edit();
            }
        }
        self.write();
    }

    fn edit(&mut self) {
        let (graph, binding) = build(&mut self.stage.table, &self.row);
        self.stage.call(Call::Edit(graph, binding));
    }

    fn input(&mut self, name: &str, moment: Moment) {
        let tag = self.stage.tag(name);
        self.calling = Some((tag, moment.code()));
        let result = self.stage.input(name, moment);
        self.answer(name, moment, self.now, result);
        self.write();
        self.calling = None;
    }

    fn key(&mut self, name: &str, down: bool) {
        let action = self.row.map.iter().position(|spec| spec.tag == name).expect("an input in the map");
        self.keys.insert(name.to_owned(), self.now);
        self.stage.key(action, down);
    }

    fn queue(&mut self, mode: Mode, items: &[String]) {
        let mode = match mode {
            Mode::Chain => SequenceMode::Chain,
            Mode::Discrete => SequenceMode::Discrete,
        };
        let mut presses = Vec::new();
        for name in items {
            let tag = self.stage.tag(name);
            presses.push(Press::new(tag, Moment::Pressed));
        }
        self.stage.call(Call::QueueSequence { mode, items: presses });
        self.write();
    }

    fn answer(&mut self, name: &str, moment: Moment, at: f64, result: InputResult) {
        let word = match result {
            InputResult::Entered => return,
            InputResult::Buffered => "BUFFERED",
            InputResult::Dropped => "DROPPED",
            InputResult::Blocked => "BLOCKED",
            InputResult::Forwarded => "FORWARDED",
        };
        self.answers.push(format!("{name}{}@{} {word}", mark(moment), seconds(at)));
    }

    /// Writes what was told since the last time.
    pub fn write(&mut self) {
        let inside: Vec<(String, InputResult)> = self.inside.lock().expect("answers").drain(..).collect();
        for (name, result) in inside {
            self.answer(&name, Moment::Pressed, self.now, result);
        }
        while let Some((effect, graph)) = self.stage.log.get(self.read).cloned() {
            self.read += 1;
            self.write_effect(&effect, &graph);
        }
    }

    fn write_effect(&mut self, effect: &Effect, graph: &Graph) {
        let id = |node: &u32| graph.node(*node).id.to_string();
        match effect {
            Effect::Started { node, .. } => self.timed(id(node)),
            Effect::GraphReset => self.timed("Root".to_owned()),
            Effect::Ended { node, reason: MoveEnd::Cancelled, .. } => {
                self.plain(format!("({} CANCELLED)", id(node)))
            }
            Effect::Ended { node, reason: MoveEnd::Removed, .. } => {
                self.plain(format!("({} REMOVED)", id(node)))
            }
            Effect::Failed { node, fail, .. } if *fail != Fail::Loop => {
                self.timed(format!("[{}:{} fails", id(node), format!("{fail:?}").to_lowercase()));
            }
            Effect::LoopError => self.loops += 1,
            Effect::SequenceEnded { reason, .. } if *reason != MoveEnd::Completed => {
                self.timed("sequence aborted".to_owned());
            }
            Effect::InputBuffered { tag, moment } => {
                *self.waiting.entry((*tag, moment.code())).or_default() += 1;
                self.answer_later(*tag, *moment, InputResult::Buffered);
            }
            Effect::InputDropped { tag, moment, why: Drop::Blocked, live: true } => {
                self.answer_later(*tag, *moment, InputResult::Blocked);
            }
            Effect::InputDropped { tag, moment, live: true, .. } => {
                self.answer_later(*tag, *moment, InputResult::Dropped);
            }
            Effect::InputDropped { tag, moment, why, live: false } => {
                let waiting = self.waiting.entry((*tag, moment.code())).or_default();
                *waiting -= 1;
                let word = if *why == Drop::Expired { "expires" } else { "dropped" };
                let name = self.stage.table.name(*tag).to_owned();
                self.timed(format!("{name}{} {word}", mark(*moment)));
            }
            _ => {}
        }
    }

    /// The answer to an input that no call waits for: of a key, of a sequence, of a call that was forwarded.
    fn answer_later(&mut self, tag: TagId, moment: Moment, result: InputResult) {
        if self.calling == Some((tag, moment.code())) {
            return;
        }
        let name = self.stage.table.name(tag).to_owned();
        let at = self.keys.get(&name).copied().unwrap_or(self.before);
        self.answer(&name, moment, at, result);
    }

    fn timed(&mut self, text: String) {
        self.words.push(Word { text, span: Some((self.before, self.now)) });
    }

    fn plain(&mut self, text: String) {
        self.words.push(Word { text, span: None });
    }

    /// The differences between what was written and what the row tells.
    pub fn differences(&self, label: &str) -> Vec<String> {
        let row = &self.row;
        let mut wanted = Vec::new();
        for word in &row.expect {
            match word.split_once('×') {
                Some((count, word)) => wanted.extend(vec![word; count.parse().expect("how often")]),
                None => wanted.push(word.as_str()),
            }
        }
        let same = wanted.len() == self.words.len()
            && wanted.iter().zip(&self.words).all(|(one, word)| word.is(one));
        let mut differences = Vec::new();
        if !same {
            differences.push(format!("{label}: {}\n   wanted {wanted:?}", shown(&self.words)));
        }
        if self.answers != row.answers {
            differences.push(format!("{label}: answers {:?}\n   wanted {:?}", self.answers, row.answers));
        }
        if (self.loops == 1) != row.loop_error {
            differences.push(format!("{label}: {} errors of loops", self.loops));
        }
        let vitals = self.stage.vitals();
        for (name, value) in &row.vitals_after {
            if (vitals[name] - value).abs() > 1e-6 {
                differences.push(format!("{label}: {name} is {}, wanted {value}", vitals[name]));
            }
        }
        differences.extend(self.stage.broken.iter().map(|fault| format!("{label}: {fault}")));
        differences
    }
}

fn shown(words: &[Word]) -> String {
    let word = |word: &Word| match word.span {
        Some((start, end)) => format!("{}@{start:.4}–{end:.4}", word.text),
        None => word.text.clone(),
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

fn mark(moment: Moment) -> &'static str {
    match moment {
        Moment::Pressed => "",
        Moment::Released => "↑",
        Moment::ReleasedEarly => "↟",
    }
}

fn time_of(word: &str) -> f64 {
    word.split_once('@').map_or(0.0, |(_, at)| at.trim_end_matches(']').parse().expect("seconds"))
}

/// Seconds as rows write them.
fn seconds(value: f64) -> String {
    format!("{}", (value * 1000.0).round() / 1000.0)
}

/// Plays a row at all its ticks, and fails with all differences.
pub fn check(name: &str) {
    let row = super::fixture::row(name);
    let ticks = row.ticks.clone().unwrap_or_else(|| TICKS.to_vec());
    let mut all = Vec::new();
    for tick in ticks {
        for exact in [false, true] {
            // A tick of its own around each instant would change what is told per tick.
            if exact && row.ticks.is_some() {
                continue;
            }
            let mut play = Play::new(&row);
            play.run(tick, exact);
            all.extend(play.differences(&format!("{name}, ticks of {tick:.4}, exact {exact}")));
        }
    }
    assert!(all.is_empty(), "\n{}", all.join("\n"));
}
