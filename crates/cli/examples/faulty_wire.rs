//! A man in the middle between a host and its browser; the end-to-end tests start it as the
//! browser.

fn main() -> std::process::ExitCode {
    sidestick_testkit::faulty_wire::main()
}
