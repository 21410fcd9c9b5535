//! What an execution method asks of the evaluator that runs it, and what it records there.

use std::sync::OnceLock;

use super::method_run::{RunLink, RunResult};

/// The evaluator's side. All are called with nothing bound or locked, and never run scripts.
#[derive(Clone, Copy)]
pub struct RunAccess {
    /// Records the method's result; only the first one of a run counts. False: the run has ended, or has a result.
    pub record: fn(RunLink, RunResult) -> bool,
    /// False: it ended, has a result, or its end was asked for.
    pub goes_on: fn(RunLink) -> bool,
    /// Seconds since the start; `None` after the end.
    pub elapsed: fn(RunLink) -> Option<f64>,
    /// A line for the log of runs.
    pub note: fn(RunLink, &str),
}

static ACCESS: OnceLock<RunAccess> = OnceLock::new();

/// To be called by the driver, once per start.
pub fn install(access: RunAccess) {
    let _first = ACCESS.set(access);
}

/// Records the method's result. False: too late.
pub(crate) fn record(link: RunLink, result: RunResult) -> bool {
    ACCESS.get().is_some_and(|access| (access.record)(link, result))
}

/// False: the run ended, has a result, or its end was asked for. A method that does several things stops then.
pub(crate) fn goes_on(link: RunLink) -> bool {
    ACCESS.get().is_some_and(|access| (access.goes_on)(link))
}

/// Seconds since the start; `None` after the end.
pub(crate) fn elapsed(link: RunLink) -> Option<f64> {
    ACCESS.get().and_then(|access| (access.elapsed)(link))
}

/// A line for the log of runs, if the evaluator keeps one.
pub(crate) fn note(link: RunLink, text: &str) {
    if let Some(access) = ACCESS.get() {
        (access.note)(link, text);
    }
}
