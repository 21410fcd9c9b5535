//! Everything Riposte decides, as plain data.
//!
//! No engine, no clock, no I/O, no global state: the same inputs, seed and `dt` give the same events in the
//! same order on every platform. The Godot crate feeds this one with snapshots and performs what it returns.
#![forbid(unsafe_code)]

pub mod ability;
pub mod action;
pub mod arena;
pub mod awareness;
pub mod behavior;
pub mod command;
pub mod graph;
pub mod motion;
pub mod perception;
pub mod random;
pub mod rate;
pub mod runner;
pub mod tags;
pub mod time;
pub mod vitals;
