use super::*;

fn failures(log: &str) -> Vec<Option<String>> {
    scan(log).tests.into_iter().map(|run| run.failure).collect()
}

#[test]
fn reads_passes_and_failures() {
    let report = scan(
        "BEGIN a.gd test_x\nPASS a.gd test_x\nBEGIN a.gd test_y\nFAIL a.gd test_y: is 1: no\n\
        1 passed, 1 failed\n",
    );
    assert!(report.closed && report.problems.is_empty());
    let y = TestRun { file: "a.gd".into(), test: "test_y".into(), failure: Some("is 1: no".into()) };
    assert_eq!(report.tests[0].failure, None);
    assert_eq!(report.tests[1], y);
}

#[test]
fn an_undeclared_message_overrules_a_pass() {
    for line in
        ["ERROR: bad", "USER ERROR: bad", "SCRIPT ERROR: bad", "WARNING: bad", "thread 'm' panicked at x.rs"]
    {
        let log = format!("BEGIN a.gd test_x\n{line}\n   at: f (a.cpp:1)\nPASS a.gd test_x\n");
        assert!(failures(&log)[0].is_some(), "{line}");
    }
}

#[test]
fn declared_messages_must_come_exactly_as_often() {
    let test = |declared: &str, times: usize| {
        let message = "ERROR: Guard (a/b): no such thing.\nSecond line.\n   at: f (a.cpp:1)\n";
        failures(&format!("BEGIN a.gd t\n{declared}\n{}PASS a.gd t\n", message.repeat(times))).remove(0)
    };
    assert_eq!(test("EXPECT error 1 no such thing", 1), None);
    assert_eq!(test("EXPECT error 1 thing. Second line", 1), None);
    assert_eq!(test("EXPECT error 2 no such", 2), None);
    assert!(test("EXPECT error 2 no such", 1).is_some());
    assert!(test("EXPECT error 1 no such", 2).is_some());
    assert!(test("EXPECT error 1 another", 1).is_some());
    assert!(test("EXPECT warning 1 no such", 1).is_some());
    assert!(test("EXPECT error 1 no such", 0).is_some());
}

#[test]
fn two_declarations_share_what_fits_both() {
    let log = "BEGIN a.gd t\nEXPECT error 1 no\nEXPECT error 1 no b\nERROR: no b\nERROR: no b\nPASS a.gd t\n";
    assert_eq!(failures(log), [None]);
}

#[test]
fn a_script_error_cannot_be_declared() {
    let log = "BEGIN a.gd t\nEXPECT error 1 bad\nSCRIPT ERROR: bad\n   at: f (a.gd:1)\nPASS a.gd t\n";
    assert!(failures(log)[0].is_some());
}

#[test]
fn a_crash_fails_the_open_test() {
    let report = scan("BEGIN a.gd t\nhandle_crash: Program crashed with signal 11\n");
    assert!(!report.closed);
    assert!(report.tests[0].failure.as_deref().is_some_and(|why| why.contains("signal 11")));
    let report = scan("BEGIN a.gd t\nBEGIN a.gd u\nPASS a.gd u\n0 passed, 1 failed");
    assert!(report.tests[0].failure.is_some() && report.tests[1].failure.is_none());
}

#[test]
fn errors_and_leaks_outside_tests_are_problems() {
    let log = "ERROR: 3 resources still in use at exit.\n   at: clear (resource.cpp:1)\n\
        WARNING: ObjectDB instances leaked at exit.\n     at: cleanup (object.cpp:2)\n\
        Leaked instance: GDScriptFunctionState:7 - Reference count: 1\n\
        WARNING: Perception (A): odd.\n     at: warn (rust/godot/src/base/messages.rs:3)\n\
        WARNING: Could not set V-Sync mode.\n     at: set (gl.cpp:4)\n\
        \u{1b}[1mERROR: \u{1b}[0mcoloured\n";
    let found = problems(log);
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(found[2].contains("GDScriptFunctionState") && found[4].contains("coloured"));
}

#[test]
fn a_leak_names_the_test_that_made_it() {
    let id = |number: u64| (number << 24) | 5 | (1 << 63);
    let log = format!(
        "BEGIN a.gd test_x\nOBJECTS 10\nPASS a.gd test_x\nBEGIN a.gd test_y\nOBJECTS 20\nPASS a.gd test_y\n2 passed, 0 failed\n\
        Leaked instance: RefCounted:{} - Reference count: 0\nLeaked instance: Node:{}\nLeaked instance: RefCounted:{} - Reference count: 1\n",
        id(19),
        20u64 << 24,
        id(9)
    );
    let problems = scan(&log).problems;
    assert!(problems[0].ends_with("count: 0 (made during a.gd test_x)"), "{}", problems[0]);
    assert!(problems[1].ends_with(" (made during a.gd test_y)"), "{}", problems[1]);
    assert!(problems[2].ends_with("count: 1"), "{}", problems[2]);
}

#[test]
fn what_the_loader_forgets_is_excused_only_where_a_test_loads_on_threads() {
    let leaks = |says: &str, leaked: &str| {
        let log = format!(
            "BEGIN a.gd test_x\nOBJECTS 10\n{says}PASS a.gd test_x\n1 passed, 0 failed\n\
            WARNING: ObjectDB instances leaked at exit (run with --verbose for details).\n   at: cleanup (core/object/object.cpp:2663)\n\
            {leaked}"
        );
        scan(&log).problems.len()
    };
    let id = (12_u64 << 24) | 5 | (1 << 63);
    let token = format!("Leaked instance: RefCounted:{id} - Reference count: 0\n");
    let held = format!("Leaked instance: RefCounted:{id} - Reference count: 1\n");
    let other = format!("Leaked instance: Resource:{id} - Reference count: 0\n");
    assert_eq!(leaks("LOADS on threads\n", &token), 0);
    assert_eq!(leaks("", &token), 2);
    assert_eq!(leaks("LOADS on threads\n", &held), 2);
    assert_eq!(leaks("LOADS on threads\n", &other), 2);
    assert_eq!(leaks("LOADS on threads\n", &format!("{token}{held}")), 2);
    assert_eq!(leaks("LOADS on threads\n", ""), 1);
}

#[test]
fn a_busy_machine_fails_no_test() {
    let log = |place: &str| {
        failures(&format!("BEGIN a.gd t\nWARNING: too many jobs\n     at: f ({place}:1)\nPASS a.gd t\n"))
            .remove(0)
    };
    assert_eq!(log("modules/jolt_physics/jolt_job_system.cpp"), None);
    assert!(log("modules/jolt_physics/other.cpp").is_some());
}
