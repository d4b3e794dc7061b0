//! The tables of fixtures, for scripts.

use cdc_core::Refusal;
use serde::Serialize;
use serde_json::Value;

use super::json::pretty;
use super::rows::Shape;
use crate::fixture::{Fixture, row_to_json};
use crate::verdict::Shown;
use crate::why::Story;

#[derive(Serialize)]
struct TablesJson<'a> {
    suite: &'a str,
    fixture: &'a str,
    checkpoints: Vec<CheckpointJson>,
}

#[derive(Serialize)]
struct CheckpointJson {
    checkpoint: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorJson>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    passed_over: bool,
    rows: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feed: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    why: Vec<StoryJson>,
}

#[derive(Serialize)]
struct ErrorJson {
    class: &'static str,
    message: String,
}

#[derive(Serialize)]
struct StoryJson {
    key: Vec<String>,
    lines: Vec<String>,
}

/// The tables of a fixture under a model.
pub struct Tables<'a> {
    /// The name of the suite.
    pub suite: &'a str,
    /// The fixture.
    pub fixture: &'a Fixture,
    /// What is there after each checkpoint, and why, if that was asked.
    pub checkpoints: Vec<(Shown, Vec<Story>)>,
}

/// The tables of fixtures as JSON.
pub fn rows_json(all: &[Tables<'_>]) -> String {
    let tables = all.iter().map(|Tables { suite, fixture, checkpoints }| TablesJson {
        suite,
        fixture: &fixture.name,
        checkpoints: checkpoints
            .iter()
            .enumerate()
            .map(|(number, (shown, why))| checkpoint(fixture, number, shown, why))
            .collect(),
    });
    pretty(&tables.collect::<Vec<TablesJson<'_>>>())
}

fn checkpoint(fixture: &Fixture, number: usize, shown: &Shown, why: &[Story]) -> CheckpointJson {
    let shape = Shape::new(fixture.plan(), &shown.target);
    let rows = shape.in_reading_order(&shown.table);
    let error = |refusal: &Refusal| ErrorJson { class: refusal.class, message: refusal.to_string() };
    let story = |story: &Story| StoryJson {
        key: story.key.iter().map(ToString::to_string).collect(),
        lines: story.lines.clone(),
    };
    CheckpointJson {
        checkpoint: number + 1,
        error: shown.refusal.as_ref().map(error),
        passed_over: shown.is_passed_over,
        rows: rows.into_iter().map(|row| row_to_json(row, &shown.target)).collect(),
        feed: shown.feed.as_ref().map(|feed| {
            let plan = &fixture.plans[fixture.feed.batch(number).delivery.flow];
            feed.iter().map(|event| row_to_json(&event.values, plan.feed())).collect()
        }),
        why: why.iter().map(story).collect(),
    }
}
