//! The Godot side of Riposte: thin classes that read the world, call `riposte-core`, and tell what happened.

mod ability;
mod action;
mod agent;
mod awareness;
mod base;
mod behavior;
mod command;
mod entry;
mod graph;
mod motion;
mod optional;
mod perception;
mod runner;
