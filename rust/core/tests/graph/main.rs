//! The action graph: worked examples, the machine against a plain reading of the rules, and what holds whatever is done.

mod building;
#[path = "../chance/mod.rs"]
mod chance;
mod compare;
mod examples;
mod fixture;
mod ledger;
mod order;
mod play;
mod properties;
mod reference;
mod replaying;
mod stage;
mod trial;
