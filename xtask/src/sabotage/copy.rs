//! A copy of the work tree that may be broken.
//!
//! The work tree is read once: whoever edits it meanwhile does not change what is being judged. A
//! file is written only when it differs, so that cargo rebuilds what a patch touched and no more.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Permissions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result, bail, ensure};

use super::patch::Patch;
use crate::run::tool;
use crate::tidy::tracked_paths;

/// The copy, and what it is a copy of.
pub(super) struct Copy {
    to: PathBuf,
    files: BTreeMap<String, (Vec<u8>, Permissions)>,
}

impl Copy {
    /// Reads the work tree at `from`, to be copied to `to`; [`Copy::restore`] makes the copy.
    pub(super) fn new(from: &Path, to: &Path) -> Result<Copy> {
        let mut files = BTreeMap::new();
        for path in tracked_paths(from)?.into_iter().filter(|path| from.join(path).is_file()) {
            let (text, metadata) = (std::fs::read(from.join(&path)), from.join(&path).metadata());
            let text = text.with_context(|| format!("cannot read {path}"))?;
            files.insert(path, (text, metadata?.permissions()));
        }
        Ok(Copy { to: to.to_owned(), files })
    }

    pub(super) fn path(&self) -> &Path {
        &self.to
    }

    /// Makes the copy equal to what the work tree was.
    pub(super) fn restore(&self) -> Result<()> {
        std::fs::create_dir_all(&self.to)?;
        for path in files_below(&self.to, &self.to)? {
            if !self.files.contains_key(&path) {
                std::fs::remove_file(self.to.join(path))?;
            }
        }
        for (path, (text, permissions)) in &self.files {
            let to = self.to.join(path);
            if std::fs::read(&to).is_ok_and(|old| old == *text) {
                continue;
            }
            std::fs::create_dir_all(to.parent().context("a path has no parent")?)?;
            std::fs::write(&to, text).with_context(|| format!("cannot copy {path}"))?;
            std::fs::set_permissions(&to, permissions.clone())?;
        }
        Ok(())
    }

    /// Applies `patch` to the copy.
    ///
    /// # Errors
    ///
    /// Fails when the patch does not apply exactly, or changes nothing.
    pub(super) fn apply(&self, patch: &Patch) -> Result<()> {
        // The copy lies inside a git work tree. Without a ceiling git would find that one, read
        // the paths of the patch from its root, and skip every one of them without a word.
        let ceiling = self.to.parent().context("the copy has no parent")?;
        let mut command = tool(&self.to, "git", &["apply", "--whitespace=nowarn", "-"]);
        command.env("GIT_CEILING_DIRECTORIES", ceiling).env_remove("GIT_DIR");
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .context("cannot run git")?;
        child.stdin.take().context("git has no stdin")?.write_all(patch.text.as_bytes())?;
        let output = child.wait_with_output()?;

        if !output.status.success() {
            let stderr = String::from_utf8_lossy(&output.stderr);
            bail!("does not apply: {}", stderr.lines().next().unwrap_or("git said nothing"));
        }
        ensure!(self.differs()?, "applies and changes nothing");
        Ok(())
    }

    fn differs(&self) -> Result<bool> {
        let copied: BTreeSet<String> = files_below(&self.to, &self.to)?.into_iter().collect();
        if !copied.iter().eq(self.files.keys()) {
            return Ok(true);
        }
        for (path, (text, _)) in &self.files {
            if std::fs::read(self.to.join(path))? != *text {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns every file below `folder`, relative to `root`.
fn files_below(folder: &Path, root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && !path.is_symlink() {
            found.extend(files_below(&path, root)?);
        } else {
            found.push(path.strip_prefix(root)?.to_string_lossy().into_owned());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small repository in the test binary's own scratch folder.
    fn repository(name: &str) -> (PathBuf, Copy) {
        let root = std::env::temp_dir().join(format!("xtask-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&root);
        std::fs::create_dir_all(root.join("src")).unwrap();
        std::fs::write(root.join("src/a.rs"), "one\ntwo\nthree\n").unwrap();
        std::fs::write(root.join(".gitignore"), "target/\n").unwrap();
        assert!(tool(&root, "git", &["init", "-q"]).status().unwrap().success());
        let copy = Copy::new(&root, &root.join("target/sabotage/tree")).unwrap();
        copy.restore().unwrap();
        (root, copy)
    }

    fn patch(diff: &str) -> Patch {
        Patch {
            name: "x".to_owned(),
            text: format!("# invariant: I1\n\n{diff}"),
            catches: "all()".to_owned(),
            package: "a".to_owned(),
            invariant: "I1".to_owned(),
        }
    }

    #[test]
    fn a_patch_breaks_the_copy_and_leaves_the_work_tree_alone() {
        let (root, copy) = repository("applies");
        let diff = "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n";

        copy.apply(&patch(diff)).unwrap();
        let broken = std::fs::read_to_string(copy.path().join("src/a.rs")).unwrap();
        copy.restore().unwrap();
        let restored = std::fs::read_to_string(copy.path().join("src/a.rs")).unwrap();

        assert_eq!(broken, "one\n2\nthree\n");
        assert_eq!(restored, "one\ntwo\nthree\n");
        assert_eq!(std::fs::read_to_string(root.join("src/a.rs")).unwrap(), restored);
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn what_others_do_to_the_work_tree_meanwhile_is_not_judged() {
        let (root, copy) = repository("frozen");

        std::fs::write(root.join("src/a.rs"), "half an edit").unwrap();
        std::fs::write(root.join("src/b.rs"), "a new module").unwrap();
        copy.restore().unwrap();

        let kept = std::fs::read_to_string(copy.path().join("src/a.rs")).unwrap();
        assert_eq!(kept, "one\ntwo\nthree\n");
        assert!(!copy.path().join("src/b.rs").exists());
        std::fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn a_patch_that_does_not_apply_is_an_error() {
        let (root, copy) = repository("refuses");
        let stale = "--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,3 +1,3 @@\n one\n-zwei\n+2\n three\n";
        let missing = "--- a/src/b.rs\n+++ b/src/b.rs\n@@ -1,1 +1,1 @@\n-one\n+1\n";

        assert!(copy.apply(&patch(stale)).is_err());
        assert!(copy.apply(&patch(missing)).is_err());
        assert!(!copy.differs().unwrap());
        std::fs::remove_dir_all(&root).unwrap();
    }
}
