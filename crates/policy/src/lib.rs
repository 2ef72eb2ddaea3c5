//! The rules: decisions, gates, boundary, redaction. Pure.
