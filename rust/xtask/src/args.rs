//! Command line options: a command takes what it knows, and what is left over is an error.

use anyhow::{Result, bail};

/// The words after the command's name.
pub struct Args {
    command: &'static str,
    words: Vec<String>,
}

impl Args {
    /// The words that follow `command` on the command line.
    pub fn new(command: &'static str, words: Vec<String>) -> Self {
        Self { command, words }
    }

    /// Takes the flag `name` (with its dashes); true if it was there.
    pub fn flag(&mut self, name: &str) -> bool {
        let before = self.words.len();
        self.words.retain(|word| word != name);
        self.words.len() != before
    }

    /// Takes `name VALUE` or `name=VALUE`.
    pub fn value(&mut self, name: &str) -> Result<Option<String>> {
        let prefix = format!("{name}=");
        if let Some(at) = self.words.iter().position(|word| word.starts_with(&prefix)) {
            return Ok(Some(self.words.remove(at)[prefix.len()..].to_owned()));
        }
        let Some(at) = self.words.iter().position(|word| word == name) else {
            return Ok(None);
        };
        self.words.remove(at);
        if at >= self.words.len() {
            bail!("{name} needs a value");
        }
        Ok(Some(self.words.remove(at)))
    }

    /// Takes the first word that is no option.
    pub fn positional(&mut self) -> Option<String> {
        let at = self.words.iter().position(|word| !word.starts_with('-'))?;
        Some(self.words.remove(at))
    }

    /// Everything must have been taken by now.
    pub fn finish(self) -> Result<()> {
        match self.words.first() {
            None => Ok(()),
            Some(word) => bail!("\"{word}\" is not known here; see `cargo xtask help {}`", self.command),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Args {
        Args::new("test", line.split_whitespace().map(str::to_owned).collect())
    }

    #[test]
    fn takes_flags_values_and_positionals() {
        let mut args = args("name --release --filter a --limit=3");
        assert!(args.flag("--release"));
        assert!(!args.flag("--release"));
        assert_eq!(args.value("--filter").unwrap().as_deref(), Some("a"));
        assert_eq!(args.value("--limit").unwrap().as_deref(), Some("3"));
        assert_eq!(args.positional().as_deref(), Some("name"));
        assert!(args.finish().is_ok());
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        assert!(args("--relase").finish().is_err());
        assert!(args("--filter").value("--filter").is_err());
    }
}
