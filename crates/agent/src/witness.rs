//! Asking a system of record over HTTP: one GET, within the boundary, its answer a JSON document.

use std::time::Duration;

use serde_json::Value;

use sidestick_capability::Witness;
use sidestick_model::outcome::Verified;
use sidestick_model::step::Check;
use sidestick_model::time::SharedClock;
use sidestick_policy::{Boundary, redact};

/// Time one question may take; past it the record said nothing.
const ASK_TIME_MAX: Duration = Duration::from_secs(5);
/// Bytes of an answer; a longer one is no answer.
const ANSWER_BYTES_MAX: usize = 1024 * 1024;

/// Asks over HTTP. A redirect is not followed: it would leave the address the check names.
#[derive(Debug)]
pub struct HttpWitness {
    client: Option<reqwest::Client>,
    boundary: Boundary,
    clock: SharedClock,
    written: fn(u64) -> String,
}

impl HttpWitness {
    /// Makes a witness that asks within `boundary` alone.
    pub fn new(boundary: Boundary, clock: SharedClock, written: fn(u64) -> String) -> HttpWitness {
        let client = reqwest::Client::builder()
            .timeout(ASK_TIME_MAX)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy()
            .build()
            .ok();
        HttpWitness { client, boundary, clock, written }
    }

    async fn read(&self, check: &Check) -> Result<Value, String> {
        if !self.boundary.contains_origin(&check.http) {
            return Err("outside the run's boundary".to_owned());
        }
        let client = self.client.as_ref().ok_or("no client")?;
        let mut answer =
            client.get(&check.http).send().await.map_err(|e| e.without_url().to_string())?;
        if !answer.status().is_success() {
            return Err(format!("status {}", answer.status().as_u16()));
        }
        let mut bytes = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|e| e.without_url().to_string())? {
            bytes.extend_from_slice(&chunk);
            if ANSWER_BYTES_MAX < bytes.len() {
                return Err("the answer is too long".to_owned());
            }
        }
        let document: Value =
            serde_json::from_slice(&bytes).map_err(|_| "the answer is not JSON".to_owned())?;
        document
            .pointer(&check.pointer)
            .cloned()
            .ok_or_else(|| format!("nothing at `{}`", check.pointer))
    }
}

impl Witness for HttpWitness {
    async fn ask(&self, check: &Check) -> Verified {
        let by = format!("GET {}", redact::address(&check.http).unwrap_or_default());
        let (value, holds) = match self.read(check).await {
            Ok(value) => {
                let holds = value == check.equals;
                (value, holds)
            }
            // A record that cannot be read confirms nothing (I9).
            Err(why) => (Value::String(format!("unreadable: {why}")), false),
        };
        Verified { by, value, holds, at: (self.written)(self.clock.now()) }
    }
}
