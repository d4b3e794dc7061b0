//! What the target shows after each checkpoint.

use super::grid::{joined, wrapped};
use super::rows::{self, Shape};
use crate::escape::for_terminal;
use crate::fixture::Fixture;
use crate::verdict::Shown;
use crate::why::Story;

/// The full name of a fixture, above its checkpoints.
pub fn rows_title(suite: &str, fixture: &Fixture) -> String {
    format!("{}\n", for_terminal(&format!("{suite}/{}", fixture.name)))
}

/// What is there after a checkpoint, and why, if that was asked.
pub fn rows_text(fixture: &Fixture, number: usize, shown: &Shown, why: &[Story]) -> String {
    let mut lines = vec![String::new()];
    lines.extend(wrapped(&rows::heading(fixture, number), 2, 0));
    if let Some(refusal) = &shown.refusal {
        lines.extend(wrapped(&format!("refused: {refusal}"), 2, 0));
    }
    if shown.is_passed_over {
        lines.push("  passed over: the flow runs once, and has run".to_owned());
    }
    if let Some(feed) = &shown.feed {
        lines.push("  the feed that the snapshot amounts to:".to_owned());
        let plan = &fixture.plans[fixture.feed.batch(number).delivery.flow];
        lines.extend(rows::feed(plan, feed).into_iter().map(|line| format!("    {line}")));
        lines.push("  the rows:".to_owned());
    }
    let table = rows::table(&Shape::new(fixture.plan(), &shown.target), &shown.table);
    lines.extend(table.into_iter().map(|line| format!("  {line}")));
    lines.extend(story_lines(why));
    joined(&lines)
}

/// Why the rows of each key are as they are.
pub(crate) fn story_lines(stories: &[Story]) -> Vec<String> {
    let mut lines = Vec::new();
    for story in stories {
        let key: Vec<String> = story.key.iter().map(rows::shown).collect();
        lines.extend(wrapped(&format!("why key {}:", key.join(", ")), 2, 0));
        lines.extend(story.lines.iter().flat_map(|line| wrapped(line, 6, 2)));
    }
    lines
}
