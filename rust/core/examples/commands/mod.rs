//! Agents with orders whose executions do nothing.

use riposte_core::command::{
    Answer, Commands, Effect, Entry, NewOrder, OrderData, OrderPlan, RunResult, Settings,
};
use std::hint::black_box;

/// What an order carries here.
#[derive(Clone, Debug)]
pub struct Card(u64);

impl OrderData for Card {
    type Source = u64;

    fn same_request(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn source(&self) -> &u64 {
        &0
    }

    fn has_targets(&self) -> bool {
        false
    }
}

/// Many agents.
pub struct Field {
    agents: Vec<Commands<Card>>,
    cards: u64,
    /// Somebody looks at what each signal tells.
    pub listens: bool,
    /// Effects that were performed.
    pub told: u64,
    /// Starts that ended with a success.
    pub done: u64,
}

impl Field {
    /// Agents with one running order and that many waiting.
    pub fn new(agents: usize, depth: usize) -> Self {
        let settings = Settings { max_queue_length: 1024, ..Settings::default() };
        let agents = (0..agents).map(|_| Commands::new(settings)).collect();
        let mut field = Self { agents, cards: 0, listens: false, told: 0, done: 0 };
        field.enqueue(1 + depth);
        field
    }

    /// Each current order succeeds, and a new one comes in at the end.
    pub fn step(&mut self) {
        for at in 0..self.agents.len() {
            let agent = &mut self.agents[at];
            let execution = agent.execution();
            self.done += u64::from(agent.report(execution, RunResult::Succeeded, Default::default()));
            self.told += pump(agent, self.listens);
            self.submit(at, Entry::Enqueue);
        }
    }

    /// So many new orders for each.
    pub fn enqueue(&mut self, count: usize) {
        for at in 0..self.agents.len() {
            for _ in 0..count {
                self.submit(at, Entry::Enqueue);
            }
        }
    }

    /// A new order in the place of everything.
    pub fn issue(&mut self) {
        for at in 0..self.agents.len() {
            self.submit(at, Entry::Issue);
        }
    }

    /// Orders that wait.
    pub fn waiting(&self) -> usize {
        self.agents.iter().map(Commands::queue_length).sum()
    }

    fn submit(&mut self, at: usize, entry: Entry) {
        self.cards += 1;
        let agent = &mut self.agents[at];
        let receipt = agent.submit(entry, NewOrder { plan: OrderPlan::default(), data: Card(self.cards) });
        self.told += pump(agent, self.listens);
        black_box(agent.settle(receipt));
    }
}

/// Performs a turn; executions stop as soon as they are asked to.
fn pump(agent: &mut Commands<Card>, listens: bool) -> u64 {
    let mut told = 0;
    if !agent.begin_turn() {
        return 0;
    }
    while let Some(step) = agent.next_step() {
        told += 1;
        if listens {
            black_box(agent.with_info(step.clone()));
        }
        match black_box(&step) {
            Effect::Validate(ticket, _) => agent.answer(*ticket, Answer::Legal),
            Effect::Cancel { execution, .. } => {
                agent.report(*execution, RunResult::Cancelled, Default::default());
            }
            _ => {}
        }
    }
    told
}
