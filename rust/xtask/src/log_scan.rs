//! Reads a Godot log: which tests ran, and which error lines nobody declared.
//!
//! It does not trust the runner inside the engine: leaks are printed after the runner is gone, and a crash ends it.

/// A test as the log tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestRun {
    /// `test_name.gd`.
    pub file: String,
    /// The method.
    pub test: String,
    /// Why it failed; none if it passed.
    pub failure: Option<String>,
}

/// What a log holds.
#[derive(Debug, Default)]
pub struct Report {
    /// The tests in the order in which they ran.
    pub tests: Vec<TestRun>,
    /// Errors outside every test, leaks at exit included.
    pub problems: Vec<String>,
    /// Whether the runner wrote its closing line.
    pub closed: bool,
}

/// A line that begins an engine message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Error,
    Warning,
    Script,
    Panic,
}

struct Message {
    kind: Kind,
    text: String,
    /// What the `at:` line says.
    place: String,
}

struct Declared {
    kind: Kind,
    text: String,
    count: usize,
    seen: usize,
}

struct Open {
    file: String,
    test: String,
    declared: Vec<Declared>,
    messages: Vec<Message>,
}

/// How a verbose engine begins a line about an object that is left at its end.
const LEAKED: &str = "Leaked instance: ";

/// How a verbose engine ends a line about what its loader on threads forgets now and then: the request drops its reference
/// before the thread drops the last one by hand, and nobody frees it then (godotengine/godot#118824 tells how).
const FORGOTTEN_TOKEN: (&str, &str) = ("Leaked instance: RefCounted:", " - Reference count: 0");
/// Said once before all such lines.
const LEAKS_FOLLOW: &str = "ObjectDB instances leaked at exit";
/// The file of the engine in which its physics says that it waits for a processor, on a machine that is busy.
const WAITS_FOR_A_PROCESSOR: &str = "jolt_job_system.cpp";

/// Which test began at which number of an object, in order.
#[derive(Default)]
struct Births {
    tests: Vec<(u64, String)>,
    /// Tests that said that they load on threads.
    loading: Vec<String>,
}

impl Births {
    /// The test during which the object of a leak was made. The engine counts objects in the bits of an instance id above the
    /// place in its table; the highest bit says that it is a RefCounted.
    fn of_leak(&self, line: &str) -> Option<&str> {
        let digits = line.strip_prefix(LEAKED)?.split([':', ' ']).nth(1)?;
        let number = (digits.parse::<u64>().ok()? & !(1 << 63)) >> 24;
        let after = self.tests.partition_point(|(begin, _)| *begin <= number);
        let (_, test) = self.tests.get(after.checked_sub(1)?)?;
        Some(test)
    }

    /// True for what the engine forgets of its own when a test loads on threads.
    fn is_of_the_engine(&self, line: &str) -> bool {
        let (begin, end) = FORGOTTEN_TOKEN;
        let loads = |test: &str| self.loading.iter().any(|loading| loading == test);
        line.starts_with(begin) && line.trim_end().ends_with(end) && self.of_leak(line).is_some_and(loads)
    }
}

/// Reads a whole log.
pub fn scan(log: &str) -> Report {
    let mut report = Report::default();
    let mut open: Option<Open> = None;
    let mut births = Births::default();
    let (mut leaks, mut excused) = (0, 0);
    let mut lines = log.lines().map(without_colours).peekable();
    while let Some(line) = lines.next() {
        if let Some((kind, first)) = message_start(&line) {
            let mut message = Message { kind, text: first.to_owned(), place: String::new() };
            // The text may have several lines; the place ends it.
            while let Some(next) = lines.peek() {
                if let Some(place) = next.trim_start().strip_prefix("at: ") {
                    message.place = place.to_owned();
                    lines.next();
                    break;
                }
                if kind == Kind::Panic || message_start(next).is_some() || runner_line(next).is_some() {
                    break;
                }
                message.text.push(' ');
                message.text.push_str(next.trim());
                lines.next();
            }
            match &mut open {
                Some(_) if message.place.contains(WAITS_FOR_A_PROCESSOR) => {}
                Some(test) => test.messages.push(message),
                None => report.problems.extend(outside(message)),
            }
            continue;
        }
        match runner_line(&line) {
            Some(RunnerLine::Begin { file, test }) => {
                report.tests.extend(open.take().map(unfinished));
                open = Some(Open { file, test, declared: Vec::new(), messages: Vec::new() });
            }
            Some(RunnerLine::Expect(declared)) => {
                if let Some(test) = &mut open {
                    test.declared.push(declared);
                }
            }
            Some(RunnerLine::End(run)) => report.tests.push(finished(run, open.take())),
            Some(RunnerLine::Closing) => report.closed = true,
            Some(RunnerLine::Objects(number)) => {
                let test = open.as_ref().map(|test| format!("{} {}", test.file, test.test));
                births.tests.extend(test.map(|test| (number, test)));
            }
            Some(RunnerLine::LoadsOnThreads) => {
                births.loading.extend(open.as_ref().map(|test| format!("{} {}", test.file, test.test)));
            }
            None if open.is_none() && births.is_of_the_engine(&line) => excused += 1,
            None if open.is_none() && line.starts_with(LEAKED) => {
                leaks += 1;
                let born = births.of_leak(&line).map(|test| format!(" (made during {test})"));
                report.problems.push(line + &born.unwrap_or_default());
            }
            None => {}
        }
    }
    report.tests.extend(open.take().map(unfinished));
    if excused > 0 && leaks == 0 {
        report.problems.retain(|problem| !problem.contains(LEAKS_FOLLOW));
    }
    report
}

/// The messages of a run without tests that a reader must see: errors, and warnings of our own.
pub fn problems(log: &str) -> Vec<String> {
    scan(log).problems
}

/// Whether a line begins a message of the engine.
pub fn is_message(line: &str) -> bool {
    message_start(line).is_some()
}

fn message_start(line: &str) -> Option<(Kind, &str)> {
    const STARTS: [(&str, Kind); 8] = [
        ("ERROR: ", Kind::Error),
        ("USER ERROR: ", Kind::Error),
        ("SHADER ERROR: ", Kind::Error),
        ("SCRIPT ERROR: ", Kind::Script),
        ("USER SCRIPT ERROR: ", Kind::Script),
        ("WARNING: ", Kind::Warning),
        ("USER WARNING: ", Kind::Warning),
        ("handle_crash: ", Kind::Panic),
    ];
    let found = STARTS.iter().find_map(|(start, kind)| line.strip_prefix(start).map(|text| (*kind, text)));
    if found.is_none() && line.contains("panicked at") {
        return Some((Kind::Panic, line));
    }
    found
}

enum RunnerLine {
    Begin {
        file: String,
        test: String,
    },
    /// The number of the newest object when the test that was announced begins.
    Objects(u64),
    LoadsOnThreads,
    Expect(Declared),
    End(TestRun),
    Closing,
}

fn runner_line(line: &str) -> Option<RunnerLine> {
    let (word, rest) = line.split_once(' ')?;
    match word {
        "BEGIN" => {
            let (file, test) = rest.split_once(' ')?;
            Some(RunnerLine::Begin { file: file.to_owned(), test: test.to_owned() })
        }
        "LOADS" if rest == "on threads" => Some(RunnerLine::LoadsOnThreads),
        "OBJECTS" => Some(RunnerLine::Objects(rest.parse().ok()?)),
        "EXPECT" => {
            let mut parts = rest.splitn(3, ' ');
            let kind = match parts.next()? {
                "error" => Kind::Error,
                "warning" => Kind::Warning,
                _ => return None,
            };
            let count = parts.next()?.parse().ok()?;
            Some(RunnerLine::Expect(Declared { kind, text: parts.next()?.to_owned(), count, seen: 0 }))
        }
        "PASS" => {
            let (file, test) = rest.split_once(' ')?;
            let run = TestRun { file: file.to_owned(), test: test.to_owned(), failure: None };
            Some(RunnerLine::End(run))
        }
        "FAIL" => {
            let (name, why) = rest.split_once(": ")?;
            let (file, test) = name.split_once(' ')?;
            let failure = Some(why.to_owned());
            Some(RunnerLine::End(TestRun { file: file.to_owned(), test: test.to_owned(), failure }))
        }
        _ if is_closing(line) => Some(RunnerLine::Closing),
        _ => None,
    }
}

/// `N passed, N failed`.
fn is_closing(line: &str) -> bool {
    let number = |text: &str, word: &str| text.strip_suffix(word).is_some_and(|n| n.parse::<u32>().is_ok());
    line.split_once(", ")
        .is_some_and(|(passed, failed)| number(passed, " passed") && number(failed, " failed"))
}

fn unfinished(open: Open) -> TestRun {
    let why = open.messages.last().map(|message| format!(": {}", message.text)).unwrap_or_default();
    let failure = Some(format!("the run ended in the middle of this test{why}"));
    TestRun { file: open.file, test: open.test, failure }
}

/// What the runner said, overruled by what the log shows.
fn finished(run: TestRun, open: Option<Open>) -> TestRun {
    let Some(open) = open.filter(|_| run.failure.is_none()) else {
        return run;
    };
    let found = undeclared(open);
    let failure = if found.is_empty() { None } else { Some(found.join("; ")) };
    TestRun { failure, ..run }
}

fn undeclared(mut open: Open) -> Vec<String> {
    let mut found = Vec::new();
    for message in &open.messages {
        let mut fitting: Vec<&mut Declared> = open
            .declared
            .iter_mut()
            .filter(|declared| declared.kind == message.kind && message.text.contains(&declared.text))
            .collect();
        // With two declarations that fit, the one that is still waiting takes it.
        let at = fitting.iter().position(|declared| declared.seen < declared.count).unwrap_or(0);
        match fitting.get_mut(at) {
            Some(declared) => declared.seen += 1,
            None => found.push(format!("in the log: {} ({})", message.text, message.place)),
        }
    }
    for declared in open.declared.iter().filter(|declared| declared.seen != declared.count) {
        found.push(format!(
            "in the log \"{}\" came {} times, declared {}",
            declared.text, declared.seen, declared.count
        ));
    }
    found
}

/// A message outside every test, unless it is a warning of the engine about something else than a leak.
fn outside(message: Message) -> Option<String> {
    let ours = message.place.contains("rust/godot/") || message.place.contains("rust\\godot\\");
    let harmless = message.kind == Kind::Warning && !ours && !message.text.contains("leaked");
    (!harmless).then(|| match message.place.is_empty() {
        true => message.text.clone(),
        false => format!("{} ({})", message.text, message.place),
    })
}

/// The line without terminal colour codes.
pub fn without_colours(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            characters.by_ref().find(char::is_ascii_alphabetic);
        } else {
            text.push(character);
        }
    }
    text
}

#[cfg(test)]
#[path = "log_scan_tests.rs"]
mod tests;
