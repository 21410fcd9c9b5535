//! The state machine of one player: which move runs, what waits, what follows.
//!
//! It calls nothing. Whoever drives it makes a call or lets time pass, and then performs what comes out, one by one:
//!
//! ```text
//! let receipt = { lock; machine.call(call) };          // or machine.advance(delta)
//! if { lock; machine.begin_turn() } {
//!     while let Some(effect) = { lock; machine.next(&world) } {
//!         perform(effect);            // signals and scripts, nothing is held; questions: { lock; machine.answer(ticket, answer) }
//!     }
//! }
//! let reply = { lock; machine.result(receipt) };
//! ```
//!
//! Calls from inside of an effect are queued. They are made as soon as all of the current change is told, in the same instant.

mod arriving;
mod calls;
mod change;
mod check;
mod clock;
mod cooldowns;
mod entering;
mod entry;
mod explain;
mod live;
mod network;
mod open;
mod pick;
mod recorded;
mod replay;
mod report;
mod run;
mod saved;
mod scan;
mod sequence;
mod settle;
mod state;
mod tape;
mod tick;
mod turn;
mod view;
mod walk;
mod walking;

pub use calls::{Call, Press, Receipt, Reply};
pub use explain::{DryRun, Explained};
pub use network::{Place, Submission, ToldTimes};
pub use recorded::{RecordedCall, RecordedPress, RecordedTick, Replay};
pub use replay::Show;
pub use report::{InputReport, Verdict, WireReport};
pub use run::RunInfo;
pub use saved::{Restore, Saved, SavedCooldown, SavedEntry, SavedItem, SavedRun, SavedSequence, SavedTag};
pub use state::{Machine, Settings};
pub use view::{View, WaitingView};
