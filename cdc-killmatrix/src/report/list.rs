//! The mutants, by family.

use cdc_core::Mutant;

use super::grid::{Grid, WIDTH, joined};
use super::summary::family_name;
use crate::catalogue::by_family;
use crate::words::sentence;

/// The mutants, for a terminal: by family, in the order in which these first occur.
pub fn list(mutants: &[Mutant]) -> String {
    let heading =
        ["name, and the decision it breaks", "what it does wrong, and \"what the business notices\""];
    let mut rows = vec![heading.map(str::to_owned)];
    for (family, mutants) in by_family(mutants, |mutant| mutant.family) {
        rows.push([String::new(), String::new()]);
        rows.push([family_name(family).to_owned(), String::new()]);
        rows.extend(mutants.into_iter().map(row));
    }
    joined(&Grid::new(2, rows).lines(WIDTH))
}

fn row(mutant: &Mutant) -> [String; 2] {
    let mut told = mutant.about.to_owned();
    if !mutant.consequence.is_empty() {
        told.extend(["\n\"", &sentence(mutant.consequence), "\""]);
    }
    if let Some(reason) = mutant.equivalent {
        told.extend(["\nNo events tell it: ", &sentence(reason)]);
    }
    [format!("  {}\n  {}", mutant.name, mutant.breaks.name()), told]
}
