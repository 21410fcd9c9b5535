//! Charges of nodes, by name. They outlast the graph.

use std::sync::Arc;

use super::saved::SavedCooldown;
use crate::graph::parts::{CooldownPlan, CooldownStart, Recharge};
use crate::time::TIME_TOLERANCE;

/// The charges of one name.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cooldown {
    pub key: Arc<str>,
    pub seconds: f64,
    pub charges: u32,
    pub all_at_once: bool,
    /// Charges that are missing.
    pub spent: u32,
    /// Of them, those whose time begins with the end of their run.
    pub held: u32,
    /// Player time at which charges come back; `None`: nothing runs.
    pub due: Option<f64>,
}

impl Cooldown {
    fn new(plan: &CooldownPlan) -> Self {
        Self {
            key: plan.key.clone(),
            seconds: plan.seconds.max(0.0),
            charges: plan.charges.max(1),
            all_at_once: plan.recharge == Recharge::AllAtOnce,
            spent: 0,
            held: 0,
            due: None,
        }
    }

    /// A charge is there at this time.
    pub fn left(&self, now: f64) -> u32 {
        let back = match self.due {
            Some(due) if now >= due - TIME_TOLERANCE => self.back(),
            _ => 0,
        };
        self.charges.saturating_sub(self.spent - back)
    }

    /// What comes back when the time is there.
    fn back(&self) -> u32 {
        let running = self.spent - self.held;
        if self.all_at_once { running } else { running.min(1) }
    }

    /// Begins to count, if charges are missing and nothing counts.
    fn start(&mut self, now: f64, seconds: f64) -> Option<f64> {
        if self.due.is_some() || self.spent == self.held {
            return None;
        }
        self.due = Some(now + seconds);
        Some(seconds)
    }
}

/// What happened to the charges of a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Change {
    Started(f64),
    Expired,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Cooldowns {
    pub list: Vec<Cooldown>,
}

impl Cooldowns {
    pub fn find(&self, key: &str) -> Option<&Cooldown> {
        self.list.iter().find(|one| &*one.key == key)
    }

    pub fn find_mut(&mut self, key: &str) -> Option<&mut Cooldown> {
        self.list.iter_mut().find(|one| &*one.key == key)
    }

    /// A graph has these. What counts goes on.
    pub fn know(&mut self, plans: &[CooldownPlan]) {
        for plan in plans {
            let new = Cooldown::new(plan);
            match self.find_mut(&plan.key) {
                Some(known) => {
                    (known.seconds, known.charges, known.all_at_once) =
                        (new.seconds, new.charges, new.all_at_once);
                }
                None => self.list.push(new),
            }
        }
    }

    /// Charges that are there; `None`: no such name.
    pub fn charges(&self, key: &str, now: f64) -> Option<u32> {
        Some(self.find(key)?.left(now))
    }

    /// Seconds until there is a charge.
    pub fn remaining(&self, key: &str, now: f64) -> f64 {
        let Some(one) = self.find(key) else { return 0.0 };
        match one.due {
            Some(due) if one.left(now) == 0 => (due - now).max(0.0),
            _ if one.left(now) == 0 => one.seconds,
            _ => 0.0,
        }
    }

    /// A node is entered: a charge goes. The seconds, if it counts from now.
    pub fn take(&mut self, plan: &CooldownPlan, now: f64) -> Option<f64> {
        let one = self.find_mut(&plan.key)?;
        one.spent = (one.spent + 1).min(one.charges);
        if plan.starts == CooldownStart::OnEnd {
            one.held = (one.held + 1).min(one.spent);
            return None;
        }
        one.start(now, plan.seconds.max(0.0))
    }

    /// The run of a node is over: the seconds, if its charge counts from now.
    pub fn leave(&mut self, plan: &CooldownPlan, now: f64, cut: bool) -> Option<f64> {
        let share = if cut { 1.0 - plan.interrupt_refund.clamp(0.0, 1.0) } else { 1.0 };
        let one = self.find_mut(&plan.key)?;
        if plan.starts == CooldownStart::OnEnd {
            one.held = one.held.saturating_sub(1);
            return one.start(now, plan.seconds.max(0.0) * share);
        }
        if let Some(due) = &mut one.due
            && share < 1.0
        {
            *due = now + (*due - now).max(0.0) * share;
        }
        None
    }

    /// The next player time at which charges come back.
    pub fn next_due(&self) -> f64 {
        self.list.iter().filter_map(|one| one.due).fold(f64::INFINITY, f64::min)
    }

    /// What is due, one by one: charges come back, and the next ones begin to count.
    pub fn take_due(&mut self, now: f64) -> Option<(Arc<str>, Option<f64>)> {
        let one = self.list.iter_mut().find(|one| one.due.is_some_and(|due| now >= due - TIME_TOLERANCE))?;
        let due = one.due.take()?;
        one.spent -= one.back();
        let seconds = one.seconds;
        Some((one.key.clone(), one.start(due, seconds)))
    }

    /// From outside: so many seconds until the next charge, and so many charges now.
    pub fn set(&mut self, key: &str, seconds: f64, charges: i64, now: f64) -> Option<Change> {
        let one = self.find_mut(key)?;
        let left = match charges {
            0.. => u32::try_from(charges).unwrap_or(u32::MAX).min(one.charges),
            _ if seconds > 0.0 => 0,
            _ => one.charges,
        };
        let was = one.due.is_some();
        one.spent = one.charges - left;
        one.held = one.held.min(one.spent);
        one.due = None;
        if one.spent > one.held {
            return one.start(now, seconds).map(Change::Started);
        }
        was.then_some(Change::Expired)
    }

    /// What is not as it was at first.
    pub fn save(&self, now: f64) -> Vec<SavedCooldown> {
        let used = self.list.iter().filter(|one| one.spent > 0);
        used.map(|one| SavedCooldown {
            key: one.key.to_string(),
            spent: one.spent,
            held: one.held,
            left: one.due.map_or(-1.0, |due| (due - now).max(0.0)),
        })
        .collect()
    }

    /// Puts everything back. Names that are not there are left out.
    pub fn restore(&mut self, saved: &[SavedCooldown], now: f64) {
        for one in &mut self.list {
            (one.spent, one.held, one.due) = (0, 0, None);
        }
        for row in saved {
            let Some(one) = self.find_mut(&row.key) else { continue };
            one.spent = row.spent.min(one.charges);
            one.held = row.held.min(one.spent);
            let counts = row.left >= 0.0 && one.spent > one.held;
            one.due = counts.then_some(now + row.left);
        }
    }

    /// All charges are there. True for names whose time was running.
    pub fn reset(&mut self, mut told: impl FnMut(&Arc<str>)) {
        for one in &mut self.list {
            (one.spent, one.held) = (0, 0);
            if one.due.take().is_some() {
                told(&one.key);
            }
        }
    }
}
