//! The demo application as a process of its own, and its record read past every page.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::lab::BINARY;

/// The demo application while it is served.
#[derive(Debug)]
pub(crate) struct App {
    process: Child,
    origin: String,
}

impl App {
    /// Serves it with the named truths turned around.
    pub(crate) fn serve(flips: &[&str]) -> App {
        let mut command = Command::new(BINARY);
        command.args(["demo", "--serve", "--port", "0", "--json"]).current_dir("/");
        command.args(flips.iter().flat_map(|flip| ["--flip", flip]));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let value: Value = serde_json::from_str(&line).unwrap();
        App { process, origin: value["origin"].as_str().unwrap().to_owned() }
    }

    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// What really arrived.
    pub(crate) fn hits(&self) -> Value {
        serde_json::from_str(&get(&self.origin, "/hits")).unwrap()
    }

    /// One number of what really arrived.
    #[track_caller]
    pub(crate) fn hit(&self, pointer: &str) -> u64 {
        let hits = self.hits();
        hits.pointer(pointer).and_then(Value::as_u64).unwrap_or_else(|| panic!("{pointer}: {hits}"))
    }
}

impl Drop for App {
    fn drop(&mut self) {
        // By its own handle: a process that has ended already is no failure.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// Reads one address of a loopback origin.
pub(crate) fn get(origin: &str, path: &str) -> String {
    let host = origin.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    write!(stream, "GET {path} HTTP/1.0\r\nhost: {host}\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let (_, body) = text.split_once("\r\n\r\n").unwrap();
    body.to_owned()
}
