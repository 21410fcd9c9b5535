//! Which form of an order is meant, and which option is the best.

/// The integer that leaves the choice of the form to the scores.
pub const VARIANT_AUTO: i64 = -1;

/// The form of an order that a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariantChoice {
    /// This one.
    Index(usize),
    /// The allowed one with the highest score.
    Auto,
    /// There is no such form.
    Bad,
}

/// Reads what was asked for. `variants` is how many forms the definition lists; without any it is a simple one, which
/// has one form whatever was asked.
pub fn variant_choice(variants: usize, asked: i64) -> VariantChoice {
    match usize::try_from(asked) {
        _ if variants == 0 => VariantChoice::Index(0),
        Ok(index) if index < variants => VariantChoice::Index(index),
        Err(_) if asked == VARIANT_AUTO => VariantChoice::Auto,
        _ => VariantChoice::Bad,
    }
}

/// The place of the highest score, of several the first; `None` stands for what is not allowed.
pub fn best_of(scores: impl IntoIterator<Item = Option<f64>>) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (index, score) in scores.into_iter().enumerate() {
        let Some(score) = score else { continue };
        if best.is_none_or(|(_, highest)| score > highest) {
            best = Some((index, score));
        }
    }
    best.map(|(index, _)| index)
}

/// A score as it counts: 0 for a negative one and for what is no finite number.
pub fn sound_score(score: f64) -> f64 {
    if score.is_finite() && score > 0.0 { score } else { 0.0 }
}
