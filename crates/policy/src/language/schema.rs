//! The table as a JSON Schema (draft 2020-12), for editors and for other programs.

use serde_json::{Map, Value, json};

use sidestick_model::{ActionKind, limits};

use crate::language::{Field, Format, POLICY, Shape};

/// Returns the schema of `policy.yaml`.
pub fn schema() -> Value {
    let mut schema = object(&POLICY);
    schema.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".into(), json!("Sidestick policy, version 1"));
    Value::Object(schema)
}

fn object(shape: &Shape) -> Map<String, Value> {
    match of(shape) {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn of(shape: &Shape) -> Value {
    match shape {
        Shape::Text(format) => text(*format),
        Shape::Word(words) => json!({"enum": words}),
        Shape::Kind => {
            let kinds: Vec<&str> = ActionKind::ALL.iter().map(|kind| kind.as_str()).collect();
            json!({"enum": kinds})
        }
        Shape::Flag => json!({"type": "boolean"}),
        Shape::Number(min, max) => number(*min, *max),
        Shape::NumberOr(min, max, words) => {
            json!({"oneOf": [number(*min, *max), {"enum": words}]})
        }
        Shape::List(item) => {
            json!({"type": "array", "maxItems": limits::POLICY_LIST_MAX, "items": of(item)})
        }
        Shape::Keys(keys, value) => {
            let properties: Map<String, Value> =
                keys.iter().map(|key| ((*key).to_owned(), of(value))).collect();
            json!({"type": "object", "additionalProperties": false, "properties": properties})
        }
        Shape::Names(value) => json!({"type": "object", "additionalProperties": of(value)}),
        Shape::Map(fields) => map(fields),
    }
}

fn map(fields: &[Field]) -> Value {
    let property = |field: &Field| {
        let mut schema = object(&field.shape);
        schema.insert("description".into(), json!(field.doc));
        (field.key.to_owned(), Value::Object(schema))
    };
    let properties: Map<String, Value> = fields.iter().map(property).collect();
    let needed: Vec<&str> =
        fields.iter().filter(|field| field.default.is_none()).map(|field| field.key).collect();
    json!({"type": "object", "additionalProperties": false, "required": needed,
        "properties": properties})
}

fn number(min: u64, max: u64) -> Value {
    json!({"type": "integer", "minimum": min, "maximum": max})
}

fn text(format: Format) -> Value {
    let mut schema = json!({"type": "string", "maxLength": limits::POLICY_TEXT_MAX});
    let pattern = match format {
        Format::Bytes => Some("^[0-9]+ ?(B|KB|KiB|MB|MiB|GB|GiB)$"),
        Format::Time => Some("^[0-9]+ ?[smh]$"),
        Format::Variable => Some("^[A-Za-z_][A-Za-z0-9_]*$"),
        Format::Path => Some("^[/*]"),
        Format::Plain
        | Format::Name
        | Format::Regex
        | Format::Host
        | Format::Site
        | Format::Glob
        | Format::File
        | Format::Address => None,
    };
    if let (Some(pattern), Value::Object(fields)) = (pattern, &mut schema) {
        fields.insert("pattern".into(), json!(pattern));
    }
    schema
}
