//! The project's commands, run as `cargo xtask COMMAND`.

mod args;
mod engine;
mod library;
mod paths;
mod process;

use std::process::ExitCode;

use anyhow::{Result, bail};

/// A command: its name, one line for the list, its help text and its body.
struct Command {
    name: &'static str,
    summary: &'static str,
    help: &'static str,
    run: fn(args::Args) -> Result<()>,
}

/// In the order in which `help` lists them.
const COMMANDS: &[Command] = &[
    Command {
        name: "engine",
        summary: "find Godot, or install one into the cache",
        help: engine::HELP,
        run: engine::command,
    },
    Command {
        name: "build",
        summary: "build the extension and place it in the addon",
        help: library::HELP,
        run: library::command,
    },
];

fn main() -> ExitCode {
    match dispatch(std::env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(mut words: Vec<String>) -> Result<()> {
    if words.is_empty() || matches!(words[0].as_str(), "help" | "--help" | "-h") {
        print_help(words.get(1).map(String::as_str));
        return Ok(());
    }
    let name = words.remove(0);
    let Some(command) = COMMANDS.iter().find(|command| command.name == name) else {
        let known: Vec<_> = COMMANDS.iter().map(|command| command.name).collect();
        bail!("no command \"{name}\". Known: {}.", known.join(", "));
    };
    if words.iter().any(|word| word == "--help" || word == "-h") {
        println!("{}", command.help);
        return Ok(());
    }
    (command.run)(args::Args::new(command.name, words))
}

fn print_help(name: Option<&str>) {
    if let Some(command) = name.and_then(|name| COMMANDS.iter().find(|command| command.name == name)) {
        println!("{}", command.help);
        return;
    }
    println!("usage: cargo xtask COMMAND [OPTIONS]\n");
    for command in COMMANDS {
        println!("  {:<8} {}", command.name, command.summary);
    }
    println!("\n`cargo xtask help COMMAND` says more.");
}
