//! Perception nodes and their server: thin classes over `riposte_core::perception`.

mod arguments;
mod dispatch;
mod line_of_sight;
mod nodes;
mod perception_3d;
mod perception_3d_api;
mod perception_event;
mod perception_server;
mod placement;
mod queries;
mod rays;
mod registering;
mod reporting;
mod running;
pub(crate) mod state;
mod stimulus_source_3d;

pub(crate) use perception_server::PerceptionServer;
