//! What every listed action is like now, for whoever shows it: an editor, a panel in the game.

use std::sync::Arc;

use super::{ActionRef, DecisionRow, Evaluator, Refusal};

/// One listed action.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionOverview {
    /// Its name.
    pub action: Arc<str>,
    /// It runs.
    pub running: bool,
    /// Seconds left of its cooldown; 0 when free.
    pub cooldown_left: f64,
    /// All of that cooldown; 0 when free.
    pub cooldown_length: f64,
    /// Uses in a row, as far as time has not cleared them.
    pub uses: u32,
    /// Its best candidate in the last evaluation, if it was in that one's list.
    pub row: Option<DecisionRow>,
}

impl Evaluator {
    /// All listed actions in order. A pure read.
    pub fn overview(&self) -> Vec<ActionOverview> {
        let rows = self.last_rows();
        let running = self.running().map(super::Run::action);
        let listed = self.list.entries.iter();
        listed.map(|entry| self.overview_of(entry.action, running == Some(entry.action), &rows)).collect()
    }

    fn overview_of(&self, action: ActionRef, running: bool, rows: &[DecisionRow]) -> ActionOverview {
        let name = self.memory.record(action).id.shared_name();
        let own = rows.iter().filter(|row| row.action == name);
        ActionOverview {
            running,
            cooldown_left: self.memory.cooldown_left(action),
            cooldown_length: self.memory.cooldown_length(action),
            uses: self.memory.repeats(action, &self.settings),
            row: own.reduce(better).cloned(),
            action: name,
        }
    }
}

/// The candidate that tells more of an action: what won or runs, then the best score, then the first.
fn better<'a>(a: &'a DecisionRow, b: &'a DecisionRow) -> &'a DecisionRow {
    let rank = |row: &DecisionRow| {
        let stands = matches!(row.refusal, Refusal::None | Refusal::Outscored);
        (row.won, row.hold.is_some(), stands)
    };
    match rank(b).cmp(&rank(a)).then(b.score.total_cmp(&a.score)) {
        std::cmp::Ordering::Greater => b,
        _ => a,
    }
}
