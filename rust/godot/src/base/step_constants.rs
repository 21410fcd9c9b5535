//! When a node steps: constants of the classes that step actions and abilities.

/// Registers the `PROCESS_*` constants of these classes.
macro_rules! step_constants {
    ($($class:ident),*) => { $(
        #[godot_api(secondary)]
        impl $class {
            /// Steps with the physics.
            #[constant]
            const PROCESS_PHYSICS: i64 = crate::base::ticking::PROCESS_PHYSICS;
            /// Steps with every drawn frame.
            #[constant]
            const PROCESS_IDLE: i64 = crate::base::ticking::PROCESS_IDLE;
            /// Steps when [method advance] is called.
            #[constant]
            const PROCESS_MANUAL: i64 = crate::base::ticking::PROCESS_MANUAL;
        }
    )* };
}

pub(crate) use step_constants;
