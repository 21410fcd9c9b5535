//! What every class of the binding uses.

pub(crate) mod callbacks;
pub(crate) mod convert;
pub(crate) mod defaults;
pub(crate) mod engine_rays;
pub(crate) mod engine_reads;
pub(crate) mod family;
pub(crate) mod id_map;
pub(crate) mod lifecycle;
pub(crate) mod lookup;
pub(crate) mod messages;
pub(crate) mod network;
pub(crate) mod numbers;
pub(crate) mod paths;
pub(crate) mod script_method;
pub(crate) mod setter;
pub(crate) mod settings;
pub(crate) mod singletons;
pub(crate) mod state;
pub(crate) mod step_constants;
pub(crate) mod store;
pub(crate) mod tag_numbers;
pub(crate) mod tag_resources;
pub(crate) mod tags;
pub(crate) mod ticking;
pub(crate) mod tree_paths;
pub(crate) mod watch;
