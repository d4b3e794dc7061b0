//! What weaker tests would have seen: for a terminal, for a document, for scripts.

use serde::Serialize;

use super::grid::{Grid, WIDTH, joined, wrapped};
use super::json::pretty;
use super::markdown::{head, row};
use crate::assertions::{Assertions, Check, Seen, Setting};
use crate::escape::for_markdown;
use crate::words::counted;

/// Where no check sees a mutant, and where none could be tried.
const UNSEEN: &str = "-";
const UNTRIED: &str = "n/a";

/// What the first table shows.
const WEAKEST: &str = "The weakest check that sees each broken copy";
/// What the second table shows.
const TOTALS: &str = "How many broken copies each check sees";

/// The assertions for a terminal.
pub fn assertions(assertions: &Assertions) -> String {
    let title = |title: &str| std::iter::once(title.to_owned()).chain(settings()).collect::<Vec<String>>();
    let mutants = assertions.mutants.iter().map(|seen| line(seen.mutant, weakest(seen)));
    let checks = Check::ALL.into_iter().map(|check| line(check.name(), totals(assertions, check)));
    let mut lines = vec![WEAKEST.to_owned(), String::new()];
    lines.extend(Grid::new(2, std::iter::once(title("")).chain(mutants)).lines(WIDTH));
    lines.extend([String::new(), TOTALS.to_owned(), String::new()]);
    lines.extend(Grid::new(2, std::iter::once(title("")).chain(checks)).lines(WIDTH));
    for sentence in legend(assertions) {
        lines.push(String::new());
        lines.extend(wrapped(&sentence, 0, 0));
    }
    joined(&lines)
}

/// The assertions as Markdown: two tables.
pub fn assertions_markdown(assertions: &Assertions) -> String {
    let mut lines = head(WEAKEST, settings());
    let name = |seen: &Seen| for_markdown(&seen.mutant.replace('_', " ")).into_owned();
    lines.extend(assertions.mutants.iter().map(|seen| row(&name(seen), weakest(seen))));
    lines.push(String::new());
    lines.extend(head(TOTALS, settings()));
    lines.extend(Check::ALL.into_iter().map(|check| row(check.name(), totals(assertions, check))));
    for sentence in legend(assertions) {
        lines.extend([String::new(), sentence]);
    }
    joined(&lines)
}

fn settings() -> impl Iterator<Item = String> {
    Setting::ALL.into_iter().map(|setting| setting.name().to_owned())
}

fn line(title: &str, cells: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(title.to_owned()).chain(cells).collect()
}

fn weakest(seen: &Seen) -> impl Iterator<Item = String> {
    let told = |setting| match (seen.by(setting), seen.weakest(setting)) {
        (None, _) => UNTRIED,
        (_, None) => UNSEEN,
        (_, Some(check)) => check.name(),
    };
    Setting::ALL.into_iter().map(move |setting| told(setting).to_owned())
}

fn totals(assertions: &Assertions, check: Check) -> impl Iterator<Item = String> {
    Setting::ALL.into_iter().map(move |setting| {
        let (count, of) = assertions.count(check, setting);
        format!("{count} of {of}")
    })
}

fn legend(assertions: &Assertions) -> [String; 2] {
    let &Assertions { fixtures, refreshed, .. } = assertions;
    let checks = format!(
        "Roughly from weak to strong; the first that sees a copy is named. Green run: batches are taken, or refused, as they must be. Schema: the columns and their \
         types. Row count: how many rows. Keys: which keys. Distinct rows: which rows, each once. All rows: each as \
         often as it is there. `{UNSEEN}`: none sees it."
    );
    let settings = format!(
        "Every checkpoint, or the last one only; or a full refresh: all events as one batch on an empty target, held \
         against the rows of the last checkpoint. {refreshed} of {} can be held so: those with one flow, not from \
         snapshots, whose last rows don't depend on the batches. `{UNTRIED}`: none of them can show it.",
        counted(fixtures, "fixture"),
    );
    [checks, settings]
}

#[derive(Serialize)]
struct AssertionsJson {
    fixtures: usize,
    refreshed: usize,
    /// The checks, the weakest first.
    checks: Vec<String>,
    mutants: Vec<MutantJson>,
    totals: Vec<TotalJson>,
}

#[derive(Serialize)]
struct MutantJson {
    mutant: &'static str,
    every_checkpoint: Option<SeenJson>,
    last_checkpoint: Option<SeenJson>,
    full_refresh: Option<SeenJson>,
}

#[derive(Serialize)]
struct SeenJson {
    weakest: Option<String>,
    seen_by: Vec<String>,
}

#[derive(Serialize)]
struct TotalJson {
    check: String,
    every_checkpoint: CountJson,
    last_checkpoint: CountJson,
    full_refresh: CountJson,
}

#[derive(Serialize)]
struct CountJson {
    seen: usize,
    of: usize,
}

/// The assertions as JSON.
pub fn assertions_json(assertions: &Assertions) -> String {
    let word = |check: Check| check.name().replace(' ', "_");
    let seen = |seen: &Seen, setting| {
        let checks = seen.by(setting)?.iter().copied().map(word);
        Some(SeenJson { weakest: seen.weakest(setting).map(word), seen_by: checks.collect() })
    };
    let count = |check, setting| {
        let (seen, of) = assertions.count(check, setting);
        CountJson { seen, of }
    };
    pretty(&AssertionsJson {
        fixtures: assertions.fixtures,
        refreshed: assertions.refreshed,
        checks: Check::ALL.map(word).to_vec(),
        mutants: assertions
            .mutants
            .iter()
            .map(|it| MutantJson {
                mutant: it.mutant,
                every_checkpoint: seen(it, Setting::EveryCheckpoint),
                last_checkpoint: seen(it, Setting::LastCheckpoint),
                full_refresh: seen(it, Setting::FullRefresh),
            })
            .collect(),
        totals: Check::ALL
            .into_iter()
            .map(|check| TotalJson {
                check: word(check),
                every_checkpoint: count(check, Setting::EveryCheckpoint),
                last_checkpoint: count(check, Setting::LastCheckpoint),
                full_refresh: count(check, Setting::FullRefresh),
            })
            .collect(),
    })
}
