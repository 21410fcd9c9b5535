//! Movesets: the resources that describe them, and the node that plays them.

mod action_run;
mod run_parts;

pub use action_run::ActionRun;
