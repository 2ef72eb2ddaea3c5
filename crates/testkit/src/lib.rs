//! Test tools: Chromium, a local site, a fake surface.
