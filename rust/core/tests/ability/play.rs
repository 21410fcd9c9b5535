//! Performs the steps as an engine would, writes them down, and misbehaves where a test says so.

use std::sync::Arc;

use riposte_core::ability::{Abilities, AbilityPlan, EndRequest, JobId, Request, Step};
use riposte_core::action::EndReason;
use riposte_core::tags::{OwnedTags, TagId, TagSet, TagTable};

/// What a script does when a line is written.
#[derive(Clone, Debug)]
pub enum Act {
    Start(i64),
    End(i64),
    Revoke(i64),
    Release(i64),
    Grant(i64),
    Close,
}

pub struct Play {
    pub table: TagTable,
    pub owned: OwnedTags,
    pub core: Abilities,
    pub lines: Vec<String>,
    /// Line and what happens when it is written, once.
    pub acts: Vec<(String, Act)>,
    pub accepts: bool,
    frame: u64,
    held: Vec<(i64, Vec<TagId>)>,
}

impl Play {
    pub fn new() -> Self {
        Self {
            table: TagTable::new(),
            owned: OwnedTags::new(),
            core: Abilities::new(),
            lines: Vec::new(),
            acts: Vec::new(),
            accepts: true,
            frame: 0,
            held: Vec::new(),
        }
    }

    pub fn tag(&mut self, name: &str) -> TagId {
        self.table.intern(name).expect("a plain tag")
    }

    pub fn set(&mut self, names: &[&str]) -> TagSet {
        let tags: Vec<TagId> = names.iter().map(|name| self.tag(name)).collect();
        TagSet::new(&self.table, tags)
    }

    pub fn grant(&mut self, plan: AbilityPlan) -> i64 {
        self.core.grant(Arc::new(plan))
    }

    pub fn carrying(&mut self, names: &[&str]) -> i64 {
        let tags = self.set(names);
        self.grant(AbilityPlan { tags, ..AbilityPlan::default() })
    }

    pub fn on(&mut self, line: &str, act: Act) {
        self.acts.push((line.to_owned(), act));
    }

    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.lines).join(", ")
    }

    /// The id of the activation, 0 without one.
    pub fn start(&mut self, handle: i64) -> i64 {
        match self.core.start(handle, self.owned.set(), self.frame) {
            Request::Job(job) => self.run(job),
            Request::Refused(refusal) => {
                self.write(format!("refused {handle} {}", refusal.code()));
                0
            }
            Request::TooDeep => {
                self.write(format!("deep {handle}"));
                0
            }
        }
    }

    pub fn end(&mut self, activation: i64, reason: EndReason) -> EndRequest {
        let request = self.core.end(activation, reason);
        self.settle(request)
    }

    pub fn revoke(&mut self, handle: i64) -> EndRequest {
        let request = self.core.revoke(handle);
        self.settle(request)
    }

    pub fn release(&mut self, handle: i64) -> EndRequest {
        let request = self.core.release(handle);
        self.settle(request)
    }

    pub fn close(&mut self) {
        for activation in self.core.close() {
            self.end(activation, EndReason::Cancelled);
        }
    }

    pub fn step(&mut self, dt: f64) -> Vec<i64> {
        self.frame += 1;
        self.core.advance(dt, self.frame)
    }

    fn settle(&mut self, request: EndRequest) -> EndRequest {
        if let EndRequest::Job(job) = request {
            self.run(job);
        }
        request
    }

    fn run(&mut self, job: JobId) -> i64 {
        let mut started = 0;
        while let Some(step) = self.core.next(job) {
            match step {
                Step::Receive(handle) => self.write(format!("receive {handle}")),
                Step::Ask(handle) => {
                    self.write(format!("ask {handle}"));
                    self.core.answer(job, self.accepts);
                }
                Step::End(activation, reason) => {
                    self.end(activation, reason);
                }
                Step::Take(which) => {
                    let tags = self.core.granted_tags(which.handle);
                    tags.iter().for_each(|tag| self.owned.add(&self.table, *tag, 1));
                    self.held.push((which.id, tags));
                    started = which.id;
                    self.write(format!("take {}", which.handle));
                }
                Step::Announce(which) => self.write(format!("activated {} {}", which.handle, which.id)),
                Step::Run(which) => self.write(format!("run {}", which.handle)),
                Step::Refused(handle, refusal) => self.write(format!("refused {handle} {}", refusal.code())),
                Step::Release(which, how) => {
                    let at = self.held.iter().position(|held| held.0 == which.id).expect("taken once");
                    let (_, tags) = self.held.remove(at);
                    tags.iter().for_each(|tag| self.owned.remove(&self.table, *tag, 1));
                    let revoked = if how.revoked { " revoked" } else { "" };
                    self.write(format!("release {} after {}{revoked}", which.handle, how.steps));
                }
                Step::Finish(which, reason) => {
                    self.write(format!("finish {} {}", which.handle, reason.code()))
                }
                Step::Ended(which, reason) => {
                    self.write(format!("ended {} {} {}", which.handle, reason.code(), which.id));
                }
                Step::Revoked(handle) => self.write(format!("revoked {handle}")),
            }
        }
        started
    }

    fn write(&mut self, line: String) {
        self.lines.push(line.clone());
        if let Some(at) = self.acts.iter().position(|act| act.0 == line) {
            let (_, act) = self.acts.remove(at);
            self.perform(&act);
        }
    }

    pub fn perform(&mut self, act: &Act) {
        match act {
            Act::Start(handle) => {
                self.start(*handle);
            }
            Act::End(handle) => {
                if let Some(activation) = self.core.activation(*handle) {
                    self.end(activation, EndReason::Completed);
                }
            }
            Act::Revoke(handle) => {
                self.revoke(*handle);
            }
            Act::Release(handle) => {
                self.release(*handle);
            }
            Act::Grant(handle) => {
                self.core.grant_again(*handle);
            }
            Act::Close => self.close(),
        }
    }

    /// Tags that activations hold now.
    pub fn holds(&self) -> usize {
        self.held.len()
    }
}
