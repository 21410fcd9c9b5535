//! The markup of the editor's class help as Markdown.

use std::collections::BTreeSet;

/// Turns texts of one class into Markdown.
pub struct Markup<'a> {
    /// All classes that have a page.
    pub classes: &'a BTreeSet<String>,
}

impl Markup<'_> {
    /// A text of the help.
    pub fn convert(&self, text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, tag, after)) = next_tag(rest) {
            out.push_str(&escaped(before));
            rest = after;
            let (name, value) = tag.split_once(' ').unwrap_or((tag, ""));
            let until = |end: &str| after.split_once(end);
            match name {
                "code" => {
                    let (code, behind) = until("[/code]").unwrap_or((after, ""));
                    out.push_str(&format!("`{code}`"));
                    rest = behind;
                }
                "codeblock" => {
                    let (code, behind) = until("[/codeblock]").unwrap_or((after, ""));
                    let language = value.strip_prefix("lang=").unwrap_or("gdscript");
                    out.push_str(&format!("\n\n```{language}\n{}\n```\n\n", code.trim_matches('\n')));
                    rest = behind;
                }
                "br" => out.push_str("\n\n"),
                "b" | "/b" => out.push_str("**"),
                "i" | "/i" => out.push('*'),
                "param" => out.push_str(&format!("`{value}`")),
                "member" | "method" | "signal" | "constant" | "enum" | "theme_item" => {
                    out.push_str(&self.link(value, name == "method"));
                }
                _ if is_class_name(tag) => out.push_str(&self.class(tag)),
                _ => out.push_str(&escaped(&format!("[{tag}]"))),
            }
        }
        out.push_str(&escaped(rest));
        tidied(&out)
    }

    /// A class, with a link if it has a page.
    pub fn class(&self, name: &str) -> String {
        if self.classes.contains(name) { format!("[{name}]({name}.md)") } else { format!("`{name}`") }
    }

    fn link(&self, value: &str, calls: bool) -> String {
        let ending = if calls { "()" } else { "" };
        match value.split_once('.') {
            Some((class, member)) if self.classes.contains(class) => {
                format!("[`{value}{ending}`]({class}.md#{})", member.to_lowercase())
            }
            // A class of the engine.
            Some(_) => format!("`{value}{ending}`"),
            None => format!("[`{value}{ending}`](#{})", value.to_lowercase()),
        }
    }
}

fn next_tag(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('[')?;
    let (tag, after) = rest.split_once(']')?;
    Some((before, tag, after))
}

fn is_class_name(tag: &str) -> bool {
    tag.starts_with(|first: char| first.is_ascii_uppercase())
        && tag.chars().all(|character| character.is_ascii_alphanumeric() || character == '_')
}

/// Text without tags: what Markdown would take for its own is marked.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '*' | '_' | '<' | '>' | '[' | ']' | '`' | '|') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

/// At most one empty line in a row, none at the ends.
fn tidied(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.trim().lines() {
        empty = if line.trim().is_empty() { empty + 1 } else { 0 };
        if empty < 2 {
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(text: &str) -> String {
        let classes = BTreeSet::from(["Guard".to_owned()]);
        Markup { classes: &classes }.convert(text)
    }

    #[test]
    fn links_what_has_a_page() {
        assert_eq!(converted("A [Guard], a [Node]."), "A [Guard](Guard.md), a `Node`.");
        assert_eq!(converted("See [method look_at]."), "See [`look_at()`](#look_at).");
        assert_eq!(converted("[member Guard.reach]"), "[`Guard.reach`](Guard.md#reach)");
        assert_eq!(converted("[method Object.call_deferred]"), "`Object.call_deferred()`");
        assert_eq!(converted("[constant FAR] of [param at]"), "[`FAR`](#far) of `at`");
    }

    #[test]
    fn keeps_code_and_marks_the_rest() {
        assert_eq!(converted("[code]END_*[/code] and END_* < 3"), "`END_*` and END\\_\\* \\< 3");
        assert_eq!(converted("one[br][br]two [b]bold[/b] [i]so[/i]"), "one\n\ntwo **bold** *so*");
        assert_eq!(
            converted("Do:[br][br][codeblock lang=gdscript]var a := [1][/codeblock][br]x"),
            "Do:\n\n```gdscript\nvar a := [1]\n```\n\nx"
        );
        assert_eq!(converted("a [0, 1] range"), "a \\[0, 1\\] range");
    }
}
