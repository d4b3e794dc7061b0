//! How fast the model is, against the same thing written in an hour on JSON (`naive`).
//!
//! criterion takes the single timings: it knows their spread, and compares them with the run before. It can't
//! take two timings in turn, and a ratio of two that were taken a minute apart says little on a shared machine.
//! So the ratios, which are what is promised, are taken here: in turn, in CPU time, medians (`timing`).
//!
//! `cargo bench --bench ratios` prints a table at the end; with `-- --quick` the feeds are a tenth as long.
//! Under `cargo test --benches` everything runs once on small feeds, and only the assertions count.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

mod naive;
mod feeds;
mod timing;
mod report;

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use cdc_core::{AutoCdc, Feed, Hook, Mutant, Plan, Reference, Row, Run, ScdType};
use cdc_killmatrix::{Checkpoint, Fixture, Fixtures, Matrix, catalogue, tables};
use criterion::{Criterion, SamplingMode};

use crate::naive::{Definition, Naive, Object};
use crate::report::{Asked, Report};
use crate::timing::{CpuTime, Seconds, clocked, in_turn, timed, timed_often};

/// How much is done.
struct Effort {
    /// The events of the two feeds, ten times as many in the second.
    events: [usize; 2],
    /// How often each is played.
    rounds: [usize; 2],
    /// How often the sequences are played.
    short_rounds: usize,
}

/// The shortest feed of which anything is asked.
const ASKED_FROM: usize = 100_000;

impl Effort {
    /// As the command line says. `None`: criterion is asked for something else than to measure.
    fn of_arguments() -> Option<(Self, Report)> {
        let arguments: Vec<String> = std::env::args().collect();
        let given = |name: &str| arguments.iter().any(|argument| argument == name);
        if given("--list") || given("--profile-time") {
            return None;
        }
        // Cargo says `--bench` when it measures; criterion takes its absence for `--test`, too.
        if given("--test") || !given("--bench") {
            return Some((
                Self { events: [1000, 10_000], rounds: [1, 1], short_rounds: 1 },
                Report::silent(),
            ));
        }
        let effort = if given("--quick") {
            Self { events: [10_000, 100_000], rounds: [5, 3], short_rounds: 15 }
        } else {
            Self { events: [100_000, 1_000_000], rounds: [5, 3], short_rounds: 21 }
        };
        Some((effort, Report::default()))
    }
}

fn main() {
    let mut criterion = Criterion::default().with_measurement(CpuTime).without_plots().configure_from_args();
    let effort = Effort::of_arguments();
    let events = effort.as_ref().map_or(1000, |(effort, _)| effort.events[0]);

    let published = customers_current();
    let six_a_checkpoint = generated(&published, 6 * 15, 15);
    let six_a_sequence = generated(&published, 6, 15);
    single_timings(&mut criterion, [&published, &six_a_checkpoint], events);
    criterion.final_summary();

    let Some((effort, mut report)) = effort else { return };
    println!("\nCPU time, naive and model in turn, medians; xorshift64 from {:#x}\n", feeds::SEED);
    // "Five generated sequences of 15 checkpoints and six events each" is read as six events a checkpoint: with
    // six events a sequence, most checkpoints would get none. Both are printed.
    let below = Asked::AtMost(100.0);
    report.sequences("five sequences", &published, &effort, [below, Asked::AtLeast(1.0)]);
    let generated = "generated, 6 events a checkpoint";
    report.sequences(generated, &six_a_checkpoint, &effort, [Asked::Nothing, Asked::AtLeast(10.0)]);
    let generated = "generated, 6 events a sequence";
    report.sequences(generated, &six_a_sequence, &effort, [Asked::Nothing, Asked::Nothing]);
    report.corpus(&effort);
    report.feeds(&effort);
    report.indirection(&effort);
    report.hot_key(&effort);
    println!("\n{report}");
}

/// What criterion follows from run to run: what the harness does all day, and a feed.
fn single_timings(criterion: &mut Criterion<CpuTime>, suites: [&Fixtures; 2], events: usize) {
    let mutants = catalogue::all();
    let mut group = criterion.benchmark_group("matrix");
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1)).sample_size(20);
    for (name, fixtures) in ["five sequences", "generated sequences"].into_iter().zip(suites) {
        group.bench_function(name, |bencher| bencher.iter(|| Matrix::of(fixtures, &mutants)));
    }
    group.finish();

    let mut group = criterion.benchmark_group(format!("feed of {events} events"));
    group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1)).sample_size(10);
    group.sampling_mode(SamplingMode::Flat);
    let feed = feeds::spread(events);
    for (name, scd_type) in [("SCD1", ScdType::One), ("SCD2", ScdType::Two)] {
        let plan = feeds::plan(scd_type);
        group.bench_function(name, |bencher| bencher.iter_with_large_drop(|| play(&Reference, &plan, &feed)));
    }
    group.finish();
}

/// The five sequences that are published, as they are shipped.
fn customers_current() -> Fixtures {
    const PUBLISHED: [&str; 5] =
        ["ordering_and_delete", "update_and_mapping", "sequence_tie", "explicit_null", "exact_redelivery"];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/customers_current");
    let mut fixtures = Fixtures::load([folder]).unwrap_or_else(|faults| panic!("{faults}"));
    fixtures.suites[0].fixtures.retain(|fixture| PUBLISHED.contains(&&*fixture.name));
    fixtures
}

/// Five generated sequences in the place of the published ones. This only times, so the reference says what
/// is expected.
fn generated(published: &Fixtures, events: usize, checkpoints: usize) -> Fixtures {
    let mut fixtures = published.clone();
    let suite = &mut fixtures.suites[0];
    let template = suite.fixtures.swap_remove(0);
    let blank = Checkpoint { expect: Vec::new(), ..template.checkpoints[0].clone() };
    let fixture = |feed: Feed| {
        let checkpoints = vec![blank.clone(); feed.batches()];
        let plan = feeds::plan(ScdType::One);
        let mut fixture = Fixture { plans: vec![plan], feed, checkpoints, ..template.clone() };
        let tables = tables(&Reference, &fixture).expect("the reference refuses no generated batch");
        for (checkpoint, shown) in fixture.checkpoints.iter_mut().zip(tables) {
            checkpoint.expect.push(shown.table);
        }
        fixture
    };
    suite.fixtures = feeds::five_small(events, checkpoints).into_iter().map(fixture).collect();
    fixtures
}

/// A fixture as the yardstick reads it.
struct Sequence {
    definition: Definition,
    batches: Vec<Vec<Object>>,
    expected: Vec<Vec<String>>,
}

impl Sequence {
    fn of(fixture: &Fixture) -> Self {
        let objects = |rows: &[Row]| -> Vec<Object> {
            rows.iter().map(|row| feeds::object(row, fixture.plan().target())).collect()
        };
        let expected = fixture.checkpoints.iter().map(|checkpoint| &checkpoint.expect[0]);
        Self {
            definition: Definition::of(fixture.plan().flow()),
            batches: feeds::as_json(&fixture.feed, fixture.plan().schema()),
            expected: expected.map(|table| as_multiset(&objects(table.rows()))).collect(),
        }
    }

    /// The checkpoints at which the yardstick differs.
    fn differences(&self) -> Vec<usize> {
        let mut naive = Naive::new(&self.definition, ScdType::One);
        let differs = |number: &usize| {
            naive.apply(&self.batches[*number]);
            as_multiset(&naive.rows()) != self.expected[*number]
        };
        (0..self.batches.len()).filter(differs).collect()
    }
}

/// Rows as a multiset that can be compared. JSON has no order of its own, so its text stands for it.
fn as_multiset(rows: &[Object]) -> Vec<String> {
    let mut texts: Vec<String> =
        rows.iter().map(|row| serde_json::to_string(row).expect("a row is JSON")).collect();
    texts.sort_unstable();
    texts
}

/// Applies all batches and reads the rows once. The state is returned, so that it isn't freed in the timing.
fn play<'a, M: AutoCdc + ?Sized>(model: &'a M, plan: &'a Plan, feed: &Feed) -> (Run<'a, M>, Vec<Row>) {
    let mut run = Run::new(model, plan).expect("the model has no definition of its own");
    for batch in 0..feed.batches() {
        run.apply(feed.batch(batch)).expect("no generated batch is refused");
    }
    let rows = run.rows();
    (run, rows)
}

/// The same with the yardstick.
fn play_naive<'a>(
    definition: &'a Definition,
    scd_type: ScdType,
    batches: &[Vec<Object>],
) -> (Naive<'a>, Vec<Object>) {
    let mut naive = Naive::new(definition, scd_type);
    for batch in batches {
        naive.apply(batch);
    }
    let rows = naive.rows();
    (naive, rows)
}

/// Panics unless both show the same rows.
fn assert_same(plan: &Plan, rows: &[Row], naive: Vec<Object>) {
    let sorted = |mut rows: Vec<Object>| {
        let start = |row: &Object, field: &str| row.get("__START_AT").and_then(|start| start[field].as_i64());
        rows.sort_by_cached_key(|row| (row["id"].as_i64(), start(row, "lsn"), start(row, "pos")));
        rows
    };
    let rows = sorted(rows.iter().map(|row| feeds::object(row, plan.target())).collect());
    assert!(rows == sorted(naive), "the model and the yardstick show different rows");
}

/// The reference behind a mutant's table of hooks: what the indirection costs.
const IN_DISGUISE: Mutant = Mutant::new(
    "in_disguise",
    "Answers as the reference",
    Hook::order_of(|plan, event| Reference.order_of(plan, event)),
);

impl Report {
    /// The whole matrix of a suite, against the yardstick playing the sequences once for each model.
    fn sequences(&mut self, what: &str, fixtures: &Fixtures, effort: &Effort, [limit, ratio]: [Asked; 2]) {
        const OFTEN: u32 = 20;
        // The first seven, for which the ratios were asked. Those that the flow leaves nothing to do wrong are played
        // by neither.
        let plan = fixtures.suites[0].fixtures[0].plan();
        let first = catalogue::all().into_iter().take(7);
        let mutants: Vec<Mutant> = first.filter(|mutant| (mutant.needs)(plan).is_ok()).collect();
        let what = format!("{what}, {} models", mutants.len() + 1);
        let sequences: Vec<Sequence> = fixtures.suites[0].fixtures.iter().map(Sequence::of).collect();
        let naive = || -> Vec<Vec<usize>> {
            let models = 0..=mutants.len();
            models.flat_map(|_| black_box(&sequences).iter().map(Sequence::differences)).collect()
        };
        let matrix = Matrix::of(fixtures, &mutants);
        assert!(matrix.disagreements().next().is_none(), "the reference gives the expected rows");
        assert!(naive().iter().all(Vec::is_empty), "so does the yardstick");

        let [naive, model] = in_turn(
            effort.short_rounds,
            [&mut || timed_often(OFTEN, naive), &mut || {
                timed_often(OFTEN, || Matrix::of(black_box(fixtures), &mutants))
            }],
        );
        self.add(&format!("{what}: the matrix"), model.median() * 1e6, "us", limit);
        self.add(&format!("{what}: naive"), naive.median() * 1e6, "us", Asked::Nothing);
        self.add(&format!("{what}: faster than naive"), naive.over(&model), "x", ratio);
    }

    /// The whole catalogue on the shipped corpus, the evidence too, and on more fixtures and mutants than anyone has:
    /// wall time, for it is shared out over the cores.
    fn corpus(&mut self, effort: &Effort) {
        let mut corpus = Fixtures::load([Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")])
            .unwrap_or_else(|faults| panic!("{faults}"));
        for suite in &mut corpus.suites {
            suite.audited = true;
        }
        let mutants = catalogue::all();
        let fixtures: Vec<Fixture> = corpus.pairs().map(|(_, fixture)| fixture.clone()).collect();
        let mut many = Fixtures { suites: vec![corpus.suites[0].clone()], warnings: Vec::new() };
        many.suites[0].fixtures = fixtures.into_iter().cycle().take(300).collect();
        let many_mutants: Vec<Mutant> = mutants.iter().copied().cycle().take(200).collect();

        let [shipped, large] = in_turn(
            effort.rounds[0],
            [&mut || clocked(|| Matrix::of(&corpus, &mutants)), &mut || {
                clocked(|| Matrix::of(&many, &many_mutants))
            }],
        );
        let sizes = |fixtures: &Fixtures, mutants: &[Mutant]| {
            let events: usize = fixtures.pairs().map(|(_, fixture)| fixture.feed.events().len()).sum();
            (fixtures.pairs().count(), events * mutants.len())
        };
        for (name, time, limit, (fixtures, events), mutants) in [
            ("corpus", shipped, 100.0, sizes(&corpus, &mutants), mutants.len()),
            ("large", large, 500.0, sizes(&many, &many_mutants), many_mutants.len()),
        ] {
            let what = format!("{name}, {fixtures} fixtures x {mutants} mutants");
            self.add(&what, time.median() * 1e3, "ms", Asked::AtMost(limit));
            self.add(&format!("{what}, an event"), an_event(&time, events), "ns", Asked::AtMost(1000.0));
        }
    }

    /// The feed in both sizes, in both types, against the yardstick.
    fn feeds(&mut self, effort: &Effort) {
        let mut of_sizes: [Vec<f64>; 2] = Default::default();
        for (events, rounds) in effort.events.into_iter().zip(effort.rounds) {
            let feed = feeds::spread(events);
            let batches = feeds::as_json(&feed, feeds::plan(ScdType::One).schema());
            for (of_sizes, (name, scd_type, cost, faster)) in of_sizes
                .iter_mut()
                .zip([("SCD1", ScdType::One, 2200.0, 3.0), ("SCD2", ScdType::Two, 4100.0, 4.0)])
            {
                let plan = feeds::plan(scd_type);
                let definition = Definition::of(plan.flow());
                // This warms both up as well.
                let shown = play_naive(&definition, scd_type, &batches).1;
                assert_same(&plan, &play(&Reference, &plan, &feed).1, shown);
                let [naive, model] = in_turn(
                    rounds,
                    [&mut || timed(|| play_naive(&definition, scd_type, &batches)), &mut || {
                        timed(|| play(&Reference, &plan, &feed))
                    }],
                );
                let what = format!("{name}, {events} events");
                // So that a slowed yardstick shows: what it costs where the ratios were asked for.
                let cost = if events == 1_000_000 { Asked::About(cost) } else { Asked::Nothing };
                self.add(&format!("{what}: naive, an event"), an_event(&naive, events), "ns", cost);
                self.add(&format!("{what}: model, an event"), an_event(&model, events), "ns", Asked::Nothing);
                self.add(
                    &format!("{what}: faster than naive"),
                    naive.over(&model),
                    "x",
                    Asked::AtLeast(faster),
                );
                of_sizes.push(model.median());
            }
        }
        let limit = if ASKED_FROM <= effort.events[0] { Asked::AtMost(16.0) } else { Asked::Nothing };
        for (name, seconds) in ["SCD1", "SCD2"].into_iter().zip(of_sizes) {
            let what = format!("{name}: growth of the model's time, ten times the events");
            self.add(&what, seconds[1] / seconds[0], "x", limit);
        }
    }

    /// The smaller feed under a model that isn't known when the code is compiled, against the reference.
    fn indirection(&mut self, effort: &Effort) {
        let (events, rounds) = (effort.events[0], effort.rounds[0]);
        let feed = feeds::spread(events);
        let reference: &dyn AutoCdc = black_box(&Reference);
        let mutant = black_box(IN_DISGUISE);
        for (name, scd_type) in [("SCD1", ScdType::One), ("SCD2", ScdType::Two)] {
            let plan = feeds::plan(scd_type);
            let [direct, dynamic, disguised] = in_turn(
                rounds,
                [
                    &mut || timed(|| play(&Reference, &plan, &feed)),
                    &mut || timed(|| play(reference, &plan, &feed)),
                    &mut || timed(|| play(&mutant, &plan, &feed)),
                ],
            );
            self.add(&format!("{name}: time as `&dyn AutoCdc`"), dynamic.over(&direct), "x", Asked::Nothing);
            self.add(&format!("{name}: time as a mutant"), disguised.over(&direct), "x", Asked::Nothing);
        }
    }

    /// One key that has all events, against the spread feed.
    fn hot_key(&mut self, effort: &Effort) {
        let (events, rounds) = (effort.events[0], effort.rounds[0]);
        let plan = feeds::plan(ScdType::Two);
        let (hot, spread) = (feeds::hot(events), feeds::spread(events));
        let mut in_order = Feed::default();
        in_order.append(hot.events().iter().rev().map(|event| event.values.clone()));
        let rows = |feed| play(&Reference, &plan, feed).1;
        assert!(rows(&hot) == rows(&in_order), "arrival order changes nothing");

        let [spread, hot] = in_turn(
            rounds,
            [&mut || timed(|| play(&Reference, &plan, &spread)), &mut || {
                timed(|| play(&Reference, &plan, &hot))
            }],
        );
        let what = format!("one hot key, {events} events reversed");
        self.add(&format!("{what}: model, an event"), an_event(&hot, events), "ns", Asked::Nothing);
        self.add(&format!("{what}: over the spread feed"), hot.over(&spread), "x", Asked::AtMost(3.0));
    }
}

/// Nanoseconds an event.
#[expect(clippy::cast_precision_loss, reason = "feeds are far shorter than 2^52 events")]
fn an_event(seconds: &Seconds, events: usize) -> f64 {
    seconds.median() * 1e9 / events as f64
}
