//! The session process: protocol, client, session task, brake, registry.
