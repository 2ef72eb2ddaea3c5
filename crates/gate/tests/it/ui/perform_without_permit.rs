use sidestick_gate::Surface;
use sidestick_model::{Action, Deadline};

async fn bypass(surface: impl Surface, action: Action, deadline: Deadline) {
    let _ = surface.perform(&action, deadline).await;
}

fn main() {}
