use crate::check::{BOUNDS, Check, SNAPSHOT_COLUMNS, SYSTEM_BOUNDS};
use crate::data_type::DataType;
use crate::error::{ConfigError, ConfigErrors};
use crate::event::Event;
use crate::flow::{Dialect, Flow, ScdType};
use crate::row::{Column, Schema};
use crate::sql::Condition;
use crate::value::Value;

/// A flow and its source's schema, checked and compiled: columns are places, conditions are trees.
///
/// Two kinds of places occur: those of the source's schema, and those of the target's row, which are called
/// columns of the target.
#[derive(Clone, Debug)]
pub struct Plan {
    target_keys: Vec<usize>,
    ignored: Vec<bool>,
    tracked: Vec<bool>,
    target: Schema,
    flow: Flow,
    keys: Vec<usize>,
    sequence: Vec<usize>,
    /// The type of `struct(a, b)`.
    struct_type: Option<DataType>,
    system_sequence: Option<usize>,
    columns_to_update: Option<usize>,
    delete_condition: Option<Condition>,
    truncate_condition: Option<Condition>,
    output: Vec<usize>,
    schema: Schema,
    /// The columns of the events, where they aren't those of the source: of snapshots.
    feed: Option<Schema>,
}

impl Plan {
    /// The columns that a target with a history has beside those of the source.
    pub const BOUNDS: [&str; 2] = BOUNDS;

    /// The columns that a bitemporal target has as well.
    pub const SYSTEM_BOUNDS: [&str; 2] = SYSTEM_BOUNDS;

    /// Compiles a flow for a source, or says everything that is wrong with it.
    ///
    /// ```
    /// use cdc_core::{Flow, Plan};
    ///
    /// let flow = Flow { keys: vec!["id".into()], sequence_by: "changes".into(), ..Flow::default() };
    /// let errors = Plan::new(flow, "id INT, changes MAP<STRING, INT>".parse()?).unwrap_err();
    /// assert_eq!(errors.0[0].class, Some("NON_ORDERABLE_SEQUENCE"));
    /// # Ok::<(), cdc_core::ParseTypeError>(())
    /// ```
    pub fn new(flow: Flow, schema: Schema) -> Result<Self, ConfigErrors> {
        let mut check = Check::new(&schema, &flow);
        check.dialect();
        let Some(version_type) = &flow.from_snapshot else {
            return Self::compiled(check, &flow, &schema);
        };
        check.snapshot(version_type);
        check.finish()?;
        // A flow from snapshots is the flow of the feed that its snapshots amount to.
        let feed = Check::fed(&schema, version_type);
        let [version, is_missing] = SNAPSHOT_COLUMNS;
        let of_feed = Flow {
            sequence_by: version.to_owned(),
            apply_as_deletes: Some(is_missing.to_owned()),
            except_column_list: Some(SNAPSHOT_COLUMNS.map(str::to_owned).to_vec()),
            ..flow.clone()
        };
        let plan = Self::compiled(Check::new(&feed, &of_feed), &of_feed, &feed)?;
        Ok(Self { flow, schema, feed: Some(feed), ..plan })
    }

    fn compiled(mut check: Check<'_>, flow: &Flow, schema: &Schema) -> Result<Self, ConfigErrors> {
        let keys = check.keys();
        let (sequence, is_struct) = check.sequence();
        let system_sequence = check.system_sequence();
        let output = check.output(&keys);
        let delete_condition = check.delete_condition();
        let truncate_condition = check.truncate_condition();
        let columns_to_update = check.columns_to_update();
        let ignored = check.ignored(&keys);
        let tracked = check.tracked(&keys, &output);
        check.finish()?;

        let of_source = |columns: &[usize]| -> Vec<Column> {
            columns.iter().map(|&column| schema[column].clone()).collect()
        };
        let struct_type = is_struct.then(|| DataType::Struct(of_source(&sequence)));
        let mut target = of_source(&output);
        if flow.stored_as_scd_type != ScdType::One {
            let bound = struct_type.clone().unwrap_or_else(|| schema[sequence[0]].data_type.clone());
            target.extend(BOUNDS.map(|name| Column { name: name.to_owned(), data_type: bound.clone() }));
        }
        if let Some(system) = system_sequence {
            let bound = &schema[system].data_type;
            target
                .extend(SYSTEM_BOUNDS.map(|name| Column { name: name.to_owned(), data_type: bound.clone() }));
        }
        Ok(Self {
            target_keys: keys
                .iter()
                .filter_map(|key| output.iter().position(|column| column == key))
                .collect(),
            ignored: output.iter().map(|&column| ignored[column]).collect(),
            tracked: output.iter().map(|&column| tracked[column]).collect(),
            target: Schema::of(target),
            flow: flow.clone(),
            keys,
            sequence,
            struct_type,
            system_sequence,
            columns_to_update,
            delete_condition,
            truncate_condition,
            output,
            schema: schema.clone(),
            feed: None,
        })
    }

    /// Whether these flows may write into one target, or what keeps the others from what the first one does.
    ///
    /// They must agree in keys, columns and SCD type, in the type of their sequences, and in how long the target
    /// remembers a delete. Source:
    /// <https://docs.databricks.com/aws/en/ldp/cdc-advanced>. Each error comes with the place of its flow.
    pub fn share_a_target(plans: &[Self]) -> Result<(), Vec<(usize, ConfigError)>> {
        let Some((first, others)) = plans.split_first() else { return Ok(()) };
        let mut errors = Vec::new();
        let from_snapshot = plans.iter().any(Self::reads_snapshots);
        for (place, plan) in (1..).zip(others) {
            let mut error =
                |class, parameter, text| errors.push((place, ConfigError::new(class, parameter, text)));
            let differs = |what: &str| format!("{what} in the target's first flow; expected the same");
            if [plan, first].iter().any(|plan| plan.flow.dialect == Dialect::Spark43) {
                let text = "Apache Spark 4.3 lets one flow write into a target; expected one flow, or the dialect `databricks` in all";
                error(Some("AUTOCDC_MULTIPLE_FLOWS_TO_TARGET"), "dialect", text.to_owned());
            }
            if !plan.key_columns().eq(first.key_columns()) {
                let text = differs(&format!("the keys are {}", listed(first.key_columns())));
                error(from_snapshot.then_some("INTEROP_KEYS_MISMATCH"), "keys", text);
            }
            if plan.selected() != first.selected() {
                let text = differs(&format!("the columns are {}", listed(first.selected().iter())));
                error(None, "column_list", text);
            }
            if plan.flow.tombstone_seconds() != first.flow.tombstone_seconds() {
                let text = differs(&format!("it is {}", first.flow.tombstone_seconds()));
                error(None, "tombstone_gc_threshold_seconds", text);
            }
            if plan.scd_type() != first.scd_type() {
                let text = differs(&format!("it is {}", first.scd_type().name()));
                error(None, "stored_as_scd_type", text);
                continue;
            }
            if !plan.is_sequenced_like(first) {
                let of_first = first.sequence_type();
                error(None, "sequence_by", differs(&format!("the sequence has type {of_first}")));
            }
            if let (Some(of_first), Some(of_plan)) = (first.system_type(), plan.system_type())
                && of_plan != of_first
            {
                let text = differs(&format!("the system sequence has type {of_first}"));
                error(None, "system_sequence_by", text);
            }
        }
        if from_snapshot && !others.is_empty() {
            for (place, plan) in plans.iter().enumerate() {
                if plan.scd_type() != ScdType::One {
                    let text = "a target that a flow from snapshots shares is stored as SCD type 1";
                    errors.push((place, ConfigError::new(None, "stored_as_scd_type", text)));
                }
                if plan.ignored.contains(&true) {
                    let text = "a target that a flow from snapshots shares ignores no nulls";
                    let class = Some("INTEROP_IGNORE_NULL_UNSUPPORTED");
                    errors.push((place, ConfigError::new(class, "ignore_null_updates", text)));
                }
            }
        }
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// The columns of the target without its bounds.
    fn selected(&self) -> &[Column] {
        &self.target[..self.output.len()]
    }

    /// The columns that are keys.
    fn key_columns(&self) -> impl Iterator<Item = &Column> {
        self.target_keys.iter().map(|&key| &self.target[key])
    }

    /// Whether the sequences have one type. The names of a struct's fields count where a column of the target has it.
    fn is_sequenced_like(&self, other: &Self) -> bool {
        if self.scd_type() != ScdType::One {
            return self.sequence_type() == other.sequence_type();
        }
        let types = |plan: &Self| -> Vec<DataType> {
            plan.sequence.iter().map(|&column| plan.feed()[column].data_type.clone()).collect()
        };
        self.sequence_is_struct() == other.sequence_is_struct() && types(self) == types(other)
    }

    /// The type of SEQUENCE BY.
    fn sequence_type(&self) -> &DataType {
        self.struct_type.as_ref().unwrap_or_else(|| &self.feed()[self.sequence[0]].data_type)
    }

    /// The type of SYSTEM SEQUENCE BY.
    fn system_type(&self) -> Option<&DataType> {
        Some(&self.feed()[self.system_sequence?].data_type)
    }

    /// Whether the flow reads snapshots, not events.
    pub fn reads_snapshots(&self) -> bool {
        self.flow.from_snapshot.is_some()
    }

    /// The flow as it was written.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// The columns of the source.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The columns of the events that are applied: those of the source. In a flow from snapshots the version and
    /// whether the row is missing in it come after them.
    pub fn feed(&self) -> &Schema {
        self.feed.as_ref().unwrap_or(&self.schema)
    }

    /// The columns of the target, with the bounds of its intervals.
    pub fn target(&self) -> &Schema {
        &self.target
    }

    /// KEYS: places in the events.
    pub fn keys(&self) -> &[usize] {
        &self.keys
    }

    /// KEYS: columns of the target.
    pub fn target_keys(&self) -> &[usize] {
        &self.target_keys
    }

    /// SEQUENCE BY: places in the events, the most significant first.
    pub fn sequence(&self) -> &[usize] {
        &self.sequence
    }

    /// Whether SEQUENCE BY is `struct(a, b)`, not a column.
    pub fn sequence_is_struct(&self) -> bool {
        self.struct_type.is_some()
    }

    /// The value of the sequence: of `struct(a, b)`, a struct.
    pub fn sequence_value(&self, event: &Event) -> Value {
        let mut values = self.sequence.iter().map(|&column| event.values[column].clone());
        if self.sequence_is_struct() { Value::structure(values) } else { values.next().unwrap_or_default() }
    }

    /// APPLY AS DELETE WHEN.
    pub fn delete_condition(&self) -> Option<&Condition> {
        self.delete_condition.as_ref()
    }

    /// APPLY AS TRUNCATE WHEN.
    pub fn truncate_condition(&self) -> Option<&Condition> {
        self.truncate_condition.as_ref()
    }

    /// SYSTEM SEQUENCE BY: a place in the source.
    pub fn system_sequence(&self) -> Option<usize> {
        self.system_sequence
    }

    /// The value of the system sequence. Null where there is none.
    pub fn system_value(&self, event: &Event) -> Value {
        self.system_sequence.map(|column| event.values[column].clone()).unwrap_or_default()
    }

    /// COLUMNS TO UPDATE: a place in the source, of a list of names.
    pub fn columns_to_update(&self) -> Option<usize> {
        self.columns_to_update
    }

    /// COLUMNS: for each column of the target, its place in the events.
    pub fn output(&self) -> &[usize] {
        &self.output
    }

    /// The columns of the target that are no keys.
    pub fn payload(&self) -> impl Iterator<Item = usize> {
        (0..self.output.len()).filter(|column| !self.target_keys.contains(column))
    }

    /// STORED AS.
    pub fn scd_type(&self) -> ScdType {
        self.flow.stored_as_scd_type
    }

    /// Whether IGNORE NULL UPDATES names a column of the target.
    pub fn ignores_null(&self, column: usize) -> bool {
        self.ignored[column]
    }

    /// Whether TRACK HISTORY ON names a column of the target. Keys are not tracked: a key doesn't change.
    pub fn tracks(&self, column: usize) -> bool {
        self.tracked[column]
    }
}

/// The names of columns, as a list.
fn listed<'a>(columns: impl Iterator<Item = &'a Column>) -> String {
    columns.map(|column| &*column.name).collect::<Vec<&str>>().join(", ")
}
