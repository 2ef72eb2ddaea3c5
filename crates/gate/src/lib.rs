//! The one way in: admission, decision, permit, record, outcome.
//!
//! A driver implements [`Surface`]; nothing else in the program may ask one to act. The straight
//! line of one action is [`Session::submit`].

pub mod handles;
pub mod lease;
pub mod outline;
pub mod surface;

mod changes;
mod classify;
mod delta;
mod desk;
mod dialogs;
mod downloads;
mod expected;
mod form;
mod landed;
mod looking;
mod looks;
mod marks;
mod meanings;
mod session;
mod submit;
mod telling;
mod uploads;
mod verdict;

pub use handles::{Control, Door};
pub use lease::{Held, Lease};
pub use outline::quote;
pub use session::{Opening, Session, goal_seen};
pub use surface::{
    Features, FrameAt, Looking, Performed, Permit, Picture, Resolve, Resolved, SettleAsk, Surface,
    SurfaceError, SurfaceEvent, ZoomArea,
};
