//! The constants that several classes of orders have.

/// A `#[godot_api]` block of a class with the `RESULT_*` constants and its own items.
macro_rules! api_with_results {
    ($class:ident { $($own:tt)* }) => {
        #[godot_api]
        impl $class {
            /// The order has not ended.
            #[constant]
            const RESULT_NONE: i64 = riposte_core::command::RunResult::None as i64;
            /// The order did what it is for.
            #[constant]
            const RESULT_SUCCEEDED: i64 = riposte_core::command::RunResult::Succeeded as i64;
            /// The order failed.
            #[constant]
            const RESULT_FAILED: i64 = riposte_core::command::RunResult::Failed as i64;
            /// The order was stopped, or stopped itself.
            #[constant]
            const RESULT_CANCELLED: i64 = riposte_core::command::RunResult::Cancelled as i64;
            /// The order never started.
            #[constant]
            const RESULT_DROPPED: i64 = riposte_core::command::RunResult::Dropped as i64;

            $($own)*
        }
    };
}

pub(super) use api_with_results;
