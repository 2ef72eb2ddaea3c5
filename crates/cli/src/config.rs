//! `sidestick.toml`: the project's defaults. Which file won is shown by `doctor`.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use sidestick_model::Seam;
use sidestick_model::call::{DoorCode, DoorError};
use sidestick_model::record::Owner;
use sidestick_policy::{Credentials, Secret};

use crate::args::CredentialArgs;
use crate::wire;

/// The settings of a project.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Config {
    /// Whose application it is.
    pub(crate) owner: Option<Owner>,
    /// The browser's executable.
    pub(crate) browser: Option<PathBuf>,
    /// Whether the browser's sandbox is on; it is by default (D3).
    pub(crate) sandbox: Option<bool>,
    /// The policy file runs are held to; a relative path starts at the folder of the settings.
    pub(crate) policy: Option<PathBuf>,
    /// Further origins runs may load.
    pub(crate) allow: Vec<String>,
    /// Actions.
    pub(crate) budget: Budget,
    /// Where user name and password come from.
    pub(crate) credentials: CredentialSource,
    /// The file it came from.
    #[serde(skip)]
    pub(crate) file: Option<PathBuf>,
}

/// Actions a run and a goal may take.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Budget {
    /// Per run.
    pub(crate) run: Option<u32>,
    /// Per goal.
    pub(crate) goal: Option<u32>,
}

/// Where credentials come from; never their values.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CredentialSource {
    /// The prefix of two variables.
    pub(crate) env: Option<String>,
    /// A private file.
    pub(crate) file: Option<PathBuf>,
}

/// Reads the settings: the named file, else the project's, else none. A named or present file that
/// cannot be used stops the verb (I9).
pub(crate) fn load(named: Option<&Path>) -> Result<Config, DoorError> {
    let path = match named {
        Some(path) => path.to_owned(),
        None => match wire::project().map(|project| project.join("sidestick.toml")) {
            Some(path) if path.exists() => path,
            Some(_) | None => return Ok(Config::default()),
        },
    };
    let wrong =
        |why: String| DoorError::new(DoorCode::BadConfig, format!("`{}`: {why}", path.display()));
    let text = std::fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
    let mut config: Config = toml::from_str(&text).map_err(|error| {
        let line = error.span().map_or(1, |span| {
            text.get(..span.start).map_or(1, |head| head.matches('\n').count() + 1)
        });
        wrong(format!("line {line}: {}", error.message()))
    })?;
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    config.policy = config.policy.map(|policy| folder.join(policy));
    config.file = Some(path);
    Ok(config)
}

/// The default prefix of the two variables (VR-151).
const PREFIX: &str = "SIDESTICK";

#[derive(Deserialize)]
struct CredentialFile {
    username: String,
    password: String,
}

/// Reads the credentials: from the named source, where they must be, or from the default
/// variables, where they may be.
pub(crate) fn credentials(
    args: &CredentialArgs,
    config: &Config,
) -> Result<Option<Credentials>, DoorError> {
    let file = args.credentials_file.clone().or_else(|| config.credentials.file.clone());
    let env = args.credentials_env.clone().or_else(|| config.credentials.env.clone());
    let missing = |why: String| DoorError::new(DoorCode::Credentials, why).detail("credentials");
    match (&args.credentials_env, file, env) {
        (None, Some(path), _) => from_file(&path).map(Some),
        (_, _, Some(prefix)) => from_env(&prefix).map(Some).ok_or_else(|| {
            missing(format!("`{prefix}_USERNAME` and `{prefix}_PASSWORD` are not both set"))
        }),
        (_, _, None) => Ok(from_env(PREFIX)),
    }
}

fn from_env(prefix: &str) -> Option<Credentials> {
    let username = wire::variable(&format!("{prefix}_USERNAME"))?;
    let password = wire::variable(&format!("{prefix}_PASSWORD"))?;
    Some(Credentials { username: Secret::new(username), password: Secret::new(password) })
}

fn from_file(path: &Path) -> Result<Credentials, DoorError> {
    let wrong = |why: &str| {
        let why = format!("the credentials file `{}` {why}", path.display());
        DoorError::new(DoorCode::Credentials, why).detail("credentials_file")
    };
    let text = private_text(path)?;
    let parsed: CredentialFile =
        serde_json::from_str(&text).map_err(|_| wrong("is not `{username, password}`"))?;
    if parsed.username.is_empty() || parsed.password.is_empty() {
        return Err(wrong("holds an empty value"));
    }
    Ok(Credentials {
        username: Secret::new(parsed.username),
        password: Secret::new(parsed.password),
    })
}

/// Reads a private file: a plain file of nobody else's reach, its mode taken from the descriptor
/// that is read (VR-152).
pub(crate) fn private_text(path: &Path) -> Result<String, DoorError> {
    let wrong = |why: &str| {
        let why = format!("the credentials file `{}` {why}", path.display());
        DoorError::new(DoorCode::Credentials, why).detail("credentials_file")
    };
    let flags = rustix::fs::OFlags::RDONLY
        | rustix::fs::OFlags::NOFOLLOW
        | rustix::fs::OFlags::NONBLOCK
        | rustix::fs::OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, rustix::fs::Mode::empty())
        .map_err(|_| wrong("cannot be opened"))?;
    let stat = rustix::fs::fstat(&file).map_err(|_| wrong("cannot be looked at"))?;
    if !rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file() {
        return Err(wrong("is not a plain file"));
    }
    if stat.st_mode & 0o077 != 0 && !Seam::CredentialsMode.is_broken() {
        let mut error = wrong("can be read by others");
        error.detail = vec!["credentials_file_mode".to_owned()];
        return Err(error.hint(format!("chmod 600 {}", path.display())));
    }
    let mut text = String::new();
    let mut file = std::io::Read::take(std::fs::File::from(file), 65_536);
    std::io::Read::read_to_string(&mut file, &mut text).map_err(|_| wrong("cannot be read"))?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn file_with_mode(mode: u32) -> Result<Credentials, DoorError> {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("c.json");
        std::fs::write(&path, r#"{"username":"u","password":"p"}"#).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
        from_file(&path)
    }

    #[test]
    fn a_credentials_file_others_can_read_is_refused_vr_152() {
        assert!(file_with_mode(0o600).is_ok());
        for mode in [0o644, 0o640, 0o604, 0o660] {
            let error = file_with_mode(mode).unwrap_err();
            assert_eq!(error.detail, ["credentials_file_mode"], "{mode:o}");
        }
    }

    #[test]
    fn a_linked_or_missing_credentials_file_is_refused_vr_152() {
        let home = tempfile::tempdir().unwrap();
        let (real, link) = (home.path().join("real"), home.path().join("link"));
        std::fs::write(&real, r#"{"username":"u","password":"p"}"#).unwrap();
        std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&real, &link).unwrap();

        for path in [link, home.path().join("none"), home.path().to_owned()] {
            assert_eq!(from_file(&path).unwrap_err().error, DoorCode::Credentials);
        }
    }

    #[test]
    fn an_unknown_setting_is_told_with_its_line() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("sidestick.toml");
        std::fs::write(&path, "owner = \"yours\"\nbrwser = \"x\"\n").unwrap();

        let error = load(Some(&path)).unwrap_err();

        assert_eq!(error.error, DoorCode::BadConfig);
        assert!(error.message.contains("line 2") && error.message.contains("brwser"), "{error:?}");
    }
}
