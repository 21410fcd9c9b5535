//! Orders of one agent.

mod reason;

pub use reason::Reason;
