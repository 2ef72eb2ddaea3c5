//! Who may import whom: the table of `ARCHITECTURE.md`, compared with `cargo metadata`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Violation;

/// Each crate, and the workspace crates it may name under `[dependencies]`.
///
/// A crate that is not listed is a violation; a listed crate need not exist yet.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("policy", &["model"]),
    ("evidence", &["model", "policy"]),
    ("gate", &["model", "policy", "evidence"]),
    ("browser", &["model", "policy", "gate"]),
    ("desktop", &["model", "policy", "gate"]),
    ("capability", &["model", "policy", "evidence", "gate"]),
    ("host", &["model", "policy", "evidence", "gate"]),
    ("agent", &["model", "policy", "evidence", "gate", "capability"]),
    ("server", &["model", "policy", "evidence", "gate", "capability", "host", "agent"]),
    (
        "cli",
        &[
            "model",
            "policy",
            "evidence",
            "gate",
            "browser",
            "desktop",
            "capability",
            "host",
            "agent",
            "server",
        ],
    ),
    ("testkit", &["model", "policy", "evidence", "gate"]),
    ("xtask", &[]),
];

/// The crates that implement `Surface`; only the binary may name one, in its tests too.
const DRIVERS: &[&str] = &["browser", "desktop"];

/// Crates that keep a closed list of third-party dependencies, because they must stay pure.
const THIRD_PARTY: &[(&str, &[&str])] = &[
    ("model", &["serde", "serde_json", "thiserror", "tokio"]),
    (
        "policy",
        &[
            "psl",
            "regex",
            "serde",
            "serde-saphyr",
            "serde_json",
            "thiserror",
            "url",
            "urlpattern",
            "zeroize",
        ],
    ),
];

/// Third-party crates that only one of ours may name, with the feature prefix that makes it so.
const ONLY_IN: &[(&str, Option<&str>, &str)] = &[
    ("attohttpc", None, "agent"),
    ("curl", None, "agent"),
    ("hyper", Some("client"), "agent"),
    ("hyper-util", Some("client"), "agent"),
    ("isahc", None, "agent"),
    ("minreq", None, "agent"),
    ("reqwest", None, "agent"),
    ("surf", None, "agent"),
    ("ureq", None, "agent"),
];

/// Reports every dependency the tables do not allow.
pub(super) fn check(metadata: &Value) -> Vec<Violation> {
    let packages = metadata["packages"].as_array().map(Vec::as_slice).unwrap_or_default();
    let ours: BTreeSet<&str> =
        packages.iter().filter_map(|package| package["name"].as_str()).collect();

    let mut found = Vec::new();
    if ours.is_empty() {
        found.push("cargo metadata names no package: nothing was checked".to_owned());
    }
    for package in packages {
        let Some(name) = package["name"].as_str() else { continue };
        let importer = short(name);
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(listed, _)| *listed == importer) else {
            found.push(format!("{importer} is not in the table of layers"));
            continue;
        };
        let dependencies =
            package["dependencies"].as_array().map(Vec::as_slice).unwrap_or_default();
        for dependency in dependencies {
            let Some(imported) = dependency["name"].as_str() else { continue };
            if ours.contains(imported) || imported.starts_with("sidestick") {
                let is_dev = dependency["kind"] == "dev";
                found.extend(internal(importer, short(imported), allowed, is_dev));
            } else if dependency["kind"] != "dev" {
                found.extend(external(importer, imported, dependency));
            }
        }
    }
    found.into_iter().map(|message| Violation::at("Cargo.toml", 0, message)).collect()
}

/// A test may name any crate but a driver that is not its own; only `cli` wires drivers.
fn internal(importer: &str, imported: &str, allowed: &[&str], is_dev: bool) -> Option<String> {
    let permitted = match is_dev {
        true => importer == "cli" || !DRIVERS.contains(&imported),
        false => allowed.contains(&imported),
    };
    let how = if is_dev { " under [dev-dependencies]" } else { "" };
    (!permitted).then(|| format!("{importer} may not import {imported}{how}"))
}

fn external(importer: &str, imported: &str, dependency: &Value) -> Option<String> {
    let features = dependency["features"].as_array().map(Vec::as_slice).unwrap_or_default();
    let enables = |prefix: &str| {
        features.iter().filter_map(Value::as_str).any(|feature| feature.starts_with(prefix))
    };
    let reserved =
        ONLY_IN.iter().find(|(name, prefix, _)| *name == imported && prefix.is_none_or(enables));
    if let Some((_, _, home)) = reserved
        && *home != importer
    {
        return Some(format!("{importer} may not import {imported}: only {home} may"));
    }
    let (_, listed) = THIRD_PARTY.iter().find(|(name, _)| *name == importer)?;
    (!listed.contains(&imported)).then(|| {
        format!("{importer} may not import {imported}: it may import {}", listed.join(", "))
    })
}

/// `sidestick-gate` is the crate `gate`; `sidestick` itself is the crate `cli`.
fn short(package: &str) -> &str {
    match package {
        "sidestick" => "cli",
        _ => package.strip_prefix("sidestick-").unwrap_or(package),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn complaints(metadata: &Value) -> Vec<String> {
        check(metadata).into_iter().map(|violation| violation.message).collect()
    }

    /// I10: what replays steps cannot call a model, because it cannot name what would.
    #[test]
    fn this_workspace_keeps_its_layers_i10() {
        let root = crate::root().unwrap();
        let metadata = super::super::metadata(&root, &["--no-deps"]).unwrap();

        assert_eq!(complaints(&metadata), [""; 0]);
        let is_capability = |package: &&Value| package["name"] == "sidestick-capability";
        assert_eq!(
            metadata["packages"].as_array().unwrap().iter().filter(is_capability).count(),
            1
        );
    }

    /// A check that has never failed has not been tested.
    #[test]
    fn the_check_reports_a_forbidden_import() {
        let metadata = json!({"packages": [
            {"name": "sidestick-policy", "dependencies": [{"name": "sidestick-browser", "kind": null}]},
            {"name": "sidestick-browser", "dependencies": [{"name": "sidestick-gate", "kind": null}]},
        ]});

        assert_eq!(complaints(&metadata), ["policy may not import browser"]);
    }

    #[test]
    fn a_crate_that_is_not_listed_is_a_violation() {
        let metadata = json!({"packages": [{"name": "sidestick-toolbox", "dependencies": []}]});

        assert_eq!(complaints(&metadata), ["toolbox is not in the table of layers"]);
    }

    #[test]
    fn testkit_is_for_tests_and_a_driver_for_the_binary() {
        let metadata = json!({"packages": [
            {"name": "sidestick-gate", "dependencies": [
                {"name": "sidestick-testkit", "kind": null},
                {"name": "sidestick-testkit", "kind": "dev"},
                {"name": "sidestick-browser", "kind": "dev"},
            ]},
            {"name": "sidestick", "dependencies": [{"name": "sidestick-browser", "kind": null}]},
        ]});

        assert_eq!(
            complaints(&metadata),
            ["gate may not import testkit", "gate may not import browser under [dev-dependencies]",]
        );
    }

    #[test]
    fn an_http_client_belongs_to_agent_and_model_stays_pure() {
        let metadata = json!({"packages": [
            {"name": "sidestick-capability", "dependencies": [
                {"name": "reqwest", "kind": null, "features": []},
                {"name": "hyper-util", "kind": null, "features": ["server"]},
                {"name": "hyper-util", "kind": null, "features": ["client-legacy"]},
            ]},
            {"name": "sidestick-agent", "dependencies": [
                {"name": "reqwest", "kind": null, "features": []},
            ]},
            {"name": "sidestick-model", "dependencies": [{"name": "url", "kind": null}]},
        ]});

        assert_eq!(
            complaints(&metadata),
            [
                "capability may not import reqwest: only agent may",
                "capability may not import hyper-util: only agent may",
                "model may not import url: it may import serde, serde_json, thiserror, tokio",
            ]
        );
    }

    #[test]
    fn metadata_without_packages_is_a_complaint() {
        assert_eq!(
            complaints(&json!({})),
            ["cargo metadata names no package: nothing was checked"]
        );
    }
}
