//! Inputs that nobody answers.

use glam::DVec2;
use riposte_core::graph::*;

use crate::rig::Rig;

/// What the walk says of an input, without doing it, is what becomes of it: also where nobody answers it and no walk is made.
#[test]
fn an_input_that_nobody_answers_is_dropped_as_a_walk_would() {
    let dropped = |rig: &mut Rig, tag, moment| {
        let mut run = rig.machine.explain(tag, moment, DVec2::ZERO, DVec2::ZERO);
        assert_eq!(run.poll(&rig.machine, &rig.world()), None);
        let Some(Explained::Input(wanted)) = run.result() else { panic!("an input") };
        let reply = rig.call(Call::Input(Press::new(tag, moment)));
        assert_eq!(reply, Reply::Input(wanted.result));
        assert_eq!(rig.machine.last_report(), Some(&*wanted));
        wanted.result
    };
    for stays in [true, false] {
        let mut rig = Rig::with(|plan, table| {
            table.intern("Input.Other").expect("a tag");
            plan.nodes[1].can_be_cancelled = true;
            plan.nodes[1].cancel_needs_root_move = stays;
        });
        let other = rig.table.intern("Input.Other").expect("a tag");
        for moment in [Moment::Pressed, Moment::Released, Moment::ReleasedEarly] {
            assert_eq!(dropped(&mut rig, other, moment), InputResult::Dropped);
        }
        rig.press(rig.attack);
        assert_eq!(dropped(&mut rig, other, Moment::Pressed), InputResult::Dropped);
        rig.advance(0.2);
        assert_eq!(dropped(&mut rig, other, Moment::Released), InputResult::Dropped);
        let cut = if stays { InputResult::Dropped } else { InputResult::Entered };
        assert_eq!(dropped(&mut rig, other, Moment::Pressed), cut);
        assert_eq!(rig.node(), if stays { "light_1" } else { ROOT });
        let lost = |effect: &Effect| matches!(effect, Effect::InputDropped { why: Drop::NoTransition, .. });
        assert_eq!(rig.count(lost), if stays { 6 } else { 5 });
    }
}
