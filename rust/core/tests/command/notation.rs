//! The notation of the worked examples and of the truth table, read from `tests/godot/fixtures/commands`.
//!
//! A line is `set-up ‖ steps | results`, set-up steps separated by commas, the others and their results by semicolons.
//! Steps: `issue A`, `enq A`, `next A`, `intr A` (`by source`), `S` `F` `C` reports of the current execution, `S#1` one
//! with an execution id; `cancel`, `cancel A`, `skip`, `clearq`, `clear`, `rm 0`, `rm 0 2`, `free t`, `tick 0.5`, `mark`
//! (the execution lets itself be cancelled), `enable`, `disable`, `leave`, `max 2`, `only ai`, `fill 64` (orders that
//! succeed at once), `when WORD: STEP` (the step is made once, from inside the hook or handler that writes the word; its
//! answer stands in brackets).
//! Orders bear their marks at first mention: `~` answers only when told, `!` non-cancelable, `=` and `≠` succeed and fail
//! inside the start hook, `+` cancelled counts as success, `>` a failure lets the queue go on, `∞` `∞w` `∞r` endless,
//! `/2` retries, `(t)` target with `s` succeeds, `c` continues, `r` finds another when it is lost, `f` a waiting order that
//! is no longer legal is a failure, `.2` time limit, `@` an equal request restarts.
//! A result is the answer and the words of the log.

/// An entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    Issue,
    Enqueue,
    Next,
    Interrupt,
}

/// What an execution reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    Succeeded,
    Failed,
    Cancelled,
}

/// What queueing behind an endless order does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endless {
    End,
    Wait,
    Reject,
}

/// What an order does when its target is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    Fail,
    Continue,
    Succeed,
    Retarget,
}

/// How an execution behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Behavior {
    /// Answers a cancel at once.
    #[default]
    Plain,
    /// Answers only when told.
    Later,
    /// Succeeds in its start hook.
    Succeeds,
    /// Fails in its start hook.
    Fails,
}

/// A definition with its marks.
#[derive(Clone, Debug, Default)]
pub struct Order {
    pub name: String,
    pub behavior: Behavior,
    pub fixed: bool,
    pub cancelled_is_success: bool,
    pub failure_goes_on: bool,
    pub endless: Option<Endless>,
    pub retries: u32,
    pub retry_delay: f64,
    pub target: Option<char>,
    pub lost: Option<Lost>,
    pub invalid_fails: bool,
    pub time_limit: f64,
    pub restarts: bool,
    pub source: String,
}

/// A step of a line.
#[derive(Clone, Debug)]
pub enum Step {
    Submit(Entry, Order),
    Report(Report, Option<u64>),
    Cancel(Option<String>),
    Skip,
    ClearQueue,
    Clear,
    RemoveAt(i64),
    RemoveRange(i64, i64),
    Free(char),
    Tick(f64),
    Mark,
    Enable(bool),
    Leave,
    Max(usize),
    Only(String),
    Fill(usize),
    When(String, Box<Step>),
}

/// A line with what it is to cause.
#[derive(Clone, Debug)]
pub struct Line {
    pub label: String,
    pub set_up: Vec<Step>,
    pub steps: Vec<Step>,
    pub results: Vec<String>,
    pub state: Option<String>,
}

/// The lines of a worked example.
pub fn example(number: u32) -> Vec<Line> {
    let text = include_str!("../../../../tests/godot/fixtures/commands/examples.txt");
    let lines = plain_lines(text).filter_map(|line| {
        let (id, rest) = line.split_once('|')?;
        (id.trim() == number.to_string()).then_some((line, rest))
    });
    lines
        .map(|(line, rest)| {
            let (steps, results) = rest.split_once('|').expect("steps | results");
            let (set_up, steps) = steps.split_once('‖').expect("set-up ‖ steps");
            Line {
                label: line.to_owned(),
                set_up: steps_of(set_up, ','),
                steps: steps_of(steps, ';'),
                results: results_of(results),
                state: None,
            }
        })
        .collect()
}

/// The cells of a column of the truth table.
pub fn column(name: &str) -> Vec<Line> {
    group(include_str!("../../../../tests/godot/fixtures/commands/table.txt"), name)
}

/// The lines of a group of rules.
pub fn rules(name: &str) -> Vec<Line> {
    group(include_str!("../../../../tests/godot/fixtures/commands/rules.txt"), name)
}

fn group(text: &str, name: &str) -> Vec<Line> {
    let mut lines = plain_lines(text).skip_while(|line| !line.starts_with(&format!("[{name}]")));
    let head = lines.next().expect("a group of this name");
    let common = head.split_once(']').expect("[name] steps").1;
    lines
        .take_while(|line| !line.starts_with('['))
        .map(|line| {
            let cells: Vec<&str> = line.split('|').collect();
            let [steps, results, state] = cells[..] else { panic!("three cells: {line}") };
            let (own, steps) = steps.split_once('‖').unwrap_or(("", steps));
            let mut set_up = steps_of(common, ',');
            set_up.extend(steps_of(own, ','));
            Line {
                label: format!("[{name}] {line}"),
                set_up,
                steps: steps_of(steps, ';'),
                results: results_of(results),
                state: Some(state.trim().to_owned()),
            }
        })
        .collect()
}

fn plain_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn results_of(text: &str) -> Vec<String> {
    text.split(';').map(|result| result.trim().to_owned()).collect()
}

fn steps_of(text: &str, separator: char) -> Vec<Step> {
    let steps = text.split(separator).map(str::trim).filter(|step| !step.is_empty());
    steps.map(Step::read).collect()
}

impl Step {
    /// Reads a step.
    pub fn read(text: &str) -> Self {
        if let Some(rest) = text.strip_prefix("when ") {
            let (word, step) = rest.split_once(": ").expect("when WORD: STEP");
            return Self::When(word.to_owned(), Box::new(Self::read(step)));
        }
        let words: Vec<&str> = text.split(' ').collect();
        let number = |at: usize| words[at].parse::<i64>().expect("a number");
        match words[0] {
            "issue" => Self::Submit(Entry::Issue, Order::read(&words[1..])),
            "enq" => Self::Submit(Entry::Enqueue, Order::read(&words[1..])),
            "next" => Self::Submit(Entry::Next, Order::read(&words[1..])),
            "intr" => Self::Submit(Entry::Interrupt, Order::read(&words[1..])),
            "cancel" => Self::Cancel(words.get(1).map(|&name| name.to_owned())),
            "skip" => Self::Skip,
            "clearq" => Self::ClearQueue,
            "clear" => Self::Clear,
            "rm" if words.len() == 3 => Self::RemoveRange(number(1), number(2)),
            "rm" => Self::RemoveAt(number(1)),
            "free" => Self::Free(words[1].chars().next().expect("a target")),
            "tick" => Self::Tick(words[1].parse().expect("seconds")),
            "mark" => Self::Mark,
            "enable" => Self::Enable(true),
            "disable" => Self::Enable(false),
            "leave" => Self::Leave,
            "max" => Self::Max(number(1) as usize),
            "only" => Self::Only(words[1].to_owned()),
            "fill" => Self::Fill(number(1) as usize),
            report => Self::read_report(report),
        }
    }

    fn read_report(text: &str) -> Self {
        let (letter, id) = match text.split_once('#') {
            Some((letter, id)) => (letter, Some(id.parse().expect("an execution id"))),
            None => (text, None),
        };
        let report = match letter {
            "S" => Report::Succeeded,
            "F" => Report::Failed,
            "C" => Report::Cancelled,
            other => panic!("no step \"{other}\""),
        };
        Self::Report(report, id)
    }
}

impl Order {
    /// Reads `A~/1 (retry_delay 0.5) by ai`.
    pub fn read(words: &[&str]) -> Self {
        let mut order = Self::marked(words[0]);
        let mut rest = words[1..].iter();
        while let Some(&word) = rest.next() {
            let value = *rest.next().expect("a value");
            match word {
                "(retry_delay" => order.retry_delay = value.trim_end_matches(')').parse().expect("seconds"),
                "by" => order.source = value.to_owned(),
                other => panic!("no word \"{other}\""),
            }
        }
        order
    }

    fn marked(text: &str) -> Self {
        let mut marks = text.chars().peekable();
        let mut order = Self { name: marks.next().expect("a name").to_string(), ..Self::default() };
        while let Some(mark) = marks.next() {
            match mark {
                '~' => order.behavior = Behavior::Later,
                '=' => order.behavior = Behavior::Succeeds,
                '≠' => order.behavior = Behavior::Fails,
                '!' => order.fixed = true,
                '+' => order.cancelled_is_success = true,
                '>' => order.failure_goes_on = true,
                '@' => order.restarts = true,
                '∞' => {
                    order.endless = Some(match marks.next_if(|&next| next == 'w' || next == 'r') {
                        Some('w') => Endless::Wait,
                        Some(_) => Endless::Reject,
                        None => Endless::End,
                    });
                }
                '/' => order.retries = digit(marks.next()),
                '.' => order.time_limit = f64::from(digit(marks.next())),
                '(' => {
                    order.target = marks.next();
                    assert_eq!(marks.next(), Some(')'), "{text}");
                    match marks.next_if(|next| "scrf".contains(*next)) {
                        Some('s') => order.lost = Some(Lost::Succeed),
                        Some('c') => order.lost = Some(Lost::Continue),
                        Some('r') => order.lost = Some(Lost::Retarget),
                        Some(_) => order.invalid_fails = true,
                        None => {}
                    }
                }
                other => panic!("no mark \"{other}\" in {text}"),
            }
        }
        order
    }
}

fn digit(mark: Option<char>) -> u32 {
    mark.and_then(|digit| digit.to_digit(10)).expect("a digit")
}
