//! The arguments of a call, and what is wrong with them.

use cdc_core::Dialect;
use ruff_text_size::{Ranged, TextRange};

use super::values::{Fault, Given, Values};
use super::walk::Call;
use crate::diagnostic::Diagnostics;
use crate::json::quoted;
use crate::words::hint;

/// The parameters of `create_auto_cdc_flow` that may be given without their names, in order.
const PARAMETERS: [&str; 14] = [
    "target",
    "source",
    "keys",
    "sequence_by",
    "ignore_null_updates",
    "apply_as_deletes",
    "apply_as_truncates",
    "column_list",
    "except_column_list",
    "stored_as_scd_type",
    "track_history_column_list",
    "track_history_except_column_list",
    "name",
    "once",
];

/// Those that are given by their names only; `where` and `flow_name` are old, `spark_conf` is Spark's.
const BY_NAME: [&str; 7] = [
    "system_sequence_by",
    "ignore_null_updates_column_list",
    "ignore_null_updates_except_column_list",
    "columns_to_update",
    "flow_name",
    "where",
    "spark_conf",
];

/// The same for `create_auto_cdc_from_snapshot_flow`.
const OF_SNAPSHOTS: [&str; 6] = [
    "target",
    "source",
    "keys",
    "stored_as_scd_type",
    "track_history_column_list",
    "track_history_except_column_list",
];

const OF_SNAPSHOTS_BY_NAME: [&str; 4] = ["name", "once", "flow_name", "spark_conf"];

/// The parameters of Apache Spark 4.3's `create_auto_cdc_flow`.
const OF_SPARK: [&str; 9] = [
    "target",
    "source",
    "keys",
    "sequence_by",
    "apply_as_deletes",
    "column_list",
    "except_column_list",
    "stored_as_scd_type",
    "name",
];

const OF_SPARK_BY_NAME: [&str; 3] =
    ["track_history_column_list", "track_history_except_column_list", "spark_conf"];

/// The parameters that may be given in order, and those that are given by their names only.
type Known = (&'static [&'static str], &'static [&'static str]);

/// How a value is given that can't be read.
const INSTEAD: &str = "expected a literal, or the fixture's `flow` as an object";

/// Reads calls and gathers their faults.
pub(super) struct Reader<'v, 'a> {
    pub(super) values: &'v Values<'a>,
    pub(super) faults: Diagnostics,
    /// Whose functions are called.
    pub(super) dialect: Dialect,
}

/// The arguments of a call that aren't left out.
pub(super) struct Arguments<'a> {
    given: Vec<(&'static str, Given<'a>)>,
    /// Whether others may have been given, so that none is missing for sure.
    pub(super) is_open: bool,
}

impl<'a> Arguments<'a> {
    pub(super) fn get(&self, name: &str) -> Option<Given<'a>> {
        self.given.iter().find(|(other, _)| *other == name).map(|&(_, given)| given)
    }
}

impl<'a> Reader<'_, 'a> {
    /// The faults since the last time.
    pub(super) fn take(&mut self) -> Diagnostics {
        std::mem::take(&mut self.faults)
    }

    pub(super) fn fault(&mut self, place: &impl Ranged, message: String) {
        let range = place.range().to_std_range();
        self.faults.push_with(|| self.values.source.fault("", range, message));
    }

    /// A parameter's value; what is wrong with it is said.
    pub(super) fn read<T>(
        &mut self,
        name: &str,
        given: Given<'a>,
        expected: &str,
        find: impl FnOnce(&Values<'a>, Given<'a>) -> Result<T, Fault>,
    ) -> Option<T> {
        self.values.begin();
        match find(self.values, given) {
            Ok(value) => return Some(value),
            Err(Fault::Unknown(what)) => {
                self.fault(
                    given.expr,
                    format!("`{name}`: {what} is known only when the code runs; {INSTEAD}"),
                );
            }
            Err(Fault::Misfit(what)) => {
                self.fault(given.expr, format!("`{name}` is {what}; expected {expected}"));
            }
            Err(Fault::Said(what)) => self.fault(given.expr, format!("`{name}`: {what}")),
        }
        None
    }

    /// The arguments of a call by the names of the parameters.
    pub(super) fn arguments(
        &mut self,
        call: Call<'a>,
        function: &str,
        is_from_snapshot: bool,
    ) -> Arguments<'a> {
        let (in_order, by_name): Known = match (is_from_snapshot, self.dialect) {
            (true, _) => (&OF_SNAPSHOTS, &OF_SNAPSHOTS_BY_NAME),
            (false, Dialect::Databricks) => (&PARAMETERS, &BY_NAME),
            (false, Dialect::Spark43) => (&OF_SPARK, &OF_SPARK_BY_NAME),
        };
        let (scope, arguments) = (call.scope, &call.expr.arguments);
        let mut read = Arguments { given: Vec::new(), is_open: false };
        for (i, expr) in arguments.args.iter().enumerate() {
            if expr.is_starred_expr() {
                self.spread(expr, &self.values.shown(expr));
                read.is_open = true;
                break;
            }
            let Some(&name) = in_order.get(i) else {
                let text = format!(
                    "`{function}` takes {} arguments without names, and this is one more; expected `name=value`",
                    in_order.len()
                );
                self.fault(expr, text);
                break;
            };
            read.given.push((name, Given { expr, scope }));
        }
        for keyword in &arguments.keywords {
            let given = Given { expr: &keyword.value, scope };
            let Some(name) = &keyword.arg else {
                self.values.begin();
                match self.values.members(given) {
                    Ok(members) => {
                        for (name, place, given) in members {
                            self.argument(&mut read, function, (&name, place, given), (in_order, by_name));
                        }
                    }
                    Err(fault) => {
                        let shown = self.values.shown(keyword);
                        match fault {
                            Fault::Unknown(what) if what.ends_with(',') => {
                                self.spread(keyword, &format!("{shown}: {what}"));
                            }
                            _ => self.spread(keyword, &shown),
                        }
                        read.is_open = true;
                    }
                }
                continue;
            };
            self.argument(&mut read, function, (name.as_str(), name.range(), given), (in_order, by_name));
        }
        read.given.retain(|&(_, given)| {
            self.values.begin();
            !self.values.is_none(given)
        });
        read
    }

    /// Adds an argument that is given by its name.
    fn argument(
        &mut self,
        read: &mut Arguments<'a>,
        function: &str,
        (name, place, given): (&str, TextRange, Given<'a>),
        (in_order, by_name): Known,
    ) {
        let known = in_order.iter().chain(by_name).copied();
        let Some(parameter) = known.clone().find(|parameter| *parameter == name) else {
            let whose = if self.dialect == Dialect::Spark43 { "Apache Spark 4.3's " } else { "" };
            let text =
                format!("{whose}`{function}` has no parameter {}; {}", quoted(name), hint(name, known));
            self.fault(&place, text);
            return;
        };
        if read.get(parameter).is_some() {
            self.fault(&place, format!("`{parameter}` is given twice"));
            return;
        }
        read.given.push((parameter, given));
    }

    fn spread(&mut self, place: &impl Ranged, shown: &str) {
        let text = format!(
            "{shown} is known only when the code runs; expected each argument by its name, or the fixture's `flow` as \
             an object"
        );
        self.fault(place, text);
    }
}
