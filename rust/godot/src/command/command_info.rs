use godot::prelude::*;
use riposte_core::command::{Phase, RunResult};

use super::CommandDefinition;
use super::constants::api_with_results;
use super::nodes::Nodes;

/// An order as it was at one moment: read-only.
///
/// Get one from a signal of a [CommandSystem], or from [method CommandSystem.get_current_command],
/// [method CommandSystem.get_command_queue] and the like.
#[derive(GodotClass)]
#[class(init, tool, base = RefCounted)]
pub struct CommandInfo {
    /// The order, from its acceptance to its end.
    #[var(no_set)]
    command_id: i64,
    /// The start of it that runs, or ran last; 0 before the first one.
    #[var(no_set)]
    execution_id: i64,
    /// What was ordered. Null on a peer that does not know it.
    #[var(no_set)]
    definition: Option<Gd<CommandDefinition>>,
    /// The name of the order, see [member CommandDefinition.id].
    #[var(no_set)]
    command_name: StringName,
    /// The index of the form; 0 for an order without variants.
    #[var(no_set)]
    variant: i64,
    /// The first target that is still there; null without one.
    #[var(get = get_target, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    target: PhantomVar<Option<Gd<Node>>>,
    /// The targets that are still there.
    #[var(get = get_targets, no_set)]
    #[allow(dead_code, reason = "the getter answers")]
    targets: PhantomVar<Nodes>,
    /// The place, a [Vector3] or [Vector2]; null without one.
    #[var(no_set)]
    location: Variant,
    /// The direction, of length 1, a [Vector3] or [Vector2]; null without one.
    #[var(no_set)]
    direction: Variant,
    /// What was sent along with the order. Read-only.
    #[var(no_set)]
    payload: VarDictionary,
    /// Who asked for it.
    #[var(no_set)]
    source: StringName,
    /// What the order did, one of the `PHASE_*` constants; PHASE_IDLE if it waited or had ended.
    #[var(no_set)]
    phase: i64,
    /// True if it waited to go on after an interruption.
    #[var(no_set)]
    is_suspended: bool,
    /// True if requests could stop it.
    #[var(no_set)]
    is_cancelable: bool,
    /// How often it was started.
    #[var(no_set)]
    attempt: i64,
    /// Seconds since the start that runs, in the time of the [CommandSystem]. Stands still while nothing makes that node tick.
    #[var(no_set)]
    age: f64,
    /// How it ended, one of the `RESULT_*` constants; RESULT_NONE if it had not.
    #[var(no_set)]
    result: i64,
    /// Why it ended so.
    #[var(no_set)]
    reason: StringName,
    ids: Vec<InstanceId>,
    #[allow(dead_code, reason = "the class needs it")]
    base: Base<RefCounted>,
}

api_with_results! {
CommandInfo {
    /// It waits, or has ended.
    #[constant]
    const PHASE_IDLE: i64 = Phase::Idle as i64;
    /// Its execution runs.
    #[constant]
    const PHASE_RUNNING: i64 = Phase::Running as i64;
    /// Its execution was asked to stop and has not answered yet.
    #[constant]
    const PHASE_CANCELLING: i64 = Phase::Cancelling as i64;
    /// It failed and is about to be tried again.
    #[constant]
    const PHASE_RETRY_WAIT: i64 = Phase::RetryWait as i64;
    /// No order is current; the next one is about to start.
    #[constant]
    const PHASE_HANDOVER: i64 = Phase::Handover as i64;

    #[func]
    fn get_target(&self) -> Option<Gd<Node>> {
        self.ids.iter().find_map(|id| Gd::try_from_instance_id(*id).ok())
    }

    #[func]
    fn get_targets(&self) -> Nodes {
        Nodes::living(&self.ids)
    }
}
}

/// What an info tells.
pub(crate) struct InfoData {
    pub command_id: i64,
    pub execution_id: i64,
    pub definition: Option<Gd<CommandDefinition>>,
    pub command_name: StringName,
    pub variant: i64,
    pub targets: Vec<InstanceId>,
    pub location: Variant,
    pub direction: Variant,
    pub payload: VarDictionary,
    pub source: StringName,
    pub phase: Phase,
    pub is_suspended: bool,
    pub is_cancelable: bool,
    pub attempt: i64,
    pub age: f64,
    pub result: RunResult,
    pub reason: StringName,
}

impl CommandInfo {
    /// A snapshot. The payload is copied.
    pub(crate) fn make(data: InfoData) -> Gd<Self> {
        let payload =
            if data.payload.is_empty() { VarDictionary::new() } else { data.payload.duplicate_deep() };
        Gd::from_init_fn(|base| Self {
            command_id: data.command_id,
            execution_id: data.execution_id,
            definition: data.definition,
            command_name: data.command_name,
            variant: data.variant,
            target: PhantomVar::default(),
            targets: PhantomVar::default(),
            location: data.location,
            direction: data.direction,
            payload: payload.into_read_only(),
            source: data.source,
            phase: data.phase.code(),
            is_suspended: data.is_suspended,
            is_cancelable: data.is_cancelable,
            attempt: data.attempt,
            age: data.age,
            result: data.result.code(),
            reason: data.reason,
            ids: data.targets,
            base,
        })
    }
}
