//! What the nulls of an upsert say: nothing, or that a value is erased.

use cdc_core::{Arrival, DataType, Field, Plan, Row, Value, Version};

use super::teller::{Rule, Teller, listed, name, plural};

/// A part of a row: a column, or a field of a struct.
struct Part {
    name: String,
    /// The column, then the places of the fields.
    path: Vec<usize>,
}

impl Teller<'_> {
    /// What an upsert takes over from earlier ones, or may not. To be put behind a sentence.
    pub(super) fn filled(&mut self, version: &Version) -> String {
        let Some(fill) = self.log.fills.get(&version.arrival()) else { return String::new() };
        // What it doesn't give is told with what it gives.
        let mut silent = self.silent(version);
        silent.retain(|part| self.gives(version, part.path[0]));
        let silent = silent.into_iter();
        if let (false, Some(delete)) = (fill.fills, fill.delete) {
            let said = |part: &Part| self.origin(fill.earlier, &part.path).is_some();
            let names: Vec<String> = silent.filter(said).map(|part| part.name).collect();
            if names.is_empty() {
                return String::new();
            }
            let (columns, are) = (listed(&names), plural(&names, "is", "are"));
            let delete = self.delete_name(delete);
            let source = self.cite([Rule::Nulls, Rule::DeleteEndsFill]);
            return format!("; {columns} {are} null: nothing older than {delete} is taken over{source}");
        }

        let mut origins: Vec<(Arrival, Vec<String>)> = Vec::new();
        for part in silent {
            let Some(origin) = self.source_of(version.arrival(), &part.path) else { continue };
            match origins.iter_mut().find(|(known, _)| *known == origin) {
                Some((_, names)) => names.push(part.name),
                None => origins.push((origin, vec![part.name])),
            }
        }
        if origins.is_empty() {
            return String::new();
        }
        let came_late = origins.iter().any(|(origin, _)| version.arrival().batch < origin.batch);
        let taken: Vec<String> = origins
            .iter()
            .map(|(origin, names)| format!("{} from {}", listed(names), name(*origin)))
            .collect();
        let names: Vec<&String> = origins.iter().flat_map(|(_, names)| names).collect();
        let own = plural(&names, "its own is", "its own are");
        let sources =
            if came_late { self.cite([Rule::Nulls, Rule::LateFill]) } else { self.cite([Rule::Nulls]) };
        format!("; takes over {}, since {own} null{sources}", taken.join(" and "))
    }

    /// Why an event's nulls erase, of these columns. To be put behind a sentence that names what is erased.
    pub(super) fn erasing(&mut self, version: &Version, columns: &[usize]) -> String {
        let Some(&first) = columns.first() else { return String::new() };
        let plan = self.plan_of(version);
        if plan.columns_to_update().is_some() {
            return format!(", since the event gives it{}", self.cite([Rule::ColumnsToUpdate]));
        }
        let some_ignored = plan.payload().any(|column| plan.ignores_null(column));
        let what = match columns {
            _ if !some_ignored => String::new(),
            [_] => format!(" in {}", listed(&[&self.plan.target()[first].name])),
            _ => " in these columns".to_owned(),
        };
        format!(", since the flow doesn't ignore nulls{what}{}", self.cite([Rule::Nulls]))
    }

    /// The columns in which an event's null, in its row, stands against a value of an older row.
    pub(super) fn erased(&self, version: &Version, old: &Row, new: &Row) -> Vec<usize> {
        let plan = self.plan_of(version);
        let erases = |&column: &usize| !plan.ignores_null(column) && loses(&old[column], &new[column]);
        plan.payload().filter(erases).collect()
    }

    /// The parts of the shown row, that of `winner`, which are the values of another event.
    pub(super) fn shown_of(&self, version: &Version, winner: &Version) -> Vec<String> {
        let comes_from =
            |part: &Part| self.source_of(winner.arrival(), &part.path) == Some(version.arrival());
        self.silent(winner).into_iter().filter(comes_from).map(|part| part.name).collect()
    }

    /// The parts of the target's row of which an event says nothing.
    fn silent(&self, version: &Version) -> Vec<Part> {
        parts(self.plan_of(version), |column| self.gives(version, column))
            .into_iter()
            .filter(|part| !self.says(version, &part.path))
            .collect()
    }

    /// Whether an event says something of a part of the target's row.
    fn says(&self, version: &Version, path: &[usize]) -> bool {
        let column = path[0];
        let is_ignored = self.plan_of(version).ignores_null(column);
        self.gives(version, column) && !(is_ignored && value_at(&self.own_row(version), path).is_null())
    }

    /// The event that gave a value which this one has: itself, or one from which it was taken over. `None`: there
    /// is none, or it gave a null.
    fn origin(&self, mut event: Arrival, path: &[usize]) -> Option<Arrival> {
        loop {
            let version = self.log.events.get(&event)?;
            if self.says(version, path) {
                return (!value_at(&self.own_row(version), path).is_null()).then_some(event);
            }
            event = self.taken_from(event)?;
        }
    }

    /// The event from which this one takes over a value.
    fn source_of(&self, event: Arrival, path: &[usize]) -> Option<Arrival> {
        self.origin(self.taken_from(event)?, path)
    }

    /// The event from which this one takes over what it leaves unsaid.
    fn taken_from(&self, event: Arrival) -> Option<Arrival> {
        self.log.fills.get(&event).filter(|fill| fill.fills).map(|fill| fill.earlier)
    }
}

/// The parts of the target's row of which an event may say nothing: columns that it doesn't give, and those in
/// which a null says nothing.
fn parts(plan: &Plan, gives: impl Fn(usize) -> bool) -> Vec<Part> {
    let mut parts = Vec::new();
    for column in plan.payload() {
        let Field { name, data_type } = &plan.target()[column];
        if !gives(column) {
            parts.push(Part { name: name.clone(), path: vec![column] });
        } else if plan.ignores_null(column) {
            add_parts(&mut parts, name.clone(), vec![column], data_type);
        }
    }
    parts
}

fn add_parts(parts: &mut Vec<Part>, name: String, path: Vec<usize>, data_type: &DataType) {
    let DataType::Struct(fields) = data_type else { return parts.push(Part { name, path }) };
    for (place, field) in fields.iter().enumerate() {
        let path = path.iter().copied().chain([place]).collect();
        add_parts(parts, format!("{name}.{}", field.name), path, &field.data_type);
    }
}

fn value_at(row: &Row, path: &[usize]) -> Value {
    let (column, fields) = path.split_first().map_or((0, path), |(&column, fields)| (column, fields));
    let field = |value: Value, &place: &usize| match value {
        Value::Struct(values) => values[place].clone(),
        _ => Value::Null,
    };
    fields.iter().fold(row[column].clone(), field)
}

/// Whether a value, or one inside it, gives way to a null.
fn loses(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::Null, _) => false,
        (_, Value::Null) => true,
        (Value::Struct(old), Value::Struct(new)) => old.iter().zip(&**new).any(|(old, new)| loses(old, new)),
        _ => false,
    }
}
