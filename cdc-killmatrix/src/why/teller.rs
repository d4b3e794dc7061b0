//! What every line of a story is made of: events by name, rules with their page.

use cdc_core::{Arrival, AutoCdc, Plan, Reference, Row, ScdType, Value, Version};

use super::witness::Log;

/// The page that names the classes of refused batches.
pub(super) const PAGE_OF_REFUSALS: &str =
    "https://docs.databricks.com/aws/en/error-messages/autocdc-microbatch-validation-error-class";

/// Tells the story of a key.
pub(super) struct Teller<'a> {
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
}

impl Rule {
    /// The clause of the flow, and the page.
    fn source(self) -> &'static str {
        match self {
            Self::Sequence => "SEQUENCE BY, https://docs.databricks.com/aws/en/ldp/cdc",
            Self::Delete => {
                "APPLY AS DELETE WHEN, \
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
        }
    }
}

impl<'a> Teller<'a> {
    pub(super) fn new(plan: &'a Plan, log: &'a Log, mut events: Vec<&'a Version>, cited: Cited) -> Self {
        events.sort_by(|left, right| (&left.order, left.arrival()).cmp(&(&right.order, right.arrival())));
        Self { plan, log, events, cited }
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
                sources.push(rule.source());
            }
        }
        if sources.is_empty() { String::new() } else { format!(" ({})", sources.join("; ")) }
    }

    /// The line of an event.
    pub(super) fn line(&mut self, version: &Version, told: &str) -> String {
        let arrival = version.arrival();
        let doubt = self.doubt(version);
        format!("{}: {} at {}: {told}{doubt}", name(arrival), verb(version), self.place(arrival))
    }

    /// Why an upsert is no delete, where a null is the reason.
    fn doubt(&mut self, version: &Version) -> String {
        let holds = self.plan.delete_condition().map(|condition| condition.holds(&version.event.values));
        if version.is_delete() || holds != Some(Ok(None)) {
            return String::new();
        }
        let source = self.cite([Rule::Delete]);
        format!("; it is no delete, since `{}` is null{source}", self.condition())
    }

    /// APPLY AS DELETE WHEN, as it was written.
    fn condition(&self) -> &'a str {
        self.plan.flow().apply_as_deletes.as_deref().unwrap_or_default().trim()
    }

    /// Where an event stands in the sequence.
    pub(super) fn place(&self, arrival: Arrival) -> Value {
        self.log.events.get(&arrival).map_or(Value::Null, |version| self.plan.sequence_value(&version.event))
    }

    /// What an event itself says of the target.
    pub(super) fn own_row(&self, version: &Version) -> Row {
        Reference.row_of(self.plan, &version.event)
    }

    /// Whether two events ask for the same.
    pub(super) fn says_the_same(&self, one: &Version, other: &Version) -> bool {
        let rows_agree = || one.is_delete() || self.own_row(one) == self.own_row(other);
        one.operation == other.operation && rows_agree()
    }

    /// Why a row is deleted.
    pub(super) fn delete_reason(&mut self) -> String {
        format!("since `{}` is true{}", self.condition(), self.cite([Rule::Delete]))
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
        let one_batch = winner.arrival().batch == loser.arrival().batch;
        let one_kind = winner.operation == loser.operation;
        let rule = match (self.plan.scd_type(), one_batch, one_kind) {
            (ScdType::One, true, _) | (ScdType::Two, true, true) => "in one batch the last row wins",
            (ScdType::One, false, true) => "of two batches the later one wins",
            (ScdType::One, false, false) => "of two batches an upsert wins over a delete",
            (ScdType::Two, true, false) => "in one batch a delete wins over an upsert",
            (ScdType::Two, false, true) => "of two batches the earlier one wins",
            (ScdType::Two, false, false) => "of two batches a delete wins over an upsert",
        };
        let against_spark = self.plan.scd_type() == ScdType::Two
            && !one_batch
            && winner.is_delete()
            && winner.arrival() < loser.arrival();
        let source = self.cite([if against_spark { Rule::ChosenTie } else { Rule::Tie }]);
        format!("loses a tie to {winner_name}: {rule}{source}")
    }
}

/// How a story calls an event.
pub(super) fn name(arrival: Arrival) -> String {
    format!("checkpoint {}, event {}", u64::from(arrival.batch) + 1, u64::from(arrival.row) + 1)
}

fn verb(version: &Version) -> &'static str {
    if version.is_delete() { "delete" } else { "upsert" }
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
