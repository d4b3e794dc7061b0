//! What a fixture declares, and what is found in it.

use super::case::{Case, Delivered};
use super::ties;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::finding::{Code, Finding, Place, Severity};
use crate::fixture::{Fixture, Fixtures};
use crate::words::pasted;

/// The findings of some events, held against what was declared.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The findings.
    pub findings: Vec<Finding>,
    /// What was declared, in the order in which it was.
    pub declared: Vec<Code>,
}

impl Checked {
    /// Whether a finding was declared.
    pub fn is_declared(&self, finding: &Finding) -> bool {
        self.declared.contains(&finding.code)
    }

    /// What was declared and isn't found.
    pub fn missing(&self) -> Vec<Code> {
        let is_found = |code: &&Code| self.findings.iter().any(|finding| finding.code == **code);
        self.declared.iter().filter(|code| !is_found(code)).copied().collect()
    }

    /// Whether the check fails: an error that wasn't declared, or a declaration without a finding. With `strict`
    /// also a warning that wasn't declared.
    pub fn fails(&self, strict: bool) -> bool {
        let worst = if strict { Severity::Warning } else { Severity::Error };
        let is_bad = |finding: &Finding| finding.severity <= worst && !self.is_declared(finding);
        self.findings.iter().any(is_bad) || !self.missing().is_empty()
    }
}

/// The events of a fixture, a case for each flow into its target. Those that a flow passes over, for it runs once
/// and has run, are left out.
pub fn cases_of_fixture<'a>(fixture: &'a Fixture, table: &str) -> Vec<Case<'a>> {
    let knows_time =
        (0..fixture.checkpoints.len()).any(|batch| fixture.feed.batch(batch).delivery.seconds != 0);
    let mut flows: Vec<Vec<Delivered<'a>>> = vec![Vec::new(); fixture.plans.len()];
    let (mut refreshes, mut time) = (0, 0_i64);
    let mut have_run = vec![false; fixture.plans.len()];
    for (number, checkpoint) in fixture.checkpoints.iter().enumerate() {
        let batch = fixture.feed.batch(number);
        if checkpoint.full_refresh {
            refreshes += 1;
            have_run.fill(false);
        }
        time = time.saturating_add(i64::try_from(batch.delivery.seconds).unwrap_or(i64::MAX));
        let events = batch.events.iter().enumerate().map(|(row, event)| Delivered {
            event,
            place: Place {
                checkpoint: Some(number),
                event: row,
                line: checkpoint.event_lines.get(row).copied().unwrap_or(checkpoint.line),
            },
            refreshes,
            is_applied: checkpoint.expect_error.is_none(),
            arrived: knows_time.then_some(time),
        });
        let flow = batch.delivery.flow;
        let plan = &fixture.plans[flow];
        // The rows of a snapshot are no events.
        let is_passed_over = plan.flow().once && have_run[flow];
        if !plan.reads_snapshots() && !is_passed_over {
            flows[flow].extend(events);
        }
        have_run[flow] |= checkpoint.expect_error.is_none();
    }
    fixture.plans.iter().zip(flows).map(|(plan, events)| Case::new(plan, events, table.to_owned())).collect()
}

/// The conflicts that fixtures have and don't declare: with them no table is right or wrong.
pub fn undeclared_conflicts(fixtures: &Fixtures) -> Result<(), Diagnostics> {
    let mut faults = Diagnostics::default();
    let undeclared = fixtures.pairs().map(|(_, fixture)| fixture);
    for fixture in undeclared.filter(|fixture| !fixture.findings.contains(&Code::Conflict)) {
        if let Some(finding) = ties::conflict(&cases_of_fixture(fixture, "")) {
            faults.push(fault(fixture, &finding));
        }
    }
    if faults.count() == 0 { Ok(()) } else { Err(faults) }
}

fn fault(fixture: &Fixture, finding: &Finding) -> Diagnostic {
    let (first, other) = match *finding.events {
        [first, other, ..] => (Some(first), format!(" The other one is in {other}.")),
        _ => (None, String::new()),
    };
    let message = format!(
        "[conflict] {}{other} {} If the tie is what the fixture is about, declare it: `\"findings\": [\"conflict\"]`",
        finding.message, finding.remedy
    );
    let check = format!("check {}", pasted(&fixture.path));
    let mut fault = Diagnostic::of_path(&fixture.path, message).then(check);
    if let Some(Place { checkpoint, event, line }) = first {
        fault.place = Some((line, 1));
        let checkpoint = checkpoint.map(|number| format!("checkpoint {}, ", number + 1)).unwrap_or_default();
        fault.part = format!("{checkpoint}event {}", event + 1);
    }
    fault
}
