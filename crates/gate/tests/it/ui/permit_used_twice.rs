use sidestick_gate::Permit;

fn double(permit: &Permit) -> Permit {
    Clone::clone(permit)
}

fn main() {}
