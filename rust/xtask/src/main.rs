//! The project's commands, run as `cargo xtask COMMAND`.

mod api;
mod args;
mod bench;
mod demo;
mod engine;
mod godot;
mod icons;
mod library;
mod log_scan;
mod matrix;
mod paths;
mod process;
mod reference;
mod results;
mod test;

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
    Command {
        name: "demo",
        summary: "open the demo, or play it without a window",
        help: demo::HELP,
        run: demo::command,
    },
    Command { name: "test", summary: "run every check", help: test::HELP, run: test::command },
    Command { name: "bench", summary: "run the benchmarks", help: bench::HELP, run: bench::command },
    Command {
        name: "matrix",
        summary: "compare docs/feature-matrix.md with the tests",
        help: matrix::HELP,
        run: matrix::command,
    },
    Command {
        name: "api",
        summary: "write the classes' reference to docs/api and docs/reference",
        help: api::HELP,
        run: api::command,
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
