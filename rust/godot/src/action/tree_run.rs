//! Runs of [`BehaviorTreeSequenceMethod`]: trees one after the other, each instanced under the agent.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

use godot::prelude::*;
use riposte_core::runner::{ExitReason, RunnerStatus, SequenceNext, SequenceStep, TreeSequence};

use super::method_run::{Delta, Method, MethodRun, RunLink, RunResult};
use super::{ActionContext, BehaviorTreeSequenceMethod, run_access, tree_payload};
use crate::ability::GameplayAbility;
use crate::base::messages;
use crate::runner::Runner;

/// The definition; each run takes a copy of its values.
pub(crate) struct TreeDefinition {
    resource: Gd<BehaviorTreeSequenceMethod>,
    /// Entries that were seen to have a runner.
    checked: Rc<RefCell<BTreeSet<i64>>>,
}

/// The values of one run.
pub(crate) struct TreeParts {
    pub(crate) trees: Vec<Option<Gd<Resource>>>,
    pub(crate) timeout: f64,
    pub(crate) payload: Option<Gd<Resource>>,
    pub(crate) payload_key: StringName,
    pub(crate) continue_on_failure: bool,
}

impl TreeDefinition {
    pub(crate) fn new(resource: Gd<BehaviorTreeSequenceMethod>) -> Self {
        Self { resource, checked: Rc::default() }
    }
}

impl Method for TreeDefinition {
    fn new_run(&self, link: RunLink) -> Rc<dyn MethodRun> {
        let parts = self.resource.bind().parts();
        let sequence = TreeSequence::new(parts.trees.len(), parts.timeout, parts.continue_on_failure);
        Rc::new(TreeRun {
            parts,
            resource: self.resource.clone(),
            checked: self.checked.clone(),
            link,
            context: RefCell::default(),
            sequence: Cell::new(sequence),
            runner: RefCell::default(),
            aim: Cell::new(None),
            over: Cell::new(false),
        })
    }

    fn ability_to_grant(&self) -> Option<Gd<GameplayAbility>> {
        let payload = self.resource.bind().parts().payload;
        payload.and_then(|payload| tree_payload::ability_of(&payload))
    }
}

struct TreeRun {
    parts: TreeParts,
    /// For messages.
    resource: Gd<BehaviorTreeSequenceMethod>,
    checked: Rc<RefCell<BTreeSet<i64>>>,
    link: RunLink,
    context: RefCell<Option<Gd<ActionContext>>>,
    sequence: Cell<TreeSequence>,
    runner: RefCell<Option<Rc<Runner>>>,
    /// The target that the runner was told last.
    aim: Cell<Option<InstanceId>>,
    /// It was aborted, maybe while a runner is on the stack.
    over: Cell<bool>,
}

impl MethodRun for TreeRun {
    fn timeout(&self) -> f64 {
        self.sequence.get().total_timeout()
    }

    fn can_begin(&self, _context: &Gd<ActionContext>) -> bool {
        self.parts.trees.iter().enumerate().all(|(index, entry)| self.has_runner(index, entry.as_ref()))
    }

    fn begin(&self, context: &Gd<ActionContext>) -> bool {
        self.context.replace(Some(context.clone()));
        self.enter(0)
    }

    fn wants_tick(&self) -> bool {
        true
    }

    fn tick(&self, delta: &Delta) {
        let delta = delta.seconds();
        let Some(runner) = self.current() else { return };
        let mut sequence = self.sequence.get();
        let step = sequence.step(delta);
        self.sequence.set(sequence);
        if step == SequenceStep::TimedOut {
            run_access::record(self.link, RunResult::TimedOut);
            return;
        }
        self.follow_target(&runner);
        if self.is_done() {
            return;
        }
        let status = runner.tick(delta).unwrap_or_else(|why| {
            self.complain(sequence.at(), &why);
            RunnerStatus::Failed
        });
        let Some(reason) = ExitReason::of(status).filter(|_| !self.is_done()) else { return };
        self.leave(reason);
        if !self.is_done() {
            self.go_on(status == RunnerStatus::Succeeded);
        }
    }

    fn retarget(&self, _target: Option<&Gd<Node>>) {
        if let Some(runner) = self.current() {
            self.follow_target(&runner);
        }
    }

    fn payload(&self) -> Option<Gd<Resource>> {
        self.parts.payload.clone()
    }

    fn abort(&self, _reason: i64) {
        self.over.set(true);
        self.leave(ExitReason::Removed);
    }
}

impl TreeRun {
    fn has_runner(&self, index: usize, entry: Option<&Gd<Resource>>) -> bool {
        let Some(entry) = entry else {
            self.complain(index, "is null. Set a scene or a BehaviorTree, or remove the row.");
            return false;
        };
        let id = entry.instance_id().to_i64();
        if self.checked.borrow().contains(&id) {
            return true;
        }
        match Runner::make(entry) {
            Ok(probe) => {
                drop(probe);
                self.checked.borrow_mut().insert(id);
                true
            }
            Err(why) => {
                self.complain(index, &why);
                false
            }
        }
    }

    /// Begins a tree. False: it can't.
    fn enter(&self, index: usize) -> bool {
        let Err(why) = self.try_enter(index) else { return true };
        self.complain(index, &why);
        self.leave(ExitReason::Removed);
        false
    }

    fn try_enter(&self, index: usize) -> Result<(), String> {
        const NO_AGENT: &str = "can't begin: the agent is gone. Keep it while its action runs.";
        let context = self.context.borrow().clone();
        let agent = context.and_then(|context| context.bind().get_instigator()).ok_or(NO_AGENT)?;
        let entry = self.parts.trees.get(index).and_then(Option::as_ref).ok_or("is null. Set a tree.")?;
        let runner = Rc::new(Runner::make(entry)?);
        self.runner.replace(Some(runner.clone()));
        runner.place(&agent)?;
        // Its own `_ready` may have ended all this.
        if self.over.get() {
            return Ok(());
        }
        self.warn_of_missing_key(entry, &runner);
        runner.give_keys(&self.keys());
        runner.enter()
    }

    /// What follows the end of a tree. A tree that can't begin has failed.
    fn go_on(&self, mut success: bool) {
        loop {
            let mut sequence = self.sequence.get();
            let next = sequence.ended(success);
            self.sequence.set(sequence);
            match next {
                SequenceNext::Finish(true) => return finish(self.link, RunResult::Success),
                SequenceNext::Finish(false) => return finish(self.link, RunResult::Failure),
                SequenceNext::Enter(index) if self.enter(index) || self.is_done() => return,
                SequenceNext::Enter(_) => success = false,
            }
        }
    }

    /// Ends the tree that runs, if one does.
    fn leave(&self, reason: ExitReason) {
        let runner = self.runner.take();
        if let Some(runner) = runner {
            runner.exit(reason);
        }
    }

    fn current(&self) -> Option<Rc<Runner>> {
        self.runner.borrow().clone()
    }

    fn is_done(&self) -> bool {
        self.over.get() || !run_access::goes_on(self.link)
    }

    /// What a runner is given, in this order.
    fn keys(&self) -> Vec<(StringName, Variant)> {
        let Some(context) = self.context.borrow().clone() else { return Vec::new() };
        let (action, agent, target, distance) = {
            let context = context.bind();
            (context.action_id.clone(), context.get_instigator(), context.get_target(), context.distance)
        };
        self.aim.set(target.as_ref().map(Gd::instance_id));
        let mut keys = vec![(StringName::from("riposte_action_id"), action.to_variant())];
        if !self.parts.payload_key.is_empty() {
            keys.push((self.parts.payload_key.clone(), self.parts.payload.to_variant()));
        }
        keys.push((StringName::from(TARGET), target.to_variant()));
        keys.push((StringName::from("riposte_agent"), agent.to_variant()));
        keys.push((StringName::from(DISTANCE), distance.to_variant()));
        keys
    }

    /// Tells the runner that its target is another one, or gone.
    fn follow_target(&self, runner: &Runner) {
        let context = self.context.borrow().clone();
        let target = context.and_then(|context| context.bind().target_id());
        if target == self.aim.get() {
            return;
        }
        let mut keys = self.keys();
        // Named by an id that is not alive any more, it is null from now on.
        self.aim.set(target);
        if !runner.takes_all_keys() {
            keys.retain(|(key, _)| [TARGET, DISTANCE].iter().any(|own| key == own));
        }
        runner.give_keys(&keys);
    }

    fn warn_of_missing_key(&self, entry: &Gd<Resource>, runner: &Runner) {
        let key = &self.parts.payload_key;
        if self.parts.payload.is_none() || key.is_empty() || !runner.lacks_key(key) {
            return;
        }
        let text = format!(
            "the blackboard does not declare the key \"{key}\", under which trees get the payload of their action. \
             Add it to the blackboard, or set payload_key of the BehaviorTreeSequenceMethod to another key."
        );
        messages::warning(entry, "payload_key", &key.to_string(), &text);
    }

    fn complain(&self, index: usize, why: &str) {
        let text = format!("trees[{index}] {why}");
        messages::error(&self.resource, "trees", &text, &text);
    }
}

const TARGET: &str = "riposte_target";
const DISTANCE: &str = "riposte_distance";

fn finish(link: RunLink, result: RunResult) {
    run_access::record(link, result);
}
