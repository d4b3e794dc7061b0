//! What explains the rows that a real pipeline left: for scripts.

use cdc_core::{Mutant, Row, Schema, Table};
use serde::Serialize;
use serde_json::Value;

use super::diagnosis::{Diagnosed, NEAREST, place};
use super::json::pretty;
use crate::diagnosis::{Diagnosis, Explanation, Gap, Near};
use crate::fixture::{Fixture, row_to_json};
use crate::words::slashed;

#[derive(Serialize)]
pub(super) struct DiagnosisJson<'a> {
    suite: &'a str,
    fixture: &'a str,
    path: String,
    /// The checkpoints that have observed rows, from 1.
    observed: Vec<usize>,
    /// What gives exactly these rows: `reference`, `mutants`, `pairs` or `nothing`.
    explanation: &'static str,
    mutants: Vec<MutantJson>,
    pairs: Vec<[MutantJson; 2]>,
    /// Where the reference differs.
    reference: Vec<GapJson>,
    nearest: Vec<NearJson>,
}

#[derive(Serialize)]
struct MutantJson {
    name: &'static str,
    about: &'static str,
    family: &'static str,
    hook: &'static str,
    decision: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    clause: Option<&'static str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    consequence: &'static str,
    #[serde(skip_serializing_if = "str::is_empty")]
    report: &'static str,
}

#[derive(Serialize)]
struct NearJson {
    mutant: &'static str,
    family: &'static str,
    rows: usize,
    checkpoints: Vec<GapJson>,
}

#[derive(Serialize)]
struct GapJson {
    checkpoint: usize,
    rows: usize,
    /// Rows that were observed and that the model lacks.
    missing: Vec<Value>,
    /// Rows of the model that weren't observed.
    extra: Vec<Value>,
}

/// Diagnoses as JSON.
pub fn diagnosis_json(all: &[Diagnosed<'_>]) -> String {
    pretty(&all.iter().map(of_fixture).collect::<Vec<_>>())
}

pub(super) fn of_fixture<'a>(case: &Diagnosed<'a>) -> DiagnosisJson<'a> {
    let &Diagnosed { suite, fixture, diagnosis: Diagnosis { explanation, reference, nearest } } = case;
    let numbered = fixture.checkpoints.iter().enumerate();
    let (mut mutants, mut pairs) = (Vec::new(), Vec::new());
    match explanation {
        Explanation::Mutants(all) => mutants.extend(all.iter().map(of_mutant)),
        Explanation::Pairs(all) => pairs.extend(all.iter().map(|pair| pair.each_ref().map(of_mutant))),
        Explanation::Reference | Explanation::Nothing => {}
    }
    let near = |near: &Near| NearJson {
        mutant: near.mutant.name,
        family: near.mutant.family,
        rows: near.rows(),
        checkpoints: near.gaps.iter().map(|gap| of_gap(fixture, gap)).collect(),
    };
    DiagnosisJson {
        suite: &suite.name,
        fixture: &fixture.name,
        path: slashed(&fixture.path),
        observed: numbered.filter(|(_, it)| it.observed.is_some()).map(|(number, _)| number + 1).collect(),
        explanation: explanation.name(),
        mutants,
        pairs,
        reference: reference.iter().map(|gap| of_gap(fixture, gap)).collect(),
        nearest: nearest.iter().take(NEAREST).map(near).collect(),
    }
}

fn of_mutant(mutant: &Mutant) -> MutantJson {
    let (clause, decision) = place(mutant);
    MutantJson {
        name: mutant.name,
        about: mutant.about,
        family: mutant.family,
        hook: mutant.breaks.name(),
        decision,
        clause,
        consequence: mutant.consequence,
        report: mutant.report,
    }
}

fn of_gap(fixture: &Fixture, gap: &Gap) -> GapJson {
    let of_flow = fixture.plan().target();
    let observed = fixture.checkpoints[gap.checkpoint].observed.clone().unwrap_or_default();
    // Tables of other columns have no row in common.
    let other = if gap.target == *of_flow { gap.table.clone() } else { Table::default() };
    let common = if gap.target == *of_flow { observed.clone() } else { Table::default() };
    let json =
        |rows: Vec<&Row>, schema: &Schema| rows.into_iter().map(|row| row_to_json(row, schema)).collect();
    GapJson {
        checkpoint: gap.checkpoint + 1,
        rows: gap.rows,
        missing: json(observed.without(&other), of_flow),
        extra: json(gap.table.without(&common), &gap.target),
    }
}
