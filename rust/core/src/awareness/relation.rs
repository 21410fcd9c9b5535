//! What a target is to an agent.

use crate::tags::{TagId, TagSet, TagTable};

use super::kinds::Relationship;
use super::profile::RelationRules;

/// Who says what a target is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RelationSource {
    /// A script's override.
    Override,
    /// `get_relationship_to` of the agent or a child of it.
    Adapter,
    /// A list of tags.
    Tags,
    /// The team rule.
    Team,
    /// Damage.
    TurnedHostile,
    /// The profile's default.
    #[default]
    Default,
}

/// What tags say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByTags {
    /// The target has no source, so its tags must be asked for.
    Unknown,
    Nothing,
    Says(Relationship, RelationSource),
}

impl RelationRules {
    /// False if tags cannot say anything.
    pub fn use_tags(&self) -> bool {
        let lists = [&self.teammate, &self.friendly, &self.hostile, &self.neutral];
        self.team_root.is_some() || lists.iter().any(|list| !list.is_empty())
    }

    /// What tags say: the lists in their order, then the team rule.
    pub fn by_tags(
        &self,
        own: &TagSet,
        other: &TagSet,
        table: &TagTable,
    ) -> Option<(Relationship, RelationSource)> {
        use Relationship::{Friendly, Hostile, Neutral, Teammate};
        let lists = [
            (&self.teammate, Teammate),
            (&self.friendly, Friendly),
            (&self.hostile, Hostile),
            (&self.neutral, Neutral),
        ];
        let listed = lists.into_iter().find(|(list, _)| other.matches_any(list));
        if let Some((_, relationship)) = listed {
            return Some((relationship, RelationSource::Tags));
        }
        self.by_team(own, other, table).map(|relationship| (relationship, RelationSource::Team))
    }

    /// Both hold tags below the root: one in common makes teammates, none enemies. A team's own subdivisions count as
    /// the team.
    fn by_team(&self, own: &TagSet, other: &TagSet, table: &TagTable) -> Option<Relationship> {
        let root = self.team_root?;
        if !own.matches(root) || !other.matches(root) {
            return None;
        }
        let teams = |tag: &TagId| {
            let lineage = table.lineage(*tag);
            &lineage[..lineage.iter().position(|above| *above == root).unwrap_or(0)]
        };
        if other.tags().iter().all(|tag| teams(tag).is_empty()) {
            return None;
        }
        let mut own_teams = own.tags().iter().flat_map(teams).peekable();
        own_teams.peek()?;
        let common = own_teams.any(|team| other.matches(*team));
        Some(if common { Relationship::Teammate } else { Relationship::Hostile })
    }

    /// The first answer: override, adapter, tags, damage, default. Damage turns only those that would be unknown or
    /// neutral.
    pub fn relate(
        &self,
        overriding: Option<Relationship>,
        adapter: Option<Relationship>,
        by_tags: Option<(Relationship, RelationSource)>,
        turned_hostile: bool,
    ) -> (Relationship, RelationSource) {
        if let Some(relationship) = overriding {
            return (relationship, RelationSource::Override);
        }
        if let Some(relationship) = adapter {
            return (relationship, RelationSource::Adapter);
        }
        let (relationship, source) = by_tags.unwrap_or((self.default, RelationSource::Default));
        let turns = matches!(relationship, Relationship::Unknown | Relationship::Neutral);
        if turned_hostile && turns {
            return (Relationship::Hostile, RelationSource::TurnedHostile);
        }
        (relationship, source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(table: &mut TagTable) -> RelationRules {
        RelationRules { team_root: table.intern("Team").ok(), ..RelationRules::default() }
    }

    fn set(table: &mut TagTable, names: &[&str]) -> TagSet {
        let ids: Vec<TagId> = names.iter().map(|name| table.intern(name).unwrap()).collect();
        TagSet::new(table, ids)
    }

    #[test]
    fn squads_of_a_team_are_teammates_and_the_root_itself_is_no_team() {
        let mut table = TagTable::new();
        let rules = rules(&mut table);
        let mut relation = |own: &[&str], other: &[&str]| {
            let (own, other) = (set(&mut table, own), set(&mut table, other));
            rules.by_tags(&own, &other, &table).map(|(relationship, _)| relationship)
        };
        assert_eq!(relation(&["Team.Red.A"], &["Team.Red.B"]), Some(Relationship::Teammate));
        assert_eq!(relation(&["Team.Red"], &["Team.Red.B"]), Some(Relationship::Teammate));
        assert_eq!(relation(&["Team.Red"], &["Role.Cook", "Team.Blue"]), Some(Relationship::Hostile));
        assert_eq!(relation(&["Team"], &["Team.Red"]), None);
        assert_eq!(relation(&["Team.Red"], &["Team"]), None);
        assert_eq!(relation(&["Team.Red"], &[]), None);
        assert_eq!(relation(&["Team.Red", "Team.Blue"], &["Team.Blue"]), Some(Relationship::Teammate));
    }

    #[test]
    fn the_first_answer_counts() {
        use Relationship::{Friendly, Hostile, Neutral, Unknown};
        let rules = RelationRules { default: Neutral, ..RelationRules::default() };
        let tags = Some((Friendly, RelationSource::Tags));
        assert_eq!(rules.relate(Some(Hostile), Some(Unknown), tags, false).0, Hostile);
        assert_eq!(rules.relate(None, Some(Unknown), tags, true), (Unknown, RelationSource::Adapter));
        assert_eq!(rules.relate(None, None, tags, true).0, Friendly);
        let neutral = Some((Neutral, RelationSource::Tags));
        assert_eq!(rules.relate(None, None, neutral, true), (Hostile, RelationSource::TurnedHostile));
        assert_eq!(rules.relate(None, None, None, false), (Neutral, RelationSource::Default));
        assert_eq!(rules.relate(None, None, None, true).0, Hostile);
    }
}
