//! Files on their way into an act: checked on the disk, against what this run may give away.

use sidestick_evidence::uploads::{UploadError, Uploads};
use sidestick_model::outcome::{Code, Refusal, Status};
use sidestick_model::{Action, Seam, Upload};

use crate::session::Session;
use crate::surface::Surface;

impl<S: Surface> Session<S> {
    /// Checks every file of an upload; nothing of it is given away unless all may be.
    pub(crate) fn uploads_for(&self, action: &Action) -> Result<Vec<Upload>, Refusal> {
        let Action::Upload { files, .. } = action else { return Ok(Vec::new()) };
        let roots = {
            let desk = self.desk();
            let anywhere = vec!["/".to_owned()];
            let named = &desk.run.state.head.upload_roots;
            let roots = if Seam::UploadRoots.is_broken() { &anywhere } else { named };
            Uploads::of(roots, desk.run.dir())
        };
        let checked = roots.check(files);
        let checked = checked.map_err(|error| {
            let why = error.to_string();
            match error {
                UploadError::NotAllowed { .. } => {
                    Refusal::new(Status::Forbidden, Code::UploadNotAllowed, why)
                }
                UploadError::Missing { .. } => {
                    Refusal::new(Status::NotActionable, Code::FileUnreadable, why)
                }
            }
        })?;
        let rules = self.policy.as_ref().map(|policy| &policy.uploads);
        let rules = rules.filter(|_| !Seam::UploadRules.is_broken());
        let refused = checked.iter().find_map(|file| Some((file, rules?.refusal(file)?)));
        match refused {
            None => Ok(checked),
            Some((file, why)) => {
                let name: String = file.name.chars().take(400).collect();
                let why = format!("`{name}` {why}");
                Err(Refusal::new(Status::Forbidden, Code::UploadNotAllowed, why))
            }
        }
    }
}
