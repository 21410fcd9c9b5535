//! What would become of an input, without doing it.

use std::sync::Arc;

use glam::DVec2;

use super::check::Check;
use super::pick::Subject;
use super::report::{Desk, InputReport};
use super::state::Machine;
use super::walk::{Mode, Origin, Outcome, Walk};
use crate::graph::parts::PartsWorld;
use crate::graph::{Drop, Fail, FiresOn, Graph, InputResult, Moment, Question, ROOT_INDEX};
use crate::tags::TagId;

/// How a dry run went.
#[derive(Clone, Debug, PartialEq)]
pub enum Explained {
    /// An input, with why.
    Input(Box<InputReport>),
    /// Whether a node could start.
    Start(Fail),
}

#[derive(Clone, Debug)]
enum Job {
    Walk(Box<Walk>),
    Check(Check, Subject),
}

/// A walk, or a check, that changes nothing. It may run beside a turn.
#[derive(Clone, Debug)]
pub struct DryRun {
    graph: Option<Arc<Graph>>,
    job: Job,
    desk: Desk,
    done: Option<Explained>,
}

impl Machine {
    /// What would become of this input now.
    pub fn explain(&self, tag: TagId, moment: Moment, stick: DVec2, direction: DVec2) -> DryRun {
        let moment = super::entry::fires_on(moment);
        let subject = Subject { tag: Some(tag), moment, stick, direction, from: self.current_index() };
        let mut desk = Desk { noting: true, ..Desk::default() };
        let report = &mut desk.report;
        (report.tag, report.moment, report.node) = (Some(tag), moment, self.current_index());
        (report.node_time, report.window_open) = (self.node_time(), self.open.is_plain_open());
        report.graph.clone_from(&self.graph);
        let walk = Walk::new(subject, None, true, Mode::Full, Origin::Own);
        DryRun { graph: self.graph.clone(), job: Job::Walk(Box::new(walk)), desk, done: None }
    }

    /// Whether this node could start now.
    pub fn can_start(&self, node: u32, stick: DVec2, direction: DVec2) -> DryRun {
        let moment = FiresOn::Pressed;
        let subject = Subject { tag: None, moment, stick, direction, from: self.current_index() };
        let known = self.graph.as_ref().is_some_and(|graph| (node as usize) < graph.nodes().len());
        let done = (!known || node == ROOT_INDEX).then_some(Explained::Start(Fail::Unknown));
        let job = Job::Check(Check::new(node), subject);
        DryRun { graph: self.graph.clone(), job, desk: Desk::default(), done }
    }
}

impl DryRun {
    /// Goes on; a question is to be answered before the next call. `None`: it is over.
    pub fn poll(&mut self, machine: &Machine, world: &PartsWorld) -> Option<Question> {
        let Some(graph) = self.graph.clone() else {
            self.desk.report.why = Some(Drop::NoTransition);
            self.finish(InputResult::Dropped);
            return None;
        };
        while self.done.is_none() {
            match &mut self.job {
                Job::Check(check, subject) => {
                    let scene = machine.scene(&graph, world, subject);
                    match check.poll(subject, &scene.facts, &mut self.desk) {
                        Err(question) => return Some(question),
                        Ok(fail) => self.done = Some(Explained::Start(fail)),
                    }
                }
                Job::Walk(walk) => {
                    let subject = walk.subject;
                    let scene = machine.scene(&graph, world, &subject);
                    match walk.poll(&scene, &mut self.desk) {
                        Outcome::Ask(question) => return Some(question),
                        Outcome::Failed(..) => {}
                        outcome => self.conclude(machine, outcome),
                    }
                }
            }
        }
        None
    }

    /// The answer to the last question.
    pub fn answer(&mut self, answer: bool) {
        self.desk.answer = Some(answer);
    }

    /// How it went, after [`DryRun::poll`] has said that it is over.
    pub fn result(self) -> Option<Explained> {
        self.done
    }

    fn conclude(&mut self, machine: &Machine, outcome: Outcome) {
        let (result, why) = match outcome {
            Outcome::Enter(_) | Outcome::CutToRoot => (InputResult::Entered, None),
            Outcome::Wait(_) => match self.may_wait(machine) {
                Ok(()) => (InputResult::Buffered, None),
                Err(why) => (InputResult::Dropped, Some(why)),
            },
            Outcome::Drop(Drop::Blocked) if self.desk.report.moment == FiresOn::Pressed => {
                (InputResult::Blocked, Some(Drop::Blocked))
            }
            Outcome::Drop(why) => (InputResult::Dropped, Some(why)),
            _ => (InputResult::Dropped, Some(Drop::FailedStart)),
        };
        self.desk.report.why = why;
        self.finish(result);
    }

    fn may_wait(&self, machine: &Machine) -> Result<(), Drop> {
        let report = &self.desk.report;
        let Some(tag) = report.tag else { return Ok(()) };
        let moment = match report.moment {
            FiresOn::Released => Moment::Released,
            FiresOn::ReleasedEarly => Moment::ReleasedEarly,
            _ => Moment::Pressed,
        };
        machine.may_wait(tag, moment)
    }

    fn finish(&mut self, result: InputResult) {
        let mut report = std::mem::take(&mut self.desk.report);
        report.result = result;
        self.done = Some(Explained::Input(Box::new(report)));
    }
}
