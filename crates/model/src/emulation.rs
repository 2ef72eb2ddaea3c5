//! What a page is told about the screen and the person before it: the emulation options of `begin`.

use serde::{Deserialize, Serialize};

use crate::limits;

/// What is emulated; the default is a plain desktop screen and nothing else.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Emulation {
    /// Width and height of the viewport in CSS pixels.
    pub viewport: [u32; 2],
    /// Device pixels for each CSS pixel; pictures stay in CSS pixels.
    pub scale: f64,
    /// Whether `prefers-color-scheme` is `dark`.
    pub dark: bool,
    /// Whether `prefers-reduced-motion` is `reduce`.
    pub reduced_motion: bool,
    /// The language, such as `de-DE`.
    pub locale: Option<String>,
    /// The time zone, such as `Europe/Berlin`.
    pub timezone: Option<String>,
    /// Whether the network is cut once the target has loaded.
    pub offline: bool,
}

impl Default for Emulation {
    fn default() -> Emulation {
        Emulation {
            viewport: [limits::VIEWPORT_WIDTH, limits::VIEWPORT_HEIGHT],
            scale: 1.0,
            dark: false,
            reduced_motion: false,
            locale: None,
            timezone: None,
            offline: false,
        }
    }
}

impl Emulation {
    /// Returns whether nothing is emulated.
    pub fn is_plain(&self) -> bool {
        *self == Emulation::default()
    }

    /// Says what is wrong with it, if something is.
    pub fn problem(&self) -> Option<String> {
        let [width, height] = self.viewport;
        let sides = limits::VIEWPORT_SIDE_MIN..=limits::VIEWPORT_SIDE_MAX;
        if !sides.contains(&width) || !sides.contains(&height) {
            let (min, max) = (limits::VIEWPORT_SIDE_MIN, limits::VIEWPORT_SIDE_MAX);
            return Some(format!("a side of the viewport is {min} to {max} pixels"));
        }
        if !(0.5..=limits::DEVICE_SCALE_MAX).contains(&self.scale) {
            return Some(format!("the device scale is 0.5 to {}", limits::DEVICE_SCALE_MAX));
        }
        let is_plain = |text: &str, more: &[char]| {
            let is_good = |c: char| c.is_ascii_alphanumeric() || more.contains(&c);
            !text.is_empty() && text.len() <= 64 && text.chars().all(is_good)
        };
        if self.locale.as_deref().is_some_and(|text| !is_plain(text, &['-'])) {
            return Some("a locale is a language tag such as `de-DE`".to_owned());
        }
        let zone = self.timezone.as_deref();
        if zone.is_some_and(|text| !is_plain(text, &['/', '_', '-', '+'])) {
            return Some("a time zone is a name such as `Europe/Berlin`".to_owned());
        }
        None
    }

    /// Reads `WIDTHxHEIGHT`.
    pub fn parse_viewport(text: &str) -> Option<[u32; 2]> {
        let (width, height) = text.split_once('x')?;
        Some([width.parse().ok()?, height.parse().ok()?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_emulated_is_said() {
        let plain = Emulation::default();
        for (wrong, says) in [
            (Emulation { viewport: [10, 700], ..plain.clone() }, "viewport"),
            (Emulation { scale: f64::NAN, ..plain.clone() }, "scale"),
            (Emulation { locale: Some("de DE".into()), ..plain.clone() }, "locale"),
            (Emulation { timezone: Some("--x=\n".into()), ..plain.clone() }, "time zone"),
        ] {
            assert!(wrong.problem().is_some_and(|why| why.contains(says)), "{wrong:?}");
        }
        assert_eq!(plain.problem(), None);
        assert_eq!(Emulation::parse_viewport("390x844"), Some([390, 844]));
        assert_eq!(Emulation::parse_viewport("390"), None);
    }
}
