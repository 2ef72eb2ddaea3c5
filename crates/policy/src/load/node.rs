//! A file as a tree in which everything knows its line and column.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{DuplicateKeyPolicy, Location, Spanned};

use super::{LoadError, Problem};

/// Something in the file.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) kind: Kind,
}

/// What it is.
#[derive(Debug)]
pub(super) enum Kind {
    Nothing,
    Flag,
    /// A whole number.
    Number(u64),
    /// A number of another kind.
    Other,
    Text(String),
    List(Vec<Node>),
    /// Keys and values in the order of the file; a key may stand there twice.
    Map(Vec<(Key, Node)>),
}

/// A key and where it stands.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) name: String,
}

impl Node {
    /// Reads a text.
    pub(super) fn read(text: &str) -> Result<Node, LoadError> {
        let options = serde_saphyr::options! {
            duplicate_keys: DuplicateKeyPolicy::PassThrough,
        };
        let tree: Result<Spanned<Kind>, _> = serde_saphyr::from_str_with_options(text, options);
        tree.map(Node::from).map_err(|error| unreadable(&error))
    }

    /// Returns the value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().find(|(name, _)| name.name == key).map(|(_, value)| value)
    }

    /// Returns the keys and values of a map; none of anything else.
    pub(super) fn entries(&self) -> &[(Key, Node)] {
        match &self.kind {
            Kind::Map(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the items of a list; none of anything else.
    pub(super) fn items(&self) -> &[Node] {
        match &self.kind {
            Kind::List(items) => items,
            _ => &[],
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Says what it is, for a message.
    pub(super) fn words(&self) -> &'static str {
        match &self.kind {
            Kind::Nothing => "empty",
            Kind::Flag => "yes or no",
            Kind::Number(_) | Kind::Other => "a number",
            Kind::Text(_) => "a text",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a map",
        }
    }
}

impl From<Spanned<Kind>> for Node {
    fn from(spanned: Spanned<Kind>) -> Node {
        let (line, column) = place(spanned.referenced);
        Node { line, column, kind: spanned.value }
    }
}

fn place(at: Location) -> (u64, u64) {
    (at.line().max(1), at.column().max(1))
}

/// Makes a problem of what the parser says, on one line and without what a terminal would obey.
pub(super) fn unreadable(error: &serde_saphyr::Error) -> LoadError {
    let (line, column) = error.location().map_or((1, 1), place);
    let said = error.without_snippet().to_string();
    let first = said.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let plain = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let message: String = first.chars().take(300).map(plain).collect();
    let message = format!("cannot be read: {message}");
    let first = Problem { line, column, at: String::new(), message, meant: None };
    LoadError { first, rest: Vec::new() }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Kind, D::Error> {
        deserializer.deserialize_any(Anything)
    }
}

/// Takes whatever stands there.
struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = Kind;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a text, a number, yes or no, a list or a map")
    }

    fn visit_bool<E>(self, _flag: bool) -> Result<Kind, E> {
        Ok(Kind::Flag)
    }

    fn visit_u64<E>(self, number: u64) -> Result<Kind, E> {
        Ok(Kind::Number(number))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Kind, E> {
        Ok(u64::try_from(number).map_or(Kind::Other, Kind::Number))
    }

    fn visit_u128<E>(self, _number: u128) -> Result<Kind, E> {
        Ok(Kind::Other)
    }

    fn visit_i128<E>(self, _number: i128) -> Result<Kind, E> {
        Ok(Kind::Other)
    }

    fn visit_f64<E>(self, _number: f64) -> Result<Kind, E> {
        Ok(Kind::Other)
    }

    fn visit_str<E>(self, text: &str) -> Result<Kind, E> {
        Ok(Kind::Text(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Kind, E> {
        Ok(Kind::Nothing)
    }

    fn visit_none<E>(self) -> Result<Kind, E> {
        Ok(Kind::Nothing)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Kind, D::Error> {
        deserializer.deserialize_any(Anything)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Kind, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element::<Spanned<Kind>>()? {
            list.push(Node::from(item));
        }
        Ok(Kind::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Kind, A::Error> {
        let mut map = Vec::new();
        while let Some(key) = entries.next_key::<Spanned<String>>()? {
            let (line, column) = place(key.referenced);
            let key = Key { line, column, name: key.value };
            map.push((key, Node::from(entries.next_value::<Spanned<Kind>>()?)));
        }
        Ok(Kind::Map(map))
    }
}
