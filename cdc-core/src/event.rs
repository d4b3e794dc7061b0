use std::ops::{Deref, Range};

use smallvec::SmallVec;

use crate::row::Row;
use crate::value::Value;

/// When an event arrived: the batch, and its row in the batch, each from 0.
///
/// The reference looks at it only to settle ties; an implementation that is wrong may order by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arrival {
    /// The batch.
    pub batch: u32,
    /// The row in the batch.
    pub row: u32,
}

/// A change event as it was delivered. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The values, in the order of the source's schema.
    pub values: Row,
    /// When it arrived.
    pub arrival: Arrival,
}

/// Events in the order of their arrival, cut into batches.
///
/// ```
/// use cdc_core::{Feed, Value};
///
/// let mut feed = Feed::default();
/// feed.append([[Value::Int(1)], [Value::Int(2)]]);
/// feed.append([[Value::Int(3)]]);
/// assert_eq!(feed.batch(1).earlier.len(), 2);
/// assert_eq!(feed.batch(1).events[0].arrival.batch, 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Feed {
    events: Vec<Event>,
    batches: Vec<Delivered>,
}

/// A batch of a feed: where its events end, and how it came.
#[derive(Clone, Debug)]
struct Delivered {
    end: usize,
    delivery: Delivery,
}

/// How a batch comes, beside its events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delivery {
    /// Which of the target's flows brings it, from 0. Most targets have one.
    pub flow: usize,
    /// How many seconds pass before it: no other clock moves.
    pub seconds: u64,
    /// In a flow from snapshots the version of the snapshot, whose rows the events are. `None`: the source gives
    /// no snapshot this time.
    pub version: Option<Value>,
}

impl Feed {
    /// Adds a batch of rows in arrival order.
    pub fn append<R: Into<Row>>(&mut self, rows: impl IntoIterator<Item = R>) {
        self.deliver(Delivery::default(), rows);
    }

    /// Adds a batch of rows in arrival order, delivered in this way.
    pub fn deliver<R: Into<Row>>(&mut self, delivery: Delivery, rows: impl IntoIterator<Item = R>) {
        let batch = u32::try_from(self.batches.len()).unwrap_or(u32::MAX);
        self.events.extend((0..).zip(rows).map(|(row, values)| {
            let arrival = Arrival { batch, row };
            Event { values: values.into(), arrival }
        }));
        self.batches.push(Delivered { end: self.events.len(), delivery });
    }

    /// How many batches there are.
    pub fn batches(&self) -> usize {
        self.batches.len()
    }

    /// All events, in the order of their arrival.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The batch with this number, from 0.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn batch(&self, number: usize) -> Batch<'_> {
        self.batch_since(number, 0)
    }

    /// The same batch for a target that was emptied before batch `start`: nothing earlier is known to it.
    ///
    /// # Panics
    ///
    /// If there is no such batch, or it comes before `start`.
    pub fn batch_since(&self, number: usize, start: usize) -> Batch<'_> {
        let events = self.range(number);
        Batch {
            number: u32::try_from(number).unwrap_or(u32::MAX),
            earlier: &self.events[self.range(start).start..events.start],
            events: &self.events[events],
            delivery: &self.batches[number].delivery,
        }
    }

    fn range(&self, number: usize) -> Range<usize> {
        let start = number.checked_sub(1).map_or(0, |before| self.batches[before].end);
        start..self.batches[number].end
    }
}

/// Events that are applied together, and all that came before them.
#[derive(Clone, Copy, Debug)]
pub struct Batch<'a> {
    /// Its number in the feed, from 0.
    pub number: u32,
    /// The events of earlier batches.
    pub earlier: &'a [Event],
    /// The events of this batch.
    pub events: &'a [Event],
    /// How it comes.
    pub delivery: &'a Delivery,
}

/// What an event asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// To insert the row, or to update it.
    Upsert,
    /// To delete the row.
    Delete,
    /// To delete every row.
    Truncate,
}

/// One or two values inline: most keys and sequences are no longer.
type Values = SmallVec<[Value; 2]>;

/// Pushed one by one, which for a few values is quicker than to extend.
fn pushed(values: impl IntoIterator<Item = Value>) -> Values {
    let mut all = Values::new();
    for value in values {
        all.push(value);
    }
    all
}

/// The row of the target that an event speaks about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(Values);

impl Key {
    /// The key of these values.
    pub fn new(values: impl IntoIterator<Item = Value>) -> Self {
        Self(pushed(values))
    }
}

impl Deref for Key {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

/// The place of an event among the events of its key: values, compared one after the other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Order(Values);

impl Order {
    /// The order of these values.
    pub fn new(values: impl IntoIterator<Item = Value>) -> Self {
        Self(pushed(values))
    }

    /// The order of arrival, which an implementation must not go by.
    pub fn arrival(event: &Event) -> Self {
        let Arrival { batch, row } = event.arrival;
        Self::new([batch, row].map(|number| Value::Int(number.into())))
    }
}

impl Deref for Order {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

/// An event that has been read: what it asks for, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// What the event asks for.
    pub operation: Operation,
    /// Its place among the events of its key.
    pub order: Order,
    /// When it became known, in a bitemporal target.
    pub system: Option<Box<Order>>,
    /// Which of the target's flows brought it, from 0.
    pub flow: usize,
    /// The event itself.
    pub event: Event,
}

impl Version {
    /// Whether the event deletes its row: a truncate deletes it as well.
    pub fn is_delete(&self) -> bool {
        self.operation != Operation::Upsert
    }

    /// When the event arrived.
    pub fn arrival(&self) -> Arrival {
        self.event.arrival
    }
}

/// An event of a key's history, and what it says of the target.
#[derive(Clone, Debug)]
pub struct Image<'a> {
    /// The event.
    pub version: &'a Version,
    /// The target's row after it, without interval bounds.
    pub row: Row,
}

impl Image<'_> {
    /// Whether the event deletes its row.
    pub fn is_delete(&self) -> bool {
        self.version.is_delete()
    }
}
