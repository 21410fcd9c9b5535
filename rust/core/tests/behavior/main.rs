//! Layers of behaviour, played as an engine would, with behaviours that misbehave.

mod examples;
mod play;
mod properties;
mod rules;
