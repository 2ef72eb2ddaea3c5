use sidestick_gate::{Held, Permit, Resolved};
use sidestick_model::{Action, Expect};

fn forge(held: Held) -> Permit {
    Permit::new(Action::Reload, Resolved::default(), Expect::any(), None, held)
}

fn main() {}
