//! What the machine asks of the adapter, and what it is told.

use super::{ContextKey, EndReason, HookCall, Refusal, TargetKey};

/// Number of a run: 1, 2, 3 … per evaluator, never reused.
pub type RunId = i64;

/// An action that this evaluator has met, by the order in which it met them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ActionRef(pub u32);

/// Marks a question; an answer with another mark is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(pub(super) u64);

/// Whom an evaluation or a start is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TargetWish {
    /// The focus target, whoever that is now.
    #[default]
    Focus,
    /// This one.
    Key(TargetKey),
    /// Nobody.
    Nobody,
}

/// One call of a script about a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScriptCall {
    /// Version of the action list that `index` counts in.
    pub list: u64,
    /// The action's place in that list.
    pub index: usize,
    /// The script's place in the action's script table; 0 for the evaluator's own script.
    pub slot: usize,
    /// The candidate's target.
    pub target: Option<TargetKey>,
    /// Context seed.
    pub seed: u64,
    /// Action seed.
    pub action_seed: u64,
}

/// What the adapter is asked to make before a start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prepare {
    /// The reserved run id.
    pub run: RunId,
    /// Version of the action list that `index` counts in.
    pub list: u64,
    /// The action's place in that list.
    pub index: usize,
    /// Its target, unless the start came with a context that names one.
    pub target: TargetWish,
    /// Names the context that the start came with, if the adapter holds one: the run id of a forced start, the key of an event.
    pub context: ContextKey,
}

/// Something that happened; told in order.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// A cooldown of this many seconds began.
    CooldownStarted(ActionRef, f64),
    /// A cooldown ended.
    CooldownExpired(ActionRef),
    /// The agent rests for this many seconds.
    RecoveryStarted(f64),
    /// It is rested.
    RecoveryEnded,
    /// A run began.
    Started(ActionRef, Option<TargetKey>, RunId),
    /// A run goes on with another target.
    Retargeted(ActionRef, Option<TargetKey>, RunId),
    /// A run ended.
    Ended(ActionRef, EndReason, RunId),
    /// A start did not happen. Without an action the name is the one that was asked for.
    StartRefused(Option<ActionRef>, Refusal, RunId),
    /// Nothing can be done, after something could.
    NoValidAction,
    /// The list of actions is another one.
    SetChanged,
    /// A reaction was chosen and waits for this many seconds.
    Pending(ActionRef, f64),
    /// A reaction completed: the agent's actions rest for this many seconds more.
    RecoveryAdded(f64),
    /// Nothing came of an event, or of the reaction that waited; the key of its context.
    EventRefused(ContextKey),
    /// A decision was recorded.
    DecisionMade,
    /// A script gave a number that is no factor or score. Told once per action and script.
    BadFactor {
        /// The action.
        action: ActionRef,
        /// Index into its scorers; `None`: the evaluator's own script, which changes scores.
        scorer: Option<u32>,
        /// What it returned.
        value: f64,
    },
}

/// What the machine needs to go on. Nothing is held while the adapter finds the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Question {
    /// The world as it is now, for this target (without it if it is gone). Answered by [`super::Evaluator::answer_snapshot`].
    Snapshot(TargetWish),
    /// Does the agent see this target: [`Answer::Bool`]. Asked at most once per target and evaluation.
    Sight(TargetKey),
    /// The evaluator's own script adds to what scripts see of this target in the evaluation with this context seed:
    /// [`Answer::Done`]. Asked once per evaluation and target, before gates and scorers of scripts.
    BuildContext(Option<TargetKey>, u64),
    /// A scripted gate: [`Answer::Bool`], true passes.
    Gate(ScriptCall),
    /// The evaluator's own script may veto a candidate that passed all gates: [`Answer::Bool`], true passes.
    MayExecute(ScriptCall),
    /// A scripted scorer: [`Answer::Number`].
    Score(ScriptCall),
    /// The evaluator's own script may change a score above zero: [`Answer::Number`].
    Modify(ScriptCall, f64),
    /// Resources changed: give a new list ([`super::Evaluator::set_list`]), then [`Answer::Done`].
    Refresh,
    /// S1 and S2, context, private duplicate and pre-check: [`Answer::Prepared`].
    Prepare(Prepare),
    /// S3, the combat tokens of the action, all or none: [`Answer::Bool`], true: they were had.
    TakeTokens(RunId),
    /// S4 of a reaction, the agent's action ends with an interruption: [`Answer::Done`].
    InterruptAction(RunId),
    /// S5, the method begins: [`Answer::Begun`].
    Begin(RunId),
    /// A saved run is taken up: context, private duplicate, and the method is asked whether it goes on: [`Answer::Begun`].
    Resume(Prepare),
    /// A hook's call. [`super::HookMoment::Before`]: [`Answer::Bool`], false is a veto. Else [`Answer::Done`].
    Hook(HookCall),
    /// R3, has this run's target been freed or left the tree: [`Answer::Bool`], true: it is gone.
    TargetLost(RunId, TargetKey),
    /// A run goes on with another target, if its combat tokens can be had there: [`Answer::Bool`], true: it does.
    Retarget(RunId, TargetKey),
    /// R5, the method's step: [`Answer::Done`].
    Tick(RunId, f64),
    /// The method undoes what it began: [`Answer::Done`].
    Abort(RunId, EndReason),
    /// Attributes that numbers of this action follow are to be read again ([`super::Evaluator::set_number`]), then
    /// [`Answer::Done`].
    Numbers(ActionRef),
    /// S8, the action's tags go on the agent: [`Answer::Done`].
    AddTags(RunId),
    /// E3, they go off again: [`Answer::Done`].
    RemoveTags(RunId),
    /// E4, the combat tokens that the run took are free again: [`Answer::Done`]. A start that fails says only
    /// [`Question::Release`].
    ReleaseTokens(RunId),
    /// E7, the private duplicate and the context are not needed any more: [`Answer::Done`].
    Release(RunId),
    /// Tell it to whoever listens: [`Answer::Done`].
    Tell(Event),
}

/// The adapter's answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer {
    /// It was performed.
    Done,
    /// Yes or no.
    Bool(bool),
    /// A number.
    Number(f64),
    /// The pre-check's result and the target that the run starts with.
    Prepared {
        /// The pre-check passed.
        ok: bool,
        /// Given, chosen or focus target.
        target: Option<TargetKey>,
    },
    /// How the method began.
    Begun {
        /// False: a failed start.
        ok: bool,
        /// Its time-out in seconds; 0, negative or not finite: the settings' hard time-out.
        timeout: f64,
        /// It is over already: the run completes in the step of its start.
        instant: bool,
        /// It wants a call in every step.
        ticks: bool,
    },
}
