//! Each scene of the demo must go the same way in two runs and in both builds.

use anyhow::{Result, bail};

use super::tally::Tally;
use crate::engine::Engine;
use crate::library::Build;
use crate::{demo, godot};

/// Imports the demo from nothing with each library and compares the events of three runs of each scene.
pub fn compare(tally: &mut Tally, engine: &Engine) {
    let mut plays: Vec<Vec<Vec<String>>> = demo::SCENES.iter().map(|_| Vec::new()).collect();
    for (build, times) in [(Build::Debug, 2), (Build::Release, 1)] {
        let name = build.name();
        let project = tally.check(&format!("demo imports with the {name} library"), || {
            let project = godot::copy_project("demo-project", build, false)?;
            godot::import(engine, &project)?;
            Ok(project)
        });
        let Some(project) = project else {
            continue;
        };
        for (scene, plays) in demo::SCENES.iter().zip(&mut plays) {
            for _ in 0..times {
                let title = format!("demo {} plays ({name})", scene.number);
                plays.extend(tally.check(&title, || demo::play(engine, &project, scene, |_| {})));
            }
        }
    }
    for (scene, plays) in demo::SCENES.iter().zip(&plays) {
        if let [first, second, release] = &plays[..] {
            let title = |what: &str| format!("log of demo {}: {what} are the same", scene.number);
            tally.check(&title("two runs"), || same(first, second));
            tally.check(&title("debug and release"), || same(first, release));
        }
    }
}

fn same(a: &[String], b: &[String]) -> Result<()> {
    for number in 0..a.len().max(b.len()) {
        let (left, right) = (a.get(number), b.get(number));
        if left != right {
            let show =
                |line: Option<&String>| line.map_or("nothing".to_owned(), |line| format!("\"{line}\""));
            bail!("line {} is {} in one and {} in the other", number + 1, show(left), show(right));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_first_difference() {
        let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert!(same(&lines("a b"), &lines("a b")).is_ok());
        assert!(same(&lines("a b"), &lines("a c")).unwrap_err().to_string().contains("line 2"));
        assert!(same(&lines("a b"), &lines("a")).is_err());
    }
}
