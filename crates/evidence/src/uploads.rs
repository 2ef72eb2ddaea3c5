//! Which files a run may hand to a page: those below its roots, links resolved, hidden ones left
//! out, and what the run itself has downloaded.

use std::path::{Component, Path, PathBuf};

use sidestick_model::Upload;

/// Why files are not given away; in both cases nothing was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UploadError {
    /// Not below a root of the run.
    #[error("`{path}` is not below a folder this run may upload from")]
    NotAllowed {
        /// The path that was asked for.
        path: String,
    },
    /// Nothing that can be read is there.
    #[error("`{path}` is not a file that can be read")]
    Missing {
        /// The path that was asked for.
        path: String,
    },
}

/// The folders of a run that uploads may come from.
#[derive(Debug, Clone, Default)]
pub struct Uploads {
    roots: Vec<PathBuf>,
}

impl Uploads {
    /// Makes the list: the run's roots, and what it has downloaded.
    pub fn of(roots: &[String], run_dir: &Path) -> Uploads {
        let named = roots.iter().map(PathBuf::from);
        let own = std::iter::once(run_dir.join("downloads"));
        // A root that is not there holds nothing.
        let roots = named.chain(own).filter_map(|root| root.canonicalize().ok()).collect();
        Uploads { roots }
    }

    /// Checks every path before any is given away.
    ///
    /// # Errors
    ///
    /// Fails at the first that is outside, or not there. Whether something outside is there is not
    /// told.
    pub fn check(&self, paths: &[String]) -> Result<Vec<Upload>, UploadError> {
        paths.iter().map(|path| self.one(path)).collect()
    }

    fn one(&self, asked: &str) -> Result<Upload, UploadError> {
        let path = Path::new(asked);
        let shown: String = asked.chars().take(400).collect();
        let Ok(real) = path.canonicalize() else {
            let is_plain = path.components().all(|part| part != Component::ParentDir);
            return Err(if is_plain && self.holds(path) {
                UploadError::Missing { path: shown }
            } else {
                UploadError::NotAllowed { path: shown }
            });
        };
        if !self.holds(&real) {
            return Err(UploadError::NotAllowed { path: shown });
        }
        let missing = || UploadError::Missing { path: shown.clone() };
        let found = std::fs::metadata(&real).map_err(|_| missing())?;
        let is_readable = if found.is_dir() {
            std::fs::read_dir(&real).is_ok()
        } else {
            found.is_file() && std::fs::File::open(&real).is_ok()
        };
        let (text, name) = (real.to_str(), real.file_name().and_then(|name| name.to_str()));
        match (text, name) {
            (Some(text), Some(name)) if is_readable => Ok(Upload {
                path: text.to_owned(),
                name: name.to_owned(),
                bytes: if found.is_dir() { 0 } else { found.len() },
                is_folder: found.is_dir(),
            }),
            (_, _) => Err(missing()),
        }
    }

    /// Returns whether a path is a root, or below one without a hidden part in between.
    fn holds(&self, path: &Path) -> bool {
        let is_seen = |part: Component<'_>| match part {
            Component::Normal(name) => !name.to_string_lossy().starts_with('.'),
            _ => true,
        };
        self.roots
            .iter()
            .any(|root| path.strip_prefix(root).is_ok_and(|below| below.components().all(is_seen)))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn home() -> (tempfile::TempDir, Uploads) {
        let home = tempfile::tempdir().unwrap();
        for folder in ["root/sub", "root/.hidden", "other", "run/downloads"] {
            std::fs::create_dir_all(home.path().join(folder)).unwrap();
        }
        for file in ["root/a", "root/sub/b", "root/.env", "root/.hidden/c", "other/d", "run/e"] {
            std::fs::write(home.path().join(file), "12345").unwrap();
        }
        std::fs::write(home.path().join("run/downloads/f"), "1").unwrap();
        symlink(home.path().join("other/d"), home.path().join("root/out")).unwrap();
        symlink(home.path().join("other"), home.path().join("root/away")).unwrap();
        symlink(home.path().join("root/a"), home.path().join("other/in")).unwrap();
        let root = home.path().join("root").display().to_string();
        let uploads = Uploads::of(&[root, "/nowhere".into()], &home.path().join("run"));
        (home, uploads)
    }

    fn asked(
        home: &tempfile::TempDir,
        uploads: &Uploads,
        name: &str,
    ) -> Result<Upload, UploadError> {
        let path = home.path().join(name).display().to_string();
        uploads.check(&[path]).map(|mut found| found.remove(0))
    }

    #[test]
    fn what_is_below_a_root_may_be_given_away() {
        let (home, uploads) = home();

        for name in ["root/a", "root/sub/b", "other/in", "run/downloads/f", "root/sub/../a"] {
            let found = asked(&home, &uploads, name).unwrap();
            assert!(!found.is_folder && 0 < found.bytes, "{name}: {found:?}");
        }
        let folder = asked(&home, &uploads, "root/sub").unwrap();
        assert!(folder.is_folder, "{folder:?}");
    }

    #[test]
    fn what_is_outside_hidden_or_led_away_by_a_link_may_not() {
        let (home, uploads) = home();

        for name in [
            "other/d",
            "other/absent",
            "root/out",
            "root/away/d",
            "root/../other/d",
            "root/../other/absent",
            "root/.env",
            "root/.hidden/c",
            "run/e",
            "",
        ] {
            let refused = asked(&home, &uploads, name);
            assert!(matches!(refused, Err(UploadError::NotAllowed { .. })), "{name}: {refused:?}");
        }
        let refused = uploads.check(&["/etc/passwd".into()]);
        assert!(matches!(refused, Err(UploadError::NotAllowed { .. })), "{refused:?}");
    }

    #[test]
    fn a_missing_file_below_a_root_is_told_as_missing() {
        let (home, uploads) = home();

        let refused = asked(&home, &uploads, "root/absent");

        assert!(matches!(refused, Err(UploadError::Missing { .. })), "{refused:?}");
    }
}
