//! A mutant of one's own.

use cdc_core::{Mutants, needs};

/// A row of the history shows the first values of its run, not the last.
#[derive(Mutants)]
#[mutant(shows = |_, first, _, _| first.row.clone(), needs = needs::untracked_column)]
pub struct FirstValues;
