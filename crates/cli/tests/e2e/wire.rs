//! A browser with a man in the middle on its pipe, who fails one message as planned.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::lab::Lab;

/// Where the browser is, the fast one first.
const BROWSERS: [&str; 4] = [
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/bin/chromium-headless-shell",
    "/usr/lib/chromium/chromium",
    "/usr/bin/chromium",
];

/// The wrapper that is named as the browser, and what the man in the middle is told and tells.
#[derive(Debug)]
pub(crate) struct FaultyWire {
    wrapper: PathBuf,
    plan: PathBuf,
    log: PathBuf,
}

/// The program, beside the executable of this test.
fn program() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let program = own.parent().and_then(Path::parent).unwrap().join("examples/faulty_wire");
    let how = "`cargo build -p sidestick --features test-root --examples` builds it";
    assert!(program.exists(), "no {}; {how}", program.display());
    program
}

impl FaultyWire {
    /// Makes a wrapper in a lab, with nothing planned.
    pub(crate) fn of(lab: &Lab) -> FaultyWire {
        let browser = BROWSERS.iter().map(Path::new).find(|path| path.is_file());
        let browser = browser.unwrap_or_else(|| panic!("`apt-get install chromium` installs it"));
        let file = |name: &str| lab.root().join(name);
        // What the browser is called decides how it is started.
        let wrapper = file(&format!("faulty-{}", browser.file_name().unwrap().to_str().unwrap()));
        let program = program();
        let own = file("faulty_wire");
        // A build that goes on meanwhile cannot swap a name of our own.
        if std::fs::hard_link(&program, &own).is_err() {
            std::fs::copy(&program, &own).unwrap();
        }
        let (plan, log) = (file("plan"), file("wire.log"));
        let words = [&own, &plan, &log].map(|path| path.display().to_string()).join(" ");
        let script =
            format!("#!/bin/sh\nexec {words} {} \"$@\" <&3 >&4 3<&- 4>&-\n", browser.display());
        std::fs::write(&plan, "").unwrap();
        std::fs::write(&wrapper, script).unwrap();
        std::fs::set_permissions(&wrapper, std::fs::Permissions::from_mode(0o755)).unwrap();
        FaultyWire { wrapper, plan, log }
    }

    /// What `--browser` is given.
    pub(crate) fn browser(&self) -> &str {
        self.wrapper.to_str().unwrap()
    }

    /// Says what fails from now on.
    pub(crate) fn plan(&self, text: &str) {
        std::fs::write(&self.plan, text).unwrap();
    }

    /// Every message so far, in order.
    pub(crate) fn messages(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(&self.log).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    /// The methods of the host's messages so far, in order.
    pub(crate) fn sent(&self) -> Vec<String> {
        let from_host = |line: &Value| line["from"] == "host";
        let messages = self.messages().into_iter().filter(from_host);
        messages.map(|line| line["method"].as_str().unwrap_or_default().to_owned()).collect()
    }

    /// Whether the planned fault has happened.
    pub(crate) fn has_failed(&self) -> bool {
        let plain = ["forwarded", "stalled"];
        let failed = |line: &Value| {
            line["from"] == "host" && !plain.contains(&line["became"].as_str().unwrap_or_default())
        };
        self.messages().iter().any(failed)
    }
}
