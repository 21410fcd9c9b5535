//! Running other programs: captured, logged or streamed, always with an error that names the program.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// The program's name for messages.
fn name(command: &Command) -> String {
    Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Runs to the end and returns what it wrote to stdout.
pub fn output(command: &mut Command) -> Result<String> {
    let program = name(command);
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot run {program}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        bail!("{program} failed ({}): {}", output.status, last_lines(&text, 6));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs to the end with everything written to `log`; an error quotes its last lines.
pub fn run_logged(command: &mut Command, log: &Path) -> Result<()> {
    let program = name(command);
    if let Some(dir) = log.parent() {
        fs::create_dir_all(dir)?;
    }
    let file = File::create(log).with_context(|| format!("cannot write {}", log.display()))?;
    let status = command
        .stdin(Stdio::null())
        .stdout(file.try_clone()?)
        .stderr(file)
        .status()
        .with_context(|| format!("cannot run {program}"))?;
    if status.success() {
        return Ok(());
    }
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    bail!("{program} failed ({status}), log {}:\n{}", log.display(), last_lines(&text, 20));
}

/// Runs to the end with the terminal's own input and output.
pub fn run_shown(command: &mut Command) -> Result<()> {
    let program = name(command);
    let status = command.status().with_context(|| format!("cannot run {program}"))?;
    if !status.success() {
        bail!("{program} failed ({status})");
    }
    Ok(())
}

/// How a streamed run ended.
pub enum End {
    /// It ended by itself.
    Exited(ExitStatus),
    /// It was killed because its time was over.
    TimedOut,
}

/// Runs with stdout and stderr in one stream, in the order written, a call of `on_line` for each line.
pub fn stream(command: &mut Command, limit: Duration, mut on_line: impl FnMut(&str)) -> Result<End> {
    let program = name(command);
    let (reader, writer) = std::io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().with_context(|| format!("cannot run {program}"))?;
    // The command owns our copies of the pipe's writing end; the reader ends when they are closed.
    command.stdout(Stdio::null()).stderr(Stdio::null());

    let (sender, lines) = mpsc::channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut line = Vec::new();
        while matches!(reader.read_until(b'\n', &mut line), Ok(count) if count > 0) {
            let text = String::from_utf8_lossy(&line).trim_end().to_owned();
            if sender.send(text).is_err() {
                return;
            }
            line.clear();
        }
    });

    let deadline = Instant::now() + limit;
    loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => on_line(&line),
            Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(End::Exited(child.wait()?)),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                child.kill().ok();
                child.wait()?;
                return Ok(End::TimedOut);
            }
        }
    }
}

/// The last `count` lines of a text that are not blank.
pub fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

/// Cargo, in the checkout.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(crate::paths::root());
    command
}
