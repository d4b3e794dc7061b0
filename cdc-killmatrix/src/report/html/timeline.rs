//! The checkpoints of a fixture: events, the right rows, and the other ones that mutants show. What occurs twice is
//! stored once.

use std::collections::HashMap;

use cdc_core::{AutoCdc as _, Event, Mutant, Operation, Plan, Reference, Refusal, Row, Schema, Table};
use serde::Serialize;

use super::pool::Pool;
use super::redact::Cells;
use crate::escape::for_terminal;
use crate::fixture::Fixture;
use crate::report::rows::{Pair, Shape, delivery, pairs};
use crate::verdict::{self, Difference, Found, Shown};

/// What a cell of the page opens.
#[derive(Default, Serialize)]
pub(super) struct Timeline {
    /// Names of columns. The first are those of the target.
    columns: Pool<Vec<String>>,
    /// Rows of values, of events and of tables; a null is null.
    rows: Vec<Vec<Option<String>>>,
    checkpoints: Vec<Checkpoint>,
    /// What mutants that are caught show, all different.
    runs: Pool<Run>,
}

#[derive(Serialize)]
struct Checkpoint {
    /// How its batch comes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    how: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    uncompared: bool,
    /// The columns of the events.
    source: usize,
    events: Vec<usize>,
    /// What each event asks for, a letter an event: upsert, delete, truncate. Of a snapshot nothing.
    #[serde(skip_serializing_if = "String::is_empty")]
    operations: String,
    right: State,
    /// Other states than the right one, all different.
    wrong: Pool<State>,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct State {
    #[serde(skip_serializing_if = "is_zero")]
    columns: usize,
    rows: Vec<usize>,
    /// How the rows stand beside the right ones, from top to bottom: `b`oth, only `l`eft, only `r`ight. Nothing where
    /// the columns differ.
    #[serde(skip_serializing_if = "String::is_empty")]
    pairs: String,
    /// Why the batch was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    passed_over: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Serialize)]
struct Run {
    /// The checkpoints at which it is caught, from 1.
    caught: Vec<usize>,
    /// For each checkpoint 0, the right state, or the number of a wrong one, from 1. Null: it broke down.
    states: Vec<Option<usize>>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A timeline in the making.
pub(super) struct Writer<'a> {
    fixture: &'a Fixture,
    cells: &'a mut Cells,
    /// What the reference shows.
    right: Vec<Shown>,
    places: HashMap<(usize, Row), usize>,
    timeline: Timeline,
}

impl<'a> Writer<'a> {
    pub(super) fn new(fixture: &'a Fixture, cells: &'a mut Cells) -> Self {
        cells.enter(fixture);
        // It agrees with the fixture, or there is no cell to open.
        let right = verdict::tables(&Reference, fixture).unwrap_or_default();
        let mut writer =
            Self { fixture, cells, right, places: HashMap::new(), timeline: Timeline::default() };
        writer.columns(fixture.plan().target());
        for number in 0..writer.right.len() {
            let checkpoint = writer.checkpoint(number);
            writer.timeline.checkpoints.push(checkpoint);
        }
        writer
    }

    /// Text in which a value may be quoted. `None`: it is left out.
    pub(super) fn quoting(&self, text: &str) -> Option<String> {
        self.cells.quoting(text)
    }

    pub(super) fn finish(self) -> Timeline {
        self.timeline
    }

    /// The place of what a mutant that is caught shows.
    pub(super) fn run(&mut self, mutant: &Mutant, differences: &[Difference]) -> usize {
        let shown = verdict::tables(mutant, self.fixture);
        let states = match shown {
            Ok(shown) => {
                (0..).zip(&shown).map(|(number, shown)| Some(self.state_place(number, shown))).collect()
            }
            // It breaks down after what it is caught by.
            Err(_) => self.up_to_breakdown(mutant, differences),
        };
        let caught = differences.iter().map(|difference| difference.checkpoint + 1).collect();
        self.timeline.runs.place(Run { caught, states })
    }

    fn up_to_breakdown(&mut self, mutant: &Mutant, differences: &[Difference]) -> Vec<Option<usize>> {
        let target = verdict::target(mutant, self.fixture);
        let mut states = vec![None; self.fixture.checkpoints.len()];
        for difference in differences {
            if let Found::Rows(table) = &difference.found {
                let shown = Shown {
                    target: target.clone(),
                    table: table.clone(),
                    refusal: None,
                    feed: None,
                    is_passed_over: false,
                };
                states[difference.checkpoint] = Some(self.state_place(difference.checkpoint, &shown));
            }
        }
        states
    }

    fn checkpoint(&mut self, number: usize) -> Checkpoint {
        let batch = self.fixture.feed.batch(number);
        let plan = &self.fixture.plans[batch.delivery.flow];
        let source = self.columns(plan.schema());
        let events =
            batch.events.iter().map(|event| self.row(source, plan.schema(), &event.values)).collect();
        let operations = if plan.reads_snapshots() { String::new() } else { letters(plan, batch.events) };
        let checkpoint = &self.fixture.checkpoints[number];
        let shown = self.right[number].clone();
        Checkpoint {
            how: delivery(self.fixture, number),
            note: checkpoint.note.as_ref().and_then(|note| self.cells.quoting(note)),
            uncompared: !checkpoint.is_compared(),
            source,
            events,
            operations,
            right: self.state(&shown, String::new()),
            wrong: Pool::default(),
        }
    }

    /// 0 for the right state of a checkpoint, else the number of a wrong one.
    fn state_place(&mut self, number: usize, shown: &Shown) -> usize {
        let right = &self.right[number];
        let mut marks = String::new();
        if right.target == shown.target {
            let shape = Shape::new(self.fixture.plan(), &shown.target);
            marks.extend(pairs(&shape, &right.table, &shown.table).into_iter().map(mark));
        }
        if right.target == shown.target && right.table == shown.table {
            marks.clear();
        }
        let state = self.state(shown, marks);
        let checkpoint = &mut self.timeline.checkpoints[number];
        if state == checkpoint.right { 0 } else { 1 + checkpoint.wrong.place(state) }
    }

    fn state(&mut self, shown: &Shown, pairs: String) -> State {
        let columns = self.columns(&shown.target);
        State {
            columns,
            rows: self.table(columns, &shown.target, &shown.table),
            pairs,
            refusal: shown.refusal.as_ref().map(|refusal| self.refusal(refusal)),
            passed_over: shown.is_passed_over,
        }
    }

    fn refusal(&self, refusal: &Refusal) -> String {
        self.cells.quoting(&refusal.to_string()).unwrap_or_else(|| format!("[{}]", refusal.class))
    }

    fn table(&mut self, columns: usize, schema: &Schema, table: &Table) -> Vec<usize> {
        let shape = Shape::new(self.fixture.plan(), schema);
        shape.in_reading_order(table).into_iter().map(|row| self.row(columns, schema, row)).collect()
    }

    fn row(&mut self, columns: usize, schema: &Schema, row: &Row) -> usize {
        if let Some(&place) = self.places.get(&(columns, row.clone())) {
            return place;
        }
        let place = self.timeline.rows.len();
        self.timeline.rows.push(self.cells.row(schema, row));
        self.places.insert((columns, row.clone()), place);
        place
    }

    fn columns(&mut self, schema: &Schema) -> usize {
        let names = schema.iter().map(|column| for_terminal(&column.name).into_owned());
        self.timeline.columns.place(names.collect())
    }
}

fn mark(pair: Pair<'_>) -> char {
    match pair {
        Pair::Rows(Some(_), None) => 'l',
        Pair::Rows(None, Some(_)) => 'r',
        Pair::Rows(..) | Pair::Skipped(_) => 'b',
    }
}

fn letters(plan: &Plan, events: &[Event]) -> String {
    let letter = |event: &Event| match Reference.operation_of(plan, event) {
        Ok(Operation::Upsert) => 'u',
        Ok(Operation::Delete) => 'd',
        Ok(Operation::Truncate) => 't',
        Err(_) => '?',
    };
    events.iter().map(letter).collect()
}
