//! What the engine knows of a class, put together with what its help says.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use roxmltree::{Document, Node};

/// A class as its page shows it.
#[derive(Debug)]
pub struct Class {
    pub name: String,
    pub base: String,
    /// One sentence.
    pub brief: String,
    pub text: String,
    pub members: Vec<Entry>,
    pub methods: Vec<Entry>,
    pub signals: Vec<Entry>,
    pub constants: Vec<Entry>,
}

/// One property, method, signal or constant.
#[derive(Debug)]
pub struct Entry {
    pub name: String,
    /// As a script writes it: `advance(delta: float) -> void`.
    pub declaration: String,
    pub text: String,
}

/// What the help says of one class: itself, then each of its entries by kind and name.
struct Help<'a> {
    class: Node<'a, 'a>,
    entries: BTreeMap<(&'static str, &'a str), Node<'a, 'a>>,
}

const KINDS: [&str; 4] = ["member", "method", "signal", "constant"];

impl Class {
    /// `known`: what the engine wrote, without prose. `help`: what the library hands to the editor.
    pub fn read(known: &str, help: &str) -> Result<Self> {
        let known = Document::parse(known).context("what the engine wrote of a class")?;
        let help = Document::parse(help).context("the help of a class")?;
        let root = known.root_element();
        let help = Help::of(help.root_element());
        let entries = |kind: &'static str| {
            let all = root.descendants().filter(|node| node.has_tag_name(kind));
            all.map(|node| help.entry(kind, node)).collect()
        };
        let text = |tag: &str| child_text(help.class, tag);
        Ok(Self {
            name: attribute(root, "name").to_owned(),
            base: attribute(root, "inherits").to_owned(),
            brief: text("brief_description"),
            text: text("description"),
            members: entries("member"),
            methods: entries("method"),
            signals: entries("signal"),
            constants: entries("constant"),
        })
    }
}

impl<'a> Help<'a> {
    fn of(class: Node<'a, 'a>) -> Self {
        let kind_of = |node: &Node| KINDS.into_iter().find(|kind| node.has_tag_name(*kind));
        let entries =
            class.descendants().filter_map(|node| Some(((kind_of(&node)?, attribute(node, "name")), node)));
        Self { class, entries: entries.collect() }
    }

    fn entry(&self, kind: &'static str, node: Node) -> Entry {
        let name = attribute(node, "name").to_owned();
        let help = self.entries.get(&(kind, name.as_str()));
        // The text of a property or constant stands in its element itself.
        let text = help.map(|help| match kind {
            "member" | "constant" => help.text().unwrap_or_default().trim().to_owned(),
            _ => child_text(*help, "description"),
        });
        Entry { declaration: declaration(kind, node, help.copied()), name, text: text.unwrap_or_default() }
    }
}

fn declaration(kind: &str, node: Node, help: Option<Node>) -> String {
    let name = attribute(node, "name");
    match kind {
        "constant" => format!("{name} = {}", attribute(node, "value")),
        "member" => {
            let default = node.attribute("default").filter(|default| !default.is_empty());
            let default = default.map(|default| format!(" = {default}"));
            format!("{name}: {}{}", script_type(attribute(node, "type")), default.unwrap_or_default())
        }
        "signal" => format!("{name}({})", parameters(node, help)),
        _ => {
            let result = node.children().find(|child| child.has_tag_name("return"));
            let result =
                result.map_or_else(|| "void".to_owned(), |result| script_type(attribute(result, "type")));
            let word = attribute(node, "qualifiers").split(' ').find(|word| *word == "static");
            let word = word.map(|word| format!("{word} ")).unwrap_or_default();
            format!("{word}{name}({}) -> {result}", parameters(node, help))
        }
    }
}

fn parameters(node: Node, help: Option<Node>) -> String {
    let params = node.children().filter(|child| child.has_tag_name("param"));
    let texts = params.map(|param| {
        let name = attribute(param, "name");
        let named = help.and_then(|help| help.children().find(|child| child.attribute("name") == Some(name)));
        let kind = match attribute(param, "type") {
            // Objects come as Variants, so that wrong ones get a clear message: the help knows which are meant.
            "Variant" => named.and_then(|named| object_in(attribute(named, "type"))),
            _ => None,
        };
        let kind = kind.unwrap_or_else(|| script_type(attribute(param, "type")));
        let default = param.attribute("default").map(|default| format!(" = {default}"));
        format!("{name}: {kind}{}", default.unwrap_or_default())
    });
    texts.collect::<Vec<_>>().join(", ")
}

/// `Node` of `Optional < Node >`.
fn object_in(kind: &str) -> Option<String> {
    let kind: String = kind.split_whitespace().collect();
    Some(kind.strip_prefix("Optional<")?.strip_suffix('>')?.to_owned())
}

/// `Array[int]` of `int[]`.
fn script_type(kind: &str) -> String {
    kind.strip_suffix("[]").map_or_else(|| kind.to_owned(), |item| format!("Array[{item}]"))
}

fn attribute<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    node.attribute(name).unwrap_or_default()
}

fn child_text(node: Node, tag: &str) -> String {
    let child = node.children().find(|child| child.has_tag_name(tag));
    child.and_then(|child| child.text()).unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &str = r#"<class name="Guard" inherits="Node"><methods>
        <method name="aim" qualifiers="static"><return type="Node[]" /><param index="0" name="at" type="Variant" /><param index="1" name="n" type="int" default="3" /></method>
        <method name="_look" qualifiers="virtual"><return type="void" /></method></methods>
        <members><member name="reach" type="float" default="2.5"></member></members>
        <signals><signal name="seen"><param index="0" name="by" type="Node" /></signal></signals>
        <constants><constant name="FAR" value="4"></constant></constants></class>"#;
    const HELP: &str = r#"<class name="Guard" inherits="Node"><brief_description>Guards.</brief_description><description>More.</description>
        <methods><method name="aim"><param index="0" name="at" type="Optional &lt; Node3D &gt;" /><description>
        Aims.
        </description></method></methods><constants><constant name="FAR" value="x">Far off.</constant></constants>
        <members><member name="reach" type="f64">In metres.</member></members></class>"#;

    #[test]
    fn puts_declarations_and_texts_together() {
        let class = Class::read(KNOWN, HELP).expect("both are well-formed");
        assert_eq!((class.name.as_str(), class.base.as_str()), ("Guard", "Node"));
        assert_eq!((class.brief.as_str(), class.text.as_str()), ("Guards.", "More."));
        let told = |entries: &[Entry]| -> Vec<(String, String)> {
            entries.iter().map(|entry| (entry.declaration.clone(), entry.text.clone())).collect()
        };
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let aim = pair("static aim(at: Node3D, n: int = 3) -> Array[Node]", "Aims.");
        assert_eq!(told(&class.methods), [aim, pair("_look() -> void", "")]);
        assert_eq!(told(&class.members), [pair("reach: float = 2.5", "In metres.")]);
        assert_eq!(told(&class.signals), [pair("seen(by: Node)", "")]);
        assert_eq!(told(&class.constants), [pair("FAR = 4", "Far off.")]);
    }
}
