//! Moving while acting: `MotionWarp3D` steers a body to a target, `LedgeGuard3D` keeps it on its ledge.

mod body;
mod floor;
mod guard_state;
mod guard_step;
mod ledge_guard_3d;
mod motion_warp_3d;
mod movement;
mod warp_state;
mod warp_step;

pub use ledge_guard_3d::LedgeGuard3D;
pub use motion_warp_3d::MotionWarp3D;

pub(crate) use body::slide;
pub(crate) use floor::remove_monitors;
pub(crate) use movement::{Movement, Moving};
pub(crate) use warp_state::{Windows, is_warping};
