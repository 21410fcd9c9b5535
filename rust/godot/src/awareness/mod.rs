//! Beliefs of agents about what they sense: thin classes over `riposte_core::awareness`, and the methods of the game
//! that are asked by name.

mod posture;

pub(crate) use posture::{SourceStance, posture, tells_stance, vision_stance};
