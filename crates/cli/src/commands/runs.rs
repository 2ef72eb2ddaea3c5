//! Which run a verb means, and how its host is reached.

use sidestick_evidence::files::FilesError;
use sidestick_evidence::{RecordKey, StateRoot, run};
use sidestick_host::{Client, ClientError, Registry, client};
use sidestick_model::RunId;
use sidestick_model::call::{DoorCode, DoorError};

use crate::commands::Context;
use crate::wire;

/// Turns a failure of our files into a door's answer.
pub(crate) fn files_error(error: &FilesError) -> DoorError {
    let code = match error.code() {
        "unsafe_state_path" => DoorCode::UnsafeStatePath,
        "busy" => DoorCode::Busy,
        _ => DoorCode::StateUnwritable,
    };
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    DoorError::new(code, format!("{error}{}", cause.unwrap_or_default()))
}

/// Opens the per-user folder.
pub(crate) fn registry() -> Result<Registry, DoorError> {
    let root = wire::user_root().ok_or_else(|| {
        DoorError::new(DoorCode::Missing, "this user has no home folder in the passwd file")
            .detail("home folder")
    })?;
    Registry::open(&root).map_err(|error| files_error(&error))
}

/// Opens the project's state folder when there is one.
pub(crate) fn state() -> Result<Option<StateRoot>, DoorError> {
    let Some(path) = wire::state_root() else { return Ok(None) };
    StateRoot::existing(&path).map_err(|error| files_error(&error))
}

fn unknown(run: &str) -> DoorError {
    let run: String = run.chars().take(64).collect();
    DoorError::new(DoorCode::UnknownRun, format!("no run `{run}` in this project"))
        .hint("`sidestick runs list` shows the runs of this project")
}

/// Returns the named run, which has to exist.
pub(crate) fn named(root: &StateRoot, run: &str) -> Result<RunId, DoorError> {
    let id = RunId::parse(run).map_err(|_| unknown(run))?;
    match root.existing_run(&id) {
        Ok(_) => Ok(id),
        Err(error @ FilesError::Unsafe { .. }) => Err(files_error(&error)),
        Err(_) => Err(unknown(run)),
    }
}

/// Returns the run a verb means: the named one, else the project's only open run.
pub(crate) fn meant(context: &Context, root: &StateRoot) -> Result<RunId, DoorError> {
    if let Some(run) = &context.run {
        return named(root, run);
    }
    let open = open_runs(root)?;
    match open.as_slice() {
        [only] => Ok(only.clone()),
        [] => Err(DoorError::new(DoorCode::RunRequired, "no run is open in this project")
            .hint("`sidestick begin --target URL --surface web --owner yours --unattended`")),
        several => {
            let mut error = DoorError::new(DoorCode::RunRequired, "several runs are open");
            error.detail = several.iter().map(ToString::to_string).collect();
            Err(error.hint("name one with `--run ID`"))
        }
    }
}

/// Returns the runs that have not ended: those a host serves, else those the folders say.
fn open_runs(root: &StateRoot) -> Result<Vec<RunId>, DoorError> {
    let runs = root.runs().map_err(|error| files_error(&error))?;
    let is_open = |id: &RunId| {
        run::read_state(&root.run_dir(id), id).is_ok_and(|state| state.head.ended.is_none())
    };
    Ok(runs.into_iter().filter(is_open).collect())
}

/// The project's state folder, which has to exist.
pub(crate) fn project_state() -> Result<StateRoot, DoorError> {
    state()?.ok_or_else(|| {
        DoorError::new(DoorCode::RunRequired, "no run was begun in this project")
            .hint("`sidestick begin --target URL --surface web --owner yours --unattended`")
    })
}

/// Connects to the host of the run a verb means.
pub(crate) async fn connect(context: &Context) -> Result<(Client, RunId), DoorError> {
    let root = project_state()?;
    let id = meant(context, &root)?;
    let client = connect_to(&root, &id).await?;
    Ok((client, id))
}

/// Connects to the host of one run; says why when there is none.
pub(crate) async fn connect_to(root: &StateRoot, id: &RunId) -> Result<Client, DoorError> {
    let socket = registry()?.socket(id);
    match Client::connect(&socket, wire::test_overrides()).await {
        Ok(client) => Ok(client),
        Err(ClientError::NoHost) => {
            let state = run::read_state(&root.run_dir(id), id);
            if state.is_ok_and(|state| state.head.ended.is_some()) {
                return Err(DoorError::new(DoorCode::RunEnded, format!("run {id} has ended")));
            }
            Err(client::door_error(ClientError::NoHost))
        }
        Err(error) => Err(client::door_error(error)),
    }
}

/// Reads the key that signs records, making it when there is none.
pub(crate) fn record_key(registry: &Registry, seed: [u8; 32]) -> Result<RecordKey, DoorError> {
    RecordKey::load(&registry.key_file(), seed).map_err(|error| files_error(&error))
}

/// Reads the same key for a verb that has no seed of its own at hand.
pub(crate) fn record_key_now(registry: &Registry) -> Result<RecordKey, DoorError> {
    let seed = wire::seed().ok_or_else(|| {
        DoorError::new(DoorCode::Missing, "the system has no randomness").detail("/dev/urandom")
    })?;
    record_key(registry, seed)
}
