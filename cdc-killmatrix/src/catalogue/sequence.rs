//! How two places in the sequence compare.

use cdc_core::{AutoCdc as _, Event, Mutants, Order, Plan, Reference, Value, needs};
use jiff::civil::DateTime;

use super::values::deeply;

/// Faults of the sequence.
#[derive(Mutants)]
#[mutants(family = "sequence")]
pub(super) enum Sequence {
    /// Only the first field of the sequence counts.
    ///
    /// Of two changes in one moment the table shows the older one, if that came later.
    #[mutant(order_of = first_field, needs = needs::composite_sequence, caught_by = "customers_current/sequence_tie")]
    IgnoredTieBreaker,

    /// A tie in the first field of the sequence is broken by what the row says, which is no order of the source.
    ///
    /// Which of two changes in one moment the table shows is left to chance.
    #[mutant(order_of = by_content, needs = needs::composite_sequence, caught_by = "customers_current/sequence_tie")]
    ArbitraryTieBreaker,

    /// Of events that agree in the first field of the sequence the first to arrive stays.
    ///
    /// The table stops at the first of several changes in one second.
    #[mutant(
        order_of = first_of_tie,
        needs = needs::composite_sequence,
        report = "https://github.com/apache/hudi/issues/1803",
        caught_by = "customers_current/sequence_tie"
    )]
    KeptFirstOfTie,

    /// Only the last field of the sequence counts.
    ///
    /// A later transaction loses to an earlier one.
    #[mutant(
        order_of = last_field,
        needs = needs::composite_sequence,
        report = "https://github.com/debezium/debezium/pull/746",
        caught_by = "customers_current/positions_past_ten"
    )]
    LastFieldOnly,

    /// Numbers of the sequence are compared as text: 10 comes before 9.
    ///
    /// When the numbers get longer, the table stands still.
    #[mutant(
        order_of = as_text,
        needs = needs::numeric_sequence,
        report = "https://github.com/apache/flink-cdc/pull/4358",
        caught_by = "customers_current/positions_past_ten"
    )]
    SequenceAsText,

    /// The fields of the sequence are glued into one text.
    ///
    /// When a position gets longer, the newer change loses to the older one.
    #[mutant(
        order_of = glued,
        needs = needs::composite_sequence,
        report = "https://github.com/airbytehq/airbyte/pull/28756",
        caught_by = "customers_current/positions_past_ten"
    )]
    GluedSequence,

    /// The sequence is cut to whole seconds.
    ///
    /// Of two changes in one second the table shows the older one, if that came later.
    #[mutant(
        order_of = to_the_second,
        needs = needs::timestamp_sequence,
        caught_by = "clauses/well_probes"
    )]
    SequenceCutToSeconds,

    /// An event without a sequence is accepted, as the newest of all.
    ///
    /// A change of unknown age hides all that are known.
    #[mutant(
        order_of = |plan, event| Some(null_highest(plan, event)),
        needs = needs::nullable_sequence,
        report = "https://qiita.com/manabian/items/ccc04a78d4ffdea4a022",
        caught_by = "clauses/refused_batches"
    )]
    NullSequenceHighest,

    /// An event without a sequence is accepted, as the oldest of all.
    ///
    /// A change of unknown age is lost without a word.
    #[mutant(
        order_of = |plan, event| Some(Order::new(raw(plan, event).cloned())),
        needs = needs::nullable_sequence,
        report = "https://qiita.com/manabian/items/ccc04a78d4ffdea4a022",
        caught_by = "clauses/refused_batches"
    )]
    NullSequenceLowest,
}

/// The fields of the sequence. Refuses what the reference refuses.
fn fields(plan: &Plan, event: &Event) -> Option<Vec<Value>> {
    let order = Reference.order_of(plan, event)?;
    Some(match &*order {
        [Value::Struct(fields)] => fields.to_vec(),
        values => values.to_vec(),
    })
}

/// The values of the sequence, nulls as well.
fn raw<'a>(plan: &'a Plan, event: &'a Event) -> impl Iterator<Item = &'a Value> {
    plan.sequence().iter().map(|&column| &event.values[column])
}

fn first_field(plan: &Plan, event: &Event) -> Option<Order> {
    Some(Order::new(fields(plan, event)?.into_iter().take(1)))
}

fn last_field(plan: &Plan, event: &Event) -> Option<Order> {
    Some(Order::new(fields(plan, event)?.pop()))
}

/// The first field, then what makes events unique without being their order.
fn by_content(plan: &Plan, event: &Event) -> Option<Order> {
    let content = Reference.row_of(plan, event);
    let first = first_field(plan, event)?;
    Some(Order::new(first.iter().chain(&*content).cloned()))
}

/// The first field, then arrival backwards.
fn first_of_tie(plan: &Plan, event: &Event) -> Option<Order> {
    let backwards = [event.arrival.batch, event.arrival.row].map(|number| Value::Int(-i64::from(number)));
    Some(Order::new(first_field(plan, event)?.iter().cloned().chain(backwards)))
}

fn as_text(plan: &Plan, event: &Event) -> Option<Order> {
    let text = |value: &Value| match value {
        Value::Int(_) | Value::Float(_) | Value::Double(_) | Value::Decimal(_) => {
            Value::from(&*value.to_string())
        }
        value => value.clone(),
    };
    Some(Order::new(fields(plan, event)?.iter().map(|field| deeply(field, text))))
}

fn glued(plan: &Plan, event: &Event) -> Option<Order> {
    let fields = fields(plan, event)?;
    let text: String = fields.iter().filter(|field| !field.is_null()).map(Value::to_string).collect();
    Some(Order::new([Value::from(&*text)]))
}

fn to_the_second(plan: &Plan, event: &Event) -> Option<Order> {
    let whole = |moment: &DateTime| moment.with().subsec_nanosecond(0).build().unwrap_or(*moment);
    let cut = |value: &Value| match value {
        Value::Timestamp(moment) => Value::Timestamp(whole(moment)),
        Value::TimestampNtz(moment) => Value::TimestampNtz(whole(moment)),
        value => value.clone(),
    };
    Some(Order::new(fields(plan, event)?.iter().map(cut)))
}

fn null_highest(plan: &Plan, event: &Event) -> Order {
    Order::new(raw(plan, event).flat_map(|value| [Value::Boolean(value.is_null()), value.clone()]))
}
