//! The record: run folder, hash-chained trace, pictures, reports.
