//! Hooks around runs: user code that is called before, during and after an action.

use super::{EndReason, Evaluator, Question, RunId};

/// Whose hook it is; the global one comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookSlot {
    /// Of all actions of the agent.
    Global = 0,
    /// Of the action.
    Own = 1,
}

/// When a hook is called.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HookMoment {
    /// The method began, nothing is committed: the hook may veto.
    Before,
    /// A step of so many seconds.
    Tick(f64),
    /// The run ends.
    After {
        /// Why.
        reason: EndReason,
        /// The agent leaves the tree.
        tearing_down: bool,
    },
}

/// One call of a hook.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HookCall {
    /// The run.
    pub run: RunId,
    /// Which hook.
    pub slot: HookSlot,
    /// Which of its calls.
    pub moment: HookMoment,
}

/// The calls that a hook wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HookCalls {
    /// [`HookMoment::Before`].
    pub before: bool,
    /// [`HookMoment::Tick`].
    pub tick: bool,
    /// [`HookMoment::After`].
    pub after: bool,
}

/// The hooks of one run, by [`HookSlot`].
pub type RunHooks = [HookCalls; 2];

/// The first slot from `from` on that wants a call.
fn next(hooks: &RunHooks, from: usize, wants: impl Fn(&HookCalls) -> bool) -> Option<HookSlot> {
    let slots = [HookSlot::Global, HookSlot::Own];
    slots.into_iter().skip(from).find(|slot| wants(&hooks[*slot as usize]))
}

impl HookMoment {
    /// The next call of this moment; `from` is then the place behind it.
    pub(super) fn next_call(self, run: RunId, hooks: &RunHooks, from: &mut usize) -> Option<Question> {
        let slot = next(hooks, *from, |calls| match self {
            Self::Before => calls.before,
            Self::Tick(_) => calls.tick,
            Self::After { .. } => calls.after,
        });
        *from = slot.map_or(hooks.len(), |slot| slot as usize + 1);
        slot.map(|slot| Question::Hook(HookCall { run, slot, moment: self }))
    }
}

impl Evaluator {
    /// The hooks of a run that begins; to be called while [`Question::Prepare`] or [`Question::Resume`] is answered. Without it a run has none.
    pub fn set_hooks(&mut self, run: RunId, hooks: RunHooks) {
        if let Some(starting) = self.starting.as_mut().filter(|starting| starting.id() == run) {
            starting.hooks = hooks;
        }
    }
}
