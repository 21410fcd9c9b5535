use godot::prelude::*;
use riposte_core::action::HookMoment;

use super::method_run::RunLink;
use super::{ActionContext, driver, run_access};
use crate::base::messages;

/// What the hooks of a run are given: who acts on whom, how it ends, and a place for their own data.
///
/// There is one for each run, shared by both hooks and all their calls. See [ActionHook].
#[derive(GodotClass)]
#[class(init, base = RefCounted)]
pub struct ActionHookContext {
    /// Set it to true in [method ActionHook._pre_execute] to call the action off: nothing is charged, and
    /// [code]start_refused[/code] tells REFUSAL_HOOK_VETO. One hook is enough. Later it has no effect.
    #[var]
    pub veto_execution: bool,
    /// Why the action ended, one of the [code]END_*[/code] constants; -1 until then.
    #[var(no_set)]
    #[init(val = -1)]
    end_reason: i64,
    /// True in [method ActionHook._post_execute] while the agent leaves the tree: nodes behind the evaluator are gone.
    #[var(no_set)]
    tearing_down: bool,
    /// The agent that acts; null after it was freed.
    #[var(get = get_agent, no_set)]
    agent: PhantomVar<Option<Gd<Node>>>,
    /// The target; null without one and after it was freed.
    #[var(get = get_target, no_set)]
    target: PhantomVar<Option<Gd<Node>>>,
    /// The evaluator that runs the action.
    #[var(get = get_evaluator, no_set)]
    evaluator: PhantomVar<Option<Gd<Node>>>,
    /// The action that runs.
    #[var(get = get_action_id, no_set)]
    action_id: PhantomVar<StringName>,
    /// Seconds since the start of the action.
    #[var(get = get_elapsed, no_set)]
    elapsed: PhantomVar<f64>,
    /// What the action was started with.
    #[var(get = get_action_context, no_set)]
    action_context: PhantomVar<Option<Gd<ActionContext>>>,
    /// Your own values. One dictionary for each run, shared by both hooks; the next run begins with an empty one.
    #[var]
    data: VarDictionary,
    link: Option<RunLink>,
    context: Option<Gd<ActionContext>>,
    /// What [member elapsed] says after the run.
    counted: f64,
    base: Base<RefCounted>,
}

#[godot_api]
impl ActionHookContext {
    /// Makes the agent rest for so many seconds more after this action. Call it in [method ActionHook._post_execute]; the
    /// wishes of both hooks add up. Elsewhere, and for what is no number above 0, it is ignored with a warning. A run that
    /// failed, and a reaction, is followed by no recovery that hooks ask for.
    #[func(gd_self)]
    pub fn request_recovery_time(this: Gd<Self>, seconds: f64) {
        let (link, ending, action) = {
            let own = this.bind();
            (own.link, own.end_reason >= 0, own.get_action_id())
        };
        let sound = seconds.is_finite() && seconds > 0.0;
        let accepted = ending && sound && link.is_some_and(|link| driver::request_recovery(link, seconds));
        if accepted {
            return;
        }
        let text = if sound {
            "request_recovery_time() was called outside of _post_execute(); it is ignored. Call it there."
                .to_owned()
        } else {
            format!("request_recovery_time() got {seconds} s; it is ignored. Give more than 0 s.")
        };
        let cause = format!("{action} {sound}");
        match Self::node(link.map(|link| link.evaluator)) {
            Some(evaluator) => messages::warning(&evaluator, "request_recovery_time", &cause, &text),
            None => messages::warning(&this, "request_recovery_time", &cause, &text),
        }
    }

    #[func]
    fn get_agent(&self) -> Option<Gd<Node>> {
        self.context.as_ref()?.bind().get_instigator()
    }

    #[func]
    fn get_target(&self) -> Option<Gd<Node>> {
        self.context.as_ref()?.bind().get_target()
    }

    #[func]
    fn get_evaluator(&self) -> Option<Gd<Node>> {
        Self::node(self.link.map(|link| link.evaluator))
    }

    #[func]
    fn get_action_id(&self) -> StringName {
        self.context.as_ref().map(|context| context.bind().action_id.clone()).unwrap_or_default()
    }

    #[func]
    fn get_elapsed(&self) -> f64 {
        self.link.and_then(run_access::elapsed).unwrap_or(self.counted)
    }

    #[func]
    fn get_action_context(&self) -> Option<Gd<ActionContext>> {
        self.context.clone()
    }
}

impl ActionHookContext {
    /// The context of a run.
    pub(super) fn of_run(link: RunLink, context: Gd<ActionContext>) -> Gd<Self> {
        let mut made = Self::new_gd();
        {
            let mut own = made.bind_mut();
            own.link = Some(link);
            own.context = Some(context);
        }
        made
    }

    /// Before a call.
    pub(super) fn enter(&mut self, moment: HookMoment) {
        self.counted = self.get_elapsed();
        if let HookMoment::After { reason, tearing_down } = moment {
            self.end_reason = reason.code();
            self.tearing_down = tearing_down;
        }
    }

    fn node(id: Option<InstanceId>) -> Option<Gd<Node>> {
        id.and_then(|id| Gd::try_from_instance_id(id).ok())
    }
}
