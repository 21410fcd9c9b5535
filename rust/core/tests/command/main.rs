//! Orders: worked examples, the truth table, and what holds whatever scripts do.

#[path = "../chance/mod.rs"]
mod chance;
mod crowd;
mod examples;
mod fuzz;
mod more_examples;
mod notation;
mod play;
mod properties;
mod saving;
mod stage;
mod table;
mod trace;
mod trial;
