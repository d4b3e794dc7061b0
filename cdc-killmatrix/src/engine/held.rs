//! What comes of a fixture, checkpoint by checkpoint, held against what it expects.

use cdc_core::Table;

use super::{Failure, OnEngine, Refused};
use crate::feed_form::FeedForm;
use crate::fixture::{Checkpoint, Fixture};
use crate::verdict::{Difference, Found};

/// What is played: a fixture, or what a mutant makes of it.
pub(crate) struct Sheet<'a> {
    /// The full name of the fixture.
    pub(crate) name: String,
    pub(crate) fixture: &'a Fixture,
    /// The mutant, and what of the rows is compared; `None`: all rows, and no mutant.
    pub(crate) form: Option<(&'static str, &'a FeedForm)>,
}

/// What comes of a batch.
pub(crate) enum Came {
    /// The whole target.
    Rows(Table),
    Refused(Refused),
}

/// What is known of a sheet until now.
#[derive(Default)]
pub(crate) struct Held {
    differences: Vec<Difference>,
    refused: Option<(usize, Refused, Option<String>)>,
    /// What is said of the fixture as a whole: that it can't be played.
    declined: Option<Refused>,
    /// What couldn't be carried out: the checkpoint, if one is named, and what stood in the way.
    failed: Option<(Option<usize>, String)>,
}

impl Held {
    /// Takes what came of a checkpoint, counted from 0.
    pub(crate) fn take(&mut self, sheet: &Sheet<'_>, number: usize, came: Came) {
        let checkpoint = &sheet.fixture.checkpoints[number];
        match came {
            Came::Refused(refusal) => match &checkpoint.expect_error {
                Some(class) if refusal.is(class) => {}
                expected => self.refused = Some((number, refusal, expected.clone())),
            },
            Came::Rows(rows) => {
                let rows = sheet.form.map_or_else(|| rows.clone(), |(_, form)| form.shown(&rows));
                let found = found(checkpoint, rows);
                self.differences.extend(found.map(|found| Difference { checkpoint: number, found }));
            }
        }
    }

    pub(crate) fn decline(&mut self, refusal: Refused) {
        self.declined = Some(refusal);
    }

    pub(crate) fn fail(&mut self, checkpoint: Option<usize>, reason: String) {
        self.failed = Some((checkpoint, reason));
    }

    /// Whether nothing more can come.
    pub(crate) fn is_over(&self) -> bool {
        self.refused.is_some() || self.declined.is_some() || self.failed.is_some()
    }

    pub(crate) fn outcome(self) -> OnEngine {
        if let Some(Refused { class, message }) = self.declined {
            return OnEngine::Unsupported(format!("{class}: {message}"));
        }
        if !self.differences.is_empty() {
            return OnEngine::Differs(self.differences);
        }
        if let Some((checkpoint, reason)) = self.failed {
            return OnEngine::Failed { checkpoint, failure: Failure::NotRun(reason) };
        }
        match self.refused {
            Some((checkpoint, refusal, expected)) => OnEngine::Refused { checkpoint, refusal, expected },
            None => OnEngine::Equal,
        }
    }
}

/// What is wrong with rows.
fn found(checkpoint: &Checkpoint, rows: Table) -> Option<Found> {
    match &checkpoint.expect_error {
        Some(class) => Some(Found::Accepted { class: class.clone() }),
        None if checkpoint.expect.is_empty() || checkpoint.expect.contains(&rows) => None,
        None => Some(Found::Rows(rows)),
    }
}
