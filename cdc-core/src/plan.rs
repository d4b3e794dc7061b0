use crate::check::{BOUNDS, Check};
use crate::data_type::DataType;
use crate::error::ConfigErrors;
use crate::event::Event;
use crate::flow::{Flow, ScdType};
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
    delete_condition: Option<Condition>,
    output: Vec<usize>,
    schema: Schema,
}

impl Plan {
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
        let keys = check.keys();
        let (sequence, is_struct) = check.sequence();
        let output = check.output(&keys);
        let delete_condition = check.delete_condition();
        check.truncates();
        let ignored = check.ignored(&keys);
        let tracked = check.tracked(&keys, &output);
        check.finish()?;

        let of_source = |columns: &[usize]| -> Vec<Column> {
            columns.iter().map(|&column| schema[column].clone()).collect()
        };
        let struct_type = is_struct.then(|| DataType::Struct(of_source(&sequence)));
        let mut target = of_source(&output);
        if flow.stored_as_scd_type == ScdType::Two {
            let bound = struct_type.clone().unwrap_or_else(|| schema[sequence[0]].data_type.clone());
            target.extend(BOUNDS.map(|name| Column { name: name.to_owned(), data_type: bound.clone() }));
        }
        Ok(Self {
            target_keys: keys
                .iter()
                .filter_map(|key| output.iter().position(|column| column == key))
                .collect(),
            ignored: output.iter().map(|&column| ignored[column]).collect(),
            tracked: output.iter().map(|&column| tracked[column]).collect(),
            target: Schema::of(target),
            flow,
            keys,
            sequence,
            struct_type,
            delete_condition,
            output,
            schema,
        })
    }

    /// The flow as it was written.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// The columns of the source.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// The columns of the target, with the bounds of its intervals.
    pub fn target(&self) -> &Schema {
        &self.target
    }

    /// KEYS: places in the source.
    pub fn keys(&self) -> &[usize] {
        &self.keys
    }

    /// KEYS: columns of the target.
    pub fn target_keys(&self) -> &[usize] {
        &self.target_keys
    }

    /// SEQUENCE BY: places in the source, the most significant first.
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

    /// COLUMNS: for each column of the target, its place in the source.
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
