//! The workload of the perception benchmark: perceivers that stand, sources that walk, all at random on a square.

pub mod cost;
pub mod field;
pub mod ours;
pub mod plain;
