//! A stand-in for the engine: one agent whose world, scripts and methods are plain values.
#![allow(dead_code, reason = "every test binary uses its own part of this")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::sync::Arc;

use riposte_core::action::*;
use riposte_core::tags::{TagSet, TagTable};

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
    pub succeeds: bool,
}

impl Default for Method {
    fn default() -> Self {
        Self { can_begin: true, begins: true, timeout: 0.0, instant: false, ticks: None, succeeds: true }
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
    pub methods: BTreeMap<String, Method>,
    pub scripts: BTreeMap<(String, usize), Script>,
    pub acts: BTreeMap<String, Vec<Act>>,
    /// What happened, one word and a name each.
    pub log: Vec<String>,
    /// Every act happens once only.
    pub once: bool,
    pub warnings: usize,
    /// Run ids that started (true) and ended (false), in order.
    pub lives: Vec<(RunId, bool)>,
    pub previews: Vec<Decision>,
    /// Every list by its version: an evaluation goes on with the one it began with.
    lists: BTreeMap<u64, Vec<Arc<ActionPlan>>>,
    running: BTreeMap<RunId, (String, u32)>,
}

/// Jitter 0, novelty off, S = 12345, evaluations on request only.
pub fn quiet() -> Settings {
    Settings {
        jitter_amount: 0.0,
        novelty_penalty: 0.0,
        auto_evaluate: false,
        random_phase: false,
        evaluate_on_end: false,
        ..Settings::default()
    }
}

/// An action that runs until it is told otherwise, with a fixed cooldown.
pub fn spec(id: &str) -> ActionPlan {
    let cooldown = CooldownPlan { randomization: 0.0, ..CooldownPlan::default() };
    ActionPlan { has_method: true, cooldown, ..ActionPlan::named(id) }
}

pub fn weighted(id: &str, weight: f64) -> ActionPlan {
    ActionPlan { selection_weight: weight, ..spec(id) }
}

pub fn scorer(kind: ScorerKind) -> ScorerPlan {
    let label = match kind {
        ScorerKind::Distance { .. } => "DistanceScorer",
        ScorerKind::Angle { .. } => "AngleScorer",
        ScorerKind::Health { .. } => "HealthScorer",
        _ => "ActionScorer",
    };
    ScorerPlan { kind, label: label.into() }
}

pub fn distance() -> ScorerPlan {
    scorer(ScorerKind::Distance { range: Some(RangeCurve::melee()), in_pixels: false })
}

pub fn angle() -> ScorerPlan {
    scorer(ScorerKind::Angle { range: Some(RangeCurve::frontal_angle()) })
}

pub fn script_scorer(slot: usize) -> ScorerPlan {
    scorer(ScorerKind::Script { slot })
}

pub fn script_gate(slot: usize, label: &str) -> GatePlan {
    GatePlan { kind: GateKind::Script { slot }, label: label.into() }
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
            methods: BTreeMap::new(),
            scripts: BTreeMap::new(),
            acts: BTreeMap::new(),
            log: Vec::new(),
            once: false,
            warnings: 0,
            lives: Vec::new(),
            previews: Vec::new(),
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

    pub fn find(&self, id: &str) -> ActionRef {
        self.core.find(id).unwrap_or_else(|| panic!("no action {id}"))
    }

    /// True if something started.
    pub fn evaluate(&mut self) -> bool {
        let queued = self.call(Evaluator::evaluate_now);
        queued || matches!(self.core.take_outcome(), Outcome::Started(_))
    }

    /// Starts what scores best; its name.
    pub fn pick(&mut self) -> String {
        self.evaluate();
        self.running_name()
    }

    pub fn running_name(&self) -> String {
        self.core.running().map_or(String::new(), |run| self.core.name(run.action()).to_owned())
    }

    pub fn preview(&mut self) -> Decision {
        self.call(|core| core.preview(TargetWish::Focus));
        match self.core.take_outcome() {
            Outcome::Decision(decision) => *decision,
            // Torn down in its middle.
            Outcome::None => Decision::default(),
            other => panic!("no decision: {other:?}"),
        }
    }

    pub fn score(&mut self, id: &str) -> f64 {
        let action = self.find(id);
        self.call(|core| core.score(action, TargetWish::Focus));
        match self.core.take_outcome() {
            Outcome::Score(score) => score,
            other => panic!("no score: {other:?}"),
        }
    }

    pub fn row(&mut self, id: &str) -> DecisionRow {
        self.preview().rows.into_iter().find(|row| &*row.action == id).unwrap()
    }

    pub fn why(&mut self, id: &str) -> Refusal {
        self.row(id).refusal
    }

    pub fn factor(&mut self, id: &str, name: &str) -> f64 {
        self.set(|settings| settings.record = true);
        let row = self.row(id);
        row.factors.iter().find(|(factor, _)| &**factor == name).map_or(f64::NAN, |(_, value)| *value)
    }

    fn request(&self, id: &str, respect_gates: bool) -> StartRequest {
        StartRequest { action: self.core.find(id), target: TargetWish::Focus, respect_gates }
    }

    /// The run id, 0 if refused.
    pub fn execute(&mut self, id: &str) -> RunId {
        self.execute_with(id, false)
    }

    pub fn execute_with(&mut self, id: &str, respect_gates: bool) -> RunId {
        let request = self.request(id, respect_gates);
        let (run, queued) = self.call(|core| core.execute(request));
        let started = matches!(self.core.take_outcome(), Outcome::Started(_));
        if started || queued { run } else { 0 }
    }

    pub fn abort(&mut self, reason: EndReason) -> bool {
        self.call(|core| core.abort(reason))
    }

    /// Starts an action and ends it again with this reason.
    pub fn use_up(&mut self, id: &str, reason: EndReason) {
        let run = self.execute(id);
        assert!(run > 0, "{id} did not start");
        self.finish(run, reason);
    }

    pub fn finish(&mut self, run: RunId, reason: EndReason) {
        if reason == EndReason::Cancelled || reason == EndReason::Interrupted {
            assert!(self.abort(reason));
        } else {
            // As at the start of a step, without moving the clock.
            assert!(self.core.record_result(run, reason));
            self.step(1e-12);
        }
    }

    pub fn cooldown(&self, id: &str) -> f64 {
        self.core.cooldown_left(self.find(id))
    }

    /// Steps until the clock says so.
    pub fn until(&mut self, now: f64) {
        let left = now - self.core.now();
        assert!(left >= -1e-9, "the clock is at {}", self.core.now());
        self.step(left);
    }

    /// The log since the last call, only lines whose first word is in `words` (all if empty).
    pub fn took(&mut self, words: &str) -> String {
        let keep = |line: &String| {
            words.is_empty() || words.split(' ').any(|word| line.split(' ').next() == Some(word))
        };
        let lines: Vec<String> = self.log.drain(..).filter(keep).collect();
        lines.join(", ")
    }

    // The stand-in.

    fn perform(&mut self, ticket: Ticket, question: Question) {
        let answer = match question {
            Question::Snapshot(wish) => return self.answer_snapshot(ticket, wish),
            Question::Gate(call) => Answer::Bool(self.run_script("gate", &call) != 0.0),
            Question::Score(call) => Answer::Number(self.run_script("score", &call)),
            Question::Prepare(prepare) => self.prepare(&prepare),
            Question::Begin(run) => self.begin(run),
            Question::Tick(run, _) => self.tick(run),
            Question::Abort(run, reason) => {
                let name = self.name_of(run);
                self.hit(&format!("abort {} {name}", reason.code()));
                Answer::Done
            }
            Question::AddTags(run) => self.tell_run("tag", run),
            Question::RemoveTags(run) => self.tell_run("untag", run),
            Question::Release(run) => {
                self.running.remove(&run);
                Answer::Done
            }
            Question::Tell(event) => {
                self.tell(event);
                Answer::Done
            }
            _ => Answer::Done,
        };
        self.core.answer(ticket, answer);
    }

    fn answer_snapshot(&mut self, ticket: Ticket, wish: TargetWish) {
        let key = match wish {
            TargetWish::Focus => self.target,
            TargetWish::Key(TargetKey(key)) => self.target.filter(|target| *target == key),
            TargetWish::Nobody => None,
        };
        let focus = key.map(|key| TargetView {
            key: TargetKey(key),
            distance: self.distance,
            meters: self.distance,
            angle: self.angle,
            health: self.target_health,
            tags: &self.target_tags,
        });
        let (tags, world) = (&self.agent_tags, &self.world_tags);
        let snapshot = Snapshot { seed: None, health: self.health, tags, world, focus };
        self.core.answer_snapshot(ticket, &snapshot);
    }

    fn run_script(&mut self, what: &str, call: &ScriptCall) -> f64 {
        let name = self.lists[&call.list][call.index].id.name().to_owned();
        self.hit(&format!("{what} {name}"));
        let script = self.scripts.get_mut(&(name, call.slot));
        script.map_or(1.0, |script| script(call))
    }

    fn prepare(&mut self, prepare: &Prepare) -> Answer {
        assert_eq!(prepare.list, self.core.list_version());
        let (_, plan) = self.core.listed().nth(prepare.index).unwrap();
        let name = plan.id.name().to_owned();
        self.running.insert(prepare.run, (name.clone(), 0));
        self.hit(&format!("can {name}"));
        let target = match prepare.target {
            TargetWish::Focus => self.target.map(TargetKey),
            TargetWish::Key(key) => Some(key),
            TargetWish::Nobody => None,
        };
        Answer::Prepared { ok: self.method(&name).can_begin, target }
    }

    fn begin(&mut self, run: RunId) -> Answer {
        let name = self.name_of(run);
        self.hit(&format!("begin {name}"));
        let method = self.method(&name).clone();
        if method.ticks == Some(0) {
            self.finish_run(run, method.succeeds);
        }
        Answer::Begun { ok: method.begins, timeout: method.timeout, instant: method.instant, ticks: true }
    }

    fn tick(&mut self, run: RunId) -> Answer {
        let name = self.name_of(run);
        let ticks = self.running.get_mut(&run).map_or(0, |row| {
            row.1 += 1;
            row.1
        });
        self.hit(&format!("tick {name}"));
        let method = self.method(&name).clone();
        if method.ticks.is_some_and(|wanted| ticks >= wanted) {
            self.finish_run(run, method.succeeds);
        }
        Answer::Done
    }

    fn finish_run(&mut self, run: RunId, success: bool) {
        let reason = if success { EndReason::Completed } else { EndReason::Failed };
        self.core.record_result(run, reason);
    }

    fn tell_run(&mut self, what: &str, run: RunId) -> Answer {
        let name = self.name_of(run);
        self.hit(&format!("{what} {name}"));
        Answer::Done
    }

    fn name_of(&self, run: RunId) -> String {
        self.running.get(&run).map_or_else(|| format!("?{run}"), |row| row.0.clone())
    }

    fn tell(&mut self, event: Event) {
        let core = &self.core;
        let name = |action| core.name(action).to_owned();
        let line = match event {
            Event::CooldownStarted(action, seconds) => format!("cool {} {seconds:.4}", name(action)),
            Event::CooldownExpired(action) => format!("ready {}", name(action)),
            Event::Started(action, _, run) => {
                self.lives.push((run, true));
                format!("start {}", name(action))
            }
            Event::Ended(action, reason, run) => {
                self.lives.push((run, false));
                format!("end {} {}", name(action), reason.code())
            }
            Event::StartRefused(action, refusal, _) => {
                format!("refuse {} {}", action.map_or(String::new(), name), refusal.code())
            }
            Event::NoValidAction => "none".to_owned(),
            Event::SetChanged => "set".to_owned(),
            Event::DecisionMade => "decided".to_owned(),
            Event::BadFactor { .. } => {
                self.warnings += 1;
                return;
            }
            _ => return,
        };
        self.hit(&line);
    }

    /// Something happened: it is written down, and user code may react.
    fn hit(&mut self, line: &str) {
        self.log.push(line.to_owned());
        let mut acts = self.acts.get(line).cloned().unwrap_or_default();
        if self.once && !acts.is_empty() {
            acts = vec![self.acts.get_mut(line).unwrap().remove(0)];
        }
        for act in acts {
            self.perform_act(&act);
        }
    }

    fn perform_act(&mut self, act: &Act) {
        match act {
            Act::Abort(reason) => {
                let done = self.abort(*reason);
                self.log.push(format!("aborted {done}"));
            }
            Act::Execute(id) => {
                let run = self.execute(id);
                self.log.push(format!("got {run}"));
            }
            Act::EvaluateNow => {
                let done = self.evaluate();
                self.log.push(format!("evaluated {done}"));
            }
            Act::Preview => {
                let decision = self.preview();
                self.previews.push(decision);
            }
            Act::Finish(success) => {
                let run = self.running.keys().next_back().copied();
                self.finish_run(run.unwrap_or(0), *success);
            }
            Act::Stop => self.call(Evaluator::stop),
            Act::Teardown => self.call(Evaluator::teardown),
            Act::Multiply(id, factor) => {
                let action = self.find(id);
                self.core.set_multiplier(action, Some(*factor));
            }
            Act::Unlist => self.list([]),
        }
    }
}

#[track_caller]
pub fn near(got: f64, want: f64) {
    assert!((got - want).abs() < 1e-6, "got {got}, want {want}");
}
