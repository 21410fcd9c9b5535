//! The truth table: every entry point in every phase, column by column; and the rules beyond it.

use super::notation::{column, rules};
use super::play::check;

#[test]
fn table_of_idle() {
    check(&column("idle"));
}

#[test]
fn table_of_cancelable() {
    check(&column("cancelable"));
}

#[test]
fn table_of_non_cancelable() {
    check(&column("non_cancelable"));
}

#[test]
fn table_of_cancelling() {
    check(&column("cancelling"));
}

#[test]
fn table_of_retry_wait() {
    check(&column("retry_wait"));
}

#[test]
fn table_of_retry_wait_non_cancelable() {
    check(&column("retry_wait_non_cancelable"));
}

#[test]
fn table_of_held() {
    check(&column("held"));
}

#[test]
fn table_of_handover() {
    check(&column("handover"));
}

#[test]
fn table_of_suspending() {
    check(&column("suspending"));
}

#[test]
fn table_of_answers_later() {
    check(&column("answers_later"));
}

#[test]
fn rules_of_planned_retry() {
    check(&rules("planned_retry"));
}

#[test]
fn rules_of_decided_once() {
    check(&rules("decided_once"));
}

#[test]
fn rules_of_equal_requests() {
    check(&rules("equal_requests"));
}

#[test]
fn rules_of_endless() {
    check(&rules("endless"));
}

#[test]
fn rules_of_suspension() {
    check(&rules("suspension"));
}

#[test]
fn rules_of_targets() {
    check(&rules("targets"));
}

#[test]
fn rules_of_off() {
    check(&rules("off"));
}

#[test]
fn rules_of_numbers() {
    check(&rules("numbers"));
}

#[test]
fn rules_of_starts_in_a_row() {
    check(&rules("starts_in_a_row"));
}

#[test]
fn rules_of_from_inside() {
    check(&rules("from_inside"));
}
