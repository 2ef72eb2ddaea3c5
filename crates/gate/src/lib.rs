//! The one way in: admission, decision, permit, record, outcome.
