//! The answers to the questions of the core.

use std::sync::Arc;

use riposte_core::action::*;
use riposte_core::runner::{SequenceNext, SequenceStep};

use super::{Act, Rig};

impl Rig {
    pub fn perform(&mut self, ticket: Ticket, question: Question) {
        let answer = match question {
            Question::Snapshot(wish) => {
                self.tried_each = Some(self.core.tries_each());
                return self.answer_snapshot(ticket, wish);
            }
            Question::Gate(call) => Answer::Bool(self.run_script("gate", &call) != 0.0),
            Question::Score(_) if self.in_rows => return self.answer_scores(ticket),
            Question::Score(call) => Answer::Number(self.run_script("score", &call)),
            Question::Sight(target) => {
                self.hit(&format!("sight {}", target.0));
                Answer::Bool(self.sight)
            }
            Question::BuildContext(target, _) => {
                self.hit(&target.map_or("build nobody".to_owned(), |target| format!("build {}", target.0)));
                Answer::Done
            }
            Question::MayExecute(call) => {
                let name = self.call_name(&call);
                self.hit(&format!("may {name}"));
                Answer::Bool(!self.ruled_out.contains(&name))
            }
            Question::Modify(call, base) => {
                let name = self.call_name(&call);
                self.hit(&format!("modify {name}"));
                Answer::Number(self.modify.map_or(base, |modify| modify(base)))
            }
            Question::TakeTokens(run) => {
                // The answer is given before user code hears of it, as in the game.
                let takes = self.takes;
                if takes {
                    assert!(self.held_tokens.insert(run), "tokens taken twice");
                }
                self.tell_run("take", run);
                Answer::Bool(takes)
            }
            Question::ReleaseTokens(run) => {
                self.held_tokens.remove(&run);
                self.tell_run("give", run)
            }
            Question::Prepare(prepare) => self.prepare(&prepare),
            Question::Begin(run) => self.begin(run),
            Question::Resume(prepare) => self.resume(&prepare),
            Question::Tick(run, delta) => self.tick(run, delta),
            Question::Abort(run, reason) => {
                let name = self.name_of(run);
                self.hit(&format!("abort {} {name}", reason.code()));
                Answer::Done
            }
            Question::Numbers(action) => {
                self.read_numbers(Some(action));
                Answer::Done
            }
            Question::AddTags(run) => {
                assert!(self.held_tags.insert(run), "tags added twice");
                self.tell_run("tag", run)
            }
            Question::RemoveTags(run) => {
                assert!(self.held_tags.remove(&run), "tags that were not there");
                self.tell_run("untag", run)
            }
            Question::Retarget(run, target) => {
                let name = self.name_of(run);
                self.hit(&format!("retarget {name} {}", target.0));
                Answer::Bool(self.retargets)
            }
            Question::InterruptAction(run) => {
                self.rival = None;
                self.tell_run("interrupt", run)
            }
            Question::Hook(call) => self.hook(&call),
            Question::TargetLost(_, TargetKey(key)) => {
                let known = self.target == Some(key) || self.each.iter().any(|row| row.0 == key);
                Answer::Bool(!known)
            }
            Question::Release(run) => {
                self.running.remove(&run);
                self.held_tokens.remove(&run);
                Answer::Done
            }
            Question::Tell(event) => {
                self.tell(event);
                Answer::Done
            }
            _ => Answer::Done,
        };
        self.core.answer(ticket, answer);
    }

    fn answer_snapshot(&mut self, ticket: Ticket, wish: TargetWish) {
        self.read_numbers(None);
        self.core.set_rival(self.rival);
        let key = match wish {
            TargetWish::Focus => self.target,
            TargetWish::Key(TargetKey(key)) => {
                let known = self.target == Some(key) || self.each.iter().any(|row| row.0 == key);
                known.then_some(key)
            }
            TargetWish::Nobody => None,
        };
        let view = |key: u64, distance: f64| TargetView {
            key: TargetKey(key),
            distance,
            meters: distance,
            angle: self.angle,
            health: self.target_health,
            tags: &self.target_tags,
            tokens: &self.tokens,
            readings: &self.target_readings,
        };
        let place = |key: u64| {
            self.each.iter().find(|(known, _)| *known == key).map_or(self.distance, |(_, distance)| *distance)
        };
        let focus = key.map(|key| view(key, place(key)));
        let each: Vec<TargetView> = self.each.iter().map(|(key, distance)| view(*key, *distance)).collect();
        let held = self.core.running().and_then(|run| run.target()).map(|key| view(key.0, place(key.0)));
        let (tags, world, each) = (&self.agent_tags, &self.world_tags, &each);
        let (health, readings) = (self.health, &self.readings);
        let snapshot = Snapshot { seed: None, health, tags, world, readings, focus, each, held };
        self.core.answer_snapshot(ticket, &snapshot);
    }

    fn run_script(&mut self, what: &str, call: &ScriptCall) -> f64 {
        let name = self.call_name(call);
        self.hit(&format!("{what} {name}"));
        let script = self.scripts.get_mut(&(name, call.slot));
        script.map_or(1.0, |script| script(call))
    }

    /// As an adapter does it: on, as long as nobody does anything and the answers are factors.
    fn answer_scores(&mut self, ticket: Ticket) {
        let (mut row, mut said) = (Vec::new(), Vec::new());
        self.core.scores_in_a_row(ticket, &mut row);
        for call in row {
            let doings = self.doings;
            said.push(self.run_script("score", &call));
            if self.doings != doings || said.last().is_some_and(|said| !is_factor(*said)) {
                break;
            }
        }
        self.followers += said.len() - 1;
        self.core.answer_scores(ticket, &said);
    }

    fn call_name(&self, call: &ScriptCall) -> String {
        self.lists[&call.list][call.index].id.name().to_owned()
    }

    fn prepare(&mut self, prepare: &Prepare) -> Answer {
        assert_eq!(prepare.list, self.core.list_version());
        let (_, plan) = self.core.listed().nth(prepare.index).unwrap();
        let name = plan.id.name().to_owned();
        self.running.insert(prepare.run, (name.clone(), 0));
        self.core.set_hooks(prepare.run, self.hooks);
        self.hit(&format!("can {name}"));
        let target = match prepare.target {
            TargetWish::Focus => self.target.map(TargetKey),
            TargetWish::Key(key) => Some(key),
            TargetWish::Nobody => None,
        };
        Answer::Prepared { ok: self.method(&name).can_begin, target }
    }

    fn hook(&mut self, call: &HookCall) -> Answer {
        let name = self.name_of(call.run);
        let slot = if call.slot == HookSlot::Global { "G" } else { "A" };
        let word = match call.moment {
            HookMoment::Before => "pre",
            HookMoment::Tick(_) => "hook",
            HookMoment::After { .. } => "post",
        };
        self.hook_calls.push((call.run, call.slot as usize, word));
        match call.moment {
            HookMoment::Before => {
                let line = format!("pre {slot} {name}");
                self.hit(&line);
                return Answer::Bool(!self.vetoes.contains(&line));
            }
            HookMoment::Tick(_) => self.hit(&format!("hook {slot} {name}")),
            HookMoment::After { reason, tearing_down } => {
                let torn = if tearing_down { " torn" } else { "" };
                self.core.request_recovery(call.run, self.requests);
                self.hit(&format!("post {slot} {name} {}{torn}", reason.code()));
            }
        }
        Answer::Done
    }

    fn begin(&mut self, run: RunId) -> Answer {
        let name = self.name_of(run);
        self.hit(&format!("begin {name}"));
        let method = self.method(&name).clone();
        if method.ticks == Some(0) {
            self.finish_run(run, method.succeeds);
        }
        Answer::Begun {
            ok: method.begins,
            timeout: method.timeout,
            instant: method.instant,
            ticks: !method.silent,
        }
    }

    fn resume(&mut self, prepare: &Prepare) -> Answer {
        let (_, plan) = self.core.listed().nth(prepare.index).unwrap();
        let name = plan.id.name().to_owned();
        self.running.insert(prepare.run, (name.clone(), 0));
        self.hit(&format!("resume {name}"));
        let method = self.method(&name).clone();
        Answer::Begun { ok: method.begins, timeout: method.timeout, instant: false, ticks: !method.silent }
    }

    fn tick(&mut self, run: RunId, delta: f64) -> Answer {
        let name = self.name_of(run);
        if self.method(&name).sequence.is_some() {
            self.tick_trees(run, &name, delta);
            return Answer::Done;
        }
        let ticks = self.running.get_mut(&run).map_or(0, |row| {
            row.1 += 1;
            row.1
        });
        self.hit(&format!("tick {name}"));
        let method = self.method(&name).clone();
        if method.ticks.is_some_and(|wanted| ticks >= wanted) {
            self.finish_run(run, method.succeeds);
        }
        Answer::Done
    }

    /// As an adapter does it: the tree is ticked, and what follows its end is performed in the same step.
    fn tick_trees(&mut self, run: RunId, name: &str, delta: f64) {
        let method = self.methods.get_mut(name).unwrap();
        let (sequence, ticks) = method.sequence.as_mut().unwrap();
        let at = sequence.at();
        if sequence.step(delta) == SequenceStep::TimedOut {
            self.core.time_out(run);
            return self.hit(&format!("late {at}"));
        }
        *ticks += 1;
        let (wanted, succeeds) = method.trees[at];
        if wanted.is_none_or(|wanted| *ticks < wanted) {
            return self.hit(&format!("tree {at}"));
        }
        *ticks = 0;
        let next = sequence.ended(succeeds);
        self.hit(&format!("tree {at}"));
        match next {
            SequenceNext::Enter(next) => self.hit(&format!("enter {next}")),
            SequenceNext::Finish(success) => self.finish_run(run, success),
        }
    }

    pub(super) fn finish_run(&mut self, run: RunId, success: bool) {
        let reason = if success { EndReason::Completed } else { EndReason::Failed };
        self.core.record_result(run, reason);
    }

    /// The numbers that follow attributes, of one action or of all.
    pub fn read_numbers(&mut self, only: Option<ActionRef>) {
        let plans: Vec<Arc<ActionPlan>> = self.core.bound_plans().map(|(_, plan)| plan.clone()).collect();
        for plan in plans {
            if only.is_none_or(|only| self.core.name(only) == plan.id.name()) {
                for (number, _) in BoundNumber::ALL {
                    let value = bound_number(&plan, number, |slot| self.attributes.get(&slot).copied());
                    self.core.set_number(&plan.id, number, value);
                }
            }
        }
    }

    fn tell_run(&mut self, what: &str, run: RunId) -> Answer {
        let name = self.name_of(run);
        self.hit(&format!("{what} {name}"));
        Answer::Done
    }

    fn name_of(&self, run: RunId) -> String {
        self.running.get(&run).map_or_else(|| format!("?{run}"), |row| row.0.clone())
    }

    fn tell(&mut self, event: Event) {
        let core = &self.core;
        let name = |action| core.name(action).to_owned();
        let line = match event {
            Event::CooldownStarted(action, seconds) => format!("cool {} {seconds:.4}", name(action)),
            Event::CooldownExpired(action) => format!("ready {}", name(action)),
            Event::Started(action, _, run) => {
                self.lives.push((run, true));
                format!("start {}", name(action))
            }
            Event::Retargeted(action, target, run) => {
                format!("turn {} {} run {run}", name(action), target.map_or(0, |key| key.0))
            }
            Event::Ended(action, reason, run) => {
                self.lives.push((run, false));
                format!("end {} {}", name(action), reason.code())
            }
            Event::StartRefused(action, refusal, run) => {
                self.refused.push((run, refusal));
                format!("refuse {} {}", action.map_or(String::new(), name), refusal.code())
            }
            Event::NoValidAction => "none".to_owned(),
            Event::RecoveryStarted(seconds) => format!("rest {seconds:.4}"),
            Event::RecoveryEnded => "rested".to_owned(),
            Event::RecoveryAdded(seconds) => format!("add {seconds:.4}"),
            Event::Pending(action, delay) => format!("wait {} {delay:.4}", name(action)),
            Event::EventRefused(context) => format!("ignored {context}"),
            Event::SetChanged => "set".to_owned(),
            Event::DecisionMade => "decided".to_owned(),
            Event::BadFactor { .. } => {
                self.warnings += 1;
                return;
            }
            _ => return,
        };
        self.hit(&line);
    }

    /// Something happened: it is written down, and user code may react.
    fn hit(&mut self, line: &str) {
        self.log.push(line.to_owned());
        let mut acts = self.acts.get(line).cloned().unwrap_or_default();
        if self.once && !acts.is_empty() {
            acts = vec![self.acts.get_mut(line).unwrap().remove(0)];
        }
        for act in acts {
            self.perform_act(&act);
        }
    }

    fn perform_act(&mut self, act: &Act) {
        self.doings += 1;
        match act {
            Act::Abort(reason) => {
                let done = self.abort(*reason);
                self.log.push(format!("aborted {done}"));
            }
            Act::Execute(id) => {
                let run = self.execute(id);
                self.log.push(format!("got {run}"));
            }
            Act::EvaluateNow => {
                let done = self.evaluate();
                self.log.push(format!("evaluated {done}"));
            }
            Act::Preview => {
                let decision = self.preview();
                self.previews.push(decision);
            }
            Act::Finish(success) => {
                let run = self.running.keys().next_back().copied();
                self.finish_run(run.unwrap_or(0), *success);
            }
            Act::Stop => self.call(Evaluator::stop),
            Act::Teardown => self.call(Evaluator::teardown),
            Act::Multiply(id, factor) => {
                let action = self.find(id);
                self.core.set_multiplier(action, Some(*factor));
            }
            Act::Unlist => self.list([]),
            Act::React(tag) => {
                let answer = self.react(tag);
                self.log.push(format!("reacted {answer}"));
            }
            Act::List(plans) => self.list(plans.clone()),
        }
    }
}
