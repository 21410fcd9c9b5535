//! The Godot side of Riposte: thin classes that read the world, call `riposte-core`, and tell what happened.

<<<<<<< HEAD
mod action;
=======
mod base;
>>>>>>> c44b027 (Binding base: messages, tags, settings, lookup, ticking, lifecycle, families)
mod entry;
mod optional;
