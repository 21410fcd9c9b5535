//! "Did you mean": the known name that looks most like a mistyped one.

/// The known name with the fewest edits, if there are few enough to be a slip; the first of equals.
pub fn closest_name<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).clamp(1, 4);
    let mut best: Option<(usize, &'a str)> = None;
    for candidate in known {
        let edits = edits(name, candidate);
        if edits <= limit && best.is_none_or(|(least, _)| edits < least) {
            best = Some((edits, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Characters to insert, delete or replace (Levenshtein); upper and lower case count as equal.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_its_name_and_a_stranger_none() {
        let known = ["Team.Red", "Team.Blue", "State.MovementBlocked"];
        assert_eq!(closest_name("Team.Rde", known), Some("Team.Red"));
        assert_eq!(closest_name("team.red", known), Some("Team.Red"));
        assert_eq!(closest_name("State.MovmentBlocked", known), Some("State.MovementBlocked"));
        assert_eq!(closest_name("Weapon.Sword", known), None);
        assert_eq!(closest_name("", known), None);
    }

    #[test]
    fn edits_are_counted() {
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "ab"), 2);
        assert_eq!(edits("ab", ""), 2);
    }
}
