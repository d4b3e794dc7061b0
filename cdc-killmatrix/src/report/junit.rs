//! A matrix as `JUnit` XML, for the build servers that read it.

use std::io;

use cdc_core::Mutant;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::survivors::{Survivor, disagreement};
use crate::diagnostic::Diagnostics;
use crate::escape::for_xml;
use crate::matrix::{Line, Matrix, Standing, SuiteMatrix};
use crate::verdict::Outcome;
use crate::words::pasted;

/// What came of a test.
enum Answer {
    Passed,
    Failed(Reason),
    Error(Reason),
    Skipped(String),
}

/// Why a test didn't pass: in a word, in a sentence, and in some lines.
struct Reason {
    kind: &'static str,
    message: String,
    lines: Vec<String>,
}

/// A test: its name, the group in which it is shown, and what came of it.
struct Case {
    name: String,
    group: String,
    answer: Answer,
}

/// A matrix as `JUnit` XML: a suite of tests for each suite, with a test for each fixture, which the reference must pass,
/// whose claims must hold, and, where the suite is audited, for each mutant, which a fixture must catch.
///
/// `claims` are those that are broken: see [`broken_claims`](crate::broken_claims).
///
/// `program` is how the commands that it suggests begin: `cdc-killmatrix`. There are no times in it.
pub fn junit(matrix: &Matrix, claims: &Diagnostics, program: &str) -> String {
    let survivors = Survivor::all(matrix);
    let cases = |suite| {
        let mut cases = fixtures(suite, claims, program);
        cases.extend(mutants(matrix, suite, &survivors, program));
        cases
    };
    let suites: Vec<(&SuiteMatrix, Vec<Case>)> =
        matrix.suites.iter().map(|suite| (suite, cases(suite))).collect();
    written(&suites)
}

fn fixtures(suite: &SuiteMatrix, claims: &Diagnostics, program: &str) -> Vec<Case> {
    let case = |line: &Line| Case {
        name: line.name.clone(),
        group: format!("{}: AUTO CDC gives the expected rows", suite.name),
        answer: match baseline(line, program) {
            Answer::Passed => claimed(line, claims),
            answer => answer,
        },
    };
    suite.fixtures.iter().map(case).collect()
}

fn mutants(matrix: &Matrix, suite: &SuiteMatrix, survivors: &[Survivor<'_>], program: &str) -> Vec<Case> {
    let audited = suite.audited.then(|| matrix.mutants.iter().enumerate());
    let case = |(column, mutant): (usize, &Mutant)| Case {
        name: mutant.name.to_owned(),
        group: format!("{}: a fixture catches the broken copy", suite.name),
        answer: of_mutant(matrix, suite, column, survivors, program),
    };
    audited.into_iter().flatten().map(case).collect()
}

/// Whether what a fixture claims, or is claimed of it, holds.
fn claimed(line: &Line, claims: &Diagnostics) -> Answer {
    let mut broken = claims.faults().iter().filter(|claim| claim.path == line.path);
    let Some(first) = broken.next() else { return Answer::Passed };
    let message = first.message.clone();
    Answer::Failed(Reason { kind: "claim", message, lines: broken.map(|it| it.message.clone()).collect() })
}

/// Whether the reference agrees with a fixture.
fn baseline(line: &Line, program: &str) -> Answer {
    if line.baseline.agrees() {
        return Answer::Passed;
    }
    let reason = |kind| Reason {
        kind,
        message: disagreement(line),
        lines: vec![format!("{program} rows --why {}", pasted(&line.path))],
    };
    match line.baseline.failure {
        Some(_) => Answer::Error(reason("breakdown")),
        None => Answer::Failed(reason("disagreement")),
    }
}

/// Whether a suite catches a mutant.
fn of_mutant(
    matrix: &Matrix,
    suite: &SuiteMatrix,
    column: usize,
    survivors: &[Survivor<'_>],
    program: &str,
) -> Answer {
    let mutant = &matrix.mutants[column];
    match (suite.standing(column), mutant.equivalent) {
        (Standing::Caught(_), _) => return Answer::Passed,
        (Standing::NotApplicable, _) => return Answer::Skipped(idle(suite, column).to_owned()),
        (Standing::Survives, Some(reason)) => {
            return Answer::Skipped(format!("no events tell it from AUTO CDC: {reason}"));
        }
        (Standing::Survives, None) => {}
    }
    if let Some(ignored) = matrix.ignored(&suite.name, mutant.name) {
        return Answer::Skipped(format!("ignored: {}", ignored.reason));
    }
    let is_meant = |it: &&Survivor<'_>| std::ptr::eq(it.suite, suite) && it.mutant.name == mutant.name;
    let Some(survivor) = survivors.iter().find(is_meant) else { return Answer::Passed };
    let lines = [survivor.consequence(), Some(survivor.reason()), Some(survivor.explain(program))];
    let reason = |kind, message| Reason { kind, message, lines: lines.into_iter().flatten().collect() };
    match survivor.breakdown() {
        Some(breakdown) => Answer::Error(reason("breakdown", format!("it broke down: {breakdown}"))),
        None => Answer::Failed(reason("survives", survivor.sentence())),
    }
}

/// Why a mutant wasn't tried, or can't differ.
fn idle(suite: &SuiteMatrix, column: usize) -> &'static str {
    let mut cells = suite.fixtures.iter().filter_map(|line| line.cells.get(column));
    match cells.next() {
        Some(Outcome::NotApplicable(reason)) => reason,
        _ => "AUTO CDC disagrees with a fixture, so no broken copy was tried",
    }
}

/// How many tests there are, how many failed, broke down and were skipped.
fn counts<'a>(cases: impl Iterator<Item = &'a Case>) -> [(&'static str, usize); 4] {
    let mut counts = [("tests", 0), ("failures", 0), ("errors", 0), ("skipped", 0)];
    for case in cases {
        let column = match case.answer {
            Answer::Passed => 0,
            Answer::Failed(_) => 1,
            Answer::Error(_) => 2,
            Answer::Skipped(_) => 3,
        };
        counts[0].1 += 1;
        counts[column].1 += usize::from(column != 0);
    }
    counts
}

fn written(suites: &[(&SuiteMatrix, Vec<Case>)]) -> String {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    write(&mut xml, suites).expect("memory can be written");
    let mut text = String::from_utf8(xml.into_inner()).expect("what was written is text");
    text.push('\n');
    text
}

type Xml = Writer<Vec<u8>>;

fn write(xml: &mut Xml, suites: &[(&SuiteMatrix, Vec<Case>)]) -> io::Result<()> {
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let [tests, failures, errors, _] = counts(suites.iter().flat_map(|(_, cases)| cases));
    let all = [tests, failures, errors].map(|(name, count)| (name, count.to_string()));
    let attributes = all.iter().map(|(name, count)| (*name, &**count));
    let element = xml.create_element("testsuites").with_attribute(("name", "killmatrix"));
    element.with_attributes(attributes).write_inner_content(|xml| {
        suites.iter().try_for_each(|(suite, cases)| write_suite(xml, suite, cases))
    })?;
    Ok(())
}

fn write_suite(xml: &mut Xml, suite: &SuiteMatrix, cases: &[Case]) -> io::Result<()> {
    let name = for_xml(&suite.name);
    let counts = counts(cases.iter()).map(|(name, count)| (name, count.to_string()));
    let attributes = counts.iter().map(|(name, count)| (*name, &**count));
    let element = xml.create_element("testsuite").with_attribute(("name", &*name));
    let element = element.with_attributes(attributes);
    element.write_inner_content(|xml| cases.iter().try_for_each(|case| write_case(xml, case)))?;
    Ok(())
}

fn write_case(xml: &mut Xml, case: &Case) -> io::Result<()> {
    let (name, group) = (for_xml(&case.name), for_xml(&case.group));
    let element = xml.create_element("testcase").with_attributes([("name", &*name), ("classname", &*group)]);
    match &case.answer {
        Answer::Passed => element.write_empty()?,
        Answer::Skipped(message) => element.write_inner_content(|xml| {
            let skipped = xml.create_element("skipped");
            skipped.with_attribute(("message", &*for_xml(message))).write_empty().map(|_| ())
        })?,
        Answer::Failed(reason) => element.write_inner_content(|xml| write_reason(xml, "failure", reason))?,
        Answer::Error(reason) => element.write_inner_content(|xml| write_reason(xml, "error", reason))?,
    };
    Ok(())
}

fn write_reason(xml: &mut Xml, element: &str, reason: &Reason) -> io::Result<()> {
    let lines: Vec<_> = reason.lines.iter().map(|line| for_xml(line)).collect();
    let element = xml.create_element(element).with_attribute(("type", reason.kind));
    let element = element.with_attribute(("message", &*for_xml(&reason.message)));
    element.write_text_content(BytesText::new(&lines.join("\n")))?;
    Ok(())
}
