//! Drives the machine as an engine would: performs hooks and signals, writes them down, and misbehaves where told.

mod performing;

use std::collections::{BTreeMap, BTreeSet};

use riposte_core::command::{
    self, Commands, Info, NewOrder, OrderData, OrderPlan, Outcome, Readings, Reason, Receipt, RunResult,
    SavedCommands, Settings,
};

use super::fuzz::Fuzz;
use super::notation::{Endless, Entry, Lost, Order, Report};
use super::trace::Event;

/// What an order carries here.
#[derive(Clone, Debug, PartialEq)]
pub struct Card {
    pub definition: usize,
    /// A letter and how often a node of it was made.
    pub target: Option<(char, u32)>,
    pub source: String,
}

impl OrderData for Card {
    type Source = String;

    fn same_request(&self, other: &Self) -> bool {
        self.definition == other.definition && self.target == other.target
    }

    fn source(&self) -> &String {
        &self.source
    }

    fn has_targets(&self) -> bool {
        self.target.is_some()
    }
}

/// One agent with its orders.
#[derive(Clone)]
pub struct Stage {
    pub machine: Commands<Card>,
    pub settings: Settings,
    pub definitions: Vec<Order>,
    /// Generation and life of each target.
    pub targets: BTreeMap<char, (u32, bool)>,
    /// Where `find another target` looks.
    pub spare: Option<char>,
    /// Definitions whose waiting orders are no longer legal.
    pub illegal: BTreeSet<usize>,
    /// The start whose watched node is gone.
    pub orphan: u64,
    pub events: Vec<Event>,
    /// The log in the notation of the examples, since it was last taken.
    pub words: Vec<String>,
    /// Word, or its beginning up to a comma, and the step that is made there once.
    pub reactions: Vec<(String, super::notation::Step)>,
    pub fuzz: Option<Fuzz>,
    /// Tags on the agent, by start.
    pub tags: BTreeSet<u64>,
    pub last_execution: u64,
    /// Definition of each order.
    pub made: BTreeMap<u64, usize>,
    /// Results that were told.
    pub results: BTreeMap<u64, (char, String)>,
    /// Most start hooks in one turn.
    pub most_starts: u32,
    pub depth: usize,
    pub deepest: usize,
    pub broken: Vec<String>,
    starts: u32,
    labels: BTreeMap<u64, String>,
    counts: BTreeMap<String, u32>,
}

impl Stage {
    pub fn new() -> Self {
        let settings = Settings::default();
        Self {
            machine: Commands::new(settings),
            settings,
            definitions: Vec::new(),
            targets: BTreeMap::new(),
            spare: None,
            illegal: BTreeSet::new(),
            orphan: 0,
            events: Vec::new(),
            words: Vec::new(),
            reactions: Vec::new(),
            fuzz: None,
            tags: BTreeSet::new(),
            last_execution: 0,
            made: BTreeMap::new(),
            results: BTreeMap::new(),
            most_starts: 0,
            depth: 0,
            deepest: 0,
            broken: Vec::new(),
            starts: 0,
            labels: BTreeMap::new(),
            counts: BTreeMap::new(),
        }
    }

    /// The definition of this name, made of these marks at first mention.
    pub fn definition(&mut self, order: &Order) -> usize {
        if let Some(known) = self.definitions.iter().position(|known| known.name == order.name) {
            return known;
        }
        if let Some(target) = order.target {
            self.targets.entry(target).or_insert((1, true));
        }
        self.definitions.push(order.clone());
        self.definitions.len() - 1
    }

    pub fn card(&self, definition: usize, source: &str) -> Card {
        let target = self.definitions[definition].target;
        let target = target.map(|letter| (letter, self.targets[&letter].0));
        Card { definition, target, source: source.to_owned() }
    }

    pub fn new_order(&self, definition: usize, source: &str) -> NewOrder<Card> {
        NewOrder { plan: plan(&self.definitions[definition]), data: self.card(definition, source) }
    }

    /// A request, checked as far as it matters here.
    pub fn submit(&mut self, entry: Entry, definition: usize, source: &str) -> Receipt {
        let refused = self.refusal(definition);
        let new = self.new_order(definition, source);
        let receipt = match refused {
            Some(reason) if self.machine.is_enabled() && self.machine.is_inside() => {
                Receipt::rejected(reason)
            }
            _ => self.machine.submit(entry_of(entry), new),
        };
        self.note(&receipt, definition);
        self.run_turn();
        let receipt = self.machine.settle(receipt);
        self.accepted(&receipt);
        receipt
    }

    /// Several at once, in the place of everything.
    pub fn replace(&mut self, definitions: &[usize]) -> Vec<Receipt> {
        if definitions.iter().any(|&definition| self.refusal(definition).is_some()) {
            return Vec::new();
        }
        let news = definitions.iter().map(|&definition| self.new_order(definition, "")).collect();
        let receipts = self.machine.replace(news);
        for (receipt, &definition) in receipts.iter().zip(definitions) {
            self.note(receipt, definition);
        }
        self.run_turn();
        let receipts: Vec<Receipt> =
            receipts.into_iter().map(|receipt| self.machine.settle(receipt)).collect();
        for receipt in &receipts {
            self.accepted(receipt);
        }
        receipts
    }

    /// A control.
    pub fn control(&mut self, call: impl FnOnce(&mut Commands<Card>) -> Receipt) -> Receipt {
        let receipt = call(&mut self.machine);
        self.run_turn();
        self.machine.settle(receipt)
    }

    /// A start tells its end.
    pub fn report(&mut self, execution: u64, report: Report, reason: &str) -> bool {
        let result = match report {
            Report::Succeeded => RunResult::Succeeded,
            Report::Failed => RunResult::Failed,
            Report::Cancelled => RunResult::Cancelled,
        };
        let believed = self.machine.report(execution, result, Reason::named(reason));
        self.events.push(Event::Reported { execution, believed });
        self.run_turn();
        believed
    }

    pub fn set_cancelable(&mut self, cancelable: bool) -> bool {
        let done = self.machine.set_cancelable(self.last_execution, cancelable);
        self.run_turn();
        done
    }

    /// False from inside a turn.
    pub fn tick(&mut self, seconds: f64) -> bool {
        let lost =
            self.machine.current().and_then(|key| self.machine.data(key)).is_some_and(|card| self.lost(card));
        let watched_gone = self.machine.is_living(self.orphan);
        let readings = Readings { watched_gone, targets_lost: lost };
        if readings == Readings::default() && self.tick_steadily(seconds) {
            return true;
        }
        let done = self.machine.tick(seconds, readings);
        if done && watched_gone {
            self.events.push(Event::Reported { execution: self.orphan, believed: true });
        }
        self.run_turn();
        done
    }

    /// Moves only the clock, if that is all that a tick would do; which is compared.
    fn tick_steadily(&mut self, seconds: f64) -> bool {
        let Some(mut steady) = self.machine.steady() else { return false };
        if !steady.pass(seconds) {
            return false;
        }
        let mut slow = self.machine.clone();
        let quiet =
            slow.tick(seconds, Readings::default()) && slow.begin_turn() && slow.next_effect().is_none();
        self.machine.catch_up(steady);
        let same = |fast: &Commands<Card>| {
            let current = fast.current();
            fast.export(Card::clone) == slow.export(Card::clone)
                && current.and_then(|key| fast.info(key)) == current.and_then(|key| slow.info(key))
                && (fast.now(), fast.steady()) == (slow.now(), slow.steady())
        };
        if !quiet || !same(&self.machine) {
            self.broken.push(format!("a tick of {seconds} s did more than move the clock"));
        }
        true
    }

    pub fn enable(&mut self, enabled: bool) {
        self.machine.set_enabled(enabled);
        self.run_turn();
    }

    pub fn leave(&mut self, ends: bool) {
        self.machine.leave_tree(ends);
        self.pump();
        if ends {
            self.events.push(Event::Left);
        }
    }

    pub fn enter(&mut self) {
        self.machine.enter_tree();
        self.run_turn();
    }

    /// The state, as it would be saved.
    pub fn export(&self) -> SavedCommands<Card> {
        self.machine.export(Card::clone)
    }

    pub fn import(&mut self, saved: SavedCommands<Card>) {
        let plans: Vec<OrderPlan> = self.definitions.iter().map(plan).collect();
        self.machine.import(saved.map(|data| Some(NewOrder { plan: plans[data.definition], data })));
        self.run_turn();
    }

    /// Another agent that knows the same orders and targets, and has none.
    pub fn fresh(&self) -> Self {
        Self {
            machine: Commands::new(self.settings),
            tags: BTreeSet::new(),
            events: Vec::new(),
            words: Vec::new(),
            ..self.clone()
        }
    }

    pub fn free_target(&mut self, letter: char) {
        self.targets.entry(letter).or_insert((1, true)).1 = false;
    }

    pub fn new_target(&mut self, letter: char) {
        let target = self.targets.entry(letter).or_insert((1, true));
        if !target.1 {
            *target = (target.0 + 1, true);
        }
    }

    /// Orders that are current or wait.
    pub fn living(&self) -> Vec<u64> {
        self.machine.current().into_iter().chain(self.machine.queue()).map(|key| key.id).collect()
    }

    /// `A[B*,Q]`.
    pub fn state(&mut self) -> String {
        let current = self.machine.current().map(|key| key.id);
        let waiting: Vec<(u64, bool)> = self
            .machine
            .queue()
            .map(|key| (key.id, self.machine.info(key).is_some_and(|info| info.suspended)))
            .collect();
        let names: Vec<String> = waiting
            .into_iter()
            .map(|(id, suspended)| self.label(id) + if suspended { "*" } else { "" })
            .collect();
        format!("{}[{}]", self.name(current), names.join(","))
    }

    /// Everything that a call without effect must leave alone.
    pub fn snapshot(&self) -> String {
        let queue: Vec<Option<Info>> = self.machine.queue().map(|key| self.machine.info(key)).collect();
        let current = self.machine.current().map(|key| self.machine.info(key));
        format!("{:?} {current:?} {queue:?} {:?}", self.machine.phase(), self.machine.last_result())
    }

    pub fn label(&mut self, id: u64) -> String {
        if let Some(known) = self.labels.get(&id) {
            return known.clone();
        }
        let Some(&definition) = self.made.get(&id) else { return format!("?{id}") };
        let name = self.definitions[definition].name.clone();
        let count = self.counts.entry(name.clone()).or_default();
        *count += 1;
        let label = if *count == 1 { name } else { format!("{name}{count}") };
        self.labels.insert(id, label.clone());
        label
    }

    pub fn id_of(&self, label: &str) -> Option<u64> {
        self.labels.iter().find(|(_, known)| *known == label).map(|(&id, _)| id)
    }

    fn name(&mut self, id: Option<u64>) -> String {
        id.map_or("-".to_owned(), |id| self.label(id))
    }

    /// Why an order of this definition cannot come in now.
    pub fn refusal(&self, definition: usize) -> Option<Reason> {
        if self.lost(&self.card(definition, "")) {
            return Some(Reason::TargetLost);
        }
        self.illegal.contains(&definition).then_some(Reason::AgentMissingTag)
    }

    fn lost(&self, card: &Card) -> bool {
        card.target.is_some_and(|(letter, generation)| self.targets[&letter] != (generation, true))
    }

    fn note(&mut self, receipt: &Receipt, definition: usize) {
        if receipt.is_accepted() {
            self.made.insert(receipt.command, definition);
            self.label(receipt.command);
        }
    }

    fn accepted(&mut self, receipt: &Receipt) {
        if receipt.is_accepted() {
            self.events.push(Event::Accepted(receipt.command));
        }
    }

    fn run_turn(&mut self) {
        if self.machine.begin_turn() {
            self.starts = 0;
            self.pump();
        }
    }
}

pub fn entry_of(entry: Entry) -> command::Entry {
    match entry {
        Entry::Issue => command::Entry::Issue,
        Entry::Enqueue => command::Entry::Enqueue,
        Entry::Next => command::Entry::InsertNext,
        Entry::Interrupt => command::Entry::Interrupt,
    }
}

/// `QUEUED/in_queue`.
pub fn answer_of(receipt: &Receipt) -> String {
    let outcome = match receipt.outcome {
        Outcome::Rejected => "REJECTED",
        Outcome::NoChange => "NO_CHANGE",
        Outcome::Queued => "QUEUED",
        Outcome::Started => "STARTED",
        Outcome::Applied => "APPLIED",
        Outcome::Pending => "PENDING",
    };
    match receipt.reason.name() {
        "" => outcome.to_owned(),
        reason => format!("{outcome}/{reason}"),
    }
}

/// The rules of a definition.
pub fn plan(order: &Order) -> OrderPlan {
    use command::{EndlessPolicy, FailurePolicy, InvalidPolicy, LostPolicy, SameRequest};
    OrderPlan {
        time_limit: order.time_limit,
        retry_delay: order.retry_delay,
        retry_count: order.retries,
        cancelable: !order.fixed,
        cancelled_counts_as_success: order.cancelled_is_success,
        endless: order.endless.is_some(),
        tells_left: true,
        failure: if order.failure_goes_on { FailurePolicy::Continue } else { FailurePolicy::Clear },
        endless_policy: match order.endless {
            Some(Endless::Wait) => EndlessPolicy::Wait,
            Some(Endless::Reject) => EndlessPolicy::Reject,
            _ => EndlessPolicy::End,
        },
        lost: match order.lost {
            None | Some(Lost::Fail) => LostPolicy::Fail,
            Some(Lost::Continue) => LostPolicy::Continue,
            Some(Lost::Succeed) => LostPolicy::Succeed,
            Some(Lost::Retarget) => LostPolicy::Retarget,
        },
        invalid: if order.invalid_fails { InvalidPolicy::Fail } else { InvalidPolicy::Skip },
        same: if order.restarts { SameRequest::Restart } else { SameRequest::Keep },
        ..OrderPlan::default()
    }
}
