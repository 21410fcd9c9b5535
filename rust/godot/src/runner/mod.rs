//! Runners: what an action, or a layer of behaviour, runs step by step. A node with three hooks, or a behaviour tree of
//! an addon that is found by class name and called by name, so that neither addon is needed.

mod finding;
mod instance;
mod words;

pub(crate) use instance::Runner;
