use std::cell::{Cell, RefCell};
use std::rc::Rc;

use godot::prelude::*;
use riposte_core::action::EndReason;
use riposte_core::command::RunResult;
use riposte_core::graph::MoveEnd;

use super::{ActionGraphPlayer, ActionRun, driver};
use crate::action::resource_class::{Slot, SpecChecks, resource_class};
use crate::base::lookup::{self, Part};
use crate::base::numbers::Checked;
use crate::base::tags::{self, TagList};
use crate::command::builtin::BuiltinExecution;
use crate::command::listener::{self, Hearing};
use crate::command::{CommandHandle, CommandRequest};
use crate::optional::Optional;

resource_class! {
    /// Carries an order out by inputs to the agent's [ActionGraphPlayer], as a player at the buttons would give them.
    ///
    /// The order succeeds when the move of the last input has started and, with [member wait_for_root], the agent is back at
    /// Root. It fails when an input is dropped or blocked, or its move does not start ([code]input_refused[/code]). It is
    /// cancelled when something cuts the sequence or its last move ([code]graph_interrupted[/code]). Cancelling the order
    /// cancels the inputs that are still to come, and cuts the move that they started.
    class GraphInputExecution;
    properties {
        /// Tags of inputs, in this order; each is a press.
        #[export]
        inputs: TagList = (TagList::default()) slot get_inputs, set_inputs(PackedStringArray);
        /// When each input after the first is given: SEQUENCE_CHAIN, the default, inside the move of the one before;
        /// SEQUENCE_DISCRETE when the agent is at Root.
        #[export(enum = (Chain = 0, Discrete = 1))]
        mode: i64 = (Self::SEQUENCE_CHAIN) => set_mode(constant, 0, 1);
        /// On, the default: the order lasts until the agent is back at Root. Off: until the last move has started.
        #[export]
        wait_for_root: bool = true => set_wait_for_root(any);
    }
    items {
        /// Each input is given when the move of the one before starts, so that it waits inside that move.
        #[constant]
        const SEQUENCE_CHAIN: i64 = 0;
        /// Each input is given when the agent is at Root.
        #[constant]
        const SEQUENCE_DISCRETE: i64 = 1;
    }
}

const SEQUENCE_ENDED: &str = "sequence_ended";
const STARTED: &str = "action_started";
const ENDED: &str = "action_ended";
const RESET: &str = "graph_reset";

/// Who hears what, for a start.
const HEARD: [(&str, Hearing); 4] =
    [(SEQUENCE_ENDED, hear_sequence), (STARTED, hear_start), (ENDED, hear_end), (RESET, hear_reset)];

/// How far a start has come.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    /// Inputs are still given.
    Inputs,
    /// The last move runs.
    LastMove,
    /// What follows the last move runs.
    After,
    /// It is over.
    Over,
}

/// What a start does with the player.
struct Use {
    player: InstanceId,
    inputs: TagList,
    waits: bool,
    phase: Cell<Phase>,
    /// 0 until it is known.
    sequence: Cell<i64>,
    /// Sequences that ended before the player said which one is ours.
    early: RefCell<Vec<(i64, i64)>>,
    /// The run that one of the inputs started last; 0: none.
    run: Cell<i64>,
}

impl Use {
    fn node(&self) -> Option<Gd<ActionGraphPlayer>> {
        Gd::try_from_instance_id(self.player).ok()
    }

    fn has(&self, tag: &StringName) -> bool {
        tags::intern(&tag.to_string()).is_ok_and(|tag| self.inputs.ids().contains(&tag))
    }

    /// Stops what this start began.
    fn stop(&self) {
        let phase = self.phase.replace(Phase::Over);
        let Some(node) = self.node().filter(|_| phase != Phase::Over) else { return };
        if phase == Phase::Inputs && self.sequence.get() != 0 {
            ActionGraphPlayer::cancel_input_sequence(node.clone(), self.sequence.get());
        }
        if node.is_instance_valid() && self.run.get() != 0 && driver::run_id(self.player) == self.run.get() {
            ActionGraphPlayer::interrupt_for_external(node, StringName::from("command"));
        }
    }
}

fn player_of(agent: &Gd<Node>) -> Option<Gd<ActionGraphPlayer>> {
    Gd::try_from_instance_id(lookup::part_of(agent.instance_id(), Part::Moves)?).ok()
}

impl BuiltinExecution for Gd<GraphInputExecution> {
    fn is_available(&self, agent: &Gd<Node>, _request: &dyn Fn() -> Gd<CommandRequest>) -> StringName {
        if !self.bind().inputs.ids().is_empty() && player_of(agent).is_some() {
            return StringName::default();
        }
        StringName::from("execution_unavailable")
    }

    fn start(&self, handle: &Gd<CommandHandle>) {
        let agent = handle.bind().get_agent();
        let Some(player) = agent.and_then(|agent| player_of(&agent)) else {
            CommandHandle::report(handle, RunResult::Failed, "execution_unavailable");
            return;
        };
        let (inputs, mode, waits) = {
            let own = self.bind();
            (own.inputs.clone(), own.mode, own.wait_for_root)
        };
        let given: VarArray = inputs.typed().as_slice().iter().map(ToGodot::to_variant).collect();
        let used = Rc::new(Use {
            player: player.instance_id(),
            inputs,
            waits,
            phase: Cell::new(Phase::Inputs),
            sequence: Cell::new(0),
            early: RefCell::default(),
            run: Cell::new(0),
        });
        CommandHandle::keep(handle, used.clone());
        CommandHandle::watch(handle.clone(), Optional(Some(player.clone().upcast())));
        for (signal, hear) in HEARD {
            listener::listen(&player, signal, handle, hear);
        }
        let sequence = ActionGraphPlayer::queue_input_sequence(player, given.upcast_any_array(), mode);
        if sequence == 0 {
            tell(handle, &used, RunResult::Failed, "input_refused");
            return;
        }
        used.sequence.set(sequence);
        let early = used.early.take().into_iter().find(|known| known.0 == sequence);
        if let Some((_, reason)) = early {
            sequence_over(handle, &used, reason);
        }
    }

    fn cancel(&self, handle: &Gd<CommandHandle>) {
        if let Some(used) = CommandHandle::kept::<Use>(handle) {
            used.stop();
        }
        CommandHandle::report(handle, RunResult::Cancelled, "");
    }

    fn left(&self, handle: &Gd<CommandHandle>) {
        let Some(used) = CommandHandle::kept::<Use>(handle) else { return };
        if let Some(node) = used.node() {
            for (signal, _) in HEARD {
                listener::stop(&node, signal, handle);
            }
        }
        used.stop();
    }
}

fn number(arguments: &[&Variant], at: usize) -> Option<i64> {
    arguments.get(at)?.try_to().ok()
}

fn hear_sequence(handle: &Gd<CommandHandle>, arguments: &[&Variant]) {
    let Some(used) = CommandHandle::kept::<Use>(handle) else { return };
    let (Some(sequence), Some(reason)) = (number(arguments, 0), number(arguments, 1)) else { return };
    if used.sequence.get() == 0 {
        used.early.borrow_mut().push((sequence, reason));
    } else if used.sequence.get() == sequence {
        sequence_over(handle, &used, reason);
    }
}

fn sequence_over(handle: &Gd<CommandHandle>, used: &Use, reason: i64) {
    if used.phase.get() != Phase::Inputs {
        return;
    }
    if reason == EndReason::Failed.code() {
        tell(handle, used, RunResult::Failed, "input_refused");
    } else if reason != EndReason::Completed.code() {
        tell_interrupted(handle, used);
    } else if !used.waits || driver::run_id(used.player) == 0 {
        tell(handle, used, RunResult::Succeeded, "");
    } else {
        used.phase.set(Phase::LastMove);
    }
}

/// Remembers the move that one of the inputs started.
fn hear_start(handle: &Gd<CommandHandle>, arguments: &[&Variant]) {
    let Some(used) = CommandHandle::kept::<Use>(handle) else { return };
    let run = arguments.get(1).and_then(|run| run.try_to::<Gd<ActionRun>>().ok());
    if matches!(used.phase.get(), Phase::Inputs | Phase::LastMove)
        && let Some(data) = run.as_ref().and_then(ActionRun::data)
        && used.has(&data.input_tag)
    {
        used.run.set(data.run as i64);
    }
}

fn hear_end(handle: &Gd<CommandHandle>, arguments: &[&Variant]) {
    let Some(used) = CommandHandle::kept::<Use>(handle) else { return };
    if used.phase.get() != Phase::LastMove {
        return;
    }
    used.phase.set(Phase::After);
    let cut = [MoveEnd::Cancelled, MoveEnd::Rejected, MoveEnd::Removed].map(MoveEnd::code);
    if number(arguments, 1).is_some_and(|reason| cut.contains(&reason)) {
        tell_interrupted(handle, &used);
    }
}

fn hear_reset(handle: &Gd<CommandHandle>, _arguments: &[&Variant]) {
    let Some(used) = CommandHandle::kept::<Use>(handle) else { return };
    if matches!(used.phase.get(), Phase::LastMove | Phase::After) {
        tell(handle, &used, RunResult::Succeeded, "");
    }
}

fn tell_interrupted(handle: &Gd<CommandHandle>, used: &Use) {
    if driver::is_in_tree(used.player) {
        tell(handle, used, RunResult::Cancelled, "graph_interrupted");
    } else {
        tell(handle, used, RunResult::Failed, "executor_freed");
    }
}

fn tell(handle: &Gd<CommandHandle>, used: &Use, result: RunResult, reason: &'static str) {
    used.phase.set(Phase::Over);
    CommandHandle::report(handle, result, reason);
}
