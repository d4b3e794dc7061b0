//! The calls that define flows.

use cdc_core::{DataType, Dialect, Flow, ScdType};
use ruff_python_ast::Expr;

use super::arguments::{Arguments, Reader};
use super::values::{Fault, Given, Values};
use super::walk::Call;
use crate::definition::Bounds;
use crate::json::quoted;

/// What a condition is given as.
const CONDITION: &str = "a condition, such as `expr(\"operation = 'DELETE'\")`";

/// What a list of columns is given as.
const COLUMNS: &str = "a list of columns, such as `[\"id\"]`";

/// A flow as its call defines it.
pub(super) struct Defined<'a> {
    pub(super) name: String,
    pub(super) target: String,
    /// The name of its source, where that is known.
    pub(super) source: Option<String>,
    pub(super) flow: Flow,
    /// What its target declares.
    pub(super) bounds: Bounds,
    /// The filter that old calls have of their own.
    pub(super) filter: Option<&'a Expr>,
}

impl<'a> Reader<'_, 'a> {
    /// The flow that a call defines, and its name, as far as they can be told; no flow if its target can't be.
    pub(super) fn flow(
        &mut self,
        call: Call<'a>,
        function: &str,
        snapshots: bool,
    ) -> (Option<String>, Option<Defined<'a>>) {
        let arguments = self.arguments(call, function, snapshots);
        let mut required = vec![
            ("target", "the name of a table"),
            ("source", "the name of a table or view"),
            ("keys", COLUMNS),
            ("sequence_by", "a column, or `struct(..)`"),
        ];
        required.retain(|&(name, _)| !(snapshots && name == "sequence_by"));
        for (name, expected) in required {
            if arguments.get(name).is_none() && !arguments.is_open {
                self.fault(&*call.expr.func, format!("`{name}` is missing; expected {expected}"));
            }
        }
        let given = arguments.get("name").or_else(|| arguments.get("flow_name"));
        let name = given.map(|given| self.text("name", given, "the name of the flow"));
        let target = arguments.get("target").and_then(|given| self.target(given));
        let source = arguments.get("source").and_then(|given| {
            self.values.begin();
            self.values.text(given).ok()
        });
        let flow = self.parameters(&arguments, snapshots);
        if self.dialect == Dialect::Spark43 && !snapshots {
            self.combinations(&arguments, &flow);
        }
        let name = name.unwrap_or_else(|| target.clone());
        let defined = name.clone().zip(target).map(|(name, target)| Defined {
            name,
            target,
            source,
            flow,
            bounds: Bounds::default(),
            filter: arguments.get("where").map(|given| given.expr),
        });
        (name, defined)
    }

    /// What Apache Spark 4.3 refuses when the function is called. An empty list counts as left out.
    fn combinations(&mut self, arguments: &Arguments<'a>, flow: &Flow) {
        let given = |list: &Option<Vec<String>>| list.as_ref().is_some_and(|list| !list.is_empty());
        let tracked = (given(&flow.track_history_column_list), given(&flow.track_history_except_column_list));
        for (is_both, [one, other]) in [
            (
                given(&flow.column_list) && given(&flow.except_column_list),
                ["column_list", "except_column_list"],
            ),
            (tracked == (true, true), ["track_history_column_list", "track_history_except_column_list"]),
        ] {
            if let Some(place) = arguments.get(other).filter(|_| is_both) {
                let text = format!(
                    "`{other}`: `{one}` is given as well; expected one of the two [CANNOT_SET_TOGETHER]"
                );
                self.fault(place.expr, text);
            }
        }
        self.values.begin();
        let is_of_one = match arguments.get("stored_as_scd_type") {
            Some(given) => matches!(scd_type(self.values, given), Ok(ScdType::One)),
            None => !arguments.is_open,
        };
        for (is_given, name) in
            [(tracked.0, "track_history_column_list"), (tracked.1, "track_history_except_column_list")]
        {
            if let Some(place) = arguments.get(name).filter(|_| is_given && is_of_one) {
                let text = format!(
                    "`{name}` belongs to SCD type 2; expected `stored_as_scd_type=2` beside it \
                     [INVALID_MULTIPLE_ARGUMENT_CONDITIONS]"
                );
                self.fault(place.expr, text);
            }
        }
    }

    /// The target. What only the code knows of it stands in braces: the rest of the flow doesn't depend on it.
    fn target(&mut self, given: Given<'a>) -> Option<String> {
        self.values.begin();
        match self.values.text(given) {
            // A loop or a function defines several flows.
            Err(Fault::Unknown(_)) if !self.values.is_of_several(given) => {
                self.values.begin();
                Some(self.values.template(given))
            }
            _ => self.text("target", given, "the name of a table"),
        }
    }

    /// A list of columns; what is wrong with each of them is said.
    fn columns(&mut self, name: &str, given: Given<'a>) -> Option<Vec<String>> {
        let entries = self.read(name, given, COLUMNS, Values::entries)?;
        let columns: Vec<Option<String>> = entries
            .into_iter()
            .enumerate()
            .map(|(i, entry)| self.read(&format!("{name}[{i}]"), entry, "a column", Values::column))
            .collect();
        columns.into_iter().collect()
    }

    fn text(&mut self, name: &str, given: Given<'a>, expected: &str) -> Option<String> {
        self.read(name, given, expected, Values::text)
    }

    fn scd_type(&mut self, given: Given<'a>) -> Option<ScdType> {
        let name = "stored_as_scd_type";
        let expected = match self.dialect {
            Dialect::Databricks => "1, 2 or \"bitemporal\"",
            Dialect::Spark43 => "1 or 2",
        };
        let found = self.read(name, given, expected, scd_type)?;
        if found == ScdType::Bitemporal && self.dialect == Dialect::Spark43 {
            let text = format!("Apache Spark 4.3 has no BITEMPORAL; expected {expected}");
            self.fault(given.expr, format!("`{name}`: {text}"));
            return None;
        }
        Some(found)
    }

    fn parameters(&mut self, arguments: &Arguments<'a>, snapshots: bool) -> Flow {
        let condition = |reader: &mut Self, name| {
            let given = arguments.get(name)?;
            reader.read(name, given, CONDITION, Values::condition)
        };
        let columns = |reader: &mut Self, name| reader.columns(name, arguments.get(name)?);
        let boolean = |reader: &mut Self, name| {
            let given = arguments.get(name)?;
            reader.read(name, given, "True or False", Values::boolean)
        };
        let column = |reader: &mut Self, name| {
            let given = arguments.get(name)?;
            reader.read(name, given, "a column", Values::column)
        };
        let sequence_by = arguments
            .get("sequence_by")
            .and_then(|given| self.read("sequence_by", given, "a column, or `struct(..)`", Values::sequence));
        Flow {
            keys: columns(self, "keys").unwrap_or_default(),
            sequence_by: sequence_by.unwrap_or_default(),
            system_sequence_by: column(self, "system_sequence_by"),
            ignore_null_updates: boolean(self, "ignore_null_updates").unwrap_or_default(),
            ignore_null_updates_column_list: columns(self, "ignore_null_updates_column_list"),
            ignore_null_updates_except_column_list: columns(self, "ignore_null_updates_except_column_list"),
            columns_to_update: column(self, "columns_to_update"),
            apply_as_deletes: condition(self, "apply_as_deletes"),
            apply_as_truncates: condition(self, "apply_as_truncates"),
            column_list: columns(self, "column_list"),
            except_column_list: columns(self, "except_column_list"),
            stored_as_scd_type: arguments
                .get("stored_as_scd_type")
                .and_then(|given| self.scd_type(given))
                .unwrap_or_default(),
            track_history_column_list: columns(self, "track_history_column_list"),
            track_history_except_column_list: columns(self, "track_history_except_column_list"),
            once: boolean(self, "once").unwrap_or_default(),
            from_snapshot: snapshots.then_some(DataType::BigInt),
            dialect: self.dialect,
            ..Flow::default()
        }
    }
}

fn scd_type<'a>(values: &Values<'a>, given: Given<'a>) -> Result<ScdType, Fault> {
    values.with(given, |given| {
        let text = if given.expr.is_number_literal_expr() {
            values.number(given)?.to_string()
        } else {
            values.text(given)?
        };
        match &*text {
            "1" => Ok(ScdType::One),
            "2" => Ok(ScdType::Two),
            text if text.eq_ignore_ascii_case("bitemporal") => Ok(ScdType::Bitemporal),
            text if given.expr.is_number_literal_expr() => {
                Err(Fault::Misfit(format!("the number {}", quoted(text))))
            }
            text => Err(Fault::Misfit(format!("the text {}", quoted(text)))),
        }
    })
}
