//! What is compared of a mutant's rows with those of a fixture.

use cdc_core::{DataType, Plan, Row, ScdType, Schema, Table, Value};

/// Which columns are compared: where they stand, and how much of them.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    columns: Schema,
    expected: Vec<(usize, Part)>,
    shown: Vec<(usize, Part)>,
}

/// How much of a column's value is compared.
#[derive(Clone, Copy, Debug)]
enum Part {
    Whole,
    /// Of a struct the first field.
    First,
    /// Of a struct the second field.
    Second,
    /// Of a struct all fields but the first.
    Rest,
}

impl Comparison {
    /// Columns of the fixture's target are found by name in the one that is played.
    pub(super) fn new(fixture: &Plan, played: &Plan, uncompared: &[String]) -> Self {
        let (of_expected, of_shown) = parts_of_bounds(fixture, played);
        let (mut columns, mut expected, mut shown) = (Vec::new(), Vec::new(), Vec::new());
        for (place, column) in fixture.target().iter().enumerate() {
            let Some(other) =
                played.target().find(&column.name).filter(|_| !uncompared.contains(&column.name))
            else {
                continue;
            };
            let is_bound = fixture.scd_type() != ScdType::One && Plan::BOUNDS.contains(&&*column.name);
            let (of_expected, of_shown) =
                if is_bound { (of_expected, of_shown) } else { (Part::Whole, Part::Whole) };
            columns.push((column.name.clone(), of_expected.type_of(&column.data_type)));
            expected.push((place, of_expected));
            shown.push((other, of_shown));
        }
        let columns = Schema::new(columns).unwrap_or_default();
        Self { columns, expected, shown }
    }

    pub(super) fn columns(&self) -> &Schema {
        &self.columns
    }

    pub(super) fn expected(&self, table: &Table) -> Table {
        picked(table, &self.expected)
    }

    pub(super) fn shown(&self, table: &Table) -> Table {
        picked(table, &self.shown)
    }
}

/// What is compared of the bounds: the fields that both sequences have.
fn parts_of_bounds(fixture: &Plan, played: &Plan) -> (Part, Part) {
    let (of_fixture, of_played) = (fixture.sequence().len(), played.sequence().len());
    match (fixture.sequence_is_struct(), played.sequence_is_struct()) {
        (true, false) => (Part::First, Part::Whole),
        (false, true) => (Part::Whole, Part::Second),
        (true, true) if of_fixture < of_played => (Part::Whole, Part::Rest),
        _ => (Part::Whole, Part::Whole),
    }
}

fn picked(table: &Table, places: &[(usize, Part)]) -> Table {
    let row = |row: &Row| places.iter().map(|&(place, part)| part.of(&row[place])).collect();
    Table::new(table.rows().iter().map(row).collect())
}

impl Part {
    fn of(self, value: &Value) -> Value {
        let Value::Struct(fields) = value else { return value.clone() };
        match self {
            Self::Whole => value.clone(),
            Self::First => fields.first().cloned().unwrap_or_default(),
            Self::Second => fields.get(1).cloned().unwrap_or_default(),
            Self::Rest => Value::structure(fields.iter().skip(1).cloned()),
        }
    }

    fn type_of(self, data_type: &DataType) -> DataType {
        match (self, data_type) {
            (Self::First, DataType::Struct(fields)) => fields[0].data_type.clone(),
            _ => data_type.clone(),
        }
    }
}
