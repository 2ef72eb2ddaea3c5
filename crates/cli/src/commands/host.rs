//! The session process: opens the surface, begins the run, serves it until it ends, and leaves
//! nothing behind.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ExitCode};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use sidestick_browser::{Belongings, Chromium, LaunchOptions, OpenError, Options};
use sidestick_evidence::{Run, RunState, StateRoot, run};
use sidestick_gate::{Lease, Opening, Session, Surface};
use sidestick_host::protocol::{HostSaid, HostStart};
use sidestick_host::session::Host;
use sidestick_host::{Registry, Running, server};
use sidestick_model::Code;
use sidestick_model::call::{Call, DoorCode, DoorError};
use sidestick_model::record::{RunHead, SurfaceKind};
use sidestick_policy::{Credentials, Policy, Redacted, Redactor, Secret};

use crate::commands::{begin, runs};
use crate::keeper::{self, Kept};
use crate::{render, spawn, wire};

/// Time the last answers get to reach their callers when the run has ended.
const FAREWELL_TIME_MAX: Duration = Duration::from_secs(2);

/// A line to the keeper; what is told there is cleaned up when this process dies.
#[derive(Debug, Clone)]
struct Keeper(Arc<Mutex<ChildStdin>>);

impl Keeper {
    fn tell(&self, kept: &Kept) {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A keeper that is gone cannot be told; the next `begin` finds what is left.
        let _ = line.write_all(kept.line().as_bytes());
    }
}

/// Runs a host: reads what to begin, says how it went, and serves.
pub(crate) fn main() -> ExitCode {
    // A terminal that closes must not take the session with it.
    let _ = rustix::process::setsid();
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    let Ok(start) = read.map_err(drop).and_then(|_| serde_json::from_str(&line).map_err(drop))
    else {
        return ExitCode::from(DoorCode::Internal.exit());
    };
    drop(line);
    let start: HostStart = start;
    wire::leave_out(&start.seams);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let Ok(runtime) = runtime else { return ExitCode::from(DoorCode::Internal.exit()) };
    runtime.block_on(serve(start));
    ExitCode::SUCCESS
}

fn say(said: &HostSaid) {
    if let Ok(text) = serde_json::to_string(said) {
        render::out(&format!("{text}\n"));
    }
    // Nobody reads any more; what is printed later must not keep the caller waiting for its end.
    if let Ok(null) = std::fs::OpenOptions::new().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(&null);
    }
}

async fn serve(start: HostStart) {
    let keeper = match spawn::keeper() {
        Ok(line) => Keeper(Arc::new(Mutex::new(line))),
        Err(error) => {
            let why = format!("the keeper cannot be started: {error}");
            say(&HostSaid::Failed(DoorError::new(DoorCode::Internal, why)));
            return;
        }
    };
    let id = start.ask.run.clone();
    let idle = Duration::from_secs(start.idle_s);
    match open(&start, &keeper).await {
        Ok((session, registry)) => {
            let host = Host::start(session, registry, idle);
            begin_and_serve(&start, host, &keeper).await;
        }
        Err(error) => say(&HostSaid::Failed(error)),
    }
    drop(id);
    keeper.tell(&Kept::Released);
}

/// Makes the record and opens the surface; what fails leaves an ended run that says why.
async fn open(
    start: &HostStart,
    keeper: &Keeper,
) -> Result<(Session<Chromium>, Registry), DoorError> {
    let registry = Registry::open(&start.user_root).map_err(|error| runs::files_error(&error))?;
    let root = StateRoot::open(&start.state_root).map_err(|error| runs::files_error(&error))?;
    let key = runs::record_key(&registry, start.seeds.1)?;
    let ask = &start.ask;
    let policy = policy_of(start)?;
    let boundary = begin::boundary(&ask.target, &ask.allow, policy.as_ref())?;
    let clock = wire::clock();
    let mut redactor = Redactor::default();
    redactor.remember_patterns(policy.as_ref().map_or(&[], |policy| policy.redacted.as_slice()));
    let named = start.secrets.iter().map(|(_, value)| value);
    named.chain(&start.redacted).for_each(|value| redactor.remember(value));
    if let Some((username, password)) = &start.credentials {
        redactor.remember(username);
        redactor.remember(password);
    }
    let state = RunState::new(head(start, clock.now()), ask.run_actions, ask.goal_actions);
    let mut record = Run::create(&root, state, key, &redactor)
        .map_err(|error| DoorError::new(DoorCode::StateUnwritable, error.to_string()))?;
    let lease = Lease::new(start.holder);
    let held = lease
        .hold(lease.current())
        .map_err(|refusal| DoorError::new(DoorCode::Internal, refusal.message))?;
    let downloads = record
        .incoming()
        .map_err(|error| DoorError::new(DoorCode::StateUnwritable, error.to_string()))?;
    let options = Options {
        boundary: boundary.clone(),
        target: ask.target.clone(),
        digest_key: start.seeds.0,
        downloads: Some(downloads)
            .filter(|_| policy.as_ref().is_none_or(|policy| policy.keeps_downloads)),
        pages_max: ask.pages_max,
    };
    sweep(&start.profiles);
    let opened = Chromium::launch(&launch_options(start, keeper), options, &held).await;
    let surface = match opened {
        Ok(surface) => surface,
        Err(error) => {
            record.state.head.stopped_reason = Some("begin_failed".to_owned());
            // The reason for the failure is what the caller needs, whatever comes of the report.
            drop(record.finish(clock.now(), &redactor));
            return Err(open_failed(&error).detail(format!("run {}", ask.run)));
        }
    };
    let features = surface.features();
    record.state.head.driver = features.driver;
    record.state.head.driver_version = features.version;
    let credentials = start.credentials.as_ref().map(|(username, password)| Credentials {
        username: Secret::new(username.clone()),
        password: Secret::new(password.clone()),
    });
    let opening = Opening { surface, run: record, redactor, clock, boundary, credentials, lease };
    let secrets = start.secrets.iter();
    let secrets = secrets.map(|(name, value)| (name.clone(), Secret::new(value.clone()))).collect();
    Ok((Session::open(opening).with_policy(policy, secrets), registry))
}

/// Reads the policy once more, from the text whose digest stands in the record.
fn policy_of(start: &HostStart) -> Result<Option<Policy>, DoorError> {
    let Some(text) = &start.policy else { return Ok(None) };
    let read = sidestick_policy::load::policy(text);
    read.map(Some).map_err(|error| DoorError::new(DoorCode::BadPolicy, error.to_string()))
}

/// A profile this old that no process names was left by a host and a keeper that both were killed.
const LEFT_AFTER: Duration = Duration::from_secs(60);

/// Removes profiles that nobody uses any more.
fn sweep(profiles: &Path) {
    let Ok(entries) = std::fs::read_dir(profiles) else { return };
    let is_left = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_ours = name
            .strip_prefix("sidestick-profile-")
            .is_some_and(|run| sidestick_model::RunId::parse(run).is_ok());
        let age = path.metadata().and_then(|data| data.modified()).ok();
        is_ours && age.and_then(|at| at.elapsed().ok()).is_some_and(|age| LEFT_AFTER < age)
    };
    let left: Vec<PathBuf> =
        entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(is_left).collect();
    for path in left.iter().filter(|path| !keeper::is_named_by_a_process(path)) {
        // Somebody else's profile cannot be removed, and need not be.
        let _ = sidestick_browser::remove_profile_of_ended(path);
    }
}

fn launch_options(start: &HostStart, keeper: &Keeper) -> LaunchOptions {
    let keeper = keeper.clone();
    LaunchOptions {
        executable: start.executable.clone(),
        sandbox: start.sandbox,
        profiles: start.profiles.clone(),
        emulation: start.ask.emulation.clone(),
        profile_name: format!("sidestick-profile-{}", start.ask.run),
        environment: wire::environment_for_child(&[]),
        started: Arc::new(move |belongings: &Belongings| match belongings.group {
            None => keeper.tell(&Kept::Folder(belongings.profile.clone())),
            Some(pid) => keeper.tell(&Kept::Group { pid, started: keeper::started(pid) }),
        }),
    }
}

fn head(start: &HostStart, now: u64) -> RunHead {
    let ask = &start.ask;
    RunHead {
        run_id: ask.run.clone(),
        target: sidestick_policy::redact::address(&ask.target).unwrap_or_default(),
        surface: SurfaceKind::Web,
        owner: ask.owner,
        attended: ask.attended,
        request: ask.request.clone(),
        driver: "chromium".to_owned(),
        driver_version: String::new(),
        sandbox: start.sandbox,
        allow: ask.allow.clone(),
        upload_roots: ask.upload_roots.clone(),
        authority: "cooperative: a process with this user's rights could imitate a person"
            .to_owned(),
        egress: "not contained: only documents are held to the boundary".to_owned(),
        started: run::written(now),
        ended: None,
        stopped_reason: None,
        recovered: false,
        expect_failures: ask.expect_failures.clone(),
        emulation: ask.emulation.clone(),
        policy: start.policy_seen.clone(),
        test_overrides: ask.test_overrides.clone(),
    }
}

fn open_failed(error: &OpenError) -> DoorError {
    match error {
        OpenError::Launch(launch) => {
            let is_missing = matches!(launch.code(), "browser_missing" | "browser_too_old");
            let code = if is_missing { DoorCode::Missing } else { DoorCode::Driver };
            DoorError::new(code, launch.to_string()).detail(launch.code()).hint(launch.hint())
        }
        OpenError::Target { .. } => {
            let mut door = DoorError::new(DoorCode::Driver, error.to_string());
            door.driver_error = Some(Code::NavigationFailed);
            door
        }
        OpenError::Surface(surface) => {
            let mut door = DoorError::new(DoorCode::Driver, surface.to_string());
            door.driver_error = Some(surface.code());
            door
        }
        OpenError::Attach(attach) => DoorError::new(DoorCode::Driver, attach.to_string()),
    }
}

async fn begin_and_serve(start: &HostStart, host: Arc<Host<Chromium>>, keeper: &Keeper) {
    let id = start.ask.run.clone();
    let registry = host.registry.clone();
    let socket = registry.socket(&id);
    let signals = EndSignals::listen();
    let begun = match host.session.begin(start.ask.goals.clone()).await {
        Ok(begun) => begun,
        Err(error) => return give_up(&host, error).await,
    };
    let listener = match server::listen(&host, &id) {
        Ok(listener) => listener,
        Err(error) => {
            let why = format!("cannot listen at `{}`: {error}", socket.display());
            return give_up(&host, DoorError::new(DoorCode::StateUnwritable, why)).await;
        }
    };
    keeper.tell(&Kept::File(socket));
    let running =
        Running { run: id.clone(), pid: std::process::id(), state: start.state_root.clone() };
    if let Err(error) = registry.enter(&running) {
        return give_up(&host, runs::files_error(&error)).await;
    }
    keeper.tell(&Kept::File(registry.socket(&id).with_extension("json")));
    say(&HostSaid::Begun(Box::new(begun)));
    serve_until_ended(Arc::clone(&host), id.clone(), listener, signals).await;
    registry.leave(&id);
}

async fn serve_until_ended(
    host: Arc<Host<Chromium>>,
    id: sidestick_model::RunId,
    listener: server::Listener,
    mut signals: EndSignals,
) {
    let serving = server::serve(Arc::clone(&host), id, listener);
    tokio::pin!(serving);
    tokio::select! {
        () = &mut serving => {}
        () = host.ended.notified() => {
            // The answer to the last call is still on its way.
            tokio::select! {
                () = &mut serving => {}
                () = host.left_alone(FAREWELL_TIME_MAX) => {}
            }
        }
        () = host.idle() => host.session.park("host_idle").await,
        () = signals.any() => host.session.park("host_told_to_end").await,
    }
}

/// The signals that tell a host to end. They are listened for before anybody can know its number.
struct EndSignals(Vec<Signal>);

impl EndSignals {
    fn listen() -> EndSignals {
        let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
        EndSignals(kinds.into_iter().filter_map(|kind| signal(kind).ok()).collect())
    }

    /// Waits for one of them.
    async fn any(&mut self) {
        std::future::poll_fn(|context| {
            let came = self.0.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if came { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

/// Ends a run that could not begin.
async fn give_up(host: &Host<Chromium>, error: DoorError) {
    let (_stay, left) = watch::channel(false);
    drop(host.session.answer(Call::Stop { by: "begin_failed".to_owned() }, left).await);
    let clean = Redacted::from_ours(error).into_inner();
    say(&HostSaid::Failed(clean));
}
