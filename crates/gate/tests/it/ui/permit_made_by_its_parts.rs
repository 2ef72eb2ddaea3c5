use sidestick_gate::{Held, Permit, Resolved};
use sidestick_model::{Action, Expect};

fn forge(held: Held) -> Permit {
    Permit {
        action: Action::Reload,
        resolved: Resolved::default(),
        expect: Expect::any(),
        secret: None,
        uploads: Vec::new(),
        held,
    }
}

fn main() {}
