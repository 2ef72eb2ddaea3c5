//! Steps: the one step driver behind scripted runs.
