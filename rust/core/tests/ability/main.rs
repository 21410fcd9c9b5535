//! Abilities: worked examples, and what holds whatever scripts do.

mod examples;
mod play;
mod properties;
mod rules;
