//! What fixtures and mutants claim of each other, held against what happens.

use cdc_core::Mutant;

use crate::catalogue;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::fixture::{Fixture, Fixtures, Suite};
use crate::matrix::Matrix;
use crate::verdict::{self, Cause, Outcome};
use crate::words::{hint, pasted};

/// Every claim that doesn't hold, each with the file and what to do.
///
/// A fixture claims by `aims_at` that it catches some mutants; a mutant, that a fixture catches it, by
/// [`Mutant::caught_by`], or that none does, by [`Mutant::equivalent`]. What isn't among the fixtures or the mutants is passed over, and so is a
/// mutant that the configuration leaves out of the suite; but a name that neither they nor the catalogue have is a fault. Of suites that aren't audited just the cells that a claim
/// speaks of are played.
///
/// ```
/// use cdc_killmatrix::{Fixtures, Matrix, broken_claims, catalogue};
///
/// let fixtures = Fixtures::load(["../fixtures/customers_current"])?;
/// let matrix = Matrix::of(&fixtures, &catalogue::all());
/// assert_eq!(broken_claims(&fixtures, &matrix), Ok(()));
/// # Ok::<(), cdc_killmatrix::Diagnostics>(())
/// ```
pub fn broken_claims(fixtures: &Fixtures, matrix: &Matrix) -> Result<(), Diagnostics> {
    let mut faults = Diagnostics::default();
    let mut known: Vec<&str> = matrix.mutants.iter().map(|mutant| mutant.name).collect();
    known.extend(catalogue::all().iter().map(|mutant| mutant.name));
    known.sort_unstable();
    known.dedup();
    for ((suite, fixture), (_, line)) in fixtures.pairs().zip(matrix.lines()) {
        let name = suite.full_name(fixture);
        for aim in fixture.aims_at.iter().filter(|aim| !known.contains(&aim.as_str())) {
            let text = format!(
                "{name} aims at `{aim}`, which is no broken copy; {}",
                hint(aim, known.iter().copied())
            );
            faults.push(Diagnostic::of_path(&fixture.path, text).then("list"));
        }
        for (column, mutant) in matrix.mutants.iter().enumerate() {
            let claims = Claims::of(mutant, suite, fixture);
            let outcome = match line.cells.get(column) {
                _ if claims == Claims::default() => continue,
                Some(outcome) if outcome.is_left_out() => continue,
                Some(outcome) => outcome,
                None => &verdict::try_mutant(mutant, fixture),
            };
            for text in claims.broken_by(mutant, &name, outcome) {
                let explain = format!("explain {} {}", mutant.name, pasted(&fixture.path));
                faults.push(Diagnostic::of_path(&fixture.path, text).then(explain));
            }
        }
    }
    if faults.count() == 0 { Ok(()) } else { Err(faults) }
}

/// What is claimed of a mutant on a fixture.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Claims {
    /// The fixture aims at the mutant.
    aims: bool,
    /// The mutant names the fixture.
    names: bool,
    /// The mutant is declared equivalent.
    equivalent: bool,
}

impl Claims {
    fn of(mutant: &Mutant, suite: &Suite, fixture: &Fixture) -> Self {
        Self {
            aims: fixture.aims_at.iter().any(|aim| aim == mutant.name),
            names: mutant.caught_by == suite.full_name(fixture),
            equivalent: mutant.equivalent.is_some(),
        }
    }

    fn broken_by(self, mutant: &Mutant, fixture: &str, outcome: &Outcome) -> Vec<String> {
        let (mutant_name, mut texts) = (mutant.name, Vec::new());
        if let Outcome::Caught(differences) = outcome {
            let at = differences.first().map_or(1, |first| first.checkpoint + 1);
            texts.extend(mutant.equivalent.map(|reason| {
                format!(
                    "{fixture} catches `{mutant_name}` at checkpoint {at}, which is declared equivalent \
                     ({reason}); take the declaration away"
                )
            }));
            return texts;
        }
        let came = came(outcome);
        if self.aims {
            texts.push(format!(
                "{fixture} aims at `{mutant_name}` and doesn't catch it: {came}; add events that it gets wrong, or \
                 take the name out of `aims_at`"
            ));
        }
        if self.names {
            texts.push(format!(
                "`{mutant_name}` is said to be caught by {fixture}, and isn't: {came}; mend the fixture, or name \
                 another one in `caught_by`"
            ));
        }
        texts
    }
}

/// What came in the place of a catch.
fn came(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Caught(_) => "it is caught".to_owned(),
        Outcome::Missed(miss) => match miss.cause {
            Cause::NotReached => "its decision is never asked for".to_owned(),
            Cause::SameAnswer => "its decision is asked for, and each answer is the right one".to_owned(),
            Cause::Masked => "an answer is wrong inside, and the rows are right".to_owned(),
        },
        Outcome::Error(reason) => format!("it broke down ({reason}), which is no catch"),
        Outcome::NotApplicable(reason) => format!("it can't differ under the flow ({reason})"),
    }
}
