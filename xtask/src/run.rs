//! Starting the tools that the chores are made of.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

/// Returns a command that runs `program` in `root`.
pub(crate) fn tool(root: &Path, program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root).args(arguments);
    command
}

/// Runs `command`, shows what it prints, and says whether it succeeded.
pub(crate) fn succeeds(mut command: Command) -> Result<bool> {
    println!("$ {}", shown(&command));
    let status = command.status().with_context(|| format!("cannot run `{}`", shown(&command)))?;
    Ok(status.success())
}

/// Runs `command` and returns what it printed to stdout.
///
/// # Errors
///
/// Fails when the command does, with what it printed to stderr.
pub(crate) fn output(mut command: Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot run `{}`", shown(&command)))?;
    if !output.status.success() {
        let stderr = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` failed: {}", shown(&command), stderr.trim());
    }
    String::from_utf8(output.stdout).context("the output is not UTF-8")
}

/// Runs `command`, shows its stdout and stderr as they come, and returns both with its success.
pub(crate) fn tee(mut command: Command) -> Result<(bool, String)> {
    println!("$ {}", shown(&command));
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot run `{}`", shown(&command)))?;
    let stdout = child.stdout.take().context("the child has no stdout")?;
    let stderr = child.stderr.take().context("the child has no stderr")?;

    let reader = std::thread::spawn(move || copy_lines(stdout));
    let mut text = copy_lines(stderr);
    text.push_str(&reader.join().unwrap_or_default());
    Ok((child.wait()?.success(), text))
}

fn copy_lines(from: impl std::io::Read) -> String {
    let mut text = String::new();
    for line in BufReader::new(from).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        // A closed terminal must not end the run.
        let _ = writeln!(std::io::stdout(), "{line}");
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// Returns the command line as a person would type it.
fn shown(command: &Command) -> String {
    let program = command.get_program().to_string_lossy().into_owned();
    let arguments = command.get_args().map(|part| {
        let part = part.to_string_lossy();
        if part.contains([' ', '(']) { format!("'{part}'") } else { part.into_owned() }
    });
    std::iter::once(program).chain(arguments).collect::<Vec<_>>().join(" ")
}
