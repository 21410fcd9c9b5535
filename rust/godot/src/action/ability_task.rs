use godot::prelude::*;
use riposte_core::action::EndReason;
use riposte_core::runner::RunnerStatus;

use super::ActionContext;
use super::tree_payload;
use crate::ability::GameplayAbility;
use crate::ability::access::{self, Watch};
use crate::base::messages;
use crate::base::numbers::Checked;
use crate::optional::Optional;

/// Starts an ability for a behavior tree, and tells how it stands.
///
/// The tasks *Activate Blackboard Ability* and *Activate Ability* that the addon brings for LimboAI and Beehave are made
/// of it; so can be a task of your own, for any other tree. Make one for each start of the task.
///
/// What is started: the ability of the payload, else [member ability], else what has [member activation_tag], else what has
/// [member fallback_activation_tag]. An ability that the agent has not is granted as long as it runs.
///
/// ```gdscript
/// var task := AbilityTask.new()
/// func _enter() -> void:
///     task.activation_tag = &"Attack.Light"
///     task.start(agent)
/// func _tick(_delta: float) -> int:
///     return task.tick()
/// func _exit(_reason: int) -> void:
///     task.cancel()  # does nothing once it is over
/// ```
#[derive(GodotClass)]
#[class(init, base = RefCounted)]
pub struct AbilityTask {
    /// The ability to start, if the payload brings none. Null, the default: by tag.
    #[var]
    ability: Option<Gd<GameplayAbility>>,
    /// How it is started, [constant MODE_BY_TAG] or [constant MODE_BY_EVENT].
    #[var(set = set_activation_mode)]
    activation_mode: i64,
    /// The tag of the abilities to start, or the event that is sent. All that answer are started, and the first one to end
    /// decides.
    #[var]
    activation_tag: StringName,
    /// The tag of the abilities to start if neither payload nor [member ability] name one, and [member activation_tag] is
    /// empty.
    #[var]
    fallback_activation_tag: StringName,
    /// There is no ability to start: on, the default, the task fails; off, it succeeds.
    #[var]
    #[init(val = true)]
    fail_when_no_ability: bool,
    /// On, the default: the task runs until the ability ends; a completed one is a success, any other end a failure. Off: it
    /// succeeds as soon as the ability started, which then goes on by itself.
    #[var]
    #[init(val = true)]
    wait_for_end: bool,
    watches: Vec<Watch>,
    #[init(val = RunnerStatus::Failed)]
    status: RunnerStatus,
    base: Base<RefCounted>,
}

#[godot_api]
impl AbilityTask {
    /// Abilities are started directly. Default.
    #[constant]
    const MODE_BY_TAG: i64 = 0;
    /// An event is sent to them; it carries the agent as instigator and its focus as target.
    #[constant]
    const MODE_BY_EVENT: i64 = 1;
    /// The ability runs.
    #[constant]
    const STATUS_RUNNING: i64 = RunnerStatus::Running as i64;
    /// The ability completed, or started without being waited for.
    #[constant]
    const STATUS_SUCCEEDED: i64 = RunnerStatus::Succeeded as i64;
    /// The ability did not start, or ended in another way.
    #[constant]
    const STATUS_FAILED: i64 = RunnerStatus::Failed as i64;

    #[func]
    fn set_activation_mode(&mut self, value: i64) {
        self.activation_mode = self.constant("activation_mode", value, self.activation_mode, 0, 1);
    }

    /// Starts; what ran before is cancelled. [param payload] is what the tree found in its blackboard, see
    /// [member BehaviorTreeSequenceMethod.payload]. Returns one of the `STATUS_*` constants. Without an agent, or without an
    /// [AbilitySystem] on it, it fails with an error.
    #[func(gd_self)]
    pub fn start(
        this: Gd<Self>,
        agent: Optional<Node>,
        #[opt(default = Optional::null())] payload: Optional<Resource>,
    ) -> i64 {
        Self::cancel(this.clone());
        let Some(agent) = agent.0 else {
            return Self::refuse(&this, "start() got no agent, or a freed one. Give the agent of the tree.");
        };
        let Some(system) = access::system_of(agent.instance_id()) else {
            let text = format!(
                "start(): {} has no AbilitySystem. Add one as a child of the agent.",
                messages::node_place(&agent)
            );
            return Self::refuse(&this, &text);
        };
        let brought = payload.0.and_then(|payload| tree_payload::ability_of(&payload));
        let plan = Self::plan(&this, brought);
        let started = plan.start(system, agent.instance_id());
        let status = match started {
            None if plan.fails_when_none => RunnerStatus::Failed,
            None => RunnerStatus::Succeeded,
            Some(watches) if watches.is_empty() => RunnerStatus::Failed,
            Some(_) if !plan.waits => RunnerStatus::Succeeded,
            Some(watches) => {
                let mut this = this.clone();
                let mut this = this.bind_mut();
                (this.watches, this.status) = (watches, RunnerStatus::Running);
                drop(this);
                RunnerStatus::Running
            }
        };
        if status == RunnerStatus::Running {
            return Self::tick(this);
        }
        this.clone().bind_mut().status = status;
        status.code()
    }

    /// How it stands, one of the `STATUS_*` constants: to be asked in each step of the task. Before a start it is
    /// [constant STATUS_FAILED].
    #[func(gd_self)]
    pub fn tick(mut this: Gd<Self>) -> i64 {
        let mut own = this.bind_mut();
        let over = own.watches.iter().find_map(Watch::ended);
        if let Some(end) = over {
            own.watches.clear();
            let done = end.reason == EndReason::Completed;
            own.status = if done { RunnerStatus::Succeeded } else { RunnerStatus::Failed };
        }
        own.status.code()
    }

    /// Ends what it started and waits for, as cancelled; the task has failed then. Does nothing if it is over.
    #[func(gd_self)]
    pub fn cancel(mut this: Gd<Self>) {
        let watches = {
            let mut own = this.bind_mut();
            if own.status == RunnerStatus::Running {
                own.status = RunnerStatus::Failed;
            }
            std::mem::take(&mut own.watches)
        };
        for watch in watches {
            watch.end(EndReason::Cancelled);
        }
    }
}

impl AbilityTask {
    fn plan(this: &Gd<Self>, brought: Option<Gd<GameplayAbility>>) -> Plan {
        let own = this.bind();
        let by_event = own.activation_mode == Self::MODE_BY_EVENT;
        let direct = own.activation_tag.is_empty();
        let tag = if direct { &own.fallback_activation_tag } else { &own.activation_tag };
        Plan {
            ability: brought.or_else(|| own.ability.clone()),
            tag: tag.clone(),
            by_event: by_event && !direct,
            fails_when_none: own.fail_when_no_ability,
            waits: own.wait_for_end,
        }
    }

    fn refuse(this: &Gd<Self>, text: &str) -> i64 {
        messages::error(this, "start", text, text);
        RunnerStatus::Failed.code()
    }
}

/// What a start does.
struct Plan {
    ability: Option<Gd<GameplayAbility>>,
    tag: StringName,
    by_event: bool,
    fails_when_none: bool,
    waits: bool,
}

impl Plan {
    /// What was started, nothing if all refused; `None`: there is nothing to start.
    fn start(&self, system: InstanceId, agent: InstanceId) -> Option<Vec<Watch>> {
        let context = ActionContext::for_ability(None, agent);
        if let Some(ability) = &self.ability {
            // As long as it runs; what is granted already stays.
            let handle = access::grant(system, ability);
            if handle == 0 {
                return None;
            }
            let event = self.by_event.then_some(&self.tag);
            let watch = access::activate(system, handle, &context, event);
            access::release(system, handle);
            return Some(watch.into_iter().collect());
        }
        if self.tag.is_empty() {
            return None;
        }
        let answering = if self.by_event {
            access::send_event(system, agent, &self.tag)?
        } else {
            let known = !access::find_by_tag(system, &self.tag).is_empty();
            known.then(|| access::activate_by_tag(system, &self.tag, &context))?
        };
        Some(answering)
    }
}
