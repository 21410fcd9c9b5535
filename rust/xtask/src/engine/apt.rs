//! The machine's own package sources: read, never written into the repository.

use std::fs;
use std::path::{Path, PathBuf};

/// A mirror that the machine uses, with what apt needs to trust it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirror {
    /// The URI as the machine spells it.
    pub uri: String,
    /// Keyring files; empty means apt's trusted ones.
    pub keyrings: Vec<String>,
    /// The suite that the machine takes from it.
    pub suite: String,
}

impl Mirror {
    /// A one-line source for another suite of the same mirror.
    pub fn source_line(&self, suite: &str) -> String {
        let options = match self.keyrings.is_empty() {
            true => String::new(),
            false => format!("[signed-by={}] ", self.keyrings.join(",")),
        };
        format!("deb {options}{} {suite} main\n", self.uri)
    }
}

/// The mirrors of the machine's main archive, in the order of its files.
pub fn mirrors() -> Vec<Mirror> {
    let mut mirrors = Vec::new();
    for file in source_files(Path::new("/etc/apt")) {
        let text = fs::read_to_string(&file).unwrap_or_default();
        let found = match file.extension().is_some_and(|extension| extension == "sources") {
            true => parse_deb822(&text),
            false => parse_list(&text),
        };
        for mirror in found {
            if !mirrors.contains(&mirror) {
                mirrors.push(mirror);
            }
        }
    }
    mirrors
}

fn source_files(etc: &Path) -> Vec<PathBuf> {
    let mut parts: Vec<PathBuf> = fs::read_dir(etc.join("sources.list.d"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension().is_some_and(|extension| extension == "list" || extension == "sources")
        })
        .collect();
    parts.sort();
    let mut files = vec![etc.join("sources.list")];
    files.append(&mut parts);
    files
}

/// Updates and security archives hold no other suites.
fn is_main_archive(suite: &str, components: &[&str]) -> bool {
    let side = ["security", "updates", "backports", "/"].iter().any(|word| suite.contains(word));
    !side && components.contains(&"main")
}

/// The one-line format of `.list` files: `deb [options] URI suite component…`.
pub fn parse_list(text: &str) -> Vec<Mirror> {
    text.lines().filter_map(parse_list_line).collect()
}

fn parse_list_line(line: &str) -> Option<Mirror> {
    let line = line.split('#').next()?.trim();
    let rest = line.strip_prefix("deb")?;
    if !rest.starts_with([' ', '\t', '[']) {
        return None;
    }
    let rest = rest.trim_start();
    let (options, rest) = match rest.strip_prefix('[') {
        Some(inside) => inside.split_once(']')?,
        None => ("", rest),
    };
    let mut words = rest.split_whitespace();
    let uri = words.next()?.to_owned();
    let suite = words.next()?.to_owned();
    let components: Vec<&str> = words.collect();
    let keyrings =
        options.split_whitespace().find_map(|option| option.strip_prefix("signed-by=")).unwrap_or("");
    let keyrings = keyrings.split(',').filter(|path| path.starts_with('/')).map(str::to_owned).collect();
    is_main_archive(&suite, &components).then_some(Mirror { uri, keyrings, suite })
}

/// The format of `.sources` files: stanzas of `Field: value`, continued by indented lines.
pub fn parse_deb822(text: &str) -> Vec<Mirror> {
    let mut mirrors = Vec::new();
    let mut fields: Vec<(String, String)> = Vec::new();
    for line in text.lines().chain([""]) {
        if line.starts_with('#') {
            continue;
        }
        if line.trim().is_empty() {
            mirrors.extend(stanza_mirrors(&fields));
            fields.clear();
        } else if line.starts_with([' ', '\t']) {
            if let Some((_, value)) = fields.last_mut() {
                value.push('\n');
                value.push_str(line.trim());
            }
        } else if let Some((name, value)) = line.split_once(':') {
            fields.push((name.trim().to_lowercase(), value.trim().to_owned()));
        }
    }
    mirrors
}

fn stanza_mirrors(fields: &[(String, String)]) -> Vec<Mirror> {
    let words = |name: &str| -> Vec<&str> {
        let field = fields.iter().find(|(field, _)| field == name);
        field.map(|(_, value)| value.split_whitespace().collect()).unwrap_or_default()
    };
    if !words("types").contains(&"deb") || words("enabled") == ["no"] {
        return Vec::new();
    }
    // A key written into the file itself has no path; apt's trusted keys are the fallback.
    let keyrings: Vec<String> =
        words("signed-by").into_iter().filter(|word| word.starts_with('/')).map(str::to_owned).collect();
    let components = words("components");
    let mut mirrors = Vec::new();
    for uri in words("uris") {
        for suite in words("suites") {
            if is_main_archive(suite, &components) {
                mirrors.push(Mirror {
                    uri: uri.to_owned(),
                    keyrings: keyrings.clone(),
                    suite: suite.to_owned(),
                });
            }
        }
    }
    mirrors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mirror(uri: &str, keyring: &str, suite: &str) -> Mirror {
        let keyrings = if keyring.is_empty() { Vec::new() } else { vec![keyring.to_owned()] };
        Mirror { uri: uri.to_owned(), keyrings, suite: suite.to_owned() }
    }

    #[test]
    fn reads_one_line_sources() {
        let text = "# deb http://no.example/a b main\n\
            deb [arch=amd64 signed-by=/usr/share/keyrings/a.gpg] http://mirror.example/debian bookworm main contrib\n\
            deb-src http://mirror.example/debian bookworm main\n\
            deb http://mirror.example/debian bookworm-updates main # later\n\
            deb http://plain.example/debian trixie main\n\
            deb http://tools.example/apt tools-bookworm tools\n";
        let expected = vec![
            mirror("http://mirror.example/debian", "/usr/share/keyrings/a.gpg", "bookworm"),
            mirror("http://plain.example/debian", "", "trixie"),
        ];
        assert_eq!(parse_list(text), expected);
    }

    #[test]
    fn reads_deb822_sources() {
        let text = "Types: deb\n# a comment\nURIs: http://mirror.example/debian\nSuites: bookworm bookworm-updates\n\
            Components: main\nSigned-By: /usr/share/keyrings/a.gpg\n\n\
            Types: deb\nURIs: http://mirror.example/security\nSuites: bookworm-security\nComponents: main\n\n\
            Enabled: no\nTypes: deb\nURIs: http://off.example/debian\nSuites: sid\nComponents: main\n\n\
            Types: deb deb-src\nURIs: http://b.example/debian\n  http://c.example/debian\nSuites: trixie\n\
            Components: main\nSigned-By:\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n abc\n";
        let expected = vec![
            mirror("http://mirror.example/debian", "/usr/share/keyrings/a.gpg", "bookworm"),
            mirror("http://b.example/debian", "", "trixie"),
            mirror("http://c.example/debian", "", "trixie"),
        ];
        assert_eq!(parse_deb822(text), expected);
    }

    #[test]
    fn writes_a_source_for_another_suite() {
        let with_key = mirror("http://m.example/debian", "/k.gpg", "bookworm");
        assert_eq!(
            with_key.source_line("forky"),
            "deb [signed-by=/k.gpg] http://m.example/debian forky main\n"
        );
        let without = mirror("http://m.example/debian", "", "bookworm");
        assert_eq!(without.source_line("sid"), "deb http://m.example/debian sid main\n");
    }
}
