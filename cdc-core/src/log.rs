use crate::auto_cdc::AutoCdc;
use crate::event::{Image, Version};
use crate::partial;
use crate::row::Row;
use crate::rules::Rules;
use crate::ties;

/// How much of what was known of a key is forgotten.
pub(crate) enum Forgotten {
    Nothing,
    Something,
    Everything,
}

/// The events of a key in the order of the sequence, and what each says of the target.
#[derive(Default)]
pub(crate) struct Log {
    /// The events of earlier batches, then those of the batch under way in the order of arrival.
    versions: Vec<Version>,
    /// How many came in earlier batches.
    settled: usize,
    /// The target's row after each of the first events: those that were known when the log was last read.
    rows: Vec<Row>,
}

impl Log {
    /// The event of earlier batches that stands last.
    pub(crate) fn newest(&self) -> Option<&Version> {
        self.versions[..self.settled].last()
    }

    /// The event of the batch under way that came last.
    pub(crate) fn incoming(&self) -> Option<&Version> {
        self.versions[self.settled..].last()
    }

    pub(crate) fn receive(&mut self, version: Version) {
        self.versions.push(version);
    }

    /// Ends a batch: its events take their places, one stays at each. Returns the first place that is new.
    ///
    /// What comes before the first new event is left alone: most batches come last.
    pub(crate) fn settle<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>) -> usize {
        let (settled, incoming) = self.versions.split_at(self.settled);
        let place = match (settled.last(), incoming.iter().map(|version| &version.order).min()) {
            (Some(last), Some(first)) if *first <= last.order => {
                settled.partition_point(|it| it.order < *first)
            }
            _ => settled.len(),
        };
        self.rows.truncate(place);
        // Stable: among equals the stored event stays first, then the batch in the order of arrival.
        self.versions[place..].sort_by(|left, right| left.order.cmp(&right.order));
        ties::settle(rules, &mut self.versions, place);
        self.settled = self.versions.len();
        place
    }

    /// Drops the events from a place on of which this is true, asked while all are there.
    pub(crate) fn forget(
        &mut self,
        from: usize,
        is_forgotten: impl Fn(&[Version], usize) -> bool,
    ) -> Forgotten {
        let places = from..self.versions.len();
        let forgotten: Vec<usize> = places.filter(|&place| is_forgotten(&self.versions, place)).collect();
        let Some(&first) = forgotten.first() else { return Forgotten::Nothing };
        let mut forgotten = forgotten.into_iter().peekable();
        let rest = self.versions.split_off(first);
        let stays = (first..).zip(rest).filter(|(place, _)| forgotten.next_if_eq(place).is_none());
        self.versions.extend(stays.map(|(_, version)| version));
        self.rows.truncate(first);
        self.settled = self.versions.len();
        if self.versions.is_empty() { Forgotten::Everything } else { Forgotten::Something }
    }

    /// The events, each with the target's row after it.
    pub(crate) fn images<M: AutoCdc + ?Sized>(&mut self, rules: &Rules<'_, M>) -> Vec<Image<'_>> {
        partial::extend(rules, &self.versions, &mut self.rows);
        let images = self.versions.iter().zip(&self.rows);
        images.map(|(version, row)| Image { version, row: row.clone() }).collect()
    }

    /// The target's row after an event, if the event is still there.
    pub(crate) fn row_after<M: AutoCdc + ?Sized>(
        &mut self,
        rules: &Rules<'_, M>,
        event: &Version,
    ) -> Option<Row> {
        partial::extend(rules, &self.versions, &mut self.rows);
        let place = self.versions.binary_search_by(|version| version.order.cmp(&event.order)).ok()?;
        (self.versions[place].arrival() == event.arrival()).then(|| self.rows[place].clone())
    }
}
