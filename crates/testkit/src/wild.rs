//! A site whose answers are written byte by byte: files, silence, challenges, bodies that never
//! end. It records every request as it came, with its body.

#![expect(clippy::unwrap_used, reason = "a test tool that cannot start fails its test")]

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What a path answers.
#[derive(Debug, Clone)]
pub enum Reply {
    /// A page.
    Html(String),
    /// A file to be saved under this name, with this content type.
    File {
        /// The name, as it stands in the header after `filename*=UTF-8''`.
        name: String,
        /// Its bytes.
        body: Vec<u8>,
    },
    /// A file that claims this length and stops after `sent` bytes, holding the line open.
    Stalled {
        /// The length it claims.
        length: u64,
        /// What comes of it.
        sent: usize,
    },
    /// A file that is cut off by the server after some bytes.
    Cut,
    /// Bytes of this content type, shown where they are.
    Bytes(&'static str, Vec<u8>),
    /// The head and the first bytes of a page, and then nothing, for ever.
    Endless(String),
    /// Nothing at all, for ever.
    Silent,
    /// A demand for a user name and a password.
    Challenge,
    /// A redirect.
    Redirect(String),
}

/// One request as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The method.
    pub method: String,
    /// The path and what follows it.
    pub path: String,
    /// The head, lower case.
    pub head: String,
    /// The body, whatever bytes it has, as text.
    pub body: String,
}

/// A site on a free loopback port, served until it is dropped.
#[derive(Debug)]
pub struct Wild {
    origin: String,
    replies: Arc<Mutex<Vec<(String, Reply)>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
    serving: JoinHandle<()>,
}

/// What every page has: a way to tell the record.
const TELL: &str = "<script>function tell(word){return fetch('/told',{method:'POST',body:word,\
    keepalive:true})}</script>";

impl Wild {
    /// Serves these paths.
    pub async fn serve(replies: Vec<(&str, Reply)>) -> Wild {
        let replies = replies.into_iter().map(|(path, reply)| (path.to_owned(), reply)).collect();
        let replies = Arc::new(Mutex::new(replies));
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let (known, record) = (Arc::clone(&replies), Arc::clone(&asked));
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (known, record) = (Arc::clone(&known), Arc::clone(&record));
                // A browser that closes early has had what it wanted.
                tokio::spawn(async move { drop(answer(stream, &known, &record).await) });
            }
        });
        Wild { origin, replies, asked, serving }
    }

    /// Serves one page at `/`.
    pub async fn page(html: &str) -> Wild {
        Wild::serve(vec![("/", Reply::Html(html.to_owned()))]).await
    }

    /// Adds a path, or changes what it answers.
    pub fn add(&self, path: &str, reply: Reply) {
        let mut replies = self.replies.lock().unwrap_or_else(PoisonError::into_inner);
        replies.retain(|(known, _)| known != path);
        replies.push((path.to_owned(), reply));
    }

    /// Returns the address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// Returns the origin.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns every request so far, in order.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns how often a path was asked for.
    pub fn times(&self, path: &str) -> usize {
        self.asked().iter().filter(|asked| asked.path == path).count()
    }

    /// Returns the words that pages told, in order.
    pub fn told(&self) -> Vec<String> {
        let asked = self.asked().into_iter();
        asked.filter(|asked| asked.path == "/told").map(|asked| asked.body).collect()
    }

    /// Waits until a page told this word; false when two seconds are over first.
    pub async fn was_told(&self, word: &str) -> bool {
        let until = tokio::time::Instant::now() + Duration::from_secs(2);
        loop {
            if self.told().iter().any(|told| told == word) {
                return true;
            }
            if until < tokio::time::Instant::now() {
                return false;
            }
            let soon = tokio::time::Instant::now() + Duration::from_millis(5);
            let _ = tokio::time::timeout_at(soon, std::future::pending::<()>()).await;
        }
    }
}

impl Drop for Wild {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn answer(
    mut stream: TcpStream,
    replies: &Mutex<Vec<(String, Reply)>>,
    record: &Mutex<Vec<Asked>>,
) -> std::io::Result<()> {
    let Some(asked) = read_request(&mut stream).await? else { return Ok(()) };
    let plain = asked.path.split(['?', '#']).next().unwrap_or_default().to_owned();
    record.lock().unwrap_or_else(PoisonError::into_inner).push(asked);
    let reply = {
        let replies = replies.lock().unwrap_or_else(PoisonError::into_inner);
        replies.iter().find(|(path, _)| *path == plain).map(|(_, reply)| reply.clone())
    };
    let (bytes, holds) = match reply {
        Some(reply) => written(&reply),
        None if plain == "/told" => (plain_answer("204 No Content", "text/plain", b""), false),
        None => (plain_answer("404 Not Found", "text/plain", b"nothing is here"), false),
    };
    stream.write_all(&bytes).await?;
    stream.flush().await?;
    if holds {
        // Until the browser lets go.
        let mut rest = [0; 64];
        while stream.read(&mut rest).await? != 0 {}
    }
    Ok(())
}

async fn read_request(stream: &mut TcpStream) -> std::io::Result<Option<Asked>> {
    let mut bytes = Vec::new();
    let mut piece = vec![0; 64 * 1024];
    let end = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        let read = stream.read(&mut piece).await?;
        if read == 0 {
            return Ok(None);
        }
        bytes.extend(piece.iter().take(read));
    };
    let head = String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned();
    let length = head.to_ascii_lowercase().lines().find_map(|line| {
        line.strip_prefix("content-length:").and_then(|text| text.trim().parse::<usize>().ok())
    });
    while bytes.len() < end + length.unwrap_or(0) {
        let read = stream.read(&mut piece).await?;
        if read == 0 {
            break;
        }
        bytes.extend(piece.iter().take(read));
    }
    let mut words = head.split(' ').map(str::to_owned);
    let method = words.next().unwrap_or_default();
    let path = words.next().unwrap_or_default();
    let body = String::from_utf8_lossy(bytes.get(end..).unwrap_or_default()).into_owned();
    Ok(Some(Asked { method, path, head: head.to_ascii_lowercase(), body }))
}

fn plain_answer(status: &str, kind: &str, body: &[u8]) -> Vec<u8> {
    with_head(status, &format!("content-type: {kind}\r\n"), body.len() as u64, body)
}

fn with_head(status: &str, head: &str, length: u64, body: &[u8]) -> Vec<u8> {
    let mut bytes = format!(
        "HTTP/1.1 {status}\r\n{head}cache-control: no-store\r\ncontent-length: {length}\r\n\
         connection: close\r\n\r\n"
    )
    .into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

/// Returns the bytes of an answer, and whether the line is held open after them.
fn written(reply: &Reply) -> (Vec<u8>, bool) {
    let file = |name: &str| {
        format!(
            "content-type: application/octet-stream\r\n\
             content-disposition: attachment; filename*=UTF-8''{name}\r\n"
        )
    };
    match reply {
        Reply::Html(html) => {
            let body = format!("<!doctype html><meta charset=utf-8>{TELL}{html}");
            (plain_answer("200 OK", "text/html", body.as_bytes()), false)
        }
        Reply::File { name, body } => {
            (with_head("200 OK", &file(name), body.len() as u64, body), false)
        }
        Reply::Stalled { length, sent } => {
            (with_head("200 OK", &file("stalled.bin"), *length, &vec![b'x'; *sent]), true)
        }
        Reply::Cut => (with_head("200 OK", &file("cut.bin"), 1_000_000, &[b'x'; 4_096]), false),
        Reply::Bytes(kind, body) => (plain_answer("200 OK", kind, body), false),
        Reply::Endless(html) => {
            let text = format!("<!doctype html><meta charset=utf-8>{TELL}{html}");
            (with_head("200 OK", "content-type: text/html\r\n", 1_000_000, text.as_bytes()), true)
        }
        Reply::Silent => (Vec::new(), true),
        Reply::Challenge => {
            let head = "content-type: text/html\r\nwww-authenticate: Basic realm=\"the vault\"\r\n";
            let body = b"<title>401</title><h1>Who are you?</h1>";
            (with_head("401 Unauthorized", head, body.len() as u64, body), false)
        }
        Reply::Redirect(to) => {
            (with_head("302 Found", &format!("location: {to}\r\n"), 0, b""), false)
        }
    }
}
