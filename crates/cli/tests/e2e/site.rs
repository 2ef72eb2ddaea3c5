//! Pages made for one test, served on loopback, with a record of every request.
//!
//! A page tells what reached it by asking for `/got/WORD`; the record, not the page, is asserted on.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

type Record = Arc<Mutex<Vec<String>>>;

/// A served set of pages.
#[derive(Debug)]
pub(crate) struct Site {
    origin: String,
    record: Record,
}

/// What every page has: a way to tell the record.
const TELL: &str = "<script>function got(word){fetch('/got/'+word,{keepalive:true})}</script>";

impl Site {
    /// Serves pages by their paths, until the test's process ends.
    pub(crate) fn serve(pages: &'static [(&'static str, &'static str)]) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let record = Record::default();
        let kept = Arc::clone(&record);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let record = Arc::clone(&kept);
                // A browser opens connections that it then says nothing on.
                std::thread::spawn(move || drop(answer(stream, pages, &record)));
            }
        });
        Site { origin, record }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// How often an address was asked for.
    pub(crate) fn asked(&self, path: &str) -> usize {
        self.record.lock().unwrap().iter().filter(|asked| *asked == path).count()
    }

    /// The words that pages told, in order.
    pub(crate) fn got(&self) -> Vec<String> {
        let record = self.record.lock().unwrap();
        record.iter().filter_map(|path| path.strip_prefix("/got/")).map(str::to_owned).collect()
    }
}

fn answer(mut stream: TcpStream, pages: &[(&str, &str)], record: &Record) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    std::io::copy(&mut reader.take(length), &mut std::io::sink())?;
    record.lock().unwrap().push(path.clone());
    let page = pages.iter().find(|(at, _)| *at == path);
    let (status, body) = match page {
        Some((_, html)) => ("200 OK", format!("<!doctype html><meta charset=utf-8>{TELL}{html}")),
        None if path.starts_with("/got/") => ("204 No Content", String::new()),
        None => ("404 Not Found", "nothing is here".to_owned()),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: text/html\r\ncache-control: no-store\r\n\
         content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )
}
