//! What every line of a story is made of: events by name, rules with their page.

use cdc_core::{Arrival, AutoCdc, Operation, Plan, Reference, Row, ScdType, Value, Version};

use super::witness::Log;
use crate::words::counted;

/// The page that names the classes of refused batches.
pub(super) const PAGE_OF_REFUSALS: &str =
    "https://docs.databricks.com/aws/en/error-messages/autocdc-microbatch-validation-error-class";

/// Tells the story of a key.
pub(super) struct Teller<'a> {
    /// The plans of the target's flows.
    plans: &'a [Plan],
    /// That of the first one, which gives the target's shape.
    pub(super) plan: &'a Plan,
    pub(super) log: &'a Log,
    /// The events of the key in the order of the sequence, then of arrival.
    pub(super) events: Vec<&'a Version>,
    /// The rules whose sources were given.
    cited: Cited,
}

/// Rules whose sources were given.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cited(u16);

impl Cited {
    /// All of them.
    pub(super) const ALL: Self = Self(u16::MAX);

    /// Adds a rule; whether it is new.
    fn insert(&mut self, rule: Rule) -> bool {
        let before = self.0;
        self.0 |= 1 << rule as u16;
        self.0 != before
    }
}

/// What a line gives as its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// The sequence orders the events.
    Sequence,
    /// The condition that makes an event a delete.
    Delete,
    /// The condition that makes an event a truncate.
    Truncate,
    /// A key that a snapshot lacks is deleted.
    Snapshot,
    /// Which columns an event gives.
    ColumnsToUpdate,
    /// A delete is remembered for some time.
    Expiry,
    /// A delete is remembered.
    Tombstone,
    /// What a null says.
    Nulls,
    /// A late event fills the nulls of a newer one.
    LateFill,
    /// A delete ends what nulls take over.
    DeleteEndsFill,
    /// A change opens a row, a delete ends it.
    History,
    /// Not every change opens a row.
    TrackHistory,
    /// A tie, settled as measured.
    Tie,
    /// A tie that is settled otherwise than measured.
    ChosenTie,
    /// A tie of a kind that Spark doesn't have.
    UnmeasuredTie,
}

impl Rule {
    /// The clause of the flow, and the page.
    fn source(self, scd_type: ScdType) -> &'static str {
        match self {
            Self::History if scd_type == ScdType::Bitemporal => {
                "STORED AS BITEMPORAL, https://docs.databricks.com/aws/en/ldp/cdc"
            }
            Self::Sequence => "SEQUENCE BY, https://docs.databricks.com/aws/en/ldp/cdc",
            Self::Delete => {
                "APPLY AS DELETE WHEN, \
                 https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes"
            }
            Self::Truncate => "APPLY AS TRUNCATE WHEN, https://docs.databricks.com/aws/en/ldp/cdc",
            Self::Snapshot => "FROM SNAPSHOT, https://docs.databricks.com/aws/en/ldp/cdc",
            Self::ColumnsToUpdate => {
                "COLUMNS TO UPDATE, \
                 https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes"
            }
            Self::Expiry => {
                "pipelines.cdc.tombstoneGCThresholdInSeconds, \
                 https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes"
            }
            Self::Tombstone => {
                "https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes"
            }
            Self::Nulls => {
                "IGNORE NULL UPDATES, \
                 https://docs.databricks.com/aws/en/ldp/developer/ldp-python-ref-apply-changes"
            }
            Self::LateFill => {
                "Databricks doesn't say whether a late event fills newer ones, in Apache Spark's code it does"
            }
            Self::DeleteEndsFill => {
                "Databricks doesn't say whether values are taken over across a delete, in Apache Spark's code they \
                 aren't"
            }
            Self::History => "STORED AS SCD TYPE 2, https://docs.databricks.com/aws/en/ldp/cdc",
            Self::TrackHistory => "TRACK HISTORY ON, https://docs.databricks.com/aws/en/ldp/cdc",
            Self::Tie => "no vendor orders a tie; measured on Apache Spark 4.3.0",
            Self::ChosenTie => {
                "no vendor orders a tie; chosen here, Apache Spark 4.3.0 forgets a delete that ended a row"
            }
            Self::UnmeasuredTie => "no vendor orders a tie; chosen here",
        }
    }
}

impl<'a> Teller<'a> {
    pub(super) fn new(plans: &'a [Plan], log: &'a Log, mut events: Vec<&'a Version>, cited: Cited) -> Self {
        events.sort_by(|left, right| (&left.order, left.arrival()).cmp(&(&right.order, right.arrival())));
        Self { plans, plan: &plans[0], log, events, cited }
    }

    /// The plan of the flow that brought an event.
    pub(super) fn plan_of(&self, version: &Version) -> &'a Plan {
        &self.plans[version.flow]
    }

    /// The rules whose sources were given.
    pub(super) fn cited(&self) -> Cited {
        self.cited
    }

    /// The sources of rules in brackets, each where the story gives it for the first time.
    pub(super) fn cite<const N: usize>(&mut self, rules: [Rule; N]) -> String {
        let mut sources: Vec<&str> = Vec::new();
        for rule in rules {
            if self.cited.insert(rule) {
                sources.push(rule.source(self.plan.scd_type()));
            }
        }
        if sources.is_empty() { String::new() } else { format!(" ({})", sources.join("; ")) }
    }

    /// The line of an event.
    pub(super) fn line(&mut self, version: &Version, told: &str) -> String {
        let arrival = version.arrival();
        let (given, doubt) = (self.given(version), self.doubt(version));
        let known = match self.plan_of(version).system_sequence() {
            Some(_) => format!(", known at {}", self.plan_of(version).system_value(&version.event)),
            None => String::new(),
        };
        format!(
            "{}: {} at {}{known}: {told}{given}{doubt}",
            name(arrival),
            verb(version),
            self.place(arrival)
        )
    }

    /// Whether an event gives a column.
    pub(super) fn gives(&self, version: &Version, column: usize) -> bool {
        Reference.gives(self.plan_of(version), &version.event, column)
    }

    /// Which columns an event gives, where it needn't give all.
    fn given(&mut self, version: &Version) -> String {
        let plan = self.plan_of(version);
        let gives = |&column: &usize| Reference.gives(plan, &version.event, column);
        let columns: Vec<usize> = plan.payload().filter(gives).collect();
        if plan.columns_to_update().is_none()
            || version.is_delete()
            || columns.len() == plan.payload().count()
        {
            return String::new();
        }
        let names: Vec<&str> = columns.iter().map(|&column| &*plan.target()[column].name).collect();
        let gives = if names.is_empty() { "nothing".to_owned() } else { format!("{} only", listed(&names)) };
        format!("; it gives {gives}, and the rest stays as it was{}", self.cite([Rule::ColumnsToUpdate]))
    }

    /// Why an upsert is no delete, where a null is the reason.
    fn doubt(&mut self, version: &Version) -> String {
        let holds =
            self.plan_of(version).delete_condition().map(|condition| condition.holds(&version.event.values));
        if version.is_delete() || holds != Some(Ok(None)) {
            return String::new();
        }
        let source = self.cite([Rule::Delete]);
        let condition = self.plan_of(version).flow().apply_as_deletes.as_deref().unwrap_or_default();
        format!("; it is no delete, since `{}` is null{source}", condition.trim())
    }

    /// Where an event stands in the sequence.
    pub(super) fn place(&self, arrival: Arrival) -> Value {
        self.log
            .events
            .get(&arrival)
            .map_or(Value::Null, |version| self.plan_of(version).sequence_value(&version.event))
    }

    /// What an event itself says of the target.
    pub(super) fn own_row(&self, version: &Version) -> Row {
        Reference.row_of(self.plan_of(version), &version.event)
    }

    /// Whether two events ask for the same: of an upsert, that they give the same values.
    pub(super) fn says_the_same(&self, one: &Version, other: &Version) -> bool {
        let given = |version: &Version| -> Option<Vec<Option<Value>>> {
            let columns = self.own_row(version);
            let given = |(column, value): (usize, &Value)| {
                let is_silent = value.is_null() && self.plan_of(version).ignores_null(column);
                (self.gives(version, column) && !is_silent).then(|| value.clone())
            };
            (!version.is_delete()).then(|| columns.iter().enumerate().map(given).collect())
        };
        given(one) == given(other)
    }

    /// What a delete or a truncate is called.
    pub(super) fn delete_name(&self, arrival: Arrival) -> String {
        let verb = self.log.events.get(&arrival).map_or("delete", verb);
        format!("the {verb} of {}", name(arrival))
    }

    /// Why a row is deleted.
    pub(super) fn delete_reason(&mut self, version: &Version) -> String {
        let flow = self.plan_of(version).flow();
        if flow.from_snapshot.is_some() {
            return format!("since the snapshot lacks the key{}", self.cite([Rule::Snapshot]));
        }
        let (condition, rule) = match version.operation {
            Operation::Truncate => (&flow.apply_as_truncates, Rule::Truncate),
            _ => (&flow.apply_as_deletes, Rule::Delete),
        };
        format!("since `{}` is true{}", condition.as_deref().unwrap_or_default().trim(), self.cite([rule]))
    }

    /// That a delete has been forgotten, if it has. To be put behind a sentence.
    pub(super) fn expired(&mut self, version: &Version) -> String {
        let Some(expired) = self.log.expired.get(&version.arrival()) else { return String::new() };
        let after = counted(expired.seconds, "second");
        format!("; after {after} it was forgotten{}", self.cite([Rule::Expiry]))
    }

    /// How an event lost to another one at the same place in the sequence.
    pub(super) fn tie(&mut self, loser: &Version, winner: &Version) -> String {
        let winner_name = name(winner.arrival());
        if self.says_the_same(loser, winner) {
            return if winner.arrival() < loser.arrival() {
                format!("passed over, it says the same as {winner_name}")
            } else {
                format!("gives way to {winner_name}, which says the same")
            };
        }
        let scd_type = self.plan.scd_type();
        let one_batch = winner.arrival().batch == loser.arrival().batch;
        let one_kind = winner.is_delete() == loser.is_delete();
        let rule = match (scd_type, one_batch, one_kind) {
            _ if winner.system != loser.system => "of two system times the later one wins",
            (ScdType::One, true, _) | (_, true, true) => "in one batch the last row wins",
            (ScdType::One, false, true) => "of two batches the later one wins",
            (ScdType::One, false, false) => "of two batches an upsert wins over a delete",
            (_, true, false) => "in one batch a delete wins over an upsert",
            (_, false, true) => "of two batches the earlier one wins",
            (_, false, false) => "of two batches a delete wins over an upsert",
        };
        let is_truncate = [winner, loser].iter().any(|it| it.operation == Operation::Truncate);
        let is_delete_kept = !one_batch && winner.is_delete() && winner.arrival() < loser.arrival();
        let source = match scd_type {
            ScdType::Bitemporal => Rule::UnmeasuredTie,
            ScdType::One if is_truncate => Rule::UnmeasuredTie,
            ScdType::Two if is_delete_kept => Rule::ChosenTie,
            ScdType::One | ScdType::Two => Rule::Tie,
        };
        let source = self.cite([source]);
        format!("loses a tie to {winner_name}: {rule}{source}")
    }
}

/// How a story calls an event.
pub(super) fn name(arrival: Arrival) -> String {
    format!("checkpoint {}, event {}", u64::from(arrival.batch) + 1, u64::from(arrival.row) + 1)
}

fn verb(version: &Version) -> &'static str {
    match version.operation {
        Operation::Upsert => "upsert",
        Operation::Delete => "delete",
        Operation::Truncate => "truncate",
    }
}

/// One word for one thing, another for more.
pub(super) fn plural<T>(things: &[T], one: &'static str, more: &'static str) -> &'static str {
    if things.len() == 1 { one } else { more }
}

/// Names of columns as they stand in a sentence.
pub(super) fn listed<S: AsRef<str>>(names: &[S]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{}`", name.as_ref())).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
