//! The fixture to write next: the smallest feed that separates a mutant from the reference, or mutants from each other,
//! under a suite's own flows.
//!
//! What is right isn't filled in: both candidate tables are shown, and a person says which it is.

mod claims;

use std::path::{Path, PathBuf};

use cdc_core::{Mutant, Plan, Reference};

pub use claims::{Refuted, refuted};

use crate::check;
use crate::finding::{Code, Severity};
use crate::fixture::{Checkpoint, Fixture, Suite};
use crate::search::{Found, Limits, NotFound, Separation, separate};
use crate::verdict;
use crate::words::{listed, lower_first};

/// What came of looking for a fixture that catches a mutant, or tells mutants apart.
#[derive(Clone, Debug)]
pub enum Suggested {
    /// A fixture to complete.
    Fixture(Box<Suggestion>),
    /// No feed was found within the limits.
    Nothing(NotFound),
    /// No mutant can differ under any of the flows: a reason.
    NotApplicable(&'static str),
}

/// A fixture to complete, and the question that completes it.
#[derive(Clone, Debug)]
pub struct Suggestion {
    /// The fixture. It expects nothing yet.
    pub fixture: Fixture,
    /// The feed, and what both models answer to its last batch.
    pub separation: Separation,
    /// The mutants that it catches once it is completed.
    pub catches: Vec<Mutant>,
    /// Those from which it tells them: it catches none of these.
    pub leaves: Vec<Mutant>,
    /// The file of the fixture, or the folder of the suite, whose flows it is played under.
    pub like: PathBuf,
}

/// The flows into one target, and a fixture that is played under them.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The suite.
    pub suite: &'a Suite,
    /// The first of its fixtures with these flows.
    pub like: &'a Fixture,
    /// How many of its fixtures have them.
    pub count: usize,
}

impl Target<'_> {
    /// Whether a fixture is played under these flows, over the same columns.
    pub fn is_of(&self, fixture: &Fixture) -> bool {
        let parts = |plans: &[Plan]| -> Vec<_> {
            plans.iter().map(|plan| (plan.flow().clone(), plan.schema().clone())).collect()
        };
        parts(&self.like.plans) == parts(&fixture.plans)
    }
}

/// The targets of a suite, each once: the one of most fixtures first.
pub fn targets(suite: &Suite) -> Vec<Target<'_>> {
    let mut targets: Vec<Target<'_>> = Vec::new();
    for fixture in &suite.fixtures {
        match targets.iter_mut().find(|target| target.is_of(fixture)) {
            Some(target) => target.count += 1,
            None => targets.push(Target { suite, like: fixture, count: 1 }),
        }
    }
    targets.sort_by_key(|target| usize::MAX - target.count);
    targets
}

/// Suggests a fixture that catches a mutant, under the first of some targets where one is found.
pub fn suggest(mutant: &Mutant, targets: &[Target<'_>], limits: Limits) -> Suggested {
    suggest_apart(&[mutant], targets, limits)
}

/// Suggests a fixture that catches some of these mutants and not the others, under the first of some targets where one
/// is found. For one mutant alone it is a fixture that catches it.
///
/// # Panics
///
/// If there is no mutant.
pub fn suggest_apart(mutants: &[&Mutant], targets: &[Target<'_>], limits: Limits) -> Suggested {
    let mut last = None;
    for target in targets {
        match separate(mutants, &target.like.plans, limits) {
            Found::Separation(separation) => {
                return Suggested::Fixture(Box::new(Suggestion::new(mutants, target, *separation)));
            }
            Found::Nothing(nothing) => last = Some(Suggested::Nothing(nothing)),
            Found::NotApplicable(reason) => last = last.or(Some(Suggested::NotApplicable(reason))),
        }
    }
    last.unwrap_or(Suggested::NotApplicable("there is no flow"))
}

impl Suggestion {
    fn new(mutants: &[&Mutant], target: &Target<'_>, separation: Separation) -> Self {
        let of = |is_wanted: &dyn Fn(usize) -> bool| -> Vec<Mutant> {
            (0..mutants.len()).filter(|&place| is_wanted(place)).map(|place| *mutants[place]).collect()
        };
        let catches = of(&|place| separation.parted.contains(&place));
        let leaves = of(&|place| !separation.parted.contains(&place));
        let names = |mutants: &[Mutant]| mutants.iter().map(|mutant| mutant.name).collect::<Vec<&str>>();
        let caught = catches[0];
        let about = if leaves.is_empty() {
            format!("Catches: {}.", lower_first(caught.about))
        } else {
            format!("Tells {} from {}.", listed(&names(&catches)), listed(&names(&leaves)))
        };
        let folder = target.like.path.parent().unwrap_or(Path::new("")).to_owned();
        let (name, path) = free(caught.name, target.suite, &folder);
        let like = target.like;
        let mut fixture = Fixture {
            title: name.replace('_', " "),
            about,
            source: "own".to_owned(),
            path,
            plans: like.plans.clone(),
            flows: like.flows.clone(),
            checkpoints: Checkpoint::all_of(&separation.feed),
            feed: separation.feed.clone(),
            business: None,
            aims_at: names(&catches).into_iter().map(str::to_owned).collect(),
            findings: Vec::new(),
            name,
        };
        fixture.findings = findings(&fixture);
        let is_only = target.count == target.suite.fixtures.len();
        let like = if is_only { target.suite.path.clone() } else { like.path.clone() };
        Self { fixture, separation, catches, leaves, like }
    }
}

/// The first name after a mutant that no fixture of the suite has and no file.
fn free(mutant: &str, suite: &Suite, folder: &Path) -> (String, PathBuf) {
    let candidate = |number: usize| {
        let name = if number == 1 { mutant.to_owned() } else { format!("{mutant}_{number}") };
        (folder.join(format!("{name}.json")), name)
    };
    let is_free = |(path, name): &(PathBuf, String)| {
        !path.exists() && !suite.fixtures.iter().any(|fixture| fixture.name == *name)
    };
    let (path, name) = (1..usize::MAX).map(candidate).find(is_free).unwrap_or_default();
    (name, path)
}

/// What `check` will find in a fixture once it is completed, but for what needn't be declared.
fn findings(fixture: &Fixture) -> Vec<Code> {
    let mut completed = fixture.clone();
    let shown = verdict::tables(&Reference, fixture).unwrap_or_default();
    for (checkpoint, shown) in completed.checkpoints.iter_mut().zip(shown) {
        checkpoint.expect_error = shown.refusal.map(|refusal| refusal.class.to_owned());
    }
    let findings = check::findings(&check::cases_of_fixture(&completed, ""));
    let declared = findings.iter().filter(|finding| finding.severity <= Severity::Warning);
    let mut codes: Vec<Code> = declared.map(|finding| finding.code).collect();
    codes.dedup();
    codes
}
