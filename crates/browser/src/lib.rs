//! The driver for Chromium over the DevTools protocol.
