//! What the world said, for a replay that does not depend on it.

/// The answers of one recording.
#[derive(Clone, Debug, Default)]
pub(super) enum Tape {
    /// Nobody asks for them.
    #[default]
    Off,
    /// They are written down.
    Recording(Vec<u8>),
    /// They are read; the index of the next one.
    Playing(Vec<u8>, usize),
}

impl Tape {
    /// The next answer of a recording.
    pub fn read(&mut self) -> Option<u8> {
        let Self::Playing(answers, next) = self else { return None };
        let answer = answers.get(*next).copied()?;
        *next += 1;
        Some(answer)
    }

    /// An answer that was found.
    pub fn write(&mut self, answer: u8) {
        if let Self::Recording(answers) = self {
            answers.push(answer);
        }
    }

    /// The recorded answer, else the one that the world gives.
    pub fn say(&mut self, world: impl FnOnce() -> bool) -> bool {
        let answer = self.read().map_or_else(world, |answer| answer != 0);
        self.write(u8::from(answer));
        answer
    }
}
